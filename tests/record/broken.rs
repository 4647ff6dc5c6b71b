//! Recordings that are truncated, damaged, or no recordings: where, why, and what can still be read.

use std::path::Path;

use recording::{Recording, RecordingError, replay};

use super::film::small;
use tests::rig::replay_options;

/// The result of opening and replaying it: whether all is well, and everything that was reported.
fn outcome(path: &Path) -> (bool, String) {
    match Recording::open(path) {
        Err(error) => (false, error.to_string()),
        Ok(recording) => {
            let verdict = replay(&recording, replay_options(), |_| {
                std::ops::ControlFlow::Continue(())
            });
            let verdict = verdict.expect("it can be played");
            let well = recording.damages.is_empty() && verdict.is_identical();
            let damages: Vec<_> = recording.damages.iter().map(ToString::to_string).collect();
            (well, format!("{}; {verdict:?}", damages.join("; ")))
        }
    }
}

#[test]
fn every_flipped_bit_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = small(folder.path());
    let whole = std::fs::read(&path).expect("a file");
    assert!(outcome(&path).0);
    let mut random = fastrand::Rng::with_seed(11);
    for round in 0..tests::effort() * 70 {
        let mut bytes = whole.clone();
        // First both ends, whose bytes no checksum covers.
        let at = match round {
            0..8 => round as usize,
            8..40 => bytes.len() - 40 + round as usize,
            _ => random.usize(0..bytes.len()),
        };
        bytes[at] ^= 1 << random.u32(0..8);
        std::fs::write(&path, &bytes).expect("a file");
        let (well, said) = outcome(&path);
        assert!(
            !well,
            "round {round}: byte {at} of {} passed: {said}",
            whole.len()
        );
        // A place is reported, or what is wrong as a whole. A changed length leads past it: then the place is where the
        // reader arrived.
        let is_head = at < mcap::MAGIC.len();
        let is_over = said.contains(" before this is not what was written");
        assert!(
            said.contains("at byte ") || is_head || is_over,
            "round {round}: byte {at}: {said}"
        );
    }
}

#[test]
fn a_flipped_bit_in_a_turn_is_told_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = small(folder.path());
    let whole = std::fs::read(&path).expect("a file");
    let summary = mcap::Summary::read(&whole)
        .expect("sound")
        .expect("an index");
    let chunk = &summary.chunk_indexes[2];
    let mut bytes = whole.clone();
    bytes[(chunk.chunk_start_offset + chunk.chunk_length / 2) as usize] ^= 4;
    std::fs::write(&path, &bytes).expect("a file");
    let recording = Recording::open(&path).expect("a recording");
    let damage = &recording.damages[0];
    assert_eq!(damage.at, chunk.chunk_start_offset);
    let verdict = replay(&recording, replay_options(), |_| {
        std::ops::ControlFlow::Continue(())
    });
    let verdict = verdict.expect("it can be played");
    // All turns before that part, and none after it.
    assert!((99..200).contains(&verdict.same), "{damage}: {verdict:?}");
    assert!(!verdict.is_identical());
}

#[test]
fn wherever_it_is_broken_off_what_came_before_is_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = small(folder.path());
    let whole = std::fs::read(&path).expect("a file");
    let (mut before, mut most) = (0, 0);
    for step in 0..40 * tests::effort() as usize {
        let length = whole.len() * step / (40 * tests::effort() as usize);
        std::fs::write(&path, &whole[..length]).expect("a file");
        match Recording::open(&path) {
            Err(RecordingError::Io(why)) => panic!("{length}: {why}"),
            Err(error) => assert!(before == 0, "{length}: {error}"),
            Ok(recording) => {
                assert!(!recording.damages.is_empty(), "{length}");
                let verdict = replay(&recording, replay_options(), |_| {
                    std::ops::ControlFlow::Continue(())
                });
                let verdict = verdict.expect("it can be played");
                assert!(verdict.is_identical(), "{length}: {verdict:?}");
                assert!(
                    verdict.same >= before,
                    "{length}: {} after {before}",
                    verdict.same
                );
                (before, most) = (verdict.same, most.max(verdict.same));
            }
        }
    }
    assert_eq!(most, 450);
}

