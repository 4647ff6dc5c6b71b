//! The conversation with one board, transfer by transfer: strange, asked for its table, running, strange again.
//! Driven by whatever carries bytes; knows neither clocks nor files.
//! The law: motors get force only from a session that runs, with a board whose table is the description's, and
//! nothing that a board says can move the session anywhere else than to asking again.

mod adopt;
mod table;

use cycle::{Answer, Incoming, Outgoing, Span};
use wire::down::{KEPT, STEP};
use wire::frame::{FrameError, SHORT};
use wire::{About, Down, DownKind, Row, RowKind, TableQuery, Up, UpKind, length};

use super::compare::{Expected, acceleration};
use super::layout::{Layout, Output, OutputPart};
use super::sent_frames::{SentFrames, is_later};
use super::words::{is_silent, toggled, word};
use crate::bus::BusFault;
use crate::faults::{Fault, Faults, own_error};

/// Transfers without a good answer after which the table is asked for again.
const MAX_UNANSWERED: u32 = 50;

/// Transfers that a board may take until it says that its motors have power: a relay needs a moment.
const POWER_UP: u32 = 20;

/// Frames back that a board may acknowledge: its answer is of the transfer before, and one may be lost.
const BACK: usize = 4;

/// Where the conversation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It is not known what the board is.
    Strange,
    /// Its table is read: so many rows are known.
    Reading(u16),
    /// Targets go out.
    Running,
}

/// The conversation.
#[derive(Debug)]
pub struct Session {
    layout: Layout,
    phase: Phase,
    about: Option<About>,
    rows: Vec<Row>,
    /// The table as it is described; what is not there is not compared.
    expected: Vec<Expected>,
    /// The checksum of the table that was accepted first: a board does not become another one.
    table: Option<u32>,
    /// Why the table was refused when it was read last: that is told while it is read again.
    refused: Option<Fault>,
    /// The row that is asked for next: one in each frame, without waiting for the answer to the one before.
    ask: u16,
    boots: u8,
    sequence: u16,
    sent: SentFrames,
    /// The words of the outputs in the last frame, and what triggers stand at.
    words: Vec<u16>,
    /// The words that the next frame has ahead.
    ahead: Vec<u16>,
    horizon: u16,
    /// No targets went out since it runs: the first ones are where it begins.
    is_fresh: bool,
    /// The answer to come is of a shorter frame: it is not looked at.
    blind: bool,
    clock: Option<u32>,
    /// The board is driven already, by a host that is gone: what it counts is learned from what it refuses.
    adopts: bool,
    /// The other host is the one before this: what it sent where the description has nothing is not known.
    keeps: bool,
    /// Force went out in the last frame.
    forced: bool,
    /// The board has let go of a powered body, or has forgotten it: it gets force again only after the body had none.
    let_go: bool,
    /// Transfers in a row in which it said that its motors have no power, though they shall have it.
    unpowered: u32,
    unanswered: u32,
    faults: Faults,
    last: Option<Fault>,
}

impl Session {
    /// With a board of this layout, which gets a frame once in each period.
    pub fn new(layout: Layout, period: Span) -> Session {
        let outputs = layout.outputs.len();
        let steps = period.nanos() / STEP;
        Session {
            rows: Vec::with_capacity(outputs + layout.inputs.len()),
            layout,
            phase: Phase::Strange,
            about: None,
            expected: Vec::new(),
            table: None,
            refused: None,
            ask: 0,
            boots: 0,
            sequence: 0,
            sent: SentFrames::nothing(),
            words: vec![0; outputs],
            ahead: vec![0; outputs],
            horizon: u16::try_from(steps).unwrap_or(u16::MAX),
            is_fresh: false,
            blind: false,
            clock: None,
            adopts: false,
            keeps: false,
            forced: false,
            let_go: false,
            unpowered: 0,
            unanswered: 0,
            faults: Faults::default(),
            last: None,
        }
    }

    /// What the board's table shall be.
    pub fn expects(&mut self, table: Vec<Expected>) {
        self.expected = table;
    }

