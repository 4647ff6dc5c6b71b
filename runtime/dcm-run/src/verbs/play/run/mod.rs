//! `dcm-run run`: runs a robot's loop, from its description to its last turn.
//!
//! `plan` reads and checks everything; then the loop runs on a thread of its own, while this thread shows it:
//! `view` in a terminal, `plain` as lines. What shows the loop reads its page, as any other process does.

mod demo;
#[cfg(feature = "server")]
mod drawn_body;
mod ending;
mod gate;
mod guardian;
mod guest_list;
mod loop_args;
mod loop_log;
mod lost_light;
mod options;
mod plain;
mod plan;
mod script;
mod view;

use std::any::Any;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCompleter;
use cycle::{EventEntry, Instant, Span};
use description::Robot;
use guests::GuestLogLine;
use protocol::Guest;
use protocol::places::Places;
use recording::ArchiveOptions;
use robot::guest_service::GuestService;
use robot::live::{self, Control, EventReceiver, LoopSetup, LoopStatistics, Tempo, make_page};
use robot::realtime::RealtimeOptions;
use robot::socket::guest_report;
use sensors::PageReader;

use ending::EndedLoop;
pub(crate) use loop_args::LoopArgs;
use loop_log::LoopLog;
use plan::RunPlan;

use crate::choreography::guest_options::GuestOptionArgs;
use crate::choreography::motion_file::MotionArgs;
use crate::log_args;
use crate::process::listen_to_signals;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
use crate::verbs::author::check::CheckArgs;
use crate::verbs::candidates;
use guardian::Guardian;

#[derive(Debug, Default, ClapArgs)]
#[command(after_help = "\
    Ctrl-C stops softly: the body goes to its safe pose, then limp. A second Ctrl-C makes the body hold its position. \
    A third ends the loop at once; `safety.leave` says what the motors do then.")]
pub(crate) struct Args {
    /// Choreographies, or motions (.csv, .motion, .mot, …) to play: files, or names of shipped choreographies such as
    /// `dance`. The loop stops softly when all have ended. While it runs, `dcm-run load` starts more.
    #[arg(value_name = "CHOREOGRAPHY", add = ArgValueCompleter::new(candidates::pieces))]
    pub(crate) pieces: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) driven: LoopArgs,
    #[command(flatten)]
    pub(crate) options: GuestOptionArgs,
    #[command(flatten)]
    pub(crate) motions: MotionArgs,
    #[command(flatten)]
    pub(crate) judging: CheckArgs,
    /// Play them without the check; see `dcm-run check`.
    #[arg(long)]
    pub(crate) no_check: bool,
    /// Keep running when all choreographies have ended.
    #[arg(long)]
    pub(crate) stay: bool,
    /// Play a demo: a slow wave through all joints and lights.
    #[arg(long)]
    pub(crate) demo: bool,
    /// A script of what happens to the simulated body: lines such as `2.5s ChestBoard/Button = 1`.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// The speed of simulated time, as a multiple of real time.
    #[arg(long, value_name = "TIMES", conflicts_with_all = ["fast", "step"])]
    pub(crate) speed: Option<f64>,
    /// Run simulated time as fast as possible.
    #[arg(long, conflicts_with = "step")]
    pub(crate) fast: bool,
    /// Advance simulated time only by `dcm-run sim step`.
    #[arg(long)]
    pub(crate) step: bool,
    /// Stop after this much of the robot's time.
    #[arg(long = "for", value_name = "TIME", value_parser = words::duration)]
    pub(crate) lasting: Option<Span>,
    /// Leave the body limp until `dcm-run arm`.
    #[arg(long)]
    pub(crate) no_arm: bool,
    /// Write every transfer of a board into a file, for `dcm-run wire dump`; may be given several times.
    #[arg(long, value_name = "BOARD=FILE", conflicts_with = "sim")]
    pub(crate) tap: Vec<String>,
    /// Print lines instead of the full-screen view; default without a terminal.
    #[arg(long)]
    pub(crate) plain: bool,
    /// The seed of the simulation.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
}

/// A running loop, as it is shown.
struct WatchedLoop<'s> {
    robot: &'s Robot,
    name: &'s str,
    page: &'s PageReader,
    path: &'s Path,
    event_log: EventReceiver,
    log: LoopLog,
    service: Option<&'s GuestService>,
    /// What to print before the first turn: the guests that wait.
    beginning: Vec<String>,
    control: &'s Control,
    lacks: Vec<String>,
    simulated: bool,
    /// Whether somebody else tells about it.
    is_silent: bool,
    guardian: Option<&'s Guardian>,
}

