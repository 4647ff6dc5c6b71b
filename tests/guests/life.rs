//! A guest's life: loaded, armed, running, paused, ending, gone; and the requests that are possible meanwhile.

use guests::{End, GuestError, GuestId, GuestLife, Level, LoadOptions};
use tests::rig::{Plan, Rig, everything, with_rig};

use crate::both;
use crate::text::{guest, module, with_manifest};

/// Shows the turn at J0, and at J1 how often it was called.
const RUNNER: &str = r#"
    (global $calls (mut f64) (f64.const 0))
    (func (export "pre-process")
      (global.set $calls (f64.add (global.get $calls) (f64.const 1)))
      (drop (call $commands.set (i32.const 0)
        (f64.convert_i64_u (call $clock.turn)) (call $clock.now)))
      (drop (call $commands.set (i32.const 1) (global.get $calls) (call $clock.now))))"#;

/// Shows its parameter at J2.
const TURNABLE: &str = r#"
    (memory (export "memory") 1) (data (i32.const 0) "speed")
    (global $speed (mut i32) (i32.const 0))
    (func (export "start") (global.set $speed
      (call $params.declare (i32.const 0) (i32.const 5) (f64.const -1) (f64.const 2) (f64.const 10))))
    (func (export "pre-process")
      (drop (call $commands.set (i32.const 2) (call $params.get (global.get $speed)) (call $clock.now))))"#;

/// Writes a line in each phase of its life.
const TALKER: &str = r#"
    (memory (export "memory") 1) (data (i32.const 0) "startprestop")
    (global $said (mut i32) (i32.const 0))
    (func (export "start") (drop (call $log.write (i32.const 0) (i32.const 0) (i32.const 5))))
    (func (export "pre-process")
      (if (i32.eqz (global.get $said)) (then
        (drop (call $log.write (i32.const 1) (i32.const 5) (i32.const 3)))))
      (global.set $said (i32.const 1)))
    (func (export "stop") (drop (call $log.write (i32.const 2) (i32.const 8) (i32.const 4))))"#;

fn load(rig: &mut Rig<'_, '_>, bytes: &[u8], options: &LoadOptions) -> GuestId {
    rig.load(bytes, &everything(), options)
        .unwrap_or_else(|error| panic!("{error}"))
}

fn life(rig: &Rig<'_, '_>, id: GuestId) -> GuestLife {
    rig.fate(id).0
}

#[test]
fn from_armed_to_gone() {
    both(|rig| {
        rig.cycle.stage().hold().expect("it runs");
        rig.turn();
        let bytes = with_manifest(guest(RUNNER), "fade-out = 5");
        let id = load(rig, &bytes, &LoadOptions::default());
        assert_eq!(life(rig, id), GuestLife::Armed);
        // It waits until the body runs.
        rig.turns(5);
        assert_eq!((life(rig, id), rig.sent[1]), (GuestLife::Armed, 0.0));
        rig.cycle.stage().resume().expect("it holds");
        rig.until(50, |rig| life(rig, id) == GuestLife::Running);
        rig.turns(3);
        assert!(rig.sent[1] >= 3.0);
        rig.manager.end(id).expect("it is there");
        let calls = rig.sent[1];
        rig.turns(2);
        assert_eq!(rig.fate(id), (GuestLife::Ending, End::Stopped));
        rig.turns(6);
        assert_eq!(rig.fate(id), (GuestLife::Gone, End::Stopped));
        assert_eq!(rig.status(id).figures.hooks[1].calls, calls as u64);
        assert!(rig.scheduler.is_empty());
    });
}

#[test]
fn start_and_stop_are_called_once_and_what_is_said_is_heard() {
    both(|rig| {
        let named = LoadOptions {
            name: Some("talker".to_owned()),
            ..LoadOptions::default()
        };
        let id = load(rig, &guest(TALKER), &named);
        rig.turns(5);
        rig.manager.end(id).expect("it is there");
        rig.turns(5);
        let said: Vec<_> = std::iter::from_fn(|| rig.manager.said())
            .map(|value| (value.guest, value.level, value.text))
            .collect();
        let line = |level, text: &str| ("talker".to_owned(), level, text.to_owned());
        let wanted = [
            line(Level::Debug, "start"),
            line(Level::Info, "pre"),
            line(Level::Warning, "stop"),
        ];
        assert_eq!(said, wanted);
    });
}

