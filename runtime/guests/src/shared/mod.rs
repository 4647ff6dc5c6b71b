//! What every part of a guest's life knows: words of the contract, names, reports, and the words in memory that the
//! loop, the guest and whoever stands outside share.
//! Used by every other folder of the crate.
//! The law: nothing here knows how a guest is made, called or managed.

pub(crate) mod answer;
pub(crate) mod command_buffer;
pub(crate) mod event_bus;
pub(crate) mod guest_body;
pub(crate) mod guest_shared;
pub(crate) mod log;
pub(crate) mod log_line;
pub(crate) mod report;
pub(crate) mod terms;
