//! Hostile frames of a board. As they are, and with a checksum that fits, which no fuzzer finds by itself.
//! What is read is what would be written.

#![no_main]

use wire::frame::{SEAL, checksum};
use wire::{Up, UpKind};

fn check(bytes: &[u8]) {
    let Ok(up) = Up::parse(bytes) else { return };
    let mut again = vec![0; bytes.len()];
    let word = |place| up.input(place).expect("as many as it says");
    assert!(up.emit(&mut again, up.inputs.len(), word));
    let read = Up::parse(&again).expect("what was written");
    assert_eq!(read, up);
    assert!(up.kind == UpKind::Run || up.inputs.is_empty());
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    let mut sealed = bytes.to_vec();
    if let Some((body, seal)) = sealed.split_last_chunk_mut::<SEAL>() {
        *seal = checksum(body).to_le_bytes();
    }
    check(&sealed);
});
