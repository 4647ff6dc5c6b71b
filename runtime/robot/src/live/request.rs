//! What people and programs outside ask of a running loop, and what they are told.
//! Made and freed outside; carried to the loop and back by rings, so that the turn frees nothing.
//! The law: a request that was taken always comes back with its answer.

use cycle::{
    ActuatorId, CommandSet, Instant, Kind, Merge, NotNow, Receipt, Refusal, Request, Span, Stage,
    State, To,
};
use drivers::sim::Happening;
use rtrb::{Consumer, Producer, RingBuffer};

use super::schedule::ScheduleRequest;

/// Requests that may be on their way at the same time.
pub const REQUESTS_MAX: usize = 256;

/// Requests that are taken in one turn; the rest waits for the next.
const PER_TURN: usize = 32;

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum LoopRequest {
    /// Timed commands in the lane that plain clients share.
    Move(MoveRequest),
    /// As many lists of them, at instants of the robot's time.
    Schedule(ScheduleRequest),
    /// Something that a person asks of the whole body.
    Operate(Operation),
    /// Something happens to the simulated body.
    Happen(Happening),
    /// The loop shall run this many turns and stand still again: for a loop that is stepped.
    Step(u64),
    /// The loop shall go, in peace.
    Quit,
}

/// Timed commands: a row of values for each actuator, one value for each time.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveRequest {
    /// The actuators.
    pub to: Vec<ActuatorId>,
    /// What happens to commands that wait already.
    pub merge: Merge,
    /// When, counted from the turn that takes it.
    pub after: Vec<Span>,
    /// The values: all of the first actuator, then all of the second.
    pub values: Vec<f64>,
    /// Room for the instants, so that the turn needs none.
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

/// Why these cannot move now: their commands would pass before the body can, and whoever asked would believe that it
/// moves. Lights shine in every state.
pub(super) fn not_now(to: &[ActuatorId], stage: &Stage<'_>) -> Option<NotNow> {
    let actuators = stage.body().actuators;
    let mut kinds = to.iter().filter_map(|it| actuators.get(usize::from(it.0)));
    let moves = kinds.any(|it| it.kind != Kind::Light);
    let state = stage.state();
    (moves && state != State::Running).then_some(NotNow::State(state))
}

/// What else decides where actuators go: how many of them, each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveRemarks {
    /// Somebody else drives them as well.
    pub shared: u32,
    /// They exert no force.
    pub limp: u32,
    /// Where a coupled joint stands now keeps them from going so far.
    pub coupled: u32,
    /// How long the longest way takes at its joint's velocity, where that is longer than what was asked.
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

    /// With what the body itself has against the first values of this motion.
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
            // A turn more or less is nothing that one sees.
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

/// What a person asks of the whole body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Power it, where it stands.
    Arm,
    /// Let it go limp.
    Disarm,
    /// Slow down and stay.
    Hold,
    /// Let the lanes move it again.
    Resume,
    /// To the safe pose, then limp.
    Retreat,
    /// What was broken is mended.
    Clear,
    /// The emergency stop.
    Press,
    /// Release the emergency stop.
    Release,
}

/// What whoever asked is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoopAnswer {
    /// Nothing yet.
    Waiting,
    /// The commands were taken.
    Taken(Receipt, MoveRemarks),
    /// They were refused, whole.
    Refused(Refusal),
    /// The body is in this state now.
    Became(State),
    /// It cannot be done now.
    NotNow(NotNow),
    /// It is done.
    Done,
    /// This loop is not stepped.
    NotStepped,
    /// It is real: only to a simulated body can that be done.
    Real,
    /// Nothing is armed while the loop's guardian is gone.
    Unguarded,
}

/// An order on its way, with its answer on the way back.
#[derive(Debug)]
pub struct PendingRequest {
    /// Whose it is; the sender's own number.
    pub token: u64,
    /// What is asked.
    pub order: LoopRequest,
    /// What is told.
    pub answer: LoopAnswer,
}

/// The outside end.
#[derive(Debug)]
pub struct RequestSender {
    to_loop: Producer<PendingRequest>,
    from_loop: Consumer<PendingRequest>,
    away: usize,
}

/// The loop's end.
#[derive(Debug)]
pub struct RequestReceiver {
    from_outside: Consumer<PendingRequest>,
    to_outside: Producer<PendingRequest>,
}

/// Two ends of one pair of rings.
pub fn request_channel() -> (RequestSender, RequestReceiver) {
    let (to_loop, from_outside) = RingBuffer::new(REQUESTS_MAX);
    let (to_outside, from_loop) = RingBuffer::new(REQUESTS_MAX);
    let sender = RequestSender {
        to_loop,
        from_loop,
        away: 0,
    };
    let requests = RequestReceiver {
        from_outside,
        to_outside,
    };
    (sender, requests)
}

impl RequestSender {
    /// Sends an order on its way.
    ///
    /// # Errors
    /// The order, if too many are on their way already, or if the loop is gone.
    pub fn send(&mut self, token: u64, order: LoopRequest) -> Result<(), LoopRequest> {
        if self.away == REQUESTS_MAX || self.to_loop.is_abandoned() {
            return Err(order);
        }
        let request = PendingRequest {
            token,
            order,
            answer: LoopAnswer::Waiting,
        };
        // Never full: no more are away than the ring holds.
        self.to_loop
            .push(request)
            .map_err(|rtrb::PushError::Full(it)| it.order)?;
        self.away += 1;
        Ok(())
    }

    /// The next request that has come back.
    pub fn back(&mut self) -> Option<PendingRequest> {
        let request = self.from_loop.pop().ok()?;
        self.away -= 1;
        Some(request)
    }

    /// Whether the loop is gone.
    pub fn is_abandoned(&self) -> bool {
        self.to_loop.is_abandoned()
    }
}

impl RequestReceiver {
    /// Hands the requests that wait to `carry_out`, and sends them back with its answers.
    pub(super) fn take(&mut self, mut carry_out: impl FnMut(&mut LoopRequest) -> LoopAnswer) {
        for _ in 0..PER_TURN {
            let Ok(mut request) = self.from_outside.pop() else {
                return;
            };
            request.answer = carry_out(&mut request.order);
            // There is room for every request that is away. Were there none, it would be freed here.
            let _ = self.to_outside.push(request);
        }
    }
}

/// Carries out what concerns lanes and states.
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
