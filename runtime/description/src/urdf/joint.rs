//! Converts a joint of a URDF to an actuator: its range, its velocity, its motor.
//! Used by `draft`. No limit is widened; a missing limit gets a cautious default, with a warning.

use std::f64::consts::PI;

use super::fault::UrdfFault;
use super::model::{Bounds, JointType, UrdfJoint};

/// Limits of this size or more mean "no limit": some programs write them so.
const BOUNDLESS: f64 = 1e3;

/// Ranges, efforts and velocities above this are mistakes.
const BEYOND: f64 = 1e6;

/// The default velocity limits: rad/s, m/s, and a wheel's rad/s.
const CAUTIOUS: (f64, f64, f64) = (1.0, 0.1, 10.0);

/// The draft of an actuator.
#[derive(Debug, PartialEq)]
pub(super) struct JointDraft {
    pub(super) name: String,
    pub(super) slides: bool,
    pub(super) range: (f64, f64),
    /// The velocity limit; `None` for a wheel.
    pub(super) velocity: Option<f64>,
    /// The motor's maximum torque.
    pub(super) torque: Option<f64>,
    /// The motor's maximum speed.
    pub(super) speed: Option<f64>,
    /// Comments for the user.
    pub(super) notes: Vec<String>,
}

/// Whether this joint is continuous.
pub(super) fn is_endless(joint: &UrdfJoint) -> bool {
    let ends = joint.limit.map_or((None, None), |limit| limit.ends);
    let boundless =
        matches!(ends, (Some(low), Some(high)) if low <= -BOUNDLESS && high >= BOUNDLESS);
    joint.kind == JointType::Continuous || joint.kind == JointType::Revolute && boundless
}

/// The actuator for `joint` with the name `name`, and the warnings.
pub(super) fn drive(
    joint: &UrdfJoint,
    name: String,
    as_wheel: bool,
) -> Result<(JointDraft, Vec<String>), UrdfFault> {
    let said =
        |value: Option<f64>| value.filter(|value| (f64::MIN_POSITIVE..BEYOND).contains(value));
    let effort = said(joint.limit.and_then(|limit| limit.effort));
    let speeds = [
        joint.limit.and_then(|limit| limit.velocity),
        joint.command_speed,
    ];
    let speed = speeds.into_iter().filter_map(said).reduce(f64::min);
    let slides = joint.kind == JointType::Prismatic;
    let (cautious, unit) = match () {
        () if as_wheel => (CAUTIOUS.2, "rad/s"),
        () if slides => (CAUTIOUS.1, "m/s"),
        () => (CAUTIOUS.0, "rad/s"),
    };
    let most = speed.unwrap_or(cautious);
    let mut remarks = Remarks::default();
    let range = if as_wheel {
        (-most, most)
    } else {
        range(joint, &mut remarks)?
    };
    if speed.is_none() {
        remarks.warn(format!("no velocity limit: assuming {cautious} {unit}"));
    }
    if effort.is_none() {
        remarks.warn("no effort limit: the simulated motor is a small servo".to_owned());
    }
    let drive = JointDraft {
        name,
        slides,
        range,
        velocity: (!as_wheel).then_some(most),
        torque: effort,
        speed,
        notes: remarks.notes,
    };
    Ok((drive, remarks.warnings))
}

impl JointDraft {
    /// Narrows range and velocity to those of `follower`, whose position is `multiplier` times this one's plus
    /// `offset`. Returns the warnings.
    pub(super) fn follow(
        &mut self,
        follower: &UrdfJoint,
        multiplier: f64,
        offset: f64,
    ) -> Option<String> {
        let limit = follower.limit.filter(|_| multiplier != 0.0)?;
        let by = format!("the limits of `{}`, which follows it", follower.name);
        let speed = limit.velocity.map(|velocity| velocity / multiplier.abs());
        if let (Some(own), Some(speed)) = (self.velocity, speed)
            && speed.is_finite()
            && speed > 0.0
            && speed < own
        {
            self.notes.push(format!("slowed from {own} by {by}"));
            self.velocity = Some(speed);
        }
        let (Some(low), Some(high)) = limit.ends else {
            return None;
        };
        if is_endless(follower) || low >= high {
            return None;
        }
        let (one, other) = ((low - offset) / multiplier, (high - offset) / multiplier);
        let ends = (Some(one.min(other)), Some(one.max(other)));
        match narrowed(self.range, ends) {
            Some(narrow) if narrow != self.range => {
                let (low, high) = self.range;
                self.notes
                    .push(format!("narrowed from [{low}, {high}] by {by}"));
                self.range = narrow;
                None
            }
            Some(_) => None,
            None => {
                let warning = format!("{by} leave nothing of this range, and are ignored");
                self.notes.push(warning.clone());
                Some(warning)
            }
        }
    }
}

/// Comments for the description, and warnings.
#[derive(Default)]
struct Remarks {
    notes: Vec<String>,
    warnings: Vec<String>,
}

impl Remarks {
    fn warn(&mut self, remark: String) {
        self.notes.push(remark.clone());
        self.warnings.push(remark);
    }
}

/// The range of the URDF, narrowed by the safety controller and by `<ros2_control>`.
fn range(joint: &UrdfJoint, remarks: &mut Remarks) -> Result<(f64, f64), UrdfFault> {
    let mut range = match (joint.limit, joint.command) {
        (_, (Some(low), Some(high))) if is_endless(joint) && low <= high => (low, high),
        (Some(limit), _) if !is_endless(joint) => {
            (limit.ends.0.unwrap_or(0.0), limit.ends.1.unwrap_or(0.0))
        }
        _ => {
            remarks.warn(
                "continuous: limited to half a turn each way (--wheels makes it a wheel)"
                    .to_owned(),
            );
            (-PI, PI)
        }
    };
    for (ends, by) in [
        (joint.soft, "the safety controller"),
        (joint.command, "`<ros2_control>`"),
    ] {
        match narrowed(range, ends) {
            Some(narrow) if narrow != range => {
                let (low, high) = range;
                let note = format!("narrowed from [{low}, {high}] by {by}");
                remarks.notes.push(note);
                range = narrow;
            }
            Some(_) => {}
            None => remarks.warn(format!("{by} leaves nothing of this range, and is ignored")),
        }
    }
    for (key, end) in [("lower", range.0), ("upper", range.1)] {
        if end.abs() > BEYOND {
            let (owner, bound) = (format!("the joint `{}`", joint.name), "at most a million");
            return Err(UrdfFault::Bound(owner, key.to_owned(), end, bound));
        }
    }
    if range.0 == range.1 {
        remarks.warn("cannot move: its range is a single value".to_owned());
    }
    Ok(range)
}

fn narrowed(range: (f64, f64), ends: Bounds) -> Option<(f64, f64)> {
    let low = ends.0.map_or(range.0, |value| value.max(range.0));
    let high = ends.1.map_or(range.1, |value| value.min(range.1));
    (low <= high).then_some((low, high))
}
