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

#[cfg(all(test, feature = "server"))]
mod tests {
    use clap::{Command, Subcommand};

    use crate::no_remote;

    fn verbs<V: Subcommand>() -> Vec<(String, String)> {
        let all = V::augment_subcommands(Command::new("dcm-run"));
        let told = |it: &Command| it.get_about().map(ToString::to_string).unwrap_or_default();
        all.get_subcommands()
            .map(|it| (it.get_name().to_owned(), told(it)))
            .collect()
    }

    #[test]
    fn what_stands_in_for_the_server_has_its_verbs() {
        assert_eq!(verbs::<no_remote::Verb>(), verbs::<crate::remote::Verb>());
    }
}
