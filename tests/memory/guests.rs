//! A turn with guests allocates nothing and frees nothing; the turn in which one of them traps makes the two small
//! allocations of the error.

use cycle::Span;
use guests::{CodeForm, End, GuestId, GuestLife, LoadOptions};
use tests::rig::{FORMS, Plan, Rig, component, everything, with_rig};

use tests::allocator::{Counts, watch};

/// Makes one turn; returns allocations, bytes of the largest, and frees on the loop's thread.
fn watched(rig: &mut Rig<'_, '_>) -> [usize; 3] {
    // Memory of the thread that is never freed.
    let counts = Counts::new();
    watch(Some(counts));
    let turn = rig.turn_alone().turn;
    // In the loop, as the recorder does it.
    let there = rig.scheduler.guest_turns(turn).count() + rig.scheduler.inputs().0.len();
    watch(None);
    assert!(there < 4_096 && rig.scheduler.inputs().1);
    // What the loop has sent back is freed here, and not counted.
    rig.manager.housekeep();
    [counts.made(), counts.largest(), counts.freed()]
}

/// Reads 26 sensors, sends 26 commands; reads and posts events, stores numbers, reads parameters, and writes a line
/// sometimes. In the turn of this number it also does this.
fn busy(turn: u64, vice: &str) -> Vec<u8> {
    component(&format!(
        r#"(module
        (import "dcm/sensors" "read" (func $read (param i32) (result f64)))
        (import "dcm/sensors" "age" (func $age (param i32) (result i64)))
        (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
        (import "dcm/commands" "put" (func $put (param i32 f64 i64 i32) (result i32)))
        (import "dcm/commands" "waiting" (func $waiting (param i32) (result i32)))
        (import "dcm/bulk" "set-all" (func $all (param i32 i32) (result i32)))
        (import "dcm/lane" "set-weight" (func $weight (param f64) (result i32)))
        (import "dcm/lane" "is-hidden" (func $hidden (result i32)))
        (import "dcm/clock" "now" (func $now (result i64)))
        (import "dcm/clock" "turn" (func $turn (result i64)))
        (import "dcm/events" "post" (func $post (param i32 f64) (result i32)))
        (import "dcm/events" "next" (func $next (result i32)))
        (import "dcm/state" "keep" (func $keep (param i32 f64) (result i32)))
        (import "dcm/body" "find-actuator" (func $find (param i32 i32) (result i32)))
        (import "dcm/log" "write" (func $write (param i32 i32 i32) (result i32)))
        (memory (export "memory") 1) (data (i32.const 4096) "a line that is written")
        (func (export "pre-process") (local $i i32)
          (loop $on
            (drop (call $set (local.get $i) (call $read (local.get $i)) (call $now)))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br_if $on (i32.lt_u (local.get $i) (i32.const 26))))
          (drop (call $put (i32.const 0) (f64.const 1) (call $now) (i32.const 1)))
          (drop (call $waiting (i32.const 0)))
          (drop (call $all (i32.const 0) (i32.const 9)))
          (drop (call $weight (f64.const 0.5)))
          (drop (call $post (i32.const 0) (f64.const 1)))
          (drop (call $keep (i32.const 0) (f64.const 1)))
          (drop (call $find (i32.const 4096) (i32.const 7)))
          (if (i64.eqz (i64.and (call $turn) (i64.const 15))) (then
            (drop (call $write (i32.const 1) (i32.const 4096) (i32.const 22)))))
          (if (i64.eq (call $turn) (i64.const {turn})) (then {vice})))
        (func (export "post-process")
          (loop $all (br_if $all (call $next)))
          (drop (call $age (i32.const 3))) (drop (call $hidden)))
        (func (export "is-alive") (result i32) (i32.const 1)))"#
    ))
}

fn bring(rig: &mut Rig<'_, '_>, bytes: &[u8]) -> GuestId {
    let loaded = rig.load(bytes, &everything(), &LoadOptions::default());
    loaded.unwrap_or_else(|error| panic!("{error}"))
}

