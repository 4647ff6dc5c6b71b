//! Motions of Sony's AIBO, `.MTN`: `OMTN`, then blocks: a header; name, author and model; the
//! joints; the type of the data and the key frames. Called by `lib`. Numbers are little-endian; each
//! block begins with its number and length, and is filled to a multiple of four bytes.
//! What is written is, byte for byte, what was read, so what is not understood is kept.

mod read;

use crate::fault::{WriteFailure, quoted};
use crate::motion::{JointKey, JointTrack, KeyedMotion, TIME_MAX};
use crate::units::{ValueUnit, key_seconds};

/// The first bytes of a file.
pub(crate) const MARK: &[u8] = b"OMTN";

const FORMAT: &str = "a motion of an AIBO";

/// The length of the frames that are written, ns.
pub(crate) const FRAME: u64 = 8_000_000;

/// What Sony calls the models.
pub const AIBO_MODELS: [(&str, &str); 5] = [
    ("DRX-700", "ERS-110"),
    ("DRX-910", "ERS-210"),
    ("DRX-900", "ERS-220"),
    ("DRX-801", "ERS-310"),
    ("DRX-1000", "ERS-7"),
];

/// Sony's names of the joints of an ERS-7, and Tekkotsu's, which has the same angles.
const ERS_7: [(&str, &str); 18] = [
    ("PRM:/r1/c1-Joint2:11", "NECK:tilt"),
    ("PRM:/r1/c1/c2-Joint2:12", "NECK:pan"),
    ("PRM:/r1/c1/c2/c3-Joint2:13", "NECK:nod"),
    ("PRM:/r1/c1/c2/c3/c4-Joint2:14", "MOUTH"),
    ("PRM:/r2/c1-Joint2:21", "LFr:rotor"),
    ("PRM:/r2/c1/c2-Joint2:22", "LFr:elvtr"),
    ("PRM:/r2/c1/c2/c3-Joint2:23", "LFr:knee"),
    ("PRM:/r3/c1-Joint2:31", "LBk:rotor"),
    ("PRM:/r3/c1/c2-Joint2:32", "LBk:elvtr"),
    ("PRM:/r3/c1/c2/c3-Joint2:33", "LBk:knee"),
    ("PRM:/r4/c1-Joint2:41", "RFr:rotor"),
    ("PRM:/r4/c1/c2-Joint2:42", "RFr:elvtr"),
    ("PRM:/r4/c1/c2/c3-Joint2:43", "RFr:knee"),
    ("PRM:/r5/c1-Joint2:51", "RBk:rotor"),
    ("PRM:/r5/c1/c2-Joint2:52", "RBk:elvtr"),
    ("PRM:/r5/c1/c2/c3-Joint2:53", "RBk:knee"),
    ("PRM:/r6/c1-Joint2:61", "TAIL:tilt"),
    ("PRM:/r6/c2-Joint2:62", "TAIL:pan"),
];

/// The other name of one of Sony's joints.
pub(crate) fn other_name(joint: &str) -> Option<&'static str> {
    ERS_7
        .iter()
        .find(|pair| pair.0 == joint)
        .map(|ers_7| ers_7.1)
}

/// A motion of an AIBO.
#[derive(Clone, Debug, PartialEq)]
pub struct AiboMotion {
    /// The length that the first block says it has; nothing depends on it.
    pub header_length: u32,
    /// Major and minor version.
    pub version: (u16, u16),
    /// The length of a frame, ms.
    pub frame_ms: u16,
    /// Options of the header.
    pub options: u32,
    /// Its name.
    pub name: Vec<u8>,
    /// Its author.
    pub author: Vec<u8>,
    /// The model that it is for, such as `DRX-1000`.
    pub model: Vec<u8>,
    /// The joints, such as `PRM:/r1/c1-Joint2:11`.
    pub joints: Vec<Vec<u8>>,
    /// The type of the data, which stands before the key frames.
    pub data_type: u32,
    /// The key frames.
    pub frames: Vec<AiboFrame>,
    /// Further blocks: number and content.
    pub blocks: Vec<(u32, Vec<u8>)>,
    /// What fills the blocks of the names, of the joints and of the key frames.
    pub fill: [BlockFill; 3],
    /// What is behind the last block.
    pub rest: Vec<u8>,
}

