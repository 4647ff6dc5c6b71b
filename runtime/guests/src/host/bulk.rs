//! `bulk`: many commands in one call, for languages in which a call is expensive.

use cycle::Merge;
use wasmtime::component::{LinkerInstance, WasmList};

use super::{Cx, Host, charge, offer};
use crate::shared::answer::HostAnswer;
use crate::shared::answer::NONE;
use crate::shared::command_buffer::{ITEMS, Item};

pub(super) const NAME: &str = "dcm:choreography/bulk@0.1.0";

pub(super) const FUNCTIONS: &[&str] = &["set-all"];

/// Words of a command.
const COMMAND_WORDS: usize = 3;

pub(super) fn link(linker: &mut LinkerInstance<'_, Host>) -> wasmtime::Result<()> {
    offer(
        linker,
        "set-all",
        |mut cx: Cx<'_>, (words,): (WasmList<u64>,)| {
            let answer = set_all(&mut cx, &words);
            // Without this a call that reads a thousand words would cost as much as one that reads none.
            let words = words.as_le_slice(&cx).len() as u64;
            charge(&mut cx, words)?;
            Ok((answer,))
        },
    )
}

/// Queues all of these commands, or none.
fn set_all(cx: &mut Cx<'_>, words: &WasmList<u64>) -> HostAnswer {
    let length = words.as_le_slice(&*cx).len();
    let count = length.checked_div(COMMAND_WORDS).unwrap_or(0);
    if length.checked_rem(COMMAND_WORDS) != Some(0) {
        return HostAnswer::Unknown;
    }
    if cx.data().inside() && count > ITEMS {
        return HostAnswer::TooMuch;
    }
    let mut sound = 0usize;
    for command in words.as_le_slice(&*cx).chunks_exact(COMMAND_WORDS) {
        let (to, value, at) = read(command);
        match cx.data().examine(to, value, at) {
            Err(answer) => return answer,
            Ok(taken) => sound = sound.saturating_add(usize::from(taken)),
        }
    }
    if let Err(answer) = cx.data().room_for(sound) {
        return answer;
    }
    for place in 0..count {
        let from = place.saturating_mul(COMMAND_WORDS);
        let Some(command) = words.as_le_slice(&*cx).get(from..) else {
            break;
        };
        let (to, value, at) = read(command);
        if value.is_nan() {
            continue;
        }
        let command = Item::Command {
            to,
            value,
            at,
            merge: Merge::Merge,
        };
        // There is room for all of them.
        cx.data_mut().push_command(command);
    }
    HostAnswer::Done
}

/// A command of three words; a number that does not fit is no actuator.
fn read(words: &[u64]) -> (u32, f64, u64) {
    let word = |at: usize| words.get(at).map_or(0, |word| u64::from_le(*word));
    let to = u32::try_from(word(0)).unwrap_or(NONE);
    (to, f64::from_bits(word(1)), word(2))
}
