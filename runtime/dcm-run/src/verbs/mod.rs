//! The groups of the verbs, with the most used first: for `--help`, and for the man page of `dcm-run` itself.
//! Called by `lib` and `manual`. The law: each verb that is shown is in exactly one group; its line is the one that
//! the verb itself has.

use std::fmt::Write;

use anstyle::Style;
use clap::{Command, Subcommand};

use crate::Verb;

/// A heading, and the verbs below it.
type VerbGroup = (&'static str, &'static [&'static str]);

/// The verbs that need a robot's server. A build without one knows them by these names.
pub(crate) const SERVER_VERBS: [&str; 17] = [
    "serve",
    "push",
    "start",
    "ls",
    "pull",
    "rm",
    "tag",
    "rollback",
    "boot",
    "robots",
    "pair",
    "tokens",
    "take-over",
    "keys",
    "audit",
    "clock",
    "service",
];

/// All groups.
pub(crate) const GROUPS: [VerbGroup; 8] = [
    (
        "Play",
        &["run", "play", "load", "stop", "pause", "swap", "tune"],
    ),
    (
        "Watch",
        &[
            "top", "ps", "joints", "latency", "get", "watch", "events", "logs", "plot", "replay",
            "blackbox",
        ],
    ),
    (
        "Command",
        &[
            "set", "pose", "pending", "cancel", "lane", "arm", "hold", "resume", "estop",
            "retreat", "disarm", "clear",
        ],
    ),
    (
        "Author",
        &[
            "new", "build", "compile", "convert", "dev", "check", "sim", "trace", "wit",
        ],
    ),
    ("Robot's server", &SERVER_VERBS),
    (
        "Description",
        &["config", "urdf", "preferences", "calibrate"],
    ),
    ("Hardware", &["wire", "guard"]),
    (
        "Machine",
        &[
            "doctor",
            "bench",
            "features",
            "version",
            "licenses",
            "completions",
            "man",
            "help",
        ],
    ),
];

/// The verb that clap adds.
const HELP: (&str, &str) = ("help", "Print the help of a verb");

/// The groups with their verbs, each with its line.
pub(crate) fn lists() -> Vec<(&'static str, Vec<(String, String)>)> {
    let command = Verb::augment_subcommands(Command::new("dcm-run"));
    let line = |name: &&str| {
        let about = command.find_subcommand(name).and_then(Command::get_about);
        let about = about.map_or_else(|| HELP.1.to_owned(), ToString::to_string);
        ((*name).to_owned(), about)
    };
    let groups = GROUPS.iter();
    groups
        .map(|(heading, verbs)| (*heading, verbs.iter().map(line).collect()))
        .collect()
}

/// The template of `dcm-run --help`.
pub(crate) fn help_template() -> String {
    let heading = Style::new().bold().underline();
    let verb = Style::new().bold();
    let mut text = String::from("{before-help}{about-with-newline}\n{usage-heading} {usage}\n");
    for (title, verbs) in lists() {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "\n{heading}{title}:{heading:#}");
        for (name, about) in verbs {
            let _ = writeln!(text, "  {verb}{name:<11}{verb:#}  {about}");
        }
    }
    let _ = write!(
        text,
        "\n{heading}Options:{heading:#}\n{{options}}{{after-help}}"
    );
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::{GROUPS, help_template, lists};
    use crate::Cli;

    #[test]
    fn each_verb_is_in_exactly_one_group() {
        let mut command = Cli::command();
        command.build();
        let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
        let shown: BTreeSet<_> = shown.map(|it| it.get_name().to_owned()).collect();
        let grouped: Vec<_> = GROUPS.iter().flat_map(|it| it.1).collect();
        let once: BTreeSet<_> = grouped.iter().map(|it| (**it).to_owned()).collect();
        assert_eq!(once.len(), grouped.len(), "a verb is in two groups");
        assert_eq!(once, shown);
    }

    #[test]
    fn each_line_is_short_and_tells_what_to_do() {
        for (name, about) in lists().into_iter().flat_map(|it| it.1) {
            let verb = about.split(' ').next().unwrap_or_default();
            assert!(!about.is_empty() && about.len() <= 64, "{name}: {about}");
            assert!(
                !verb.ends_with('s') || ["Press"].contains(&verb),
                "{name}: no imperative: {about}"
            );
            assert!(
                !about.contains('{'),
                "{name}: a template cannot hold this: {about}"
            );
        }
        assert!(help_template().contains("Robot's server:"));
    }
}
