//! The scheduler of all guests of a loop: through it the cycle calls their hooks, inside the turn.
//! Owned by the loop's thread; commands reach it through one ring, and its notices leave by another.
//! Hooks are called by priority, the highest first, and among equals the older first. A guest
//! that breaks is never called again, and nothing is freed here.

mod activity;
mod arrivals;
mod commands;
mod departures;
mod hook_time;
mod movement;

use std::sync::Arc;
use std::time::{Duration, Instant as Clock};

use cycle::{Hooks, Stage};
use rtrb::{Consumer, Producer, RingBuffer};

use crate::host::TICK;
use crate::shared::guest_body::GuestBody;
use crate::shared::log_line::LineTime;
use crate::shared::report::{End, Hook};
use crate::shared::terms::GuestId;
use crate::turn::channel::{GuestChannel, GuestCommand, GuestNotice};
use crate::turn::guest::RunningGuest;
use crate::turn::hooks::HookOutcome;
use crate::turn::inputs::{InputLog, TurnInput};
use crate::turn::slot::GuestSlot;
use arrivals::Arrivals;
use hook_time::HookTime;

/// The greatest number of guests at the same time, one of them kept for a swap.
pub const GUESTS: usize = 257;

/// Versions that may be loaded, or wait to be freed, while all places of guests are taken.
pub(crate) const SPARE: usize = 64;

/// Ticks that a hook is given at least; the first may come at once.
const LEAST_TICKS: u64 = 3;

/// Commands that the ring holds.
const COMMANDS: usize = 256;

/// The default of how long a loop in virtual time waits for a score that computes.
pub const THINKING: Duration = Duration::from_secs(10);

/// Calls the hooks of all guests.
#[derive(Debug)]
pub struct GuestScheduler {
    commands: Consumer<GuestCommand>,
    notices: Producer<GuestNotice>,
    /// The guests, each with its age: how many came before it.
    pub(crate) slots: Vec<(u64, GuestSlot)>,
    /// Indices of the slots, in the order in which they are called.
    order: Vec<u16>,
    order_is_old: bool,
    /// Who has ended in the hook that is called.
    ended: Vec<(GuestId, End)>,
    next_age: u64,
    body: Arc<GuestBody>,
    /// How long the loop waits for scores that compute; in virtual time only.
    lockstep: Option<Duration>,
    /// Ticks of the clock that a hook may take, if fewer than its terms say.
    ticks: Option<u64>,
    hook_time: HookTime,
    arrivals: Arrivals,
    /// Whether the body had no force in the last turn.
    was_limp: bool,
    disarms: u32,
    pub(crate) inputs: InputLog,
}

impl GuestScheduler {
    /// A scheduler and the channel to it. In `lockstep`, which is for virtual time, the loop waits so long for
    /// scores.
    pub(crate) fn new(
        body: Arc<GuestBody>,
        lockstep: Option<Duration>,
    ) -> (GuestScheduler, GuestChannel) {
        let (commands, commands_in) = RingBuffer::new(COMMANDS);
        // There are at most three notices of each guest, and no more guests than slots, commands and movements.
        let most = 3 * (GUESTS + COMMANDS) + Arrivals::most();
        let (notices_out, notices) = RingBuffer::new(most);
        let scheduler = GuestScheduler {
            commands: commands_in,
            notices: notices_out,
            slots: Vec::with_capacity(GUESTS),
            order: Vec::with_capacity(GUESTS),
            order_is_old: false,
            ended: Vec::with_capacity(GUESTS),
            next_age: 0,
            lockstep,
            ticks: None,
            hook_time: HookTime::default(),
            was_limp: true,
            disarms: 0,
            arrivals: Arrivals::new(body.actuators.len(), body.period.nanos(), &body.bus),
            body,
            inputs: InputLog::default(),
        };
        (scheduler, GuestChannel { commands, notices })
    }

