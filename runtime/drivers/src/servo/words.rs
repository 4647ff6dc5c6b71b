//! Converts counts to the words of a frame, and recognizes a line that nothing drives.
//! Used by the session.
//! Every value becomes a word within the range of its row.

use wire::Row;

/// Whether nothing drives the line.
pub(super) fn is_silent(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0xff) || bytes.iter().all(|byte| *byte == 0)
}

/// Converts counts to a word of this channel.
pub(super) fn word(counts: f64, row: &Row) -> u16 {
    let within = counts.clamp(f64::from(row.lowest), f64::from(row.highest));
    // NaN becomes the word at rest; everything else is now within u16.
    if within.is_nan() {
        row.rest
    } else {
        libm::round(within) as u16
    }
}

/// The next word of a trigger: a different one if it fires.
pub(super) fn toggled(before: u16, row: &Row, fires: bool) -> u16 {
    match (fires, before == row.highest) {
        (false, _) => before,
        (true, true) => row.lowest,
        (true, false) => before + 1,
    }
}
