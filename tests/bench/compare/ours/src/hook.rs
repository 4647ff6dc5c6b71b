//! One call of a hook, as the scheduler makes it, without what its commands then cost the stage. Called by `main`.
//! Whatever the scheduler does for each call (fuel, deadline, checks, report) is in the time.

use std::sync::Arc;

use guests::CodeForm;
use guests::probe::Probe;
use protocol::JOINTS;
use tests::busy::written_out;
use tests::rig::{everything, with_rig};

pub(crate) fn contest(form: CodeForm, is_written_out: bool) {
    with_rig(&crate::plan(form), |rig| {
        let choreography = match is_written_out {
            true => crate::prepare(rig, &written_out("pre-process", JOINTS, JOINTS)),
            false => crate::choreography(rig),
        };
        let body = Arc::clone(rig.manager.guest_body());
        let stage = rig.cycle.stage();
        let mut probe = Probe::new(&body, &choreography, &everything(), stage);
        protocol::contest(|| probe.hook_without_stage(stage));
    });
}
