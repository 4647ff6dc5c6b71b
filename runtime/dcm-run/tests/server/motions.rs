//! Files of motions that are uploaded to a robot: they become choreographies for it, and the body moves as a plain
//! reader of the same file says. What cannot be read is told with its place, and leaves nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;

use hyper::Method;
use network::client::{ApiClient, ClientError, RequestBody};
use network::hex::digest;
use protocol::RequestError;
use protocol::choreographies::{ListedChoreography, PushResult};
use protocol::guests::Started;
use recording::Recording;
use serde_json::{Value, json};
use tests::process::{Home, text, until};
use tests::served::{Served, serve};

use crate::common::home;
use crate::hard::{SIGNED, end};

const QUIET: &str = "[server]\nlisten = [\"127.0.0.1:0\"]\n[foxglove]\nlisten = \"\"\n";

const JOINTS: [&str; 3] = ["HeadYaw", "HeadPitch", "RShoulderPitch"];

/// The keys of each joint: instants in ms, and values in rad.
type Keys = BTreeMap<String, Vec<(f64, f64)>>;

/// Uploads a file under a name, with further words of the query.
fn send(
    client: &ApiClient,
    file: &str,
    bytes: &[u8],
    query: &str,
) -> Result<PushResult, RequestError> {
    let sent = RequestBody {
        headers: Vec::new(),
        bytes: bytes::Bytes::copy_from_slice(bytes),
        kind: "application/octet-stream",
        only_reads: false,
    };
    let path = format!(
        "/api/v2/choreographies/{}?name=show&file={file}{query}",
        digest(bytes)
    );
    match client.send(Method::PUT, &path, sent, |_| {}) {
        Ok(told) => Ok(serde_json::from_slice(&told).expect("an answer")),
        Err(ClientError::Refused(error)) => Err(error),
        Err(other) => panic!("{file}: {other}"),
    }
}

/// Random keys of every joint at the same instants.
fn random(seed: u64) -> Vec<(u64, [f64; 3])> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut at = 0;
    let rows = (0..7).map(|_| {
        let row = (at, [(); 3].map(|()| (random.f64() - 0.5) * 0.2));
        at += 20 * random.u64(8..30);
        row
    });
    rows.collect()
}

fn webots(rows: &[(u64, [f64; 3])]) -> String {
    let mut file = format!("#WEBOTS_MOTION,V1.0,{}\r\n", JOINTS.join(","));
    for (at, [a, b, c]) in rows {
        let (minutes, seconds, ms) = (at / 60_000, at / 1000 % 60, at % 1000);
        let _ = write!(
            file,
            "{minutes:02}:{seconds:02}:{ms:03},Pose,{a},{b},{c}\r\n"
        );
    }
    file
}

fn read_webots(file: &str) -> Keys {
    let mut keys = Keys::new();
    let mut lines = file.lines();
    let names: Vec<_> = lines.next().expect("a head").split(',').skip(2).collect();
    for line in lines {
        let fields: Vec<_> = line.split(',').collect();
        let time: Vec<f64> = fields[0]
            .split(':')
            .map(|part| part.parse().expect("a number"))
            .collect();
        let at = time[0] * 60_000.0 + time[1] * 1000.0 + time[2];
        for (name, value) in names.iter().zip(&fields[2..]) {
            let value = value.parse().expect("a number");
            keys.entry((*name).to_owned())
                .or_default()
                .push((at, value));
        }
    }
    keys
}

/// In degrees, and every joint on a line of its own.
fn mot(rows: &[(u64, [f64; 3])]) -> String {
    let (mut file, mut before) = ("#MSq\ndegrees\n".to_owned(), 0);
    for (at, values) in rows {
        let _ = writeln!(file, "delay {}", at - before);
        before = *at;
        for (name, value) in JOINTS.iter().zip(values) {
            let _ = writeln!(file, "{name} {}", value.to_degrees());
        }
    }
    file + "#END\n"
}

fn read_mot(file: &str) -> Keys {
    let (mut keys, mut at) = (Keys::new(), 0.0);
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        match line.split_once(' ') {
            Some(("delay", ms)) => at += ms.parse::<f64>().expect("a number"),
            Some((name, value)) => {
                let value = value.parse::<f64>().expect("a number").to_radians();
                keys.entry(name.to_owned()).or_default().push((at, value));
            }
            None => assert_eq!(line, "degrees"),
        }
    }
    keys
}

