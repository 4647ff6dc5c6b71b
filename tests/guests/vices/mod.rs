//! Guests that misbehave: each one runs beside two well-behaved guests, while the body moves, for as long as it may.
//! Whatever it does, the board must receive the same as without it.

mod asks;
mod files;
mod hooks;
mod scores;

use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use check::{CheckInput, CheckOptions, check};
use description::{Robot, RobotSource, load};
use guests::{CodeForm, End, Grant, GuestId, GuestLife, LoadOptions};
use tests::rig::{Plan, Rig, check_options, everything, with_rig};

use crate::text::guest;

/// What must happen to it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fate {
    /// It is not admitted; this is in the error.
    Refused(&'static str),
    /// It ends by itself, for this reason; this is in the details.
    Ends(End, &'static str),
    /// It goes on until it is ended; this is in the details then.
    Stays(&'static str),
    /// A score that never sleeps: it goes on until it is ended, or until its fuel is used up.
    Tires,
    /// It goes on or ends; both are allowed.
    Whatever,
}

/// A corpus: names, guests, fates. Every line makes three tests: one for each form, and one for `check`.
macro_rules! corpus {
    ($($name:ident: $guest:expr => $fate:expr;)*) => {
        fn find(name: &str) -> (Vec<u8>, crate::vices::Fate) {
            match name {
                $(stringify!($name) => ($guest, $fate),)*
                _ => panic!("{name} is not in the corpus"),
            }
        }

        pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),*];

        $(mod $name {
            #[test]
            fn in_place() {
                let (guest, fate) = super::find(stringify!($name));
                crate::vices::beside(guests::CodeForm::InPlace, &guest, fate);
            }

            #[test]
            fn calls() {
                let (guest, fate) = super::find(stringify!($name));
                crate::vices::beside(guests::CodeForm::Calls, &guest, fate);
            }

            #[test]
            fn checked() {
                let (guest, fate) = super::find(stringify!($name));
                crate::vices::check_gives_a_verdict(&guest, fate);
            }
        })*
    };
}
use corpus;

#[test]
fn there_are_more_than_forty_kinds_of_misbehaviour() {
    let all = [asks::NAMES, files::NAMES, hooks::NAMES, scores::NAMES];
    let count: usize = all.iter().map(|item| item.len()).sum();
    println!("{count} guests with vices");
    assert!(count >= 100, "only {count}");
}

/// Turns of a run.
fn turns() -> usize {
    if tests::effort() == 1 { 120 } else { 10_000 }
}

/// The turn in which the misbehaving guest is loaded.
const ENTRANCE: usize = 10;

/// The number of joints: all of them are driven by the well-behaved two.
const JOINTS: u32 = 4;

/// Moves J0 and J1, and posts events.
const LEADER: &str = r#"
    (memory (export "memory") 1) (data (i32.const 0) "pulse")
    (global $topic (mut i32) (i32.const 0))
    (func (export "start") (global.set $topic (call $events.topic (i32.const 0) (i32.const 5))))
    (func (export "pre-process")
      (drop (call $commands.set (i32.const 0)
        (f64.mul (f64.convert_i64_u (call $clock.turn)) (f64.const 0.25)) (call $clock.now)))
      (drop (call $commands.put (i32.const 1)
        (f64.convert_i64_u (i64.rem_u (call $clock.turn) (i64.const 50)))
        (i64.add (call $clock.now) (i64.const 5000000)) (i32.const 2)))
      (drop (call $events.post (global.get $topic) (f64.convert_i64_u (call $clock.turn)))))"#;

/// Moves J2 and J3 by what it receives and reads.
const FOLLOWER: &str = r#"
    (memory (export "memory") 1) (data (i32.const 0) "pulse")
    (global $topic (mut i32) (i32.const 0))
    (global $heard (mut f64) (f64.const 0))
    (func (export "start") (global.set $topic (call $events.topic (i32.const 0) (i32.const 5))))
    (func (export "pre-process")
      (loop $all (if (call $events.next) (then
        (if (i32.eq (call $events.current-topic) (global.get $topic)) (then
          (global.set $heard (f64.add (f64.mul (global.get $heard) (f64.const 0.5))
            (call $events.current-value)))))
        (br $all))))
      (drop (call $commands.set (i32.const 2)
        (f64.add (global.get $heard) (call $sensors.read (i32.const 0))) (call $clock.now))))
    (func (export "post-process")
      (drop (call $commands.set (i32.const 3)
        (f64.mul (call $sensors.read (i32.const 1)) (f64.const 0.5))
        (i64.add (call $clock.now) (i64.const 2000000)))))"#;

/// The grant of a misbehaving guest: every joint, but with so low a priority that it has no effect beside the two.
fn little() -> Grant {
    Grant {
        fuel: 2_000_000,
        priority: 10.0,
        actuators: Some((0..JOINTS).collect()),
        ..everything()
    }
}

/// What the board was sent, turn by turn, bit by bit.
type Sent = Vec<Vec<u64>>;

/// The two well-behaved guests.
fn honest() -> &'static [Vec<u8>; 2] {
    static BYTES: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    BYTES.get_or_init(|| [guest(LEADER), guest(FOLLOWER)])
}

