//! What is too small to be meant: steps of boards, and digits of files. Used by the judges of values.

use description::ActuatorSpec;

/// One step of the actuator's board, in the actuator's unit.
pub(super) fn step(actuator: &ActuatorSpec) -> f64 {
    if actuator.calibration.whole {
        actuator.calibration.gain.abs()
    } else {
        0.0
    }
}

/// Whether a value is beyond its range by so little that only its rounding can have put it there: files have angles
/// with three or four digits, and boards steps that are coarser.
pub(super) fn is_rounding(actuator: &ActuatorSpec, value: f64, limit: f64) -> bool {
    let digits = if actuator.unit == "rad" { 1e-3 } else { 0.0 };
    (value - limit).abs() <= step(actuator).max(digits)
}
