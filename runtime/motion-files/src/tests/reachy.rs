//! The head of a Reachy Mini: matrices as angles.

use crate::{NoSurroundings, read};

/// A move whose head turns about z by these angles, rad, half a second apart.
fn turning(angles: &[f64]) -> String {
    let heads = angles.iter().map(|angle| {
        let (sin, cos) = angle.sin_cos();
        let minus = -sin;
        format!("{{\"head\": [[{cos},{minus},0,0],[{sin},{cos},0,0],[0,0,1,0],[0,0,0,1]]}}")
    });
    let heads: Vec<_> = heads.collect();
    let times: Vec<_> = (0..angles.len())
        .map(|i| (i as f64 / 2.0).to_string())
        .collect();
    let (times, heads) = (times.join(","), heads.join(",\n"));
    format!("{{\"time\": [{times}], \"set_target_data\": [\n{heads}]}}")
}

#[test]
fn a_head_that_turns_beyond_half_a_turn_goes_on() {
    let angles = [2.5, 3.0, 3.5, 6.0, 7.0, 4.5, 2.0, -1.0, -3.5];
    let reading = read("a.json", turning(&angles).as_bytes()).expect("a move");
    let motions = reading.document.motions(&NoSurroundings, &mut Vec::new());
    let motions = motions.expect("a motion");
    let yaw = motions[0]
        .tracks
        .iter()
        .find(|track| track.joint == "head.yaw");
    let found: Vec<_> = yaw
        .expect("a yaw")
        .keys
        .iter()
        .map(|key| key.value)
        .collect();
    assert_eq!(found.len(), angles.len());
    for (found, wanted) in found.iter().zip(angles) {
        assert!((found - wanted).abs() < 1e-9, "{found}, not {wanted}");
    }
}

#[test]
fn a_matrix_that_is_no_rotation_is_refused_at_its_place() {
    let good = turning(&[0.5, 0.25]);
    let second = "[[0.9689124217106447,-0.24740395925452294,0,0]";
    assert!(good.contains(second), "{good}");
    let changes = [
        // Longer, mirrored, skewed, not even numbers that turn, and a last row of its own.
        (second, "[[1.9,-0.25,0,0]"),
        ("[0,0,1,0],[0,0,0,1]]}]", "[0,0,-1,0],[0,0,0,1]]}]"),
        (second, "[[0.97,0.25,0,0]"),
        (second, "[[0,0,0,0]"),
        ("[0,0,0,1]]}]", "[0,0,0,2]]}]"),
    ];
    for (from, to) in changes {
        let text = good.replace(from, to);
        assert_ne!(text, good);
        let failure = read("a.json", text.as_bytes()).expect_err(to).to_string();
        let begin = "line 3, column 10: `head` is no place";
        assert!(failure.starts_with(begin), "{failure}");
    }
    // What was rounded is still one.
    read(
        "a.json",
        good.replace(second, "[[0.969,-0.247,0,0]").as_bytes(),
    )
    .expect("a move");
}

#[test]
fn a_missing_yaw_of_the_body_is_zero_and_a_time_that_comes_twice_is_a_jump() {
    let text = "{\"time\": [0, 0, 1, 2, 2, 2, 3], \"set_target_data\": [\
        {\"antennas\": [9, 9]}, {\"antennas\": [1, 2]}, \
        {\"body_yaw\": 0.5}, {\"antennas\": [3, 4]}, {\"antennas\": [7, 7]}, {\"antennas\": [5, 6], \"body_yaw\": 1}, \
        {\"antennas\": [7, 8], \"body_yaw\": null}]}";
    let reading = read("a.json", text.as_bytes()).expect("a move");
    let remarks: Vec<_> = reading.remarks.iter().map(ToString::to_string).collect();
    assert_eq!(
        remarks,
        [
            "line 1, column 14: two entries have this time: the later counts from here on, and the joints jump"
        ]
    );
    let motions = reading
        .document
        .motions(&NoSurroundings, &mut Vec::new())
        .expect("a motion");
    let keys = |joint: &str| -> Vec<(u64, f64)> {
        let track = motions[0]
            .tracks
            .iter()
            .find(|track| track.joint == joint)
            .expect(joint);
        track.keys.iter().map(|key| (key.time, key.value)).collect()
    };
    let second = 1_000_000_000;
    let jump = 2 * second - 1;
    assert_eq!(
        keys("antennas.0"),
        [(0, 1.0), (jump, 3.0), (2 * second, 5.0), (3 * second, 7.0)]
    );
    assert_eq!(
        keys("body_yaw"),
        [
            (0, 0.0),
            (second, 0.5),
            (jump, 0.0),
            (2 * second, 1.0),
            (3 * second, 0.0)
        ]
    );
}
