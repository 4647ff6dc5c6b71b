//! The description of `robot.toml`, as data: every key, what it may be, and what it says.
//! The reference for whoever writes one is made from here: `dcm-run config schema`.
//! What is not described here is refused.

mod boards;
mod common;
mod joints;
mod parts;
mod relations;

use cycle::LimpCommands;

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
            "The robot that this one starts from, shipped or a file; what is written here overrides it.",
        ),
        may(
            "period",
            Above(Time),
            "The time from one turn to the next (default: 10 ms).",
        ),
        may("loop", Table(&LOOP), "The loop's demands on the machine."),
        may(
            "safety",
            Table(&SAFETY),
            "How the body starts, stops and reacts.",
        ),
        may("lanes", Table(&LANES), "The default settings of lanes."),
        may(
            "identity",
            Named(&Text),
            "What this very robot is: serial numbers and versions, by keys such as `RobotConfig/Body/BodyId`, \
             which its memory shows.",
        ),
        may(
            "access",
            Table(&ACCESS),
            "Who can move the body through the local socket.",
        ),
        may(
            "boards",
            Named(&Table(&BOARD)),
            "The boards, in the order of their numbers.",
        ),
        may(
            "defaults",
            Table(&DEFAULTS),
            "The default keys of everything in a section.",
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
            "Actuators whose value is sent once, when it is due.",
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
            "Groups of actuators that only one lane can drive at a time.",
        ),
        may(
            "couplings",
            List(&Table(&COUPLING)),
            "Ranges that depend on the position of another joint.",
        ),
        may(
            "poses",
            Named(&Named(&Figure(Position))),
            "Named postures: a position for each joint.",
        ),
        may(
            "links",
            Named(&Table(&LINK)),
            "The kinematic tree: links, their masses and collision shapes.",
        ),
        may(
            "grants",
            Named(&Table(&GRANT)),
            "The limits of each choreography, by its name; `default` for all others.",
        ),
        may(
            "simulation",
            Table(&SIMULATION),
            "The settings of the simulation.",
        ),
    ],
};

const LOOP: TableSchema = TableSchema {
    keys: &[
        may(
            "priority",
            Whole(1, 99),
            "The SCHED_FIFO priority of the loop (default: 50).",
        ),
        may(
            "processor",
            Whole(0, 1023),
            "The processor that the loop is pinned to (default: any).",
        ),
        may(
            "commands",
            Whole(1, 16_777_216),
            "The most commands that can wait in all lanes together (default: each lane's `room`).",
        ),
        may(
            "lanes",
            Whole(2, 1024),
            "The most lanes at a time (default: 320).",
        ),
        may(
            "hook-share",
            Whole(1, 100),
            "The share of a period that the hooks of all guests may take in one turn, in % (default: 50). When it is \
             used up, the guests of the lowest priorities are not called in that turn.",
        ),
        may(
            "guests",
            Word(&GuestForm::NAMES),
            "How guests access sensors and commands: by code compiled into them, or by calls of the host. The two \
             cost different amounts of fuel (default: in-place, which is faster).",
        ),
        may(
            "compile-time",
            Whole(1, 3_600),
            "The processor time that compiling a choreography may take, in s (default: 5 for small ones, growing with \
             the size, up to 120 from 1 MiB on).",
        ),
        may(
            "compile-memory",
            Whole(64, 1_048_576),
            "The memory that compiling a choreography may take, in MiB (default: half of the machine's, at most \
             2,048, for more than 1 MiB of code: 8,192).",
        ),
    ],
};

