//! Lights, triggers and sensors, as `robot.toml` describes them. Part of the description in `shapes`.
//! The law: what is not described here is refused.

use super::common::{ABSENT, ALIASES, BIAS, DELAY, FROM_COUNTS, INPUT, NOISE, OUTPUT, PORT};
use crate::quantity::Dimension::{Plain, Time};
use crate::schema::ValueKind::{Above, Figure, Flag, NotBelow, Range, Text, Whole, Word};
use crate::schema::{TableSchema, may, must};

pub(super) const LIGHT: TableSchema = TableSchema {
    keys: &[
        ABSENT,
        may(
            "path",
            Text,
            "Its long name; `<name>/Actuator/Value` if it is not said.",
        ),
        ALIASES,
        may(
            "range",
            Range(Plain),
            "The lowest and highest value; 0 to 1 if it is not said.",
        ),
        may(
            "rest",
            Figure(Plain),
            "What it shows when nobody asks for anything.",
        ),
        may(
            "levels",
            Whole(2, 65_536),
            "How many steps of brightness it has; without end if it is not said.",
        ),
        may("velocity", Above(Plain), "The fastest change in a second."),
        may("board", Text, "The board that drives it."),
        PORT,
        OUTPUT,
    ],
};

pub(super) const TRIGGER: TableSchema = TableSchema {
    keys: &[
        ABSENT,
        may(
            "path",
            Text,
            "Its long name; `<name>/Actuator/Value` if it is not said.",
        ),
        ALIASES,
        must("range", Range(Plain), "The lowest and highest value."),
        may("board", Text, "The board that fires it."),
        PORT,
        OUTPUT,
    ],
};

pub(super) const SENSOR: TableSchema = TableSchema {
    keys: &[
        ABSENT,
        may(
            "path",
            Text,
            "Its long name; `<name>/Sensor/Value` if it is not said. A `*` in it stands for the name.",
        ),
        ALIASES,
        may("about", Text, "What it measures."),
        may("unit", Text, "Its unit as shown."),
        may("board", Text, "The board that reads it."),
        PORT,
        INPUT,
        FROM_COUNTS,
        NOISE,
        DELAY,
        may(
            "debounce",
            NotBelow(Time),
            "A line that changes back within this time has not changed.",
        ),
        may(
            "bias",
            Word(&BIAS),
            "Where its GPIO line goes while nobody drives it; as the system has it if it is not said.",
        ),
        may(
            "presses",
            Flag,
            "Whether the line's presses are counted, instead of reading whether it is active.",
        ),
        may(
            "trigger",
            Text,
            "The trigger whose echo the line brings: it reads the seconds from one to the other.",
        ),
        may(
            "reads",
            Figure(Plain),
            "In the simulation: what it reads until somebody sets it.",
        ),
    ],
};
