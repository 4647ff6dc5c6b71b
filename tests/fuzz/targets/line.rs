//! Hostile bytes for `tests::hostile::line`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    tests::hostile::line(bytes, bytes.len() % 2 == 0);
});
