//! The part of msgpack that LoLA's packets need: finds the end of a value; reads and writes numbers, texts and groups.
//! Used by both packets; `rmp` handles the markers.
//! Any bytes give a value or a [`PackError`]. A length is checked before it is used, and nothing here
//! allocates or recurses, however deep values are nested.

use rmp::Marker;
use rmp::decode::{self, Bytes};
use rmp::encode;

use super::groups::{Group, ValueForm};

/// The longest packet that is read: more than four times that of a robot.
pub const LONGEST: usize = 4096;

/// Why bytes are not a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackError {
    /// The packet is incomplete.
    Short,
    /// It claims to be longer than any packet.
    Long,
    /// It is not msgpack.
    Form,
    /// It is msgpack, but not a packet of LoLA: not a map, none of its keys, or a group of another length.
    Odd,
}

/// The length of the value at the front.
///
/// # Errors
/// [`PackError::Short`] until the value is complete, [`PackError::Long`] as soon as it cannot fit into [`LONGEST`].
pub fn measure(bytes: &[u8]) -> Result<usize, PackError> {
    // A value comes before its contents, so it is enough to count how many values are still missing.
    let (mut at, mut open) = (0_usize, 1_u64);
    while open > 0 {
        let mark = bytes.get(at).ok_or(PackError::Short)?;
        let (width, fixed, each) = shape(Marker::from_u8(*mark))?;
        let claimed = match width {
            0 => 0,
            _ => {
                let digits = bytes.get(at + 1..at + 1 + width).ok_or(PackError::Short)?;
                digits
                    .iter()
                    .fold(0, |sum, item| sum << 8 | u64::from(*item))
            }
        };
        let (payload, inside) = match each {
            0 => (fixed + claimed, 0),
            each => (0, (fixed + claimed) * each),
        };
        open = open - 1 + inside;
        let end = (at + 1 + width) as u64 + payload;
        // Every missing value has at least one byte.
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

/// The shape of a value: the bytes of its length field, the length in the marker itself, and the values per element; 0
/// if the elements are bytes.
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
        // The extension type is one more byte.
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

/// The rest of a measured packet.
pub(super) struct PackReader<'a>(Bytes<'a>);

impl<'a> PackReader<'a> {
    /// Begins to read a packet; also returns its numbers of keys and bytes.
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

    /// Reads the head of an array of exactly this size.
    pub(super) fn array(&mut self, size: usize) -> Result<(), PackError> {
        let found = decode::read_array_len(&mut self.0).map_err(|_| PackError::Odd)?;
        if found as usize == size {
            Ok(())
        } else {
            Err(PackError::Odd)
        }
    }

    /// Reads a number in any format, because simulators use other formats than the robot.
    fn number(&mut self) -> Result<f32, PackError> {
        let mark = self.0.remaining_slice().first().ok_or(PackError::Odd)?;
        match Marker::from_u8(*mark) {
            Marker::F32 => decode::read_f32(&mut self.0).map_err(|_| PackError::Odd),
            Marker::F64 => {
                decode::read_f64(&mut self.0).map_or(Err(PackError::Odd), |value| Ok(value as f32))
            }
            Marker::True | Marker::False => decode::read_bool(&mut self.0)
                .map_or(Err(PackError::Odd), |value| Ok(f32::from(u8::from(value)))),
            _ => decode::read_int::<i64, _>(&mut self.0)
                .map_or(Err(PackError::Odd), |int| Ok(int as f32)),
        }
    }

    /// Reads a group's values.
    pub(super) fn group(&mut self, values: &mut [f32]) -> Result<(), PackError> {
        self.array(values.len())?;
        values.iter_mut().try_for_each(|value| {
            *value = self.number()?;
            Ok(())
        })
    }

    /// Skips an unknown value.
    pub(super) fn skip(&mut self) -> Result<(), PackError> {
        let rest = self.0.remaining_slice();
        let size = measure(rest).map_err(|_| PackError::Odd)?;
        self.0 = Bytes::new(rest.get(size..).ok_or(PackError::Odd)?);
        Ok(())
    }
}

/// The rest of the output. Its methods return `None` if a value does not fit.
pub(super) struct PackWriter<'a> {
    rest: &'a mut [u8],
    room: usize,
}

impl<'a> PackWriter<'a> {
    /// Begins a packet with this number of keys.
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

    /// Writes a group's key and values.
    pub(super) fn group(&mut self, group: &Group, values: &[f32]) -> Option<()> {
        self.text(group.key)?;
        self.array(values.len())?;
        values.iter().try_for_each(|value| match group.form {
            ValueForm::Float => encode::write_f32(&mut self.rest, *value).ok(),
            ValueForm::Whole => encode::write_sint(&mut self.rest, *value as i64)
                .ok()
                .map(|_| ()),
            ValueForm::Truth => encode::write_bool(&mut self.rest, *value > 0.0).ok(),
        })
    }

    /// The number of bytes written.
    pub(super) fn size(&self) -> usize {
        self.room - self.rest.len()
    }
}
