//! Queries of a lane's waiting commands, and of its spent trajectories.
//! Called by clients outside the turn; only `pending` is cheap enough for hooks.
//! A query changes nothing.

use super::{LaneSet, Stage};
use crate::bits;
use crate::body::ActuatorId;
use crate::command::{Command, Refusal, Ticket};
use crate::lane::LaneId;
use crate::progress::Progress;
use crate::trajectory::Trajectory;

/// The waiting commands for one actuator in one lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pending {
    /// Their number.
    pub count: u32,
    /// The next of them.
    pub next: Option<Command>,
    /// This lane's present value for the actuator.
    pub value: f64,
}

/// What a lane does with 64 actuators in a row, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneWord {
    /// Those for which commands wait.
    pub waits: u64,
    /// Those that it drove in the last blend.
    pub driven: u64,
    /// Of these, those that it drove without any effect.
    pub hidden: u64,
    /// Of these, those for which its own value was another one than in the blend before.
    pub shifted: u64,
}

impl<'m> Stage<'m> {
    /// The waiting commands for `actuator` in this lane.
    ///
    /// # Errors
    /// A stale handle or an unknown actuator.
    pub fn pending(&self, lane: LaneId, actuator: ActuatorId) -> Result<Pending, Refusal> {
        self.known(actuator)?;
        self.lane(lane)?;
        let place = usize::from(lane.place);
        let timeline = &self.timelines[self.timeline_place(place, actuator.index())];
        let claimed = bits::holds(self.set(place, LaneSet::Claims), actuator.index());
        Ok(Pending {
            count: timeline.waiting,
            next: timeline.next(),
            value: if claimed {
                timeline.value()
            } else {
                self.tracks[actuator.index()].held
            },
        })
    }

    /// Whether another lane that is not paused drives `actuator`.
    pub fn is_shared(&self, lane: LaneId, actuator: ActuatorId) -> bool {
        let drives = |place: usize| {
            let sets = [LaneSet::Claims, LaneSet::Driven, LaneSet::Waits];
            sets.iter()
                .any(|item| bits::holds(self.set(place, *item), actuator.index()))
        };
        let mut others = self.order[..self.open]
            .iter()
            .map(|order| usize::from(*order));
        self.known(actuator).is_ok()
            && others
                .any(|i| i != usize::from(lane.place) && !self.lanes[i].is_paused() && drives(i))
    }

    /// How many commands wait for `actuator` in this lane; 0 if there is no such lane or actuator.
    pub fn waiting(&self, lane: LaneId, actuator: ActuatorId) -> u32 {
        if self.known(actuator).is_err() || self.lane(lane).is_err() {
            return 0;
        }
        let place = self.timeline_place(usize::from(lane.place), actuator.index());
        self.timelines[place].waiting
    }

    /// Whether any command waits in this lane.
    pub fn anything_waits(&self, lane: LaneId) -> bool {
        let is_open = self.lane(lane).is_ok();
        is_open && !bits::is_empty(self.set(usize::from(lane.place), LaneSet::Waits))
    }

    /// What a lane does with the 64 actuators from `64 * word` on; nothing, if there is no such lane.
    pub fn lane_word(&self, lane: LaneId, word: usize) -> LaneWord {
        if self.lane(lane).is_err() || word >= bits::words(self.body.actuators.len()) {
            return LaneWord::default();
        }
        let of = |set| self.set(usize::from(lane.place), set)[word];
        LaneWord {
            waits: of(LaneSet::Waits),
            driven: of(LaneSet::Driven),
            hidden: of(LaneSet::Hidden),
            shifted: of(LaneSet::Shifted),
        }
    }

    /// Whether this lane is paused, so that its time stands still.
    pub fn is_paused(&self, lane: LaneId) -> bool {
        self.lane(lane).is_ok_and(super::LaneCell::is_paused)
    }

    /// How many more commands may wait in this lane.
    pub fn room(&self, lane: LaneId) -> u32 {
        self.lane(lane)
            .map_or(0, |cell| cell.settings.room.saturating_sub(cell.used))
    }

    /// The commands that wait for `actuator` in this lane, in their order, with their tickets. For use outside the
    /// turn: it takes a step for each command.
    ///
    /// # Errors
    /// A stale handle or an unknown actuator.
    pub fn each_pending(
        &self,
        lane: LaneId,
        actuator: ActuatorId,
        mut each: impl FnMut(Command, Ticket),
    ) -> Result<(), Refusal> {
        self.each_pending_while(lane, actuator, |command, ticket| {
            each(command, ticket);
            true
        })
    }

