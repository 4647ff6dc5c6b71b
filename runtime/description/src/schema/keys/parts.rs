//! Lights, triggers and sensors, as `robot.toml` describes them. Part of `keys`.
//! What is not described here is refused.

use drivers::sim::FeltQuantity;

use super::common::{ABSENT, ALIASES, BIAS, DELAY, FROM_COUNTS, INPUT, NOISE, OUTPUT, PORT};
use crate::quantity::Dimension::{Length, Plain, Time};
use crate::schema::ValueKind::{
    Above, Figure, Flag, List, NotBelow, Point, Range, Table, Text, Whole, Word,
};
use crate::schema::{TableSchema, may, must};

pub(super) const LIGHT: TableSchema = TableSchema {
    keys: &[
        ABSENT,
        may(
            "path",
            Text,
            "Its long name (default: `<name>/Actuator/Value`).",
        ),
        ALIASES,
        may(
            "range",
            Range(Plain),
            "The lowest and the highest value (default: 0 to 1).",
        ),
        may(
            "rest",
            Figure(Plain),
            "Its value while no lane drives it (default: 0).",
        ),
        may(
            "levels",
            Whole(2, 65_536),
            "The number of brightness levels (default: continuous).",
        ),
        may(
            "dither",
            Flag,
            "Whether its line is switched on in as many turns as make it look that bright (default: false).",
        ),
        may("velocity", Above(Plain), "The fastest change per second."),
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
            "Its long name (default: `<name>/Actuator/Value`).",
        ),
        ALIASES,
        must("range", Range(Plain), "The lowest and the highest value."),
        may(
            "repeats",
            Whole(1, 64),
            "A value with this added is repeated by the board until another comes (default: none is).",
        ),
        may("board", Text, "The board that receives it."),
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
            "Its long name (default: `<name>/Sensor/Value`). A `*` stands for the name.",
        ),
        ALIASES,
        may("about", Text, "What it measures."),
        may("unit", Text, "The unit that is displayed."),
        may("board", Text, "The board that reads it."),
        PORT,
        INPUT,
        FROM_COUNTS,
        NOISE,
        DELAY,
        may(
            "debounce",
            NotBelow(Time),
            "Ignore changes of the line that are shorter than this time.",
        ),
        may(
            "bias",
            Word(&BIAS),
            "The bias of its GPIO line (default: as the system has set it).",
        ),
        may(
            "presses",
            Flag,
            "Whether to count how often the line became active, instead of reading its level (default: false).",
        ),
        may(
            "trigger",
            Text,
            "The trigger whose echo arrives on this line; the sensor reads the time from trigger to echo, s.",
        ),
        may(
            "modes",
            List(&Whole(0, 63)),
            "In the simulation: it reads 0 until its trigger fires with one of these values, then what is set at that \
             instant.",
        ),
        may(
            "sum-of",
            List(&Text),
            "It is computed: the sum of these sensors.",
        ),
        may(
            "factors",
            List(&Figure(Plain)),
            "What each sensor of `sum-of` is multiplied by (default: 1): from motors to the joint behind their gear.",
        ),
        may(
            "centre-of",
            List(&Text),
            "It is computed: the mean of the `places` of these sensors, weighted by what they read.",
        ),
        may(
            "places",
            List(&Figure(Plain)),
            "Where the sensors of `centre-of` are, in its unit.",
        ),
        may(
            "held",
            Text,
            "It is computed: how long this sensor has read more than 0.5, s; 0 while it does not.",
        ),
        may(
            "p-of",
            Text,
            "It is computed: the proportional gain in force of this joint.",
        ),
        may(
            "i-of",
            Text,
            "It is computed: the integral gain in force of this joint.",
        ),
        may(
            "d-of",
            Text,
            "It is computed: the derivative gain in force of this joint.",
        ),
        may(
            "feels",
            Table(&FELT),
            "In the simulation with physics: what it measures of the body.",
        ),
        may(
            "reads",
            Figure(Plain),
            "In the simulation: its reading until it is set.",
        ),
        may(
            "range",
            Range(Plain),
            "In the simulation: the lowest and the highest reading that it may be set to (default: any).",
        ),
    ],
};

const FELT: TableSchema = TableSchema {
    keys: &[
        must(
            "what",
            Word(&FeltQuantity::NAMES),
            "An `acceleration` (with gravity, as an accelerometer has it), a `rotation` about an axis, an `angle` of \
             the link, a `position` in the world, a share of the force on it (`force` in N, `load` in kg), a `touch` \
             of the link (0 or 1), or a `bump`: a touch near `at`, against `along`.",
        ),
        must("link", Text, "The link."),
        may(
            "at",
            Point(Length),
            "Where on the link (default: its origin).",
        ),
        may(
            "along",
            Point(Plain),
            "The direction or axis in the link's frame, or the world's for a position (default: z). An angle about x \
             is a roll, about y a pitch, about z a yaw.",
        ),
    ],
};
