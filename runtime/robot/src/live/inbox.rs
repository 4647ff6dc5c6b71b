//! Takes in requests, in a turn or between turns, and what a stop line says.
//! Made by the loop for each turn, out of what the loop has.
//! The law: at most so many requests a turn; each is written down before it is carried out.

use std::cell::{Cell, RefCell};

use cycle::{Inbox, LaneId, Stage, State};
use drivers::sim::SimBoard;

use super::recorder::TurnRecorder;
use super::request::schedule;
use super::request::{self, LoopAnswer, LoopRequest, Operation, RequestReceiver};

/// Takes in requests, in a turn or between turns.
pub(super) struct LoopInbox<'d, 'b> {
    pub(super) requests: &'d mut RequestReceiver,
    pub(super) shared: LaneId,
    pub(super) sim: &'d RefCell<SimBoard<'b>>,
    /// Turns that may be made; `None` for a loop that is not stepped.
    pub(super) steps: &'d Cell<Option<u64>>,
    pub(super) quit: &'d Cell<bool>,
    pub(super) recorder: Option<&'d mut dyn TurnRecorder>,
    /// The loop stands still: what is taken in now is taken in between turns.
    pub(super) between: bool,
    /// Somebody brings the body down if this process cannot, or nobody shall.
    pub(super) guarded: bool,
}

impl LoopInbox<'_, '_> {
    /// A stop line is pressed: as if a person had asked for it before the turn. It stays so until the line is free.
    pub(super) fn press(&mut self, stage: &mut Stage<'_>) {
        if stage.state() != State::Estop {
            let order = LoopRequest::Operate(Operation::Press);
            if let Some(recorder) = &mut self.recorder {
                recorder.asked(&order, true);
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
            guarded,
        } = self;
        requests.take(|order| {
            // It is as if nobody had asked, so that it is not written down either.
            if *order == LoopRequest::Operate(Operation::Arm) && !*guarded {
                return LoopAnswer::Unguarded;
            }
            if let Some(recorder) = recorder {
                recorder.asked(order, *between);
            }
            match order {
                LoopRequest::Move(motion) => request::submit(motion, *shared, stage),
                LoopRequest::Schedule(it) => schedule(it, *shared, stage),
                LoopRequest::Operate(operation) => request::operate(*operation, stage),
                LoopRequest::Happen(happening) => match sim.borrow_mut().happen(*happening) {
                    true => LoopAnswer::Done,
                    false => LoopAnswer::Real,
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
            }
        });
    }
}
