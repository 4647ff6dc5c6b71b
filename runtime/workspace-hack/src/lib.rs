//! Nothing: its manifest is what matters. Cargo builds a crate once for each set of features that is asked of it, and
//! the README's two commands ask different things. What the second asks of the crates of the first is written down in
//! the manifest, so that the first builds them as the second needs them.
//! `tests/tidy.rs` compares both commands' features, and names those that differ.
