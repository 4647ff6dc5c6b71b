//! The zero of a joint is moved while the loop runs. The test knows nothing of the cycle's calibration: it computes
//! counts with the formula of the DCM, `value = counts * gain + offset`, and compares every frame with that.

use cycle::{
    Actuator, ActuatorId, Calibration, Command, CommandSet, Cycle, Hooks, Incoming, Instant, Kind,
    LaneId, Merge, Outgoing, Range, Request, Sensor, SensorId, Span, Stage, To, TrimRefusal,
    ZeroChange,
};
use tests::{HookClosures, Wire, bare, body_of, lane, plan, sensor, turn_with, with_cycle};

const PERIOD: Span = Span::from_millis(10);

/// A joint whose commands and sensor have zeros and gains of their own.
#[derive(Clone, Copy, Debug)]
struct Joint {
    gain: f64,
    offset: f64,
    sensor_gain: f64,
    sensor_offset: f64,
    range: Range,
    /// Where its encoder is, counts.
    counts: f64,
    /// How far its zero was moved.
    moved: f64,
}

impl Joint {
    fn random(random: &mut fastrand::Rng) -> Joint {
        let sign = if random.bool() { 1.0 } else { -1.0 };
        Joint {
            gain: sign * (0.0005 + 0.002 * random.f64()),
            offset: random.f64() - 0.5,
            sensor_gain: 0.0005 + 0.002 * random.f64(),
            sensor_offset: random.f64() - 0.5,
            range: Range {
                min: -1.0 - random.f64(),
                max: 1.0 + random.f64(),
            },
            counts: 0.0,
            moved: 0.0,
        }
    }

    /// The value that its sensor has.
    fn value(&self) -> f64 {
        self.counts * self.sensor_gain + self.sensor_offset + self.moved
    }

    /// The value of a frame's counts.
    fn sent(&self, counts: f64) -> f64 {
        counts * self.gain + self.offset + self.moved
    }

    fn actuator(&self, name: &'static str, sensor: u16) -> Actuator<'static> {
        Actuator {
            sensor: Some(SensorId(sensor)),
            calibration: Calibration {
                gain: self.gain,
                offset: self.offset,
                whole: true,
            },
            ..Actuator::new(name, Kind::Joint, self.range.min, self.range.max)
        }
    }

    fn sensor(&self, name: &'static str) -> Sensor<'static> {
        Sensor {
            calibration: Calibration {
                gain: self.sensor_gain,
                offset: self.sensor_offset,
                whole: false,
            },
            ..sensor(name)
        }
    }
}

/// A turn; the encoders are where the hand holds them, and the first board may be silent. Returns the counts sent.
fn turn(cycle: &mut Cycle<'_>, now: Instant, joints: &[Joint; 2], silent: bool) -> [f64; 2] {
    turn_by(cycle, now, joints, silent, &mut ())
}

/// A turn with these hooks.
fn turn_by<H: Hooks>(
    cycle: &mut Cycle<'_>,
    now: Instant,
    joints: &[Joint; 2],
    silent: bool,
    hooks: &mut H,
) -> [f64; 2] {
    let mut sent = [0.0; 2];
    let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
        for (place, joint) in joints.iter().enumerate() {
            sent[place] = out.targets[place].counts;
            back.counts[place] = joint.counts;
        }
        back.answers[0].answered = !silent;
    });
    turn_with(cycle, now, hooks, &mut board);
    sent
}

/// What the cycle should say to this change, by the rules in its description.
fn expected(joint: &Joint, limp: bool, change: ZeroChange) -> Result<f64, TrimRefusal> {
    if !limp {
        return Err(TrimRefusal::NotLimp);
    }
    let moved = match change {
        ZeroChange::IsAt(value) if !(joint.range.min..=joint.range.max).contains(&value) => {
            return Err(TrimRefusal::Value);
        }
        ZeroChange::IsAt(value) => joint.moved + (value - joint.value()),
        ZeroChange::To(moved) if !moved.is_finite() => return Err(TrimRefusal::Value),
        ZeroChange::To(moved) => moved,
    };
    match moved.abs() <= (joint.range.max - joint.range.min) / 2.0 {
        true => Ok(moved),
        false => Err(TrimRefusal::TooFar),
    }
}

