//! The links of a robot as a table in Rust, for choreographies that reach: `dcm-run config links`.
//! Called by `config`. The numbers are those of the description, to the last bit; what a link has as
//! `TreeLink::PLAIN` has it is left out.

use anyhow::{Result, bail};
use cycle::Kind;
use description::{LinkSpec, Robot};
use kinematics::{Rotation, TreeLink, Vec3};

/// The source of a module with the constant `NAME`.
pub(crate) fn source(robot: &Robot, name: Option<&str>) -> Result<String> {
    let name = constant(name.unwrap_or(&robot.name))?;
    if robot.links.is_empty() {
        bail!(
            "{} has no links; fix: describe them in its tables `links`, or import them: `dcm-run urdf import`",
            robot.name
        );
    }
    let joints = joints(robot);
    let mut rows = String::new();
    for joint in &joints {
        let spec = &robot.actuators[*joint];
        let (lowest, highest) = (number(spec.range.min), number(spec.range.max));
        rows += &format!(
            "    TreeJoint::new({:?}, {lowest}, {highest}),\n",
            spec.name
        );
    }
    rows += &format!("];\n\nconst {name}_LINKS: &[TreeLink<'static>] = &[\n");
    let all = robot.links.iter().map(|item| link(item, &joints));
    rows.extend(all);
    let used = [
        "Rotation",
        "Transform",
        "Tree",
        "TreeJoint",
        "TreeLink",
        "Vec3",
    ]
    .into_iter();
    let is_used = |text: &&str| {
        !["Rotation", "Transform", "Vec3"].contains(text) || rows.contains(&format!("{text}::"))
    };
    let used: Vec<_> = used.filter(is_used).collect();
    let used = used.join(", ");
    Ok(format!(
        "//! The table of the robot `{0}`: made from its description by `dcm-run config links`. Make it again when\n\
         //! that has changed.\n\n\
         // The compiler would have an angle of a description replaced by the constant that it is near to.\n\
         #![allow(clippy::approx_constant, reason = \"a description's numbers are its own\")]\n\n\
         use choreography::kinematics::{{{used}}};\n\n\
         /// The body of the robot `{0}`.\n\
         pub const {name}: Tree<'static> = Tree {{\n    links: {name}_LINKS,\n    joints: {name}_JOINTS,\n}};\n\n\
         const _: () = assert!({name}.fault().is_none());\n\n\
         const {name}_JOINTS: &[TreeJoint<'static>] = &[\n{rows}];\n",
        robot.name
    ))
}

/// A name as constants have it.
fn constant(name: &str) -> Result<String> {
    let letter = |c: char| {
        if c == '-' {
            '_'
        } else {
            c.to_ascii_uppercase()
        }
    };
    let all: String = name.chars().map(letter).collect();
    let is_one = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !all.starts_with(|c: char| c.is_ascii_alphabetic()) || !all.chars().all(is_one) {
        bail!(
            "`{name}` cannot be the name of a constant; fix: --name NAME, with letters, digits and `_`"
        );
    }
    Ok(all)
}

/// What moves a link. A wheel is no joint here: its value is a speed.
fn mover(robot: &Robot, link: &LinkSpec) -> Option<usize> {
    let joint = link.joint.map(|joint| usize::from(joint.0));
    joint.filter(|joint| robot.actuators[*joint].kind != Kind::Wheel)
}

/// The joints that move links, in the order in which links name them.
fn joints(robot: &Robot) -> Vec<usize> {
    let mut all = Vec::new();
    for joint in robot.links.iter().filter_map(|link| mover(robot, link)) {
        if !all.contains(&joint) {
            all.push(joint);
        }
    }
    all
}

