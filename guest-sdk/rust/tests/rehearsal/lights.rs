//! Lights show what a plain account of all calls says, for random calls; displays can be read back.

#![allow(non_upper_case_globals, reason = "named as on the body")]

use std::f64::consts::TAU;

use choreography::lights::{
    DigitTable, LightColumns, LightCycle, LightEngine, LightMask, LightStatus, PercentStyle,
};
use choreography::prelude::*;
use fastrand::Rng;

static EARS: [Actuator; 10] = [
    Actuator::named("Ears/Led/Left/0Deg"),
    Actuator::named("Ears/Led/Left/36Deg"),
    Actuator::named("Ears/Led/Left/72Deg"),
    Actuator::named("Ears/Led/Left/108Deg"),
    Actuator::named("Ears/Led/Left/144Deg"),
    Actuator::named("Ears/Led/Left/180Deg"),
    Actuator::named("Ears/Led/Left/216Deg"),
    Actuator::named("Ears/Led/Left/252Deg"),
    Actuator::named("Ears/Led/Left/288Deg"),
    Actuator::named("Ears/Led/Left/324Deg"),
];

const ONE: LightMask = LightMask::of(&[0]);
const TWO: LightMask = LightMask::of(&[1]);

fn ear() -> LightEngine<10> {
    LightEngine::new(EARS.each_ref())
}

fn at(millis: u64) -> Instant {
    Instant::from_nanos(millis * 1_000_000)
}

fn values<const N: usize>(lights: &LightEngine<N>, millis: u64) -> [f64; N] {
    std::array::from_fn(|i| lights.value(i, at(millis)))
}

/// One call, for the lights of a list; times are milliseconds.
#[derive(Clone, Debug)]
enum Call {
    Clear,
    Set(f64),
    Invert,
    Flash(f64, u64),
    Opposite(u64),
    Cycle(u64, f64, f64, u64),
    Extend(u64),
}

/// What one light shows by an account of all calls, in seconds; whether it cycles, and whether it flashes.
fn account(calls: &[(u64, Vec<usize>, Call)], light: usize, millis: u64) -> (f64, bool, bool) {
    let (mut value, mut cycle, mut flash) = (0.0, None::<[f64; 4]>, None::<(f64, u64)>);
    let shows = |value: f64, cycle: Option<[f64; 4]>, millis: u64| match cycle {
        None => value,
        Some([period, amplitude, offset, start]) => {
            let share = (millis as f64 / 1e3 - start) / period;
            ((TAU * share).cos() * (-amplitude / 2.0) + 0.5 + offset).clamp(0.0, 1.0)
        }
    };
    for (when, _, call) in calls.iter().filter(|call| call.1.contains(&light)) {
        match *call {
            Call::Clear => (value, cycle, flash) = (0.0, None, None),
            Call::Set(to) => (value, cycle) = (to, None),
            Call::Invert => {
                value = 1.0 - value;
                cycle = cycle.map(|cycle| [cycle[0], -cycle[1], cycle[2], cycle[3]]);
            }
            Call::Flash(to, span) => flash = Some((to, when + span)),
            Call::Opposite(span) => {
                let now = shows(value, cycle, *when);
                let is_middle = (1.0 / 3.0..=2.0 / 3.0).contains(&now);
                let far = if now > 0.5 { 0.0 } else { 1.0 };
                flash = Some((if is_middle { far } else { 1.0 - now }, when + span));
            }
            Call::Cycle(period, amplitude, offset, phase) => {
                let start = (when + phase) as f64 / 1e3;
                cycle = Some([period as f64 / 1e3, amplitude, offset, start]);
            }
            Call::Extend(span) => {
                let longer = flash.map(|flash| (flash.0, flash.1 + span));
                flash = longer.filter(|longer| longer.1 > *when);
            }
        }
    }
    match flash.filter(|flash| millis < flash.1) {
        Some((flash, _)) => (flash, cycle.is_some(), true),
        None => (shows(value, cycle, millis), cycle.is_some(), false),
    }
}

