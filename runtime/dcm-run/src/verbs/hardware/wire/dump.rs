//! `dcm-run wire dump`: prints frames, one line per direction. Motors stay limp.

use std::io::Write;
use std::path::Path;

use ::wire::{Down, DownKind, TableQuery, Up, UpKind};
use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use cycle::{Incoming, Instant, Outgoing, Span, Target};
use description::layout;
use drivers::bus::{BusFault, Tape, Transfer};
use drivers::faults::{Fault, Faults};
use drivers::rack::Device;
use drivers::servo::{Servo, Session};
use robot::boards::{self, table::expected};
use serde_json::json;

use super::BoardArgs;
use crate::text::errors;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;

/// With a robot, its motors stay limp.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The robot: a file, or a shipped robot; or a file that `run --tap` wrote.
    robot: String,
    /// The board of a robot; default: the only servo board.
    #[arg(long, short, value_name = "NAME")]
    board: Option<String>,
    /// The number of frames.
    #[arg(long, short = 'n', default_value_t = 200)]
    frames: u64,
    /// Print every byte as well.
    #[arg(long)]
    bytes: bool,
}

pub(super) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    // An existing file that does not end in .toml is a tap.
    let path = Path::new(&args.robot);
    if path.is_file() && path.extension().is_none_or(|extension| extension != "toml") {
        return dump_tape(path, args, output);
    }
    let (robot, place) = BoardArgs {
        robot: args.robot.clone(),
        board: args.board.clone(),
    }
    .servo()?;
    let board = &robot.boards[place];
    let Some(bus) = board.bus() else {
        return Ok(VerbOutcome::Done);
    };
    let wrong = |why: String| anyhow::anyhow!(why);
    let _held = boards::lock_board(board)?;
    let listening = PrintingBus {
        under: boards::carrier(bus).map_err(wrong)?,
        output,
        bytes: args.bytes,
        closed: false,
    };
    let mut session = Session::new(layout(&robot, place), robot.settings.period);
    // As in a loop: a board with another table gets no targets.
    session.expects(expected(&robot, place));
    let mut servo = Servo::new(session, listening);
    let targets = vec![Target::default(); robot.actuators.len()];
    let mut counts = vec![0.0; robot.sensors.len()];
    let mut now = Span::ZERO;
    for turn in 1..=args.frames {
        let out = Outgoing {
            turn,
            now: Instant::ZERO + now,
            powered: false,
            targets: &targets,
            fires: &[],
        };
        let mut back = Incoming {
            counts: &mut counts,
            answers: &mut [],
        };
        servo.exchange(&out, &mut back);
        if servo.bus.closed {
            break;
        }
        now = Span::from_nanos(now.nanos() + robot.settings.period.nanos());
        std::thread::sleep(std::time::Duration::from_nanos(
            robot.settings.period.nanos(),
        ));
    }
    let faults = servo.faults();
    print_faults(&faults, output);
    Ok(if faults.good > 0 {
        VerbOutcome::Done
    } else {
        VerbOutcome::Fails
    })
}

/// Prints the number of good answers and of each fault.
fn print_faults(faults: &Faults, output: VerbOutput) {
    let told: Vec<_> = faults
        .named()
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    if output.json {
        let named: serde_json::Map<_, _> = faults
            .named()
            .map(|(name, item)| (name.to_owned(), json!(item)))
            .collect();
        anstream::println!("{}", json!({ "good": faults.good, "faults": named }));
    } else {
        let style = if faults.good > 0 {
            words::GOOD
        } else {
            words::BAD
        };
        let good = words::paint(style, format!("{} good answers", faults.good));
        anstream::println!(
            "{good}; {}",
            if told.is_empty() {
                "no faults".to_owned()
            } else {
                format!("faults: {}", told.join(", "))
            }
        );
        if faults.of(Fault::Mismatch) > 0 {
            anstream::println!(
                "{}",
                words::paint(
                    words::BAD,
                    "its table differs from the description; fix: see `dcm-run wire probe`"
                )
            );
        }
    }
}

