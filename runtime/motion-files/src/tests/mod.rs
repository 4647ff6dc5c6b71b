//! Tests of the whole: golden files, round trips, values against independent sums, bad inputs,
//! mutated inputs.

mod aibo;
mod bad;
mod bottango;
mod cdr;
mod ends;
mod foreign;
mod golden;
mod hostile;
mod hulks;
mod joined;
mod limits;
mod losses;
mod python;
mod python_calls;
mod python_functions;
mod python_names;
mod reachy;
mod real;
mod ros;
mod round;
mod spreadsheets;
mod steps;
mod timelines;
mod trajectory;
mod values;
mod webots;

use crate::{MotionDocument, MotionFormat};

/// The golden files: what is written is, byte for byte, what was read.
const SAMPLES: [(&str, MotionFormat, &[u8]); 13] = [
    (
        "nod.csv",
        MotionFormat::Csv,
        include_bytes!("../../samples/nod.csv"),
    ),
    (
        "nod.json",
        MotionFormat::Json,
        include_bytes!("../../samples/nod.json"),
    ),
    (
        "wave.motion",
        MotionFormat::Webots,
        include_bytes!("../../samples/wave.motion"),
    ),
    (
        "bow.py",
        MotionFormat::Python,
        include_bytes!("../../samples/bow.py"),
    ),
    (
        "turn.xar",
        MotionFormat::Xar,
        include_bytes!("../../samples/turn.xar"),
    ),
    (
        "look.pos",
        MotionFormat::Pos,
        include_bytes!("../../samples/look.pos"),
    ),
    (
        "look.mot",
        MotionFormat::Mot,
        include_bytes!("../../samples/look.mot"),
    ),
    (
        "square.wyp",
        MotionFormat::Wyp,
        include_bytes!("../../samples/square.wyp"),
    ),
    (
        "wink.json",
        MotionFormat::Reachy,
        include_bytes!("../../samples/wink.json"),
    ),
    (
        "sit.json",
        MotionFormat::Hulks,
        include_bytes!("../../samples/sit.json"),
    ),
    (
        "doors.json",
        MotionFormat::Bottango,
        include_bytes!("../../samples/doors.json"),
    ),
    (
        "reach.yaml",
        MotionFormat::Trajectory,
        include_bytes!("../../samples/reach.yaml"),
    ),
    (
        "paw.mtn",
        MotionFormat::Mtn,
        include_bytes!("../../samples/paw.mtn"),
    ),
];

/// A golden file by its name.
fn sample(name: &str) -> &'static [u8] {
    SAMPLES
        .iter()
        .find(|sample| sample.0 == name)
        .expect("a sample")
        .2
}

/// A golden file as a document.
fn document(name: &str) -> MotionDocument {
    let read = crate::read(name, sample(name));
    read.unwrap_or_else(|failure| panic!("{name}: {failure}"))
        .document
}
