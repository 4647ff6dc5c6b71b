//! Prints the Rust source of a table that is given in its text form: `rust_table FILE NAME`. The tables of the tests
//! and of the bench were made so; a build script can do the same.

mod text;

use kinematics::{Rotation, TreeLink, Vec3};

use text::TextTable;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, name] = words.as_slice() else {
        eprintln!("usage: rust_table FILE NAME");
        std::process::exit(2);
    };
    let table = std::fs::read_to_string(file).map_err(|it| it.to_string());
    match table.and_then(|it| TextTable::read(&it)) {
        Ok(table) => print!("{}", source(&table, name)),
        Err(message) => {
            eprintln!("rust_table: {file}: {message}");
            std::process::exit(1);
        }
    }
}

/// The constants `NAME`, `NAME_LINKS` and `NAME_JOINTS`. What a link has as `TreeLink::PLAIN` has it is left out.
fn source(table: &TextTable, name: &str) -> String {
    let mut all = format!(
        "pub(crate) const {name}: Tree<'static> = Tree {{ links: {name}_LINKS, joints: {name}_JOINTS }};\n\n\
         const _: () = assert!({name}.fault().is_none());\n\nconst {name}_JOINTS: &[TreeJoint<'static>] = &[\n"
    );
    for it in &table.joints {
        let (lowest, highest) = (number(it.lowest), number(it.highest));
        all += &format!("    TreeJoint::new({:?}, {lowest}, {highest}),\n", it.name);
    }
    all += &format!("];\n\nconst {name}_LINKS: &[TreeLink<'static>] = &[\n");
    table.links.iter().for_each(|it| all += &link(it));
    all += "];\n";
    let used = [
        "Rotation",
        "Transform",
        "Tree",
        "TreeJoint",
        "TreeLink",
        "Vec3",
    ];
    let used = used.into_iter().filter(|it| {
        let is_called = [format!("{it}::"), format!("{it}<")];
        is_called.iter().any(|it| all.contains(it.as_str()))
    });
    let used = used.collect::<Vec<_>>().join(", ");
    // The compiler would have an angle of a description replaced by the constant that it is near to.
    let allow =
        "#![allow(clippy::approx_constant, reason = \"a description's numbers are its own\")]";
    format!("{allow}\n\nuse kinematics::{{{used}}};\n\n{all}")
}

fn link(it: &TreeLink<'_>) -> String {
    let plain = TreeLink::PLAIN;
    let mut row = format!("    TreeLink {{\n        name: {:?},\n", it.name);
    let mut say = |is_plain: bool, key: &str, value: String| {
        if !is_plain {
            row += &format!("        {key}: {value},\n");
        }
    };
    say(it.parent.is_none(), "parent", format!("{:?}", it.parent));
    say(it.joint.is_none(), "joint", format!("{:?}", it.joint));
    let origin = if it.origin.turn == Rotation::NONE {
        let Vec3 { x, y, z } = it.origin.at;
        format!("Transform::shift({x:?}, {y:?}, {z:?})")
    } else {
        let turn = it.origin.turn.parts();
        format!(
            "Transform::new({}, Rotation::of_parts({turn:?}))",
            vector(it.origin.at)
        )
    };
    say(it.origin == plain.origin, "origin", origin);
    say(it.axis == plain.axis, "axis", vector(it.axis));
    say(
        it.slides == plain.slides,
        "slides",
        format!("{:?}", it.slides),
    );
    say(it.ratio == plain.ratio, "ratio", format!("{:?}", it.ratio));
    say(
        it.offset == plain.offset,
        "offset",
        format!("{:?}", it.offset),
    );
    say(it.mass == plain.mass, "mass", format!("{:?}", it.mass));
    say(it.centre == plain.centre, "centre", vector(it.centre));
    // With all ten fields there is nothing left to be plain.
    if row.lines().count() < 11 {
        row += "        ..TreeLink::PLAIN\n";
    }
    row + "    },\n"
}

fn vector(it: Vec3) -> String {
    let named = [
        ("ZERO", Vec3::ZERO),
        ("X", Vec3::X),
        ("Y", Vec3::Y),
        ("Z", Vec3::Z),
    ];
    match named.iter().find(|named| named.1 == it) {
        Some((name, _)) => format!("Vec3::{name}"),
        None => format!("Vec3::new({:?}, {:?}, {:?})", it.x, it.y, it.z),
    }
}

fn number(it: f64) -> String {
    match it {
        f64::INFINITY => "f64::INFINITY".to_owned(),
        f64::NEG_INFINITY => "f64::NEG_INFINITY".to_owned(),
        it => format!("{it:?}"),
    }
}
