//! Requests to a running loop, and its answers.
//! Requests are allocated and freed outside. Ring buffers carry them to the loop and back, so a turn frees nothing.
//! A request that was sent always comes back with its answer.

mod follow;
mod lanes;
mod move_request;
mod prepare;

use cycle::{
    ActuatorId, Instant, LaneError, LaneId, NotNow, Receipt, Refusal, Stage, State, Ticket,
    TrimRefusal, ZeroChange,
};
use drivers::sim::SimEvent;
use rtrb::{Consumer, Producer, RingBuffer};

pub use ::protocol::Operation;
pub use follow::{DrivingLanes, FollowedRequests, PendingCommands};
pub use lanes::{ClientLane, LaneRequest, LaneState};
pub use move_request::{LISTS_MAX, MoveCommands, MoveRemarks, MoveRequest, submit};
pub use prepare::{PIECE_COMMANDS, PreparedPiece};
use prepare::{prepare, take_prepared};

/// The maximum number of pending requests.
pub const REQUESTS_MAX: usize = 256;

/// How many of these only presses of the emergency stop may use.
const FOR_PRESSES: usize = 64;

/// The maximum number of requests in one turn; the rest waits for the next turn.
const PER_TURN: usize = 32;

/// A question that lists more commands than these is the last one of its turn.
const LISTED_IN_A_TURN: usize = 256;

/// A request to the loop.
#[derive(Clone, Debug, PartialEq)]
pub enum LoopRequest {
    /// Timed commands.
    Move(MoveRequest),
    /// A piece of a move that is too long for one turn. Nothing moves before it is taken.
    Prepare(PreparedPiece),
    /// Takes the move whose pieces have been prepared.
    TakePrepared,
    /// Removes the commands of a request that wait.
    Cancel(Ticket),
    /// Asks how far requests are.
    Progress(FollowedRequests),
    /// Asks which commands wait.
    Pending(PendingCommands),
    /// Asks which lanes drive.
    Driving(DrivingLanes),
    /// Opens a client's own lane, or is about one.
    Lane(LaneRequest),
    /// Moves the zero of a joint.
    Calibrate(ActuatorId, ZeroChange),
    /// Asks whether a guest that is loaded now can start soon.
    CanStart,
    /// An operation on the whole body.
    Operate(Operation),
    /// Something that happens to the simulated body.
    Simulate(SimEvent),
    /// Makes this many turns, if the loop is stepped.
    Step(u64),
    /// Ends the loop softly.
    Quit,
}

/// The answer of the loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoopAnswer {
    /// No answer yet.
    Waiting,
    /// The commands were accepted.
    Taken(Receipt, MoveRemarks),
    /// All commands were refused.
    Refused(Refusal),
    /// The body is now in this state.
    Became(State),
    /// Not possible now.
    NotNow(NotNow),
    /// A piece of a move is prepared, in the turn of this instant.
    Prepared {
        /// The instant.
        now: Instant,
    },
    /// A question was filled in, in the turn of this instant.
    Told {
        /// The instant.
        now: Instant,
    },
    /// Commands were removed.
    Removed {
        /// Their number.
        commands: u32,
    },
    /// This lane was opened.
    LaneOpened(LaneId),
    /// No lane was opened.
    LaneNotOpened(LaneError),
    /// How the lane stands.
    Lane(LaneState),
    /// The zero of the joint is now so far from that of the description.
    Calibrated(f64),
    /// The joint was not calibrated.
    NotCalibrated(TrimRefusal),
    /// Done.
    Done,
    /// This loop is not stepped.
    NotStepped,
    /// Only possible with a simulated body or board, and this one is real.
    Real,
    /// There is no more room on the floor of the simulation.
    FloorFull,
    /// A box of the simulation is where steps would be.
    FloorOccupied,
    /// The body is not armed while the loop has no guardian.
    Unguarded,
}

/// A request on its way to the loop, or on its way back with the answer.
#[derive(Debug)]
pub struct PendingRequest {
    /// The sender's number for it.
    pub token: u64,
    /// The client's own lane that it is for; nothing for the lane that all clients share.
    pub lane: Option<LaneId>,
    /// The request.
    pub order: LoopRequest,
    /// The answer.
    pub answer: LoopAnswer,
}

/// The end outside the loop.
#[derive(Debug)]
pub struct RequestSender {
    to_loop: Producer<PendingRequest>,
    /// For presses of the emergency stop: they wait for no other request.
    press: Producer<PendingRequest>,
    from_loop: Consumer<PendingRequest>,
    pending: usize,
}

/// The loop's end.
#[derive(Debug)]
pub struct RequestReceiver {
    from_outside: Consumer<PendingRequest>,
    presses: Consumer<PendingRequest>,
    to_outside: Producer<PendingRequest>,
}

/// Creates a pair of ring buffers and returns both ends.
pub fn request_channel() -> (RequestSender, RequestReceiver) {
    let (to_loop, from_outside) = RingBuffer::new(REQUESTS_MAX);
    let (press, presses) = RingBuffer::new(REQUESTS_MAX);
    let (to_outside, from_loop) = RingBuffer::new(REQUESTS_MAX);
    let sender = RequestSender {
        to_loop,
        press,
        from_loop,
        pending: 0,
    };
    let requests = RequestReceiver {
        from_outside,
        presses,
        to_outside,
    };
    (sender, requests)
}

