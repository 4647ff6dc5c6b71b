//! The text form of a table: one line for each joint and each link, words between spaces. Read by the examples.
//!
//! ```text
//! joint NAME LOWEST HIGHEST
//! link NAME PARENT JOINT X Y Z ROLL PITCH YAW AX AY AZ turns|slides RATIO OFFSET MASS CX CY CZ
//! ```
//!
//! A link without parent or joint has `-`. What is read is a table without faults, or there is a message.

use kinematics::{Rotation, Transform, Tree, TreeJoint, TreeLink, Vec3};

/// A table that owns its rows.
pub(crate) struct TextTable {
    pub(crate) joints: Vec<TreeJoint<'static>>,
    pub(crate) links: Vec<TreeLink<'static>>,
}

/// The texts of an example live as long as its process.
fn kept(word: &str) -> &'static str {
    Box::leak(word.to_owned().into_boxed_str())
}

fn numbers<const N: usize>(words: &[&str]) -> Result<[f64; N], String> {
    let mut all = [0.0; N];
    for (place, item) in all.iter_mut().enumerate() {
        let word = words.get(place).ok_or("a line is too short")?;
        *item = word.parse().map_err(|_| format!("`{word}` is no number"))?;
    }
    Ok(all)
}

impl TextTable {
    /// Reads a table.
    pub(crate) fn read(text: &str) -> Result<TextTable, String> {
        let mut table = TextTable {
            joints: Vec::new(),
            links: Vec::new(),
        };
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                ["joint", name, rest @ ..] => {
                    let [lowest, highest] = numbers(rest)?;
                    let name = kept(name);
                    table.joints.push(TreeJoint {
                        name,
                        lowest,
                        highest,
                    });
                }
                ["link", name, parent, joint, rest @ ..] => {
                    let link = table.link(name, parent, joint, rest)?;
                    table.links.push(link);
                }
                _ => return Err(format!("what is this line: {line}")),
            }
        }
        match table.tree().fault() {
            Some(fault) => Err(format!("the table has a fault: {fault:?}")),
            None => Ok(table),
        }
    }

    fn link(
        &self,
        name: &str,
        parent: &str,
        joint: &str,
        rest: &[&str],
    ) -> Result<TreeLink<'static>, String> {
        let place = |word: &str, found: Option<usize>| match found {
            None if word != "-" => Err(format!("there is no `{word}` before `{name}`")),
            found => Ok(found.map(|value| value as u16)),
        };
        let tree = self.tree();
        let [x, y, z, roll, pitch, yaw, ax, ay, az] = numbers(rest)?;
        let slides = match rest.get(9) {
            Some(&"slides") => true,
            Some(&"turns") => false,
            _ => return Err(format!("`{name}` neither turns nor slides")),
        };
        let [ratio, offset, mass, cx, cy, cz] = numbers(&rest[10..])?;
        Ok(TreeLink {
            name: kept(name),
            parent: place(parent, tree.link(parent))?,
            joint: place(joint, tree.joint(joint))?,
            origin: Transform::new(Vec3::new(x, y, z), Rotation::of_angles([roll, pitch, yaw])),
            axis: Vec3::new(ax, ay, az),
            slides,
            ratio,
            offset,
            mass,
            centre: Vec3::new(cx, cy, cz),
        })
    }

    /// The table, borrowed.
    pub(crate) fn tree(&self) -> Tree<'_> {
        Tree {
            links: &self.links,
            joints: &self.joints,
        }
    }
}