#[test]
fn a_guest_that_never_started_can_be_ended_as_well() {
    both(|rig| {
        rig.cycle.stage().hold().expect("it runs");
        let id = load(rig, &guest(TALKER), &LoadOptions::default());
        rig.turns(2);
        rig.manager.end(id).expect("it is there");
        rig.turns(2);
        assert_eq!(rig.fate(id), (GuestLife::Gone, End::Stopped));
        assert!(matches!(rig.manager.end(id), Err(GuestError::NoGuest(_))));
    });
}

#[test]
fn a_paused_guest_is_not_called_and_has_no_effect_until_it_is_resumed() {
    both(|rig| {
        let id = load(rig, &guest(RUNNER), &LoadOptions::default());
        rig.turns(3);
        rig.manager.pause(id, true).expect("it is there");
        rig.turn();
        assert_eq!(life(rig, id), GuestLife::Paused);
        let paused = rig.sent.clone();
        rig.turns(10);
        assert_eq!(rig.sent, paused);
        rig.manager.pause(id, false).expect("it is there");
        rig.turns(2);
        assert_eq!(
            (life(rig, id), rig.sent[1]),
            (GuestLife::Running, paused[1] + 2.0)
        );
    });
}

/// Between two turns nobody sees the body without force.
#[test]
fn a_guest_is_paused_even_if_the_body_is_armed_in_the_turn_in_which_it_was_disarmed() {
    both(|rig| {
        let id = load(rig, &guest(RUNNER), &LoadOptions::default());
        rig.turns(3);
        rig.cycle.stage().disarm().expect("it runs");
        rig.cycle.stage().arm().expect("it is ready");
        rig.turn();
        assert_eq!(life(rig, id), GuestLife::Paused);
        rig.until(500, |rig| {
            rig.cycle.stage().state() == cycle::State::Running
        });
        let paused = rig.sent.clone();
        rig.turns(10);
        assert_eq!((life(rig, id), rig.sent[1]), (GuestLife::Paused, paused[1]));
    });
}

/// Says 20 times that it lives.
const LIVES: &str = r#"(global $left (mut i32) (i32.const 20)) (global $calls (mut f64) (f64.const 0))
    (func (export "pre-process")
      (global.set $calls (f64.add (global.get $calls) (f64.const 1)))
      (drop (call $commands.set (i32.const 2) (global.get $calls) (call $clock.now))))
    (func (export "is-alive") (result i32)
      (global.set $left (i32.sub (global.get $left) (i32.const 1)))
      (i32.gt_s (global.get $left) (i32.const 0)))"#;

#[test]
fn who_is_paused_or_below_all_others_is_not_called_but_can_end() {
    for is_paused in [true, false] {
        both(|rig| {
            let id = rig.guest(&module(LIVES));
            rig.turns(5);
            let sent = rig.sent[2];
            assert_eq!(sent, 5.0);
            let told = match is_paused {
                true => rig.manager.pause(id, true),
                false => rig.manager.set_priority(id, -1.0).map(drop),
            };
            told.expect("it is there");
            // Asked in five turns so far; its twentieth answer ends it, though its lane has no effect any more.
            rig.turns(14);
            assert!(matches!(
                life(rig, id),
                GuestLife::Paused | GuestLife::Running
            ));
            rig.turns(3);
            assert_eq!(rig.fate(id), (GuestLife::Gone, End::Finished));
            assert_eq!(
                rig.status(id).figures.hooks[guests::Hook::PreProcess as usize].calls,
                5
            );
        });
    }
}

#[test]
fn a_priority_given_to_who_is_paused_counts_when_it_is_resumed() {
    both(|rig| {
        load(rig, &guest(TURNABLE), &LoadOptions::default());
        let id = rig.guest(&module(
            r#"(func (export "pre-process")
              (drop (call $commands.set (i32.const 2) (f64.const 77) (call $clock.now))))"#,
        ));
        rig.manager.pause(id, true).expect("it is there");
        rig.turns(2);
        assert_eq!(rig.sent[2], 2.0);
        rig.manager.set_priority(id, 50.0).expect("it is there");
        rig.turns(3);
        assert_eq!((rig.sent[2], life(rig, id)), (2.0, GuestLife::Paused));
        rig.manager.pause(id, false).expect("it is there");
        rig.turns(2);
        assert_eq!(rig.sent[2], 77.0);
    });
}

