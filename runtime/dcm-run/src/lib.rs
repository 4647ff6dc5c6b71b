//! The command line: one file, or one folder, for each verb.
//!
//! A verb turns its arguments into calls of the crates below, and their answers into text; it contains no motion
//! logic. `groups` lists the verbs for `--help`, `connect` finds the robot, `words` formats numbers.

mod bench;
mod blackbox;
mod build;
mod candidates;
mod check;
mod columns;
mod compile;
mod compile_display;
mod config;
mod connect;
mod convert;
mod described;
mod dev;
mod doctor;
mod errors;
mod events;
mod features;
mod follow;
mod get;
mod groups;
mod guard;
mod guest_options;
mod guests;
mod joints;
mod lane;
mod latency;
mod licenses;
mod log_args;
mod manual;
mod missing;
mod motion_file;
mod new;
mod operate;
pub mod plot;
mod pose;
mod preferences;
mod press;
mod problems;
mod process;
mod project;
mod ps;
mod readings;
#[cfg(feature = "server")]
mod remote;
#[cfg(not(feature = "server"))]
#[path = "no_remote.rs"]
mod remote;
mod replay;
mod robot_args;
mod run;
mod rust_table;
mod set;
mod shipped;
mod sim;
mod top;
mod trace;
mod urdf;
mod version;
mod watch;
mod wire;
mod wit;
mod words;

use std::io::Write;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use description::Problems;
use errors::{NotReached, RobotElsewhere};
use missing::Missing;
use protocol::CallError;

/// Run choreographies on a robot.
///
/// Exit codes: 0 success; 1 failure; 2 wrong usage; 3 a check or a test did not pass; 4 no robot can be reached.
#[derive(Debug, Parser)]
#[command(
    name = "dcm-run",
    version = version::LINE,
    arg_required_else_help = true,
    help_template = groups::help_template()
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

#[derive(Debug, Subcommand)]
enum Verb {
    /// Run a robot's loop.
    Run(run::Args),
    #[command(flatten)]
    Server(remote::Verb),
    /// Show the events of a robot's body.
    Events(events::Args),
    /// Show the log: the body, the guests, the server.
    Logs(events::LogsArgs),
    /// Run a loop that plays a motion file: CSV, .motion, .mot, …
    #[command(after_long_help = motion_file::FORMATS)]
    Play(run::Args),
    /// Watch a robot: joints, guests, timing, safety state.
    Top(top::Args),
    /// Show joint positions, commands and clipped values.
    Joints(joints::Args),
    /// Measure how late joints follow their commands.
    Latency(latency::Args),
    /// Read values once.
    Get(get::Args),
    /// Read values repeatedly.
    Watch(watch::Args),
    /// Move an actuator to a value.
    Set(set::Args),
    /// Save, list or go to named poses.
    Pose(pose::Args),
    /// List the commands that wait.
    Pending(follow::PendingArgs),
    /// Open, list and end lanes of clients' own.
    Lane(lane::Args),
    /// Cancel a request to move.
    Cancel(follow::CancelArgs),
    /// Power the body in its present position.
    Arm(operate::Args),
    /// Release all motors: the body goes limp.
    Disarm(operate::Args),
    /// Slow the motion to a stop; the motors stay powered.
    Hold(operate::Args),
    /// Resume the motion after `hold`, or a paused guest.
    Resume(operate::ResumeArgs),
    /// Move to the safe pose, then go limp.
    Retreat(operate::Args),
    /// Clear the fault state.
    Clear(operate::Args),
    /// Press or release the emergency stop.
    Estop(operate::StopArgs),
    /// Stop a guest, or the whole loop.
    Stop(operate::QuitArgs),
    /// Load choreographies onto a running robot.
    Load(guests::LoadArgs),
    /// List the guests: fuel, commands, misses.
    Ps(ps::Args),
    /// Pause a guest.
    Pause(guests::GuestArgs),
    /// Replace a guest by another version.
    Swap(guests::SwapArgs),
    /// Change a guest's parameters, priority or weight.
    Tune(guests::TuneArgs),
    /// Check what a choreography would do to a robot.
    Check(check::Args),
    /// Replay a recording and compare every value.
    Replay(replay::Args),
    /// Make a project of a choreography, in a language of your choice.
    New(new::Args),
    /// Build a choreography from a project or a module.
    Build(build::Args),
    /// Make a choreography of a motion file, without any tools.
    Compile(compile::Args),
    /// Convert a motion file to the format of another program.
    Convert(convert::Args),
    /// Build, check and swap in a choreography at every save.
    Dev(dev::Args),
    /// Calibrate limp joints of a running robot.
    Calibrate(preferences::CalibrateArgs),
    /// Show and change the preferences of a running robot.
    Preferences(preferences::PreferencesArgs),
    /// Act on a simulated body: buttons, pushes, unplugged boards.
    Sim(sim::Args),
    /// Check, show and change a robot's description.
    Config(config::Args),
    /// Import a robot's description from a URDF.
    Urdf(urdf::Args),
    /// Play a script turn by turn and print a table.
    Trace(trace::Args),
    /// Show the last turns of a loop, even of a killed one.
    Blackbox(blackbox::Args),
    /// Measure wake-up latency and turn duration.
    Bench(bench::Args),
    /// Examine whether this machine can run in real time.
    Doctor(doctor::Args),
    /// Watch a loop, and bring the body down if the loop dies.
    Guard(guard::Args),
    /// Probe, dump, calibrate or simulate boards, without a loop.
    Wire(wire::Args),
    /// Plot values of a loop or a recording (SVG, PNG).
    Plot(plot::Args),
    /// Print the contract between guests and runtime (WIT).
    Wit(wit::Args),
    /// List the features and the tests that cover them.
    Features(features::Args),
    /// Print the version, and what this program was built from.
    Version,
    /// Print the licences of everything in this program.
    Licenses,
    /// Print a completion script for a shell.
    Completions(manual::Shell),
    /// Write the man pages.
    Man(manual::Pages),
    /// Compile a choreography: the child process that a loop starts for an upload.
    #[command(hide = true)]
    Compiler {
        #[arg(hide = true)]
        words: Vec<String>,
    },
}

