//! The memory of a cycle: counted here, passed in by the caller, never grown.
//! Built once at start-up, on the heap by `scripting`, or from statics.
//! A cycle has room for everything in its plan.

use crate::bits;
use crate::body::Body;
use crate::event_log::EventEntry;
use crate::frame::Fire;
use crate::pool::Node;
use crate::progress::ProgressCell;
use crate::stage::{AliasCell, Direct, LaneCell, SETS_OF_LANE, SETS_OF_TURN};
use crate::taken::Taken;
use crate::timeline::Timeline;
use crate::track::Track;
use crate::trajectory::Trajectory;

/// The capacities of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The body's actuators.
    pub actuators: usize,
    /// The body's sensors.
    pub sensors: usize,
    /// The body's boards.
    pub boards: usize,
    /// The body's exclusive groups.
    pub groups: usize,
    /// Lanes at the same time.
    pub lanes: usize,
    /// Commands that may wait in all lanes together, without trajectories.
    pub commands: usize,
    /// Aliases at the same time.
    pub aliases: usize,
    /// Triggers that may fire in one turn.
    pub fires: usize,
    /// Entries of the event log.
    pub entries: usize,
    /// Commands of one turn that the view lists, for the check and the recorder.
    pub taken: usize,
    /// Trajectories of the stage's own, for requests that are prepared in several turns.
    pub trajectories: usize,
    /// Commands in each of them.
    pub trajectory_commands: usize,
    /// Requests that are followed at the same time.
    pub followed: usize,
}

impl Plan {
    /// A plan for `body` with 64 lanes, a full timeline for each actuator, and defaults for the rest. A body of fewer
    /// than 16 actuators gets as many commands as one of 16.
    pub fn new(body: &Body<'_>) -> Plan {
        Plan {
            actuators: body.actuators.len(),
            sensors: body.sensors.len(),
            boards: usize::from(body.boards),
            groups: body.groups.len(),
            lanes: 64,
            commands: body.actuators.len().max(16) * crate::lane::WAITING_MAX as usize,
            aliases: 64,
            fires: 64,
            entries: 1024,
            taken: 0,
            trajectories: 0,
            trajectory_commands: 0,
            followed: 0,
        }
    }

    /// The number of timelines and of direct outputs: one for each lane and actuator.
    pub fn timelines(&self) -> usize {
        self.lanes * self.actuators
    }

    /// The number of values sent that are remembered.
    pub fn history(&self) -> usize {
        crate::history::HISTORY * self.actuators
    }

    /// The number of 64-bit words for sets of actuators.
    pub fn words(&self) -> usize {
        (self.lanes * SETS_OF_LANE + SETS_OF_TURN) * bits::words(self.actuators)
    }
}

/// The slices, each at least as long as the [`Plan`] says.
#[derive(Debug)]
pub struct Memory<'m> {
    /// [`Plan::commands`] nodes.
    pub commands: &'m mut [Node],
    /// [`Plan::lanes`] cells.
    pub lanes: &'m mut [LaneCell<'m>],
    /// [`Plan::timelines`] timelines.
    pub timelines: &'m mut [Timeline],
    /// [`Plan::timelines`] direct outputs.
    pub directs: &'m mut [Direct],
    /// [`Plan::words`] words.
    pub words: &'m mut [u64],
    /// [`Plan::actuators`] tracks.
    pub tracks: &'m mut [Track],
    /// [`Plan::lanes`] places for the order of lanes.
    pub order: &'m mut [u16],
    /// [`Plan::groups`] holders.
    pub holders: &'m mut [Option<crate::lane::LaneId>],
    /// [`Plan::aliases`] cells.
    pub aliases: &'m mut [AliasCell],
    /// [`Plan::fires`] places for triggers.
    pub fires: &'m mut [Fire],
    /// [`Plan::entries`] entries.
    pub entries: &'m mut [EventEntry],
    /// [`Plan::taken`] places for commands.
    pub taken: &'m mut [Taken],
    /// [`Plan::trajectories`] empty trajectories, with room for [`Plan::trajectory_commands`] commands each.
    pub trajectories: &'m mut [Option<Trajectory<'m>>],
    /// [`Plan::followed`] places for requests.
    pub progress: &'m mut [ProgressCell],
    /// The frames, one place for each actuator, sensor or board as named.
    pub frames: FrameMemory<'m>,
}

/// The slices of the frames.
#[derive(Debug)]
pub struct FrameMemory<'m> {
    /// [`Plan::actuators`] targets.
    pub targets: &'m mut [crate::frame::Target],
    /// [`Plan::history`] values sent.
    pub history: &'m mut [f64],
    /// [`Plan::sensors`] counts as read.
    pub counts: &'m mut [f64],
    /// [`Plan::sensors`] values in their units.
    pub values: &'m mut [f64],
    /// [`Plan::boards`] answers.
    pub answers: &'m mut [crate::frame::Answer],
    /// [`Plan::boards`] links.
    pub links: &'m mut [crate::monitor::Link],
}

/// A slice is too short, or the plan is too large for the handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooSmall {
    /// Which slice.
    pub what: &'static str,
    /// How long it must be.
    pub needed: usize,
    /// How long it is.
    pub found: usize,
}

impl Memory<'_> {
    /// Compares every slice with the plan.
    ///
    /// # Errors
    /// The first slice that is too short.
    pub fn check(&self, plan: &Plan) -> Result<(), TooSmall> {
        let slices = [
            ("commands", plan.commands, self.commands.len()),
            ("lanes", plan.lanes, self.lanes.len()),
            ("timelines", plan.timelines(), self.timelines.len()),
            ("directs", plan.timelines(), self.directs.len()),
            ("words", plan.words(), self.words.len()),
            ("tracks", plan.actuators, self.tracks.len()),
            ("order", plan.lanes, self.order.len()),
            ("holders", plan.groups, self.holders.len()),
            ("aliases", plan.aliases, self.aliases.len()),
            ("fires", plan.fires, self.fires.len()),
            ("entries", plan.entries, self.entries.len()),
            ("taken", plan.taken, self.taken.len()),
            ("trajectories", plan.trajectories, self.trajectories.len()),
            ("progress", plan.followed, self.progress.len()),
            ("targets", plan.actuators, self.frames.targets.len()),
            ("history", plan.history(), self.frames.history.len()),
            ("counts", plan.sensors, self.frames.counts.len()),
            ("values", plan.sensors, self.frames.values.len()),
            ("answers", plan.boards, self.frames.answers.len()),
            ("links", plan.boards, self.frames.links.len()),
        ];
        match slices.into_iter().find(|(_, needed, found)| found < needed) {
            Some((what, needed, found)) => Err(TooSmall {
                what,
                needed,
                found,
            }),
            None => Ok(()),
        }
    }
}
