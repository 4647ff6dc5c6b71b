//! What holds between actuators, as `robot.toml` describes it: groups, couplings, links, grants.
//! Part of `keys`.
//! What is not described here is refused.

use drivers::sim::BodyStart;

use crate::quantity::Dimension::{Angle, Length, Mass, Plain, Position};
use crate::schema::ValueKind::{
    Above, Figure, Flag, List, Named, NotBelow, Point, Range, Table, Text, Whole, Word,
};
use crate::schema::words::{GROUP_RULES, words};
use crate::schema::{TableSchema, may, must};

const CONTEST: [&str; GROUP_RULES.len()] = words(&GROUP_RULES);

pub(super) const EXCLUSIVE: TableSchema = TableSchema {
    keys: &[
        must("members", List(&Text), "The actuators."),
        may(
            "contest",
            Word(&CONTEST),
            "What happens when a second lane drives a member: the lane is refused, or the higher priority wins \
             (default: refuse).",
        ),
    ],
};

pub(super) const COUPLING: TableSchema = TableSchema {
    keys: &[
        must("driver", Text, "The joint whose position decides."),
        must("driven", Text, "The joint whose range depends on it."),
        must(
            "rows",
            List(&Table(&ROW)),
            "The range at some positions of the driver, in rising order; between them it is interpolated.",
        ),
    ],
};

const ROW: TableSchema = TableSchema {
    keys: &[
        must("at", Figure(Position), "The position of the driver."),
        must("range", Range(Position), "The range there."),
    ],
};

pub(super) const LINK: TableSchema = TableSchema {
    keys: &[
        may("parent", Text, "The parent link; the root has none."),
        may(
            "joint",
            Text,
            "The joint that moves it relative to its parent (default: none, it is fixed).",
        ),
        may(
            "origin",
            Table(&ORIGIN),
            "Its pose relative to its parent while the joint is at 0.",
        ),
        may(
            "axis",
            Point(Plain),
            "The axis that it turns about, or slides along (default: z).",
        ),
        may(
            "slides",
            Flag,
            "Whether it slides along the axis instead of turning about it (default: false).",
        ),
        may(
            "ratio",
            Figure(Plain),
            "How far it moves per unit of the joint, as through a gear or a linkage (default: 1).",
        ),
        may(
            "offset",
            Figure(Position),
            "How far it has moved while the joint is at 0 (default: 0).",
        ),
        may("mass", NotBelow(Mass), "Its mass."),
        may("centre", Point(Length), "Its centre of mass."),
        may(
            "inertia",
            Table(&INERTIA),
            "Its inertia about the centre of mass, along its axes, kg·m² (default: that of its capsules).",
        ),
        may(
            "capsules",
            List(&Table(&CAPSULE)),
            "Its rounded collision shapes: line segments with a radius.",
        ),
        may(
            "hulls",
            List(&Table(&HULL)),
            "Its convex collision shapes, by their corners.",
        ),
        may(
            "sole",
            List(&Point(Length)),
            "The corners of its sole, which stands on the ground.",
        ),
        may(
            "friction",
            NotBelow(Plain),
            "The coefficient of friction of its surface (default: 0.8).",
        ),
        may(
            "wheel",
            Table(&WHEEL_SHAPE),
            "Its rolling shape, around the joint's axis (default for a wheel: from the place of its sole).",
        ),
    ],
};

const ORIGIN: TableSchema = TableSchema {
    keys: &[
        may("at", Point(Length), "The position."),
        may("turn", Point(Angle), "The rotation: roll, pitch, yaw."),
    ],
};

const INERTIA: TableSchema = TableSchema {
    keys: &[
        must("moments", Point(Plain), "The moments: xx, yy, zz."),
        may(
            "products",
            Point(Plain),
            "The other entries of the tensor: xy, xz, yz, with the signs of a URDF (default: 0).",
        ),
    ],
};

const WHEEL_SHAPE: TableSchema = TableSchema {
    keys: &[
        must("radius", Above(Length), "The radius."),
        must("width", Above(Length), "The width."),
    ],
};

const HULL: TableSchema = TableSchema {
    keys: &[must(
        "corners",
        List(&Point(Length)),
        "The corners of a convex body: at least four, and not all in one plane.",
    )],
};

const CAPSULE: TableSchema = TableSchema {
    keys: &[
        must("from", Point(Length), "The start of the segment."),
        must(
            "to",
            Point(Length),
            "The end of the segment; the same point for a sphere.",
        ),
        must("radius", Above(Length), "The radius."),
    ],
};

pub(super) const GRANT: TableSchema = TableSchema {
    keys: &[
        may(
            "fuel",
            Whole(1_000, u32::MAX),
            "The fuel for each call of a hook.",
        ),
        may(
            "memory",
            Whole(65_536, u32::MAX),
            "The memory limit, in bytes.",
        ),
        may(
            "priority",
            Figure(Plain),
            "The highest priority that its lane can have.",
        ),
        may(
            "actuators",
            List(&Text),
            "The actuators and aliases that it can drive (default: all).",
        ),
        may(
            "wasi",
            List(&Word(&["clocks", "random", "stdout"])),
            "The parts of WASI that a score can use (default: none). Its standard output is always in the \
             log: `stdout` changes nothing.",
        ),
        may(
            "folder",
            Text,
            "The folder that a score sees as `/` through WASI (default: none).",
        ),
    ],
};

pub(super) const SIMULATION: TableSchema = TableSchema {
    keys: &[
        may(
            "seed",
            Whole(0, u32::MAX),
            "The seed of all noise (default: 1).",
        ),
        may(
            "physics",
            Flag,
            "Whether the body has weight and stands on a floor (default: true, if its links have masses and shapes). \
             The first link and those that joints move need a `mass`.",
        ),
        may(
            "start",
            Word(&BodyStart::NAMES),
            "With physics: how the body is placed at first (default: `standing`).",
        ),
        may(
            "sitting",
            Named(&Figure(Position)),
            "How a body that starts `sitting` does so: a position for each joint.",
        ),
    ],
};
