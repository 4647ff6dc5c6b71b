//! Files that a URDF names: meshes in STL, OBJ and DAE; questions about wheels; joints without a drive, or that mimic
//! others. A mesh of a box is compared with the URDF's own `<box>`.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use check::{CheckInput, CheckOptions, check};
use description::urdf::{ImportContext, ImportOptions, Imported, Wheels, import};
use description::{LinkSpec, Robot, parse};
use proptest::prelude::*;
use tests::rig::check_options;

/// Files by their names in the URDF, and the answers to questions.
#[derive(Default)]
struct Files {
    files: HashMap<String, Vec<u8>>,
    wheels: Vec<&'static str>,
    asked: Vec<String>,
}

impl ImportContext for Files {
    fn mesh(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        self.files
            .get(uri)
            .cloned()
            .ok_or_else(|| "is not there".to_owned())
    }

    fn is_wheel(&mut self, joint: &str) -> bool {
        self.asked.push(joint.to_owned());
        self.wheels.contains(&joint)
    }
}

fn brought(urdf: &str, options: &ImportOptions, files: &mut Files) -> (Imported, Robot) {
    let imported = import(urdf, options, files);
    let imported = imported.unwrap_or_else(|faults| panic!("{faults}\nof {urdf}"));
    let robot = parse("test", &imported.text);
    let robot = robot.unwrap_or_else(|error| panic!("{error}\nof\n{}", imported.text));
    (imported, robot)
}

/// The triangles of a box around its centre.
fn triangles(sides: [f64; 3]) -> Vec<[[f64; 3]; 3]> {
    let corner = |n: usize| {
        [0, 1, 2].map(|axis| {
            let sign = if n >> axis & 1 == 0 { -0.5 } else { 0.5 };
            sign * sides[axis]
        })
    };
    let faces = [
        [0, 1, 3, 2],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 3, 7, 6],
        [0, 2, 6, 4],
        [1, 3, 7, 5],
    ];
    faces
        .iter()
        .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
        .map(|item| item.map(|place| corner(*place)))
        .collect()
}

fn stl(mesh: &[[[f64; 3]; 3]]) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend(u32::try_from(mesh.len()).expect("few").to_le_bytes());
    for triangle in mesh {
        bytes.extend([0; 12]);
        for value in triangle.as_flattened() {
            bytes.extend((*value as f32).to_le_bytes());
        }
        bytes.extend([0; 2]);
    }
    bytes
}

fn stl_text(mesh: &[[[f64; 3]; 3]]) -> Vec<u8> {
    let mut text = "solid box\n".to_owned();
    for triangle in mesh {
        text += "facet normal 0 0 0\nouter loop\n";
        for [x, y, z] in triangle {
            let _ = writeln!(text, "vertex {x} {y} {z}");
        }
        text += "endloop\nendfacet\n";
    }
    (text + "endsolid box\n").into_bytes()
}