impl WatchedLoop<'_> {
    /// The next message of the guardian.
    fn next_of_guardian(&self) -> Option<String> {
        let told = self.guardian?.told.try_recv().ok()?;
        tracing::error!("{told}");
        Some(told)
    }

    /// The next event of the body.
    fn next_line(&mut self) -> Option<(EventEntry, String)> {
        // What was posted can be read when all else of its turn is told: so it is asked for first.
        while let Some(posted) = self.service.and_then(GuestService::next_posted) {
            self.log.posted.push_back(posted);
        }
        let entry = self.event_log.next_line();
        self.log
            .print_posted(entry.map_or(u64::MAX, |entry| entry.turn));
        let Some(entry) = entry else {
            self.log.update(self.name, self.robot, self.page);
            return None;
        };
        let service = self.service.zip(entry.event.lane());
        let owner = service.map(|(service, lane)| service.owner(lane));
        let sentence = self
            .log
            .tell(self.name, self.robot, entry, owner.as_deref());
        Some((entry, sentence))
    }

    /// The next log message of a guest.
    fn next_guest_line(&self) -> Option<GuestLogLine> {
        let said = self.service.and_then(GuestService::next_log_line)?;
        let at = (said.now, said.turn);
        logging::guest_line(&said.guest, log_level(said.level), at, &said.text);
        Some(said)
    }

    /// The guests, as other processes see them.
    fn guests(&self) -> Vec<Guest> {
        let list = self.service.map_or(Vec::new(), GuestService::list);
        let all = list.into_iter().map(guest_report);
        all.filter(|value| value.life != "gone").collect()
    }
}

/// Runs a loop for a show.
pub(crate) fn play(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    if args.pieces.is_empty() {
        bail!("no show given; fix: `dcm-run play show.csv --robot nao --sim`");
    }
    run(args, output)
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    run_beside(args, output, None)
}

/// A service that runs beside a loop.
pub(crate) trait SideService {
    /// Starts it for the loop of this name and page; it ends when the returned value is dropped.
    fn start(&self, name: &str, page: &Path) -> Result<Box<dyn Any>>;

    /// The folder of recordings of the robot of this name, and whether its runs are recorded.
    fn archive(&self, name: &str) -> Result<Option<ArchiveOptions>>;

    /// Whether it tells people about the loop itself. Then the loop prints nothing.
    fn tells(&self) -> bool {
        false
    }
}

/// Runs a loop, and a service beside it if there is one.
pub(crate) fn run_beside(
    args: &Args,
    output: VerbOutput,
    beside: Option<&dyn SideService>,
) -> Result<VerbOutcome> {
    let mut plan = RunPlan::of(args)?;
    if !plan.passes_check(args, output)? {
        return Ok(VerbOutcome::Fails);
    }
    let name = args.driven.name(&plan.robot);
    let claim = Places::of(&name)?.claim()?;
    let places = claim.places();
    // Distinct for each run of a machine, and tells when it was.
    let begun = utc_now();
    let zero = begun.saturating_sub(args.driven.uptime().nanos());
    let writer = make_page(&plan.robot, &places.page, zero, begun)?;
    let page = PageReader::open(&places.page).context("opening the new page")?;
    let (sender, requests) = live::request_channel();
    let (events, event_log) = live::event_channel();
    let control = Arc::new(Control::default());
    listen_to_signals(&control)?;
    let recording = plan.record(args, &name, beside, zero)?;
    let (service, scheduler, mut lacks) = plan.gather(writer.window(), recording.guest_log)?;
    let mut beginning = plan.open(places, sender, service.as_ref(), recording.switch)?;
    let (robot, has_real) = (Arc::clone(&plan.robot), !plan.opened.rack.0.is_empty());
    lacks.append(&mut plan.opened.warnings);
    beginning.extend(plan.physics.iter().flat_map(|(_, lines)| lines.clone()));
    let guardian = (has_real && !args.driven.no_guard)
        .then(|| Guardian::keep(&plan.description, &name, &control))
        .transpose()?;
    let bare = LoopSetup::bare(Tempo::Fast, requests, events, &control);
    let setup = LoopSetup {
        page: Some(writer),
        scheduler,
        recorder: recording.tape.map(|tape| Box::new(tape) as _),
        ..setup(args, &mut plan, bare)
    };
    let is_silent = beside.is_some_and(SideService::tells);
    let beside = beside
        .map(|beside| beside.start(&name, &places.page))
        .transpose()?;
    let shown = WatchedLoop {
        robot: &robot,
        name: &name,
        page: &page,
        path: &places.page,
        event_log,
        log: LoopLog::of(&robot),
        service: service.as_deref(),
        beginning,
        control: &control,
        lacks,
        simulated: !has_real,
        is_silent,
        guardian: guardian.as_ref(),
    };
    let began = std::time::Instant::now();
    let tally = run_shown(setup, shown, args, output)?;
    drop(beside);
    let _ended = guardian.map(Guardian::end);
    // Until here the boards are locked: a guardian looks for the locks, to know that the loop drives them.
    drop(plan);
    let ended = EndedLoop {
        tally,
        period: robot.settings.period,
        took: began.elapsed(),
        is_silent,
    };
    ended.conclude(args, output, recording.recorder, service.as_deref())
}

