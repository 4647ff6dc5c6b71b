//! From the bytes of a guest to its first commands at the board. Called by `main`. Nothing is kept from one to
//! the next: it is checked, compiled, started and called anew.

use std::time::{Duration, Instant as Clock};

use guests::{CodeForm, LoadOptions};
use protocol::JOINTS;
use tests::busy::busy;
use tests::rig::{component, everything, with_rig};

pub(crate) fn contest(form: CodeForm) {
    let bytes = component(&busy("pre-process", JOINTS, JOINTS));
    with_rig(&crate::plan(form), |rig| {
        protocol::contest_timed(|calls| {
            let mut took = Duration::ZERO;
            for call in 0..calls {
                rig.sensed.fill(1.0 + call as f64);
                rig.turn();
                let begun = Clock::now();
                let id = rig.load(&bytes, &everything(), &LoadOptions::default());
                rig.turn_alone();
                took += begun.elapsed();
                assert!(
                    rig.sent.iter().take(JOINTS).all(|item| *item == rig.sensed[0]),
                    "it has not moved"
                );
                let id = id.unwrap_or_else(|error| panic!("{error}"));
                let ended = rig.manager.end(id);
                ended.unwrap_or_else(|error| panic!("{error}"));
                rig.turns(3);
            }
            took.as_nanos() as f64 / calls as f64
        });
    });
}
