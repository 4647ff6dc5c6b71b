//! Trajectories of ROS: `joint_names`, and `points` with positions, perhaps velocities, and the
//! time from the start; in YAML as `ros2 topic echo` writes it, or in JSON. Called by `lib` and
//! `recorded`.
//! With velocities, curves are cubic and take them, with accelerations as well of the fifth
//! degree, as ROS's controller plays them; without, lines. Units are SI. A point's time may be
//! `{sec, nanosec}`, `{secs, nsecs}`, `[seconds, nanoseconds]`, or a number of seconds. Several trajectories,
//! in one message or in several, are motions of their numbers.

use super::{count, seconds};
use crate::curves::value_at;
use crate::fault::{FileMistake, WriteFailure, quoted};
use crate::motion::{
    BezierHandle, JointKey, JointTrack, KeySide, KeyedMotion, TIME_MAX, TRACKS_MAX,
};
use crate::text::number::shortest;
use crate::tree::{TreeNode, TreeValue};

const FORMAT: &str = "a trajectory of ROS";

/// The greatest number of trajectories of a file that become motions.
const MOTIONS_MAX: usize = 1_000;

/// How far cubic curves may be from one of the fifth degree, rad or m; and how many of them there are at most.
const CURVE_STEP_ERROR: f64 = 1e-5;
const PIECES_MAX: f64 = 256.0;

/// Where messages keep a trajectory, or a list of them.
const WITHIN: [&str; 4] = ["trajectory", "joint_trajectory", "goal", "request"];

/// How deep a trajectory may be in its message.
const WITHIN_MAX: usize = 6;

/// The first trajectory in a tree.
pub(crate) fn find(root: &TreeNode) -> Option<&TreeNode> {
    let mut all = Vec::new();
    gather(root, WITHIN_MAX, &mut all);
    all.first().copied()
}

/// The trajectories in a tree: itself, what a message has inside, and those of all items of lists.
fn gather<'r>(node: &'r TreeNode, depth: usize, all: &mut Vec<&'r TreeNode>) {
    if node.get("joint_names").is_some() {
        all.push(node);
    } else if let (TreeValue::List(items), 1..) = (&node.value, depth) {
        items.iter().for_each(|item| gather(item, depth - 1, all));
    } else if let (Some(inner), 1..) = (WITHIN.iter().find_map(|item| node.get(item)), depth) {
        gather(inner, depth - 1, all);
    }
}

fn no_trajectory(node: &TreeNode) -> FileMistake {
    node.wrong("there is no `joint_names`; fix: check that it is a JointTrajectory")
}

/// The motions of all trajectories in a tree; of several, the name of each is its number.
pub(crate) fn motions(root: &TreeNode) -> Result<Vec<KeyedMotion>, FileMistake> {
    if let TreeValue::List(items) = &root.value
        && let Some(strange) = items.iter().find(|item| find(item).is_none())
    {
        return Err(no_trajectory(strange));
    }
    let mut all = Vec::new();
    gather(root, WITHIN_MAX, &mut all);
    if all.len() > MOTIONS_MAX {
        let sentence = format!("more than {MOTIONS_MAX} trajectories; fix: divide the file");
        return Err(root.wrong(sentence));
    }
    if let [] | [_] = all[..] {
        return Ok(vec![motion(root)?]);
    }
    let numbered = all.iter().enumerate().map(|(number, one)| {
        Ok(KeyedMotion {
            name: (number + 1).to_string(),
            ..motion(one)?
        })
    });
    numbered.collect()
}

