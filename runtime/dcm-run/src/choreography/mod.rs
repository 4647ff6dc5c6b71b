//! What can be played: files of choreographies and motions, shipped choreographies, and the options of guests.

pub(crate) mod guest_options;
pub(crate) mod motion_file;
pub(crate) mod shipped;
