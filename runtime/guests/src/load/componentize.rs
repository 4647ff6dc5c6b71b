//! Makes a component of a core module, for compilers that do not support components.
//! Called by `dcm-run build`, and by tests that write guests as text.
//! All that a module needs are the contract's names of what it imports and exports.

use std::sync::LazyLock;

use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{ExportKind, ExportSection, Module, RawSection};
use wasmparser::{Parser, Payload};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};

use crate::load::module::{self, ModuleError, WASI_P1};
use crate::load::wit;

/// How a module's texts are encoded, which a module does not say itself.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum TextEncoding {
    /// As most languages have it.
    #[default]
    Utf8,
    /// As AssemblyScript has it.
    Utf16,
}

/// Makes a component of a core module in binary or text form. A component is returned as it is.
///
/// # Errors
/// A message: what it imports or exports does not fit the contract.
pub fn componentize(module: &[u8]) -> Result<Vec<u8>, String> {
    componentize_with(module, TextEncoding::Utf8)
}

/// The same, of a module whose texts have this encoding.
///
/// # Errors
/// As [`componentize`].
pub fn componentize_with(module: &[u8], encoding: TextEncoding) -> Result<Vec<u8>, String> {
    if !is_webassembly(module) {
        return Err(
            "it is no WebAssembly: a binary begins with `\\0asm`, a text with `(` or a comment"
                .to_owned(),
        );
    }
    let binary = wat::parse_bytes(module).map_err(|error| bounded(&error.to_string()))?;
    let found = module::scan(&binary).map_err(|error| error.to_string())?;
    if found.is_component {
        return Ok(binary.into_owned());
    }
    if found.wants_wasi {
        let stand_in = ADAPTER.as_ref().map_err(Clone::clone)?;
        module::check_wasi(&found, stand_in).map_err(|error| error.to_string())?;
    }
    let mut module = match found
        .start
        .filter(|_| !found.has_types && !found.has_initialize)
    {
        Some(start) => start_as_export(&binary, start)?,
        None => binary.into_owned(),
    };
    if !found.has_types {
        embed(&mut module, &found.hooks, encoding)?;
    }
    let made = encode(&module, found.wants_wasi);
    made.map_err(|error| match found.has_memory {
        true => format!("{error:#}"),
        // The encoder misses it where the first text is handed over.
        false => ModuleError::NoMemory.to_string(),
    })
}

/// Whether these bytes can be a module or a component at all.
fn is_webassembly(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"\0asm") {
        return true;
    }
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with('(') || text.starts_with(";;")
}

/// The longest line of a message about a text.
const LINE_MAX: usize = 160;

/// A message that quotes a line of a file, which may be of any length.
fn bounded(message: &str) -> String {
    let cut = |line: &str| match line.char_indices().nth(LINE_MAX) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line.to_owned(),
    };
    let lines: Vec<_> = message.lines().take(8).map(cut).collect();
    lines.join("\n")
}

/// A module whose start function is exported as `_initialize`: it is called when what it imports can be called, too.
fn start_as_export(module: &[u8], start: u32) -> Result<Vec<u8>, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let mut made = Module::new();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload.map_err(|error| text(&error))?;
        match &payload {
            Payload::StartSection { .. } => {}
            Payload::ExportSection(section) => {
                let mut exports = ExportSection::new();
                let all = RoundtripReencoder.parse_export_section(&mut exports, section.clone());
                all.map_err(|error| text(&error))?;
                exports.export("_initialize", ExportKind::Func, start);
                made.section(&exports);
            }
            other => {
                if let Some((id, range)) = other.as_section() {
                    made.section(&RawSection {
                        id,
                        data: &module[range],
                    });
                }
            }
        }
    }
    Ok(made.finish())
}

fn encode(module: &[u8], wants_wasi: bool) -> anyhow::Result<Vec<u8>> {
    let mut encoder = ComponentEncoder::default().validate(true).module(module)?;
    if wants_wasi {
        let adapter = ADAPTER.as_ref().map_err(|why| anyhow::anyhow!("{why}"))?;
        encoder = encoder.adapter(WASI_P1, adapter)?;
    }
    encoder.encode()
}

/// What stands for WASI preview 1, described for the component model.
static ADAPTER: LazyLock<Result<Vec<u8>, String>> = LazyLock::new(|| {
    let text = include_str!("wasi_p1.wat");
    let mut module = wat::parse_str(text).map_err(|error| error.to_string())?;
    let world = "package dcm:made; world adapter { import dcm:choreography/stdio@0.1.0; \
                 import dcm:choreography/clock@0.1.0; }";
    embed_world(&mut module, world, "adapter", TextEncoding::Utf8)?;
    Ok(module)
});

/// Writes the module's world into it: it may import everything, and exports these.
fn embed(module: &mut Vec<u8>, hooks: &[&str], encoding: TextEncoding) -> Result<(), String> {
    let export = |name: &&str| match *name {
        "is-alive" => "export is-alive: func() -> bool;".to_owned(),
        _ => format!("export {name}: func();"),
    };
    let exports: Vec<_> = hooks.iter().map(export).collect();
    let world = format!(
        "package dcm:made; world made {{ include dcm:choreography/imports@0.1.0; \
         import dcm:choreography/script@0.1.0; import dcm:choreography/stdio@0.1.0; {} }}",
        exports.join(" ")
    );
    embed_world(module, &world, "made", encoding)
}

fn embed_world(
    module: &mut Vec<u8>,
    text: &str,
    name: &str,
    encoding: TextEncoding,
) -> Result<(), String> {
    let mut resolve = wit::resolve()?;
    let package = wit::add(&mut resolve, &[("made.wit", text)])?;
    let world = resolve
        .select_world(&[package], Some(name))
        .map_err(|error| error.to_string())?;
    let encoding = match encoding {
        TextEncoding::Utf8 => StringEncoding::UTF8,
        TextEncoding::Utf16 => StringEncoding::UTF16,
    };
    embed_component_metadata(module, &resolve, world, encoding)
        .map_err(|error| format!("{error:#}"))
}
