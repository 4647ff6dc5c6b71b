//! A session of `dev`: builds, checks and hands over at every save. Called by `dev`, on the main thread, or beside a
//! simulated robot. A failure is printed, and the session goes on; the guest that plays is not touched by it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use ::guests::World;
use anyhow::Result;
use cycle::{Span, State};
use protocol::{Ask, Caller, Guest, GuestOptions};
use robot::guest_policy::grant_wasi;
use robot::states::{phrase, way_to_running};
use serde_json::json;

use super::listener::GuestLogListener;
use super::report::{self, StepTimes, VersionOutcome};
use super::subject::{Subject, Version};
use super::watch::{Change, FileWatch};
use crate::choreography::guest_options::{GuestOptionArgs, Piece};
use crate::session::robot_args::RobotArgs;
use crate::session::{RobotConnection, connect};
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::verbs::author::check::{self, GateArgs};

/// The interval between two looks at the files and at the stop flag.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// How it plays what it builds.
pub(super) struct SessionOptions {
    pub(super) guest_options: GuestOptionArgs,
    pub(super) gated: GateArgs,
    pub(super) fade: Span,
    /// Set by whoever ends it.
    pub(super) stop: Arc<AtomicBool>,
    /// Set by whoever wants to see the version again.
    pub(super) again: Arc<AtomicBool>,
    pub(super) output: VerbOutput,
    /// Whether scores are granted all of WASI; on its own robot only.
    pub(super) wasi: bool,
}

/// A session, and what it knows of its guest.
pub(super) struct DevSession {
    pub(super) options: SessionOptions,
    pub(super) robot: String,
    /// Whether the robot is simulated by this process.
    own: bool,
    /// The number and the name of the guest that was handed over last.
    guest: Option<(u32, String)>,
    /// Whether its end was told.
    has_ended: bool,
    /// On a robot of others on this machine: what ends the guest if this process is killed.
    owner: Option<Caller>,
}

impl DevSession {
    /// On the robot of this name.
    pub(super) fn on(robot: String, own: bool, options: SessionOptions) -> DevSession {
        DevSession {
            options,
            robot,
            own,
            guest: None,
            has_ended: false,
            owner: None,
        }
    }

    /// Builds and plays at every save, until it is stopped.
    pub(super) fn run(mut self, mut subject: Subject) -> Result<VerbOutcome> {
        let mut watch = subject.watch();
        let mut listener = GuestLogListener::of(&self.robot, self.own, self.options.output);
        let (title, files, output) = (subject.title(), watch.count(), self.options.output);
        report::introduce(&title, &self.robot, self.own, files, output)?;
        if !self.own {
            listener.skip();
        }
        let mut change = None;
        while !self.stops() {
            self.play(&mut subject, change.as_ref());
            change = self.wait(&mut watch, &mut listener);
        }
        self.leave()
    }

    fn stops(&self) -> bool {
        self.options.stop.load(Ordering::Relaxed)
    }

    /// One version: built, checked, handed over, and told of.
    fn play(&mut self, subject: &mut Subject, change: Option<&Change>) {
        let since = |time: SystemTime| time.elapsed().unwrap_or_default().as_secs_f64();
        let begun = Instant::now();
        let mut times = StepTimes {
            noticed: change.map(|change| since(change.saved)),
            ..StepTimes::default()
        };
        let built = subject.build(&self.options.stop);
        times.built = begun.elapsed().as_secs_f64();
        if self.stops() {
            return;
        }
        let result = built.and_then(|version| self.bring(&version, &mut times));
        let own = begun.elapsed().as_secs_f64();
        times.total = change.map_or(own, |change| since(change.saved));
        let (guest, output) = (self.guest.as_ref(), self.options.output);
        // If standard output is closed, nobody reads it.
        let _ = report::version(result, guest, change, &times, output);
    }

    /// Checks a version, and loads it or swaps it in.
    fn bring(&mut self, version: &Version, times: &mut StepTimes) -> Result<VersionOutcome> {
        let piece = &version.piece;
        let options = &self.options;
        let mut guest_options = options.guest_options.of(std::slice::from_ref(piece))?;
        let mut guest_options = options.gated.of(guest_options.pop().unwrap_or_default());
        let mut connection = self.connect()?;
        let playing = self.playing(&mut connection, piece)?;
        let digest = ::guests::digest(&piece.bytes);
        let again = options.again.swap(false, Ordering::Relaxed);
        if playing
            .as_ref()
            .is_some_and(|playing| playing.digest == digest)
            && !again
        {
            return Ok(VersionOutcome::Unchanged);
        }
        // A remote robot checks by itself: its description is there.
        let here = connection.robot().filter(|_| !options.gated.no_check);
        if let Some(mut robot) = here {
            if options.wasi {
                grant_wasi(&mut robot);
            }
            let (begun, robot) = (Instant::now(), Arc::new(robot));
            let judging = options.gated.judging();
            let passes = check::before(
                &robot,
                piece,
                guest_options.clone(),
                &judging,
                options.output,
            )?;
            times.checked = Some(begun.elapsed().as_secs_f64());
            if !passes {
                return Ok(VersionOutcome::Refused);
            }
            // Another robot of this machine looks up this verdict; our own believes it.
            guest_options.unchecked |= self.own;
        }
        // Whoever edits it sees that it waits.
        guest_options.when_running = true;
        let begun = Instant::now();
        let is_score = |guest: &Guest| guest.world != "motion" || version.world == World::Score;
        let how = if playing.is_some() {
            "takes over"
        } else {
            "plays"
        };
        let (ends, swaps) = match playing {
            Some(guest) if is_score(&guest) => (Some(guest.id), None),
            playing => (None, playing),
        };
        let ask = self.ask_for(piece, swaps, guest_options);
        let loaded = connection.hand_over(ask, &piece.bytes)?;
        if let Some(id) = ends {
            // Only a motion takes over from a motion. Here the new one begins, while the old one fades out.
            let guest = Some(id.to_string());
            let soft = false;
            connection.ask(Ask::End { guest, soft })?;
        }
        times.handed_over = Some(begun.elapsed().as_secs_f64());
        let waits = self.waits_for(&connection).unwrap_or_default();
        let sentence = format!("{} {how} as guest {}{waits}", loaded.name, loaded.id);
        self.own_guest(loaded.id);
        self.guest = Some((loaded.id, loaded.name));
        self.has_ended = false;
        Ok(VersionOutcome::Plays(sentence))
    }

