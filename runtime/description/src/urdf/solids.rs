//! The shapes of a link, from its `<collision>` elements, else from `<visual>`.
//! Used by `read`. Shapes that cannot be converted give one warning for each link.

use super::ImportContext;
use super::mesh;
use super::model::{Geometry, Solid};
use super::xml::{Complaints, Element};

/// The maximum number of shapes of a link. More give a warning.
const SOLIDS_MAX: usize = 64;

/// The shapes of the link `part`.
pub(super) fn solids(
    part: Element<'_, '_>,
    warnings: &mut Vec<(usize, String)>,
    told: &mut Complaints,
    context: &mut dyn ImportContext,
) -> Vec<Solid> {
    let (mut solids, mut missed) = of("collision", part, told, context);
    if solids.is_empty() {
        let (looks, others) = of("visual", part, told, context);
        solids = looks;
        // The same file is often both visual and collision.
        missed.extend(others);
        missed.dedup();
    }
    let mut warn = |what: &str| warnings.push((part.at(), format!("{} {what}", part.owner)));
    for (uri, why) in missed {
        warn(&format!(
            "has a mesh, {uri:?}, which {why}: it has no shape here"
        ));
    }
    let whole = solids.len();
    solids.retain(|solid| !is_flat(&solid.form));
    if solids.len() < whole {
        warn("has a shape of size zero: it has no shape here");
    }
    if solids.len() > SOLIDS_MAX {
        solids.truncate(SOLIDS_MAX);
        warn("has more than 64 shapes: the others are left out");
    }
    solids
}

/// The shapes in elements of this name, and the meshes that could not be read, with the reason.
fn of(
    tag: &str,
    part: Element<'_, '_>,
    told: &mut Complaints,
    context: &mut dyn ImportContext,
) -> (Vec<Solid>, Vec<(String, String)>) {
    let (mut solids, mut missed) = (Vec::new(), Vec::new());
    for element in part.subs(tag) {
        let pose = element.pose(told);
        for geometry in element.subs("geometry") {
            let form = form(geometry, told);
            solids.extend(form.map(|form| Solid { pose, form }));
            for mesh in geometry.subs("mesh") {
                // Shapes beyond the maximum are not read.
                if solids.len() > SOLIDS_MAX {
                    break;
                }
                let uri = mesh.node.attribute("filename").unwrap_or_default().trim();
                let scale = mesh.three("scale", told).unwrap_or([1.0; 3]);
                let read = context.mesh(uri);
                match read.and_then(|value| mesh::corners(uri, &value, scale)) {
                    Ok(corners) => {
                        let form = Geometry::Mesh(corners);
                        solids.push(Solid { pose, form });
                    }
                    Err(why) => missed.push((uri.to_owned(), why)),
                }
            }
        }
    }
    (solids, missed)
}

fn form(geometry: Element<'_, '_>, told: &mut Complaints) -> Option<Geometry> {
    if let Some(element) = geometry.sub("box") {
        return Some(Geometry::Box(element.three("size", told)?));
    }
    if let Some(element) = geometry.sub("sphere") {
        let radius = element.measure("radius", told)?;
        return Some(Geometry::Sphere { radius });
    }
    let round = |item: Element<'_, '_>, told: &mut Complaints| {
        item.measure("radius", told)
            .zip(item.measure("length", told))
    };
    if let Some(value) = geometry.sub("cylinder") {
        let (radius, length) = round(value, told)?;
        return Some(Geometry::Cylinder { radius, length });
    }
    let (radius, length) = round(geometry.sub("capsule")?, told)?;
    Some(Geometry::Capsule { radius, length })
}

fn is_flat(form: &Geometry) -> bool {
    match form {
        // A flat box is valid; a line has no thickness.
        Geometry::Box(sides) => sides.iter().filter(|side| **side > 0.0).count() < 2,
        Geometry::Cylinder { radius, .. }
        | Geometry::Capsule { radius, .. }
        | Geometry::Sphere { radius } => *radius <= 0.0,
        Geometry::Mesh(_) => false,
    }
}