#[test]
fn what_is_no_recording_is_told_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("odd.mcap");
    let said = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("a file");
        let error = Recording::open(&path).expect_err("it is none");
        error.to_string()
    };
    assert!(said(b"").contains("it is empty"));
    assert!(said(b"\x89PNG\r\n\x1a\n and so on").contains("not those of MCAP"));
    assert!(said(&b"time,joint,value\n".repeat(9)).contains("not those of MCAP"));
    assert!(said(&mcap::MAGIC[..7]).contains("not those of MCAP"));
    assert!(said(mcap::MAGIC).contains("byte 8: it ends here"));
    let mut foreign = mcap::Writer::new(std::io::Cursor::new(Vec::new())).expect("a writer");
    let schema = foreign
        .add_schema("their.Thing", "jsonschema", b"{}")
        .expect("a schema");
    let channel = foreign.add_channel(schema, "/theirs", "json", &Default::default());
    let header = mcap::records::MessageHeader {
        channel_id: channel.expect("a channel"),
        sequence: 0,
        log_time: 1,
        publish_time: 1,
    };
    foreign
        .write_to_known_channel(&header, b"{}")
        .expect("a message");
    foreign.finish().expect("a file");
    let told = said(&foreign.into_inner().into_inner());
    assert!(
        told.contains("of another program") && told.contains("--record"),
        "{told}"
    );
    let none = Recording::open(&folder.path().join("none.mcap")).expect_err("there is none");
    assert!(none.to_string().contains("cannot be read"), "{none}");
    let folder = Recording::open(folder.path()).expect_err("a folder");
    assert!(folder.to_string().contains("it is not a file"), "{folder}");
}

#[test]
fn the_bytes_of_a_guest_are_those_of_its_digest() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = small(folder.path());
    let bytes = std::fs::read(&path).expect("a file");
    // Another component under the old name, with all checksums correct.
    let at = bytes
        .windows(4)
        .position(|pair| pair == b"\0asm")
        .expect("a component");
    let summary = mcap::Summary::read(&bytes)
        .expect("sound")
        .expect("an index");
    let index = summary
        .attachment_indexes
        .iter()
        .find(|attachment_index| attachment_index.name.ends_with(".wasm"));
    let index = index.expect("a component");
    let mut changed = bytes.clone();
    let (begin, end) = (
        index.offset as usize + 9,
        (index.offset + index.length) as usize,
    );
    changed[at + 100] ^= 1;
    let crc = crc32fast::hash(&changed[begin..end - 4]).to_le_bytes();
    changed[end - 4..end].copy_from_slice(&crc);
    std::fs::write(&path, &changed).expect("a file");
    let error = Recording::open(&path)
        .expect_err("a guest is missing")
        .to_string();
    assert!(
        error.contains("the bytes of `sway` are missing") && error.contains("another digest"),
        "{error}"
    );
}

#[test]
fn whatever_the_bytes_are_nothing_breaks() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = small(folder.path());
    let whole = std::fs::read(&path).expect("a file");
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..tests::effort() * 60 {
        let mut bytes = whole.clone();
        for _ in 0..random.usize(1..6) {
            let at = random.usize(8..bytes.len());
            let length = random.usize(1..64).min(bytes.len() - at);
            match random.u8(0..4) {
                0 => bytes[at..at + length].fill(random.u8(..)),
                1 => drop(bytes.drain(at..at + length)),
                2 => bytes[at..at + length].fill_with(|| random.u8(..)),
                // A wrong length.
                _ => bytes[at..at + length.min(8)].fill(0xff),
            }
        }
        std::fs::write(&path, &bytes).expect("a file");
        let _ = outcome(&path);
    }
}
