#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod bounds;
mod box_contact;
mod box_counts;
mod box_pair;
mod boxes;
mod capsule;
mod equations;
mod ground;
mod inertia;
mod linear;
mod matrix;
mod model;
mod overlap;
mod placed_box;
mod polygon;
mod rows;
mod solver;
mod spatial;
mod touch;
mod tree;
mod tree_growth;
mod world;
mod world_state;

#[cfg(test)]
mod tests;

pub use boxes::{BoxModel, BoxesFull};
pub use ground::{Ground, HeightField, Surface};
pub use inertia::{is_inertia, turn_inertia};
pub use model::{
    Collider, DOFS_MAX, DofModel, JointModel, LinkModel, Model, ModelError, Mount, PAIRS_MAX, Shape,
};
pub use overlap::TOUCHES_MAX;
pub use world::{
    AirDrag, ContactPoint, MotorCommand, PhysicsWorld, PointMotion, StepError, WorldSettings,
};
