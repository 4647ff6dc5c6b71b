//! The verbs that move a running robot, or change the state of its body.

pub(crate) mod follow;
pub(crate) mod lane;
pub(crate) mod operate;
pub(crate) mod pose;
pub(crate) mod set;
