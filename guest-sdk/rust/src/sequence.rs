//! Motion sequences.
