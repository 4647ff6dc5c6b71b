//! Reads and checks everything that a loop is run with, before its name is claimed; then assembles the loop's parts.
//! Called by `run`. Whatever is wrong with the arguments or the files is reported before anything is opened
//! for others.

use crate::text::output::VerbOutput;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use description::{BoardSpec, Layer, Robot, RobotSource, load_told};
use drivers::sim::{RigidRobot, Script};
use guests::{Compiler, GuestScheduler, THINKING};
use protocol::places::{Places, code_folder};
use protocol::{GuestOptions, Loaded};
use recording::{GuestLogSender, RecordedRun, Recorder, RecordingSwitch, TurnTape, record_run};
use robot::boards::Opened;
use robot::event_history::EventHistory;
use robot::guest_policy::grant_wasi;
use robot::guest_service::{GuestService, GuestServiceSettings, cache_in};
use robot::live::{RequestSender, Tempo};
use robot::socket::{RequestHandler, SocketAccess, listen};
use sensors::PageReader;
use sensors::Window;

use super::options::{opened, rigid_robot, tempo};
use super::{Args, SideService, gate, script};
use crate::choreography::guest_options::{Piece, entered, note_of_name, note_of_params};
use crate::process::this_program;
use crate::session::compile_display::CompileDisplay;
use crate::session::described::described;
use crate::text::errors;
use crate::verbs::author::check;

/// What a loop is run with.
pub(super) struct RunPlan {
    pub(super) description: String,
    /// The options of the checks of what is loaded later.
    check_args: Vec<String>,
    pub(super) robot: Arc<Robot>,
    layers: Vec<Layer>,
    pub(super) tempo: Tempo,
    pub(super) opened: Opened,
    /// The rigid bodies, if the simulated body has weight, and what they cost.
    pub(super) physics: Option<(RigidRobot, Vec<String>)>,
    pub(super) script: Script,
    pub(super) pieces: Vec<Piece>,
    options: Vec<GuestOptions>,
}

/// The recording of a run, in its parts.
#[derive(Default)]
pub(super) struct RunRecording {
    pub(super) recorder: Option<Recorder>,
    pub(super) tape: Option<TurnTape>,
    pub(super) guest_log: Option<GuestLogSender>,
    /// Of a robot that has a folder of recordings.
    pub(super) switch: Option<RecordingSwitch>,
}

/// The guests' service, what of it runs in the loop, and what the machine lacks for it.
type LoopGuests = (
    Option<Arc<GuestService>>,
    Option<GuestScheduler>,
    Vec<String>,
);

impl RunPlan {
    /// Reads it.
    pub(super) fn of(args: &Args) -> Result<RunPlan> {
        let description = described(args.driven.robot.as_deref())?;
        let (mut robot, layers) = load_told(&RobotSource::of(&description))?;
        robot.seed = args.seed.unwrap_or(robot.seed);
        if args.driven.wasi {
            grant_wasi(&mut robot);
        }
        args.driven.body.apply(&mut robot)?;
        let is_real = !args.driven.sim && robot.boards.iter().any(BoardSpec::is_real);
        if is_real && args.driven.body.needs_simulation() {
            bail!(
                "physics needs a simulated body, and this robot has real boards; fix: simulate it, `--sim`"
            );
        }
        let physics = match is_real {
            true => None,
            false => rigid_robot(&robot)?,
        };
        let tempo = tempo(args)?;
        let opened = opened(args, &robot)?;
        let script = args.script.as_deref().map_or(Ok(String::new()), read)?;
        let script = script::read(&script, &robot)?;
        let pieces = args
            .pieces
            .iter()
            .map(|piece| Piece::read(piece, &args.motions));
        let mut pieces = pieces.collect::<Result<Vec<_>>>()?;
        pieces.iter_mut().try_for_each(|piece| piece.fit(&robot))?;
        let options = args.options.of(&pieces)?;
        Ok(RunPlan {
            description,
            check_args: args.driven.check_args(),
            robot: Arc::new(robot),
            layers,
            tempo,
            opened,
            physics,
            script,
            pieces,
            options,
        })
    }