impl RequestSender {
    /// Sends a request.
    ///
    /// # Errors
    /// The request, if too many are pending, or if the loop has ended.
    pub fn send(&mut self, token: u64, order: LoopRequest) -> Result<(), LoopRequest> {
        self.send_in(None, token, order)
    }

    /// Sends a request for a client's own lane.
    ///
    /// # Errors
    /// As for `send`.
    pub fn send_in(
        &mut self,
        lane: Option<LaneId>,
        token: u64,
        order: LoopRequest,
    ) -> Result<(), LoopRequest> {
        let is_press = order == LoopRequest::Operate(Operation::Press);
        let most = if is_press {
            REQUESTS_MAX
        } else {
            REQUESTS_MAX - FOR_PRESSES
        };
        if self.pending >= most || self.to_loop.is_abandoned() {
            return Err(order);
        }
        let request = PendingRequest {
            token,
            lane,
            order,
            answer: LoopAnswer::Waiting,
        };
        let way = if is_press {
            &mut self.press
        } else {
            &mut self.to_loop
        };
        // Never full: the number of pending requests is limited to the ring's size.
        way.push(request)
            .map_err(|rtrb::PushError::Full(request)| request.order)?;
        self.pending += 1;
        Ok(())
    }

    /// The next request that came back.
    pub fn back(&mut self) -> Option<PendingRequest> {
        let request = self.from_loop.pop().ok()?;
        self.pending -= 1;
        Some(request)
    }

    /// Whether the loop has ended.
    pub fn is_abandoned(&self) -> bool {
        self.to_loop.is_abandoned()
    }
}

impl RequestReceiver {
    /// Passes waiting requests to `carry_out`, and sends them back with its answers.
    pub(super) fn take(
        &mut self,
        mut carry_out: impl FnMut(&mut LoopRequest, Option<LaneId>) -> LoopAnswer,
    ) {
        for _ in 0..PER_TURN {
            let press = self.presses.pop();
            let Ok(mut request) = press.or_else(|_| self.from_outside.pop()) else {
                return;
            };
            request.answer = carry_out(&mut request.order, request.lane);
            // One of these fills a turn's share of work.
            let is_long = match &request.order {
                LoopRequest::Prepare(_) | LoopRequest::Cancel(_) => true,
                LoopRequest::Pending(asked) => asked.commands.len() > LISTED_IN_A_TURN,
                LoopRequest::Driving(asked) => asked.shares.len() > LISTED_IN_A_TURN,
                _ => false,
            };
            // There is room for every pending request. If there were none, the request would be freed here.
            let _ = self.to_outside.push(request);
            if is_long {
                return;
            }
        }
    }
}

/// Carries out a request about commands in a client's `own` lane, or in the one that all clients share; `None` if it
/// is about something else.
pub fn carry_out_commands(
    asked: &mut LoopRequest,
    own: Option<LaneId>,
    shared: LaneId,
    stage: &mut Stage<'_>,
) -> Option<LoopAnswer> {
    let lane = own.unwrap_or(shared);
    Some(match asked {
        LoopRequest::Lane(asked) => lanes::carry_out(*asked, own, stage),
        LoopRequest::Move(value) => submit(value, lane, stage),
        LoopRequest::Prepare(piece) => prepare(piece, lane, stage),
        LoopRequest::TakePrepared => take_prepared(lane, stage),
        LoopRequest::Cancel(ticket) => match stage.cancel(lane, *ticket) {
            Ok(commands) => LoopAnswer::Removed { commands },
            Err(refusal) => LoopAnswer::Refused(refusal),
        },
        LoopRequest::Calibrate(joint, change) => match stage.trim(*joint, *change) {
            Ok(trim) => LoopAnswer::Calibrated(trim),
            Err(refusal) => LoopAnswer::NotCalibrated(refusal),
        },
        LoopRequest::Progress(requests) => follow::progress(requests, stage),
        LoopRequest::Pending(asked) => follow::pending(asked, lane, stage),
        LoopRequest::Driving(asked) => follow::driving(asked, stage),
        LoopRequest::CanStart
        | LoopRequest::Operate(_)
        | LoopRequest::Simulate(_)
        | LoopRequest::Step(_)
        | LoopRequest::Quit => return None,
    })
}

/// Carries out an operation.
pub fn operate(operation: Operation, stage: &mut Stage<'_>) -> LoopAnswer {
    let became = match operation {
        Operation::Arm => stage.arm(),
        Operation::Disarm => stage.disarm(),
        Operation::Hold => stage.hold(),
        Operation::Resume => stage.resume(),
        Operation::Retreat => stage.retreat(),
        Operation::Clear => stage.clear_fault(),
        Operation::Press => stage.press_stop(),
        Operation::Release => stage.release_stop(),
    };
    match became {
        Ok(state) => LoopAnswer::Became(state),
        Err(not_now) => LoopAnswer::NotNow(not_now),
    }
}
