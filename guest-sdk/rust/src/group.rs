//! Groups: several actuators under one name, an alias of the description, as `Face = "FaceLedsBlue"`.

#[cfg(target_arch = "wasm32")]
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::answer::Answer;
use crate::bulk::{self, Bulk};
use crate::raw;
use crate::time::{Instant, Span, now};

/// The maximum number of members. Others are left out, and `start` logs a warning.
const MEMBERS: usize = 32;

/// An alias of the body: all members get the same command in one request. All are accepted or none.
///
/// ```
/// use choreography::prelude::*;
///
/// static Eyes: Group = Group::named("FaceLedsBlue");
///
/// let mut stage = Rehearsal::alone(nao());
/// Eyes.to(1.0).over(100.ms());
/// stage.run_for(200.ms());
/// assert_eq!(stage.sent("Face/Led/Blue/Left/45Deg"), 1.0);
/// ```
#[derive(Debug)]
pub struct Group {
    name: &'static str,
    #[cfg(target_arch = "wasm32")]
    members: [AtomicU32; MEMBERS],
    #[cfg(target_arch = "wasm32")]
    length: AtomicU32,
}

impl Group {
    /// The alias of this name.
    pub const fn named(name: &'static str) -> Group {
        Group {
            name,
            #[cfg(target_arch = "wasm32")]
            members: [const { AtomicU32::new(0) }; MEMBERS],
            #[cfg(target_arch = "wasm32")]
            length: AtomicU32::new(0),
        }
    }

    /// Its name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The number of members on this body; 0 if the body has no such alias.
    pub fn length(&self) -> usize {
        #[cfg(target_arch = "wasm32")]
        let length = self.length.load(Relaxed) as usize;
        #[cfg(not(target_arch = "wasm32"))]
        let length = raw::alias_length(self.name) as usize;
        length.min(MEMBERS)
    }

    /// A command to all members.
    pub fn to(&self, value: impl Into<f64>) -> GroupMove<'_> {
        GroupMove {
            to: self,
            value: value.into(),
        }
    }

    fn member(&self, place: usize) -> u32 {
        #[cfg(target_arch = "wasm32")]
        let member = self
            .members
            .get(place)
            .map_or(raw::NONE, |member| member.load(Relaxed));
        #[cfg(not(target_arch = "wasm32"))]
        let member = raw::alias_member(self.name, u32::try_from(place).unwrap_or(raw::NONE));
        member
    }

    pub(crate) fn learn(&self) -> bool {
        let length = raw::alias_length(self.name);
        #[cfg(target_arch = "wasm32")]
        for (member, place) in self.members.iter().zip(0..length) {
            member.store(raw::alias_member(self.name, place), Relaxed);
            self.length.store(place + 1, Relaxed);
        }
        length > 0 && length as usize <= MEMBERS
    }
}

/// A command to a group that is being built.
#[derive(Clone, Copy, Debug)]
#[must_use = "say when: `.at(instant)`, `.over(span)` or `.now()`"]
pub struct GroupMove<'g> {
    to: &'g Group,
    value: f64,
}

impl GroupMove<'_> {
    /// Sends it: all reach the value at this instant.
    pub fn at(self, at: Instant) -> Answer {
        if self.to.length() == 0 {
            return Answer::Unknown;
        }
        let length = self.to.length();
        let mut bulk = Bulk::<MEMBERS>::new();
        for place in 0..length {
            bulk.push(bulk::Command {
                to: self.to.member(place),
                value: self.value,
                at,
            });
        }
        bulk.send()
    }

    /// Sends it: all reach the value after this span.
    pub fn over(self, span: Span) -> Answer {
        self.at(now() + span)
    }

    /// Sends it for now.
    pub fn now(self) -> Answer {
        self.at(now())
    }
}
