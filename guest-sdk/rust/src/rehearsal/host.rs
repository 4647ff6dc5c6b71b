//! The functions of the contract in a rehearsal: what `raw` imports natively.
//! Each acts on the stage of its own thread, and panics if there is none.

use std::string::String;

use super::stage::{Phase, Stage};
use super::thread::{here, wait};
use super::track::Track;
use crate::answer::Answer;
use crate::raw::NONE;
use crate::request::Outcome;

fn ask<R>(f: impl FnOnce(&mut Stage) -> R) -> R {
    f(&mut here().lock())
}

fn answer(f: impl FnOnce(&mut Stage) -> Result<(), Answer>) -> u32 {
    ask(f).err().unwrap_or(Answer::Done) as u32
}

fn number(place: Option<usize>) -> u32 {
    place
        .and_then(|place| u32::try_from(place).ok())
        .unwrap_or(NONE)
}

fn figure(of: u32, f: impl FnOnce(&Stage, usize) -> f64) -> f64 {
    ask(|stage| match usize::try_from(of) {
        Ok(place) if place < stage.tracks.len() => f(stage, place),
        _ => f64::NAN,
    })
}

/// Called by the default implementation of a hook.
pub(crate) fn not_written() {
    ask(|stage| stage.not_written = true);
}

// `body`. Handles look up their names here each time, also inside a turn: see `handle`.

pub(crate) fn find_actuator(name: &str) -> u32 {
    ask(|stage| number(stage.body.find_actuator(name)))
}

pub(crate) fn find_sensor(name: &str) -> u32 {
    ask(|stage| number(stage.body.find_sensor(name)))
}

pub(crate) fn find_param(name: &str) -> u32 {
    ask(|stage| {
        number(
            stage
                .params
                .iter()
                .position(|parameter| parameter.name == name),
        )
    })
}

fn alias<R>(name: &str, f: impl FnOnce(&[usize]) -> R) -> R {
    ask(|stage| {
        let found = stage.body.aliases.iter().find(|alias| alias.0 == name);
        f(found.map_or(&[], |pair| &pair.1))
    })
}

pub(crate) fn alias_length(name: &str) -> u32 {
    alias(name, |value| u32::try_from(value.len()).unwrap_or(0))
}

pub(crate) fn alias_member(name: &str, place: u32) -> u32 {
    alias(name, |value| number(value.get(place as usize).copied()))
}

pub(crate) fn lowest(of: u32) -> f64 {
    figure(of, |stage, place| stage.body.actuators[place].lowest)
}

pub(crate) fn highest(of: u32) -> f64 {
    figure(of, |stage, place| stage.body.actuators[place].highest)
}

pub(crate) fn velocity(of: u32) -> f64 {
    figure(of, |stage, place| stage.body.actuators[place].velocity)
}

pub(crate) fn acceleration(of: u32) -> f64 {
    figure(of, |_, _| f64::INFINITY)
}

pub(crate) fn rest(of: u32) -> f64 {
    figure(of, |stage, place| stage.body.actuators[place].rest)
}

pub(crate) fn period() -> u64 {
    ask(|stage| stage.body.period.nanos())
}

// `commands` and `bulk`.

pub(crate) fn set(to: u32, value: f64, at: u64) -> u32 {
    put(to, value, at, 0)
}

pub(crate) fn put(to: u32, value: f64, at: u64, merge: u32) -> u32 {
    answer(|stage| {
        let place = stage.may(to)?;
        if stage.sound(value, at)? {
            stage.room(1)?;
            stage.count(0, 1)?;
            stage.lay(place, value, at, merge);
        }
        Ok(())
    })
}

pub(crate) fn set_all(words: &[u64]) -> u32 {
    answer(|stage| {
        let command = |item: &[u64]| {
            (
                u32::try_from(item[0]).unwrap_or(NONE),
                f64::from_bits(item[1]),
                item[2],
            )
        };
        let mut sound = 0;
        for words in words.chunks_exact(3) {
            let (to, value, at) = command(words);
            stage.may(to)?;
            sound += usize::from(stage.sound(value, at)?);
        }
        stage.room(sound)?;
        stage.count(0, u32::try_from(sound).unwrap_or(u32::MAX))?;
        for words in words.chunks_exact(3) {
            let (to, value, at) = command(words);
            let place = stage.may(to)?;
            if !value.is_nan() {
                stage.lay(place, value, at, 0);
            }
        }
        Ok(())
    })
}

pub(crate) fn clear(of: u32) -> u32 {
    answer(|stage| {
        let place = stage.may(of)?;
        stage.tracks[place].clear();
        stage.tracks[place].counted = 0;
        Ok(())
    })
}

pub(crate) fn waiting(on: u32) -> u32 {
    ask(|stage| match stage.phase {
        Phase::Score => 0,
        _ => stage
            .tracks
            .get(on as usize)
            .map_or(0, |track| track.counted),
    })
}

// `requests`. In a rehearsal the body follows every command, and all of a guest's requests are known.

pub(crate) fn begin_request() -> u32 {
    ask(|stage| {
        if stage.phase == Phase::Score {
            return 0;
        }
        stage.request += 1;
        stage.request
    })
}

pub(crate) fn request_left(request: u32) -> u32 {
    ask(|stage| u32::try_from(stage.left(request)).unwrap_or(u32::MAX))
}

