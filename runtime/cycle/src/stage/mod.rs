//! The stage: all lanes of a body, and the interface of clients and hooks to them.
//! The files of this folder implement its methods: clients call `lanes`, `intake`, `prepare`, `cancel`, `direct`,
//! `pending`, `alias`, `group`, `trim` and `operate`; the turn calls `edge`, `limp`, `sample` and `blend`.
//! Only this file computes indices into its tables.

mod alias;
mod append;
mod blend;
mod cancel;
mod direct;
mod edge;
mod group;
mod intake;
mod lane_cell;
mod lanes;
mod limp;
mod operate;
mod parts;
mod pending;
mod prepare;
mod sample;
mod share;
mod stay;
mod takeover;
mod trim;

pub use alias::{ALIAS_MEMBERS, AliasCell, AliasError};
pub use append::{PartCommand, PartCounts};
pub use direct::Direct;
pub use intake::TrajectoryRefusal;
pub use lane_cell::LaneCell;
pub use lanes::{LaneError, is_weight};
pub use operate::NotNow;
pub use pending::{LaneWord, Pending};
pub use share::LaneShare;
pub use trim::{TrimRefusal, ZeroChange};

use crate::bits;
use crate::body::{ActuatorId, Body};
use crate::command::Refusal;
use crate::event_log::EventLog;
use crate::frame::Fire;
use crate::lane::LaneId;
use crate::monitor::Readiness;
use crate::pool::Pool;
use crate::progress::ProgressTable;
use crate::safety::{Safety, State};
use crate::taken::TakenList;
use crate::time::{Instant, Span};
use crate::timeline::{Timeline, TurnTimes, Waiting};
use crate::track::Track;
pub(crate) use alias::Aliases;
pub(crate) use prepare::Preparation;

/// How many steps of work one lane may cause in one turn: commands taken or executed, and commands passed in a search.
/// At a few ns a step, a twentieth of a millisecond.
pub const STEPS_PER_TURN: u32 = 16_384;

/// The room of a lane whose requests are followed: deleting all of its commands and taking as many is one turn's work.
pub const FOLLOWED_ROOM_MAX: u32 = STEPS_PER_TURN / 2;

/// The number of sets of actuators for each lane, and for the turn.
pub(crate) const SETS_OF_LANE: usize = LaneSet::ALL.len();
pub(crate) const SETS_OF_TURN: usize = 3;

/// The sets of actuators that each lane has.
#[derive(Clone, Copy)]
pub(crate) enum LaneSet {
    /// Actuators with waiting commands.
    Waits,
    /// Actuators for which its timelines take part in the blend.
    Claims,
    /// Actuators with a direct output in this turn.
    Directs,
    /// Joints with gains in this turn, and in the last one.
    Gains,
    LastGains,
    /// Actuators that it drove in the last blend.
    Driven,
    /// Actuators that it drove in the last blend without any effect.
    Hidden,
    /// Actuators that it drove in the last blend to another value than in the one before.
    Shifted,
}

impl LaneSet {
    pub(crate) const ALL: [LaneSet; 8] = [
        LaneSet::Waits,
        LaneSet::Claims,
        LaneSet::Directs,
        LaneSet::Gains,
        LaneSet::LastGains,
        LaneSet::Driven,
        LaneSet::Hidden,
        LaneSet::Shifted,
    ];
}

/// The sets of actuators of the whole stage.
#[derive(Clone, Copy)]
pub(crate) enum TurnSet {
    /// Actuators that a lane drives in this blend; between blends, those seen in this request.
    Touched,
    /// Actuators that a lane drives at the present level.
    Level,
    /// Lights, which lanes drive in every safety state but boot.
    Lights,
}

/// All lanes of a body, and the state that they may read.
pub struct Stage<'m> {
    pub(crate) body: &'m Body<'m>,
    pub(crate) turn_times: TurnTimes,
    /// The time that was lost before this turn because the loop stood still; zero after an ordinary turn.
    pub(crate) lost: Span,
    /// Whether the whole body was limp in the last turn.
    pub(crate) was_limp: bool,
    /// How often a body with force was disarmed.
    pub(crate) disarms: u32,
    pub(crate) turn: u64,
    pub(crate) safety: Safety,
    pub(crate) link: Readiness,
    pub(crate) pool: Pool<'m>,
    pub(crate) lanes: &'m mut [LaneCell<'m>],
    pub(crate) timelines: &'m mut [Timeline],
    pub(crate) directs: &'m mut [Direct],
    pub(crate) words: &'m mut [u64],
    pub(crate) tracks: &'m mut [Track],
    pub(crate) values: &'m mut [f64],
    pub(crate) order: &'m mut [u16],
    pub(crate) open: usize,
    pub(crate) holders: &'m mut [Option<LaneId>],
    pub(crate) aliases: Aliases<'m>,
    pub(crate) fires: &'m mut [Fire],
    pub(crate) fired: usize,
    pub(crate) events: EventLog<'m>,
    pub(crate) taken_list: TakenList<'m>,
    pub(crate) preparation: Preparation<'m>,
    pub(crate) progress: ProgressTable<'m>,
    /// How often the zero of a joint was moved.
    pub(crate) trims: u64,
    pub(crate) next_ticket: u32,
    pub(crate) next_age: u64,
    pub(crate) promised: u32,
    /// Whether a lane has been silent for so long that the body must retreat.
    pub(crate) body_timeout: bool,
}

