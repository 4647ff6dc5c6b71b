//! What holds between actuators, as `robot.toml` describes it: groups, couplings, links, grants.
//! Part of the description in `shapes`.
//! The law: what is not described here is refused.

use crate::quantity::Dimension::{Angle, Length, Mass, Plain, Position};
use crate::schema::ValueKind::{
    Above, Figure, Flag, List, NotBelow, Point, Range, Table, Text, Whole, Word,
};
use crate::schema::words::{CONTESTS, words};
use crate::schema::{TableSchema, may, must};

const CONTEST: [&str; CONTESTS.len()] = words(&CONTESTS);

pub(super) const EXCLUSIVE: TableSchema = TableSchema {
    keys: &[
        must("members", List(&Text), "The actuators."),
        may(
            "contest",
            Word(&CONTEST),
            "When a second lane wants them: it is refused, or the higher priority has them.",
        ),
    ],
};

pub(super) const COUPLING: TableSchema = TableSchema {
    keys: &[
        must("driver", Text, "The joint whose place decides."),
        must("driven", Text, "The joint whose range it is."),
        must(
            "rows",
            List(&Table(&ROW)),
            "The range at some places of the driver, in rising order; a line between.",
        ),
    ],
};

const ROW: TableSchema = TableSchema {
    keys: &[
        must("at", Figure(Position), "Where the driver stands."),
        must("range", Range(Position), "The range there."),
    ],
};

pub(super) const LINK: TableSchema = TableSchema {
    keys: &[
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
        may(
            "ratio",
            Figure(Plain),
            "How far it moves for each step of the joint: 1 unless it follows by a gear or a linkage.",
        ),
        may(
            "offset",
            Figure(Position),
            "How far it has moved while the joint stands at 0.",
        ),
        may("mass", NotBelow(Mass), "Its mass."),
        may("centre", Point(Length), "Its centre of mass."),
        may(
            "capsules",
            List(&Table(&CAPSULE)),
            "Its body for collisions, where it is round: lines with a thickness.",
        ),
        may(
            "hulls",
            List(&Table(&HULL)),
            "Its body for collisions, where it has edges: what lies between corners.",
        ),
        may(
            "sole",
            List(&Point(Length)),
            "The corners with which it stands on the ground.",
        ),
    ],
};

const ORIGIN: TableSchema = TableSchema {
    keys: &[
        may("at", Point(Length), "The place."),
        may("turn", Point(Angle), "The turn: roll, pitch, yaw."),
    ],
};

const HULL: TableSchema = TableSchema {
    keys: &[must(
        "corners",
        List(&Point(Length)),
        "The corners of a body without dents, four or more that are not in a plane.",
    )],
};

const CAPSULE: TableSchema = TableSchema {
    keys: &[
        must("from", Point(Length), "Where the line begins."),
        must(
            "to",
            Point(Length),
            "Where it ends; the same place for a ball.",
        ),
        must("radius", Above(Length), "Its thickness."),
    ],
};

pub(super) const GRANT: TableSchema = TableSchema {
    keys: &[
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
            "What a score may use of WASI; nothing if it is not said.",
        ),
        may(
            "folder",
            Text,
            "The folder that a score sees as `/`, by WASI; none if it is not said.",
        ),
    ],
};

pub(super) const SIMULATION: TableSchema = TableSchema {
    keys: &[may(
        "seed",
        Whole(0, u32::MAX),
        "The seed of every noise; 1 if it is not said.",
    )],
};