/// The motion of the first trajectory.
pub(crate) fn motion(root: &TreeNode) -> Result<KeyedMotion, FileMistake> {
    let trajectory = find(root).ok_or_else(|| no_trajectory(root))?;
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
        if motion.tracks.iter().any(|track| track.joint == joint) {
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
    let mut rates = Vec::with_capacity(list.len());
    for point in list {
        rates.push(add(point, &mut motion)?);
    }
    for (joint, track) in motion.tracks.iter_mut().enumerate() {
        bend(track, |point| {
            rates.get(point).and_then(|rate| rate.of(joint))
        });
    }
    count(points, motion.key_count())?;
    Ok(motion)
}

/// The velocities and accelerations of a point, of all joints or none.
struct PointRates {
    velocities: Vec<f64>,
    accelerations: Vec<f64>,
}

impl PointRates {
    /// The velocity of a joint, and its acceleration.
    fn of(&self, joint: usize) -> Option<(f64, Option<f64>)> {
        let velocity = *self.velocities.get(joint)?;
        Some((velocity, self.accelerations.get(joint).copied()))
    }
}

/// Adds a point; its rates come back.
fn add(point: &TreeNode, motion: &mut KeyedMotion) -> Result<PointRates, FileMistake> {
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
        if track.keys.last().is_some_and(|key| key.time >= time) {
            return Err(start.wrong("the times do not rise here; fix: sort the points"));
        }
        track.keys.push(JointKey::linear(time, *value));
    }
    let rates = |name: &str| {
        let Some(node) = point.get(name) else {
            return Ok(Vec::new());
        };
        let list = numbers(node, name)?;
        if !list.is_empty() && list.len() != values.len() {
            let sentence = format!("{} {name}, but {} joints", list.len(), values.len());
            return Err(node.wrong(sentence));
        }
        Ok(list)
    };
    Ok(PointRates {
        velocities: rates("velocities")?,
        accelerations: rates("accelerations")?,
    })
}

fn numbers(node: &TreeNode, what: &str) -> Result<Vec<f64>, FileMistake> {
    let items = node.items(what)?;
    items.iter().map(|item| item.as_number(what)).collect()
}

/// The time from the start, ns.
fn time(node: &TreeNode) -> Result<u64, FileMistake> {
    let pair = match &node.value {
        TreeValue::Table(_) => [["sec", "secs"], ["nanosec", "nsecs"]]
            .map(|names| names.iter().find_map(|name| node.get(name))),
        TreeValue::List(items) => match &items[..] {
            [sec, nanosec] => [Some(sec), Some(nanosec)],
            _ => {
                return Err(
                    node.wrong("time_from_start is a list; expected [seconds, nanoseconds]")
                );
            }
        },
        _ => return seconds(node, "time_from_start"),
    };
    let part = |number: usize, places: u32| {
        pair[number].map_or(Ok(0), |node| node.as_scaled("time_from_start", places))
    };
    let sum = part(0, 9)?.checked_add(part(1, 0)?);
    let time = sum
        .and_then(|value| u64::try_from(value).ok())
        .filter(|value| *value <= TIME_MAX);
    time.ok_or_else(|| node.wrong("time_from_start is not from 0 to 250,000 s"))
}

/// Makes curves between points that both have velocities.
fn bend(track: &mut JointTrack, rates: impl Fn(usize) -> Option<(f64, Option<f64>)>) {
    let points = std::mem::take(&mut track.keys);
    for (number, point) in points.into_iter().enumerate() {
        let before = number.checked_sub(1).and_then(&rates);
        let key = track.keys.last().cloned();
        if let (Some((leave, pull)), Some((arrive, push)), Some(key)) = (before, rates(number), key)
        {
            if let (Some(pull), Some(push)) = (pull, push) {
                let ends = [(key.value, leave, pull), (point.value, arrive, push)];
                quintic(track, point.time, ends);
            }
            let from = track.keys.last().map_or(leave, |last| {
                // The last piece of a curve leaves as the piece before it arrived.
                if last.time > key.time {
                    velocity_at(last)
                } else {
                    leave
                }
            });
            track.keys.push(point);
            curve(track, from, arrive);
        } else {
            track.keys.push(point);
        }
    }
}

/// Makes a cubic curve of these velocities between the last two keys.
fn curve(track: &mut JointTrack, leave: f64, arrive: f64) {
    let [.., key, next] = &mut track.keys[..] else {
        return;
    };
    let third = ((next.time - key.time) / 3).cast_signed();
    let seconds = (next.time - key.time) as f64 / 3e9;
    key.leave = KeySide::Bezier(BezierHandle {
        time: third,
        value: leave * seconds,
    });
    next.arrive = KeySide::Bezier(BezierHandle {
        time: -third,
        value: -arrive * seconds,
    });
}

