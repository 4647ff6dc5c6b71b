//! Opens and ends lanes, sets their weights and priorities, and takes their heartbeats.
//! Called by clients and hooks through the stage.
//! Every call checks the handle, and changes of the blend take effect at the next edge.

use super::operate::RESUMING;
use super::{LaneSet, STEPS_PER_TURN, Stage};
use crate::bits;
use crate::body::{Actuator, ActuatorId, Kind};
use crate::command::{Command, Refusal};
use crate::event_log::Event;
use crate::lane::{Ending, LaneId, LaneSettings, Life};
use crate::time::{Instant, Span};
use crate::timeline::Timeline;

/// Why a lane was not opened. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LaneError {
    /// All places for lanes are in use.
    TableFull,
    /// The pool cannot reserve so many commands.
    NoRoom {
        /// How many commands it can reserve.
        room: u32,
    },
    /// The priority is infinite or not a number.
    Priority,
    /// The weight is negative, infinite or not a number.
    Weight,
}

impl Stage<'_> {
    /// Opens a lane. Among lanes of equal priority it goes last.
    ///
    /// # Errors
    /// [`LaneError`], with nothing changed.
    pub fn open(&mut self, settings: LaneSettings) -> Result<LaneId, LaneError> {
        if !settings.priority.is_finite() {
            return Err(LaneError::Priority);
        }
        if !is_weight(settings.weight) {
            return Err(LaneError::Weight);
        }
        let room = self.pool.capacity() - self.promised;
        if settings.room > room {
            return Err(LaneError::NoRoom { room });
        }
        let place = self.lanes.iter().position(|cell| cell.life.is_none());
        let place = place.ok_or(LaneError::TableFull)?;
        let id = LaneId {
            place: u16::try_from(place).map_err(|_| LaneError::TableFull)?,
            generation: self.lanes[place].generation,
        };
        let cell = &mut self.lanes[place];
        cell.life = Some(Life::Open);
        cell.settings = settings;
        cell.priority_asked = settings.priority;
        cell.weight_asked = settings.weight;
        cell.age = self.next_age;
        cell.opened_at = self.turn_times.now;
        cell.fed_at = self.turn_times.now;
        cell.silent = false;
        cell.body_timed_out = false;
        cell.steps = STEPS_PER_TURN;
        cell.was_overridden = false;
        cell.stood = Span::ZERO;
        cell.stands = false;
        cell.halted = false;
        cell.awaits_return = false;
        cell.resumes_for = 0;
        cell.takes_over = None;
        let actuators = self.body.actuators.len();
        self.timelines[place * actuators..(place + 1) * actuators].fill(Timeline::IDLE);
        self.next_age += 1;
        self.promised += settings.room;
        self.order[self.open] = id.place;
        self.open += 1;
        self.reorder();
        self.events.note(Event::LaneOpened(id));
        Ok(id)
    }

    /// Ends a lane in the way that its settings declare.
    ///
    /// # Errors
    /// [`Refusal::NoLane`] for a stale handle.
    pub fn finish(&mut self, lane: LaneId) -> Result<(), Refusal> {
        let ending = self.lane(lane)?.settings.ending;
        self.end(lane, ending)
    }

    /// Ends a lane in this way. End a holding lane once more to release it.
    ///
    /// # Errors
    /// [`Refusal::NoLane`] for a stale handle.
    pub fn end(&mut self, lane: LaneId, ending: Ending) -> Result<(), Refusal> {
        let now = self.turn_times.now;
        self.lane(lane)?;
        let place = usize::from(lane.place);
        if matches!(self.lanes[place].life, Some(Life::Fading(_))) {
            return Ok(());
        }
        self.events.note(Event::LaneEnding(lane));
        let life = match ending {
            Ending::Release => {
                self.keep_directs(place);
                Life::Fading(now)
            }
            Ending::Hold => {
                self.quiet(place, |_| None);
                self.begin_to_hold(place);
                Life::Holding
            }
            Ending::SafePose(span) => {
                let at = self.lane_times(place).now + span;
                let pose =
                    |actuator: &Actuator<'_>| actuator.safe.map(|value| Command { at, value });
                self.quiet(place, pose);
                Life::Retreating
            }
        };
        self.lanes[place].life = Some(life);
        Ok(())
    }

    /// Replaces all waiting commands of a lane by at most one for each actuator that it drives.
    fn quiet(&mut self, place: usize, then: impl Fn(&Actuator<'_>) -> Option<Command>) {
        let actuators = self.body.actuators.len();
        for actuator in 0..actuators {
            let driven = bits::holds(self.set(place, LaneSet::Driven), actuator)
                || bits::holds(self.set(place, LaneSet::Claims), actuator)
                || bits::holds(self.set(place, LaneSet::Waits), actuator);
            if !driven {
                continue;
            }
            let id = ActuatorId(actuator as u16);
            let described = &self.body.actuators[actuator];
            let held = self.tracks[actuator].held;
            let (timeline, mut waiting) = self.timeline(place, actuator);
            timeline.clear(id, &mut waiting);
            timeline.look(id, &waiting);
            timeline.take_up(held);
            let command = (described.kind != Kind::Trigger)
                .then(|| then(described))
                .flatten();
            if let Some(command) = command {
                timeline.wait_for(command);
            }
            self.set_member(place, LaneSet::Waits, actuator, command.is_some());
            self.set_member(
                place,
                LaneSet::Claims,
                actuator,
                described.kind != Kind::Trigger,
            );
        }
        self.lanes[place].used = 0;
        // Direct outputs of this turn must not override the held values.
        self.set_mut(place, LaneSet::Directs).fill(0);
        self.set_mut(place, LaneSet::Gains).fill(0);
    }

    /// Lets the actuators of a lane that holds them from now on come to rest.
    fn begin_to_hold(&mut self, place: usize) {
        for word in 0..bits::words(self.body.actuators.len()) {
            for actuator in bits::members(word, self.set(place, LaneSet::Claims)[word]) {
                self.tracks[actuator].stopping = !self.tracks[actuator].is_at_rest();
            }
        }
        self.slow_down(place);
    }

    /// While an actuator of a lane that holds it comes to rest, the lane's value is where it is.
    pub(super) fn slow_down(&mut self, place: usize) {
        for word in 0..bits::words(self.body.actuators.len()) {
            for actuator in bits::members(word, self.set(place, LaneSet::Claims)[word]) {
                if !self.tracks[actuator].stopping {
                    continue;
                }
                if self.is_shared(self.id(place), ActuatorId(actuator as u16)) {
                    self.tracks[actuator].stopping = false;
                    continue;
                }
                let row = self.timeline_place(place, actuator);
                let kind = self.body.actuators[actuator].kind;
                self.timelines[row].take_up(self.tracks[actuator].stay(kind));
            }
        }
    }

    /// Keeps what a lane has driven directly while it fades out, although it is not set again.
    fn keep_directs(&mut self, place: usize) {
        for word in 0..bits::words(self.body.actuators.len()) {
            let kept =
                self.set(place, LaneSet::Driven)[word] & !self.set(place, LaneSet::Claims)[word];
            self.set_mut(place, LaneSet::Directs)[word] |= kept;
            let kept = self.set(place, LaneSet::LastGains)[word];
            self.set_mut(place, LaneSet::Gains)[word] |= kept;
        }
    }

    /// Halts or resumes the lane's time, if the lane is one that waits.
    ///
    /// # Errors
    /// [`Refusal::NoLane`] for a stale handle.
    pub fn halt(&mut self, lane: LaneId, halted: bool) -> Result<(), Refusal> {
        let cell = self.lane_mut(lane)?;
        if cell.halted && !halted {
            cell.resumes_for = RESUMING;
        }
        cell.halted = halted;
        Ok(())
    }

    /// The lane takes over the work of `other`, which is about to end: it has the time of it, and while one fades in
    /// and the other out, the two cover as much as one of them.
    ///
    /// # Errors
    /// [`Refusal::NoLane`] for a stale handle.
    pub fn take_over(&mut self, lane: LaneId, other: LaneId) -> Result<(), Refusal> {
        let older = self.lane(other)?;
        let (stood, age) = (older.stood, older.age);
        let cell = self.lane_mut(lane)?;
        cell.stood = stood;
        // Only from an older one, so that no two take over from one another.
        cell.takes_over = (age < cell.age).then_some(other);
        Ok(())
    }

    /// The instant of this turn in the lane's own time, which stands while the body does not follow the lane; the
    /// robot's time if there is no such lane.
    pub fn time_of(&self, lane: LaneId) -> Instant {
        let stood = self.lane(lane).map_or(Span::ZERO, |lane| lane.stood);
        self.turn_times.now.before(stood)
    }

    /// The instant of the previous turn in the lane's own time.
    pub fn time_before(&self, lane: LaneId) -> Instant {
        match self.lane(lane) {
            Ok(_) => self.lane_times(usize::from(lane.place)).before,
            Err(_) => self.turn_times.before,
        }
    }

    /// Takes a heartbeat of the lane's client: its [`SilenceTimeout`](crate::SilenceTimeout) begins again.
    /// Every accepted request is one too.
    ///
    /// # Errors
    /// [`Refusal::NoLane`] for a stale handle.
    pub fn feed(&mut self, lane: LaneId) -> Result<(), Refusal> {
        let now = self.turn_times.now;
        self.lane_mut(lane)?.fed_at = now;
        Ok(())
    }

    /// The lane's phase of life; `None` after it is gone.
    pub fn life(&self, lane: LaneId) -> Option<Life> {
        self.lane(lane).ok()?.life
    }

    /// The lane's settings that the blend uses now.
    pub fn settings(&self, lane: LaneId) -> Option<LaneSettings> {
        self.lane(lane).ok().map(|cell| cell.settings)
    }

    /// The open lanes, in their order of priority.
    pub fn lanes(&self) -> impl Iterator<Item = LaneId> + '_ {
        self.order[..self.open].iter().map(|&place| LaneId {
            place,
            generation: self.lanes[usize::from(place)].generation,
        })
    }

    /// Sets the lane's priority from the next edge on; a negative one pauses it.
    ///
    /// # Errors
    /// A stale handle, or a priority that is not a finite number.
    pub fn set_priority(&mut self, lane: LaneId, priority: f64) -> Result<(), Refusal> {
        if !priority.is_finite() {
            return Err(Refusal::Weight);
        }
        self.lane_mut(lane)?.priority_asked = priority;
        Ok(())
    }

    /// Sets the duration of the lane's fade-out.
    ///
    /// # Errors
    /// [`Refusal::NoLane`] for a stale handle.
    pub fn set_fade_out(&mut self, lane: LaneId, fade: Span) -> Result<(), Refusal> {
        self.lane_mut(lane)?.settings.fade_out = fade;
        Ok(())
    }

    /// Sets the lane's weight on everything from the next edge on.
    ///
    /// # Errors
    /// A stale handle, or a weight that is negative or not a finite number.
    pub fn set_weight(&mut self, lane: LaneId, weight: f64) -> Result<(), Refusal> {
        if !is_weight(weight) {
            return Err(Refusal::Weight);
        }
        self.lane_mut(lane)?.weight_asked = weight;
        Ok(())
    }

    /// Sets the lane's weight on one actuator from the next edge on.
    ///
    /// # Errors
    /// A stale handle, an unknown actuator, or a weight that is negative or not a finite number.
    pub fn set_weight_on(
        &mut self,
        lane: LaneId,
        actuator: ActuatorId,
        weight: f64,
    ) -> Result<(), Refusal> {
        if !is_weight(weight) {
            return Err(Refusal::Weight);
        }
        self.known(actuator)?;
        self.lane_mut(lane)?.weights_changed = true;
        let place = self.timeline_place(usize::from(lane.place), actuator.index());
        self.timelines[place].weight_asked = weight;
        Ok(())
    }
}

/// The largest weight: with more votes, sums of values would lose their last digits.
const WEIGHT_MAX: f64 = 1_000.0;

/// Whether a lane can have this weight: up to 1 the share that it covers, above that votes.
pub fn is_weight(weight: f64) -> bool {
    (0.0..=WEIGHT_MAX).contains(&weight)
}
