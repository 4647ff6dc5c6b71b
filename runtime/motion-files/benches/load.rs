//! The time from a file's bytes to lines for a body: 26 joints, 25 keys in a second, for 60 s and for 240 s, in each
//! format, or in those that are named behind `--`. `cargo bench -p motion-files --bench load`.
//!
//! Medians of interleaved rounds, so that other load hits all of them. What is linear takes four times as long for four
//! times the file; the last column is how much more it takes for each key. With `--test` everything runs once.

use std::hint::black_box;
use std::time::Instant;

use motion_files::{
    JointKey, JointMap, JointTrack, KeyedMotion, MotionDocument, MotionFormat, NoSurroundings,
    adapted, read_as, straightened, write,
};

const JOINTS: usize = 26;
const KEYS_IN_SECOND: u64 = 25;
const SECONDS: u64 = 60;
const LONGER: u64 = 4;
const ERROR: f64 = 0.001;

/// The formats that hold keys of any joint.
const FORMATS: [MotionFormat; 10] = [
    MotionFormat::Csv,
    MotionFormat::Json,
    MotionFormat::Webots,
    MotionFormat::Python,
    MotionFormat::Xar,
    MotionFormat::Mot,
    MotionFormat::Mtn,
    MotionFormat::Bottango,
    MotionFormat::Trajectory,
    MotionFormat::Mcap,
];

fn main() {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let quick = words.iter().any(|word| word == "--test");
    let any = words.iter().all(|word| word.starts_with("--"));
    let rounds = if quick { 1 } else { 21 };
    let (short, long) = (motion(SECONDS), motion(SECONDS * LONGER));
    println!(
        "{JOINTS} joints, medians of {rounds} rounds     60 s, ms     240 s, ms     for each key"
    );
    let named = |format: &&MotionFormat| any || words.iter().any(|word| word == format.name());
    for format in FORMATS.iter().copied().filter(|format| named(&format)) {
        let (Some(one), Some(four)) = (bytes(&short, format), bytes(&long, format)) else {
            println!("{:32}holds none of it", format.name());
            continue;
        };
        let mut times = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            times.0.push(time(format, &one));
            times.1.push(time(format, &four));
        }
        let (one, four) = (median(times.0), median(times.1));
        let more = four / one / LONGER as f64;
        println!("{:32}{one:10.2}{four:14.2}{more:14.2}", format.name());
    }
}

/// Waves of all joints, each at a phase of its own.
fn motion(seconds: u64) -> KeyedMotion {
    let key = |joint: usize, number: u64| {
        let phase = number as f64 / 10.0 + joint as f64;
        JointKey::linear(number * 1_000_000_000 / KEYS_IN_SECOND, phase.sin())
    };
    let tracks = (0..JOINTS).map(|joint| JointTrack {
        joint: format!("Joint{joint}"),
        keys: (1..=seconds * KEYS_IN_SECOND)
            .map(|i| key(joint, i))
            .collect(),
        ..JointTrack::default()
    });
    KeyedMotion {
        tracks: tracks.collect(),
        ..KeyedMotion::default()
    }
}

/// The motion as a file.
fn bytes(motion: &KeyedMotion, format: MotionFormat) -> Option<Vec<u8>> {
    let (fitting, _) = adapted(motion, format, ERROR).ok()?;
    let document = MotionDocument::of_motions(&[fitting], format).ok()?;
    write(&document, format).ok()
}

/// From bytes to lines, ms.
fn time(format: MotionFormat, bytes: &[u8]) -> f64 {
    let began = Instant::now();
    let reading = read_as(format, black_box(bytes)).expect("a motion");
    let motions = reading
        .document
        .motions(&NoSurroundings, &mut Vec::new())
        .expect("motions");
    let mapped = JointMap::default().apply(&motions[0]).expect("mapped");
    black_box(straightened(&mapped, ERROR).expect("lines"));
    began.elapsed().as_secs_f64() * 1e3
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}
