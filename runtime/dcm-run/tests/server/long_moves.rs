//! Whole choreographies from outside, in one request: over the loop's socket, over HTTP packed, as JSON, compressed or
//! not. What the body is commanded is compared with an interpolation of the test's own.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::common::home;
use crate::recordings::replay_all;
use cycle::WAITING_MAX;
use description::{RobotSource, load};
use flate2::Compression;
use flate2::write::GzEncoder;
use sensors::PageReader;
use serde_json::{Value, json};
use tests::process::{Home, Wire, text};
use tests::served::{FLOATING_NAO, Served, serve, serve_with};

const RECORDED: &str =
    "[server]\nlisten = [\"127.0.0.1:0\"]\n[foxglove]\nlisten = \"\"\n[recordings]\non = true\n";

/// Of a NAO: all joints, and a light.
const ACTUATORS: usize = 26;

/// One actuator's part: its place on the page, its name, its range, its commands.
struct Part {
    place: usize,
    name: String,
    range: cycle::Range,
    commands: Vec<(u64, f64)>,
}

impl Part {
    /// What it is commanded at this instant, if these commands were all.
    fn value(&self, now: u64) -> Option<f64> {
        let next = self.commands.partition_point(|command| command.0 <= now);
        let clamp = |value: f64| value.clamp(self.range.min, self.range.max);
        let last = self.commands.get(next.checked_sub(1)?)?;
        let Some(next) = self.commands.get(next) else {
            return Some(clamp(last.1));
        };
        let share = (now - last.0) as f64 / (next.0 - last.0) as f64;
        Some(clamp(last.1) + (clamp(next.1) - clamp(last.1)) * share)
    }
}

/// A random choreography: `keys` commands for each of 26 actuators, a command in every 2 ms on average.
fn choreography(random: &mut fastrand::Rng, start: u64, keys: usize) -> Vec<Part> {
    let robot = load(&RobotSource::of("nao")).expect("a shipped robot");
    let joints = robot.actuators.iter().enumerate();
    let moving = joints.filter(|(_, joint)| joint.path.ends_with("/Position/Actuator/Value"));
    let light = robot
        .actuators
        .iter()
        .position(|actuator| actuator.path.contains("/Led/"));
    let light = light.expect("a light");
    let light = (light, &robot.actuators[light]);
    let mut parts = Vec::new();
    for (place, item) in moving.chain([light]).take(ACTUATORS) {
        let mut at = start;
        let mut value = item.range.clamp(0.0);
        let mut commands = Vec::new();
        for _ in 0..keys {
            at += random.u64(1..4_000_000);
            value += random.f64() * 0.02 - 0.01;
            commands.push((at, value));
        }
        parts.push(Part {
            place,
            name: item.path.clone(),
            range: item.range,
            commands,
        });
    }
    parts
}

/// How long before its first command a choreography is sent, ns.
const LEAD: u64 = 4_000_000_000;

/// Moves all commands to this instant and later. What takes time is made before.
fn begin_at(parts: &mut [Part], start: u64) {
    for command in parts.iter_mut().flat_map(|part| &mut part.commands) {
        command.0 += start;
    }
}

/// The parts as bytes: for each the number of its commands, then instants and values.
fn packed(parts: &[Part]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend(
            u32::try_from(part.commands.len())
                .expect("few")
                .to_le_bytes(),
        );
        for (at, value) in &part.commands {
            bytes.extend(at.to_le_bytes());
            bytes.extend(value.to_le_bytes());
        }
    }
    bytes
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn page(home: &Home) -> PageReader {
    PageReader::open(&home.path("run/nao.page")).expect("a page")
}

fn now(page: &PageReader) -> u64 {
    page.read(|frame| frame.now().nanos()).expect("a turn")
}

