//! Pictures of what a loop did: well-formed XML, a line for each key, gaps where values are missing, pixels.

use std::fs;
use std::path::Path;

use clap::Parser;
use cycle::{Actuator, Body, Incoming, Instant, Kind, Outgoing, Ports, Span};
use dcm_run::plot::{Args, DrawnPicture, make};
use resvg::tiny_skia::Pixmap;
use roxmltree::Document;
use sensors::{Creation, PageWriter};
use tests::{Wire, bare, body, plan, with_cycle};

/// The arguments of a command line.
#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: Args,
}

fn plot(words: &[&str]) -> Result<DrawnPicture, String> {
    let line = Line::parse_from(["plot"].iter().chain(words));
    make(&line.args).map_err(|error| format!("{error:#}"))
}

fn told(words: &[&str]) -> String {
    plot(words).expect_err("it cannot be drawn")
}

/// A page with this many turns of 10 ms, with two actuators that stand still and two sensors.
fn page(path: &Path, turns: u64) {
    let actuators = [
        Actuator::new("Elbow", Kind::Joint, -1.5, 1.5),
        Actuator::new("Base", Kind::Joint, -900.0, 900.0),
    ];
    let sensors = ["Supply", "Elbow"].map(|name| cycle::Sensor {
        name,
        path: "",
        derived: None,
        board: cycle::BoardId(0),
        calibration: cycle::Calibration::NONE,
    });
    let body = Body {
        sensors: &sensors,
        ..body(&actuators)
    };
    let period = Span::from_millis(10);
    let creation = Creation {
        body: &body,
        actuator_units: &["rad", "rad"],
        sensor_units: &["V", "rad"],
        period,
        utc_at_zero: 0,
        run: 1,
    };
    let mut writer = PageWriter::create(path, &creation).expect("a page");
    with_cycle(&body, &plan(&body, 1, 8), bare(period), |cycle| {
        for turn in 1..=turns {
            let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
                // Every tenth reading is missing.
                back.counts[0] = if turn % 10 == 0 {
                    f64::NAN
                } else {
                    turn as f64
                };
                back.counts[1] = (turn as f64 / 20.0).sin();
                back.answers[0].answered = true;
                back.answers[0].acknowledged = out.turn;
            });
            cycle.turn(
                Instant::from_millis(1000 + 10 * turn),
                &mut Ports {
                    inbox: &mut (),
                    hooks: &mut (),
                    board: &mut board,
                    page: &mut writer,
                },
            );
        }
    });
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> String {
        self.0
            .path()
            .join(name)
            .to_str()
            .expect("a path")
            .to_owned()
    }

    fn csv(&self, text: &str) -> String {
        let path = self.path("values.csv");
        fs::write(&path, text).expect("written");
        path
    }
}

/// For each key of a picture, the numbers of points of its polylines, and its single dots.
fn lines(svg: &str) -> Vec<(String, Vec<usize>, usize)> {
    let document = Document::parse(svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
    let keyed = document
        .descendants()
        .filter(|descendant| descendant.has_attribute("data-key"));
    keyed
        .map(|group| {
            let of = |tag: &'static str| {
                group
                    .children()
                    .filter(move |child| child.has_tag_name(tag))
            };
            let points = |node: roxmltree::Node<'_, '_>| {
                let points = node.attribute("points").expect("points").split(' ');
                points
                    .map(|point| {
                        point
                            .split(',')
                            .filter_map(|part| part.parse::<f64>().ok())
                            .count()
                            / 2
                    })
                    .sum()
            };
            let key = group.attribute("data-key").expect("a key").to_owned();
            (
                key,
                of("polyline").map(points).collect(),
                of("circle").count(),
            )
        })
        .collect()
}

/// The texts of a picture, with their positions.
fn texts(svg: &str) -> Vec<(String, f64, f64)> {
    let document = Document::parse(svg).expect("sound XML");
    let texts = document
        .descendants()
        .filter(|descendant| descendant.has_tag_name("text"));
    texts
        .map(|text| {
            let place = |key| {
                text.attribute(key)
                    .and_then(|attribute| attribute.parse().ok())
                    .expect("a place")
            };
            (
                text.text().unwrap_or_default().to_owned(),
                place("x"),
                place("y"),
            )
        })
        .collect()
}