/// Makes a random call of the engine, and returns the plain calls that it stands for.
fn any_call(
    random: &mut Rng,
    lights: &mut LightEngine<10>,
    when: u64,
) -> Vec<(u64, Vec<usize>, Call)> {
    let all: Vec<_> = (0..10).collect();
    let places: Vec<_> = (0..10).filter(|_| random.bool()).collect();
    let (mask, value) = (LightMask::of(&places), random.f64());
    let (span, period) = (random.u64(..400), random.u64(100..2000));
    let cycle = LightCycle {
        period: period.ms(),
        amplitude: 6.0 * value - 3.0,
        offset: random.f64() - 0.5,
        phase: span.ms(),
    };
    let plain_cycle = Call::Cycle(period, cycle.amplitude, cycle.offset, span);
    // Those that clear first are rare, so that there is something to clear.
    let kind = random.u8(..22);
    match kind {
        0 => lights.cset(mask, value),
        1 => lights.cflash(mask, value, span.ms(), at(when)),
        2 => lights.ccycle(mask, cycle, at(when)),
        3 => lights.clear(),
        4..=6 => lights.set(mask, value),
        7..=9 => lights.invert(mask),
        10..=12 => lights.flash(mask, value, span.ms(), at(when)),
        13..=15 => lights.flash_opposite(mask, span.ms(), at(when)),
        16..=18 => lights.cycle(mask, cycle, at(when)),
        _ => lights.extend(span.ms(), at(when)),
    }
    let call = match kind {
        3 => Vec::new(),
        0 | 4..=6 => vec![(when, places, Call::Set(value))],
        7..=9 => vec![(when, places, Call::Invert)],
        1 | 10..=12 => vec![(when, places, Call::Flash(value, span))],
        13..=15 => vec![(when, places, Call::Opposite(span))],
        2 | 16..=18 => vec![(when, places, plain_cycle)],
        _ => vec![(when, all.clone(), Call::Extend(span))],
    };
    let clear = (kind < 4).then_some((when, all, Call::Clear));
    clear.into_iter().chain(call).collect()
}

#[test]
fn random_calls_show_what_a_plain_account_of_them_says() {
    for seed in 0..30 {
        let mut random = Rng::with_seed(seed);
        let mut stage = Rehearsal::alone(nao());
        let (mut lights, mut calls, mut awaited) = (ear(), Vec::new(), false);
        let mut told = 0;
        for turn in 0..300 {
            let millis = now().nanos() / 1_000_000;
            let pending = |calls: &[_]| (0..10).any(|i| account(calls, i, millis).2);
            if random.u8(..6) == 0 {
                let made = any_call(&mut random, &mut lights, millis);
                let is_flash = |call: &Call| matches!(call, Call::Flash(..) | Call::Opposite(_));
                awaited |= made.iter().any(|row| is_flash(&row.2) && !row.1.is_empty());
                calls.extend(made);
                awaited |= pending(&calls);
            }
            let status = lights.update(now());
            stage.turn();
            let flash_ended = awaited && !pending(&calls);
            let cycles = (0..10).any(|i| account(&calls, i, millis).1);
            let expected = LightStatus {
                is_alive: cycles || pending(&calls),
                flash_ended,
            };
            assert_eq!(status, expected, "seed {seed}, turn {turn}: {calls:?}");
            awaited &= !flash_ended;
            told += u32::from(flash_ended);
            for (place, ear) in EARS.iter().enumerate() {
                let (sent, expected) = (stage.sent(ear), account(&calls, place, millis).0);
                let far = (sent - expected).abs();
                assert!(
                    far < 1e-9,
                    "seed {seed}, turn {turn}, light {place}: {sent} {expected}"
                );
            }
            // What will be if nothing changes.
            let later = millis + random.u64(..3000);
            let expected = account(&calls, 3, later).0;
            assert!((lights.value(3, at(later)) - expected).abs() < 1e-9);
        }
        assert!(told > 0, "seed {seed}: no flash has ended");
    }
}

