//! The newest frame for guests of the same process, which read it value by value, in place.
//! Made by the writer at start-up; read by hooks on the loop's thread, and by scores on other threads.
//! Each value is complete. In a hook all values belong to one turn, because the hook runs on the writer's
//! thread; elsewhere two values may belong to two turns.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use cycle::{Instant, State};
use memmap2::MmapMut;

use crate::layout::{PageShape, RING, frame, header, state_of};
use crate::map::MappedWords;
use crate::seqlock;

/// The newest frame.
#[derive(Clone, Debug)]
pub struct Window {
    map: Arc<MappedWords<MmapMut>>,
    shape: PageShape,
}

impl Window {
    pub(crate) fn new(map: Arc<MappedWords<MmapMut>>, shape: PageShape) -> Window {
        Window { map, shape }
    }

    /// The numbers of actuators, sensors and boards.
    pub fn shape(&self) -> PageShape {
        self.shape
    }

    /// The words of the newest frame; `None` before the first turn.
    fn frame(&self) -> Option<&[AtomicU64]> {
        let words = self.map.words();
        let latest = seqlock::newest(&words[header::LATEST]);
        if latest == 0 {
            return None;
        }
        let place = (latest as usize) & (RING - 1);
        let at = self.shape.ring_at() + place * self.shape.frame_words();
        words.get(at..at + self.shape.frame_words())
    }

    fn word(&self, at: usize) -> Option<u64> {
        Some(self.frame()?[at].load(Relaxed))
    }

    /// The instant of the newest turn; 0 before the first.
    pub fn now(&self) -> Instant {
        Instant::from_nanos(self.word(frame::NOW).unwrap_or(0))
    }

    /// The number of the newest turn; 0 before the first.
    pub fn turn(&self) -> u64 {
        self.word(frame::TURN).unwrap_or(0)
    }

    /// The safety state after it.
    pub fn state(&self) -> State {
        self.word(frame::STATE)
            .and_then(state_of)
            .unwrap_or(State::Boot)
    }

    /// A sensor's value; NaN before the first turn, and for a number that is out of range.
    pub fn sensor(&self, place: usize) -> f64 {
        if place >= self.shape.sensors {
            return f64::NAN;
        }
        self.value(self.shape.sensors_at() + place)
    }

    /// The value sent to an actuator; NaN as above.
    pub fn sent(&self, place: usize) -> f64 {
        self.of_actuator(place, 2)
    }

    /// The value that an actuator's board acknowledged; NaN as above.
    pub fn acknowledged(&self, place: usize) -> f64 {
        self.of_actuator(place, 3)
    }

    /// Turns since a board's last answer; `None` if the number is out of range.
    pub fn board_age(&self, board: usize) -> Option<u64> {
        if board >= self.shape.boards {
            return None;
        }
        self.word(self.shape.boards_at() + board * frame::BOARD_WORDS + 2)
    }

    /// The sensors of the newest frame in place, one word with the bits of an f64 for each; empty before the first
    /// turn. For compiled code that reads them in place.
    pub fn sensors(&self) -> &[AtomicU64] {
        let at = self.shape.sensors_at();
        self.frame()
            .map_or(&[], |frame| &frame[at..at + self.shape.sensors])
    }

    fn of_actuator(&self, place: usize, word: usize) -> f64 {
        if place >= self.shape.actuators {
            return f64::NAN;
        }
        self.value(frame::WORDS + place * frame::ACTUATOR_WORDS + word)
    }

    fn value(&self, at: usize) -> f64 {
        self.word(at).map_or(f64::NAN, f64::from_bits)
    }
}
