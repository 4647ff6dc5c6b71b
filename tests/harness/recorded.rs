//! A NAO with three guests in virtual time, with and without a recording: what the figures of recordings are of. Called
//! by the benchmarks. Both play the same.

use std::path::Path;
use std::sync::Arc;

use description::{RobotSource, load_told};
use guests::{Compiler, LoadOptions};
use recording::record;
use robot::guest_service::{GuestService, GuestServiceSettings};
use robot::live::{
    Control, LoopSetup, LoopStatistics, Tempo, event_channel, live, private_page, request_channel,
};

/// The guests.
pub const GUESTS: [&str; 3] = ["balance", "blink", "breathe"];

/// Plays so many turns, and records them if there is a file.
///
/// # Panics
/// It cannot be played, or a turn is missing in the recording.
pub fn play(turns: u64, film: Option<&Path>) -> LoopStatistics {
    let (robot, layers) = load_told(&RobotSource::of("nao")).expect("it is shipped");
    let robot = Arc::new(robot);
    let page = private_page(&robot).expect("memory");
    let recorded = film.map(|film| record(film, &robot, &layers, false, 0).expect("a recording"));
    let manner = GuestServiceSettings {
        form: robot::guest_policy::code_form(&robot),
        lockstep: Some(guests::THINKING),
        logged: false,
        compiler: Compiler::here(),
        cache: crate::rig::shared_cache(),
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
        recorder: tape.map(|tape| Box::new(tape) as Box<dyn robot::live::TurnRecorder>),
        ..LoopSetup::bare(Tempo::Fast, requests, events, &control)
    };
    let tally = live(&robot, setup, |_| {}).expect("a robot");
    if let Some(recorder) = recorder {
        assert_eq!(recorder.finish().expect("it was written").lost, 0);
    }
    tally
}
