//! The shapes of a link, from its collisions, or from its looks where those have none.
//! Used by `read`. The law: a shape that cannot be fitted is told once for each link.

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
) -> Vec<Solid> {
    let (mut solids, mut meshes) = of("collision", part, told);
    if solids.is_empty() {
        let (looks, others) = of("visual", part, told);
        (solids, meshes) = (looks, meshes + others);
    }
    let mut warn = |what| warnings.push((part.at(), format!("{} {what}", part.owner)));
    if meshes > 0 && solids.is_empty() {
        warn("has only meshes for shapes: it gets no capsule; write `capsules` by hand");
    } else if meshes > 0 {
        warn("has meshes besides its shapes: they get no capsules");
    }
    let whole = solids.len();
    solids.retain(|it| !is_flat(it.form));
    if solids.len() < whole {
        warn("has a shape of no size: it gets no capsule");
    }
    if solids.len() > SOLIDS_MAX {
        solids.truncate(SOLIDS_MAX);
        warn("has more than 64 shapes: the others get no capsules");
    }
    solids
}

fn of(tag: &str, part: Part<'_, '_>, told: &mut Complaints) -> (Vec<Solid>, usize) {
    let (mut solids, mut meshes) = (Vec::new(), 0);
    for element in part.subs(tag) {
        let pose = pose_of(element, told);
        for geometry in element.subs("geometry") {
            meshes += geometry.subs("mesh").count();
            let form = form(geometry, told);
            solids.extend(form.map(|form| Solid { pose, form }));
        }
    }
    (solids, meshes)
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

fn is_flat(form: Form) -> bool {
    match form {
        // A plate still has a longest side; a thread has no thickness.
        Form::Box(sides) => sides.iter().filter(|it| **it > 0.0).count() < 2,
        Form::Cylinder { radius, .. } | Form::Capsule { radius, .. } | Form::Sphere { radius } => {
            radius <= 0.0
        }
    }
}
