//! From the joints of a file to those of a body: a mapping file, and left and right. Called before
//! a motion is played or converted; `read` reads the file.
//! The law: a joint that is not in the mapping keeps its name; a joint that is mapped to nothing is
//! left out. Two joints that come to one are a fault.

mod read;

use std::fmt;

use crate::aibo;
use crate::fault::quoted;
use crate::motion::{BezierHandle, JointKey, JointTrack, KeySide, KeyedMotion};

/// Joints whose values change their sign when left and right are exchanged, if a mapping file does not name them.
/// Rolls, yaws and pans; the same of skills, and what is across the body in kicks and in recorded moves.
const USUAL_FLIPS: [&str; 25] = [
    "*Roll",
    "*Yaw",
    "*Pan",
    "*_roll",
    "*_yaw",
    "*_pan",
    "*_roll_joint",
    "*_yaw_joint",
    "*_pan_joint",
    "*.roll",
    "*.yaw",
    "*:pan",
    "head.y",
    "EFF_H1",
    "EFF_*A2",
    "EFF_*A3",
    "EFF_*A4",
    "EFF_*L2",
    "EFF_*L6",
    "*FootTra.y",
    "*ArmTra.y",
    "comTra.y",
    "*Rot.x",
    "*Rot.z",
    "headTra.x",
];

/// What a mapping file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointMap {
    /// Whether left and right are exchanged, before the joints are mapped.
    pub mirror: bool,
    /// Joints whose values change their sign when left and right are exchanged; a `*` stands for
    /// any letters.
    pub flip: Vec<String>,
    /// How the joints of the body mirror, as far as that is known; their names say it of the others.
    pub body: Vec<JointMirror>,
    /// The joints, in the order of the file.
    pub joints: Vec<JointRule>,
}

/// What a joint is in the mirror image of its body.
#[derive(Clone, Debug, PartialEq)]
pub struct JointMirror {
    /// The joint.
    pub joint: String,
    /// The same joint on the other side; itself, if it is in the middle.
    pub other: String,
    /// What its values are multiplied by: 1 or -1.
    pub sign: f64,
}

/// What becomes of one joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointRule {
    /// The joint in the file of the motion.
    pub from: String,
    /// The joint of the body; nothing if it is left out.
    pub to: Option<String>,
    /// What its values are multiplied by.
    pub scale: f64,
    /// What is added then, in SI.
    pub offset: f64,
}

/// Why a motion cannot be mapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapFault {
    /// Two joints come to one.
    Twice {
        /// The joint of the body.
        joint: String,
    },
}

impl fmt::Display for MapFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MapFault::Twice { joint } => write!(
                f,
                "two joints of the motion come to {}; fix: leave one out: \"name\" = false",
                quoted(joint)
            ),
        }
    }
}

impl std::error::Error for MapFault {}

impl JointMap {
    /// The motion with the joints of the body.
    ///
    /// # Errors
    /// [`MapFault`].
    pub fn apply(&self, motion: &KeyedMotion) -> Result<KeyedMotion, MapFault> {
        let mut tracks: Vec<JointTrack> = Vec::with_capacity(motion.tracks.len());
        for track in &motion.tracks {
            let (name, sign) = if self.mirror {
                let has = |name: &str| motion.tracks.iter().any(|it| it.joint == name);
                (self.other(&track.joint, &has), self.sign(&track.joint))
            } else {
                (track.joint.clone(), 1.0)
            };
            let rule = self.joints.iter().find(|it| it.from == name);
            let (to, scale, offset) = match rule {
                None => (Some(name), sign, 0.0),
                Some(rule) => (rule.to.clone(), rule.scale * sign, rule.offset),
            };
            let Some(to) = to else {
                continue;
            };
            if tracks.iter().any(|it| it.joint == to) {
                return Err(MapFault::Twice { joint: to });
            }
            tracks.push(changed(track, to, scale, offset));
        }
        Ok(KeyedMotion {
            tracks,
            ..motion.clone()
        })
    }

    /// The joint that takes the values of this one when left and right are exchanged.
    pub fn mirrored(&self, joint: &str) -> String {
        self.other(joint, &|_| false)
    }