    /// Checks the choreographies, unless the check is skipped; whether they may play.
    pub(super) fn passes_check(&self, args: &Args, output: VerbOutput) -> Result<bool> {
        let unchecked = self.pieces.iter().zip(&self.options);
        for (piece, options) in unchecked.filter(|_| !args.no_check) {
            if !check::before(&self.robot, piece, options.clone(), &args.judging, output)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the loop runs in real time.
    pub(super) fn is_real_time(&self) -> bool {
        matches!(self.tempo, Tempo::Real(_))
    }

    /// Starts the recording, if one is asked for, or if the robot keeps recordings of its own.
    pub(super) fn record(
        &self,
        args: &Args,
        name: &str,
        beside: Option<&dyn SideService>,
        utc_at_zero: u64,
    ) -> Result<RunRecording> {
        let archive = beside.map(|beside| beside.archive(name));
        let archive = archive.transpose()?.flatten();
        let (path, has_archive) = (args.driven.record.as_deref(), archive.is_some());
        if path.is_none() && !has_archive {
            return Ok(RunRecording::default());
        }
        #[cfg(feature = "server")]
        let drawing = Some(super::drawn_body::drawing(&self.robot));
        // The viewers are left out together with the server.
        #[cfg(not(feature = "server"))]
        let drawing = None;
        let run = RecordedRun {
            robot: &self.robot,
            layers: &self.layers,
            real: self.is_real_time(),
            utc_at_zero,
            drawing: drawing.as_ref(),
        };
        let started = record_run(path, archive, &run).map_err(|why| anyhow::anyhow!(why))?;
        Ok(RunRecording {
            recorder: Some(started.recorder),
            tape: Some(started.tape),
            guest_log: Some(started.guest_log),
            switch: Some(started.switch).filter(|_| has_archive),
        })
    }

    /// Sets up the guests' service. If that fails, a loop without choreographies runs without it.
    pub(super) fn gather(
        &self,
        window: Window,
        guest_log: Option<GuestLogSender>,
    ) -> Result<LoopGuests> {
        let (cache, warning) = cache_in(code_folder().as_deref());
        let settings = GuestServiceSettings {
            form: robot::guest_policy::code_form(&self.robot),
            lockstep: (!self.is_real_time()).then_some(THINKING),
            logged: true,
            compiler: Compiler::child(this_program()?),
            cache,
        };
        match GuestService::start(&self.robot, window, settings) {
            Ok(mut started) => {
                if let Some(guest_log) = guest_log {
                    started.service.set_recorder(guest_log);
                }
                let service = Arc::new(started.service);
                Ok((
                    Some(service),
                    Some(started.scheduler),
                    Vec::from_iter(warning),
                ))
            }
            Err(why) if self.pieces.is_empty() => Ok((None, None, vec![why])),
            Err(why) => bail!(why),
        }
    }

    /// Loads the choreographies, and then listens on the socket. Returns a line for each guest.
    pub(super) fn open(
        &mut self,
        places: &Places,
        sender: RequestSender,
        service: Option<&Arc<GuestService>>,
        switch: Option<RecordingSwitch>,
    ) -> Result<Vec<String>> {
        let description = self.description.clone();
        let mut robot = Arc::clone(&self.robot);
        if self.physics.is_none() {
            // What a real robot plays is checked with physics, but nobody can push its simulated body.
            Arc::make_mut(&mut robot).physics = false;
        }
        let history = keep_history(&places.page)?;
        let mut handler = RequestHandler::new(robot, description.clone(), places.clone(), sender)
            .with_history(history)
            .with_source(RobotSource::of(&self.description))
            .with_checker(Box::new(gate::ChildJudge {
                description,
                check_args: self.check_args.clone(),
            }))
            .with_layers(self.layers.iter().map(|layer| layer.text.clone()).collect());
        if let Some(service) = service {
            handler = handler.with(Arc::clone(service));
        }
        if let Some(switch) = switch {
            handler = handler.with_recording(Box::new(switch));
        }
        // Before the first turn, so that a choreography in virtual time always begins at the same instant.
        let mut beginning = Vec::new();
        let display = CompileDisplay::here();
        for (piece, options) in self.pieces.iter().zip(std::mem::take(&mut self.options)) {
            let asked = options.params.clone();
            let result = handler.load(&piece.bytes, options);
            let loaded = result.with_context(|| piece.path.display().to_string())?;
            let notes = notes(&loaded, piece, &asked, service);
            beginning.push(format!("{}{notes}", entered(&loaded)));
        }
        drop(display);
        if let Some(service) = service {
            service.loop_starts();
        }
        let access = SocketAccess {
            users: self.robot.users.clone(),
        };
        listen(places, Arc::new(handler), access).context("listening on the socket")?;
        Ok(beginning)
    }
}

/// What a person may not expect of a guest that was loaded: its name, or a parameter that was clipped.
fn notes(
    loaded: &Loaded,
    piece: &Piece,
    asked: &BTreeMap<String, f64>,
    service: Option<&Arc<GuestService>>,
) -> String {
    let mut notes = note_of_name(loaded, Some(&piece.name), &piece.file);
    if let Some(service) = service {
        let mut all = service.list().into_iter();
        let params = all
            .find(|guest| guest.id.0 == loaded.id)
            .map(|guest| guest.params);
        let given = params.unwrap_or_default().into_iter();
        notes += &note_of_params(
            asked,
            &given
                .map(|(parameter, value)| (parameter.name, value))
                .collect(),
        );
    }
    notes
}

/// The history of the log, in which all entries of this process are from now on. Entries get the robot's time from the
/// page.
fn keep_history(page: &Path) -> Result<Arc<EventHistory>> {
    let history = Arc::<EventHistory>::default();
    let (page, kept) = (PageReader::open(page)?, Arc::clone(&history));
    logging::set_clock(move || page.read(|frame| frame.now().nanos()).unwrap_or(0));
    logging::listen(move |entry| kept.add(entry));
    logging::warn_if_unread();
    Ok(history)
}

fn read(path: &Path) -> Result<String> {
    errors::read_text(path)
}
