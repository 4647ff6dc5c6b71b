//! The command line: reads it, runs its verb, and ends with an exit code.
//!
//! `verbs` has a file or a folder for each verb, `session` connects to robots, `choreography` reads what can be played,
//! and `text` formats what people read.

mod choreography;
mod log_args;
mod process;
mod session;
mod text;
mod verbs;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;
use description::Problems;
use protocol::CallError;

use session::server;
use text::errors::{self, NotReached, RobotElsewhere};
use text::missing::Missing;
use text::output::{VerbOutcome, VerbOutput};
use text::problems;
use verbs::{NoArgs, Verb};

/// Run choreographies on a robot.
///
/// Exit codes: 0 success; 1 failure; 2 wrong usage; 3 a check or a test did not pass; 4 no robot can be reached.
#[derive(Debug, Parser)]
#[command(
    name = "dcm-run",
    version = verbs::VERSION_LINE,
    arg_required_else_help = true,
    help_template = verbs::help_template()
)]
pub struct Cli {
    #[command(subcommand)]
    verb: Verb,
    /// Print JSON, one object per line.
    #[arg(long, global = true)]
    json: bool,
    #[command(flatten)]
    log: log_args::LogArgs,
}

impl Cli {
    /// Reads the command line; ends the program if it is wrong, or asks for help or the version only.
    #[must_use]
    pub fn read() -> Cli {
        Cli::try_parse().unwrap_or_else(|why| {
            let json = std::env::args_os().any(|item| item == "--json");
            if why.kind() == ErrorKind::DisplayVersion && json {
                let verb = Verb::Version(NoArgs {});
                let log = log_args::LogArgs::default();
                return Cli { verb, json, log };
            }
            if why.kind() == ErrorKind::ValueValidation {
                // If stderr is closed, the exit code is all that is left.
                let told = errors::plain(&why.render().ansi().to_string());
                let _ = write!(anstream::stderr(), "{told}");
                std::process::exit(why.exit_code());
            }
            why.exit()
        })
    }
}

pub use verbs::complete;
pub use verbs::watch::plot;

/// Runs one command line.
pub fn run(cli: &Cli) -> ExitCode {
    log_args::start(&cli.log, cli.verb.default_log());
    let outcome = cli.verb.run(VerbOutput { json: cli.json });
    log_args::finish();
    match outcome {
        Ok(VerbOutcome::Done) => ExitCode::SUCCESS,
        Ok(VerbOutcome::Fails) => ExitCode::from(3),
        Ok(VerbOutcome::Stops) => ExitCode::FAILURE,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error, cli.json);
            exit_code(&error)
        }
    }
}

/// The exit code of an error, as `--help` lists them.
fn exit_code(error: &anyhow::Error) -> ExitCode {
    let call = error.downcast_ref::<CallError>();
    let checked =
        |error: &CallError| matches!(error, CallError::Refused(error) if error.code == "check");
    if error.is::<Missing>() {
        ExitCode::from(2)
    } else if call.is_some_and(checked) || server::is_refused_by_check(error) {
        ExitCode::from(3)
    } else if call.is_some_and(CallError::is_unreachable)
        || server::is_away(error)
        || error.is::<RobotElsewhere>()
        || error.is::<NotReached>()
    {
        ExitCode::from(4)
    } else {
        ExitCode::FAILURE
    }
}

pub(crate) fn complain(error: &anyhow::Error, json: bool) {
    let problems = error.downcast_ref::<Problems>();
    let mut out = anstream::stderr().lock();
    // If stderr is closed, the exit code is all that is left.
    let _ = if json {
        let found = problems.map_or(serde_json::Value::Null, problems::as_json);
        let line =
            serde_json::json!({ "error": errors::plain(&format!("{error:#}")), "problems": found });
        writeln!(out, "{line}")
    } else if let Some(problems) = problems {
        let picture = problems::picture(problems);
        writeln!(out, "{picture}dcm-run: {}", problems::verdict(problems))
    } else {
        let text = errors::plain(&format!("{error:#}"));
        writeln!(out, "dcm-run: {}", printable::printable_lines(&text))
    };
}

/// Whether the reader of our output has closed it, as `head` does: that is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = error
        .downcast_ref::<std::io::Error>()
        .map(std::io::Error::kind);
    kind == Some(std::io::ErrorKind::BrokenPipe)
}
