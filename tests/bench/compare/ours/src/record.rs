//! What recording adds to a turn of the loop. Called by `main`. The law: the same NAO with the same guests plays both,
//! one after the other, in virtual time; what the recorder's own thread does is not the loop's.

use std::path::Path;
use std::sync::Arc;

use description::{RobotSource, load_told};
use guests::LoadOptions;
use recording::record;
use robot::guest_service::{GuestService, GuestServiceSettings};
use robot::live::{
    Control, LoopSetup, LoopStatistics, Tempo, event_channel, live, private_page, request_channel,
};

const GUESTS: [&str; 3] = ["balance", "blink", "breathe"];

/// Turns of a run at least: the first ones find memory that nobody has touched.
const LEAST: u64 = 2_000;

pub(crate) fn contest() {
    let folder = tempfile::tempdir().expect("a folder");
    let film = folder.path().join("nao.mcap");
    protocol::contest_timed(|turns| {
        let turns = turns.max(LEAST);
        let _ = std::fs::remove_file(&film);
        let [bare, taped] = [None, Some(&*film)].map(|it| run(turns, it).working.quantile(0.5));
        taped.nanos() as f64 - bare.nanos() as f64
    });
}

/// Runs, and records if there is a file.
fn run(turns: u64, film: Option<&Path>) -> LoopStatistics {
    let (robot, layers) = load_told(&RobotSource::of("nao")).expect("it is shipped");
    let robot = Arc::new(robot);
    let page = private_page(&robot).expect("memory");
    let recorded = film.map(|it| record(it, &robot, &layers, false, 0).expect("a recording"));
    let settings = GuestServiceSettings {
        form: robot::guest_policy::code_form(&robot),
        lockstep: Some(guests::THINKING),
        logged: false,
        compiler: None,
        code: None,
    };
    let gathered = GuestService::start(&robot, page.window(), settings).expect("engines");
    let mut service = gathered.service;
    let (recorder, tape) = match recorded {
        Some((recorder, tape, scribe)) => {
            service.set_recorder(scribe);
            (Some(recorder), Some(tape))
        }
        None => (None, None),
    };
    for name in GUESTS {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../choreographies");
        let bytes = std::fs::read(format!("{folder}/{name}/{name}.wasm")).expect("a component");
        let loaded = service.load(&bytes, Some(name), LoadOptions::default());
        loaded.expect("a guest");
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
    let statistics = live(&robot, setup, |_| {}).expect("a robot");
    if let Some(recorder) = recorder {
        assert_eq!(recorder.finish().expect("it was written").lost, 0);
    }
    statistics
}
