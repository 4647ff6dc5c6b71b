//! Words of requests: operations on the whole body, and what a value measures.
//! Used by `ask`. A word is the one that a person writes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An operation on the whole body.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Powers the body at its position.
    Arm,
    /// Makes it limp.
    Disarm,
    /// Stops it and holds its position.
    Hold,
    /// Lets the lanes move it again.
    Resume,
    /// Moves it to the safe pose, then makes it limp.
    Retreat,
    /// Clears the fault state.
    Clear,
    /// Presses the emergency stop.
    Press,
    /// Releases the emergency stop.
    Release,
}

impl Operation {
    /// All operations.
    pub const ALL: [Operation; 8] = [
        Operation::Arm,
        Operation::Disarm,
        Operation::Hold,
        Operation::Resume,
        Operation::Retreat,
        Operation::Clear,
        Operation::Press,
        Operation::Release,
    ];
}

/// The quantity that a value measures.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// rad.
    Angle,
    /// m.
    Length,
}