    /// Where it is.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// What went wrong so far.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// What went wrong in the last transfer.
    pub fn last(&self) -> Option<Fault> {
        self.last
    }

    fn channels(&self) -> usize {
        self.layout.outputs.len() + self.layout.inputs.len()
    }

    /// The longest transfer there will be.
    pub fn longest(&self) -> Option<usize> {
        length(self.layout.outputs.len(), self.layout.inputs.len())
    }

    /// Writes this turn's frame; its length. `into` is as long as the longest.
    pub fn compose(&mut self, out: &Outgoing<'_>, into: &mut [u8]) -> usize {
        self.sequence = self.sequence.wrapping_add(1);
        self.sent.note(self.sequence, out.turn);
        let kind = match self.phase {
            Phase::Strange => DownKind::Ask(TableQuery::About),
            Phase::Reading(known) => {
                let row = self.ask;
                // At the end it begins again with the first that is not known.
                self.ask = if usize::from(row) + 1 < self.channels() {
                    row + 1
                } else {
                    known
                };
                DownKind::Ask(TableQuery::Row {
                    number: row,
                    acceleration: acceleration(&self.expected, row),
                })
            }
            Phase::Running => DownKind::Run,
        };
        self.let_go &= out.powered;
        self.forced = out.powered && kind == DownKind::Run && !self.let_go;
        if kind == DownKind::Run {
            self.aim(out);
        }
        let down = Down {
            kind,
            powered: self.forced,
            stopped: false,
            keeps: self.keeps,
            sequence: self.sequence,
            horizon: self.horizon,
            boots: self.boots,
            outputs: &[],
        };
        let size = match self.phase {
            Phase::Running => self.longest().unwrap_or(SHORT),
            _ => SHORT,
        };
        let (words, ahead) = (&self.words, &self.ahead);
        let output = |place: usize| (words[place], ahead[place]);
        let emitted = into
            .get_mut(..size)
            .is_some_and(|it| down.emit(it, words.len(), output));
        if emitted { size } else { 0 }
    }

    /// The board goes from what was sent in the last turn to what is sent in this one, so that it moves smoothly
    /// between turns, and through every value that the limits have seen and no other.
    fn aim(&mut self, out: &Outgoing<'_>) {
        let is_fresh = std::mem::take(&mut self.is_fresh);
        let outputs = self.layout.outputs.iter().zip(&self.rows);
        for (place, (output, row)) in outputs.enumerate() {
            let before = self.ahead[place];
            let is_known = matches!(output, Some(it) if it.part != OutputPart::Fire);
            if self.keeps && !is_known {
                (self.words[place], self.ahead[place]) = KEPT;
                continue;
            }
            let word = match output {
                None => row.rest,
                Some(Output { actuator, part }) => {
                    let target = out.targets.get(*actuator).copied().unwrap_or_default();
                    let counts = match part {
                        OutputPart::Target => target.counts,
                        OutputPart::P => target.gains.p,
                        OutputPart::I => target.gains.i,
                        OutputPart::D => target.gains.d,
                        OutputPart::Fire => {
                            let mut fires = out.fires.iter();
                            let fires = fires.any(|it| usize::from(it.actuator.0) == *actuator);
                            f64::from(toggled(before, row, fires))
                        }
                    };
                    word(counts, row)
                }
            };
            let is_step = matches!(
                output,
                Some(Output {
                    part: OutputPart::Fire,
                    ..
                })
            );
            self.words[place] = if is_step || is_fresh { word } else { before };
            self.ahead[place] = word;
        }
    }

    /// Whether it drives anything that needs power: lights and triggers say nothing of it.
    fn has_motors(&self) -> bool {
        let moves = [RowKind::Position, RowKind::Velocity, RowKind::Stiffness];
        let outputs = self.rows.iter().take(self.words.len());
        outputs.into_iter().any(|it| moves.contains(&it.kind))
    }

    /// What came back in the transfer of the last frame; what it means for the turn.
    pub fn hear(&mut self, came: &[u8], back: &mut Incoming<'_>) -> Answer {
        let heard = self.judge(came, back);
        self.conclude(heard)
    }

