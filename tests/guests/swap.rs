//! A new version takes over from an old one, while the body moves.

use cycle::Span;
use guests::{Choreography, End, Grant, GuestError, GuestId, GuestLife, Hook, LoadOptions};
use tests::rig::{FORMS, Plan, Rig, everything, with_rig};

use crate::both;
use crate::text::{guest, hears, with_manifest};

/// Holds J0 at this value.
fn holder(value: f64) -> Vec<u8> {
    guest(&format!(
        r#"(func (export "pre-process")
          (drop (call $commands.set (i32.const 0) (f64.const {value}) (call $clock.now))))"#
    ))
}

/// Counts its turns in place 3 of its state, shows them at J0, and continues from the stored number.
const COUNTER: &str = r#"
    (func (export "pre-process") (local $count f64)
      (local.set $count (call $state.kept (i32.const 3)))
      (if (f64.ne (local.get $count) (local.get $count)) (then (local.set $count (f64.const 0))))
      (local.set $count (f64.add (local.get $count) (f64.const 1)))
      (drop (call $state.keep (i32.const 3) (local.get $count)))
      (drop (call $commands.set (i32.const 0) (local.get $count) (call $clock.now))))"#;

fn load(rig: &mut Rig<'_, '_>, bytes: &[u8]) -> GuestId {
    rig.load(bytes, &everything(), &LoadOptions::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn swap(
    rig: &Rig<'_, '_>,
    old: GuestId,
    new: &Choreography,
    fade: Span,
) -> Result<GuestId, GuestError> {
    rig.manager
        .swap(old, new, &everything(), &LoadOptions::default(), fade)
}

fn prepare(rig: &Rig<'_, '_>, bytes: &[u8]) -> Choreography {
    rig.prepare(bytes, &everything())
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_new_one_takes_over_at_the_edge_of_the_next_turn() {
    both(|rig| {
        let old = load(rig, &holder(1.0));
        rig.turns(5);
        let new = prepare(rig, &holder(2.0));
        let new = swap(rig, old, &new, Span::ZERO).expect("a swap");
        assert_eq!(rig.sent[0], 1.0);
        let turn = rig.turn().turn;
        assert_eq!(rig.sent[0], 2.0);
        assert_eq!(rig.fate(new), (GuestLife::Running, End::None));
        assert_eq!(rig.status(new).figures.since, turn);
        rig.turns(2);
        assert_eq!(rig.fate(old), (GuestLife::Gone, End::Swapped));
        // It was not called in the turn in which the old version was.
        assert_eq!(
            rig.status(old).figures.hooks[Hook::PreProcess as usize].turn,
            turn - 1
        );
        assert_eq!(
            rig.status(new).figures.hooks[Hook::PreProcess as usize].calls,
            3
        );
    });
}

#[test]
fn a_new_version_has_the_name_of_the_old_one() {
    both(|rig| {
        let named = |value| with_manifest(holder(value), "name = \"bow\"");
        let old = load(rig, &named(1.0));
        let other = load(rig, &named(1.5));
        rig.turns(5);
        let new = prepare(rig, &named(2.0));
        let new = swap(rig, old, &new, Span::from_millis(100)).expect("a swap");
        rig.turn();
        let names = [old, other, new].map(|value| rig.status(value).name);
        assert_eq!(names, ["bow", "bow-2", "bow"]);
        assert_eq!(rig.manager.find("bow").expect("there"), new);
    });
}

#[test]
fn what_the_old_one_has_kept_the_new_one_finds() {
    both(|rig| {
        let old = load(rig, &guest(COUNTER));
        rig.turns(7);
        assert_eq!(rig.sent[0], 7.0);
        let version = prepare(rig, &guest(COUNTER));
        swap(rig, old, &version, Span::ZERO).expect("a swap");
        for count in 8..20 {
            rig.turn();
            assert_eq!(rig.sent[0], f64::from(count));
        }
    });
}

#[test]
fn in_start_there_is_nothing_kept_yet() {
    both(|rig| {
        let old = load(rig, &guest(COUNTER));
        rig.turns(7);
        let bytes = guest(
            r#"(func (export "start")
              (if (f64.eq (call $state.kept (i32.const 3)) (call $state.kept (i32.const 3)))
                (then (unreachable))))
            (func (export "pre-process"))"#,
        );
        let version = prepare(rig, &bytes);
        swap(rig, old, &version, Span::ZERO).expect("it finds nothing in `start`");
    });
}

#[test]
fn one_fades_into_the_other() {
    both(|rig| {
        let old = load(rig, &holder(0.0));
        rig.turns(5);
        let new = prepare(rig, &holder(100.0));
        swap(rig, old, &new, Span::from_millis(50)).expect("a swap");
        let mut before = 0.0;
        let mut between = 0;
        for _ in 0..60 {
            rig.turn();
            let sent = rig.sent[0];
            assert!(
                sent >= before && sent - before < 10.0,
                "from {before} to {sent}"
            );
            between += u32::from(sent > 1.0 && sent < 99.0);
            before = sent;
        }
        assert_eq!(before, 100.0);
        assert!(between > 30, "{between} turns in between");
        assert_eq!(rig.fate(old), (GuestLife::Gone, End::Swapped));
    });
}

#[test]
fn the_priority_goes_over_as_well() {
    both(|rig| {
        let old = load(rig, &holder(1.0));
        load(rig, &holder(7.0));
        rig.manager.set_priority(old, 60.0).expect("it is there");
        rig.turns(3);
        assert_eq!(rig.sent[0], 1.0);
        let new = prepare(rig, &holder(2.0));
        swap(rig, old, &new, Span::ZERO).expect("a swap");
        rig.turn();
        assert_eq!(rig.sent[0], 2.0);
    });
}

#[test]
fn a_paused_guest_is_replaced_by_a_paused_one() {
    both(|rig| {
        load(rig, &holder(7.0));
        let old = load(rig, &holder(1.0));
        rig.manager.set_priority(old, 60.0).expect("it is there");
        rig.turn();
        rig.manager.pause(old, true).expect("it is there");
        rig.turn();
        let new = prepare(rig, &holder(2.0));
        let new = swap(rig, old, &new, Span::ZERO).expect("a swap");
        rig.turns(3);
        assert_eq!((rig.sent[0], rig.fate(new).0), (7.0, GuestLife::Paused));
        rig.manager.pause(new, false).expect("it is there");
        rig.turns(2);
        assert_eq!((rig.sent[0], rig.fate(new).0), (2.0, GuestLife::Running));
    });
}

#[test]
fn when_the_new_one_breaks_in_start_the_old_one_goes_on() {
    both(|rig| {
        let old = load(rig, &guest(COUNTER));
        rig.turns(3);
        let broken = prepare(
            rig,
            &guest(r#"(func (export "start") (unreachable)) (func (export "pre-process"))"#),
        );
        let error = swap(rig, old, &broken, Span::ZERO).expect_err("it breaks");
        assert!(error.to_string().contains("unreachable"), "{error}");
        rig.turns(3);
        assert_eq!(
            (rig.sent[0], rig.fate(old)),
            (6.0, (GuestLife::Running, End::None))
        );
    });
}

#[test]
fn only_a_motion_takes_over_from_a_motion_that_is_there() {
    both(|rig| {
        let motion = load(rig, &holder(1.0));
        let other = prepare(rig, &holder(2.0));
        let score = prepare(rig, &guest(r#"(func (export "run"))"#));
        rig.turn();
        let error = swap(rig, motion, &score, Span::ZERO).expect_err("a score");
        assert!(matches!(error, GuestError::NoSwap), "{error}");
        let error = swap(rig, GuestId(99), &other, Span::ZERO).expect_err("nobody");
        assert!(matches!(error, GuestError::NoGuest(_)), "{error}");
        assert_eq!(rig.fate(motion), (GuestLife::Running, End::None));
    });
}

#[test]
fn in_ten_thousand_swaps_every_turn_has_exactly_one_version_and_no_gap() {
    let swaps = if tests::effort() == 1 { 1_000 } else { 10_000 };
    for form in FORMS {
        with_rig(&Plan::of(form), |rig| {
            // The listener counts the guests that post in a turn, and shows the number at J3.
            load(
                rig,
                &guest(
                    &(hears(1)
                        + r#"(func (export "pre-process") (local $heard f64)
                      (loop $all (if (call $events.next) (then
                        (local.set $heard (f64.add (local.get $heard) (f64.const 1))) (br $all))))
                      (drop (call $commands.set (i32.const 3) (local.get $heard) (call $clock.now))))"#),
                ),
            );
            // Each version shows the turn at J0, and its own number at J1.
            let version = |number: u32| {
                guest(&format!(
                    r#"(func (export "pre-process")
                      (drop (call $events.post (i32.const 0) (f64.const 1)))
                      (drop (call $commands.set (i32.const 0)
                        (f64.convert_i64_u (i64.rem_u (call $clock.turn) (i64.const 997))) (call $clock.now)))
                      (drop (call $commands.set (i32.const 1) (f64.const {number}) (call $clock.now))))"#
                ))
            };
            let versions = [0, 1].map(|i| prepare(rig, &version(i)));
            let mut id = load(rig, &version(1));
            rig.turns(2);
            for number in 0..swaps {
                let which = number % 2;
                id = swap(rig, id, &versions[which], Span::ZERO).expect("a swap");
                let turn = rig.turn().turn;
                assert_eq!(
                    rig.sent[0],
                    (turn % 997) as f64,
                    "a gap after {number} swaps"
                );
                assert_eq!(rig.sent[1], which as f64);
                assert_eq!(rig.sent[3], 1.0, "so many spoke after {number} swaps");
            }
            rig.turns(2);
            assert_eq!(rig.scheduler.len(), 2);
            assert_eq!(rig.fate(id), (GuestLife::Running, End::None));
        });
    }
}

/// A grant up to this priority.
fn up_to(priority: f64) -> Grant {
    Grant {
        priority,
        ..everything()
    }
}

#[test]
fn the_priority_that_goes_over_is_no_more_than_the_new_ones_own_grant() {
    both(|rig| {
        let options = |priority| LoadOptions {
            priority,
            ..LoadOptions::default()
        };
        // The priority in its manifest applies only if it is loaded, not swapped in.
        let new = prepare(rig, &with_manifest(holder(2.0), "priority = 7.0"));
        for (granted, asked, given) in [
            (100.0, None, 60.0),
            (60.0, None, 60.0),
            (40.0, None, 40.0),
            (100.0, Some(20.0), 20.0),
            (100.0, Some(70.0), 70.0),
            (40.0, Some(40.0), 40.0),
        ] {
            let old = load(rig, &holder(1.0));
            rig.manager.set_priority(old, 60.0).expect("it is there");
            rig.turns(2);
            let grant = up_to(granted);
            let swapped = rig
                .manager
                .swap(old, &new, &grant, &options(asked), Span::ZERO)
                .expect("a swap");
            rig.turn();
            assert_eq!(rig.status(swapped).figures.priority, given);
            let more = rig.manager.set_priority(swapped, granted + 1.0);
            assert!(matches!(more, Err(GuestError::Priority { .. })), "{more:?}");
            rig.manager.end(swapped).expect("it is there");
            rig.turns(2);
        }
        let old = load(rig, &holder(1.0));
        rig.turn();
        let more = rig
            .manager
            .swap(old, &new, &up_to(40.0), &options(Some(41.0)), Span::ZERO);
        let more = more.expect_err("more than its grant").to_string();
        assert!(more.contains("a priority of 40 at most"), "{more}");
        rig.turn();
        assert_eq!(rig.fate(old), (GuestLife::Running, End::None));
    });
}

#[test]
fn a_version_that_replaces_a_paused_one_has_no_effect_in_any_turn() {
    both(|rig| {
        load(rig, &holder(7.0));
        let old = load(rig, &holder(1.0));
        rig.manager.set_priority(old, 60.0).expect("it is there");
        rig.manager.pause(old, true).expect("it is there");
        rig.turns(3);
        assert_eq!(rig.sent[0], 7.0);
        let at_once = r#"(func (export "start") (drop (call $lane.set-priority (f64.const 90)))
            (drop (call $commands.set (i32.const 0) (f64.const 2) (call $clock.now))))
            (func (export "pre-process"))"#;
        let new = prepare(rig, &with_manifest(guest(at_once), "fade-in = 0"));
        let new = swap(rig, old, &new, Span::ZERO).expect("a swap");
        for _ in 0..10 {
            rig.turn();
            assert_eq!((rig.sent[0], rig.fate(new).0), (7.0, GuestLife::Paused));
        }
        rig.manager.pause(new, false).expect("it is there");
        // The joint is somewhere else: it returns, and does not jump.
        rig.turns(2);
        assert!(rig.sent[0] < 7.0 && rig.sent[0] > 2.0, "{}", rig.sent[0]);
        rig.turns(5);
        assert_eq!(rig.sent[0], 2.0);
    });
}

#[test]
fn a_version_that_replaces_a_waiting_one_is_paused_if_that_was_and_has_its_priority() {
    both(|rig| {
        load(rig, &holder(7.0));
        rig.turn();
        rig.cycle.stage().hold().expect("it runs");
        rig.turns(3);
        let old = load(rig, &holder(1.0));
        rig.manager.set_priority(old, 60.0).expect("it is there");
        rig.manager.pause(old, true).expect("it is there");
        rig.turn();
        let new = prepare(rig, &with_manifest(holder(2.0), "fade-in = 0"));
        let new = rig
            .manager
            .swap(old, &new, &up_to(40.0), &LoadOptions::default(), Span::ZERO);
        let new = new.expect("a swap");
        rig.turns(2);
        assert_eq!(rig.fate(old), (GuestLife::Gone, End::Swapped));
        rig.cycle.stage().resume().expect("it holds");
        rig.until(50, |rig| rig.fate(new).0 == GuestLife::Paused);
        for _ in 0..10 {
            rig.turn();
            assert_eq!((rig.sent[0], rig.fate(new).0), (7.0, GuestLife::Paused));
        }
        assert_eq!(rig.status(new).figures.priority, 40.0);
        rig.manager.pause(new, false).expect("it is there");
        rig.turns(2);
        assert_eq!(rig.sent[0], 2.0);
    });
}

#[test]
fn a_fade_of_more_than_a_minute_is_refused_in_words() {
    both(|rig| {
        let old = load(rig, &holder(1.0));
        rig.turn();
        let new = prepare(rig, &holder(2.0));
        for fade in [Span::from_millis(60_001), Span::from_nanos(u64::MAX)] {
            let refused = swap(rig, old, &new, fade).expect_err("too long");
            assert_eq!(refused.to_string(), "a swap fades for a minute at most");
        }
        rig.turns(2);
        assert_eq!(rig.fate(old), (GuestLife::Running, End::None));
        let new = swap(rig, old, &new, Span::from_millis(60_000)).expect("a minute");
        rig.turns(2);
        assert_eq!(rig.fate(new), (GuestLife::Running, End::None));
    });
}
