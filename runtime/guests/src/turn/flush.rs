//! Between a guest and the stage: prepares what a hook may see, and flushes its command buffer to the stage.
//! Called around every hook, inside the turn.
//! What was answered with `done` is done. What the stage has no time or room for in this turn stays in the
//! buffer, in its order, and is tried again in the next.

use std::iter;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use cycle::{
    ActuatorId, Command, CommandSet, Gains, Instant, LaneId, Merge, PartCommand, Refusal, Request,
    Stage, Ticket, To,
};

use crate::host::{CallCounts, Host};
use crate::shared::answer::HostAnswer;
use crate::shared::command_buffer::{CommandBuffer, ITEMS, Item};
use crate::shared::report::FlushSummary;
use crate::shared::terms::GuestId;

/// Prepares what a hook may see and use.
pub(crate) fn prepare(host: &mut Host, stage: &Stage<'_>, lane: LaneId, counts_waiting: bool) {
    host.counts = CallCounts::default();
    host.body_state = stage.state();
    host.hidden = stage
        .overridden(lane)
        .is_ok_and(|mut overridden| overridden.next().is_some());
    let shared = &host.shared;
    shared.set_now(stage.time_of(lane).nanos());
    shared.turn.store(stage.turn(), Relaxed);
    let waits = host.queued();
    let room = stage.room(lane) as usize;
    // Items that are left from the last turn need their room as well.
    let (end, full) = if room < ITEMS {
        (room.max(waits), HostAnswer::Full)
    } else {
        (ITEMS, HostAnswer::TooMuch)
    };
    host.free(waits, end - waits);
    shared.full.store(full.number(), Relaxed);
    if stage.has_groups() {
        judge_groups(host, stage, lane);
    }
    if counts_waiting {
        for (place, waiting) in host.waiting.iter_mut().enumerate() {
            *waiting = stage.waiting(lane, actuator(place as u32));
        }
    }
    host.requests.update(|ticket| stage.progress(ticket));
    point_to(host, host.body.window.sensors());
}

/// Sets where compiled code finds the sensors and the verdicts.
pub(crate) fn point_to(host: &Host, sensors: &[AtomicU64]) {
    let sensors = if sensors.is_empty() {
        &*host.snapshot
    } else {
        sensors
    };
    let shared = &host.shared;
    shared.sensors.set(address(sensors), sensors.len());
    let actuators = host.body.actuators.len();
    shared.verdicts.set(address(&host.verdicts), actuators);
}

/// The address of words that compiled code will read.
fn address(words: &[AtomicU64]) -> u64 {
    words.as_ptr().expose_provenance() as u64
}

/// Whether others hold the exclusive groups of what this guest may drive.
fn judge_groups(host: &Host, stage: &Stage<'_>, lane: LaneId) {
    let forbidden = HostAnswer::Forbidden.number();
    let actuators = host.body.actuators.len();
    for (place, verdict) in host.verdicts.iter().take(actuators).enumerate() {
        if verdict.load(Relaxed) == forbidden {
            continue;
        }
        let taken = stage.is_taken(lane, actuator(place as u32));
        let answer = if taken {
            HostAnswer::Taken
        } else {
            HostAnswer::Done
        };
        verdict.store(answer.number(), Relaxed);
    }
}

