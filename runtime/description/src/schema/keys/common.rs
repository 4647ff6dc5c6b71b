//! Keys that several parts of a description have alike: names, ends on a board, calibrations, the simulation's noise.
//! Used by `joints`, `parts` and `boards`.
//! What means the same is described once, in the same words.

use crate::quantity::Dimension::{Plain, Position};
use crate::schema::ValueKind::{Figure, Flag, List, NotBelow, Table, Text, Whole};
use crate::schema::words::{BIASES, words};
use crate::schema::{KeySchema, TableSchema, may};

/// Where a line goes while nobody drives it.
pub(super) const BIAS: [&str; BIASES.len()] = words(&BIASES);

pub(super) const ABSENT: KeySchema = may(
    "absent",
    Flag,
    "Whether to remove what the base describes under this name; aliases, poses and links go on without it.",
);

pub(super) const ALIASES: KeySchema = may("aliases", List(&Text), "Other names for it.");

pub(super) const PORT: KeySchema = may(
    "port",
    Text,
    "Its name on that board: a GPIO line, or a field of LoLA. `!` before the name: active low.",
);

pub(super) const OUTPUT: KeySchema = may(
    "channel",
    Whole(0, 65_535),
    "Its output on that board (default: the next free one).",
);

pub(super) const INPUT: KeySchema = may(
    "channel",
    Whole(0, 65_535),
    "Its input on that board (default: the next free one).",
);

pub(super) const READ_BY: KeySchema = may(
    "board",
    Text,
    "The board that reads it (default: the joint's board).",
);

pub(super) const TO_COUNTS: KeySchema = may(
    "calibration",
    Table(&CALIBRATION),
    "The conversion from its unit to the board's counts.",
);

pub(super) const FROM_COUNTS: KeySchema = may(
    "calibration",
    Table(&CALIBRATION),
    "The conversion from the board's counts to its unit.",
);

pub(super) const NOISE: KeySchema = may(
    "noise",
    NotBelow(Plain),
    "In the simulation: the largest error, in its unit.",
);

pub(super) const DELAY: KeySchema = may(
    "delay",
    Whole(0, 16),
    "In the simulation: the delay of a reading, in turns.",
);

pub(super) const CALIBRATION: TableSchema = TableSchema {
    keys: &[
        may(
            "gain",
            Figure(Plain),
            "Units per count; negative for a motor that is mounted in reverse.",
        ),
        may("offset", Figure(Position), "The value at count 0."),
        may("whole", Flag, "Whether the board takes whole counts only."),
    ],
};
