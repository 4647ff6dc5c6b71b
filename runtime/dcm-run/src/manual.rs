//! `dcm-run completions` and `dcm-run man`: made from the same words as the command line itself.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args as ClapArgs, CommandFactory};
use clap_complete::env::{CompleteEnv, Shells};

use crate::{Cli, Outcome};

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
    let Some(folder) = &args.folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        std::io::stdout().write_all(&page)?;
        return Ok(Outcome::Done);
    };
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    clap_mangen::generate_to(Cli::command(), folder)
        .with_context(|| format!("writing pages into {}", folder.display()))?;
    Ok(Outcome::Done)
}
