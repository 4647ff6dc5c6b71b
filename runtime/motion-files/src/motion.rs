//! What every motion becomes: tracks of joints with keys. Made and taken by each format's module.
//! A value stays as the file has it, in the file's unit, so that writing it again loses
//! nothing; `JointTrack::si` is what a robot needs.

use crate::units::ValueUnit;

/// The greatest number of tracks of a motion.
pub const TRACKS_MAX: usize = 1_024;

/// The greatest number of keys of a motion, of all its tracks together.
pub const KEYS_MAX: usize = 1_000_000;

/// The latest time of a key: 250,000 s, as in the timed commands of a show; ns.
pub const TIME_MAX: u64 = 250_000_000_000_000;

/// A motion: what each of its joints does, and when.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyedMotion {
    /// Its name, or nothing.
    pub name: String,
    /// The body or model that the file names, or nothing.
    pub body: String,
    /// Whether it begins again when it is over.
    pub loops: bool,
    /// From its start to its instant 0, ns.
    pub lead: Option<u64>,
    /// Frames in a second, in formats that count frames.
    pub rate: Option<f64>,
    /// What is to be heard.
    pub sounds: Vec<MotionSound>,
    /// Instants that have names.
    pub labels: Vec<MotionLabel>,
    /// The joints, in the order of the file.
    pub tracks: Vec<JointTrack>,
}

/// A sound of a motion: only its name; nobody opens it here.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionSound {
    /// The file, as it is written.
    pub file: String,
    /// When it begins, ns.
    pub at: u64,
}

/// An instant that has a name, such as a pose of Webots.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionLabel {
    /// The name.
    pub name: String,
    /// The instant, ns.
    pub at: u64,
}

/// What one joint does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointTrack {
    /// The joint's name, as the file has it.
    pub joint: String,
    /// What its values measure.
    pub unit: ValueUnit,
    /// Its keys; their times rise.
    pub keys: Vec<JointKey>,
}

/// The value of a joint at an instant, and how it gets there and goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct JointKey {
    /// The instant, ns.
    pub time: u64,
    /// The value, in the track's unit.
    pub value: f64,
    /// How much it counts beside other commands; 1 in most formats.
    pub weight: f64,
    /// How the joint comes to this key.
    pub arrive: KeySide,
    /// How the joint leaves it.
    pub leave: KeySide,
}

/// One side of a key. What is between two keys follows from how the first is left and the second is
/// reached: `Step` and `Ease` of the first decide alone; a handle or spline on either side makes a
/// cubic curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum KeySide {
    /// Straight to the other key.
    #[default]
    Linear,
    /// The value stays until the next key.
    Step,
    /// A handle of a cubic Bézier curve, from the key.
    Bezier(BezierHandle),
    /// A handle that follows from the neighbours, and does not overshoot them.
    Spline,
    /// A curve of its own from this key to the next.
    Ease(EaseShape),
}

/// A handle: from its key, so that the one before a key has a negative time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BezierHandle {
    /// ns.
    pub time: i64,
    /// In the track's unit.
    pub value: f64,
}

/// How a value eases from one key to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EaseShape {
    /// Slow at first: t³.
    In,
    /// Slow at the end.
    Out,
    /// Slow at both ends: 3t² − 2t³.
    InOut,
    /// The least jerk: 10t³ − 15t⁴ + 6t⁵.
    MinJerk,
}

impl JointKey {
    /// A key with straight lines on both sides.
    pub fn linear(time: u64, value: f64) -> JointKey {
        JointKey {
            time,
            value,
            weight: 1.0,
            arrive: KeySide::Linear,
            leave: KeySide::Linear,
        }
    }
}

impl JointTrack {
    /// The value of one of its keys in SI: rad, m, or a plain number.
    pub fn si(&self, key: &JointKey) -> f64 {
        self.unit.to_si(key.value)
    }

    /// The same track with all values in SI.
    #[must_use]
    pub fn in_si(&self) -> JointTrack {
        if self.unit.to_si(1.0).total_cmp(&1.0).is_eq() {
            return JointTrack {
                unit: self.unit.si(),
                ..self.clone()
            };
        }
        let side = |side: KeySide| match side {
            KeySide::Bezier(handle) => KeySide::Bezier(BezierHandle {
                value: self.unit.to_si(handle.value),
                ..handle
            }),
            other => other,
        };
        let keys = self.keys.iter().map(|key| JointKey {
            value: self.unit.to_si(key.value),
            arrive: side(key.arrive),
            leave: side(key.leave),
            ..key.clone()
        });
        JointTrack {
            joint: self.joint.clone(),
            unit: self.unit.si(),
            keys: keys.collect(),
        }
    }

    /// Puts a key into its place in time; a key of the same instant is replaced.
    pub fn insert(&mut self, key: JointKey) {
        if self.keys.last().is_none_or(|value| value.time < key.time) {
            return self.keys.push(key);
        }
        match self.keys.binary_search_by_key(&key.time, |key| key.time) {
            Ok(at) => {
                if let Some(place) = self.keys.get_mut(at) {
                    *place = key;
                }
            }
            Err(at) => self.keys.insert(at, key),
        }
    }
}

impl KeyedMotion {
    /// The track of a joint; it is added if it is new and there is room.
    pub fn track(&mut self, joint: &str) -> Option<&mut JointTrack> {
        let known = self.tracks.iter().position(|track| track.joint == joint);
        if known.is_none() && self.tracks.len() < TRACKS_MAX {
            self.tracks.push(JointTrack {
                joint: joint.to_owned(),
                ..JointTrack::default()
            });
        }
        match known {
            Some(at) => self.tracks.get_mut(at),
            None => self.tracks.last_mut().filter(|track| track.joint == joint),
        }
    }

    /// The tracks in the order of the first of their keys that is written, as a reader finds them in a format that goes
    /// from instant to instant.
    pub(crate) fn as_they_begin(&self, is_written: fn(&JointKey) -> bool) -> Vec<&JointTrack> {
        let mut tracks: Vec<_> = self.tracks.iter().collect();
        tracks.sort_by_key(|track| {
            let first = track.keys.iter().find(|key| is_written(key));
            first.map_or(u64::MAX, |value| value.time)
        });
        tracks
    }

    /// The instants of all keys, in order.
    pub(crate) fn times(&self) -> Vec<u64> {
        let keys = self.tracks.iter().flat_map(|track| &track.keys);
        let mut times: Vec<u64> = keys.map(|key| key.time).collect();
        times.sort_unstable();
        times.dedup();
        times
    }

    /// Whether a value of each joint at each of so many instants is not too much.
    pub(crate) fn has_room_for(&self, instants: usize) -> bool {
        instants.saturating_mul(self.tracks.len().max(1)) <= KEYS_MAX
    }

    /// The time of its last key, ns.
    pub fn end(&self) -> u64 {
        let ends = self.tracks.iter().filter_map(|track| track.keys.last());
        ends.map(|end| end.time).max().unwrap_or(0)
    }

    /// The number of its keys.
    pub fn key_count(&self) -> usize {
        self.tracks.iter().map(|track| track.keys.len()).sum()
    }
}
