//! The command line: verbs and their words, and nothing else.
//!
//! One file for each verb. A verb turns arguments into calls on the rooms below and their
//! answers into text; it has no motion logic of its own.

mod bench;
mod blackbox;
mod build;
mod candidates;
mod check;
mod columns;
mod config;
mod connect;
mod described;
mod doctor;
mod events;
mod features;
mod get;
mod guard;
mod guests;
mod joints;
mod manual;
mod missing;
#[cfg(all(test, feature = "server"))]
#[allow(
    dead_code,
    reason = "only its verbs are looked at: are they the server's?"
)]
mod no_remote;
mod operate;
pub mod plot;
mod pose;
mod problems;
mod ps;
mod readings;
#[cfg(feature = "server")]
mod remote;
#[cfg(not(feature = "server"))]
#[path = "no_remote.rs"]
mod remote;
mod replay;
mod run;
mod set;
mod sim;
mod top;
mod trace;
mod urdf;
mod watch;
mod wire;
mod wish;
mod wit;
mod words;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use missing::Missing;
use robot::config::Problems;
use socket::CallError;

/// Puts choreographies onto a moving robot.
///
/// Exit codes: 0 done, 1 something failed, 2 the words on the command line are wrong,
/// 3 what was tested does not pass, 4 no robot could be reached.
#[derive(Debug, Parser)]
#[command(name = "dcm-run", version, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    verb: Verb,
    /// Print JSON, one object on each line, for programs.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Runs a robot's loop until it is told to stop, and shows it.
    Run(run::Args),
    #[command(flatten)]
    Server(remote::Verb),
    /// Shows what happens to a robot's body.
    Events(events::Args),
    /// Shows what guests say.
    Logs(events::Args),
    /// Plays a show that is only commands and instants (CSV, JSON), as `run` plays choreographies.
    #[command(after_long_help = SHOWS)]
    Play(run::Args),
    /// Watches a running robot: joints, guests and their fuel, turns, safety state; space is the emergency stop.
    Top(top::Args),
    /// Shows the joints of a running robot: where they stand, what was sent, what was clipped.
    Joints(joints::Args),
    /// Reads values of a running robot once.
    Get(get::Args),
    /// Reads values of a running robot again and again.
    Watch(watch::Args),
    /// Sends an actuator to a value.
    Set(set::Args),
    /// Saves where the body stands, lists poses, or goes to one.
    Pose(pose::Args),
    /// Powers the body where it stands.
    Arm(operate::Args),
    /// Lets the body go limp.
    Disarm(operate::Args),
    /// Slows the motion to a stop; the body stays powered.
    Hold(operate::Args),
    /// Lets the motion go on after `hold`, or a guest after `pause`.
    Resume(operate::ResumeArgs),
    /// Sends the body to its safe pose, where it goes limp.
    Retreat(operate::Args),
    /// Says that what broke is mended.
    Clear(operate::Args),
    /// Presses the emergency stop, or releases it.
    Estop(operate::StopArgs),
    /// Stops a guest, or a running loop, softly.
    Stop(operate::QuitArgs),
    /// Brings choreographies onto a running robot.
    Load(guests::LoadArgs),
    /// Lists who plays on a running robot: fuel, commands, misses.
    Ps(ps::Args),
    /// Silences a guest until it is resumed.
    Pause(guests::GuestArgs),
    /// Lets another version take over from a guest.
    Swap(guests::SwapArgs),
    /// Turns a guest's parameters, its priority, its weight.
    Tune(guests::TuneArgs),
    /// Tells what a choreography would do to a robot, before it moves.
    Check(check::Args),
    /// Plays a recording again, turn by turn, and says whether everything is the same to the last bit.
    Replay(replay::Args),
    /// Makes a choreography of a compiler's module.
    Build(build::Args),
    /// Does something to a simulated body: press a button, push a joint, pull a plug, make turns.
    Sim(sim::Args),
    /// Checks, shows and changes the description of a robot.
    Config(config::Args),
    /// Makes the description of a robot from a URDF.
    Urdf(urdf::Args),
    /// Plays a script turn by turn and prints what every turn did.
    Trace(trace::Args),
    /// Reads the last turns of a loop from its page, even if it was killed.
    Blackbox(blackbox::Args),
    /// Measures how late a loop wakes on this machine, and how long it works.
    Bench(bench::Args),
    /// Examines what this machine can do in real time, and says what to change.
    Doctor(doctor::Args),
    /// Looks after a loop, and brings the body down when it is gone.
    Guard(guard::Args),
    /// Asks boards, prints frames, calibrates joints, is a board itself: a robot's buses without a loop.
    Wire(wire::Args),
    /// Draws the last turns of a loop, or a recording, as a picture.
    Plot(plot::Args),
    /// Prints the contract between guests and runtime.
    Wit(wit::Args),
    /// Lists the features of the systems that came before, and the test that shows each here.
    Features(features::Args),
    /// Prints the script that completes these words in a shell.
    Completions(manual::Shell),
    /// Writes the manual's pages.
    Man(manual::Pages),
    /// Compiles a choreography; what a loop starts for every upload, with limits.
    #[command(hide = true)]
    Compile {
        #[arg(hide = true)]
        words: Vec<String>,
    },
}

