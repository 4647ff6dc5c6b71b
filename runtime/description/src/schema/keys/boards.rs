//! Boards, as `robot.toml` describes them. Part of the description in `shapes`.
//! The law: what is not described here is refused; which of it means something to which driver, the reader knows.

use super::common::{ABSENT, BIAS};
use crate::quantity::Dimension::Time;
use crate::schema::ValueKind::{Above, Flag, List, Text, Whole, Word};
use crate::schema::words::DRIVERS;
use crate::schema::{TableSchema, may, must};

pub(super) const BOARD: TableSchema = TableSchema {
    keys: &[
        must(
            "driver",
            Word(&DRIVERS),
            "What drives it: `sim`, the simulated body; `servo`, a board that speaks the board protocol; `lines`, \
             GPIO; `lola`, a NAO V6; or a part on a bus of its own.",
        ),
        may("about", Text, "What it is."),
        ABSENT,
        may(
            "spi",
            Text,
            "The SPI device that it is on: `/dev/spidev0.0`, `spidev0.0`, or its label in the device tree.",
        ),
        may(
            "socket",
            Text,
            "The Unix socket that it listens at, if it is a process.",
        ),
        may(
            "speed",
            Whole(1_000, 200_000_000),
            "Bits in a second on its bus; 1000000 if it is not said.",
        ),
        may("mode", Whole(0, 3), "SPI's mode; 0 if it is not said."),
        may(
            "every",
            Whole(1, 1_000),
            "It is spoken to once in so many turns; in each if it is not said.",
        ),
        may(
            "outputs",
            Whole(0, 1_019),
            "Outputs in its table; up to the last that is used if it is not said.",
        ),
        may(
            "inputs",
            Whole(0, 2_038),
            "Inputs in its table; up to the last that is used if it is not said.",
        ),
        may(
            "allow",
            List(&Text),
            "What of which channel may be otherwise on the board than here: `HeadYaw.rest`, or .direction, .name, \
             .kind, .unit, .range, .step.",
        ),
        may(
            "ready",
            Text,
            "The GPIO line that says that it is ready; `!` before the name: when it is low.",
        ),
        may(
            "fault",
            Text,
            "The GPIO line that says that it has a fault; `!` before the name: when it is low.",
        ),
        may(
            "chip",
            Text,
            "The GPIO chip whose lines are meant; all chips if it is not said.",
        ),
        may(
            "enable",
            Text,
            "The GPIO line that gives the motors their power.",
        ),
        may(
            "stop",
            Text,
            "The GPIO line of the emergency stop; `!` before the name: pressed when it is low.",
        ),
        may(
            "bias",
            Word(&BIAS),
            "Where its lines for stop, ready and fault go while nobody drives them; the stop line to where it is \
             pressed, so that a broken wire is a pressed stop, the others as the system has them.",
        ),
        may(
            "delay",
            Whole(0, 65_535),
            "From the last bit of a transfer until chip select goes high, a number of µs; 0.",
        ),
        may(
            "word-delay",
            Whole(0, 255),
            "From one word of a transfer to the next, a number of µs; 0.",
        ),
        may(
            "keep-selected",
            Flag,
            "Chip select stays low from one transfer to the next, where the controller can do that.",
        ),
        may(
            "period",
            Above(Time),
            "The part is written or read once in this time, aside from the turn; 20 ms if it is not said.",
        ),
        may(
            "chained",
            Whole(1, 1_024),
            "How many are chained: chips, or lamps of a strip; 1 if it is not said.",
        ),
    ],
};
