//! What a guest has sent, as one request: how much of it is left, what became of it, and cancelling it; and the event
//! that tells the end of another guest.

use std::fmt::Write;

use cycle::Merge;
use guests::{End, GuestLife, LoadOptions};
use tests::rig::{FORMS, Plan, Rig, with_rig};

use crate::text::module;

/// The outcomes of the contract, by their numbers.
const WAITING: u32 = 0;
const ARRIVED: u32 = 1;
const CLEARED: u32 = 4;
const CANCELLED: u32 = 5;
const UNKNOWN: u32 = 7;

/// Outputs that show what the guest is told: `left` times ten, plus the outcome, of its requests 1 to 4.
const SHOWN: [usize; 4] = [4, 5, 6, 7];

/// Eight joints, in both forms.
fn both(f: impl Fn(&mut Rig<'_, '_>)) {
    for form in FORMS {
        let plan = Plan {
            joints: 8,
            ..Plan::of(form)
        };
        with_rig(&plan, &f);
    }
}

/// What the guest does in a turn.
#[derive(Clone, Debug)]
enum Act {
    Begin,
    /// A command for a joint, so many ms ahead.
    Set(u32, u64, Merge),
    Clear(u32),
    Cancel(u32),
}

/// A guest that does these things, each list in the turn of its number, counted from 1, and shows what it is told.
fn guest_of(acts: &[Vec<Act>]) -> String {
    let mut body = String::new();
    for (output, request) in SHOWN.into_iter().zip(1..) {
        let _ = write!(
            body,
            "(drop (call $lane.drive (i32.const {output})
                (f64.convert_i32_u (i32.add (i32.mul (call $requests.left (i32.const {request})) (i32.const 10))
                    (call $requests.outcome-of (i32.const {request})))) (f64.const 1)))"
        );
    }
    for (turn, acts) in acts.iter().enumerate() {
        let mut text = String::new();
        for act in acts {
            let _ = match act {
                Act::Begin => write!(text, "(drop (call $requests.begin))"),
                Act::Set(joint, after, merge) => write!(
                    text,
                    "(drop (call $commands.put (i32.const {joint}) (f64.const {after})
                        (i64.add (call $clock.now) (i64.const {})) (i32.const {})))",
                    after * 1_000_000,
                    *merge as u32
                ),
                Act::Clear(joint) => {
                    write!(text, "(drop (call $commands.clear (i32.const {joint})))")
                }
                Act::Cancel(request) => {
                    write!(text, "(drop (call $requests.cancel (i32.const {request})))")
                }
            };
        }
        let _ = write!(
            body,
            "(if (i32.eq (local.get $turn) (i32.const {})) (then {text}))",
            turn + 1
        );
    }
    module(&format!(
        r#"(global $turns (mut i32) (i32.const 0))
        (func (export "pre-process") (local $turn i32)
          (local.set $turn (i32.add (global.get $turns) (i32.const 1)))
          (global.set $turns (local.get $turn)) {body})"#
    ))
}

/// A command that waits: its joint, its instant in turns, its request.
type Waiting = (u32, u64, u32);

/// The plain model: the commands that wait, and what became of each request.
#[derive(Default)]
struct Model {
    waiting: Vec<Waiting>,
    begun: u32,
    /// How the last of its commands that was removed was removed.
    removed: [Option<u32>; 5],
}

impl Model {
    fn remove(&mut self, outcome: u32, goes: impl Fn(&Waiting) -> bool) {
        for extract_if in self.waiting.extract_if(.., |value| goes(value)) {
            if let Some(removed) = self.removed.get_mut(extract_if.2 as usize) {
                *removed = Some(outcome);
            }
        }
    }

    fn act(&mut self, act: &Act, now: u64) {
        match act {
            Act::Begin => self.begun += 1,
            Act::Set(joint, after, merge) => {
                let at = now + after;
                self.remove(CLEARED, |pair| {
                    pair.0 == *joint
                        && match merge {
                            Merge::Merge => false,
                            Merge::ClearAll => true,
                            Merge::ClearAfter => pair.1 >= at,
                            Merge::ClearBefore => pair.1 <= at,
                        }
                });
                self.waiting.push((*joint, at, self.begun));
            }
            Act::Clear(joint) => self.remove(CLEARED, |pair| pair.0 == *joint),
            Act::Cancel(request) if *request <= self.begun => {
                self.remove(CANCELLED, |row| row.2 == *request);
            }
            Act::Cancel(_) => {}
        }
    }

