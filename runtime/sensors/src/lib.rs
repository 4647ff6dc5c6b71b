#![doc = include_str!("../README.md")]

mod layout;
mod map;
mod reader;
mod writer;

pub use layout::{LABEL_NAME_MAX, Label, RING, Shape, VERSION};
pub use reader::{Frame, OpenError, Page};
pub use writer::{CreateError, Creation, PageWriter};
