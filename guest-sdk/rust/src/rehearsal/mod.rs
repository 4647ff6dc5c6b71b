//! Rehearsals: run a choreography on a stage inside `cargo test`, turn by turn, with a clock that only the
//! test advances.
//!
//! ```
//! use choreography::prelude::*;
//!
//! choreography! {
//!     /// Looks up while the head is touched.
//!     motion Shy as "shy";
//!     hooks pre_process;
//!     joints HeadPitch;
//!     sensors Touch = "Head/Touch/Front";
//! }
//!
//! struct Shy;
//!
//! impl Motion for Shy {
//!     fn start() -> Shy {
//!         Shy
//!     }
//!     fn pre_process(&mut self, _: Instant) {
//!         if Touch.is_on() && HeadPitch.waiting() == 0 {
//!             HeadPitch.to(-0.3).over(400.ms());
//!         }
//!     }
//! }
//!
//! let mut stage = Rehearsal::of::<Shy>(nao());
//! stage.run_for(1.s());
//! assert_eq!(stage.lowest(&HeadPitch), 0.0);
//! stage.sensor(&Touch, 1.0);
//! stage.run_for(1.s());
//! assert_eq!(stage.sent(&HeadPitch), -0.3);
//! assert!(stage.fastest(&HeadPitch) < 1.0);
//! stage.assert_nothing_clipped();
//! ```
//!
//! A stage belongs to the thread that made it, so tests can run in parallel. It plays one guest alone. For fuel, other
//! guests and fades, use the runtime: `dcm-run run x.wasm --robot nao --sim`.

use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

mod body;
pub(crate) mod host;
mod limp;
mod nao;
mod part;
mod stage;
mod thread;
mod track;

pub use body::Body;
pub use nao::nao;
pub use part::Part;
pub use stage::Clip;

use crate::Instant;
use crate::answer::State;
use crate::cast::{Choreography, Role};
use crate::output::Output;
use crate::time::Span;
use stage::Stage;
use thread::Shared;

/// A choreography on a stage.
#[derive(Debug)]
pub struct Rehearsal {
    shared: Arc<Shared>,
    cast: &'static [&'static dyn Role],
    part: Part,
    begun: bool,
}

impl Rehearsal {
    /// A stage with this choreography and body. The choreography starts with the first turn, after the test's set-up.
    ///
    /// # Panics
    /// A hook is implemented that the cast does not list: it would never be called.
    pub fn of<C: Choreography>(body: Body) -> Rehearsal {
        C::part().check(C::cast(), &body);
        Rehearsal::with(body, C::cast(), C::part())
    }

    /// A stage without a choreography, for tests that send commands themselves.
    pub fn alone(body: Body) -> Rehearsal {
        Rehearsal::with(body, &[], Part::nobody())
    }

