//! Boards, as `robot.toml` describes them. Part of `keys`.
//! What is not described here is refused; which of it means something to which driver, the reader knows.

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
            "The driver: `sim`, the simulated body; `servo`, a board with the servo board protocol; `lines`, GPIO \
             lines; \
             `lola`, a NAO V6; or the model of a part on a bus of its own.",
        ),
        may("about", Text, "A description for people."),
        ABSENT,
        may(
            "spi",
            Text,
            "The SPI device: `/dev/spidev0.0`, `spidev0.0`, or its label in the device tree.",
        ),
        may(
            "socket",
            Text,
            "The Unix socket of a board that runs as a process.",
        ),
        may(
            "speed",
            Whole(1_000, 200_000_000),
            "The clock rate of the bus, in bits per second (default: 1000000).",
        ),
        may("mode", Whole(0, 3), "The SPI mode (default: 0)."),
        may(
            "every",
            Whole(1, 1_000),
            "Exchange with the board only every N turns (default: 1, every turn).",
        ),
        may(
            "outputs",
            Whole(0, 1_019),
            "The number of outputs in the board's table (default: up to the last one in use).",
        ),
        may(
            "inputs",
            Whole(0, 2_038),
            "The number of inputs in the board's table (default: up to the last one in use).",
        ),
        may(
            "allow",
            List(&Text),
            "Differences between the board's table and this file to accept, such as `HeadYaw.rest`. After the dot: \
             direction, name, kind, unit, range, step or rest.",
        ),
        may(
            "ready",
            Text,
            "The GPIO line that is active while the board is ready. `!` before the name: active low.",
        ),
        may(
            "fault",
            Text,
            "The GPIO line that is active while the board has a fault. `!` before the name: active low.",
        ),
        may(
            "chip",
            Text,
            "The GPIO chip to look for lines on (default: all chips).",
        ),
        may(
            "enable",
            Text,
            "The GPIO line that switches on the power of the motors.",
        ),
        may(
            "stop",
            Text,
            "The GPIO line of the emergency stop. `!` before the name: pressed when low.",
        ),
        may(
            "bias",
            Word(&BIAS),
            "The bias of the lines for stop, ready and fault. Default: the stop line is pulled to its pressed level, \
             so \
             that a broken wire stops the robot; the others stay as the system has set them.",
        ),
        may(
            "delay",
            Whole(0, 65_535),
            "The time from the last bit of a transfer until chip select goes high, in µs (default: 0).",
        ),
        may(
            "word-delay",
            Whole(0, 255),
            "The time between the words of a transfer, in µs (default: 0).",
        ),
        may(
            "keep-selected",
            Flag,
            "Whether chip select stays low between transfers, if the controller supports it (default: false).",
        ),
        may(
            "period",
            Above(Time),
            "The time between two transfers of a part, which runs on its own thread (default: 20 ms).",
        ),
        may(
            "chained",
            Whole(1, 1_024),
            "The number of chips in the chain, or of lamps on the strip (default: 1).",
        ),
    ],
};
