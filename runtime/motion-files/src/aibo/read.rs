//! Reads a motion of an AIBO, block by block. Called by `document`.
//! A block that is not where the one before ends, or key frames that do not fill theirs, are a mistake.

use super::{AiboFrame, AiboMotion, BlockFill, MARK};
use crate::fault::FileMistake;
use crate::motion::{KEYS_MAX, TRACKS_MAX};

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

    /// The block with this number; the reader is behind it afterwards. Returns what is before it as well: some writers
    /// fill up without counting it.
    fn block(&mut self, expected: u32) -> Result<(Vec<u8>, BlockReader<'b>), FileMistake> {
        let before = self.at;
        let is_here = |at: usize| self.bytes.get(at..at + 4) == Some(&expected.to_le_bytes());
        let start = [before, before.next_multiple_of(4)]
            .into_iter()
            .find(|item| is_here(*item))
            .ok_or_else(|| {
                let sentence =
                    format!("block {expected} is not here; fix: check that the file is whole");
                self.wrong(sentence)
            })?;
        let fill = self.take(start - before)?.to_vec();
        let _number = self.long()?;
        let length = self.long()? as usize;
        let inside = length.checked_sub(8);
        let inside = inside.ok_or_else(|| self.wrong("a block shorter than its own header"))?;
        let bytes = self.take(inside)?;
        let block = BlockReader {
            bytes,
            start: self.start + start + 8,
            at: 0,
        };
        Ok((fill, block))
    }

    /// What is left.
    fn rest(&self) -> &'b [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
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
        if file.long()? != 0 {
            return Err(FileMistake::at_byte(
                4,
                "expected 0, the number of the first block",
            ));
        }
        let header_length = file.long()?;
        let sections = file.long()?;
        if !(4..=64).contains(&sections) {
            let sentence = format!("{sections} blocks; expected 4 or a few more");
            return Err(FileMistake::at_byte(12, sentence));
        }
        let version = (file.short()?, file.short()?);
        let count = usize::from(file.short()?);
        let frame_ms = file.short()?;
        let options = file.long()?;
        let (_, mut names) = file.block(1)?;
        let (name, author, model) = (names.text()?, names.text()?, names.text()?);
        let (after_names, mut list) = file.block(2)?;
        let joint_count = usize::from(list.short()?);
        if joint_count == 0 || joint_count > TRACKS_MAX {
            return Err(list.wrong(format!("{joint_count} joints; expected 1 to {TRACKS_MAX}")));
        }
        if joint_count * count > KEYS_MAX {
            return Err(list.wrong(format!("more than {KEYS_MAX} keys")));
        }
        let joints = (0..joint_count).map(|_| list.text());
        let joints = joints.collect::<Result<Vec<_>, _>>()?;
        let (after_joints, mut keys) = file.block(3)?;
        let (data_type, frames) = frames(&mut keys, count, joint_count)?;
        let (after_keys, blocks) = further(&mut file, sections)?;
        let fill = |block: &BlockReader<'_>, outside| BlockFill {
            inside: block.rest().to_vec(),
            outside,
        };
        let motion = AiboMotion {
            header_length,
            version,
            frame_ms,
            options,
            name,
            author,
            model,
            joints,
            data_type,
            frames,
            blocks,
            fill: [
                fill(&names, after_names),
                fill(&list, after_joints),
                fill(&keys, after_keys),
            ],
            rest: file.rest().to_vec(),
        };
        motion
            .motion()
            .map_err(|sentence| FileMistake::at_byte(0, sentence))?;
        Ok(motion)
    }
}

/// The blocks behind the key frames, and what fills those.
#[allow(clippy::type_complexity, reason = "a block is a number and bytes")]
fn further(
    file: &mut BlockReader<'_>,
    sections: u32,
) -> Result<(Vec<u8>, Vec<(u32, Vec<u8>)>), FileMistake> {
    let (mut after_keys, mut blocks) = (Vec::new(), Vec::new());
    for number in 4..sections {
        let (fill, block) = file.block(number)?;
        if number == 4 {
            after_keys = fill;
        }
        blocks.push((number, block.bytes.to_vec()));
    }
    Ok((after_keys, blocks))
}

/// The type of the data, and the key frames.
fn frames(
    keys: &mut BlockReader<'_>,
    count: usize,
    joints: usize,
) -> Result<(u32, Vec<AiboFrame>), FileMistake> {
    if count == 0 {
        return Err(keys.wrong("the motion has no key frame"));
    }
    // Of the first one the word before is the type of the data. Blocks are filled to 4 or 8 bytes.
    let there = keys.bytes.len();
    let all = count * (16 + 4 * joints);
    if !(all..all + 8).contains(&there) {
        let sentence = format!(
            "{there} bytes, but {count} key frames of {joints} joints have {all}; fix: check that the file is whole"
        );
        return Err(keys.wrong(sentence));
    }
    let mut data_type = 0;
    let mut frames = Vec::with_capacity(count);
    for place in 0..count {
        let mut between = keys.long()?;
        if place == 0 {
            data_type = std::mem::take(&mut between);
        }
        let mut signed = || keys.number().map(i32::from_le_bytes);
        frames.push(AiboFrame {
            between,
            body: [signed()?, signed()?, signed()?],
            angles: (0..joints).map(|_| signed()).collect::<Result<_, _>>()?,
        });
    }
    Ok((data_type, frames))
}