fn csv(rows: &[(u64, [f64; 3])]) -> String {
    let mut file = "actuator,time,value\n".to_owned();
    for (at, values) in rows {
        for (name, value) in JOINTS.iter().zip(values) {
            let _ = writeln!(
                file,
                "{name},{},{}deg",
                *at as f64 / 1e3,
                value.to_degrees()
            );
        }
    }
    file
}

fn read_csv(file: &str) -> Keys {
    let mut keys = Keys::new();
    for line in file.lines().skip(1) {
        let fields: Vec<_> = line.split(',').collect();
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let value = number(fields[2].trim_end_matches("deg")).to_radians();
        keys.entry(fields[0].to_owned())
            .or_default()
            .push((number(fields[1]) * 1e3, value));
    }
    keys
}

/// As Choregraphe exports it, simplified.
fn python(rows: &[(u64, [f64; 3])]) -> String {
    let mut file =
        "from naoqi import ALProxy\nnames = list()\ntimes = list()\nkeys = list()\n".to_owned();
    for (place, name) in JOINTS.iter().enumerate() {
        let times: Vec<_> = rows.iter().map(|row| row.0 as f64 / 1e3).collect();
        let values: Vec<_> = rows.iter().map(|row| row.1[place]).collect();
        let _ = write!(
            file,
            "\nnames.append(\"{name}\")\ntimes.append({times:?})\nkeys.append({values:?})\n"
        );
    }
    file + "\ntry:\n  motion = ALProxy(\"ALMotion\")\n  motion.angleInterpolation(names, keys, times, True)\n\
        except BaseException as err:\n  print(err)\n"
}

fn read_python(file: &str) -> Keys {
    let of = |word: &str| -> Vec<String> {
        let begin = format!("{word}.append(");
        let lines = file
            .lines()
            .filter_map(|line| line.strip_prefix(&begin)?.strip_suffix(')'));
        lines.map(str::to_owned).collect()
    };
    let numbers = |text: &String| -> Vec<f64> { serde_json::from_str(text).expect("numbers") };
    let all = of("names").into_iter().zip(of("times")).zip(of("keys"));
    let all = all.map(|((name, times), keys)| {
        let times = numbers(&times).into_iter().map(|number| number * 1e3);
        (
            name.trim_matches('"').to_owned(),
            times.zip(numbers(&keys)).collect(),
        )
    });
    all.collect()
}

/// The value at an instant, ms, on the lines between keys.
fn value(keys: &[(f64, f64)], at: f64) -> f64 {
    match keys.iter().position(|key| key.0 >= at) {
        None => keys[keys.len() - 1].1,
        Some(0) => keys[0].1,
        Some(next) => {
            let ((t0, v0), (t1, v1)) = (keys[next - 1], keys[next]);
            v0 + (v1 - v0) * (at - t0) / (t1 - t0)
        }
    }
}

/// A gap of more periods than this between two turns is a stall, in which the time of a show stands still.
const STALL: f64 = 5.0;

/// What the joints were sent in a turn, rad; instants in ms.
#[derive(Clone, Copy)]
struct SentTurn {
    now: f64,
    /// On a clock that stands still in stalls, as that of a show.
    show: f64,
    values: [f64; 3],
}

/// What the joints were commanded in each turn, at its instant in ms.
fn commanded(home: &Home) -> Vec<SentTurn> {
    let folder = fs::read_dir(home.path("run/state/nao/recordings")).expect("a folder");
    let file = folder.flatten().next().expect("a recording").path();
    let recording = Recording::open(&file).expect("a recording");
    let names: Vec<_> = recording
        .robot
        .actuators
        .iter()
        .map(|actuator| actuator.name.as_str())
        .collect();
    let rows = JOINTS.map(|name| {
        names
            .iter()
            .position(|item| *item == name)
            .expect("a joint")
    });
    let period = recording.robot.settings.period.nanos() as f64 / 1e6;
    let (mut last, mut lost) = (None, 0.0);
    let turns = recording.each_turn();
    turns
        .map(|turn| {
            let now = turn.turn.now as f64 / 1e6;
            let elapsed = now - last.replace(now).unwrap_or(now);
            if elapsed > STALL * period {
                lost += elapsed;
            }
            SentTurn {
                now,
                show: now - lost,
                values: rows.map(|row| turn.turn.commanded[row]),
            }
        })
        .collect()
}

