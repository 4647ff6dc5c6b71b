//! Many commands in one request. All are accepted or none.

use crate::actuator::Move;
use crate::answer::Answer;
use crate::raw;
use crate::time::Instant;

/// A buffer for at most `N` commands.
///
/// ```
/// use choreography::prelude::*;
///
/// static HeadYaw: Actuator = Actuator::named("HeadYaw");
/// static HeadPitch: Actuator = Actuator::named("HeadPitch");
///
/// let mut stage = Rehearsal::alone(nao());
/// let mut nod = Bulk::<8>::new();
/// nod.add(HeadYaw.to(0.0), now() + 200.ms());
/// nod.add(HeadPitch.to(0.3), now() + 200.ms());
/// assert_eq!(nod.send(), Answer::Done);
/// # stage.run_for(1.s());
/// # assert_eq!(stage.sent(&HeadPitch), 0.3);
/// ```
#[derive(Clone, Debug)]
pub struct Bulk<const N: usize> {
    words: [[u64; 3]; N],
    length: usize,
}

pub(crate) struct Command {
    pub(crate) to: u32,
    pub(crate) value: f64,
    pub(crate) at: Instant,
}

impl<const N: usize> Default for Bulk<N> {
    fn default() -> Self {
        Bulk::new()
    }
}

impl<const N: usize> Bulk<N> {
    /// An empty buffer.
    pub const fn new() -> Bulk<N> {
        Bulk {
            words: [[0; 3]; N],
            length: 0,
        }
    }

    /// Adds a command; [`Answer::Full`] if there are `N` already. It merges with waiting commands, whatever the
    /// movement's own setting is.
    pub fn add(&mut self, movement: Move, at: Instant) -> Answer {
        self.push(Command {
            to: movement.to,
            value: movement.value,
            at,
        })
    }

    pub(crate) fn push(&mut self, command: Command) -> Answer {
        let Some(words) = self.words.get_mut(self.length) else {
            return Answer::Full;
        };
        *words = [
            u64::from(command.to),
            command.value.to_bits(),
            command.at.nanos(),
        ];
        self.length += 1;
        Answer::Done
    }

    /// The number of commands.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Sends all commands in one request. The buffer is empty afterwards if they were accepted.
    pub fn send(&mut self) -> Answer {
        let words = self.words.as_flattened();
        let words = words.get(..self.length * 3).unwrap_or(&[]);
        let answer = Answer::of(raw::set_all(words));
        if answer.is_done() {
            self.length = 0;
        }
        answer
    }
}
