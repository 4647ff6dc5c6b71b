//! Postures.
