//! Recordings: what is written down can be made again, bit for bit, and whatever is not as it was is found.

mod again;
mod broken;
mod changed;
mod film;
mod made;
