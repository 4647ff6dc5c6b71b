//! Questions about requests that clients have sent: how far they are, which commands wait, and who drives.
//! Made by the request handler, carried out by the loop's inbox. The turn fills in memory that the question
//! has brought, and changes nothing.

use cycle::{ActuatorId, Command, Instant, LaneId, LaneShare, Pending, Progress, Stage, Ticket};

use super::LoopAnswer;

/// The maximum number of commands that a question about waiting commands lists.
const LISTED_MAX: usize = 4_096;

/// The maximum number of shares that a question about who drives lists.
const SHARES_MAX: usize = 4_096;

/// Requests, and how far each of them is.
pub type FollowedRequests = Vec<(Ticket, Option<Progress>)>;

/// A question about the commands that wait in the clients' lane.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingCommands {
    /// The actuators, and what waits for each of them.
    pub of: Vec<(ActuatorId, Option<Pending>)>,
    /// The commands, actuator by actuator; as many as it has room for.
    pub commands: Vec<(ActuatorId, Command, Ticket)>,
}

impl PendingCommands {
    /// A question about these actuators.
    pub fn of(actuators: impl IntoIterator<Item = ActuatorId>) -> PendingCommands {
        PendingCommands {
            of: actuators
                .into_iter()
                .map(|actuator| (actuator, None))
                .collect(),
            commands: room(),
        }
    }
}

/// Room for the commands of an answer. It is written once here, so that the turn meets no new pages of memory.
fn room() -> Vec<(ActuatorId, Command, Ticket)> {
    let none = Command {
        at: Instant::ZERO,
        value: 0.0,
    };
    let mut room = vec![(ActuatorId(0), none, Ticket(0)); LISTED_MAX];
    room.clear();
    room
}

/// A question about the lanes that drive actuators.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivingLanes {
    /// The actuators.
    pub of: Vec<ActuatorId>,
    /// The lanes' shares, actuator by actuator; as many as it has room for.
    pub shares: Vec<(ActuatorId, LaneShare)>,
}

impl DrivingLanes {
    /// A question about these actuators.
    pub fn of(actuators: Vec<ActuatorId>) -> DrivingLanes {
        let none = LaneShare {
            lane: LaneId::NOBODY,
            priority: 0.0,
            value: 0.0,
            weight: 0.0,
            is_hidden: false,
        };
        // It is written once here, so that the turn meets no new pages of memory.
        let mut shares = vec![(ActuatorId(0), none); SHARES_MAX];
        shares.clear();
        DrivingLanes {
            of: actuators,
            shares,
        }
    }
}

/// Fills in which lanes drive.
pub(super) fn driving(asked: &mut DrivingLanes, stage: &Stage<'_>) -> LoopAnswer {
    let DrivingLanes { of, shares } = asked;
    for actuator in of.iter() {
        let room = SHARES_MAX - shares.len();
        let found = stage.shares(*actuator).into_iter().flatten();
        shares.extend(found.take(room).map(|item| (*actuator, item)));
    }
    LoopAnswer::Told { now: stage.now() }
}

/// Fills in how far each request is.
pub(super) fn progress(requests: &mut FollowedRequests, stage: &Stage<'_>) -> LoopAnswer {
    for (ticket, progress) in requests {
        *progress = stage.progress(*ticket);
    }
    LoopAnswer::Told { now: stage.now() }
}

/// Fills in which commands wait in this lane.
pub(super) fn pending(asked: &mut PendingCommands, lane: LaneId, stage: &Stage<'_>) -> LoopAnswer {
    let PendingCommands { of, commands } = asked;
    for (actuator, found) in of {
        *found = stage.pending(lane, *actuator).ok();
        if commands.len() == LISTED_MAX || found.is_none_or(|pending| pending.count == 0) {
            continue;
        }
        let each = |command, ticket| {
            commands.push((*actuator, command, ticket));
            commands.len() < LISTED_MAX
        };
        // The actuator and the lane were known just now.
        let _ = stage.each_pending_while(lane, *actuator, each);
    }
    LoopAnswer::Told { now: stage.now() }
}
