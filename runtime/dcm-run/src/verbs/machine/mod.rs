//! The verbs for this machine and this program.

pub(crate) mod bench;
pub(crate) mod doctor;
pub(crate) mod features;
pub(crate) mod licenses;
pub(crate) mod manual;
pub(crate) mod version;
