//! What `compare/compare.py` asks: reads a table in its text form and lines of numbers, and answers each line with a
//! line.
//!
//! `poses FILE LINK`: a line has the values of all joints. The answer has every link's place and quaternion (`x y z`,
//! `w x y z`), the centre of mass, and the Jacobian of LINK's origin: for each joint its shift and its turn.
//!
//! `poses FILE LINK point|pose`: a line has a start for all joints, a place and a quaternion. The answer has the values
//! of all joints of a solution, `1` if it is reached, what is left (m, rad), and the steps.

mod text;

use std::fmt::Write;
use std::io::{BufRead, BufWriter, Write as _};

use kinematics::{Goal, Limb, Rotation, Transform, Twist};

use text::TextTable;

/// The most joints of a limb that is compared.
const MOST: usize = 8;

fn main() {
    if let Err(message) = run() {
        eprintln!("poses: {message}");
        std::process::exit(2);
    }
}

fn run() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, link, rest @ ..] = words.as_slice() else {
        return Err("usage: poses FILE LINK [point|pose]".into());
    };
    let table = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let table = TextTable::read(&table)?;
    let link = table.tree().link(link);
    let link = link.ok_or("there is no such link")?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let numbers = line.split_whitespace().map(str::parse);
        let numbers: Result<Vec<f64>, _> = numbers.collect();
        let numbers = numbers.map_err(|error| error.to_string())?;
        let answer = match rest {
            [] => placed(&table, link, &numbers),
            [kind] => solved(&table, link, &numbers, kind == "pose")?,
            _ => return Err("too many words".into()),
        };
        writeln!(out, "{answer}").map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn placed(table: &TextTable, link: usize, values: &[f64]) -> String {
    let tree = table.tree();
    let mut poses = vec![Transform::NONE; tree.links.len()];
    let mut columns = vec![Twist::default(); tree.joints.len()];
    tree.place(values, &mut poses);
    tree.jacobian(link, [0.0; 3].into(), &poses, &mut columns);
    let mut all = Vec::new();
    for pose in &poses {
        all.extend(<[f64; 3]>::from(pose.at));
        all.extend(pose.turn.parts());
    }
    all.extend(<[f64; 3]>::from(tree.centre(&poses).unwrap_or_default()));
    for column in &columns {
        all.extend(<[f64; 3]>::from(column.shift));
        all.extend(<[f64; 3]>::from(column.turn));
    }
    joined(&all)
}

fn solved(
    table: &TextTable,
    link: usize,
    numbers: &[f64],
    is_pose: bool,
) -> Result<String, String> {
    let tree = table.tree();
    let (start, target) = numbers
        .split_at_checked(tree.joints.len())
        .ok_or("a short line")?;
    let &[x, y, z, a, b, c, d] = target else {
        return Err("a start, a place and a quaternion".into());
    };
    let limb = Limb::<MOST>::of(&tree, &[link]).map_err(|error| format!("{error:?}"))?;
    let request = limb.reach([x, y, z]).thoroughly();
    let mut request = request.within(1e-7).within_angle(1e-7);
    if is_pose {
        let turn = Rotation::of_parts([a, b, c, d]);
        request = request.and(Goal::orientation(link, turn));
    }
    let solution = request.from(start);
    let mut all = start.to_vec();
    solution.write(&mut all);
    all.push(f64::from(solution.is_reached()));
    all.push(solution.residual.distance);
    all.push(solution.residual.angle);
    all.push(f64::from(solution.iterations));
    Ok(joined(&all))
}

fn joined(numbers: &[f64]) -> String {
    let mut line = String::new();
    for number in numbers {
        // Writing to a text cannot fail.
        let _ = write!(line, "{number:e} ");
    }
    line
}
