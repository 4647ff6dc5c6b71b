//! The way from a score to the loop: a ring of items, and beside it the clears, which overtake what is in the ring.
//! The score's thread has one end, the loop the other. The law: a clear takes away what was sent before it, and nothing
//! that was sent after.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rtrb::{Consumer, Producer, RingBuffer};

use crate::shared::answer::HostAnswer;
use crate::shared::command_buffer::{Item, ItemWords};

/// The clears of a score.
#[derive(Debug)]
struct Clears {
    /// How often something was cleared.
    count: AtomicU64,
    /// For each actuator: the number of items that were sent before it was cleared last, plus 1; 0 if it never was.
    before: Box<[AtomicU64]>,
}

/// The score's end.
#[derive(Debug)]
pub(crate) struct ScoreSender {
    items: Producer<ItemWords>,
    /// How many items were sent.
    sent: u64,
    clears: Arc<Clears>,
}

/// The loop's end.
#[derive(Debug)]
pub(crate) struct ScoreReceiver {
    items: Consumer<ItemWords>,
    /// How many items were taken.
    taken: u64,
    clears: Arc<Clears>,
    /// The number of clears that were seen, and the last one of each actuator.
    count: u64,
    seen: Box<[u64]>,
}

/// A pair of ends, with room for this many items, for a body with this many actuators.
pub(crate) fn score_ring(room: usize, actuators: usize) -> (ScoreSender, ScoreReceiver) {
    let (sender, receiver) = RingBuffer::new(room);
    let clears = Arc::new(Clears {
        count: AtomicU64::new(0),
        before: (0..actuators).map(|_| AtomicU64::new(0)).collect(),
    });
    let sender = ScoreSender {
        items: sender,
        sent: 0,
        clears: Arc::clone(&clears),
    };
    let receiver = ScoreReceiver {
        items: receiver,
        taken: 0,
        clears,
        count: 0,
        seen: vec![0; actuators].into(),
    };
    (sender, receiver)
}

impl ScoreSender {
    /// How many items there is room for.
    pub(crate) fn slots(&self) -> usize {
        self.items.slots()
    }

    /// Sends an item.
    pub(crate) fn push(&mut self, item: ItemWords) -> HostAnswer {
        match self.items.push(item) {
            Ok(()) => {
                self.sent += 1;
                HostAnswer::Done
            }
            Err(_) => HostAnswer::Full,
        }
    }

    /// Clears an actuator, also of what the loop has not taken yet. It needs no room.
    pub(crate) fn clear(&mut self, actuator: u32) {
        if let Some(before) = self.clears.before.get(actuator as usize) {
            before.store(self.sent + 1, Ordering::Relaxed);
            // Whoever sees the new count sees the clear.
            self.clears.count.fetch_add(1, Ordering::Release);
        }
    }
}

impl ScoreReceiver {
    /// Whether nothing will be sent any more.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.items.is_abandoned()
    }

    /// Whether nothing waits here.
    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty() && self.count == self.clears.count.load(Ordering::Acquire)
    }

    /// Passes each actuator that was cleared since the last call to `clear`, until that says that it cannot be done
    /// now. Returns whether all were done.
    pub(crate) fn take_clears(&mut self, mut clear: impl FnMut(u32) -> bool) -> bool {
        let count = self.clears.count.load(Ordering::Acquire);
        if count == self.count {
            return true;
        }
        for (place, (before, seen)) in self.clears.before.iter().zip(&mut self.seen).enumerate() {
            let before = before.load(Ordering::Relaxed);
            if before != *seen {
                if !clear(place as u32) {
                    return false;
                }
                *seen = before;
            }
        }
        self.count = count;
        true
    }

    /// The next item that was not cleared.
    pub(crate) fn peek(&mut self) -> Option<ItemWords> {
        loop {
            let words = *self.items.peek().ok()?;
            let cleared = match Item::of(words) {
                Some(Item::Command { to, .. }) => self.seen.get(to as usize),
                _ => None,
            };
            if cleared.is_none_or(|before| self.taken + 1 >= *before) {
                return Some(words);
            }
            self.pop();
        }
    }

    /// Takes the item that `peek` has shown.
    pub(crate) fn pop(&mut self) {
        // It was there a moment ago, and only this end removes items.
        if self.items.pop().is_ok() {
            self.taken += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use cycle::Merge;

    use super::{ScoreReceiver, score_ring};
    use crate::shared::command_buffer::Item;

    fn command(to: u32, number: u64) -> [u64; 4] {
        let item = Item::Command {
            to,
            value: number as f64,
            at: number,
            merge: Merge::Merge,
        };
        item.words()
    }

    fn taken(receiver: &mut ScoreReceiver) -> Vec<[u64; 4]> {
        let mut all = Vec::new();
        while let Some(words) = receiver.peek() {
            all.push(words);
            receiver.pop();
        }
        all
    }

    #[test]
    fn a_clear_takes_away_what_was_sent_before_it_and_nothing_else() {
        let mut random = fastrand::Rng::with_seed(6);
        for _ in 0..500 {
            let (mut sender, mut receiver) = score_ring(64, 3);
            let mut waiting: Vec<(u32, [u64; 4])> = Vec::new();
            let mut cleared = [false; 3];
            for number in 0..random.u64(1..200) {
                let actuator = random.u32(..3);
                match random.u8(..10) {
                    0 => {
                        sender.clear(actuator);
                        waiting.retain(|it| it.0 != actuator);
                        cleared[actuator as usize] = true;
                    }
                    1 => {
                        let mut told = [false; 3];
                        assert!(receiver.take_clears(|it| {
                            told[it as usize] = true;
                            true
                        }));
                        // Two clears without an item between them are one.
                        assert!(told.iter().zip(cleared).all(|(told, is)| !told || is));
                        let wanted: Vec<_> = waiting.drain(..).map(|it| it.1).collect();
                        assert_eq!(taken(&mut receiver), wanted);
                        cleared = [false; 3];
                    }
                    _ => {
                        let words = command(actuator, number);
                        if sender.slots() > 0 {
                            sender.push(words);
                            waiting.push((actuator, words));
                        }
                    }
                }
            }
            assert!(receiver.take_clears(|_| true));
            let wanted: Vec<_> = waiting.into_iter().map(|it| it.1).collect();
            assert_eq!(taken(&mut receiver), wanted);
            assert!(receiver.is_empty());
        }
    }
}
