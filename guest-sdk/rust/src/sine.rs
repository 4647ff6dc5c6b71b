//! Sine waves on actuators, and the wag of a tail. A motion owns a [`SineBank`] or a [`Wag`], and calls its `update` in
//! each turn, in `pre_process`.
//! `value(t) = sin(2π (t - start) / period) · amplitude + offset`, for instants before the start as well.
//! Whole periods are counted in whole nanoseconds, so that no phase is lost in months.
//!
//! ```
//! use choreography::prelude::*;
//! use choreography::sine::{SineBank, SineParams};
//!
//! choreography! {
//!     /// Looks around in circles.
//!     motion Circle as "circle";
//!     hooks pre_process;
//!     joints HeadYaw, HeadPitch;
//!     loops;
//! }
//!
//! struct Circle(SineBank<2>);
//!
//! impl Motion for Circle {
//!     fn start() -> Circle {
//!         let mut bank = SineBank::new([&HeadYaw, &HeadPitch], now());
//!         let yaw = SineParams { amplitude: 0.3, offset: 0.0, period: 2.s() };
//!         bank.set_params(0, yaw, now());                         // from where it is, upwards
//!         bank.set_params_from(1, SineParams { amplitude: 0.1, ..yaw }, now() + 500.ms());
//!         (0..2).for_each(|output| bank.set_weight(output, 1.0));
//!         Circle(bank)
//!     }
//!     fn pre_process(&mut self, now: Instant) {
//!         self.0.update(now);
//!     }
//! }
//!
//! let mut stage = Rehearsal::of::<Circle>(nao());
//! stage.run_for(500.ms());
//! assert!((stage.sent(&HeadYaw) - 0.3).abs() < 1e-9 && stage.sent(&HeadPitch).abs() < 1e-9);
//! assert!(stage.fastest(&HeadYaw) < 1.0);
//! ```

use crate::actuator::Actuator;
use crate::answer::Answer;
use crate::maths::{TAU, asin, cos, round, sin};
use crate::time::{Instant, Span};

/// The numbers of a sine wave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SineParams {
    /// Half of the way from its lowest to its highest value. If it is negative, the wave falls where it would rise.
    pub amplitude: f64,
    /// Its middle.
    pub offset: f64,
    /// The time of one wave.
    pub period: Span,
}

impl SineParams {
    /// Over the whole range of an actuator, in 2 s.
    pub fn over_range_of(actuator: &Actuator) -> SineParams {
        let limits = actuator.limits();
        SineParams {
            amplitude: (limits.highest - limits.lowest) / 2.0,
            offset: f64::midpoint(limits.highest, limits.lowest),
            period: Span::from_millis(2000),
        }
    }
}

/// One sine wave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SineWave {
    params: SineParams,
    /// Nanoseconds of the robot's clock. With a sign: a wave can have begun before the clock.
    start: i64,
}

impl SineWave {
    /// A wave that passes its middle upwards at this instant, which can be a later one.
    pub fn new(params: SineParams, start: Instant) -> SineWave {
        SineWave {
            params,
            start: ticks(start),
        }
    }

    /// Its numbers.
    pub const fn params(&self) -> SineParams {
        self.params
    }

    /// Its value at an instant.
    pub fn value(&self, at: Instant) -> f64 {
        sin(self.angle(at)) * self.params.amplitude + self.params.offset
    }

    /// Its velocity at an instant, units per second.
    pub fn speed(&self, at: Instant) -> f64 {
        cos(self.angle(at)) * self.params.amplitude * self.rate()
    }

    /// Its acceleration at an instant, units per second squared.
    pub fn acceleration(&self, at: Instant) -> f64 {
        -sin(self.angle(at)) * self.params.amplitude * self.rate() * self.rate()
    }

    /// How many waves have passed since its start; negative before it.
    pub fn count(&self, at: Instant) -> f64 {
        let (whole, phase) = self.turns(at);
        whole as f64 + phase
    }

    /// The share of the present wave that has passed, 0 to 1.
    pub fn phase(&self, at: Instant) -> f64 {
        self.turns(at).1
    }

    /// The seconds since its start; negative before it.
    pub fn age(&self, at: Instant) -> f64 {
        ticks(at).saturating_sub(self.start) as f64 / 1e9
    }

    /// Moves its start so that it passes the measured value at this instant, while it rises; beyond its ends, so that
    /// it is at that end. Nothing changes if nothing was measured: NaN.
    pub fn sync(&mut self, measured: f64, at: Instant) {
        if let Some(lead) = self.lead(measured) {
            self.begin(lead, at);
        }
    }