fn plan(form: CodeForm) -> Plan {
    Plan {
        joints: 26,
        ..Plan::of(form)
    }
}

#[test]
fn eight_busy_guests_allocate_nothing_and_one_that_breaks_next_to_nothing() {
    let turns = 1_000 * tests::effort();
    for form in FORMS {
        // In virtual time a trap is told with its function, which takes more.
        let plan = Plan {
            lockstep: None,
            ..plan(form)
        };
        with_rig(&plan, |rig| {
            rig.scheduler.log_inputs();
            // Turn, misbehaviour, end, and the number of the error's allocations. An error of the guest's own code has
            // two; an enum value that the contract does not have is reported with its number, which takes two more.
            let vices = [
                (100, "(loop $on (br $on))", End::OutOfFuel, 2),
                (200, "(unreachable)", End::Trap, 2),
                (
                    300,
                    "(drop (call $all (i32.const 0) (i32.const -1)))",
                    End::Trap,
                    2,
                ),
                (
                    400,
                    "(drop (call $put (i32.const 0) (f64.const 1) (call $now) (i32.const 9)))",
                    End::Trap,
                    4,
                ),
                (500, "(drop (i32.load (i32.const -1)))", End::Trap, 2),
            ];
            let quiet = busy(0, "");
            let good = [(); 3].map(|()| bring(rig, &quiet));
            let bad = vices.map(|(turn, vice, ..)| bring(rig, &busy(turn, vice)));
            // They are admitted, and one-time allocations are made.
            let mut turn = 0;
            while turn < 20 {
                turn = rig.turn().turn;
            }
            let mut at_breaks = Vec::new();
            while turn < turns {
                let counted = watched(rig);
                turn += 1;
                let breaks = vices.iter().find(|vice| vice.0 == turn);
                if let Some((.., most)) = breaks {
                    let [made, largest, freed] = counted;
                    // The error is made, and moved into another with its context.
                    assert!(
                        made <= *most && largest <= 64 && freed <= 1,
                        "turn {turn}: {counted:?}"
                    );
                    at_breaks.push(counted);
                } else {
                    assert_eq!(
                        counted, [0; 3],
                        "in turn {turn}: allocations, the largest, frees"
                    );
                }
                while rig.manager.said().is_some() {}
            }
            println!("{form:?}: allocations, the largest, frees, as guests broke: {at_breaks:?}");
            assert_eq!(at_breaks.len(), vices.len());
            for (id, (_, _, end, _)) in bad.into_iter().zip(vices) {
                assert_eq!(rig.fate(id), (GuestLife::Gone, end));
            }
            for id in good {
                assert_eq!(rig.fate(id), (GuestLife::Running, End::None));
            }
        });
    }
}

#[test]
fn coming_in_being_asked_and_going_allocate_nothing_in_the_turn() {
    for form in FORMS {
        with_rig(&plan(form), |rig| {
            rig.scheduler.log_inputs();
            let choreography = rig.prepare(&busy(0, ""), &everything()).expect("a guest");
            let (everything, options) = (everything(), LoadOptions::default());
            let load = |rig: &Rig<'_, '_>| {
                let loaded = rig.manager.load(&choreography, &everything, &options);
                loaded.unwrap_or_else(|error| panic!("{error}"))
            };
            let mut id = load(rig);
            rig.turns(20);
            for round in 0..200 {
                let other = load(rig);
                assert_eq!(watched(rig), [0; 3], "it came in");
                rig.manager.pause(other, true).expect("there");
                rig.manager.set_priority(other, 20.0).expect("there");
                assert_eq!(watched(rig), [0; 3], "it was paused");
                rig.manager.pause(other, false).expect("there");
                assert_eq!(watched(rig), [0; 3], "it was resumed");
                let fade = Span::from_millis(round % 4);
                let new = rig
                    .manager
                    .swap(id, &choreography, &everything, &options, fade);
                id = new.unwrap_or_else(|error| panic!("{error}"));
                for _ in 0..6 {
                    assert_eq!(watched(rig), [0; 3], "another version took over");
                }
                rig.manager.end(other).expect("there");
                for _ in 0..3 {
                    assert_eq!(watched(rig), [0; 3], "it went");
                }
                while rig.manager.said().is_some() {}
            }
        });
    }
}

