//! `dcm-run check`, and what `run` does with its verdict, with the real binary.

use std::path::Path;
use std::sync::Arc;

use crate::common::home;
use check::{CheckInput, CheckOptions, check};
use description::{RobotSource, load};
use sensors::PageReader;
use serde_json::Value;
use tests::process::{Home, text};
use tests::rig::{check_options, component};
use tests::served::WAVE;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Moves HeadYaw much too fast, once, and ends.
const FAST: &str = r#"(module
    (import "dcm/body" "find-actuator" (func $find (param i32 i32) (result i32)))
    (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
    (import "dcm/clock" "now" (func $now (result i64)))
    (memory (export "memory") 1)
    (data (i32.const 0) "HeadYaw")
    (global $turns (mut i32) (i32.const 0))
    (func (export "pre-process")
      (if (i32.eq (global.get $turns) (i32.const 50)) (then
        (drop (call $set (call $find (i32.const 0) (i32.const 7)) (f64.const 1)
          (i64.add (call $now) (i64.const 50000000))))))
      (global.set $turns (i32.add (global.get $turns) (i32.const 1))))
    (func (export "is-alive") (result i32) (i32.lt_u (global.get $turns) (i32.const 150))))"#;

fn fast(home: &Home) -> String {
    let path = home.path("fast.wasm");
    let found = FAST
        .replace(
            "(call $find (i32.const 0) (i32.const 7))",
            "(global.get $yaw)",
        )
        .replace(
            "(func (export \"pre-process\")",
            "(global $yaw (mut i32) (i32.const 0))
        (func (export \"start\") (global.set $yaw (call $find (i32.const 0) (i32.const 7))))
        (func (export \"pre-process\")",
        );
    std::fs::write(&path, component(&found)).expect("a file");
    path.display().to_string()
}

#[test]
fn a_verdict_begins_with_passes_or_fails_and_says_what_to_change() {
    let home = home();
    let said = home.good(&["check", WAVE, "--robot", "nao"]);
    assert!(said.starts_with("passes: wave on nao\n"), "{said}");
    assert!(
        said.contains("pre-process: ") && said.contains("times as fast as the robot"),
        "{said}"
    );

    let fast = fast(&home);
    let output = home.run(&["check", &fast, "--robot", "nao"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.starts_with("fails: fast on nao: 1 failure, 0 warnings\n"),
        "{said}"
    );
    assert!(
        said.contains("failure velocity") || said.contains("failure reach"),
        "{said}"
    );
    assert!(said.contains("\n  fix: "), "{said}");
    home.good(&[
        "check",
        &fast,
        "--robot",
        "nao",
        "--allow",
        "velocity,reach",
    ]);
    let said = home.bad(2, &["check", &fast, "--robot", "nao", "--allow", "taste"]);
    assert!(said.contains("the rules are contract, fault,"), "{said}");
    let said = home.bad(2, &["check"]);
    assert!(said.contains("<CHOREOGRAPHY>"), "{said}");
    let printed = home.bad(1, &["check", &fast]);
    assert!(
        printed.contains("no robot given; fix: --robot NAME") && printed.contains("nao"),
        "{printed}"
    );
    let output = home.bad(1, &["check", "nothing.wasm", "--robot", "nao"]);
    assert!(
        output.contains("there is no file `nothing.wasm`; fix: "),
        "{output}"
    );
}

/// A picture is of the run in which the body falls, with the joints that moved before.
#[test]
fn a_picture_is_of_the_run_that_fails() {
    let home = home();
    let file = |name: &str| home.path(name).display().to_string();
    let [show, plot] = ["hips.csv", "plot.svg"].map(file);
    let rows = "time,LHipPitch,RHipPitch\n1.5,-0.13,-0.13\n2.5,-0.13,-0.13\n";
    std::fs::write(&show, rows).expect("a file");
    let checked = home.run(&["check", &show, "--robot", "nao", "--plot", &plot]);
    let verdict = text(&checked.stdout);
    assert!(verdict.contains("falls (from arms-wide)"), "{verdict}");
    let drawn = std::fs::read_to_string(&plot).expect("a picture");
    assert!(
        drawn.contains("hips on nao: fails (from arms-wide)"),
        "{drawn}"
    );
    for joint in ["LHipPitch.sent", "RHipPitch.sent"] {
        assert!(drawn.contains(joint), "{joint}");
    }
}

#[test]
fn a_verdict_can_be_had_as_json_as_sarif_and_as_pictures() {
    let home = home();
    let fast = fast(&home);
    let file = |name: &str| home.folder.path().join(name).display().to_string();
    let [plot, strip, sarif] = ["plot.svg", "strip.png", "log.sarif"].map(file);
    let words = [
        "check", &fast, "--robot", "nao", "--json", "--plot", &plot, "--strip", &strip, "--sarif",
        &sarif,
    ];
    let output = home.run(&words);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    let verdict: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (&verdict["show"], &verdict["passes"]),
        (&"fast".into(), &false.into())
    );
    let finding = &verdict["findings"][0];
    assert_eq!(finding["who"], "HeadYaw");
    assert!(finding["value"].as_f64() > finding["limit"].as_f64());
    let drawn = std::fs::read_to_string(&plot).expect("a picture");
    assert!(drawn.contains("HeadYaw.commanded") && drawn.contains("class=\"mark\""));
    let pixels = std::fs::read(&strip).expect("a picture");
    assert!(pixels.starts_with(b"\x89PNG"));
    let log: Value = serde_json::from_slice(&std::fs::read(&sarif).expect("a file")).expect("JSON");
    let run = &log["runs"][0];
    assert_eq!(log["version"], "2.1.0");
    let result = &run["results"][0];
    assert_eq!(result["level"], "error");
    let place = usize::try_from(result["ruleIndex"].as_u64().expect("a number")).expect("a place");
    assert_eq!(
        run["tool"]["driver"]["rules"][place]["id"],
        result["ruleId"]
    );
    let output = home.bad(1, &["check", &fast, "--robot", "nao", "--plot", "a.gif"]);
    assert!(output.contains("ends in .svg or .png"), "{output}");
}

#[test]
fn rules_explain_themselves() {
    let home = home();
    let all = home.good(&["check", "--explain"]);
    assert!(
        all.contains("velocity (failure): ") && all.contains("ends (warning): "),
        "{all}"
    );
    let one = home.good(&["check", "--explain", "balance"]);
    assert!(
        one.starts_with("balance (failure): ") && !one.contains("velocity"),
        "{one}"
    );
    let lines = home.good(&["check", "--explain", "--json"]);
    assert_eq!(lines.lines().count(), 27);
    let output = home.bad(1, &["check", "--explain", "taste"]);
    assert!(output.contains("`taste` is not a rule"), "{output}");
}

#[test]
fn run_refuses_what_fails_unless_it_is_told_otherwise() {
    let home = home();
    let fast = fast(&home);
    let words = |more: &[&'static str]| {
        let mut words = vec!["run", &fast, "--robot", "nao", "--sim", "--fast", "--quiet"];
        words.extend(more);
        words.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let play = |more: &[&'static str]| {
        let words = words(more);
        home.run(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let refused = play(&[]);
    let output = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3), "{output}");
    assert!(
        output.starts_with("fails: fast on nao") && output.contains("is not played"),
        "{output}"
    );
    assert!(
        output.contains("--allow") && output.contains("--no-check"),
        "{output}"
    );
    for more in [&["--no-check"][..], &["--allow", "reach,velocity"]] {
        let played = play(more);
        assert!(
            played.status.success(),
            "{more:?}: {}",
            text(&played.stderr)
        );
    }
}

/// The check predicts every value of every turn, to the last bit.
#[test]
fn what_check_predicts_is_what_run_sends() {
    let home = home();
    for name in ["wave", "stand-up"] {
        let path = format!("{ROOT}/choreographies/{name}/{name}.wasm");
        home.good(&[
            "run", &path, "--robot", "nao", "--sim", "--fast", "--quiet", "--id", name,
        ]);
        let page = PageReader::open(Path::new(&home.path(&format!("run/{name}.page"))));
        let page = page.expect("the black box stays");
        let robot = Arc::new(load(&RobotSource::of("nao")).expect("it is shipped"));
        let bytes = std::fs::read(&path).expect("a component");
        let show = CheckInput {
            name,
            bytes: &bytes,
        };
        let from_rest = CheckOptions {
            random_postures: 0,
            ..check_options()
        };
        let strip = check(&robot, &show, &from_rest).expect("a verdict").history;
        let mut compared = 0;
        for (turn, values) in (strip.first..).zip(&strip.values) {
            let Some(sent) = page.read_turn(turn, |frame| {
                let all = (0..values.len()).map(|i| frame.sent(i).unwrap_or(f64::NAN).to_bits());
                all.collect::<Vec<_>>()
            }) else {
                continue;
            };
            let predicted: Vec<_> = values.iter().map(|pair| pair.1.to_bits()).collect();
            assert_eq!(predicted, sent, "{name}, turn {turn}");
            compared += 1;
        }
        assert!(compared > 300, "{name}: {compared} turns");
    }
}

#[test]
fn a_show_without_code_is_checked_and_played_like_any_other() {
    let home = home();
    let file = |name: &str, text: &str| {
        let path = home.folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let good = file(
        "nod.csv",
        "actuator,time,value\nHeadYaw,0.5,30deg\nHeadYaw,1s,0\n",
    );
    let said = home.good(&["check", &good, "--robot", "nao"]);
    assert!(said.starts_with("passes: nod on nao"), "{said}");
    let said = home.good(&[
        "play", &good, "--robot", "nao", "--sim", "--fast", "--id", "nod",
    ]);
    assert!(
        said.contains("nod plays as guest 1: a motion") && said.contains("nod  finished; "),
        "{said}"
    );
    // It went there and back.
    let page = PageReader::open(&home.path("run/nod.page")).expect("the black box stays");
    let yaw = page
        .actuators()
        .iter()
        .position(|actuator| actuator.name == "HeadYaw")
        .expect("a joint");
    let sent = page
        .turns()
        .filter_map(|turn| page.read_turn(turn, |frame| frame.sent(yaw)).flatten());
    let most = sent.fold(0.0, f64::max);
    assert!((most - 30f64.to_radians()).abs() < 1e-6, "{most}");

    let fast = file("fast.csv", "time,HeadYaw\n0,0\n1,0\n1.05,1\n1.2,1\n3,0\n");
    let output = home.run(&["play", &fast, "--robot", "nao", "--sim", "--fast"]);
    assert_eq!(output.status.code(), Some(3));
    let said = text(&output.stderr);
    assert!(
        said.contains("failure velocity: HeadYaw from 0 rad (0°) to 1 rad (57.3°) at 1 s"),
        "{said}"
    );
    assert!(
        said.contains("fix: slow the move at 1 s to 0.121 s"),
        "{said}"
    );

    let bad = file(
        "bad.csv",
        "actuator,time,value\nHeadYaw,0,0\nHeadYaw,1,far\n",
    );
    let said = home.bad(1, &["play", &bad, "--robot", "nao", "--sim"]);
    assert!(
        said.contains("line 3, column 11: `far` is not a value"),
        "{said}"
    );
    let bad = file(
        "bad.json",
        "[{\"actuator\": \"HedYaw\", \"time\": 0, \"value\": 0}]",
    );
    let printed = home.bad(1, &["play", &bad, "--robot", "nao", "--sim"]);
    assert!(printed.contains("did you mean `HeadYaw`?"), "{printed}");
    let output = home.bad(1, &["play", "--robot", "nao", "--sim"]);
    assert!(output.contains("no show given"), "{output}");
}

/// What the page of WebAssembly text shows first.
#[test]
fn the_first_choreography_in_text_passes_the_check() {
    let home = home();
    let page = std::fs::read_to_string(format!("{ROOT}/guest-sdk/wat/README.md")).expect("a page");
    let (_, text) = page.split_once("```wat\n").expect("an example");
    let (text, _) = text.split_once("```").expect("its end");
    let path = home.path("readme.wat");
    std::fs::write(&path, text).expect("a file");
    let path = path.display().to_string();
    let output = home.good(&["check", &path, "--robot", "nao"]);
    assert!(output.starts_with("passes: readme on nao\n"), "{output}");
    assert!(!output.contains("warning"), "{output}");
}
