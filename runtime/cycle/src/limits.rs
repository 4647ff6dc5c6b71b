//! The limits: range, velocity, acceleration, heat, and couplings of two actuators.
//! Applied once in every turn to every commanded value, from any source.
//! The law: a value never leaves its range or exceeds its velocity. If the range leaves no other way, the acceleration
//! is exceeded. If a coupled range would, its driver waits. If a hand or a calibration has put a value outside of its
//! range, or has moved that range, the value comes back into it at its own velocity.

use crate::body::{Actuator, Coupling, CurrentLimit, Heat, Kind, Range};
use crate::safety::RampTimes;
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

/// Keeps a driven actuator in the range that its driver's position allows.
pub(crate) fn couple(
    coupling: &Coupling<'_>,
    actuators: &[Actuator<'_>],
    tracks: &mut [Track],
    ramps: &RampTimes,
    seconds: f64,
) {
    let (driver, driven) = (coupling.driver.index(), coupling.driven.index());
    let before = (tracks[driver].before, tracks[driven].before);
    let position = sent(&actuators[driver], &tracks[driver], before.0);
    let allowed = coupling.range_at(position);
    let was_inside = allowed.holds(before.1);
    let range = coupling.range_at(sent(
        &actuators[driver],
        &tracks[driver],
        tracks[driver].limited,
    ));
    let wanted = tracks[driven].limited;
    if range.holds(wanted) {
        return;
    }
    if was_inside {
        tracks[driven].clip(Clip::Coupled);
    } else {
        // No command has put it there. Shows wait until it has come back.
        tracks[driven].come_back(actuators[driven].kind);
    }
    // A hand that turns the driver is followed as fast as possible. What it has left behind returns slowly.
    let mut reach = actuators[driven].velocity * seconds;
    if !was_inside && !tracks[driver].limp {
        reach = reach.min(ramps.return_step(&actuators[driven], seconds));
    }
    let inside = range.clamp(wanted);
    let is_near = (inside - before.1).abs() <= reach;
    let nearer = if is_near {
        inside
    } else {
        before.1 + (inside - before.1).max(-reach).min(reach)
    };
    let distance = |range: Range| (range.clamp(before.1) - before.1).abs();
    let driver_helps = !was_inside && distance(range) <= distance(allowed);
    if is_near || driver_helps {
        tracks[driven].put(nearer, before.1, seconds);
        return;
    }
    // The driven actuator cannot follow so fast: the driver waits for it.
    if was_inside {
        tracks[driver].clip(Clip::Coupled);
    }
    tracks[driver].put(before.0, before.0, seconds);
    let home = allowed.clamp(nearer);
    let step = (home - before.1).max(-reach).min(reach);
    tracks[driven].put(before.1 + step, before.1, seconds);
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
    for track in [driver, driven] {
        let before = tracks[track].before;
        tracks[track].put(before, before, 0.0);
    }
}

/// The value that is sent for `limited`.
fn sent(actuator: &Actuator<'_>, track: &Track, limited: f64) -> f64 {
    let calibration = actuator.calibration.moved(track.trim);
    calibration.value(calibration.counts(limited, track.allowed(actuator)))
}

/// Whether it still slows down after an emergency stop.
pub(crate) fn is_stopping(actuator: &Actuator<'_>, track: &Track) -> bool {
    is_jointed(actuator.kind) && !track.limp && !track.is_at_rest()
}

/// Whether limits of motion apply to this kind, and it follows its sensor while limp.
pub(crate) fn is_jointed(kind: Kind) -> bool {
    matches!(kind, Kind::Joint | Kind::Hand)
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
