//! Hostile bytes for `tests::bodies::server`: the first says which of the server's inputs the others are.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    tests::bodies::server(bytes);
});
