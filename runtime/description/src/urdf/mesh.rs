//! Reads the corners of a mesh from an STL, OBJ or DAE file.
//! Used by `solids`. Files are not trusted; a point that is not finite or too far away is refused with a
//! reason.

use std::io;
use std::path::Path;

use mesh_loader::Loader;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;

use super::collada;

/// The maximum distance of a corner, m.
const FAR: f64 = 1e3;

/// The maximum number of corners in a file.
const CORNERS_MAX: usize = 4 << 20;

/// The corners of the hull around the mesh `uri`, in metres, or the reason as a predicate.
pub(super) fn corners(uri: &str, bytes: &[u8], scale: [f64; 3]) -> Result<Vec<[f64; 3]>, String> {
    let extension = Path::new(uri).extension();
    let is_dae = extension.is_some_and(|extension| extension.eq_ignore_ascii_case("dae"));
    let corners = if is_dae {
        collada::corners(bytes).map_err(|why| format!("cannot be read ({why})"))?
    } else {
        triangles(uri, bytes)?
    };
    match corners.len() {
        0 => return Err("has no corners".to_owned()),
        1..=CORNERS_MAX => {}
        _ => return Err(format!("has more than {CORNERS_MAX} corners")),
    }
    let scaled = corners
        .iter()
        .map(|corner| [0, 1, 2].map(|axis| corner[axis] * scale[axis]));
    let points: Vec<Vector> = scaled.map(Vector::from_array).collect();
    // A comparison with NaN is false.
    let is_near = |vector: &Vector| vector.to_array().iter().all(|value| value.abs() <= FAR);
    if !points.iter().all(is_near) {
        return Err(format!("has corners beyond {FAR} m: say its `scale`"));
    }
    // A flat mesh has no hull.
    let hull = try_convex_hull(&points).map_or(points, |hull| hull.0);
    Ok(hull.into_iter().map(|hull| hull.to_array()).collect())
}

/// The corners in an STL or OBJ file.
fn triangles(uri: &str, bytes: &[u8]) -> Result<Vec<[f64; 3]>, String> {
    // Its materials are not needed.
    let loader = Loader::with_custom_reader(|_| -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    });
    let told = |error: io::Error| match error.kind() {
        io::ErrorKind::Unsupported => "is neither STL, OBJ nor DAE".to_owned(),
        _ => format!("cannot be read ({error})"),
    };
    let scene = loader
        .load_from_slice(bytes, Path::new(uri))
        .map_err(told)?;
    let corners = scene.meshes.iter().flat_map(|mesh| &mesh.vertices);
    Ok(corners.map(|corner| corner.map(f64::from)).collect())
}