    fn other(&self, joint: &str, has: &dyn Fn(&str) -> bool) -> String {
        let known = self.body.iter().find(|it| it.joint == joint);
        known.map_or_else(|| other_side(joint, has), |it| it.other.clone())
    }

    /// What the values of a joint are multiplied by when left and right are exchanged.
    pub fn sign(&self, joint: &str) -> f64 {
        let known = self.body.iter().find(|it| it.joint == joint);
        if let Some(known) = known.filter(|_| self.flip.is_empty()) {
            return known.sign;
        }
        let flips = if self.flip.is_empty() {
            USUAL_FLIPS.iter().any(|it| is_like(joint, it))
        } else {
            self.flip.iter().any(|it| is_like(joint, it))
        };
        if flips { -1.0 } else { 1.0 }
    }

    /// The same mapping backward; what was left out stays out.
    #[must_use]
    pub fn inverse(&self) -> JointMap {
        let joints = self.joints.iter().filter_map(|it| {
            Some(JointRule {
                from: it.to.clone()?,
                to: Some(it.from.clone()),
                scale: 1.0 / it.scale,
                offset: -it.offset / it.scale,
            })
        });
        JointMap {
            joints: joints.collect(),
            ..self.clone()
        }
    }
}

fn changed(track: &JointTrack, joint: String, scale: f64, offset: f64) -> JointTrack {
    let is_plain = scale == 1.0 && offset == 0.0;
    if is_plain {
        return JointTrack {
            joint,
            ..track.clone()
        };
    }
    // An offset is in SI, so that the values are, too; a sign alone keeps the unit.
    let track = if offset == 0.0 {
        track.clone()
    } else {
        track.in_si()
    };
    let side = |it: KeySide| match it {
        KeySide::Bezier(handle) => KeySide::Bezier(BezierHandle {
            value: handle.value * scale,
            ..handle
        }),
        other => other,
    };
    let keys = track.keys.iter().map(|it| JointKey {
        value: it.value * scale + offset,
        arrive: side(it.arrive),
        leave: side(it.leave),
        ..it.clone()
    });
    // A share of a range becomes an angle by its mapping: its unit stays the joint's own.
    JointTrack {
        joint,
        unit: track.unit,
        keys: keys.collect(),
    }
}

/// A joint that a body does not have, as the pair of its left and right one, if it has both:
/// `Shoulder` is `LShoulder` and `RShoulder`; or as what it is called there, if it is one of Sony's.
/// A joint that the motion names itself is not replaced.
#[must_use]
pub fn paired(motion: &KeyedMotion, has: &dyn Fn(&str) -> bool) -> KeyedMotion {
    let mut tracks: Vec<JointTrack> = Vec::with_capacity(motion.tracks.len());
    let is_named = |name: &str| motion.tracks.iter().any(|it| it.joint == name);
    for track in &motion.tracks {
        let pair = [format!("L{}", track.joint), format!("R{}", track.joint)];
        if let Some(other) = aibo::other_name(&track.joint)
            && !has(&track.joint)
            && has(other)
            && !is_named(other)
        {
            let joint = other.to_owned();
            tracks.push(JointTrack {
                joint,
                ..track.clone()
            });
            continue;
        }
        if has(&track.joint) || !pair.iter().all(|it| has(it)) {
            tracks.push(track.clone());
            continue;
        }
        for joint in pair {
            if !is_named(&joint) {
                tracks.push(JointTrack {
                    joint,
                    ..track.clone()
                });
            }
        }
    }
    KeyedMotion {
        tracks,
        ..motion.clone()
    }
}

