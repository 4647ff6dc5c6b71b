//! While a lane takes over the work of another, as when a guest is swapped, the two count as one: what is below them
//! shows no more than before and afterwards. The test computes from the weights alone what is sent.

use cycle::{Actuator, ActuatorId, Gains, Instant, Kind, LaneId, LaneSettings, Outgoing, Span};
use tests::{HookClosures, Wire, bare, body_of, plan, start, turn_with, with_cycle};

const PERIOD: Span = Span::from_millis(10);
const OWN: Gains = Gains {
    p: 8.0,
    i: 2.0,
    d: 1.0,
};
const JOINTS: usize = 3;

/// What the upper lanes set all the time: the same whoever of them does.
struct Upper {
    value: [f64; JOINTS],
    /// The weight with which a hook drives the joint.
    weight: [f64; JOINTS],
    gains: Gains,
    gains_weight: f64,
    /// The weight of its lane, and on each joint.
    lane: f64,
    on: [f64; JOINTS],
}

impl Upper {
    fn random(random: &mut fastrand::Rng) -> Upper {
        let mut share = || [1.0, 1.0, 0.75, 0.5][random.usize(..4)];
        let (lane, gains_weight) = (share(), share());
        let weight = std::array::from_fn(|_| share());
        let on = std::array::from_fn(|_| share());
        Upper {
            value: std::array::from_fn(|_| 2.0 * random.f64() - 1.0),
            weight,
            gains: Gains {
                p: 4.0 * random.f64(),
                i: random.f64(),
                d: random.f64(),
            },
            gains_weight,
            lane,
            on,
        }
    }

    fn open(&self, stage: &mut cycle::Stage<'_>, fade: Span) -> LaneId {
        let settings = LaneSettings {
            room: 16,
            priority: 20.0,
            weight: self.lane,
            fade_in: fade,
            fade_out: fade,
            ..LaneSettings::STANDARD
        };
        let lane = stage.open(settings).expect("a lane");
        for (joint, weight) in self.on.iter().enumerate() {
            let joint = ActuatorId(joint as u16);
            stage.set_weight_on(lane, joint, *weight).expect("a lane");
        }
        lane
    }

    fn set(&self, stage: &mut cycle::Stage<'_>, lane: LaneId) {
        for joint in 0..JOINTS {
            let id = ActuatorId(joint as u16);
            stage
                .drive(lane, id, self.value[joint], self.weight[joint])
                .expect("a joint");
            stage
                .set_gains(lane, id, self.gains, self.gains_weight)
                .expect("a joint");
        }
    }
}

#[test]
fn a_lane_that_takes_over_another_covers_as_much_as_it_all_the_time() {
    let mut takeovers = 0;
    for seed in 0..100 * tests::effort() {
        takeovers += taken_over(seed);
    }
    println!("{takeovers} lanes were taken over");
    assert!(takeovers > 0);
}

fn taken_over(seed: u64) -> u64 {
    let actuators: Vec<_> = ["A", "B", "C"]
        .map(|name| Actuator {
            gains: Some(OWN),
            velocity: f64::INFINITY,
            ..Actuator::new(name, Kind::Joint, -3.0, 3.0)
        })
        .into();
    let body = body_of(&actuators, &[]);
    let mut random = fastrand::Rng::with_seed(seed);
    let upper = Upper::random(&mut random);
    with_cycle(&body, &plan(&body, 60, 16), bare(PERIOD), |cycle| {
        let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
        let below = LaneSettings {
            room: 16,
            priority: 10.0,
            ..LaneSettings::STANDARD
        };
        let below = cycle.stage().open(below).expect("a lane");
        let mut lane = upper.open(cycle.stage(), Span::ZERO);
        let (mut since, mut takeovers) = (0u32, 0);
        for turn in 0..400u32 {
            now = now + PERIOD;
            let lower = [0, 1, 2].map(|i| (0.02 * f64::from(turn) + f64::from(i)).sin());
            // A lane that has had no effect yet has nothing to hand over; weights count from the second turn on.
            let swaps = random.u32(..25) == 0 && since > 1;
            since += 1;
            let fade = Span::from_millis(random.u64(10..500));
            let mut hook = |stage: &mut cycle::Stage<'_>| {
                for (joint, value) in lower.iter().enumerate() {
                    stage
                        .drive(below, ActuatorId(joint as u16), *value, 1.0)
                        .expect("a joint");
                }
                // A hook that ends with the turn before has set nothing in this one.
                if swaps {
                    let new = upper.open(stage, fade);
                    stage.take_over(new, lane).expect("lanes");
                    stage.set_fade_out(lane, fade).expect("a lane");
                    stage.finish(lane).expect("a lane");
                    lane = new;
                    takeovers += 1;
                    since = 0;
                }
                upper.set(stage, lane);
            };
            let mut sent = [(0.0, OWN); JOINTS];
            let mut board = Wire(|out: &Outgoing<'_>, back: &mut cycle::Incoming<'_>| {
                for (sent, target) in sent.iter_mut().zip(out.targets) {
                    *sent = (target.counts, target.gains);
                }
                back.answers[0].answered = true;
            });
            let mut hooks = HookClosures(&mut hook, |_: &mut cycle::Stage<'_>| {});
            turn_with(cycle, now, &mut hooks, &mut board);
            if turn == 0 {
                // Weights are for the next edge.
                continue;
            }
            for joint in 0..JOINTS {
                let (value, gains) = sent[joint];
                let share = upper.lane * upper.on[joint] * upper.weight[joint];
                let wanted = share * upper.value[joint] + (1.0 - share) * lower[joint];
                let near = |is: f64, wanted: f64| (is - wanted).abs() < 1e-9;
                assert!(
                    near(value, wanted),
                    "seed {seed}, turn {turn}: {value}, not {wanted}"
                );
                let share = upper.lane * upper.gains_weight;
                for (is, upper, own) in [
                    (gains.p, upper.gains.p, OWN.p),
                    (gains.i, upper.gains.i, OWN.i),
                    (gains.d, upper.gains.d, OWN.d),
                ] {
                    let wanted = share * upper + (1.0 - share) * own;
                    assert!(
                        near(is, wanted),
                        "seed {seed}, turn {turn}: {is}, not {wanted}"
                    );
                }
            }
        }
        takeovers
    })
}
