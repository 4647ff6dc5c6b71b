//! Which robot a verb means where several run or are paired, and how it reaches one whose server hangs.

use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use crate::common::home;
use cycle::State;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tests::process::{Home, text, until};
use tests::served::{WAVE, serve};

const QUIET: &str = "[server]\nlisten = [\"127.0.0.1:0\"]\n[recordings]\non = false\n";

/// Verbs of every group that talk to a robot.
const VERBS: [&[&str]; 22] = [
    &["hold"],
    &["disarm"],
    &["estop"],
    &["estop", "--release"],
    &["stop"],
    &["stop", "wave"],
    &["set", "HeadYaw", "0"],
    &["get", "HeadYaw"],
    &["joints"],
    &["watch", "HeadYaw", "--count", "1"],
    &["top", "--once"],
    &["ps"],
    &["events"],
    &["logs"],
    &["load", WAVE],
    &["swap", "wave", WAVE],
    &["tune", "wave", "speed=1"],
    &["pose", "goto", "stand"],
    &["pose", "ls"],
    &["push", WAVE],
    &["audit"],
    &["sim", "give", "ChestBoard/Button", "1"],
];

/// Every verb refuses, names them, and does nothing.
fn all_refuse(home: &Home, sentence: &str) {
    for words in VERBS {
        let output = home.bad(4, words);
        assert_eq!(output, format!("dcm-run: {sentence}\n"), "{words:?}");
    }
}

#[test]
fn with_several_robots_here_no_verb_chooses_one() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let other = home.start("plain", &["--robot", "desk", "--sim"]);
    other.wait_for_state(State::Running);
    let sentence = "several robots are running here; fix: name one with --robot: nao, plain";
    all_refuse(&home, sentence);
    let state = |page: &sensors::PageReader| page.read(|frame| frame.state()).flatten();
    let pages = [served.page(), other.page()];
    for page in &pages {
        assert_eq!(state(page), Some(State::Running));
    }
    // One that hangs may be the one that is meant.
    other.signal(Signal::SIGSTOP);
    assert_eq!(home.bad(4, &["hold"]), format!("dcm-run: {sentence}\n"));
    other.signal(Signal::SIGCONT);
    for (name, page) in ["nao", "plain"].into_iter().zip(&pages) {
        home.good(&["estop", "--robot", name]);
        until("it stands", || state(page) == Some(State::Estop));
    }
}

#[test]
fn an_unknown_robot_is_refused_with_one_sentence_and_one_fix() {
    let home = home();
    for verb in ["estop", "hold", "get", "ls", "audit"] {
        let said = home.bad(4, &[verb, "--robot", "nobody"]);
        // The search takes as long as a stop may be unconfirmed without a word.
        let said = match verb {
            "estop" => said
                .rsplit_once("its power\n")
                .map_or(&*said, |pair| pair.1),
            _ => &said,
        };
        let sentence = "dcm-run: no robot named `nobody` is running here; fix: ";
        assert!(
            said.starts_with(sentence) && said.matches("fix: ").count() == 1,
            "{verb}: {said}"
        );
    }
    let printed = home.bad(4, &["estop"]);
    assert!(
        printed.starts_with("dcm-run: no robot is running here; fix: "),
        "{printed}"
    );
    let _here = home.start("here", &["--robot", "desk", "--sim"]);
    for words in [&["push", WAVE][..], &["ls"], &["audit"], &["take-over"]] {
        let output = home.bad(4, &[words, &["--robot", "here"]].concat());
        let sentence = "dcm-run: `here` runs here without a server, and this verb needs one; fix: ";
        assert!(
            output.starts_with(sentence) && output.matches("fix: ").count() == 1,
            "{words:?}: {output}"
        );
    }
}

#[test]
fn a_server_that_hangs_is_not_waited_for() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let page = served.page();
    // A server that hangs is replaced after a while, and the next one is to hang as well.
    let socket = home.path("run/nao.api");
    let hang = || {
        until("a server listens", || UnixStream::connect(&socket).is_ok());
        kill(Pid::from_raw(served.server()), Signal::SIGSTOP).expect("it is there");
    };
    for words in [
        &["set", "HeadYaw", "0.3", "--in", "100ms"][..],
        &["hold"],
        &["ps"],
        &["joints"],
        &["top", "--once"],
        &["disarm"],
        &["estop"],
    ] {
        hang();
        let begun = Instant::now();
        home.good(words);
        // An answer of a server may take 300 s. Two are waited for a greeting; the rest is for a machine that is busy.
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "{words:?}: {:?}",
            begun.elapsed()
        );
    }
    assert_eq!(
        page.read(|frame| frame.state()).flatten(),
        Some(State::Estop)
    );
    home.until_good(&["ls"]);
    hang();
    let output = home.bad(4, &["ls"]);
    assert!(output.contains("cannot be reached: "), "{output}");
    home.until_good(&["ls"]);
    // It does not carry out later what was asked while it hung, but for the stop, which it logs.
    let acts = home.good(&["audit", "--json"]);
    let acts = acts
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let of_body = |value: &Value| {
        value["act"]
            .as_str()
            .is_some_and(|text| text.contains("/body/") && !text.ends_with("/stop"))
    };
    assert_eq!(acts.filter(of_body).count(), 0);
}

#[test]
fn tokens_take_the_robot_before_and_behind_their_subverb() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let made = |words: &[&str]| {
        let output = home.run(words);
        assert!(
            output.status.success(),
            "{words:?}: {}",
            text(&output.stderr)
        );
    };
    made(&["tokens", "make", "anna", "--role", "watch", "-r", "nao"]);
    made(&["tokens", "-r", "nao", "make", "bert", "--role", "watch"]);
    made(&["tokens", "revoke", "1", "-r", "nao"]);
    let listed = home.good(&["tokens", "ls", "--robot", "nao"]);
    assert!(listed.contains("bert"), "{listed}");
    assert_eq!(home.good(&["tokens", "-r", "nao", "ls"]), listed);
    let output = home.bad(4, &["tokens", "ls", "-r", "nobody"]);
    assert!(output.contains("no robot named `nobody`"), "{output}");
}
