//! The cycle: all data of a turn, assembled once at start-up.
//! Owned by the real-time thread, or by a test or tool in virtual time; the turn itself is in `turn`.
//! A cycle has a valid body and all the memory that it will ever need.

use crate::bits;
use crate::body::{Body, BodyError, Kind};
use crate::event_log::EventLog;
use crate::frame::{Answer, Fire, Target};
use crate::history::SentHistory;
use crate::memory::{Memory, Plan, TooSmall};
use crate::monitor::{FaultMonitor, Link, Readiness};
use crate::pool::Pool;
use crate::progress::ProgressTable;
use crate::safety::{Safety, State};
use crate::settings::Settings;
use crate::stage::{Aliases, Preparation, Stage, TurnSet};
use crate::taken::{Taken, TakenList};
use crate::time::{Instant, Span};
use crate::timeline::TurnTimes;
use crate::track::Track;

/// Why a cycle was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MakeError {
    /// The body is invalid.
    Body(BodyError),
    /// A slice of the memory is too short.
    Memory(TooSmall),
    /// The period is zero.
    Period,
}

/// A snapshot of one turn, for the publisher.
#[derive(Debug)]
pub struct View<'a> {
    /// The number of the turn.
    pub turn: u64,
    /// Its instant.
    pub now: Instant,
    /// The time since the previous turn.
    pub elapsed: Span,
    /// The safety state.
    pub state: State,
    /// The factor on gains and stiffnesses.
    pub power: f64,
    /// Each actuator's commanded, limited and sent values, coverage, gains and clips.
    pub tracks: &'a [Track],
    /// The targets sent to the boards.
    pub targets: &'a [Target],
    /// The sensors in their units.
    pub sensors: &'a [f64],
    /// The sensors in their boards' counts.
    pub counts: &'a [f64],
    /// The answer of each board.
    pub answers: &'a [Answer],
    /// The triggers that fired, the earliest first.
    pub fires: &'a [Fire],
    /// The link to each board.
    pub links: &'a [Link],
    /// The event log.
    pub events: &'a EventLog<'a>,
    /// The commands that were taken, as far as the plan has room for them.
    pub taken: &'a [Taken],
    /// How often the zero of a joint was moved.
    pub trims: u64,
    /// How many more commands were taken than `taken` has room for.
    pub taken_lost: u64,
}

/// The cycle.
pub struct Cycle<'m> {
    pub(crate) stage: Stage<'m>,
    pub(crate) settings: Settings,
    pub(crate) monitor: FaultMonitor,
    pub(crate) targets: &'m mut [Target],
    pub(crate) history: SentHistory<'m>,
    pub(crate) counts: &'m mut [f64],
    pub(crate) answers: &'m mut [Answer],
    pub(crate) links: &'m mut [Link],
}

impl<'m> Cycle<'m> {
    /// A cycle in `boot`, over this body and this memory.
    ///
    /// # Errors
    /// [`MakeError`] names what is wrong with the body, the memory or the settings.
    pub fn new(
        body: &'m Body<'m>,
        plan: &Plan,
        memory: Memory<'m>,
        settings: Settings,
    ) -> Result<Cycle<'m>, MakeError> {
        body.check().map_err(MakeError::Body)?;
        memory.check(plan).map_err(MakeError::Memory)?;
        if settings.period == Span::ZERO {
            return Err(MakeError::Period);
        }
        let frames = memory.frames;
        let mut stage = Stage {
            body,
            turn_times: TurnTimes {
                now: Instant::ZERO,
                before: Instant::ZERO,
            },
            lost: Span::ZERO,
            was_limp: true,
            disarms: 0,
            turn: 0,
            safety: Safety::BOOT,
            link: Readiness::default(),
            pool: Pool::new(&mut memory.commands[..plan.commands]),
            lanes: &mut memory.lanes[..plan.lanes],
            timelines: memory.timelines,
            directs: memory.directs,
            words: memory.words,
            tracks: &mut memory.tracks[..plan.actuators],
            values: &mut frames.values[..plan.sensors],
            order: memory.order,
            open: 0,
            holders: &mut memory.holders[..plan.groups],
            aliases: Aliases::new(&mut memory.aliases[..plan.aliases]),
            fires: &mut memory.fires[..plan.fires],
            fired: 0,
            events: EventLog::new(&mut memory.entries[..plan.entries]),
            taken_list: TakenList::new(&mut memory.taken[..plan.taken]),
            progress: ProgressTable::new(&mut memory.progress[..plan.followed]),
            preparation: Preparation::new(&mut memory.trajectories[..plan.trajectories]),
            trims: 0,
            next_ticket: 0,
            next_age: 0,
            promised: 0,
            body_timeout: false,
        };
        for (place, actuator) in body.actuators.iter().enumerate() {
            stage.tracks[place].rest_at(actuator.rest);
            if actuator.kind == Kind::Light {
                bits::insert(stage.turn_set_mut(TurnSet::Lights), place);
            }
        }
        Ok(Cycle {
            stage,
            settings,
            monitor: FaultMonitor::new(settings.thresholds),
            targets: &mut frames.targets[..plan.actuators],
            history: SentHistory::new(frames.history, plan.actuators),
            counts: &mut frames.counts[..plan.sensors],
            answers: &mut frames.answers[..plan.boards],
            links: &mut frames.links[..plan.boards],
        })
    }

    /// The stage, for use between turns.
    pub fn stage(&mut self) -> &mut Stage<'m> {
        &mut self.stage
    }

    /// The view of the last turn.
    pub fn view(&self) -> View<'_> {
        View {
            turn: self.stage.turn,
            now: self.stage.turn_times.now,
            elapsed: self.stage.turn_times.now - self.stage.turn_times.before,
            state: self.stage.safety.state,
            power: self.stage.safety.power,
            tracks: self.stage.tracks,
            targets: self.targets,
            sensors: self.stage.values,
            counts: self.counts,
            answers: self.answers,
            links: self.links,
            fires: &self.stage.fires[..self.stage.fired],
            events: &self.stage.events,
            taken: self.stage.taken_list.list(),
            trims: self.stage.trims,
            taken_lost: self.stage.taken_list.lost(),
        }
    }
}
