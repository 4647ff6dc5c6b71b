//! Convex polygons that are clipped by planes: what two flat surfaces share.

use kinematics::Vec3;

/// The most corners of a plate.
pub(crate) const PLATE_CORNERS_MAX: usize = 48;

/// Each of the six planes that clip a polygon adds a corner at most.
const POLYGON_MAX: usize = PLATE_CORNERS_MAX + 6;

/// A convex polygon.
pub(crate) struct Polygon {
    corners: [Vec3; POLYGON_MAX],
    count: usize,
}

impl Polygon {
    pub(crate) fn of(corners: impl Iterator<Item = Vec3>) -> Polygon {
        let mut polygon = Polygon {
            corners: [Vec3::ZERO; POLYGON_MAX],
            count: 0,
        };
        for corner in corners {
            polygon.add(corner);
        }
        polygon
    }

    fn add(&mut self, corner: Vec3) {
        if let Some(place) = self.corners.get_mut(self.count) {
            *place = corner;
            self.count += 1;
        }
    }

    pub(crate) fn corners(&self) -> &[Vec3] {
        &self.corners[..self.count]
    }

    /// Removes what lies farther than `limit` along an axis.
    pub(crate) fn clip(&mut self, axis: Vec3, limit: f64) {
        let mut kept = Polygon::of(core::iter::empty());
        let corners = self.corners();
        let Some(mut last) = corners.last().copied() else {
            return;
        };
        for &corner in corners {
            let (before, here) = (last.dot(axis) - limit, corner.dot(axis) - limit);
            if (before <= 0.0) != (here <= 0.0) {
                kept.add(last + (corner - last) * (before / (before - here)));
            }
            if here <= 0.0 {
                kept.add(corner);
            }
            last = corner;
        }
        *self = kept;
    }
}
