//! The ends of files: what may be missing there is remarked.

use super::{SAMPLES, document};
use crate::{FileMistake, MotionDocument, MotionFormat, read, write};

const SENTENCE: &str =
    "the end of the last line is missing: the file may be cut off; fix: check its end";

fn remarks(name: &str, text: &str) -> Vec<FileMistake> {
    let reading = read(name, text.as_bytes());
    reading
        .unwrap_or_else(|error| panic!("{name}: {error}"))
        .remarks
}

#[test]
fn a_text_that_stops_within_its_last_number_is_remarked() {
    let table = "actuator,time,value\nHeadYaw,1,20deg\n";
    assert!(remarks("a.csv", table).is_empty());
    // Cut behind `2`, it still has a value.
    let cut = &table[..table.len() - 5];
    assert_eq!(
        remarks("a.csv", cut),
        [FileMistake::new(2, 12, SENTENCE)],
        "{cut}"
    );
    let points = "joint_names: [A]\npoints:\n- positions: [1]\n  time_from_start: 25\n";
    let poses = "#WEBOTS_MOTION,V1.0,A\n00:00:000,P,0.1\n00:01:000,Q,0.25\n";
    for (name, text) in [("a.motion", poses), ("a.yaml", points)] {
        assert_eq!(remarks(name, text), []);
        let cut = text.trim_end();
        let last = cut.lines().last().expect("a line").len();
        let place = (cut.lines().count(), last + 1);
        assert_eq!(
            remarks(name, cut),
            [FileMistake::new(place.0, place.1, SENTENCE)]
        );
        assert_eq!(remarks(name, &format!("{cut} ")), []);
    }
    // A bracket at the end closes everything.
    let whole = "{joint_names: [A], points: [{positions: [1], time_from_start: 25}]}";
    assert_eq!(remarks("a.yaml", whole), []);
}

#[test]
fn what_is_written_ends_with_a_line() {
    for (name, format, _) in SAMPLES
        .iter()
        .filter(|sample| sample.1 != MotionFormat::Mtn)
    {
        let bytes =
            write(&document(name), *format).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(bytes.ends_with(b"\n"), "{name}");
        let text = String::from_utf8(bytes).expect("a text");
        let remarks = remarks(name, &text);
        assert!(
            remarks.iter().all(|item| item.sentence != SENTENCE),
            "{name}"
        );
    }
    let motion = document("nod.csv").motions(&crate::NoSurroundings, &mut Vec::new());
    let motion = motion.expect("a motion").remove(0);
    for format in [
        MotionFormat::Csv,
        MotionFormat::Webots,
        MotionFormat::Trajectory,
    ] {
        let (fitting, _) = crate::adapted(&motion, format, 0.001).expect("it fits");
        let document = MotionDocument::of_motions(&[fitting], format).expect("it fits");
        let bytes = write(&document, format).expect("it fits");
        assert!(bytes.ends_with(b"\n"), "{}", format.name());
    }
}
