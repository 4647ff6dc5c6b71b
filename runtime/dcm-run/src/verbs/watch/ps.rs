//! `dcm-run ps`: lists the guests of a running robot with their fuel and misses; with --all also those that ended.
//! Fuel is that of the most expensive call, which is what a grant limits.

use anyhow::Result;
use clap::Args as ClapArgs;
use cycle::State;
use protocol::{Fuel, Guest};

use crate::session::connect;
use crate::session::robot_args::RobotArgs;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words::{self, count};
use crate::verbs::play::guests::listed;

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "FUEL is that of the most expensive call in the last turn, MOST that of the most expensive call \
                  ever, GRANTED the limit of a call. A guest that waits plays when the body runs. PLAYED does not \
                  advance while the body is held; the duration is left out where the speed or the place of a show \
                  was set."
)]
pub(crate) struct Args {
    #[command(flatten)]
    which: RobotArgs,
    /// List guests that have ended as well.
    #[arg(long, short)]
    all: bool,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let mut connection = connect(&args.which)?;
    let shown: Vec<_> = listed(&mut connection)?
        .into_iter()
        .filter(|item| args.all || item.life != "gone")
        .collect();
    let state = if output.json {
        None
    } else {
        connection.state()
    };
    let stands = state.is_some_and(|state| state != State::Running);
    let rows: Vec<_> = shown.iter().map(|guest| row(guest, stands)).collect();
    let head = HEAD.map(str::to_owned);
    let widths: [usize; COLUMNS] = std::array::from_fn(|column| {
        let cells = rows.iter().chain([&head]);
        let widths = cells.map(|row| row[column].chars().count());
        widths.max().unwrap_or(0)
    });
    let line = |row: &[String; COLUMNS]| {
        let cells = row.iter().zip(widths).enumerate();
        let cells = cells.map(|(column, (text, width))| match NUMBERS.contains(&column) {
            true => format!("{text:>width$}"),
            false => format!("{text:<width$}"),
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        line.trim_end().to_owned()
    };
    let none = format!(
        "no guest plays on {}; fix: `dcm-run load show.wasm`",
        connection.name()
    );
    let head = words::paint(words::FAINT, line(&head));
    output.list(&shown, &head, &none, |guest| {
        let line = line(&row(guest, stands));
        match guest.fault {
            true => words::paint(words::BAD, line),
            false => line,
        }
    })?;
    for guest in shown.iter().filter(|guest| !guest.params.is_empty()) {
        let params = guest.params.iter();
        let params = params.map(|(name, [lowest, value, highest])| {
            format!("{name}={value} ({lowest} to {highest})")
        });
        let params: Vec<_> = params.collect();
        output.note(format!("{}: {}", guest.name, params.join(", ")))?;
    }
    Ok(VerbOutcome::Done)
}

const COLUMNS: usize = 11;

const HEAD: [&str; COLUMNS] = [
    "ID", "NAME", "WORLD", "LIFE", "PLAYED", "PRIORITY", "FUEL", "MOST", "GRANTED", "COMMANDS",
    "MISSES",
];

/// The columns that are aligned to the right.
const NUMBERS: [usize; 6] = [0, 5, 6, 7, 8, 9];

fn row(guest: &Guest, stands: bool) -> [String; COLUMNS] {
    let fuel = fuel(guest);
    let waits = guest.life == "armed" || (stands && guest.life == "running");
    let life = if waits {
        "waits".to_owned()
    } else if guest.end.is_empty() {
        guest.life.clone()
    } else {
        let why = if guest.details.is_empty() {
            guest.end.clone()
        } else {
            format!("{}: {}", guest.end, guest.details)
        };
        format!("{} ({why})", guest.life)
    };
    [
        guest.id.to_string(),
        guest.name.clone(),
        guest.world.clone(),
        life,
        played(guest),
        guest.priority.to_string(),
        count(fuel.last),
        count(fuel.most),
        count(guest.fuel),
        count(guest.commands),
        misses(guest),
    ]
}

/// Fuel of a guest's hooks.
pub(crate) struct BurntFuel {
    /// Of the most expensive call in its last turn.
    pub(crate) last: u64,
    /// Of the most expensive call ever.
    pub(crate) most: u64,
}

/// Fuel of the hooks inside the turn.
pub(crate) fn fuel(guest: &Guest) -> BurntFuel {
    let inside = |pair: &(&String, &Fuel)| {
        guest.world == "score" || !["start", "stop"].contains(&pair.0.as_str())
    };
    let inside: Vec<&Fuel> = guest
        .hooks
        .iter()
        .filter(inside)
        .map(|hook| hook.1)
        .collect();
    let newest = inside.iter().map(|item| item.turn).max();
    let of_last = inside.iter().filter(|item| Some(item.turn) == newest);
    BurntFuel {
        last: of_last.map(|value| value.last).max().unwrap_or(0),
        most: inside.iter().map(|fuel| fuel.most).max().unwrap_or(0),
    }
}

/// Whether it is a player: it has the parameters of one.
fn is_player(guest: &Guest) -> bool {
    let params = ["speed", "at", "pause", "loop", "mirror"];
    params
        .iter()
        .all(|parameter| guest.params.contains_key(*parameter))
}

/// Whether a person has set the speed or the place of a show: then the time that it has played does not tell where it
/// is.
fn is_steered(guest: &Guest) -> bool {
    let is = |name: &str, usual: f64| {
        guest
            .params
            .get(name)
            .is_none_or(|parameter| parameter[1] == usual)
    };
    is_player(guest) && !(is("speed", 1.0) && is("at", 0.0) && is("pause", 0.0))
}

/// Whether it plays again and again: a player by its parameter, others as they have declared.
fn loops(guest: &Guest) -> bool {
    match guest.params.get("loop").filter(|_| is_player(guest)) {
        Some(parameter) => parameter[1] >= 0.5,
        None => guest.loops,
    }
}

/// How long a guest has played, and its duration if it declares one: "12.3 of 60.0 s".
pub(crate) fn played(guest: &Guest) -> String {
    let seconds = |ns: u64| ns as f64 / 1e9;
    let played = seconds(guest.played_ns);
    if is_steered(guest) {
        return format!("{played:.1} s");
    }
    match guest.lasts_ns.filter(|value| *value > 0).map(seconds) {
        Some(lasts) if loops(guest) => {
            let round = (played / lasts).floor();
            let within = played - round * lasts;
            format!("{within:.1} of {lasts:.1} s, round {}", round + 1.0)
        }
        Some(lasts) => format!("{:.1} of {lasts:.1} s", played.min(lasts)),
        None => format!("{played:.1} s"),
    }
}

/// The misses of a guest, in words.
pub(crate) fn misses(guest: &Guest) -> String {
    let all = [
        (guest.late, "late"),
        (guest.clipped, "clipped"),
        (guest.refused, "refused"),
        (guest.deferred, "deferred"),
        (guest.missed_events, "events"),
    ];
    let some: Vec<_> = all
        .iter()
        .filter(|pair| pair.0 > 0)
        .map(|(number, what)| format!("{} {what}", count(*number)))
        .collect();
    if some.is_empty() {
        "none".to_owned()
    } else {
        some.join(", ")
    }
}