/// Prints the frames of a file.
fn dump_tape(path: &Path, args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let told = || path.display().to_string();
    let tape = Tape::read(errors::read(path, errors::TEXT_MAX)?).with_context(told)?;
    for passed in tape.passed() {
        print(
            passed.down,
            passed.up,
            output,
            args.bytes,
            Some(passed.nanos),
        )?;
    }
    match tape.lost() {
        Some(0) => {}
        Some(lost) => anstream::eprintln!(
            "{}",
            words::paint(
                words::ODD,
                format!("{lost} transfers are missing in the file")
            )
        ),
        None => anstream::eprintln!(
            "{}",
            words::paint(
                words::ODD,
                "the file was not closed; its end may be missing"
            )
        ),
    }
    Ok(VerbOutcome::Done)
}

/// Prints a transfer, one line per direction.
fn print(
    down: &[u8],
    up: Result<&[u8], BusFault>,
    output: VerbOutput,
    bytes: bool,
    at: Option<u64>,
) -> std::io::Result<()> {
    let mut out = anstream::stdout().lock();
    let came = match up {
        Ok(up) => heard(up),
        Err(fault) => fault.to_string(),
    };
    let raw = up.map(hex).unwrap_or_default();
    if output.json {
        let told = json!({ "at_ns": at, "down": sent(down), "up": came, "down_hex": hex(down), "up_hex": raw });
        return writeln!(out, "{told}");
    }
    let at = at.map_or(String::new(), |value| {
        format!("{:>10.4} s  ", Span::from_nanos(value).seconds())
    });
    writeln!(out, "{at}down  {}", sent(down))?;
    writeln!(out, "{:w$}  up  {came}", "", w = at.chars().count())?;
    if bytes {
        writeln!(out, "      {}\n      {raw}", hex(down))?;
    }
    Ok(())
}

/// A bus that prints every transfer.
#[derive(Debug)]
struct PrintingBus {
    under: Box<dyn Transfer>,
    output: VerbOutput,
    bytes: bool,
    /// The output is closed.
    closed: bool,
}

impl Transfer for PrintingBus {
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault> {
        let done = self.under.transfer(down, up);
        let printed = print(down, done.map(|()| &*up), self.output, self.bytes, None);
        self.closed |= printed.is_err();
        done
    }
}

/// A frame of the host as text.
fn sent(bytes: &[u8]) -> String {
    let Ok(down) = Down::parse(bytes) else {
        return "invalid frame".to_owned();
    };
    let power = if down.powered { "powered" } else { "limp" };
    let what = match down.kind {
        DownKind::Ask(TableQuery::About) => "query about the board".to_owned(),
        DownKind::Ask(TableQuery::Row { number, .. }) => format!("query about row {number}"),
        DownKind::Rest => "rest".to_owned(),
        DownKind::Run => {
            let outputs = (0..down.count()).filter_map(|i| down.output(i));
            let outputs: Vec<_> = outputs
                .map(|(now, ahead)| format!("{now}>{ahead}"))
                .collect();
            outputs.join(" ")
        }
    };
    format!("{:>5} {power:<7} {what}", down.sequence)
}

/// A frame of the board as text.
fn heard(bytes: &[u8]) -> String {
    let up = match Up::parse(bytes) {
        Ok(up) => up,
        Err(flaw) => return format!("invalid frame: {flaw}"),
    };
    let what = match up.kind {
        UpKind::Nothing => "nothing".to_owned(),
        UpKind::About(about) => format!(
            "{}: {} outputs, {} inputs",
            ::wire::row::text(&about.name),
            about.outputs,
            about.inputs
        ),
        UpKind::Row(number, row) => format!("row {number} is {}", ::wire::row::text(&row.name)),
        UpKind::Run => {
            let inputs = (0..up.inputs.len()).filter_map(|i| up.input(i));
            inputs
                .map(|input| input.to_string())
                .collect::<Vec<_>>()
                .join(" ")
        }
    };
    let mut flags = Vec::new();
    for (is, flag) in [
        (up.powered, "powered"),
        (up.relaxed, "relaxed"),
        (up.stopped, "stopped"),
    ] {
        if is {
            flags.push(flag.to_owned());
        }
    }
    flags.extend(up.refused.map(|value| format!("refused: {value:?}")));
    flags.extend((up.error != 0).then(|| format!("error {}", up.error)));
    format!("{:>5} {:<7} {what}", up.acknowledged, flags.join(" "))
}

/// Bytes as `network::hex` writes them, which a `dcm-run` without a server does not have.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