    /// The transfer failed.
    pub fn failed(&mut self, fault: BusFault) -> Answer {
        self.conclude(Err(Fault::Transfer(fault)))
    }

    fn conclude(&mut self, heard: Result<Answer, Fault>) -> Answer {
        match heard {
            Ok(answer) => {
                self.faults.good += 1;
                self.unanswered = 0;
                self.last = None;
                answer
            }
            Err(fault) => {
                if matches!(fault, Fault::Mismatch | Fault::BadRow) {
                    self.refused = Some(fault);
                }
                let told = self.refused.filter(|_| fault == Fault::Asking);
                self.faults.count(told.unwrap_or(fault));
                self.last = Some(told.unwrap_or(fault));
                self.unanswered += 1;
                let is_strange = matches!(fault, Fault::Rebooted | Fault::Mismatch);
                if is_strange || self.unanswered >= MAX_UNANSWERED {
                    self.forget();
                } else if let Phase::Reading(known) = self.phase
                    && fault != Fault::Asking
                {
                    self.ask = known;
                }
                Answer {
                    error: told.unwrap_or(fault).error(),
                    ..Answer::default()
                }
            }
        }
    }

    /// Nothing that is known of the board counts any more.
    fn forget(&mut self) {
        self.let_go |= self.forced;
        (self.phase, self.keeps, self.adopts) = (Phase::Strange, false, false);
        self.about = None;
        self.rows.clear();
        self.clock = None;
        self.unanswered = 0;
        self.blind = false;
    }

    fn judge(&mut self, came: &[u8], back: &mut Incoming<'_>) -> Result<Answer, Fault> {
        if std::mem::take(&mut self.blind) {
            return Err(Fault::Asking);
        }
        let up = Up::parse(came).map_err(|flaw| match flaw {
            FrameError::Seal if is_silent(came) => Fault::Silence,
            FrameError::Seal => Fault::Corrupt,
            FrameError::Version(_) => Fault::Version,
            FrameError::Row(..) | FrameError::About => Fault::BadRow,
            _ => Fault::Odd,
        })?;
        if self.phase != Phase::Running {
            return Err(self.read(&up));
        }
        if self.adopts && self.learn(&up) {
            return Err(Fault::Asking);
        }
        if up.boots != self.boots {
            return Err(Fault::Rebooted);
        }
        if let Some(why) = up.refused {
            return Err(Fault::Refused(why));
        }
        if up.kind != UpKind::Run || up.inputs.len() != self.layout.inputs.len() {
            return Err(Fault::Odd);
        }
        if self.clock.is_some_and(|it| !is_later(up.clock, it)) {
            return Err(Fault::Frozen);
        }
        self.clock = Some(up.clock);
        let (turn, back_by) = self.sent.turn_of(up.acknowledged).ok_or(Fault::Liar)?;
        // Its answer was made before this turn's frame came.
        if back_by == 0 {
            return Err(Fault::Liar);
        }
        if back_by > BACK {
            return Err(Fault::Deaf);
        }
        if up.stopped {
            return Err(Fault::Stopped);
        }
        if up.relaxed || self.let_go {
            return Err(Fault::Relaxed);
        }
        let lacks_power = self.forced && self.has_motors() && !up.powered;
        self.unpowered = if lacks_power { self.unpowered + 1 } else { 0 };
        if self.unpowered > POWER_UP {
            self.unpowered = POWER_UP;
            return Err(Fault::Unpowered);
        }
        for (place, sensor) in self.layout.inputs.iter().enumerate() {
            let (Some(sensor), Some(word)) = (sensor, up.input(place)) else {
                continue;
            };
            if let Some(counts) = back.counts.get_mut(*sensor) {
                *counts = f64::from(word);
            }
        }
        self.faults.unheard += u64::from(back_by > 1);
        Ok(Answer {
            answered: true,
            acknowledged: turn,
            error: own_error(up.error),
        })
    }
}
