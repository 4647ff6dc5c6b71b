//! Choreographies in languages of scripts: their code is an engine, an interpreter, and their text a custom section.
//! Used when a component is prepared: the cache of machine code knows it by its engine, so that this is compiled once.
//! What is compiled is the file without those sections, so no byte of them can matter to the code.

use std::borrow::Cow;

use wasmparser::{BinaryReader, BinaryReaderError};

use crate::load::manifest;

/// The custom section with the text.
pub(crate) const SECTION: &str = "dcm:script";

/// The longest text, bytes.
pub(crate) const SCRIPT_MAX: usize = 1 << 20;

/// A component's magic number and version.
const PREAMBLE: usize = 8;

/// The component without its text and its manifest. Only sections of the component itself are left out, not those of
/// what is inside it.
pub(crate) fn engine(component: &[u8]) -> Cow<'_, [u8]> {
    match without(component) {
        Ok(engine) if engine.len() < component.len() => Cow::Owned(engine),
        // It was validated before: it is whole. If it were not, the compiler would say so.
        _ => Cow::Borrowed(component),
    }
}

fn without(component: &[u8]) -> Result<Vec<u8>, BinaryReaderError> {
    let mut kept = component.get(..PREAMBLE).unwrap_or(&[]).to_vec();
    let body = component.get(PREAMBLE..).unwrap_or(&[]);
    let mut reader = BinaryReader::new(body, 0);
    while !reader.eof() {
        let start = reader.original_position();
        let custom = reader.read_u8()? == 0;
        let length = reader.read_var_u32()? as usize;
        let content = reader.read_bytes(length)?;
        let named = |text: &&str| [SECTION, manifest::SECTION].contains(text);
        let left_out = custom
            && BinaryReader::new(content, 0)
                .read_string()
                .is_ok_and(|string| named(&string));
        if !left_out {
            kept.extend_from_slice(body.get(start..reader.original_position()).unwrap_or(&[]));
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(sections: &[(&str, &str)]) -> Vec<u8> {
        let mut bytes = wat::parse_str("(component (core module))").expect("a text");
        for (name, text) in sections {
            let name = [
                &[u8::try_from(name.len()).expect("a short name")],
                name.as_bytes(),
            ]
            .concat();
            bytes.push(0);
            bytes.push(u8::try_from(name.len() + text.len()).expect("a short section"));
            bytes.extend(name);
            bytes.extend(text.as_bytes());
        }
        bytes
    }

    #[test]
    fn text_and_manifest_are_left_out_and_nothing_else() {
        let bare = with(&[]);
        assert!(matches!(engine(&bare), Cow::Borrowed(it) if it == bare));
        let other = with(&[("name", "x")]);
        assert_eq!(*engine(&other), *other);
        for text in ["", "a", "b"] {
            let whole = with(&[
                ("dcm:script", text),
                ("name", "x"),
                ("dcm:manifest", "fuel = 1"),
            ]);
            assert_eq!(*engine(&whole), *other);
        }
        // What is cut off stays as it is.
        let whole = with(&[("dcm:script", "text")]);
        for end in bare.len()..whole.len() {
            let cut = &whole[..end];
            assert_eq!(*engine(cut), *cut);
        }
    }
}