/// A key frame.
#[derive(Clone, Debug, PartialEq)]
pub struct AiboFrame {
    /// Frames between the key frame before and this one; 0 in the first.
    pub between: u32,
    /// Roll, pitch and yaw of the body: nothing moves by them.
    pub body: [i32; 3],
    /// The angles, 10⁻⁶ rad.
    pub angles: Vec<i32>,
}

/// The bytes that fill a block, so that the next one begins at a multiple of four bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockFill {
    /// Those that the block's length counts, as in Sony's files.
    pub inside: Vec<u8>,
    /// Those that it does not count.
    pub outside: Vec<u8>,
}

impl AiboMotion {
    /// Its bytes.
    pub(crate) fn write(&self) -> Result<Vec<u8>, WriteFailure> {
        let large = |what: &str| WriteFailure::NoRoom {
            format: FORMAT,
            what: format!("{what}; fix: shorten it"),
        };
        let count = u16::try_from(self.frames.len());
        let count = count.map_err(|_| large("more than 65,535 key frames"))?;
        let sections = 4 + u32::try_from(self.blocks.len()).unwrap_or(u32::MAX);
        let mut header = Vec::new();
        header.extend(sections.to_le_bytes());
        for number in [self.version.0, self.version.1, count, self.frame_ms] {
            header.extend(number.to_le_bytes());
        }
        header.extend(self.options.to_le_bytes());
        let text = |text: &[u8]| match u8::try_from(text.len()) {
            Ok(length) => Ok([&[length], text].concat()),
            Err(_) => Err(large("a name longer than 255 bytes")),
        };
        let names = [text(&self.name)?, text(&self.author)?, text(&self.model)?].concat();
        let joints = u16::try_from(self.joints.len()).map_err(|_| large("too many joints"))?;
        let mut list = joints.to_le_bytes().to_vec();
        for joint in &self.joints {
            list.extend(text(joint)?);
        }
        let mut keys = Vec::new();
        for (place, frame) in self.frames.iter().enumerate() {
            let word = if place == 0 {
                self.data_type
            } else {
                frame.between
            };
            keys.extend(word.to_le_bytes());
            let numbers = frame.body.iter().chain(&frame.angles);
            numbers.for_each(|number| keys.extend(number.to_le_bytes()));
        }
        let none = BlockFill::default();
        let [after_names, after_joints, after_keys] = &self.fill;
        let blocks = [
            (0, &header, &none),
            (1, &names, after_names),
            (2, &list, after_joints),
            (3, &keys, after_keys),
        ];
        let rest = self.blocks.iter().map(|block| (block.0, &block.1, &none));
        let mut out = MARK.to_vec();
        for (number, block, fill) in blocks.into_iter().chain(rest) {
            out.extend(u32::to_le_bytes(number));
            let length = block.len() + fill.inside.len() + 8;
            let length = match number {
                0 => self.header_length,
                _ => u32::try_from(length).map_err(|_| large("a block"))?,
            };
            out.extend(length.to_le_bytes());
            for part in [block, &fill.inside, &fill.outside] {
                out.extend(part);
            }
        }
        out.extend(&self.rest);
        Ok(out)
    }

