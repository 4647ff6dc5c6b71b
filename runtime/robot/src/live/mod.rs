//! The loop of a robot: connects body, boards, page, requests and clock.
//!
//! [`live`] runs the loop on the calling thread. Other threads reach it through ring buffers and atomics: `request`
//! brings requests in, `event_channel` carries events out, `control` ends the loop, and the page shows its state.
//! `tempo` advances the time, `assemble` lends the parts.
//! In a turn there is no system call but the sleep, no allocation and no lock.

mod assemble;
mod control;
mod event_channel;
mod event_trace;
mod inbox;
mod optional;
mod page;
mod recorder;
mod request;
mod setup;
mod shutdown;
mod statistics;
mod tempo;

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

use cycle::{Cycle, Inbox, Keep, LaneId, LaneSettings, Ports, Report, Span, Stage, State};
use drivers::rack::Mounted;
use drivers::sim::SimBoard;
use guests::GuestScheduler;

use crate::realtime::{self, RealtimeWarning};
use description::Robot;

pub use assemble::{
    AssembleError, AssembleOptions, SharedSim, assemble, assemble_with, long_move_commands,
};
pub use control::Control;
pub use event_channel::{
    CLIENTS, EventReceiver, EventSender, event_channel, name, sentence, sentence_of,
};
pub use event_trace::{EventTrace, level, write_posted};
pub use page::{make_page, private_page};
pub use recorder::{COMMANDS_MAX, TurnRecorder};
pub use request::{
    ClientLane, DrivingLanes, FollowedRequests, LISTS_MAX, LaneRequest, LaneState, LoopAnswer,
    LoopRequest, MoveCommands, MoveRemarks, MoveRequest, Operation, PIECE_COMMANDS,
    PendingCommands, PendingRequest, PreparedPiece, REQUESTS_MAX, RequestReceiver, RequestSender,
    request_channel,
};
pub use setup::{LoopSetup, TurnMoment, TurnWatcher};
pub use shutdown::LoopEnding;
pub use statistics::{LoopStatistics, TimeStatistics};
pub use tempo::Tempo;

pub(crate) use assemble::BoardsAndSim;
pub use request::{carry_out_commands, operate, submit};

use inbox::LoopInbox;
use optional::{GuestHooks, PageOutput};
use shutdown::Shutdown;
use tempo::{TurnTimer, WakeUp};

/// Extra turns at the end, so that each real board gets a frame without force.
const LIMP_TURNS: u64 = 5;

/// Runs the loop until it ends. Before the first turn, `ready` gets the real-time settings that the system refused.
///
/// # Errors
/// [`AssembleError`] before the first turn; there are no errors afterwards.
pub fn live(
    robot: &Robot,
    mut setup: LoopSetup<'_>,
    ready: impl FnOnce(&[RealtimeWarning]),
) -> Result<LoopStatistics, AssembleError> {
    // However the loop ends, threads that wait for its end must not wait for ever.
    let _end = EndSignal(setup.control);
    let wants_commands = setup.watcher.is_some() || setup.recorder.is_some();
    let options = AssembleOptions {
        taken: if wants_commands { COMMANDS_MAX } else { 0 },
        has_clients: true,
    };
    let lived = assemble_with(robot, options, |cycle, sim| {
        if let Some(physics) = setup.physics.take() {
            let added = sim.borrow_mut().add_physics(physics);
            added.map_err(|error| AssembleError::Physics(error.to_string()))?;
        }
        sim.borrow_mut().follow(setup.script.clone());
        for mounted in &setup.rack.0 {
            sim.borrow_mut().leave(mounted.board);
        }
        let realtime = setup.realtime;
        let mut running = RunningLoop::new(robot, cycle, sim, setup);
        // After all allocations, so that all memory is locked.
        let held = realtime.map(|realtime| realtime::prepare(&realtime));
        let warnings = held.as_ref().map_or(&[][..], |value| &value.warnings);
        if let Some(scheduler) = &mut running.setup.scheduler {
            let no_priority = warnings
                .iter()
                .any(|warning| matches!(warning, RealtimeWarning::Priority(_)));
            let share = f64::from(robot.machine.hook_share) / 100.0;
            scheduler.settle(held.is_some() && !no_priority, share);
            if running.setup.recorder.is_some() {
                scheduler.log_inputs();
            }
        }
        ready(warnings);
        running.timer.start();
        // With real boards a panic aborts: unwinding would release the boards before the guardian takes them over.
        let has_boards = !running.setup.rack.0.is_empty();
        let result = catch_unwind(AssertUnwindSafe(|| running.live()));
        Ok(result.unwrap_or_else(|panic| match has_boards {
            true => std::process::abort(),
            false => resume_unwind(panic),
        }))
    });
    lived.flatten()
}

