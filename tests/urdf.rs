//! Importing URDFs: what they say is kept, what cannot be kept is reported, errors are reported with their line.

use std::f64::consts::PI;
use std::fmt::Write;

use description::urdf::{ImportOptions, Imported, UrdfFault, Wheels, import};
use description::{LinkSpec, Robot, RobotSource, SHIPPED, load, parse};
use kinematics::{Rotation, Vec3};
use proptest::prelude::*;

fn brought(urdf: &str, wheels: bool) -> (Imported, Robot) {
    let file = "test.urdf".to_owned();
    let imported = import(
        urdf,
        &ImportOptions {
            file,
            wheels: if wheels { Wheels::All } else { Wheels::None },
            ..ImportOptions::default()
        },
        &mut (),
    );
    let imported = imported.unwrap_or_else(|faults| panic!("{faults}\nof {urdf}"));
    let robot = parse("test", &imported.text);
    let robot = robot.unwrap_or_else(|error| panic!("{error}\nof\n{}", imported.text));
    (imported, robot)
}

fn refused(urdf: &str) -> String {
    match import(urdf, &ImportOptions::default(), &mut ()) {
        Ok(imported) => panic!("it was taken:\n{urdf}\nas\n{}", imported.text),
        Err(faults) => faults.to_string(),
    }
}

fn link<'r>(robot: &'r Robot, name: &str) -> &'r LinkSpec {
    let found = robot.links.iter().find(|link| link.name == name);
    found.unwrap_or_else(|| panic!("no link {name}"))
}

fn joint<'r>(robot: &'r Robot, name: &str) -> &'r description::ActuatorSpec {
    let id = robot.actuator(name);
    &robot.actuators[usize::from(id.unwrap_or_else(|| panic!("no joint {name}")).0)]
}

/// A robot of two links and one joint with this inside.
fn pair(kind: &str, inside: &str) -> String {
    format!(
        "<robot name=\"pair\">\n<link name=\"a\"/>\n<link name=\"b\"/>\n\
         <joint name=\"j\" type=\"{kind}\">\n<parent link=\"a\"/><child link=\"b\"/>\n{inside}\n</joint>\n</robot>\n"
    )
}

const LIMIT: &str = r#"<limit lower="-1" upper="1" effort="2" velocity="3"/>"#;

const ARM: &str = r#"<?xml version="1.0"?>
<robot name="Ben's arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base">
    <inertial><origin xyz="0 0 0.03"/><mass value="1.25"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <visual><geometry><mesh filename="base.stl"/></geometry></visual>
    <collision><origin xyz="0 0 0.05"/><geometry><cylinder radius="0.04" length="0.1"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.1" rpy="0 0 1.5707963267948966"/>
    <parent link="base"/><child link="upper-arm"/>
    <axis xyz="0 2 0"/>
    <limit lower="-2.1" upper="1.5707963267948966" effort="4.5" velocity="2.5"/>
    <dynamics damping="0.5" friction="0.1"/>
    <safety_controller soft_lower_limit="-2" soft_upper_limit="9" k_velocity="1"/>
  </joint>
  <link name="upper-arm">
    <inertial><mass value="0.5"/></inertial>
    <collision><origin xyz="0.1 0 0"/><geometry><box size="0.2 0.04 0.03"/></geometry></collision>
  </link>
  <joint name="tool" type="fixed">
    <origin xyz="0.2 0 0"/><parent link="upper-arm"/><child link="tool"/>
  </joint>
  <link name="tool"><visual><geometry><sphere radius="0.02"/></geometry></visual></link>
  <gazebo reference="tool"><link/></gazebo>
</robot>
"#;

#[test]
fn an_arm_keeps_its_tree_its_limits_its_masses_and_its_shapes() {
    let (imported, robot) = brought(ARM, false);
    assert_eq!(imported.warnings, [""; 0]);
    assert_eq!((imported.joints, imported.links), (1, 3));
    assert_eq!(robot.name, "Ben's arm");
    let shoulder = joint(&robot, "shoulder");
    assert_eq!((shoulder.range.min, shoulder.range.max), (-2.0, PI / 2.0));
    assert_eq!((shoulder.velocity, shoulder.unit.as_str()), (2.5, "rad"));
    let motor = shoulder.motor.expect("a motor");
    assert_eq!((motor.torque, motor.speed), (4.5, 2.5));
    assert!(shoulder.sensor.is_some(), "it is measured");
    let base = link(&robot, "base");
    assert_eq!((base.mass, base.centre), (1.25, [0.0, 0.0, 0.03]));
    // A cylinder of 4 cm: all corners of its prism are on a circle a little wider, at both ends.
    let corners = &base.hulls[0];
    assert!(base.capsules.is_empty() && base.hulls.len() == 1);
    for [x, y, z] in corners {
        assert!((0.04..0.0404).contains(&x.hypot(*y)), "{x} {y}");
        assert!(*z == 0.0 || *z == 0.1, "{z}");
    }
    let upper = link(&robot, "upper-arm");
    assert_eq!(
        (upper.at, upper.turn),
        ([0.0, 0.0, 0.1], [0.0, 0.0, PI / 2.0])
    );
    assert_eq!(
        (upper.axis, upper.parent, upper.slides),
        ([0.0, 1.0, 0.0], Some(0), false)
    );
    // A box of 20 by 4 by 3 cm, 10 cm out: its own corners.
    let mut corners = upper.hulls[0].clone();
    corners.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    let ends = |x: f64| {
        [
            [x, -0.02, -0.015],
            [x, -0.02, 0.015],
            [x, 0.02, -0.015],
            [x, 0.02, 0.015],
        ]
    };
    assert_eq!(corners, [ends(0.0), ends(0.2)].concat());
    let tool = link(&robot, "tool");
    assert_eq!(
        (tool.joint, tool.at, tool.parent),
        (None, [0.2, 0.0, 0.0], Some(1))
    );
    assert_eq!(tool.capsules[0].from, tool.capsules[0].to);
    assert!(
        imported
            .text
            .contains("narrowed from [-2.1, 1.5707963267948966] by the safety controller")
    );
}