    /// The motion: the first key frame is at its start, each other one `between` + 1 frames after the one before it.
    pub(crate) fn motion(&self) -> Result<KeyedMotion, String> {
        let model = String::from_utf8_lossy(&self.model);
        let known = AIBO_MODELS.iter().find(|aibo_model| aibo_model.0 == model);
        let mut motion = KeyedMotion {
            name: String::from_utf8_lossy(&self.name).into_owned(),
            body: known.map_or_else(|| model.clone().into_owned(), |pair| pair.1.to_owned()),
            ..KeyedMotion::default()
        };
        for joint in &self.joints {
            let joint = String::from_utf8_lossy(joint).into_owned();
            if motion.tracks.iter().any(|track| track.joint == joint) {
                return Err(format!("the joint {} comes twice", quoted(&joint)));
            }
            motion.tracks.push(JointTrack {
                joint,
                unit: ValueUnit::Microradian,
                keys: Vec::with_capacity(self.frames.len()),
            });
        }
        if self.frame_ms == 0 {
            return Err("a frame takes 0 ms".to_owned());
        }
        let mut time = 0;
        for (place, frame) in self.frames.iter().enumerate() {
            if place > 0 {
                time += (u64::from(frame.between) + 1) * u64::from(self.frame_ms) * 1_000_000;
            }
            if time > TIME_MAX {
                return Err("the motion is longer than 250,000 s".to_owned());
            }
            for (track, angle) in motion.tracks.iter_mut().zip(&frame.angles) {
                track.keys.push(JointKey::linear(time, f64::from(*angle)));
            }
        }
        Ok(motion)
    }
}

/// A file of a motion: keys on frames of 8 ms, all joints in each. The first is at the start.
pub(crate) fn of_motion(motion: &KeyedMotion) -> Result<AiboMotion, WriteFailure> {
    let no_room = |what: String| WriteFailure::NoRoom {
        format: FORMAT,
        what,
    };
    let times = motion.times();
    if !motion.has_room_for(times.len()) {
        return Err(no_room("so many keys; fix: divide the motion".to_owned()));
    }
    if times.first().is_some_and(|time| *time != 0) {
        return Err(no_room("a motion without a key at its start".to_owned()));
    }
    let mut frames: Vec<AiboFrame> = Vec::new();
    let mut last = 0;
    for time in times {
        let count = time / FRAME;
        if time % FRAME != 0 {
            let what = format!(
                "a key at {} s, which is no frame of 8 ms",
                key_seconds(time)
            );
            return Err(no_room(what));
        }
        let angles = motion.tracks.iter().map(|track| {
            let value = crate::curves::value_at(track, time).unwrap_or(0.0);
            let micro = (track.unit.to_si(value) * 1e6).round();
            let is_one = micro.abs() <= f64::from(i32::MAX);
            let far = || no_room(format!("an angle of {value}, of {}", quoted(&track.joint)));
            is_one.then_some(micro as i32).ok_or_else(far)
        });
        let between = u32::try_from(count.saturating_sub(last + 1));
        last = count;
        frames.push(AiboFrame {
            between: between.map_err(|_| no_room("so long a pause".to_owned()))?,
            body: [0; 3],
            angles: angles.collect::<Result<_, _>>()?,
        });
    }
    let model = AIBO_MODELS.iter().find(|(_, body)| *body == motion.body);
    let mut file = AiboMotion {
        header_length: 24,
        version: (1, 2),
        frame_ms: 8,
        options: 0,
        name: motion.name.clone().into_bytes(),
        author: Vec::new(),
        model: model
            .map_or_else(|| motion.body.clone(), |model| model.0.to_owned())
            .into_bytes(),
        joints: motion
            .tracks
            .iter()
            .map(|track| track.joint.clone().into_bytes())
            .collect(),
        data_type: 1,
        frames,
        blocks: Vec::new(),
        fill: Default::default(),
        rest: Vec::new(),
    };
    let names = 3 + file.name.len() + file.author.len() + file.model.len();
    let joints = 2 + file.joints.iter().map(|name| 1 + name.len()).sum::<usize>();
    for (fill, length) in file.fill.iter_mut().zip([names, joints]) {
        fill.inside = vec![0; length.next_multiple_of(4) - length];
    }
    Ok(file)
}