#[test]
fn a_parameter_is_turned_while_it_runs() {
    both(|rig| {
        let id = load(rig, &guest(TURNABLE), &LoadOptions::default());
        rig.turns(2);
        assert_eq!(rig.sent[2], 2.0);
        assert_eq!(rig.manager.turn(id, "speed", 7.5).expect("it has it"), 7.5);
        assert_eq!(rig.sent[2], 2.0);
        rig.turn();
        assert_eq!(rig.sent[2], 7.5);
        assert_eq!(
            rig.manager.turn(id, "speed", 99.0).expect("it has it"),
            10.0
        );
        rig.turn();
        assert_eq!(rig.sent[2], 10.0);
        assert_eq!(rig.status(id).params[0].1, 10.0);
        let error = rig.manager.turn(id, "sped", 1.0).expect_err("a slip");
        assert!(
            error.to_string().ends_with("its parameters are speed"),
            "{error}"
        );
        let error = rig
            .manager
            .turn(id, "speed", f64::NAN)
            .expect_err("no number");
        assert!(matches!(error, GuestError::Figure(_)), "{error}");
    });
}

#[test]
fn a_parameter_may_be_set_at_load_if_the_guest_has_it() {
    both(|rig| {
        let options = |name: &str| LoadOptions {
            params: vec![(name.to_owned(), 3.0)],
            ..LoadOptions::default()
        };
        load(rig, &guest(TURNABLE), &options("speed"));
        rig.turns(2);
        assert_eq!(rig.sent[2], 3.0);
        let error = rig.load(&guest(TURNABLE), &everything(), &options("height"));
        let error = error.expect_err("it has no height");
        assert!(
            error
                .to_string()
                .ends_with("no parameter `height`; fix: its parameters are speed"),
            "{error}"
        );
    });
}

#[test]
fn a_guest_that_finishes_ends_and_so_does_one_with_nothing_left_to_do() {
    both(|rig| {
        let finishes = rig.guest(&module(
            r#"(func (export "pre-process")
              (if (i64.ge_u (call $clock.turn) (i64.const 20)) (then (drop (call $lane.finish)))))"#,
        ));
        // A guest without a hook in the turn: its `start` commanded a movement of 30 turns.
        let moves = rig.guest(&module(
            r#"(func (export "start")
              (drop (call $commands.set (i32.const 3) (f64.const 5) (call $clock.now)))
              (drop (call $commands.set (i32.const 3) (f64.const 30)
                (i64.add (call $clock.now) (i64.const 30000000)))))"#,
        ));
        rig.turns(10);
        assert_eq!(
            (life(rig, finishes), life(rig, moves)),
            (GuestLife::Running, GuestLife::Running)
        );
        rig.turns(15);
        assert_eq!(rig.fate(finishes), (GuestLife::Gone, End::Finished));
        assert_eq!(life(rig, moves), GuestLife::Running);
        rig.turns(10);
        assert_eq!(rig.fate(moves), (GuestLife::Gone, End::Finished));
        assert_eq!(rig.sent[3], 30.0);
    });
}

#[test]
fn there_is_one_of_each_name_and_it_is_found_by_name_or_number() {
    both(|rig| {
        let first = load(
            rig,
            &with_manifest(guest(RUNNER), "name = \"bow\""),
            &LoadOptions::default(),
        );
        let second = load(
            rig,
            &with_manifest(guest(RUNNER), "name = \"bow\""),
            &LoadOptions::default(),
        );
        let third = load(rig, &guest(RUNNER), &LoadOptions::default());
        rig.turn();
        let name = |id| rig.status(id).name;
        assert_eq!([first, second, third].map(name), ["bow", "bow-2", "guest"]);
        assert_eq!(rig.manager.find("bow-2").expect("there"), second);
        assert_eq!(
            rig.manager.find(&third.0.to_string()).expect("there"),
            third
        );
        let error = rig.manager.find("waltz").expect_err("nobody");
        assert_eq!(
            error.to_string(),
            "there is no guest `waltz`; fix: `dcm-run ps` lists the guests"
        );
    });
}

