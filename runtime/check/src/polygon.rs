//! Convex polygons in the plane. Used by the judge of balance and for floor plans.

/// The convex hull, counter-clockwise: Andrew's monotone chain.
pub fn convex_hull(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = &(f64, f64)>| {
        let mut chain: Vec<(f64, f64)> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..] {
                if turn(a, b, *point) > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(*point);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut points.iter());
    lower.extend(half(&mut points.iter().rev()));
    lower
}

/// Positive if `c` lies to the left of the way from `a` to `b`.
fn turn(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> f64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

/// The distance of a point from the edge of a convex polygon; below 0 if it is outside.
pub(super) fn within(polygon: &[(f64, f64)], point: (f64, f64)) -> f64 {
    let next = polygon.iter().cycle().skip(1);
    let edges = polygon.iter().zip(next);
    let inside = edges.clone().map(|(a, b)| {
        let length = (b.0 - a.0).hypot(b.1 - a.1);
        turn(*a, *b, point) / length
    });
    let nearest = inside.fold(f64::INFINITY, f64::min);
    if nearest >= 0.0 {
        return nearest;
    }
    let outside = edges.map(|(a, b)| {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let share = ((point.0 - a.0) * dx + (point.1 - a.1) * dy) / (dx * dx + dy * dy);
        let share = share.clamp(0.0, 1.0);
        (point.0 - a.0 - dx * share).hypot(point.1 - a.1 - dy * share)
    });
    -outside.fold(f64::INFINITY, f64::min)
}

/// The edge of a convex polygon that a point is farthest outside of; for a point inside, the nearest edge.
pub(super) fn nearest(
    polygon: &[(f64, f64)],
    point: (f64, f64),
) -> Option<((f64, f64), (f64, f64))> {
    let next = polygon.iter().cycle().skip(1);
    let edges = polygon.iter().zip(next);
    let far =
        |(a, b): &(&(f64, f64), &(f64, f64))| turn(**a, **b, point) / (b.0 - a.0).hypot(b.1 - a.1);
    let nearest = edges.min_by(|a, b| far(a).total_cmp(&far(b)));
    nearest.map(|(a, b)| (*a, *b))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [(f64, f64); 4] = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)];

    #[test]
    fn a_hull_leaves_out_what_lies_within() {
        let mut points = SQUARE.to_vec();
        points.extend([(1.0, 1.0), (1.0, 0.0), (0.5, 1.5)]);
        let mut found = convex_hull(points);
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        assert_eq!(found, [(0.0, 0.0), (0.0, 2.0), (2.0, 0.0), (2.0, 2.0)]);
        assert_eq!(convex_hull(vec![(0.0, 0.0), (1.0, 1.0)]).len(), 2);
    }

    #[test]
    fn the_margin_is_the_way_to_the_nearest_edge() {
        assert!((within(&SQUARE, (0.5, 1.0)) - 0.5).abs() < 1e-12);
        assert!((within(&SQUARE, (3.0, 1.0)) + 1.0).abs() < 1e-12);
        assert!((within(&SQUARE, (5.0, 6.0)) + 5.0).abs() < 1e-12);
        assert_eq!(nearest(&SQUARE, (3.0, 1.0)), Some((SQUARE[1], SQUARE[2])));
        assert_eq!(nearest(&SQUARE, (1.0, 1.9)), Some((SQUARE[2], SQUARE[3])));
    }
}
