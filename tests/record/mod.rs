//! Recordings: every run can be replayed bit for bit, and every difference is found.

mod again;
mod broken;
mod changed;
mod film;
mod format;
mod made;
mod names;
mod parts;
