//! `dcm-run completions` and `dcm-run man`: made from the same words as the command line itself.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args as ClapArgs, CommandFactory};

use crate::{Cli, Outcome};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    For bash: `dcm-run completions bash > ~/.local/share/bash-completion/completions/dcm-run`.")]
pub(crate) struct Shell {
    /// The shell.
    shell: clap_complete::Shell,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Without a folder, the page of `dcm-run` itself is printed: `dcm-run man | man -l -`."
)]
pub(crate) struct Pages {
    /// The folder for one page for each verb.
    folder: Option<PathBuf>,
}

pub(crate) fn completions(args: &Shell) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "dcm-run", &mut script);
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
