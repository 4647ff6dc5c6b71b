#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod ground;
mod linear;
mod model;
mod rows;
mod solver;
mod spatial;
mod touch;
mod tree;
mod world;
mod world_state;

pub use ground::{Ground, HeightField, Surface};
pub use model::{
    Collider, DOFS_MAX, DofModel, JointModel, LinkModel, Model, ModelError, Mount, PAIRS_MAX, Shape,
};
pub use touch::TOUCHES_MAX;
pub use world::{Contact, LinkMotion, MotorCommand, StepError, World, WorldSettings};
