//! Moves the zero of a joint while the loop runs: the part of its calibration that is found by hand.
//! Called by clients between turns, and at a takeover.
//! The law: only a limp joint is calibrated, so nothing moves; its range holds in its unit, before and after.

use super::Stage;
use crate::body::{ActuatorId, Calibration};
use crate::limits;
use crate::named_enum;

/// How the zero of a joint is moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ZeroChange {
    /// The joint is at this value now.
    IsAt(f64),
    /// The zero is so far from that of the description.
    To(f64),
}

named_enum! {
    /// Why a joint is not calibrated. Nothing has changed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum TrimRefusal {
        /// It is no joint, or nothing measures it.
        NotMeasured => "not-measured",
        /// It has force: its calibration would move it.
        NotLimp => "not-limp",
        /// Its sensor has not been read.
        NoReading => "no-reading",
        /// The value is not a number, or no position of the joint.
        Value => "value",
        /// The zero would be moved by more than half of the range.
        TooFar => "too-far",
    }
}

impl Stage<'_> {
    /// Moves the zero of a joint, for its commands and for its sensor; returns how far it now is from that of the
    /// description, in the joint's unit. The next reading shows the new value.
    ///
    /// # Errors
    /// [`TrimRefusal`], with nothing changed.
    pub fn trim(&mut self, actuator: ActuatorId, change: ZeroChange) -> Result<f64, TrimRefusal> {
        let described = self
            .body
            .actuators
            .get(actuator.index())
            .filter(|it| limits::is_jointed(it.kind))
            .ok_or(TrimRefusal::NotMeasured)?;
        let sensor = described.sensor.ok_or(TrimRefusal::NotMeasured)?;
        let track = &mut self.tracks[actuator.index()];
        if !(track.limp || self.safety.is_limp()) {
            return Err(TrimRefusal::NotLimp);
        }
        let measured = self.values[sensor.index()];
        let trim = match change {
            ZeroChange::To(trim) => trim,
            ZeroChange::IsAt(value) if !described.range.holds(value) => {
                return Err(TrimRefusal::Value);
            }
            ZeroChange::IsAt(_) if self.link.readings == 0 || !measured.is_finite() => {
                return Err(TrimRefusal::NoReading);
            }
            ZeroChange::IsAt(value) => track.trim + (value - measured),
        };
        if !trim.is_finite() {
            return Err(TrimRefusal::Value);
        }
        let half = (described.range.max - described.range.min) / 2.0;
        let moved = described.calibration.moved(trim);
        if trim.abs() > half || !moved.reaches(described.range) {
            return Err(TrimRefusal::TooFar);
        }
        self.values[sensor.index()] += trim - track.trim;
        track.trim = trim;
        self.trims += 1;
        Ok(trim)
    }
}

impl Calibration {
    /// The calibration after its zero was moved by `trim`.
    pub fn moved(self, trim: f64) -> Calibration {
        if trim == 0.0 {
            return self;
        }
        Calibration {
            offset: self.offset + trim,
            ..self
        }
    }
}
