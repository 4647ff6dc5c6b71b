//! Events: small messages between guests, with a topic and a value.

use crate::answer::Answer;
use crate::handle::Handle;
use crate::raw;

/// A topic, by name. All guests that use the same name share it.
///
/// ```
/// use choreography::prelude::*;
///
/// static Greeted: Topic = Topic::named("greeted");
///
/// let mut stage = Rehearsal::alone(nao());
/// Greeted.post(2.0);
/// stage.run_for(10.ms()); // it is received from the next turn on
/// let event = next_event().unwrap();
/// assert!(event.is(&Greeted) && event.value == 2.0);
/// assert!(next_event().is_none());
/// ```
#[derive(Debug)]
pub struct Topic(Handle);

/// An event that was posted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    topic: u32,
    /// Its value.
    pub value: f64,
}

impl Topic {
    /// The topic of this name.
    pub const fn named(name: &'static str) -> Topic {
        Topic(Handle::new(name))
    }

    /// Its name.
    pub const fn name(&self) -> &'static str {
        self.0.name
    }

    /// Posts an event. Guests receive it from the next turn on.
    pub fn post(&self, value: f64) -> Answer {
        Answer::of(raw::post(self.number(), value))
    }

    fn number(&self) -> u32 {
        self.0.number(raw::topic)
    }

    pub(crate) fn learn(&self) -> bool {
        self.0.learn(raw::topic(self.0.name))
    }
}

impl Event {
    /// Whether it was posted under this topic.
    pub fn is(&self, topic: &Topic) -> bool {
        self.topic == topic.number()
    }
}

/// The next event that this guest has not received yet: `while let Some(event) = next_event()`.
pub fn next_event() -> Option<Event> {
    (raw::next_event() != 0).then(|| Event {
        topic: raw::current_topic(),
        value: raw::current_value(),
    })
}
