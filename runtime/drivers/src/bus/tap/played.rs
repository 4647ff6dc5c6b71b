//! A bus that replays a tape: it answers as the board did, and compares what is sent.
//! For tests without the board, and for analysing a failure on a robot.
//! The answer depends only on the number of the transfer, so one difference does not hide the others.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::tape::{FIRST, MOST, Tape};
use crate::bus::{BusFault, Transfer};

/// The first sent byte that differs from the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The number of the transfer, from 0.
    pub transfer: u64,
    /// The index of the byte.
    pub byte: usize,
    /// The byte on the tape; `None` if the frame was shorter.
    pub then: Option<u8>,
    /// The byte sent now; `None` if the frame is shorter.
    pub now: Option<u8>,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let say =
            |byte: Option<u8>| byte.map_or("nothing".to_owned(), |value| format!("{value:#04x}"));
        let (then, now) = (say(self.then), say(self.now));
        write!(
            f,
            "transfer {}, byte {}: the tape has {then}, this run sent {now}",
            self.transfer, self.byte
        )
    }
}

/// A bus that plays a tape.
#[derive(Clone, Debug)]
pub struct Played {
    tape: Tape,
    /// The position of the next record, and the number of the next transfer.
    place: usize,
    number: u64,
    missing: u64,
    difference: Option<Difference>,
}

impl Played {
    /// Replays this tape from its beginning.
    pub fn new(tape: Tape) -> Played {
        Played {
            tape,
            place: FIRST,
            number: 0,
            missing: 0,
            difference: None,
        }
    }

    /// Replays the tape in this file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a tape.
    pub fn open(path: &Path) -> io::Result<Played> {
        let mut bytes = Vec::new();
        let most = MOST as u64 + 1;
        File::open(path)?.take(most).read_to_end(&mut bytes)?;
        let tape = Tape::read(bytes);
        let tape = tape.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok(Played::new(tape))
    }

    /// The tape.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// The first sent byte that differs from the tape.
    pub fn difference(&self) -> Option<Difference> {
        self.difference
    }

    /// Transfers so far that are missing from the tape.
    pub fn missing(&self) -> u64 {
        self.missing
    }
}

impl Transfer for Played {
    /// Answers from the tape. In a gap of the tape the transfer times out; after its end the bus is gone.
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault> {
        let number = self.number;
        self.number += 1;
        let Some((then, next)) = self.tape.at(self.place) else {
            return Err(BusFault::Gone);
        };
        if then.number > number {
            self.missing += 1;
            return Err(BusFault::TimedOut);
        }
        self.place = next;
        if self.difference.is_none() && then.down != down {
            let byte = then
                .down
                .iter()
                .zip(down)
                .take_while(|(a, b)| a == b)
                .count();
            self.difference = Some(Difference {
                transfer: number,
                byte,
                then: then.down.get(byte).copied(),
                now: down.get(byte).copied(),
            });
        }
        let came = then.up?;
        // Bytes beyond the taped answer read as ones.
        up.fill(0xff);
        let both = came.len().min(up.len());
        up[..both].copy_from_slice(&came[..both]);
        Ok(())
    }
}