    /// Prepares the calling thread for calling guests, so that the first turn with one need not. The loop's thread
    /// calls it once. If that is `real_time`, nothing interrupts it, a guest that takes longer than a period is
    /// ended by the clock, and the hooks of one turn together may take this `share` of the period.
    pub fn settle(&mut self, real_time: bool, share: f64) {
        wasmtime::Engine::tls_eager_initialize();
        if real_time && self.lockstep.is_none() {
            let period = self.body.period.nanos().div_ceil(TICK.as_nanos() as u64);
            self.ticks = Some(period.max(LEAST_TICKS));
            let period = Duration::from_nanos(self.body.period.nanos());
            self.hook_time.limit(period.mul_f64(share));
        }
    }

    /// How many guests are there.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Adds a slot. The manager admits no more guests than there are slots.
    fn add(&mut self, slot: GuestSlot) {
        debug_assert!(self.slots.len() < GUESTS);
        self.slots.push((self.next_age, slot));
        self.next_age += 1;
        self.order_is_old = true;
    }

    fn find(&mut self, id: GuestId) -> Option<&mut GuestSlot> {
        let mut slots = self.slots.iter_mut();
        slots.find(|slot| slot.1.id() == id).map(|slot| &mut slot.1)
    }

    /// Pauses all guests when the body loses its force: whoever arms it again does not expect it to move.
    fn pause_when_limp(&mut self, stage: &mut Stage<'_>) {
        let was_disarmed = stage.disarms() != self.disarms;
        let has_lost_force = was_disarmed || stage.is_limp() && !self.was_limp;
        self.was_limp = stage.is_limp();
        self.disarms = stage.disarms();
        if !has_lost_force {
            return;
        }
        for (_, slot) in &mut self.slots {
            slot.pause(true, stage);
        }
    }

    /// Guests that wait begin as soon as the body runs.
    fn let_in(&mut self, stage: &mut Stage<'_>) {
        let waits = |pair: &(u64, GuestSlot)| {
            matches!(pair.1, GuestSlot::Waiting(_) | GuestSlot::WaitingScore(_))
        };
        if !self.slots.iter().any(waits) || !stage.follows() {
            return;
        }
        for place in (0..self.slots.len()).rev() {
            if !matches!(
                self.slots[place].1,
                GuestSlot::Waiting(_) | GuestSlot::WaitingScore(_)
            ) {
                continue;
            }
            let (age, slot) = self.slots.swap_remove(place);
            self.order_is_old = true;
            match slot {
                GuestSlot::Waiting(mut armed) => {
                    let (id, report) = (armed.0.id, Arc::clone(&armed.0.report));
                    armed.0.terms.ticks = self.ticks.unwrap_or(armed.0.terms.ticks);
                    match armed.enter(stage) {
                        Ok(running) => {
                            self.notify_started(&report);
                            self.watch(id, &report, running.lane_control.lane);
                            self.slots.push((age, GuestSlot::Motion(running)));
                        }
                        Err(spent) => {
                            self.tell(GuestNotice::Spent(spent));
                            self.notify_gone(id, &report, stage);
                        }
                    }
                }
                GuestSlot::WaitingScore(score) => match score.enter(stage) {
                    Ok(score) => {
                        let (id, report) = (score.armed.id, Arc::clone(&score.armed.report));
                        self.notify_started(&report);
                        self.watch(id, &report, score.lane_control.lane);
                        self.slots.push((age, GuestSlot::Score(score)));
                    }
                    Err(score) => {
                        let (id, report) = (score.id, Arc::clone(&score.report));
                        self.tell(GuestNotice::ScoreSpent(score));
                        self.notify_gone(id, &report, stage);
                    }
                },
                other => self.slots.push((age, other)),
            }
        }
    }

    /// In virtual time, waits until every score has sent what it has to send until now. A score that has exceeded the
    /// time is not waited for again.
    fn wait_for_scores(&mut self) {
        let Some(thinking) = self.lockstep else {
            return;
        };
        let until = Clock::now() + thinking;
        for (_, slot) in &mut self.slots {
            let GuestSlot::Score(score) = slot else {
                continue;
            };
            let clock = &score.armed.clock;
            while !score.given_up && clock.is_thinking() {
                std::thread::yield_now();
                score.given_up = Clock::now() > until;
                score.armed.report.set_given_up(score.given_up);
            }
        }
    }

