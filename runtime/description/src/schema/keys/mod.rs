//! The description of `robot.toml`, as data: every key, what it may be, and what it says.
//! The reference for whoever writes one is made from here: `dcm-run config schema`.
//! The law: what is not described here is refused.

mod boards;
mod common;
mod joints;
mod parts;
mod relations;

use crate::quantity::Dimension::{Length, Plain, Position, Time};
use crate::robot::{GuestForm, Leave};
use crate::schema::ValueKind::{Above, Figure, List, Named, NotBelow, Table, Text, Whole, Word};
use crate::schema::words::{KEEPS, words};
use crate::schema::{TableSchema, may, must};
use boards::BOARD;
use joints::JOINT;
use parts::{LIGHT, SENSOR, TRIGGER};
use relations::{COUPLING, EXCLUSIVE, GRANT, LINK, SIMULATION};

/// The version of this description.
pub const FORMAT: u32 = 1;

/// The sections in which actuators and sensors are named: those that have defaults.
pub(crate) const SECTIONS: [&str; DEFAULTS.keys.len()] = {
    let mut sections = [""; DEFAULTS.keys.len()];
    let mut place = 0;
    while place < sections.len() {
        sections[place] = DEFAULTS.keys[place].key;
        place += 1;
    }
    sections
};

const KEEP: [&str; KEEPS.len()] = words(&KEEPS);

pub(crate) const ROBOT: TableSchema = TableSchema {
    keys: &[
        must(
            "format",
            Whole(FORMAT, FORMAT),
            "The version of this description: 1.",
        ),
        must("name", Text, "The robot's name."),
        may("about", Text, "What it is, in one sentence."),
        may(
            "base",
            Text,
            "A shipped robot that this one starts from; what is written here goes over it.",
        ),
        may(
            "period",
            Above(Time),
            "The time from one turn to the next; 10 ms if it is not said.",
        ),
        may("loop", Table(&LOOP), "What the loop asks of the machine."),
        may(
            "safety",
            Table(&SAFETY),
            "How the body starts, stops and reacts.",
        ),
        may(
            "lanes",
            Table(&LANES),
            "What lanes are like when nobody says otherwise.",
        ),
        may(
            "access",
            Table(&ACCESS),
            "Who may move the body through the local socket.",
        ),
        may(
            "boards",
            Named(&Table(&BOARD)),
            "The boards that drive and read, in the order of their numbers.",
        ),
        may(
            "defaults",
            Table(&DEFAULTS),
            "What everything in a section has when it does not say otherwise.",
        ),
        may(
            "joints",
            Named(&Table(&JOINT)),
            "Actuators with a position in rad or m.",
        ),
        may(
            "hands",
            Named(&Table(&JOINT)),
            "Grippers and hands, 0 to 1.",
        ),
        may(
            "wheels",
            Named(&Table(&JOINT)),
            "Actuators with a speed in rad/s.",
        ),
        may(
            "lights",
            Named(&Table(&LIGHT)),
            "Lights with a brightness of 0 to 1.",
        ),
        may(
            "triggers",
            Named(&Table(&TRIGGER)),
            "Values that are sent once, when they are due.",
        ),
        may(
            "sensors",
            Named(&Table(&SENSOR)),
            "Sensors that belong to no joint.",
        ),
        may(
            "aliases",
            Named(&List(&Text)),
            "Lists of actuators that one request can address.",
        ),
        may(
            "exclusive",
            Named(&Table(&EXCLUSIVE)),
            "Actuators that only one lane may have at a time.",
        ),
        may(
            "couplings",
            List(&Table(&COUPLING)),
            "Ranges that depend on where another joint stands.",
        ),
        may(
            "poses",
            Named(&Named(&Figure(Position))),
            "Postures by name: where each joint shall stand.",
        ),
        may(
            "links",
            Named(&Table(&LINK)),
            "The kinematic tree: what hangs on what, how heavy, how large.",
        ),
        may(
            "grants",
            Named(&Table(&GRANT)),
            "What choreographies may use, by their name; `default` for all others.",
        ),
        may(
            "simulation",
            Table(&SIMULATION),
            "How the simulated body behaves as a whole.",
        ),
    ],
};

const LOOP: TableSchema = TableSchema {
    keys: &[
        may(
            "priority",
            Whole(1, 99),
            "The SCHED_FIFO priority of the loop; 50 if it is not said.",
        ),
        may(
            "processor",
            Whole(0, 1023),
            "The processor that the loop stays on.",
        ),
        may(
            "commands",
            Whole(1, 16_777_216),
            "Commands that may wait in all lanes together.",
        ),
        may(
            "lanes",
            Whole(2, 1024),
            "Lanes at the same time; 64 if it is not said.",
        ),
        may(
            "guests",
            Word(&GuestForm::NAMES),
            "How guests reach sensors and commands: compiled into them, or by calls of the host. Fuel \
             differs between the two; `in-place`, the faster, if it is not said.",
        ),
    ],
};