/// Flushes the command buffer to the stage.
pub(crate) fn flush(
    host: &mut Host,
    (by, lane): (GuestId, LaneId),
    stage: &mut Stage<'_>,
) -> FlushSummary {
    let mut summary = FlushSummary {
        refused: std::mem::take(&mut host.counts.refused),
        ..FlushSummary::default()
    };
    let queued = host.queued();
    let (mut place, mut kept) = (0, 0);
    while place < queued {
        // Nearly all items are commands.
        if kept == 0 {
            place = send_queued(host, place..queued, lane, stage, &mut summary, &mut kept);
            if place == queued {
                break;
            }
        }
        let words = host.buffer.get(place);
        place += 1;
        let fate = match Item::of(words) {
            Some(Item::Command { .. }) => ItemFate::Kept,
            Some(Item::Begin { .. }) if kept > 0 => ItemFate::Kept,
            Some(Item::Post { topic, value }) => {
                host.body.bus.post(topic, value, by);
                ItemFate::Done
            }
            Some(Item::Clear { of }) => {
                // It takes effect at once: commands for that actuator that are left here are dropped as well.
                kept = drop_kept(
                    host,
                    kept,
                    |_, item| matches!(item, Item::Command { to, .. } if to == of),
                );
                apply(Item::Clear { of }, None, lane, stage, &mut summary)
            }
            Some(Item::Cancel { request }) => {
                kept = drop_kept(host, kept, |of, item| {
                    let is_part = matches!(item, Item::Command { .. } | Item::Begin { .. });
                    of == request && is_part
                });
                host.requests.cancel_unbegun(request);
                cancel(host, request, lane, stage)
            }
            Some(Item::Begin { request }) => begin(host, request, lane, stage),
            Some(gains @ Item::Gains { .. }) => {
                let next = Item::of(host.buffer.get(place));
                apply(gains, next, lane, stage, &mut summary)
            }
            Some(item) => apply(item, None, lane, stage, &mut summary),
            None => ItemFate::Done,
        };
        if fate == ItemFate::Kept {
            host.buffer.put(kept, words);
            kept += 1;
        }
    }
    count_kept(host, kept);
    summary.deferred = kept as u32;
    summary.full = host.shared.free.count() == 0 && queued > 0;
    host.free(kept, 0);
    summary
}

/// Drops items among those that are kept, by the request that they belong to; the number of those left.
fn drop_kept(host: &Host, kept: usize, is_dropped: impl Fn(u32, Item) -> bool) -> usize {
    let (mut left, mut request) = (0, host.requests.current().0);
    for place in 0..kept {
        let words = host.buffer.get(place);
        let item = Item::of(words);
        if let Some(Item::Begin { request: begun }) = item {
            request = begun;
        }
        if item.is_none_or(|item| !is_dropped(request, item)) {
            host.buffer.put(left, words);
            left += 1;
        }
    }
    left
}

/// Counts the commands that are kept, for the requests that they belong to.
fn count_kept(host: &mut Host, kept: usize) {
    host.requests.forget_kept();
    let mut request = host.requests.current().0;
    for place in 0..kept {
        match Item::of(host.buffer.get(place)) {
            Some(Item::Begin { request: begun }) => request = begun,
            Some(Item::Command { .. }) => host.requests.keep(request),
            _ => {}
        }
    }
}

/// Begins a request: the commands that follow belong to it.
fn begin(host: &mut Host, request: u32, lane: LaneId, stage: &mut Stage<'_>) -> ItemFate {
    if let Some(old) = host.requests.take_old(request) {
        stage.forget_request(old);
    }
    // The lane is there: this guest has opened it.
    host.requests.begun(request, stage.begin_request(lane).ok());
    ItemFate::Done
}

/// Cancels a request; one that the loop has not begun has nothing there.
fn cancel(host: &Host, request: u32, lane: LaneId, stage: &mut Stage<'_>) -> ItemFate {
    match host.requests.ticket(request) {
        Some(ticket) => match stage.cancel_charged(lane, ticket) {
            Err(Refusal::Busy { .. }) => ItemFate::Kept,
            _ => ItemFate::Done,
        },
        None => ItemFate::Done,
    }
}

/// What became of an item.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum ItemFate {
    /// It is done, or refused and counted.
    Done,
    /// It waits for the next turn.
    Kept,
}