#[test]
fn what_is_cleared_first_does_not_come_back_after_a_flash() {
    let mut lights = ear();
    lights.set(ONE, 1.0);
    lights.cflash(TWO, 0.8, 100.ms(), at(0));
    assert_eq!(values(&lights, 50)[..2], [0.0, 0.8]);
    // Tekkotsu's shows the first one again.
    assert_eq!(values(&lights, 100), [0.0; 10]);
    assert_eq!(lights.setting(0), 0.0);
    // Dark only meanwhile.
    lights.set(ONE, 1.0);
    lights.flash(!TWO, 0.0, 100.ms(), at(100));
    lights.flash(TWO, 0.8, 100.ms(), at(100));
    assert_eq!(values(&lights, 150)[..3], [0.0, 0.8, 0.0]);
    assert_eq!(values(&lights, 200)[..3], [1.0, 0.0, 0.0]);
}

#[test]
fn the_end_of_the_last_flash_is_told_once_while_others_cycle_or_are_set() {
    let mut lights = ear();
    lights.cycle(ONE, LightCycle::of(1.s()), at(0));
    lights.flash(TWO, 1.0, 100.ms(), at(0));
    lights.flash(LightMask::of(&[2]), 1.0, 200.ms(), at(0));
    let mut told = Vec::new();
    for turn in 0..100u32 {
        lights.set(LightMask::of(&[4]), f64::from(turn) / 100.0);
        let now = 10 * u64::from(turn);
        let status = lights.update_alone(now);
        assert!(status.is_alive);
        if status.flash_ended {
            told.push(now);
        }
    }
    assert_eq!(told, [200]);
    // Who waits for the end is told of it, too, if the flash is cleared.
    lights.flash(TWO, 1.0, 100.ms(), at(1000));
    lights.clear();
    let gone = LightStatus {
        is_alive: false,
        flash_ended: true,
    };
    assert_eq!(lights.update_alone(1010), gone);
    assert_eq!(lights.update_alone(1020), LightStatus::default());
    // A flash of no light is none.
    let elsewhere = LightMask::of(&[10, 11]);
    lights.flash(elsewhere, 1.0, 1.s(), at(1020));
    assert_eq!(lights.update_alone(1030), LightStatus::default());
}

/// Turns of an engine on a stage that nobody looks at.
trait UpdateAlone {
    fn update_alone(&mut self, millis: u64) -> LightStatus;
}

impl UpdateAlone for LightEngine<10> {
    fn update_alone(&mut self, millis: u64) -> LightStatus {
        let _stage = Rehearsal::alone(nao());
        self.update(at(millis))
    }
}

#[test]
fn an_extended_flash_comes_back_and_forgotten_ones_do_not_add_up() {
    let mut lights = ear();
    lights.flash(ONE, 1.0, 100.ms(), at(0));
    assert!(lights.update_alone(100).flash_ended);
    lights.extend(100.ms(), at(150));
    assert_eq!(
        (lights.value(0, at(199)), lights.value(0, at(200))),
        (1.0, 0.0)
    );
    assert!(lights.is_alive(at(199)) && !lights.is_alive(at(200)));
    assert!(!lights.update_alone(190).flash_ended && lights.update_alone(200).flash_ended);
    // Each of these would be too short, together they would not.
    (0..100).for_each(|_| lights.extend(100.ms(), at(1000)));
    assert_eq!(lights.value(0, at(1000)), 0.0);
    assert!(!lights.update_alone(1000).flash_ended);
}

#[test]
fn opposites_can_be_seen() {
    for (value, opposite) in [
        (0.0, 1.0),
        (0.2, 0.8),
        (0.4, 1.0),
        (0.6, 0.0),
        (0.7, 0.3),
        (1.0, 0.0),
    ] {
        let mut lights = ear();
        lights.set(ONE, value);
        // Twice, so that the second is not the opposite of the first.
        lights.flash_opposite(ONE, 100.ms(), at(0));
        lights.flash_opposite(ONE, 100.ms(), at(50));
        let shown = lights.value(0, at(60));
        assert!((shown - opposite).abs() < 1e-12, "{value}: {shown}");
        assert_eq!(lights.value(0, at(150)), value);
    }
}

#[test]
fn a_cycle_keeps_its_phase_for_months() {
    let mut lights = ear();
    lights.cycle(ONE, LightCycle::of(700.ms()), at(123));
    let months = 300 * 24 * 3600 * 1000 / 700 * 700;
    for millis in 123..823 {
        let share = (millis - 123) as f64 / 700.0;
        let expected = 0.5 - 0.5 * (TAU * share).cos();
        assert!((lights.value(0, at(millis + months)) - expected).abs() < 1e-12);
    }
}

