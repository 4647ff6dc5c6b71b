//! `dcm-run top`: a running robot in the terminal, near or far: joints, guests, turns, what happens.
//!
//! `source` looks at the robot and makes a `glance` of it, on a thread of its own; `screen` draws that with `lists`
//! and `histogram`, `plain` prints it. `keys` say what is meant, `acts` ask the robot for it.
//! The law: neither a robot that does not answer nor a slow look keeps a key waiting, least of all the stop.

mod acts;
mod glance;
mod histogram;
mod keys;
mod lists;
mod plain;
mod screen;
mod source;
#[cfg(test)]
mod tests;
mod turns;

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use crate::Outcome;
use crate::reach::Which;
use acts::Acts;
use glance::Glance;
use keys::{Deed, View};
use source::Source;

/// From one look to the next.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// From one picture to the next, if no key is pressed.
const PICTURE: Duration = Duration::from_millis(100);

/// How long after a failure the robot is looked for again.
const AGAIN: Duration = Duration::from_millis(500);

/// What was seen so long ago is not taken for what is.
const OLD: Duration = Duration::from_secs(2);

/// How long it is shown what came of an act.
const NOTE: Duration = Duration::from_secs(5);

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Space presses the emergency stop at once, h holds, r lets the motion go on, Tab moves between joints and \
    guests; of the guest that is selected, p pauses and resumes, e ends it.")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// Print what there is to see now, and end; so it is too where the output is no terminal.
    #[arg(long)]
    once: bool,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let mut source = Source::reach(&args.which)?;
    if args.once || json || !std::io::stdout().is_terminal() {
        let glance = source.look()?;
        let mut out = anstream::stdout().lock();
        if json {
            writeln!(out, "{}", glance.as_json())?;
        } else {
            plain::write(&mut out, &glance)?;
        }
        return Ok(Outcome::Done);
    }
    // Whatever comes up later, it stays with this robot.
    let robot = args.which.robot.clone();
    let robot = robot.unwrap_or_else(|| source.name().to_owned());
    let seen = look(source, robot.clone())?;
    let mut acts = Acts::new(robot.clone());
    // It restores the terminal, even after a panic.
    let mut terminal = ratatui::try_init().context("making a screen of this terminal")?;
    let shown = show(&mut terminal, robot, &seen, &mut acts);
    ratatui::restore();
    shown.and(acts.settle())?;
    Ok(Outcome::Done)
}

/// Looks at the robot again and again, until nobody wants to see it any more.
fn look(source: Source, robot: String) -> Result<Receiver<Result<Glance>>> {
    // One is enough: whoever is slow sees the next.
    let (sender, seen) = sync_channel(1);
    let which = Which { robot: Some(robot) };
    std::thread::Builder::new()
        .name("looks".to_owned())
        .spawn(move || keep_looking(source, &which, &sender))
        .context("looking at the robot")?;
    Ok(seen)
}

fn keep_looking(source: Source, which: &Which, sender: &SyncSender<Result<Glance>>) {
    let mut source = Some(source);
    loop {
        let begun = Instant::now();
        let looked = match &mut source {
            Some(source) => source.look(),
            None => Source::reach(which).and_then(|it| source.insert(it).look()),
        };
        let is_lost = looked.is_err();
        if sender.send(looked).is_err() {
            return;
        }
        if is_lost {
            source = None;
        }
        let next = begun + if is_lost { AGAIN } else { POLL_INTERVAL };
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
    }
}

fn show(
    terminal: &mut DefaultTerminal,
    robot: String,
    seen: &Receiver<Result<Glance>>,
    acts: &mut Acts,
) -> Result<()> {
    let (mut view, mut lost, mut last) = (View::default(), None, Instant::now());
    let mut glance = Glance {
        robot,
        state: "unknown".to_owned(),
        ..Glance::default()
    };
    loop {
        while let Ok(looked) = seen.try_recv() {
            last = Instant::now();
            match looked {
                Ok(newest) => (glance, lost) = (newest, None),
                Err(why) => lost = Some(format!("{why:#}")),
            }
        }
        let silence = last.elapsed();
        let is_old = silence > OLD;
        view.away = match &lost {
            Some(why) => Some(why.clone()),
            None => is_old.then(|| format!("no answer for {} s", silence.as_secs())),
        };
        hear(&mut view, acts);
        terminal.draw(|frame| screen::draw(frame, &glance, &view))?;
        // A terminal that is gone would be asked for keys without end.
        if rustix::termios::tcgetwinsize(std::io::stdout()).is_err() {
            return Ok(());
        }
        // Keys that came while the picture was drawn are heard before the next.
        let mut patience = PICTURE;
        while event::poll(patience)? {
            patience = Duration::ZERO;
            let Event::Key(key) = event::read()? else {
                continue;
            };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            match view.press(&glance, key) {
                Deed::Nothing => {}
                Deed::Leave => return Ok(()),
                Deed::Ask(ask) => {
                    if let Err(why) = acts.begin(ask) {
                        view.say(format!("{why:#}"), true);
                    }
                }
            }
        }
    }
}

/// Shows what came of acts, for a while.
fn hear(view: &mut View, acts: &mut Acts) {
    if view
        .note
        .as_ref()
        .is_some_and(|it| it.since.elapsed() > NOTE)
    {
        view.note = None;
    }
    while let Some(done) = acts.answered() {
        match done.outcome {
            Ok(answer) => view.say(format!("{}: {answer}", done.what), false),
            Err(why) => view.say(format!("{} was not done: {why}", done.what), true),
        }
    }
}
