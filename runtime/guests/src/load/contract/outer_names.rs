//! What a component shows to the outside, and how large it is, read before it is validated.
//! Used by the contract's check, and for the name of a component that is not checked.

use wasmparser::{CanonicalFunction, CanonicalOption, Parser, Payload};

use crate::load::{manifest, script};

/// The names that a component imports and exports.
pub(super) struct OuterNames<'b> {
    pub(super) imports: Vec<String>,
    pub(super) exports: Vec<String>,
    pub(super) manifest: Option<&'b [u8]>,
    pub(super) script: Option<&'b [u8]>,
    /// Whether it passes texts that are not UTF-8, at any depth.
    pub(super) translates: bool,
    /// How deep components and modules stand in each other.
    pub(super) depth: usize,
    /// The functions in all its modules.
    pub(super) functions: usize,
}

pub(super) fn outside(bytes: &[u8]) -> Result<OuterNames<'_>, wasmparser::BinaryReaderError> {
    let mut found = OuterNames {
        imports: Vec::new(),
        exports: Vec::new(),
        manifest: None,
        script: None,
        translates: false,
        depth: 0,
        functions: 0,
    };
    // Nested components and modules have imports of their own, which are satisfied inside.
    let mut depth = 0usize;
    for payload in Parser::new(0).parse_all(bytes) {
        match payload? {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => {
                depth += 1;
                found.depth = found.depth.max(depth);
            }
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::CodeSectionEntry(_) => found.functions += 1,
            Payload::ComponentImportSection(section) if depth == 0 => {
                for import in section {
                    found.imports.push(import?.name.name.to_owned());
                }
            }
            Payload::ComponentExportSection(section) if depth == 0 => {
                for export in section {
                    found.exports.push(export?.name.name.to_owned());
                }
            }
            Payload::ComponentCanonicalSection(section) => {
                for function in section {
                    if let CanonicalFunction::Lower { options, .. } = function? {
                        let wide = |option: &CanonicalOption| {
                            matches!(
                                option,
                                CanonicalOption::UTF16 | CanonicalOption::CompactUTF16
                            )
                        };
                        found.translates |= options.iter().any(wide);
                    }
                }
            }
            Payload::CustomSection(section) if section.name() == manifest::SECTION => {
                found.manifest = Some(section.data());
            }
            Payload::CustomSection(section) if depth == 0 && section.name() == script::SECTION => {
                found.script = Some(section.data());
            }
            _ => {}
        }
    }
    Ok(found)
}
