//! From the joints of a file to those of a body: a mapping file, and left and right. Called before
//! a motion is played or converted; `read` reads the file.
//! The law: a joint that is not in the mapping keeps its name; a joint that is mapped to nothing is
//! left out. Two joints that come to one are a fault.

mod read;

use std::fmt;

use crate::fault::quoted;
use crate::motion::{BezierHandle, JointKey, JointTrack, KeySide, KeyedMotion};

/// Joints whose values change their sign when left and right are exchanged, if a mapping file does not name them.
const USUAL_FLIPS: [&str; 2] = ["*Roll", "*Yaw"];

/// What a mapping file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointMap {
    /// Whether left and right are exchanged, before the joints are mapped.
    pub mirror: bool,
    /// Joints whose values change their sign when left and right are exchanged; a `*` stands for
    /// any letters.
    pub flip: Vec<String>,
    /// The joints, in the order of the file.
    pub joints: Vec<JointRule>,
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
                (mirrored(&track.joint), self.sign(&track.joint))
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

    /// What the values of a joint are multiplied by when left and right are exchanged.
    pub fn sign(&self, joint: &str) -> f64 {
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
/// `Shoulder` is `LShoulder` and `RShoulder`. A joint that the motion names itself is not replaced.
#[must_use]
pub fn paired(motion: &KeyedMotion, has: &dyn Fn(&str) -> bool) -> KeyedMotion {
    let mut tracks: Vec<JointTrack> = Vec::with_capacity(motion.tracks.len());
    let is_named = |name: &str| motion.tracks.iter().any(|it| it.joint == name);
    for track in &motion.tracks {
        let pair = [format!("L{}", track.joint), format!("R{}", track.joint)];
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

/// The name of the same joint on the other side; the name itself if it has no side.
pub fn mirrored(name: &str) -> String {
    const WORDS: [(&str, &str); 3] = [("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT")];
    for (left, right) in WORDS {
        if let Some(at) = name.find(left) {
            return replaced(name, at, left, right);
        }
        if let Some(at) = name.find(right) {
            return replaced(name, at, right, left);
        }
    }
    let next_is = |it: fn(char) -> bool| name.chars().nth(1).is_some_and(it);
    let starts = [("L", "R"), ("R", "L"), ("l_", "r_"), ("r_", "l_")];
    for (from, to) in starts {
        let fits = from.len() > 1 || next_is(|it| it.is_uppercase() || it == '_');
        if name.starts_with(from) && fits {
            return replaced(name, 0, from, to);
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
        ];
        for (left, right) in pairs {
            assert_eq!(mirrored(left), right);
            assert_eq!(mirrored(right), left);
        }
        for middle in ["HeadYaw", "Lamp", "Range", "tail", "Rotor"] {
            assert_eq!(mirrored(middle), middle);
        }
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
