//! The limits: range, velocity, acceleration, heat, and couplings of two actuators.
//! Applied once in every turn to every commanded value, from any source.
//! A value never leaves its range or exceeds its velocity. If the range leaves no other way, the acceleration
//! is exceeded. If a coupled range would, its driver waits. If a hand or a calibration has put a value outside of its
//! range, or has moved that range, the value comes back into it at its own velocity.

use crate::body::{Actuator, Coupling, CurrentLimit, Heat, Range};
use crate::safety::{RampTimes, State};
use crate::time::Span;
use crate::track::{Clip, Track};

/// Limits one actuator's command. `seconds` is the time step. If the actuator does not follow its lanes, because it
/// stops or returns to them, an acceleration that is only derived limits it as well.
pub(crate) fn limit(actuator: &Actuator<'_>, track: &mut Track, follows_lanes: bool, seconds: f64) {
    track.clipped_now = 0;
    track.before = track.limited;
    // Sums of finite requests are finite, but this is the last check.
    let asked = if track.commanded.is_finite() {
        track.commanded
    } else {
        track.limited
    };
    let range = track.allowed(actuator);
    let target = range.clamp(asked);
    if target.total_cmp(&track.commanded).is_ne() {
        track.clip(Clip::Position);
    }
    let stopping = actuator.acceleration.min(actuator.derived_acceleration);
    if actuator.velocity.is_infinite() && stopping.is_infinite() {
        track.limited = target;
        track.followed = target;
        track.speed = 0.0;
        return;
    }
    if seconds <= 0.0 {
        return;
    }
    // Without an acceleration limit it follows the return exactly.
    let acceleration = if follows_lanes {
        actuator.acceleration
    } else {
        stopping
    };
    let lags = acceleration.is_finite();
    let bound = if lags { track.pace } else { f64::INFINITY };
    let limits = StepLimits {
        range,
        velocity: actuator.velocity.min(bound),
        acceleration,
        seconds,
    };
    let step = limits.step(track.limited, track.speed, target, track.followed);
    track.followed = target;
    // The speed limit of the return does not count as a clip.
    if step.velocity_clipped && limits.velocity.total_cmp(&actuator.velocity).is_eq() {
        track.clip(Clip::Velocity);
    }
    if step.acceleration_clipped {
        track.clip(Clip::Acceleration);
    }
    track.speed = step.speed;
    track.limited = step.value;
}

/// Weakens a stiffness by its motor's temperature.
pub(crate) fn cool(heat: &Heat, celsius: f64, track: &mut Track) {
    weaken(
        share(celsius, heat.warm, heat.hot),
        Clip::Temperature,
        track,
    );
}

/// Weakens a stiffness by its motor's current.
pub(crate) fn restrain(current: &CurrentLimit, amperes: f64, track: &mut Track) {
    let share = share(amperes.abs(), current.high, current.limit);
    weaken(share, Clip::Current, track);
}

/// The share of force that is left: all up to `full`, none from `none` on, linear between.
fn share(value: f64, full: f64, none: f64) -> f64 {
    if value <= full {
        1.0
    } else if value < none {
        (none - value) / (none - full)
    } else {
        // Too much, or NaN: no force.
        0.0
    }
}

fn weaken(share: f64, why: Clip, track: &mut Track) {
    if share < 1.0 && track.limited > 0.0 {
        track.limited *= share;
        track.clip(why);
    }
}

