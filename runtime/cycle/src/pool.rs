//! The waiting commands, as sorted linked lists of nodes in one fixed pool.
//! Used by timelines, through `intake`; no other code uses nodes.
//! No command is moved to make room. Freeing a chain takes one step, appending n commands takes n steps, and
//! merging n into m takes at most n + m.

use crate::command::{Command, Ticket};
use crate::time::Instant;

const NONE: u32 = u32::MAX;

/// A waiting command, or a free place: the instant, the value, and the request's number beside the next node's place.
/// Plain words, because an allocator has zeros without writing them: a pool for hundreds of lanes costs nothing until
/// somebody uses it.
pub type Node = [u64; 3];

/// A free place.
pub const FREE_NODE: Node = [0; 3];

/// A sorted list of commands in the pool. First in, first out among equal instants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    head: u32,
    tail: u32,
    len: u32,
}

impl Chain {
    pub(crate) const EMPTY: Chain = Chain {
        head: NONE,
        tail: NONE,
        len: 0,
    };

    pub(crate) fn len(&self) -> u32 {
        self.len
    }
}

/// All places for waiting commands.
pub(crate) struct Pool<'m> {
    nodes: &'m mut [Node],
    free: Chain,
    /// Places from this index on were never used and are not in the free list.
    fresh: u32,
}

impl<'m> Pool<'m> {
    pub(crate) fn new(nodes: &'m mut [Node]) -> Pool<'m> {
        Pool {
            nodes,
            free: Chain::EMPTY,
            fresh: 0,
        }
    }

    pub(crate) fn capacity(&self) -> u32 {
        u32::try_from(self.nodes.len()).unwrap_or(NONE)
    }

    fn node(&self, place: u32) -> (Command, Ticket) {
        let [at, value, rest] = self.nodes[place as usize];
        let command = Command {
            at: Instant::from_nanos(at),
            value: f64::from_bits(value),
        };
        (command, Ticket((rest >> 32) as u32))
    }

    fn next(&self, place: u32) -> u32 {
        self.nodes[place as usize][2] as u32
    }

    fn set_next(&mut self, place: u32, next: u32) {
        let rest = &mut self.nodes[place as usize][2];
        *rest = (*rest >> 32 << 32) | u64::from(next);
    }

    fn at(&self, place: u32) -> Instant {
        Instant::from_nanos(self.nodes[place as usize][0])
    }

    /// The chain's first command.
    pub(crate) fn first(&self, chain: &Chain) -> Option<(Command, Ticket)> {
        (chain.head != NONE).then(|| self.node(chain.head))
    }

    /// The request of the chain's first command, and the command behind it.
    #[inline]
    pub(crate) fn first_and_next(&self, chain: &Chain) -> Option<(Ticket, Option<Command>)> {
        let (_, ticket) = self.first(chain)?;
        let next = self.next(chain.head);
        Some((ticket, (next != NONE).then(|| self.node(next).0)))
    }

    /// Looks at the command behind the first one, to have it in the cache when it is needed soon. What it returns says
    /// nothing.
    #[inline]
    pub(crate) fn touch(&self, chain: &Chain) -> u64 {
        if chain.head == NONE {
            return 0;
        }
        let next = self.next(chain.head);
        if next == NONE {
            return 0;
        }
        self.at(next).nanos()
    }

    /// The instant of the chain's last command.
    pub(crate) fn last_at(&self, chain: &Chain) -> Option<Instant> {
        (chain.tail != NONE).then(|| self.at(chain.tail))
    }

    /// Every command of the chain in its order.
    pub(crate) fn iter(&self, chain: &Chain) -> impl Iterator<Item = (Command, Ticket)> + '_ {
        let mut place = chain.head;
        core::iter::from_fn(move || {
            let node = (place != NONE).then(|| self.node(place))?;
            place = self.next(place);
            Some(node)
        })
    }

    /// How many commands of the chain, from its head, satisfy `is_before`.
    pub(crate) fn count_while(&self, chain: &Chain, is_before: impl Fn(Instant) -> bool) -> u32 {
        let counted = self
            .iter(chain)
            .take_while(|(command, _)| is_before(command.at))
            .count();
        u32::try_from(counted).unwrap_or(NONE)
    }

    /// Appends a command. Returns false, with nothing changed, if no place is free.
    #[inline]
    pub(crate) fn append(&mut self, chain: &mut Chain, command: Command, ticket: Ticket) -> bool {
        let place = if self.free.head != NONE {
            let place = self.free.head;
            self.free.head = self.next(place);
            place
        } else if self.fresh < self.capacity() {
            self.fresh += 1;
            self.fresh - 1
        } else {
            return false;
        };
        let rest = u64::from(ticket.0) << 32 | u64::from(NONE);
        self.nodes[place as usize] = [command.at.nanos(), command.value.to_bits(), rest];
        self.link(chain, place);
        true
    }

    #[inline]
    fn link(&mut self, chain: &mut Chain, place: u32) {
        if chain.tail == NONE {
            chain.head = place;
        } else {
            self.set_next(chain.tail, place);
        }
        chain.tail = place;
        chain.len += 1;
    }

