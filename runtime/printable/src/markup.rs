//! Tags of XML with more attributes than anybody writes: a parser compares each with all before it, in time that grows
//! with their square.

/// The most attributes of a tag.
pub const ATTRIBUTES_MAX: usize = 100;

/// Where the first tag begins that has more attributes.
pub fn crowded_tag(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(begin) = find(bytes, at, b"<") {
        let rest = &bytes[begin..];
        // What is no tag may have any signs.
        let end = [
            (&b"<!--"[..], &b"-->"[..]),
            (b"<![CDATA[", b"]]>"),
            (b"<?", b"?>"),
        ];
        if let Some((_, end)) = end.iter().find(|(start, _)| rest.starts_with(start)) {
            at = find(bytes, begin, end)? + end.len();
            continue;
        }
        let (mut attributes, mut quote) = (0, None);
        at = begin + 1;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match (byte, quote) {
                (b'>', None) => break,
                (b'"' | b'\'', None) => quote = Some(byte),
                (_, Some(open)) if open == byte => quote = None,
                (b'=', None) => attributes += 1,
                _ => {}
            }
            if attributes > ATTRIBUTES_MAX {
                return Some(begin);
            }
        }
    }
    None
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let place = bytes[from..]
        .windows(what.len())
        .position(|window| window == what);
    place.map(|place| from + place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_has_so_many_attributes_and_no_more() {
        let tag = |count: usize| {
            let attributes: String = (0..count).map(|n| format!(" a{n}='> = \" <'")).collect();
            format!(
                "<?xml version='1'?><!-- {} --><r><![CDATA[<{}>]]>a = b<t{attributes}/></r>",
                "=".repeat(999),
                "=".repeat(999)
            )
        };
        assert_eq!(crowded_tag(&tag(ATTRIBUTES_MAX)), None);
        let text = tag(ATTRIBUTES_MAX + 1);
        assert_eq!(crowded_tag(&text), text.find("<t "));
        // Cut off anywhere, it ends.
        for end in 0..text.len() {
            let _ = crowded_tag(&text[..end]);
        }
    }
}