/// Adds keys of cubic curves that are no further than [`CURVE_STEP_ERROR`] from the curve of the fifth degree between
/// the last key and `until`; all but the last. `ends` have places, velocities and accelerations.
fn quintic(track: &mut JointTrack, until: u64, ends: [(f64, f64, f64); 2]) {
    let Some(begin) = track.keys.last().map(|key| key.time) else {
        return;
    };
    let [(from, leave, pull), (to, arrive, push)] = ends;
    let whole = (until - begin) as f64 / 1e9;
    // What is left for the powers 3 to 5 at the end. Times are shares of the whole.
    let place = to - from - leave * whole - pull * whole * whole / 2.0;
    let slope = (arrive - leave - pull * whole) * whole;
    let bend = (push - pull) * whole * whole;
    let third = 10.0 * place - 4.0 * slope + bend / 2.0;
    let fourth = -15.0 * place + 7.0 * slope - bend;
    let fifth = 6.0 * place - 3.0 * slope + bend / 2.0;
    // A cubic curve with the same ends and velocities is off by the fourth derivative times h⁴ / 384.
    let steepest = (24.0 * fourth)
        .abs()
        .max((24.0 * fourth + 120.0 * fifth).abs());
    let pieces = (steepest / (384.0 * CURVE_STEP_ERROR)).sqrt().sqrt().ceil();
    let pieces = if pieces.is_finite() {
        pieces.clamp(1.0, PIECES_MAX)
    } else {
        1.0
    };
    let mut last = leave;
    for piece in 1..pieces as u64 {
        let time = begin + ((until - begin) as f64 * piece as f64 / pieces).round() as u64;
        let share = (time - begin) as f64 / (until - begin) as f64;
        if track.keys.last().is_some_and(|key| key.time >= time) {
            continue;
        }
        let cubic = third + share * (fourth + share * fifth);
        let value =
            from + share * (leave * whole + share * (pull * whole * whole / 2.0 + share * cubic));
        let rest = 3.0 * third + share * (4.0 * fourth + share * 5.0 * fifth);
        let velocity = leave + share * (pull * whole + share * rest / whole);
        track.keys.push(JointKey::linear(time, value));
        curve(track, last, velocity);
        last = velocity;
    }
}

/// The velocity with which a curve arrives at a key, in a second.
fn velocity_at(key: &JointKey) -> f64 {
    match key.arrive {
        KeySide::Bezier(handle) if handle.time != 0 => handle.value / (handle.time as f64 / 1e9),
        _ => 0.0,
    }
}

/// A time as a message has it.
fn time_node(ns: u64) -> TreeNode {
    TreeNode::table([
        ("sec", TreeNode::number((ns / 1_000_000_000).to_string())),
        (
            "nanosec",
            TreeNode::number((ns % 1_000_000_000).to_string()),
        ),
    ])
}

/// The only trajectory of a tree in the form of a message, whatever forms its times have; nothing if there are several.
pub(crate) fn message(root: &TreeNode) -> Option<Result<TreeNode, FileMistake>> {
    let mut all = Vec::new();
    gather(root, WITHIN_MAX, &mut all);
    let [trajectory] = all[..] else {
        return None;
    };
    let whole = || {
        let list = trajectory
            .needed("points", "the trajectory")?
            .items("points")?;
        let mut points = Vec::with_capacity(list.len());
        for point in list {
            let ns = time(point.needed("time_from_start", "a point")?)?;
            let lists = ["positions", "velocities", "accelerations", "effort"];
            let lists = lists
                .into_iter()
                .filter_map(|item| Some((item, point.get(item)?.clone())));
            points.push(TreeNode::table(
                lists.chain([("time_from_start", time_node(ns))]),
            ));
        }
        let frame = trajectory
            .get("header")
            .and_then(|trajectory| trajectory.get("frame_id"));
        let stamp = trajectory
            .get("header")
            .and_then(|trajectory| trajectory.get("stamp"));
        let stamp = time_node(stamp.and_then(|stamp| time(stamp).ok()).unwrap_or(0));
        let frame = frame.cloned().unwrap_or_else(|| TreeNode::text(""));
        let names = trajectory.needed("joint_names", "the trajectory")?.clone();
        Ok(TreeNode::table([
            (
                "header",
                TreeNode::table([("stamp", stamp), ("frame_id", frame)]),
            ),
            ("joint_names", names),
            ("points", TreeNode::list(points)),
        ]))
    };
    Some(whole())
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
        let values = tracks
            .iter()
            .map(|track| value_at(track, time).unwrap_or(0.0));
        TreeNode::table([
            (
                "positions",
                TreeNode::list(values.map(|value| TreeNode::number(shortest(value)))),
            ),
            ("time_from_start", time_node(time)),
        ])
    });
    let points = TreeNode::list(points);
    let names = tracks.iter().map(|track| TreeNode::text(&track.joint));
    Ok(TreeNode::table([
        ("joint_names", TreeNode::list(names)),
        ("points", points),
    ]))
}