/// How far the body is from these keys at most, rad, if they begin at this instant, ms.
fn distance(sent: &[SentTurn], keys: &Keys, begins: f64) -> f64 {
    let end = keys[JOINTS[0]].last().expect("a key").0;
    let of_show = sent
        .iter()
        .filter(|turn| (0.0..=end).contains(&(turn.show - begins)));
    let mut most = 0_f64;
    for turn in of_show {
        for (name, found) in JOINTS.iter().zip(turn.values) {
            most = most.max((found - value(&keys[*name], turn.show - begins)).abs());
        }
    }
    most
}

fn stored(client: &ApiClient) -> Vec<ListedChoreography> {
    client.get("/api/v2/choreographies").expect("a list")
}

/// Plays what is stored to its end; returns the instants of the body between which it did, ms.
fn play(served: &Served<'_>, client: &ApiClient, digest: &str) -> (f64, f64) {
    served.wait_until_it_runs();
    let page = served.page();
    let now = || page.read(|frame| frame.now().nanos()).expect("a turn") as f64 / 1e6;
    let began = now();
    let start = json!({ "choreography": digest });
    let started = client.ask::<Started>(Method::POST, "/api/v2/guests", Some(&start));
    assert!(matches!(started, Ok(Started::Loaded(_))), "{started:?}");
    until("it has ended", || {
        served.home.good(&["ps", "--json"]).is_empty()
    });
    (began, now())
}

/// The least distance of the body from these keys, over all instants at which they may begin.
fn least_distance(sent: &[SentTurn], keys: &Keys) -> Option<f64> {
    let lasts = keys[JOINTS[0]].last()?.0;
    let end = sent.last()?.show;
    let best = |begins: &mut dyn Iterator<Item = f64>| {
        let all = begins.map(|begins| (distance(sent, keys, begins), begins));
        all.min_by(|a, b| a.0.total_cmp(&b.0))
    };
    // It begins between two turns: first to a turn, then to a millisecond, then to a fiftieth of one.
    let turns = sent.iter().map(|turn| turn.show);
    let (_, near) = best(&mut turns.filter(|begins| begins + lasts <= end))?;
    let (_, near) = best(&mut (-10..=10).map(|place| near + f64::from(place)))?;
    Some(best(&mut (-60..=60).map(|place| near + f64::from(place) * 0.02))?.0)
}

/// One robot plays a motion of Webots, a sequence of Tekkotsu, a table in UTF-16 as a spreadsheet may write it, and an
/// export of Choregraphe whose ending says nothing. What the body was sent is what a plain reader finds in each file.
#[test]
fn uploaded_motions_move_the_body_as_their_files_say() {
    let rows = [1, 2, 3, 4].map(random);
    let (webots, mot, csv, python) = (
        webots(&rows[0]),
        mot(&rows[1]),
        csv(&rows[2]),
        python(&rows[3]),
    );
    let marked = std::iter::once(0xfeff).chain(csv.encode_utf16());
    let utf_16: Vec<u8> = marked.flat_map(u16::to_le_bytes).collect();
    let files = [
        ("wave.motion", webots.as_bytes(), read_webots(&webots)),
        ("wave.mot", mot.as_bytes(), read_mot(&mot)),
        ("wave.csv", &utf_16, read_csv(&csv)),
        ("wave.export", python.as_bytes(), read_python(&python)),
    ];
    let home = home();
    let served = serve(&home, QUIET);
    let client = served.client(Some(&served.token("author")));
    let played = files.each_ref().map(|(file, bytes, _)| {
        let pushed = send(&client, file, bytes, "").expect("it is stored");
        assert!(!pushed.known && pushed.warnings.is_empty(), "{pushed:?}");
        assert!(
            stored(&client)
                .iter()
                .any(|listed| listed.digest == pushed.digest)
        );
        // The same file is the same choreography.
        let again = send(&client, file, bytes, "").expect("it is stored");
        assert!(again.known && again.digest == pushed.digest, "{again:?}");
        play(&served, &client, &pushed.digest)
    });
    end(served);
    let sent = commanded(&home);
    for ((file, _, keys), (began, ended)) in files.iter().zip(played) {
        let during = |turn: &&SentTurn| (began..=ended).contains(&turn.now);
        let sent: Vec<_> = sent.iter().filter(during).copied().collect();
        let best = least_distance(&sent, keys).unwrap_or_else(|| panic!("{file}: it never begins"));
        assert!(best < 2e-4, "{file}: {best} rad from what is in it");
    }
}

