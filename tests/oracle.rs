//! The DCM's algorithm in its plainest form, compared with the real one.

use cycle::{ActuatorId, Command, CommandSet, Instant, Merge, Request, Span, To};
use tests::{bare, body, joints, lane, plan, start, turn, with_cycle};

const MS: u64 = 1_000_000;

/// One actuator: a sorted list, and the DCM's five variables.
struct Reference {
    commands: Vec<(u64, f64)>,
    d: f64,
    v: f64,
    tv: u64,
    tc: u64,
}

impl Reference {
    fn turn(&mut self, now: u64) -> f64 {
        while let Some(&(at, value)) = self.commands.first() {
            if at <= now {
                (self.d, self.v, self.tv) = (value, value, at);
                self.commands.remove(0);
            } else {
                let (t0, x0) = if self.tc < self.tv {
                    (self.tv, self.v)
                } else {
                    (self.tc, self.d)
                };
                self.d = (value - x0) * (now - t0) as f64 / (at - t0) as f64 + x0;
                break;
            }
        }
        self.tc = now;
        self.d
    }

    fn take(&mut self, merge: Merge, new: &[(u64, f64)]) {
        let first = new.iter().map(|pair| pair.0).min();
        let last = new.iter().map(|pair| pair.0).max();
        self.commands.retain(|&(at, _)| match merge {
            Merge::Merge => true,
            Merge::ClearAll => false,
            Merge::ClearAfter => first.is_none_or(|first| at < first),
            Merge::ClearBefore => last.is_none_or(|last| at > last),
        });
        self.commands.extend(new);
        self.commands.sort_by_key(|command| command.0);
    }
}

#[test]
fn a_million_random_turns_equal_the_plain_algorithm() {
    let turns = 1_000_000 * tests::effort().min(20);
    let period = Span::from_millis(10);
    let actuators = joints(1);
    let (body, mut rng) = (body(&actuators), fastrand::Rng::with_seed(1));
    let mut worst: f64 = 0.0;
    with_cycle(&body, &plan(&body, 1, 4096), bare(period), |cycle| {
        let by = cycle.stage().open(lane(4096)).expect("a lane");
        let mut now = start(cycle, Instant::from_millis(1_000), period).nanos();
        let mut reference = Reference {
            commands: Vec::new(),
            d: 0.0,
            v: 0.0,
            tv: 0,
            tc: now,
        };
        for _ in 0..turns {
            if rng.u8(..) < 60 {
                let merge = Merge::ALL[rng.usize(..4)];
                // From well before the last turn to well after the next, often at equal instants.
                let new: Vec<_> = (0..rng.usize(..6))
                    .map(|_| {
                        let at = now - 20 * MS + rng.u64(..30) * 5 * MS;
                        (at, f64::from(rng.i16(..)) / 64.0)
                    })
                    .collect();
                let list: Vec<_> = new
                    .iter()
                    .map(|&(at, value)| Command {
                        at: Instant::from_nanos(at),
                        value,
                    })
                    .collect();
                let to = To::One(ActuatorId(0));
                let request = Request {
                    to,
                    merge,
                    commands: CommandSet::Same(&list),
                };
                cycle
                    .stage()
                    .submit(by, &request)
                    .expect("a request within every limit");
                reference.take(merge, &new);
            }
            now += match rng.u8(..) {
                0..200 => 10 * MS,
                200..240 => rng.u64(1..30 * MS),
                _ => rng.u64(1..200) * MS / 10,
            };
            turn(cycle, Instant::from_nanos(now));
            let (found, wanted) = (cycle.stage().tracks()[0].commanded, reference.turn(now));
            worst = worst.max((found - wanted).abs());
            assert!(
                (found - wanted).abs() <= 1e-11 * wanted.abs().max(100.0),
                "at {now} ns: {found} is not {wanted}"
            );
        }
    });
    println!("{turns} turns, greatest difference {worst:e}");
}

mod curve {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        /// With nothing added late, the output is the curve through the commands, in full precision.
        #[test]
        fn whatever_the_jitter_the_output_lies_on_the_line(
            steps in prop::collection::vec((1u64..80, -900.0f64..900.0), 1..40),
            pauses in prop::collection::vec(1u64..40_000, 1..400),
        ) {
            let period = Span::from_millis(10);
            let actuators = joints(1);
            let body = super::body(&actuators);
            with_cycle(&body, &plan(&body, 1, 64), bare(period), |cycle| {
                let by = cycle.stage().open(lane(64)).expect("a lane");
                let origin = start(cycle, Instant::from_millis(1_000), period);
                let mut corners = vec![(origin.nanos(), 0.0)];
                for (gap, value) in steps {
                    corners.push((corners[corners.len() - 1].0 + gap * MS, value));
                }
                let list: Vec<_> = corners[1..]
                    .iter()
                    .map(|&(at, value)| Command { at: Instant::from_nanos(at), value })
                    .collect();
                let commands = CommandSet::Same(&list);
                let request = Request { to: To::One(ActuatorId(0)), merge: Merge::Merge, commands };
                cycle.stage().submit(by, &request).expect("a request within every limit");
                let mut now = origin.nanos();
                for pause in pauses {
                    now += pause * 1_000;
                    turn(cycle, Instant::from_nanos(now));
                    let found = cycle.stage().tracks()[0].commanded;
                    let wanted = exact(&corners, now);
                    let scale = corners.iter().fold(1.0, |most: f64, pair| most.max(pair.1.abs()));
                    prop_assert!(
                        (found - wanted).abs() <= 4.0 * f64::EPSILON * scale,
                        "{found} is not {wanted}"
                    );
                }
                Ok(())
            })?;
        }
    }

    /// The curve's value, computed from its corners each time.
    fn exact(corners: &[(u64, f64)], now: u64) -> f64 {
        let after = corners.partition_point(|corner| corner.0 <= now);
        let (t0, x0) = corners[after - 1];
        match corners.get(after) {
            Some(&(t1, x1)) => x0 + (x1 - x0) * ((now - t0) as f64 / (t1 - t0) as f64),
            None => x0,
        }
    }
}
