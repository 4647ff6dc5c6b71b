//! Requests to a running loop, and its answers.
//! Requests are allocated and freed outside. Ring buffers carry them to the loop and back, so a turn frees nothing.
//! The law: a request that was sent always comes back with its answer.

mod schedule;

use cycle::{
    ActuatorId, CommandSet, Instant, Kind, Merge, NotNow, Receipt, Refusal, Request, Span, Stage,
    State, To,
};
use drivers::sim::Happening;
use rtrb::{Consumer, Producer, RingBuffer};

pub use schedule::{SCHEDULED_MAX, ScheduleRequest, schedule};

/// The maximum number of pending requests.
pub const REQUESTS_MAX: usize = 256;

/// The maximum number of requests in one turn; the rest waits for the next turn.
const PER_TURN: usize = 32;

/// A request to the loop.
#[derive(Clone, Debug, PartialEq)]
pub enum LoopRequest {
    /// Timed commands in the lane that all clients share.
    Move(MoveRequest),
    /// Lists of commands at instants of the robot's time.
    Schedule(ScheduleRequest),
    /// An operation on the whole body.
    Operate(Operation),
    /// Something that happens to the simulated body.
    Happen(Happening),
    /// Makes this many turns, if the loop is stepped.
    Step(u64),
    /// Ends the loop softly.
    Quit,
}

/// Timed commands: a row of values for each actuator, one value for each time.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveRequest {
    /// The actuators.
    pub to: Vec<ActuatorId>,
    /// How they merge with waiting commands.
    pub merge: Merge,
    /// The times, from the turn that accepts the request.
    pub after: Vec<Span>,
    /// The values: all of the first actuator, then all of the second.
    pub values: Vec<f64>,
    /// Memory for the instants, so that the turn allocates none.
    instants: Vec<Instant>,
}

impl MoveRequest {
    /// Commands at these times for these actuators.
    pub fn new(
        to: Vec<ActuatorId>,
        merge: Merge,
        after: Vec<Span>,
        values: Vec<f64>,
    ) -> MoveRequest {
        let instants = vec![Instant::ZERO; after.len()];
        MoveRequest {
            to,
            merge,
            after,
            values,
            instants,
        }
    }

    fn submit(&mut self, lane: cycle::LaneId, stage: &mut Stage<'_>) -> LoopAnswer {
        if let Some(not_now) = not_now(&self.to, stage) {
            return LoopAnswer::NotNow(not_now);
        }
        let now = stage.now();
        for (instant, after) in self.instants.iter_mut().zip(&self.after) {
            *instant = now + *after;
        }
        let request = Request {
            to: To::Many(&self.to),
            merge: self.merge,
            commands: CommandSet::Separate {
                times: &self.instants,
                values: &self.values,
            },
        };
        match stage.submit(lane, &request) {
            Ok(receipt) => LoopAnswer::Taken(
                receipt,
                MoveRemarks::of(&self.to, lane, stage).at(self, stage),
            ),
            Err(refusal) => LoopAnswer::Refused(refusal),
        }
    }
}

/// Why these actuators cannot move now, if so: their commands would run out before the body can move. Lights work in
/// every state.
pub(super) fn not_now(to: &[ActuatorId], stage: &Stage<'_>) -> Option<NotNow> {
    let actuators = stage.body().actuators;
    let mut kinds = to.iter().filter_map(|it| actuators.get(usize::from(it.0)));
    let moves = kinds.any(|it| it.kind != Kind::Light);
    let state = stage.state();
    (moves && state != State::Running).then_some(NotNow::State(state))
}

/// How many actuators will not follow their commands as expected, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveRemarks {
    /// Another lane drives them as well.
    pub shared: u32,
    /// They have no stiffness.
    pub limp: u32,
    /// The position of a coupled joint limits them.
    pub coupled: u32,
    /// The time that the slowest joint needs at its maximum velocity, if the request allows less.
    pub needs: Span,
}

impl MoveRemarks {
    pub(super) fn of(to: &[ActuatorId], lane: cycle::LaneId, stage: &Stage<'_>) -> MoveRemarks {
        let count = |so: &dyn Fn(ActuatorId) -> bool| {
            let many = to.iter().filter(|it| so(**it)).count();
            u32::try_from(many).unwrap_or(u32::MAX)
        };
        let tracks = stage.tracks();
        MoveRemarks {
            shared: count(&|it| stage.is_shared(lane, it)),
            limp: count(&|it| tracks.get(usize::from(it.0)).is_some_and(|it| it.limp)),
            ..MoveRemarks::default()
        }
    }

