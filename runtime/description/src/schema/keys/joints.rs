//! Joints, hands and wheels, as `robot.toml` describes them, with all that belongs to them: gains, calibrations, what
//! measures them, their stiffness, their motor. Part of the description in `shapes`.
//! The law: what is not described here is refused.

use super::common::{
    ABSENT, ALIASES, DELAY, FROM_COUNTS, INPUT, NOISE, OUTPUT, PORT, READ_BY, TO_COUNTS,
};
use crate::quantity::Dimension::{Acceleration, Plain, Position, Speed};
use crate::schema::ValueKind::{Above, Figure, List, NotBelow, Range, Table, Text, Whole};
use crate::schema::{TableSchema, may};

pub(super) const JOINT: TableSchema = TableSchema {
    keys: &[
        ABSENT,
        may(
            "path",
            Text,
            "Its long name; `<name>/Position/Actuator/Value` if it is not said.",
        ),
        ALIASES,
        may("about", Text, "What it moves."),
        may("unit", Text, "Its unit as shown; rad if it is not said."),
        may(
            "range",
            Range(Position),
            "The lowest and the highest value that may be sent.",
        ),
        may(
            "rest",
            Figure(Position),
            "Where it starts in the simulation, and where it is taken to be if nothing measures it.",
        ),
        may("velocity", Above(Speed), "The fastest change."),
        may(
            "acceleration",
            Above(Acceleration),
            "The fastest change of speed.",
        ),
        may(
            "gains",
            Table(&GAINS),
            "The gains that it has when nobody asks for others.",
        ),
        TO_COUNTS,
        may("board", Text, "The board that drives it."),
        PORT,
        OUTPUT,
        may(
            "position",
            Table(&READING),
            "The sensor that measures it; a table with nothing in it will do.",
        ),
        may(
            "current",
            Table(&READING),
            "The sensor of its motor's current, A.",
        ),
        may(
            "temperature",
            Table(&TEMPERATURE),
            "The sensor of its motor's temperature, °C.",
        ),
        may(
            "stiffness",
            Table(&STIFFNESS),
            "The actuator for the share of its force, 0 to 1.",
        ),
        may(
            "motor",
            Table(&MOTOR),
            "What its motor is like, for the simulation.",
        ),
    ],
};

const GAINS: TableSchema = TableSchema {
    keys: &[
        may("p", NotBelow(Plain), "Proportional."),
        may("i", NotBelow(Plain), "Integral."),
        may("d", NotBelow(Plain), "Derivative."),
        may(
            "channels",
            List(&Whole(0, 65_535)),
            "The board's outputs for the three; they stay in the loop if it is not said.",
        ),
    ],
};

const READING: TableSchema = TableSchema {
    keys: &[
        may(
            "name",
            Text,
            "Its name; the joint's, with what it measures.",
        ),
        may("path", Text, "Its long name."),
        ALIASES,
        READ_BY,
        PORT,
        INPUT,
        FROM_COUNTS,
        NOISE,
        DELAY,
    ],
};

const TEMPERATURE: TableSchema = TableSchema {
    keys: &[
        may("name", Text, "Its name; the joint's, with `Temperature`."),
        may("path", Text, "Its long name."),
        ALIASES,
        READ_BY,
        PORT,
        INPUT,
        FROM_COUNTS,
        NOISE,
        DELAY,
        may(
            "warm",
            Figure(Plain),
            "Up to here the motor has its full force, °C.",
        ),
        may("hot", Figure(Plain), "From here on it has none, °C."),
    ],
};

const STIFFNESS: TableSchema = TableSchema {
    keys: &[
        may("name", Text, "Its name; the joint's, with `Stiffness`."),
        may(
            "path",
            Text,
            "Its long name; `<joint>/Hardness/Actuator/Value` if it is not said.",
        ),
        ALIASES,
        may(
            "range",
            Range(Plain),
            "The lowest and highest value; -1 to 1 if it is not said. At or below 0 the joint is limp.",
        ),
        may(
            "rest",
            Figure(Plain),
            "What it is when nobody asks for anything; 1 if it is not said.",
        ),
        may(
            "board",
            Text,
            "The board that drives it; the joint's if it is not said.",
        ),
        PORT,
        OUTPUT,
        TO_COUNTS,
    ],
};

const MOTOR: TableSchema = TableSchema {
    keys: &[
        may(
            "stops",
            Range(Position),
            "The mechanical stops; the range and a little more if it is not said.",
        ),
        may("inertia", Above(Plain), "Inertia at the joint, kg·m²."),
        may("torque", Above(Plain), "The greatest torque, N·m."),
        may(
            "speed",
            Above(Speed),
            "The speed at which no torque is left.",
        ),
        may("friction", NotBelow(Plain), "Dry friction, N·m."),
        may(
            "load",
            Figure(Plain),
            "The torque of what hangs on it where the joint stands at 0, N·m.",
        ),
        may(
            "stiffness",
            NotBelow(Plain),
            "Torque for each rad of error at full force, N·m/rad.",
        ),
        may(
            "damping",
            NotBelow(Plain),
            "Torque against each rad/s at full force, N·m·s/rad.",
        ),
        may("torque-per-amp", Above(Plain), "N·m for each A."),
        may(
            "resistance",
            NotBelow(Plain),
            "The winding's resistance, Ω.",
        ),
        may(
            "heat-capacity",
            Above(Plain),
            "Heat that warms the winding by a degree, J/°C.",
        ),
        may(
            "cooling",
            NotBelow(Plain),
            "Heat that leaves it for each degree above its surroundings, W/°C.",
        ),
        may("ambient", Figure(Plain), "The temperature around it, °C."),
    ],
};