#[test]
fn the_same_file_gives_the_same_bytes_with_remarks() {
    let first = brought(ARM, false).0;
    assert_eq!(first, brought(ARM, false).0);
    assert!(
        first
            .text
            .starts_with("# Ben's arm, imported from test.urdf.\n"),
        "{}",
        first.text
    );
    let longest = first.text.lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(120), "{longest:?}");
}

#[test]
fn what_slides_is_in_metres() {
    let limit = r#"<axis xyz="0 0 -1"/><limit upper="0.25" effort="80" velocity="0.5"/>"#;
    let (_, robot) = brought(&pair("prismatic", limit), false);
    let slide = joint(&robot, "j");
    assert_eq!(
        (slide.unit.as_str(), slide.range.min, slide.range.max),
        ("m", 0.0, 0.25)
    );
    assert!(link(&robot, "b").slides);
    assert_eq!(link(&robot, "b").axis, [0.0, 0.0, -1.0]);
}

#[test]
fn an_axis_that_is_not_said_is_x() {
    assert_eq!(
        link(&brought(&pair("revolute", LIMIT), false).1, "b").axis,
        [1.0, 0.0, 0.0]
    );
}

#[test]
fn what_turns_without_end_turns_to_and_fro_or_is_a_wheel() {
    let endless = r#"<limit lower="-1e16" upper="1e16" effort="2" velocity="3"/>"#;
    for urdf in [pair("continuous", LIMIT), pair("revolute", endless)] {
        let (imported, robot) = brought(&urdf, false);
        let turning = joint(&robot, "j");
        assert_eq!(
            (turning.range.min, turning.range.max, turning.velocity),
            (-PI, PI, 3.0)
        );
        assert!(
            imported.text.contains("# j: continuous"),
            "{}",
            imported.text
        );
        let (imported, robot) = brought(&urdf, true);
        let wheel = joint(&robot, "j");
        assert_eq!(
            (wheel.kind, wheel.unit.as_str()),
            (cycle::Kind::Wheel, "rad/s")
        );
        assert_eq!((wheel.range.min, wheel.range.max), (-3.0, 3.0));
        assert_eq!((imported.joints, imported.warnings.len()), (1, 0));
    }
    // A joint with limits is no wheel, whatever the answer is.
    assert_eq!(
        joint(&brought(&pair("revolute", LIMIT), true).1, "j").kind,
        cycle::Kind::Joint
    );
    let (imported, robot) = brought(&pair("continuous", ""), true);
    assert_eq!(joint(&robot, "j").range.max, 10.0);
    assert!(
        imported.warnings[0]
            .contains("line 4: the joint `j`: no velocity limit: assuming 10 rad/s")
    );
}

#[test]
fn limits_that_say_nothing_are_told_and_made_cautious() {
    let zero = r#"<limit lower="-1" upper="1" effort="0" velocity="0"/>"#;
    let (imported, robot) = brought(&pair("revolute", zero), false);
    assert_eq!(joint(&robot, "j").velocity, 1.0);
    assert_eq!(
        imported.warnings,
        [
            "line 4: the joint `j`: no velocity limit: assuming 1 rad/s",
            "line 4: the joint `j`: no effort limit: the simulated motor is a small servo",
        ]
    );
    let still = r#"<limit lower="0" upper="0" effort="1" velocity="1"/>"#;
    let (imported, _) = brought(&pair("revolute", still), false);
    assert_eq!(
        imported.warnings,
        ["line 4: the joint `j`: cannot move: its range is a single value"]
    );
}

/// A finger that leads, and one that follows with this `<mimic>`.
fn fingers(mimic: &str) -> String {
    format!(
        "<robot name=\"hand\"><link name=\"palm\"/><link name=\"left\"/><link name=\"right\"/>\n\
         <joint name=\"right\" type=\"revolute\"><parent link=\"palm\"/><child link=\"right\"/>\
         <axis xyz=\"0 0 1\"/><limit effort=\"1\" velocity=\"1\"/>{mimic}</joint>\n\
         <joint name=\"left\" type=\"revolute\"><parent link=\"palm\"/><child link=\"left\"/>\
         <axis xyz=\"0 0 1\"/>{LIMIT}</joint></robot>"
    )
}