pub(crate) fn request_outcome(request: u32) -> u32 {
    let outcome = ask(|stage| {
        let cleared = |track: &Track| track.cleared.contains(&request);
        if request == 0 || request > stage.request {
            Outcome::Unknown
        } else if stage.left(request) > 0 {
            Outcome::Waiting
        } else if stage.cancelled.contains(&request) {
            Outcome::Cancelled
        } else if stage.tracks.iter().any(cleared) {
            Outcome::Cleared
        } else if stage.clipped.contains(&request) {
            Outcome::Clipped
        } else {
            Outcome::Arrived
        }
    });
    outcome as u32
}

pub(crate) fn cancel_request(request: u32) -> u32 {
    answer(|stage| {
        if request == 0 || request > stage.request {
            return Err(Answer::Unknown);
        }
        let removed: usize = stage
            .tracks
            .iter_mut()
            .map(|track| track.cancel(request))
            .sum();
        if removed > 0 {
            stage.cancelled.push(request);
        }
        Ok(())
    })
}

// `lane`.

pub(crate) fn set_priority(priority: f64) -> u32 {
    answer(|stage| {
        let finite = priority.is_finite().then_some(priority);
        stage.priority = finite.ok_or(Answer::NotFinite)?;
        Ok(())
    })
}

/// The largest weight.
const WEIGHT_MAX: f64 = 1_000.0;

fn weighed(weight: f64) -> Result<(), Answer> {
    if (0.0..=WEIGHT_MAX).contains(&weight) {
        Ok(())
    } else {
        Err(Answer::NotFinite)
    }
}

pub(crate) fn set_weight(weight: f64) -> u32 {
    answer(|stage| {
        weighed(weight)?;
        stage.weight = weight;
        Ok(())
    })
}

pub(crate) fn set_weight_on(of: u32, weight: f64) -> u32 {
    answer(|stage| {
        weighed(weight)?;
        stage.may(of).map(drop)
    })
}

pub(crate) fn drive(to: u32, value: f64, weight: f64) -> u32 {
    answer(|stage| {
        weighed(weight)?;
        let place = stage.may(to)?;
        if value.is_infinite() {
            return Err(Answer::NotFinite);
        }
        if !value.is_nan() {
            stage.tracks[place].direct = Some((value, weight));
        }
        Ok(())
    })
}

pub(crate) fn set_gains(of: u32, p: f64, i: f64, d: f64, weight: f64) -> u32 {
    answer(|stage| {
        if [p, i, d]
            .iter()
            .any(|gain| !gain.is_finite() || *gain < 0.0)
        {
            return Err(Answer::NotFinite);
        }
        weighed(weight)?;
        let place = stage.may(of)?;
        if weight > 0.0 {
            stage.tracks[place].gains = Some([p, i, d, weight]);
        }
        Ok(())
    })
}

pub(crate) fn sent(to: u32) -> f64 {
    figure(to, |stage, place| stage.tracks[place].sent)
}

pub(crate) fn body_state() -> u32 {
    ask(|stage| stage.state as u32)
}

pub(crate) fn is_hidden() -> u32 {
    ask(|stage| u32::from(stage.hidden))
}

pub(crate) fn finish() -> u32 {
    ask(|stage| stage.ending = true);
    Answer::Done as u32
}

// `sensors`.

pub(crate) fn read(of: u32) -> f64 {
    ask(|stage| stage.sensed.get(of as usize).copied().unwrap_or(f64::NAN))
}

pub(crate) fn age(of: u32) -> u64 {
    ask(|stage| stage.ages.get(of as usize).copied().unwrap_or(u64::MAX))
}

pub(crate) fn acknowledged(by: u32) -> f64 {
    sent(by)
}

// `clock`.

pub(crate) fn now() -> u64 {
    ask(|stage| stage.now)
}

pub(crate) fn turn() -> u64 {
    ask(|stage| stage.turn)
}

pub(crate) fn sleep_until(at: u64) -> u64 {
    if ask(|stage| stage.phase) == Phase::Score {
        wait(at);
    }
    now()
}

// `events`.

pub(crate) fn topic(name: &str) -> u32 {
    ask(|stage| number(stage.topic(name)))
}

pub(crate) fn post(topic: u32, value: f64) -> u32 {
    answer(|stage| {
        if topic as usize >= stage.topics.len() {
            return Err(Answer::Unknown);
        }
        stage.count(1, 1)?;
        stage.posted.push((topic, value));
        stage.told.push((topic, value));
        Ok(())
    })
}

pub(crate) fn next_event() -> u32 {
    ask(|stage| {
        let next = stage.heard.pop_front();
        stage.event = next.or(stage.event);
        u32::from(next.is_some())
    })
}

pub(crate) fn current_topic() -> u32 {
    ask(|stage| stage.event.map_or(NONE, |event| event.0))
}

pub(crate) fn current_value() -> f64 {
    ask(|stage| stage.event.map_or(f64::NAN, |event| event.1))
}

// `params`, `state` and `log`.

pub(crate) fn declare(name: &str, lowest: f64, usual: f64, highest: f64) -> u32 {
    ask(|stage| number(stage.declare(name, lowest, usual, highest)))
}

pub(crate) fn param(param: u32) -> f64 {
    ask(|stage| stage.param(param as usize))
}

pub(crate) fn keep(place: u32, value: f64) -> u32 {
    answer(|stage| {
        let figure = stage.kept.get_mut(place as usize).ok_or(Answer::Unknown)?;
        *figure = value;
        Ok(())
    })
}

pub(crate) fn kept(place: u32) -> f64 {
    ask(|stage| stage.kept.get(place as usize).copied().unwrap_or(f64::NAN))
}

pub(crate) fn write(level: u32, text: &[u8]) -> u32 {
    let text = String::from_utf8_lossy(text);
    ask(|stage| stage.write(level, &text)) as u32
}
