//! The host's side of the contract: what a guest's store holds, and one file for each interface.
//! Called by guests, in hooks on the loop's thread, and outside the turn on any other.
//! Every function is bounded; inside a turn none allocates, locks or waits; no argument is
//! trusted, and every refusal is an answer.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "what comes from a guest can be anything"
)]

mod body;
mod bulk;
mod clock;
mod commands;
mod curve;
mod events;
mod lane;
mod limits;
mod log;
mod overrun;
mod params;
mod poll;
mod requests;
mod score_clock;
mod script;
mod sensors;
mod state;
mod stdio;
pub(crate) mod wasi;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cycle::{REACH, Span, State};
use wasmtime::component::{ComponentNamedList, Lift, Linker, LinkerInstance, Lower};
use wasmtime::{StoreContextMut, Trap};

use crate::shared::answer::HostAnswer;
use crate::shared::command_buffer::{CommandBuffer, ITEMS, Item};
use crate::shared::event_bus::BusEvent;
use crate::shared::guest_body::GuestBody;
use crate::shared::guest_requests::GuestRequests;
use crate::shared::guest_shared::GuestShared;
use crate::shared::log::Log;
use crate::shared::log_line::LineTime;
use crate::shared::report::GuestReport;
use crate::shared::score_ring::ScoreSender;

pub(crate) use events::EVENTS_PER_CALL;
pub(crate) use limits::{InstanceLimits, MemoryLimits, TABLE};
pub(crate) use overrun::{Overrun, TICK};
pub use params::Param;
pub(crate) use params::Params;
pub(crate) use score_clock::{POLL_INTERVAL, SCORE_FUEL, STOPPED, ScoreClock, sleep_until};
pub(crate) use script::NAME as SCRIPT;
pub(crate) use state::StateSlots;
pub(crate) use stdio::StandardStreams;
pub(crate) use wasi::Wasi;
pub use wasi::{WasiAccess, WasiGrant};

/// The host's functions get the store like this.
type Cx<'a> = StoreContextMut<'a, Host>;

/// Where a guest is being called.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum CallPhase {
    /// `start`, before its first turn.
    Start,
    /// A hook, inside a turn.
    Hook,
    /// `stop`, after its last turn.
    Stop,
    /// `run`, beside the loop.
    Score,
}

/// Where a guest's requests go.
#[derive(Debug)]
pub(crate) enum Sink {
    /// To the command buffer, until the hook returns.
    Buffer,
    /// Through a ring to the loop, which takes them when it can.
    Ring(ScoreSender),
}

/// What a guest's store holds. `GuestShared` comes first, because compiled code finds it there.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Host {
    pub(crate) shared: GuestShared,
    pub(crate) phase: CallPhase,
    pub(crate) body: Arc<GuestBody>,
    /// The text, of a guest whose code is an interpreter.
    pub(crate) script: Arc<[u8]>,
    /// The share of the last line that `script` has cut: a guess for the next.
    pub(crate) curve_guess: f64,
    pub(crate) buffer: CommandBuffer,
    pub(crate) sink: Sink,
    /// For each actuator the number of an answer: 0, or why this guest may not drive it now. The last one is for
    /// numbers that are no actuator.
    pub(crate) verdicts: Box<[AtomicU64]>,
    /// Queued commands by actuator; counted only for a guest that asks for them.
    pub(crate) waiting: Box<[u32]>,
    /// A snapshot of the sensors from when `start` or `stop` began, for code that reads them in place.
    pub(crate) snapshot: Box<[AtomicU64]>,
    /// The requests that it has begun.
    pub(crate) requests: GuestRequests,
    pub(crate) body_state: State,
    pub(crate) hidden: bool,
    pub(crate) priority_max: f64,
    pub(crate) params: Params,
    pub(crate) kept: StateSlots,
    pub(crate) seen: u64,
    pub(crate) event: Option<BusEvent>,
    /// The topics that this guest has subscribed to.
    pub(crate) topics: Box<[bool]>,
    pub(crate) missed_events: u64,
    pub(crate) lines: Log,
    pub(crate) printed: StandardStreams,
    pub(crate) counts: CallCounts,
    pub(crate) limits: MemoryLimits,
    pub(crate) overrun: Overrun,
    pub(crate) clock: Option<ScoreClock>,
    /// A score's report, which says whether it shall end.
    pub(crate) cancel: Option<Arc<GuestReport>>,
    pub(crate) wasi: Option<Wasi>,
}