#[test]
fn a_finger_that_mimics_is_moved_by_the_one_that_leads() {
    let (imported, robot) = brought(&fingers("<mimic joint=\"left\"/>"), false);
    assert_eq!((imported.joints, imported.warnings.len()), (1, 0));
    assert_eq!(link(&robot, "right").joint, robot.actuator("left"));
    let (_, robot) = brought(&fingers("<mimic joint=\"left\" multiplier=\"-1\"/>"), false);
    assert_eq!(link(&robot, "right").joint, robot.actuator("left"));
    assert_eq!(
        link(&robot, "right").axis,
        [0.0, 0.0, -1.0],
        "the other way round"
    );
    let (imported, robot) = brought(
        &fingers("<mimic joint=\"left\" multiplier=\"-0.5\" offset=\"0.1\"/>"),
        false,
    );
    let right = link(&robot, "right");
    assert_eq!(imported.warnings, [""; 0]);
    // 0.1 - 0.5 q about z is 0.5 q - 0.1 about -z.
    assert_eq!(
        (right.joint, right.axis, right.ratio, right.offset),
        (robot.actuator("left"), [0.0, 0.0, -1.0], 0.5, -0.1)
    );
}

#[test]
fn meshes_and_shapes_of_no_size_get_no_capsule_and_are_told() {
    let of = |inside: &str| format!("<robot name=\"r\">\n<link name=\"a\">{inside}</link></robot>");
    let mesh = "<collision><geometry><mesh filename=\"package://x/y.stl\"/></geometry></collision>";
    let ball = "<visual><geometry><sphere radius=\"0.1\"/></geometry></visual>";
    let (imported, robot) = brought(&of(mesh), false);
    assert!(link(&robot, "a").capsules.is_empty());
    assert!(
        imported.warnings[0].starts_with(
            "line 2: the link `a` has a mesh, \"package://x/y.stl\", which is not read"
        ),
        "{:?}",
        imported.warnings
    );
    let (imported, robot) = brought(&of(&format!("{mesh}{ball}")), false);
    assert_eq!(
        link(&robot, "a").capsules.len(),
        1,
        "the looks serve where the collisions do not"
    );
    assert_eq!(imported.warnings.len(), 1);
    let flat = "<collision><geometry><box size=\"0 0 0\"/></geometry></collision>";
    let (imported, robot) = brought(&of(flat), false);
    assert!(link(&robot, "a").capsules.is_empty());
    assert!(imported.warnings[0].contains("a shape of size zero"));
    let (imported, robot) = brought(&of(&ball.repeat(70)), false);
    assert_eq!(
        (link(&robot, "a").capsules.len(), imported.warnings.len()),
        (64, 1)
    );
}

#[test]
fn ros2_control_narrows_ranges_and_speeds_where_it_is_simple() {
    let command = |name: &str, low: &str, high: &str| {
        format!(
            "<command_interface name='{name}'><param name='min'>{low}</param>\
             <param name='max'>{high}</param></command_interface>"
        )
    };
    let control = format!(
        "<ros2_control name='x' type='system'><joint name='j'>{}{}\
         <state_interface name='position'/></joint></ros2_control></robot>",
        command("position", "-0.5", "3"),
        command("velocity", "-2", "2.5")
    );
    let urdf = pair("revolute", LIMIT).replace("</robot>", &control);
    let (_, robot) = brought(&urdf, false);
    let value = joint(&robot, "j");
    assert_eq!(
        (value.range.min, value.range.max, value.velocity),
        (-0.5, 1.0, 2.0)
    );
    let (_, robot) = brought(&urdf.replace("revolute", "continuous"), false);
    assert_eq!(
        joint(&robot, "j").range.max,
        3.0,
        "what turns without end has the range that commands have"
    );
    let (imported, robot) = brought(&urdf.replace("-0.5<", "PI<"), false);
    assert_eq!(joint(&robot, "j").range.min, -1.0);
    assert!(
        imported.warnings[0].contains("`min` of the joint `j` in `<ros2_control>` is not a number")
    );
}

#[test]
fn joints_of_many_freedoms_are_fixed_and_told() {
    for kind in ["floating", "planar"] {
        let (imported, robot) = brought(&pair(kind, ""), false);
        assert_eq!((imported.joints, link(&robot, "b").joint), (0, None));
        assert!(
            imported.warnings[0].starts_with(
                "line 4: the joint `j`, of the link `b`: has several degrees of freedom"
            )
        );
    }
}

