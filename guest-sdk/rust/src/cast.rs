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
    fn cast() -> &'static [&'static dyn Role];

    /// Whether this body has everyone in it. The names of those missing were written down in `start`.
    fn all_present() -> bool {
        Self::cast().iter().all(|it| it.is_present())
    }

    /// How a rehearsal plays it.
    #[doc(hidden)]
    #[cfg(not(target_arch = "wasm32"))]
    fn part() -> crate::rehearsal::Part;
}

/// One of a cast: an actuator, a group, a sensor, a parameter, a topic.
pub trait Role: Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// Whether this body has it.
    fn is_present(&self) -> bool;
    /// Looks its name up; whether it was found.
    #[doc(hidden)]
    fn learn(&self) -> bool;
    /// What it is, for people.
    #[doc(hidden)]
    fn kind(&self) -> &'static str;
}

impl core::fmt::Debug for dyn Role {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// Each only knows itself, so that a guest imports nothing of what it does not use.
macro_rules! roles {
    ($($type:ty: $kind:literal, $present:expr;)*) => {$(
        impl Role for $type {
            fn name(&self) -> &'static str {
                <$type>::name(self)
            }
            fn is_present(&self) -> bool {
                let present: fn(&$type) -> bool = $present;
                present(self)
            }
            fn learn(&self) -> bool {
                <$type>::learn(self)
            }
            fn kind(&self) -> &'static str {
                $kind
            }
        }
    )*};
}
roles! {
    Actuator: "actuator", Actuator::is_present;
    Group: "alias of 1 to 32 actuators", |it| it.length() > 0;
    Sensor: "sensor", Sensor::is_present;
    Param: "room for the parameter", |_| true;
    Topic: "room for the topic", |_| true;
}

/// Looks all names up, and writes down those that this body has not.
#[doc(hidden)]
pub fn enter(cast: &[&dyn Role]) {
    #[cfg(all(target_arch = "wasm32", feature = "std"))]
    crate::panic::listen();
    for role in cast.iter().filter(|it| !it.learn()) {
        crate::warn!(
            "there is no ",
            role.kind(),
            " `",
            role.name(),
            "` here: it goes on without"
        );
    }
}

/// A hook that nobody has written: a rehearsal takes notice.
fn not_written() {
    #[cfg(not(target_arch = "wasm32"))]
    crate::rehearsal::host::not_written();
}
