//! Drops points that nobody could see: at most four remain in a column of pixels.
//! Called by `svg` for long series. The least and the greatest point of every column remain, and so do both
//! ends of every line.

/// The points of a line between two gaps; few are all kept.
pub(crate) fn thin(points: Vec<(f64, f64)>, most: usize) -> Vec<(f64, f64)> {
    if points.len() <= most {
        return points;
    }
    let mut kept = Vec::new();
    for column in points.chunk_by(|a, b| a.0.floor() == b.0.floor()) {
        let by = |a: &(usize, &(f64, f64)), b: &(usize, &(f64, f64))| a.1.1.total_cmp(&b.1.1);
        let least = column
            .iter()
            .enumerate()
            .min_by(by)
            .map_or(0, |pair| pair.0);
        let greatest = column
            .iter()
            .enumerate()
            .max_by(by)
            .map_or(0, |pair| pair.0);
        let mut places = [0, least, greatest, column.len() - 1];
        places.sort_unstable();
        let mut before = None;
        for place in places {
            if before != Some(place) {
                kept.push(column[place]);
            }
            before = Some(place);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_survives() {
        let mut points: Vec<_> = (0..10_000).map(|i| (f64::from(i) / 100.0, 0.0)).collect();
        points[5_037].1 = 9.0;
        points[5_040].1 = -9.0;
        let thinned = thin(points.clone(), 400);
        assert!(thinned.len() <= 400, "{}", thinned.len());
        assert!(thinned.contains(&points[5_037]) && thinned.contains(&points[5_040]));
        assert_eq!(
            (thinned.first(), thinned.last()),
            (points.first(), points.last())
        );
        assert_eq!(thin(points[..300].to_vec(), 400), points[..300]);
    }
}
