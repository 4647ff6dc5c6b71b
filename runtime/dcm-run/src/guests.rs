//! `load`, `swap`, `pause`, `tune`, and what `resume` and `stop` mean for a guest: for a running loop.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter};
use cycle::{Span, State};
use robot::states::way_to_running;
use serde_json::json;
use socket::{Ask, Told};

use crate::Outcome;
use crate::candidates;
use crate::check::Gated;
use crate::connect::{Connection, RobotArgs, connect};
use crate::remote;
use crate::wish::{Piece, Wishes, entered, params};
use crate::words;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    It comes in as soon as the body is running, and plays until it has ended or is stopped. A robot that has a \
    server keeps it as well, as by `dcm-run push`.")]
pub(crate) struct LoadArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The choreographies.
    #[arg(required = true, value_name = "CHOREOGRAPHY", add = ArgValueCompleter::new(candidates::pieces))]
    pieces: Vec<PathBuf>,
    #[command(flatten)]
    wishes: Wishes,
    #[command(flatten)]
    gated: Gated,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    The new version takes over the lane's priority and what the old one has kept; one fades into the other.")]
pub(crate) struct SwapArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The guest that goes: its name or number; `dcm-run ps` lists them.
    #[arg(add = ArgValueCandidates::new(candidates::guests))]
    guest: String,
    /// The choreography that comes: a file; or a name, tag or digest of what the robot keeps.
    #[arg(value_name = "CHOREOGRAPHY", add = ArgValueCompleter::new(candidates::pieces))]
    piece: PathBuf,
    /// How long one fades into the other.
    #[arg(long = "in", value_name = "TIME", value_parser = words::span, default_value = "500ms")]
    fade: Span,
    #[command(flatten)]
    wishes: Wishes,
    #[command(flatten)]
    gated: Gated,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Its hooks are not called, its lane is not heard, and its time stands; it goes on from where it was."
)]
pub(crate) struct GuestArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The guest: its name or number; `dcm-run ps` lists them.
    #[arg(add = ArgValueCandidates::new(candidates::guests))]
    guest: String,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Parameters are brought into their ranges; all of it is done, or nothing.")]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The guest: its name or number; `dcm-run ps` lists them with their parameters.
    #[arg(add = ArgValueCandidates::new(candidates::guests))]
    guest: String,
    /// Parameters and their values.
    #[arg(value_name = "KEY=VALUE", add = ArgValueCandidates::new(candidates::params))]
    params: Vec<String>,
    /// How early its lane is heard.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    priority: Option<f64>,
    /// Its lane's share among lanes of the same priority, 0 to 1.
    #[arg(long, value_name = "SHARE")]
    weight: Option<f64>,
}

pub(crate) fn load(args: &LoadArgs, json: bool) -> Result<Outcome> {
    let pieces = args.pieces.iter().map(|it| Piece::read(it));
    let pieces = pieces.collect::<Result<Vec<_>>>()?;
    let wishes = args.wishes.of(&pieces)?;
    let mut connection = connect(&args.which)?;
    fits(&connection, &pieces)?;
    for (piece, wish) in pieces.into_iter().zip(wishes) {
        let bytes = piece.bytes.len() as u64;
        let wish = args.gated.of(wish);
        let ask = Ask::Load { bytes, wish };
        hand_over(&mut connection, ask, &piece, json)?;
    }
    Ok(Outcome::Done)
}

pub(crate) fn swap(args: &SwapArgs, json: bool) -> Result<Outcome> {
    // What is written as a file is one, whether it is there or not.
    let is_file = args.piece.exists()
        || args.piece.extension().is_some_and(|it| it == "wasm")
        || args.piece.components().count() > 1;
    if let Some(kept) = args.piece.to_str().filter(|_| !is_file) {
        return swap_kept(args, kept, json);
    }
    let piece = Piece::read(&args.piece)?;
    let mut wishes = args.wishes.of(std::slice::from_ref(&piece))?;
    let ask = Ask::Swap {
        guest: args.guest.clone(),
        bytes: piece.bytes.len() as u64,
        in_ns: args.fade.nanos(),
        wish: args.gated.of(wishes.pop().unwrap_or_default()),
    };
    let mut connection = connect(&args.which)?;
    fits(&connection, std::slice::from_ref(&piece))?;
    hand_over(&mut connection, ask, &piece, json)?;
    Ok(Outcome::Done)
}

