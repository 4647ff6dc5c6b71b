//! `dcm-run top`: shows a running robot, local or remote, in the terminal: joints, guests, turns, events.
//!
//! `source` reads the robot's state into a `snapshot`, on a thread of its own, and `freshness` judges its age; `screen`
//! draws it with `lists` and `histogram`, `plain` prints it. `keys` maps keys to actions, `requests` sends them.
//! A robot that does not answer never delays a key, least of all the emergency stop.

mod freshness;
mod histogram;
mod keys;
mod lists;
mod plain;
mod requests;
mod screen;
mod snapshot;
mod source;
#[cfg(test)]
mod tests;

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use cycle::State;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use crate::session::robot_args::RobotArgs;
use crate::text::output::{VerbOutcome, VerbOutput};
use freshness::Freshness;
use keys::{KeyAction, ScreenState};
use requests::PendingRequests;
use snapshot::RobotSnapshot;
use source::SnapshotSource;

/// The interval between two readings.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The interval between two frames, if no key is pressed.
const FRAME_INTERVAL: Duration = Duration::from_millis(100);

/// The time to wait after a failure before connecting again.
const RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// How long a message is shown.
const MESSAGE_TIME: Duration = Duration::from_secs(5);

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Space presses the emergency stop at once, h holds, r resumes, Tab switches between joints and guests; p pauses or \
    resumes the selected guest, e ends it.")]
pub(crate) struct Args {
    #[command(flatten)]
    which: RobotArgs,
    /// Print the present state and exit; default if the output is not a terminal.
    #[arg(long)]
    once: bool,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let mut source = SnapshotSource::reach(&args.which)?;
    if args.once || output.json || !std::io::stdout().is_terminal() {
        let snapshot = source.read()?;
        let mut out = anstream::stdout().lock();
        if output.json {
            writeln!(out, "{}", snapshot.as_json())?;
        } else {
            plain::write(&mut out, &snapshot)?;
        }
        return Ok(VerbOutcome::Done);
    }
    // Stay with this robot if others start.
    let robot = args.which.robot.clone();
    let robot = robot.unwrap_or_else(|| source.name().to_owned());
    let seen = poll(source, robot.clone())?;
    let mut acts = PendingRequests::new(robot.clone());
    // It restores the terminal, even after a panic.
    let mut terminal = ratatui::try_init().context("setting up the terminal")?;
    let shown = show(&mut terminal, robot, &seen, &mut acts);
    ratatui::restore();
    shown.and(acts.settle())?;
    Ok(VerbOutcome::Done)
}

/// Reads the robot's state repeatedly, until the receiver is dropped.
fn poll(source: SnapshotSource, robot: String) -> Result<Receiver<Result<RobotSnapshot>>> {
    // One reading is enough: a slow receiver gets the next.
    let (sender, seen) = sync_channel(1);
    let which = RobotArgs { robot: Some(robot) };
    std::thread::Builder::new()
        .name("looks".to_owned())
        .spawn(move || keep_looking(source, &which, &sender))
        .context("starting the thread that reads the robot")?;
    Ok(seen)
}

fn keep_looking(
    source: SnapshotSource,
    which: &RobotArgs,
    sender: &SyncSender<Result<RobotSnapshot>>,
) {
    let mut source = Some(source);
    loop {
        let begun = Instant::now();
        let looked = match &mut source {
            Some(source) => source.read(),
            None => SnapshotSource::reach(which).and_then(|reach| source.insert(reach).read()),
        };
        let is_lost = looked.is_err();
        if sender.send(looked).is_err() {
            return;
        }
        if is_lost {
            source = None;
        }
        let next = begun
            + if is_lost {
                RETRY_INTERVAL
            } else {
                POLL_INTERVAL
            };
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
    }
}

fn show(
    terminal: &mut DefaultTerminal,
    robot: String,
    seen: &Receiver<Result<RobotSnapshot>>,
    acts: &mut PendingRequests,
) -> Result<()> {
    let (mut view, mut fresh) = (ScreenState::default(), Freshness::new(Instant::now()));
    let mut snapshot = RobotSnapshot {
        robot,
        state: "unknown".to_owned(),
        ..RobotSnapshot::default()
    };
    loop {
        while let Ok(looked) = seen.try_recv() {
            let why = looked.as_ref().map_err(|why| format!("{why:#}"));
            fresh.note(why, Instant::now());
            if let Ok(newest) = looked {
                snapshot = newest;
            }
        }
        view.stale = fresh.stale(Instant::now());
        show_results(&mut view, acts);
        if view.stale.is_none() && snapshot.state == State::Estop.name() {
            acts.confirm_stop();
        }
        view.unconfirmed_stop = acts.unconfirmed_stop();
        terminal.draw(|frame| screen::draw(frame, &snapshot, &view))?;
        // A closed terminal would report keys forever.
        if rustix::termios::tcgetwinsize(std::io::stdout()).is_err() {
            return Ok(());
        }
        // Handle all waiting keys before the next frame.
        let mut timeout = FRAME_INTERVAL;
        while event::poll(timeout)? {
            timeout = Duration::ZERO;
            let Event::Key(key) = event::read()? else {
                continue;
            };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            match view.press(&snapshot, key) {
                KeyAction::Nothing => {}
                KeyAction::Leave => return Ok(()),
                KeyAction::Ask(ask) => {
                    if let Err(why) = acts.begin(*ask) {
                        view.say(format!("{why:#}"), true);
                    }
                }
            }
        }
    }
}

/// Shows the results of requests, for a while.
fn show_results(view: &mut ScreenState, acts: &mut PendingRequests) {
    if view
        .note
        .as_ref()
        .is_some_and(|note| note.since.elapsed() > MESSAGE_TIME)
    {
        view.note = None;
    }
    while let Some(done) = acts.answered() {
        match done.outcome {
            Ok(answer) => view.say(format!("{}: {answer}", done.what), false),
            Err(why) => view.say(format!("{} failed: {why}", done.what), true),
        }
    }
}
