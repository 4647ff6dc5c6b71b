//! How fast `check` is, and what each of its rules costs. `cargo bench -p tests --bench check`.
//!
//! Choreographies on NAO, from all postures, with all rules; then without one group of rules after the other, and
//! without any: the rest is the loop itself. Then the dance without each single rule; the rules of a group share a
//! computation, which is made as long as one of them needs it. With `--test` everything runs once, briefly.

use std::sync::Arc;

use check::{CheckInput, CheckOptions, Rule, check};
use description::{RobotSource, load};

const COURSES: [Rule; 5] = [
    Rule::Range,
    Rule::Velocity,
    Rule::Acceleration,
    Rule::Coupled,
    Rule::Reach,
];

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test");
    let robot = Arc::new(load(&RobotSource::of("nao")).expect("it is shipped"));
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    println!(
        "check on NAO, all postures           s of the robot   s taken   times   shows a show's time   µs a turn"
    );
    let rounds = if quick { 1 } else { 7 };
    // As on the command line: what was compiled once is not compiled again for every posture.
    let code = tempfile::tempdir().expect("a folder");
    for name in ["dance", "wave"] {
        let path = format!("{root}/choreographies/{name}/{name}.wasm");
        let bytes = std::fs::read(path).expect("a component");
        let every: Vec<Rule> = COURSES
            .into_iter()
            .chain([Rule::Touch, Rule::Balance])
            .collect();
        let mut without = vec![
            ("all rules".to_owned(), vec![]),
            ("without touch".to_owned(), vec![Rule::Touch]),
            ("without balance".to_owned(), vec![Rule::Balance]),
            ("without courses".to_owned(), COURSES.to_vec()),
            ("without these".to_owned(), every),
        ];
        if name == "dance" {
            let alone = Rule::ALL
                .iter()
                .map(|item| (format!("without {} alone", item.name()), vec![*item]));
            without.extend(alone);
        }
        for (words, allowed) in without {
            let terms = CheckOptions {
                allowed,
                play_for: Some(if quick { 2.0 } else { 180.0 }),
                cache: guests::Cache::at(code.path()).expect("a folder"),
                ..CheckOptions::default()
            };
            let show = CheckInput {
                name,
                bytes: &bytes,
            };
            let judged = (0..rounds).map(|_| check(&robot, &show, &terms).expect("a verdict"));
            let mut facts: Vec<_> = judged.map(|value| value.verdict.facts).collect();
            facts.sort_by(|a, b| a.took.total_cmp(&b.took));
            let facts = &facts[facts.len() / 2];
            let shown = facts.plays.first().map_or(0.0, |summary| summary.lasted);
            let turns = facts.simulated / robot.settings.period.seconds();
            println!(
                "{name:<6} {words:<28} {:>15.1} {:>9.3} {:>7.0} {:>21.0} {:>11.2}",
                facts.simulated,
                facts.took,
                facts.simulated / facts.took,
                shown / facts.took,
                facts.took * 1e6 / turns,
            );
        }
    }
}
