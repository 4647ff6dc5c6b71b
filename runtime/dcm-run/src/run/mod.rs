//! `dcm-run run`: a robot's loop, from its description to its last turn.
//!
//! This process holds the loop on a thread of its own; the socket and the page are for others.
//! `view` and `plain` show it here; they read the page, as any other process would.

mod demo;
mod ending;
mod plain;
mod script;
mod signals;
mod view;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use cycle::Span;
use robot::config::{Robot, Source, Tables, load};
use robot::live::{self, Control, News, Setup, Tally, Tempo};
use robot::places::{Claim, Places};
use robot::realtime::{Lack, Wish};
use robot::socket::{Access, Office, listen};
use sensors::{Creation, Page, PageWriter};

use crate::{Outcome, words};

/// Ctrl-C once stops softly: the body goes to its safe pose and lets go. Twice: it holds where it
/// is. Three times: the loop goes at once, and its motors do what `safety.leave` says.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The robot: a file, or the name of a shipped one; `dcm-run config ls` lists them.
    #[arg(long, short, value_name = "ROBOT")]
    robot: String,
    /// Drive the simulated body, whatever boards the description names.
    #[arg(long)]
    sim: bool,
    /// The loop's name, by which others find it; the robot's if it is not said.
    #[arg(long, value_name = "NAME")]
    id: Option<String>,
    /// Show the robot what it can do: a slow wave through all of its joints and lights.
    #[arg(long)]
    demo: bool,
    /// What happens to the simulated body: lines such as `2.5s ChestBoard/Button = 1`.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Simulated time runs so many times as fast as the clock.
    #[arg(long, value_name = "TIMES", conflicts_with_all = ["fast", "step"])]
    speed: Option<f64>,
    /// Simulated time runs as fast as it can.
    #[arg(long, conflicts_with = "step")]
    fast: bool,
    /// Simulated time runs when it is told to: `dcm-run sim step`.
    #[arg(long)]
    step: bool,
    /// Stop after this much of the robot's time.
    #[arg(long = "for", value_name = "TIME", value_parser = words::span)]
    lasting: Option<Span>,
    /// Leave the body limp until somebody says `dcm-run arm`.
    #[arg(long)]
    no_arm: bool,
    /// Print lines instead of the picture, as is done where there is no terminal.
    #[arg(long)]
    plain: bool,
    /// Print nothing while it runs but what should not be.
    #[arg(long, short)]
    quiet: bool,
    /// The seed of the simulation.
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
}

/// What shows a running loop.
struct Shown<'s> {
    robot: &'s Robot,
    name: &'s str,
    page: &'s Page,
    path: &'s Path,
    news: News,
    control: &'s Control,
    lacks: &'s [Lack],
    simulated: bool,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let mut robot = load(&Source::of(&args.robot))?;
    robot.seed = args.seed.unwrap_or(robot.seed);
    let tempo = tempo(args)?;
    let text = args.script.as_ref().map(|path| {
        std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
    });
    let script = script::read(&text.transpose()?.unwrap_or_default(), &robot)?;
    let robot = Arc::new(robot);
    let name = args.id.clone().unwrap_or_else(|| as_name(&robot.name));
    let claim = Places::of(&name)?.claim()?;
    let places = claim.places().clone();
    let writer = make_page(&robot, &claim)?;
    let page = Page::open(&places.page).context("reading the page that was just made")?;

    let (counter, mailbox) = live::post();
    let (herald, news) = live::herald();
    let control = Arc::new(Control::default());
    signals::listen(&control)?;
    let office = Office::new(
        Arc::clone(&robot),
        args.robot.clone(),
        places.clone(),
        counter,
    );
    let access = Access {
        users: robot.users.clone(),
    };
    listen(&places, Arc::new(office), access).context("listening on the socket")?;

    let real = matches!(tempo, Tempo::Real(_));
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
        troupe: None,
    };
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
        let lacks = hear.recv().unwrap_or_default();
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
            control: &control,
            lacks: &lacks,
            simulated: true,
        };
        let picture = std::io::stdout().is_terminal() && !(args.plain || args.quiet || json);
        if picture && real {
            view::show(shown)?;
        } else {
            plain::show(shown, json, args.quiet)?;
        }
        // It does not panic: a turn has a report, not an error. If it does, that is for all to see.
        Ok(body
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?)
    })?;
    ending::tell(&tally, robot.settings.period, began.elapsed(), json)?;
    Ok(Outcome::Done)
}

fn tempo(args: &Args) -> Result<Tempo> {
    match args.speed {
        Some(speed) if !(0.001..=1000.0).contains(&speed) => {
            bail!("--speed is a number from 0.001 to 1000; as fast as it can is --fast")
        }
        Some(speed) => Ok(Tempo::Real(speed)),
        None if args.fast => Ok(Tempo::Fast),
        None if args.step => Ok(Tempo::Step),
        None => Ok(Tempo::Real(1.0)),
    }
}

/// A robot's name with every letter that a file's name should not have replaced.
fn as_name(robot: &str) -> String {
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

fn make_page(robot: &Robot, claim: &Claim) -> Result<PageWriter> {
    let tables = Tables::of(robot);
    let actuator_units: Vec<_> = robot.actuators.iter().map(|it| it.unit.as_str()).collect();
    let sensor_units: Vec<_> = robot.sensors.iter().map(|it| it.unit.as_str()).collect();
    let utc = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let made_for = Creation {
        body: &tables.body(),
        actuator_units: &actuator_units,
        sensor_units: &sensor_units,
        period: robot.settings.period,
        utc_at_zero: i64::try_from(utc.as_nanos()).unwrap_or(0),
        // Distinct for each run of a machine, and tells when it was.
        run: utc.as_secs(),
    };
    Ok(PageWriter::create(&claim.places().page, &made_for)?)
}
