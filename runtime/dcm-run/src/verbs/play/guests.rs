//! `load`, `swap`, `pause`, `tune`, and `resume` and `stop` of a guest: manage the guests of a running loop.
//! Files are read and checked against the robot before anything is sent.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter};
use cycle::Span;
use description::no_such;
use protocol::{Ask, Guest, Loaded, ReplyBody};
use serde_json::json;

use crate::choreography::guest_options::{
    ENDINGS, GuestOptionArgs, Piece, WaitingArgs, entered, entered_or_waits, note_of_name,
    note_of_params, params,
};
use crate::choreography::motion_file::MotionArgs;
use crate::session::robot_args::RobotArgs;
use crate::session::server;
use crate::session::{RobotConnection, connect};
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
use crate::verbs::author::check::GateArgs;
use crate::verbs::candidates;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    A guest plays until it ends or is stopped. Its name, for `stop` and others, is the \
    one in its manifest, else that of its file; a number is added if another guest has that name. A robot with a \
    server stores it as well, as `dcm-run push` does, under the name of its file.")]
pub(crate) struct LoadArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The choreographies: files, or names of shipped ones.
    #[arg(required = true, value_name = "CHOREOGRAPHY", add = ArgValueCompleter::new(candidates::pieces))]
    pieces: Vec<PathBuf>,
    #[command(flatten)]
    options: GuestOptionArgs,
    #[command(flatten)]
    motions: MotionArgs,
    #[command(flatten)]
    gated: GateArgs,
    #[command(flatten)]
    waiting: WaitingArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    The new version takes over the priority and the stored data of the old one; one fades into the other.")]
pub(crate) struct SwapArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The guest to replace, by name or number; `dcm-run ps` lists guests.
    #[arg(add = ArgValueCandidates::new(candidates::guests))]
    guest: String,
    /// The new choreography: a file, or the name, tag or digest of a stored one.
    #[arg(value_name = "CHOREOGRAPHY", add = ArgValueCompleter::new(candidates::pieces))]
    piece: PathBuf,
    /// The duration of the fade; over HTTP the default is 0.
    #[arg(long = "in", value_name = "TIME", value_parser = words::within, default_value = "500ms")]
    fade: Span,
    #[command(flatten)]
    options: GuestOptionArgs,
    #[command(flatten)]
    motions: MotionArgs,
    #[command(flatten)]
    gated: GateArgs,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "While it is paused, its hooks are not called, its lane has no effect, and its time stands still."
)]
pub(crate) struct GuestArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The guest, by name or number; `dcm-run ps` lists guests.
    #[arg(add = ArgValueCandidates::new(candidates::guests))]
    guest: String,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Parameters are clipped to their ranges. Either all changes are made, or none."
)]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The guest, by name or number; `dcm-run ps` lists guests with their parameters.
    #[arg(add = ArgValueCandidates::new(candidates::guests))]
    guest: String,
    /// Parameters and their values.
    #[arg(value_name = "KEY=VALUE", add = ArgValueCandidates::new(candidates::params))]
    params: Vec<String>,
    /// The priority of its lane.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true, value_parser = words::number)]
    priority: Option<f64>,
    /// The weight of its lane among lanes of the same priority: up to 1 a share, above that votes (up to 1,000).
    #[arg(long, value_name = "SHARE", value_parser = words::number)]
    weight: Option<f64>,
}

pub(crate) fn load(args: &LoadArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let pieces = args
        .pieces
        .iter()
        .map(|piece| Piece::read(piece, &args.motions));
    let mut pieces = pieces.collect::<Result<Vec<_>>>()?;
    let options = args.options.of(&pieces)?;
    let mut connection = connect(&args.which)?;
    fit(&connection, &mut pieces)?;
    for (piece, options) in pieces.into_iter().zip(options) {
        let bytes = piece.bytes.len() as u64;
        let options = args.waiting.of(args.gated.of(options));
        let ask = Ask::Load { bytes, options };
        hand_over(&mut connection, ask, &piece, output)?;
    }
    Ok(VerbOutcome::Done)
}

