//! What recording costs in a turn, and how fast a replay is. `cargo bench -p tests --bench record`.
//!
//! NAO with three guests, in virtual time: without a recording, with one, and its replay. With `--test` everything runs
//! once, briefly.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use description::{RobotSource, load_told};
use guests::LoadOptions;
use recording::{Recording, record, replay};
use robot::guest_service::{GuestService, GuestServiceSettings};
use robot::live::{
    Control, LoopSetup, LoopStatistics, Tempo, event_channel, live, private_page, request_channel,
};

const GUESTS: [&str; 3] = ["balance", "blink", "breathe"];

fn main() {
    let quick = std::env::args().any(|it| it == "--test");
    let (rounds, turns) = if quick { (1, 300) } else { (7, 60_000) };
    let folder = tempfile::tempdir().expect("a folder");
    let film = folder.path().join("nao.mcap");
    let (mut bare, mut taped, mut again) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        bare.push(run(turns, None).working.quantile(0.5).nanos());
        let _ = std::fs::remove_file(&film);
        taped.push(run(turns, Some(&film)).working.quantile(0.5).nanos());
        let recording = Recording::open(&film).expect("a recording");
        let began = Instant::now();
        let verdict = replay(
            &recording,
            Default::default(),
            |_| ControlFlow::Continue(()),
        );
        assert!(verdict.expect("it can be played").is_identical());
        again.push(began.elapsed().as_nanos() as u64 / turns);
    }
    let bytes = std::fs::metadata(&film).expect("a file").len();
    let median = |list: &mut Vec<u64>| {
        list.sort_unstable();
        list[list.len() / 2] as f64 / 1e3
    };
    let (bare, taped, again) = (median(&mut bare), median(&mut taped), median(&mut again));
    println!(
        "NAO with {} guests, {turns} turns, medians of {rounds}",
        GUESTS.len()
    );
    println!("a turn                         {bare:8.1} µs");
    println!(
        "a turn that is recorded        {taped:8.1} µs   {:+.1}",
        taped - bare
    );
    println!(
        "a turn that is played again    {again:8.1} µs   {:.0} times as fast as the robot",
        1e4 / again
    );
    println!(
        "a turn in the file             {:8.0} bytes",
        bytes as f64 / turns as f64
    );
}

/// Runs, and records if there is a file.
fn run(turns: u64, film: Option<&Path>) -> LoopStatistics {
    let (robot, layers) = load_told(&RobotSource::of("nao")).expect("it is shipped");
    let robot = Arc::new(robot);
    let page = private_page(&robot).expect("memory");
    let recorded = film.map(|it| record(it, &robot, &layers, false, 0).expect("a recording"));
    let manner = GuestServiceSettings {
        form: robot::guest_policy::code_form(&robot),
        lockstep: Some(guests::THINKING),
        logged: false,
        compiler: None,
        code: None,
    };
    let gathered = GuestService::start(&robot, page.window(), manner).expect("engines");
    let mut service = gathered.service;
    let (recorder, tape) = match recorded {
        Some((recorder, tape, scribe)) => {
            service.set_recorder(scribe);
            (Some(recorder), Some(tape))
        }
        None => (None, None),
    };
    for name in GUESTS {
        let path = format!(
            "{}/../choreographies/{name}/{name}.wasm",
            env!("CARGO_MANIFEST_DIR")
        );
        let bytes = std::fs::read(path).expect("a component");
        service
            .load(&bytes, Some(name), LoadOptions::default())
            .expect("a guest");
    }
    let (_sender, requests) = request_channel();
    let (events, _news) = event_channel();
    let control = Control::default();
    let setup = LoopSetup {
        page: Some(page),
        turns: Some(turns),
        arm: true,
        scheduler: Some(gathered.scheduler),
        recorder: tape.map(|it| Box::new(it) as Box<dyn robot::live::TurnRecorder>),
        ..LoopSetup::bare(Tempo::Fast, requests, events, &control)
    };
    let tally = live(&robot, setup, |_| {}).expect("a robot");
    if let Some(recorder) = recorder {
        assert_eq!(recorder.finish().expect("it was written").lost, 0);
    }
    tally
}