#[test]
fn an_uploaded_motion_is_mirrored_mapped_and_chosen() {
    let home = home();
    let served = serve(&home, QUIET);
    let client = served.client(Some(&served.token("author")));
    let other = b"#WEBOTS_MOTION,V1.0,neck\n00:00:000,P,0.1\n00:01:000,P,0.2\n";
    let said = send(&client, "a.motion", other, "").expect_err("no such joint");
    assert_eq!(said.code, "bad-motion");
    assert!(
        said.sentence.contains("a.motion:\nline 1, column 21: "),
        "{said}"
    );
    let map = "&map=%5Bjoints%5D%0Aneck%20%3D%20%22HeadYaw%22%0A";
    send(&client, "a.motion", other, map).expect("it is mapped");
    let failure = send(&client, "a.motion", other, "&map=joints%20%3D%201").expect_err("no map");
    assert!(
        failure.sentence.contains("the mapping:\nline 1, column "),
        "{failure}"
    );
    // The mirror image is that of the same show, compiled by hand.
    let left = b"#WEBOTS_MOTION,V1.0,LElbowRoll\n00:00:000,P,-0.5\n00:01:000,P,-0.7\n";
    let right = b"#WEBOTS_MOTION,V1.0,RElbowRoll\n00:00:000,P,0.5\n00:01:000,P,0.7\n";
    let mirrored = send(&client, "b.motion", left, "&mirror=true").expect("it is stored");
    let plain = send(&client, "b.motion", right, "").expect("it is stored");
    assert_eq!(mirrored.digest, plain.digest);
    let error = send(&client, "b.motion", left, "&motion=nod").expect_err("there is none");
    assert!(
        error.sentence.contains("there is no motion `nod`"),
        "{error}"
    );
    // A choreography stays one, whatever its file is named.
    let wave = fs::read(tests::served::WAVE).expect("a file");
    let pushed = send(&client, "wave.motion", &wave, "").expect("it is stored");
    assert_eq!(pushed.digest, digest(&wave));
    let tolerated = b"#MSq\nHeadYaw 0.1 1 and more\ndelay 500\nHeadYaw 0.2\n#END\n";
    let pushed = send(&client, "c.mot", tolerated, "").expect("it is stored");
    assert!(
        pushed.warnings[0].starts_with("c.mot: line 2, column 15: "),
        "{pushed:?}"
    );
}

/// The files of a store that are on their way.
fn incoming(home: &Home) -> usize {
    fs::read_dir(home.path("run/state/nao/incoming"))
        .expect("a folder")
        .count()
}

/// The answer to an upload of 100 MB: it comes before they are sent.
fn large(served: &Served<'_>, token: &str) -> String {
    let mut stream = TcpStream::connect(served.address()).expect("a server");
    let head = format!(
        "PUT /api/v2/choreographies/{}?name=show&file=huge.csv HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Authorization: Bearer {token}\r\nContent-Length: 100000000\r\n\r\n",
        digest(b"")
    );
    stream.write_all(head.as_bytes()).expect("it is sent");
    let _ = stream.write_all(&[b' '; 1000]);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    text(&answer)
}