/// Applies one item; gains have their weight in the next.
pub(crate) fn apply(
    item: Item,
    next: Option<Item>,
    lane: LaneId,
    stage: &mut Stage<'_>,
    summary: &mut FlushSummary,
) -> ItemFate {
    let done = match item {
        Item::Command {
            to,
            value,
            at,
            merge,
        } => {
            let mut one = iter::once(part((to, merge, value, at)));
            return send(&mut one, None, lane, stage, summary);
        }
        Item::Clear { of } => match clear(lane, of, stage, summary) {
            Err(Refusal::Busy { .. }) => return ItemFate::Kept,
            other => other,
        },
        Item::Drive { to, value, weight } => stage.drive(lane, actuator(to), value, weight),
        Item::Gains { of, p, i, d } => match next {
            Some(Item::GainsWeight { weight }) => {
                stage.set_gains(lane, actuator(of), Gains { p, i, d }, weight)
            }
            _ => Ok(()),
        },
        Item::Priority { priority } => {
            summary.priority = Some(priority);
            Ok(())
        }
        Item::Weight { weight } => stage
            .set_weight(lane, weight)
            .inspect(|()| summary.weight = Some(weight)),
        Item::WeightOn { of, weight } => stage.set_weight_on(lane, actuator(of), weight),
        Item::Finish => {
            summary.finished = true;
            Ok(())
        }
        // The first is applied together with its gains, the others by the caller, who has the bus and the requests.
        Item::GainsWeight { .. } | Item::Post { .. } | Item::Begin { .. } | Item::Cancel { .. } => {
            Ok(())
        }
    };
    summary.refused += u32::from(done.is_err());
    ItemFate::Done
}

/// Sends commands, as parts of this request, until one is kept: the last that was given.
fn send(
    commands: &mut impl Iterator<Item = PartCommand>,
    whole: Option<Ticket>,
    lane: LaneId,
    stage: &mut Stage<'_>,
    summary: &mut FlushSummary,
) -> ItemFate {
    loop {
        match stage.offer_each(lane, whole, commands, &mut summary.counts) {
            Ok(()) => return ItemFate::Done,
            Err(Refusal::Busy { .. } | Refusal::Full { .. } | Refusal::LaneFull { .. }) => {
                return ItemFate::Kept;
            }
            Err(_) => summary.refused += 1,
        }
    }
}

/// Sends the commands at the beginning of these places of the buffer. Returns the place behind them; one that is kept
/// is the last.
fn send_queued(
    host: &Host,
    places: Range<usize>,
    lane: LaneId,
    stage: &mut Stage<'_>,
    summary: &mut FlushSummary,
    kept: &mut usize,
) -> usize {
    let buffer = &host.buffer;
    let mut commands = QueuedCommands { buffer, places };
    let whole = host.requests.current().1;
    if send(&mut commands, whole, lane, stage, summary) == ItemFate::Kept {
        buffer.put(*kept, buffer.get(commands.places.start - 1));
        *kept += 1;
    }
    commands.places.start
}

/// Those of a buffer, up to the next item that is none.
struct QueuedCommands<'b> {
    buffer: &'b CommandBuffer,
    places: Range<usize>,
}

impl Iterator for QueuedCommands<'_> {
    type Item = PartCommand;

    #[inline]
    fn next(&mut self) -> Option<PartCommand> {
        if self.places.is_empty() {
            return None;
        }
        let command = Item::command(self.buffer.get(self.places.start))?;
        self.places.start += 1;
        Some(part(command))
    }
}

#[inline]
fn part((to, merge, value, at): (u32, Merge, f64, u64)) -> PartCommand {
    let at = Instant::from_nanos(at);
    (actuator(to), merge, Command { at, value })
}

/// Deletes all that wait for an actuator.
fn clear(
    lane: LaneId,
    of: u32,
    stage: &mut Stage<'_>,
    summary: &mut FlushSummary,
) -> Result<(), Refusal> {
    let request = Request {
        to: To::One(actuator(of)),
        merge: Merge::ClearAll,
        commands: CommandSet::Same(&[]),
    };
    let receipt = stage.offer_part(lane, &request, None)?;
    summary.counts.add(&receipt);
    Ok(())
}

fn actuator(number: u32) -> ActuatorId {
    ActuatorId(u16::try_from(number).unwrap_or(u16::MAX))
}
