//! One call of a hook, as the scheduler makes it, without what its commands then cost the stage. Called by `main`.
//! The law: whatever the scheduler does for each call (fuel, deadline, checks, report) is in the time.

use std::sync::Arc;

use guests::CodeForm;
use guests::probe::Probe;
use tests::rig::{everything, with_rig};

pub(crate) fn contest(form: CodeForm) {
    with_rig(&crate::plan(form), |rig| {
        let choreography = crate::choreography(rig);
        let body = Arc::clone(rig.manager.guest_body());
        let stage = rig.cycle.stage();
        let mut probe = Probe::new(&body, &choreography, &everything(), stage);
        protocol::contest(|| probe.hook_without_stage(stage));
    });
}