const SAFETY: TableSchema = TableSchema {
    keys: &[
        may(
            "pose",
            Text,
            "The pose that the body takes before it lets go.",
        ),
        may(
            "leave",
            Word(&Leave::NAMES),
            "What the motors do when the loop is told for the third time to go.",
        ),
        may(
            "readings",
            Whole(10, 100_000),
            "Good readings before anything may be armed; at least 10.",
        ),
        may(
            "fade-in",
            Above(Time),
            "How long gains take to fade in when the body is armed.",
        ),
        may(
            "return-speed",
            Above(Plain),
            "How fast the body comes back when the motion goes on: a share of each joint's velocity; 0.2.",
        ),
        may(
            "ease-in",
            Above(Time),
            "How long an actuator that no velocity bounds takes for that, from one end of its range to the other.",
        ),
        may(
            "balance-fail",
            NotBelow(Length),
            "How far `check` wants the centre of mass within the edge of the soles at least; 5mm if not said.",
        ),
        may(
            "balance-warn",
            NotBelow(Length),
            "What is nearer to that edge than this is told; 10mm if it is not said.",
        ),
        may(
            "fade-out",
            Above(Time),
            "How long gains take to fade out after a fault or in the safe pose.",
        ),
        may(
            "retreat",
            Above(Time),
            "How long the way to the safe pose takes.",
        ),
        may(
            "link-good",
            Above(Time),
            "How long every board must have answered before arming is allowed again.",
        ),
        may(
            "late-after",
            Above(Time),
            "A turn that comes later than this after the last is late; a period and a half.",
        ),
        may(
            "late-to-hold",
            Whole(1, 1_000_000),
            "Late turns in a row until the body holds.",
        ),
        may(
            "late-to-safe",
            Whole(1, 1_000_000),
            "Late turns in a row until it goes to its safe pose.",
        ),
        may(
            "missing-to-hold",
            Whole(1, 1_000_000),
            "Turns without an answer of a board until the body holds.",
        ),
        may(
            "missing-to-lost",
            Whole(1, 1_000_000),
            "Turns without an answer until the board counts as lost.",
        ),
        may(
            "impossible-beyond",
            Above(Plain),
            "A joint's reading beyond its range by more than this share of its width is impossible, and counts as no \
             answer: 0.25.",
        ),
        may(
            "following-error",
            Above(Plain),
            "A stiff joint that is farther from what it is sent than this share of its range does not follow: 0.25.",
        ),
        may(
            "astray-to-hold",
            Whole(0, 1_000_000),
            "Turns in a row without following until the body holds: 100; 0 for never.",
        ),
        may(
            "astray-to-fault",
            Whole(0, 1_000_000),
            "Turns in a row without following until that is a fault: 0, for never.",
        ),
    ],
};

const LANES: TableSchema = TableSchema {
    keys: &[
        may(
            "priority",
            Figure(Plain),
            "Who is heard first: 0 background, 5 low, 10 standard, 50 high, 100 emergency.",
        ),
        may(
            "weight",
            NotBelow(Plain),
            "The share among lanes of one priority.",
        ),
        may(
            "room",
            Whole(1, 4_194_304),
            "Commands that may wait in a lane.",
        ),
        may(
            "keep",
            Word(&KEEP),
            "What a lane does with an actuator when its commands are done.",
        ),
        may(
            "silence",
            Above(Time),
            "After so long without a word, what clients drive is held where it is; never if it is not said. 200 ms is \
             usual \
             where commands are streamed.",
        ),
        may(
            "silence-body",
            Above(Time),
            "After so long without a word the whole body goes to its safe pose; 1.5 s if only `silence` is said.",
        ),
        may(
            "fade-in",
            NotBelow(Time),
            "How long a new lane takes to come in.",
        ),
        may(
            "fade-out",
            NotBelow(Time),
            "How long an ending lane takes to go.",
        ),
    ],
};

const ACCESS: TableSchema = TableSchema {
    keys: &[may(
        "users",
        List(&Whole(0, u32::MAX)),
        "User numbers that may move the body, besides its own user and root.",
    )],
};

const DEFAULTS: TableSchema = TableSchema {
    keys: &[
        may("joints", Table(&JOINT), "For every joint."),
        may("hands", Table(&JOINT), "For every hand."),
        may("wheels", Table(&JOINT), "For every wheel."),
        may("lights", Table(&LIGHT), "For every light."),
        may("triggers", Table(&TRIGGER), "For every trigger."),
        may("sensors", Table(&SENSOR), "For every sensor."),
    ],
};
