//! The setup of a loop, and the trait of a watcher that sees every turn.
//! Filled in by the command line, the check and tests. Everything is there before the first turn.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use cycle::{Instant, View};
use drivers::rack::Rack;
use drivers::sim::{RigidRobot, Script};
use guests::GuestScheduler;
use physics::PhysicsWorld;
use sensors::PageWriter;

use super::recorder::TurnRecorder;
use super::{Control, EventSender, RequestReceiver, Tempo};
use crate::realtime::RealtimeOptions;

/// The setup of a loop.
#[derive(Debug)]
pub struct LoopSetup<'s> {
    /// How time passes.
    pub tempo: Tempo,
    /// The robot's time at the start.
    pub begins: Instant,
    /// The real-time settings; none in virtual time.
    pub realtime: Option<RealtimeOptions>,
    /// The page that shows the state.
    pub page: Option<PageWriter>,
    /// The requests of clients.
    pub requests: RequestReceiver,
    /// Carries events out of the loop.
    pub events: EventSender,
    /// Ends the loop.
    pub control: &'s Control,
    /// The number of turns after which it ends by itself.
    pub turns: Option<u64>,
    /// Whether it arms the body as soon as possible.
    pub arm: bool,
    /// The rigid bodies of the simulated body; without them it has no weight.
    pub physics: Option<RigidRobot>,
    /// The script of the simulated body.
    pub script: Script,
    /// The real boards.
    pub rack: Rack,
    /// The guests.
    pub scheduler: Option<GuestScheduler>,
    /// Whether it stops softly after the last guest has ended.
    pub until_played: bool,
    /// Sees every turn. Only in virtual time, because a watcher may be slow.
    pub watcher: Option<&'s mut dyn TurnWatcher>,
    /// Records every turn.
    pub recorder: Option<Box<dyn TurnRecorder>>,
}

impl<'s> LoopSetup<'s> {
    /// A loop without a page, guests or a recorder, which ends only when `control` asks for it.
    pub fn bare(
        tempo: Tempo,
        requests: RequestReceiver,
        events: EventSender,
        control: &'s Control,
    ) -> LoopSetup<'s> {
        LoopSetup {
            tempo,
            begins: Instant::ZERO,
            realtime: None,
            page: None,
            requests,
            events,
            control,
            turns: None,
            arm: false,
            physics: None,
            script: Script::default(),
            rack: Rack::default(),
            scheduler: None,
            until_played: false,
            watcher: None,
            recorder: None,
        }
    }
}

/// Sees every turn of a loop after it is made, and may end the loop.
pub trait TurnWatcher: Send {
    /// Called once after each turn.
    fn watch(&mut self, moment: &TurnMoment<'_>) -> ControlFlow<()>;
}

impl fmt::Debug for dyn TurnWatcher + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TurnWatcher")
    }
}

/// What a watcher sees after a turn.
#[derive(Debug)]
pub struct TurnMoment<'a> {
    /// The view of the cycle.
    pub view: View<'a>,
    /// The world of the simulated body, if it has weight.
    pub world: Option<&'a PhysicsWorld>,
    /// The number of guests on stage, including those that are ending.
    pub guests: usize,
    /// How long their hooks took, in real time.
    pub hooks: Duration,
}
