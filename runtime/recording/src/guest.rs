//! A guest in a recording: everything that a replay needs to load it again.
//! Called by the recorder, outside the loop.

use robot::guest_service::AdmissionRecord;

use super::Guest;

impl Guest {
    /// The record of a guest that is about to be admitted.
    pub(super) fn of(entering: &AdmissionRecord<'_>) -> Guest {
        let (made, guest) = (entering.choreography, entering.guest);
        let options = entering.options;
        let (swaps, fade) = entering
            .instead
            .map_or((0, 0), |instead| (instead.0.0, instead.1.nanos()));
        Guest {
            number: guest.id().0,
            name: guest.name().to_owned(),
            file: entering.file.unwrap_or_default().to_owned(),
            digest: made.digest.clone(),
            world: made.checked.world.name().to_owned(),
            form: made.form.name().to_owned(),
            fuel: guest.fuel(),
            started: guest.started(),
            swaps,
            fade,
            // What looks at the outside world would see another one.
            runs_again: entering.virtual_time && !made.uses_wasi(),
            requested_name: options.name.clone(),
            priority: options.priority,
            weight: options.weight,
            mask: options.mask.clone().unwrap_or_default(),
            masked: options.mask.is_some(),
            params: options.params.iter().cloned().collect(),
            keep: options.keep,
        }
    }
}