#[test]
fn names_that_a_description_cannot_have_are_changed_and_told() {
    let long = "x".repeat(60);
    let urdf = format!(
        "<robot name='n&quot;\\&#10;n'><link name='a{{1,2}}'/><link name='b=&quot;&#10;[x]'/><link name='a_1_2_'/>\
         <link name='c'/>\
         <joint name='{long}1' type='revolute'><parent link='a{{1,2}}'/><child link='c'/>{LIMIT}</joint>\
         <joint name='{long}2' type='revolute'><parent link='c'/><child link='a_1_2_'/>{LIMIT}</joint>\
         <joint name='$(x)' type='revolute'><parent link='c'/><child link='b=&quot;&#10;[x]'/>{LIMIT}</joint></robot>"
    );
    let (imported, robot) = brought(&urdf, false);
    assert_eq!(robot.name, "n\"\\\nn");
    let names: Vec<_> = robot
        .actuators
        .iter()
        .map(|actuator| actuator.name.as_str())
        .collect();
    let short = "x".repeat(47);
    let second = format!("{}_2", "x".repeat(45));
    assert_eq!(names, [short.as_str(), second.as_str(), "__x_"]);
    let names: Vec<_> = robot.links.iter().map(|link| link.name.as_str()).collect();
    assert_eq!(names, ["a_1_2__2", "c", "a_1_2_", "b____x_"]);
    assert_eq!(imported.warnings.len(), 5, "{:?}", imported.warnings);
}

#[test]
fn broken_urdfs_are_refused_with_the_line_and_the_thing() {
    let joint = |inside: &str| pair("revolute", inside);
    let twice = |text: &str| format!("<robot name=\"r\">\n<link name=\"a\"/>\n{text}</robot>");
    let tie = |parent: &str, child: &str| {
        format!(
            "<joint name='k' type='fixed'><parent link='{parent}'/><child link='{child}'/></joint></robot>"
        )
    };
    let cases = [
        (String::new(), "invalid XML"),
        ("<robot".to_owned(), "line 1: invalid XML"),
        (
            "<robot name='r'>\n<link name='a'>\n</robot>".to_owned(),
            "line 3: invalid XML",
        ),
        (
            "<robot name='r'><link name='&boom;'/></robot>".to_owned(),
            "invalid XML",
        ),
        (
            "<!DOCTYPE r [<!ENTITY a 'b'>]><robot name='r'/>".to_owned(),
            "invalid XML",
        ),
        ("\u{0}\u{1}".to_owned(), "invalid XML"),
        (
            "<sdf><model/></sdf>".to_owned(),
            "line 1: this is not a URDF: its first element is `<sdf>`",
        ),
        (
            "<robot><link name='a'/></robot>".to_owned(),
            "line 1: the robot has no name",
        ),
        (
            "<robot name='r'>\n</robot>".to_owned(),
            "the robot has no `<link>`",
        ),
        (
            "<robot name='r'><xacro:if value='1'/></robot>".to_owned(),
            "this is a xacro file",
        ),
        (
            "<robot name='r' xmlns:xacro='http://x/xacro'><xacro:if/></robot>".to_owned(),
            "this is a xacro file",
        ),
        (
            joint(&LIMIT.replace("-1", "${low}")),
            "line 6: this is a xacro file",
        ),
        (twice("<link/>"), "line 3: a link has no name"),
        (
            twice("<link name='a'/>"),
            "line 3: the link `a` is described twice",
        ),
        (
            twice("<link name='b'/>\n<link name='c'/>"),
            "line 3: 3 links have no parent, and a robot has one root: `a`, `b`, `c`",
        ),
        (
            twice("<joint name='j' type='fixed'><parent link='a'/></joint>"),
            "the joint `j` has no `<child link",
        ),
        (
            joint(LIMIT).replace("parent link=\"a\"", "parent link='A1'"),
            "line 4: the joint `j` names the link `A1`",
        ),
        (
            joint(LIMIT).replace("link name=\"b\"", "link name='bb'"),
            "did you mean",
        ),
        (joint(""), "line 4: the joint `j` has no `<limit"),
        (
            joint("<limit effort='1' velocity='1'/>"),
            "line 6: `<limit>` of the joint `j` has no `lower` and `upper`",
        ),
        (
            joint("<limit lower='0' upper='1' effort='1'/>"),
            "line 6: `<limit>` of the joint `j` has no velocity",
        ),
        (
            joint(&LIMIT.replace("-1", "2")),
            "line 6: the limits of the joint `j` are crossed: `lower` is 2",
        ),
        (
            joint(&LIMIT.replace("-1", "NaN")),
            "line 6: `lower` of the joint `j` is `NaN`: expected a finite number",
        ),
        (
            joint(&LIMIT.replace("-1", "-1e999")),
            "is `-1e999`: expected a finite number",
        ),
        (
            joint(&LIMIT.replace("-1", "-1e300")),
            "`lower` of the joint `j` is -1",
        ),
        (
            joint(&LIMIT.replace("\"3\"", "\"-3\"")),
            "line 6: `velocity` of the joint `j` is -3: expected zero or more",
        ),
        (
            joint(&format!("{LIMIT}<axis xyz='0 0 0'/>")),
            "line 4: the axis of the joint `j` has no length",
        ),
        (
            joint(&format!("{LIMIT}<axis xyz='0 1'/>")),
            "`xyz` of the joint `j` is `0 1`: expected three finite numbers",
        ),
        (
            joint(&format!("{LIMIT}<origin rpy='0 inf 0'/>")),
            "`rpy` of the joint `j` is `0 inf 0`",
        ),
        (
            joint(&format!("{LIMIT}<origin xyz='0 1e300 0'/>")),
            "expected at most a million",
        ),
        (
            joint(&format!("{LIMIT}<mimic joint='j'/>")),
            "line 4: the joint `j` mimics itself",
        ),
        (
            joint(&format!("{LIMIT}<mimic joint='i'/>")),
            "names the joint `i`, which is not described; did you mean `j`?",
        ),
        (
            joint(&format!("{LIMIT}<mimic/>")),
            "`<mimic>` of the joint `j` has no `joint=\"...\"`",
        ),
        (
            pair("ball", ""),
            "line 4: the joint `j` has the unknown type `ball`: expected revolute",
        ),
        (
            joint(LIMIT).replace("child link=\"b\"", "child link='a'"),
            "form a ring",
        ),
        (
            joint(LIMIT).replace("</robot>", &tie("b", "a")),
            "line 2: the links `",
        ),
        (
            joint(LIMIT).replace("</robot>", &tie("a", "b")),
            "line 8: the link `b` is the child of two joints, `j` and `k`",
        ),
        (
            twice("<link name='b'><inertial><mass value='-1'/></inertial></link>"),
            "line 3: `value` of the link `b` is -1: expected zero or more",
        ),
        (
            twice("<link name='b'><inertial/></link>"),
            "`<inertial>` of the link `b` has no `<mass>`",
        ),
        (
            twice("<link name='b'><visual><geometry><sphere/></geometry></visual></link>"),
            "has no radius",
        ),
        (
            twice(
                "<link name='b'><visual><geometry><box size='1 -1 1'/></geometry></visual></link>",
            ),
            "`size` of the link `b` is -1",
        ),
    ];
    for (urdf, wanted) in cases {
        let error = refused(&urdf);
        assert!(
            error.contains(wanted),
            "wanted {wanted}, got {error}, of\n{urdf}"
        );
    }
}

