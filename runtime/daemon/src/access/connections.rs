//! Who has a connection to the server: places for known callers, and for strangers while nobody else wants them.
//! `listen` asks for a place for each connection; the gate says whose it is. Whoever comes last gets in, and
//! if there is no place, the oldest silent stranger goes, of whoever has most; a stop is taken in any case.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use network::lock;
use tokio::sync::Notify;

use super::rate_limit::network_of;

/// Connections beyond the limit, over which the body can only be stopped.
const BEYOND_MAX: usize = 64;

/// A stranger whose request takes longer than this counts as silent.
const STRANGER_TIME: Duration = Duration::from_secs(2);

/// How long a connection keeps its place before its first request, although others want it; unless those that have sent
/// none are a crowd.
const GRACE: Duration = Duration::from_millis(250);

/// Where a connection comes from; the places are divided among these.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Origin {
    /// A network address. Of IPv6, the network of one customer counts as one.
    Address(IpAddr),
    /// A user of this machine, on the local socket, and whether it has all rights.
    User(Option<u32>, bool),
}

impl Origin {
    fn is_local(self) -> bool {
        matches!(self, Origin::User(..))
    }

    fn is_owner(self) -> bool {
        matches!(self, Origin::User(_, true))
    }
}

/// All connections of one kind of service.
#[derive(Debug)]
pub struct Connections {
    most: usize,
    most_each: usize,
    open: Mutex<HashMap<u64, ConnectionEntry>>,
    number: AtomicU64,
    displaced: AtomicU64,
    refused: AtomicU64,
}

#[derive(Debug)]
struct ConnectionEntry {
    origin: Origin,
    /// Whether a request has come over it from somebody who may read.
    is_known: bool,
    /// Whether a request has come over it.
    has_asked: bool,
    /// How many requests are being answered.
    answering: u32,
    /// When the first of these came; or since when there is none.
    since: Instant,
    is_beyond: bool,
    close: Arc<Notify>,
}

/// A connection with a place. Dropping it frees the place.
#[derive(Debug)]
pub struct AdmittedConnection {
    connections: Arc<Connections>,
    number: u64,
    close: Arc<Notify>,
    /// Whether it is beyond the limit, and can only stop the body.
    pub is_beyond: bool,
}

/// A request that is being answered, until this is dropped.
#[derive(Debug)]
pub struct Answering(Option<Arc<AdmittedConnection>>);

impl Connections {
    /// At most `most` connections, and `most_each` from one origin.
    pub fn new(most: usize, most_each: usize) -> Arc<Connections> {
        Arc::new(Connections {
            most,
            most_each,
            open: Mutex::default(),
            number: AtomicU64::new(0),
            displaced: AtomicU64::new(0),
            refused: AtomicU64::new(0),
        })
    }

