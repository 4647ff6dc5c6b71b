//! Moves the zero of a joint while the loop runs: the part of its calibration that is found by hand.
//! Called by clients, in a turn or between turns.
//! Only a limp joint is calibrated, so nothing moves. Its range holds in its unit, and its counts stay within
//! those that the description allows: so it loses at one end what its zero has moved.

use super::Stage;
use crate::body::{Actuator, ActuatorId, Calibration, Range};
use crate::named_enum;
use crate::track::Track;

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
        /// Its sensor was not read in the last turn.
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
            .filter(|actuator| actuator.kind.is_jointed())
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
            ZeroChange::IsAt(_) if !track.is_read || !measured.is_finite() => {
                return Err(TrimRefusal::NoReading);
            }
            ZeroChange::IsAt(value) => track.trim + (value - measured),
        };
        if !trim.is_finite() {
            return Err(TrimRefusal::Value);
        }
        let half = (described.range.max - described.range.min) / 2.0;
        let moved = described.calibration.moved(trim);
        let driven = self
            .body
            .couplings
            .iter()
            .filter(|coupling| coupling.driven == actuator);
        let mut ranges = driven
            .flat_map(|coupling| coupling.rows)
            .map(|row| row.range);
        let fits = moved.reaches(described.range) && ranges.all(|range| moved.reaches(range));
        if trim.abs() > half || !fits {
            return Err(TrimRefusal::TooFar);
        }
        let by = trim - track.trim;
        let value = &mut self.values[sensor.index()];
        *value += by;
        let stands = if value.is_finite() && track.is_read {
            *value
        } else {
            track.held + by
        };
        track.trim = trim;
        // It may have force in this very turn: from where it is.
        track.rest_at(track.range(described).clamp(stands));
        self.trims += 1;
        Ok(trim)
    }
}

impl Track {
    /// The range of an actuator whose zero was moved: that of the description, in its unit and in its counts.
    pub(crate) fn range(&self, actuator: &Actuator<'_>) -> Range {
        let Range { min, max } = actuator.range;
        if self.trim == 0.0 {
            return actuator.range;
        }
        Range {
            min: min.max(min + self.trim),
            max: max.min(max + self.trim),
        }
    }

    /// The same range with the present value: a hand may have put it outside.
    pub(crate) fn allowed(&self, actuator: &Actuator<'_>) -> Range {
        self.range(actuator).including(self.limited)
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
