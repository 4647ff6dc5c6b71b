//! How a body hangs together: its links, and what belongs to each joint. For pictures of it.
//! Filled in by the loop's clerks from the description; drawn by the dashboard, told to viewers.
//! The law: a link comes after the one that it hangs on.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A body.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct Figure {
    /// Its parts; none if the description has none.
    pub links: Vec<FigureLink>,
    /// What belongs to each joint.
    pub joints: Vec<Joint>,
}

/// A part of a body.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct FigureLink {
    /// Its name.
    pub name: String,
    /// The link that it hangs on, by its place in the list.
    pub parent: Option<usize>,
    /// The actuator that moves it, by its place on the page.
    pub joint: Option<u16>,
    /// Its place seen from its parent, m.
    pub at: [f64; 3],
    /// Its turn seen from its parent: roll, pitch, yaw, rad.
    pub turn: [f64; 3],
    /// The joint's axis, of length 1.
    pub axis: [f64; 3],
    /// Whether it slides along the axis.
    pub slides: bool,
    /// How far it moves for each step of the joint.
    pub ratio: f64,
    /// How far it has moved while the joint stands at 0: rad, or m.
    pub offset: f64,
    /// Its shape.
    pub capsules: Vec<Capsule>,
    /// The corners with which it stands on the ground, m.
    pub sole: Vec<[f64; 3]>,
}

/// A line with a thickness, m.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct Capsule {
    /// Where it begins.
    pub from: [f64; 3],
    /// Where it ends.
    pub to: [f64; 3],
    /// Half its thickness.
    pub radius: f64,
}

/// A joint, and where on the page its values are.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct Joint {
    /// Its place among the actuators.
    pub actuator: u16,
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// The lowest value that it may be sent.
    pub lowest: f64,
    /// The highest.
    pub highest: f64,
    /// The sensor that measures it.
    pub sensor: Option<u16>,
    /// That sensor's name.
    pub sensor_name: Option<String>,
    /// The sensor of its motor's current, A.
    pub current: Option<u16>,
    /// That sensor's name.
    pub current_name: Option<String>,
    /// The sensor of its motor's temperature, °C.
    pub temperature: Option<u16>,
    /// That sensor's name.
    pub temperature_name: Option<String>,
    /// From here on its motor is given less, °C.
    pub warm: Option<f64>,
    /// From here on nothing, °C.
    pub hot: Option<f64>,
}
