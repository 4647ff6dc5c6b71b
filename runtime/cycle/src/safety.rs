//! The state machine of the body: its safety states and all changes between them, as one table. The state is changed
//! by `stage/operate` (a person's commands), and by `monitor` and `joint_monitor` (faults).
//! A change that is not in the table does not happen.

use crate::body::Actuator;
use crate::named_enum;
use crate::time::{Instant, Span};

named_enum! {
    /// The state of the whole body.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum State {
        /// Only reads, until all positions are known.
        Boot => "boot",
        /// Limp: targets follow the sensors.
        Disarmed => "disarmed",
        /// Gains fade in while the body holds where it is.
        Armed => "armed",
        /// Lanes move the body.
        Running => "running",
        /// The body slows to a stop and stays, powered; lanes wait.
        Holding => "holding",
        /// The body moves to its safe pose, then its gains fade out.
        Safe => "safe",
        /// After a fault: the body holds while its gains fade out.
        Fault => "fault",
        /// Slows to a stop at once and is frozen there; outranks every other state.
        Estop => "estop",
    }
}

named_enum! {
    /// The inputs that change the state.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Input {
        /// There were enough good readings.
        Ready => "ready",
        /// A person arms the body.
        Arm => "arm",
        /// The gains have faded in.
        FadedIn => "faded-in",
        /// A person lets the body go limp.
        Disarm => "disarm",
        /// A person or a reaction stops the motion.
        Hold => "hold",
        /// A person stops the motion to the safe pose; no reaction does.
        Stay => "stay",
        /// A person resumes the motion.
        Resume => "resume",
        /// A person or a reaction sends the body to its safe pose.
        Retreat => "retreat",
        /// A reaction to a fault.
        Break => "break",
        /// A person clears the fault.
        Clear => "clear",
        /// Anyone presses the emergency stop.
        Press => "press",
        /// A person releases the emergency stop.
        Release => "release",
    }
}

impl State {
    /// The state after `input`, or `None` if the table has no such change.
    pub const fn after(self, input: Input) -> Option<State> {
        Some(match (self, input) {
            (State::Boot, Input::Ready) => State::Disarmed,

            (State::Disarmed, Input::Arm) => State::Armed,

            (State::Armed, Input::FadedIn) => State::Running,

            (State::Armed | State::Running, Input::Hold) => State::Holding,
            (State::Safe, Input::Stay) => State::Holding,
            (State::Holding, Input::Resume) => State::Running,

            (State::Armed | State::Running | State::Holding, Input::Retreat) => State::Safe,

            (State::Armed | State::Running | State::Holding, Input::Disarm) => State::Disarmed,
            (State::Safe | State::Estop, Input::Disarm) => State::Disarmed,

            (State::Fault | State::Estop, Input::Break) => return None,
            (_, Input::Break) => State::Fault,
            (State::Fault, Input::Clear) => State::Disarmed,

            (State::Estop, Input::Press) => return None,
            (_, Input::Press) => State::Estop,
            (State::Estop, Input::Release) => State::Holding,

            _ => return None,
        })
    }

    /// Whether lanes move joints, hands and wheels in this state.
    pub const fn is_moved_by_lanes(self) -> bool {
        matches!(self, State::Running)
    }

    /// Whether targets follow the sensors in this state.
    pub const fn follows_sensors(self) -> bool {
        matches!(self, State::Boot | State::Disarmed)
    }
}

named_enum! {
    /// What becomes of the commands that a joint had before it was made limp, when it has force again.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum LimpCommands {
        /// It returns to their value at the bounded speed of a return.
        #[default]
        Ease => "ease",
        /// They are dropped: it stays where it is, and follows what was commanded since.
        Drop => "drop",
    }
}

/// How long the body's own movements and the fades of its gains take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RampTimes {
    /// How many good readings must precede arming.
    pub readings: u32,
    /// How long every board must have answered before arming.
    pub good_link: Span,
    /// How long gains take to fade in.
    pub fade_in: Span,
    /// How long gains take to fade out after a fault or in the safe pose.
    pub fade_out: Span,
    /// How fast an actuator returns to its lanes' value when motion resumes: a share of its velocity limit.
    pub return_speed: f64,
    /// How long an actuator without a velocity limit takes to return across its whole range.
    pub ease_in: Span,
    /// How long the motion to the safe pose takes.
    pub retreat: Span,
}

impl Default for RampTimes {
    fn default() -> RampTimes {
        RampTimes {
            readings: 10,
            good_link: Span::from_millis(500),
            fade_in: Span::from_millis(2000),
            fade_out: Span::from_millis(500),
            return_speed: 0.2,
            ease_in: Span::from_millis(400),
            retreat: Span::from_millis(2000),
        }
    }
}