fn obj(mesh: &[[[f64; 3]; 3]]) -> Vec<u8> {
    let mut text = "mtllib colours.mtl\no box\n".to_owned();
    for [x, y, z] in mesh.as_flattened() {
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    for face in 0..mesh.len() {
        let _ = writeln!(text, "f {} {} {}", 3 * face + 1, 3 * face + 2, 3 * face + 3);
    }
    text.into_bytes()
}

/// In millimetres, placed by nested nodes: a position, and roll, pitch, yaw.
fn dae(mesh: &[[[f64; 3]; 3]], at: [f64; 3], turn: [f64; 3]) -> Vec<u8> {
    let mut values = String::new();
    for value in mesh.as_flattened().as_flattened() {
        let _ = write!(values, "{} ", value * 1000.0);
    }
    let count = mesh.len() * 9;
    let (sin, cos) = turn[0].sin_cos();
    let less = -sin;
    let order: Vec<String> = (0..mesh.len() * 3).map(|i| i.to_string()).collect();
    format!(
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\
         <asset><unit name=\"millimeter\" meter=\"0.001\"/><up_axis>Z_UP</up_axis></asset>\
         <library_geometries><geometry id=\"g\"><mesh>\
         <source id=\"p\"><float_array id=\"a\" count=\"{count}\">{values}</float_array><technique_common>\
         <accessor source=\"#a\" count=\"{}\" stride=\"3\"><param name=\"X\" type=\"float\"/>\
         <param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common></source>\
         <vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\
         <triangles count=\"{}\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>{}</p></triangles>\
         </mesh></geometry></library_geometries><library_visual_scenes><visual_scene id=\"s\"><node id=\"n\">\
         <translate>{} {} {}</translate><rotate>0 0 1 {}</rotate><node id=\"m\"><rotate>0 2 0 {}</rotate>\
         <matrix>1 0 0 0 0 {cos} {less} 0 0 {sin} {cos} 0 0 0 0 1</matrix><instance_geometry url=\"#g\"/></node>\
         </node></visual_scene></library_visual_scenes>\
         <scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>",
        count / 3,
        mesh.len(),
        order.join(" "),
        at[0] * 1000.0,
        at[1] * 1000.0,
        at[2] * 1000.0,
        turn[2].to_degrees(),
        turn[1].to_degrees(),
    )
    .into_bytes()
}

/// A trunk on two feet of this geometry, placed in the link by `origin`.
fn biped(origin: &str, geometry: &str) -> String {
    let leg = |side: &str, y: f64| {
        format!(
            "<link name=\"{side}\"><inertial><mass value=\"1\"/></inertial><collision>\
             <origin {origin}/><geometry>{geometry}</geometry></collision></link>\n\
             <joint name=\"{side}-hip\" type=\"revolute\"><origin xyz=\"0 {y} -0.3\"/><parent link=\"trunk\"/>\
             <child link=\"{side}\"/><axis xyz=\"0 1 0\"/>\
             <limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>\n"
        )
    };
    format!(
        "<robot name=\"biped\"><link name=\"trunk\"><inertial><mass value=\"5\"/></inertial></link>\n{}{}</robot>\n",
        leg("left", 0.1),
        leg("right", -0.1)
    )
}

fn foot(robot: &Robot) -> &LinkSpec {
    let found = robot.links.iter().find(|link| link.name == "left");
    found.expect("it has a left foot")
}

fn is_near(a: [f64; 3], b: [f64; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 3e-5)
}

/// The same bodies and soles: the same corners, in any order.
fn same(mesh: &LinkSpec, shape: &LinkSpec) -> Result<(), TestCaseError> {
    let [one, other] = [mesh, shape].map(|value| value.hulls.iter().flatten().collect::<Vec<_>>());
    prop_assert_eq!((one.len(), other.len()), (8, 8));
    for corner in &one {
        prop_assert!(
            other.iter().any(|item| is_near(**corner, **item)),
            "{corner:?} {other:?}"
        );
    }
    let all = |ones: &LinkSpec, others: &LinkSpec| {
        let has = |item: &[f64; 3]| others.sole.iter().any(|other| is_near(*item, *other));
        ones.sole.iter().all(has)
    };
    prop_assert!(
        all(mesh, shape) && all(shape, mesh),
        "{:?} {:?}",
        mesh.sole,
        shape.sole
    );
    prop_assert!(!shape.sole.is_empty());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_mesh_of_a_box_is_taken_as_the_box(
        // Three different lengths, so that there is one longest; in any order.
        sides in (0.02..0.04f64, 0.06..0.09f64, 0.12..0.3f64)
            .prop_flat_map(|(a, b, c)| Just(vec![a, b, c]).prop_shuffle()),
        at in prop::array::uniform3(-0.1..0.1f64),
        turn in prop::array::uniform3(-3.0..3.0f64),
        form in 0..5usize,
    ) {
        let sides = [sides[0], sides[1], sides[2]];
        let [x, y, z] = at;
        let [r, p, w] = turn;
        let origin = format!("xyz=\"{x} {y} {z}\" rpy=\"{r} {p} {w}\"");
        let [a, b, c] = sides;
        let options = ImportOptions::default();
        let mut files = Files::default();
        let mesh = triangles(sides);
        let (bytes, scale) = match form {
            0 => (stl(&mesh), ""),
            1 => (stl_text(&mesh), ""),
            2 => (obj(&mesh), ""),
            3 => (dae(&mesh, at, turn), ""),
            _ => (stl(&triangles(sides.map(|side| side * 1000.0))), " scale=\"0.001 0.001 0.001\""),
        };
        let uri = format!("package://body/foot.{}", ["stl", "STL", "obj", "dae", "stl"][form]);
        files.files.insert(uri.clone(), bytes);
        let (imported, meshed) = brought(
            &biped(if form == 3 { "" } else { &origin }, &format!("<mesh filename=\"{uri}\"{scale}/>")),
            &options, &mut files);
        prop_assert_eq!(imported.warnings, [""; 0]);
        let (_, boxed) = brought(&biped(&origin, &format!("<box size=\"{a} {b} {c}\"/>")), &options, &mut files);
        same(foot(&meshed), foot(&boxed))?;
    }
}

#[test]
fn a_mesh_lies_as_its_own_file_has_it() {
    let options = ImportOptions::default();
    let sides = [0.2, 0.08, 0.02];
    let mut files = Files::default();
    // Rotated within its file, as by a scanner: about z, by 30 degrees.
    let (sin, cos) = 30f64.to_radians().sin_cos();
    let turned = |[x, y, z]: [f64; 3]| [cos * x - sin * y, sin * x + cos * y, z];
    let turned: Vec<_> = triangles(sides)
        .iter()
        .map(|triangle| triangle.map(turned))
        .collect();
    files.files.insert("turned.stl".to_owned(), stl(&turned));
    let mesh = |name: &str| format!("<mesh filename=\"{name}\"/>");
    let (_, meshed) = brought(&biped("", &mesh("turned.stl")), &options, &mut files);
    let origin = "rpy=\"0 0 0.5235987755982988\"";
    let (_, boxed) = brought(
        &biped(origin, "<box size=\"0.2 0.08 0.02\"/>"),
        &options,
        &mut files,
    );
    same(foot(&meshed), foot(&boxed)).unwrap_or_else(|error| panic!("{error}"));
    // Of a round sole with many corners, sixteen are kept, which cover nearly all of it.
    let rim = |value: usize| {
        let (sin, cos) = (value as f64 * std::f64::consts::TAU / 300.0).sin_cos();
        [0.1 * cos, 0.1 * sin, 0.0]
    };
    let disc: Vec<_> = (0..300)
        .map(|i| [rim(i), rim(i + 1), [0.0, 0.0, 0.02]])
        .collect();
    files.files.insert("disc.stl".to_owned(), stl(&disc));
    let (_, robot) = brought(
        &biped("xyz=\"0 0 0\"", &mesh("disc.stl")),
        &options,
        &mut files,
    );
    assert_eq!(foot(&robot).sole.len(), 16);
    assert!(
        foot(&robot)
            .sole
            .iter()
            .all(|item| (item[0].hypot(item[1]) - 0.1).abs() < 1e-5)
    );
}

#[test]
fn a_mesh_that_is_none_is_told_with_its_reason() {
    let mut files = Files::default();
    let whole = stl(&triangles([0.1, 0.2, 0.3]));
    for (name, bytes) in [
        ("half.stl", whole[..whole.len() / 2].to_vec()),
        ("words.txt", b"hello".to_vec()),
        ("empty.obj", b"# nothing\n".to_vec()),
        ("far.stl", stl(&triangles([1e7, 1.0, 1.0]))),
        ("none.stl", stl(&triangles([f64::NAN, 1.0, 1.0]))),
        ("broken.dae", b"<COLLADA><asset>".to_vec()),
    ] {
        files.files.insert(name.to_owned(), bytes);
    }
    for (name, why) in [
        ("half.stl", "cannot be read"),
        ("words.txt", "is neither STL, OBJ nor DAE"),
        ("empty.obj", "has no corners"),
        ("far.stl", "say its `scale`"),
        ("none.stl", "has corners beyond"),
        ("broken.dae", "cannot be read"),
        ("nowhere.stl", "is not there"),
    ] {
        let mesh = format!("<mesh filename=\"{name}\"/>");
        let (imported, robot) = brought(
            &biped("xyz=\"0 0 0\"", &mesh),
            &ImportOptions::default(),
            &mut files,
        );
        assert!(foot(&robot).capsules.is_empty(), "{name}");
        let told = &imported.warnings[0];
        assert!(
            told.contains(name) && told.contains(why) && told.contains("the link `left`"),
            "{told}"
        );
    }
}

#[test]
fn damaged_meshes_are_told_or_taken() {
    let mesh = triangles([0.1, 0.2, 0.3]);
    let whole = [
        ("a.stl", stl(&mesh)),
        ("b.stl", stl_text(&mesh)),
        ("c.obj", obj(&mesh)),
        ("d.dae", dae(&mesh, [0.1; 3], [0.2; 3])),
    ];
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..200 * tests::effort() {
        let (name, mut bytes) = random.choice(&whole).expect("some").clone();
        bytes.truncate(random.usize(..=bytes.len()));
        for _ in 0..random.usize(..6) {
            if let Some(byte) = random.choice(0..bytes.len()) {
                bytes[byte] = random.u8(..);
            }
        }
        let mut files = Files::default();
        files.files.insert(name.to_owned(), bytes);
        let geometry = format!("<mesh filename=\"{name}\"/>");
        brought(&biped("", &geometry), &ImportOptions::default(), &mut files);
    }
}

/// A rover with two continuous joints, and an arm.
fn rover(more: &str) -> String {
    let joint = |name: &str, kind: &str| {
        format!(
            "<link name=\"{name}-link\"/><joint name=\"{name}\" type=\"{kind}\"><parent link=\"base\"/>\
             <child link=\"{name}-link\"/><axis xyz=\"0 1 0\"/>\
             <limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"2\"/></joint>\n"
        )
    };
    format!(
        "<robot name=\"rover\"><link name=\"base\"/>\n{}{}{}{more}</robot>\n",
        joint("left", "continuous"),
        joint("turret", "continuous"),
        joint("arm", "revolute")
    )
}

#[test]
fn who_knows_is_asked_about_joints_without_end() {
    let kinds = |wheels: Wheels| {
        let mut files = Files {
            wheels: vec!["left"],
            ..Files::default()
        };
        let options = ImportOptions {
            wheels,
            ..ImportOptions::default()
        };
        let (imported, robot) = brought(&rover(""), &options, &mut files);
        let wheels = robot
            .actuators
            .iter()
            .filter(|actuator| actuator.kind == cycle::Kind::Wheel);
        let wheels: Vec<String> = wheels.map(|wheel| wheel.name.clone()).collect();
        (wheels, files.asked, imported.warnings.len())
    };
    let names = |one: &[&str]| {
        one.iter()
            .map(|item| (*item).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        kinds(Wheels::Asked),
        (names(&["left"]), names(&["left", "turret"]), 1)
    );
    assert_eq!(kinds(Wheels::None), (names(&[]), names(&[]), 2));
    assert_eq!(
        kinds(Wheels::All),
        (names(&["left", "turret"]), names(&[]), 0)
    );
    assert_eq!(
        kinds(Wheels::Named(names(&["turret"]))),
        (names(&["turret"]), names(&[]), 1)
    );
    let options = ImportOptions {
        wheels: Wheels::Named(names(&["torret", "arm"])),
        ..ImportOptions::default()
    };
    let error = import(&rover(""), &options, &mut ())
        .expect_err("no such joints")
        .to_string();
    assert!(
        error.contains("`turret`") && error.contains("the continuous joint `arm`"),
        "{error}"
    );
}

#[test]
fn what_nothing_drives_is_no_motor() {
    let control = "<ros2_control name=\"c\" type=\"system\"><joint name=\"left\">\
        <command_interface name=\"velocity\"/></joint><joint name=\"turret\"><state_interface name=\"position\"/>\
        </joint><joint name=\"arm\"/></ros2_control>";
    let (imported, robot) = brought(
        &rover(control),
        &ImportOptions::default(),
        &mut Files::default(),
    );
    let motors: Vec<_> = robot
        .actuators
        .iter()
        .map(|actuator| actuator.name.as_str())
        .collect();
    assert_eq!(motors, ["left"]);
    assert!(robot.sensors.iter().any(|sensor| sensor.name == "turret"));
    assert!(!robot.sensors.iter().any(|sensor| sensor.name == "arm"));
    let told = imported.warnings.join("\n");
    assert!(
        told.contains("`turret`, of the link `turret-link`: it has no motor"),
        "{told}"
    );
    // As in ROS: a joint without a transmission has no motor.
    let transmission = "<transmission name=\"t\"><joint name=\"arm\"/></transmission>";
    let (_, robot) = brought(
        &rover(transmission),
        &ImportOptions::default(),
        &mut Files::default(),
    );
    let motors: Vec<_> = robot
        .actuators
        .iter()
        .map(|actuator| actuator.name.as_str())
        .collect();
    assert_eq!(motors, ["arm"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    /// A mast with a weight, which mimics a crank: where `check` sees the weight, by the sine of its angle.
    #[test]
    fn what_follows_with_a_ratio_stands_where_the_ratio_says(
        ratio in prop_oneof![-0.8..-0.2f64, 0.2..0.8f64],
        offset in -0.2..0.2f64,
        crank in -0.6..0.6f64,
    ) {
        let urdf = format!(
            "<robot name=\"mast\"><link name=\"base\"><inertial><mass value=\"1\"/></inertial><collision>\
             <geometry><box size=\"0.6 0.6 0.02\"/></geometry></collision></link>\
             <link name=\"crank\"/><joint name=\"crank\" type=\"revolute\"><parent link=\"base\"/>\
             <child link=\"crank\"/>\
             <axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>\
             <link name=\"mast\"><inertial><origin xyz=\"0 0 0.4\"/><mass value=\"1\"/></inertial></link>\
             <joint name=\"follows\" type=\"revolute\"><parent link=\"base\"/><child link=\"mast\"/>\
             <axis xyz=\"0 1 0\"/>\
             <limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/>\
             <mimic joint=\"crank\" multiplier=\"{ratio}\" offset=\"{offset}\"/></joint></robot>"
        );
        let options = ImportOptions { soles: vec!["base".to_owned()], ..ImportOptions::default() };
        let (_, robot) = brought(&urdf, &options, &mut Files::default());
        let margin = |angle: f64| 0.3 - (0.4 * angle.sin()).abs() / 2.0;
        let least = [0.0, crank].map(|value| margin(ratio * value + offset)).into_iter().fold(1.0, f64::min);
        let text = format!("time,crank\n0,0\n20,{crank}\n");
        let moves = robot::show::Show::read("show.csv", text.as_bytes()).expect("a show");
        let bytes = moves.component().expect("a component");
        let show = CheckInput { name: "show", bytes: &bytes };
        let terms = CheckOptions { random_postures: 0, ..check_options() };
        let checked = check(&Arc::new(robot), &show, &terms).expect("a machine that can check");
        let seen = checked.verdict.facts.margin.unwrap_or_else(|| panic!("{:#?}", checked.verdict));
        prop_assert!((seen - least).abs() < 2e-3, "{seen} {least}");
    }
}

proptest! {
    /// A joint that mimics another, at any ratio: while the leading joint is within its range and velocity, so is this
    /// one.
    #[test]
    fn who_leads_stays_within_what_its_followers_may(
        ratio in prop_oneof![-3.0..-0.1f64, 0.1..3.0f64],
        offset in -0.2..0.2f64,
        (low, high) in (-1.0..-0.3f64, 0.3..1.0f64),
        fast in 0.1..3.0f64,
    ) {
        let urdf = format!(
            "<robot name=\"hand\"><link name=\"palm\"/><link name=\"a\"/><link name=\"b\"/>\
             <joint name=\"m\" type=\"revolute\"><parent link=\"palm\"/><child link=\"a\"/>\
             <limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"2\"/></joint>\
             <joint name=\"s\" type=\"revolute\"><parent link=\"palm\"/><child link=\"b\"/>\
             <limit lower=\"{low}\" upper=\"{high}\" effort=\"1\" velocity=\"{fast}\"/>\
             <mimic joint=\"m\" multiplier=\"{ratio}\" offset=\"{offset}\"/></joint></robot>"
        );
        let (_, robot) = brought(&urdf, &ImportOptions::default(), &mut Files::default());
        let actuator = &robot.actuators[0];
        for end in [actuator.range.min, actuator.range.max] {
            let follower = ratio * end + offset;
            prop_assert!((low - 1e-9..=high + 1e-9).contains(&follower), "{follower}");
            prop_assert!(end.abs() <= 1.0);
        }
        prop_assert!(actuator.velocity <= 2.0 && actuator.velocity * ratio.abs() <= fast * (1.0 + 1e-9));
    }
}
