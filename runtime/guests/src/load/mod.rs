//! From bytes to a choreography: checked against the contract, spliced, compiled, linked.
//! Called for every upload, outside the turn.
//! Nothing here knows a loop or a guest; a choreography can become many guests.

pub(crate) mod cache;
pub(crate) mod choreography;
pub(crate) mod code_form;
pub(crate) mod compile;
pub(crate) mod compile_load;
pub(crate) mod compile_progress;
pub(crate) mod compiled_show;
pub(crate) mod componentize;
pub(crate) mod contract;
pub(crate) mod engine;
pub(crate) mod inplace;
pub(crate) mod manifest;
mod module;
pub(crate) mod reserve;
pub(crate) mod script;
pub(crate) mod splice;
pub(crate) mod wit;
