//! As much of msgpack as LoLA's packets need: where a value ends, and numbers, texts and groups read and written.
//! Used by both packets; the marks themselves are `rmp`'s.
//! The law: whatever the bytes are, the answer is a value or a [`PackError`]. A length that bytes claim is compared
//! before it is believed, and nothing here has a heap or calls itself, however deep values are nested.

use rmp::Marker;
use rmp::decode::{self, Bytes};
use rmp::encode;

use super::groups::{Group, ValueForm};

/// The longest packet that is read: more than four times what a robot sends.
pub const LONGEST: usize = 4096;

/// Why bytes are no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackError {
    /// Not yet: the rest of it has still to come.
    Short,
    /// It says that it is longer than any packet.
    Long,
    /// It is no msgpack.
    Form,
    /// It is msgpack, but not what LoLA says: no map, none of its keys, or a group of another length.
    Odd,
}

/// How many bytes the value at the front takes.
///
/// # Errors
/// [`PackError::Short`] until all of it is there, [`PackError::Long`] as soon as it cannot fit into [`LONGEST`].
pub fn measure(bytes: &[u8]) -> Result<usize, PackError> {
    // A value stands before what it holds, so that it is enough to count how many have still to come.
    let (mut at, mut open) = (0_usize, 1_u64);
    while open > 0 {
        let mark = bytes.get(at).ok_or(PackError::Short)?;
        let (width, fixed, each) = shape(Marker::from_u8(*mark))?;
        let claimed = match width {
            0 => 0,
            _ => {
                let digits = bytes.get(at + 1..at + 1 + width).ok_or(PackError::Short)?;
                digits.iter().fold(0, |sum, it| sum << 8 | u64::from(*it))
            }
        };
        let (payload, inside) = match each {
            0 => (fixed + claimed, 0),
            each => (0, (fixed + claimed) * each),
        };
        open = open - 1 + inside;
        let end = (at + 1 + width) as u64 + payload;
        // Every value that is still to come has one byte at least.
        if end + open > LONGEST as u64 {
            return Err(PackError::Long);
        }
        at = end as usize;
    }
    if at > bytes.len() {
        Err(PackError::Short)
    } else {
        Ok(at)
    }
}

/// Of a value: the bytes of its length, what the mark itself adds to that, and how many values each of these is; 0
/// where they are bytes.
fn shape(mark: Marker) -> Result<(usize, u64, u64), PackError> {
    Ok(match mark {
        Marker::FixPos(_) | Marker::FixNeg(_) | Marker::Null | Marker::True | Marker::False => {
            (0, 0, 0)
        }
        Marker::U8 | Marker::I8 => (0, 1, 0),
        Marker::U16 | Marker::I16 | Marker::FixExt1 => (0, 2, 0),
        Marker::FixExt2 => (0, 3, 0),
        Marker::U32 | Marker::I32 | Marker::F32 => (0, 4, 0),
        Marker::FixExt4 => (0, 5, 0),
        Marker::U64 | Marker::I64 | Marker::F64 => (0, 8, 0),
        Marker::FixExt8 => (0, 9, 0),
        Marker::FixExt16 => (0, 17, 0),
        Marker::FixStr(size) => (0, u64::from(size), 0),
        Marker::Str8 | Marker::Bin8 => (1, 0, 0),
        Marker::Str16 | Marker::Bin16 => (2, 0, 0),
        Marker::Str32 | Marker::Bin32 => (4, 0, 0),
        // Its type is one byte more.
        Marker::Ext8 => (1, 1, 0),
        Marker::Ext16 => (2, 1, 0),
        Marker::Ext32 => (4, 1, 0),
        Marker::FixArray(size) => (0, u64::from(size), 1),
        Marker::Array16 => (2, 0, 1),
        Marker::Array32 => (4, 0, 1),
        Marker::FixMap(size) => (0, u64::from(size), 2),
        Marker::Map16 => (2, 0, 2),
        Marker::Map32 => (4, 0, 2),
        Marker::Reserved => return Err(PackError::Form),
    })
}

/// What is left to read of a packet that was measured.
pub(super) struct PackReader<'a>(Bytes<'a>);

