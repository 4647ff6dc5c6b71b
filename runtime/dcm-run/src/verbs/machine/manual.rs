//! `dcm-run completions` and `dcm-run man`: generated from the command line's own definition.
//! Every page has examples, which parse.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args as ClapArgs, Command, CommandFactory};
use clap_complete::env::{CompleteEnv, Shells};

use crate::Cli;
use crate::text::output::VerbOutcome;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    For bash: `dcm-run completions bash > ~/.local/share/bash-completion/completions/dcm-run`; for zsh, write a file \
    `_dcm-run` in a folder of `fpath`; for fish, ~/.config/fish/completions/dcm-run.fish. The script runs this program \
    for candidates: robots, joints, poses, guests, choreographies.")]
pub(crate) struct Shell {
    /// The shell.
    #[arg(value_parser = ["bash", "elvish", "fish", "powershell", "zsh"])]
    shell: String,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Without a folder, prints the page of `dcm-run` itself: `dcm-run man | man -l -`."
)]
pub(crate) struct Pages {
    /// The folder to write a page for each verb to.
    folder: Option<PathBuf>,
}

/// The environment variable with which a shell asks for candidates.
const COMPLETE: &str = "DCM_RUN_COMPLETE";

/// Answers a shell that asks for candidates, and then exits.
pub fn complete() {
    CompleteEnv::with_factory(Cli::command)
        .var(COMPLETE)
        .bin("dcm-run")
        .complete();
}

pub(crate) fn completions(args: &Shell) -> Result<VerbOutcome> {
    let mut script = Vec::new();
    let shells = Shells::builtins();
    let shell = shells.completer(&args.shell).context("unknown shell")?;
    shell.write_registration(COMPLETE, "dcm_run", "dcm-run", "dcm-run", &mut script)?;
    std::io::stdout().write_all(&script)?;
    Ok(VerbOutcome::Done)
}

pub(crate) fn pages(args: &Pages) -> Result<VerbOutcome> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = &args.folder else {
        std::io::stdout().write_all(page(&command, "dcm-run")?.as_bytes())?;
        return Ok(VerbOutcome::Done);
    };
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    write_pages(&command, "dcm-run", folder)
        .with_context(|| format!("writing pages into {}", folder.display()))?;
    Ok(VerbOutcome::Done)
}

/// Writes a page for each verb, and for each of its subcommands.
fn write_pages(command: &Command, name: &str, folder: &Path) -> Result<()> {
    fs::write(folder.join(format!("{name}.1")), page(command, name)?)?;
    let verbs = command.get_subcommands();
    for verb in verbs.filter(|verb| !verb.is_hide_set() && verb.get_name() != "help") {
        write_pages(verb, &format!("{name}-{}", verb.get_name()), folder)?;
    }
    Ok(())
}

/// A verb's page without the long lines and trailing blanks that `mandoc` warns about, with examples.
fn page(command: &Command, name: &str) -> Result<String> {
    let own: &'static str = name.to_owned().leak();
    let mut page = Vec::new();
    let mut command = command.clone().name(own);
    if command.get_version().is_some() {
        // Without the commit: the same text has the same pages.
        command = command.version(env!("CARGO_PKG_VERSION"));
    }
    clap_mangen::Man::new(command)
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
        // The text below the options keeps its lines and columns.
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
    let rest = after.find("\n.SH ").map_or("", |value| &after[value + 1..]);
    let mut text = format!("{before}{TITLE}");
    for (heading, verbs) in crate::verbs::lists() {
        text += &format!(".SS {heading}\n");
        for (verb, about) in verbs.iter().filter(|verb| verb.0 != "help") {
            let line = format!("dcm-run-{verb}(1)\n{about}\n").replace('-', "\\-");
            text += &format!(".TP\n{line}");
        }
    }
    text + rest
}

/// Wraps a line of text; a line with a request for the formatter stays as it is.
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
        // A dot or an apostrophe at the beginning of a line would be a request.
        if width == 0 && word.starts_with(['.', '\'']) {
            text.push_str("\\&");
        }
        text.push_str(word);
        width += length;
    }
    text.push('\n');
}

/// The date of the pages: fixed, so that the same program writes the same pages.
const DATE: &str = "2026-11-22";

/// One command per line, for the page of its verb and for the pages above it.
const EXAMPLES: &str = include_str!("examples.txt");

/// The most examples on a page.
const EXAMPLES_MAX: usize = 5;

/// The examples of a page.
fn examples(name: &str) -> impl Iterator<Item = &'static str> {
    let begins = name.replace("take-over", "take_over").replace('-', " ");
    let begins = begins.replacen("dcm run", "dcm-run", 1).replace('_', "-");
    let is_of = move |value: &&str| {
        let after = value.strip_prefix(begins.as_str());
        after.is_some_and(|text| text.is_empty() || text.starts_with(' '))
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
            for verb in verbs.filter(|verb| !verb.is_hide_set() && verb.get_name() != "help") {
                walk(verb, &format!("{name}-{}", verb.get_name()));
            }
        }
        let mut command = Cli::command();
        command.build();
        walk(&command, "dcm-run");
    }
}
