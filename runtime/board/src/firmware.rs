//! The board's behaviour: what it takes, what it refuses, when it relaxes its motors.
//! Called once for each transfer, and once for each write of an output.
//! The board takes a frame whole or not at all, and reports the reason of a refusal.

use wire::down::KEPT;
use wire::frame::FrameError;
use wire::row::table;
use wire::{
    About, Direction, Down, DownKind, Refused, Row, RowKind, TableQuery, Up, UpKind, VERSION,
    length,
};

use crate::motion::Motion;

/// Microseconds of one step of the horizon.
const STEP: u32 = 50;

/// The most frames that may arrive late together.
const LATE: u32 = 16;

/// Why a table is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableError {
    /// The board's frames would be longer than a transfer.
    TooLong,
    /// An input comes before an output.
    Order,
    /// The numbers of motions and outputs differ.
    Motions,
}

/// A board.
#[derive(Debug)]
pub struct Firmware<'b> {
    rows: &'b [Row],
    motions: &'b mut [Motion],
    about: About,
    boots: u8,
    error: u16,
    taken: Option<u16>,
    /// What the next frame carries.
    next: UpKind,
    refused: Option<Refused>,
    powered: bool,
    relaxed: bool,
    stopped: bool,
    /// No targets were taken since the last question.
    fresh: bool,
    /// When the last frame that resets the watchdog arrived.
    heard: u32,
    /// The horizon of the last frame, µs.
    horizon: u32,
}

