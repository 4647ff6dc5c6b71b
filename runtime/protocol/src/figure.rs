//! The figure of a body: its links, the values of each joint, its poses. For pictures of the body, and for lists.
//! Made by the loop's request handler from the description; drawn by the dashboard and sent to viewers.
//! A link comes after its parent.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The structure of a body.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct Figure {
    /// Its links; empty if the description has none.
    pub links: Vec<FigureLink>,
    /// Its joints.
    pub joints: Vec<Joint>,
    /// The sensors of the forces on its soles.
    #[serde(default)]
    pub forces: Vec<FigureForce>,
    /// The sensors that follow the body in the world of its simulation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<FigureBase>,
    /// The poses of its description.
    #[serde(default)]
    pub poses: Vec<FigurePose>,
}

/// The indices on the page of the sensors that read where the first link is, in a simulation with physics.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct FigureBase {
    /// Its position: x, y and z, m. The floor is at 0 where the body stood at first.
    pub position: [u16; 3],
    /// Its orientation: roll, pitch, yaw, rad.
    pub angles: [u16; 3],
}

impl FigureBase {
    /// Position and orientation from the values of sensors; none if they are missing, or if they are those of a body
    /// that was simulated without physics: nothing moves them from 0.
    pub fn read(&self, value: impl Fn(u16) -> Option<f64>) -> Option<[[f64; 3]; 2]> {
        let three = |sensors: [u16; 3]| {
            let [x, y, z] = sensors.map(&value);
            Some([x?, y?, z?])
        };
        let pose = [three(self.position)?, three(self.angles)?];
        let parts = pose.as_flattened();
        let is_known = parts.iter().all(|part| part.is_finite());
        (is_known && parts.iter().any(|part| *part != 0.0)).then_some(pose)
    }
}

/// A sensor that measures a share of the force on a link.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct FigureForce {
    /// Its index on the page.
    pub sensor: u16,
    /// The index of its link.
    pub link: usize,
    /// Its position in the frame of the link, m.
    pub at: [f64; 3],
}

/// A pose of the description.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct FigurePose {
    /// Its name.
    pub name: String,
    /// The value of each of its actuators, by name.
    pub values: BTreeMap<String, f64>,
}

/// A rigid part of a body.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct FigureLink {
    /// Its name.
    pub name: String,
    /// The index of its parent in the list.
    pub parent: Option<usize>,
    /// The index on the page of the actuator that moves it.
    pub joint: Option<u16>,
    /// Its position in its parent's frame, m.
    pub at: [f64; 3],
    /// Its orientation in its parent's frame: roll, pitch, yaw, rad.
    pub turn: [f64; 3],
    /// The joint's axis, of length 1.
    pub axis: [f64; 3],
    /// Whether it slides along the axis.
    pub slides: bool,
    /// How far it moves when the joint moves by 1.
    pub ratio: f64,
    /// Its displacement when the joint is at 0: rad or m.
    pub offset: f64,
    /// Its shape.
    pub capsules: Vec<Capsule>,
    /// The corners of its sole, m.
    pub sole: Vec<[f64; 3]>,
}

/// A capsule, m.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct Capsule {
    /// The first end of its axis.
    pub from: [f64; 3],
    /// The other end.
    pub to: [f64; 3],
    /// Its radius.
    pub radius: f64,
}

/// A joint, and the indices of its values on the page.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct Joint {
    /// Its index among the actuators.
    pub actuator: u16,
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// The lower end of its range.
    pub lowest: f64,
    /// The upper end of its range.
    pub highest: f64,
    /// The index of the sensor that measures it.
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
    /// The temperature from which its stiffness is reduced, °C.
    pub warm: Option<f64>,
    /// The temperature from which it has no stiffness, °C.
    pub hot: Option<f64>,
}
