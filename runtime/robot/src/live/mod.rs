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
mod page;
mod schedule;
mod tally;
mod tempo;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

use cycle::{
    Cycle, Hooks, Inbox, Keep, LaneId, LaneSettings, Ports, Publisher, Span, Stage, State, View,
};
use drivers::rack::{Mounted, Rack};
use drivers::sim::{Script, SimBoard};
use guests::Troupe;
use sensors::PageWriter;

use crate::config::Robot;
use crate::realtime::{self, Lack, Wish};
use crate::record::{TOLD, Tape};

pub use assemble::{AssembleError, Shared, assemble, assemble_told};
pub use control::Control;
pub use errand::{
    Answer, Counter, ERRANDS_MAX, Errand, Mailbox, Motion, Operation, Order, Others, post,
};
pub use herald::{CLIENTS, Herald, News, Weight, herald, name, sentence, sentence_of, weight};
pub use leaving::Left;
pub use page::{make_page, private_page};
pub use schedule::{SCHEDULED_MAX, Schedule};
pub use tally::{Tally, Times};
pub use tempo::Tempo;

pub(crate) use assemble::Wired;
pub(crate) use errand::{operate, submit};
pub(crate) use schedule::schedule;

use desk::Desk;
use leaving::Leaving;
use tempo::Metronome;

/// Turns in which real boards are told that they are limp, besides those until each is due.
const GOODBYES: u64 = 5;

/// What a loop is given to live with.
#[derive(Debug)]
pub struct Setup<'s> {
    /// How time passes.
    pub tempo: Tempo,
    /// What to ask of the machine; nothing in virtual time.
    pub wish: Option<Wish>,
    /// Where others see what happens.
    pub page: Option<PageWriter>,
    /// What others ask.
    pub mailbox: Mailbox,
    /// Carries out what happened.
    pub herald: Herald,
    /// Tells it to go.
    pub control: &'s Control,
    /// Turns after which it goes by itself.
    pub turns: Option<u64>,
    /// Whether it arms the body as soon as it may.
    pub arm: bool,
    /// What happens to the simulated body.
    pub script: Script,
    /// The boards that are not simulated.
    pub rack: Rack,
    /// The guests.
    pub troupe: Option<Troupe>,
    /// Whether it goes softly once every guest is gone.
    pub until_played: bool,
    /// Sees every turn: in virtual time only, because whoever watches may take its time.
    pub watcher: Option<&'s mut dyn Watcher>,
    /// Takes down every turn.
    pub tape: Option<Tape>,
}

