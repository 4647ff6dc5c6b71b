//! Trajectories of ROS: `joint_names`, and `points` with positions, perhaps velocities, and the
//! time from the start; in YAML as `ros2 topic echo` writes it, or in JSON. Called by `lib` and
//! `recorded`.
//! The law: with velocities, curves are cubic and take them; without, lines. Units are SI. A
//! point's time may be `{sec, nanosec}`, `{secs, nsecs}`, or a number of seconds.

use super::{count, seconds};
use crate::curves::value_at;
use crate::fault::{FileMistake, WriteFailure, quoted};
use crate::motion::{
    BezierHandle, JointKey, JointTrack, KeySide, KeyedMotion, TIME_MAX, TRACKS_MAX,
};
use crate::text::number::shortest;
use crate::tree::{TreeNode, TreeValue};

const FORMAT: &str = "a trajectory of ROS";

/// Where messages keep a trajectory.
const WITHIN: [&str; 4] = ["trajectory", "joint_trajectory", "goal", "request"];

/// The trajectory in a tree: itself, or what a message has inside.
pub(crate) fn find(root: &TreeNode) -> Option<&TreeNode> {
    let mut node = root;
    for _ in 0..WITHIN.len() {
        if node.get("joint_names").is_some() {
            return Some(node);
        }
        node = WITHIN.iter().find_map(|it| node.get(it))?;
    }
    None
}

/// The motion of a trajectory.
pub(crate) fn motion(root: &TreeNode) -> Result<KeyedMotion, FileMistake> {
    let missing =
        || root.wrong("there is no `joint_names`; fix: check that it is a JointTrajectory");
    let trajectory = find(root).ok_or_else(missing)?;
    let names = trajectory.needed("joint_names", "the trajectory")?;
    let names = names.items("joint_names")?;
    if names.is_empty() || names.len() > TRACKS_MAX {
        return Err(trajectory.wrong(format!(
            "{} joints; expected 1 to {TRACKS_MAX}",
            names.len()
        )));
    }
    let mut motion = KeyedMotion::default();
    for name in names {
        let joint = name.as_text("the name of a joint")?;
        if motion.tracks.iter().any(|it| it.joint == joint) {
            return Err(name.wrong(format!("{} comes twice", quoted(joint))));
        }
        motion.tracks.push(JointTrack {
            joint: joint.to_owned(),
            ..JointTrack::default()
        });
    }
    let points = trajectory.needed("points", "the trajectory")?;
    let list = points.items("points")?;
    count(points, list.len().saturating_mul(names.len()))?;
    if list.is_empty() {
        return Err(points.wrong("the trajectory has no points"));
    }
    let mut slopes: Vec<Vec<f64>> = Vec::with_capacity(list.len());
    for point in list {
        slopes.push(add(point, &mut motion)?);
    }
    bend(&mut motion, &slopes);
    Ok(motion)
}

/// Adds a point; its velocities come back.
fn add(point: &TreeNode, motion: &mut KeyedMotion) -> Result<Vec<f64>, FileMistake> {
    let start = point.needed("time_from_start", "a point")?;
    let time = time(start)?;
    let positions = point.needed("positions", "a point")?;
    let values = numbers(positions, "positions")?;
    if values.len() != motion.tracks.len() {
        let sentence = format!(
            "{} positions, but {} joints",
            values.len(),
            motion.tracks.len()
        );
        return Err(positions.wrong(sentence));
    }
    for (track, value) in motion.tracks.iter_mut().zip(&values) {
        if track.keys.last().is_some_and(|it| it.time >= time) {
            return Err(start.wrong("the times do not rise here; fix: sort the points"));
        }
        track.keys.push(JointKey::linear(time, *value));
    }
    let Some(node) = point.get("velocities") else {
        return Ok(Vec::new());
    };
    let velocities = numbers(node, "velocities")?;
    if !velocities.is_empty() && velocities.len() != values.len() {
        let sentence = format!(
            "{} velocities, but {} joints",
            velocities.len(),
            values.len()
        );
        return Err(node.wrong(sentence));
    }
    Ok(velocities)
}

fn numbers(node: &TreeNode, what: &str) -> Result<Vec<f64>, FileMistake> {
    let items = node.items(what)?;
    items.iter().map(|it| it.as_number(what)).collect()
}

/// The time from the start, ns.
fn time(node: &TreeNode) -> Result<u64, FileMistake> {
    if !matches!(node.value, TreeValue::Table(_)) {
        return seconds(node, "time_from_start");
    }
    let part = |names: [&str; 2], places: u32| {
        let part = names.iter().find_map(|it| node.get(it));
        part.map_or(Ok(0), |it| it.as_scaled("time_from_start", places))
    };
    let sum = part(["sec", "secs"], 9)?.checked_add(part(["nanosec", "nsecs"], 0)?);
    let time = sum
        .and_then(|it| u64::try_from(it).ok())
        .filter(|it| *it <= TIME_MAX);
    time.ok_or_else(|| node.wrong("time_from_start is not from 0 to 250,000 s"))
}

/// Makes curves between points that both have velocities.
fn bend(motion: &mut KeyedMotion, slopes: &[Vec<f64>]) {
    for (joint, track) in motion.tracks.iter_mut().enumerate() {
        for number in 1..track.keys.len() {
            let slope = |at: usize| slopes.get(at).and_then(|it| it.get(joint)).copied();
            let (Some(out), Some(back)) = (slope(number - 1), slope(number)) else {
                continue;
            };
            let [.., key, next] = track.keys.get_mut(..=number).unwrap_or_default() else {
                continue;
            };
            let third = ((next.time - key.time) / 3).cast_signed();
            let seconds = (next.time - key.time) as f64 / 3e9;
            key.leave = KeySide::Bezier(BezierHandle {
                time: third,
                value: out * seconds,
            });
            next.arrive = KeySide::Bezier(BezierHandle {
                time: -third,
                value: -back * seconds,
            });
        }
    }
}

/// A trajectory of a motion of lines.
pub(crate) fn of_motion(motion: &KeyedMotion) -> Result<TreeNode, WriteFailure> {
    if !crate::curves::is_straight(motion) {
        return Err(WriteFailure::NoRoom {
            format: FORMAT,
            what: "curves; fix: straighten them first".to_owned(),
        });
    }
    let tracks: Vec<_> = motion.tracks.iter().map(JointTrack::in_si).collect();
    let times = motion.times();
    if !motion.has_room_for(times.len()) {
        return Err(WriteFailure::NoRoom {
            format: FORMAT,
            what: "so many keys; fix: divide the motion".to_owned(),
        });
    }
    let points = times.into_iter().map(|time| {
        let values = tracks.iter().map(|it| value_at(it, time).unwrap_or(0.0));
        TreeNode::table([
            (
                "positions",
                TreeNode::list(values.map(|it| TreeNode::number(shortest(it)))),
            ),
            (
                "time_from_start",
                TreeNode::table([
                    ("sec", TreeNode::number((time / 1_000_000_000).to_string())),
                    (
                        "nanosec",
                        TreeNode::number((time % 1_000_000_000).to_string()),
                    ),
                ]),
            ),
        ])
    });
    let points = TreeNode::list(points);
    let names = tracks.iter().map(|it| TreeNode::text(&it.joint));
    Ok(TreeNode::table([
        ("joint_names", TreeNode::list(names)),
        ("points", points),
    ]))
}