    /// A place for a connection, if there is one.
    pub fn admit(
        self: &Arc<Connections>,
        from: Origin,
        now: Instant,
    ) -> Option<Arc<AdmittedConnection>> {
        let origin = match from {
            Origin::Address(address) => Origin::Address(network_of(address)),
            user @ Origin::User(..) => user,
        };
        let mut open = lock(&self.open);
        let own = open.values().filter(|value| value.origin == origin).count();
        // The local socket has a limit of its own: it must be usable when all others are in use.
        let alike = |entry: &&ConnectionEntry| entry.origin.is_local() == origin.is_local();
        let all = open.values().filter(alike).count();
        let is_beyond = if own >= self.most_each {
            self.displace(&mut open, now, |value| value == origin)
        } else if all >= self.most {
            // Who has all rights goes for nobody else, and is let in whatever others do.
            let others = |item: Origin| item.is_local() == origin.is_local() && !item.is_owner();
            self.displace(&mut open, now, others) && !origin.is_owner()
        } else {
            false
        };
        let beyond = || open.values().filter(|value| value.is_beyond).count();
        if is_beyond && beyond() >= BEYOND_MAX {
            self.refused.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let close = Arc::new(Notify::new());
        open.insert(
            number,
            ConnectionEntry {
                origin,
                is_known: origin.is_owner(),
                has_asked: false,
                answering: 0,
                since: now,
                is_beyond,
                close: Arc::clone(&close),
            },
        );
        Some(Arc::new(AdmittedConnection {
            connections: Arc::clone(self),
            number,
            close,
            is_beyond,
        }))
    }

    /// Closes the one of these that is wanted least. Returns whether there is no place even so: nobody went, or one
    /// beyond the limit.
    fn displace(
        &self,
        open: &mut HashMap<u64, ConnectionEntry>,
        now: Instant,
        of: impl Fn(Origin) -> bool,
    ) -> bool {
        let mut counts: HashMap<Origin, usize> = HashMap::new();
        for entry in open.values() {
            *counts.entry(entry.origin).or_default() += 1;
        }
        let candidates = open.iter().filter(|(_, item)| of(item.origin));
        // The oldest of a crowd that has not asked for anything goes at once: a quarter of all, or of those beyond.
        let unasked = |is_beyond| {
            let of_kind = candidates
                .clone()
                .filter(move |(_, candidate)| candidate.is_beyond == is_beyond);
            of_kind.filter(|(_, entry)| !entry.has_asked).count()
        };
        let is_crowd = [
            4 * unasked(false) >= candidates.clone().count(),
            4 * unasked(true) >= BEYOND_MAX,
        ];
        let ranked = candidates.filter_map(|(number, candidate)| {
            let is_new =
                !candidate.has_asked && now.saturating_duration_since(candidate.since) < GRACE;
            if is_new && !is_crowd[usize::from(candidate.is_beyond)] {
                return None;
            }
            let most = usize::MAX - counts.get(&candidate.origin).copied().unwrap_or(0);
            Some((
                (
                    candidate.rank(now)?,
                    candidate.is_beyond,
                    most,
                    candidate.since,
                    *number,
                ),
                *number,
            ))
        });
        let Some((_, number)) = ranked.min() else {
            return true;
        };
        let Some(entry) = open.remove(&number) else {
            return true;
        };
        entry.close.notify_one();
        self.displaced.fetch_add(1, Ordering::Relaxed);
        entry.is_beyond
    }

    /// How many are open, were closed for others, and were refused.
    pub fn figures(&self) -> (usize, u64, u64) {
        (
            lock(&self.open).len(),
            self.displaced.load(Ordering::Relaxed),
            self.refused.load(Ordering::Relaxed),
        )
    }
}

impl ConnectionEntry {
    /// How soon it goes when there is no place: the least first. `None`: it stays.
    fn rank(&self, now: Instant) -> Option<u8> {
        let is_silent = self.answering == 0;
        let is_slow = now.saturating_duration_since(self.since) > STRANGER_TIME;
        match (self.is_known, self.origin.is_owner()) {
            (false, _) => (is_silent || is_slow).then_some(0),
            (true, false) => is_silent.then_some(1),
            // It goes only for others of its own.
            (true, true) => is_silent.then_some(2),
        }
    }
}

impl AdmittedConnection {
    /// Waits until somebody else needs the place.
    pub async fn displaced(&self) {
        self.close.notified().await;
    }

    /// Somebody who may read has sent a request over it.
    pub fn is_of_a_known_caller(&self) {
        self.change(|value| value.is_known = true);
    }

    /// A request has come.
    pub fn answering(self: &Arc<AdmittedConnection>, now: Instant) -> Answering {
        self.change(|entry| {
            if entry.answering == 0 {
                entry.since = now;
            }
            entry.answering += 1;
            entry.has_asked = true;
        });
        Answering(Some(Arc::clone(self)))
    }

    fn change(&self, change: impl FnOnce(&mut ConnectionEntry)) {
        if let Some(entry) = lock(&self.connections.open).get_mut(&self.number) {
            change(entry);
        }
    }
}

impl Answering {
    /// The answer goes on until the connection ends.
    pub fn until_it_ends(mut self) {
        self.0 = None;
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let Some(connection) = &self.0 else {
            return;
        };
        connection.change(|entry| {
            entry.answering -= 1;
            if entry.answering == 0 {
                entry.since = Instant::now();
            }
        });
    }
}

impl Drop for AdmittedConnection {
    fn drop(&mut self) {
        lock(&self.connections.open).remove(&self.number);
    }
}

#[cfg(test)]
mod tests;
