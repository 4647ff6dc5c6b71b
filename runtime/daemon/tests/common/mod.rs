//! What the store's tests share: a disk that loses power, and files that only look like choreographies.

#![allow(dead_code, reason = "not every test uses all of it")]

pub(crate) mod platter;

use daemon::store::{ChoreographyStore, StoreError};
pub(crate) use network::hex::digest;
use protocol::choreographies::StoredChoreography;

/// Bytes that begin like a component. Only a loop would notice that they are none.
pub(crate) fn component(seed: u8, length: usize) -> Vec<u8> {
    let mut bytes = vec![0, b'a', b's', b'm', 0x0d, 0, 1, 0];
    bytes.extend((0..length).map(|i| (i as u8).wrapping_mul(31).wrapping_add(seed)));
    bytes
}

/// Uploads these bytes to a store in pieces, under this name.
///
/// # Errors
///
/// Those of the store.
pub(crate) fn bring(
    store: &mut ChoreographyStore,
    name: &str,
    bytes: &[u8],
) -> Result<(String, bool), StoreError> {
    let mut upload = store.begin(&digest(bytes), Some(bytes.len() as u64))?;
    for piece in bytes.chunks(1000) {
        upload.write(piece)?;
    }
    let name = name.to_owned();
    store.install(upload, &digest(bytes), |bytes| StoredChoreography {
        name,
        bytes,
        came: 1,
        by: "a test".to_owned(),
        key: None,
        signed: None,
    })
}
