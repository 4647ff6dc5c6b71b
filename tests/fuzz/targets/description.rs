//! Hostile bytes for `tests::hostile::description`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    tests::hostile::description(bytes);
});
