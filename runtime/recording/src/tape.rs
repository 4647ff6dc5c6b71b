//! The way of a turn's record out of the loop: filled during the turn, encoded, copied into a ring buffer. The loop
//! writes to the tape; the recorder's thread reads it, and seals each record with a checksum.
//! The law: a turn allocates nothing and waits for nobody. A record without room is counted, and the next one says
//! how many are missing. Only in virtual time does the loop wait for room.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cycle::{LaneId, Report, View};
use guests::GuestScheduler;
use prost::Message;
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
        let Some(length) = encode(&self.turn, &mut self.bytes[LENGTH..]) else {
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
fn encode(turn: &Turn, into: &mut [u8]) -> Option<usize> {
    let most = into.len().checked_sub(SEAL)?;
    let mut room = &mut into[..most];
    turn.encode(&mut room).ok()?;
    Some(most - room.len())
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
