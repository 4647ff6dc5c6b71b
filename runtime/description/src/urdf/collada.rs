//! Reads the corners of a DAE file (COLLADA 1.4 and 1.5): its meshes, placed by its scene, in metres.
//! Used by `mesh`. Existing readers compose the scene's transforms in another order, so this is a reader of its own.
//! `<up_axis>` is ignored, as in ROS; the depth of nested instances is limited.

use std::collections::HashMap;

use printable::{ATTRIBUTES_MAX, crowded_tag};
use roxmltree::{Document, Node};

use super::xml::finite;

/// The maximum depth of nested nodes.
const DEPTH: usize = 64;

/// The maximum number of mesh instances in a scene.
const INSTANCES: usize = 10_000;

/// A transform: rotation and scale in the first three columns, translation in the last.
type Transform = [[f64; 4]; 3];

const NONE: Transform = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
];

/// The file's elements by id.
struct ColladaScene<'d, 't> {
    named: HashMap<&'d str, Node<'d, 't>>,
    instances: usize,
    corners: Vec<[f64; 3]>,
}

/// Returns the corners, or the mistake.
pub(super) fn corners(bytes: &[u8]) -> Result<Vec<[f64; 3]>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    if crowded_tag(text).is_some() {
        return Err(format!("a tag has at most {ATTRIBUTES_MAX} attributes"));
    }
    let document = Document::parse(text).map_err(|error| error.to_string())?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err("its first element is not `<COLLADA>`".to_owned());
    }
    let elements = root.descendants().filter(Node::is_element);
    let named = elements.filter_map(|element| Some((element.attribute("id")?, element)));
    let mut scene = ColladaScene {
        named: named.collect(),
        instances: 0,
        corners: Vec::new(),
    };
    let shown = sub(root, "scene").and_then(|scene| sub(scene, "instance_visual_scene"));
    if let Some(shown) = shown {
        for node in subs(scene.meant(shown, "url")?, "node") {
            scene.node(node, &NONE, 0)?;
        }
    } else {
        let geometries = root
            .descendants()
            .filter(|descendant| is(*descendant, "geometry"));
        for geometry in geometries {
            scene.geometry(geometry, &NONE)?;
        }
    }
    let unit = sub(root, "asset").and_then(|asset| sub(asset, "unit"));
    let unit = unit.and_then(|unit| unit.attribute("meter"));
    let metre = unit.map_or(Some(1.0), finite);
    let metre = metre.ok_or("its unit is no number")?;
    let corners = scene.corners.into_iter();
    Ok(corners
        .map(|corner| corner.map(|value| value * metre))
        .collect())
}

impl<'d, 't> ColladaScene<'d, 't> {
    /// What the attribute `key` of `node` means: `#` and its name.
    fn meant(&self, node: Node<'d, 't>, key: &str) -> Result<Node<'d, 't>, String> {
        let url = node.attribute(key).unwrap_or_default();
        let found = url.strip_prefix('#').and_then(|rest| self.named.get(rest));
        found
            .copied()
            .ok_or_else(|| format!("there is no element {url:?} in it"))
    }

    fn node(&mut self, node: Node<'d, 't>, above: &Transform, depth: usize) -> Result<(), String> {
        if depth > DEPTH {
            return Err(format!("its nodes are more than {DEPTH} deep"));
        }
        let mut here = *above;
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "instance_geometry" => {
                    let geometry = self.meant(child, "url")?;
                    self.geometry(geometry, &here)?;
                }
                "instance_node" => self.node(self.meant(child, "url")?, &here, depth + 1)?,
                "node" => self.node(child, &here, depth + 1)?,
                "lookat" | "skew" => {
                    let tag = child.tag_name().name();
                    return Err(format!("it has a `<{tag}>`, which is not understood"));
                }
                tag => {
                    if let Some(step) = step(tag, child)? {
                        here = times(&here, &step);
                    }
                }
            }
        }
        Ok(())
    }

    fn geometry(&mut self, geometry: Node<'d, 't>, place: &Transform) -> Result<(), String> {
        self.instances += 1;
        if self.instances > INSTANCES {
            return Err(format!("it shows more than {INSTANCES} meshes"));
        }
        let Some(mesh) = sub(geometry, "mesh") else {
            return Ok(());
        };
        for vertices in subs(mesh, "vertices") {
            let positions = |node: &Node<'_, '_>| node.attribute("semantic") == Some("POSITION");
            for input in subs(vertices, "input").filter(positions) {
                let source = self.meant(input, "source")?;
                self.corners
                    .extend(points(source)?.into_iter().map(|point| moved(place, point)));
            }
        }
        Ok(())
    }
}

