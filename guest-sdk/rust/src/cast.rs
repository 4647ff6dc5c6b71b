//! What a choreography is to its host: hooks that are called in every turn, or one long run; and its cast.
//! `choreography!` joins an author's type to this.

use crate::actuator::Actuator;
use crate::event::Topic;
use crate::group::Group;
use crate::param::Param;
use crate::sensor::Sensor;
use crate::time::Instant;

/// A choreography whose hooks the loop calls in every turn.
///
/// Only the hooks that the cast names are called; a rehearsal fails if one is written and not named. Each call
/// has so much fuel as the cast asks for, and must not wait for anything. Memory does not grow after `start`.
pub trait Motion: Sized + 'static {
    /// Once, before the first turn, when all names have been looked up. What is commanded here is taken when the
    /// guest comes in. A motion without any other hook lives while what it has commanded here waits.
    fn start() -> Self;

    /// In every turn, before the values are computed: what is set for `now` goes out in this very turn.
    fn pre_process(&mut self, now: Instant) {
        let _ = now;
        not_written();
    }

    /// In every turn, after the boards have answered: the sensors are those of this very turn.
    fn post_process(&mut self, now: Instant) {
        let _ = now;
        not_written();
    }

    /// Asked in every turn. `false` ends the guest.
    fn is_alive(&self) -> bool {
        not_written();
        true
    }

    /// Once, when it ends, after its last turn.
    fn stop(&mut self) {
        not_written();
    }
}

/// A choreography that is one long run, beside the loop: it may take its time, sleep until instants, and send
/// whole choreographies ahead.
///
/// ```
/// use choreography::prelude::*;
///
/// choreography! {
///     /// Looks left, and back.
///     score Glance as "glance";
///     joints HeadYaw;
/// }
///
/// struct Glance;
///
/// impl Score for Glance {
///     fn run() {
///         HeadYaw.to(0.5).over(500.ms());
///         sleep(1.s());
///         HeadYaw.to(0.0).over(500.ms());
///         sleep(500.ms());
///     }
/// }
///
/// let mut stage = Rehearsal::of::<Glance>(nao());
/// stage.run_for(700.ms());
/// assert_eq!(stage.sent(&HeadYaw), 0.5);
/// stage.run_for(1.s());
/// assert!(stage.is_over());
/// ```
pub trait Score: 'static {
    /// From its first note to its last. It ends when it returns, and what waits ends with it: sleep until the
    /// last instant.
    fn run();
}

/// What the cast says of a choreography. Written by [`choreography!`](crate::choreography).
pub trait Choreography {
    /// Its name.
    const NAME: &'static str;
    /// What it says of itself to its host: a few lines of TOML.
    const MANIFEST: &'static str;

    /// Everyone in it.
    fn cast() -> &'static [Role];

    /// Whether this body has everyone in it. The names of those missing were written down in `start`.
    fn all_present() -> bool {
        Self::cast().iter().all(Role::is_present)
    }

    /// How a rehearsal plays it.
    #[doc(hidden)]
    #[cfg(not(target_arch = "wasm32"))]
    fn part() -> crate::rehearsal::Part;
}

/// One of a cast.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// It takes commands.
    Actuator(&'static Actuator),
    /// Several take the same commands.
    Group(&'static Group),
    /// It is felt.
    Sensor(&'static Sensor),
    /// A person turns it.
    Param(&'static Param),
    /// It is told to other guests.
    Topic(&'static Topic),
}

impl Role {
    /// Whether this body has it.
    pub fn is_present(&self) -> bool {
        match self {
            Role::Actuator(it) => it.is_present(),
            Role::Group(it) => it.length() > 0,
            Role::Sensor(it) => it.is_present(),
            Role::Param(_) | Role::Topic(_) => true,
        }
    }
}

/// Looks all names up, and writes down those that this body has not.
#[doc(hidden)]
pub fn enter(cast: &[Role]) {
    #[cfg(all(target_arch = "wasm32", feature = "std"))]
    crate::panic::listen();
    for role in cast {
        let (found, what, name) = match role {
            Role::Actuator(it) => (it.learn(), "actuator", it.name()),
            Role::Group(it) => (it.learn(), "alias of 1 to 32 actuators", it.name()),
            Role::Sensor(it) => (it.learn(), "sensor", it.name()),
            Role::Param(it) => (it.learn(), "room for the parameter", it.name()),
            Role::Topic(it) => (it.learn(), "room for the topic", it.name()),
        };
        if !found {
            crate::warn!(
                "there is no ",
                what,
                " `",
                name,
                "` here: it goes on without"
            );
        }
    }
}

/// A hook that nobody has written: a rehearsal takes notice.
fn not_written() {
    #[cfg(not(target_arch = "wasm32"))]
    crate::rehearsal::host::not_written();
}
