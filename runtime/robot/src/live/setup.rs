//! What a loop is given before its first turn, and what it shows to whoever watches every turn.
//! Filled by whoever starts a loop: the command line, the check, tests.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use cycle::View;
use drivers::rack::Rack;
use drivers::sim::Script;
use guests::GuestScheduler;
use sensors::PageWriter;

use super::recorder::TurnRecorder;
use super::{Control, EventSender, RequestReceiver, Tempo};
use crate::realtime::RealtimeOptions;

/// What a loop is given to live with.
#[derive(Debug)]
pub struct LoopSetup<'s> {
    /// How time passes.
    pub tempo: Tempo,
    /// What to ask of the machine; nothing in virtual time.
    pub realtime: Option<RealtimeOptions>,
    /// Where others see what happens.
    pub page: Option<PageWriter>,
    /// What others ask.
    pub requests: RequestReceiver,
    /// Carries out what happened.
    pub events: EventSender,
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
    pub scheduler: Option<GuestScheduler>,
    /// Whether it goes softly once every guest is gone.
    pub until_played: bool,
    /// Sees every turn: in virtual time only, because whoever watches may take its time.
    pub watcher: Option<&'s mut dyn TurnWatcher>,
    /// Takes down every turn.
    pub recorder: Option<Box<dyn TurnRecorder>>,
}

impl<'s> LoopSetup<'s> {
    /// A loop that is asked by these and has nothing else: no page, no guests, and it goes only when it is told to.
    pub fn bare(
        tempo: Tempo,
        requests: RequestReceiver,
        events: EventSender,
        control: &'s Control,
    ) -> LoopSetup<'s> {
        LoopSetup {
            tempo,
            realtime: None,
            page: None,
            requests,
            events,
            control,
            turns: None,
            arm: false,
            script: Script::default(),
            rack: Rack::default(),
            scheduler: None,
            until_played: false,
            watcher: None,
            recorder: None,
        }
    }
}

/// Sees every turn of a loop after it was made, and may end the loop.
pub trait TurnWatcher: Send {
    /// Called once after each turn.
    fn watch(&mut self, moment: &TurnMoment<'_>) -> ControlFlow<()>;
}

impl fmt::Debug for dyn TurnWatcher + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TurnWatcher")
    }
}

/// What there is to see after a turn.
#[derive(Debug)]
pub struct TurnMoment<'a> {
    /// What there is to see.
    pub view: View<'a>,
    /// Guests on stage, those included that are leaving it.
    pub guests: usize,
    /// How long their hooks took, by the clock.
    pub hooks: Duration,
}
