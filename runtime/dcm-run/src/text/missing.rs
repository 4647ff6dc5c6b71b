//! The parts that this program was built without. Returned where such a part is needed; the exit code is 2.

use std::fmt;

/// A part of `dcm-run` that is missing in this build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code, reason = "what was built in is not missing")]
pub(crate) enum Missing {
    Server,
    Pictures,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            Missing::Server => "the server and its clients",
            Missing::Pictures => "pictures in PNG (SVG is built in)",
        };
        write!(
            f,
            "this program was built without {what}; fix: `cargo build` includes everything"
        )
    }
}

impl std::error::Error for Missing {}
