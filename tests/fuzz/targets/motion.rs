//! Hostile bytes for `motion_files::read_anything`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    motion_files::read_anything(bytes);
});
