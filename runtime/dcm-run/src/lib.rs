//! The command line: verbs and their words, and nothing else.
//!
//! One file for each verb. A verb turns arguments into calls on the rooms below and their
//! answers into text; it has no motion logic of its own.

mod features;
mod trace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Puts choreographies onto a moving robot.
///
/// Exit codes: 0 done, 1 something failed, 2 the words on the command line are wrong,
/// 3 what was tested does not pass.
#[derive(Debug, Parser)]
#[command(name = "dcm-run", version, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Plays a script turn by turn and prints what every turn did.
    Trace(trace::Args),
    /// Lists the features of the systems that came before, and the test that shows each here.
    Features(features::Args),
}

/// A verb's good ending.
pub(crate) enum Outcome {
    Done,
    /// What was tested does not pass; the verb has said why.
    Fails,
}

/// Carries out one command line.
pub fn run(cli: &Cli) -> ExitCode {
    let outcome = match &cli.verb {
        Verb::Trace(args) => trace::run(args),
        Verb::Features(args) => features::run(args),
    };
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Fails) => ExitCode::from(3),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dcm-run: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether whoever read our output went away, as `head` does: no failure of ours.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = error
        .downcast_ref::<std::io::Error>()
        .map(std::io::Error::kind);
    kind == Some(std::io::ErrorKind::BrokenPipe)
}