#[test]
fn all_mistakes_are_told_at_once_in_the_order_of_the_file() {
    let urdf = "<robot name='r'>\n<joint name='j' type='revolute'>\n\
                <limit lower='x' upper='y' effort='1' velocity='1'/>\n\
                </joint>\n<link/>\n</robot>";
    let faults =
        import(urdf, &ImportOptions::default(), &mut ()).expect_err("it is full of mistakes");
    let lines: Vec<_> = faults.0.iter().map(|pair| pair.0).collect();
    assert_eq!(
        lines,
        [Some(2), Some(2), Some(3), Some(3), Some(5)],
        "{faults}"
    );
}

#[test]
fn what_is_too_large_too_deep_or_too_long_is_refused_or_taken_but_never_a_panic() {
    let deep = "<robot name=\"r\"><link name=\"a\"/>".to_owned()
        + &"<x>".repeat(100_000)
        + &"</x>".repeat(100_000);
    brought(&(deep + "</robot>"), false);
    let mut many = "<robot name=\"r\">".to_owned();
    for number in 0..5000 {
        let _ = write!(many, "<link name=\"l{number}\"/>");
    }
    assert!(refused(&(many + "</robot>")).contains("more than 4096 links"));
    let mut chain = "<robot name=\"r\"><link name=\"l0\"/>".to_owned();
    for number in 1..1000 {
        let before = number - 1;
        let _ = write!(
            chain,
            "<link name=\"l{number}\"/><joint name=\"j{number}\" type=\"revolute\"><parent link=\"l{before}\"/>\
             <child link=\"l{number}\"/>{LIMIT}</joint>"
        );
    }
    assert_eq!(brought(&(chain + "</robot>"), false).1.links.len(), 1000);
    let attributes: String = (0..200_000)
        .map(|number| format!(" a{number}=\"\""))
        .collect();
    let crowded = format!("<robot name=\"r\"><link{attributes}/></robot>");
    assert!(refused(&crowded).contains("a tag has at most 100 attributes"));
    let huge = " ".repeat(description::urdf::URDF_MAX + 1);
    assert_eq!(
        import(&huge, &ImportOptions::default(), &mut ())
            .expect_err("too large")
            .0,
        [(None, UrdfFault::Large)]
    );
}

#[test]
fn any_cut_of_a_urdf_and_any_changed_byte_is_taken_or_refused() {
    for end in (0..ARM.len()).filter(|i| ARM.is_char_boundary(*i)) {
        let _ = import(&ARM[..end], &ImportOptions::default(), &mut ());
    }
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..2000 {
        let mut bytes = ARM.as_bytes().to_vec();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(0..bytes.len());
            bytes[at] = *random.choice(b"0<>/\"-.e 9x\n").expect("a byte");
        }
        let _ = import(
            &String::from_utf8_lossy(&bytes),
            &ImportOptions::default(),
            &mut (),
        );
    }
}

