//! The short way of commands for one actuator each: what nearly all commands of guests are, hundreds in a turn.
//! Called by hooks, when their commands are flushed; whatever is not simply appended goes the general way of `intake`.
//! It does exactly what the general way does with one command after the other.

use super::lane_cell::LaneCell;
use super::{LaneSet, SETS_OF_LANE, Stage};
use crate::bits;
use crate::body::{Actuator, ActuatorId, GroupId, Kind};
use crate::command::{Command, CommandSet, Merge, REACH, Receipt, Refusal, Request, Ticket, To};
use crate::event_log::Event;
use crate::lane::{LaneId, Life, WAITING_MAX};
use crate::pool::Pool;
use crate::taken::TakenList;
use crate::time::Instant;
use crate::timeline::Timeline;
use crate::track::{Clip, Track};

/// A command for one actuator, and how it is merged.
pub type PartCommand = (ActuatorId, Merge, Command);

/// What became of commands that were offered one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartCounts {
    /// How many were taken.
    pub taken: u32,
    /// How many of them came after their instant.
    pub late: u32,
    /// How many values were clipped to their range.
    pub clipped: u32,
}

impl PartCounts {
    /// Adds those of a request.
    pub fn add(&mut self, receipt: &Receipt) {
        self.taken += receipt.taken;
        self.late += receipt.late;
        self.clipped += receipt.clipped;
    }
}

impl Stage<'_> {
    /// Offers commands one after the other, each as a part of `whole` (see `offer_part`).
    ///
    /// # Errors
    /// A [`Refusal`] of the command that `commands` has given last; those before it are taken and counted.
    #[inline]
    pub fn offer_each(
        &mut self,
        lane: LaneId,
        whole: Option<Ticket>,
        commands: &mut impl Iterator<Item = PartCommand>,
        counts: &mut PartCounts,
    ) -> Result<(), Refusal> {
        while let Some((actuator, merge, command)) = self.append_each(lane, whole, commands, counts)
        {
            let request = Request {
                to: To::One(actuator),
                merge,
                commands: CommandSet::Same(&[command]),
            };
            counts.add(&self.offer_part(lane, &request, whole)?);
        }
        Ok(())
    }

    /// Takes commands as long as their place is behind all that wait, or as they replace all of them. Returns the first
    /// that needs the general way, with nothing changed for it.
    #[inline]
    fn append_each(
        &mut self,
        lane: LaneId,
        whole: Option<Ticket>,
        commands: &mut impl Iterator<Item = PartCommand>,
        counts: &mut PartCounts,
    ) -> Option<PartCommand> {
        let now = self.turn_times.now;
        let Some(mut appender) = Appender::new(self, lane, whole) else {
            return commands.next();
        };
        let long = loop {
            let Some(command) = commands.next() else {
                break None;
            };
            if !appender.append(command) {
                break Some(command);
            }
            // Without a whole, each is a request of its own.
            appender.ticket.0 = appender.ticket.0.wrapping_add(u32::from(whole.is_none()));
        };
        let Appender {
            cell,
            receipt,
            ticket,
            until,
            ..
        } = appender;
        if receipt.taken == 0 {
            return long;
        }
        cell.fed_at = now;
        self.events.note_times(Event::Late(lane), receipt.late);
        counts.add(&receipt);
        match whole {
            Some(_) => _ = self.progress.extend(&receipt, until),
            None => self.next_ticket = ticket.0,
        }
        long
    }
}

/// What appending needs of a lane. What is the same for all commands is looked up once: this is most of what a guest
/// costs a turn.
struct Appender<'s, 'm> {
    lane: LaneId,
    now: Instant,
    actuators: &'m [Actuator<'m>],
    cell: &'s mut LaneCell<'m>,
    timelines: &'s mut [Timeline],
    tracks: &'s mut [Track],
    waits: &'s mut [u64],
    claims: &'s mut [u64],
    holders: &'s [Option<LaneId>],
    pool: &'s mut Pool<'m>,
    taken_list: &'s mut TakenList<'m>,
    /// Whether a command may replace those that wait, without anybody to be told.
    replaces: bool,
    ticket: Ticket,
    receipt: Receipt,
    /// The instant of the last command.
    until: Instant,
}

