//! Kicks of B-Human, `.kmc`: phases with Bézier curves of feet, hands, centre of mass and head.
//! Called by `lib`.
//! A kick has places and turns of limbs, not of joints: `leftFootTra.x` in mm, turns as what the engine adds to
//! the flat foot, which has no use for its z. A body's inverse kinematics make joints of them (`robot::show`). Files of
//! the engine before it, which turned hands in space, are refused. A curve begins where the last one ended; its
//! first handle goes on from the last one's, scaled by both durations, as B-Human's engine does it.
//! Where `ignoreHead` says so, the head is left to others.

use super::later;
use crate::fault::FileMistake;
use crate::motion::{BezierHandle, JointKey, JointTrack, KeySide, KeyedMotion};
use crate::tree::TreeNode;
use crate::units::ValueUnit;

/// A curve of the file: its name, the origin's name, whether the origin is that of the left side
/// mirrored, and the axes that change their sign then.
struct KickLimb {
    name: &'static str,
    origin: &'static str,
    axes: &'static [&'static str],
    mirrored: &'static [&'static str],
    unit: ValueUnit,
}

const XYZ: &[&str] = &["x", "y", "z"];
const XY: &[&str] = &["x", "y"];
const Y: &[&str] = &["y"];
const XZ: &[&str] = &["x", "z"];
const NONE: &[&str] = &[];

const fn limb(
    name: &'static str,
    origin: &'static str,
    axes: &'static [&'static str],
    mirrored: &'static [&'static str],
    unit: ValueUnit,
) -> KickLimb {
    KickLimb {
        name,
        origin,
        axes,
        mirrored,
        unit,
    }
}

const LIMBS: [KickLimb; 10] = [
    limb(
        "leftFootTra",
        "footOrigin",
        XYZ,
        NONE,
        ValueUnit::Millimetre,
    ),
    limb("leftFootRot", "footRotOrigin", XYZ, NONE, ValueUnit::Native),
    limb("rightFootTra", "footOrigin", XYZ, Y, ValueUnit::Millimetre),
    limb("rightFootRot", "footRotOrigin", XYZ, XZ, ValueUnit::Native),
    limb("leftArmTra", "armOrigin", XYZ, NONE, ValueUnit::Millimetre),
    limb("leftHandRot", "handRotOrigin", XYZ, NONE, ValueUnit::Native),
    limb("rightArmTra", "armOrigin", XYZ, Y, ValueUnit::Millimetre),
    limb("rightHandRot", "handRotOrigin", XYZ, XZ, ValueUnit::Native),
    limb("comTra", "comOrigin", XY, NONE, ValueUnit::Millimetre),
    limb("headTra", "headOrigin", XY, NONE, ValueUnit::Native),
];

/// What only kicks of the engine before have. It turned hands in space, where later ones have angles of the arm.
const OLDER: [&str; 2] = ["preview", "autoComTra"];

/// Turns of the feet that are not worth a remark, rad.
const TINY: f64 = 0.001;

/// Whether a tree is a kick.
pub(crate) fn is_kick(root: &TreeNode) -> bool {
    root.get("phaseParameters").is_some()
}

/// The motion of a kick.
pub(crate) fn motion(
    root: &TreeNode,
    remarks: &mut Vec<FileMistake>,
) -> Result<KeyedMotion, FileMistake> {
    if let Some((key, node)) = OLDER.iter().find_map(|key| Some((key, root.get(key)?))) {
        return Err(node.wrong(format!(
            "it is a kick for an older engine of B-Human's, by its `{key}`, which turns the hands in space; fix: play \
             the kick of a later release"
        )));
    }
    let phases = root.needed("phaseParameters", "the kick")?;
    let phases = phases.items("phaseParameters")?;
    let mut durations = Vec::with_capacity(phases.len());
    let mut time = 0;
    for phase in phases {
        let duration = phase.needed("duration", "a phase")?;
        let ns = u64::try_from(duration.as_scaled("the duration", 6)?).ok();
        let ns = ns.filter(|value| *value > 0);
        let ns = ns.ok_or_else(|| duration.wrong("a duration is greater than 0 ms"))?;
        time = later(duration, time, ns)?;
        durations.push(ns);
    }
    super::count(root, phases.len() * LIMBS.len() * 3)?;
    let loops = root
        .get("loop")
        .map_or(Ok(false), |root| root.as_bool("loop"))?;
    let mut motion = KeyedMotion {
        loops,
        ..KeyedMotion::default()
    };
    for boosts in ["offsetList", "boostAngles"] {
        let list = root
            .get(boosts)
            .filter(|root| root.items(boosts).is_ok_and(|item| !item.is_empty()));
        remarks.extend(list.map(|value| {
            value.wrong(format!(
                "`{boosts}` is left out: these turns are added by B-Human's engine alone"
            ))
        }));
    }
    let leaves_head = root
        .get("ignoreHead")
        .map_or(Ok(false), |root| root.as_bool("ignoreHead"))?;
    let is_moved = |limb: &&KickLimb| !(leaves_head && limb.name == "headTra");
    for limb in LIMBS.iter().filter(is_moved) {
        for axis in limb.axes {
            let track = JointTrack {
                joint: format!("{}.{axis}", limb.name),
                unit: limb.unit,
                keys: keys(root, phases, &durations, limb, axis)?,
            };
            if matches!(&*track.joint, "leftFootRot.z" | "rightFootRot.z") {
                // Where a kick begins, the engine takes the joints as they are.
                let is_turned = track.keys.iter().skip(1).any(|key| key.value.abs() > TINY);
                remarks.extend(is_turned.then(|| {
                    root.wrong(format!(
                        "`{}` is left out: B-Human's engine leaves the hips as they are",
                        track.joint
                    ))
                }));
                continue;
            }
            motion.tracks.push(track);
        }
    }
    Ok(motion)
}

fn keys(
    root: &TreeNode,
    phases: &[TreeNode],
    durations: &[u64],
    limb: &KickLimb,
    axis: &str,
) -> Result<Vec<JointKey>, FileMistake> {
    let origin = root.needed(limb.origin, "the kick")?;
    let origin = origin.needed(axis, limb.origin)?.as_number(axis)?;
    let sign = if limb.mirrored.contains(&axis) {
        -1.0
    } else {
        1.0
    };
    let mut keys = vec![JointKey::linear(0, origin * sign)];
    let mut time = 0;
    // The handle behind the last key.
    let mut out = 0.0;
    for (number, (phase, duration)) in phases.iter().zip(durations).enumerate() {
        let point = |which: &str| {
            let name = format!("{}{which}", limb.name);
            let point = phase.needed(&name, "a phase")?;
            point.needed(axis, &name)?.as_number(axis)
        };
        let (control, end) = (point("1")?, point("2")?);
        let third = (duration / 3).cast_signed();
        if let Some(key) = keys.last_mut() {
            key.leave = KeySide::Bezier(BezierHandle {
                time: third,
                value: out,
            });
        }
        time += duration;
        keys.push(JointKey {
            arrive: KeySide::Bezier(BezierHandle {
                time: -third,
                value: control - end,
            }),
            ..JointKey::linear(time, end)
        });
        let next = durations.get(number + 1).copied().unwrap_or(1);
        out = (end - control) * (*duration as f64 / next as f64);
    }
    Ok(keys)
}
