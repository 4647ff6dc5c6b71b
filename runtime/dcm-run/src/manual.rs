//! `dcm-run completions` and `dcm-run man`: made from the same words as the command line itself.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args as ClapArgs, Command, CommandFactory};
use clap_complete::env::{CompleteEnv, Shells};

use crate::{Cli, Outcome, groups};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    For bash: `dcm-run completions bash > ~/.local/share/bash-completion/completions/dcm-run`; for zsh into a file \
    `_dcm-run` on its `fpath`; for fish into ~/.config/fish/completions/dcm-run.fish. The shell asks this program \
    what may stand there: robots, joints, poses, guests, choreographies as they are then.")]
pub(crate) struct Shell {
    /// The shell.
    #[arg(value_parser = ["bash", "elvish", "fish", "powershell", "zsh"])]
    shell: String,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Without a folder, the page of `dcm-run` itself is printed: `dcm-run man | man -l -`."
)]
pub(crate) struct Pages {
    /// The folder for one page for each verb.
    folder: Option<PathBuf>,
}

/// The variable by which a shell asks what may stand somewhere.
const COMPLETE: &str = "DCM_RUN_COMPLETE";

/// Answers a shell that asks what may stand somewhere, and ends the process then.
pub fn complete() {
    CompleteEnv::with_factory(Cli::command)
        .var(COMPLETE)
        .bin("dcm-run")
        .complete();
}

pub(crate) fn completions(args: &Shell) -> Result<Outcome> {
    let mut script = Vec::new();
    let shells = Shells::builtins();
    let shell = shells.completer(&args.shell).context("no such shell")?;
    shell.write_registration(COMPLETE, "dcm_run", "dcm-run", "dcm-run", &mut script)?;
    std::io::stdout().write_all(&script)?;
    Ok(Outcome::Done)
}

pub(crate) fn pages(args: &Pages) -> Result<Outcome> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = &args.folder else {
        std::io::stdout().write_all(page(&command, "dcm-run")?.as_bytes())?;
        return Ok(Outcome::Done);
    };
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    write_pages(&command, "dcm-run", folder)
        .with_context(|| format!("writing pages into {}", folder.display()))?;
    Ok(Outcome::Done)
}

/// A page for each verb, and for each of its verbs.
fn write_pages(command: &Command, name: &str, folder: &Path) -> Result<()> {
    fs::write(folder.join(format!("{name}.1")), page(command, name)?)?;
    let verbs = command.get_subcommands();
    for verb in verbs.filter(|it| !it.is_hide_set() && it.get_name() != "help") {
        write_pages(verb, &format!("{name}-{}", verb.get_name()), folder)?;
    }
    Ok(())
}

/// A verb's page, as `mandoc` likes it: no long lines, no idle blanks; with examples.
fn page(command: &Command, name: &str) -> Result<String> {
    let own: &'static str = name.to_owned().leak();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone().name(own))
        .title(name.to_uppercase())
        .date(DATE)
        .manual("dcm-run")
        .render(&mut page)?;
    let mut page = String::from_utf8_lossy(&page).into_owned();
    if name == "dcm-run" {
        page = grouped(&page);
    }
    let mut text = String::new();
    let mut as_it_is = false;
    for line in page.lines() {
        if line.starts_with(".SH") && std::mem::take(&mut as_it_is) {
            text += ".fi\n";
        }
        if as_it_is {
            text += line.trim_end();
            text.push('\n');
        } else {
            wrap(line.trim_end(), &mut text);
        }
        // What stands below the options has lines and columns of its own.
        if line == ".SH EXTRA" {
            text += ".nf\n";
            as_it_is = true;
        }
    }
    if as_it_is {
        text += ".fi\n";
    }
    text += ".SH EXAMPLES\n.nf\n";
    for example in examples(name) {
        text += &example.replace('-', "\\-");
        text.push('\n');
    }
    text += ".fi\n";
    Ok(text.replace("\n.br\n\n.br\n", "\n.sp\n"))
}

/// The page of `dcm-run` itself, with its verbs in their groups.
fn grouped(page: &str) -> String {
    const TITLE: &str = ".SH SUBCOMMANDS\n";
    let Some((before, after)) = page.split_once(TITLE) else {
        return page.to_owned();
    };
    let rest = after.find("\n.SH ").map_or("", |it| &after[it + 1..]);
    let mut text = format!("{before}{TITLE}");
    for (heading, verbs) in groups::lists() {
        text += &format!(".SS {heading}\n");
        for (verb, about) in verbs.iter().filter(|it| it.0 != "help") {
            let line = format!("dcm-run-{verb}(1)\n{about}\n").replace('-', "\\-");
            text += &format!(".TP\n{line}");
        }
    }
    text + rest
}

/// A line of text as several, none of them long; a line that tells the formatter something stays as it is.
fn wrap(line: &str, text: &mut String) {
    const WIDTH: usize = 78;
    if line.starts_with('.') || line.chars().count() <= WIDTH {
        text.push_str(line);
        text.push('\n');
        return;
    }
    let mut width = 0;
    for word in line.split_whitespace() {
        let length = word.chars().count();
        let fits = width + 1 + length <= WIDTH;
        match (width, fits) {
            (0, _) => {}
            (_, true) => {
                text.push(' ');
                width += 1;
            }
            (_, false) => {
                text.push('\n');
                width = 0;
            }
        }
        // What begins a line with a dot or an apostrophe would be taken for an order.
        if width == 0 && word.starts_with(['.', '\'']) {
            text.push_str("\\&");
        }
        text.push_str(word);
        width += length;
    }
    text.push('\n');
}

/// The day of the pages: the same pages for the same program.
const DATE: &str = "2026-11-22";

/// A command on each line; it stands on the page of its verb, and on those above it.
const EXAMPLES: &str = include_str!("examples.txt");

/// How many of its verbs' examples stand on the page of a verb that has others below it.
const EXAMPLES_MAX: usize = 5;

/// The examples of a page.
fn examples(name: &str) -> impl Iterator<Item = &'static str> {
    let begins = name.replace("take-over", "take_over").replace('-', " ");
    let begins = begins.replacen("dcm run", "dcm-run", 1).replace('_', "-");
    let is_of = move |it: &&str| {
        let after = it.strip_prefix(begins.as_str());
        after.is_some_and(|it| it.is_empty() || it.starts_with(' '))
    };
    EXAMPLES.lines().filter(is_of).take(EXAMPLES_MAX)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{EXAMPLES, examples};
    use crate::Cli;

    #[test]
    fn every_page_has_examples_which_are_understood() {
        for line in EXAMPLES.lines() {
            let read = Cli::command().try_get_matches_from(line.split(' '));
            read.unwrap_or_else(|why| panic!("{line}: {why}"));
        }
        fn walk(command: &clap::Command, name: &str) {
            assert_ne!(examples(name).count(), 0, "{name} has no example");
            let verbs = command.get_subcommands();
            for verb in verbs.filter(|it| !it.is_hide_set() && it.get_name() != "help") {
                walk(verb, &format!("{name}-{}", verb.get_name()));
            }
        }
        let mut command = Cli::command();
        command.build();
        walk(&command, "dcm-run");
    }
}