fn command(cycle: &mut Cycle<'_>, lane: LaneId, joint: u16, at: Instant, value: f64) {
    let command = [Command { at, value }];
    let request = Request {
        to: To::One(ActuatorId(joint)),
        merge: Merge::ClearAll,
        commands: CommandSet::Same(&command),
    };
    cycle.stage().submit(lane, &request).expect("there is room");
}

fn close(found: f64, wanted: f64, what: &str) {
    assert!(
        (found - wanted).abs() < 1e-9,
        "{what}: {found} is not {wanted}"
    );
}

#[test]
fn counts_follow_the_moved_zero_and_refusals_change_nothing() {
    let mut random = fastrand::Rng::with_seed(22);
    let mut taken = 0;
    for _ in 0..300 {
        let mut joints = [Joint::random(&mut random), Joint::random(&mut random)];
        let actuators = [joints[0].actuator("A", 0), joints[1].actuator("B", 1)];
        let sensors = [joints[0].sensor("A"), joints[1].sensor("B")];
        let body = body_of(&actuators, &sensors);
        with_cycle(&body, &plan(&body, 2, 256), bare(PERIOD), |cycle| {
            let by = cycle.stage().open(lane(128)).expect("a lane");
            let mut now = Instant::from_millis(1_000);
            let mut limp = true;
            for _ in 0..12 {
                turn(cycle, now, &joints, false);
                now = now + PERIOD;
            }
            for _ in 0..40 {
                match random.u8(..6) {
                    // A hand moves the limp joints.
                    0 if limp => {
                        for joint in &mut joints {
                            joint.counts =
                                (joint.counts + random.f64() * 200.0 - 100.0).clamp(-600.0, 600.0);
                        }
                    }
                    1 => {
                        limp = !limp;
                        let asked = match limp {
                            true => cycle.stage().disarm(),
                            false => cycle.stage().arm(),
                        };
                        asked.expect("the table allows it");
                    }
                    2 => {
                        let place = random.usize(..2);
                        let value = joints[place].range.min + random.f64();
                        command(cycle, by, place as u16, now + PERIOD, value);
                    }
                    _ => {
                        let place = random.usize(..2);
                        let change = match random.u8(..5) {
                            0 => ZeroChange::To(f64::NAN),
                            1 => ZeroChange::To(random.f64() - 0.5),
                            2 => ZeroChange::IsAt(5.0),
                            3 => ZeroChange::To(3.0),
                            _ => ZeroChange::IsAt(random.f64() - 0.5),
                        };
                        // Only what the cycle has read counts.
                        turn(cycle, now, &joints, false);
                        now = now + PERIOD;
                        let told = cycle.stage().trim(ActuatorId(place as u16), change);
                        let wanted = expected(&joints[place], limp, change);
                        match (told, wanted) {
                            (Ok(moved), Ok(wanted)) => {
                                close(moved, wanted, "moved");
                                joints[place].moved = moved;
                                taken += 1;
                            }
                            (told, wanted) => assert_eq!(told.err(), wanted.err()),
                        }
                    }
                }
                // A silent board changes no value, however often its zero is added.
                let before = cycle.view().sensors.to_vec();
                let silent = random.u8(..8) == 0;
                let sent = turn(cycle, now, &joints, silent);
                now = now + PERIOD;
                for (place, joint) in joints.iter().enumerate() {
                    let view = cycle.view();
                    match silent {
                        true => assert_eq!(view.sensors[place], before[place]),
                        false => close(view.sensors[place], joint.value(), "measured"),
                    }
                    close(view.tracks[place].sent, joint.sent(sent[place]), "sent");
                    // In its unit, and in the counts that the description allows.
                    let (min, max) = (joint.range.min, joint.range.max);
                    let described = view.tracks[place].sent - joint.moved;
                    assert!(
                        (min - 1e-9..=max + 1e-9).contains(&described),
                        "{described}"
                    );
                    let within = min - 1e-9..=max + 1e-9;
                    assert!(
                        within.contains(&view.tracks[place].sent),
                        "outside the range"
                    );
                    assert_eq!(sent[place], sent[place].round(), "a part of a count");
                }
            }
        });
    }
    assert!(taken > 1_000, "only {taken} were taken");
}

