//! A guest by itself, for benches: its hook as the scheduler calls it, and the same function called directly. Not for
//! anything else: it is hidden from the documentation.

use std::sync::Arc;

use cycle::{LaneSettings, Stage};

use crate::load::choreography::Choreography;
use crate::manage::grant::{Grant, LoadOptions, terms};
use crate::shared::guest_body::GuestBody;
use crate::shared::report::GuestReport;
use crate::shared::terms::GuestId;
use crate::turn::guest::LoadedGuest;
use crate::turn::guest::RunningGuest;

/// A running guest that only a bench calls.
#[derive(Debug)]
pub struct Probe(RunningGuest);

impl Probe {
    /// Makes a motion run that has a `pre-process`, without the scheduler.
    ///
    /// # Panics
    /// It does not come in.
    #[allow(clippy::panic, reason = "a bench is no place for excuses")]
    pub fn new(
        body: &Arc<GuestBody>,
        choreography: &Choreography,
        grant: &Grant,
        stage: &mut Stage<'_>,
    ) -> Probe {
        let manifest = &choreography.checked.manifest;
        let lane = LaneSettings::STANDARD;
        let Ok(terms) = terms(lane, 1_000_000, manifest, grant, &LoadOptions::default()) else {
            panic!("its terms are wrong");
        };
        let report = Arc::new(GuestReport::default());
        let loaded = LoadedGuest::new(
            GuestId(0),
            &choreography.pre,
            body,
            terms,
            false,
            &choreography.checked.hooks,
            report,
        );
        let armed = loaded.and_then(|loaded| loaded.0.start());
        let armed = armed.unwrap_or_else(|failure| panic!("{}", failure.why));
        match armed.enter(stage) {
            Ok(running) => Probe(running),
            Err(_) => panic!("there is no lane"),
        }
    }

    /// Its `pre-process` as in a turn.
    pub fn hook(&mut self, stage: &mut Stage<'_>) {
        self.0.pre_process(stage);
    }

    /// The same, but its commands are dropped: without what they cost the stage.
    pub fn hook_without_stage(&mut self, stage: &mut Stage<'_>) {
        self.0.pre_process_alone(stage);
    }

    /// Gives it fuel for [`Probe::bare`].
    pub fn fill_up(&mut self) {
        self.0.fill_up();
    }

    /// The function alone: nothing is prepared or reported, and all calls share their fuel.
    pub fn bare(&mut self) {
        self.0.bare();
    }
}