#[test]
fn there_is_an_end_to_how_many_there_are_and_room_again_when_one_is_gone() {
    let plan = Plan {
        lanes: 300,
        room: 16,
        ..Plan::of(guests::CodeForm::InPlace)
    };
    with_rig(&plan, |rig| {
        let choreography = rig.prepare(&guest(RUNNER), &everything()).expect("a guest");
        let bring = |rig: &Rig<'_, '_>| {
            let loaded = rig
                .manager
                .load(&choreography, &everything(), &LoadOptions::default());
            loaded.map_err(|error| error.to_string())
        };
        let mut ids = Vec::new();
        let refused = loop {
            match bring(rig) {
                Ok(id) => ids.push(id),
                Err(error) => break error,
            }
            rig.turn();
        };
        assert!(ids.len() >= guests::GUESTS - 1, "only {}", ids.len());
        assert!(refused.ends_with("fix: stop one"), "{refused}");
        rig.manager.end(ids[7]).expect("it is there");
        rig.turns(2);
        bring(rig).expect("there is room again");
        rig.turns(3);
        assert_eq!(rig.scheduler.len(), ids.len());
    });
}

#[test]
fn many_who_come_at_once_are_no_more_than_there_may_be() {
    let plan = Plan {
        lanes: 300,
        room: 16,
        ..Plan::of(guests::CodeForm::InPlace)
    };
    with_rig(&plan, |rig| {
        // Its `start` takes long: a guest that is counted meanwhile is counted too early.
        let slow = guest(
            r#"(func (export "start") (local $left i32) (local.set $left (i32.const 1500000))
              (loop $on (local.set $left (i32.sub (local.get $left) (i32.const 1)))
                (br_if $on (local.get $left))))
            (func (export "pre-process"))"#,
        );
        let slow = rig.prepare(&slow, &everything()).expect("a guest");
        let choreography = rig.prepare(&guest(RUNNER), &everything()).expect("a guest");
        for _ in 0..guests::GUESTS - 4 {
            let loaded = rig
                .manager
                .load(&choreography, &everything(), &LoadOptions::default());
            loaded.expect("there is room");
        }
        rig.turns(3);
        let manager = rig.manager;
        let all_at_once = std::sync::Barrier::new(16);
        let came = std::thread::scope(|scope| {
            let bring = || {
                all_at_once.wait();
                manager
                    .load(&slow, &everything(), &LoadOptions::default())
                    .is_ok()
            };
            let all: Vec<_> = (0..16).map(|_| scope.spawn(bring)).collect();
            all.into_iter()
                .filter_map(|path| path.join().ok())
                .filter(|item| *item)
                .count()
        });
        assert!(came <= 3, "{came} came in");
        rig.turns(3);
        assert!(rig.scheduler.len() < guests::GUESTS);
    });
}

#[test]
fn lines_from_before_a_trap_in_start_are_logged() {
    let breaks = |how: &str| {
        guest(&format!(
            r#"(memory (export "memory") 1) (data (i32.const 0) "no such joint: Tail")
            (func (export "start") (drop (call $log.write (i32.const 2) (i32.const 0) (i32.const 19)))
              {how}) (func (export "pre-process"))"#
        ))
    };
    both(|rig| {
        let options = LoadOptions::default();
        for (how, why) in [
            ("(unreachable)", "unreachable"),
            ("(loop $on (br $on))", "more fuel"),
        ] {
            let error = rig.load(&breaks(how), &everything(), &options);
            let error = error.expect_err("it breaks").to_string();
            assert!(error.contains(why), "{error}");
            assert!(error.ends_with("it said: no such joint: Tail"), "{error}");
        }
        let missing = LoadOptions {
            params: vec![("speed".to_owned(), 1.0)],
            ..options
        };
        let error = rig.load(&breaks(""), &everything(), &missing);
        let error = error.expect_err("it has none").to_string();
        assert!(error.ends_with("it said: no such joint: Tail"), "{error}");
        rig.turns(2);
        assert!(rig.scheduler.is_empty() && rig.manager.list().is_empty());
    });
}
