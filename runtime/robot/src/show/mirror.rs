//! How a body mirrors: which joint is which on the other side, and whether its values change their sign. Called by
//! whoever plays a file on a robot that is known.
//! Where a body has links, it follows from the axes of the joints as they stand at 0, not from their names.

use cycle::ActuatorId;
use description::Robot;
use motion_files::{JointMirror, other_side};

type Axis = [f64; 3];

/// How exactly an axis must lie on the mirror image of its other one.
const ALIKE: f64 = 0.9;

/// The mirror images of the joints that move a link of their own.
pub fn mirrors(robot: &Robot) -> Vec<JointMirror> {
    let axes = axes(robot);
    let axis_of = |name: &str| {
        let id = robot.actuator(name)?;
        let mut own = axes.iter().filter(|axis| axis.0 == id);
        // One that moves several links is on both sides.
        own.next().filter(|_| own.next().is_none())
    };
    let has = |name: &str| robot.actuator(name).is_some();
    let images = robot.actuators.iter().filter_map(|actuator| {
        let joint = &actuator.name;
        let other = other_side(joint, &has);
        let (mine, theirs) = (axis_of(joint)?, axis_of(&other)?);
        let [x, y, z] = mine.1;
        // Left and right are y. What slides is reflected; what turns, turns the other way about its reflected axis.
        let image = if mine.2 { [x, -y, z] } else { [-x, y, -z] };
        let along: f64 = image.iter().zip(theirs.1).map(|(a, b)| a * b).sum();
        (along.abs() > ALIKE).then(|| JointMirror {
            joint: joint.clone(),
            other,
            sign: along.signum(),
        })
    });
    images.collect()
}

/// The joint of each link, its axis seen from the root while all joints stand at 0, and whether it slides.
fn axes(robot: &Robot) -> Vec<(ActuatorId, Axis, bool)> {
    let mut turns: Vec<[Axis; 3]> = Vec::with_capacity(robot.links.len());
    let mut all = Vec::new();
    for link in &robot.links {
        let parent = link.parent.and_then(|parent| turns.get(parent).copied());
        let own = turned(link.turn);
        let turn = parent.map_or(own, |parent| own.map(|axis| applied(&parent, axis)));
        turns.push(turn);
        if let Some(joint) = link.joint {
            let way = link.axis.map(|axis| axis * link.ratio.signum());
            all.push((joint, applied(&turn, way), link.slides));
        }
    }
    all
}

/// Where the axes x, y and z come to by roll, pitch and yaw.
fn turned([roll, pitch, yaw]: [f64; 3]) -> [Axis; 3] {
    let ((a, b), (c, d), (e, f)) = (roll.sin_cos(), pitch.sin_cos(), yaw.sin_cos());
    [
        [f * d, e * d, -c],
        [f * c * a - e * b, e * c * a + f * b, d * a],
        [f * c * b + e * a, e * c * b - f * a, d * b],
    ]
}

/// A way along axes that were turned.
fn applied(turn: &[Axis; 3], way: Axis) -> Axis {
    [0, 1, 2].map(|place| (0..3).map(|axis| turn[axis][place] * way[axis]).sum())
}

#[cfg(test)]
mod tests {
    use description::{RobotSource, load};

    use super::*;

    fn sign(robot: &str, joint: &str) -> Option<(String, f64)> {
        let robot = load(&RobotSource::of(robot)).expect("it is shipped");
        let found = mirrors(&robot)
            .into_iter()
            .find(|mirror| mirror.joint == joint);
        found.map(|mirror| (mirror.other, mirror.sign))
    }

    #[test]
    fn axes_say_which_joints_change_their_sign() {
        let cases = [
            ("nao", "HeadYaw", "HeadYaw", -1.0),
            ("nao", "HeadPitch", "HeadPitch", 1.0),
            ("nao", "LShoulderPitch", "RShoulderPitch", 1.0),
            ("nao", "RShoulderRoll", "LShoulderRoll", -1.0),
            ("nao", "LElbowYaw", "RElbowYaw", -1.0),
            ("nao", "LKneePitch", "RKneePitch", 1.0),
            ("nao", "LAnkleRoll", "RAnkleRoll", -1.0),
            ("hexapod", "LFrontCoxa", "RFrontCoxa", -1.0),
            ("aibo-ers7", "NECK:pan", "NECK:pan", -1.0),
            ("aibo-ers7", "TAIL:pan", "TAIL:pan", -1.0),
            ("aibo-ers7", "LFr:rotor", "RFr:rotor", 1.0),
            ("aibo-ers7", "LFr:elvtr", "RFr:elvtr", 1.0),
        ];
        for (robot, joint, other, expected) in cases {
            let expected = (other.to_owned(), expected);
            assert_eq!(sign(robot, joint), Some(expected), "{robot}: {joint}");
        }
        assert_eq!(sign("nao", "LHipYawPitch"), None, "it is on both sides");
        assert_eq!(sign("aibo-ers7", "LED:faceA"), None);
    }
}
