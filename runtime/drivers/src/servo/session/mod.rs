//! The session with one board, transfer by transfer: unknown, reading its table, running, unknown again.
//! Called by the device for each transfer; uses neither clocks nor files.
//! Motors get force only from a running session with a board whose table matches the description. Whatever a
//! board sends can only make the session read the table again.

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

/// Transfers without a good answer after which the session reads the table again.
const MAX_UNANSWERED: u32 = 50;

/// Transfers until the board must report power at its motors: a relay needs a moment.
const POWER_UP: u32 = 20;

/// How many frames back a board may acknowledge: its answer belongs to the previous transfer, and frames may be lost.
const BACK: usize = 4;

/// The phase of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The board is unknown.
    Strange,
    /// Reading the table; this number of rows is known.
    Reading(u16),
    /// Sending targets.
    Running,
}

/// A session with a board.
#[derive(Debug)]
pub struct Session {
    layout: Layout,
    phase: Phase,
    about: Option<About>,
    rows: Vec<Row>,
    /// The table by the description; missing rows are not compared.
    expected: Vec<Expected>,
    /// The checksum of the table that was accepted first; another table is refused.
    table: Option<u32>,
    /// Why the table was refused last; the answer while it is read again.
    refused: Option<Fault>,
    /// The next row to ask for: one in each frame, without waiting for the previous answer.
    ask: u16,
    boots: u8,
    sequence: u16,
    sent: SentFrames,
    /// The words of the outputs in the last frame, and the words of the triggers.
    words: Vec<u16>,
    /// The words at the horizon of the next frame.
    ahead: Vec<u16>,
    horizon: u16,
    /// Whether no targets were sent yet in this phase: the motion begins at the first ones.
    is_fresh: bool,
    /// Whether the next answer has the old, shorter length and must be ignored.
    blind: bool,
    clock: Option<u32>,
    /// Whether a host that is gone has driven the board: then its counts are learned from its refusals.
    adopts: bool,
    /// Whether the session took over: then the last words of undescribed outputs are unknown.
    keeps: bool,
    /// Whether the last frame allowed force.
    forced: bool,
    /// Whether the board relaxed its motors, or rebooted, while the body was powered: it gets force again only after
    /// the body had no power.
    let_go: bool,
    /// Transfers in a row in which the motors had no power although they should have.
    unpowered: u32,
    unanswered: u32,
    faults: Faults,
    last: Option<Fault>,
}

impl Session {
    /// A session with a board of this layout, which gets a frame once in each period.
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

    /// Sets the expected table.
    pub fn expects(&mut self, table: Vec<Expected>) {
        self.expected = table;
    }

    /// The phase of the session.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The counts of exchanges and faults.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// The fault of the last transfer.
    pub fn last(&self) -> Option<Fault> {
        self.last
    }

    fn channels(&self) -> usize {
        self.layout.outputs.len() + self.layout.inputs.len()
    }

    /// The length of the longest transfer.
    pub fn longest(&self) -> Option<usize> {
        length(self.layout.outputs.len(), self.layout.inputs.len())
    }

    /// Encodes this turn's frame and returns its length. `into` must be as long as the longest transfer.
    pub fn compose(&mut self, out: &Outgoing<'_>, into: &mut [u8]) -> usize {
        self.sequence = self.sequence.wrapping_add(1);
        self.sent.note(self.sequence, out.turn);
        let kind = match self.phase {
            Phase::Strange => DownKind::Ask(TableQuery::About),
            Phase::Reading(known) => {
                let row = self.ask;
                // After the last row, start again at the first unknown one.
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
            .is_some_and(|value| down.emit(value, words.len(), output));
        if emitted { size } else { 0 }
    }

    /// Sets the words of the next frame: from the last turn's targets to this turn's. So the board moves smoothly
    /// between turns, and only through values that the limits have checked.
    fn aim(&mut self, out: &Outgoing<'_>) {
        let is_fresh = std::mem::take(&mut self.is_fresh);
        let outputs = self.layout.outputs.iter().zip(&self.rows);
        for (place, (output, row)) in outputs.enumerate() {
            let before = self.ahead[place];
            let is_known = matches!(output, Some(value) if value.part != OutputPart::Fire);
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
                            let fires = fires.any(|fire| usize::from(fire.actuator.0) == *actuator);
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

    /// Whether it drives motors; lights and triggers do not count.
    fn has_motors(&self) -> bool {
        let moves = [RowKind::Position, RowKind::Velocity, RowKind::Stiffness];
        let outputs = self.rows.iter().take(self.words.len());
        outputs
            .into_iter()
            .any(|output| moves.contains(&output.kind))
    }

    /// Takes the answer of the transfer, stores its readings in `back`, and returns the answer for the turn.
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
                let reason = self.refused.filter(|_| fault == Fault::Asking);
                self.faults.count(reason.unwrap_or(fault));
                self.last = Some(reason.unwrap_or(fault));
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
                    error: reason.unwrap_or(fault).error(),
                    ..Answer::default()
                }
            }
        }
    }

    /// Forgets everything about the board.
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
            _ => Fault::UnexpectedFrame,
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
            return Err(Fault::UnexpectedFrame);
        }
        if self.clock.is_some_and(|clock| !is_later(up.clock, clock)) {
            return Err(Fault::Frozen);
        }
        self.clock = Some(up.clock);
        let (turn, back_by) = self.sent.turn_of(up.acknowledged).ok_or(Fault::WrongAck)?;
        // The board prepared its answer before this turn's frame arrived.
        if back_by == 0 {
            return Err(Fault::WrongAck);
        }
        if back_by > BACK {
            return Err(Fault::NoNewAck);
        }
        if up.stopped {
            return Err(Fault::Stopped);
        }
        if up.relaxed || self.let_go {
            return Err(Fault::MotorsOff);
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
