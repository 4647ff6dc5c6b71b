//! A person's commands to the whole body: arm, hold, stop and so on.
//! Called in a turn or between turns; they take effect at once.
//! Only the table in `safety` decides, and every refusal has a reason.

use super::{LaneSet, Stage};
use crate::bits;
use crate::body::{BoardId, Kind};
use crate::event_log::Event;
use crate::safety::{Input, State};

/// Why the body cannot be armed, resumed or released now. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotNow {
    /// The table has no such change from this state.
    State(State),
    /// Not enough readings have been made, or not every board has answered for long enough.
    NotReady,
    /// This board does not answer; the number is its error code.
    Missing(BoardId, u16),
}

/// In how many of its own turns a lane drives again what it drove directly before the body stood: its hooks may be
/// called first in the turn after it moves again, and what they set may count in the next one.
pub(super) const RESUMING: u8 = 3;

impl Stage<'_> {
    /// Powers the body where it stands.
    ///
    /// # Errors
    /// [`NotNow`], with nothing changed. The same holds for the functions below.
    pub fn arm(&mut self) -> Result<State, NotNow> {
        self.ask(Input::Arm)
    }

    /// Lets the body go limp.
    #[allow(clippy::missing_errors_doc, reason = "as for `arm`")]
    pub fn disarm(&mut self) -> Result<State, NotNow> {
        self.ask(Input::Disarm)
    }

    /// Slows the motion to a stop, also on the way to the safe pose; the body stays powered.
    #[allow(clippy::missing_errors_doc, reason = "as for `arm`")]
    pub fn hold(&mut self) -> Result<State, NotNow> {
        // A body that is limp already must not hold: it would become stiff again.
        let retreats = self.safety.state == State::Safe && !self.safety.is_limp();
        self.ask(if retreats { Input::Stay } else { Input::Hold })
    }

    /// Lets the lanes move the body again.
    #[allow(clippy::missing_errors_doc, reason = "as for `arm`")]
    pub fn resume(&mut self) -> Result<State, NotNow> {
        self.ask(Input::Resume)
    }

    /// Sends the body to its safe pose, where it goes limp.
    #[allow(clippy::missing_errors_doc, reason = "as for `arm`")]
    pub fn retreat(&mut self) -> Result<State, NotNow> {
        self.ask(Input::Retreat)
    }

    /// Clears the fault state.
    #[allow(clippy::missing_errors_doc, reason = "as for `arm`")]
    pub fn clear_fault(&mut self) -> Result<State, NotNow> {
        self.ask(Input::Clear)
    }

    /// Presses the emergency stop.
    #[allow(clippy::missing_errors_doc, reason = "as for `arm`")]
    pub fn press_stop(&mut self) -> Result<State, NotNow> {
        self.ask(Input::Press)
    }

    /// Releases the emergency stop; the body stays where it is.
    #[allow(clippy::missing_errors_doc, reason = "as for `arm`")]
    pub fn release_stop(&mut self) -> Result<State, NotNow> {
        self.ask(Input::Release)
    }

    fn ask(&mut self, input: Input) -> Result<State, NotNow> {
        if self.safety.state.after(input).is_none() {
            return Err(NotNow::State(self.safety.state));
        }
        if !self.link.allows(input) {
            let missing = self.link.missing;
            return Err(missing.map_or(NotNow::NotReady, |pair| NotNow::Missing(pair.0, pair.1)));
        }
        self.enter(input);
        Ok(self.safety.state)
    }

    /// Changes to the next state, if there is one; the body's own movements start from here.
    pub(crate) fn enter(&mut self, input: Input) {
        let before = self.safety.state;
        let had_force = !self.safety.is_limp();
        if !self.safety.apply(input, self.turn_times.now) {
            return;
        }
        let state = self.safety.state;
        self.events.note(Event::Entered(state));
        for track in self.tracks.iter_mut() {
            track.origin = track.held;
        }
        if state == State::Disarmed && had_force {
            // Counted even if it is armed again in the same turn, because then no turn sees the body without force.
            self.disarms += 1;
            self.drop_of_clients();
        }
        if matches!(state, State::Armed | State::Running) && before != State::Armed {
            self.drop_what_passed();
        }
        if state == State::Running {
            self.begin_return();
        }
    }

    /// Drops the commands that passed while the body could not move, in lanes that do not wait: the actuators stay
    /// where they are.
    fn drop_what_passed(&mut self) {
        for at in 0..self.open {
            let place = usize::from(self.order[at]);
            if self.lanes[place].settings.waits {
                continue;
            }
            for (actuator, track) in self.tracks.iter().enumerate() {
                let row = place * self.body.actuators.len() + actuator;
                let timeline = &mut self.timelines[row];
                if timeline.waiting == 0 && moves(self.body.actuators[actuator].kind) {
                    timeline.take_up(track.held);
                }
            }
        }
    }

    /// Begins the return of the body to its lanes' values, at a bounded speed.
    fn begin_return(&mut self) {
        for at in 0..self.open {
            self.lanes[usize::from(self.order[at])].resumes_for = RESUMING;
        }
        let lanes = &self.order[..self.open];
        let waits = |place: &u16| self.lanes[usize::from(*place)].settings.waits;
        let somebody_waits = lanes.iter().any(waits);
        for actuator in 0..self.body.actuators.len() {
            let claims =
                |place: &u16| bits::holds(self.set(usize::from(*place), LaneSet::Claims), actuator);
            // A lane that waits may drive any actuator directly.
            if somebody_waits || self.order[..self.open].iter().any(claims) {
                self.tracks[actuator].begin_return(self.body.actuators[actuator].kind);
            }
        }
    }
}

/// Whether an actuator of this kind moves the body.
pub(super) fn moves(kind: Kind) -> bool {
    matches!(kind, Kind::Joint | Kind::Hand | Kind::Wheel)
}
