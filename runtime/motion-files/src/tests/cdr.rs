//! Recordings of ROS: messages whose bytes are put together here, one by one.

use std::collections::BTreeMap;
use std::io::Cursor;

use crate::{MotionDocument, MotionFormat, NoSurroundings, detect, read, read_as, write};

/// The bytes of a message with two joints and one point, as the rules of CDR have them.
fn message(big: bool) -> Vec<u8> {
    let word = |n: u32| {
        if big {
            n.to_be_bytes()
        } else {
            n.to_le_bytes()
        }
    };
    let double = |value: f64| {
        if big {
            value.to_be_bytes()
        } else {
            value.to_le_bytes()
        }
    };
    let mut out = vec![0, u8::from(!big), 0, 0];
    out.extend([word(7), word(9), word(4)].concat());
    out.extend(b"bas\0");
    out.extend([word(2), word(2)].concat());
    out.extend(b"a\0\0\0");
    out.extend(word(3));
    out.extend(b"bc\0\0");
    out.extend([word(1), word(2)].concat());
    // 44 bytes so far behind the first four: numbers of eight bytes begin at 48.
    assert_eq!(out.len(), 48);
    out.extend([0; 4]);
    out.extend([double(0.5), double(-1.25)].concat());
    out.extend([word(0), word(0), word(0), word(1), word(500_000_000)].concat());
    out
}

fn recording(messages: &[Vec<u8>], topic: &str, encoding: &str) -> Vec<u8> {
    packed(messages, topic, encoding, Some(mcap::Compression::Zstd))
}

fn packed(
    messages: &[Vec<u8>],
    topic: &str,
    encoding: &str,
    by: Option<mcap::Compression>,
) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    let options = mcap::WriteOptions::new().compression(by);
    let mut writer = options.create(&mut out).expect("a writer");
    let name = "trajectory_msgs/msg/JointTrajectory";
    let schema = writer.add_schema(name, "ros2msg", b"").expect("a schema");
    let other = writer
        .add_schema("std_msgs/msg/String", "ros2msg", b"")
        .expect("a schema");
    let none = BTreeMap::new();
    let noise = writer
        .add_channel(other, "/noise", "cdr", &none)
        .expect("a channel");
    let channel = writer
        .add_channel(schema, topic, encoding, &none)
        .expect("a channel");
    let header = |channel_id: u16| mcap::records::MessageHeader {
        channel_id,
        sequence: 0,
        log_time: 5,
        publish_time: 5,
    };
    writer
        .write_to_known_channel(&header(noise), b"\0\x01")
        .expect("a message");
    for message in messages {
        writer
            .write_to_known_channel(&header(channel), message)
            .expect("a message");
    }
    writer.finish().expect("a recording");
    drop(writer);
    out.into_inner()
}

#[test]
fn a_recorded_trajectory_is_read_and_written() {
    for big in [false, true] {
        let bytes = recording(&[message(big)], "/arm/joint_trajectory", "cdr");
        assert_eq!(detect("", &bytes), Some(MotionFormat::Mcap));
        let reading = read("show.mcap", &bytes).expect("a recording");
        let motions = reading.document.motions(&NoSurroundings, &mut Vec::new());
        let motion = &motions.expect("a motion")[0];
        assert_eq!(motion.name, "/arm/joint_trajectory");
        let all: Vec<_> = motion
            .tracks
            .iter()
            .map(|track| (&*track.joint, track.keys[0].time, track.keys[0].value))
            .collect();
        assert_eq!(
            all,
            [("a", 1_500_000_000, 0.5), ("bc", 1_500_000_000, -1.25)]
        );
        let written = write(&reading.document, MotionFormat::Mcap).expect("a recording");
        let again = read_as(MotionFormat::Mcap, &written).expect("a recording");
        assert_eq!(again.document, reading.document);
        let MotionDocument::Recorded(list) = again.document else {
            panic!("another kind");
        };
        assert_eq!(list.len(), 1);
    }
    let json = br#"{"joint_names": ["a"], "points": [{"positions": [1], "time_from_start": 2}]}"#;
    let bytes = recording(&[json.to_vec()], "/json", "json");
    read("show.mcap", &bytes).expect("a recording");
}

#[test]
fn each_message_has_a_name_however_the_recording_is_packed() {
    use mcap::Compression::{Lz4, Zstd};
    for by in [None, Some(Lz4), Some(Zstd)] {
        let bytes = packed(&vec![message(false); 3], "/arm", "cdr", by);
        let reading = read("show.mcap", &bytes).expect("a recording");
        let motions = reading.document.motions(&NoSurroundings, &mut Vec::new());
        let motions = motions.expect("motions");
        let names: Vec<_> = motions.iter().map(|motion| &*motion.name).collect();
        assert_eq!(names, ["/arm", "/arm#2", "/arm#3"]);
        // Written alone, it is of the topic.
        let one = MotionDocument::of_motions(&motions[2..], MotionFormat::Mcap).expect("room");
        let MotionDocument::Recorded(list) = one else {
            panic!("another kind");
        };
        assert_eq!(list[0].0, "/arm");
    }
}

#[test]
fn broken_recordings_are_refused() {
    let bytes = recording(&[message(false)], "/arm", "cdr");
    let wrong = |bytes: &[u8]| read("show.mcap", bytes).expect_err("broken").to_string();
    let whole = read("show.mcap", &bytes).expect("a recording");
    for cut in 0..bytes.len() {
        // Cut off between two records behind the messages, it has all of them.
        match read("show.mcap", &bytes[..cut]) {
            Ok(reading) => assert_eq!(reading, whole, "cut at {cut}"),
            Err(failure) => assert!(failure.to_string().starts_with("line 1, column ")),
        }
    }
    let none = recording(&[], "/arm", "cdr");
    assert!(wrong(&none).contains("has no message trajectory_msgs/msg/JointTrajectory"));
    let other = recording(&[message(false)], "/arm", "ros1");
    assert!(
        wrong(&other)
            .contains("the messages of `/arm` are those of ROS 1, which are not read; fix: ")
    );
    let other = recording(&[message(false)], "/arm", "protobuf");
    assert!(wrong(&other).contains("messages in `protobuf`, which are not read"));
    let mut long = message(false);
    long[44..48].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(wrong(&recording(&[long], "/arm", "cdr")).contains("a list longer than its message"));
    let cut = message(false)[..60].to_vec();
    assert!(wrong(&recording(&[cut], "/arm", "cdr")).contains("a message that ends too early"));
    let mut infinite = message(false);
    infinite[52..60].copy_from_slice(&f64::NAN.to_le_bytes());
    assert!(wrong(&recording(&[infinite], "/arm", "cdr")).contains("not finite"));
}

/// A good recording, for mutations.
pub(super) fn good() -> Vec<u8> {
    recording(&[message(false)], "/arm", "cdr")
}
