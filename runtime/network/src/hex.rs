//! Bytes as hexadecimal digits, and back: digests, keys, fingerprints.
//! Used wherever one is shown or read. Lower case only, so that a digest has one form.

use sha2::{Digest, Sha256};

/// The SHA-256 of these bytes, by which people, manifests and signatures name them. `guests::digest` is the same.
pub fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string never fails.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Bytes from lower-case hexadecimal digits.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| match pair {
            [high, low] => Some(16 * digit(*high)? + digit(*low)?),
            _ => None,
        })
        .collect()
}
