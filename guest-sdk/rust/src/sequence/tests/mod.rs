//! Sequences, compared with what is computed beside them in the plainest way.

mod editing;
mod playing;
mod recording;