#[test]
fn a_calibrated_joint_does_not_move_when_it_has_force_again() {
    let mut random = fastrand::Rng::with_seed(23);
    for round in 0..200 {
        let mut joint = Joint::random(&mut random);
        // Commands and sensor count alike, as in a servo.
        (joint.sensor_gain, joint.sensor_offset) = (joint.gain, joint.offset);
        let still = joint;
        let actuators = [joint.actuator("A", 0), still.actuator("B", 1)];
        let sensors = [joint.sensor("A"), still.sensor("B")];
        let body = body_of(&actuators, &sensors);
        with_cycle(&body, &plan(&body, 2, 256), bare(PERIOD), |cycle| {
            let mut now = Instant::from_millis(1_000);
            joint.counts = (random.f64() * 400.0 - 200.0).round();
            let joints = [joint, still];
            for _ in 0..12 {
                turn(cycle, now, &joints, false);
                now = now + PERIOD;
            }
            let (min, max) = (joint.range.min, joint.range.max);
            let at = (joint.value() + random.f64() * 0.4 - 0.2).clamp(min, max);
            let trim = |stage: &mut Stage<'_>| {
                let told = stage.trim(ActuatorId(0), ZeroChange::IsAt(at));
                told.expect("it is limp");
            };
            // Between turns, or in the very turn in which it gets force.
            if round % 2 == 0 {
                trim(cycle.stage());
                turn(cycle, now, &joints, false);
                now = now + PERIOD;
                cycle.stage().arm().expect("it is ready");
            } else {
                let in_turn = |stage: &mut Stage<'_>| {
                    trim(stage);
                    stage.arm().expect("it is ready");
                };
                let mut hooks = HookClosures(in_turn, |_: &mut Stage<'_>| {});
                let sent = turn_by(cycle, now, &joints, false, &mut hooks);
                now = now + PERIOD;
                assert_eq!(sent[0], joint.counts, "it was sent elsewhere in that turn");
            }
            for _ in 0..30 {
                let sent = turn(cycle, now, &joints, false);
                now = now + PERIOD;
                assert_eq!(sent[0], joint.counts, "it was sent elsewhere");
            }
        });
    }
}

#[test]
fn an_old_reading_is_no_position() {
    let joint = Joint::random(&mut fastrand::Rng::with_seed(24));
    let actuators = [joint.actuator("A", 0), joint.actuator("B", 1)];
    let sensors = [joint.sensor("A"), joint.sensor("B")];
    let body = body_of(&actuators, &sensors);
    with_cycle(&body, &plan(&body, 2, 256), bare(PERIOD), |cycle| {
        let mut now = Instant::from_millis(1_000);
        for silent in [false, false, true] {
            turn(cycle, now, &[joint; 2], silent);
            now = now + PERIOD;
            let told = cycle.stage().trim(ActuatorId(0), ZeroChange::IsAt(0.1));
            assert_eq!(told.err(), silent.then_some(TrimRefusal::NoReading));
        }
        // How far a zero is moved needs no reading.
        let told = cycle.stage().trim(ActuatorId(0), ZeroChange::To(0.05));
        assert_eq!(told, Ok(0.05));
    });
}