impl Cli {
    /// Reads the command line; ends the program if it is wrong, or asks for help or the version only.
    #[must_use]
    pub fn read() -> Cli {
        Cli::try_parse().unwrap_or_else(|why| {
            let json = std::env::args_os().any(|it| it == "--json");
            if why.kind() == ErrorKind::DisplayVersion && json {
                let verb = Verb::Version;
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

/// How a verb ended, unless it failed.
pub(crate) enum VerbOutcome {
    Done,
    /// A check or a test did not pass; the verb has printed why.
    Fails,
    /// It could not be done to the end; the verb has printed why.
    Stops,
}

pub use manual::complete;

/// Runs one command line.
pub fn run(cli: &Cli) -> ExitCode {
    log_args::start(&cli.log, default_log(&cli.verb));
    let outcome = carry_out(&cli.verb, cli.json);
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

/// What this verb logs by itself.
fn default_log(verb: &Verb) -> log_args::DefaultLog {
    match verb {
        Verb::Run(_) | Verb::Play(_) | Verb::Dev(_) => log_args::DefaultLog::History,
        Verb::Server(verb) if remote::is_service(verb) => log_args::DefaultLog::Info,
        _ => log_args::DefaultLog::Nothing,
    }
}

fn carry_out(verb: &Verb, json: bool) -> anyhow::Result<VerbOutcome> {
    use protocol::Operation as Word;
    match verb {
        Verb::Run(args) => run::run(args, json),
        Verb::Server(verb) => remote::run(verb, json),
        Verb::Events(args) => events::run(args, json),
        Verb::Logs(args) => events::logs(args, json),
        Verb::Play(args) => run::play(args, json),
        Verb::Top(args) => top::run(args, json),
        Verb::Joints(args) => joints::run(args, json),
        Verb::Latency(args) => latency::run(args, json),
        Verb::Get(args) => get::run(args, json),
        Verb::Watch(args) => watch::run(args, json),
        Verb::Set(args) => set::run(args, json),
        Verb::Pose(args) => pose::run(args, json),
        Verb::Pending(args) => follow::pending(args, json),
        Verb::Lane(args) => lane::run(args, json),
        Verb::Cancel(args) => follow::cancel(args, json),
        Verb::Arm(args) => operate::arm(args, json),
        Verb::Disarm(args) => operate::run(args, Word::Disarm, json),
        Verb::Hold(args) => operate::run(args, Word::Hold, json),
        Verb::Resume(args) => operate::resume(args, json),
        Verb::Retreat(args) => operate::run(args, Word::Retreat, json),
        Verb::Clear(args) => operate::run(args, Word::Clear, json),
        Verb::Estop(args) => operate::stop(args, json),
        Verb::Stop(args) => operate::quit(args, json),
        Verb::Load(args) => guests::load(args, json),
        Verb::Ps(args) => ps::run(args, json),
        Verb::Pause(args) => guests::pause(args, json),
        Verb::Swap(args) => guests::swap(args, json),
        Verb::Tune(args) => guests::tune(args, json),
        Verb::Check(args) => check::run(args, json),
        Verb::Replay(args) => replay::run(args, json),
        Verb::New(args) => new::run(args, json),
        Verb::Build(args) => build::run(args, json),
        Verb::Compile(args) => compile::run(args, json),
        Verb::Convert(args) => convert::run(args, json),
        Verb::Dev(args) => dev::run(args, json),
        Verb::Sim(args) => sim::run(args, json),
        Verb::Calibrate(args) => preferences::calibrate(args, json),
        Verb::Preferences(args) => preferences::preferences(args, json),
        Verb::Config(args) => config::run(args, json),
        Verb::Urdf(args) => urdf::run(args, json),
        Verb::Trace(args) => trace::run(args, json),
        Verb::Blackbox(args) => blackbox::run(args, json),
        Verb::Bench(args) => bench::run(args, json),
        Verb::Doctor(args) => doctor::run(args, json),
        Verb::Guard(args) => guard::run(args, json),
        Verb::Wire(args) => wire::run(args, json),
        Verb::Plot(args) => plot::run(args, json),
        Verb::Wit(args) => wit::run(args, json),
        Verb::Features(args) => features::run(args, json),
        Verb::Version => version::run(json),
        Verb::Licenses => licenses::run(json),
        Verb::Completions(args) => manual::completions(args),
        Verb::Man(args) => manual::pages(args),
        Verb::Compiler { words } => match ::guests::be_child(words) {
            Ok(()) => Ok(VerbOutcome::Done),
            Err(error) => Err(error.into()),
        },
    }
}

/// The exit code of an error, as `--help` lists them.
fn exit_code(error: &anyhow::Error) -> ExitCode {
    let call = error.downcast_ref::<CallError>();
    let checked = |it: &CallError| matches!(it, CallError::Refused(it) if it.code == "check");
    if error.is::<Missing>() {
        ExitCode::from(2)
    } else if call.is_some_and(checked) || remote::is_refused_by_check(error) {
        ExitCode::from(3)
    } else if call.is_some_and(CallError::is_unreachable)
        || remote::is_away(error)
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
