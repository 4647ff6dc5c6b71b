//! A robot that lives: body, board, page, errands and clock joined into one loop.
//!
//! [`live`] is the loop; it is called on a thread of its own. Everything else reaches it through
//! rings and atomics: `errand` brings what is asked, `herald` carries out what happened, `control`
//! tells it to go, the page shows the rest. `tempo` turns the clock, `assemble` lends the parts.
//! The law: in a turn there is no system call but the sleep, no allocation and no lock.

mod assemble;
mod control;
mod desk;
mod errand;
mod herald;
mod leaving;
mod optional;
mod page;
mod schedule;
mod setup;
mod tally;
mod tempo;

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

use cycle::{Cycle, Inbox, Keep, LaneId, LaneSettings, Ports, Report, Span, Stage, State};
use drivers::rack::Mounted;
use drivers::sim::SimBoard;
use guests::GuestScheduler;

use crate::realtime::{self, Lack};
use crate::recorder::COMMANDS_MAX;
use description::Robot;

pub use assemble::{AssembleError, Shared, assemble, assemble_told};
pub use control::Control;
pub use errand::{
    Answer, Counter, ERRANDS_MAX, Errand, Mailbox, Motion, Operation, Order, Others, post,
};
pub use herald::{CLIENTS, Herald, News, Weight, herald, name, sentence, sentence_of, weight};
pub use leaving::Left;
pub use page::{make_page, private_page};
pub use schedule::{SCHEDULED_MAX, Schedule, schedule};
pub use setup::{Moment, Setup, Watcher};
pub use tally::{Tally, Times};
pub use tempo::Tempo;

pub(crate) use assemble::Wired;
pub use errand::{operate, submit};

use desk::Desk;
use leaving::Leaving;
use optional::{Called, Shown};
use tempo::{Metronome, Woken};

/// Turns in which real boards are told that they are limp, besides those until each is due.
const GOODBYES: u64 = 5;

/// Lives until it is told to go. `ready` hears what could not be had of the machine.
///
/// # Errors
/// [`AssembleError`] before the first turn; there are no errors afterwards.
pub fn live(
    robot: &Robot,
    setup: Setup<'_>,
    ready: impl FnOnce(&[Lack]),
) -> Result<Tally, AssembleError> {
    // However it ends: whoever waits for it must not wait for ever.
    let _gone = Gone(setup.control);
    let is_told = setup.watcher.is_some() || setup.recorder.is_some();
    let told = if is_told { COMMANDS_MAX } else { 0 };
    assemble_told(robot, told, |cycle, sim| {
        sim.borrow_mut().follow(setup.script.clone());
        for mounted in &setup.rack.0 {
            sim.borrow_mut().leave(mounted.board);
        }
        let wish = setup.wish;
        let mut life = Life::new(robot, cycle, sim, setup);
        // After everything is allocated, so that all of it is locked.
        let held = wish.map(|wish| realtime::prepare(&wish));
        let lacks = held.as_ref().map_or(&[][..], |it| &it.lacks);
        if let Some(scheduler) = &mut life.setup.scheduler {
            let lacks_priority = lacks.iter().any(|it| matches!(it, Lack::Priority(_)));
            scheduler.settle(held.is_some() && !lacks_priority);
            if life.setup.recorder.is_some() {
                scheduler.log_inputs();
            }
        }
        ready(lacks);
        life.metronome.begin();
        // Nothing may be let go of in a panic: the guardian takes over from a process that has died as it was.
        let dies = !life.setup.rack.0.is_empty();
        let lived = catch_unwind(AssertUnwindSafe(|| life.live()));
        lived.unwrap_or_else(|panic| match dies {
            true => std::process::abort(),
            false => resume_unwind(panic),
        })
    })
}

/// Says that the loop is gone when it is dropped.
struct Gone<'c>(&'c Control);

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        self.0.go();
    }
}

/// The loop's own things.
struct Life<'l, 'm, 'b, 's> {
    robot: &'l Robot,
    cycle: &'l mut Cycle<'m>,
    sim: &'l RefCell<SimBoard<'b>>,
    setup: Setup<'s>,
    shared: LaneId,
    metronome: Metronome,
    tally: Tally,
}

/// Opens the lane that plain clients share, and makes the aliases of the description.
pub fn begin(robot: &Robot, stage: &mut Stage<'_>) -> LaneId {
    // The first lane of a plan with room for one is always given.
    // What has arrived stays where it is, and whoever plays next may have it.
    let settings = LaneSettings {
        keep: Keep::Speeds,
        ..robot.lane
    };
    let shared = stage.open(settings).unwrap_or(LaneId::NOBODY);
    for (_, members) in &robot.aliases {
        // What the description names was checked; more aliases than a loop holds are
        // known by their members alone.
        let _ = stage.create_alias(members);
    }
    shared
}

impl<'l, 'm, 'b, 's> Life<'l, 'm, 'b, 's> {
    fn new(
        robot: &'l Robot,
        cycle: &'l mut Cycle<'m>,
        sim: &'l RefCell<SimBoard<'b>>,
        setup: Setup<'s>,
    ) -> Self {
        let shared = begin(robot, cycle.stage());
        let metronome = Metronome::new(setup.tempo, robot.settings.period);
        Life {
            robot,
            cycle,
            sim,
            setup,
            shared,
            metronome,
            tally: Tally::new(),
        }
    }