impl RampTimes {
    /// How far this actuator returns in `seconds`.
    pub(crate) fn return_step(&self, actuator: &Actuator<'_>, seconds: f64) -> f64 {
        let rate = if actuator.velocity.is_finite() {
            actuator.velocity * self.return_speed
        } else {
            (actuator.range.max - actuator.range.min) / self.ease_in.seconds()
        };
        if rate.is_finite() {
            rate * seconds
        } else {
            f64::INFINITY
        }
    }
}

/// The safety state and the power.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Safety {
    pub(crate) state: State,
    pub(crate) since: Instant,
    /// The factor on gains and stiffnesses, 0 to 1.
    pub(crate) power: f64,
}

impl Safety {
    pub(crate) const BOOT: Safety = Safety {
        state: State::Boot,
        since: Instant::ZERO,
        power: 0.0,
    };

    pub(crate) fn is_limp(&self) -> bool {
        self.power <= 0.0
    }

    /// Changes to the next state; false if there is none.
    pub(crate) fn apply(&mut self, input: Input, now: Instant) -> bool {
        // A body that was limp when the stop was pressed must not become stiff on release.
        let limp_release = input == Input::Release && self.is_limp();
        let input = if limp_release { Input::Disarm } else { input };
        let Some(next) = self.state.after(input) else {
            return false;
        };
        self.state = next;
        self.since = now;
        true
    }

    /// Fades the power from the last turn, `elapsed` ago, to `now`.
    pub(crate) fn fade(&mut self, now: Instant, elapsed: Span, ramps: &RampTimes) {
        let up = elapsed.share_of(ramps.fade_in);
        let down = elapsed.share_of(ramps.fade_out);
        self.power = match self.state {
            State::Boot | State::Disarmed => 0.0,
            // A body that holds before the fade-in is complete becomes stiff where it is.
            State::Armed | State::Running => (self.power + up).min(1.0),
            State::Holding if self.power > 0.0 => (self.power + up).min(1.0),
            State::Holding | State::Estop => self.power,
            State::Safe if now - self.since <= ramps.retreat => self.power,
            State::Safe | State::Fault => (self.power - down).max(0.0),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All changes: from, input, to.
    const EDGES: &[(State, Input, State)] = &[
        (State::Boot, Input::Ready, State::Disarmed),
        (State::Boot, Input::Break, State::Fault),
        (State::Boot, Input::Press, State::Estop),
        (State::Disarmed, Input::Arm, State::Armed),
        (State::Disarmed, Input::Break, State::Fault),
        (State::Disarmed, Input::Press, State::Estop),
        (State::Armed, Input::FadedIn, State::Running),
        (State::Armed, Input::Hold, State::Holding),
        (State::Armed, Input::Retreat, State::Safe),
        (State::Armed, Input::Disarm, State::Disarmed),
        (State::Armed, Input::Break, State::Fault),
        (State::Armed, Input::Press, State::Estop),
        (State::Running, Input::Hold, State::Holding),
        (State::Running, Input::Retreat, State::Safe),
        (State::Running, Input::Disarm, State::Disarmed),
        (State::Running, Input::Break, State::Fault),
        (State::Running, Input::Press, State::Estop),
        (State::Holding, Input::Resume, State::Running),
        (State::Holding, Input::Retreat, State::Safe),
        (State::Holding, Input::Disarm, State::Disarmed),
        (State::Holding, Input::Break, State::Fault),
        (State::Holding, Input::Press, State::Estop),
        (State::Safe, Input::Stay, State::Holding),
        (State::Safe, Input::Disarm, State::Disarmed),
        (State::Safe, Input::Break, State::Fault),
        (State::Safe, Input::Press, State::Estop),
        (State::Fault, Input::Clear, State::Disarmed),
        (State::Fault, Input::Press, State::Estop),
        (State::Estop, Input::Release, State::Holding),
        (State::Estop, Input::Disarm, State::Disarmed),
    ];

    #[test]
    fn the_table_has_exactly_these_edges() {
        for state in State::ALL {
            for input in Input::ALL {
                let expected = EDGES
                    .iter()
                    .find(|edge| (edge.0, edge.1) == (state, input))
                    .map(|edge| edge.2);
                assert_eq!(state.after(input), expected, "{state:?} after {input:?}");
            }
        }
    }

    #[test]
    fn nothing_but_a_person_leads_out_of_estop() {
        for input in [
            Input::Ready,
            Input::FadedIn,
            Input::Hold,
            Input::Retreat,
            Input::Break,
        ] {
            assert_eq!(State::Estop.after(input), None);
        }
    }

    #[test]
    fn a_stop_pressed_on_a_limp_body_is_released_to_limp() {
        let mut safety = Safety {
            state: State::Disarmed,
            ..Safety::BOOT
        };
        assert!(safety.apply(Input::Press, Instant::ZERO));
        assert!(safety.apply(Input::Release, Instant::ZERO));
        assert_eq!(safety.state, State::Disarmed);
    }
}
