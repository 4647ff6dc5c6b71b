//! The edge of a turn: pending changes take effect, and lanes that are over are removed.
//! Run once in every turn, before any request is taken in.
//! A removed lane leaves nothing behind, and its handle is stale.

use super::operate::RESUMING;
use super::{LaneSet, STEPS_PER_TURN, Stage};
use crate::bits;
use crate::body::{ActuatorId, Kind};
use crate::event_log::Event;
use crate::lane::{Keep, Life, SilenceTimeout};
use crate::safety::State;
use crate::time::{Instant, Span};

impl Stage<'_> {
    /// Applies pending changes of priorities, weights, fades and endings.
    pub(crate) fn edge(&mut self) {
        let now = self.turn_times.now;
        self.progress.now = now;
        self.skip_lost_time();
        for at in (0..self.open).rev() {
            let place = usize::from(self.order[at]);
            self.edge_of(place, now);
            if self.is_over(place, now) {
                self.free(place);
            }
        }
        self.reorder();
        self.fired = 0;
        self.taken_list.begin();
    }

    /// Moves on what began before a stall: neither a fade nor the way to the safe pose has gone on in it, and no client
    /// was silent.
    fn skip_lost_time(&mut self) {
        let lost = self.lost;
        self.safety.since = self.safety.since + lost;
        for &place in &self.order[..self.open] {
            let cell = &mut self.lanes[usize::from(place)];
            cell.opened_at = cell.opened_at + lost;
            cell.fed_at = cell.fed_at + lost;
            if let Some(Life::Fading(since)) = &mut cell.life {
                *since = *since + lost;
            }
        }
    }

    fn edge_of(&mut self, place: usize, now: Instant) {
        let id = self.id(place);
        let cell = &mut self.lanes[place];
        cell.steps = STEPS_PER_TURN;
        let was_paused = cell.is_paused();
        cell.settings.priority = cell.priority_asked;
        let resumed = was_paused && !cell.is_paused();
        cell.settings.weight = cell.weight_asked;
        let weights_changed = core::mem::take(&mut cell.weights_changed);
        let keep = cell.settings.keep;
        let open = cell.life == Some(Life::Open);
        let quiet_for = now - cell.fed_at;
        if let Some(silence) = cell.settings.silence {
            if open && !cell.silent && quiet_for > silence.after {
                cell.silent = true;
                self.events.note(Event::LaneSilent(id));
                let ended = self.finish(id);
                debug_assert!(ended.is_ok(), "the handle was just made");
            }
            // Only once: the same silence must not stop a body that a person has resumed.
            let cell = &mut self.lanes[place];
            let body_timeout = silence.body_after.is_some_and(|after| quiet_for > after);
            if cell.silent && body_timeout && !cell.body_timed_out {
                cell.body_timed_out = true;
                self.body_timeout = true;
            }
        }
        if resumed {
            self.come_in_again(place, now);
        }
        self.pass_time(place);
        if weights_changed {
            let first = self.timeline_place(place, 0);
            let mut is_back = false;
            for timeline in &mut self.timelines[first..first + self.body.actuators.len()] {
                is_back |= timeline.weight <= 0.0 && timeline.weight_asked > 0.0;
                timeline.weight = timeline.weight_asked;
            }
            if is_back {
                self.lanes[place].resumes_for = RESUMING;
            }
        }
        if keep == Keep::Speeds && self.lanes[place].life == Some(Life::Open) {
            self.let_stand(place);
        }
        if keep == Keep::Release && self.lanes[place].life == Some(Life::Open) {
            for word in 0..bits::words(self.body.actuators.len()) {
                let done =
                    self.set(place, LaneSet::Claims)[word] & !self.set(place, LaneSet::Waits)[word];
                self.set_mut(place, LaneSet::Claims)[word] &= !done;
            }
        }
        if self.lanes[place].life == Some(Life::Holding) {
            self.slow_down(place);
        }
        if self.lanes[place].life == Some(Life::Retreating)
            && bits::is_empty(self.set(place, LaneSet::Waits))
        {
            self.lanes[place].life = Some(Life::Fading(now));
        }
    }

    /// Releases the actuators that have arrived: they keep their value, or other lanes drive them. A wheel is not
    /// released, because it would stop.
    fn let_stand(&mut self, place: usize) {
        for word in 0..bits::words(self.body.actuators.len()) {
            let arrived =
                self.set(place, LaneSet::Claims)[word] & !self.set(place, LaneSet::Waits)[word];
            for actuator in bits::members(word, arrived) {
                // With the limits it may not have arrived yet, or may overshoot: without a target it would coast.
                let track = &self.tracks[actuator];
                let is_there =
                    track.is_at_rest() && track.limited.total_cmp(&track.commanded).is_eq();
                let shared = self.is_shared(self.id(place), ActuatorId(actuator as u16));
                // It has no force, and returns to its value when it has; or it is on its way back there.
                if self.safety.state == State::Running && (track.slack || track.returning) {
                    continue;
                }
                if (is_there || shared) && self.body.actuators[actuator].kind != Kind::Wheel {
                    self.set_member(place, LaneSet::Claims, actuator, false);
                }
            }
        }
    }

    /// Advances the lane's own time, or lets it stand: while the body does not run, or the loop stood still, while a
    /// person has halted the lane, and while the body returns to the lane's values.
    fn pass_time(&mut self, place: usize) {
        let running = self.safety.state == State::Running;
        let cell = &self.lanes[place];
        let halted = cell.halted || !running || self.lost > Span::ZERO;
        let stands = cell.settings.waits && (halted || self.awaits_return(place));
        let elapsed = self.turn_times.now - self.turn_times.before;
        let cell = &mut self.lanes[place];
        cell.stands = stands;
        cell.awaits_return = stands;
        if stands {
            cell.stood += elapsed;
        } else {
            cell.resumes_for = cell.resumes_for.saturating_sub(1);
        }
    }

    /// Whether an actuator that the lane drives still returns to its value.
    fn awaits_return(&self, place: usize) -> bool {
        let comes_back = |actuator: usize| {
            let track = &self.tracks[actuator];
            track.returning && !track.limp
        };
        let drives =
            |word| self.set(place, LaneSet::Claims)[word] | self.set(place, LaneSet::Driven)[word];
        self.lanes[place].awaits_return
            && (0..bits::words(self.body.actuators.len()))
                .any(|word| bits::members(word, drives(word)).any(comes_back))
    }

    /// Fades a paused lane in again, from the body's present values.
    fn come_in_again(&mut self, place: usize, now: Instant) {
        self.lanes[place].opened_at = now;
        self.lanes[place].resumes_for = RESUMING;
        for (actuator, track) in self.tracks.iter().enumerate() {
            let row = place * self.body.actuators.len() + actuator;
            self.timelines[row].from = track.held;
        }
        if self.lanes[place].settings.waits {
            let all = self.tracks.iter_mut().zip(self.body.actuators);
            all.for_each(|(track, actuator)| track.begin_return(actuator.kind));
        }
    }

    /// Starts the time of lanes that were opened before the first turn.
    pub(crate) fn begin(&mut self, now: Instant) {
        for cell in self.lanes.iter_mut() {
            cell.opened_at = now;
            cell.fed_at = now;
        }
    }

    /// Whether the lane has faded out, and the reactions to its silence are done.
    fn is_over(&self, place: usize, now: Instant) -> bool {
        let cell = &self.lanes[place];
        let faded = match cell.life {
            Some(Life::Fading(since)) => now - since >= cell.settings.fade_out,
            _ => false,
        };
        let awaits = |silence: SilenceTimeout| silence.body_after.is_some() && !cell.body_timed_out;
        faded && !(cell.silent && cell.settings.silence.is_some_and(awaits))
    }

    fn free(&mut self, place: usize) {
        let id = self.id(place);
        for actuator in 0..self.body.actuators.len() {
            self.let_go(place, actuator);
        }
        for holder in self
            .holders
            .iter_mut()
            .filter(|holder| **holder == Some(id))
        {
            *holder = None;
        }
        let cell = &mut self.lanes[place];
        cell.life = None;
        cell.generation = cell.generation.wrapping_add(1);
        cell.used = 0;
        self.promised -= cell.settings.room;
        let before = cell.takes_over;
        for &other in &self.order[..self.open] {
            // Who takes over from it takes over from the one before it.
            let cell = &mut self.lanes[usize::from(other)];
            if cell.takes_over == Some(id) {
                cell.takes_over = before;
            }
        }
        if let Some(at) = self.order[..self.open]
            .iter()
            .position(|item| usize::from(*item) == place)
        {
            self.order.copy_within(at + 1..self.open, at);
            self.open -= 1;
        }
        self.events.note(Event::LaneGone(id));
    }

    /// Removes an actuator from a lane: deletes its commands and its claim.
    pub(crate) fn let_go(&mut self, place: usize, actuator: usize) {
        let id = ActuatorId(actuator as u16);
        let (timeline, mut waiting) = self.timeline(place, actuator);
        let freed = timeline.chain.len();
        timeline.clear(id, &mut waiting);
        timeline.look(id, &waiting);
        self.lanes[place].used -= freed.min(self.lanes[place].used);
        for set in LaneSet::ALL {
            self.set_member(place, set, actuator, false);
        }
    }

    /// Sorts the lanes: higher priority first; among equals the older first.
    pub(crate) fn reorder(&mut self) {
        let lanes = &*self.lanes;
        let rank = |place: &u16| {
            let cell = &lanes[usize::from(*place)];
            (cell.settings.priority, cell.age)
        };
        // Nearly always sorted already, which takes one pass.
        self.order[..self.open].sort_unstable_by(|a, b| {
            let ((a, older), (b, younger)) = (rank(a), rank(b));
            b.total_cmp(&a).then(older.cmp(&younger))
        });
    }
}
