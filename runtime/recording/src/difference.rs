//! The first value of a turn that differs in the replay.
//! Called for every turn of a replay.
//! The law: equal means equal in every bit. Values are compared along the way of a command: what guests did, what was
//! asked, what the limits left, what was sent; then what was read, and the state of the body.

use std::fmt;

use super::{Cue, Run, Turn};

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
        .or_else(|| cues(was, is))
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
        .or_else(|| one("commands that found no room", was.untold, is.untold));
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

fn one<T: PartialEq + fmt::Debug>(what: &str, was: T, is: T) -> Option<Mismatch> {
    (was != is).then(|| (what.to_owned(), format!("{was:?}"), format!("{is:?}")))
}

/// The first item of a list that differs, or that only one side has.
fn list<T: PartialEq + fmt::Debug>(what: &str, was: &[T], is: &[T]) -> Option<Mismatch> {
    let place = (0..was.len().max(is.len())).find(|it| was.get(*it) != is.get(*it))?;
    let word = |it: Option<&T>| it.map_or("nothing".to_owned(), |it| format!("{it:?}"));
    let what = format!("{what}, the {}.", place + 1);
    Some((what, word(was.get(place)), word(is.get(place))))
}

/// The first of the values that differs, by its name.
fn values(what: &str, names: &[String], was: &[f64], is: &[f64]) -> Option<Mismatch> {
    let bits = |it: Option<&f64>| it.map(|it| it.to_bits());
    let place = (0..was.len().max(is.len())).find(|it| bits(was.get(*it)) != bits(is.get(*it)))?;
    let name = names.get(place).map_or("?", String::as_str);
    let word = |it: Option<&f64>| it.map_or("nothing".to_owned(), |it| exact(*it));
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
    let differs = |it: &usize| was.clipped.get(*it) != is.clipped.get(*it);
    let place = (0..was.clipped.len().max(is.clipped.len())).find(differs)?;
    let name = run.actuators.get(place).map_or("?", String::as_str);
    let word = |it: Option<&u32>| {
        let bits = it.copied().unwrap_or_default();
        let names = cycle::Clip::NAMES.iter().enumerate();
        let names = names.filter(|it| bits & (1 << it.0) != 0).map(|it| *it.1);
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
    let word = |it: u32| run.states.get(it as usize).cloned().unwrap_or_default();
    one("the state", word(was.state), word(is.state))
        .or_else(|| one("the power", exact(was.power), exact(is.power)))
        .or_else(|| one("whether it is late", was.late, is.late))
}

fn cues(was: &Turn, is: &Turn) -> Option<Mismatch> {
    // By their bits, which a number that is none has as well.
    let bits = |it: &Cue| {
        (
            it.kind,
            it.guest,
            it.number,
            it.value.to_bits(),
            [it.a, it.b, it.c, it.d],
        )
    };
    let same = |it: &usize| was.cues.get(*it).map(bits) == is.cues.get(*it).map(bits);
    let place = (0..was.cues.len().max(is.cues.len())).find(|it| !same(it))?;
    let word = |it: Option<&Cue>| {
        it.map_or("nothing".to_owned(), |it| {
            let kind = it.kind().as_str_name().to_lowercase();
            format!("{kind} of guest {}", it.guest)
        })
    };
    let what = format!("what guests received or sent, the {}.", place + 1);
    Some((what, word(was.cues.get(place)), word(is.cues.get(place))))
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
            .or_else(|| one(&who("the end"), was.end, is.end));
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
        let name = |it: u32| run.actuators.get(it as usize).cloned().unwrap_or_default();
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
