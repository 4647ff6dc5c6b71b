//! Motions of Sony's AIBO, `.MTN`: `OMTN`, then blocks: a header; name, author and model; the
//! joints; the key frames. Called by `lib`. Numbers are little-endian; each block begins at a
//! multiple of four bytes, with its number and length.
//! The law: what is written is, byte for byte, what was read, so what is not understood is kept:
//! the words before the angles of a key frame (their number follows from the block's length), and
//! blocks behind the third.

use crate::fault::{FileMistake, WriteFailure, quoted};
use crate::motion::{JointKey, JointTrack, KEYS_MAX, KeyedMotion, TIME_MAX, TRACKS_MAX};
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
    /// The key frames.
    pub frames: Vec<AiboFrame>,
    /// Further blocks: number and content.
    pub blocks: Vec<(u32, Vec<u8>)>,
}

/// A key frame.
#[derive(Clone, Debug, PartialEq)]
pub struct AiboFrame {
    /// Frames between the key frame before and this one.
    pub between: u16,
    /// The other bytes before the angles.
    pub head: Vec<u8>,
    /// The angles, 10⁻⁶ rad.
    pub angles: Vec<i32>,
}

/// Reads numbers from a part of a file.
struct BlockReader<'b> {
    bytes: &'b [u8],
    /// Where it began in the file.
    start: usize,
    at: usize,
}

impl<'b> BlockReader<'b> {
    fn wrong(&self, sentence: impl Into<String>) -> FileMistake {
        FileMistake::at_byte(self.start + self.at, sentence)
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], FileMistake> {
        let end = self.at.saturating_add(count);
        let part = self.bytes.get(self.at..end).ok_or_else(|| {
            self.wrong("the file or its block ends here; fix: check that it is whole")
        })?;
        self.at = end;
        Ok(part)
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N], FileMistake> {
        let part = self.take(N)?;
        part.try_into()
            .map_err(|_| self.wrong("the block ends here"))
    }

    fn short(&mut self) -> Result<u16, FileMistake> {
        self.number().map(u16::from_le_bytes)
    }

    fn long(&mut self) -> Result<u32, FileMistake> {
        self.number().map(u32::from_le_bytes)
    }

    /// A text with its length before it.
    fn text(&mut self) -> Result<Vec<u8>, FileMistake> {
        let [length] = self.number()?;
        self.take(usize::from(length)).map(<[u8]>::to_vec)
    }

    /// A block; the reader is behind it afterwards.
    fn block(&mut self) -> Result<(u32, BlockReader<'b>), FileMistake> {
        self.at = self.at.next_multiple_of(4);
        let start = self.at;
        let number = self.long()?;
        let length = self.long()? as usize;
        let inside = length.checked_sub(8);
        let inside = inside.ok_or_else(|| self.wrong("a block shorter than its own header"))?;
        let bytes = self.take(inside)?;
        let block = BlockReader {
            bytes,
            start: self.start + start + 8,
            at: 0,
        };
        Ok((number, block))
    }
}

