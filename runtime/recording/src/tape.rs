//! The way of a turn's record out of the loop: filled during the turn, encoded, copied into a ring buffer. The loop
//! writes to the tape; the recorder's thread reads it, and seals each record with a checksum.
//! A turn allocates nothing and waits for nobody. A record without room is counted, and the next one says
//! how many are missing. Only in virtual time does the loop wait for room.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cycle::{LaneId, Report, View};
use guests::GuestScheduler;
use prost::Message;
use prost::encoding::encode_varint;
use rtrb::{Consumer, Producer, RingBuffer};

use super::Turn;
use super::turn::TURN_MAX;
use description::Robot;
use robot::live::TurnRecorder;
use robot::live::{LoopRequest, Operation};

/// The size of the ring buffer, bytes: half a minute of a NAO's turns.
const ROOM: usize = 16 << 20;

/// Bytes of the length before each record.
const LENGTH: usize = 4;

/// The tag of the checksum's field and its four bytes.
pub(super) const SEAL: usize = 2 + 4;

/// The most bytes of a varint.
const VARINT_MAX: usize = 10;

/// Field 26 of four fixed bytes, as protobuf has it.
const SEAL_TAG: [u8; 2] = [0xd5, 0x01];

/// The loop's end.
pub struct TurnTape {
    turn: Turn,
    bytes: Box<[u8]>,
    ring: Producer<u8>,
    events: u64,
    lost: u64,
    waits: bool,
    /// Whether turns are wanted. If not, nothing is encoded, and nothing is missing.
    wanted: Arc<AtomicBool>,
}

/// The recorder's end.
pub(super) struct TurnTapeReader(Consumer<u8>);

/// Both ends of a tape for this robot, which sends turns while they are `wanted`. In virtual time the loop `waits` for
/// room.
pub(super) fn tape(
    robot: &Robot,
    waits: bool,
    wanted: Arc<AtomicBool>,
) -> (TurnTape, TurnTapeReader) {
    let (ring, reel) = RingBuffer::new(ROOM);
    let tape = TurnTape {
        turn: Turn::with_room(robot),
        bytes: vec![0; TURN_MAX].into(),
        ring,
        events: 0,
        lost: 0,
        waits,
        wanted,
    };
    (tape, TurnTapeReader(reel))
}

impl std::fmt::Debug for TurnTape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TurnTape")
    }
}

impl TurnRecorder for TurnTape {
    fn asked(&mut self, order: &LoopRequest, lane: Option<LaneId>, between: bool) {
        self.turn.add_order(order, lane, between);
    }

    fn did(&mut self, operation: Operation) {
        self.turn.add_afterwards(operation);
    }

    /// Sends the record of the turn.
    fn closed(&mut self, view: &View<'_>, report: &Report, scheduler: Option<&GuestScheduler>) {
        if !self.wanted.load(Ordering::Acquire) {
            (self.events, self.lost) = (view.events.written(), 0);
            return self.turn.reset();
        }
        self.turn
            .add_results(view, report, scheduler, &mut self.events);
        self.turn.lost = self.lost;
        if self.send() {
            self.lost = 0;
        } else {
            self.lost += 1;
        }
        self.turn.reset();
    }
}

impl TurnTape {
    fn send(&mut self) -> bool {
        let Some(length) = encode(&mut self.turn, &mut self.bytes[LENGTH..]) else {
            return false;
        };
        let all = LENGTH + length;
        self.bytes[..LENGTH].copy_from_slice(&(length as u32).to_le_bytes());
        while self.waits && self.ring.slots() < all && !self.ring.is_abandoned() {
            std::thread::sleep(Duration::from_micros(200));
        }
        self.ring.push_entire_slice(&self.bytes[..all]).is_ok()
    }
}