/// The inertia of some points of 0.1 kg about their middle.
fn inertia_of(points: &[Vec3]) -> [f64; 6] {
    let mut middle = Vec3::ZERO;
    for point in points {
        middle += *point * (1.0 / points.len() as f64);
    }
    let mut sum = [0.0; 6];
    for point in points {
        let Vec3 { x, y, z } = *point - middle;
        let parts = [
            y * y + z * z,
            x * x + z * z,
            x * x + y * y,
            -x * y,
            -x * z,
            -y * z,
        ];
        for (sum, part) in sum.iter_mut().zip(parts) {
            *sum += 0.1 * part;
        }
    }
    sum
}

#[test]
fn the_inertia_of_a_link_is_that_of_its_points_however_its_frame_is_turned() {
    for seed in 0..50 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut point = |size: f64| [0, 1, 2].map(|_| size * (random.f64() - 0.5));
        let points: Vec<Vec3> = (0..8).map(|_| point(0.3).into()).collect();
        let (at, turn) = (point(1.0), point(6.0));
        // The file has the tensor in a frame of its own, the description along the axes of the link.
        let own = Rotation::of_angles(turn).inverse();
        let turned: Vec<Vec3> = points.iter().map(|point| own.turn(*point)).collect();
        let [xx, yy, zz, xy, xz, yz] = inertia_of(&turned);
        let spaced = |item: [f64; 3]| format!("{} {} {}", item[0], item[1], item[2]);
        let urdf = format!(
            "<robot name='r'><link name='a'><inertial><origin xyz='{}' rpy='{}'/><mass value='0.8'/>\
             <inertia ixx='{xx}' iyy='{yy}' izz='{zz}' ixy='{xy}' ixz='{xz}' iyz='{yz}'/></inertial></link></robot>",
            spaced(at),
            spaced(turn)
        );
        let (_, robot) = brought(&urdf, false);
        assert_eq!(link(&robot, "a").centre, at);
        let found = link(&robot, "a").inertia.expect("an inertia");
        for (found, wanted) in found.iter().zip(inertia_of(&points)) {
            assert!(
                (found - wanted).abs() < 1e-12,
                "seed {seed}: {found} and {wanted}"
            );
        }
    }
}

#[test]
fn an_inertia_that_no_body_has_is_left_out_with_a_warning() {
    let urdf = "<robot name='r'><link name='a'><inertial><mass value='1'/>\
                <inertia ixx='1' iyy='1' izz='3'/></inertial></link></robot>";
    let (imported, robot) = brought(urdf, false);
    assert_eq!(link(&robot, "a").inertia, None);
    let warning = "no body can have the inertia of the link `a`: it is left out";
    assert!(
        imported.warnings.iter().any(|text| text.contains(warning)),
        "{:?}",
        imported.warnings
    );
    let (imported, robot) = brought(
        &urdf.replace("<mass value='1'/>", "<mass value='0'/>"),
        false,
    );
    assert_eq!(link(&robot, "a").inertia, None);
    assert!(
        !imported.warnings.iter().any(|text| text.contains(warning)),
        "a frame without a body"
    );
}

/// A random robot as a URDF. Wheels are continuous joints.
fn urdf_of(robot: &Robot) -> String {
    let mut text = format!("<robot name=\"{}\">\n", robot.name);
    let out = &mut text;
    let point = |item: [f64; 3]| format!("{} {} {}", item[0], item[1], item[2]);
    for (place, link) in robot.links.iter().enumerate() {
        let _ = writeln!(
            out,
            "<link name=\"{}\"><inertial><mass value=\"{}\"/><origin xyz=\"{}\"/></inertial></link>",
            link.name,
            link.mass,
            point(link.centre)
        );
        let Some(parent) = link.parent else { continue };
        let moved = link
            .joint
            .map(|joint| &robot.actuators[usize::from(joint.0)]);
        let first = robot.links.iter().position(|item| item.joint == link.joint);
        let follows = moved.filter(|_| first != Some(place));
        let kind = match moved {
            None => "fixed",
            Some(limb) if limb.kind == cycle::Kind::Wheel => "continuous",
            Some(_) if link.slides => "prismatic",
            Some(_) => "revolute",
        };
        let name = moved
            .filter(|_| follows.is_none())
            .map_or(format!("at {}", link.name), |value| value.name.clone());
        let _ = write!(
            out,
            "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{}\"/><child link=\"{}\"/>\
             <origin xyz=\"{}\" rpy=\"{}\"/><axis xyz=\"{}\"/>",
            robot.links[parent].name,
            link.name,
            point(link.at),
            point(link.turn),
            point(link.axis)
        );
        if let Some(spec) = moved {
            let speed = if kind == "continuous" {
                spec.range.max
            } else {
                spec.velocity
            };
            let torque = spec.motor.map_or(1.0, |motor| motor.torque);
            let (low, high) = (spec.range.min, spec.range.max);
            let _ = write!(
                out,
                "<limit lower=\"{low}\" upper=\"{high}\" effort=\"{torque}\" velocity=\"{speed}\"/>"
            );
        }
        if let Some(follow) = follows {
            let _ = write!(out, "<mimic joint=\"{}\"/>", follow.name);
        }
        out.push_str("</joint>\n");
    }
    text + "</robot>\n"
}