#[test]
fn lights_without_weight_are_left_to_others() {
    let mut stage = Rehearsal::alone(nao());
    let mut lights = ear();
    EARS[0].to(0.7).now();
    EARS[1].to(0.7).now();
    lights.set(LightMask::ALL, 0.2);
    lights.set_weights(ONE, 0.0);
    lights.clear();
    lights.set(LightMask::ALL, 0.2);
    lights.update(now());
    stage.turn();
    assert_eq!((stage.sent(&EARS[0]), stage.sent(&EARS[1])), (0.7, 0.2));
    lights.set_weights(ONE, 0.5);
    lights.update(now());
    stage.turn();
    assert_eq!(stage.sent(&EARS[0]), 0.2);
}

#[test]
fn a_mask_has_its_places_and_no_others() {
    let mask = LightMask::of(&[0, 64, 127, 128, usize::MAX]);
    let found: Vec<_> = (0..200).filter(|i| mask.has(*i)).collect();
    assert_eq!(found, [0, 64, 127]);
    assert!((0..200).all(|i| (!mask).has(i) == (i < 128 && !mask.has(i))));
    assert_eq!(
        (mask | !mask, mask & !mask),
        (LightMask::ALL, LightMask::NONE)
    );
    assert!(ear().setting(10).is_nan() && ear().value(10, at(0)).is_nan());
}

const COUNTED: DigitTable = DigitTable::counting([0, 1, 2, 3, 4, 5, 6, 7, 8], 8);

#[test]
fn digits_can_be_counted_and_the_bar_of_negative_ones_blinks() {
    let mut lights = ear();
    for number in -9..=9 {
        lights.cycle(LightMask::ALL, LightCycle::of(1.s()), at(0));
        lights.flash(LightMask::ALL, 0.5, 1.s(), at(0));
        lights.cset(LightMask::of(&[9]), 0.3);
        lights.display_number(&COUNTED, number, at(0));
        let digit = number.unsigned_abs() as usize;
        let bar: Vec<_> = (0..500).map(|i| values(&lights, i)[8]).collect();
        let (low, high) = bar
            .iter()
            .fold((1.0f64, 0.0f64), |sum, v| (sum.0.min(*v), sum.1.max(*v)));
        match number {
            // Tekkotsu's are at 0.75 and 0.25, and stand still.
            -9 => assert!(low == 0.5 && high == 1.0),
            ..0 => assert!(low == 0.0 && high == 0.5),
            9 => assert!(low == 1.0),
            _ => assert!(high == 0.0),
        }
        let shown = values(&lights, 250);
        assert!(
            (0..8).all(|i| shown[i] == f64::from(u8::from(i < digit))),
            "{number}"
        );
        assert_eq!(shown[9], 0.3, "not a light of the table");
    }
}

#[test]
fn numbers_out_of_range_let_all_lights_blink() {
    let columns = LightColumns {
        left: [0, 1, 2, 3],
        right: [4, 5, 6, 3],
    };
    let mut lights = ear();
    for (two, number) in [
        (false, 10),
        (false, -10),
        (false, i32::MIN),
        (true, 100),
        (true, -100),
    ] {
        lights.cset(LightMask::ALL, 0.9);
        let all = if two {
            lights.display_two_digits(&columns, number, at(0));
            0..7
        } else {
            lights.display_number(&COUNTED, number, at(0));
            0..9
        };
        for millis in 0..1000 {
            let share = millis as f64 / 333.0;
            let expected = ((TAU * share).cos() * -5.0 - 4.5).clamp(0.0, 1.0);
            let shown = values(&lights, millis);
            assert!(
                shown[all.clone()]
                    .iter()
                    .all(|value| (value - expected).abs() < 1e-9)
            );
            assert_eq!(shown[all.end..], [0.9, 0.9, 0.9][..10 - all.end]);
        }
    }
}