/// A guest's level in the log.
fn log_level(level: guests::Level) -> tracing::Level {
    match level {
        guests::Level::Debug => tracing::Level::DEBUG,
        guests::Level::Info => tracing::Level::INFO,
        guests::Level::Warning => tracing::Level::WARN,
    }
}

/// UTC, ns since 1970.
fn utc_now() -> u64 {
    let utc = SystemTime::now().duration_since(UNIX_EPOCH);
    u64::try_from(utc.unwrap_or_default().as_nanos()).unwrap_or(0)
}

/// What the arguments say of the loop. The plan keeps the boards' locks.
fn setup<'s>(args: &Args, plan: &mut RunPlan, bare: LoopSetup<'s>) -> LoopSetup<'s> {
    let (machine, period) = (&plan.robot.machine, plan.robot.settings.period);
    let turns = |time: Span| time.nanos().div_ceil(period.nanos());
    LoopSetup {
        realtime: plan.is_real_time().then_some(RealtimeOptions {
            priority: machine.priority,
            processor: machine.processor,
        }),
        tempo: plan.tempo,
        begins: Instant::ZERO + args.driven.uptime(),
        turns: args.lasting.map(turns),
        arm: !args.no_arm,
        physics: plan.physics.take().map(|(body, _)| body),
        until_played: !(plan.pieces.is_empty() || args.stay),
        script: std::mem::take(&mut plan.script),
        rack: std::mem::take(&mut plan.opened.rack),
        ..bare
    }
}

/// Runs the loop on a thread of its own, and shows it meanwhile on this one.
fn run_shown(
    setup: LoopSetup<'_>,
    mut shown: WatchedLoop<'_>,
    args: &Args,
    output: VerbOutput,
) -> Result<LoopStatistics> {
    let (robot, name, control) = (shown.robot, shown.name, shown.control);
    let is_real_time = matches!(setup.tempo, Tempo::Real(_));
    std::thread::scope(|scope| {
        let (say, hear) = mpsc::channel();
        let body = std::thread::Builder::new().name("loop".to_owned());
        let spawned = body.spawn_scoped(scope, move || {
            live::live(robot, setup, |lacks| {
                // The receiver is gone if this function failed.
                let _ = say.send(lacks.to_vec());
            })
        });
        let body = spawned.context("starting the loop's thread")?;
        // Without an answer the loop has ended before its first turn, and says why below.
        let of_machine = hear.recv().unwrap_or_default();
        let lacks = of_machine.iter().map(ToString::to_string);
        shown.lacks.extend(lacks);
        if args.demo && !body.is_finished() {
            std::thread::Builder::new()
                .name("demo".to_owned())
                .spawn_scoped(scope, move || demo::play(robot, name, control))
                .context("starting the demo")?;
        }
        let full_screen =
            std::io::stdout().is_terminal() && !(args.plain || args.driven.quiet || output.json);
        for lack in &shown.lacks {
            tracing::warn!("{lack}");
        }
        if full_screen && is_real_time && !shown.is_silent {
            let _held = log_args::hold();
            view::show(shown)?;
        } else {
            plain::show(shown, output, args.driven.quiet)?;
        }
        // A turn reports errors and does not panic; a panic is a bug, and is passed on.
        Ok(body
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?)
    })
}