    /// As `each_pending`, until `each` returns false.
    ///
    /// # Errors
    /// A stale handle or an unknown actuator.
    pub fn each_pending_while(
        &self,
        lane: LaneId,
        actuator: ActuatorId,
        mut each: impl FnMut(Command, Ticket) -> bool,
    ) -> Result<(), Refusal> {
        self.known(actuator)?;
        let cell = self.lane(lane)?;
        let timeline =
            &self.timelines[self.timeline_place(usize::from(lane.place), actuator.index())];
        let mut chain = self.pool.iter(&timeline.chain).peekable();
        let mut trajectories = cell.trajectories.each_ref().map(|trajectory| {
            let waiting = trajectory
                .as_ref()
                .map_or(&[][..], |trajectory| trajectory.waiting_for(actuator));
            let ticket = trajectory
                .as_ref()
                .map_or(Ticket(0), |trajectory| trajectory.ticket);
            waiting
                .iter()
                .map(move |command| (command.command(), ticket))
                .peekable()
        });
        let sooner = |a: (Command, Ticket), b: (Command, Ticket)| {
            a.0.at < b.0.at || (a.0.at == b.0.at && a.1.is_before(b.1))
        };
        loop {
            let mut best = chain.peek().copied().map(|chain| (chain, usize::MAX));
            for (place, trajectory) in trajectories.iter_mut().enumerate() {
                let Some(&first) = trajectory.peek() else {
                    continue;
                };
                if best.is_none_or(|(item, _)| sooner(first, item)) {
                    best = Some((first, place));
                }
            }
            let Some(((command, ticket), from)) = best else {
                return Ok(());
            };
            match trajectories.get_mut(from) {
                Some(trajectory) => drop(trajectory.next()),
                None => drop(chain.next()),
            }
            if !each(command, ticket) {
                return Ok(());
            }
        }
    }

    /// How many commands of a request still wait. For use outside the turn: it takes a step for each command.
    ///
    /// # Errors
    /// A stale handle.
    pub fn waiting_of(&self, lane: LaneId, ticket: Ticket) -> Result<u32, Refusal> {
        let cell = self.lane(lane)?;
        let in_trajectories: u32 = cell
            .trajectories
            .iter()
            .flatten()
            .filter(|trajectory| trajectory.ticket == ticket)
            .map(Trajectory::waiting)
            .sum();
        let actuators = self.body.actuators.len();
        let first = usize::from(lane.place) * actuators;
        let in_chains = self.timelines[first..first + actuators]
            .iter()
            .flat_map(|timeline| self.pool.iter(&timeline.chain))
            .filter(|(_, by)| *by == ticket)
            .count();
        Ok(in_trajectories + u32::try_from(in_chains).unwrap_or(u32::MAX))
    }

    /// How far a followed request is, or how it ended. `None` if its lane's requests are not followed, if too many were
    /// followed when it was taken, or if another one has its place by now.
    pub fn progress(&self, ticket: Ticket) -> Option<Progress> {
        self.progress.of(ticket)
    }

    /// Whether another lane hides this one on `actuator`: its value there had no effect in the last turn.
    ///
    /// # Errors
    /// A stale handle or an unknown actuator.
    pub fn is_overridden(&self, lane: LaneId, actuator: ActuatorId) -> Result<bool, Refusal> {
        self.known(actuator)?;
        self.lane(lane)?;
        Ok(bits::holds(
            self.set(usize::from(lane.place), LaneSet::Hidden),
            actuator.index(),
        ))
    }

    /// The actuators on which another lane hides this one.
    ///
    /// # Errors
    /// A stale handle.
    pub fn overridden(
        &self,
        lane: LaneId,
    ) -> Result<impl Iterator<Item = ActuatorId> + '_, Refusal> {
        self.lane(lane)?;
        let words = self
            .set(usize::from(lane.place), LaneSet::Hidden)
            .iter()
            .enumerate();
        let members = words.flat_map(|(word, bits)| bits::members(word, *bits));
        Ok(members.map(|actuator| ActuatorId(actuator as u16)))
    }

    /// Returns a trajectory of this lane that is finished or cleared, to be filled again. It can still be fetched after
    /// the lane is gone.
    pub fn spent_trajectory(&mut self, lane: LaneId) -> Option<Trajectory<'m>> {
        self.spent_in(usize::from(lane.place))
    }

    /// As `spent_trajectory`, of the lane at this place.
    pub(crate) fn spent_in(&mut self, place: usize) -> Option<Trajectory<'m>> {
        let cell = self.lanes.get_mut(place)?;
        let spent = |trajectory: &Option<Trajectory<'m>>| {
            trajectory
                .as_ref()
                .is_some_and(|trajectory| trajectory.waiting() == 0)
        };
        cell.trajectories
            .iter_mut()
            .find(|trajectory| spent(trajectory))?
            .take()
    }
}