/// What was asked in this call of a hook.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CallCounts {
    pub(crate) events: u32,
    pub(crate) lines: u32,
    pub(crate) requests: u32,
    /// Requests to drive with a weight or a value that cannot be.
    pub(crate) refused: u32,
}

/// Fuel that a call of the host costs: about as much as a guest burns in the same time. Without it, fuel would not
/// bound a guest that does nothing but call.
const CALL: u64 = 150;

/// Adds a function of the host to an interface.
fn offer<P, R>(
    linker: &mut LinkerInstance<'_, Host>,
    name: &str,
    function: impl Fn(Cx<'_>, P) -> wasmtime::Result<R> + Send + Sync + 'static,
) -> wasmtime::Result<()>
where
    P: ComponentNamedList + Lift + 'static,
    R: ComponentNamedList + Lower + 'static,
{
    linker.func_wrap(name, move |mut cx: Cx<'_>, arguments: P| {
        charge(&mut cx, CALL)?;
        function(cx, arguments)
    })
}

/// Takes fuel from a guest, which traps if it has less. Compiled code checks its fuel only in loops and at the
/// beginning of functions, and between them could call the host for free.
fn charge(cx: &mut Cx<'_>, fuel: u64) -> wasmtime::Result<()> {
    let left = cx.get_fuel()?;
    cx.set_fuel(left.saturating_sub(fuel))?;
    if left < fuel {
        return Err(Trap::OutOfFuel.into());
    }
    Ok(())
}

/// Adds every interface of the contract to a linker.
pub(crate) fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    linker.instance(TYPES)?;
    body::link(&mut linker.instance(body::NAME)?)?;
    commands::link(&mut linker.instance(commands::NAME)?)?;
    requests::link(&mut linker.instance(requests::NAME)?)?;
    bulk::link(&mut linker.instance(bulk::NAME)?)?;
    lane::link(&mut linker.instance(lane::NAME)?)?;
    sensors::link(&mut linker.instance(sensors::NAME)?)?;
    clock::link(&mut linker.instance(clock::NAME)?)?;
    events::link(&mut linker.instance(events::NAME)?)?;
    params::link(&mut linker.instance(params::NAME)?)?;
    state::link(&mut linker.instance(state::NAME)?)?;
    log::link(&mut linker.instance(log::NAME)?)?;
    script::link(&mut linker.instance(script::NAME)?)?;
    stdio::link(&mut linker.instance(stdio::NAME)?)
}

/// The interface that has types only.
const TYPES: &str = "dcm:choreography/types@0.1.0";

pub(crate) use clock::NAME as CLOCK;
/// The interfaces of which `load::inplace` compiles functions into guests.
pub(crate) use commands::NAME as COMMANDS;
pub(crate) use sensors::NAME as SENSORS;

/// Every interface, with its functions: what a guest may import. `tests` compares it with `wit/`.
pub const INTERFACES: &[(&str, &[&str])] = &[
    (TYPES, &[]),
    (body::NAME, body::FUNCTIONS),
    (commands::NAME, commands::FUNCTIONS),
    (requests::NAME, requests::FUNCTIONS),
    (bulk::NAME, bulk::FUNCTIONS),
    (lane::NAME, lane::FUNCTIONS),
    (sensors::NAME, sensors::FUNCTIONS),
    (clock::NAME, clock::FUNCTIONS),
    (events::NAME, events::FUNCTIONS),
    (params::NAME, params::FUNCTIONS),
    (state::NAME, state::FUNCTIONS),
    (log::NAME, log::FUNCTIONS),
    (script::NAME, script::FUNCTIONS),
    (stdio::NAME, stdio::FUNCTIONS),
];

impl Drop for Host {
    fn drop(&mut self) {
        self.body.bus.unsubscribe(&self.topics);
    }
}

impl Host {
    /// Whether a hook is running.
    fn inside(&self) -> bool {
        self.phase == CallPhase::Hook
    }

    /// Whether somebody wants this score to end.
    pub(crate) fn report_cancelled(&self) -> bool {
        let report = self.cancel.as_ref();
        report.is_some_and(|report| report.cancel.load(Ordering::Relaxed))
    }

    /// The instant that the guest sees: this turn's in a hook, else the last turn's. For `start` and `stop` time
    /// stands still, however long they take.
    fn now(&self) -> u64 {
        match self.phase {
            CallPhase::Score => self.clock.as_ref().map_or(0, |clock| clock.now().nanos()),
            _ => self.shared.now.load(Ordering::Relaxed),
        }
    }

