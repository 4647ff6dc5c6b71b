//! Hostile rows of a table, of a channel and of a board.
//! A row that is read is written as the same bytes, and its name is text.

#![no_main]

use wire::row::{ROW, table, text};
use wire::{About, Row};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (rows, _) = bytes.as_chunks::<ROW>();
    for bytes in rows {
        if let Some(row) = Row::of(bytes) {
            assert_eq!(row.bytes(), *bytes);
            assert!((row.lowest..=row.highest).contains(&row.rest));
            assert!(text(&row.name).is_ascii());
        }
        if let Some(about) = About::of(bytes) {
            assert_eq!(about.bytes(), *bytes);
            assert!(wire::length(about.outputs.into(), about.inputs.into()).is_some());
        }
    }
    // The checksum of a table is that of its rows' bytes.
    let known: Vec<Row> = rows.iter().filter_map(Row::of).collect();
    let whole: Vec<u8> = known.iter().flat_map(Row::bytes).collect();
    assert_eq!(table(known.into_iter()), wire::frame::checksum(&whole));
});
