//! The board's behaviour: what it takes, what it refuses, when it lets go.
//! Called once for each transfer, and as often as outputs are written.
//! The law: a frame is taken whole or not at all, and what is refused is told, with its reason.

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

/// Frames that may have come late together.
const LATE: u32 = 16;

/// Why there is no such board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableError {
    /// Its frames would be longer than a transfer may be.
    TooLong,
    /// An input stands before an output.
    Order,
    /// There are not as many motions as outputs.
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
    /// What is told in the next frame.
    told: UpKind,
    refused: Option<Refused>,
    powered: bool,
    relaxed: bool,
    stopped: bool,
    /// No targets were taken since somebody asked.
    fresh: bool,
    /// When a frame was heard that keeps the motors.
    heard: u32,
    /// The horizon of the last frame, µs.
    horizon: u32,
}

impl<'b> Firmware<'b> {
    /// A board of this name with this table, outputs before inputs, and a motion for each output. `boots` counts
    /// how often it came up, 1 to 255; `watchdog` is in ms.
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
        let is_output = |it: &&Row| it.direction == Direction::Output;
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
            told: UpKind::Nothing,
            refused: None,
            powered: false,
            relaxed: false,
            stopped: false,
            fresh: true,
            heard: 0,
            horizon: 0,
        })
    }

    /// The length of its transfers while it runs; before, they are short.
    pub fn length(&self) -> usize {
        // It was looked at when the board was made.
        length(self.about.outputs.into(), self.about.inputs.into()).unwrap_or(wire::frame::SHORT)
    }

    /// How many inputs it has.
    pub fn inputs(&self) -> usize {
        usize::from(self.about.inputs)
    }

    /// A transfer is over, in which these bytes came in.
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
            // Whoever asks begins anew: nothing of before is believed any more.
            self.taken = None;
            self.fresh = true;
            self.powered = false;
            self.told = self.row(ask);
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
        let is_new = |it: u16| (1..0x8000).contains(&down.sequence.wrapping_sub(it));
        if !self.taken.is_none_or(is_new) {
            return Err(Refused::Sequence);
        }
        let is_run = down.kind == DownKind::Run;
        if is_run && down.count() != usize::from(self.about.outputs) {
            return Err(Refused::Table);
        }
        let horizon = u32::from(down.horizon) * STEP;
        // As long as all the frames together that were lost before this one. A host that has taken over jumps: no more
        // than there was time for, and some that came late.
        let frames = self.taken.map_or(1, |it| down.sequence.wrapping_sub(it));
        let takes = u32::from(frames)
            .saturating_mul(horizon)
            .min(
                clock
                    .wrapping_sub(self.heard)
                    .saturating_add(horizon.saturating_mul(LATE)),
            )
            .max(horizon);
        self.taken = Some(down.sequence);
        self.told = UpKind::Run;
        (self.heard, self.horizon) = (clock, horizon);
        // Who let go of the motors gives them back only to a host that has let go of them, too.
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
                    // The first frame only tells where a trigger's word stands.
                    motion.fire(now, is_fresh)
                } else if !drove {
                    motion.begin(now, within(ahead), clock, takes)
                } else {
                    motion.go_on(within(ahead), clock, takes, horizon)
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
                row.map_or(UpKind::Nothing, |it| UpKind::Row(number, *it))
            }
        }
    }

    /// The frame for the next transfer, with inputs from `input`; whether it has room.
    pub fn answer(
        &mut self,
        into: &mut [u8],
        clock: u32,
        mut input: impl FnMut(usize) -> u16,
    ) -> bool {
        self.tick(clock);
        let up = Up {
            kind: self.told,
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

    /// Looks at the clock: lets go of the motors when nobody was heard for too long, or the stop is pressed.
    pub fn tick(&mut self, clock: u32) {
        let silent = clock.wrapping_sub(self.heard) > u32::from(self.about.watchdog) * 1000;
        if self.powered && (silent || self.stopped) {
            self.relaxed = true;
            self.powered = false;
        }
        let horizon = self.horizon;
        self.motions
            .iter_mut()
            .for_each(|it| it.settle(clock, horizon));
    }

    /// The word of an output; nothing if its motor shall exert no force.
    pub fn output(&self, place: usize, clock: u32) -> Option<u16> {
        let (row, motion) = (self.rows.get(place)?, self.motions.get(place)?);
        match row.kind {
            RowKind::Light | RowKind::Trigger | RowKind::Other => Some(motion.word(clock)),
            _ if self.powered => Some(motion.word(clock)),
            _ => None,
        }
    }

    /// Whether a trigger was fired since this was asked last.
    pub fn fires(&mut self, place: usize) -> bool {
        self.motions.get_mut(place).is_some_and(Motion::fires)
    }

    /// Its stop line is pressed, or not any more.
    pub fn stop(&mut self, pressed: bool) {
        self.stopped = pressed;
        if pressed && self.powered {
            self.powered = false;
            self.relaxed = true;
        }
    }

    /// Something of its own is broken; 0 for nothing.
    pub fn fail(&mut self, error: u16) {
        self.error = error;
    }

    /// Whether it let go of the motors by itself.
    pub fn is_relaxed(&self) -> bool {
        self.relaxed
    }
}

const _: () = assert!(VERSION == 1, "a board of this file speaks version 1");
