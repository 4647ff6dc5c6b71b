//! Feeds any bytes to every reader: for the fuzz target, and for tests that mutate good files.
//! It returns for any bytes; what was read keeps the promises of this crate, or there is a
//! bug.

use crate::{
    KEYS_MAX, KeyedMotion, MotionDocument, MotionFormat, MotionReading, MotionSurroundings,
    TIME_MAX, TRACKS_MAX, adapted, read, read_as, straightened, write,
};

/// A body with a few outputs, and files that load each other.
struct SmallBody;

impl MotionSurroundings for SmallBody {
    fn model(&self) -> &'static str {
        "ERS-7"
    }

    fn outputs(&self, model: &str) -> Option<Vec<String>> {
        let names: &[&str] = match model {
            "ERS-7" => &["NECK:pan", "NECK:tilt", "MOUTH", "LFr:knee", "RFr:knee"],
            "Small" => &["NECK:pan", "MOUTH"],
            _ => return None,
        };
        Some(names.iter().map(|name| (*name).to_owned()).collect())
    }

    fn file(&self, name: &str) -> Option<Vec<u8>> {
        let text = match name {
            "look.pos" => "#POS\nNECK:pan 0.1\nMOUTH 0 0\n#END\n",
            "more.mot" => "#MSq\ndelay 100\nNECK:tilt 0.5\n#END\n",
            "circle.mot" => "#MSq\nload circle.mot\n#END\n",
            _ => return None,
        };
        Some(text.as_bytes().to_vec())
    }
}

/// Reads bytes as each format, checks what comes out, and writes it again. Returns how many formats
/// they were read as.
///
/// # Panics
/// If a promise of this crate is broken, which is a bug.
pub fn read_anything(bytes: &[u8]) -> usize {
    let mut count = 0;
    for name in ["", "a.json", "a.csv", "a.prm"] {
        check(read(name, bytes));
    }
    for format in MotionFormat::all() {
        count += usize::from(check(read_as(format, bytes)));
    }
    count
}

fn check(read: Result<MotionReading, crate::ReadFailure>) -> bool {
    let reading = match read {
        Ok(reading) => reading,
        Err(failure) => {
            assert!(!failure.list.is_empty(), "a failure without a mistake");
            for mistake in &failure.list {
                assert!(
                    mistake.line > 0 && mistake.column > 0 && !mistake.sentence.is_empty(),
                    "{mistake:?}"
                );
                let is_line = !mistake
                    .sentence
                    .contains(|c: char| c.is_control() && c != '\n');
                assert!(is_line, "{mistake:?}");
            }
            return false;
        }
    };
    let same = write(&reading.document, reading.format);
    if let Ok(bytes) = &same {
        let again = read_as(reading.format, bytes).map(|value| value.document);
        assert_eq!(again.as_ref(), Ok(&reading.document));
    }
    let mut remarks = Vec::new();
    let Ok(motions) = reading.document.motions(&SmallBody, &mut remarks) else {
        return true;
    };
    for motion in &motions {
        sound(motion);
        if motion.key_count() < 300 {
            convert(motion);
        }
    }
    true
}

/// Checks that a motion is what it promises to be.
fn sound(motion: &KeyedMotion) {
    assert!(motion.tracks.len() <= TRACKS_MAX, "too many tracks");
    assert!(motion.key_count() <= 2 * KEYS_MAX, "too many keys");
    for track in &motion.tracks {
        for pair in track.keys.windows(2) {
            assert!(
                pair[0].time < pair[1].time,
                "the times of {} do not rise",
                track.joint
            );
        }
        for key in &track.keys {
            assert!(key.time <= TIME_MAX, "a key after the end of time");
            assert!(
                key.value.is_finite() && key.weight.is_finite(),
                "not finite"
            );
        }
    }
}

fn convert(motion: &KeyedMotion) {
    if let Ok(straight) = straightened(motion, 0.001) {
        sound(&straight);
    }
    for format in MotionFormat::all() {
        let Ok((fitting, _)) = adapted(motion, format, 0.01) else {
            continue;
        };
        let Ok(document) = MotionDocument::of_motions(&[fitting], format) else {
            continue;
        };
        if let Ok(bytes) = write(&document, format) {
            let again = read_as(format, &bytes).map(|value| value.document);
            assert_eq!(again.as_ref(), Ok(&document), "{}", format.name());
        }
    }
}