/// The name of the same joint on the other side; the name itself if it has no side. Where a body or motion may have the
/// other one, it counts: `LED` has no other side, `LARM` has if there is an `RARM`.
pub fn other_side(name: &str, has: &dyn Fn(&str) -> bool) -> String {
    const WORDS: [(&str, &str); 3] = [("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT")];
    for (left, right) in WORDS {
        if let Some(at) = name.find(left) {
            return replaced(name, at, left, right);
        }
        if let Some(at) = name.find(right) {
            return replaced(name, at, right, left);
        }
    }
    let letter = |place: usize| name.chars().nth(place);
    let begins_word = letter(1).is_some_and(|it| it.is_uppercase() || it == '_');
    let is_word = letter(2).is_none_or(|it| !it.is_uppercase());
    for (from, to) in [("L", "R"), ("R", "L")] {
        if name.starts_with(from) && begins_word {
            let other = replaced(name, 0, from, to);
            return if is_word || has(&other) {
                other
            } else {
                name.to_owned()
            };
        }
    }
    const STARTS: [(&str, &str); 2] = [("l_", "r_"), ("EFF_L", "EFF_R")];
    for (left, right) in STARTS {
        for (from, to) in [(left, right), (right, left)] {
            if name.starts_with(from) {
                return replaced(name, 0, from, to);
            }
        }
    }
    let ends = [("_l", "_r"), ("_r", "_l"), ("_L", "_R"), ("_R", "_L")];
    for (from, to) in ends {
        if let Some(stem) = name.strip_suffix(from) {
            return format!("{stem}{to}");
        }
    }
    name.to_owned()
}

fn replaced(name: &str, at: usize, from: &str, to: &str) -> String {
    let before = name.get(..at).unwrap_or("");
    let after = name.get(at + from.len()..).unwrap_or("");
    format!("{before}{to}{after}")
}

/// Whether a name is like a pattern with `*`.
fn is_like(name: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    if !pattern.contains('*') {
        return rest.is_empty();
    }
    let mut parts: Vec<_> = parts.collect();
    let last = parts.pop().unwrap_or("");
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = rest.get(at + part.len()..).unwrap_or("");
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_their_side() {
        let pairs = [
            ("LShoulderPitch", "RShoulderPitch"),
            ("left_arm.elbow", "right_arm.elbow"),
            ("elbow_l", "elbow_r"),
            ("l_knee", "r_knee"),
            ("LFr:knee", "RFr:knee"),
            ("EFF_LL1", "EFF_RL1"),
            ("leftFootTra.y", "rightFootTra.y"),
        ];
        for (left, right) in pairs {
            assert_eq!(other_side(left, &|_| false), right);
            assert_eq!(other_side(right, &|_| false), left);
        }
        for middle in [
            "HeadYaw",
            "Lamp",
            "Range",
            "tail",
            "Rotor",
            "LED:faceA",
            "RGB",
        ] {
            assert_eq!(other_side(middle, &|_| false), middle);
        }
    }

    #[test]
    fn a_mirror_image_looks_and_leans_to_the_other_side() {
        let map = JointMap::default();
        let flips = [
            "HeadYaw",
            "LShoulderRoll",
            "NECK:pan",
            "TAIL:pan",
            "head.roll",
            "body_yaw",
            "r_hip_roll_joint",
            "EFF_H1",
            "EFF_LA4",
            "EFF_RL6",
            "leftFootTra.y",
            "rightHandRot.z",
            "comTra.y",
            "headTra.x",
        ];
        assert!(flips.iter().all(|it| map.sign(it) == -1.0));
        let stays = [
            "HeadPitch",
            "LHipYawPitch",
            "NECK:tilt",
            "EFF_LL1",
            "EFF_RA1",
            "EFF_H2",
            "leftFootTra.x",
            "headTra.y",
        ];
        assert!(stays.iter().all(|it| map.sign(it) == 1.0));
        let motion = |names: &[&str]| KeyedMotion {
            tracks: names
                .iter()
                .map(|it| JointTrack {
                    joint: (*it).to_owned(),
                    ..JointTrack::default()
                })
                .collect(),
            ..KeyedMotion::default()
        };
        let mirror = JointMap {
            mirror: true,
            ..JointMap::default()
        };
        let names = |it: &[&str]| {
            let mapped = mirror.apply(&motion(it)).expect("one name each");
            mapped
                .tracks
                .into_iter()
                .map(|it| it.joint)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            names(&["LARM", "RARM", "LED", "LFoot"]),
            ["RARM", "LARM", "LED", "RFoot"]
        );
    }

    #[test]
    fn patterns_have_stars() {
        assert!(is_like("LShoulderRoll", "*Roll"));
        assert!(is_like("HeadYaw", "HeadYaw"));
        assert!(is_like("LHipYawPitch", "*Hip*Pitch"));
        assert!(!is_like("HeadYaw", "Head"));
        assert!(!is_like("HeadPitch", "*Roll"));
    }
}