pub(crate) fn swap(args: &SwapArgs, output: VerbOutput) -> Result<VerbOutcome> {
    // An argument that looks like a file is one, even if the file does not exist.
    let is_file = args.piece.exists()
        || args.piece.extension().is_some_and(|extension| {
            ENDINGS
                .iter()
                .any(|ending| extension.eq_ignore_ascii_case(ending))
        })
        || args.piece.components().count() > 1;
    if let Some(kept) = args.piece.to_str().filter(|_| !is_file) {
        return swap_kept(args, kept, output);
    }
    let mut connection = connect(&args.which)?;
    // A wrong guest is told before a wrong file: that is what a person meant to replace.
    has_guest(&mut connection, &args.guest)?;
    let mut piece = Piece::read(&args.piece, &args.motions)?;
    fit(&connection, std::slice::from_mut(&mut piece))?;
    let mut options = args.options.of(std::slice::from_ref(&piece))?;
    let ask = Ask::Swap {
        guest: args.guest.clone(),
        bytes: piece.bytes.len() as u64,
        in_ns: args.fade.nanos(),
        options: args.gated.of(options.pop().unwrap_or_default()),
    };
    hand_over(&mut connection, ask, &piece, output)
}

/// Makes motions fit a local robot: it must have their actuators, in units that they take.
fn fit(connection: &RobotConnection, pieces: &mut [Piece]) -> Result<()> {
    match connection.robot() {
        Some(robot) => pieces.iter_mut().try_for_each(|piece| piece.fit(&robot)),
        None => Ok(()),
    }
}

/// Replaces a guest by a stored choreography.
fn swap_kept(args: &SwapArgs, kept: &str, output: VerbOutput) -> Result<VerbOutcome> {
    let options = args.gated.of(args.options.of_one(kept)?);
    let (which, guest) = (&args.which, &args.guest);
    let (name, loaded) = server::swap_kept(which, guest, kept, args.fade.seconds(), options)?;
    let line = entered(&loaded);
    output.print(
        json!({ "name": name, "told": ReplyBody::Loaded(loaded) }),
        line,
    )
}

pub(crate) fn pause(args: &GuestArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let guest = args.guest.clone();
    let ask = Ask::Pause { guest };
    let what = format!("is paused; `dcm-run resume {}` continues it", args.guest);
    send_and_print(&args.which, ask, &what, &args.guest, output)
}

/// Resumes a guest.
pub(crate) fn resume(which: &RobotArgs, guest: &str, output: VerbOutput) -> Result<VerbOutcome> {
    let ask = Ask::ResumeGuest {
        guest: guest.to_owned(),
    };
    send_and_print(which, ask, "is resumed", guest, output)
}

/// Stops a guest, or all guests.
pub(crate) fn stop(
    which: &RobotArgs,
    guest: Option<&str>,
    soft: bool,
    output: VerbOutput,
) -> Result<VerbOutcome> {
    let ask = Ask::End {
        guest: guest.map(str::to_owned),
        soft,
    };
    let what = if soft {
        "ended; the body has stopped"
    } else {
        "is ending"
    };
    send_and_print(which, ask, what, guest.unwrap_or("every guest"), output)
}

pub(crate) fn tune(args: &TuneArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let params = params(&args.params)?;
    if params.is_empty() && args.priority.is_none() && args.weight.is_none() {
        anyhow::bail!(
            "nothing to change; fix: give a parameter such as `speed=2`, or --weight 0.5"
        );
    }
    let mut connection = connect(&args.which)?;
    let asked = params.clone();
    let tuned: BTreeMap<String, f64> = connection.get(Ask::Tune {
        guest: args.guest.clone(),
        params,
        priority: args.priority,
        weight: args.weight,
    })?;
    let one = |(name, value): (&String, &f64)| match asked.get(name) {
        Some(asked) if asked != value => {
            format!("{name} is {value}, the end of its range, and not {asked}")
        }
        _ => format!("{name} is {value}"),
    };
    let mut changed: Vec<_> = tuned.iter().map(one).collect();
    changed.extend(
        args.priority
            .map(|priority| format!("its priority is {priority}")),
    );
    changed.extend(args.weight.map(|weight| format!("its weight is {weight}")));
    let line = format!("{}: {}", args.guest, changed.join(", "));
    output.print(
        json!({ "name": connection.name(), "told": ReplyBody::Tuned(tuned) }),
        line,
    )
}