/// Runs the two for all turns; `meanwhile` is called before each.
fn play(rig: &mut Rig<'_, '_>, mut meanwhile: impl FnMut(&mut Rig<'_, '_>, usize)) -> Sent {
    let high = LoadOptions {
        priority: Some(50.0),
        ..LoadOptions::default()
    };
    let ids = honest().each_ref().map(|honest| {
        rig.load(honest, &everything(), &high)
            .expect("it is honest")
    });
    let mut sent = Vec::with_capacity(turns());
    for turn in 0..turns() {
        meanwhile(rig, turn);
        rig.sensed[0] = (turn * 7 % 13) as f64;
        rig.sensed[1] = (turn * 5 % 11) as f64 / 8.0;
        rig.turn();
        sent.push(rig.sent.iter().map(|value| value.to_bits()).collect());
    }
    for id in ids {
        assert_eq!(
            rig.fate(id),
            (GuestLife::Running, End::None),
            "an honest one"
        );
        assert_eq!(rig.status(id).figures.missed_events, 0);
    }
    sent
}

/// What is sent without any other guest.
fn alone(form: CodeForm) -> &'static Sent {
    static IN_PLACE: OnceLock<Sent> = OnceLock::new();
    static CALLS: OnceLock<Sent> = OnceLock::new();
    let kept = match form {
        CodeForm::InPlace => &IN_PLACE,
        CodeForm::Calls => &CALLS,
    };
    kept.get_or_init(|| with_rig(&plan(form), |rig| play(rig, |_, _| {})))
}

fn plan(form: CodeForm) -> Plan {
    Plan {
        // Nobody waits for a score that never sleeps.
        lockstep: None,
        ..Plan::of(form)
    }
}

/// Loads a guest beside the two; nothing that it does may have an effect.
pub(crate) fn beside(form: CodeForm, bytes: &[u8], fate: Fate) {
    let wanted = alone(form);
    with_rig(&plan(form), |rig| {
        let mut loaded: Option<GuestId> = None;
        let is_score = std::cell::Cell::new(false);
        let found = play(rig, |rig, turn| {
            if turn == ENTRANCE {
                loaded = bring(rig, bytes, fate);
                let score = |id| rig.status(id).world == guests::World::Score;
                is_score.set(loaded.is_some_and(score));
            }
            if is_score.get() {
                // It has a thread of its own, and gets time to do its worst.
                std::thread::sleep(Duration::from_micros(50));
            }
            if turn == turns() * 2 / 3
                && let (Some(id), Fate::Stays(_) | Fate::Tires | Fate::Whatever) = (loaded, fate)
            {
                if matches!(fate, Fate::Stays(_)) {
                    assert_eq!(
                        rig.fate(id),
                        (GuestLife::Running, End::None),
                        "{}",
                        told(rig, id)
                    );
                }
                let _ = rig.manager.end(id);
            }
        });
        let differs = found.iter().zip(wanted).position(|pair| pair.0 != pair.1);
        assert_eq!(differs, None, "the board noticed, in this turn");
        assert_eq!(found.len(), wanted.len());
        let Some(id) = loaded else { return };
        if is_score.get() {
            rig.until(usize::MAX, |rig| {
                std::thread::sleep(Duration::from_micros(50));
                rig.fate(id).0 == GuestLife::Gone
            });
        }
        let (life, end) = rig.fate(id);
        let told = told(rig, id);
        assert_eq!(life, GuestLife::Gone, "{told}");
        match fate {
            Fate::Ends(why, word) => {
                assert_eq!(end, why, "{told}");
                assert!(told.contains(word), "{told}");
            }
            Fate::Stays(word) => {
                assert_eq!(end, End::Stopped, "{told}");
                assert!(told.contains(word), "{told}");
            }
            Fate::Tires => {
                let wanted = [End::Stopped, End::OutOfFuel].contains(&end);
                assert!(wanted, "{end:?}: {told}");
            }
            Fate::Refused(_) | Fate::Whatever => {}
        }
    });
}

/// `check` reports something about any guest, and in time; and a guest that must be refused does not pass.
pub(crate) fn check_gives_a_verdict(bytes: &[u8], fate: Fate) {
    static DESK: LazyLock<Arc<Robot>> =
        LazyLock::new(|| Arc::new(load(&RobotSource::of("desk")).expect("it is shipped")));
    let terms = CheckOptions {
        play_for: Some(0.5),
        time_limit: Duration::from_secs(1),
        random_postures: 0,
        ..check_options()
    };
    let show = CheckInput {
        name: "vice",
        bytes,
    };
    let verdict = check(&DESK, &show, &terms).expect("a verdict").verdict;
    let fails = match fate {
        Fate::Refused(_) => true,
        Fate::Ends(why, _) => why.is_fault(),
        _ => false,
    };
    assert!(!(fails && verdict.passes), "{verdict:#?}");
    assert!(
        verdict.facts.took < 60.0,
        "it took {} s",
        verdict.facts.took
    );
}

fn bring(rig: &mut Rig<'_, '_>, bytes: &[u8], fate: Fate) -> Option<GuestId> {
    match (rig.load(bytes, &little(), &LoadOptions::default()), fate) {
        (Ok(_), Fate::Refused(_)) => panic!("it came in"),
        (Ok(id), _) => Some(id),
        (Err(error), Fate::Refused(word)) => {
            assert!(error.to_string().contains(word), "{error}");
            None
        }
        (Err(_), Fate::Whatever) => None,
        (Err(error), _) => panic!("it was refused: {error}"),
    }
}

/// The details of its end.
fn told(rig: &Rig<'_, '_>, id: GuestId) -> String {
    rig.status(id).figures.details
}
