//! The first value of a turn that differs in the replay.
//! Called for every turn of a replay.
//! Equal means equal in every bit. Values are compared along the way of a command: what guests did, what was
//! asked, what the limits left, what was sent; then what was read, and the state of the body.

use std::fmt;

use super::{GuestInput, Run, Turn, guest_input};

/// A value that differs in the replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayDifference {
    /// The turn.
    pub turn: u64,
    /// The instant of the turn, ns.
    pub now: u64,
    /// Which value.
    pub what: String,
    /// Its value in the recording.
    pub recorded: String,
    /// Its value in the replay.
    pub again: String,
}

impl fmt::Display for ReplayDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReplayDifference {
            turn,
            now,
            what,
            recorded,
            again,
        } = self;
        let seconds = *now as f64 / 1e9;
        write!(
            f,
            "in turn {turn} ({seconds:.3} s), {what}: {recorded} in the recording, {again} in the replay"
        )
    }
}

/// The first value that differs between the recorded turn `was` and the replayed turn `is`.
pub(super) fn first(was: &Turn, is: &Turn, run: &Run) -> Option<ReplayDifference> {
    let found = None
        .or_else(|| guest_inputs(was, is))
        .or_else(|| guests(was, is))
        .or_else(|| commands(was, is, run))
        .or_else(|| {
            values(
                "what was asked of",
                &run.actuators,
                &was.commanded,
                &is.commanded,
            )
        })
        .or_else(|| {
            values(
                "what the limits left for",
                &run.actuators,
                &was.limited,
                &is.limited,
            )
        })
        .or_else(|| values("what was sent to", &run.actuators, &was.sent, &is.sent))
        .or_else(|| clips(was, is, run))
        .or_else(|| list("the triggers that fired", &was.fires, &is.fires))
        .or_else(|| values("what was read of", &run.sensors, &was.sensors, &is.sensors))
        .or_else(|| state(was, is, run))
        .or_else(|| list("what happened", &was.events, &is.events))
        .or_else(|| {
            one(
                "commands that found no room",
                was.unrecorded_commands,
                is.unrecorded_commands,
            )
        });
    found.map(|(what, recorded, again)| ReplayDifference {
        turn: was.number,
        now: was.now,
        what,
        recorded,
        again,
    })
}

/// What differs, the recorded value, and the replayed value.
type Mismatch = (String, String, String);

fn one<T: PartialEq + fmt::Display>(what: &str, was: T, is: T) -> Option<Mismatch> {
    (was != is).then(|| (what.to_owned(), was.to_string(), is.to_string()))
}

/// The first item of a list that differs, or that only one side has.
fn list<T: PartialEq + fmt::Debug>(what: &str, was: &[T], is: &[T]) -> Option<Mismatch> {
    let place = (0..was.len().max(is.len())).find(|i| was.get(*i) != is.get(*i))?;
    let word = |item: Option<&T>| item.map_or("nothing".to_owned(), |value| format!("{value:?}"));
    let what = format!("{what}, the {}.", place + 1);
    Some((what, word(was.get(place)), word(is.get(place))))
}

/// The first of the values that differs, by its name.
fn values(what: &str, names: &[String], was: &[f64], is: &[f64]) -> Option<Mismatch> {
    let bits = |item: Option<&f64>| item.map(|value| value.to_bits());
    let place = (0..was.len().max(is.len())).find(|i| bits(was.get(*i)) != bits(is.get(*i)))?;
    let name = names.get(place).map_or("?", String::as_str);
    let word = |item: Option<&f64>| item.map_or("nothing".to_owned(), |value| exact(*value));
    Some((
        format!("{what} {name}"),
        word(was.get(place)),
        word(is.get(place)),
    ))
}

/// Formats a number so that different numbers never look the same.
fn exact(value: f64) -> String {
    if value.is_nan() {
        format!("NaN ({:#x})", value.to_bits())
    } else {
        format!("{value:?}")
    }
}

fn clips(was: &Turn, is: &Turn, run: &Run) -> Option<Mismatch> {
    let differs = |n: &usize| was.clipped.get(*n) != is.clipped.get(*n);
    let place = (0..was.clipped.len().max(is.clipped.len())).find(differs)?;
    let name = run.actuators.get(place).map_or("?", String::as_str);
    let word = |n: Option<&u32>| {
        let bits = n.copied().unwrap_or_default();
        let names = cycle::Clip::NAMES.iter().enumerate();
        let names = names
            .filter(|name| bits & (1 << name.0) != 0)
            .map(|name| *name.1);
        let names: Vec<_> = names.collect();
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(" and ")
        }
    };
    let what = format!("the limits that changed {name}");
    Some((
        what,
        word(was.clipped.get(place)),
        word(is.clipped.get(place)),
    ))
}

fn state(was: &Turn, is: &Turn, run: &Run) -> Option<Mismatch> {
    let word = |value: u32| run.states.get(value as usize).cloned().unwrap_or_default();
    one("the state", word(was.state), word(is.state))
        .or_else(|| one("the power", exact(was.power), exact(is.power)))
        .or_else(|| one("whether it is late", was.late, is.late))
}