impl<'s> Setup<'s> {
    /// A loop that is asked by these and has nothing else: no page, no guests, and it goes only when it is told to.
    pub fn bare(tempo: Tempo, mailbox: Mailbox, herald: Herald, control: &'s Control) -> Setup<'s> {
        Setup {
            tempo,
            wish: None,
            page: None,
            mailbox,
            herald,
            control,
            turns: None,
            arm: false,
            script: Script::default(),
            rack: Rack::default(),
            troupe: None,
            until_played: false,
            watcher: None,
            tape: None,
        }
    }
}

/// Sees every turn of a loop after it was made, and may end the loop.
pub trait Watcher: Send {
    /// Called once after each turn.
    fn watch(&mut self, moment: &Moment<'_>) -> ControlFlow<()>;
}

impl fmt::Debug for dyn Watcher + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}

/// A turn that was made.
#[derive(Debug)]
pub struct Moment<'a> {
    /// What there is to see.
    pub view: View<'a>,
    /// Guests on stage, those included that are leaving it.
    pub guests: usize,
    /// How long their hooks took, by the clock.
    pub hooks: Duration,
}

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
    let is_told = setup.watcher.is_some() || setup.tape.is_some();
    let told = if is_told { TOLD } else { 0 };
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
        if let Some(troupe) = &mut life.setup.troupe {
            let lacks_priority = lacks.iter().any(|it| matches!(it, Lack::Priority(_)));
            troupe.settle(held.is_some() && !lacks_priority);
            if life.setup.tape.is_some() {
                troupe.listen();
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
pub(crate) fn begin(robot: &Robot, stage: &mut Stage<'_>) -> LaneId {
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
            let mut desk = Desk {
                mailbox: &mut self.setup.mailbox,
                shared: self.shared,
                sim: self.sim,
                steps: &steps,
                quit: &quit,
                tape: self.setup.tape.as_mut(),
                between: true,
                guarded: self.setup.control.is_guarded(),
            };
            if steps.get() == Some(0) {
                desk.take_in(self.cycle.stage());
                if steps.get() == Some(0) && !quit.get() && self.setup.control.asked() == 0 {
                    self.metronome.rest();
                    continue;
                }
            }
            steps.set(steps.get().map(|it| it.saturating_sub(1)));
            desk.between = false;

            let woken = self.metronome.wait();
            if self.setup.rack.stopped() {
                desk.press(self.cycle.stage());
            }
            let mut called = Called {
                troupe: self.setup.troupe.as_mut(),
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
            let took = called.took;
            self.setup.herald.carry(self.cycle.view().events);
            // Whatever stopped it before it was armed, a person arms it after that.
            self.setup.arm &= !matches!(report.state, State::Fault | State::Estop);
            let is_guarded = self.setup.control.is_guarded();
            if self.setup.arm && is_guarded && report.state == State::Disarmed {
                // Not yet, while the boards have not answered for long enough.
                self.setup.arm = self.cycle.stage().arm().is_err();
                if let Some(tape) = &mut self.setup.tape {
                    tape.did(Operation::Arm);
                }
            }
            let plays = self.setup.troupe.as_ref().is_some_and(|it| !it.is_empty());
            let played = self.setup.until_played && somebody_plays && !plays;
            somebody_plays |= plays;
            let asked = self
                .setup
                .control
                .asked()
                .max(u32::from(quit.get() || played));
            let left = leaving.follow(asked, &report, self.cycle.stage());
            if let Some(tape) = &mut self.setup.tape {
                if let Some(operation) = leaving.did() {
                    tape.did(operation);
                }
                tape.close(&self.cycle.view(), &report, self.setup.troupe.as_ref());
            }
            let work = self.metronome.clock() - woken.at;
            self.tally.add(&report, woken.after, work);
            if let Some(page) = &mut self.setup.page {
                page.worked(work);
            }
            let mut over = self.setup.turns.is_some_and(|it| report.turn >= it);
            if over && !self.setup.rack.0.is_empty() {
                // A body that could fall is not left where it stands.
                quit.set(true);
                over = false;
            }
            if let Some(watcher) = &mut self.setup.watcher {
                let moment = Moment {
                    view: self.cycle.view(),
                    guests: self.setup.troupe.as_ref().map_or(0, Troupe::len),
                    hooks: took,
                };
                over |= watcher.watch(&moment).is_break();
            }
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
}

/// A page that may be missing.
struct Shown<'p>(Option<&'p mut PageWriter>);

impl Publisher for Shown<'_> {
    fn publish(&mut self, view: &View<'_>) {
        if let Some(page) = &mut self.0 {
            page.publish(view);
        }
    }
}

/// Guests that may be missing.
struct Called<'t> {
    troupe: Option<&'t mut Troupe>,
    /// Whether somebody wants to know how long they took.
    timed: bool,
    took: Duration,
}

impl Called<'_> {
    fn call(&mut self, hook: impl FnOnce(&mut Troupe)) {
        let Some(troupe) = &mut self.troupe else {
            return;
        };
        let began = self.timed.then(std::time::Instant::now);
        hook(troupe);
        self.took += began.map_or(Duration::ZERO, |it| it.elapsed());
    }
}

impl Hooks for Called<'_> {
    fn pre_process(&mut self, stage: &mut Stage<'_>) {
        self.call(|troupe| troupe.pre_process(stage));
    }

    fn post_process(&mut self, stage: &mut Stage<'_>) {
        self.call(|troupe| troupe.post_process(stage));
    }
}

/// How long a turn of this robot may be late before it counts.
pub fn late_after(robot: &Robot) -> Span {
    robot.settings.thresholds.late_after
}