#[test]
fn the_shipped_robots_come_back_from_a_urdf_as_they_were() {
    for name in SHIPPED {
        let robot = load(&RobotSource::of(name)).expect("it is shipped");
        let (_, back) = brought(&urdf_of(&robot), true);
        assert_eq!(back.links.len(), robot.links.len(), "{name}");
        for link in &robot.links {
            let same = back
                .links
                .iter()
                .find(|item| item.name == link.name)
                .expect("the same links");
            let parent = |robot: &Robot, spec: &LinkSpec| {
                spec.parent.map(|parent| robot.links[parent].name.clone())
            };
            assert_eq!(
                parent(&back, same),
                parent(&robot, link),
                "{name}, {}",
                link.name
            );
            assert_eq!(
                (same.at, same.turn, same.mass, same.centre),
                (link.at, link.turn, link.mass, link.centre)
            );
            assert_eq!(same.slides, link.slides);
            let moved = |robot: &Robot, spec: &LinkSpec| {
                spec.joint.map(|pair| {
                    let actuator = &robot.actuators[usize::from(pair.0)];
                    (actuator.name.clone(), actuator.range, actuator.kind)
                })
            };
            assert_eq!(
                moved(&back, same),
                moved(&robot, link),
                "{name}, {}",
                link.name
            );
            if link.joint.is_some() {
                let off = (0..3)
                    .map(|i| (same.axis[i] - link.axis[i]).abs())
                    .fold(0.0, f64::max);
                assert!(off < 1e-12, "{name}, {}", link.name);
            }
        }
    }
}

/// One link and the joint that carries it: parent, kind, limits, place, mass, shape.
#[derive(Clone, Debug)]
struct Limb {
    parent: proptest::sample::Index,
    kind: usize,
    ends: (f64, f64),
    strength: (f64, f64),
    at: [f64; 3],
    mass: f64,
    shape: usize,
    size: [f64; 3],
}

