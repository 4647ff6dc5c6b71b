//! The verbs for boards without a loop, and the guardian of a loop.

pub(crate) mod guard;
pub(crate) mod wire;
