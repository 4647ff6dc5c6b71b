//! Golden files of each format.

use super::{SAMPLES, document};
use crate::tekkotsu::walk::{WalkParameters, WalkVersion};
use crate::{MotionDocument, MotionFormat, NoSurroundings, detect, read, read_as, write};

#[test]
fn every_sample_is_recognised_and_written_as_it_was() {
    for (name, format, bytes) in SAMPLES {
        let reading = read(name, bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(reading.format, format, "{name}");
        let written =
            write(&reading.document, format).unwrap_or_else(|error| panic!("{name}: {error}"));
        let texts = [bytes, &written].map(String::from_utf8_lossy);
        assert_eq!(texts[1], texts[0], "{name}");
        assert_eq!(detect(name, bytes), Some(format), "{name}");
        // The name is not needed, but where two formats look alike.
        assert_eq!(detect("", bytes), Some(format), "{name}");
    }
}

#[test]
fn the_same_text_in_other_encodings_and_line_ends_is_the_same() {
    for (name, format, bytes) in SAMPLES {
        let Ok(text) = std::str::from_utf8(bytes) else {
            continue;
        };
        if format == MotionFormat::Mtn {
            continue;
        }
        let expected = document(name);
        let utf16 = |unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
            let marked = std::iter::once(0xfeff).chain(text.encode_utf16());
            marked.flat_map(unit).collect()
        };
        let variants = [
            ["\u{feff}", text].concat().into_bytes(),
            utf16(u16::to_le_bytes),
            utf16(u16::to_be_bytes),
            text.replace('\n', "\r\n").into_bytes(),
            text.replace('\n', "\r").into_bytes(),
        ];
        for (number, variant) in variants.iter().enumerate() {
            // A CR alone is no end of a line in YAML's comments; there are none here.
            let reading = read_as(format, variant);
            let reading =
                reading.unwrap_or_else(|error| panic!("{name}, variant {number}: {error}"));
            assert_eq!(reading.document, expected, "{name}, variant {number}");
        }
    }
}

#[test]
fn parameters_of_walks_have_three_lengths() {
    for (version, length) in [
        (WalkVersion::Raw, 392),
        (WalkVersion::First, 699),
        (WalkVersion::Second, 711),
    ] {
        let mut legs = [[0.0; 11]; 4];
        for (number, place) in legs.iter_mut().flatten().enumerate() {
            *place = number as f64 / 8.0;
        }
        let is_raw = version == WalkVersion::Raw;
        let is_second = version == WalkVersion::Second;
        let walk = Box::new(WalkParameters {
            version,
            legs,
            body: [150.0, 0.1, 2.0, 5.5],
            period: 640,
            diff_drive: i32::from(is_second),
            sag: if is_second { 1.5 } else { 0.0 },
            reserved: 0.25,
            calibration: if is_raw {
                [[0.0; 33]; 2]
            } else {
                [[0.5; 33], [-1.25; 33]]
            },
            max_accel: if is_raw {
                [0.0; 4]
            } else {
                [1.0, 2.0, 3.0, 4.0]
            },
            max_velocity: if is_raw {
                [0.0; 4]
            } else {
                [5.0, 6.0, 7.0, 8.0]
            },
        });
        let bytes = write(&MotionDocument::Walk(walk.clone()), MotionFormat::Prm).expect("bytes");
        assert_eq!(bytes.len(), length);
        // The first leg's second number, the period: where the format has them.
        let start = length - if is_raw { 392 } else { 392 + 296 } - if is_second { 8 } else { 0 };
        assert_eq!(bytes[start + 8..start + 16], 0.125f64.to_le_bytes());
        assert_eq!(bytes[start + 384..start + 388], 640i32.to_le_bytes());
        let reading = read("pace.prm", &bytes).expect("parameters");
        assert_eq!(reading.document, MotionDocument::Walk(walk));
        assert_eq!(detect("", &bytes), Some(MotionFormat::Prm));
        let none = reading.document.motions(&NoSurroundings, &mut Vec::new());
        assert!(
            none.expect_err("no motion")
                .to_string()
                .contains("parameters of a walk")
        );
        for cut in 0..length {
            let failure = read_as(MotionFormat::Prm, &bytes[..cut]);
            let is_shorter_form = cut == 392 && is_raw;
            assert!(failure.is_err() || is_shorter_form, "cut at {cut}");
        }
    }
}

#[test]
fn every_format_has_a_name_and_an_ending() {
    for format in MotionFormat::all() {
        assert_eq!(MotionFormat::named(format.name()), Some(format));
        assert!(!format.about().is_empty());
        assert!(MotionFormat::of_ending(&format!("a.{}", format.ending())).is_some());
    }
    assert_eq!(MotionFormat::of_ending("A.MTN"), Some(MotionFormat::Mtn));
    assert_eq!(
        MotionFormat::of_ending("wave.qianim"),
        Some(MotionFormat::Xar)
    );
    assert_eq!(MotionFormat::of_ending("wave"), None);
}