/// How a show is written.
const SHOWS: &str =
    "A show in CSV has the columns actuator, time and value, a command on each line:

  actuator,time,value
  HeadYaw,0.5,30deg
  HeadYaw,1s,0

or a column time and one for each actuator, an instant on each line; an empty field says nothing.
So what `dcm-run watch --csv` wrote can be played again. In JSON it is a list of commands, or an
object:

  {\"name\": \"nod\", \"lead\": \"1s\", \"loops\": false, \"commands\": [
    {\"actuator\": \"HeadYaw\", \"time\": 0.5, \"value\": \"30deg\"}]}

Times are in s, values in rad, m or parts of 1, unless a unit is written. Between two commands an
actuator moves straight. A show begins `lead` after it comes in, 1 s if nobody says, so that its
first values can be reached.";

/// A verb's good ending.
pub(crate) enum Outcome {
    Done,
    /// What was tested does not pass; the verb has said why.
    Fails,
}

pub use manual::complete;

/// Carries out one command line.
pub fn run(cli: &Cli) -> ExitCode {
    use socket::OperationWord as Word;
    let json = cli.json;
    let outcome = match &cli.verb {
        Verb::Run(args) => run::run(args, json),
        Verb::Server(verb) => remote::run(verb, json),
        Verb::Events(args) => events::run(args, false, json),
        Verb::Logs(args) => events::run(args, true, json),
        Verb::Play(args) => run::play(args, json),
        Verb::Top(args) => top::run(args, json),
        Verb::Joints(args) => joints::run(args, json),
        Verb::Get(args) => get::run(args, json),
        Verb::Watch(args) => watch::run(args, json),
        Verb::Set(args) => set::run(args, json),
        Verb::Pose(args) => pose::run(args, json),
        Verb::Arm(args) => operate::run(args, Word::Arm, json),
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
        Verb::Build(args) => build::run(args, json),
        Verb::Sim(args) => sim::run(args, json),
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
        Verb::Completions(args) => manual::completions(args),
        Verb::Man(args) => manual::pages(args),
        Verb::Compile { words } => match ::guests::be_child(words) {
            Ok(()) => Ok(Outcome::Done),
            Err(error) => Err(error.into()),
        },
    };
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Fails) => ExitCode::from(3),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error, json);
            let call = error.downcast_ref::<CallError>();
            let checked =
                |it: &CallError| matches!(it, CallError::Trouble(it) if it.code == "check");
            if error.is::<Missing>() {
                ExitCode::from(2)
            } else if call.is_some_and(checked) || remote::is_refused_by_check(&error) {
                ExitCode::from(3)
            } else if call.is_some_and(CallError::is_unreachable) || remote::is_away(&error) {
                ExitCode::from(4)
            } else {
                ExitCode::FAILURE
            }
        }
    }
}

fn complain(error: &anyhow::Error, json: bool) {
    let problems = error.downcast_ref::<Problems>();
    let mut out = anstream::stderr().lock();
    // Where nobody can be told, the exit code still tells.
    let _ = if json {
        let found = problems.map_or(serde_json::Value::Null, problems::as_json);
        let line = serde_json::json!({ "error": format!("{error:#}"), "problems": found });
        writeln!(out, "{line}")
    } else if let Some(problems) = problems {
        let picture = problems::picture(problems);
        writeln!(out, "{picture}dcm-run: {}", problems::verdict(problems))
    } else {
        writeln!(out, "dcm-run: {error:#}")
    };
}

/// Whether whoever read our output went away, as `head` does: no failure of ours.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = error
        .downcast_ref::<std::io::Error>()
        .map(std::io::Error::kind);
    kind == Some(std::io::ErrorKind::BrokenPipe)
}
