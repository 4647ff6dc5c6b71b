//! The shapes of a link, from its collisions, or from its looks where those have none.
//! Used by `read`. The law: a shape that cannot be fitted is told once for each link.

use super::Outside;
use super::mesh;
use super::model::{Form, Solid};
use super::read::pose_of;
use super::xml::{Complaints, Part};

/// The most shapes of one link; what there is beyond is told.
const SOLIDS_MAX: usize = 64;

/// The shapes of the link `part`.
pub(super) fn solids(
    part: Part<'_, '_>,
    warnings: &mut Vec<(usize, String)>,
    told: &mut Complaints,
    outside: &mut dyn Outside,
) -> Vec<Solid> {
    let (mut solids, mut missed) = of("collision", part, told, outside);
    if solids.is_empty() {
        let (looks, others) = of("visual", part, told, outside);
        solids = looks;
        // The same file is often shown and touched.
        missed.extend(others);
        missed.dedup();
    }
    let mut warn = |what: &str| warnings.push((part.at(), format!("{} {what}", part.owner)));
    for (uri, why) in missed {
        warn(&format!(
            "has a mesh, {uri:?}, which {why}: it gets no shape"
        ));
    }
    let whole = solids.len();
    solids.retain(|it| !is_flat(&it.form));
    if solids.len() < whole {
        warn("has a shape of no size: it gets no shape");
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
    part: Part<'_, '_>,
    told: &mut Complaints,
    outside: &mut dyn Outside,
) -> (Vec<Solid>, Vec<(String, String)>) {
    let (mut solids, mut missed) = (Vec::new(), Vec::new());
    for element in part.subs(tag) {
        let pose = pose_of(element, told);
        for geometry in element.subs("geometry") {
            let form = form(geometry, told);
            solids.extend(form.map(|form| Solid { pose, form }));
            for mesh in geometry.subs("mesh") {
                // What is beyond the most need not be read.
                if solids.len() > SOLIDS_MAX {
                    break;
                }
                let uri = mesh.node.attribute("filename").unwrap_or_default().trim();
                let scale = mesh.three("scale", told).unwrap_or([1.0; 3]);
                let read = outside.mesh(uri);
                match read.and_then(|it| mesh::corners(uri, &it, scale)) {
                    Ok(corners) => {
                        let form = Form::Mesh(corners);
                        solids.push(Solid { pose, form });
                    }
                    Err(why) => missed.push((uri.to_owned(), why)),
                }
            }
        }
    }
    (solids, missed)
}

fn form(geometry: Part<'_, '_>, told: &mut Complaints) -> Option<Form> {
    if let Some(it) = geometry.sub("box") {
        return Some(Form::Box(it.three("size", told)?));
    }
    if let Some(it) = geometry.sub("sphere") {
        let radius = it.measure("radius", told)?;
        return Some(Form::Sphere { radius });
    }
    let round = |it: Part<'_, '_>, told: &mut Complaints| {
        it.measure("radius", told).zip(it.measure("length", told))
    };
    if let Some(it) = geometry.sub("cylinder") {
        let (radius, length) = round(it, told)?;
        return Some(Form::Cylinder { radius, length });
    }
    let (radius, length) = round(geometry.sub("capsule")?, told)?;
    Some(Form::Capsule { radius, length })
}

fn is_flat(form: &Form) -> bool {
    match form {
        // A plate still has a longest side; a thread has no thickness.
        Form::Box(sides) => sides.iter().filter(|it| **it > 0.0).count() < 2,
        Form::Cylinder { radius, .. } | Form::Capsule { radius, .. } | Form::Sphere { radius } => {
            *radius <= 0.0
        }
        Form::Mesh(_) => false,
    }
}
