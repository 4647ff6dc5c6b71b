//! The log of this process: the options `--log` and `--log-format`, and their defaults.
//! Used by `run` of the command line, for every verb. A process that is started for another one, as the server
//! and the guardian are, logs as that one does.

use std::fmt::Display;
use std::io::IsTerminal;
use std::process::Command;
use std::sync::OnceLock;

use clap::{Args as ClapArgs, ValueEnum};
use logging::{Filter, Held, LogFormat, LogOptions, LogWriter};

/// The environment variables that stand for the options.
const FILTER: &str = "DCM_LOG";
const FORMAT: &str = "DCM_LOG_FORMAT";

#[derive(Debug, Default, ClapArgs)]
pub(crate) struct LogArgs {
    /// What to log to standard error: a level (error, warn, info, debug, trace, off), or parts and guests with levels,
    /// such as `info,daemon=debug,dance=off`; default: DCM_LOG, or info for `serve`.
    #[arg(long, global = true, value_name = "FILTER")]
    log: Option<Filter>,
    /// The format of the log; under systemd, the journal gets fields; default: DCM_LOG_FORMAT, or text.
    #[arg(long, global = true, value_name = "FORMAT")]
    log_format: Option<FormatArg>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// Lines for people.
    #[default]
    Text,
    /// An object on each line.
    Json,
}

/// What a verb logs if nobody asks for anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DefaultLog {
    /// Nothing, not even a history.
    Nothing,
    /// A history that other processes can read.
    History,
    /// What a person follows.
    Info,
}

/// The log of this process.
#[derive(Debug)]
struct ProcessLog {
    writer: LogWriter,
    /// The environment of processes that log as this one does.
    environment: Vec<(&'static str, String)>,
}

static LOG: OnceLock<ProcessLog> = OnceLock::new();

/// What is written by default. Whoever connects to the port for viewers and is none would write an error each time.
const USUAL: &str = "info,foxglove=off";

/// Starts it.
pub(crate) fn start(args: &LogArgs, default: DefaultLog) {
    let of_environment = || from_environment(FILTER, str::parse::<Filter>);
    let filter = args.log.clone().or_else(of_environment);
    let filter = filter.filter(|filter| !filter.text().trim().is_empty());
    let is_asked = filter.is_some();
    if default == DefaultLog::Nothing && !is_asked {
        return;
    }
    let usual = || USUAL.parse().ok().filter(|_| default == DefaultLog::Info);
    let filter = filter.or_else(usual);
    let of_environment = || from_environment(FORMAT, |text| FormatArg::from_str(text, true));
    let format = args.log_format.or_else(of_environment);
    let format = format.unwrap_or_default();
    let text = filter.as_ref().map_or("off", Filter::text).to_owned();
    let environment = vec![(FILTER, text), (FORMAT, format.word().to_owned())];
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let writer = logging::start(LogOptions {
        filter,
        format: match format {
            FormatArg::Text => LogFormat::Text,
            FormatArg::Json => LogFormat::Json,
        },
        colours: std::io::stderr().is_terminal() && !is_plain,
    });
    // It is started once.
    let _ = LOG.set(ProcessLog {
        writer,
        environment,
    });
}

/// The value of a variable of the environment. A wrong one is ignored with a warning: `estop` must not fail for it.
fn from_environment<T, E: Display>(name: &str, parse: impl Fn(&str) -> Result<T, E>) -> Option<T> {
    let text = std::env::var(name).ok().filter(|text| !text.is_empty())?;
    match parse(&text) {
        Ok(value) => Some(value),
        Err(error) => {
            anstream::eprintln!("warning: ignoring {name}: {error}");
            None
        }
    }
}

/// Writes what is left of it.
pub(crate) fn finish() {
    if let Some(log) = LOG.get() {
        log.writer.finish();
    }
}

/// Keeps it off the terminal until the returned value is dropped.
pub(crate) fn hold() -> Option<Held> {
    let log = LOG.get().filter(|_| std::io::stderr().is_terminal())?;
    Some(log.writer.hold())
}

/// Whether anything is written.
pub(crate) fn is_written() -> bool {
    LOG.get().is_some_and(|log| log.environment[0].1 != "off")
}

/// Makes another process log as this one does.
pub(crate) fn pass_on(command: &mut Command) {
    if let Some(log) = LOG.get() {
        command.envs(log.environment.iter().map(|(name, value)| (name, value)));
    }
}

impl FormatArg {
    fn word(self) -> &'static str {
        match self {
            FormatArg::Text => "text",
            FormatArg::Json => "json",
        }
    }
}