/// Marks the loop as ended when it is dropped.
struct EndSignal<'c>(&'c Control);

impl Drop for EndSignal<'_> {
    fn drop(&mut self) {
        self.0.set_ended();
    }
}

/// The state of a running loop.
struct RunningLoop<'l, 'm, 'b, 's> {
    robot: &'l Robot,
    cycle: &'l mut Cycle<'m>,
    sim: &'l RefCell<SimBoard<'b>>,
    setup: LoopSetup<'s>,
    shared: LaneId,
    timer: TurnTimer,
    statistics: LoopStatistics,
}

/// Opens the lane that all clients share, and creates the aliases of the description.
pub fn open_client_lane(robot: &Robot, stage: &mut Stage<'_>) -> LaneId {
    // The first lane can always be opened. Actuators that have arrived stay, and other lanes may take them.
    let settings = LaneSettings {
        keep: Keep::Speeds,
        follows: robot.lane.room <= cycle::FOLLOWED_ROOM_MAX,
        ..robot.lane
    };
    let shared = stage.open(settings).unwrap_or(LaneId::NOBODY);
    for (_, members) in &robot.aliases {
        // The members were checked with the description. Aliases beyond the cycle's limit are known by their members.
        let _ = stage.create_alias(members);
    }
    shared
}

impl<'l, 'm, 'b, 's> RunningLoop<'l, 'm, 'b, 's> {
    fn new(
        robot: &'l Robot,
        cycle: &'l mut Cycle<'m>,
        sim: &'l RefCell<SimBoard<'b>>,
        setup: LoopSetup<'s>,
    ) -> Self {
        let shared = open_client_lane(robot, cycle.stage());
        let timer = TurnTimer::new(setup.tempo, robot.settings.period, setup.begins);
        RunningLoop {
            robot,
            cycle,
            sim,
            setup,
            shared,
            timer,
            statistics: LoopStatistics::new(robot.settings.period),
        }
    }

    fn live(mut self) -> LoopStatistics {
        let steps = Cell::new((self.setup.tempo == Tempo::Step).then_some(0));
        let quit = Cell::new(false);
        let mut shutdown = Shutdown::new(self.robot.leave);
        let mut has_played = false;
        let every = self.setup.rack.0.iter().map(Mounted::every).max();
        let mut limp_turns = every.map_or(0, |value| value + LIMP_TURNS);
        loop {
            let Some(made) = self.turn(&steps, &quit) else {
                self.timer.rest();
                continue;
            };
            self.setup.events.send_new(self.cycle.view().events);
            self.arm_once(made.report.state);
            let plays = self.guests() > 0;
            let played = self.setup.until_played && has_played && !plays;
            has_played |= plays;
            let asked = self.setup.control.asked();
            let asked = asked.max(u32::from(quit.get() || played));
            let left = shutdown.follow(asked, &made.report, self.cycle.stage());
            self.record(&made.report, shutdown.did());
            self.account(&made);
            let over = self.is_over(&made, &quit);
            let gone = left.or(over.then_some(LoopEnding::Over));
            // Each board must get a frame without force, even if it is not due in every turn, or missed a frame.
            if gone.is_some() && limp_turns > 0 {
                limp_turns -= 1;
                continue;
            }
            if let Some(left) = gone {
                self.statistics.left = left;
                // The sum over all actuators, including commands that were clipped when they were accepted.
                let clips = self
                    .cycle
                    .view()
                    .tracks
                    .iter()
                    .flat_map(|track| track.clips);
                self.statistics.clips = clips.sum();
                self.statistics.counts = *self.cycle.view().events.counts();
                return self.statistics;
            }
        }
    }

