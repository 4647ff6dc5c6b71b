//! `dcm-run serve`: runs a loop, and beside it the robot's server, a separate process that is restarted when it dies.
//! The server cannot delay a turn; systemd's watchdog is fed only while turns are on time.

use std::any::Any;
use std::cell::OnceCell;
use std::io::IsTerminal;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use archive::RecordingFolder;
use clap::Args as ClapArgs;
use daemon::settings::{ServerSettings, state_folder};
use daemon::{Serving, Supervised, supervise};
use protocol::{LockFile, LockFileError};
use recording::ArchiveOptions;
use sensors::PageReader;

use crate::log_args;
use crate::process::this_program;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::verbs::play::run::{self, LoopArgs, SideService, run_beside};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    The body stays limp until it is armed, unless it is simulated or --arm is given. The server does not listen on the \
    network by default; to change that, write `[server] listen = [\"0.0.0.0:7878\"]` into dcm-run.toml. Ctrl-C works \
    as with `dcm-run run`.")]
pub(crate) struct Args {
    #[command(flatten)]
    driven: LoopArgs,
    /// The settings of the server; default: dcm-run.toml in ~/.config/dcm-run or /etc/dcm-run.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder of choreographies, keys and tokens; default: ~/.local/state/dcm-run, for root /var/lib/dcm-run.
    #[arg(long, value_name = "FOLDER")]
    state: Option<PathBuf>,
    /// Arm the body as soon as possible.
    #[arg(long)]
    arm: bool,
}

/// The server's own process; `serve` starts it.
#[derive(Debug, ClapArgs)]
pub(crate) struct ServerArgs {
    /// The loop's name.
    name: String,
    #[arg(long)]
    config: Option<PathBuf>,
    #[arg(long)]
    state: Option<PathBuf>,
    /// An option of each check.
    #[arg(long = "check-arg", allow_hyphen_values = true)]
    check_args: Vec<String>,
}

/// The server, as a service beside a loop.
#[derive(Debug)]
struct ServerProcess {
    config: Option<PathBuf>,
    state: Option<PathBuf>,
    /// The options of each check.
    check_args: Vec<String>,
    /// Held while the loop runs: two servers would overwrite each other's store, tokens and recordings.
    lock: OnceCell<LockFile>,
}

impl ServerProcess {
    fn lock(&self, state: &Path, name: &str) -> Result<()> {
        let made = std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(state);
        let holder = format!("{name}, process {}", std::process::id());
        let held = made
            .map_err(LockFileError::Io)
            .and_then(|()| LockFile::hold(&state.join("lock"), &holder));
        match held {
            Ok(lock) => _ = self.lock.set(lock),
            Err(LockFileError::Held(holder)) => bail!(
                "the state folder {} is used by the server of {holder}; fix: give each robot a folder of its own with \
                 --state",
                state.display()
            ),
            Err(LockFileError::Io(error)) if is_something_else(state) => bail!(
                "the state folder {} cannot be used: it, or `lock` in it, is something else ({error}); fix: remove it, \
                 or give another folder with --state",
                state.display()
            ),
            // A robot without a disk runs as well.
            Err(LockFileError::Io(error)) => {
                tracing::warn!("{} cannot be locked: {error}", state.display());
            }
        }
        Ok(())
    }
}

/// Whether there is no folder at this path, or no file as its lock.
fn is_something_else(state: &Path) -> bool {
    let is = |path: &Path, kind: fn(&std::fs::FileType) -> bool| {
        std::fs::symlink_metadata(path).is_ok_and(|found| !kind(&found.file_type()))
    };
    (is(state, std::fs::FileType::is_dir) && !state.is_dir())
        || is(&state.join("lock"), std::fs::FileType::is_file)
}

/// Kept while the loop runs.
#[derive(Debug)]
struct RunningServer {
    _server: Supervised,
    closing: Arc<AtomicBool>,
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Release);
        // Without systemd, nothing receives it.
        let _ = sd_notify::notify(&[sd_notify::NotifyState::Stopping]);
    }
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    // Errors in the settings are reported before anything moves.
    settings(args.config.as_deref())?;
    let mut driven = args.driven.clone();
    // A service's journal holds warnings only.
    driven.quiet |= !std::io::stdout().is_terminal();
    let of_loop = run::Args {
        no_arm: !(args.arm || driven.sim),
        driven,
        stay: true,
        plain: true,
        ..run::Args::default()
    };
    let beside = ServerProcess {
        config: args.config.clone(),
        state: args.state.clone(),
        check_args: args.driven.check_args(),
        lock: OnceCell::new(),
    };
    run_beside(&of_loop, output, Some(&beside))
}