/// Compares what is commanded, in every turn that is seen, with what the parts say.
fn compare(page: &PageReader, parts: &[Part], until: u64) -> usize {
    let (mut turn, mut seen, mut at) = (page.latest(), 0, 0);
    while at < until {
        let latest = page.latest();
        if latest == turn {
            std::thread::sleep(std::time::Duration::from_millis(1));
            continue;
        }
        turn = latest;
        let read = page.read_turn(turn, |frame| {
            at = frame.now().nanos();
            for part in parts {
                let Some(expected) = part.value(at) else {
                    continue;
                };
                let commanded = frame.commanded(part.place).expect("an actuator");
                assert!(
                    (commanded - expected).abs() < 1e-9,
                    "{} at {at}: {commanded}, expected {expected}",
                    part.name
                );
            }
        });
        seen += usize::from(read.is_some());
    }
    seen
}

/// A request over HTTP: its status, and the answer.
fn post(served: &Served<'_>, token: &str, path: &str, headers: &str, body: &[u8]) -> (u16, Value) {
    let mut stream = TcpStream::connect(served.address()).expect("a server");
    let head = format!(
        "POST /api/v2/{path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\
         content-length: {}\r\n{headers}\r\n",
        served.address(),
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("it is sent");
    // A refusal may come before everything has been sent.
    let _ = stream.write_all(body);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = text(&answer);
    let status = answer.split(' ').nth(1).expect("a status").parse();
    let json = answer.split_once("\r\n\r\n").expect("a body").1;
    let json = serde_json::from_str(json).unwrap_or_else(|_| panic!("{answer}"));
    (status.expect("a status"), json)
}

const JSON: &str = "content-type: application/json\r\n";
const PACKED: &str = "content-type: application/octet-stream\r\n";
const GZIP: &str = "content-encoding: gzip\r\n";

fn names(parts: &[Part]) -> String {
    let names: Vec<_> = parts.iter().map(|part| part.name.as_str()).collect();
    names.join(",")
}

#[test]
fn a_whole_choreography_moves_the_body_as_written_and_its_recording_replays() {
    let home = home();
    let mut served = serve_with(&home, RECORDED, &FLOATING_NAO);
    served.wait_until_it_runs();
    let token = served.token("perform");
    let page = page(&home);
    let mut random = fastrand::Rng::with_seed(4096);
    let keys = WAITING_MAX as usize;
    // Over the socket: a line, then the bytes.
    let mut parts = choreography(&mut random, 0, keys);
    begin_at(&mut parts, now(&page) + LEAD);
    let bytes = packed(&parts);
    let mut wire = Wire::to(&home.path("run/nao.sock"));
    let to: Vec<_> = parts.iter().map(|part| &part.name).collect();
    let line = json!({"id": 7, "ask": {"schedule": {"to": to, "packed": bytes.len()}}});
    wire.send(format!("{line}\n").as_bytes()).expect("a loop");
    wire.send(&bytes).expect("a loop");
    let reply = wire.answer().expect("an answer");
    let taken = &reply["ok"]["taken"];
    assert_eq!(
        (&taken["commands"], &taken["late"]),
        (&json!(ACTUATORS * keys), &json!(0)),
        "{reply}"
    );
    // The connection goes on; a short request is merged behind.
    assert_eq!(wire.ask(r#"{"id":8,"ask":"hello"}"#)["id"], 8);
    let begins = parts[0].commands[0].0;
    let seen = compare(&page, &parts, begins + 2_500_000_000);
    assert!(seen > 50, "{seen} turns were seen");
    // Another one in its place, over HTTP, compressed.
    let mut parts = choreography(&mut random, 0, keys);
    begin_at(&mut parts, now(&page) + LEAD);
    let path = format!("body/schedule?to={}", names(&parts));
    let headers = format!("{PACKED}{GZIP}");
    let (status, taken) = post(&served, &token, &path, &headers, &gzip(&packed(&parts)));
    assert_eq!(
        (status, &taken["commands"], &taken["late"]),
        (200, &json!(ACTUATORS * keys), &json!(0)),
        "{taken}"
    );
    let begins = parts[0].commands[0].0;
    let seen = compare(&page, &parts, begins + 1_500_000_000);
    assert!(seen > 50, "{seen} turns were seen");
    home.good(&["estop", "--robot", "nao"]);
    home.good(&["stop", "--robot", "nao"]);
    assert!(served.child.wait().expect("it ends").success());
    replay_all(&home);
}

#[test]
fn an_alias_of_25_joints_takes_4096_keys_for_each_as_json() {
    let home = home();
    let served = serve(&home, &RECORDED.replace("on = true", "on = false"));
    served.wait_until_it_runs();
    let token = served.token("perform");
    let page = page(&home);
    let mut random = fastrand::Rng::with_seed(25);
    for (keys, headers) in [(1_000, JSON.to_owned()), (4_096, format!("{JSON}{GZIP}"))] {
        // Read once: the commands of a list must stay in their order.
        let now = now(&page);
        let parts = choreography(&mut random, now + 9_000_000_000, keys);
        // The DCM's clock counts whole milliseconds.
        let parts: Vec<Part> = parts
            .into_iter()
            .take(25)
            .map(|mut part| {
                for (place, command) in part.commands.iter_mut().enumerate() {
                    let ms = command.0 / 1_000_000 * 2 + place as u64;
                    command.0 = (ms - now / 1_000_000) * 1_000_000;
                }
                part.commands.dedup_by_key(|command| command.0);
                part
            })
            .collect();
        let members: Vec<_> = parts.iter().map(|part| &part.name).collect();
        let alias = json!(["All", members]).to_string();
        assert_eq!(
            post(&served, &token, "dcm/createAlias", JSON, alias.as_bytes()).0,
            200
        );
        let lists: Vec<_> = parts
            .iter()
            .map(|part| {
                let each = part
                    .commands
                    .iter()
                    .map(|(at, value)| json!([value, at / 1_000_000]));
                each.collect::<Vec<_>>()
            })
            .collect();
        let body = json!(["All", "ClearAll", "time-mixed", lists])
            .to_string()
            .into_bytes();
        let body = if headers.contains("gzip") {
            gzip(&body)
        } else {
            body
        };
        let (status, taken) = post(&served, &token, "dcm/setAlias", &headers, &body);
        let all: usize = parts.iter().map(|part| part.commands.len()).sum();
        assert_eq!((status, &taken["commands"]), (200, &json!(all)), "{taken}");
        if keys < 4_096 {
            continue;
        }
        assert_eq!(taken["late"], 0, "{taken}");
        let begins = parts
            .iter()
            .map(|part| part.commands[0].0)
            .max()
            .expect("25");
        let seen = compare(&page, &parts, begins.max(now) + 500_000_000);
        assert!(seen > 20, "{seen} turns were seen");
    }
}

/// A path, headers and a body that are refused; with this status, this code, and these words in the sentence.
type Refused<'c> = (&'c str, &'c str, &'c [u8], u16, &'c str, &'c str);

#[test]
fn what_is_wrong_with_a_choreography_is_said_and_nothing_moves() {
    let home = home();
    let served = serve(&home, &RECORDED.replace("on = true", "on = false"));
    served.wait_until_it_runs();
    let token = served.token("perform");
    let page = page(&home);
    let mut random = fastrand::Rng::with_seed(5);
    let start = now(&page) + 60_000_000_000;
    let parts = choreography(&mut random, start, 1_000);
    let commanded = || {
        let read = |frame: sensors::Frame<'_>| -> Vec<u64> {
            let all = parts.iter().map(|part| frame.commanded(part.place));
            all.map(|replayer| replayer.expect("an actuator").to_bits())
                .collect()
        };
        page.read(read).expect("a turn")
    };
    let before = commanded();
    let good = packed(&parts);
    let to = names(&parts);
    let refused = |path: &str, headers: &str, body: &[u8]| {
        let (status, told) = post(&served, &token, path, headers, body);
        let code = told["error"]["code"].as_str().unwrap_or("none").to_owned();
        let sentence = told["error"]["sentence"].as_str().unwrap_or_default();
        assert!(!sentence.is_empty() && sentence.len() < 300, "{told}");
        (status, code, sentence.to_owned())
    };
    let schedule = format!("body/schedule?to={to}");
    let mut infinite = choreography(&mut random, start, 1_000);
    infinite[25].commands[999].1 = f64::INFINITY;
    let mut far = choreography(&mut random, start, 1_000);
    far[3].commands[999].0 = u64::MAX;
    let long = choreography(&mut random, start, 4_097);
    let mut many: Vec<u8> = Vec::new();
    many.extend(1_000_000u32.to_le_bytes());
    many.resize(4 + 16, 0);
    let bomb = gzip(&vec![b' '; 64 << 20]);
    let cases: [Refused<'_>; 14] = [
        (
            &schedule,
            PACKED,
            &good[..good.len() - 1],
            422,
            "invalid-request",
            "list 26 announces 1000 commands",
        ),
        (
            &schedule,
            PACKED,
            &good[..good.len() - 16_004],
            422,
            "wrong-count",
            "25 lists, but 26 expected",
        ),
        (
            &schedule,
            PACKED,
            &many,
            422,
            "invalid-request",
            "list 1 announces 1000000 commands",
        ),
        (
            &schedule,
            PACKED,
            &packed(&infinite),
            422,
            "not-finite",
            &infinite[25].name,
        ),
        (
            &schedule,
            PACKED,
            &packed(&far),
            422,
            "out-of-reach",
            "24.8 days",
        ),
        (
            &schedule,
            PACKED,
            &packed(&long),
            413,
            "too-large",
            "4097 commands for an actuator, and the maximum is 4096",
        ),
        (
            "body/schedule?to=HeadYaw,HeadYow",
            PACKED,
            &good,
            422,
            "unknown-name",
            "HeadYow",
        ),
        (
            &format!("{schedule},HeadYaw"),
            PACKED,
            &good,
            422,
            "wrong-count",
            "26 lists, but 27",
        ),
        (
            &format!("{schedule}&merge=never"),
            PACKED,
            &good,
            400,
            "invalid-request",
            "never",
        ),
        (
            &schedule,
            JSON,
            &good,
            415,
            "invalid-request",
            "must be packed lists",
        ),
        (
            &schedule,
            "content-type: application/octet-stream\r\ncontent-encoding: br\r\n",
            &good,
            415,
            "invalid-request",
            "`br`",
        ),
        (
            &schedule,
            &format!("{PACKED}{GZIP}"),
            &good,
            400,
            "invalid-request",
            "not gzip",
        ),
        (
            &schedule,
            &format!("{PACKED}{GZIP}"),
            &gzip(&good)[..5_000],
            400,
            "invalid-request",
            "cut off",
        ),
        (
            "dcm/setAlias",
            &format!("{JSON}{GZIP}"),
            &bomb,
            413,
            "too-large",
            "the uncompressed body has more than 8 MiB",
        ),
    ];
    for (path, headers, body, status, code, part) in cases {
        let (got, word, sentence) = refused(path, headers, body);
        assert_eq!((got, word.as_str()), (status, code), "{path}: {sentence}");
        let name = part.rsplit('/').next().unwrap_or(part);
        assert!(
            sentence.contains(part) || sentence.contains(name) || code == "not-finite",
            "{sentence}"
        );
    }
    // Of what is refused in its last piece nothing is left, and the next one is taken.
    assert_eq!(commanded(), before);
    assert_eq!(post(&served, &token, &schedule, PACKED, &good).0, 200);
    // Four may play; a fifth is told so, and asking again helps when they have been played.
    let merged = format!("{schedule}&merge=merge");
    for _ in 0..3 {
        assert_eq!(post(&served, &token, &merged, PACKED, &good).0, 200);
    }
    let (status, code, sentence) = refused(&merged, PACKED, &good);
    assert_eq!((status, code.as_str()), (409, "full"), "{sentence}");
    assert_eq!(post(&served, &token, &schedule, PACKED, &good).0, 200);
}
