//! Trajectory limits: judges where a joint's commands leave its range, velocity, acceleration or coupling.
//! Asked in every turn with the tracks; a finding is complete when its move is over.
//! A move goes one way without a rest or a sudden change of speed, so that its author can change what is
//! wrong with it: its time, or its size.

use cycle::{Clip, Kind, StepLimits, Track};

use super::finding::Findings;
use super::limited_move::LimitedMove;
use super::rounding::step;
use description::{ActuatorSpec, ROUNDED, Robot};

/// A new move begins where the speed changes in one turn by more than this share of the joint's velocity limit.
const BEND: f64 = 0.3;

/// The trajectories of all actuators.
#[derive(Clone, Debug)]
pub(super) struct TrajectoryJudge {
    joints: Vec<JointTrajectory>,
}

#[derive(Clone, Debug, Default)]
struct JointTrajectory {
    /// What was commanded in the turn before, and how fast it went.
    last: f64,
    speed: f64,
    /// Somebody drives it.
    driven: bool,
    /// Since when, s.
    driven_since: f64,
    /// Where and when the move under way began.
    from: f64,
    since: f64,
    open: Option<LimitedMove>,
    /// Where the joint would be, and how fast, if its derived acceleration were a limit.
    estimate: (f64, f64),
    /// What the limits made of the command in the turn before.
    limited: f64,
}

/// The turn that is judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnSample<'a> {
    /// On the show's clock, s.
    pub(super) at: f64,
    /// When the show began on its clock, s: 0, or earlier by its lead.
    pub(super) begun: f64,
    /// s since the turn before.
    pub(super) elapsed: f64,
    /// The tracks after it.
    pub(super) tracks: &'a [Track],
}

impl TrajectoryJudge {
    /// Of a robot.
    pub(super) fn of(robot: &Robot) -> TrajectoryJudge {
        TrajectoryJudge {
            joints: vec![JointTrajectory::default(); robot.actuators.len()],
        }
    }

    /// A new show begins.
    pub(super) fn begin(&mut self, tracks: &[Track]) {
        for (joint, track) in self.joints.iter_mut().zip(tracks) {
            *joint = JointTrajectory {
                last: track.commanded,
                estimate: (track.limited, 0.0),
                limited: track.limited,
                ..JointTrajectory::default()
            };
        }
    }

    /// A turn has been made.
    pub(super) fn turn(&mut self, robot: &Robot, now: TurnSample<'_>, findings: &mut Findings) {
        let all = self.joints.iter_mut().zip(&robot.actuators).zip(now.tracks);
        for (place, ((joint, actuator), track)) in all.enumerate() {
            if !matches!(actuator.kind, Kind::Joint | Kind::Hand | Kind::Wheel) {
                continue;
            }
            joint.follow(track, &now, actuator.velocity);
            if let Some(open) = joint.judge(robot, place, track, &now) {
                findings.extend(open.finding(actuator));
            }
        }
    }

    /// The show is over: moves that are still open become findings.
    pub(super) fn end(&mut self, robot: &Robot, findings: &mut Findings) {
        for (joint, actuator) in self.joints.iter_mut().zip(&robot.actuators) {
            if let Some(open) = joint.open.take() {
                findings.extend(open.finding(actuator));
            }
        }
    }
}

impl JointTrajectory {
    /// Follows the commands, and notes where a new move begins.
    fn follow(&mut self, track: &Track, now: &TurnSample<'_>, velocity: f64) {
        if track.coverage == 0.0 {
            self.driven = false;
            self.last = track.commanded;
            self.speed = 0.0;
            return;
        }
        if !self.driven {
            self.driven = true;
            self.driven_since = now.at - now.elapsed;
        }
        let step = track.commanded - self.last;
        let speed = if now.elapsed > 0.0 {
            step / now.elapsed
        } else {
            0.0
        };
        // From one line to a much steeper one there is a key, and what is said is of one of the two.
        let bends = (speed - self.speed).abs() > BEND * velocity;
        let goes_on = step.abs() > ROUNDED && speed * self.speed > 0.0 && !bends;
        if step.abs() > ROUNDED && !goes_on {
            self.from = self.last;
            self.since = now.at - now.elapsed;
        }
        if let Some(open) = &mut self.open {
            if goes_on && !open.over {
                open.to = track.commanded;
                open.until = now.at;
            } else {
                open.over = true;
            }
        }
        self.last = track.commanded;
        self.speed = if step.abs() > ROUNDED { speed } else { 0.0 };
    }

