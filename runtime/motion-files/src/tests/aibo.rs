//! Motions of Sony's AIBO against a plain reader that follows the lengths of the blocks, as other programs do.

use proptest::prelude::*;

use super::sample;
use crate::{
    JointKey, JointTrack, KeyedMotion, MotionDocument, MotionFormat, adapted, read, write,
};

/// The joints and the key frames, in ms and 10⁻⁶ rad.
type Plain = (Vec<String>, Vec<(u64, Vec<i32>)>);

/// Reads what it needs from where the blocks before say that it is.
fn read_plainly(bytes: &[u8]) -> Plain {
    let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let long = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four"));
    let (count, frame) = (short(20), u64::from(short(22)));
    let names = 28;
    let list = names + long(names + 4) as usize;
    let keys = list + long(list + 4) as usize;
    assert_eq!([names, list, keys].map(long), [1, 2, 3]);
    assert_eq!(keys + long(keys + 4) as usize, bytes.len());
    let mut at = list + 10;
    let joints = (0..short(list + 8)).map(|_| {
        let length = usize::from(bytes[at]);
        at += 1 + length;
        String::from_utf8(bytes[at - length..at].to_vec()).expect("a name")
    });
    let joints: Vec<_> = joints.collect();
    // Behind the type of the data the first frame has no count of those between.
    let (mut at, mut time) = (keys + 12, 0);
    let frames = (0..count).map(|place| {
        if place > 0 {
            time += (u64::from(long(at)) + 1) * frame;
            at += 4;
        }
        at += 12;
        let angles = joints.iter().map(|_| {
            at += 4;
            long(at - 4) as i32
        });
        (time, angles.collect())
    });
    let frames = frames.collect();
    (joints, frames)
}

#[test]
fn a_sample_is_what_a_plain_reader_reads() {
    let (joints, frames) = read_plainly(sample("paw.mtn"));
    assert_eq!(joints, ["PRM:/r1/c1-Joint2:11", "PRM:/r2/c1/c2-Joint2:22"]);
    let times: Vec<_> = frames.iter().map(|frame| frame.0).collect();
    assert_eq!(times, [0, 496, 1_496]);
    assert_eq!(frames[1].1, [-512_345, 250_000]);
}

#[test]
fn a_wrong_number_of_key_frames_or_a_block_elsewhere_is_refused() {
    let whole = sample("paw.mtn").to_vec();
    for count in [0u8, 1, 2, 4, 5, 255] {
        let mut bytes = whole.clone();
        bytes[20] = count;
        let failure = read("a.mtn", &bytes)
            .expect_err("another number")
            .to_string();
        assert!(failure.contains("column"), "{failure}");
    }
    for place in [4, 12, 28, 32, 36 + 16] {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x41;
        read("a.mtn", &bytes).expect_err("another number or length");
    }
}

#[test]
fn what_fills_the_blocks_is_kept_whether_it_is_counted_or_not() {
    let whole = sample("paw.mtn").to_vec();
    // The block of the joints has one byte that fills it, which its length now leaves out; and more is behind.
    let mut bytes = whole.clone();
    let list = 28 + usize::from(bytes[32]);
    bytes[list + 4] -= 1;
    bytes.extend([1, 2, 3]);
    for bytes in [whole, bytes] {
        let reading = read("a.mtn", &bytes).expect("a motion");
        let again = write(&reading.document, MotionFormat::Mtn).expect("a file");
        assert_eq!(again, bytes);
    }
}

proptest! {
    /// What we write is read by others as what it was.
    #[test]
    fn others_read_the_frames_that_were_written(
        names in prop::collection::hash_set("[a-zA-Z:/]{1,20}", 1..6),
        name in "[a-z]{0,9}",
        steps in prop::collection::vec((1u64..300, prop::collection::vec(-3.0f64..3.0, 6)), 1..9),
    ) {
        let mut tracks: Vec<_> = names.into_iter().map(|joint| JointTrack { joint, ..JointTrack::default() }).collect();
        let mut time = 0;
        let mut expected = Vec::new();
        for (place, (step, values)) in steps.iter().enumerate() {
            time += if place > 0 { *step } else { 0 };
            for (track, value) in tracks.iter_mut().zip(values) {
                track.keys.push(JointKey::linear(time * 8_000_000, *value));
            }
            let angles = values.iter().take(tracks.len()).map(|value| (value * 1e6).round() as i32);
            expected.push((time * 8, angles.collect::<Vec<_>>()));
        }
        let motion = KeyedMotion { name, tracks, ..KeyedMotion::default() };
        let (fitted, _) = adapted(&motion, MotionFormat::Mtn, 0.001).expect("lines");
        let document = MotionDocument::of_motions(&[fitted], MotionFormat::Mtn).expect("room");
        let bytes = write(&document, MotionFormat::Mtn).expect("a file");
        let (joints, frames) = read_plainly(&bytes);
        prop_assert_eq!(joints, motion.tracks.iter().map(|track| track.joint.clone()).collect::<Vec<_>>());
        prop_assert_eq!(frames, expected);
    }
}