#[test]
fn two_digits_can_be_read_back() {
    let read = |column: [f64; 3]| {
        let ground = column.into_iter().fold(1.0, f64::min);
        let bright = column.iter().position(|value| *value > ground + 0.3);
        let level = (ground * 3.0).round();
        assert!(
            column
                .iter()
                .all(|value| *value == ground || (value - ground - 1.0 / 3.0).abs() < 1e-12)
        );
        bright.map_or(0, |place| 3 * level as i32 + place as i32 + 1)
    };
    let columns = LightColumns {
        left: [0, 1, 2, 7],
        right: [4, 5, 6, 7],
    };
    let mut lights = ear();
    for number in -99..=99 {
        lights.display_two_digits(&columns, number, at(0));
        let value = values(&lights, 777);
        assert!(value[7] == if number < 0 { 1.0 } else { 0.0 });
        let size = 10 * read([value[0], value[1], value[2]]) + read([value[4], value[5], value[6]]);
        assert_eq!(if value[7] > 0.5 { -size } else { size }, number);
        assert!(!lights.is_alive(at(777)));
    }
}

#[test]
fn a_column_is_lit_up_to_the_share() {
    use PercentStyle::{Dark, Major, Minor};
    let mut random = Rng::with_seed(7);
    let columns = LightColumns {
        left: [0, 1, 2, 3],
        right: [4, 5, 6, 7],
    };
    let shared = LightColumns {
        left: [0, 1, 2, 3],
        right: [4, 5, 6, 3],
    };
    let mut lights = ear();
    for case in 0..1000 {
        let share = if case <= 8 {
            f64::from(case) / 8.0
        } else {
            random.f64()
        };
        let major = [0.0, 0.25, 0.5, 0.75].map(|from| {
            if share >= from + 0.25 {
                1.0
            } else {
                (4.0 * (share - from)).max(0.0)
            }
        });
        // The quarter in which it is, as a share.
        let quarter = if share == 1.0 {
            1.0
        } else {
            4.0 * (share % 0.25)
        };
        let minor = [0.0, 0.25, 0.5, 0.75].map(|from| {
            if quarter >= from + 0.25 {
                1.0
            } else {
                (4.0 * (quarter - from)).max(0.0)
            }
        });
        for (style, expected) in [(Major, major), (Minor, minor), (Dark, [0.0; 4])] {
            for (sides, left, right) in [
                ((style, Dark), expected, [0.0; 4]),
                ((Major, style), major, expected),
            ] {
                lights.cset(LightMask::ALL, 0.6);
                lights.display_percent(&columns, share, sides.0, sides.1);
                let shown = values(&lights, 0);
                let expected = [left, right].concat();
                assert!(
                    (0..8).all(|i| (shown[i] - expected[i]).abs() < 1e-9),
                    "{share}"
                );
                assert_eq!(shown[8..], [0.6, 0.6]);
            }
        }
        lights.display_percent(&shared, share, Major, Minor);
        assert!((lights.setting(3) - major[3].max(minor[3])).abs() < 1e-9);
    }
    for (share, expected) in [(-0.01, 0.25), (f64::NAN, 0.25), (1.01, 0.75)] {
        lights.display_percent(&columns, share, Dark, Minor);
        assert_eq!(values(&lights, 0)[..8], [expected; 8]);
    }
}

choreography! {
    /// Flashes, and ends.
    motion Spark as "spark";
    hooks pre_process, is_alive;
    lights Chest = "ChestBoard/Led/Red", Violet = "ChestBoard/Led/Violet";
}

struct Spark(LightEngine<2>);

impl Motion for Spark {
    fn start() -> Spark {
        let mut lights = LightEngine::new([&Chest, &Violet]);
        lights.flash(LightMask::ALL, 0.6, 300.ms(), now());
        Spark(lights)
    }
    fn pre_process(&mut self, now: Instant) {
        self.0.update(now);
    }
    fn is_alive(&self) -> bool {
        self.0.is_alive(now())
    }
}

#[test]
fn a_motion_lives_as_long_as_its_flash() {
    let mut stage = Rehearsal::of::<Spark>(nao());
    assert_eq!(stage.run_to_its_end(1.s()), 300.ms());
    let course = stage.course(&Chest);
    assert!(course.len() == 30 && course[..29].iter().all(|item| *item == 0.6));
    assert_eq!(course[29], 0.0);
    stage.assert_nothing_clipped();
}
