//! Tables as other programs write them: pandas, Excel, `rostopic echo -p`, clocks of all kinds.

use crate::{KeyedMotion, NoSurroundings, read};

fn table(text: &str) -> (KeyedMotion, Vec<String>) {
    let read = read("a.csv", text.as_bytes()).unwrap_or_else(|why| panic!("{text:?}: {why}"));
    let remarks = read.remarks.iter().map(ToString::to_string).collect();
    let motions = read.document.motions(&NoSurroundings, &mut Vec::new());
    (motions.expect("a motion").remove(0), remarks)
}

fn mistake(text: &str) -> String {
    read("a.csv", text.as_bytes()).expect_err(text).to_string()
}

/// The joints of a table, each with its times in ms and values.
fn keys(text: &str) -> Vec<(String, Vec<(f64, f64)>)> {
    let motion = table(text).0;
    let row = |key: &crate::JointKey| (key.time as f64 / 1e6, key.value);
    let track =
        |track: &crate::JointTrack| (track.joint.clone(), track.keys.iter().map(row).collect());
    motion.tracks.iter().map(track).collect()
}

#[test]
fn what_other_programs_add_to_a_table_changes_nothing() {
    let plain = [("HeadYaw".to_owned(), vec![(500.0, 0.1), (1_000.0, 0.2)])];
    let tables = [
        "time,HeadYaw\n0.5,0.1\n1,0.2\n",
        // pandas' index, and dividers at the ends of lines.
        ",time,HeadYaw\n0,0.5,0.1\n1,1.0,0.2\n",
        "time,HeadYaw,\n0.5,0.1,\n1,0.2,\n",
        "time,HeadYaw\n0.5,0.1,\n1,0.2,\n",
        "time,HeadYaw,,,\n0.5,0.1,,,\n1,0.2\n",
        // Excel's empty rows.
        "time,HeadYaw\n0.5,0.1\n,\n1,0.2\n,\n,\n",
        "time;HeadYaw;\n0,5;0,1;\n;;\n1;0,2;\n",
        // Names of the time, with and without a unit.
        "timestamp,HeadYaw\n0.5,0.1\n1,0.2\n",
        "Time (s),HeadYaw\n0.5,0.1\n1,0.2\n",
        "TIME [s],HeadYaw\n0.5,0.1\n1,0.2\n",
        "%time,HeadYaw\n0.5,0.1\n1,0.2\n",
        "__time,HeadYaw\n0.5,0.1\n1,0.2\n",
        "time_ms,HeadYaw\n500,0.1\n1000,0.2\n",
        "Timestamp (ms),HeadYaw\n500,0.1\n1e3,0.2\n",
        "time [us],HeadYaw\n500000,0.1\n1000 ms,0.2\n",
        "timestamp_ns,HeadYaw\n500000000,0.1\n1000000000,0.2\n",
        // What is no number.
        "time,HeadYaw\n0.5,0.1\n0.7,nan\n0.8,NAN\n1,0.2\n",
        "time,HeadYaw,description\n0.5,0.1,Home position\n1,0.2,Dance\n",
        "actuator,time [ms],value,\nHeadYaw,500,0.1,\n,,,\nHeadYaw,1000,0.2,\n",
    ];
    for text in tables {
        assert_eq!(keys(text), plain, "{text}");
    }
    let degrees = "time,HeadYaw [deg],HeadPitch(deg),LHand (open)\n1,30,15deg,1\n";
    let motion = table(degrees).0;
    let values: Vec<_> = motion
        .tracks
        .iter()
        .map(|track| (track.joint.as_str(), track.si(&track.keys[0])))
        .collect();
    assert_eq!(
        values,
        [
            ("HeadYaw", 30_f64.to_radians()),
            ("HeadPitch", 15_f64.to_radians()),
            ("LHand (open)", 1.0)
        ]
    );
}

#[test]
fn what_is_left_out_of_a_table_is_told() {
    let remarks = |text: &str| table(text).1;
    assert_eq!(
        remarks(",time,HeadYaw\n0,0.5,0.1\n1,1.0,0.2\n"),
        ["line 1, column 1: the column without a name is left out: it counts the rows"]
    );
    assert_eq!(
        remarks("time,HeadYaw,description\n0.5,0.1,Home position\n"),
        ["line 1, column 14: the column `description` is left out: it has no numbers"]
    );
    assert!(remarks("time,HeadYaw,\n0.5,0.1,\n").is_empty());
    let mistakes = [
        // A column without a name that counts nothing, words among numbers, and a column that is alone.
        (
            ",time,HeadYaw\n0.25,0.5,0.1\n",
            "line 1, column 1: the name of the actuator is missing",
        ),
        (
            "time,A,B\n1,0.5,x\n2,0.5,1\n",
            "line 2, column 7: `x` is not a value",
        ),
        (
            "time,A,B\n1,0.5,N/A\n2,0.5,1\n",
            "line 2, column 7: `N/A` is not a value",
        ),
        ("time,A\n1,x\n", "line 2, column 3: `x` is not a value"),
        (
            "time,A,B\n1,inf,0\n",
            "line 2, column 3: `inf` is not a value",
        ),
        (
            "time,A\n1,1,2\n",
            "line 2, column 6: 3 fields, but the header has 2",
        ),
        (
            "times,A\n1,1\n",
            "line 1, column 1: the header has no `time`",
        ),
        (
            "time (h),A\n1,1\n",
            "line 1, column 1: the header has no `time`",
        ),
    ];
    for (text, begin) in mistakes {
        let error = mistake(text);
        assert!(error.starts_with(begin), "{error}\nnot\n{begin}");
    }
}

