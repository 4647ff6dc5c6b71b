//! `dcm-run bench`: whether this machine keeps a period, and what a turn costs on it.
//! The loop is the one that drives robots; every figure is measured here and now.

mod figures;
mod histogram;
mod trial;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use cycle::{RealtimeVerdict, Span};
use description::{Robot, RobotSource, load};
use robot::live::{Tempo, private_page};
use robot::realtime::{RealtimeOptions, RealtimeWarning};
use serde_json::{Value, json};

use crate::choreography::guest_options::Piece;
use crate::choreography::motion_file::MotionArgs;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words::{self, BOLD, counted, paint, time};
use figures::MachineFigures;
use histogram::as_json;
use trial::{Trial, play};

/// The periods of a bench that names none.
const PERIODS: [Span; 5] = [
    Span::from_millis(1),
    Span::from_millis(2),
    Span::from_millis(5),
    Span::from_millis(10),
    Span::from_millis(20),
];

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Runs the loop of a simulated robot without any client, at each period, and says whether the machine keeps it:\n  \
    comfortable  at least 999 of 1,000 turns are done within half of the period\n  \
    tight        at least 99 of 100 are done within the period\n  \
    no           fewer are\n\
    Then it measures, in virtual time, what a turn, a guest, the page and `check` cost.\n\
    With `--period` it shows how the times of that loop are spread.\n\
    `tests/bench/wakeup.sh` compares it with cyclictest.")]
pub(crate) struct Args {
    /// The robot.
    #[arg(long, short, value_name = "ROBOT", default_value = "nao")]
    robot: String,
    /// Only this period, with its histograms; default: 1, 2, 5, 10 and 20 ms.
    #[arg(long, value_name = "TIME", value_parser = words::period)]
    period: Option<Span>,
    /// The duration of the measurement of each period.
    #[arg(long = "for", value_name = "TIME", value_parser = words::duration, default_value = "10s")]
    lasting: Span,
    /// A choreography that plays meanwhile.
    #[arg(long, value_name = "FILE")]
    play: Option<PathBuf>,
    /// The SCHED_FIFO priority, 1 to 99; default: the robot's.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=99))]
    priority: Option<u8>,
    /// The processor to run on; default: the robot's.
    #[arg(long)]
    processor: Option<usize>,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let robot = load(&RobotSource::of(&args.robot))?;
    let mut piece = match &args.play {
        Some(path) => Some(Piece::read(path, &MotionArgs::default())?),
        None => None,
    };
    if let Some(piece) = &mut piece {
        piece.fit(&robot)?;
    }
    if let Some(period) = args.period {
        let trial = at_period(args, &robot, period, piece.as_ref())?;
        return if output.json {
            print_json(&trial_json(period, &trial))
        } else {
            histogram::print(period, &trial)
        };
    }
    let mut loops = Vec::new();
    if !output.json {
        begin(args, &robot)?;
    }
    for period in PERIODS {
        let trial = at_period(args, &robot, period, piece.as_ref())?;
        if !output.json {
            print_row(period, &trial, loops.is_empty())?;
        }
        loops.push((period, trial));
    }
    let figures = MachineFigures::measure(&robot, piece.as_ref())?;
    if output.json {
        let loops: Vec<_> = loops
            .iter()
            .map(|(at, robot_loop)| trial_json(*at, robot_loop))
            .collect();
        return print_json(
            &json!({ "robot": robot.name, "loops": loops, "figures": figures.as_json() }),
        );
    }
    let mut out = anstream::stdout().lock();
    figures.print(&mut out)?;
    writeln!(out, "\n{}", paint(BOLD, conclusion(&loops)))?;
    Ok(VerbOutcome::Done)
}

/// The robot's loop at this period, by the clock.
fn at_period(args: &Args, robot: &Robot, period: Span, piece: Option<&Piece>) -> Result<Trial> {
    let mut robot = robot.clone();
    robot.settings.period = period;
    robot.settings.thresholds = cycle::FaultThresholds::at(period);
    let realtime = RealtimeOptions {
        priority: args.priority.unwrap_or(robot.machine.priority),
        processor: args.processor.or(robot.machine.processor),
    };
    let turns = args.lasting.nanos().div_ceil(period.nanos()).max(1);
    let guests = usize::from(piece.is_some());
    let pace = (Tempo::Real(1.0), Some(realtime));
    let page = private_page(&robot)?;
    let trial = play(&Arc::new(robot), page, pace, turns, (piece, guests))?;
    let is_elsewhere =
        |warning: &&RealtimeWarning| matches!(warning, RealtimeWarning::Processor(..));
    // Figures of another processor are no answer.
    if let (Some(_), Some(lack)) = (args.processor, trial.lacks.iter().find(is_elsewhere)) {
        bail!("{lack}");
    }
    Ok(trial)
}

fn begin(args: &Args, robot: &Robot) -> Result<()> {
    let mut out = anstream::stdout().lock();
    let actuators = counted(robot.actuators.len() as u64, "actuator");
    let each = time(args.lasting);
    writeln!(out, "{}, {actuators}; each period for {each}", robot.name)?;
    Ok(())
}

fn print_row(period: Span, trial: &Trial, is_first: bool) -> Result<()> {
    let mut out = anstream::stdout().lock();
    if is_first {
        histogram::print_lacks(&mut out, &trial.lacks)?;
        writeln!(
            out,
            "\n{:<8} {:>16} {:>10} {:>10} {:>14} {:>10} {:>8}  verdict",
            "period", "wake-up: median", "99.9 %", "longest", "turn: median", "99.9 %", "missed",
        )?;
    }
    let statistics = &trial.statistics;
    let [woken, worked] = [&statistics.waking, &statistics.working];
    let verdict = statistics.realtime();
    writeln!(
        out,
        "{:<8} {:>16} {:>10} {:>10} {:>14} {:>10} {:>8}  {}",
        time(period),
        time(woken.quantile(0.5)),
        time(woken.quantile(0.999)),
        time(woken.greatest()),
        time(worked.quantile(0.5)),
        time(worked.quantile(0.999)),
        words::count(statistics.missed),
        paint(histogram::style_of(verdict), verdict.name()),
    )?;
    Ok(())
}

/// The shortest period that is comfortable.
fn conclusion(loops: &[(Span, Trial)]) -> String {
    let is_good =
        |pair: &&(Span, Trial)| pair.1.statistics.realtime() == RealtimeVerdict::Comfortable;
    // Shorter ones that happened to be good prove nothing if a longer one was not.
    let is_unknown =
        |pair: &(Span, Trial)| pair.1.statistics.realtime() == RealtimeVerdict::Unknown;
    match loops.iter().rev().take_while(is_good).last() {
        Some((period, _)) => format!("comfortable from {} on", time(*period)),
        None if loops.iter().any(is_unknown) => {
            "a verdict needs 100 turns of each period; fix: `--for 2s`".to_owned()
        }
        None => {
            "no period was comfortable; `dcm-run doctor` says what this machine lacks".to_owned()
        }
    }
}

fn trial_json(period: Span, trial: &Trial) -> Value {
    let statistics = &trial.statistics;
    json!({
        "turns": statistics.turns, "period_ns": period.nanos(), "late": statistics.late,
        "missed": statistics.missed, "verdict": statistics.realtime().name(),
        "lacks": trial.lacks.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "waking": as_json(&statistics.waking), "working": as_json(&statistics.working),
    })
}

fn print_json(told: &Value) -> Result<VerbOutcome> {
    writeln!(anstream::stdout().lock(), "{told}")?;
    Ok(VerbOutcome::Done)
}
