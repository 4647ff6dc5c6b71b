//! Timed commands as bytes, for choreographies that would be long as JSON: 4,096 commands for each of 26 joints are
//! 1.7 MB so, and over 4 MB as text.
//! Written by the client and by whoever sends to the server's `/api/v2/body/schedule`; read by the request handler.
//! Bytes that are not exactly such lists are refused whole.
//!
//! Everything is little endian. For each list, one after the other: the number of its commands (`u32`), then for each
//! command its instant in ns (`u64`) and its value (`f64`). The values of a `move` are only these (`f64`).

use std::fmt;

use crate::ask::Ask;

/// The most bytes of packed lists: 131,072 commands on up to 16,384 actuators.
pub const PACKED_MAX: usize = 131_072 * COMMAND + 16_384 * COUNT;

/// Bytes of a command, and of a list's length.
const COMMAND: usize = 16;
const COUNT: usize = 4;

/// A request with more commands than this is sent packed.
const PACKED_FROM: usize = 256;

/// Lists of an instant, ns, and a value.
pub type CommandLists = Vec<Vec<(u64, f64)>>;

/// Why bytes are no lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedError {
    /// The list that ends too early, counted from 1.
    pub list: usize,
    /// How many commands it announces.
    pub announced: u32,
    /// How many bytes are left for them.
    pub left: usize,
}

impl fmt::Display for PackedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PackedError {
            list,
            announced,
            left,
        } = self;
        write!(
            f,
            "list {list} announces {announced} commands of {COMMAND} bytes, and {left} bytes are left"
        )
    }
}

impl std::error::Error for PackedError {}

/// The bytes of these lists.
pub fn pack(lists: &[Vec<(u64, f64)>]) -> Vec<u8> {
    let commands: usize = lists.iter().map(Vec::len).sum();
    let mut bytes = Vec::with_capacity(commands * COMMAND + lists.len() * COUNT);
    for list in lists {
        bytes.extend(u32::try_from(list.len()).unwrap_or(u32::MAX).to_le_bytes());
        for (at, value) in list {
            bytes.extend(at.to_le_bytes());
            bytes.extend(value.to_le_bytes());
        }
    }
    bytes
}

/// The lists of these bytes.
///
/// # Errors
/// [`PackedError`] if they end too early.
pub fn unpack(bytes: &[u8]) -> Result<CommandLists, PackedError> {
    let mut lists = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let error = |announced, left| PackedError {
            list: lists.len() + 1,
            announced,
            left,
        };
        let (count, after) = rest.split_first_chunk().ok_or(error(0, rest.len()))?;
        let count = u32::from_le_bytes(*count);
        let (commands, after) = (count as usize)
            .checked_mul(COMMAND)
            .and_then(|value| after.split_at_checked(value))
            .ok_or(error(count, after.len()))?;
        let (commands, _) = commands.as_chunks::<COMMAND>();
        lists.push(commands.iter().map(command).collect());
        rest = after;
    }
    Ok(lists)
}

fn command(bytes: &[u8; COMMAND]) -> (u64, f64) {
    let [a, b, c, d, e, f, g, h, value @ ..] = *bytes;
    let at = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
    (at, f64::from_le_bytes(value))
}

/// The values of these bytes, if they are whole.
pub fn unpack_values(bytes: &[u8]) -> Option<Vec<f64>> {
    let (values, rest) = bytes.as_chunks();
    let values = values.iter().map(|value| f64::from_le_bytes(*value));
    rest.is_empty().then(|| values.collect())
}

impl Ask {
    /// The request, and the bytes that follow its line: many commands are packed, and those that JSON cannot tell.
    pub fn packed(mut self) -> (Ask, Vec<u8>) {
        let bytes = match &mut self {
            Ask::Schedule {
                lists, packed: 0, ..
            } if lists.iter().map(Vec::len).sum::<usize>() > PACKED_FROM
                || lists.iter().flatten().any(|pair| !pair.1.is_finite()) =>
            {
                pack(&std::mem::take(lists))
            }
            Ask::Move {
                values, packed: 0, ..
            } if values.len() > PACKED_FROM || values.iter().any(|value| !value.is_finite()) => {
                let values = std::mem::take(values).into_iter();
                values.flat_map(f64::to_le_bytes).collect()
            }
            _ => Vec::new(),
        };
        if let Ask::Schedule { packed, .. } | Ask::Move { packed, .. } = &mut self
            && !bytes.is_empty()
        {
            *packed = bytes.len() as u64;
        }
        (self, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::{pack, unpack};

    #[test]
    fn what_is_packed_comes_back_and_no_cut_is_taken_for_it() {
        let mut random = fastrand::Rng::with_seed(22);
        for _ in 0..200 {
            let lists: Vec<Vec<(u64, f64)>> = (0..random.usize(..5))
                .map(|_| {
                    let count = random.usize(..6);
                    let each = |_| (random.u64(..), f64::from_bits(random.u64(..)));
                    (0..count).map(each).collect()
                })
                .collect();
            let bytes = pack(&lists);
            let bits = |lists: &super::CommandLists| -> Vec<Vec<(u64, u64)>> {
                let list =
                    |item: &Vec<(u64, f64)>| item.iter().map(|(a, v)| (*a, v.to_bits())).collect();
                lists.iter().map(list).collect()
            };
            assert_eq!(unpack(&bytes).map(|unpack| bits(&unpack)), Ok(bits(&lists)));
            // A cut at the end of a list has fewer lists; any other is refused.
            for cut in 0..bytes.len() {
                match unpack(&bytes[..cut]) {
                    Ok(some) => assert!(some.len() < lists.len()),
                    Err(error) => assert!(error.list <= lists.len(), "{error}"),
                }
            }
        }
    }
}
