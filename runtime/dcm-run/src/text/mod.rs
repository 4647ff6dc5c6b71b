//! What verbs print and read: words and numbers, errors, problems of files.

pub(crate) mod errors;
pub(crate) mod missing;
pub(crate) mod output;
pub(crate) mod problems;
pub(crate) mod words;