fn guest_inputs(was: &Turn, is: &Turn) -> Option<Mismatch> {
    for place in 0..was.guest_inputs.len().max(is.guest_inputs.len()) {
        let (was, is) = (was.guest_inputs.get(place), is.guest_inputs.get(place));
        let found = match (was, is) {
            (Some(was), Some(is)) => guest_input(was, is),
            _ => {
                let word =
                    |input: Option<&GuestInput>| input.map_or("nothing".to_owned(), input_words);
                Some((String::new(), word(was), word(is)))
            }
        };
        if let Some((field, recorded, again)) = found {
            let what = format!("what guests received or sent, the {}.{field}", place + 1);
            return Some((what, recorded, again));
        }
    }
    None
}

fn input_words(input: &GuestInput) -> String {
    let kind = input.kind().as_str_name().to_lowercase().replace('_', "-");
    format!("{kind} of guest {}", input.guest)
}

/// The first field that differs. Numbers are compared by their bits, which a number that is none has as well.
fn guest_input(was: &GuestInput, is: &GuestInput) -> Option<Mismatch> {
    if (was.kind, was.guest) != (is.kind, is.guest) {
        return Some((String::new(), input_words(was), input_words(is)));
    }
    let field = |name: &str| format!(", {}: {name}", input_words(was));
    let words = |input: &GuestInput| [input.a, input.b, input.c, input.d];
    if was.number != is.number {
        let (name, word): (_, fn(u32) -> String) = match was.kind() {
            guest_input::Kind::ScoreEnded | guest_input::Kind::End => ("why it ended", end_words),
            guest_input::Kind::Swap => ("the guest that took over", |value| value.to_string()),
            guest_input::Kind::Interrupted | guest_input::Kind::PassedOver => {
                ("the hook", |value| value.to_string())
            }
            guest_input::Kind::Parameter => ("the parameter", |value| value.to_string()),
            _ => ("the number", |value| value.to_string()),
        };
        return Some((field(name), word(was.number), word(is.number)));
    }
    if was.value.to_bits() != is.value.to_bits() {
        return Some((field("the value"), exact(was.value), exact(is.value)));
    }
    let (was, is) = (words(was), words(is));
    (was != is).then(|| (field("its words"), format!("{was:?}"), format!("{is:?}")))
}

/// Why a guest ended, by the number of the reason.
fn end_words(number: u32) -> String {
    let end = guests::End::ALL.get(number as usize);
    match end.map(|end| end.words()) {
        Some("") => "no reason".to_owned(),
        Some(words) => words.to_owned(),
        None => number.to_string(),
    }
}

fn guests(was: &Turn, is: &Turn) -> Option<Mismatch> {
    for (was, is) in was.guests.iter().zip(&is.guests) {
        let who = |what: &str| format!("{what} of guest {}", was.guest);
        let found = one("the guest", was.guest, is.guest)
            .or_else(|| {
                one(
                    &who("the fuel of pre-process"),
                    was.pre_process,
                    is.pre_process,
                )
            })
            .or_else(|| {
                one(
                    &who("the fuel of post-process"),
                    was.post_process,
                    is.post_process,
                )
            })
            .or_else(|| one(&who("the fuel of is-alive"), was.is_alive, is.is_alive))
            .or_else(|| one(&who("the life"), was.life, is.life))
            .or_else(|| one(&who("the end"), end_words(was.end), end_words(is.end)));
        if found.is_some() {
            return found;
        }
    }
    one(
        "how many guests are there",
        was.guests.len(),
        is.guests.len(),
    )
}

fn commands(was: &Turn, is: &Turn, run: &Run) -> Option<Mismatch> {
    for (was, is) in was.commands.iter().zip(&is.commands) {
        let name = |value: u32| {
            run.actuators
                .get(value as usize)
                .cloned()
                .unwrap_or_default()
        };
        let of = name(was.actuator);
        let found = one(
            "the actuator of a command",
            name(was.actuator),
            name(is.actuator),
        )
        .or_else(|| {
            one(
                &format!("the instant of a command for {of}, ns"),
                was.at,
                is.at,
            )
        })
        .or_else(|| {
            let what = format!("the value of a command for {of}");
            one(&what, exact(was.asked), exact(is.asked))
        })
        .or_else(|| {
            let what = format!("the value taken of a command for {of}");
            one(&what, exact(was.taken), exact(is.taken))
        })
        .or_else(|| {
            one(
                &format!("the lane of a command for {of}"),
                was.lane,
                is.lane,
            )
        })
        .or_else(|| {
            one(
                &format!("the merge of a command for {of}"),
                was.merge,
                is.merge,
            )
        });
        if found.is_some() {
            return found;
        }
    }
    one(
        "how many commands were taken",
        was.commands.len(),
        is.commands.len(),
    )
}
