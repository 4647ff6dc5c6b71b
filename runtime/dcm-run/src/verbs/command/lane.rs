//! `dcm-run lane`: opens, lists, tunes, feeds and ends lanes of clients' own, and tells which lanes drive.
//! A lane that was opened here stays until it is ended, or its silence rule ends it.

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use clap_complete::engine::ArgValueCandidates;
use cycle::Span;
use protocol::{Ask, DrivenActuator, DrivingLane, LaneEnd, LaneOptions, LaneStatus};

use crate::session::connect;
use crate::session::robot_args::RobotArgs;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
use crate::verbs::candidates;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    All clients share one lane of priority 10, in which their commands are merged. A lane of its own has a priority: \
    while it drives an actuator, lanes below it do not. `dcm-run set --lane NAME` moves in it.")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: LaneVerb,
}

#[derive(Debug, Subcommand)]
enum LaneVerb {
    /// Open a lane.
    Open(OpenArgs),
    /// List the lanes of clients.
    Ls {
        #[command(flatten)]
        which: RobotArgs,
    },
    /// Tell which lanes drive each actuator, those of guests among them, and with what value and weight.
    Driving {
        /// Names of actuators or aliases; default: all that are driven.
        #[arg(value_name = "ACTUATOR", add = ArgValueCandidates::new(candidates::actuators))]
        of: Vec<String>,
        #[command(flatten)]
        which: RobotArgs,
    },
    /// Change the priority or the weight of a lane.
    Tune {
        /// The lane.
        lane: String,
        /// Its new priority, -1 to 100.
        #[arg(long, allow_negative_numbers = true, value_parser = words::number)]
        priority: Option<f64>,
        /// Its new weight: up to 1 a share, above that votes (up to 1,000).
        #[arg(long, value_parser = words::number)]
        weight: Option<f64>,
        #[command(flatten)]
        which: RobotArgs,
    },
    /// Tell a lane with a silence rule that its client is there.
    Feed {
        /// The lane.
        lane: String,
        #[command(flatten)]
        which: RobotArgs,
    },
    /// End a lane; one that holds is released when it is ended again.
    End {
        /// The lane.
        lane: String,
        /// How, if not as it declared.
        #[arg(long)]
        ending: Option<EndWord>,
        #[command(flatten)]
        which: RobotArgs,
    },
}

#[derive(Debug, ClapArgs)]
struct OpenArgs {
    /// Its name.
    lane: String,
    /// Its priority, -1 to 100.
    #[arg(long, default_value = "10", allow_negative_numbers = true, value_parser = words::number)]
    priority: f64,
    /// Its weight among lanes of the same priority: up to 1 a share, above that votes (up to 1,000).
    #[arg(long, default_value = "1", value_parser = words::number)]
    weight: f64,
    /// The actuators that it may drive; default: all.
    #[arg(long, value_delimiter = ',', add = ArgValueCandidates::new(candidates::actuators))]
    joints: Option<Vec<String>>,
    /// Leave each actuator to other lanes after its last command, instead of holding it.
    #[arg(long)]
    release: bool,
    /// How long it fades in, and out at its end.
    #[arg(long, value_name = "TIME", value_parser = words::within, default_value = "0s")]
    fade: Span,
    /// How it ends.
    #[arg(long, default_value = "release")]
    ending: EndWord,
    /// End it when nothing was sent in it for so long.
    #[arg(long, value_name = "TIME", value_parser = words::duration)]
    silence: Option<Span>,
    /// Move the body to its safe pose when nothing was sent in it for so long.
    #[arg(long, value_name = "TIME", value_parser = words::duration, requires = "silence")]
    retreat: Option<Span>,
    #[command(flatten)]
    which: RobotArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EndWord {
    /// It fades out and releases its actuators.
    Release,
    /// Its actuators stay where they are until it is ended again.
    Hold,
    /// Its actuators go to the safe pose first.
    SafePose,
}

impl From<EndWord> for LaneEnd {
    fn from(word: EndWord) -> LaneEnd {
        match word {
            EndWord::Release => LaneEnd::Release,
            EndWord::Hold => LaneEnd::Hold,
            EndWord::SafePose => LaneEnd::SafePose,
        }
    }
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let (which, ask) = match &args.verb {
        LaneVerb::Open(open) => (&open.which, opening(open)),
        LaneVerb::Ls { which } => (which, Ask::Lanes),
        LaneVerb::Driving { of, which } => (which, Ask::Driving { of: of.clone() }),
        LaneVerb::Tune {
            lane,
            priority,
            weight,
            which,
        } => {
            let ask = Ask::TuneLane {
                lane: lane.clone(),
                priority: *priority,
                weight: *weight,
            };
            (which, ask)
        }
        LaneVerb::Feed { lane, which } => (which, Ask::FeedLane { lane: lane.clone() }),
        LaneVerb::End {
            lane,
            ending,
            which,
        } => {
            let ask = Ask::EndLane {
                lane: lane.clone(),
                ending: ending.map(LaneEnd::from),
            };
            (which, ask)
        }
    };
    let mut connection = connect(which)?;
    if matches!(ask, Ask::Driving { .. }) {
        let driven: Vec<DrivenActuator> = connection.get(ask)?;
        return show_driving(&driven, connection.name(), output);
    }
    let lanes: Vec<LaneStatus> = connection.get(ask)?;
    show(&lanes, connection.name(), output)
}

fn opening(open: &OpenArgs) -> Ask {
    Ask::OpenLane {
        lane: open.lane.clone(),
        options: Box::new(LaneOptions {
            priority: open.priority,
            weight: open.weight,
            joints: open.joints.clone(),
            hold: !open.release,
            fade_ns: open.fade.nanos(),
            ending: open.ending.into(),
            silent_after_ns: open.silence.map(Span::nanos),
            retreat_after_ns: open.retreat.map(Span::nanos),
        }),
    }
}

fn show(lanes: &[LaneStatus], robot: &str, output: VerbOutput) -> Result<VerbOutcome> {
    let head = format!(
        "{:<24} {:<11} {:>8} {:>7}  JOINTS",
        "LANE", "LIFE", "PRIORITY", "WEIGHT"
    );
    let none = format!("no client has a lane of its own on {robot}");
    output.list(lanes, &head, &none, |status| {
        let joints = status.joints.as_ref();
        let joints = joints.map_or_else(|| "all".to_owned(), |joints| joints.join(", "));
        let LaneStatus {
            lane,
            life,
            priority,
            weight,
            ..
        } = status;
        format!("{lane:<24} {life:<11} {priority:>8} {weight:>7}  {joints}")
    })
}

fn show_driving(driven: &[DrivenActuator], robot: &str, output: VerbOutput) -> Result<VerbOutcome> {
    let head = format!(
        "{:<28} {:<24} {:>8} {:>10} {:>7}",
        "ACTUATOR", "LANE", "PRIORITY", "VALUE", "WEIGHT"
    );
    let none = format!("no lane drives anything on {robot}: the body stays where it is");
    output.list(driven, &head, &none, |driven| {
        let actuator = &driven.actuator;
        let line = |lane: &DrivingLane| {
            let hidden = if lane.hidden { "  hidden" } else { "" };
            format!(
                "{actuator:<28} {:<24} {:>8} {:>10.4} {:>7.3}{hidden}",
                lane.lane, lane.priority, lane.value, lane.weight
            )
        };
        let lines: Vec<_> = driven.lanes.iter().map(line).collect();
        match lines.is_empty() {
            true => format!("{actuator:<28} nobody: it stays where it is"),
            false => lines.join("\n"),
        }
    })
}