const SAFETY: TableSchema = TableSchema {
    keys: &[
        may(
            "pose",
            Text,
            "The pose that the body takes before its motors are released.",
        ),
        may(
            "lost-lights",
            List(&Text),
            "Lights, or aliases of lights, that pulse while a client that fell silent is away (default: none).",
        ),
        may(
            "leave",
            Word(&Leave::NAMES),
            "What the motors do when the loop is interrupted for the third time (default: release).",
        ),
        may(
            "readings",
            Whole(10, 100_000),
            "The number of good readings before the body can be armed; at least 10.",
        ),
        may(
            "fade-in",
            Above(Time),
            "How long gains take to fade in when the body is armed.",
        ),
        may(
            "return-speed",
            Above(Plain),
            "The speed at which the body returns when motion resumes: a share of each joint's velocity (default: 0.2).",
        ),
        may(
            "limp-commands",
            Word(&LimpCommands::NAMES),
            "What becomes of the commands of a joint that is made limp: when it has force again, it returns to their \
             value at `return-speed` (ease), or they are dropped, and it stays where it is (drop; default: ease). When \
             the whole body goes limp, those of clients are dropped in any case, and guests are paused.",
        ),
        may(
            "ease-in",
            Above(Time),
            "The time for that return over the whole range of an actuator without a velocity.",
        ),
        may(
            "balance-fail",
            NotBelow(Length),
            "`check` fails below this distance of the centre of mass from the edge of the soles (default: 5 mm).",
        ),
        may(
            "balance-warn",
            NotBelow(Length),
            "`check` warns below this distance of the centre of mass from the edge of the soles (default: 10 mm).",
        ),
        may(
            "fade-out",
            Above(Time),
            "How long gains take to fade out after a fault or in the safe pose.",
        ),
        may(
            "retreat",
            Above(Time),
            "How long the retreat to the safe pose takes.",
        ),
        may(
            "link-good",
            Above(Time),
            "How long every board must have answered before the body can be armed again.",
        ),
        may(
            "late-after",
            Above(Time),
            "A turn is late if it begins later than this after the last one (default: 1.5 periods).",
        ),
        may(
            "late-to-hold",
            Whole(1, 1_000_000),
            "The number of late turns in a row until the body holds.",
        ),
        may(
            "late-to-safe",
            Whole(1, 1_000_000),
            "The number of late turns in a row until the body goes to its safe pose.",
        ),
        may(
            "missing-to-hold",
            Whole(1, 1_000_000),
            "The number of turns without an answer of a board until the body holds.",
        ),
        may(
            "missing-to-lost",
            Whole(1, 1_000_000),
            "The number of turns without an answer until the board counts as lost.",
        ),
        may(
            "impossible-beyond",
            Above(Plain),
            "A reading farther outside the joint's range than this share of the range counts as no answer \
             (default: 0.25).",
        ),
        may(
            "following-error",
            Above(Plain),
            "A stiff joint farther from its target than this share of its range does not follow (default: 0.25).",
        ),
        may(
            "astray-to-hold",
            Whole(0, 1_000_000),
            "The number of turns in a row without following until the body holds (default: 100; 0 for never).",
        ),
        may(
            "astray-to-fault",
            Whole(0, 1_000_000),
            "The number of turns in a row without following until that is a fault (default: 0, never).",
        ),
    ],
};

const LANES: TableSchema = TableSchema {
    keys: &[
        may(
            "priority",
            Figure(Plain),
            "The priority: 0 background, 5 low, 10 standard, 50 high, 100 emergency.",
        ),
        may(
            "weight",
            NotBelow(Plain),
            "The share among lanes of one priority.",
        ),
        may(
            "room",
            Whole(1, 4_194_304),
            "The most commands that can wait in a lane.",
        ),
        may(
            "keep",
            Word(&KEEP),
            "What a lane does with an actuator after its last command (default: hold).",
        ),
        may(
            "silence",
            Above(Time),
            "What a client drives is held where it is after the client was silent for this time (default: never). \
             200 ms is \
             usual where commands are streamed.",
        ),
        may(
            "silence-body",
            Above(Time),
            "The whole body goes to its safe pose after its clients were silent for this time (default: 1.5 s if \
             `silence` is set).",
        ),
        may(
            "fade-in",
            NotBelow(Time),
            "How long a new lane takes to fade in.",
        ),
        may(
            "fade-out",
            NotBelow(Time),
            "How long an ending lane takes to fade out.",
        ),
    ],
};

const ACCESS: TableSchema = TableSchema {
    keys: &[may(
        "users",
        List(&Whole(0, u32::MAX)),
        "The numbers of users that can move the body, besides its own user and root.",
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