    fn sort(&mut self) {
        if !std::mem::take(&mut self.order_is_old) {
            return;
        }
        self.order.clear();
        self.order.extend((0..self.slots.len()).map(|i| i as u16));
        let key = |place: &u16| {
            let (age, slot) = &self.slots[usize::from(*place)];
            (-slot.priority(), *age)
        };
        self.order.sort_unstable_by(|a, b| {
            let ((a, older), (b, younger)) = (key(a), key(b));
            a.total_cmp(&b).then(older.cmp(&younger))
        });
    }

    /// Calls all guests in order, in the part of the turn that begins with this hook; those that end are taken out
    /// before any is called again.
    fn each(
        &mut self,
        hook: Hook,
        stage: &mut Stage<'_>,
        mut call: impl FnMut(&mut GuestSlot, &mut Stage<'_>, &mut InputLog) -> HookOutcome,
    ) {
        self.sort();
        self.hook_time.begin();
        for at in 0..self.order.len() {
            let place = usize::from(self.order[at]);
            let slot = &mut self.slots[place].1;
            if let GuestSlot::Motion(running) = slot
                && hook == Hook::PostProcess
            {
                running.lane_control.keep_time(stage);
            }
            if let GuestSlot::Motion(running) = slot
                && self
                    .hook_time
                    .passes_over(running, hook, stage, &mut self.inputs)
            {
                continue;
            }
            let before = slot.priority();
            let (inputs, hook_time) = (&mut self.inputs, &mut self.hook_time);
            // A hook that it does not export costs nothing, not even two looks at the clock.
            let called = match slot.exports(hook) {
                true => hook_time.measure(|| call(slot, stage, inputs)),
                false => call(slot, stage, inputs),
            };
            let end = match called {
                HookOutcome::Done => {
                    self.order_is_old |= slot.priority().total_cmp(&before).is_ne();
                    continue;
                }
                HookOutcome::Finished => End::Finished,
                HookOutcome::Failed(end) => end,
            };
            self.ended.push((slot.id(), end));
        }
        for place in 0..self.ended.len() {
            let (id, end) = self.ended[place];
            self.end(id, end, stage);
        }
        self.ended.clear();
    }
}

impl Hooks for GuestScheduler {
    fn pre_process(&mut self, stage: &mut Stage<'_>) {
        self.body.bus.turn(LineTime {
            now: stage.now().nanos(),
            turn: stage.turn(),
        });
        self.inputs.begin();
        self.clear_out(stage);
        self.pause_when_limp(stage);
        self.take_commands(stage);
        self.let_in(stage);
        self.wait_for_scores();
        self.each(Hook::PreProcess, stage, |slot, stage, inputs| match slot {
            GuestSlot::Motion(running) if running.finished => HookOutcome::Finished,
            GuestSlot::Motion(running) if !running.lane_control.is_ignored() => {
                log_cut(running.pre_process(stage), running, inputs)
            }
            GuestSlot::Score(score) => score.play(stage, inputs),
            _ => HookOutcome::Done,
        });
    }

    fn post_process(&mut self, stage: &mut Stage<'_>) {
        // Before guests end: what they moved in this turn counts.
        self.see_arrivals(stage);
        self.each(Hook::PostProcess, stage, |slot, stage, inputs| match slot {
            GuestSlot::Score(score) => score.see(stage),
            GuestSlot::Motion(running) => {
                // One that is ignored is asked all the same whether it is alive: so it can end.
                let called = match running.lane_control.is_ignored() {
                    true => HookOutcome::Done,
                    false => running.post_process(stage),
                };
                let called = match called {
                    HookOutcome::Done => running.is_alive(stage),
                    other => other,
                };
                log_cut(called, running, inputs)
            }
            _ => HookOutcome::Done,
        });
    }
}

/// Logs an interruption by the clock as an input: it does not follow from other inputs.
fn log_cut(called: HookOutcome, running: &RunningGuest, inputs: &mut InputLog) -> HookOutcome {
    if let HookOutcome::Failed(End::TooLong) = called {
        inputs.push(TurnInput::Cut(running.guest.id, running.guest.last));
    }
    called
}
