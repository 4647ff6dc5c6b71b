//! The crate mcap's own writer: a message for each turn, as large as ours. Called by `run` with `plain` or `zstd`.
//! It is written as its documentation does it; the values change from turn to turn as those of a moving body.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use mcap::records::MessageHeader;
use mcap::{Compression, WriteOptions, Writer};

/// Turns in a file; then it begins anew, so that the disk is not filled.
const TURNS: u64 = 20_000;

/// Bytes of a turn of the NAO that `ours record` plays, before they are compressed.
const BYTES: usize = 3_304;

fn begin(path: &Path, compression: Option<Compression>) -> (Writer<BufWriter<File>>, u16) {
    let file = File::create(path).expect("a file");
    let options = WriteOptions::new().compression(compression);
    let mut writer = options.create(BufWriter::new(file)).expect("a writer");
    let channel = writer.add_channel(0, "turns", "application/octet-stream", &BTreeMap::new());
    (writer, channel.expect("a channel"))
}

fn main() {
    let compression = match std::env::args().nth(1).as_deref() {
        Some("plain") => None,
        Some("zstd") => Some(Compression::Zstd),
        other => panic!("there is no writer {other:?}"),
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("turns.mcap");
    let (mut writer, mut channel) = begin(&path, compression);
    let (mut turn, mut message) = (0u64, vec![0u8; BYTES]);
    protocol::contest(|| {
        turn += 1;
        if turn.is_multiple_of(TURNS) {
            writer.finish().expect("it is finished");
            (writer, channel) = begin(&path, compression);
        }
        for (place, value) in message.chunks_exact_mut(8).enumerate() {
            // A sixth of them moves.
            if place % 6 == 0 {
                let moved = (turn as f64 / 100.0 + place as f64).sin();
                value.copy_from_slice(&moved.to_le_bytes());
            }
        }
        let header = MessageHeader {
            channel_id: channel,
            sequence: turn as u32,
            log_time: turn * 10_000_000,
            publish_time: turn * 10_000_000,
        };
        writer
            .write_to_known_channel(&header, &message)
            .expect("it is written");
    });
}