impl<'a> PackReader<'a> {
    /// A whole packet: how many keys it has, and how many bytes.
    pub(super) fn packet(bytes: &'a [u8]) -> Result<(PackReader<'a>, u32, usize), PackError> {
        let size = measure(bytes)?;
        let mut reader = PackReader(Bytes::new(bytes.get(..size).ok_or(PackError::Short)?));
        let keys = decode::read_map_len(&mut reader.0).map_err(|_| PackError::Odd)?;
        Ok((reader, keys, size))
    }

    pub(super) fn text(&mut self) -> Result<&'a [u8], PackError> {
        let size = decode::read_str_len(&mut self.0).map_err(|_| PackError::Odd)?;
        let rest = self.0.remaining_slice();
        let (text, rest) = rest.split_at_checked(size as usize).ok_or(PackError::Odd)?;
        self.0 = Bytes::new(rest);
        Ok(text)
    }

    /// An array of just so many.
    pub(super) fn array(&mut self, size: usize) -> Result<(), PackError> {
        let found = decode::read_array_len(&mut self.0).map_err(|_| PackError::Odd)?;
        if found as usize == size {
            Ok(())
        } else {
            Err(PackError::Odd)
        }
    }

    /// A number, however it is written; simulators do not all write them as the robot does.
    fn number(&mut self) -> Result<f32, PackError> {
        let mark = self.0.remaining_slice().first().ok_or(PackError::Odd)?;
        match Marker::from_u8(*mark) {
            Marker::F32 => decode::read_f32(&mut self.0).map_err(|_| PackError::Odd),
            Marker::F64 => {
                decode::read_f64(&mut self.0).map_or(Err(PackError::Odd), |it| Ok(it as f32))
            }
            Marker::True | Marker::False => decode::read_bool(&mut self.0)
                .map_or(Err(PackError::Odd), |it| Ok(f32::from(u8::from(it)))),
            _ => decode::read_int::<i64, _>(&mut self.0)
                .map_or(Err(PackError::Odd), |it| Ok(it as f32)),
        }
    }

    /// A group's values.
    pub(super) fn group(&mut self, values: &mut [f32]) -> Result<(), PackError> {
        self.array(values.len())?;
        values.iter_mut().try_for_each(|it| {
            *it = self.number()?;
            Ok(())
        })
    }

    /// Over a value of which nothing is known.
    pub(super) fn skip(&mut self) -> Result<(), PackError> {
        let rest = self.0.remaining_slice();
        let size = measure(rest).map_err(|_| PackError::Odd)?;
        self.0 = Bytes::new(rest.get(size..).ok_or(PackError::Odd)?);
        Ok(())
    }
}

/// What is left to write into; `None` of all that follows says that it does not fit.
pub(super) struct PackWriter<'a> {
    rest: &'a mut [u8],
    room: usize,
}

impl<'a> PackWriter<'a> {
    /// A packet of so many keys.
    pub(super) fn packet(into: &'a mut [u8], keys: usize) -> Option<PackWriter<'a>> {
        let room = into.len();
        let mut writer = PackWriter { rest: into, room };
        encode::write_map_len(&mut writer.rest, u32::try_from(keys).ok()?).ok()?;
        Some(writer)
    }

    pub(super) fn text(&mut self, text: &str) -> Option<()> {
        encode::write_str(&mut self.rest, text).ok()
    }

    pub(super) fn array(&mut self, size: usize) -> Option<()> {
        encode::write_array_len(&mut self.rest, u32::try_from(size).ok()?).ok()?;
        Some(())
    }

    /// A group's key and values.
    pub(super) fn group(&mut self, group: &Group, values: &[f32]) -> Option<()> {
        self.text(group.key)?;
        self.array(values.len())?;
        values.iter().try_for_each(|it| match group.form {
            ValueForm::Float => encode::write_f32(&mut self.rest, *it).ok(),
            ValueForm::Whole => encode::write_sint(&mut self.rest, *it as i64)
                .ok()
                .map(|_| ()),
            ValueForm::Truth => encode::write_bool(&mut self.rest, *it > 0.0).ok(),
        })
    }

    /// How many bytes were written.
    pub(super) fn size(&self) -> usize {
        self.room - self.rest.len()
    }
}