    /// Lets the guest end if this process does so without ending it. A robot elsewhere does not hear of that.
    fn own_guest(&mut self, guest: u32) {
        if self.own {
            return;
        }
        if self.owner.is_none() {
            self.owner = Caller::reach(Some(&self.robot)).ok();
        }
        let ask = Ask::Own {
            guest: guest.to_string(),
        };
        if let Some(Err(why)) = self.owner.as_mut().map(|owner| owner.ask(ask)) {
            tracing::warn!("if this session is killed, guest {guest} goes on: {why}");
            self.owner = None;
        }
    }

    /// The request that brings a version in.
    fn ask_for(&self, piece: &Piece, playing: Option<Guest>, options: GuestOptions) -> Ask {
        let bytes = piece.bytes.len() as u64;
        match playing {
            Some(guest) => Ask::Swap {
                guest: guest.id.to_string(),
                bytes,
                in_ns: self.options.fade.nanos(),
                options,
            },
            None => Ask::Load { bytes, options },
        }
    }

    /// What the guest waits for, if the body does not follow it now.
    fn waits_for(&self, connection: &RobotConnection) -> Option<String> {
        match connection.state()? {
            State::Running => None,
            // It is on its way.
            State::Boot | State::Disarmed | State::Armed if self.own => None,
            state => Some(format!(
                "; the body is {}; to let it move, {}",
                phrase(state),
                way_to_running(state)
            )),
        }
    }

    fn connect(&self) -> Result<RobotConnection> {
        connect(&RobotArgs {
            robot: Some(self.robot.clone()),
        })
    }

    /// The guest to replace: the last version, or at first a guest of the same name, if it is still there.
    fn playing(&self, connection: &mut RobotConnection, piece: &Piece) -> Result<Option<Guest>> {
        let guests: Vec<Guest> = connection.get(Ask::Guests)?;
        let stays = |guest: &Guest| !matches!(guest.life.as_str(), "gone" | "ending");
        let mut there = guests.into_iter().filter(stays);
        Ok(match &self.guest {
            Some((id, name)) => there.find(|item| item.id == *id && item.name == *name),
            None => there.find(|item| item.name == piece.name),
        })
    }

    /// Waits for the next change, and prints what happens meanwhile. `None`: it is to end, or to play again.
    fn wait(&mut self, watch: &mut FileWatch, listener: &mut GuestLogListener) -> Option<Change> {
        let mut may_have_ended = false;
        while !(self.stops() || self.options.again.load(Ordering::Relaxed)) {
            if let Some(change) = watch.change() {
                return Some(change);
            }
            if listener.is_due() {
                let guest = self.guest.as_ref().map(|guest| guest.1.as_str());
                may_have_ended |= listener.listen(guest);
                if may_have_ended && !self.has_ended {
                    // A robot that does not answer is told of at the next save.
                    may_have_ended = self.print_end().unwrap_or_default();
                }
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        None
    }

    /// Prints how the guest ended, if it has. Returns whether it is about to: it is gone a turn after its lane.
    fn print_end(&mut self) -> Result<bool> {
        let Some((id, _)) = self.guest else {
            return Ok(false);
        };
        let guests: Vec<Guest> = self.connect()?.get(Ask::Guests)?;
        let Some(guest) = guests.iter().find(|guest| guest.id == id) else {
            return Ok(false);
        };
        if guest.life == "gone" {
            self.has_ended = true;
            report::end(guest, self.options.output)?;
        }
        Ok(guest.life == "ending")
    }

    /// Stops the guest softly. A robot of our own does so itself.
    fn leave(self) -> Result<VerbOutcome> {
        let Some((id, name)) = self.guest.as_ref().filter(|_| !self.own) else {
            return Ok(VerbOutcome::Done);
        };
        let mut connection = self.connect()?;
        let guests: Vec<Guest> = connection.get(Ask::Guests)?;
        let is_ours =
            |guest: &Guest| guest.id == *id && guest.name == *name && guest.life != "gone";
        if guests.iter().any(is_ours) {
            let guest = Some(id.to_string());
            connection.ask(Ask::End { guest, soft: true })?;
            if self.options.output.json {
                anstream::println!("{}", json!({ "outcome": "stopped", "guest": id }));
            } else {
                anstream::println!("{name} has ended softly");
            }
        }
        Ok(VerbOutcome::Done)
    }
}