#[test]
fn scores_are_taken_in_without_an_allocation() {
    with_rig(&plan(CodeForm::InPlace), |rig| {
        rig.scheduler.log_inputs();
        let score = component(
            r#"(module
            (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
            (import "dcm/clock" "now" (func $now (result i64)))
            (import "dcm/clock" "sleep-until" (func $sleep (param i64) (result i64)))
            (func (export "run") (local $i i64)
              (loop $on
                (drop (call $sleep (i64.add (call $now) (i64.const 1000000))))
                (drop (call $set (i32.const 1) (f64.convert_i64_u (local.get $i))
                  (i64.add (call $now) (i64.const 3000000))))
                (local.set $i (i64.add (local.get $i) (i64.const 1)))
                (br_if $on (i64.lt_u (local.get $i) (i64.const 200))))))"#,
        );
        let id = bring(rig, &score);
        for _ in 0..400 {
            assert_eq!(watched(rig), [0; 3]);
        }
        assert_eq!(rig.fate(id), (GuestLife::Gone, End::Finished));
        assert_eq!(rig.status(id).figures.commands, 200);
    });
}

#[test]
fn a_score_that_finds_no_way_into_the_loop_leaves_no_thread_behind() {
    // A score's thread has a name of its own.
    let scores = || {
        let all = std::fs::read_dir("/proc/self/task")
            .expect("a list")
            .flatten();
        let names = all.filter_map(|item| std::fs::read_to_string(item.path().join("comm")).ok());
        names.filter(|name| name.trim() == "score").count()
    };
    let sleeper = component(
        r#"(module
        (import "dcm/clock" "sleep-until" (func $sleep (param i64) (result i64)))
        (func (export "run") (drop (call $sleep (i64.const -1)))))"#,
    );
    with_rig(&plan(CodeForm::Calls), |rig| {
        let choreography = rig.prepare(&sleeper, &everything()).expect("a score");
        let id = bring(rig, &sleeper);
        // Nobody takes the notices: in the end there is no room for another.
        while rig.manager.pause(id, true).is_ok() {}
        for _ in 0..5 {
            let loaded = rig
                .manager
                .load(&choreography, &everything(), &LoadOptions::default());
            assert!(loaded.is_err(), "there was room");
        }
    });
    // The loop of this rig is gone, and all its guests with it.
    for _ in 0..1_000 {
        if scores() == 0 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("{} scores are left", scores());
}

/// Through WASI preview 1: lines in pieces, bytes that are no text, and more lines than a hook may write.
#[test]
fn what_a_guest_prints_allocates_nothing() {
    let printer = component(
        r#"(module
        (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
        (memory (export "memory") 1)
        (data (i32.const 0) "\20\00\00\00\0a\00\00\00\28\00\00\00\90\01\00\00")
        (data (i32.const 32) "a\ff\n\e2\82\n\n\nb\nc\nd\c3")
        (func (export "pre-process")
          (drop (call $write (i32.const 1) (i32.const 0) (i32.const 2) (i32.const 16)))
          (drop (call $write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 16)))))"#,
    );
    for form in FORMS {
        with_rig(&plan(form), |rig| {
            let id = bring(rig, &printer);
            rig.turns(20);
            let mut lost = 0;
            for turn in 0..300 {
                assert_eq!(watched(rig), [0; 3], "turn {turn}");
                let said = std::iter::from_fn(|| rig.manager.said());
                lost += said
                    .filter(|value| value.text.starts_with("lines lost"))
                    .count();
            }
            assert_eq!(rig.fate(id), (GuestLife::Running, End::None));
            // The log's own limit may come between.
            assert!(lost > 100, "told {lost} times");
        });
    }
}
