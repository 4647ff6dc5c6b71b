//! The description of `robot.toml`, as data: every key, what it may be, and what it says.
//! The reference for whoever writes one is made from here: `dcm-run config schema`.
//! The law: what is not described here is refused.

use super::quantity::Dimension::{Acceleration, Angle, Length, Mass, Place, Plain, Speed, Time};
use super::shape::Kind::{
    Above, Figure, Flag, List, Named, NotBelow, Point, Range, Table, Text, Whole, Word,
};
use super::shape::{Shape, may, must};

/// The version of this description.
pub const FORMAT: u32 = 1;

/// The sections in which actuators and sensors are named.
pub(super) const SECTIONS: [&str; 6] =
    ["joints", "hands", "wheels", "lights", "triggers", "sensors"];

pub(super) const ROBOT: Shape = Shape {
    fields: &[
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
            Named(&Named(&Figure(Place))),
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

const LOOP: Shape = Shape {
    fields: &[
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
    ],
};

const SAFETY: Shape = Shape {
    fields: &[
        may(
            "pose",
            Text,
            "The pose that the body takes before it lets go.",
        ),
        may(
            "leave",
            Word(&["release", "hold"]),
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
            "ease-in",
            Above(Time),
            "How long lanes take to come back when the motion goes on.",
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
    ],
};

const LANES: Shape = Shape {
    fields: &[
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
            Word(&["hold", "release"]),
            "What a lane does with an actuator when its commands are done.",
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

const ACCESS: Shape = Shape {
    fields: &[may(
        "users",
        List(&Whole(0, u32::MAX)),
        "User numbers that may move the body, besides its own user and root.",
    )],
};

const BOARD: Shape = Shape {
    fields: &[
        must(
            "driver",
            Word(&["sim"]),
            "What drives it: `sim`, the simulated body.",
        ),
        may("about", Text, "What it is."),
    ],
};

const DEFAULTS: Shape = Shape {
    fields: &[
        may("joints", Table(&JOINT), "For every joint."),
        may("hands", Table(&JOINT), "For every hand."),
        may("wheels", Table(&JOINT), "For every wheel."),
        may("lights", Table(&LIGHT), "For every light."),
        may("triggers", Table(&TRIGGER), "For every trigger."),
        may("sensors", Table(&SENSOR), "For every sensor."),
    ],
};

const JOINT: Shape = Shape {
    fields: &[
        may(
            "path",
            Text,
            "Its long name; `<name>/Position/Actuator/Value` if it is not said.",
        ),
        may("aliases", List(&Text), "Other names that it answers to."),
        may("about", Text, "What it moves."),
        may("unit", Text, "Its unit as shown; rad if it is not said."),
        may(
            "range",
            Range(Place),
            "The lowest and the highest value that may be sent.",
        ),
        may(
            "rest",
            Figure(Place),
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
        may(
            "calibration",
            Table(&CALIBRATION),
            "From its unit to the board's counts.",
        ),
        may("board", Text, "The board that drives it."),
        may(
            "channel",
            Whole(0, 65_535),
            "Its output on that board; the next free one if it is not said.",
        ),
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

const GAINS: Shape = Shape {
    fields: &[
        may("p", NotBelow(Plain), "Proportional."),
        may("i", NotBelow(Plain), "Integral."),
        may("d", NotBelow(Plain), "Derivative."),
    ],
};

const CALIBRATION: Shape = Shape {
    fields: &[
        may(
            "gain",
            Figure(Plain),
            "Units for each count; negative for a motor mounted the other way round.",
        ),
        may("offset", Figure(Place), "The value at count zero."),
        may("whole", Flag, "Whether the board counts in whole numbers."),
    ],
};

const READING: Shape = Shape {
    fields: &[
        may(
            "name",
            Text,
            "Its name; the joint's, with what it measures.",
        ),
        may("path", Text, "Its long name."),
        may("aliases", List(&Text), "Other names that it answers to."),
        may(
            "board",
            Text,
            "The board that reads it; the joint's if it is not said.",
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
    ],
};

const TEMPERATURE: Shape = Shape {
    fields: &[
        may("name", Text, "Its name; the joint's, with `Temperature`."),
        may("path", Text, "Its long name."),
        may("aliases", List(&Text), "Other names that it answers to."),
        may(
            "board",
            Text,
            "The board that reads it; the joint's if it is not said.",
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
            "warm",
            Figure(Plain),
            "Up to here the motor has its full force, °C.",
        ),
        may("hot", Figure(Plain), "From here on it has none, °C."),
    ],
};

const STIFFNESS: Shape = Shape {
    fields: &[
        may("name", Text, "Its name; the joint's, with `Stiffness`."),
        may(
            "path",
            Text,
            "Its long name; `<joint>/Hardness/Actuator/Value` if it is not said.",
        ),
        may("aliases", List(&Text), "Other names that it answers to."),
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
        may(
            "channel",
            Whole(0, 65_535),
            "Its output on that board; the next free one if it is not said.",
        ),
        may(
            "calibration",
            Table(&CALIBRATION),
            "From its unit to the board's counts.",
        ),
    ],
};

const MOTOR: Shape = Shape {
    fields: &[
        may(
            "stops",
            Range(Place),
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

const LIGHT: Shape = Shape {
    fields: &[
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
            "channel",
            Whole(0, 65_535),
            "Its output on that board; the next free one if it is not said.",
        ),
    ],
};

const TRIGGER: Shape = Shape {
    fields: &[
        may(
            "path",
            Text,
            "Its long name; `<name>/Actuator/Value` if it is not said.",
        ),
        may("aliases", List(&Text), "Other names that it answers to."),
        must("range", Range(Plain), "The lowest and highest value."),
        may("board", Text, "The board that fires it."),
        may(
            "channel",
            Whole(0, 65_535),
            "Its output on that board; the next free one if it is not said.",
        ),
    ],
};

const SENSOR: Shape = Shape {
    fields: &[
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
            "reads",
            Figure(Plain),
            "In the simulation: what it reads until somebody sets it.",
        ),
    ],
};

const EXCLUSIVE: Shape = Shape {
    fields: &[
        must("members", List(&Text), "The actuators."),
        may(
            "contest",
            Word(&["refuse", "rank"]),
            "When a second lane wants them: it is refused, or the higher priority has them.",
        ),
    ],
};

const COUPLING: Shape = Shape {
    fields: &[
        must("driver", Text, "The joint whose place decides."),
        must("driven", Text, "The joint whose range it is."),
        must(
            "rows",
            List(&Table(&ROW)),
            "The range at some places of the driver, in rising order; a line between.",
        ),
    ],
};

const ROW: Shape = Shape {
    fields: &[
        must("at", Figure(Place), "Where the driver stands."),
        must("range", Range(Place), "The range there."),
    ],
};

const LINK: Shape = Shape {
    fields: &[
        may(
            "parent",
            Text,
            "The link that it hangs on; the root has none.",
        ),
        may(
            "joint",
            Text,
            "The joint that moves it against its parent; none if it is fixed.",
        ),
        may(
            "origin",
            Table(&ORIGIN),
            "Where it is, seen from its parent, while the joint stands at 0.",
        ),
        may(
            "axis",
            Point(Plain),
            "The axis about which, or along which, the joint moves it.",
        ),
        may(
            "slides",
            Flag,
            "Whether it slides along the axis instead of turning about it.",
        ),
        may("mass", NotBelow(Mass), "Its mass."),
        may("centre", Point(Length), "Its centre of mass."),
        may(
            "capsules",
            List(&Table(&CAPSULE)),
            "Its body for collisions: lines with a thickness.",
        ),
        may(
            "sole",
            List(&Point(Length)),
            "The corners with which it stands on the ground.",
        ),
    ],
};

const ORIGIN: Shape = Shape {
    fields: &[
        may("at", Point(Length), "The place."),
        may("turn", Point(Angle), "The turn: roll, pitch, yaw."),
    ],
};

const CAPSULE: Shape = Shape {
    fields: &[
        must("from", Point(Length), "Where the line begins."),
        must(
            "to",
            Point(Length),
            "Where it ends; the same place for a ball.",
        ),
        must("radius", Above(Length), "Its thickness."),
    ],
};

const GRANT: Shape = Shape {
    fields: &[
        may(
            "fuel",
            Whole(1_000, u32::MAX),
            "Fuel for each call of a hook.",
        ),
        may("memory", Whole(65_536, u32::MAX), "Bytes of memory."),
        may(
            "priority",
            Figure(Plain),
            "The highest priority that its lane may have.",
        ),
        may(
            "actuators",
            List(&Text),
            "What it may drive: names or aliases; everything if it is not said.",
        ),
        may(
            "wasi",
            List(&Word(&["clocks", "random", "stdout"])),
            "What it may use of WASI; nothing if it is not said.",
        ),
    ],
};

const SIMULATION: Shape = Shape {
    fields: &[may(
        "seed",
        Whole(0, u32::MAX),
        "The seed of every noise; 1 if it is not said.",
    )],
};
