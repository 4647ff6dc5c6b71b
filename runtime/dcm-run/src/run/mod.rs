//! `dcm-run run`: a robot's loop, from its description to its last turn.
//!
//! This process holds the loop on a thread of its own; the socket and the page are for others.
//! `view` and `plain` show it here; they read the page, as any other process would.

mod cast;
mod demo;
mod ending;
mod gate;
mod guardian;
mod means;
mod plain;
mod script;
mod signals;
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
use cycle::{EventEntry, Span};
use description::{Robot, RobotSource, load_told};
use guests::{GuestLogLine, THINKING};
use recording::record;
use robot::event_history::EventHistory;
use robot::guest_service::{GuestService, GuestServiceSettings};
use robot::live::{self, Control, News, Setup, Tally, Tempo, make_page};
use robot::realtime::Wish;
use robot::socket::{Access, Office, listen, told};
use sensors::PageReader;
use socket::Guest;
use socket::places::{Places, code_folder};

pub(crate) use signals::listen as listen_to_signals;

use means::{opened, tempo};

use crate::check::{self, Judging};
use crate::described::{ROBOT, described};
use crate::wish::{Piece, Wishes, entered};
use crate::{Outcome, candidates, words};
use guardian::Guardian;

/// The robot that is driven, and how: what every verb that runs a loop may be told.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct Driven {
    /// The robot: a file, or the name of a shipped one; `dcm-run config ls` lists them.
    #[arg(long, short, value_name = "ROBOT", env = ROBOT, add = ArgValueCompleter::new(candidates::descriptions))]
    pub(crate) robot: Option<String>,
    /// Drive the simulated body, whatever boards the description names.
    #[arg(long)]
    pub(crate) sim: bool,
    /// The loop's name, by which others find it; the robot's if it is not said.
    #[arg(long, value_name = "NAME")]
    pub(crate) id: Option<String>,
    /// Write every turn into a recording (.mcap), for viewers and for `dcm-run replay`.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Do without the process that brings the body down when this one is gone: for debuggers.
    #[arg(long)]
    pub(crate) no_guard: bool,
    /// Print nothing while it runs but what should not be.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Default, ClapArgs)]
#[command(after_help = "\
    Ctrl-C once stops softly: the body goes to its safe pose and lets go. Twice: it holds where it is. Three \
    times: the loop goes at once, and its motors do what `safety.leave` says.")]
pub(crate) struct Args {
    /// Choreographies to play, or shows (.csv, .json); the loop goes softly once all of them have ended.
    /// Others may join by `dcm-run load`.
    #[arg(value_name = "CHOREOGRAPHY", add = ArgValueCompleter::new(candidates::pieces))]
    pub(crate) pieces: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) driven: Driven,
    #[command(flatten)]
    pub(crate) wishes: Wishes,
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// Play them without a look at what they would do; see `dcm-run check`.
    #[arg(long)]
    pub(crate) no_check: bool,
    /// Go on when all choreographies have ended.
    #[arg(long)]
    pub(crate) stay: bool,
    /// Show the robot what it can do: a slow wave through all of its joints and lights.
    #[arg(long)]
    pub(crate) demo: bool,
    /// What happens to the simulated body: lines such as `2.5s ChestBoard/Button = 1`.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// Simulated time runs so many times as fast as the clock.
    #[arg(long, value_name = "TIMES", conflicts_with_all = ["fast", "step"])]
    pub(crate) speed: Option<f64>,
    /// Simulated time runs as fast as it can.
    #[arg(long, conflicts_with = "step")]
    pub(crate) fast: bool,
    /// Simulated time runs when it is told to: `dcm-run sim step`.
    #[arg(long)]
    pub(crate) step: bool,
    /// Stop after this much of the robot's time.
    #[arg(long = "for", value_name = "TIME", value_parser = words::span)]
    pub(crate) lasting: Option<Span>,
    /// Leave the body limp until somebody says `dcm-run arm`.
    #[arg(long)]
    pub(crate) no_arm: bool,
    /// Write every transfer of this board into a file, for `dcm-run wire dump` and for tests; several may be given.
    #[arg(long, value_name = "BOARD=FILE", conflicts_with = "sim")]
    pub(crate) tap: Vec<String>,
    /// Print lines instead of the picture, as is done where there is no terminal.
    #[arg(long)]
    pub(crate) plain: bool,
    /// The seed of the simulation.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
}

/// What shows a running loop.
struct Shown<'s> {
    robot: &'s Robot,
    name: &'s str,
    page: &'s PageReader,
    path: &'s Path,
    news: News,
    service: Option<&'s GuestService>,
    history: Arc<EventHistory>,
    /// What is to be told before the first turn: guests that wait, and what could not be had.
    beginning: Vec<String>,
    control: &'s Control,
    lacks: Vec<String>,
    simulated: bool,
    guardian: Option<&'s Guardian>,
}

