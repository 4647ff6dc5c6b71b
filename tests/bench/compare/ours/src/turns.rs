//! Whole turns with many guests, each of which reads 26 sensors and sends 26 commands. Called by `main`. It is
//! the loop's whole turn: guests, stage, merging, limits, board and page.

use guests::{CodeForm, LoadOptions};
use protocol::JOINTS;
use tests::busy::NativeHooks;
use tests::rig::{everything, with_rig};

/// The same loop with native hooks instead of guests, with a lane for each.
pub(crate) fn native(lanes: usize) {
    with_rig(&crate::plan(CodeForm::InPlace), |rig| {
        let mut hooks = NativeHooks::open(rig.cycle.stage(), lanes, JOINTS);
        (0..200).for_each(|_| _ = rig.turn_of(&mut hooks));
        protocol::contest_paced(|| {
            std::hint::black_box(rig.turn_of(&mut hooks));
        });
    });
}

pub(crate) fn contest(form: CodeForm, guests: usize) {
    with_rig(&crate::plan(form), |rig| {
        let choreography = crate::choreography(rig);
        for _ in 0..guests {
            let loaded = rig
                .manager
                .load(&choreography, &everything(), &LoadOptions::default());
            loaded.unwrap_or_else(|error| panic!("{error}"));
        }
        rig.turns(200);
        protocol::contest_paced(|| {
            std::hint::black_box(rig.turn_alone());
        });
    });
}
