//! The binary: parse, run, exit code.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    dcm_run::run(&dcm_run::Cli::parse())
}