    /// How far the joint would lag if its derived acceleration were a limit; 0 if it has none.
    fn estimated_lag(
        &mut self,
        actuator: &ActuatorSpec,
        track: &Track,
        now: &TurnSample<'_>,
    ) -> f64 {
        let before = std::mem::replace(&mut self.limited, track.limited);
        let is_estimated = actuator.derived_acceleration.is_finite();
        if !(is_estimated && self.driven && now.elapsed > 0.0) {
            self.estimate = (track.limited, 0.0);
            return 0.0;
        }
        let limits = StepLimits {
            range: cycle::Range::ALL,
            velocity: actuator.velocity,
            acceleration: actuator.derived_acceleration,
            seconds: now.elapsed,
        };
        let (value, speed) = self.estimate;
        let step = limits.step(value, speed, track.limited, before);
        self.estimate = (step.value, step.speed);
        (track.limited - step.value).abs()
    }

    /// How far the joint lags in this turn, and why; none if it does not.
    fn lag(
        &mut self,
        actuator: &ActuatorSpec,
        track: &Track,
        now: &TurnSample<'_>,
    ) -> Option<(Clip, f64)> {
        let estimated = self.estimated_lag(actuator, track, now);
        let behind = (track.commanded - track.limited).abs();
        // What is less than a step of the board, its motor cannot tell from nothing.
        let least = ROUNDED.max(step(actuator));
        let clip = clipped(track).filter(|_| self.driven && behind > ROUNDED);
        let clip = clip.filter(|clip| *clip != Clip::Position || behind > least);
        let Some(clip) = clip else {
            return (estimated > ROUNDED).then_some((Clip::Acceleration, estimated));
        };
        let hurries = self.speed.abs() <= actuator.velocity * (1.0 + ROUNDED);
        let clip = match clip {
            // It hurries after what it asks for, which is not too fast by itself.
            Clip::Velocity if hurries && let Some(open) = self.open => open.clip,
            Clip::Velocity if hurries && actuator.acceleration.is_finite() => Clip::Acceleration,
            clip => clip,
        };
        Some((clip, behind))
    }

    /// Judges a turn. Returns a move that is over and that the limits have changed.
    fn judge(
        &mut self,
        robot: &Robot,
        place: usize,
        track: &Track,
        now: &TurnSample<'_>,
    ) -> Option<LimitedMove> {
        let actuator = &robot.actuators[place];
        let Some((clip, behind)) = self.lag(actuator, track, now) else {
            // Nothing is behind any more; the move itself may still go on.
            return self.open.take_if(|open| open.over || !self.driven);
        };
        let (value, limit) = match clip {
            Clip::Velocity => (self.speed.abs(), actuator.velocity),
            Clip::Acceleration => (
                behind,
                actuator.acceleration.min(actuator.derived_acceleration),
            ),
            Clip::Coupled => (track.commanded, coupled_edge(robot, place, track, now)),
            _ => (track.commanded, actuator.range.clamp(track.commanded)),
        };
        let before = match self.open {
            Some(open) if graver(open.clip, clip) && !open.over => None,
            Some(open) if graver(clip, open.clip) => Some(LimitedMove {
                behind: open.behind.max(behind),
                late_until: now.at,
                ..open
            }),
            other => other,
        };
        let mut open = before.unwrap_or(LimitedMove {
            clip,
            first: self.since <= self.driven_since + now.elapsed / 2.0,
            from: self.from,
            since: self.since,
            begun: now.begun,
            to: track.commanded,
            until: now.at,
            over: false,
            value,
            limit,
            behind,
            late: 0.0,
            late_until: now.at,
        });
        if open.clip == clip {
            let farther = (value - limit).abs() > (open.value - open.limit).abs();
            if farther && !open.over {
                (open.value, open.limit) = (value, limit);
            }
        }
        open.behind = open.behind.max(behind);
        open.late += now.elapsed;
        open.late_until = now.at;
        self.open = Some(open);
        None
    }
}

/// Why the limits changed a value. Of several reasons the one that the author can change best.
fn clipped(track: &Track) -> Option<Clip> {
    let order = [
        Clip::Position,
        Clip::Velocity,
        Clip::Coupled,
        Clip::Acceleration,
    ];
    order
        .into_iter()
        .find(|value| track.clipped_now & (1 << *value as u8) != 0)
}

/// Whether the strong reason explains the weak one as well.
fn graver(weak: Clip, strong: Clip) -> bool {
    weak == Clip::Acceleration && strong != Clip::Acceleration
}

/// The nearest value that the position of the driver allows.
fn coupled_edge(robot: &Robot, place: usize, track: &Track, now: &TurnSample<'_>) -> f64 {
    let own = robot
        .couplings
        .iter()
        .find(|coupling| usize::from(coupling.driven.0) == place);
    own.map_or(track.limited, |value| {
        let coupling = cycle::Coupling {
            driver: value.driver,
            driven: value.driven,
            rows: &value.rows,
        };
        let driver = now.tracks[usize::from(value.driver.0)].sent;
        coupling.range_at(driver).clamp(track.commanded)
    })
}