    /// How many seconds after its start it has this value, a quarter of a period at most.
    fn lead(&self, measured: f64) -> Option<f64> {
        let height = (measured - self.params.offset) / self.params.amplitude;
        let lead = asin(height.clamp(-1.0, 1.0)) / TAU * self.params.period.seconds();
        (!lead.is_nan()).then_some(lead)
    }

    /// Starts so many seconds before this instant.
    fn begin(&mut self, lead: f64, at: Instant) {
        self.start = ticks(at).saturating_sub(round(lead * 1e9) as i64);
    }

    /// The whole waves since its start, and the phase of the present one.
    fn turns(&self, at: Instant) -> (i64, f64) {
        let (past, period) = (ticks(at).saturating_sub(self.start), self.period());
        let (whole, rest) = (past.div_euclid(period), past.rem_euclid(period));
        (whole, rest as f64 / period as f64)
    }

    fn angle(&self, at: Instant) -> f64 {
        TAU * self.phase(at)
    }

    fn rate(&self) -> f64 {
        TAU * 1e9 / self.period() as f64
    }

    /// Never 0.
    fn period(&self) -> i64 {
        i64::try_from(self.params.period.nanos())
            .unwrap_or(i64::MAX)
            .max(1)
    }
}

fn ticks(at: Instant) -> i64 {
    i64::try_from(at.nanos()).unwrap_or(i64::MAX)
}

/// The wave of a place that a bank does not have.
const NO_WAVE: SineWave = SineWave {
    params: SineParams {
        amplitude: f64::NAN,
        offset: f64::NAN,
        period: Span::ZERO,
    },
    start: 0,
};

/// Sine waves for `N` actuators. At first each goes over the whole range of its actuator, and has no weight: it is off.
///
/// Places are those in the list of [`SineBank::new`]. Calls for others do nothing, and return NaN.
#[derive(Debug)]
pub struct SineBank<const N: usize> {
    outlets: [Outlet; N],
}

/// One actuator of a bank, and its wave.
#[derive(Clone, Copy, Debug)]
struct Outlet {
    actuator: &'static Actuator,
    wave: SineWave,
    weight: f64,
    /// The value to which it was last driven.
    position: f64,
}

impl<const N: usize> SineBank<N> {
    /// Waves for these actuators, all of which start now.
    pub fn new(actuators: [&'static Actuator; N], now: Instant) -> SineBank<N> {
        let outlets = actuators.map(|actuator| Outlet {
            actuator,
            wave: SineWave::new(SineParams::over_range_of(actuator), now),
            weight: 0.0,
            position: f64::NAN,
        });
        SineBank { outlets }
    }

    /// Drives all actuators, but for those without weight, to their values of this turn. Call it once in each turn.
    /// Returns the first refusal, after all were driven.
    pub fn update(&mut self, now: Instant) -> Answer {
        let mut answer = Answer::Done;
        for outlet in self.outlets.iter_mut().filter(|outlet| outlet.weight > 0.0) {
            outlet.position = outlet.wave.value(now);
            let driven = outlet.actuator.drive_by(outlet.position, outlet.weight);
            answer = answer.then(|| driven);
        }
        answer
    }

    /// The wave of a place: its value, phase, count, speed and acceleration.
    pub fn wave(&self, place: usize) -> SineWave {
        self.outlets.get(place).map_or(NO_WAVE, |out| out.wave)
    }

    /// The value to which [`update`](SineBank::update) last drove a place; NaN before it did.
    pub fn position(&self, place: usize) -> f64 {
        self.outlets.get(place).map_or(f64::NAN, |out| out.position)
    }

    /// The weight of a place.
    pub fn weight(&self, place: usize) -> f64 {
        self.outlets.get(place).map_or(f64::NAN, |out| out.weight)
    }

    /// Sets the weight of a place, 0 to 1,000. Without weight it is off, and left to others.
    pub fn set_weight(&mut self, place: usize, weight: f64) {
        if let Some(outlet) = self.outlets.get_mut(place) {
            outlet.weight = weight;
        }
    }

    /// Sets the numbers of a wave. It goes on from the value that was last sent to the actuator, rising; if that is
    /// beyond its ends, from the nearer one.
    pub fn set_params(&mut self, place: usize, params: SineParams, now: Instant) {
        if let Some(outlet) = self.outlets.get_mut(place) {
            outlet.wave.params = params;
            outlet.wave.sync(outlet.actuator.sent(), now);
        }
    }

    /// Sets the numbers of a wave, and its start, which can be a later instant.
    pub fn set_params_from(&mut self, place: usize, params: SineParams, start: Instant) {
        if let Some(outlet) = self.outlets.get_mut(place) {
            outlet.wave = SineWave::new(params, start);
        }
    }

    /// Lets a wave pass the measured value now, rising: see [`SineWave::sync`].
    pub fn sync(&mut self, place: usize, measured: f64, now: Instant) {
        if let Some(outlet) = self.outlets.get_mut(place) {
            outlet.wave.sync(measured, now);
        }
    }

    /// Lets all waves pass the measured values, then gives all the same start: the mean of their starts, by their
    /// weights. One that was not measured (NaN) does not count, but starts with the others. If none counts, each keeps
    /// its own start.
    pub fn sync_all(&mut self, measured: &[f64; N], now: Instant) {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (outlet, measured) in self.outlets.iter_mut().zip(measured) {
            outlet.wave.sync(*measured, now);
            let lead = outlet.wave.lead(*measured);
            if let Some(lead) = lead.filter(|_| outlet.weight > 0.0) {
                sum += outlet.weight * lead;
                weights += outlet.weight;
            }
        }
        if weights > 0.0 {
            let mean = sum / weights;
            self.outlets
                .iter_mut()
                .for_each(|outlet| outlet.wave.begin(mean, now));
        }
    }
}

/// The wag of a tail, or of whatever turns and tilts: a sine wave on one actuator, and a fixed value on the other.
///
/// ```
/// # use choreography::{prelude::*, sine::Wag};
/// # static HeadYaw: Actuator = Actuator::named("HeadYaw");
/// # static HeadPitch: Actuator = Actuator::named("HeadPitch");
/// let mut stage = Rehearsal::alone(nao());
/// let mut wag = Wag::new(&HeadYaw, &HeadPitch, now());
/// wag.set_period(1.s(), now());
/// stage.run_for(250.ms());
/// assert!(wag.update(now())); // as far as it goes: it has reversed
/// assert!(!wag.update(now() + 10.ms()));
/// ```
#[derive(Debug)]
pub struct Wag {
    pan: &'static Actuator,
    tilt: &'static Actuator,
    wave: SineWave,
    held: Option<f64>,
    /// Since when it is not active.
    paused: Option<Instant>,
    /// Whether it went down in the last turn.
    falls: bool,
}

impl Wag {
    /// An active wag of 22 degrees to either side in 500 ms, which starts now in the middle. The tilt is left alone.
    pub fn new(pan: &'static Actuator, tilt: &'static Actuator, now: Instant) -> Wag {
        let params = SineParams {
            amplitude: 22f64.to_radians(),
            offset: 0.0,
            period: Span::from_millis(500),
        };
        Wag {
            pan,
            tilt,
            wave: SineWave::new(params, now),
            held: None,
            paused: None,
            falls: false,
        }
    }