impl<'b> Firmware<'b> {
    /// A board with this name, this table, outputs before inputs, and a motion for each output. `boots` is its boot
    /// count, 1 to 255; `watchdog` is in ms.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn new(
        name: &str,
        rows: &'b [Row],
        motions: &'b mut [Motion],
        watchdog: u16,
        boots: u8,
    ) -> Result<Firmware<'b>, TableError> {
        let is_output = |row: &&Row| row.direction == Direction::Output;
        let outputs = rows.iter().take_while(is_output).count();
        if rows.iter().filter(is_output).count() != outputs {
            return Err(TableError::Order);
        }
        if motions.len() != outputs {
            return Err(TableError::Motions);
        }
        let inputs = rows.len() - outputs;
        length(outputs, inputs).ok_or(TableError::TooLong)?;
        for (motion, row) in motions.iter_mut().zip(rows) {
            *motion = Motion::at(row.rest);
        }
        let about = About {
            outputs: outputs as u16,
            inputs: inputs as u16,
            watchdog,
            table: table(rows.iter().copied()),
            name: wire::row::name(name),
        };
        Ok(Firmware {
            rows,
            motions,
            about,
            boots,
            error: 0,
            taken: None,
            next: UpKind::Nothing,
            refused: None,
            powered: false,
            relaxed: false,
            stopped: false,
            fresh: true,
            heard: 0,
            horizon: 0,
        })
    }

    /// The length of a transfer while the board runs; before that, transfers are short.
    pub fn length(&self) -> usize {
        // `new` has checked the length.
        length(self.about.outputs.into(), self.about.inputs.into()).unwrap_or(wire::frame::SHORT)
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        usize::from(self.about.inputs)
    }

    /// Takes the bytes that a transfer received.
    pub fn hear(&mut self, bytes: &[u8], clock: u32) {
        self.tick(clock);
        let taken = match Down::parse(bytes) {
            Ok(down) => self.take(&down, clock),
            Err(FrameError::Seal) => Err(Refused::Seal),
            Err(FrameError::Version(_)) => Err(Refused::Version),
            Err(_) => Err(Refused::Form),
        };
        if let Err(why) = taken {
            self.refused = Some(why);
        }
    }

    fn take(&mut self, down: &Down<'_>, clock: u32) -> Result<(), Refused> {
        if let DownKind::Ask(ask) = down.kind {
            // A question starts a new session: forget the previous one.
            self.taken = None;
            self.fresh = true;
            self.powered = false;
            self.next = self.row(ask);
            if let TableQuery::Row {
                number,
                acceleration,
            } = ask
                && let Some(motion) = self.motions.get_mut(usize::from(number))
            {
                motion.limit(acceleration);
            }
            return Ok(());
        }
        if down.boots != self.boots {
            return Err(Refused::Boots);
        }
        let is_new = |n: u16| (1..0x8000).contains(&down.sequence.wrapping_sub(n));
        if !self.taken.is_none_or(is_new) {
            return Err(Refused::Sequence);
        }
        let is_run = down.kind == DownKind::Run;
        if is_run && down.count() != usize::from(self.about.outputs) {
            return Err(Refused::Table);
        }
        let horizon = u32::from(down.horizon) * STEP;
        // The horizons of this frame and of all frames lost before it. The sequence of a host that has taken over
        // jumps: so the time since the last frame limits the sum, with an allowance for late frames.
        let frames = self
            .taken
            .map_or(1, |last| down.sequence.wrapping_sub(last));
        let elapsed = clock.wrapping_sub(self.heard);
        let takes = u32::from(frames)
            .saturating_mul(horizon)
            .min(elapsed.saturating_add(horizon.saturating_mul(LATE)))
            .max(horizon);
        self.taken = Some(down.sequence);
        self.next = UpKind::Run;
        (self.heard, self.horizon) = (clock, horizon);
        // A board that relaxed its motors gives force again only after a frame without force.
        self.relaxed &= down.powered;
        let drove = self.powered;
        self.powered = down.powered && !self.relaxed && !self.stopped;
        if is_run {
            let is_fresh = core::mem::take(&mut self.fresh);
            for (place, (motion, row)) in self.motions.iter_mut().zip(self.rows).enumerate() {
                let Some((now, ahead)) = down.output(place) else {
                    continue;
                };
                if down.keeps && (now, ahead) == KEPT {
                    continue;
                }
                let within = |word: u16| word.clamp(row.lowest, row.highest);
                let now = within(now);
                *motion = if row.kind == RowKind::Trigger {
                    // The first frame only sets a trigger's word.
                    motion.fire(now, is_fresh)
                } else if !drove {
                    motion.begin(now, within(ahead), clock, takes)
                } else {
                    motion.extend_to(within(ahead), clock, takes, horizon)
                };
            }
        }
        Ok(())
    }

    fn row(&self, ask: TableQuery) -> UpKind {
        match ask {
            TableQuery::About => UpKind::About(self.about),
            TableQuery::Row { number, .. } => {
                let row = self.rows.get(usize::from(number));
                row.map_or(UpKind::Nothing, |row| UpKind::Row(number, *row))
            }
        }
    }

    /// Writes the frame for the next transfer, with inputs from `input`; false if it does not fit.
    pub fn answer(
        &mut self,
        into: &mut [u8],
        clock: u32,
        mut input: impl FnMut(usize) -> u16,
    ) -> bool {
        self.tick(clock);
        let up = Up {
            kind: self.next,
            powered: self.powered,
            relaxed: self.relaxed,
            stopped: self.stopped,
            acknowledged: self.taken.unwrap_or(0),
            error: self.error,
            boots: self.boots,
            refused: self.refused.take(),
            clock,
            inputs: &[],
        };
        let inputs = &self.rows[usize::from(self.about.outputs)..];
        up.emit(into, inputs.len(), |place| {
            input(place).clamp(inputs[place].lowest, inputs[place].highest)
        })
    }

    /// Checks the watchdog and the stop line, and relaxes the motors if necessary.
    pub fn tick(&mut self, clock: u32) {
        let silent = clock.wrapping_sub(self.heard) > u32::from(self.about.watchdog) * 1000;
        if self.powered && (silent || self.stopped) {
            self.relaxed = true;
            self.powered = false;
        }
        let horizon = self.horizon;
        self.motions
            .iter_mut()
            .for_each(|motion| motion.finish_line(clock, horizon));
    }

    /// The word of an output; `None` if its motor must exert no force.
    pub fn output(&self, place: usize, clock: u32) -> Option<u16> {
        let (row, motion) = (self.rows.get(place)?, self.motions.get(place)?);
        match row.kind {
            RowKind::Light | RowKind::Trigger | RowKind::Other => Some(motion.word(clock)),
            _ if self.powered => Some(motion.word(clock)),
            _ => None,
        }
    }

    /// Whether a trigger was fired since the last call.
    pub fn fires(&mut self, place: usize) -> bool {
        self.motions.get_mut(place).is_some_and(Motion::fires)
    }

    /// Sets whether the stop line is pressed.
    pub fn stop(&mut self, pressed: bool) {
        self.stopped = pressed;
        if pressed && self.powered {
            self.powered = false;
            self.relaxed = true;
        }
    }

    /// Sets the board's own error code; 0 for none.
    pub fn fail(&mut self, error: u16) {
        self.error = error;
    }

    /// Whether the board relaxed its motors by itself.
    pub fn is_relaxed(&self) -> bool {
        self.relaxed
    }
}

const _: () = assert!(VERSION == 1, "this file implements version 1");
