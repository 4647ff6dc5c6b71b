//! The inbox of the loop: carries out requests, in a turn or between turns, and the presses of a stop line.
//! Made by the loop for each turn, from parts of the loop.
//! The number of requests in a turn is limited; each is recorded before it is carried out.

use std::cell::{Cell, RefCell};

use cycle::{Inbox, LaneId, NotNow, Stage, State};
use drivers::sim::{EventError, SimBoard};

use super::recorder::TurnRecorder;
use super::request::{self, LoopAnswer, LoopRequest, Operation, RequestReceiver};

/// Carries out requests, in a turn or between turns.
pub(super) struct LoopInbox<'d, 'b> {
    pub(super) requests: &'d mut RequestReceiver,
    pub(super) shared: LaneId,
    pub(super) sim: &'d RefCell<SimBoard<'b>>,
    /// The number of turns to make; `None` for a loop that is not stepped.
    pub(super) steps: &'d Cell<Option<u64>>,
    pub(super) quit: &'d Cell<bool>,
    pub(super) recorder: Option<&'d mut dyn TurnRecorder>,
    /// Whether a stepped loop waits: its requests are carried out between turns.
    pub(super) between: bool,
    /// Whether the loop arms the body as soon as it can.
    pub(super) arms: bool,
    /// Whether the loop has a guardian, or needs none.
    pub(super) guarded: bool,
}

impl LoopInbox<'_, '_> {
    /// Presses the emergency stop for a stop line, as if a person had asked for it before the turn.
    pub(super) fn press(&mut self, stage: &mut Stage<'_>) {
        if stage.state() != State::Estop {
            let order = LoopRequest::Operate(Operation::Press);
            if let Some(recorder) = &mut self.recorder {
                recorder.asked(&order, None, true);
            }
            request::operate(Operation::Press, stage);
        }
    }
}

impl Inbox for LoopInbox<'_, '_> {
    fn take_in(&mut self, stage: &mut Stage<'_>) {
        let LoopInbox {
            requests,
            shared,
            sim,
            steps,
            quit,
            recorder,
            between,
            arms,
            guarded,
        } = self;
        requests.take(|order, lane| {
            // Refused without an effect, so it is not recorded either.
            if *order == LoopRequest::Operate(Operation::Arm) && !*guarded {
                return LoopAnswer::Unguarded;
            }
            if *order == LoopRequest::CanStart {
                return can_start(stage.state(), *arms);
            }
            if let Some(recorder) = recorder {
                recorder.asked(order, lane, *between);
            }
            if let Some(answer) = request::carry_out_commands(order, lane, *shared, stage) {
                return answer;
            }
            match order {
                LoopRequest::Operate(operation) => request::operate(*operation, stage),
                LoopRequest::Simulate(event) => match sim.borrow_mut().apply(*event) {
                    Ok(()) => LoopAnswer::Done,
                    Err(EventError::NotSimulated) => LoopAnswer::Real,
                    Err(EventError::Full) => LoopAnswer::FloorFull,
                    Err(EventError::Occupied) => LoopAnswer::FloorOccupied,
                },
                LoopRequest::Step(turns) => match steps.get() {
                    Some(waiting) => {
                        steps.set(Some(waiting.saturating_add(*turns)));
                        LoopAnswer::Done
                    }
                    None => LoopAnswer::NotStepped,
                },
                LoopRequest::Quit => {
                    quit.set(true);
                    LoopAnswer::Done
                }
                // Commands are carried out above.
                _ => LoopAnswer::Waiting,
            }
        });
    }
}

/// Whether the body runs, or is about to run without a person's help.
fn can_start(state: State, arms: bool) -> LoopAnswer {
    match state {
        State::Armed | State::Running => LoopAnswer::Done,
        State::Boot | State::Disarmed if arms => LoopAnswer::Done,
        _ => LoopAnswer::NotNow(NotNow::State(state)),
    }
}