impl AiboMotion {
    /// Reads a file.
    pub(crate) fn read(bytes: &[u8]) -> Result<AiboMotion, FileMistake> {
        let mut file = BlockReader {
            bytes,
            start: 0,
            at: 0,
        };
        if file.take(4).ok() != Some(MARK) {
            return Err(FileMistake::at_byte(0, "the file does not begin with OMTN"));
        }
        let _number = file.long()?;
        let header_length = file.long()?;
        let sections = file.long()?;
        let version = (file.short()?, file.short()?);
        let count = usize::from(file.short()?);
        let frame_ms = file.short()?;
        let options = file.long()?;
        let (_, mut names) = file.block()?;
        let (name, author, model) = (names.text()?, names.text()?, names.text()?);
        let (_, mut list) = file.block()?;
        let joint_count = usize::from(list.short()?);
        if joint_count == 0 || joint_count > TRACKS_MAX {
            return Err(list.wrong(format!("{joint_count} joints; expected 1 to {TRACKS_MAX}")));
        }
        if joint_count * count > KEYS_MAX {
            return Err(list.wrong(format!("more than {KEYS_MAX} keys")));
        }
        let joints = (0..joint_count).map(|_| list.text());
        let joints = joints.collect::<Result<Vec<_>, _>>()?;
        let (_, mut keys) = file.block()?;
        let frames = frames(&mut keys, count, joint_count)?;
        let mut blocks = Vec::new();
        for _ in 4..sections.min(64) {
            let (number, mut block) = file.block()?;
            let length = block.bytes.len();
            blocks.push((number, block.take(length)?.to_vec()));
        }
        let motion = AiboMotion {
            header_length,
            version,
            frame_ms,
            options,
            name,
            author,
            model,
            joints,
            frames,
            blocks,
        };
        motion
            .motion()
            .map_err(|sentence| FileMistake::at_byte(0, sentence))?;
        Ok(motion)
    }

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
        for frame in &self.frames {
            keys.extend(frame.between.to_le_bytes());
            keys.extend(&frame.head);
            frame
                .angles
                .iter()
                .for_each(|it| keys.extend(it.to_le_bytes()));
        }
        let mut out = MARK.to_vec();
        let blocks = [(0, &header), (1, &names), (2, &list), (3, &keys)];
        let rest = self.blocks.iter().map(|it| (it.0, &it.1));
        for (number, block) in blocks.into_iter().chain(rest) {
            out.resize(out.len().next_multiple_of(4), 0);
            out.extend(u32::to_le_bytes(number));
            let length = u32::try_from(block.len() + 8).map_err(|_| large("a block"))?;
            let length = if out.len() == 8 {
                self.header_length
            } else {
                length
            };
            out.extend(length.to_le_bytes());
            out.extend(block);
        }
        Ok(out)
    }

    /// The motion: each key frame comes `between` + 1 frames after the one before it, the first one
    /// after the start.
    pub(crate) fn motion(&self) -> Result<KeyedMotion, String> {
        let model = String::from_utf8_lossy(&self.model);
        let known = AIBO_MODELS.iter().find(|it| it.0 == model);
        let mut motion = KeyedMotion {
            name: String::from_utf8_lossy(&self.name).into_owned(),
            body: known.map_or_else(|| model.clone().into_owned(), |it| it.1.to_owned()),
            ..KeyedMotion::default()
        };
        for joint in &self.joints {
            let joint = String::from_utf8_lossy(joint).into_owned();
            if motion.tracks.iter().any(|it| it.joint == joint) {
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
        for frame in &self.frames {
            time += (u64::from(frame.between) + 1) * u64::from(self.frame_ms) * 1_000_000;
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

fn frames(
    keys: &mut BlockReader<'_>,
    count: usize,
    joints: usize,
) -> Result<Vec<AiboFrame>, FileMistake> {
    if count == 0 {
        return Err(keys.wrong("the motion has no key frame"));
    }
    let each = keys.bytes.len() / count;
    let head = each
        .checked_sub(joints * 4)
        .filter(|it| (2..=64).contains(it) && each * count == keys.bytes.len());
    let Some(head) = head else {
        let sentence = format!(
            "{} bytes for {count} key frames of {joints} joints; fix: check that the file is whole",
            keys.bytes.len()
        );
        return Err(keys.wrong(sentence));
    };
    let mut frames = Vec::with_capacity(count);
    for _ in 0..count {
        let between = keys.short()?;
        let head = keys.take(head - 2)?.to_vec();
        let angles = (0..joints).map(|_| keys.number().map(i32::from_le_bytes));
        frames.push(AiboFrame {
            between,
            head,
            angles: angles.collect::<Result<_, _>>()?,
        });
    }
    Ok(frames)
}

/// A file of a motion: keys on frames of 8 ms, all joints in each; none at the start, where a file
/// begins from where the body is.
pub(crate) fn of_motion(motion: &KeyedMotion) -> Result<AiboMotion, WriteFailure> {
    let no_room = |what: String| WriteFailure::NoRoom {
        format: FORMAT,
        what,
    };
    let times = motion.times();
    if !motion.has_room_for(times.len()) {
        return Err(no_room("so many keys; fix: divide the motion".to_owned()));
    }
    let mut frames = Vec::new();
    let mut last = 0;
    for time in times {
        let count = time / FRAME;
        let between = count.checked_sub(last + 1).filter(|_| time % FRAME == 0);
        let Some(between) = between else {
            let time = key_seconds(time);
            let what = format!("a key at {time} s, which is no frame of 8 ms after the start");
            return Err(no_room(what));
        };
        last = count;
        let angles = motion.tracks.iter().map(|it| {
            let value = crate::curves::value_at(it, time).unwrap_or(0.0);
            let micro = (it.unit.to_si(value) * 1e6).round();
            let is_one = micro.abs() <= f64::from(i32::MAX);
            let far = || no_room(format!("an angle of {value}, of {}", quoted(&it.joint)));
            is_one.then_some(micro as i32).ok_or_else(far)
        });
        let between = u16::try_from(between);
        frames.push(AiboFrame {
            between: between.map_err(|_| no_room("a pause longer than 9 minutes".to_owned()))?,
            head: vec![0; 10],
            angles: angles.collect::<Result<_, _>>()?,
        });
    }
    let model = AIBO_MODELS.iter().find(|it| it.1 == motion.body);
    Ok(AiboMotion {
        header_length: 24,
        version: (1, 0),
        frame_ms: 8,
        options: 0,
        name: motion.name.clone().into_bytes(),
        author: Vec::new(),
        model: model
            .map_or_else(|| motion.body.clone(), |it| it.0.to_owned())
            .into_bytes(),
        joints: motion
            .tracks
            .iter()
            .map(|it| it.joint.clone().into_bytes())
            .collect(),
        frames,
        blocks: Vec::new(),
    })
}
