//! Random comings and goings, and what must hold whatever comes.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{AdmittedConnection, Answering, BEYOND_MAX, Connections, Origin};

const MOST: usize = 40;
const EACH: usize = 12;

fn address(last: u8) -> Origin {
    Origin::Address(IpAddr::V4(Ipv4Addr::new(10, 0, 0, last)))
}

/// Whether somebody else got its place.
fn is_displaced(connection: &AdmittedConnection) -> bool {
    !connection
        .connections
        .open
        .lock()
        .expect("a table")
        .contains_key(&connection.number)
}

/// A connection as a test holds it.
struct Held {
    connection: Arc<AdmittedConnection>,
    origin: Origin,
    is_known: bool,
    request: Option<(Answering, Instant)>,
}

impl Held {
    /// These stay.
    fn stays(&self, now: Instant) -> bool {
        let in_time = |since| self.is_known || now - since <= Duration::from_secs(2);
        self.request
            .as_ref()
            .is_some_and(|request| in_time(request.1))
    }
}

#[test]
fn whoever_is_being_answered_stays_and_the_table_is_bounded() {
    let mut random = fastrand::Rng::with_seed(23);
    for _ in 0..200 {
        let all = Connections::new(MOST, EACH);
        let mut now = Instant::now();
        let mut held: Vec<Held> = Vec::new();
        for _ in 0..400 {
            now += Duration::from_millis(random.u64(0..200));
            match random.u8(0..10) {
                0..5 => {
                    let origin = match random.u8(0..9) {
                        last @ 0..6 => address(last),
                        user @ 6..8 => Origin::User(Some(u32::from(user)), false),
                        _ => Origin::User(Some(0), true),
                    };
                    let own =
                        |held: &&Held| held.origin == origin && !is_displaced(&held.connection);
                    let own_stay = held.iter().filter(own).all(|held| held.stays(now));
                    let own = held.iter().filter(own).count();
                    let admitted = all.admit(origin, now);
                    if origin == Origin::User(Some(0), true) && own < EACH {
                        let admitted = admitted.as_ref().expect("the owner is let in");
                        assert!(!admitted.is_beyond);
                    }
                    if own >= EACH && own_stay {
                        assert!(admitted.as_ref().is_none_or(|admitted| admitted.is_beyond));
                    }
                    held.extend(admitted.map(|connection| Held {
                        connection,
                        origin,
                        is_known: false,
                        request: None,
                    }));
                }
                5 if !held.is_empty() => {
                    let place = random.usize(0..held.len());
                    held.swap_remove(place);
                }
                act if !held.is_empty() => {
                    let place = random.usize(0..held.len());
                    let held = &mut held[place];
                    // One request after the other, as over HTTP.
                    held.request = None;
                    held.request = match (act, is_displaced(&held.connection)) {
                        (6..8, false) => Some((held.connection.answering(now), now)),
                        _ => None,
                    };
                    if random.bool() {
                        held.connection.is_of_a_known_caller();
                        held.is_known = true;
                    }
                }
                _ => {}
            }
            for held in &held {
                // `since` of a request that ended is the real time, which is earlier here: such ones are silent longer.
                assert!(!held.stays(now) || !is_displaced(&held.connection));
            }
            held.retain(|item| !is_displaced(&item.connection));
            let (open, ..) = all.figures();
            assert_eq!(open, held.len());
            assert!(open <= 2 * MOST + BEYOND_MAX + EACH, "{open}");
        }
    }
}

#[test]
fn silent_strangers_go_before_others_those_of_whom_has_most_and_the_oldest_first() {
    let all = Connections::new(MOST, EACH);
    let now = Instant::now();
    let later = |item| now + Duration::from_millis(item);
    let known = all.admit(address(9), now).expect("a place");
    known.is_of_a_known_caller();
    let quiet = all.admit(address(8), now).expect("a place");
    let crowd: Vec<_> = (0..EACH as u64)
        .map(|i| all.admit(address(1), later(i)).expect("a place"))
        .collect();
    // One address has all of its places: its own oldest goes.
    let next = all.admit(address(1), later(50)).expect("a place");
    assert!(!next.is_beyond && is_displaced(&crowd[0]) && !is_displaced(&crowd[1]));
    // All places are taken: of whom has most.
    let rest: Vec<_> = (0..MOST - EACH - 2)
        .map(|i| {
            let last = 20 + (i / 6) as u8;
            all.admit(address(last), later(60)).expect("a place")
        })
        .collect();
    let newcomer = all.admit(address(77), later(70)).expect("a place");
    assert!(!newcomer.is_beyond && is_displaced(&crowd[1]));
    assert!(!rest.iter().any(|item| is_displaced(item)));
    assert!(!is_displaced(&known) && !is_displaced(&quiet));
}

#[test]
fn beyond_the_limit_there_are_places_to_stop_the_body() {
    let all = Connections::new(MOST, MOST);
    let now = Instant::now();
    let busy: Vec<_> = (0..MOST)
        .map(|_| {
            let connection = all.admit(address(1), now).expect("a place");
            connection.is_of_a_known_caller();
            connection.answering(now)
        })
        .collect();
    let beyond: Vec<_> = (0..BEYOND_MAX)
        .map(|_| all.admit(address(2), now).expect("a place"))
        .collect();
    assert!(beyond[0].is_beyond, "nobody can make room");
    // Those are silent themselves: the oldest of them makes room.
    let next = all.admit(address(2), now).expect("a place");
    assert!(is_displaced(&beyond[0]) && !busy.is_empty());
    assert!(
        next.is_beyond,
        "who comes in its place can do no more than it"
    );
}

#[test]
fn one_network_of_ipv6_is_one_origin() {
    let all = Connections::new(MOST, 2);
    let now = Instant::now();
    let of = |last| {
        let address = Ipv6Addr::new(0x2001, 0xdb8, 1, 2, 0, 0, 0, last);
        Origin::Address(IpAddr::V6(address))
    };
    let first = all.admit(of(1), now).expect("a place");
    let _second = all.admit(of(2), now).expect("a place");
    let _third = all.admit(of(3), now).expect("a place");
    assert!(is_displaced(&first));
}
