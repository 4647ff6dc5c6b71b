//! How the service of the guests tells a recording who comes in and what guests say. `recording` implements it.
//! It is called outside the loop.

use std::fmt::Debug;

use cycle::Span;
use guests::{Choreography, GuestId, GuestLogLine, LoadOptions, PendingGuest, TopicNames};

/// Hears of guests, outside the loop.
pub trait GuestRecorder: Debug + Send + Sync {
    /// A guest of these bytes is about to come in: it has its name, and the loop does not know of it yet.
    fn enters(&self, guest: &AdmissionRecord<'_>, bytes: &[u8]);

    /// The names of topics, to which scores post by number.
    fn names(&self, topics: TopicNames);

    /// A guest has said something.
    fn says(&self, said: GuestLogLine);
}

/// A guest that is about to come in: all that it takes to bring it in again.
#[derive(Debug)]
pub struct AdmissionRecord<'e> {
    /// Its code, and what it was granted.
    pub choreography: &'e Choreography,
    /// The guest itself.
    pub guest: &'e PendingGuest,
    /// The name of its file.
    pub file: Option<&'e str>,
    /// The options that it was loaded with.
    pub options: &'e LoadOptions,
    /// Whom it takes over from, and in which time.
    pub instead: Option<(GuestId, Span)>,
    /// Time is virtual.
    pub virtual_time: bool,
}
