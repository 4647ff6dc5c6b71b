//! Promises about long runs. `PROMISES=full cargo test --release -p tests promises` tests them in full; otherwise they
//! are a hundred times shorter.

use cycle::{
    Actuator, ActuatorId, Command, CommandSet, Event, Instant, Kind, Merge, Request, Span, To, dcm,
};
use tests::{bare, body, effort, joints, lane, plan, start, turn, with_cycle};

const MS: u64 = 1_000_000;

/// A late turn never makes a jump: values follow real time, steps keep the velocity limit, and every stall is counted.
#[test]
fn a_stall_of_any_length_is_counted_and_never_makes_a_jump() {
    let (turns, stalls) = (36_000 * effort(), 10 * effort().max(10));
    let period = Span::from_millis(1);
    let joint = |name| Actuator {
        velocity: 4.0,
        ..Actuator::new(name, Kind::Joint, -2.0, 2.0)
    };
    let actuators: Vec<_> = (0..26).map(|_| joint("J")).enumerate().map(named).collect();
    let (body, mut rng) = (body(&actuators), fastrand::Rng::with_seed(11));
    with_cycle(&body, &plan(&body, 1, 26 * 64), bare(period), |cycle| {
        let by = cycle.stage().open(lane(26 * 64)).expect("a lane");
        let mut now = start(cycle, Instant::from_millis(1_000), period).nanos();
        let counted = cycle.stage().events().count(Event::Overrun);
        let (mut injected, mut greatest) = (0u64, 0.0f64);
        for value in 0..turns {
            let stall = value % (turns / stalls) == 0;
            now += if stall {
                MS + rng.u64(MS..5_000 * MS)
            } else {
                MS
            };
            injected += u64::from(stall);
            if value % 50 == 0 {
                for actuator in 0..26 {
                    let at = Instant::from_nanos(now + rng.u64(..200 * MS));
                    let list = [Command {
                        at,
                        value: rng.f64() * 5.0 - 2.5,
                    }];
                    let to = To::One(ActuatorId(actuator));
                    let request = Request {
                        to,
                        merge: Merge::ClearAll,
                        commands: CommandSet::Same(&list),
                    };
                    cycle.stage().submit(by, &request).expect("room");
                }
            }
            let before: Vec<_> = cycle
                .stage()
                .tracks()
                .iter()
                .map(|track| track.sent)
                .collect();
            let report = turn(cycle, Instant::from_nanos(now));
            assert_eq!(report.late, stall, "turn {value}");
            for (track, before) in cycle.stage().tracks().iter().zip(before) {
                let step = (track.sent - before).abs();
                greatest = greatest.max(step);
                assert!(
                    step <= 4.0 * report.elapsed.seconds() + 1e-12,
                    "a step of {step}"
                );
            }
        }
        assert_eq!(
            cycle.stage().events().count(Event::Overrun) - counted,
            injected
        );
        println!(
            "{turns} turns, {injected} stalls of 1 ms to 5 s, all counted; greatest step {greatest:.6}, \
             which is {:.2} turns at the speed limit",
            greatest / 0.004
        );
    });
}

fn named((place, it): (usize, Actuator<'static>)) -> Actuator<'static> {
    Actuator {
        name: Box::leak(format!("J{place}").into_boxed_str()),
        ..it
    }
}

/// 32-bit milliseconds wrap after 49.7 days, without effect.
#[test]
fn stamps_of_32_bits_are_placed_right_on_both_sides_of_the_wrap() {
    let pairs = 1_000_000 * effort().min(20);
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..pairs {
        // Any time within 500 years, and any distance that 31 bits can have.
        let now_ms = rng.u64(1 << 31..1 << 44);
        let ahead = i64::from(rng.i32(..));
        let then_ms = now_ms.checked_add_signed(ahead).expect("within 500 years");
        let now = Instant::from_nanos(now_ms * MS + rng.u64(..MS));
        let stamp = (then_ms & u64::from(u32::MAX)) as u32;
        assert_eq!(dcm::instant(stamp, now), Instant::from_millis(then_ms));
        assert_eq!(dcm::stamp(Instant::from_millis(then_ms)), stamp);
    }
    println!("{pairs} pairs placed right");
}

/// Two minutes across the wrap, with every command given by its 32-bit time.
#[test]
fn two_minutes_over_the_wrap_are_like_any_other() {
    let period = Span::from_millis(10);
    let run = |first_ms: u64| {
        let actuators = joints(1);
        let body = body(&actuators);
        with_cycle(&body, &plan(&body, 1, 64), bare(period), |cycle| {
            let by = cycle.stage().open(lane(64)).expect("a lane");
            let mut rng = fastrand::Rng::with_seed(9);
            let settle = Instant::from_millis(first_ms - 1_000);
            start(cycle, settle, period);
            let mut sent = Vec::new();
            for value in 0..12_000u64 {
                let now = Instant::from_millis(first_ms + value * 10);
                if value % 7 == 0 {
                    let stamp = dcm::stamp(now).wrapping_add(rng.u32(10..90));
                    let list = [Command {
                        at: dcm::instant(stamp, now),
                        value: f64::from(rng.i8(..)),
                    }];
                    let to = To::One(ActuatorId(0));
                    let request = Request {
                        to,
                        merge: Merge::ClearAfter,
                        commands: CommandSet::Same(&list),
                    };
                    cycle.stage().submit(by, &request).expect("room");
                }
                turn(cycle, now);
                sent.push(cycle.stage().tracks()[0].sent.to_bits());
            }
            sent
        })
    };
    assert_eq!(run((1 << 32) - 60_000), run(100_000));
}