#[test]
fn a_page_becomes_a_line_for_each_key_with_gaps_where_nothing_was_read() {
    let folder = Folder::new();
    let (from, to) = (folder.path("robot.page"), folder.path("robot.svg"));
    page(Path::new(&from), 100);
    let made =
        plot(&[&from, "Elbow.commanded", "Supply", "Elbow.sent", "-o", &to]).expect("a picture");
    assert_eq!(
        made.keys,
        ["Elbow.commanded", "Supply.sensor", "Elbow.sent"]
    );
    assert_eq!((made.rows, made.gaps, made.size.0), (100, 10, 960));
    assert!((made.span.0 - 1.01).abs() < 1e-9 && (made.span.1 - 2.0).abs() < 1e-9);
    let svg = fs::read_to_string(&to).expect("written");
    let found = lines(&svg);
    assert_eq!(found[0], ("Elbow.commanded".to_owned(), vec![100], 0));
    assert_eq!(found[1], ("Elbow.sent".to_owned(), vec![100], 0));
    assert_eq!(found[2], ("Supply.sensor".to_owned(), vec![9; 10], 0));
    let texts = texts(&svg);
    for wanted in ["robot.page", "rad", "V", "time, s", "Elbow.sent"] {
        assert!(
            texts.iter().any(|pair| pair.0 == wanted),
            "no {wanted}: {texts:?}"
        );
    }
    plot(&[&from, "Elbow", "-o", &to, "--last", "30"]).expect("a picture");
    assert_eq!(lines(&fs::read_to_string(&to).expect("written"))[0].1, [30]);
}

#[test]
fn limits_are_drawn_for_one_actuator_where_they_are_near() {
    let folder = Folder::new();
    let (from, to) = (folder.path("robot.page"), folder.path("robot.svg"));
    page(Path::new(&from), 1100);
    let limits = |keys: &[&str]| {
        let words: Vec<_> = [from.as_str()]
            .iter()
            .chain(keys)
            .chain(&["-o", &to])
            .copied()
            .collect();
        plot(&words).expect("a picture");
        texts(&fs::read_to_string(&to).expect("written"))
            .iter()
            .any(|pair| pair.0 == "limits")
    };
    assert!(
        limits(&["Elbow"]),
        "a sensor of a joint has the joint's limits"
    );
    assert!(
        limits(&["Elbow", "Supply", "work"]),
        "what is no actuator does not count"
    );
    assert!(
        !limits(&["Elbow", "Base.sent"]),
        "of two actuators nobody knows whose they are"
    );
    assert!(
        !limits(&["Elbow.sent"]),
        "what stands still is far away from its limits"
    );
}

#[test]
fn the_same_values_from_a_file_with_commas_give_lines_gaps_and_dots() {
    let folder = Folder::new();
    let to = folder.path("out.svg");
    let from = folder.csv(
        "turn,now,A.sent,A.sensor [V],B.sent\n1,0.01,1,4,\n2,0.02,NaN,5,7\n3,0.03,2,6,\n4,0.04,3,inf,\n\n5,0.05,4,8,\n",
    );
    let made = plot(&["--csv", &from, "-o", &to]).expect("a picture");
    assert_eq!(
        made.keys,
        ["A.sent", "A.sensor", "B.sent"],
        "all but what tells when"
    );
    assert_eq!((made.rows, made.gaps, made.span), (5, 6, (0.01, 0.05)));
    let found = lines(&fs::read_to_string(&to).expect("written"));
    let of = |key: &str| {
        found
            .iter()
            .find(|pair| pair.0 == key)
            .map(|row| (row.1.clone(), row.2))
    };
    assert_eq!(of("A.sent"), Some((vec![3], 1)));
    assert_eq!(of("A.sensor"), Some((vec![3], 1)));
    assert_eq!(of("B.sent"), Some((vec![], 1)));
    let made = plot(&[
        "--csv",
        &from,
        "A",
        "-o",
        &to,
        "--last",
        "2",
        "--title",
        "<&\"\u{7}>",
    ])
    .expect("a picture");
    assert_eq!(
        (made.keys, made.rows),
        (vec!["A.sent".to_owned(), "A.sensor".to_owned()], 2)
    );
    let svg = fs::read_to_string(&to).expect("written");
    assert_eq!(texts(&svg)[0].0, "<&\">");
    let columns = folder.csv("x,y\n1,2\n3,4\n");
    assert_eq!(
        plot(&["--csv", &columns, "-o", &to])
            .expect("a picture")
            .span,
        (0.0, 1.0),
        "rows, without a time"
    );
    let grown = folder.csv("size [joints],turn,time [us]\n26,1,2\n256,2,5\n1024,3,20\n");
    let made = plot(&["--csv", &grown, "--over", "size", "time", "-o", &to]).expect("a picture");
    assert_eq!((made.keys.len(), made.span), (1, (26.0, 1024.0)));
    let svg = fs::read_to_string(&to).expect("written");
    assert!(
        texts(&svg).iter().any(|pair| pair.0 == "size, joints"),
        "{svg}"
    );
    let made = plot(&["--csv", &grown, "--over", "time", "-o", &to]).expect("a picture");
    assert_eq!(made.keys, ["size"], "neither the time nor what it is over");
}

