//! The verbs of the command line: one file, or one folder, for each, in a folder for each group.
//!
//! A verb turns its arguments into calls of the crates below, and their answers into text; it contains no motion logic.
//! The table below is the only one: the command line, `--help` and the man pages are made from it.

pub(crate) mod author;
pub(crate) mod candidates;
mod command;
mod description;
mod hardware;
mod machine;
pub(crate) mod play;
#[cfg(feature = "server")]
mod server;
pub(crate) mod watch;

use std::fmt::Write;

use anstyle::Style;
use anyhow::Result;
use clap::{Args, Command, Subcommand};
use protocol::Operation;

use author::{build, check, compile, convert, dev, new, sim, trace, wit};
use command::{follow, lane, operate, pose, set};
use description::{config, preferences, urdf};
use hardware::{guard, wire};
pub use machine::manual::complete;
pub(crate) use machine::version::LINE as VERSION_LINE;
use machine::{bench, doctor, features, licenses, manual, version};
use play::{guests, run};
#[cfg(feature = "server")]
use server::{
    clock, compile_upload, frames, keys, pair, people, push, robots, serve, service, start, store,
};
use watch::{blackbox, events, get, joints, latency, plot, ps, repeat, replay, top};

use crate::log_args::DefaultLog;
#[cfg(not(feature = "server"))]
use crate::text::missing::Missing;
use crate::text::output::{VerbOutcome, VerbOutput};

