//! Trajectories of ROS against Hermite's polynomials, which know the ends of a curve by themselves.

use proptest::prelude::*;

use crate::{NoSurroundings, read, straightened, value_at};

const ERROR: f64 = 1e-4;

/// A place between two points with velocities and accelerations, for a share of the time.
fn hermite(share: f64, seconds: f64, from: [f64; 3], to: [f64; 3]) -> f64 {
    let t = |power: i32| share.powi(power);
    let places = (1.0 - 10.0 * t(3) + 15.0 * t(4) - 6.0 * t(5)) * from[0]
        + (10.0 * t(3) - 15.0 * t(4) + 6.0 * t(5)) * to[0];
    let velocities = (t(1) - 6.0 * t(3) + 8.0 * t(4) - 3.0 * t(5)) * from[1]
        + (-4.0 * t(3) + 7.0 * t(4) - 3.0 * t(5)) * to[1];
    let accelerations = (0.5 * t(2) - 1.5 * t(3) + 1.5 * t(4) - 0.5 * t(5)) * from[2]
        + (0.5 * t(3) - t(4) + 0.5 * t(5)) * to[2];
    places + velocities * seconds + accelerations * seconds * seconds
}

proptest! {
    #[test]
    fn accelerations_make_curves_of_the_fifth_degree(
        points in prop::collection::vec((1u32..20, [-2.0f64..2.0, -4.0f64..4.0, -20.0f64..20.0]), 2..5),
    ) {
        let mut text = "joint_names: [a]\npoints:\n".to_owned();
        let (mut tenths, mut times) = (0, Vec::new());
        for (wait, [place, velocity, acceleration]) in &points {
            tenths += wait;
            times.push(f64::from(tenths) / 10.0);
            text.push_str(&format!(
                "- {{positions: [{place}], velocities: [{velocity}], accelerations: [{acceleration}],\n   \
                 time_from_start: {{sec: {}, nanosec: {}}}}}\n",
                tenths / 10, tenths % 10 * 100_000_000
            ));
        }
        let reading = read("a.yaml", text.as_bytes()).expect("a trajectory");
        let motion = reading.document.motions(&NoSurroundings, &mut Vec::new()).expect("a motion").remove(0);
        let lines = straightened(&motion, ERROR).expect("lines");
        for place in 1..points.len() {
            let (begin, end) = (times[place - 1], times[place]);
            for part in 0..=50 {
                let share = f64::from(part) / 50.0;
                let time = begin + share * (end - begin);
                let is = value_at(&lines.tracks[0], (time * 1e9).round() as u64).expect("a value");
                let expected = hermite(share, end - begin, points[place - 1].1, points[place].1);
                prop_assert!((is - expected).abs() < 1.5 * ERROR, "at {}: {}, not {}", time, is, expected);
            }
        }
    }
}
