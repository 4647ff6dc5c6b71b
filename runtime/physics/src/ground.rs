//! The ground, which no body moves: a plane, or a field of heights.
//! Used by contact detection, which needs the distance of a point.

use alloc::vec::Vec;

use kinematics::Vec3;

/// The ground.
#[derive(Clone, Debug)]
pub struct Ground {
    /// Its surface.
    pub surface: Surface,
    /// Its coefficient of friction.
    pub friction: f64,
}

/// The surface of the ground.
#[derive(Clone, Debug)]
pub enum Surface {
    /// There is none.
    None,
    /// A plane.
    Plane {
        /// Its normal, of length 1, which points upwards.
        normal: Vec3,
        /// A point of it.
        through: Vec3,
    },
    /// Heights at the points of a grid, with two triangles between four points. Beyond its edge, the height of the edge
    /// continues level.
    Heights(HeightField),
}

impl Surface {
    /// A plane through the origin with this normal.
    pub fn slope(normal: Vec3) -> Surface {
        Surface::Plane {
            normal,
            through: Vec3::ZERO,
        }
    }
}

/// Heights at the points of a grid.
#[derive(Clone, Debug)]
pub struct HeightField {
    /// The place of the first point, m.
    pub origin: (f64, f64),
    /// The distance of neighbours, m.
    pub spacing: f64,
    /// How many points there are along x.
    pub columns: usize,
    /// The heights, row by row along x, m.
    pub heights: Vec<f64>,
}

impl Ground {
    /// A level floor.
    pub fn level(friction: f64) -> Ground {
        Ground {
            surface: Surface::slope(Vec3::Z),
            friction,
        }
    }

    /// Whether it can be used: everything finite, at least four points.
    pub(crate) fn is_sound(&self) -> bool {
        let has_surface = match &self.surface {
            Surface::None => true,
            Surface::Plane { normal, through } => {
                let is_unit = (normal.length() - 1.0).abs() < 1e-6;
                is_unit && normal.z > 0.0 && through.is_finite()
            }
            Surface::Heights(field) => field.is_sound(),
        };
        has_surface && self.friction.is_finite() && self.friction >= 0.0
    }

    /// The distance of a point from the surface, below zero inside the ground, and the normal there.
    pub(crate) fn distance(&self, point: Vec3) -> Option<(f64, Vec3)> {
        match &self.surface {
            Surface::None => None,
            Surface::Plane { normal, through } => Some((normal.dot(point - *through), *normal)),
            Surface::Heights(field) => Some(field.distance(point)),
        }
    }
}

impl HeightField {
    fn is_sound(&self) -> bool {
        let is_grid = self.columns >= 2
            && self.heights.len() >= 2 * self.columns
            && self.heights.len().is_multiple_of(self.columns);
        let sizes = [self.origin.0, self.origin.1, self.spacing];
        is_grid
            && self.spacing > 0.0
            && sizes
                .iter()
                .chain(&self.heights)
                .all(|size| size.is_finite())
    }

    fn distance(&self, point: Vec3) -> (f64, Vec3) {
        let rows = self.heights.len() / self.columns;
        let column = GridCell::at((point.x - self.origin.0) / self.spacing, self.columns);
        let row = GridCell::at((point.y - self.origin.1) / self.spacing, rows);
        let height =
            |right, up| self.heights[(row.first + up) * self.columns + column.first + right];
        let (near, far) = (height(0, 0), height(1, 1));
        // The cell's diagonal leads from the near to the far corner.
        let (slope_x, slope_y) = if column.share >= row.share {
            (height(1, 0) - near, far - height(1, 0))
        } else {
            (far - height(0, 1), height(0, 1) - near)
        };
        let level = near + slope_x * column.share + slope_y * row.share;
        // Beyond the edge the ground is level across it.
        let tilt = |cell: GridCell, slope: f64| {
            if cell.is_beyond {
                0.0
            } else {
                -slope / self.spacing
            }
        };
        let normal = Vec3::new(tilt(column, slope_x), tilt(row, slope_y), 1.0).unit();
        ((point.z - level) * normal.z, normal)
    }
}

/// Where a place is between two neighbours of a row of points.
#[derive(Clone, Copy)]
struct GridCell {
    first: usize,
    /// How far it is from the first to the second, 0 to 1.
    share: f64,
    /// Whether it is beyond the last point, or before the first.
    is_beyond: bool,
}

impl GridCell {
    fn at(place: f64, points: usize) -> GridCell {
        let last = (points - 2) as f64;
        let inside = place.clamp(0.0, last + 1.0);
        let first = libm::floor(inside).min(last);
        GridCell {
            first: first as usize,
            share: inside - first,
            is_beyond: inside != place,
        }
    }
}
