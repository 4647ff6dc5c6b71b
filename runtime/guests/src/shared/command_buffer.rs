//! The buffer of what a guest asks during a hook, in its order; flushed to the stage when the hook returns.
//! Written by the host's functions, or by compiled code directly; read by `turn::flush`.
//! An item is complete before the cursor moves past it, and the buffer never overflows.

use std::sync::atomic::{AtomicU64, Ordering};

use cycle::Merge;

/// Words of an item.
pub(crate) const ITEM_WORDS: usize = 4;

/// The word of a command that holds its instant.
pub(crate) const AT: usize = 2;

/// Items that one call of a hook may queue.
pub(crate) const ITEMS: usize = 4096;

/// One thing that a guest asks of the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "named as in the contract")]
pub(crate) enum Item {
    Command {
        to: u32,
        value: f64,
        at: u64,
        merge: Merge,
    },
    Clear {
        of: u32,
    },
    Drive {
        to: u32,
        value: f64,
        weight: f64,
    },
    /// Followed by `GainsWeight`.
    Gains {
        of: u32,
        p: f64,
        i: f64,
        d: f64,
    },
    GainsWeight {
        weight: f64,
    },
    Priority {
        priority: f64,
    },
    Weight {
        weight: f64,
    },
    WeightOn {
        of: u32,
        weight: f64,
    },
    Post {
        topic: u32,
        value: f64,
    },
    Finish,
    /// What follows belongs to this request.
    Begin {
        request: u32,
    },
    Cancel {
        request: u32,
    },
}

/// An item as words: its kind in the low half of the first, its actuator in the high half. Compiled code writes
/// commands of kind 0, so 0 is a command that is merged.
pub(crate) type ItemWords = [u64; ITEM_WORDS];

impl Item {
    /// As words.
    pub(crate) fn words(self) -> ItemWords {
        let word = |kind: u64, number: u32| kind | u64::from(number) << 32;
        match self {
            Item::Command {
                to,
                value,
                at,
                merge,
            } => [word(merge as u64, to), value.to_bits(), at, 0],
            Item::Clear { of } => [word(4, of), 0, 0, 0],
            Item::Drive { to, value, weight } => {
                [word(5, to), value.to_bits(), weight.to_bits(), 0]
            }
            Item::Gains { of, p, i, d } => [word(6, of), p.to_bits(), i.to_bits(), d.to_bits()],
            Item::GainsWeight { weight } => [word(7, 0), weight.to_bits(), 0, 0],
            Item::Priority { priority } => [word(8, 0), priority.to_bits(), 0, 0],
            Item::Weight { weight } => [word(9, 0), weight.to_bits(), 0, 0],
            Item::WeightOn { of, weight } => [word(10, of), weight.to_bits(), 0, 0],
            Item::Post { topic, value } => [word(11, topic), value.to_bits(), 0, 0],
            Item::Finish => [word(12, 0), 0, 0, 0],
            Item::Begin { request } => [word(13, request), 0, 0, 0],
            Item::Cancel { request } => [word(14, request), 0, 0, 0],
        }
    }

    /// The actuator, merge kind, value and instant of these words, if they are a command.
    #[inline]
    pub(crate) fn command(words: ItemWords) -> Option<(u32, Merge, f64, u64)> {
        let merge = Merge::of_number(words[0] & u64::from(u32::MAX))?;
        Some((
            (words[0] >> 32) as u32,
            merge,
            f64::from_bits(words[1]),
            words[AT],
        ))
    }

    /// The item of these words; `None` if they are no item.
    pub(crate) fn of(words: ItemWords) -> Option<Item> {
        let number = (words[0] >> 32) as u32;
        let (first, second, third) = (
            f64::from_bits(words[1]),
            f64::from_bits(words[2]),
            f64::from_bits(words[3]),
        );
        let command = |merge| Item::Command {
            to: number,
            value: first,
            at: words[AT],
            merge,
        };
        Some(match words[0] & u64::from(u32::MAX) {
            kind @ 0..4 => command(Merge::of_number(kind)?),
            4 => Item::Clear { of: number },
            5 => Item::Drive {
                to: number,
                value: first,
                weight: second,
            },
            6 => Item::Gains {
                of: number,
                p: first,
                i: second,
                d: third,
            },
            7 => Item::GainsWeight { weight: first },
            8 => Item::Priority { priority: first },
            9 => Item::Weight { weight: first },
            10 => Item::WeightOn {
                of: number,
                weight: first,
            },
            11 => Item::Post {
                topic: number,
                value: first,
            },
            12 => Item::Finish,
            13 => Item::Begin { request: number },
            14 => Item::Cancel { request: number },
            _ => return None,
        })
    }
}

/// The words are atomic, because compiled code writes them without Rust's knowledge.
#[derive(Debug)]
pub(crate) struct CommandBuffer {
    items: Box<[[AtomicU64; ITEM_WORDS]]>,
}

impl CommandBuffer {
    pub(crate) fn new() -> CommandBuffer {
        CommandBuffer {
            items: (0..ITEMS)
                .map(|_| [const { AtomicU64::new(0) }; ITEM_WORDS])
                .collect(),
        }
    }

    /// The address of an item; for `ITEMS`, the address behind the last.
    pub(crate) fn address(&self, place: usize) -> u64 {
        let base = self.items.as_ptr().addr() as u64;
        base + (place.min(ITEMS) * ITEM_WORDS * 8) as u64
    }

    /// The place of an address in the buffer; for any other address, the nearest end.
    pub(crate) fn place(&self, address: u64) -> usize {
        let bytes = address.saturating_sub(self.address(0));
        usize::try_from(bytes / (ITEM_WORDS as u64 * 8)).map_or(ITEMS, |value| value.min(ITEMS))
    }

    pub(crate) fn get(&self, place: usize) -> ItemWords {
        let item = &self.items[place.min(ITEMS - 1)];
        item.each_ref().map(|word| word.load(Ordering::Relaxed))
    }

    pub(crate) fn put(&self, place: usize, item: ItemWords) {
        for (word, kept) in item.iter().zip(&self.items[place.min(ITEMS - 1)]) {
            kept.store(*word, Ordering::Relaxed);
        }
    }
}