    fn with(body: Body, cast: &'static [&'static dyn Role], part: Part) -> Rehearsal {
        let shared = Shared::new(Stage::new(body));
        shared.settle();
        Rehearsal {
            shared,
            cast,
            part,
            begun: false,
        }
    }

    fn stage<R>(&self, f: impl FnOnce(&mut Stage) -> R) -> R {
        f(&mut self.shared.lock())
    }

    /// Plays one turn.
    ///
    /// # Panics
    /// The choreography panics, or has no parameter that was set.
    pub fn turn(&mut self) {
        let begins = !core::mem::replace(&mut self.begun, true);
        if begins {
            self.part.start(self.cast, &self.shared);
        }
        self.stage(Stage::open);
        self.call("pre_process");
        if let Some(name) = self.stage(|stage| stage.not_declared()).filter(|_| begins) {
            panic!("it has no parameter `{name}`");
        }
        self.stage(Stage::play);
        self.call("post_process");
        let alive = self.call("is_alive");
        if !self.is_over() && (!alive || self.stage(|stage| stage.ending)) {
            self.call("stop");
            self.stage(Stage::close);
        }
    }

    fn call(&mut self, hook: &str) -> bool {
        self.is_over() || self.part.hook(hook, &self.shared)
    }

    /// Plays turns for this span.
    pub fn run_for(&mut self, span: Span) {
        let end = self.now() + span;
        while self.now() < end {
            self.turn();
        }
    }

    /// Plays turns until the choreography is over. Returns how long that took.
    ///
    /// # Panics
    /// It takes longer than `at_most`.
    pub fn run_to_its_end(&mut self, at_most: Span) -> Span {
        let start = self.now();
        while !self.is_over() {
            self.turn();
            assert!(
                self.now() - start <= at_most,
                "it is not over after {} s",
                at_most.seconds()
            );
        }
        self.now() - start
    }

    /// Whether the choreography has ended.
    pub fn is_over(&self) -> bool {
        self.stage(|stage| stage.finished)
    }

    /// The stage's clock.
    pub fn now(&self) -> Instant {
        Instant::from_nanos(self.stage(|stage| stage.now))
    }

    // Inputs of the test.

    /// Sets the position of an actuator, without a movement.
    pub fn put(&mut self, actuator: impl AsRef<str>, value: impl Into<f64>) {
        let value = value.into();
        self.stage(|stage| {
            let place = stage.actuator(actuator.as_ref());
            stage.tracks[place].place(value);
            if let Some(sensor) = stage.body.actuators[place].felt_by {
                stage.sensed[sensor] = value;
            }
        });
    }

    /// Sets the positions of several actuators.
    pub fn pose(&mut self, pose: &[(&str, f64)]) {
        pose.iter().for_each(|pair| self.put(pair.0, pair.1));
    }

    /// Sets the value of a sensor.
    pub fn sensor(&mut self, sensor: impl AsRef<str>, reads: impl Into<f64>) {
        self.stage(|stage| {
            let place = stage.sensor(sensor.as_ref());
            stage.sensed[place] = reads.into();
        });
    }

    /// Sets the value of a sensor after this span.
    pub fn sensor_after(&mut self, span: Span, sensor: impl AsRef<str>, reads: impl Into<f64>) {
        self.stage(|stage| {
            let place = stage.sensor(sensor.as_ref());
            stage.later.push((
                (Instant::from_nanos(stage.now) + span).nanos(),
                place,
                reads.into(),
            ));
        });
    }

    /// Sets how long ago a sensor was last read.
    pub fn sensor_age(&mut self, sensor: impl AsRef<str>, age: Span) {
        self.stage(|stage| {
            let place = stage.sensor(sensor.as_ref());
            stage.ages[place] = age.nanos();
        });
    }

    /// Changes a parameter, as a person would.
    ///
    /// # Panics
    /// The choreography has started, and has no such parameter.
    pub fn set_param(&mut self, name: &str, value: f64) {
        let turned = self.stage(|stage| stage.turn_param(name, value));
        assert!(turned || !self.begun, "it has no parameter `{name}`");
        self.stage(|one| one.wanted.push((String::from(name), value)));
    }

    /// Posts an event, as another guest would.
    pub fn post(&mut self, topic: &str, value: f64) {
        self.stage(|stage| {
            let topic = stage
                .topic(topic)
                .and_then(|topic| u32::try_from(topic).ok());
            stage.posted.extend(topic.map(|topic| (topic, value)));
        });
    }

    /// Sets the state of the body.
    pub fn set_state(&mut self, state: State) {
        self.stage(|value| value.state = state);
    }

    /// Sets whether another guest overrides this one.
    pub fn set_hidden(&mut self, hidden: bool) {
        self.stage(|stage| stage.hidden = hidden);
    }

    // Results for the test.

    /// The value that was last sent to an actuator.
    pub fn sent(&self, actuator: impl AsRef<str>) -> f64 {
        self.stage(|stage| stage.tracks[stage.actuator(actuator.as_ref())].sent)
    }

    /// The values that were sent to an actuator, turn by turn.
    pub fn course(&self, actuator: impl AsRef<str>) -> Vec<f64> {
        self.stage(|stage| {
            stage.tracks[stage.actuator(actuator.as_ref())]
                .history
                .clone()
        })
    }

    /// What the guest drove an actuator to in the last turn, beside its timeline; `None` if it did not.
    pub fn driven(&self, actuator: impl AsRef<str>) -> Option<Output> {
        let driven = self.stage(|stage| stage.tracks[stage.actuator(actuator.as_ref())].driven);
        driven.map(|(value, weight)| Output { value, weight })
    }

    /// The gains that the guest asked for in the last turn: p, i, d, and their weight; `None` if it did not.
    pub fn gains(&self, actuator: impl AsRef<str>) -> Option<[f64; 4]> {
        self.stage(|stage| stage.tracks[stage.actuator(actuator.as_ref())].last_gains)
    }

    /// The lowest value that was sent to an actuator.
    pub fn lowest(&self, actuator: impl AsRef<str>) -> f64 {
        let sent = self.sent(&actuator);
        self.course(actuator).into_iter().fold(sent, f64::min)
    }

    /// The highest value that was sent to an actuator.
    pub fn highest(&self, actuator: impl AsRef<str>) -> f64 {
        let sent = self.sent(&actuator);
        self.course(actuator).into_iter().fold(sent, f64::max)
    }

    /// The highest velocity of an actuator, units per second.
    pub fn fastest(&self, actuator: impl AsRef<str>) -> f64 {
        self.stage(|stage| stage.tracks[stage.actuator(actuator.as_ref())].fastest)
    }

    /// The number of commands that wait for an actuator.
    pub fn waiting(&self, actuator: impl AsRef<str>) -> usize {
        self.stage(|stage| stage.tracks[stage.actuator(actuator.as_ref())].waits())
    }

    /// The clipped commands: values out of range, and movements that were too fast.
    pub fn clips(&self) -> Vec<Clip> {
        self.stage(|stage| stage.clips.clone())
    }

    /// Panics if anything was clipped.
    ///
    /// # Panics
    /// Something was clipped.
    #[track_caller]
    pub fn assert_nothing_clipped(&self) {
        let clips = self.clips();
        let first: Vec<_> = clips.iter().take(3).collect();
        assert!(
            clips.is_empty(),
            "{} times the body could not do what was asked: {first:#?}",
            clips.len()
        );
    }

    /// The lines that were written; warnings begin with `warning: `.
    pub fn log(&self) -> Vec<String> {
        self.stage(|stage| stage.lines.clone())
    }

    /// The values that were posted under a topic.
    pub fn posted(&self, topic: impl AsRef<str>) -> Vec<f64> {
        self.stage(|stage| {
            let topic = stage.topics.iter().position(|item| item == topic.as_ref());
            let of = stage
                .told
                .iter()
                .filter(|pair| Some(pair.0 as usize) == topic);
            of.map(|pair| pair.1).collect()
        })
    }

    /// The guest's priority.
    pub fn priority(&self) -> f64 {
        self.stage(|stage| stage.priority)
    }

    /// The guest's weight.
    pub fn weight(&self) -> f64 {
        self.stage(|value| value.weight)
    }
}

impl Drop for Rehearsal {
    fn drop(&mut self) {
        self.part.cancel(&self.shared);
        self.shared.leave();
    }
}
