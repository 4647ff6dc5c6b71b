//! Samples every lane's value for every actuator with waiting commands, and fires triggers that are due.
//! Run once in every turn, after the hooks and before the blend.
//! A lane executes no more commands in a turn than its steps allow; the rest waits, and is counted.

use super::{LaneSet, Stage};
use crate::bits;
use crate::body::{ActuatorId, Kind};
use crate::command::Command;
use crate::event_log::{Event, EventKind};
use crate::frame::Fire;
use crate::safety::State;
use crate::timeline::{Due, TurnTimes, Waiting};

impl Stage<'_> {
    /// Samples every lane's value for every actuator with waiting commands.
    pub(crate) fn sample(&mut self) {
        let words = bits::words(self.body.actuators.len());
        for at in 0..self.open {
            let place = usize::from(self.order[at]);
            let turn_times = self.lane_times(place);
            for word in 0..words {
                let waits = self.set(place, LaneSet::Waits)[word];
                if waits != 0 {
                    self.sample_word(place, (word, waits), turn_times);
                }
            }
        }
    }

    /// Samples those of 64 actuators that have waiting commands in a lane.
    fn sample_word(&mut self, place: usize, (word, waits): (usize, u64), turn_times: TurnTimes) {
        let first = self.timeline_place(place, word * 64);
        let timelines = &mut self.timelines[first..];
        let mut due = 0;
        // Mostly those that wait lie in a row: these need no search for the next bit.
        let row = waits.trailing_ones();
        for (member, timeline) in timelines[..row as usize].iter_mut().enumerate() {
            due |= u64::from(!timeline.glide(turn_times.now)) << member;
        }
        for member in bits::members(0, waits & !row_mask(row)) {
            due |= u64::from(!timelines[member].glide(turn_times.now)) << member;
        }
        if due != 0 {
            self.sample_due(place, (word, due), turn_times);
        }
    }

    /// Samples those that do not just move along their lines.
    fn sample_due(&mut self, place: usize, (word, due): (usize, u64), turn_times: TurnTimes) {
        let first = self.timeline_place(place, word * 64);
        if self.lanes[place].used > due.count_ones() {
            self.touch_following(first, due);
        }
        let (mut arrived, mut at_once) = (0, 0);
        for actuator in bits::members(word, due) {
            let timeline = &mut self.timelines[first + actuator % 64];
            let cell = &mut self.lanes[place];
            let is_trigger = self.body.actuators[actuator].kind == Kind::Trigger;
            let ticket = match is_trigger || cell.steps == 0 {
                true => None,
                // One command is due: a point of a line, or what was sent for now.
                false => timeline.reach(turn_times, &mut self.pool),
            };
            let Some(ticket) = ticket else {
                self.sample_one(place, actuator, turn_times);
                continue;
            };
            cell.steps -= 1;
            cell.used -= 1;
            if timeline.waiting == 0 {
                arrived |= 1 << (actuator % 64);
                if timeline.was_under_way() {
                    let event = Event::Arrived(self.id(place), ActuatorId(actuator as u16));
                    self.events.note(event);
                } else {
                    at_once += 1;
                }
            }
            if self.progress.follows_any() {
                self.progress.follows = self.has_effect(actuator);
                self.progress.note_due(ticket);
            }
        }
        self.set_mut(place, LaneSet::Waits)[word] &= !arrived;
        // What was sent for now, turn after turn, is no arrival that anybody waits for: it would fill the log.
        self.events.count_only(EventKind::Arrived, at_once);
    }

    /// Looks at what follows on the lines that end: all at once, so that memory brings one while it is asked for the
    /// next.
    fn touch_following(&self, first: usize, due: u64) {
        let following = |member: usize| self.pool.touch(&self.timelines[first + member].chain);
        let all = bits::members(0, due).map(following);
        core::hint::black_box(all.fold(0, |sum, item| sum ^ item));
    }

    /// Whether what is executed now has an effect: lights always follow, joints while they have force.
    fn has_effect(&self, actuator: usize) -> bool {
        let has_force = self.safety.state == State::Running && !self.tracks[actuator].slack;
        self.body.actuators[actuator].kind == Kind::Light || has_force
    }

    /// Nothing waits for the actuator any more.
    fn arrived(&mut self, place: usize, actuator: usize, waited: bool) {
        let event = Event::Arrived(self.id(place), ActuatorId(actuator as u16));
        if waited {
            self.events.note(event);
        } else {
            self.events.count_only(EventKind::Arrived, 1);
        }
        self.set_member(place, LaneSet::Waits, actuator, false);
    }

    #[cold]
    fn sample_one(&mut self, place: usize, actuator: usize, turn_times: TurnTimes) {
        let actuators = self.body.actuators.len();
        let id = ActuatorId(actuator as u16);
        self.progress.follows = self.has_effect(actuator);
        let described = &self.body.actuators[actuator];
        let cell = &mut self.lanes[place];
        let timeline = &mut self.timelines[place * actuators + actuator];
        let waiting = Waiting {
            pool: &mut self.pool,
            trajectories: &mut cell.trajectories,
            is_followed: cell.settings.follows,
            progress: &mut self.progress,
        };
        let chained = timeline.chain.len();
        let stood = cell.stood;
        let silent = cell.settings.priority < 0.0 || self.safety.state != State::Running;
        let (fires, fired) = (&mut *self.fires, &mut self.fired);
        let mut fire = |command: Command| {
            // Triggers of a paused lane, or of a body that does not run, do not fire.
            silent || {
                let counts = described.calibration.counts(command.value, described.range);
                post(
                    fires,
                    fired,
                    Fire {
                        actuator: id,
                        counts,
                        at: command.at + stood,
                    },
                )
            }
        };
        let is_trigger = described.kind == Kind::Trigger;
        let due = if is_trigger {
            Due::Fire(&mut fire)
        } else {
            Due::Reach
        };
        let sampled = timeline.sample(turn_times, id, waiting, due, &mut cell.steps);
        if sampled.executed == 0 && !sampled.deferred {
            return;
        }
        cell.used -= chained - timeline.chain.len();
        let arrived = timeline.waiting == 0;
        let waited = arrived && timeline.was_under_way();
        let lane = self.id(place);
        let passed_over = if is_trigger {
            0
        } else {
            sampled.executed.saturating_sub(1)
        };
        self.events
            .note_times(Event::Skipped(lane, id), passed_over);
        if is_trigger && !silent {
            self.events.note_times(Event::Fired(id), sampled.executed);
        }
        if sampled.deferred {
            self.events.note(Event::Deferred(lane, id));
        }
        if arrived {
            self.arrived(place, actuator, waited);
        }
    }
}

/// So many of the lowest bits.
fn row_mask(bits: u32) -> u64 {
    u64::MAX.checked_shr(64 - bits).unwrap_or(0)
}

/// Inserts a fire by time; false if there is no room.
fn post(fires: &mut [Fire], fired: &mut usize, fire: Fire) -> bool {
    if *fired >= fires.len() {
        return false;
    }
    let at = fires[..*fired].partition_point(|item| item.at <= fire.at);
    fires.copy_within(at..*fired, at + 1);
    fires[at] = fire;
    *fired += 1;
    true
}