impl<'m> Stage<'m> {
    // ---- What can be seen ----

    /// The instant of this turn; between turns, that of the last one.
    pub fn now(&self) -> Instant {
        self.turn_times.now
    }

    /// The number of this turn, counted from 1.
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// The body's table.
    pub fn body(&self) -> &'m Body<'m> {
        self.body
    }

    /// The safety state.
    pub fn state(&self) -> State {
        self.safety.state
    }

    /// Whether the body has no force.
    pub fn is_limp(&self) -> bool {
        self.safety.is_limp()
    }

    /// How often a body with force was disarmed: between two turns it may have been armed again.
    pub fn disarms(&self) -> u32 {
        self.disarms
    }

    /// Whether the body follows commands at once: it runs, and no actuator returns to its lanes' value.
    pub fn follows(&self) -> bool {
        let comes_back = |track: &Track| track.returning && !track.limp;
        self.safety.state == State::Running && !self.tracks.iter().any(comes_back)
    }

    /// The sensors' values in their units, as last read.
    pub fn sensors(&self) -> &[f64] {
        self.values
    }

    /// Each actuator's values in the last turn.
    pub fn tracks(&self) -> &[Track] {
        self.tracks
    }

    /// The event log.
    pub fn events(&self) -> &EventLog<'m> {
        &self.events
    }

    // ---- Places ----

    pub(crate) fn id(&self, place: usize) -> LaneId {
        LaneId {
            place: u16::try_from(place).unwrap_or(u16::MAX),
            generation: self.lanes[place].generation,
        }
    }

    pub(crate) fn lane(&self, id: LaneId) -> Result<&LaneCell<'m>, Refusal> {
        match self.lanes.get(usize::from(id.place)) {
            Some(cell) if cell.life.is_some() && cell.generation == id.generation => Ok(cell),
            _ => Err(Refusal::NoLane(id)),
        }
    }

    pub(crate) fn lane_mut(&mut self, id: LaneId) -> Result<&mut LaneCell<'m>, Refusal> {
        self.lane(id)?;
        Ok(&mut self.lanes[usize::from(id.place)])
    }

    pub(crate) fn known(&self, id: ActuatorId) -> Result<(), Refusal> {
        if id.index() < self.body.actuators.len() {
            Ok(())
        } else {
            Err(Refusal::NoActuator(id))
        }
    }

    pub(crate) fn timeline_place(&self, lane: usize, actuator: usize) -> usize {
        lane * self.body.actuators.len() + actuator
    }

    pub(crate) fn timeline(
        &mut self,
        lane: usize,
        actuator: usize,
    ) -> (&mut Timeline, Waiting<'_, 'm>) {
        let place = self.timeline_place(lane, actuator);
        let waiting = Waiting {
            pool: &mut self.pool,
            is_followed: self.lanes[lane].settings.follows,
            trajectories: &mut self.lanes[lane].trajectories,
            progress: &mut self.progress,
        };
        (&mut self.timelines[place], waiting)
    }

    /// This turn in a lane's own time.
    pub(crate) fn lane_times(&self, place: usize) -> TurnTimes {
        let cell = &self.lanes[place];
        let now = self.turn_times.now.before(cell.stood);
        let before = if cell.stands {
            now
        } else {
            self.turn_times.before.before(cell.stood)
        };
        TurnTimes { now, before }
    }

    fn set_base(&self, lane: usize) -> usize {
        lane * SETS_OF_LANE * bits::words(self.body.actuators.len())
    }

    pub(crate) fn set(&self, lane: usize, set: LaneSet) -> &[u64] {
        let words = bits::words(self.body.actuators.len());
        let base = self.set_base(lane) + set as usize * words;
        &self.words[base..base + words]
    }

    pub(crate) fn set_mut(&mut self, lane: usize, set: LaneSet) -> &mut [u64] {
        let words = bits::words(self.body.actuators.len());
        let base = self.set_base(lane) + set as usize * words;
        &mut self.words[base..base + words]
    }

    pub(crate) fn turn_set_mut(&mut self, set: TurnSet) -> &mut [u64] {
        let words = bits::words(self.body.actuators.len());
        let base = (self.lanes.len() * SETS_OF_LANE + set as usize) * words;
        &mut self.words[base..base + words]
    }

    pub(crate) fn set_member(&mut self, lane: usize, set: LaneSet, actuator: usize, member: bool) {
        let set = self.set_mut(lane, set);
        if member {
            bits::insert(set, actuator);
        } else {
            bits::remove(set, actuator);
        }
    }
}
