//! Lights, triggers and sensors, as `robot.toml` describes them. Part of the description in `shapes`.
//! The law: what is not described here is refused.

use super::joints::CALIBRATION;
use crate::config::quantity::Dimension::{Plain, Time};
use crate::config::shape::Kind::{Above, Figure, Flag, List, NotBelow, Range, Table, Text, Whole};
use crate::config::shape::{Shape, may, must};

pub(super) const LIGHT: Shape = Shape {
    fields: &[
        may(
            "absent",
            Flag,
            "Takes it away: a robot that starts from another one may have less.",
        ),
        may(
            "path",
            Text,
            "Its long name; `<name>/Actuator/Value` if it is not said.",
        ),
        may("aliases", List(&Text), "Other names that it answers to."),
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
        may(
            "port",
            Text,
            "Its named end on that board: a GPIO line, or a field of LoLA. `!` before the name: active when low.",
        ),
        may(
            "channel",
            Whole(0, 65_535),
            "Its output on that board; the next free one if it is not said.",
        ),
    ],
};

pub(super) const TRIGGER: Shape = Shape {
    fields: &[
        may(
            "absent",
            Flag,
            "Takes it away: a robot that starts from another one may have less.",
        ),
        may(
            "path",
            Text,
            "Its long name; `<name>/Actuator/Value` if it is not said.",
        ),
        may("aliases", List(&Text), "Other names that it answers to."),
        must("range", Range(Plain), "The lowest and highest value."),
        may("board", Text, "The board that fires it."),
        may(
            "port",
            Text,
            "Its named end on that board: a GPIO line, or a field of LoLA. `!` before the name: active when low.",
        ),
        may(
            "channel",
            Whole(0, 65_535),
            "Its output on that board; the next free one if it is not said.",
        ),
    ],
};

pub(super) const SENSOR: Shape = Shape {
    fields: &[
        may(
            "absent",
            Flag,
            "Takes it away: a robot that starts from another one may have less.",
        ),
        may(
            "path",
            Text,
            "Its long name; `<name>/Sensor/Value` if it is not said. A `*` in it stands for the name.",
        ),
        may("aliases", List(&Text), "Other names that it answers to."),
        may("about", Text, "What it measures."),
        may("unit", Text, "Its unit as shown."),
        may("board", Text, "The board that reads it."),
        may(
            "port",
            Text,
            "Its named end on that board: a GPIO line, or a field of LoLA. `!` before the name: active when low.",
        ),
        may(
            "channel",
            Whole(0, 65_535),
            "Its input on that board; the next free one if it is not said.",
        ),
        may(
            "calibration",
            Table(&CALIBRATION),
            "From the board's counts to its unit.",
        ),
        may(
            "noise",
            NotBelow(Plain),
            "In the simulation: the greatest error, in its unit.",
        ),
        may(
            "delay",
            Whole(0, 16),
            "In the simulation: how many turns late it reads.",
        ),
        may(
            "debounce",
            NotBelow(Time),
            "A line that changes back within this time has not changed.",
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