#[test]
fn a_png_has_the_size_that_was_asked_for_and_shows_the_lines() {
    let folder = Folder::new();
    let to = folder.path("out.png");
    let from = folder.csv("now,A.sent,B.sent\n0,0,1\n1,1,0\n2,0,1\n");
    let made = plot(&[
        "--csv", &from, "-o", &to, "--width", "400", "--height", "300",
    ])
    .expect("a picture");
    assert_eq!(made.size, (400, 300));
    let picture = Pixmap::load_png(&to).expect("a PNG");
    assert_eq!((picture.width(), picture.height()), (400, 300));
    let count = |wanted: [u8; 3]| {
        let is = |item: &&resvg::tiny_skia::PremultipliedColorU8| {
            [item.red(), item.green(), item.blue()] == wanted
        };
        picture.pixels().iter().filter(is).count()
    };
    assert!(count([0x00, 0x72, 0xb2]) > 100, "the first line");
    assert!(count([0xd5, 0x5e, 0x00]) > 100, "the second line");
    assert!(count([0xff, 0xff, 0xff]) > 60_000, "a white ground");
    // Text: dark pixels where the title is.
    let dark = |item: &resvg::tiny_skia::PremultipliedColorU8| item.red() < 140;
    let title = (8..30)
        .flat_map(|y| (0..200).map(move |x| (x, y)))
        .filter_map(|(x, y)| picture.pixel(x, y));
    assert!(title.filter(dark).count() > 40, "the title has letters");
}

#[test]
fn names_of_a_legend_and_ticks_never_overlap_and_stay_inside() {
    let folder = Folder::new();
    let to = folder.path("out.svg");
    let names: Vec<_> = (0..16)
        .map(|i| format!("AnActuatorWithALongName{i}.acknowledged"))
        .collect();
    let row = |time: f64| {
        names
            .iter()
            .zip(1..)
            .map(|(_, pair)| format!(",{}", f64::from(pair) * time * 1e5))
            .collect::<String>()
    };
    let text = format!(
        "now,{}\n9000.01{}\n9000.02{}\n",
        names.join(","),
        row(1.0),
        row(-7.3)
    );
    let from = folder.csv(&text);
    for width in ["320", "960", "2000"] {
        plot(&["--csv", &from, "-o", &to, "--width", width]).expect("a picture");
        let texts = texts(&fs::read_to_string(&to).expect("written"));
        let wide: f64 = width.parse().expect("a width");
        // Letters are about 6 pixels wide, so ends are known within a few pixels.
        for (place, (text, x, y)) in texts.iter().enumerate() {
            assert!((0.0..wide).contains(x), "{text} at {x}");
            for (other, x2, y2) in &texts[place + 1..] {
                let apart =
                    (x - x2).abs() >= 5.0 * text.chars().count().min(other.chars().count()) as f64;
                assert!(
                    (y - y2).abs() > 9.0 || apart,
                    "`{text}` and `{other}` overlap at width {width}"
                );
            }
        }
    }
}

#[test]
fn a_long_recording_is_thinned_and_keeps_its_peaks() {
    let folder = Folder::new();
    let to = folder.path("out.svg");
    let mut text = "now,A.sent\n".to_owned();
    for row in 0..50_000 {
        let value = if row == 31_234 { 5 } else { row % 2 };
        text.push_str(&format!("{row},{value}\n"));
    }
    let from = folder.csv(&text);
    let made = plot(&["--csv", &from, "-o", &to]).expect("a picture");
    assert_eq!(made.rows, 50_000);
    let svg = fs::read_to_string(&to).expect("written");
    let points = lines(&svg)[0].1[0];
    assert!((1_000..5_000).contains(&points), "{points}");
    let made = plot(&["--csv", &from, "-o", &to, "--last", "100"]).expect("a picture");
    assert_eq!(made.span, (49_900.0, 49_999.0));
}

