//! The Python export of Choregraphe, read as data: `names`, `times` and `keys`, with Bézier handles
//! or without. `reader` reads a script by its `blocks`, `statements` and `expressions`; `write` writes.
//!
//! Nothing is executed. Lists, their `append`, arithmetic and the call that plays them are read, and what is around
//! them is passed over. What may change the lists is a mistake at its place.
//!
//! Times are absolute, in s; values are rad, or 0..1 for hands. A simplified export has straight
//! lines. A handle is `[kind, time, value]`: kind 0 is a step, 1 a line, 2 and 3 are Bézier; the
//! handle of a line or step has no effect.

mod arithmetic;
mod blocks;
mod calls;
mod chains;
mod doubt;
mod expressions;
mod known;
mod literals;
mod reader;
mod scope;
mod spoil;
mod statements;
mod tokens;
mod words;
mod write;

use std::collections::HashMap;

use crate::fault::quoted;
use crate::fault::{FileMistake, ReadFailure};
use crate::motion::{
    BezierHandle, JointKey, JointTrack, KEYS_MAX, KeySide, KeyedMotion, TIME_MAX, TRACKS_MAX,
};
use crate::text::cursor::Cursor;
use literals::{Literal, LiteralValue};

pub(crate) use write::write;

/// Whether a text looks like an export.
pub(crate) fn is_export(text: &str) -> bool {
    let has = |item: &str| text.contains(item);
    (has("names") && has("times") && has("keys")) || has("angleInterpolation")
}

/// Reads the motions of a script.
pub(crate) fn read(
    text: &str,
    remarks: &mut Vec<FileMistake>,
) -> Result<Vec<KeyedMotion>, ReadFailure> {
    let cursor = Cursor::new(text);
    let mut said = Vec::new();
    let all = reader::read(&cursor, &mut said)?;
    remarks.extend(counted(said));
    let count = all.len();
    let (mut motions, mut failures) = (Vec::with_capacity(count), Vec::new());
    for (number, exported) in all.into_iter().enumerate() {
        let name = match (count, exported.function) {
            (1, _) => String::new(),
            (_, function) if function.is_empty() => (number + 1).to_string(),
            (_, function) => function,
        };
        let read = match exported.lists {
            Ok(lists) => motion(&cursor, exported.byte, &lists),
            Err(why) => Err(cursor.wrong_at(why.byte, why.sentence).into()),
        };
        match read {
            Ok(motion) => motions.push(KeyedMotion { name, ..motion }),
            Err(failure) => failures.push((name, failure)),
        }
    }
    if motions.is_empty() && !failures.is_empty() {
        return Err(failures.swap_remove(0).1);
    }
    // One that cannot be read is no reason to refuse the others.
    for (name, failure) in failures {
        for mistake in failure.list {
            let sentence = format!("{} is left out: {}", quoted(&name), mistake.sentence);
            remarks.push(FileMistake {
                sentence,
                ..mistake
            });
        }
    }
    Ok(motions)
}

/// Remarks of which no two say the same: the first of them says how many there are.
fn counted(said: Vec<FileMistake>) -> Vec<FileMistake> {
    let mut all: Vec<(FileMistake, usize)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for remark in said {
        match places
            .get(&remark.sentence)
            .and_then(|place| all.get_mut(*place))
        {
            Some((_, count)) => *count += 1,
            None => {
                places.insert(remark.sentence.clone(), all.len());
                all.push((remark, 1));
            }
        }
    }
    let counted = all.into_iter().map(|(remark, count)| match count {
        1 => remark,
        count => FileMistake {
            sentence: format!("{} ({count} times)", remark.sentence),
            ..remark
        },
    });
    counted.collect()
}

