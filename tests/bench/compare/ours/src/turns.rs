//! Whole turns with many guests, each of which reads 26 sensors and sends 26 commands. Called by `main`. The law: it is
//! the loop's whole turn: guests, stage, merging, limits, board and page.

use guests::{CodeForm, LoadOptions};
use tests::rig::{everything, with_rig};

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