fn settings(path: Option<&Path>) -> Result<ServerSettings> {
    ServerSettings::load(path).map_err(|why| anyhow::anyhow!(why))
}

pub(crate) fn be_server(args: &ServerArgs) -> Result<VerbOutcome> {
    let serving = Serving {
        name: args.name.clone(),
        settings: args.config.clone(),
        state: args.state.clone(),
        program: this_program()?,
        check_args: args.check_args.clone(),
    };
    daemon::serve(serving).map_err(|why| anyhow::anyhow!("the server: {why}"))?;
    Ok(VerbOutcome::Done)
}

impl SideService for ServerProcess {
    fn archive(&self, name: &str) -> Result<Option<ArchiveOptions>> {
        let settings = settings(self.config.as_deref())?;
        // Without a state folder the server says why it cannot start.
        let Some(state) = self.state.clone().or_else(|| state_folder(name)) else {
            return Ok(None);
        };
        self.lock(&state, name)?;
        let folder = archive::folder(&state);
        let folder = RecordingFolder::at(folder, settings.recordings.quota << 20);
        match folder.repair() {
            Ok(found) => found.iter().for_each(|item| tracing::warn!("{item}")),
            // A robot without a disk runs as well; the recording tries it again, and says so.
            Err(error) => tracing::error!("{}: {error}", folder.path().display()),
        }
        let text = toml::to_string_pretty(&settings).unwrap_or_default();
        Ok(Some(ArchiveOptions {
            folder,
            on: settings.recordings.on,
            attachments: vec![("dcm-run.toml".to_owned(), text)],
        }))
    }

    /// Starts the server, and the thread that feeds systemd's watchdog.
    fn start(&self, name: &str, page: &Path) -> Result<Box<dyn Any>> {
        let program = this_program()?;
        let (name, config, state) = (name.to_owned(), self.config.clone(), self.state.clone());
        let check_args = self.check_args.clone();
        let command = move || {
            use std::os::unix::process::CommandExt;
            let mut command = Command::new(&program);
            command.args(["server", &name]);
            for (word, path) in [("--config", &config), ("--state", &state)] {
                if let Some(path) = path {
                    command.arg(word).arg(path);
                }
            }
            command.args(check_args.iter().map(|arg| format!("--check-arg={arg}")));
            log_args::pass_on(&mut command);
            // In its own process group: Ctrl-C is for the loop.
            command.process_group(0);
            command
        };
        let server = supervise(command, |what| tracing::error!("{what}"));
        let closing = Arc::new(AtomicBool::new(false));
        let (closed, page) = (Arc::clone(&closing), page.to_owned());
        std::thread::Builder::new()
            .name("watchdog".to_owned())
            .spawn(move || notify_systemd(&page, &closed))
            .context("starting the watchdog's thread")?;
        Ok(Box::new(RunningServer {
            _server: server.context("starting the server")?,
            closing,
        }))
    }
}

/// Reports the loop as ready after its first turn, and sends systemd's watchdog a heartbeat while turns are on time.
fn notify_systemd(page: &Path, closing: &AtomicBool) {
    let limit = sd_notify::watchdog_enabled().unwrap_or(Duration::from_secs(2));
    let (mut last, mut ready) = (0, false);
    // The page of an earlier run may still be there.
    let is_own = |page: &PageReader| page.writer() == u64::from(std::process::id());
    let mut opened = None;
    while !closing.load(Ordering::Acquire) {
        std::thread::sleep((limit / 4).min(Duration::from_millis(250)));
        opened = opened.or_else(|| PageReader::open(page).ok().filter(is_own));
        let Some(page) = &opened else {
            continue;
        };
        let turn = page.latest();
        if turn <= last || !are_on_time(page, last, turn) {
            last = turn;
            continue;
        }
        last = turn;
        let state = if ready {
            sd_notify::NotifyState::Watchdog
        } else {
            sd_notify::NotifyState::Ready
        };
        ready = true;
        // Without systemd, nothing receives it.
        let _ = sd_notify::notify(&[state]);
    }
}

/// Whether most of these turns began on time.
fn are_on_time(page: &PageReader, from: u64, to: u64) -> bool {
    let period = page.period().nanos();
    let turns = (from + 1).max(to.saturating_sub(1000))..=to;
    let elapsed = turns.filter_map(|turn| page.read_turn(turn, |frame| frame.elapsed().nanos()));
    let (mut met, mut all) = (0_u64, 0_u64);
    for value in elapsed {
        all += 1;
        met += u64::from(2 * value <= 3 * period);
    }
    2 * met >= all
}