/// Keeps a driven actuator in the range that its driver's position allows. One that a hand has put outside comes back
/// in the states in which the body moves.
pub(crate) fn couple(
    coupling: &Coupling<'_>,
    actuators: &[Actuator<'_>],
    tracks: &mut [Track],
    (state, ramps): (State, &RampTimes),
    seconds: f64,
) {
    let (driver, driven) = (coupling.driver.index(), coupling.driven.index());
    let before = (tracks[driver].before, tracks[driven].before);
    let range_at = |tracks: &[Track], value| {
        coupling.range_at(sent(&actuators[driver], &tracks[driver], value))
    };
    let allowed = range_at(tracks, before.0);
    let range = range_at(tracks, tracks[driver].limited);
    let wanted = tracks[driven].limited;
    if range.holds(wanted) {
        return;
    }
    let was_inside = allowed.holds(before.1);
    let mut reach = actuators[driven].velocity * seconds;
    if was_inside {
        tracks[driven].clip(Clip::Coupled);
    } else if !tracks[driver].limp {
        // A hand that turns the driver is followed as fast as possible. What it has left behind returns slowly.
        if !matches!(state, State::Running | State::Safe) {
            tracks[driven].put(before.1, before.1, seconds);
            return;
        }
        reach = reach.min(ramps.return_step(&actuators[driven], seconds));
    }
    let inside = range.clamp(wanted);
    let nearer = towards(before.1, inside, reach);
    let distance = |range: Range| (range.clamp(before.1) - before.1).abs();
    let driver_helps = !was_inside && distance(range) <= distance(allowed);
    if nearer.total_cmp(&inside).is_eq() || driver_helps {
        tracks[driven].put(nearer, before.1, seconds);
    } else {
        // The driven actuator cannot follow so fast: the driver waits for it.
        if was_inside {
            tracks[driver].clip(Clip::Coupled);
        }
        tracks[driver].put(before.0, before.0, seconds);
        let home = range_at(tracks, before.0).clamp(nearer);
        tracks[driven].put(towards(before.1, home, reach), before.1, seconds);
    }
    if !was_inside && state == State::Running {
        // No command has put it there: guests that come in wait until it has come back.
        tracks[driven].origin = tracks[driven].limited;
        tracks[driven].returning = true;
    }
}

/// The value nearest to `to` within `reach` of `from`.
fn towards(from: f64, to: f64, reach: f64) -> f64 {
    if (to - from).abs() <= reach {
        to
    } else {
        from + libm::copysign(reach, to - from)
    }
}

/// After an emergency stop: two actuators that would leave the coupled range while they slow down, or are outside of
/// it, stop at once.
pub(crate) fn stop_before_coupled_range_ends(
    coupling: &Coupling<'_>,
    actuators: &[Actuator<'_>],
    tracks: &mut [Track],
) {
    let (driver, driven) = (coupling.driver.index(), coupling.driven.index());
    let position = sent(&actuators[driver], &tracks[driver], tracks[driver].limited);
    if coupling.range_at(position).holds(tracks[driven].limited) {
        return;
    }
    for place in [driver, driven] {
        let track = &mut tracks[place];
        if !track.limp {
            track.put(track.before, track.before, 0.0);
        }
    }
}

/// The value that is sent for `limited`.
fn sent(actuator: &Actuator<'_>, track: &Track, limited: f64) -> f64 {
    let calibration = actuator.calibration.moved(track.trim);
    calibration.value(calibration.counts(limited, track.allowed(actuator)))
}

/// How long an actuator may slow down after an emergency stop before it stops at once.
pub(crate) const LONGEST_STOP: Span = Span::from_millis(1_000);

/// Whether it still slows down after an emergency stop.
pub(crate) fn is_stopping(actuator: &Actuator<'_>, track: &Track) -> bool {
    actuator.kind.is_jointed() && !track.limp && !track.is_at_rest()
}

impl Track {
    fn put(&mut self, value: f64, from: f64, seconds: f64) {
        self.limited = value;
        self.speed = if seconds > 0.0 {
            (value - from) / seconds
        } else {
            0.0
        };
    }
}

/// The limits of one step.
#[derive(Clone, Copy, Debug)]
pub struct StepLimits {
    /// The values that it may have.
    pub range: Range,
    /// The highest speed.
    pub velocity: f64,
    /// The highest change of speed.
    pub acceleration: f64,
    /// How long the step takes.
    pub seconds: f64,
}

/// A step within its limits.
#[derive(Clone, Copy, Debug)]
pub struct LimitedStep {
    /// The value after it.
    pub value: f64,
    /// Its speed.
    pub speed: f64,
    velocity_clipped: bool,
    acceleration_clipped: bool,
}

impl StepLimits {
    /// One step from `from` at `speed` towards a target that moved from `followed` to `to`.
    pub fn step(&self, from: f64, speed: f64, to: f64, followed: f64) -> LimitedStep {
        let wanted = (to - from) / self.seconds;
        let within = wanted.max(-self.velocity).min(self.velocity);
        let mut taken = within;
        if self.acceleration.is_finite() {
            let most = self.acceleration * self.seconds;
            // A target that moves faster than this actuator may counts as a jump, not as a motion to follow.
            let pace = (to - followed) / self.seconds;
            let pace = if pace.abs() <= self.velocity {
                pace
            } else {
                0.0
            };
            let follows = within.total_cmp(&wanted).is_eq()
                && (wanted - speed).abs() <= most
                && (wanted - pace).abs() <= most;
            if !follows {
                // The distance to the previous position of a target that moves at this speed: closing the gap to its
                // present position would lead by one turn, permanently.
                taken = self.close_in(to - pace * self.seconds - from, pace);
                taken = taken.max(speed - most).min(speed + most);
            }
            // Stay slow enough to stop before the end of the range.
            let up = self.stopping_speed(self.range.max - from);
            let down = self.stopping_speed(from - self.range.min);
            taken = taken.min(up).max(-down);
        }
        // Rounding must not leave the range.
        let value = if taken.total_cmp(&wanted).is_eq() {
            to
        } else {
            from + taken * self.seconds
        };
        let value = self.range.clamp(value);
        LimitedStep {
            value,
            speed: (value - from) / self.seconds,
            velocity_clipped: within.total_cmp(&wanted).is_ne(),
            acceleration_clipped: taken.total_cmp(&within).is_ne(),
        }
    }

    /// The speed for closing the gap to a target that itself moves at `pace`.
    fn close_in(&self, gap: f64, pace: f64) -> f64 {
        let closing = libm::copysign(self.stopping_speed(gap.abs()), gap);
        (pace + closing).max(-self.velocity).min(self.velocity)
    }

    /// The fastest speed from which full braking, after this step, ends within `distance`: v·dt + v²/2a = distance.
    /// Half a step below the exact solution.
    fn stopping_speed(&self, distance: f64) -> f64 {
        let distance = distance.max(0.0);
        let once = self.acceleration * self.seconds;
        libm::sqrt(once * once + 2.0 * self.acceleration * distance) - once
    }
}

#[cfg(test)]
#[path = "limits/tests.rs"]
mod tests;
