//! `script`: the text of a guest whose code is an interpreter, and what such a guest leaves to the host.

use cycle::Merge;
use printable::printable_lines;
use wasmtime::component::{LinkerInstance, WasmStr};

use super::curve::{CurvePiece, PieceShape};
use super::{Cx, charge, offer};
use crate::shared::answer::HostAnswer;

pub(crate) const NAME: &str = "dcm:choreography/script@0.1.0";

pub(super) const FUNCTIONS: &[&str] = &["length", "word", "follow", "fail"];

/// Bytes of a reason that are kept.
const REASON: usize = 2_048;

/// Fuel that a line of a curve costs, as much as compiled code burns for it.
const LINE: u64 = 500;

const WORD: usize = size_of::<u64>();

pub(super) fn link(linker: &mut LinkerInstance<'_, super::Host>) -> wasmtime::Result<()> {
    offer(linker, "length", |cx: Cx<'_>, ()| {
        Ok((u32::try_from(cx.data().script.len()).unwrap_or(u32::MAX),))
    })?;
    offer(linker, "word", |cx: Cx<'_>, (place,): (u32,)| {
        Ok((word(&cx.data().script, place as usize),))
    })?;
    offer(
        linker,
        "follow",
        |mut cx: Cx<'_>, (to, shape, a, b, c, d, last, start, span, error, begins): FollowWords| {
            let piece = CurvePiece {
                shape: PieceShape::of(shape),
                by: [a, b, c, d],
                last,
                error,
            };
            Ok((follow(&mut cx, to, &piece, (start, span), begins)?,))
        },
    )?;
    offer(linker, "fail", |cx: Cx<'_>, (why,): (WasmStr,)| {
        let why = why.to_str(&cx)?;
        let why = printable_lines(cut(&why)).trim_end().to_owned();
        Err::<(), _>(wasmtime::Error::msg(why))
    })
}

/// The actuator; the piece: its shape, a, b, c, d, its last value; its start and span; the error; whether it begins.
type FollowWords = (u32, u32, f64, f64, f64, f64, f64, u64, u64, f64, bool);

/// Sends a piece in lines; the first answer that is not `done`, else that.
fn follow(
    cx: &mut Cx<'_>,
    to: u32,
    piece: &CurvePiece,
    (start, span): (u64, u64),
    begins: bool,
) -> wasmtime::Result<HostAnswer> {
    let mut guess = cx.data().curve_guess;
    if begins {
        guess = 1.0;
        let host = cx.data_mut();
        let answer = host.put(to, piece.value(0.0), start, Merge::ClearAfter);
        if answer != HostAnswer::Done {
            return Ok(answer);
        }
    }
    let mut share = 0.0;
    while share < 1.0 {
        charge(cx, LINE)?;
        let end = piece.reach(share, guess);
        (guess, share) = (end - share, end);
        // The cast saturates; a span is far below 2⁵³.
        let after = if share < 1.0 {
            (span as f64 * share + 0.5) as u64
        } else {
            span
        };
        let host = cx.data_mut();
        let at = start.saturating_add(after);
        let answer = host.put(to, piece.value(share), at, Merge::Merge);
        if answer != HostAnswer::Done {
            return Ok(answer);
        }
    }
    cx.data_mut().curve_guess = guess;
    Ok(HostAnswer::Done)
}

fn word(text: &[u8], place: usize) -> u64 {
    let rest = place.checked_mul(WORD).and_then(|value| text.get(value..));
    let mut word = [0; WORD];
    for (to, from) in word.iter_mut().zip(rest.unwrap_or(&[])) {
        *to = *from;
    }
    u64::from_le_bytes(word)
}

fn cut(why: &str) -> &str {
    let end = (0..=REASON.min(why.len())).rfind(|i| why.is_char_boundary(*i));
    end.and_then(|end| why.get(..end)).unwrap_or("")
}