    /// What the guest should be told of a request.
    fn told(&self, request: u32) -> u32 {
        let left = self.waiting.iter().filter(|row| row.2 == request).count() as u32;
        let outcome = match (request > self.begun, left, self.removed[request as usize]) {
            (true, ..) => UNKNOWN,
            (_, 1.., _) => WAITING,
            (_, 0, removed) => removed.unwrap_or(ARRIVED),
        };
        left * 10 + outcome
    }
}

fn random_acts(random: &mut fastrand::Rng, turns: usize) -> Vec<Vec<Act>> {
    let mut begun = 0;
    let mut act = || match random.u8(..10) {
        0 | 1 if begun < 4 => {
            begun += 1;
            Act::Begin
        }
        2 => Act::Clear(random.u32(..3)),
        3 => Act::Cancel(random.u32(1..5)),
        _ => Act::Set(
            random.u32(..3),
            random.u64(1..25),
            Merge::ALL[random.usize(..4)],
        ),
    };
    (0..turns)
        .map(|_| (0..3).map(|_| act()).collect())
        .collect()
}

#[test]
fn what_is_left_of_a_request_and_what_became_of_it_are_those_of_a_plain_model() {
    let mut random = fastrand::Rng::with_seed(16);
    for _ in 0..(8 * tests::effort()).min(25) {
        let acts = random_acts(&mut random, 30);
        let text = guest_of(&acts);
        both(|rig| {
            rig.guest(&text);
            let mut model = Model::default();
            // Its first turn.
            while rig.sent[SHOWN[0]] == 0.0 {
                rig.turn();
            }
            for turn in 0..60_u64 {
                // What it was told in this turn's hook is how things stood before it.
                for (output, request) in SHOWN.into_iter().zip(1..) {
                    let output = rig.sent[output];
                    assert_eq!(
                        output,
                        f64::from(model.told(request)),
                        "request {request} in turn {turn}: {acts:?}"
                    );
                }
                for act in acts.get(turn as usize).into_iter().flatten() {
                    model.act(act, turn);
                }
                // What is due in this turn is executed in it.
                model.waiting.retain(|pair| pair.1 > turn);
                rig.turn();
            }
        });
    }
}

#[test]
fn only_the_last_sixteen_are_known() {
    both(|rig| {
        let mut acts = vec![Vec::new(); 30];
        for (turn, acts) in acts.iter_mut().enumerate().take(20) {
            acts.push(Act::Begin);
            acts.push(Act::Set(0, 1_000 + turn as u64, Merge::Merge));
        }
        rig.guest(&guest_of(&acts));
        rig.turns(40);
        // Of 20 requests, 5 to 20 are known.
        for output in SHOWN {
            assert_eq!(rig.sent[output], f64::from(UNKNOWN));
        }
    });
}

#[test]
fn a_guest_hears_when_another_has_ended_and_how() {
    both(|rig| {
        let waits = |output: u32| {
            module(&format!(
                r#"(memory (export "memory") 1) (data (i32.const 0) "ended/first")
                (global $topic (mut i32) (i32.const 0))
                (func (export "start") (global.set $topic (call $events.topic (i32.const 0) (i32.const 11))))
                (func (export "pre-process")
                  (if (call $events.next) (then
                    (if (i32.eq (call $events.current-topic) (global.get $topic)) (then
                      (drop (call $commands.set (i32.const {output})
                        (f64.add (f64.const 10) (call $events.current-value)) (call $clock.now))))))))"#
            ))
        };
        rig.guest(&waits(1));
        for (name, text, value, end) in [
            (
                "first",
                r#"(func (export "pre-process") (drop (call $lane.finish)))"#,
                10.0,
                End::Finished,
            ),
            (
                "first",
                r#"(func (export "pre-process") unreachable)"#,
                12.0,
                End::Trap,
            ),
            (
                "first",
                r#"(func (export "pre-process"))"#,
                11.0,
                End::Stopped,
            ),
            (
                "second",
                r#"(func (export "pre-process") (drop (call $lane.finish)))"#,
                11.0,
                End::Finished,
            ),
        ] {
            let options = LoadOptions {
                name: Some(name.to_owned()),
                ..LoadOptions::default()
            };
            let id = rig.guest_with(&module(text), &options);
            rig.turns(3);
            if end == End::Stopped {
                assert_eq!(
                    rig.sent[1], 12.0,
                    "it was told of an end before there was one"
                );
                rig.manager.end(id).expect("it is there");
            }
            rig.turns(5);
            assert_eq!(rig.fate(id), (GuestLife::Gone, end));
            assert_eq!(rig.sent[1], value, "{name}, {end:?}");
        }
    });
}