/// The points of a `<source>`: as many figures as its accessor strides over, of which the first three are x, y, z.
fn points(source: Node<'_, '_>) -> Result<Vec<[f64; 3]>, String> {
    let array = sub(source, "float_array").and_then(|float_array| float_array.text());
    let figures = figures(array.unwrap_or_default())?;
    let accessor = sub(source, "technique_common")
        .and_then(|technique_common| sub(technique_common, "accessor"));
    let number = |key, usual| {
        let text = accessor.and_then(|accessor| accessor.attribute(key));
        text.map_or(Some(usual), |text| text.trim().parse::<usize>().ok())
    };
    let stride = number("stride", 3).filter(|number| (3..=64).contains(number));
    let (Some(stride), Some(offset)) = (stride, number("offset", 0)) else {
        return Err("its points are not in threes".to_owned());
    };
    let rows = figures.get(offset..).unwrap_or_default().chunks(stride);
    let points = rows.filter_map(|row| row.first_chunk().copied());
    Ok(points.collect())
}

fn figures(text: &str) -> Result<Vec<f64>, String> {
    let words = text.split_ascii_whitespace();
    words
        .map(|word| finite(word).ok_or_else(|| format!("{word:?} is no finite number")))
        .collect()
}

/// One step of a node's transform; `None` for other elements.
fn step(tag: &str, node: Node<'_, '_>) -> Result<Option<Transform>, String> {
    let wants = match tag {
        "translate" | "scale" => 3,
        "rotate" => 4,
        "matrix" => 16,
        _ => return Ok(None),
    };
    let all = figures(node.text().unwrap_or_default())?;
    if all.len() != wants {
        return Err(format!("a `<{tag}>` of it has not {wants} figures"));
    }
    let mut step = NONE;
    match tag {
        "translate" => (0..3).for_each(|row| step[row][3] = all[row]),
        "scale" => (0..3).for_each(|row| step[row][row] = all[row]),
        "matrix" => (0..12).for_each(|i| step[i / 4][i % 4] = all[i]),
        _ => step = about([all[0], all[1], all[2]], all[3].to_radians()),
    }
    Ok(Some(step))
}

/// A rotation about an axis of any length.
fn about(axis: [f64; 3], angle: f64) -> Transform {
    let length = axis.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length < 1e-12 {
        return NONE;
    }
    let [x, y, z] = axis.map(|axis| axis / length);
    let ((sin, cos), rest) = (angle.sin_cos(), 1.0 - angle.cos());
    [
        [
            cos + x * x * rest,
            x * y * rest - z * sin,
            x * z * rest + y * sin,
            0.0,
        ],
        [
            y * x * rest + z * sin,
            cos + y * y * rest,
            y * z * rest - x * sin,
            0.0,
        ],
        [
            z * x * rest - y * sin,
            z * y * rest + x * sin,
            cos + z * z * rest,
            0.0,
        ],
    ]
}

/// Applies `inner`, then `outer`.
fn times(outer: &Transform, inner: &Transform) -> Transform {
    let mut product = [[0.0; 4]; 3];
    for (row, line) in product.iter_mut().enumerate() {
        for (column, item) in line.iter_mut().enumerate() {
            *item = (0..3).map(|at| outer[row][at] * inner[at][column]).sum();
        }
        line[3] += outer[row][3];
    }
    product
}

fn moved(by: &Transform, [x, y, z]: [f64; 3]) -> [f64; 3] {
    by.map(|value| value[0] * x + value[1] * y + value[2] * z + value[3])
}

fn is(node: Node<'_, '_>, tag: &str) -> bool {
    node.is_element() && node.tag_name().name() == tag
}

fn subs<'d, 't>(node: Node<'d, 't>, tag: &str) -> impl Iterator<Item = Node<'d, 't>> {
    node.children().filter(move |child| is(*child, tag))
}

fn sub<'d, 't>(node: Node<'d, 't>, tag: &str) -> Option<Node<'d, 't>> {
    subs(node, tag).next()
}