#[test]
fn times_of_a_clock_are_counted_from_the_first_row() {
    let mut random = fastrand::Rng::with_seed(51);
    for _ in 0..200 {
        let begin =
            random.u64(250_001..4_000_000_000) * 1_000_000_000 + random.u64(0..1_000_000_000);
        let mut at = begin;
        let mut rows = vec![(at, random.f64())];
        for _ in 0..random.usize(1..10) {
            at += random.u64(1..5_000_000_000);
            rows.push((at, random.f64()));
        }
        let part = |ns: u64, unit: u64| {
            format!(
                "{}.{:0width$}",
                ns / unit,
                ns % unit,
                width = unit.ilog10() as usize
            )
        };
        let written: [(&str, &dyn Fn(u64) -> String); 4] = [
            ("time", &|ns| part(ns, 1_000_000_000)),
            ("timestamp_ms", &|ns| part(ns, 1_000_000)),
            ("Time (us)", &|ns| part(ns, 1_000)),
            ("%time", &|ns| ns.to_string()),
        ];
        for (title, time) in written {
            let lines = rows
                .iter()
                .map(|row| format!("{},{}\n", time(row.0), row.1));
            let text = format!("{title},HeadYaw\n{}", lines.collect::<String>());
            let (motion, remarks) = table(&text);
            let keys: Vec<_> = motion.tracks[0]
                .keys
                .iter()
                .map(|key| (key.time, key.value))
                .collect();
            let wanted: Vec<_> = rows.iter().map(|row| (row.0 - begin, row.1)).collect();
            assert_eq!(keys, wanted, "{text}");
            assert!(
                remarks[0].starts_with("line 2, column 1: the times begin at "),
                "{remarks:?}"
            );
            assert!(
                remarks[0].ends_with(" s: they are counted from the first row"),
                "{remarks:?}"
            );
        }
    }
    assert_eq!(
        mistake("time,HeadYaw\n1711712345123,0.1\n"),
        "line 2, column 1: `1711712345123` is not a time: it is too large; fix: say its unit in the header, as in \
         `time [ms]`"
    );
    assert_eq!(
        mistake("time,HeadYaw\n1711712345,0.1\n1711712344,0.1\n"),
        "line 3, column 1: `1711712344` is not a time: it is before the first row, or 250000 s behind it; fix: sort \
         the rows"
    );
}

#[test]
fn a_unit_that_no_value_has_is_refused_and_not_dropped() {
    for unit in [
        "deg/s", "mrad", "%", "rpm", "banana", "rad/s2", "N", "V", "s",
    ] {
        let wanted = format!(
            "line 1, column 6: `{unit}` is not a unit of values; fix: convert the column to deg, °, rad, mm, cm, m, or \
             remove it"
        );
        assert_eq!(mistake(&format!("time,HeadYaw [{unit}]\n1,30\n")), wanted);
        assert_eq!(mistake(&format!("time,HeadYaw[{unit}]\n1,30\n")), wanted);
        // Words alone are left out anyway.
        assert_eq!(table(&format!("time,A,x [{unit}]\n1,30,up\n")).1.len(), 1);
    }
    // Beside a column that has the values of the joint, it is left out.
    for (title, value, si) in [
        ("HeadYaw [rad]", "0.5", 0.5),
        ("HeadYaw", "0.5", 0.5),
        ("HeadYaw.sent [deg]", "30", 0.523_598_775_598_298_8),
    ] {
        let velocity = "HeadYaw.sensor [rad/s]";
        for (titles, values, column) in [
            (
                format!("{title},{velocity}"),
                format!("{value},9"),
                7 + title.len(),
            ),
            (format!("{velocity},{title}"), format!("9,{value}"), 6),
        ] {
            let (motion, remarks) = table(&format!("time,{titles}\n1,{values}\n"));
            let found: Vec<_> = motion
                .tracks
                .iter()
                .map(|track| (&*track.joint, track.si(&track.keys[0])))
                .collect();
            assert_eq!(found, [("HeadYaw", si)]);
            assert_eq!(
                remarks,
                [format!(
                    "line 1, column {column}: the column `{velocity}` is left out: `rad/s` is not a unit of values, \
                     and another column has those of `HeadYaw`"
                )]
            );
        }
    }
    // Shares have no unit, and an element of a list is no unit.
    let shares = "time,LHand [],RHand [-],A [1],joint[0],joint[1]\n1,0.5,0.25,1,2,3\n";
    let names = ["LHand", "RHand", "A", "joint[0]", "joint[1]"];
    let found: Vec<_> = keys(shares).into_iter().map(|key| key.0).collect();
    assert_eq!(found, names);
}

#[test]
fn a_number_that_is_too_large_is_told_as_that() {
    let large = format!("time,A\n1,{}\n", "9".repeat(401));
    assert!(mistake(&large).ends_with("` is not a value: it is too large"));
    assert_eq!(
        mistake("time,A\n1,1e400\n"),
        "line 2, column 3: `1e400` is not a value: it is too large"
    );
    assert_eq!(
        mistake("time,A\n1e300,1\n"),
        "line 2, column 1: `1e300` is not a time: it is too large; fix: say its unit in the header, as in `time [ms]`"
    );
    assert_eq!(
        mistake("time,A\n1,x\n"),
        "line 2, column 3: `x` is not a value: expected a number such as 0.5, or with a unit: 30deg"
    );
}
