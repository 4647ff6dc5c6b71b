//! Limits: what may be read can be written and read again, and what is too much is refused at once.

use crate::{
    JointKey, JointTrack, KEYS_MAX, KeyedMotion, MotionDocument, MotionFormat, read, write,
};

/// A motion of one joint with so many keys, 1 ms apart.
fn long(keys: usize) -> MotionDocument {
    let key =
        |number: usize| JointKey::linear(number as u64 * 1_000_000, (number % 1_000) as f64 / 1e3);
    MotionDocument::Motions(vec![KeyedMotion {
        tracks: vec![JointTrack {
            joint: "HeadYaw".to_owned(),
            keys: (0..keys).map(key).collect(),
            ..JointTrack::default()
        }],
        ..KeyedMotion::default()
    }])
}

#[test]
fn a_tag_with_more_attributes_than_anybody_writes_is_a_mistake_at_once() {
    let attributes: String = (0..200_000)
        .map(|number| format!(" a{number}=\"\""))
        .collect();
    let text = format!("<ChoregrapheProject><Timeline{attributes}/></ChoregrapheProject>");
    let failure = crate::read("a.xar", text.as_bytes()).expect_err("too many");
    let mistake = failure.list[0].to_string();
    assert!(
        mistake.contains("a tag has at most 100 attributes"),
        "{mistake}"
    );
}

#[test]
fn a_motion_that_is_too_long_to_be_written_has_one_fix_and_no_line() {
    let failure = write(&long(KEYS_MAX + 1), MotionFormat::Csv).expect_err("too many keys");
    let sentence = "CSV cannot hold this: more than 1000000 commands; fix: divide the file";
    assert_eq!(failure.to_string(), sentence);
}

#[test]
fn what_is_too_much_is_refused_before_the_rest_is_read() {
    let told = |name: &str, text: &str| {
        let failure = read(name, text.as_bytes()).expect_err("too much");
        failure.to_string()
    };
    // A million rows, and one that cannot be read: no mistake is told of that.
    let many = "A,1,1\n".repeat(KEYS_MAX);
    assert_eq!(
        told("a.csv", &format!("actuator,time,value\n{many}A,2,2\nB\n")),
        "line 1000002, column 6: more than 1000000 commands; fix: divide the file"
    );
    let digits = "1".repeat(95_000_000);
    assert_eq!(
        told(
            "a.motion",
            &format!("#WEBOTS_MOTION,V1.0,A\n00:00:000,P,{digits}")
        ),
        "line 2, column 1: the line has more than 1000000 bytes; fix: check the file"
    );
}