impl Shown<'_> {
    /// The next that there is to tell of the guardian.
    fn next_of_guardian(&self) -> Option<String> {
        self.guardian?.told.try_recv().ok()
    }

    /// The next thing that happened to the body.
    fn next_line(&mut self) -> Option<(EventEntry, String)> {
        let entry = self.news.next_line()?;
        let service = self.service.zip(entry.event.lane());
        let owner = service.map(|(service, lane)| service.owner(lane));
        let sentence = live::sentence_of(entry.event, self.robot, owner.as_deref());
        self.history.happened(entry, owner);
        Some((entry, sentence))
    }

    /// The next line of a guest.
    fn next_said(&self) -> Option<GuestLogLine> {
        let said = self.service.and_then(GuestService::said)?;
        self.history.said(&said);
        Some(said)
    }

    /// Who plays, as everybody else is told.
    fn guests(&self) -> Vec<Guest> {
        let list = self.service.map_or(Vec::new(), GuestService::list);
        let all = list.into_iter().map(told);
        all.filter(|it| it.life != "gone").collect()
    }
}

/// As `run`, for somebody who means a show.
pub(crate) fn play(args: &Args, json: bool) -> Result<Outcome> {
    if args.pieces.is_empty() {
        bail!("say what to play: `dcm-run play show.csv --robot nao --sim`");
    }
    run(args, json)
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    run_beside(args, json, None)
}

/// What runs beside a loop, as long as it runs.
pub(crate) trait Beside {
    /// Starts it for the loop of this name, whose page is here; it ends when what is given back is dropped.
    fn start(&self, name: &str, page: &Path) -> Result<Box<dyn Any>>;
}