/// Defines the verbs: by group, each with its line of help, its arguments and its function. Those of a server are
/// missing in a build without that feature: they are listed, and fail whatever follows them.
macro_rules! verbs {
    ($($group:literal {
        $($(#[$meta:meta])* $name:ident($args:ty) => $run:expr,)*
        $(@server { $($(#[$server_meta:meta])* $server_name:ident($server_args:ty) => $server_run:expr,)* })?
    })*) => {
        #[derive(Debug, Subcommand)]
        pub(crate) enum Verb {
            $(
                $($(#[$meta])* $name($args),)*
                $($(
                    $(#[$server_meta])* #[cfg(feature = "server")] $server_name($server_args),
                    $(#[$server_meta])* #[cfg(not(feature = "server"))] $server_name(MissingVerb),
                )*)?
            )*
        }

        /// The groups, the most used first, and how many verbs each has.
        const GROUPS: &[(&str, usize)] =
            &[$(($group, [$(stringify!($name),)* $($(stringify!($server_name)),*)?].len())),*];

        impl Verb {
            /// Runs the verb.
            pub(crate) fn run(&self, output: VerbOutput) -> Result<VerbOutcome> {
                match self {
                    $(
                        $(Verb::$name(args) => ($run)(args, output),)*
                        $($(
                            #[cfg(feature = "server")]
                            Verb::$server_name(args) => ($server_run)(args, output),
                            #[cfg(not(feature = "server"))]
                            Verb::$server_name(_) => Err(Missing::Server.into()),
                        )*)?
                    )*
                }
            }
        }
    };
}

verbs! {
    "Play" {
        /// Run a robot's loop.
        Run(run::Args) => run::run,
        /// Run a loop that plays a motion file: CSV, .motion, .mot, …
        #[command(after_long_help = crate::choreography::motion_file::FORMATS)]
        Play(run::Args) => run::play,
        /// Load choreographies onto a running robot.
        Load(guests::LoadArgs) => guests::load,
        /// Stop a guest, or the whole loop.
        Stop(operate::QuitArgs) => operate::quit,
        /// Pause a guest.
        Pause(guests::GuestArgs) => guests::pause,
        /// Replace a guest by another version.
        Swap(guests::SwapArgs) => guests::swap,
        /// Change a guest's parameters, priority or weight.
        Tune(guests::TuneArgs) => guests::tune,
    }
    "Watch" {
        /// Watch a robot: joints, guests, timing, safety state.
        Top(top::Args) => top::run,
        /// List the guests: fuel, commands, misses.
        Ps(ps::Args) => ps::run,
        /// Show joint positions, commands and clipped values.
        Joints(joints::Args) => joints::run,
        /// Measure how late joints follow their commands.
        Latency(latency::Args) => latency::run,
        /// Read values once.
        Get(get::Args) => get::run,
        /// Read values repeatedly.
        Watch(repeat::Args) => repeat::run,
        /// Show the events of a robot's body.
        Events(events::Args) => events::run,
        /// Show the log: the body, the guests, the server.
        Logs(events::LogsArgs) => events::logs,
        /// Plot values of a loop or a recording (SVG, PNG).
        Plot(plot::Args) => plot::run,
        /// Replay a recording and compare every value.
        Replay(replay::Args) => replay::run,
        /// Show the last turns of a loop, even of a killed one.
        Blackbox(blackbox::Args) => blackbox::run,
    }
    "Command" {
        /// Move an actuator to a value.
        Set(set::Args) => set::run,
        /// Save, list or go to named poses.
        Pose(pose::Args) => pose::run,
        /// List the commands that wait.
        Pending(follow::PendingArgs) => follow::pending,
        /// Cancel a request to move.
        Cancel(follow::CancelArgs) => follow::cancel,
        /// Open, list and end lanes of clients' own.
        Lane(lane::Args) => lane::run,
        /// Power the body in its present position.
        Arm(operate::Args) => operate::arm,
        /// Slow the motion to a stop; the motors stay powered.
        Hold(operate::Args) => |args, output| operate::run(args, Operation::Hold, output),
        /// Resume the motion after `hold`, or a paused guest.
        Resume(operate::ResumeArgs) => operate::resume,
        /// Press or release the emergency stop.
        Estop(operate::StopArgs) => operate::stop,
        /// Move to the safe pose, then go limp.
        Retreat(operate::Args) => |args, output| operate::run(args, Operation::Retreat, output),
        /// Release all motors: the body goes limp.
        Disarm(operate::Args) => |args, output| operate::run(args, Operation::Disarm, output),
        /// Clear the fault state.
        Clear(operate::Args) => |args, output| operate::run(args, Operation::Clear, output),
    }
    "Author" {
        /// Make a project of a choreography, in a language of your choice.
        New(new::Args) => new::run,
        /// Build a choreography from a project or a module.
        Build(build::Args) => build::run,
        /// Make a choreography of a motion file, without any tools.
        Compile(compile::Args) => compile::run,
        /// Convert a motion file to the format of another program.
        Convert(convert::Args) => convert::run,
        /// Build, check and swap in a choreography at every save.
        Dev(dev::Args) => dev::run,
        /// Check what a choreography would do to a robot.
        Check(check::Args) => check::run,
        /// Act on a simulated body: buttons, pushes, unplugged boards.
        Sim(sim::Args) => sim::run,
        /// Play a script turn by turn and print a table.
        Trace(trace::Args) => trace::run,
        /// Print the contract between guests and runtime (WIT).
        Wit(wit::Args) => wit::run,
    }
    "Robot's server" {
        @server {
            /// Run a robot's loop and its server.
            Serve(serve::Args) => serve::run,
            /// Upload choreographies to a robot.
            Push(push::Args) => push::run,
            /// Start a stored choreography, now or at a given time.
            Start(start::Args) => start::run,
            /// List the stored choreographies.
            Ls(store::ListArgs) => store::list,
            /// Download a choreography.
            Pull(store::PullArgs) => store::pull,
            /// Remove stored choreographies.
            Rm(store::RemoveArgs) => store::remove,
            /// Tag a stored version, or remove a tag.
            Tag(store::TagArgs) => store::tag,
            /// Roll a name back to its previous version.
            Rollback(store::RollbackArgs) => store::roll_back,
            /// Set what plays after the robot has started.
            Boot(store::BootArgs) => store::boot,
            /// Find robots: local, paired, in the network.
            Robots(robots::Args) => robots::run,
            /// Pair with a robot by the code that it shows, or show a code.
            Pair(pair::PairArgs) => pair::pair,
            /// Manage access tokens.
            Tokens(people::TokensArgs) => people::tokens,
            /// Take control of a robot, or give it back.
            #[command(name = "take-over")]
            TakeOver(people::LeaseArgs) => people::take_over,
            /// Manage signing keys.
            Keys(keys::Args) => keys::run,
            /// Show the audit log: who did what.
            Audit(people::AuditArgs) => people::audit,
            /// Show a robot's clock, or correct the time of expiry.
            Clock(clock::Args) => clock::run,
            /// Manage the robot's systemd service.
            Service(service::Args) => service::run,
        }
    }
    "Description" {
        /// Check, show and change a robot's description.
        Config(config::Args) => config::run,
        /// Import a robot's description from a URDF.
        Urdf(urdf::Args) => urdf::run,
        /// Show and change the preferences of a running robot.
        Preferences(preferences::PreferencesArgs) => preferences::preferences,
        /// Calibrate limp joints of a running robot.
        Calibrate(preferences::CalibrateArgs) => preferences::calibrate,
    }
    "Hardware" {
        /// Probe, dump, calibrate or simulate boards, without a loop.
        Wire(wire::Args) => wire::run,
        /// Watch a loop, and bring the body down if the loop dies.
        Guard(guard::Args) => guard::run,
    }
    "Machine" {
        /// Examine whether this machine can run in real time.
        Doctor(doctor::Args) => doctor::run,
        /// Measure wake-up latency and turn duration.
        Bench(bench::Args) => bench::run,
        /// List the features and the tests that cover them.
        Features(features::Args) => features::run,
        /// Print the version, and what this program was built from.
        Version(NoArgs) => |_, output| version::run(output),
        /// Print the licences of everything in this program.
        Licenses(NoArgs) => |_, output| licenses::run(output),
        /// Print a completion script for a shell.
        Completions(manual::Shell) => |args, _| manual::completions(args),
        /// Write the man pages.
        Man(manual::Pages) => |args, _| manual::pages(args),
    }
    "" {
        /// Compile a choreography: the child process that a loop starts for an upload.
        #[command(hide = true)]
        Compiler(CompilerArgs) => |args, _| CompilerArgs::run(args),
        @server {
            /// Run the server's own process, which `serve` starts.
            #[command(hide = true)]
            Server(serve::ServerArgs) => |args, _| serve::be_server(args),
            /// Print frames of a recording, for the server.
            #[command(hide = true)]
            Frames(frames::Args) => |args, _| frames::run(args),
            /// Make a choreography of an uploaded motion, for the server.
            #[command(hide = true, name = "compile-upload")]
            CompileUpload(compile_upload::Args) => |args, _| compile_upload::run(args),
        }
    }
}

/// A verb without arguments of its own.
#[derive(Debug, Args)]
pub(crate) struct NoArgs {}

/// The process that compiles a choreography.
#[derive(Debug, Args)]
pub(crate) struct CompilerArgs {
    #[arg(hide = true)]
    words: Vec<String>,
}

impl CompilerArgs {
    fn run(&self) -> Result<VerbOutcome> {
        ::guests::be_child(&self.words)?;
        Ok(VerbOutcome::Done)
    }
}

/// Whatever follows a verb that this build lacks.
#[cfg(not(feature = "server"))]
#[derive(Debug, Args)]
#[command(
    disable_help_flag = true,
    after_help = "This program was built without it; `cargo build` includes everything."
)]
pub(crate) struct MissingVerb {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

impl Verb {
    /// What this verb logs by itself.
    pub(crate) fn default_log(&self) -> DefaultLog {
        match self {
            Verb::Run(_) | Verb::Play(_) | Verb::Dev(_) => DefaultLog::History,
            #[cfg(feature = "server")]
            Verb::Serve(_) | Verb::Server(_) => DefaultLog::Info,
            _ => DefaultLog::Nothing,
        }
    }
}

/// The groups with their verbs, each with its line.
pub(crate) fn lists() -> Vec<(&'static str, Vec<(String, String)>)> {
    let command = Verb::augment_subcommands(Command::new("dcm-run"));
    let mut verbs = command.get_subcommands().map(|verb| {
        let about = verb
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        // Only the verbs that this build lacks.
        let lack = if verb.is_disable_help_flag_set() {
            " (not built in)"
        } else {
            ""
        };
        (verb.get_name().to_owned(), about + lack)
    });
    let mut lists: Vec<_> = GROUPS
        .iter()
        .map(|(group, count)| (*group, verbs.by_ref().take(*count).collect::<Vec<_>>()))
        .filter(|(group, _)| !group.is_empty())
        .collect();
    if let Some((_, machine)) = lists.last_mut() {
        // clap adds this one.
        machine.push(("help".to_owned(), "Print the help of a verb".to_owned()));
    }
    lists
}

/// The template of `dcm-run --help`.
pub(crate) fn help_template() -> String {
    let heading = Style::new().bold().underline();
    let verb = Style::new().bold();
    let mut text = String::from("{before-help}{about-with-newline}\n{usage-heading} {usage}\n");
    for (title, verbs) in lists() {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "\n{heading}{title}:{heading:#}");
        for (name, about) in verbs {
            let _ = writeln!(text, "  {verb}{name:<11}{verb:#}  {about}");
        }
    }
    let _ = write!(
        text,
        "\n{heading}Options:{heading:#}\n{{options}}{{after-help}}"
    );
    text
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{help_template, lists};
    use crate::Cli;

    #[test]
    fn each_verb_that_is_shown_is_in_a_group() {
        let mut command = Cli::command();
        command.build();
        let shown = command.get_subcommands().filter(|verb| !verb.is_hide_set());
        let shown: Vec<_> = shown.map(|verb| verb.get_name().to_owned()).collect();
        let grouped = lists().into_iter().flat_map(|group| group.1);
        let grouped: Vec<_> = grouped.map(|verb| verb.0).collect();
        assert_eq!(grouped, shown);
    }

    #[test]
    fn each_line_is_short_and_tells_what_to_do() {
        for (name, about) in lists().into_iter().flat_map(|pair| pair.1) {
            let verb = about.split(' ').next().unwrap_or_default();
            assert!(!about.is_empty() && about.len() <= 64, "{name}: {about}");
            assert!(
                !verb.ends_with('s') || ["Press"].contains(&verb),
                "{name}: no imperative: {about}"
            );
            assert!(
                !about.contains('{'),
                "{name}: a template cannot hold this: {about}"
            );
        }
        assert!(help_template().contains("Robot's server:"));
    }
}
