//! Hostile bytes for `tests::hostile::page`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    tests::hostile::page(bytes);
});
