//! The links of a robot as a table in Rust, for choreographies that reach: `dcm-run config links`.
//! Called by `config`. The law: the numbers are those of the description, to the last bit; what a link has as
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
    let all = robot.links.iter().map(|it| link(it, &joints));
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
    let is_used = |it: &&str| {
        !["Rotation", "Transform", "Vec3"].contains(it) || rows.contains(&format!("{it}::"))
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
    let letter = |it: char| {
        if it == '-' {
            '_'
        } else {
            it.to_ascii_uppercase()
        }
    };
    let all: String = name.chars().map(letter).collect();
    let is_one = |it: char| it.is_ascii_alphanumeric() || it == '_';
    if !all.starts_with(|it: char| it.is_ascii_alphabetic()) || !all.chars().all(is_one) {
        bail!(
            "`{name}` cannot be the name of a constant; fix: --name NAME, with letters, digits and `_`"
        );
    }
    Ok(all)
}

/// What moves a link. A wheel is no joint here: its value is a speed.
fn mover(robot: &Robot, link: &LinkSpec) -> Option<usize> {
    let joint = link.joint.map(|it| usize::from(it.0));
    joint.filter(|it| robot.actuators[*it].kind != Kind::Wheel)
}

/// The joints that move links, in the order in which links name them.
fn joints(robot: &Robot) -> Vec<usize> {
    let mut all = Vec::new();
    for joint in robot.links.iter().filter_map(|it| mover(robot, it)) {
        if !all.contains(&joint) {
            all.push(joint);
        }
    }
    all
}

fn link(it: &LinkSpec, joints: &[usize]) -> String {
    let plain = TreeLink::PLAIN;
    let joint = it.joint.map(|it| usize::from(it.0));
    let joint = joint.and_then(|it| joints.iter().position(|joint| *joint == it));
    let turn = Rotation::of_angles(it.turn);
    let origin = if it.turn == [0.0; 3] {
        let [x, y, z] = it.at;
        format!("Transform::shift({x:?}, {y:?}, {z:?})")
    } else {
        format!(
            "Transform::new({}, Rotation::of_parts({:?}))",
            vector(it.at),
            turn.parts()
        )
    };
    let fields = [
        (it.parent.is_none(), "parent", format!("{:?}", it.parent)),
        (joint.is_none(), "joint", format!("{joint:?}")),
        (it.at == [0.0; 3] && it.turn == [0.0; 3], "origin", origin),
        (
            it.axis == <[f64; 3]>::from(plain.axis),
            "axis",
            vector(it.axis),
        ),
        (!it.slides, "slides", format!("{:?}", it.slides)),
        (it.ratio == plain.ratio, "ratio", format!("{:?}", it.ratio)),
        (
            it.offset == plain.offset,
            "offset",
            format!("{:?}", it.offset),
        ),
        (it.mass == plain.mass, "mass", format!("{:?}", it.mass)),
        (it.centre == [0.0; 3], "centre", vector(it.centre)),
    ];
    let mut row = format!("    TreeLink {{\n        name: {:?},\n", it.name);
    for (_, key, value) in fields.iter().filter(|it| !it.0) {
        row += &format!("        {key}: {value},\n");
    }
    if fields.iter().any(|it| it.0) {
        row += "        ..TreeLink::PLAIN\n";
    }
    row + "    },\n"
}

fn vector(it: [f64; 3]) -> String {
    let named = [
        ("ZERO", Vec3::ZERO),
        ("X", Vec3::X),
        ("Y", Vec3::Y),
        ("Z", Vec3::Z),
    ];
    match named.iter().find(|named| <[f64; 3]>::from(named.1) == it) {
        Some((name, _)) => format!("Vec3::{name}"),
        None => format!("Vec3::new({:?}, {:?}, {:?})", it[0], it[1], it[2]),
    }
}

fn number(it: f64) -> String {
    match it {
        f64::INFINITY => "f64::INFINITY".to_owned(),
        f64::NEG_INFINITY => "f64::NEG_INFINITY".to_owned(),
        it => format!("{it:?}"),
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
