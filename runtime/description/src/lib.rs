//! `robot.toml`: from texts in layers to a robot, with every mistake reported at once.
//!
//! The way of a description, told in [`README.md`](../README.md): `layers` finds the texts and lays them over each
//! other as a `tree`, `schema` compares that with what may be written, `read` makes the [`Robot`], and
//! [`BodyTables`] lends it to the cycle. `urdf` makes a description from a URDF.

mod amount;
mod layers;
mod load;
mod problem;
mod quantity;
mod read;
mod robot;
mod schema;
mod show;
mod text;
mod tree;
pub mod urdf;
mod write;

pub use amount::{amount, both, end_of};
pub use layers::{RobotSource, SHIPPED, config_folder};
pub use load::{load, load_told, of_layers, parse};
pub use printable::nearest;
pub use problem::{Problem, Problems, no_such};
pub use quantity::{Dimension, WrittenPosition};
pub use robot::{
    ActuatorSpec, BoardSpec, BodyTables, Bus, BusLoad, CollisionCapsule, CouplingSpec, DerivedSpec,
    Driver, ExclusiveGroup, GrantSpec, GuestForm, Leave, LineReading, LineValue, LinkSpec, Machine,
    PartModel, Port, ROUNDED, RigidBody, RigidBodyError, Robot, SensorSpec, WheelShape, fullest,
    is_flat, layout, loads, lola_input, lola_output,
};
pub use schema::{FORMAT, schema};
pub use show::{EffectiveValue, key_text, show};
pub use text::{Layer, Spot, TEXT_MAX, place_of};
pub use write::{WriteError, key_parts, local_text, restore, text_value, try_values, write};