    /// Makes the next turn when it is due; none while a stepped loop waits.
    fn turn(&mut self, steps: &Cell<Option<u64>>, quit: &Cell<bool>) -> Option<FinishedTurn> {
        let mut inbox = LoopInbox {
            requests: &mut self.setup.requests,
            shared: self.shared,
            sim: self.sim,
            steps,
            quit,
            recorder: self
                .setup
                .recorder
                .as_deref_mut()
                .map(|recorder| recorder as _),
            between: true,
            arms: self.setup.arm,
            guarded: self.setup.control.is_guarded(),
        };
        if steps.get() == Some(0) {
            inbox.take_in(self.cycle.stage());
            if steps.get() == Some(0) && !quit.get() && self.setup.control.asked() == 0 {
                return None;
            }
        }
        steps.set(steps.get().map(|step| step.saturating_sub(1)));
        inbox.between = false;

        let woken = self.timer.wait();
        if self.setup.rack.stopped() {
            inbox.press(self.cycle.stage());
        }
        let mut called = GuestHooks {
            scheduler: self.setup.scheduler.as_mut(),
            timed: self.setup.watcher.is_some(),
            took: Duration::ZERO,
        };
        let mut ports = Ports {
            inbox: &mut inbox,
            hooks: &mut called,
            board: &mut BoardsAndSim {
                sim: self.sim,
                rack: &mut self.setup.rack,
            },
            page: &mut PageOutput(self.setup.page.as_mut()),
        };
        let report = self.cycle.turn(woken.now, &mut ports);
        Some(FinishedTurn {
            report,
            woken,
            hooks: called.took,
        })
    }

    /// Arms the body as soon as possible, if the setup asks for it.
    fn arm_once(&mut self, state: State) {
        // After a fault or an emergency stop, only a person arms it.
        self.setup.arm &= !matches!(state, State::Fault | State::Estop);
        if self.setup.arm && self.setup.control.is_guarded() && state == State::Disarmed {
            // Refused until the boards have answered for long enough: then it tries again.
            self.setup.arm = self.cycle.stage().arm().is_err();
            if let Some(recorder) = &mut self.setup.recorder {
                recorder.did(Operation::Arm);
            }
        }
    }

    /// Guests on stage.
    fn guests(&self) -> usize {
        let scheduler = self.setup.scheduler.as_ref();
        scheduler.map_or(0, GuestScheduler::len)
    }

    /// Records the turn, and the loop's own operation after it.
    fn record(&mut self, report: &Report, did: Option<Operation>) {
        if let Some(recorder) = &mut self.setup.recorder {
            if let Some(operation) = did {
                recorder.did(operation);
            }
            recorder.closed(&self.cycle.view(), report, self.setup.scheduler.as_ref());
        }
    }

    /// Counts the turn, and how long it took.
    fn account(&mut self, made: &FinishedTurn) {
        let work = self.timer.clock() - made.woken.at;
        self.statistics.add(&made.report, made.woken.after, work);
        // Turns as fast as possible, or step by step, keep no period.
        let has_clock = matches!(self.setup.tempo, Tempo::Real(_));
        if let Some(page) = &mut self.setup.page {
            page.worked(work);
            if has_clock {
                page.judged(self.statistics.realtime());
            }
        }
    }

    /// Whether this was the last turn: the limit of turns is reached, or the watcher ends the loop.
    fn is_over(&mut self, made: &FinishedTurn, quit: &Cell<bool>) -> bool {
        let mut over = self
            .setup
            .turns
            .is_some_and(|turn| made.report.turn >= turn);
        if over && !self.setup.rack.0.is_empty() {
            // A real body could fall: it stops softly.
            quit.set(true);
            over = false;
        }
        let guests = self.guests();
        if let Some(watcher) = &mut self.setup.watcher {
            let sim = self.sim.borrow();
            let moment = TurnMoment {
                view: self.cycle.view(),
                world: sim.physics(),
                guests,
                hooks: made.hooks,
            };
            over |= watcher.watch(&moment).is_break();
        }
        over
    }
}

/// A turn that was made.
struct FinishedTurn {
    report: Report,
    woken: WakeUp,
    /// How long the guests' hooks took, if there is a watcher.
    hooks: Duration,
}

/// How long a turn of this robot may be late before it counts.
pub fn late_after(robot: &Robot) -> Span {
    robot.settings.thresholds.late_after
}
