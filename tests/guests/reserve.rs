//! Memory that a manifest asks for: it is there from the start, and grows inside a turn. Random calls of a guest are
//! compared with a model that knows nothing of how that is done.

use fastrand::Rng;
use guests::{CodeForm, End, GuestLife, LoadOptions, reserve};
use tests::rig::{Plan, everything, with_rig};

use crate::text::guest;

const PAGE: u64 = 64 << 10;

/// Pages that a guest is granted here.
const GRANTED: u64 = 256;

/// A memory as the specification has it: it grows up to what is allowed now.
struct Model {
    size: u64,
    /// Pages that were there at any time: they can be handed out inside a turn.
    there: u64,
    /// What the module itself allows; at least what it asks for.
    maximum: u64,
}

impl Model {
    fn grow(&mut self, by: u64, in_turn: bool) -> i64 {
        let most = if in_turn { self.there } else { GRANTED };
        if self.size + by > most.min(self.maximum) {
            return -1;
        }
        let before = self.size;
        self.size += by;
        self.there = self.there.max(self.size);
        before as i64
    }
}

/// Random calls as text, each of which traps if its result is not the model's.
fn calls(random: &mut Rng, model: &mut Model, in_turn: bool) -> String {
    let mut text = String::new();
    for _ in 0..random.usize(1..12) {
        let by = match random.u8(..10) {
            0 => u64::from(u32::MAX),
            1 => random.u64(0..70_000),
            2 => 0,
            _ => random.u64(0..40),
        };
        let before = model.grow(by, in_turn);
        text += &format!(
            "(if (i32.ne (memory.grow (i32.const {})) (i32.const {before})) (then unreachable))
             (if (i32.ne (memory.size) (i32.const {})) (then unreachable))\n",
            by as u32 as i32, model.size
        );
        // What is new is zero, and can be written to its last byte.
        if before >= 0 && by > 0 {
            let [first, last] = [before as u64 * PAGE, model.size * PAGE - 8];
            text += &format!(
                "(if (i64.ne (i64.load (i32.const {first})) (i64.const 0)) (then unreachable))
                 (if (i64.ne (i64.load (i32.const {last})) (i64.const 0)) (then unreachable))
                 (i64.store (i32.const {first}) (i64.const 7)) (i64.store (i32.const {last}) (i64.const 7))\n"
            );
        }
    }
    text
}

#[test]
fn memory_that_is_reserved_grows_in_a_turn_as_in_the_model() {
    let mut grown = 0;
    for seed in 0..(16 * tests::effort()).min(40) {
        let mut random = Rng::with_seed(seed);
        let first = random.u64(0..9);
        let asked = random.u64(0..GRANTED * PAGE);
        let there = first.max(asked.div_ceil(PAGE));
        let (maximum, told) = [(65_536, ""), (9, "9"), (4_096, "4096")][random.usize(..3)];
        let mut model = Model {
            size: first,
            there,
            maximum: there.max(maximum),
        };
        let start = calls(&mut random, &mut model, false);
        let before = model.size;
        let hook = calls(&mut random, &mut model, true);
        grown += model.size - before;
        // With globals and types of its own, and without.
        let own = [
            "",
            "(global $own (mut i64) (i64.const 5)) (type $t (func (param i32)))",
        ];
        let bytes = guest(&format!(
            r#"(memory {first} {told}) {} (global $turns (mut i32) (i32.const 0))
            (func (export "start") {start})
            (func (export "pre-process")
              (global.set $turns (i32.add (global.get $turns) (i32.const 1)))
              (if (i32.eq (global.get $turns) (i32.const 2)) (then {hook})))"#,
            own[random.usize(..2)],
        ));
        let bytes = reserve(&bytes, asked).expect("one memory");
        assert_eq!(
            reserve(&bytes, asked).expect("one memory"),
            bytes,
            "what is reserved stays as it is"
        );
        for form in [CodeForm::InPlace, CodeForm::Calls] {
            with_rig(&Plan::of(form), |rig| {
                let loaded = rig.load(&bytes, &everything(), &LoadOptions::default());
                let id = loaded.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
                for _ in 0..5 {
                    rig.turn();
                }
                let details = rig.status(id).figures.details;
                assert_eq!(
                    rig.fate(id),
                    (GuestLife::Running, End::None),
                    "seed {seed}, {form:?}: {details}"
                );
            });
        }
    }
    assert!(grown > 200, "only {grown} pages were handed out in turns");
}

#[test]
fn a_choreography_without_memory_of_its_own_cannot_ask_for_any() {
    let none = reserve(&guest(r#"(func (export "start"))"#), PAGE);
    assert!(
        none.expect_err("it has none")
            .contains("no memory of its own")
    );
}
