//! What runs inside the turn: the scheduler, its slots, the hooks, and what becomes of what a guest asks.
//! Called by the cycle, on the loop's thread.
//! Nothing here allocates, locks, waits or frees; whatever takes time is done in `manage`.

pub(crate) mod channel;
pub(crate) mod flush;
pub(crate) mod guest;
pub(crate) mod hooks;
pub(crate) mod inputs;
pub(crate) mod lane_control;
pub(crate) mod scheduler;
pub(crate) mod score;
pub(crate) mod slot;