#[test]
fn what_cannot_be_drawn_is_told_with_what_to_do() {
    let folder = Folder::new();
    let (robot, empty, svg) = (
        folder.path("robot.page"),
        folder.path("empty.page"),
        folder.path("x.svg"),
    );
    page(Path::new(&robot), 20);
    page(Path::new(&empty), 0);
    let nowhere = folder.path("no/such/folder/x.svg");
    let many: Vec<_> = (0..17).map(|i| format!("c{i}")).collect();
    let head = format!("now,{}\n0{}\n", many.join(","), ",1".repeat(17));
    let write = |name: &str, text: &str| {
        let path = folder.path(name);
        fs::write(&path, text).expect("written");
        path
    };
    let csv = |text: &str| write("values.csv", text);
    let cases: Vec<(Vec<String>, &str)> = [
        (
            vec![&robot, "Elbow", "-o", "x.jpg"],
            "x.jpg: unknown picture format; fix: use a file name that ends in .svg or .png",
        ),
        (
            vec![&robot, "Elbow", "-o", "svg"],
            "use a file name that ends in .svg or .png",
        ),
        (
            vec![&robot, "Elbw", "-o", &svg],
            "there is no value `Elbw`; fix: did you mean `Elbow`?",
        ),
        (
            vec![&robot, "-o", &svg],
            "no key to draw; fix: give at least one; a key is a name alone",
        ),
        (
            vec![&empty, "Elbow", "-o", &svg],
            "contains no complete turn",
        ),
        (
            vec![&robot, "Elbow", "-o", &nowhere],
            "x.svg` cannot be written: No such file",
        ),
        (
            vec!["./nothing.page", "Elbow", "-o", &svg],
            "there is no file `./nothing.page`; fix: ",
        ),
        (vec![&svg, "Elbow", "-o", &svg], "there is no file `"),
        (
            vec!["--csv", "nothing.csv", "-o", &svg],
            "there is no file `nothing.csv`; fix: ",
        ),
        (
            vec![
                &robot, "Elbow", "Supply", "work", "-o", &svg, "--height", "200",
            ],
            "need a height of",
        ),
    ]
    .into_iter()
    .map(|(words, wanted)| (words.into_iter().map(str::to_owned).collect(), wanted))
    .collect();
    for (words, wanted) in cases {
        let told = told(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(told.contains(wanted), "wanted {wanted}, got {told}");
    }
    for (text, wanted) in [
        (
            "",
            "the file is empty; fix: its first line must contain the names",
        ),
        ("now,A\n", "the file has names but no values; fix: "),
        ("now\n1\n", "the file has no column besides the time"),
        (
            "now,A\n0\n",
            "line 2 has 1 fields, but the first line has 2 names",
        ),
        ("now,A\n0,1,2\n", "line 2 has 3 fields"),
        ("now,A\n0,1\n1,fast\n", "line 3: `fast` is not a value of A"),
        ("now,A\nsoon,1\n", "line 2: `soon` is not a value of now"),
        (
            "now,A\n0,NaN\n1,\n",
            "none of these keys has a value in any row (2)",
        ),
        (
            "now,A\nNaN,1\n",
            "none of these keys has a value in any row (1)",
        ),
        (
            &head,
            "these keys name 17 lines, more than the 16 of one picture",
        ),
    ] {
        let told = told(&["--csv", &csv(text), "-o", &svg]);
        assert!(
            told.contains(wanted),
            "wanted {wanted}, got {told}, of {text}"
        );
    }
    let told = told(&["--csv", &csv("now,A,B\n0,1,2\n"), "C", "-o", &svg]);
    assert!(told.contains("there is no column `C`; fix: "), "{told}");
    let told = self::told(&["--csv", &csv("A,B\n1,2\n"), "--over", "C", "-o", &svg]);
    assert!(told.contains("there is no column `C`; fix: "), "{told}");
    let told = self::told(&["nao", "--over", "A", "-o", &svg]);
    assert!(told.contains("--over is for CSV"), "{told}");
    for words in [["--width", "10"], ["--height", "9999"], ["--last", "0"]] {
        let words = ["plot", "desk", "Elbow", "-o", "x.svg"]
            .iter()
            .chain(&words);
        assert!(
            Line::try_parse_from(words).is_err(),
            "a bound of the command line"
        );
    }
    assert!(!Path::new(&svg).exists(), "nothing was written");
}

#[test]
fn any_bytes_for_values_are_drawn_or_refused() {
    let folder = Folder::new();
    let to = folder.path("out.svg");
    let mut random = fastrand::Rng::with_seed(11);
    let parts = [
        "now", "A.sent", ",", "\n", "1", "-1e300", "1e-310", "NaN", "", "\"", "[", "]", "é", "0.5",
        "\r\n",
    ];
    let mut drawn = 0;
    for _ in 0..400 {
        let length = random.usize(1..30);
        let body: String = (0..length)
            .map(|_| *random.choice(&parts).expect("a part"))
            .collect();
        let from = folder.csv(&format!("now,A.sent\n0,1\n{body}"));
        if plot(&["--csv", &from, "-o", &to]).is_ok() {
            drawn += 1;
            lines(&fs::read_to_string(&to).expect("written"));
        }
    }
    for (a, b) in [
        (1e15, -1e15),
        (1e-310, 0.0),
        (1e300, 0.0),
        (0.1 + 0.2, 0.3),
        (5e14, 5e14 + 1.0),
    ] {
        let from = folder.csv(&format!("now,A.sent\n{a},{a}\n{b},{b}\n"));
        plot(&["--csv", &from, "-o", &to]).expect("a picture");
        assert!(!fs::read_to_string(&to).expect("written").contains("NaN"));
    }
    assert!(drawn > 0);
}