    /// This turn, for a line of the log.
    fn line_time(&self) -> LineTime {
        LineTime {
            now: self.now(),
            turn: self.turn(),
        }
    }

    /// The turn that the guest sees: this one in a hook, else the last one.
    fn turn(&self) -> u64 {
        match self.phase {
            CallPhase::Score => self.body.window.turn(),
            _ => self.shared.turn.load(Ordering::Relaxed),
        }
    }

    /// Whether this guest may drive the actuator now.
    fn may(&self, actuator: u32) -> Result<(), HostAnswer> {
        let verdict = self.verdicts.get(actuator as usize);
        match verdict.map(|verdict| verdict.load(Ordering::Relaxed)) {
            None => Err(HostAnswer::Unknown),
            Some(0) => Ok(()),
            Some(why) => Err(HostAnswer::of(why)),
        }
    }

    /// Checks a command's value and instant; `false` for NaN, which commands nothing.
    fn sound(&self, value: f64, at: u64) -> Result<bool, HostAnswer> {
        if value.is_nan() {
            return Ok(false);
        }
        if value.is_infinite() {
            return Err(HostAnswer::NotFinite);
        }
        if Span::from_nanos(at.abs_diff(self.now())) > REACH {
            return Err(HostAnswer::OutOfReach);
        }
        Ok(true)
    }

    /// Whether the lane has room for so many commands.
    fn room_for(&self, commands: usize) -> Result<(), HostAnswer> {
        match &self.sink {
            Sink::Ring(ring) if ring.slots() < commands => Err(HostAnswer::Full),
            Sink::Ring(_) => Ok(()),
            Sink::Buffer if self.shared.free.count() < commands => {
                Err(HostAnswer::of(self.shared.full.load(Ordering::Relaxed)))
            }
            Sink::Buffer => Ok(()),
        }
    }

    /// Whether the buffer has room for so many items.
    fn items_fit(&self, items: usize) -> Result<(), HostAnswer> {
        match &self.sink {
            Sink::Ring(ring) if ring.slots() < items => Err(HostAnswer::Full),
            Sink::Ring(_) => Ok(()),
            Sink::Buffer if ITEMS.saturating_sub(self.queued()) < items => Err(HostAnswer::TooMuch),
            Sink::Buffer => Ok(()),
        }
    }

    /// Queues a command, if the lane has room for it.
    fn push_command(&mut self, item: Item) -> HostAnswer {
        if let Sink::Ring(ring) = &mut self.sink {
            let answer = ring.push(item.words());
            if answer == HostAnswer::Full
                && let Some(report) = &self.cancel
            {
                report.filled();
            }
            return answer;
        }
        if self.shared.free.count() == 0 {
            return HostAnswer::of(self.shared.full.load(Ordering::Relaxed));
        }
        self.append(item)
    }

    /// Queues an item that takes no room in the lane.
    fn push_item(&mut self, item: Item) -> HostAnswer {
        match (&mut self.sink, self.phase) {
            (_, CallPhase::Stop) => return HostAnswer::Ending,
            (Sink::Ring(ring), _) => return ring.push(item.words()),
            _ => {}
        }
        if self.queued() >= ITEMS {
            return HostAnswer::TooMuch;
        }
        // It takes a place of the buffer, but none of the lane.
        self.more_room(1);
        self.append(item)
    }

    fn append(&mut self, item: Item) -> HostAnswer {
        let place = self.queued();
        self.buffer.put(place, item.words());
        self.free(
            place.saturating_add(1),
            self.shared.free.count().saturating_sub(1),
        );
        HostAnswer::Done
    }

    /// The lane has room for so many more commands.
    fn more_room(&mut self, commands: u32) {
        let queued = self.queued();
        let free = self.shared.free.count().saturating_add(commands as usize);
        self.free(queued, free);
        if queued.saturating_add(free) >= ITEMS {
            let too_much = HostAnswer::TooMuch.number();
            self.shared.full.store(too_much, Ordering::Relaxed);
        }
    }

    /// How many items are in the buffer.
    pub(crate) fn queued(&self) -> usize {
        self.buffer.place(self.shared.free.address())
    }

    /// Sets how many items are in the buffer, and how many commands may follow them.
    pub(crate) fn free(&self, queued: usize, commands: usize) {
        let commands = commands.min(ITEMS.saturating_sub(queued));
        self.shared.free.set(self.buffer.address(queued), commands);
    }
}
