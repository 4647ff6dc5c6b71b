//! Reads and checks everything that a loop is run with, before its name is claimed; then assembles the loop's parts.
//! Called by `run`. The law: whatever is wrong with the arguments or the files is reported before anything is opened
//! for others.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use drivers::sim::Script;
use guests::{THINKING, Troupe};
use robot::boards::Opened;
use robot::chronicle::Chronicle;
use robot::company::{Company, Manner};
use robot::config::{Layer, Robot, Source, load_told};
use robot::live::{Counter, Tempo};
use robot::record::{Recorder, Scribe, Tape, record};
use robot::socket::{Access, Office, listen};
use sensors::Window;
use socket::Wish;
use socket::places::{Places, code_folder};

use super::options::{opened, tempo};
use super::{Args, gate, script, this_program};
use crate::check;
use crate::described::described;
use crate::guest_options::{Piece, entered};

/// What a loop is run with.
pub(super) struct RunPlan {
    pub(super) description: String,
    pub(super) robot: Arc<Robot>,
    layers: Vec<Layer>,
    pub(super) tempo: Tempo,
    pub(super) opened: Opened,
    pub(super) script: Script,
    pub(super) pieces: Vec<Piece>,
    wishes: Vec<Wish>,
}

/// The recording of a run, in its parts.
#[derive(Default)]
pub(super) struct RunRecording {
    pub(super) recorder: Option<Recorder>,
    pub(super) tape: Option<Tape>,
    pub(super) scribe: Option<Scribe>,
}

/// The guests' service, what of it runs in the loop, and what the machine lacks for it.
type LoopGuests = (Option<Arc<Company>>, Option<Troupe>, Vec<String>);

impl RunPlan {
    /// Reads it.
    pub(super) fn of(args: &Args) -> Result<RunPlan> {
        let description = described(args.driven.robot.as_deref())?;
        let (mut robot, layers) = load_told(&Source::of(&description))?;
        robot.seed = args.seed.unwrap_or(robot.seed);
        let tempo = tempo(args)?;
        let opened = opened(args, &robot)?;
        let script = args.script.as_deref().map_or(Ok(String::new()), read)?;
        let script = script::read(&script, &robot)?;
        let pieces = args.pieces.iter().map(|it| Piece::read(it));
        let pieces = pieces.collect::<Result<Vec<_>>>()?;
        pieces.iter().try_for_each(|it| it.fits(&robot))?;
        let wishes = args.wishes.of(&pieces)?;
        Ok(RunPlan {
            description,
            robot: Arc::new(robot),
            layers,
            tempo,
            opened,
            script,
            pieces,
            wishes,
        })
    }

    /// Checks the choreographies, unless the check is skipped; whether they may play.
    pub(super) fn passes_check(&self, args: &Args, json: bool) -> Result<bool> {
        let unchecked = self.pieces.iter().zip(&self.wishes);
        for (piece, wish) in unchecked.filter(|_| !args.no_check) {
            if !check::before(&self.robot, piece, wish.clone(), &args.judging, json)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the loop runs in real time.
    pub(super) fn is_real_time(&self) -> bool {
        matches!(self.tempo, Tempo::Real(_))
    }

    /// Starts the recording, if one is asked for.
    pub(super) fn record(&self, args: &Args, utc_at_zero: u64) -> Result<RunRecording> {
        let Some(path) = &args.driven.record else {
            return Ok(RunRecording::default());
        };
        let recorded = record(
            path,
            &self.robot,
            &self.layers,
            self.is_real_time(),
            utc_at_zero,
        );
        let (recorder, tape, scribe) = recorded.map_err(|why| anyhow::anyhow!(why))?;
        Ok(RunRecording {
            recorder: Some(recorder),
            tape: Some(tape),
            scribe: Some(scribe),
        })
    }

    /// Sets up the guests' service. If that fails, a loop without choreographies runs without it.
    pub(super) fn gather(&self, window: Window, scribe: Option<Scribe>) -> Result<LoopGuests> {
        let manner = Manner {
            form: self.robot.machine.guests,
            lockstep: (!self.is_real_time()).then_some(THINKING),
            compiler: Some(this_program()?),
            code: code_folder(),
        };
        match Company::gather(&self.robot, window, manner) {
            Ok(mut gathered) => {
                if let Some(scribe) = scribe {
                    gathered.company.tell(scribe);
                }
                let company = Arc::new(gathered.company);
                Ok((Some(company), Some(gathered.troupe), gathered.lacks))
            }
            Err(why) if self.pieces.is_empty() => Ok((None, None, vec![why])),
            Err(why) => bail!(why),
        }
    }

    /// Loads the choreographies, and then listens on the socket. Returns a line for each guest, and the events.
    pub(super) fn open(
        &mut self,
        places: &Places,
        counter: Counter,
        company: Option<&Arc<Company>>,
    ) -> Result<(Vec<String>, Arc<Chronicle>)> {
        let description = self.description.clone();
        let robot = Arc::clone(&self.robot);
        let mut office = Office::new(robot, description.clone(), places.clone(), counter)
            .with_judge(Box::new(gate::ChildJudge { description }))
            .with_layers(self.layers.iter().map(|it| it.text.clone()).collect());
        if let Some(company) = company {
            office = office.with(Arc::clone(company));
        }
        // Before the first turn, so that a choreography in virtual time always begins at the same instant.
        let mut beginning = Vec::new();
        for (piece, wish) in self.pieces.iter().zip(std::mem::take(&mut self.wishes)) {
            let told = office.load(&piece.bytes, wish);
            let told = told.with_context(|| piece.path.display().to_string())?;
            beginning.push(entered(&told));
        }
        let access = Access {
            users: self.robot.users.clone(),
        };
        let chronicle = office.chronicle();
        listen(places, Arc::new(office), access).context("listening on the socket")?;
        Ok((beginning, chronicle))
    }
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}
