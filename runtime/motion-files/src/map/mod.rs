//! From the joints of a file to those of a body: a mapping file, and left and right. Called before
//! a motion is played or converted; `read` reads the file.
//! A joint that is not in the mapping keeps its name; a joint that is mapped to nothing is
//! left out. Two joints that come to one are a fault.

mod read;
mod sides;

use std::fmt;

pub use sides::other_side;
use sides::{is_flipped, is_like};

use crate::aibo;
use crate::fault::{FileMistake, quoted};
use crate::motion::{BezierHandle, JointKey, JointTrack, KeySide, KeyedMotion};
use crate::place::joint_place;

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
#[derive(Clone, Debug)]
pub struct JointRule {
    /// The joint in the file of the motion.
    pub from: String,
    /// The joint of the body; nothing if it is left out.
    pub to: Option<String>,
    /// What its values are multiplied by.
    pub scale: f64,
    /// What is added then, in SI.
    pub offset: f64,
    /// Its line and column in the mapping file; nothing if it was not read.
    pub place: Option<(usize, usize)>,
}

/// The same rule may have another place.
impl PartialEq for JointRule {
    fn eq(&self, other: &JointRule) -> bool {
        let numbers = |rule: &JointRule| (rule.scale, rule.offset);
        (&self.from, &self.to) == (&other.from, &other.to) && numbers(self) == numbers(other)
    }
}

/// Why a motion cannot be mapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapFault {
    /// Two joints come to one.
    Twice {
        /// The joint of the body.
        joint: String,
        /// The joints of the motion.
        from: [String; 2],
        /// The lines and columns of what the mapping file says of these two.
        places: [Option<(usize, usize)>; 2],
    },
}

impl fmt::Display for MapFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MapFault::Twice {
            joint,
            from,
            places,
        } = self;
        let [first, second] = [0, 1].map(|i: usize| match places[i] {
            Some((line, column)) => {
                format!(
                    "{} (line {line}, column {column} of the mapping file)",
                    quoted(&from[i])
                )
            }
            None => quoted(&from[i]),
        });
        let joint = quoted(joint);
        write!(
            f,
            "two joints of the motion come to {joint}: {first} and {second}; fix: leave one out: \"name\" = false"
        )
    }
}

impl MapFault {
    /// The mistake in the file of the motion, at the first place of one of the joints.
    pub fn mistake(&self, bytes: &[u8]) -> FileMistake {
        let MapFault::Twice { from, .. } = self;
        let (line, column) = joint_place(bytes, &from[1]).unwrap_or((1, 1));
        FileMistake::new(line, column, self.to_string())
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
        // The joints of the motion that have come so far, and where the mapping says so.
        let mut from: Vec<(&String, Option<(usize, usize)>)> = Vec::new();
        for track in &motion.tracks {
            let (name, sign) = if self.mirror {
                let has = |name: &str| motion.tracks.iter().any(|track| track.joint == name);
                (self.other(&track.joint, &has), self.sign(&track.joint))
            } else {
                (track.joint.clone(), 1.0)
            };
            let rule = self.joints.iter().find(|joint| joint.from == name);
            let (to, scale, offset) = match rule {
                None => (Some(name), sign, 0.0),
                Some(rule) => (rule.to.clone(), rule.scale * sign, rule.offset),
            };
            let Some(to) = to else {
                continue;
            };
            let here = (&track.joint, rule.and_then(|rule| rule.place));
            if let Some(other) = tracks
                .iter()
                .position(|track| track.joint == to)
                .and_then(|index| from.get(index))
            {
                return Err(MapFault::Twice {
                    joint: to,
                    from: [other.0.clone(), here.0.clone()],
                    places: [other.1, here.1],
                });
            }
            from.push(here);
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
        let known = self.body.iter().find(|item| item.joint == joint);
        known.map_or_else(|| other_side(joint, has), |mirror| mirror.other.clone())
    }

    /// What the values of a joint are multiplied by when left and right are exchanged.
    pub fn sign(&self, joint: &str) -> f64 {
        let known = self.body.iter().find(|item| item.joint == joint);
        if let Some(known) = known.filter(|_| self.flip.is_empty()) {
            return known.sign;
        }
        let flips = if self.flip.is_empty() {
            is_flipped(joint)
        } else {
            self.flip.iter().any(|item| is_like(joint, item))
        };
        if flips { -1.0 } else { 1.0 }
    }

    /// The same mapping backward; what was left out stays out.
    #[must_use]
    pub fn inverse(&self) -> JointMap {
        let joints = self.joints.iter().filter_map(|joint| {
            Some(JointRule {
                from: joint.to.clone()?,
                to: Some(joint.from.clone()),
                scale: 1.0 / joint.scale,
                offset: -joint.offset / joint.scale,
                place: joint.place,
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
    let side = |side: KeySide| match side {
        KeySide::Bezier(handle) => KeySide::Bezier(BezierHandle {
            value: handle.value * scale,
            ..handle
        }),
        other => other,
    };
    let keys = track.keys.iter().map(|key| JointKey {
        value: key.value * scale + offset,
        arrive: side(key.arrive),
        leave: side(key.leave),
        ..key.clone()
    });
    // A share of a range becomes an angle by its mapping: its unit stays the joint's own.
    JointTrack {
        joint,
        unit: track.unit,
        keys: keys.collect(),
    }
}

/// A joint that a body does not have, as the pair of its left and right one, if it has both:
/// `Shoulder` is `LShoulder` and `RShoulder`; or as what it is called there, if it is one of Sony's. A joint that the
/// motion names itself is not replaced.
#[must_use]
pub fn paired(motion: &KeyedMotion, has: &dyn Fn(&str) -> bool) -> KeyedMotion {
    let mut tracks: Vec<JointTrack> = Vec::with_capacity(motion.tracks.len());
    let is_named = |name: &str| motion.tracks.iter().any(|track| track.joint == name);
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
        if has(&track.joint) || !pair.iter().all(|item| has(item)) {
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

#[cfg(test)]
mod tests {
    use super::*;

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
            "hip_yaw_r",
            "NECK:roll",
            "arm:yaw",
            "the.pan",
            "antennas.0",
        ];
        assert!(flips.iter().all(|flip| map.sign(flip) == -1.0));
        let stays = [
            "HeadPitch",
            "LHipYawPitch",
            "NECK:tilt",
            "l_hip_yaw_pitch",
            "Rollerblade",
        ];
        assert!(stays.iter().all(|stay| map.sign(stay) == 1.0));
        let motion = |names: &[&str]| KeyedMotion {
            tracks: names
                .iter()
                .map(|name| JointTrack {
                    joint: (*name).to_owned(),
                    ..JointTrack::default()
                })
                .collect(),
            ..KeyedMotion::default()
        };
        let mirror = JointMap {
            mirror: true,
            ..JointMap::default()
        };
        let names = |item: &[&str]| {
            let mapped = mirror.apply(&motion(item)).expect("one name each");
            mapped
                .tracks
                .into_iter()
                .map(|track| track.joint)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            names(&["LARM", "RARM", "LED", "LFoot"]),
            ["RARM", "LARM", "LED", "RFoot"]
        );
    }
}
