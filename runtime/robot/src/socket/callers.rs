//! Who has a connection to the loop's socket: each user has places of their own.
//! `server` asks for a place for each connection. Whoever comes last gets in, unless all connections of that
//! user are being answered; nobody can take the places of another who may move the body.

use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of connections of one user who may move the body.
const CALLERS_MAX: usize = 32;

/// The maximum number of connections of one user who may only look.
const LOOKERS_EACH: usize = 16;

/// The maximum number of connections of all who may only look.
const LOOKERS_MAX: usize = 48;

/// File descriptors that are not for callers: boards, the page, the recording, guests.
const FILES: usize = 32;

/// All connections.
#[derive(Clone, Debug)]
pub(super) struct Callers(Arc<Mutex<Open>>);

#[derive(Debug, Default)]
struct Open {
    next: u64,
    all: Vec<Connected>,
    /// How long a connection keeps its place before it must have sent a request.
    grace: Duration,
    /// The maximum number of connections of one user who may move the body, and of all others.
    movers_max: usize,
    lookers_max: usize,
}

#[derive(Debug)]
struct Connected {
    number: u64,
    user: u32,
    may_move: bool,
    stream: Arc<UnixStream>,
    admitted: Instant,
    /// Whether a request has come over it. Programs that keep connections for later have sent one.
    has_asked: bool,
    is_answered: bool,
    /// The number of the newest connection at its last request.
    last_used: u64,
}

/// A connection's place. Dropping it frees the place.
#[derive(Debug)]
pub(super) struct CallerPlace {
    callers: Callers,
    number: u64,
}

impl Callers {
    /// No connections yet, in a process that may open so many files. Each keeps its place for this long without a
    /// request, although others want it.
    pub(super) fn new(grace: Duration, files: usize) -> Callers {
        let places = files.saturating_sub(FILES) / 3;
        let open = Open {
            grace,
            movers_max: places.clamp(2, CALLERS_MAX),
            lookers_max: places.clamp(2, LOOKERS_MAX),
            ..Open::default()
        };
        Callers(Arc::new(Mutex::new(open)))
    }

    /// A place for a connection of this user; `None` if all of the user's connections are being answered.
    pub(super) fn admit(
        &self,
        stream: &Arc<UnixStream>,
        user: u32,
        may_move: bool,
    ) -> Option<CallerPlace> {
        let mut open = self.open();
        let own = |connected: &Connected| connected.user == user;
        let lookers = |connected: &Connected| !connected.may_move;
        let (movers_max, lookers_max) = (open.movers_max, open.lookers_max);
        let has_place = if may_move {
            open.make_room(movers_max, own)
        } else {
            open.make_room(LOOKERS_EACH, own) && open.make_room(lookers_max, lookers)
        };
        if !has_place {
            return None;
        }
        open.next += 1;
        let number = open.next;
        open.all.push(Connected {
            number,
            user,
            may_move,
            stream: Arc::clone(stream),
            admitted: Instant::now(),
            has_asked: false,
            is_answered: false,
            last_used: number,
        });
        let callers = self.clone();
        Some(CallerPlace { callers, number })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// Closes the connection that was silent longest if there are this many. Whether there is room now.
    fn make_room(&mut self, most: usize, of: impl Fn(&Connected) -> bool) -> bool {
        let count = self.all.iter().filter(|item| of(item)).count();
        if count < most {
            return true;
        }
        let has_not_asked = |connected: &&Connected| of(connected) && !connected.has_asked;
        // Of a crowd of such the oldest goes at once.
        let is_crowd = 4 * self.all.iter().filter(has_not_asked).count() >= count;
        let places = self.all.iter().enumerate();
        let silent = places.filter(|(_, connected)| {
            let is_new = !connected.has_asked && connected.admitted.elapsed() < self.grace;
            of(connected) && !connected.is_answered && (is_crowd || !is_new)
        });
        let Some((place, _)) =
            silent.min_by_key(|(_, connected)| (connected.has_asked, connected.last_used))
        else {
            return false;
        };
        let gone = self.all.swap_remove(place);
        // Its thread reads the end, and ends.
        let _ = gone.stream.shutdown(Shutdown::Both);
        true
    }
}

impl CallerPlace {
    /// A request has come, and is being answered. `false`: the place is somebody else's by now.
    pub(super) fn begin(&self) -> bool {
        let mut open = self.callers.open();
        let last = open.next;
        let connected = open.all.iter_mut().find(|item| item.number == self.number);
        let Some(connected) = connected else {
            return false;
        };
        (connected.has_asked, connected.is_answered) = (true, true);
        connected.last_used = last;
        true
    }

    /// The answer is sent.
    pub(super) fn end(&self) {
        let mut open = self.callers.open();
        let mut all = open.all.iter_mut();
        if let Some(connected) = all.find(|item| item.number == self.number) {
            connected.is_answered = false;
        }
    }
}

impl Drop for CallerPlace {
    fn drop(&mut self) {
        self.callers
            .open()
            .all
            .retain(|item| item.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixStream;
    use std::sync::Arc;
    use std::time::Duration;

    use super::{CALLERS_MAX, CallerPlace, Callers, LOOKERS_EACH, LOOKERS_MAX};

    fn come(callers: &Callers, user: u32, may_move: bool) -> Option<(CallerPlace, UnixStream)> {
        let (ours, theirs) = UnixStream::pair().expect("a pair");
        let place = callers.admit(&Arc::new(ours), user, may_move)?;
        Some((place, theirs))
    }

    fn is_open(of: &(CallerPlace, UnixStream)) -> bool {
        use std::io::Read;
        of.1.set_nonblocking(true).expect("a socket");
        let read = (&of.1).read(&mut [0]);
        read.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    }

    #[test]
    fn nobody_takes_the_places_of_another_user() {
        let callers = Callers::new(Duration::ZERO, 1024);
        let root = come(&callers, 0, true).expect("a place");
        let all: Vec<_> = (0..600)
            .map(|i| come(&callers, 1000 + i % 7, false))
            .collect();
        let open = all.iter().flatten().filter(|item| is_open(item)).count();
        assert_eq!(open, LOOKERS_MAX);
        let own: Vec<_> = (0..600).map(|_| come(&callers, 4, true)).collect();
        let open = own.iter().flatten().filter(|item| is_open(item)).count();
        assert_eq!(open, CALLERS_MAX);
        assert!(is_open(&root));
        assert!(come(&callers, 0, true).is_some());
    }

    #[test]
    fn who_is_being_answered_stays_and_who_never_asked_goes_first() {
        let callers = Callers::new(Duration::ZERO, 1024);
        let all: Vec<_> = (0..LOOKERS_EACH)
            .map(|_| come(&callers, 7, false).expect("a place"))
            .collect();
        all[0].0.begin();
        all[1].0.begin();
        all[1].0.end();
        let newcomer = come(&callers, 7, false).expect("a place");
        assert!(newcomer.0.begin() && !is_open(&all[2]) && is_open(&all[1]));
        assert!(!all[2].0.begin(), "its place is taken");
        all[3..].iter().for_each(|pair| assert!(pair.0.begin()));
        let _second = come(&callers, 7, false).expect("a place");
        assert!(!is_open(&all[1]), "silent, although it has asked before");
        let third = come(&callers, 7, false).expect("a place");
        assert!(third.0.begin() && is_open(&all[0]));
        assert!(come(&callers, 7, false).is_none(), "all are being answered");
    }
}