fn link(spec: &LinkSpec, joints: &[usize]) -> String {
    let plain = TreeLink::PLAIN;
    let joint = spec.joint.map(|joint| usize::from(joint.0));
    let joint = joint.and_then(|value| joints.iter().position(|joint| *joint == value));
    let turn = Rotation::of_angles(spec.turn);
    let origin = if spec.turn == [0.0; 3] {
        let [x, y, z] = spec.at;
        format!("Transform::shift({x:?}, {y:?}, {z:?})")
    } else {
        format!(
            "Transform::new({}, Rotation::of_parts({:?}))",
            vector(spec.at),
            turn.parts()
        )
    };
    let fields = [
        (
            spec.parent.is_none(),
            "parent",
            format!("{:?}", spec.parent),
        ),
        (joint.is_none(), "joint", format!("{joint:?}")),
        (
            spec.at == [0.0; 3] && spec.turn == [0.0; 3],
            "origin",
            origin,
        ),
        (
            spec.axis == <[f64; 3]>::from(plain.axis),
            "axis",
            vector(spec.axis),
        ),
        (!spec.slides, "slides", format!("{:?}", spec.slides)),
        (
            spec.ratio == plain.ratio,
            "ratio",
            format!("{:?}", spec.ratio),
        ),
        (
            spec.offset == plain.offset,
            "offset",
            format!("{:?}", spec.offset),
        ),
        (spec.mass == plain.mass, "mass", format!("{:?}", spec.mass)),
        (spec.centre == [0.0; 3], "centre", vector(spec.centre)),
    ];
    let mut row = format!("    TreeLink {{\n        name: {:?},\n", spec.name);
    for (_, key, value) in fields.iter().filter(|field| !field.0) {
        row += &format!("        {key}: {value},\n");
    }
    if fields.iter().any(|field| field.0) {
        row += "        ..TreeLink::PLAIN\n";
    }
    row + "    },\n"
}

fn vector(value: [f64; 3]) -> String {
    let named = [
        ("ZERO", Vec3::ZERO),
        ("X", Vec3::X),
        ("Y", Vec3::Y),
        ("Z", Vec3::Z),
    ];
    match named
        .iter()
        .find(|named| <[f64; 3]>::from(named.1) == value)
    {
        Some((name, _)) => format!("Vec3::{name}"),
        None => format!("Vec3::new({:?}, {:?}, {:?})", value[0], value[1], value[2]),
    }
}

fn number(value: f64) -> String {
    match value {
        f64::INFINITY => "f64::INFINITY".to_owned(),
        f64::NEG_INFINITY => "f64::NEG_INFINITY".to_owned(),
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use description::{RobotSource, load};

    use super::{constant, source};

    /// What remains of a table without what rustfmt and the crate's own head are free to do.
    fn rows(text: &str) -> String {
        let from = text.find("const _: () = assert!").expect("a table");
        text[from..].replace(',', " ").split_whitespace().collect()
    }

    #[test]
    fn the_tables_of_the_sdk_are_those_of_the_robots() {
        let tables = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../guest-sdk/rust/kinematics/tables"
        );
        for name in ["nao", "hexapod"] {
            let robot = load(&RobotSource::of(name)).expect("a shipped robot");
            let made = source(&robot, None).expect("a table");
            let kept = std::fs::read_to_string(format!("{tables}/{name}.rs")).expect("a table");
            assert_eq!(rows(&made), rows(&kept), "{name}");
        }
    }

    #[test]
    fn a_name_is_that_of_a_constant() {
        assert_eq!(constant("aibo-ers7").expect("a name"), "AIBO_ERS7");
        for name in ["", "7up", "a b", "é"] {
            let error = constant(name).expect_err("no name").to_string();
            assert!(error.contains("fix: --name"), "{error}");
        }
    }

    #[test]
    fn a_robot_without_links_has_no_table() {
        let mut robot = load(&RobotSource::of("desk")).expect("a shipped robot");
        robot.links.clear();
        let error = source(&robot, None).expect_err("no links").to_string();
        assert!(error.contains("desk has no links; fix: "), "{error}");
    }
}