    fn live(mut self) -> Tally {
        let steps = Cell::new((self.setup.tempo == Tempo::Step).then_some(0));
        let quit = Cell::new(false);
        let mut leaving = Leaving::new(self.robot.leave);
        let mut somebody_plays = false;
        let every = self.setup.rack.0.iter().map(Mounted::every).max();
        let mut goodbyes = every.map_or(0, |it| it + GOODBYES);
        loop {
            let Some(made) = self.turn(&steps, &quit) else {
                self.metronome.rest();
                continue;
            };
            self.setup.herald.carry(self.cycle.view().events);
            self.arm_once(made.report.state);
            let plays = self.guests() > 0;
            let played = self.setup.until_played && somebody_plays && !plays;
            somebody_plays |= plays;
            let asked = self.setup.control.asked();
            let asked = asked.max(u32::from(quit.get() || played));
            let left = leaving.follow(asked, &made.report, self.cycle.stage());
            self.write_down(&made.report, leaving.did());
            self.account(&made);
            let over = self.is_over(&made, &quit);
            let gone = left.or(over.then_some(Left::Over));
            // Each board must hear that it is limp, also one that is not due in every turn, or that missed a frame.
            if gone.is_some() && goodbyes > 0 {
                goodbyes -= 1;
                continue;
            }
            if let Some(left) = gone {
                self.tally.left = left;
                // As everybody counts them: each actuator's own, commands that were brought in included.
                let clips = self.cycle.view().tracks.iter().flat_map(|it| it.clips);
                self.tally.clips = clips.sum();
                self.tally.counts = *self.cycle.view().events.counts();
                return self.tally;
            }
        }
    }

    /// Makes the next turn when it is due; none while a stepped loop stands still.
    fn turn(&mut self, steps: &Cell<Option<u64>>, quit: &Cell<bool>) -> Option<Made> {
        let mut desk = Desk {
            mailbox: &mut self.setup.mailbox,
            shared: self.shared,
            sim: self.sim,
            steps,
            quit,
            recorder: self.setup.recorder.as_deref_mut().map(|it| it as _),
            between: true,
            guarded: self.setup.control.is_guarded(),
        };
        if steps.get() == Some(0) {
            desk.take_in(self.cycle.stage());
            if steps.get() == Some(0) && !quit.get() && self.setup.control.asked() == 0 {
                return None;
            }
        }
        steps.set(steps.get().map(|it| it.saturating_sub(1)));
        desk.between = false;

        let woken = self.metronome.wait();
        if self.setup.rack.stopped() {
            desk.press(self.cycle.stage());
        }
        let mut called = Called {
            scheduler: self.setup.scheduler.as_mut(),
            timed: self.setup.watcher.is_some(),
            took: Duration::ZERO,
        };
        let mut ports = Ports {
            inbox: &mut desk,
            hooks: &mut called,
            board: &mut Wired {
                sim: self.sim,
                rack: &mut self.setup.rack,
            },
            page: &mut Shown(self.setup.page.as_mut()),
        };
        let report = self.cycle.turn(woken.now, &mut ports);
        Some(Made {
            report,
            woken,
            hooks: called.took,
        })
    }

    /// Arms the body as soon as it may be, if that was asked for when the loop was started.
    fn arm_once(&mut self, state: State) {
        // Whatever stopped it before it was armed, a person arms it after that.
        self.setup.arm &= !matches!(state, State::Fault | State::Estop);
        if self.setup.arm && self.setup.control.is_guarded() && state == State::Disarmed {
            // Not yet, while the boards have not answered for long enough.
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

    /// The recording hears of the turn, and of what the loop did by itself after it.
    fn write_down(&mut self, report: &Report, did: Option<Operation>) {
        if let Some(recorder) = &mut self.setup.recorder {
            if let Some(operation) = did {
                recorder.did(operation);
            }
            recorder.closed(&self.cycle.view(), report, self.setup.scheduler.as_ref());
        }
    }

    /// Counts the turn, and how long it took.
    fn account(&mut self, made: &Made) {
        let work = self.metronome.clock() - made.woken.at;
        self.tally.add(&made.report, made.woken.after, work);
        if let Some(page) = &mut self.setup.page {
            page.worked(work);
        }
    }

    /// Whether it was the last turn: so many were wanted, or whoever watches has seen enough.
    fn is_over(&mut self, made: &Made, quit: &Cell<bool>) -> bool {
        let mut over = self.setup.turns.is_some_and(|it| made.report.turn >= it);
        if over && !self.setup.rack.0.is_empty() {
            // A body that could fall is not left where it stands.
            quit.set(true);
            over = false;
        }
        let guests = self.guests();
        if let Some(watcher) = &mut self.setup.watcher {
            let moment = Moment {
                view: self.cycle.view(),
                guests,
                hooks: made.hooks,
            };
            over |= watcher.watch(&moment).is_break();
        }
        over
    }
}

/// A turn that was made.
struct Made {
    report: Report,
    woken: Woken,
    /// How long the guests' hooks took, where somebody wants to know.
    hooks: Duration,
}

/// How long a turn of this robot may be late before it counts.
pub fn late_after(robot: &Robot) -> Span {
    robot.settings.thresholds.late_after
}