/// The motion of a call at this byte.
fn motion(
    cursor: &Cursor<'_>,
    byte: usize,
    [names, times, keys]: &[Literal; 3],
) -> Result<KeyedMotion, ReadFailure> {
    let wrong = |item: &Literal, sentence: String| cursor.wrong_at(item.byte, sentence);
    // One joint may have its name alone, and its times and keys in no list of lists.
    let mut name_list = names.one_or_items();
    if let Some(whole) = name_list.iter().find(|item| chains::is_whole(item)) {
        let sentence = "it stands for joints that only a body knows; fix: name the joints";
        return Err(wrong(whole, sentence.to_owned()).into());
    }
    // A chain has a value for each of its joints.
    let of_chains = keys
        .items()
        .ok()
        .and_then(|item| chains::joints(name_list, item.len()));
    name_list = of_chains.as_deref().unwrap_or(name_list);
    let mut time_lists = for_each(times, name_list.len());
    let key_lists = for_each(keys, name_list.len());
    let is_one = |item: &[Literal]| item.len() == 1 && item[0].items().is_err();
    if times
        .items()
        .map_or(true, |item| of_chains.is_some() && is_one(item))
    {
        // One time for all.
        time_lists = vec![times; name_list.len()];
    }
    if name_list.len() != time_lists.len() || name_list.len() != key_lists.len() {
        let sentence = format!(
            "{} names, {} lists of times and {} of keys; fix: give each joint all three",
            name_list.len(),
            time_lists.len(),
            key_lists.len()
        );
        return Err(cursor.wrong_at(byte, sentence).into());
    }
    if name_list.is_empty() {
        return Err(wrong(names, "the export has no joints".to_owned()).into());
    }
    if name_list.len() > TRACKS_MAX {
        return Err(wrong(names, format!("more than {TRACKS_MAX} joints")).into());
    }
    let mut motion = KeyedMotion::default();
    for ((name, times), keys) in name_list.iter().zip(time_lists).zip(key_lists) {
        let LiteralValue::Text(joint) = &name.value else {
            return Err(wrong(name, "a name must be a text in quotes".to_owned()).into());
        };
        if motion.tracks.iter().any(|track| &track.joint == joint) {
            return Err(wrong(name, format!("{} comes twice", quoted(joint))).into());
        }
        let keys = track(cursor, joint, times, keys)?;
        motion.tracks.push(JointTrack {
            joint: joint.clone(),
            keys,
            ..JointTrack::default()
        });
        if motion.key_count() > KEYS_MAX {
            return Err(wrong(name, format!("more than {KEYS_MAX} keys")).into());
        }
    }
    Ok(motion)
}

/// The times or keys of each of so many joints: a list for each, or one number; of one joint also its values alone.
fn for_each(values: &Literal, joints: usize) -> Vec<&Literal> {
    let Ok(items) = values.items() else {
        return vec![values];
    };
    let is_key = |literal: &Literal| match literal.items() {
        Ok([first, second, ..]) => first.items().is_err() && second.items().is_ok(),
        Ok(_) => false,
        Err(_) => true,
    };
    if joints == 1 && (items.len() != 1 || items.iter().all(is_key)) {
        vec![values]
    } else {
        items.iter().collect()
    }
}

fn track(
    cursor: &Cursor<'_>,
    joint: &str,
    times: &Literal,
    keys: &Literal,
) -> Result<Vec<JointKey>, FileMistake> {
    let wrong = |item: &Literal, sentence: String| cursor.wrong_at(item.byte, sentence);
    let time_list = times.one_or_items();
    let key_list = keys.one_or_items();
    if time_list.len() != key_list.len() {
        let sentence = format!(
            "{} has {} times, but {} keys",
            quoted(joint),
            time_list.len(),
            key_list.len()
        );
        return Err(wrong(keys, sentence));
    }
    let mut track: Vec<JointKey> = Vec::with_capacity(key_list.len());
    for (time, key) in time_list.iter().zip(key_list) {
        let ns = time.seconds().map_err(|error| wrong(time, error))?;
        let at = u64::try_from(ns).ok().filter(|value| *value <= TIME_MAX);
        let at = at.ok_or_else(|| wrong(time, "a time is from 0 to 250,000 s".to_owned()))?;
        if track.last().is_some_and(|track| track.time >= at) {
            let sentence = format!("the times of {} do not rise here", quoted(joint));
            return Err(wrong(time, sentence));
        }
        track.push(key_of(cursor, at, key)?);
    }
    Ok(track)
}

fn key_of(cursor: &Cursor<'_>, time: u64, key: &Literal) -> Result<JointKey, FileMistake> {
    let wrong = |item: &Literal, sentence: String| cursor.wrong_at(item.byte, sentence);
    let LiteralValue::List(parts) = &key.value else {
        let value = key.number().map_err(|error| wrong(key, error))?;
        return Ok(JointKey::linear(time, value));
    };
    let (value, arrive, leave) = match &parts[..] {
        [value] => (value, None, None),
        [value, arrive] => (value, Some(arrive), None),
        [value, arrive, leave] => (value, Some(arrive), Some(leave)),
        _ => {
            let sentence = "a key is a value with a handle before it and one behind it";
            return Err(wrong(key, sentence.to_owned()));
        }
    };
    let side = |literal: Option<&Literal>| match literal {
        None => Ok(KeySide::Linear),
        Some(value) => handle(value).map_err(|sentence| wrong(value, sentence)),
    };
    Ok(JointKey {
        time,
        value: value.number().map_err(|error| wrong(value, error))?,
        weight: 1.0,
        arrive: side(arrive)?,
        leave: side(leave)?,
    })
}

fn handle(handle: &Literal) -> Result<KeySide, String> {
    let [kind, time, value] = handle.items()? else {
        return Err("a handle is [kind, time, value]".to_owned());
    };
    let (kind, time, value) = (kind.number()?, time.seconds()?, value.number()?);
    match kind {
        0.0 => Ok(KeySide::Step),
        1.0 => Ok(KeySide::Linear),
        2.0 | 3.0 => Ok(KeySide::Bezier(BezierHandle { time, value })),
        _ => Err(format!("the kind {kind} of a handle; expected 0 to 3")),
    }
}