fn limb() -> impl Strategy<Value = Limb> {
    let figure = || {
        prop_oneof![
            -10.0..10.0_f64,
            Just(0.0),
            Just(-PI),
            Just(PI / 2.0),
            Just(1e-9),
            Just(1.25)
        ]
    };
    let above = || prop_oneof![1e-6..100.0_f64, Just(1e5)];
    let three = move || [figure(), figure(), figure()];
    (
        (
            any::<proptest::sample::Index>(),
            0..4_usize,
            (figure(), figure()),
            (above(), above()),
        ),
        (
            three(),
            prop_oneof![Just(0.0), above()],
            0..6_usize,
            [above(), above(), above()],
        ),
    )
        .prop_map(
            |((parent, kind, ends, strength), (at, mass, shape, size))| Limb {
                parent,
                kind,
                ends: (ends.0.min(ends.1), ends.0.max(ends.1)),
                strength,
                at,
                mass,
                shape,
                size,
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_sound_urdf_loads_with_its_masses_its_limits_and_its_tree(limbs in prop::collection::vec(limb(), 0..24)) {
        let mut text = "<robot name=\"any\"><link name=\"l0\"/>".to_owned();
        for (number, limb) in (1..).zip(&limbs) {
            let [x, y, z] = limb.size;
            let shape = [
                format!("<box size=\"{x} {y} {z}\"/>"),
                format!("<cylinder radius=\"{x}\" length=\"{y}\"/>"),
                format!("<capsule radius=\"{x}\" length=\"{y}\"/>"),
                format!("<sphere radius='{x}'/>"),
                "<mesh filename='m'/>".to_owned(),
                String::new(),
            ];
            let kind = ["revolute", "prismatic", "continuous", "fixed"][limb.kind];
            let parent = limb.parent.index(number);
            let [x, y, z] = limb.at;
            let _ = write!(
                text,
                "<joint name='j{number}' type='{kind}'><parent link='l{parent}'/><child link='l{number}'/>\
                 <origin xyz='{x} {y} {z}' rpy='{z} {x} {y}'/>\
                 <limit lower='{}' upper='{}' effort='{}' velocity='{}'/></joint>\
                 <link name='l{number}'><inertial><mass value='{}'/><origin xyz='{y} {z} {x}'/></inertial>\
                 <collision><origin xyz='{x} {x} {x}' rpy='{y} {z} {x}'/><geometry>{}</geometry></collision></link>",
                limb.ends.0, limb.ends.1, limb.strength.0, limb.strength.1, limb.mass, shape[limb.shape]
            );
        }
        let (imported, robot) = brought(&(text + "</robot>"), false);
        prop_assert_eq!(imported.links, limbs.len() + 1);
        for (number, limb) in (1..).zip(&limbs) {
            let found = link(&robot, &format!("l{number}"));
            let parent = found.parent.map(|parent| robot.links[parent].name.clone());
            prop_assert_eq!(parent, Some(format!("l{}", limb.parent.index(number))));
            let [x, y, z] = limb.at;
            prop_assert_eq!((found.at, found.turn, found.centre), ([x, y, z], [z, x, y], [y, z, x]));
            prop_assert_eq!((found.mass, found.has_shape()), (limb.mass, limb.shape < 4));
            if limb.kind < 3 {
                let moved = joint(&robot, &format!("j{number}"));
                let ends = if limb.kind == 2 { (-PI, PI) } else { limb.ends };
                prop_assert_eq!((moved.range.min, moved.range.max), ends);
                prop_assert_eq!(moved.velocity, limb.strength.1);
                prop_assert_eq!(moved.motor.map(|motor| motor.torque), Some(limb.strength.0));
            } else {
                prop_assert_eq!(found.joint, None);
            }
        }
    }
}

#[test]
fn the_command_writes_the_file_once_and_over_it_only_by_force() {
    use clap::Parser;
    use std::process::ExitCode;
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| {
        folder
            .path()
            .join(name)
            .to_str()
            .expect("a path")
            .to_owned()
    };
    let (urdf, toml) = (path("arm.urdf"), path("arm.toml"));
    std::fs::write(&urdf, ARM).expect("written");
    let run = |words: &[&str]| {
        dcm_run::run(&dcm_run::Cli::parse_from(
            ["dcm-run", "urdf", "import"].iter().chain(words),
        ))
    };
    assert_eq!(run(&[&urdf, "-o", &toml, "--json"]), ExitCode::SUCCESS);
    assert!(load(&RobotSource::of(&toml)).is_ok());
    std::fs::write(&toml, "mine").expect("written");
    assert_eq!(run(&[&urdf, "-o", &toml]), ExitCode::FAILURE);
    assert_eq!(std::fs::read_to_string(&toml).expect("there"), "mine");
    assert_eq!(run(&[&urdf, "-o", &toml, "--force"]), ExitCode::SUCCESS);
    assert!(load(&RobotSource::of(&toml)).is_ok());
    std::fs::write(&urdf, b"<robot name=\"\xff\"/>").expect("written");
    for words in [[&urdf, "-o", &toml], [&path("nothing"), "-o", &toml]] {
        assert_eq!(run(&words.map(|word| word as &str)), ExitCode::FAILURE);
    }
}

/// Two legs of one joint each, on boxes; and a trunk between them.
fn biped(foot: &str) -> String {
    let leg = |side: &str, y: f64| {
        format!(
            "<link name=\"{side}-foot\"><inertial><mass value=\"1\"/></inertial><collision>\
             <origin xyz=\"0.02 0 -0.05\"/><geometry>{foot}</geometry></collision></link>\n\
             <joint name=\"{side}\" type=\"revolute\"><origin xyz=\"0 {y} -0.3\"/><parent link=\"trunk\"/>\
             <child link=\"{side}-foot\"/><axis xyz=\"0 1 0\"/>\n{LIMIT}</joint>\n"
        )
    };
    format!(
        "<robot name=\"biped\">\n<link name=\"trunk\"><inertial><mass value=\"5\"/></inertial><collision>\
         <geometry><box size=\"0.1 0.1 0.2\"/></geometry></collision></link>\n{}{}</robot>\n",
        leg("left", 0.1),
        leg("right", -0.1)
    )
}

#[test]
fn feet_get_soles_where_their_shapes_are_lowest() {
    let (_, robot) = brought(&biped("<box size=\"0.2 0.08 0.02\"/>"), false);
    let foot = link(&robot, "left-foot");
    assert_eq!(foot.sole.len(), 4, "{:?}", foot.sole);
    for corner in &foot.sole {
        let is_near = |value: f64, other: f64| (value - other).abs() < 1e-9;
        let sound = is_near((corner[0] - 0.02).abs(), 0.1) && is_near(corner[1].abs(), 0.04);
        assert!(sound && is_near(corner[2], -0.06), "{corner:?}");
    }
    assert!(link(&robot, "trunk").sole.is_empty());
    let (_, robot) = brought(&biped("<sphere radius=\"0.03\"/>"), false);
    assert_eq!(link(&robot, "right-foot").sole, [[0.02, 0.0, -0.08]]);
    // A body that stands on its own root is fixed to the ground; the link may have any name.
    let (_, robot) = brought(ARM, false);
    assert!(robot.links.iter().all(|link| link.sole.is_empty()));
    let named = ImportOptions {
        soles: vec!["trunk".to_owned()],
        ..ImportOptions::default()
    };
    let imported = import(&biped("<sphere radius=\"0.03\"/>"), &named, &mut ()).expect("a robot");
    let robot = parse("test", &imported.text).expect("a description");
    assert_eq!(link(&robot, "trunk").sole.len(), 4);
    assert!(link(&robot, "left-foot").sole.is_empty());
    let unknown = ImportOptions {
        soles: vec!["trunc".to_owned()],
        ..ImportOptions::default()
    };
    let error = import(&biped("<sphere radius=\"0.03\"/>"), &unknown, &mut ())
        .expect_err("no such link")
        .to_string();
    assert!(
        error.contains("trunc") && error.contains("trunk"),
        "{error}"
    );
}