    /// Drives the actuators in this turn, if it is active. Call it once in each turn. Returns whether it has reversed
    /// its direction since the last one.
    pub fn update(&mut self, now: Instant) -> bool {
        if !self.is_active() {
            return false;
        }
        self.pan.drive(self.pan(now));
        if let Some(tilt) = self.held {
            self.tilt.drive(tilt);
        }
        let falls = (0.25..0.75).contains(&self.phase(now));
        core::mem::replace(&mut self.falls, falls) != falls
    }

    /// The value of the wag at an instant.
    pub fn pan(&self, at: Instant) -> f64 {
        self.wave.value(self.paused.unwrap_or(at))
    }

    /// The share of the present wag that has passed, 0 to 1.
    pub fn phase(&self, at: Instant) -> f64 {
        self.wave.phase(self.paused.unwrap_or(at))
    }

    /// Whether it is active.
    pub fn is_active(&self) -> bool {
        self.paused.is_none()
    }

    /// Its wave: its period and its magnitude, as the amplitude.
    pub fn wave(&self) -> SineWave {
        self.wave
    }

    /// Sets the time of one wag. The phase stays, so that it goes on from where it is.
    pub fn set_period(&mut self, period: Span, now: Instant) {
        let phase = self.phase(now);
        self.wave.params.period = period;
        self.wave
            .begin(phase * period.seconds(), self.paused.unwrap_or(now));
    }

    /// Sets how far it goes to either side.
    pub fn set_magnitude(&mut self, magnitude: impl Into<f64>) {
        self.wave.params.amplitude = magnitude.into();
    }

    /// The tilt, if it is set.
    pub fn tilt(&self) -> Option<f64> {
        self.held
    }

    /// Holds the tilt at this value; `None` leaves it alone.
    pub fn set_tilt(&mut self, tilt: impl Into<Option<f64>>) {
        self.held = tilt.into();
    }

    /// Sets whether it is active. It goes on from where it stopped.
    pub fn set_active(&mut self, active: bool, now: Instant) {
        match self.paused {
            Some(paused) if active => {
                let pause = ticks(now).saturating_sub(ticks(paused));
                self.wave.start = self.wave.start.saturating_add(pause);
                self.paused = None;
            }
            None if !active => self.paused = Some(now),
            _ => {}
        }
    }
}