/// Runs a loop, and something beside it if there is to be anything.
pub(crate) fn run_beside(args: &Args, json: bool, beside: Option<&dyn Beside>) -> Result<Outcome> {
    let description = described(args.driven.robot.as_deref())?;
    let (mut robot, layers) = load_told(&RobotSource::of(&description))?;
    robot.seed = args.seed.unwrap_or(robot.seed);
    let tempo = tempo(args)?;
    let opened = opened(args, &robot)?;
    let text = args.script.as_ref().map(|path| {
        std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
    });
    let script = script::read(&text.transpose()?.unwrap_or_default(), &robot)?;
    let pieces = args.pieces.iter().map(|it| Piece::read(it));
    let pieces = pieces.collect::<Result<Vec<_>>>()?;
    pieces.iter().try_for_each(|it| it.fits(&robot))?;
    let robot = Arc::new(robot);
    let wishes = args.wishes.of(&pieces)?;
    let unseen = pieces.iter().zip(&wishes).filter(|_| !args.no_check);
    for (piece, wish) in unseen {
        if !check::before(&robot, piece, wish.clone(), &args.judging, json)? {
            return Ok(Outcome::Fails);
        }
    }
    let name = args
        .driven
        .id
        .clone()
        .unwrap_or_else(|| as_name(&robot.name));
    let claim = Places::of(&name)?.claim()?;
    let places = claim.places().clone();
    let utc = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let zero = u64::try_from(utc.as_nanos()).unwrap_or(0);
    // Distinct for each run of a machine, and tells when it was.
    let writer = make_page(&robot, &places.page, zero, zero)?;
    let page = PageReader::open(&places.page).context("reading the page that was just made")?;

    let (counter, mailbox) = live::post();
    let (herald, news) = live::herald();
    let control = Arc::new(Control::default());
    signals::listen(&control)?;
    let real = matches!(tempo, Tempo::Real(_));
    let manner = GuestServiceSettings {
        form: robot::guest_policy::code_form(&robot),
        lockstep: (!real).then_some(THINKING),
        compiler: Some(this_program()?),
        code: code_folder(),
    };
    let mut office = Office::new(
        Arc::clone(&robot),
        description.clone(),
        places.clone(),
        counter,
    );
    office = office.with_judge(Box::new(gate::ChildJudge {
        description: description.clone(),
    }));
    office = office.with_layers(layers.iter().map(|it| it.text.clone()).collect());
    let mut lacks = Vec::new();
    let record = |path: &PathBuf| record(path, &robot, &layers, real, zero);
    let recorded = args.driven.record.as_ref().map(record).transpose();
    let recorded = recorded.map_err(|why| anyhow::anyhow!(why))?;
    let (recorder, tape, scribe) = recorded
        .map_or((None, None, None), |(recorder, tape, scribe)| {
            (Some(recorder), Some(tape), Some(scribe))
        });
    let (service, scheduler) = match GuestService::start(&robot, writer.window(), manner) {
        Ok(mut gathered) => {
            lacks.extend(gathered.lacks);
            if let Some(scribe) = scribe {
                gathered.service.tell(scribe);
            }
            (Some(Arc::new(gathered.service)), Some(gathered.scheduler))
        }
        Err(why) if pieces.is_empty() => {
            lacks.push(why);
            (None, None)
        }
        Err(why) => bail!(why),
    };
    if let Some(service) = &service {
        office = office.with(Arc::clone(service));
    }
    // Before the first turn: what plays in virtual time always begins at the same instant.
    let mut beginning = Vec::new();
    for (piece, wish) in pieces.iter().zip(wishes) {
        let told = office.load(&piece.bytes, wish);
        let told = told.with_context(|| piece.path.display().to_string())?;
        beginning.push(entered(&told));
    }
    let access = Access {
        users: robot.users.clone(),
    };
    let history = office.history();
    listen(&places, Arc::new(office), access).context("listening on the socket")?;

    let has_real = !opened.rack.0.is_empty();
    lacks.extend(opened.odd);
    let setup = Setup {
        tempo,
        wish: real.then_some(Wish {
            priority: robot.machine.priority,
            processor: robot.machine.processor,
        }),
        page: Some(writer),
        mailbox,
        herald,
        control: &control,
        turns: args
            .lasting
            .map(|it| it.nanos().div_ceil(robot.settings.period.nanos())),
        arm: !args.no_arm,
        script,
        rack: opened.rack,
        scheduler,
        until_played: !(pieces.is_empty() || args.stay),
        watcher: None,
        recorder: tape.map(|it| Box::new(it) as _),
    };
    let guardian = has_real && !args.driven.no_guard;
    let guardian = guardian.then(|| Guardian::keep(&description, &name, &control));
    let guardian = guardian.transpose()?;
    let beside = beside.map(|it| it.start(&name, &places.page)).transpose()?;
    let began = std::time::Instant::now();
    let tally = std::thread::scope(|scope| -> Result<Tally> {
        let (say, hear) = mpsc::channel();
        let robot = &*robot;
        let body = std::thread::Builder::new().name("loop".to_owned());
        let spawned = body.spawn_scoped(scope, move || {
            live::live(robot, setup, |lacks| {
                // Whoever asked has gone: then nobody wants to know.
                let _ = say.send(lacks.to_vec());
            })
        });
        let body = spawned.context("starting the loop's thread")?;
        // Without lacks the loop has ended before its first turn, and says why below.
        let of_machine = hear.recv().unwrap_or_default();
        lacks.extend(of_machine.iter().map(ToString::to_string));
        if args.demo && !body.is_finished() {
            let (name, control) = (&name, &control);
            std::thread::Builder::new()
                .name("demo".to_owned())
                .spawn_scoped(scope, move || demo::play(robot, name, control))
                .context("starting the demo")?;
        }
        let shown = Shown {
            robot,
            name: &name,
            page: &page,
            path: &places.page,
            news,
            service: service.as_deref(),
            history,
            beginning,
            control: &control,
            lacks,
            simulated: !has_real,
            guardian: guardian.as_ref(),
        };
        let picture = std::io::stdout().is_terminal() && !(args.plain || args.driven.quiet || json);
        if picture && real {
            view::show(shown)?;
        } else {
            plain::show(shown, json, args.driven.quiet)?;
        }
        // It does not panic: a turn has a report, not an error. If it does, that is for all to see.
        Ok(body
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?)
    })?;
    drop(beside);
    let _ended = guardian.map(Guardian::end);
    let tells = json || !args.driven.quiet;
    if tells {
        ending::tell(&tally, robot.settings.period, began.elapsed(), json)?;
    }
    if let Some(recorder) = recorder {
        let recorded = recorder.finish().map_err(|why| anyhow::anyhow!(why))?;
        if tells || recorded.lost > 0 {
            ending::tell_recorded(&recorded, json)?;
        }
    }
    let guests = service.as_ref().map_or(Vec::new(), |it| it.list());
    ending::tell_guests(guests.into_iter().map(told), json, tells)
}

/// This very program, whatever has become of its file since it was started.
pub(crate) fn this_program() -> Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    if running.exists() {
        return Ok(running);
    }
    std::env::current_exe().context("finding this program, which compiles choreographies")
}

/// A robot's name with every letter that a file's name should not have replaced.
pub(crate) fn as_name(robot: &str) -> String {
    let sound = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
    let name: String = robot
        .chars()
        .take(64)
        .map(|it| if sound(it) { it } else { '-' })
        .collect();
    if name.is_empty() {
        "robot".to_owned()
    } else {
        name
    }
}