impl<'s, 'm> Appender<'s, 'm> {
    /// `None` if the lane takes no commands.
    #[inline]
    fn new(
        stage: &'s mut Stage<'m>,
        lane: LaneId,
        whole: Option<Ticket>,
    ) -> Option<Appender<'s, 'm>> {
        let place = usize::from(lane.place);
        let actuators = stage.body.actuators;
        let (many, words) = (actuators.len(), bits::words(actuators.len()));
        let sets = place * SETS_OF_LANE * words;
        let set = |set: LaneSet| sets + set as usize * words..sets + (set as usize + 1) * words;
        let sets = [set(LaneSet::Waits), set(LaneSet::Claims)];
        let [waits, claims] = stage.words.get_disjoint_mut(sets).ok()?;
        let cell = stage.lanes.get_mut(place)?;
        if cell.life != Some(Life::Open) || cell.generation != lane.generation {
            return None;
        }
        let now = stage.turn_times.now.before(cell.stood);
        let ticket = whole.unwrap_or(Ticket(stage.next_ticket));
        let is_followed = whole.is_some() || stage.progress.follows_any();
        Some(Appender {
            lane,
            now,
            actuators,
            replaces: !(cell.settings.follows && is_followed),
            cell,
            timelines: stage.timelines.get_mut(place * many..(place + 1) * many)?,
            tracks: stage.tracks.get_mut(..many)?,
            waits,
            claims,
            holders: stage.holders,
            pool: &mut stage.pool,
            taken_list: &mut stage.taken_list,
            ticket,
            receipt: Receipt {
                ticket,
                taken: 0,
                late: 0,
                clipped: 0,
                left_alone: 0,
                followed: false,
            },
            until: now,
        })
    }

    /// Takes a command; false, with nothing changed, if it needs the general way.
    #[inline]
    fn append(&mut self, (actuator, merge, command): PartCommand) -> bool {
        let index = actuator.index();
        let (Some(described), Some(timeline), Some(track)) = (
            self.actuators.get(index),
            self.timelines.get_mut(index),
            self.tracks.get_mut(index),
        ) else {
            return false;
        };
        let holds = |group: GroupId| {
            self.holders.get(usize::from(group.0)).copied().flatten() == Some(self.lane)
        };
        if self.cell.steps == 0
            || !command.value.is_finite()
            || command.at.distance(self.now) > REACH
            || !described.group.is_none_or(holds)
        {
            return false;
        }
        let mut freed = 0;
        if timeline.waiting != 0 {
            match freed_by(timeline, self.pool, merge, command.at) {
                Some(0) => {}
                Some(all) if self.replaces => freed = all,
                _ => return false,
            }
        }
        if self.cell.used - freed >= self.cell.settings.room {
            return false;
        }
        self.cell.steps -= 1;
        self.cell.used = self.cell.used - freed + 1;
        if freed > 0 {
            self.pool.clear(&mut timeline.chain);
        }
        let taken = Command {
            at: command.at,
            value: described.range.clamp(command.value),
        };
        let placed = self.pool.append(&mut timeline.chain, taken, self.ticket);
        debug_assert!(placed, "the pool has no room for a reserved command");
        timeline.waiting = timeline.chain.len();
        if timeline.waiting == 1 {
            timeline.aim_at(taken);
        }
        let clipped = u32::from(taken.value.to_bits() != command.value.to_bits());
        track.clips[Clip::Position as usize] += u64::from(clipped);
        let asked = Command {
            at: command.at + self.cell.stood,
            ..command
        };
        self.taken_list
            .note(self.lane, actuator, merge, asked, taken.value);
        // The lane has commands for the actuator, and drives it from now on: what `claim` does.
        let (word, bit) = (index / 64, 1 << (index % 64));
        self.waits[word] |= bit;
        if self.claims[word] & bit == 0 {
            timeline.take_up(track.held);
            let is_driven = described.kind != Kind::Trigger;
            self.claims[word] |= if is_driven { bit } else { 0 };
        }
        self.receipt.taken += 1;
        self.receipt.late += u32::from(command.at < self.now);
        self.receipt.clipped += clipped;
        self.until = self.until.max(command.at);
        true
    }
}

/// How many waiting commands a command at this instant replaces: none, or all of them. `None` if it replaces some, or
/// if its place is between others.
fn freed_by(timeline: &Timeline, pool: &Pool<'_>, merge: Merge, at: Instant) -> Option<u32> {
    let chained = timeline.chain.len();
    // What waits in trajectories is not in the chain.
    if timeline.waiting != chained || chained >= WAITING_MAX {
        return None;
    }
    match merge {
        Merge::Merge if pool.last_at(&timeline.chain)? <= at => Some(0),
        Merge::ClearAll => Some(chained),
        _ => None,
    }
}
