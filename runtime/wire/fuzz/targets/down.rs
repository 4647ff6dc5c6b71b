//! Hostile frames of a host. As they are, and with a checksum that fits, which no fuzzer finds by itself.
//! What is read is what would be written.

#![no_main]

use wire::frame::{SEAL, checksum};
use wire::{Down, DownKind};

fn check(bytes: &[u8]) {
    let Ok(down) = Down::parse(bytes) else { return };
    let mut again = vec![0; bytes.len()];
    let words = |place| down.output(place).expect("as many as it says");
    assert!(down.emit(&mut again, down.count(), words));
    let read = Down::parse(&again).expect("what was written");
    assert_eq!(read, down);
    assert!(down.kind == DownKind::Run || down.count() == 0);
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    let mut sealed = bytes.to_vec();
    if let Some((body, seal)) = sealed.split_last_chunk_mut::<SEAL>() {
        *seal = checksum(body).to_le_bytes();
    }
    check(&sealed);
});