fn hand_over(
    connection: &mut RobotConnection,
    ask: Ask,
    piece: &Piece,
    output: VerbOutput,
) -> Result<VerbOutcome> {
    let asked = match &ask {
        Ask::Load { options, .. } | Ask::Swap { options, .. } => options.params.clone(),
        _ => BTreeMap::new(),
    };
    let loaded = connection.hand_over(ask, &piece.bytes);
    let loaded = loaded.with_context(|| piece.path.display().to_string())?;
    let mut line = String::new();
    if !output.json {
        let notes = notes(connection, &loaded, &asked, piece);
        line = entry(&loaded, &notes, connection);
    }
    output.print(
        json!({ "name": connection.name(), "told": ReplyBody::Loaded(loaded) }),
        line,
    )
}

/// That a guest plays; or that it waits, or is paused, as the one is whose place it has.
fn entry(loaded: &Loaded, notes: &str, connection: &mut RobotConnection) -> String {
    let guests = listed(connection).unwrap_or_default();
    let mut own = guests.iter().filter(|guest| guest.id == loaded.id);
    if own.any(|guest| guest.life == "paused") {
        let entered = entered(loaded).replacen(" plays as guest", " is paused as guest", 1);
        return format!("{entered}{notes}; `resume {}` lets it play", loaded.name);
    }
    entered_or_waits(loaded, notes, connection.state())
}

/// All guests, also those that have ended.
pub(crate) fn listed(connection: &mut RobotConnection) -> Result<Vec<Guest>> {
    connection.get(Ask::Guests)
}

/// Fails if no guest has this name or number.
fn has_guest(connection: &mut RobotConnection, name: &str) -> Result<()> {
    let guests = listed(connection)?;
    let alive = guests.iter().filter(|guest| guest.life != "gone");
    if alive
        .clone()
        .any(|item| item.name == name || item.id.to_string() == name)
    {
        return Ok(());
    }
    Err(no_guest(name, alive.map(|value| value.name.as_str())))
}

/// The error for a guest that is not there, with a similar one of these.
pub(crate) fn no_guest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> anyhow::Error {
    let known: Vec<_> = known.collect();
    if known.is_empty() {
        return anyhow::anyhow!("there is no guest `{name}`; fix: start one: `dcm-run load FILE`");
    }
    anyhow::anyhow!(no_such("guest", name, known.into_iter()))
}

/// What a person may not expect of a guest that was just loaded: its name, or a parameter that was clipped.
fn notes(
    connection: &mut RobotConnection,
    loaded: &Loaded,
    asked: &BTreeMap<String, f64>,
    piece: &Piece,
) -> String {
    let mut notes = note_of_name(loaded, Some(&piece.name), &piece.file);
    // Only the list of guests has the values; without parameters it is not asked for.
    if !asked.is_empty()
        && let Ok(guests) = listed(connection)
        && let Some(guest) = guests.iter().find(|guest| guest.id == loaded.id)
    {
        let given = guest
            .params
            .iter()
            .map(|(name, parameter)| (name.clone(), parameter[1]));
        notes += &note_of_params(asked, &given.collect());
    }
    notes
}

fn send_and_print(
    which: &RobotArgs,
    ask: Ask,
    what: &str,
    guest: &str,
    output: VerbOutput,
) -> Result<VerbOutcome> {
    let mut connection = connect(which)?;
    let reply = connection.ask(ask)?;
    output.print(
        json!({ "name": connection.name(), "told": reply }),
        format!("{guest} {what}"),
    )
}