    /// Removes the first command.
    #[inline]
    pub(crate) fn pop(&mut self, chain: &mut Chain) {
        if chain.head == NONE {
            return;
        }
        let place = chain.head;
        chain.head = self.next(place);
        chain.len -= 1;
        if chain.head == NONE {
            chain.tail = NONE;
        }
        self.give_back(place, place);
    }

    /// Frees the whole chain in one step.
    pub(crate) fn clear(&mut self, chain: &mut Chain) {
        if chain.head != NONE {
            self.give_back(chain.head, chain.tail);
        }
        *chain = Chain::EMPTY;
    }

    fn give_back(&mut self, head: u32, tail: u32) {
        self.set_next(tail, self.free.head);
        self.free.head = head;
    }

    /// Keeps the first `keep` commands and frees the rest.
    pub(crate) fn cut(&mut self, chain: &mut Chain, keep: u32) {
        if keep == 0 {
            return self.clear(chain);
        }
        if keep >= chain.len {
            return;
        }
        let mut last = chain.head;
        for _ in 1..keep {
            last = self.next(last);
        }
        let mut rest = Chain {
            head: self.next(last),
            tail: chain.tail,
            len: chain.len - keep,
        };
        self.set_next(last, NONE);
        *chain = Chain {
            tail: last,
            len: keep,
            ..*chain
        };
        self.clear(&mut rest);
    }

    /// Frees every command with this ticket, and returns their number.
    pub(crate) fn remove(&mut self, chain: &mut Chain, ticket: Ticket) -> u32 {
        let before = chain.len;
        let (mut kept, mut gone) = (Chain::EMPTY, Chain::EMPTY);
        let mut place = chain.head;
        while place != NONE {
            let next = self.next(place);
            self.set_next(place, NONE);
            let side = if self.node(place).1 == ticket {
                &mut gone
            } else {
                &mut kept
            };
            self.link(side, place);
            place = next;
        }
        self.clear(&mut gone);
        *chain = kept;
        before - chain.len
    }

    /// Sorts a chain by time; a stable sort. A sorted chain takes one pass.
    pub(crate) fn sort(&mut self, chain: &mut Chain) {
        // Natural merge sort, bottom up: rising runs are merged like a binary counter, so that 4,096 commands need at
        // most 12 levels.
        const LEVELS: usize = 33;
        let mut levels = [Chain::EMPTY; LEVELS];
        let mut rest = *chain;
        loop {
            let mut run = self.split_run(&mut rest);
            if rest.head == NONE && levels.iter().all(|level| level.head == NONE) {
                *chain = run;
                return;
            }
            for level in &mut levels {
                if level.head == NONE {
                    *level = run;
                    run = Chain::EMPTY;
                    break;
                }
                let mut older = core::mem::replace(level, Chain::EMPTY);
                self.merge(&mut older, run);
                run = older;
            }
            if rest.head == NONE {
                break;
            }
        }
        let mut sorted = Chain::EMPTY;
        for level in levels {
            let mut older = level;
            self.merge(&mut older, sorted);
            sorted = older;
        }
        *chain = sorted;
    }

    /// Removes the rising run at the head of `rest` and returns it.
    fn split_run(&mut self, rest: &mut Chain) -> Chain {
        let mut run = Chain::EMPTY;
        while rest.head != NONE {
            let place = rest.head;
            if run.tail != NONE && self.at(place) < self.at(run.tail) {
                break;
            }
            rest.head = self.next(place);
            rest.len -= 1;
            self.set_next(place, NONE);
            self.link(&mut run, place);
        }
        if rest.head == NONE {
            *rest = Chain::EMPTY;
        }
        run
    }

    /// Merges the sorted `newer` into the sorted `chain`; among equals the older come first.
    pub(crate) fn merge(&mut self, chain: &mut Chain, newer: Chain) {
        if newer.head == NONE {
            return;
        }
        if chain.tail == NONE || self.at(chain.tail) <= self.at(newer.head) {
            if chain.tail == NONE {
                chain.head = newer.head;
            } else {
                self.set_next(chain.tail, newer.head);
            }
            chain.tail = newer.tail;
            chain.len += newer.len;
            return;
        }
        let (mut old, mut new) = (chain.head, newer.head);
        let len = chain.len + newer.len;
        let tail = if self.at(newer.tail) >= self.at(chain.tail) {
            newer.tail
        } else {
            chain.tail
        };
        let mut merged = Chain::EMPTY;
        while old != NONE && new != NONE {
            let from = if self.at(old) <= self.at(new) {
                &mut old
            } else {
                &mut new
            };
            let place = *from;
            *from = self.next(place);
            self.link(&mut merged, place);
        }
        let rest = if old == NONE { new } else { old };
        self.set_next(merged.tail, rest);
        *chain = Chain {
            head: merged.head,
            tail,
            len,
        };
    }
}

#[cfg(test)]
#[path = "pool/tests.rs"]
mod tests;
