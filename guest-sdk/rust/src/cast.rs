//! The two worlds of a choreography, [`Motion`] and [`Score`], and its cast: the parts of the body that it uses.
//! `choreography!` implements this for an author's type.

use crate::actuator::Actuator;
use crate::event::Topic;
use crate::group::Group;
use crate::param::Param;
use crate::sensor::Sensor;
use crate::time::Instant;

/// A choreography whose hooks the loop calls in every turn.
///
/// Only the hooks that the cast lists are called; a rehearsal fails if one is implemented but not listed. Each call
/// has the fuel that the cast asks for, and must not wait. Memory does not grow after `start`.
pub trait Motion: Sized + 'static {
    /// Called once, before the first turn, when all names have been looked up. Commands sent here take effect when
    /// the guest begins to play. A motion without any other hook ends when these commands are done.
    fn start() -> Self;

    /// Called in every turn, before the values are computed: a command for `now` is sent in the same turn.
    fn pre_process(&mut self, now: Instant) {
        let _ = now;
        not_written();
    }

    /// Called in every turn, after the boards have answered: the sensors have the values of this turn.
    fn post_process(&mut self, now: Instant) {
        let _ = now;
        not_written();
    }

    /// Called in every turn. `false` ends the guest.
    fn is_alive(&self) -> bool {
        not_written();
        true
    }

    /// Called once, when it ends, after its last turn.
    fn stop(&mut self) {
        not_written();
    }
}

/// A choreography that is one long run on a thread of its own: it may compute as long as it needs, sleep until an
/// instant, and send commands minutes ahead.
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
    /// Called once. The guest ends when it returns, and waiting commands are dropped: sleep until the last instant
    /// before returning.
    fn run();
}

/// The data of a choreography for its host. Implemented by [`choreography!`](crate::choreography).
pub trait Choreography {
    /// Its name.
    const NAME: &'static str;
    /// Its manifest: a few lines of TOML.
    const MANIFEST: &'static str;

    /// All members of the cast.
    fn cast() -> &'static [&'static dyn Role];

    /// Whether this body has all members. `start` has logged the names of missing ones.
    fn all_present() -> bool {
        Self::cast().iter().all(|item| item.is_present())
    }

    /// How a rehearsal plays it.
    #[doc(hidden)]
    #[cfg(not(target_arch = "wasm32"))]
    fn part() -> crate::rehearsal::Part;
}

/// A member of the cast: an actuator, a limb, a group, a sensor, a parameter, a topic.
pub trait Role: Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// Whether this body has it.
    fn is_present(&self) -> bool;
    /// Looks up its name. Returns whether it was found.
    #[doc(hidden)]
    fn learn(&self) -> bool;
    /// Its kind, for messages.
    #[doc(hidden)]
    fn kind(&self) -> &'static str;
}

impl core::fmt::Debug for dyn Role {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// Each kind has its own implementation, so that a guest imports only the functions that it uses.
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
    Group: "alias of 1 to 32 actuators", |value| value.length() > 0;
    Sensor: "sensor", Sensor::is_present;
    Param: "room for the parameter", |_| true;
    Topic: "room for the topic", |_| true;
}

/// Looks up all names, and logs those that this body does not have.
#[doc(hidden)]
pub fn enter(cast: &[&dyn Role]) {
    #[cfg(all(target_arch = "wasm32", feature = "std"))]
    crate::panic::listen();
    for role in cast.iter().filter(|role| !role.learn()) {
        crate::warn!(
            "there is no ",
            role.kind(),
            " `",
            role.name(),
            "` here: it goes on without"
        );
    }
}

/// Called for a hook without an implementation, so that a rehearsal can detect it.
fn not_written() {
    #[cfg(not(target_arch = "wasm32"))]
    crate::rehearsal::host::not_written();
}
