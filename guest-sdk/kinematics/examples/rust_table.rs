//! Prints the Rust source of a table that is given in its text form: `rust_table FILE NAME`. The tables of the tests and of
//! the bench were made so; a build script can do the same.

mod text;

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

/// The constants `NAME`, `NAME_LINKS` and `NAME_JOINTS`.
fn source(table: &TextTable, name: &str) -> String {
    let mut all = format!(
        "use kinematics::{{Rotation, Transform, Tree, TreeJoint, TreeLink, Vec3}};\n\n\
         pub const {name}: Tree<'static> = Tree {{\n    links: {name}_LINKS,\n    joints: {name}_JOINTS,\n}};\n\n\
         const _: () = assert!({name}.fault().is_none());\n\nconst {name}_JOINTS: &[TreeJoint<'static>] = &[\n"
    );
    let number = |it: f64| match it {
        it if it == f64::INFINITY => "f64::INFINITY".to_owned(),
        it if it == f64::NEG_INFINITY => "f64::NEG_INFINITY".to_owned(),
        it => format!("{it:?}"),
    };
    for it in &table.joints {
        let (lowest, highest) = (number(it.lowest), number(it.highest));
        all += &format!(
            "    TreeJoint {{ name: {:?}, lowest: {lowest}, highest: {highest} }},\n",
            it.name
        );
    }
    all += &format!("];\n\nconst {name}_LINKS: &[TreeLink<'static>] = &[\n");
    for it in &table.links {
        let vector =
            |it: kinematics::Vec3| format!("Vec3::new({:?}, {:?}, {:?})", it.x, it.y, it.z);
        all += &format!(
            "    TreeLink {{\n        name: {:?},\n        parent: {:?},\n        joint: {:?},\n        \
             origin: Transform::new({}, Rotation::of_parts({:?})),\n        axis: {},\n        slides: {},\n        \
             ratio: {:?},\n        offset: {:?},\n        mass: {:?},\n        centre: {},\n    }},\n",
            it.name,
            it.parent,
            it.joint,
            vector(it.origin.at),
            it.origin.turn.parts(),
            vector(it.axis),
            it.slides,
            it.ratio,
            it.offset,
            it.mass,
            vector(it.centre),
        );
    }
    all + "];\n"
}
