//! What all other folders know: the contract's enums, the body, events, reports, and the memory that a guest shares
//! with its compiled code.
//! Used by every other folder of the crate.
//! Nothing here knows how a guest is made, called or managed.

pub(crate) mod answer;
pub(crate) mod command_buffer;
pub(crate) mod end;
pub(crate) mod event_bus;
pub(crate) mod guest_body;
pub(crate) mod guest_requests;
pub(crate) mod guest_shared;
pub(crate) mod hook;
pub(crate) mod line_limit;
pub(crate) mod log;
pub(crate) mod log_line;
pub(crate) mod partial_line;
pub(crate) mod report;
pub(crate) mod score_ring;
pub(crate) mod terms;
pub(crate) mod topics;