#[test]
fn an_uploaded_motion_that_cannot_be_read_is_told_with_its_place_and_nothing_moves() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("author")));
    let joints = || {
        let page: Value =
            serde_json::from_str(&home.good(&["get", "HeadYaw", "--json"])).expect("JSON");
        page["commanded"].clone()
    };
    let before = joints();
    let whole = webots(&random(5));
    let torn = &whole.as_bytes()[..whole.rfind(',').expect("a comma")];
    let utf16 =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
    let mut half = utf16(&format!("\u{feff}{whole}"));
    half.pop();
    let aibo = fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../motion-files/samples/paw.mtn"
    ));
    let code = "import os\nos.system('reboot')\nnames = list()\ntimes = list()\nkeys = list()\n";
    let deep = "[".repeat(1 << 20);
    let cases: [(&str, &[u8], &str); 12] = [
        ("torn.motion", torn, "torn.motion:\nline 8, column "),
        ("half.motion", &half, "half.motion:\nline "),
        ("aibo.mtn", &aibo.expect("a file"), "nao has no actuator `"),
        (
            "pepper.csv",
            b"actuator,time,value\nKneePitch2,1,0.5\n",
            "line 2, column 1: nao has no actuator",
        ),
        ("code.py", code.as_bytes(), "code.py:\nline "),
        (
            "walk.mot",
            b"#MSq\ndelay 100\nHeadYaw fast\n#END\n",
            "line 3, column 9: ",
        ),
        // It may read nothing beside it, and no other upload.
        (
            "load.mot",
            b"#MSq\nload 1\nload ../index.json\n#END\n",
            "line 2, column ",
        ),
        (
            "back.csv",
            b"actuator,time,value\nHeadYaw,1,nan\n",
            "line 2, column 11: ",
        ),
        (
            "bytes.csv",
            b"actuator,time,value\nHeadYaw,1,\xff\n",
            "line 2, column 11: ",
        ),
        ("deep.json", deep.as_bytes(), "deep.json:\nline 1, column "),
        ("empty.xar", b"", "line 1, column 1: the file is empty"),
        ("notes.md", b"# Notes\n", "this file cannot be played"),
    ];
    for (file, bytes, words) in cases {
        let error = send(&client, file, bytes, "").expect_err(file);
        assert_eq!(error.code, "bad-motion", "{file}: {error}");
        assert!(error.sentence.contains(words), "{file}: {error}");
        let placed = error.sentence.contains(": line ") || error.sentence.contains("\nline ");
        assert!(placed || file == "notes.md", "{file}: {error}");
        assert!(error.fix.is_some_and(|value| !value.is_empty()), "{file}");
    }
    // Neither the names of files nor the digest are taken as they come.
    for file in ["", "..%2fa.csv", "a%00.csv", "a%0a.csv", &"a".repeat(256)] {
        let error = send(&client, file, b"x", "").expect_err(file);
        assert_eq!(error.code, "invalid-name", "{file}");
    }
    let failure = send(&client, "-o.csv", b"actuator,time\n", "&motion=%00").expect_err("a zero");
    assert_eq!(failure.code, "invalid-request");
    assert!(large(&served, &served.token("author")).contains("\"code\":\"too-large\""));
    let watcher = served.client(Some(&served.token("perform")));
    let error = send(&watcher, "wave.motion", whole.as_bytes(), "").expect_err("no right");
    assert_eq!(error.code, "role-too-low");
    assert!(stored(&client).is_empty() && home.good(&["ps", "--all", "--json"]).is_empty());
    assert_eq!(joints(), before);
    until("nothing is left on its way", || incoming(&home) == 0);
    // And the robot takes the next one.
    send(&client, "wave.motion", whole.as_bytes(), "").expect("it is stored");
}

#[test]
fn an_uploaded_motion_obeys_the_quota_and_the_policy_of_signatures() {
    let home = home();
    let served = serve(&home, &format!("{QUIET}[store]\nquota = 1\n"));
    let client = served.client(Some(&served.token("author")));
    let file = webots(&random(6)) + &"\n".repeat(2 << 20);
    let failure = send(&client, "wave.motion", file.as_bytes(), "").expect_err("it is full");
    assert_eq!(failure.code, "quota-exceeded");
    end(served);
    let served = serve(&home, &format!("{QUIET}{SIGNED}"));
    let client = served.client(Some(&served.token("author")));
    let file = webots(&random(6));
    let error = send(&client, "wave.motion", file.as_bytes(), "").expect_err("it is not signed");
    assert_eq!(error.code, "signature-missing");
    assert!(stored(&client).is_empty());
}
