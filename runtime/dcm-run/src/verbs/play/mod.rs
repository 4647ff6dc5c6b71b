//! `run`, `play`, and the verbs for guests on a running robot.

pub(crate) mod guests;
pub(crate) mod run;
