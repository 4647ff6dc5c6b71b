//! Tests of the crate's laws.
