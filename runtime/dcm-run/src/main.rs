//! The binary: answer a shell that completes words, or parse, run, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    dcm_run::complete();
    dcm_run::run(&dcm_run::Cli::read())
}