    /// Adds what the body's velocities and couplings mean for the first values of this motion.
    fn at(self, motion: &MoveRequest, stage: &Stage<'_>) -> MoveRemarks {
        let (body, tracks) = (stage.body(), stage.tracks());
        let keys = motion.after.len().max(1);
        let firsts = motion.to.iter().zip(motion.values.chunks(keys));
        let mut remarks = self;
        for (id, values) in firsts {
            let place = usize::from(id.0);
            let (Some(actuator), Some(track)) = (body.actuators.get(place), tracks.get(place))
            else {
                continue;
            };
            let (Some(first), Some(after)) = (values.first(), motion.after.first()) else {
                continue;
            };
            let way = (actuator.range.clamp(*first) - track.limited).abs();
            let needs = Span::from_nanos((way / actuator.velocity * 1e9) as u64);
            // A difference of a turn is not reported.
            if needs.seconds() > after.seconds() * 1.02 + 0.01 {
                remarks.needs = remarks.needs.max(needs);
            }
            let mut couplings = body.couplings.iter().filter(|it| it.driven == *id);
            let keeps = couplings.any(|it| {
                let stands = tracks[usize::from(it.driver.0)].limited;
                !it.range_at(stands).holds(actuator.range.clamp(*first))
            });
            remarks.coupled += u32::from(keeps);
        }
        remarks
    }
}

/// An operation on the whole body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Powers the body at its position.
    Arm,
    /// Makes it limp.
    Disarm,
    /// Stops it and holds its position.
    Hold,
    /// Lets the lanes move it again.
    Resume,
    /// Moves it to the safe pose, then makes it limp.
    Retreat,
    /// Clears the fault state.
    Clear,
    /// Presses the emergency stop.
    Press,
    /// Releases the emergency stop.
    Release,
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
    /// Done.
    Done,
    /// This loop is not stepped.
    NotStepped,
    /// Only possible with a simulated body or board, and this one is real.
    Real,
    /// The body is not armed while the loop has no guardian.
    Unguarded,
}

/// A request on its way to the loop, or on its way back with the answer.
#[derive(Debug)]
pub struct PendingRequest {
    /// The sender's number for it.
    pub token: u64,
    /// The request.
    pub order: LoopRequest,
    /// The answer.
    pub answer: LoopAnswer,
}

/// The end outside the loop.
#[derive(Debug)]
pub struct RequestSender {
    to_loop: Producer<PendingRequest>,
    from_loop: Consumer<PendingRequest>,
    pending: usize,
}

/// The loop's end.
#[derive(Debug)]
pub struct RequestReceiver {
    from_outside: Consumer<PendingRequest>,
    to_outside: Producer<PendingRequest>,
}

/// Creates a pair of ring buffers and returns both ends.
pub fn request_channel() -> (RequestSender, RequestReceiver) {
    let (to_loop, from_outside) = RingBuffer::new(REQUESTS_MAX);
    let (to_outside, from_loop) = RingBuffer::new(REQUESTS_MAX);
    let sender = RequestSender {
        to_loop,
        from_loop,
        pending: 0,
    };
    let requests = RequestReceiver {
        from_outside,
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
        if self.pending == REQUESTS_MAX || self.to_loop.is_abandoned() {
            return Err(order);
        }
        let request = PendingRequest {
            token,
            order,
            answer: LoopAnswer::Waiting,
        };
        // Never full: the number of pending requests is limited to the ring's size.
        self.to_loop
            .push(request)
            .map_err(|rtrb::PushError::Full(it)| it.order)?;
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
    pub(super) fn take(&mut self, mut carry_out: impl FnMut(&mut LoopRequest) -> LoopAnswer) {
        for _ in 0..PER_TURN {
            let Ok(mut request) = self.from_outside.pop() else {
                return;
            };
            request.answer = carry_out(&mut request.order);
            // There is room for every pending request. If there were none, the request would be freed here.
            let _ = self.to_outside.push(request);
        }
    }
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

/// Carries out commands in this lane.
pub fn submit(motion: &mut MoveRequest, lane: cycle::LaneId, stage: &mut Stage<'_>) -> LoopAnswer {
    motion.submit(lane, stage)
}
