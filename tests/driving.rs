//! Who drives an actuator: the shares that the stage tells, beside a plain model of what each lane asks for, and a
//! blend of them by the rule of levels, which must be what was commanded.

use cycle::{
    Actuator, ActuatorId, Command, CommandSet, Instant, Kind, LaneId, LaneSettings, LaneShare,
    Merge, Request, Span, Stage, To,
};
use tests::{HookClosures, Wire, bare, body_of, lane, plan, start, turn_with, with_cycle};

const PERIOD: Span = Span::from_millis(10);
const JOINT: ActuatorId = ActuatorId(0);

/// What a lane asks for.
#[derive(Clone, Copy, Debug)]
struct Asks {
    lane: LaneId,
    priority: f64,
    weight: f64,
    /// The value that its last command left.
    stays: Option<f64>,
    /// A value and a weight for one turn.
    drives: Option<(f64, f64)>,
}

impl Asks {
    fn share(&self) -> Option<(f64, f64)> {
        let (value, weight) = self.drives.or(self.stays.map(|stay| (stay, 1.0)))?;
        Some((value, weight * self.weight)).filter(|pair| pair.1 > 0.0)
    }
}

/// The blend of these shares, the highest priority first, and which of them it hides.
fn blend(shares: &[LaneShare]) -> Option<(f64, Vec<bool>)> {
    let (mut rest, mut sum, mut cover) = (1.0, 0.0, 0.0);
    let mut hidden = Vec::new();
    for level in shares.chunk_by(|a, b| a.priority.total_cmp(&b.priority).is_eq()) {
        hidden.extend(level.iter().map(|_| rest <= 0.0));
        let weight: f64 = level.iter().map(|level| level.weight).sum();
        let value: f64 = level.iter().map(|level| level.value * level.weight).sum();
        let open: f64 = level.iter().map(|level| 1.0 - level.weight).product();
        sum += value / weight * rest * (1.0 - open);
        cover += rest * (1.0 - open);
        rest *= open;
    }
    (cover > 0.0).then(|| (sum / cover, hidden))
}

fn send(stage: &mut Stage<'_>, by: LaneId, at: Instant, value: f64) {
    let command = [Command { at, value }];
    let request = Request {
        to: To::One(JOINT),
        merge: Merge::ClearAll,
        commands: CommandSet::Same(&command),
    };
    stage.submit(by, &request).expect("there is room");
}

#[test]
fn the_lanes_that_drive_are_told_with_what_the_blend_took_of_them() {
    let mut random = fastrand::Rng::with_seed(24);
    let (mut blended, mut hidden) = (0, 0);
    let actuators = [
        Actuator::new("A", Kind::Joint, -3.0, 3.0),
        Actuator::new("B", Kind::Joint, -3.0, 3.0),
    ];
    let body = body_of(&actuators, &[]);
    for _ in 0..60 * tests::effort() {
        let count = random.usize(1..6);
        with_cycle(&body, &plan(&body, count, 16), bare(PERIOD), |cycle| {
            let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
            let mut all: Vec<_> = (0..count)
                .map(|_| {
                    let priority = [5.0, 10.0, 10.0, 20.0][random.usize(..4)];
                    let weight = [0.25, 0.5, 1.0][random.usize(..3)];
                    let settings = LaneSettings {
                        priority,
                        weight,
                        ..lane(16)
                    };
                    Asks {
                        lane: cycle.stage().open(settings).expect("a lane"),
                        priority,
                        weight,
                        stays: None,
                        drives: None,
                    }
                })
                .collect();
            for _ in 0..40 {
                now = now + PERIOD;
                for asks in &mut all {
                    let value = 2.5 * (2.0 * random.f64() - 1.0);
                    asks.drives = None;
                    match random.u8(..6) {
                        0 => {
                            send(cycle.stage(), asks.lane, now, value);
                            asks.stays = Some(value);
                        }
                        1 => asks.drives = Some((value, [0.5, 1.0][random.usize(..2)])),
                        _ => {}
                    }
                }
                let asked = all.clone();
                let drive = |stage: &mut Stage<'_>| {
                    for asks in &asked {
                        if let Some((value, weight)) = asks.drives {
                            stage
                                .drive(asks.lane, JOINT, value, weight)
                                .expect("allowed");
                        }
                    }
                };
                let mut hooks = HookClosures(drive, |_: &mut Stage<'_>| {});
                let mut board = Wire(|_: &cycle::Outgoing<'_>, back: &mut cycle::Incoming<'_>| {
                    back.answers[0].answered = true;
                });
                turn_with(cycle, now, &mut hooks, &mut board);
                let told: Vec<_> = cycle.stage().shares(JOINT).expect("known").collect();
                let ordered = told.is_sorted_by(|a, b| a.priority >= b.priority);
                assert!(ordered, "{told:?}");
                let wanted = all.iter().filter_map(|asks| Some((asks, asks.share()?)));
                assert_eq!(told.len(), wanted.clone().count(), "{told:?}: {all:?}");
                for (asks, (value, weight)) in wanted {
                    let of = |share: &&LaneShare| share.lane == asks.lane;
                    let one = told.iter().find(of).expect("it drives");
                    let exact = (one.value - value).abs() + (one.weight - weight).abs();
                    assert!(exact < 1e-12, "{one:?}: {asks:?}");
                    assert_eq!(one.priority, asks.priority);
                }
                assert_eq!(
                    cycle.stage().shares(ActuatorId(1)).expect("known").count(),
                    0
                );
                if let Some((value, is_hidden)) = blend(&told) {
                    let commanded = cycle.view().tracks[0].commanded;
                    assert!((value - commanded).abs() < 1e-12, "{commanded}: {told:?}");
                    let tells: Vec<_> = told.iter().map(|share| share.is_hidden).collect();
                    assert_eq!(tells, is_hidden, "{told:?}");
                    blended += 1;
                    hidden += is_hidden.iter().filter(|hidden| **hidden).count();
                }
            }
            assert!(cycle.stage().shares(ActuatorId(2)).is_err());
        });
    }
    assert!(blended > 1_000 && hidden > 200, "{blended} {hidden}");
}
