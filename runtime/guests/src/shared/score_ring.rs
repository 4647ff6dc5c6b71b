//! The way from a score to the loop: a ring of items, and beside it the clears, which overtake what is in the ring.
//! The score's thread has one end, the loop the other. A clear takes away what was sent before it, and nothing
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
    /// For each actuator: its last clear.
    of: Box<[Clear]>,
}

/// The clears of an actuator.
#[derive(Debug, Default)]
struct Clear {
    /// How often it was cleared.
    count: AtomicU64,
    /// How many items were sent before it was cleared last.
    before: AtomicU64,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NextItem {
    /// Nothing.
    Nothing,
    /// An item that was cleared.
    Cleared,
    /// An item.
    Item(ItemWords),
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
    /// The number of clears that were seen; and for each actuator, how many of its own, and how many items had been
    /// sent before the last of them.
    count: u64,
    seen: Box<[(u64, u64)]>,
}

/// A pair of ends, with room for this many items, for a body with this many actuators.
pub(crate) fn score_ring(room: usize, actuators: usize) -> (ScoreSender, ScoreReceiver) {
    let (sender, receiver) = RingBuffer::new(room);
    let clears = Arc::new(Clears {
        count: AtomicU64::new(0),
        of: (0..actuators).map(|_| Clear::default()).collect(),
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
        seen: vec![(0, 0); actuators].into(),
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
        if let Some(clear) = self.clears.of.get(actuator as usize) {
            clear.before.store(self.sent, Ordering::Relaxed);
            // Whoever sees the new count sees the clear, and so does whoever sees an item that is sent after it.
            clear.count.fetch_add(1, Ordering::Release);
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

    /// How many items are here. Every clear that was made before one of them is seen by `take_clears` after this.
    pub(crate) fn available(&self) -> usize {
        self.items.slots()
    }

    /// Passes each actuator that was cleared since the last call to `clear`, until that says that it cannot be done
    /// now. Returns whether all were done.
    pub(crate) fn take_clears(&mut self, mut clear: impl FnMut(u32) -> bool) -> bool {
        let count = self.clears.count.load(Ordering::Acquire);
        if count == self.count {
            return true;
        }
        for (place, (it, seen)) in self.clears.of.iter().zip(&mut self.seen).enumerate() {
            let count = it.count.load(Ordering::Acquire);
            if count != seen.0 {
                if !clear(place as u32) {
                    return false;
                }
                *seen = (count, it.before.load(Ordering::Relaxed));
            }
        }
        self.count = count;
        true
    }

    /// What comes next.
    pub(crate) fn peek(&self) -> NextItem {
        let Ok(words) = self.items.peek().copied() else {
            return NextItem::Nothing;
        };
        let clear = match Item::of(words) {
            Some(Item::Command { to, .. }) => self.seen.get(to as usize),
            _ => None,
        };
        match clear {
            Some((1.., before)) if self.taken < *before => NextItem::Cleared,
            _ => NextItem::Item(words),
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

    use super::{NextItem, ScoreReceiver, score_ring};
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
        loop {
            match receiver.peek() {
                NextItem::Nothing => return all,
                NextItem::Cleared => {}
                NextItem::Item(words) => all.push(words),
            }
            receiver.pop();
        }
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
                        waiting.retain(|pair| pair.0 != actuator);
                        cleared[actuator as usize] = true;
                    }
                    1 => {
                        let mut told = [false; 3];
                        assert!(receiver.take_clears(|value| {
                            told[value as usize] = true;
                            true
                        }));
                        // Two clears without an item between them are one.
                        assert!(told.iter().zip(cleared).all(|(told, is)| !told || is));
                        let wanted: Vec<_> = waiting.drain(..).map(|pair| pair.1).collect();
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
            let wanted: Vec<_> = waiting.into_iter().map(|pair| pair.1).collect();
            assert_eq!(taken(&mut receiver), wanted);
            assert!(receiver.is_empty());
        }
    }

    #[test]
    fn between_threads_nothing_that_was_sent_after_a_clear_is_lost() {
        const ROUNDS: u64 = 20_000;
        let (mut sender, mut receiver) = score_ring(64, 1);
        let score = std::thread::spawn(move || {
            for round in 1..=ROUNDS {
                // An item that is to be cleared, the clear, and one that is to stay.
                for words in [command(0, 0), command(0, round)] {
                    while sender.slots() == 0 {
                        std::thread::yield_now();
                    }
                    if words == command(0, round) {
                        sender.clear(0);
                    }
                    sender.push(words);
                }
            }
        });
        // What the lane has: the rounds of what was applied since it was cleared last.
        let (mut lane, mut last) = (Vec::<u64>::new(), 0);
        while last < ROUNDS {
            let available = receiver.available();
            let mut removed = Vec::new();
            receiver.take_clears(|_| {
                removed.append(&mut lane);
                true
            });
            // The clear of a round is made before its item is sent, so it takes away those of earlier rounds only.
            let cleared = receiver.seen[0].0;
            assert!(
                removed.iter().all(|value| *value < cleared),
                "{removed:?} by clear {cleared}"
            );
            for _ in 0..available {
                if let NextItem::Item(words) = receiver.peek() {
                    lane.push(words[2]);
                    last = last.max(words[2]);
                }
                receiver.pop();
            }
        }
        assert_eq!(lane.iter().max(), Some(&ROUNDS));
        score.join().expect("it ends");
    }
}