/// Encodes a turn. Returns the length, if it fits and leaves room for the checksum.
///
/// Its columns have most of its bytes. They are copied here, since the encoder puts each number on its own; in protobuf
/// the order of fields does not matter.
fn encode(turn: &mut Turn, into: &mut [u8]) -> Option<usize> {
    let most = into.len().checked_sub(SEAL)?;
    let mut room = &mut into[..most];
    let mut columns = [
        (8, mem::take(&mut turn.counts)),
        (13, mem::take(&mut turn.commanded)),
        (14, mem::take(&mut turn.limited)),
        (15, mem::take(&mut turn.sent)),
        (17, mem::take(&mut turn.sensors)),
    ];
    // A number below 128 is its own byte.
    let is_small = turn.clipped.iter().all(|value| *value < 128);
    let mut clipped = Vec::new();
    if is_small {
        mem::swap(&mut clipped, &mut turn.clipped);
    }
    let mut fits = turn.encode(&mut room).is_ok();
    for (field, values) in &columns {
        fits = fits
            && put_column(&mut room, (*field, 8), values, |values, column| {
                let (places, _) = column.as_chunks_mut();
                let pairs = places.iter_mut().zip(values);
                pairs.for_each(|(place, value)| *place = value.to_le_bytes());
            });
    }
    if is_small {
        fits = fits
            && put_column(&mut room, (16, 1), &clipped, |values, column| {
                let pairs = column.iter_mut().zip(values);
                pairs.for_each(|(place, value)| *place = *value as u8);
            });
        mem::swap(&mut clipped, &mut turn.clipped);
    }
    let left = room.len();
    let lists = [
        &mut turn.counts,
        &mut turn.commanded,
        &mut turn.limited,
        &mut turn.sent,
        &mut turn.sensors,
    ];
    for (list, (_, values)) in lists.into_iter().zip(&mut columns) {
        mem::swap(list, values);
    }
    fits.then_some(most - left)
}

/// A field of packed numbers, as protobuf has it: its key, its length, and the numbers, each as so many bytes as there
/// are for it. Returns whether it fits.
fn put_column<T>(
    room: &mut &mut [u8],
    (field, each): (u32, usize),
    values: &[T],
    put: impl FnOnce(&[T], &mut [u8]),
) -> bool {
    const LENGTH_DELIMITED: u32 = 2;
    let bytes = each * values.len();
    if values.is_empty() {
        return true;
    }
    if room.len() < bytes + 2 * VARINT_MAX {
        return false;
    }
    encode_varint(u64::from(field << 3 | LENGTH_DELIMITED), room);
    encode_varint(bytes as u64, room);
    let (column, rest) = mem::take(room).split_at_mut(bytes);
    put(values, column);
    *room = rest;
    true
}

/// Puts the checksum of what is before it into the last bytes.
fn seal_last(bytes: &mut [u8]) {
    let length = bytes.len().saturating_sub(SEAL);
    let (record, seal) = bytes.split_at_mut(length);
    seal[..2].copy_from_slice(&SEAL_TAG);
    seal[2..].copy_from_slice(&crc32fast::hash(record).to_le_bytes());
}

/// Whether a turn's bytes match their checksum.
pub(super) fn is_sealed(bytes: &[u8]) -> bool {
    let Some(length) = bytes.len().checked_sub(SEAL) else {
        return false;
    };
    let (record, seal) = bytes.split_at(length);
    seal[..2] == SEAL_TAG && seal[2..] == crc32fast::hash(record).to_le_bytes()
}

impl TurnTapeReader {
    /// Reads the next record into `bytes`, and seals it: the loop has no time for that. Returns whether there was one.
    pub(super) fn next(&mut self, bytes: &mut Vec<u8>) -> bool {
        let mut length = [0; LENGTH];
        // A record is pushed whole or not at all.
        if self.0.pop_entire_slice(&mut length).is_err() {
            return false;
        }
        let length = u32::from_le_bytes(length) as usize;
        bytes.resize(length + SEAL, 0);
        let is_there = self.0.pop_entire_slice(&mut bytes[..length]).is_ok();
        seal_last(bytes);
        is_there
    }

    /// Whether the loop has dropped its end.
    pub(super) fn is_abandoned(&self) -> bool {
        self.0.is_abandoned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever a turn has, it is read by a plain decoder of protobuf as what it was.
    #[test]
    fn a_turn_is_decoded_as_it_was_encoded() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let mut column = || {
                let values = (0..random.usize(0..200)).map(|_| f64::from_bits(random.u64(..)));
                values.filter(|value| !value.is_nan()).collect()
            };
            let mut turn = Turn {
                counts: column(),
                commanded: column(),
                limited: column(),
                sent: column(),
                sensors: column(),
                ..Turn::default()
            };
            (turn.number, turn.late) = (random.u64(..), random.bool());
            let most = if random.bool() { 127 } else { u32::MAX };
            turn.clipped = (0..random.usize(0..99))
                .map(|_| random.u32(..=most))
                .collect();
            let before = turn.clone();
            let mut bytes = vec![0; 8_192 + 256];
            let length = encode(&mut turn, &mut bytes).expect("room");
            assert_eq!(turn, before, "it is as it was");
            assert_eq!(Turn::decode(&bytes[..length]).expect("a turn"), before);
            // Without room it says so, and is as it was.
            let less = random.usize(0..length + SEAL);
            assert_eq!(encode(&mut turn, &mut bytes[..less]), None);
            assert_eq!(turn, before);
        }
    }
}