/// Whether the robot has everyone who is in a show, and takes the units that are written there.
fn fits(connection: &Connection, pieces: &[Piece]) -> Result<()> {
    match connection.robot() {
        Some(robot) => pieces.iter().try_for_each(|it| it.fits(&robot)),
        None => Ok(()),
    }
}

/// What the robot keeps takes over.
fn swap_kept(args: &SwapArgs, kept: &str, json: bool) -> Result<Outcome> {
    let wish = args.gated.of(args.wishes.of_one(kept)?);
    let (which, guest) = (&args.which, &args.guest);
    let (name, told) = remote::swap_kept(which, guest, kept, args.fade.seconds(), wish)?;
    let mut out = anstream::stdout().lock();
    if json {
        writeln!(out, "{}", json!({ "name": name, "told": told }))?;
    } else {
        writeln!(out, "{}", entered(&told))?;
    }
    Ok(Outcome::Done)
}

pub(crate) fn pause(args: &GuestArgs, json: bool) -> Result<Outcome> {
    let guest = args.guest.clone();
    let ask = Ask::Pause {
        guest,
        paused: true,
    };
    tell(
        &args.which,
        ask,
        "is silent until it is resumed",
        &args.guest,
        json,
    )
}

/// What `resume` means when a guest is named.
pub(crate) fn resume(which: &RobotArgs, guest: &str, json: bool) -> Result<Outcome> {
    let ask = Ask::Pause {
        guest: guest.to_owned(),
        paused: false,
    };
    tell(which, ask, "is heard again", guest, json)
}

/// What `stop` means for a guest, or softly for all of them.
pub(crate) fn stop(
    which: &RobotArgs,
    guest: Option<&str>,
    soft: bool,
    json: bool,
) -> Result<Outcome> {
    let ask = Ask::End {
        guest: guest.map(str::to_owned),
        soft,
    };
    let what = if soft {
        "ended, the body at rest"
    } else {
        "is ending"
    };
    tell(which, ask, what, guest.unwrap_or("everyone"), json)
}

pub(crate) fn tune(args: &TuneArgs, json: bool) -> Result<Outcome> {
    let params = params(&args.params)?;
    if params.is_empty() && args.priority.is_none() && args.weight.is_none() {
        anyhow::bail!("nothing is to be changed; fix: say what, as in `speed=2` or --weight 0.5");
    }
    let mut connection = connect(&args.which)?;
    let told = connection.ask(Ask::Tune {
        guest: args.guest.clone(),
        params,
        priority: args.priority,
        weight: args.weight,
    })?;
    let mut out = anstream::stdout().lock();
    match (json, told) {
        (false, Told::Tuned(params)) => {
            let mut changed: Vec<_> = params
                .iter()
                .map(|(name, value)| format!("{name} is {value}"))
                .collect();
            changed.extend(args.priority.map(|it| format!("its priority is {it}")));
            changed.extend(args.weight.map(|it| format!("its weight is {it}")));
            writeln!(out, "{}: {}", args.guest, changed.join(", "))?;
        }
        (_, told) => writeln!(
            out,
            "{}",
            json!({ "name": connection.name(), "told": told })
        )?,
    }
    Ok(Outcome::Done)
}

fn hand_over(connection: &mut Connection, ask: Ask, piece: &Piece, json: bool) -> Result<()> {
    let told = connection.hand_over(ask, &piece.bytes);
    let told = told.with_context(|| piece.path.display().to_string())?;
    let mut out = anstream::stdout().lock();
    if json {
        writeln!(
            out,
            "{}",
            json!({ "name": connection.name(), "told": told })
        )?;
        return Ok(());
    }
    match connection.state().filter(|it| *it != State::Running) {
        None => writeln!(out, "{}", entered(&told))?,
        Some(state) => {
            let (name, way) = (state.name(), way_to_running(state));
            let entered = entered(&told).replacen(" plays as guest", " waits as guest", 1);
            writeln!(out, "{entered}; the body is {name}; {way}")?;
        }
    }
    Ok(())
}

fn tell(which: &RobotArgs, ask: Ask, what: &str, guest: &str, json: bool) -> Result<Outcome> {
    let mut connection = connect(which)?;
    let told = connection.ask(ask)?;
    let mut out = anstream::stdout().lock();
    if json {
        writeln!(
            out,
            "{}",
            json!({ "name": connection.name(), "told": told })
        )?;
    } else {
        writeln!(out, "{guest} {what}")?;
    }
    Ok(Outcome::Done)
}
