//! Key frames of the HULKs: parts with curves of their own, conditions, and the form of the years before 2023.

use crate::curves::value_at;
use crate::{KeyedMotion, NoSurroundings, read};

fn motion_of(name: &str, text: &str) -> (KeyedMotion, Vec<String>) {
    let read = read(name, text.as_bytes()).unwrap_or_else(|why| panic!("{why}"));
    let remarks = read.remarks.iter().map(ToString::to_string).collect();
    let motions = read.document.motions(&NoSurroundings, &mut Vec::new());
    (motions.expect("a motion").remove(0), remarks)
}

fn frame(duration: f64, yaw: f64) -> String {
    format!("{{\"duration\": {duration}, \"positions\": {{\"head\": {{\"yaw\": {yaw}}}}}}}")
}

/// Catmull and Rom's curve through points, which are mirrored at both ends, at an instant.
fn spline(points: &[(f64, f64)], at: f64) -> f64 {
    let count = points.len();
    let mut all = points.to_vec();
    all.insert(0, (2.0 * points[0].0 - points[1].0, points[1].1));
    let (last, before) = (points[count - 1], points[count - 2]);
    all.push((2.0 * last.0 - before.0, before.1));
    let number = points
        .iter()
        .rposition(|point| point.0 <= at)
        .expect("the first");
    let [x, a, b, y] = [0, 1, 2, 3].map(|i| all[number.min(count - 2) + i]);
    let (span, t) = (b.0 - a.0, (at - a.0) / (b.0 - a.0));
    let (m0, m1) = ((b.1 - x.1) / (b.0 - x.0), (y.1 - a.1) / (y.0 - a.0));
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * a.1
        + (t3 - 2.0 * t2 + t) * m0 * span
        + (3.0 * t2 - 2.0 * t3) * b.1
        + (t3 - t2) * m1 * span
}

#[test]
fn each_part_of_a_motion_has_a_curve_of_its_own() {
    let mut random = fastrand::Rng::with_seed(41);
    for _ in 0..200 {
        let mut value = || {
            (
                4.0 * random.f64() - 2.0,
                f64::from(random.u32(1..2_000)) / 1e3,
            )
        };
        let first = value().0;
        let mut parts = Vec::new();
        let mut curves: Vec<Vec<(f64, f64)>> = Vec::new();
        let mut last = (0.0, first);
        for count in [1, 3, 2] {
            let mut points = vec![last];
            let mut frames = Vec::new();
            for _ in 0..count {
                let (yaw, duration) = value();
                last = (last.0 + duration, yaw);
                points.push(last);
                frames.push(frame(duration, yaw));
            }
            parts.push(format!("{{\"keyframes\": [{}]}}", frames.join(",")));
            curves.push(points);
        }
        let text = format!(
            "{{\"interpolation_mode\": \"catmull_rom\", \"initial_positions\": {{\"head\": {{\"yaw\": {first}}}}}, \
             \"motion\": [{}]}}",
            parts.join(", ")
        );
        let (motion, _) = motion_of("a.json", &text);
        for points in &curves {
            let (from, to) = (points[0].0, points[points.len() - 1].0);
            for step in 0..40 {
                let at = from + (to - from) * f64::from(step) / 40.0;
                let got = value_at(&motion.tracks[0], (at * 1e9).round() as u64).expect("a value");
                let wanted = spline(points, at);
                assert!(
                    (got - wanted).abs() < 2e-6,
                    "at {at}: {got}, not {wanted}, in {text}"
                );
            }
        }
    }
}

#[test]
fn conditions_between_key_frames_are_told_and_not_played() {
    let condition = "{\"StabilizedCondition\": {\"tolerance\": 0.1, \"timeout_duration\": 5.0}}";
    let text = format!(
        "{{\"initial_positions\": {{\"head\": {{\"yaw\": 0}}}},\n\"frames\": [{},\n{condition}, {}]}}",
        frame(0.5, 1.0),
        frame(0.5, 2.0)
    );
    let (motion, remarks) = motion_of("a.json", &text);
    let keys: Vec<_> = motion.tracks[0]
        .keys
        .iter()
        .map(|key| (key.time / 1_000_000, key.value))
        .collect();
    assert_eq!(keys, [(0, 0.0), (500, 1.0), (1_000, 2.0)]);
    assert_eq!(
        remarks,
        ["line 3, column 1: the condition `StabilizedCondition` is not played"]
    );
}

#[test]
fn a_motion_without_its_first_pose_is_told_so() {
    let text = format!(
        "{{\n \"motion\": [{{\"keyframes\": [{}]}}]}}",
        frame(0.5, 1.0)
    );
    let mistake = read("a.json", text.as_bytes())
        .expect_err("a pose is missing")
        .to_string();
    assert_eq!(
        mistake,
        "line 1, column 1: the motion has no `initial_positions`"
    );
}

#[test]
fn motions_of_the_years_before_2023_are_read() {
    let mut random = fastrand::Rng::with_seed(42);
    let names = [
        "HeadYaw",
        "HeadPitch",
        "LShoulderPitch",
        "LHand",
        "LHipYawPitch",
        "LAnkleRoll",
    ];
    let names = [
        &names[..],
        &["RHipYawPitch", "RAnkleRoll", "RShoulderPitch", "RHand"],
    ]
    .concat();
    let numbers = "0, 1, 2, 7, 8, 13, 14, 19, 20, 25";
    for _ in 0..50 {
        let shares: Vec<_> = (0..random.usize(1..5))
            .map(|_| random.u64(100..2_000))
            .collect();
        let whole = random.u64(1_000..5_000);
        let mut rows = Vec::new();
        let mut expected = Vec::new();
        let mut time = 0;
        for share in &shares {
            let values: Vec<_> = names.iter().map(|_| random.f64()).collect();
            rows.push(format!("{{\"time\": {share}, \"parameters\": {values:?}}}"));
            time += share * whole / shares.iter().sum::<u64>();
            expected.push((time * 1_000_000, values));
        }
        let text = format!(
            "{{\"header\": {{\"time\": {whole}, \"title\": \"sit\", \"version\": \"2.0\", \"joints\": [{numbers}]}}, \
             \"position\": [{}], \"stiffness\": [{{\"time\": 5, \"parameters\": []}}]}}",
            rows.join(", ")
        );
        let (motion, remarks) = motion_of("sit.motion2", &text);
        assert_eq!((motion.name.as_str(), remarks.len()), ("sit", 1));
        let found: Vec<_> = motion
            .tracks
            .iter()
            .map(|track| track.joint.as_str())
            .collect();
        assert_eq!(found, names);
        for (joint, track) in motion.tracks.iter().enumerate() {
            let keys: Vec<_> = track.keys.iter().map(|key| (key.time, key.value)).collect();
            let wanted: Vec<_> = expected
                .iter()
                .map(|expected| (expected.0, expected.1[joint]))
                .collect();
            assert_eq!(keys, wanted);
        }
    }
    let mistake = |from: &str, to: &str| {
        let text = "{\"header\": {\"time\": 500, \"joints\": [0, 1]},\n\"position\": [{\"time\": 5, \
                    \"parameters\": [0.1, 0.2]}]}";
        let failure = read("a.motion2", text.replace(from, to).as_bytes()).expect_err("a mistake");
        failure.to_string()
    };
    assert_eq!(
        mistake("[0, 1]", "[0, 26]"),
        "line 1, column 40: a joint of a NAO has a number from 0 to 25"
    );
    assert_eq!(
        mistake("0.1, ", ""),
        "line 2, column 40: 1 parameters, but the header has 2 joints"
    );
}
