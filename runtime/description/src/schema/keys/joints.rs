//! Joints, hands and wheels, as `robot.toml` describes them, with all that belongs to them: gains, calibrations, what
//! measures them, their stiffness, their motor. Part of `keys`.
//! What is not described here is refused.

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
            "Its long name (default: `<name>/Position/Actuator/Value`).",
        ),
        ALIASES,
        may("about", Text, "What it moves."),
        may("unit", Text, "The unit that is displayed (default: rad)."),
        may(
            "range",
            Range(Position),
            "The lowest and the highest value that it is sent.",
        ),
        may(
            "rest",
            Figure(Position),
            "Its position at the start of a simulation, and its assumed position if no sensor measures it.",
        ),
        may("velocity", Above(Speed), "The highest velocity."),
        may(
            "acceleration",
            Above(Acceleration),
            "The highest acceleration.",
        ),
        may(
            "derived-acceleration",
            Above(Acceleration),
            "An estimate of the highest acceleration, if it is not known: it limits stops and returns, and `check` \
             only warns of faster changes.",
        ),
        may(
            "gains",
            Table(&GAINS),
            "The gains in force unless a command sets others.",
        ),
        TO_COUNTS,
        may("board", Text, "The board that drives it."),
        PORT,
        OUTPUT,
        may(
            "position",
            Table(&READING),
            "The sensor that measures it; an empty table is enough.",
        ),
        may(
            "current",
            Table(&CURRENT),
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
            "The actuator for its stiffness: the share of its full force, 0 to 1.",
        ),
        may("motor", Table(&MOTOR), "The motor, for the simulation."),
    ],
};

const GAINS: TableSchema = TableSchema {
    keys: &[
        may("p", NotBelow(Plain), "The proportional gain."),
        may("i", NotBelow(Plain), "The integral gain."),
        may("d", NotBelow(Plain), "The derivative gain."),
        may(
            "channels",
            List(&Whole(0, 65_535)),
            "The board's outputs for the three gains (default: none, the gains are not sent).",
        ),
    ],
};

const READING: TableSchema = TableSchema {
    keys: &[
        may(
            "name",
            Text,
            "Its name (default: the joint's name and what it measures).",
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

const CURRENT: TableSchema = TableSchema {
    keys: &[
        may(
            "name",
            Text,
            "Its name (default: the joint's name and `Current`).",
        ),
        may("path", Text, "Its long name."),
        ALIASES,
        READ_BY,
        PORT,
        INPUT,
        FROM_COUNTS,
        NOISE,
        DELAY,
        may(
            "high",
            Above(Plain),
            "The current up to which the motor has its full force, A.",
        ),
        may(
            "limit",
            Above(Plain),
            "The current from which it has no force, A.",
        ),
    ],
};

const TEMPERATURE: TableSchema = TableSchema {
    keys: &[
        may(
            "name",
            Text,
            "Its name (default: the joint's name and `Temperature`).",
        ),
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
            "The temperature up to which the motor has its full force, °C.",
        ),
        may(
            "hot",
            Figure(Plain),
            "The temperature from which it has no force, °C.",
        ),
    ],
};

const STIFFNESS: TableSchema = TableSchema {
    keys: &[
        may(
            "name",
            Text,
            "Its name (default: the joint's name and `Stiffness`).",
        ),
        may(
            "path",
            Text,
            "Its long name (default: `<joint>/Hardness/Actuator/Value`).",
        ),
        ALIASES,
        may(
            "range",
            Range(Plain),
            "The lowest and the highest value (default: -1 to 1). At or below 0 the joint is limp.",
        ),
        may(
            "rest",
            Figure(Plain),
            "Its value while no lane drives it (default: 1).",
        ),
        may(
            "board",
            Text,
            "The board that drives it (default: the joint's board).",
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
            "The mechanical stops (default: slightly beyond the range).",
        ),
        may("inertia", Above(Plain), "The inertia at the joint, kg·m²."),
        may("torque", Above(Plain), "The highest torque, N·m."),
        may(
            "speed",
            Above(Speed),
            "The no-load speed, at which the torque is 0.",
        ),
        may("friction", NotBelow(Plain), "The dry friction, N·m."),
        may(
            "load",
            Figure(Plain),
            "The torque of the load while the joint is at 0, N·m.",
        ),
        may(
            "stiffness",
            NotBelow(Plain),
            "The torque per rad of error at full force, N·m/rad (default: all of the described `torque` at 2°, \
             else 20).",
        ),
        may(
            "damping",
            NotBelow(Plain),
            "The braking torque per rad/s at full force, N·m·s/rad (default: 0.03 s of the default stiffness, \
             without `torque` 0.45).",
        ),
        may(
            "torque-per-amp",
            Above(Plain),
            "The torque constant, N·m/A.",
        ),
        may(
            "resistance",
            NotBelow(Plain),
            "The winding's resistance, Ω.",
        ),
        may(
            "heat-capacity",
            Above(Plain),
            "The heat capacity of the winding, J/°C.",
        ),
        may(
            "cooling",
            NotBelow(Plain),
            "The heat flow from the winding per degree above ambient, W/°C.",
        ),
        may("ambient", Figure(Plain), "The ambient temperature, °C."),
    ],
};
