//! Changes of the floor of a simulated body, and of what is on it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A change of the floor. Directions are those in which the body faces at that moment.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum FloorChange {
    /// Tilts it: by how much it rises ahead of where the body faced at the start, rad.
    Tilt(f64),
    /// Puts a box down from above, on the floor or on the highest thing below it.
    Box {
        /// Its length ahead, its width and its height, m.
        edges: [f64; 3],
        /// kg; without it, the box cannot move.
        #[serde(default)]
        mass: Option<f64>,
        /// How far its middle is ahead of the body, and to its left, m.
        at: [f64; 2],
    },
    /// Builds a flight of steps ahead.
    Steps {
        /// How many.
        count: u8,
        /// The height of each, m.
        height: f64,
        /// The depth of each, m.
        depth: f64,
        /// How far the first one is ahead of the body's foremost point, m.
        gap: f64,
    },
    /// Takes boxes and steps away.
    Empty,
}
