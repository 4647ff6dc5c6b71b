//! Where a file names a joint: for messages about joints that a body does not have. Called by programs
//! that know the body.
//! The first place where the name stands as a whole word, beyond comments as well; for a file
//! that is no text, the byte.

use crate::fault::place;
use crate::text::decode;

/// The line and column where a file first names a joint; nothing if it has other names for it.
pub fn joint_place(bytes: &[u8], joint: &str) -> Option<(usize, usize)> {
    if joint.is_empty() {
        return None;
    }
    let Ok(text) = decode(bytes) else {
        let at = bytes
            .windows(joint.len())
            .position(|pair| pair == joint.as_bytes())?;
        return Some((1, at + 1));
    };
    let is_inside = |item: Option<char>| item.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut found = text.match_indices(joint);
    let (at, _) = found.find(|(at, _)| {
        let before = text.get(..*at).and_then(|text| text.chars().next_back());
        let after = text
            .get(at + joint.len()..)
            .and_then(|text| text.chars().next());
        !is_inside(before) && !is_inside(after)
    })?;
    Some(place(&text, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joint_is_found_as_a_whole_word() {
        let text = b"actuator,time,value\r\nHeadYawLimit,1,0\r\n HeadYaw,1,0\r\n";
        assert_eq!(joint_place(text, "HeadYaw"), Some((3, 2)));
        assert_eq!(joint_place(text, "Head"), None);
        assert_eq!(joint_place(b"OMTN\xff\0A:B", "A:B"), Some((1, 7)));
        assert_eq!(joint_place(b"", ""), None);
    }
}
