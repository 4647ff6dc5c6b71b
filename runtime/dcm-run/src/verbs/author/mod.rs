//! The verbs for authors of choreographies: projects, builds, checks, simulated acts.

pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod compile;
pub(crate) mod convert;
pub(crate) mod dev;
pub(crate) mod new;
pub(crate) mod project;
pub(crate) mod sim;
pub(crate) mod trace;
pub(crate) mod wit;
