//! Makes a component of a core module, for compilers that do not support components.
//! Called by `dcm-run build`, and by tests that write guests as text.
//! The law: all that a module needs are the contract's names of what it imports and exports.

use wasmparser::{Encoding, ExternalKind, Parser, Payload};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};

use crate::load::contract::{HOOKS, RUN};
use crate::load::wit;

/// What is found in a module.
#[derive(Default)]
struct ModuleScan {
    is_component: bool,
    has_types: bool,
    hooks: Vec<String>,
}

/// Makes a component of a core module in binary or text form. A component is returned as it is.
///
/// # Errors
/// A message: what it imports or exports does not fit the contract.
pub fn componentize(module: &[u8]) -> Result<Vec<u8>, String> {
    let binary = wat::parse_bytes(module).map_err(|error| error.to_string())?;
    let module = &*binary;
    let found = find(module)?;
    if found.is_component {
        return Ok(module.to_vec());
    }
    let mut module = module.to_vec();
    if !found.has_types {
        if found.hooks.is_empty() {
            return Err(format!(
                "it exports neither a hook ({}) nor `{RUN}`: nobody would call it",
                HOOKS.join(", ")
            ));
        }
        embed(&mut module, &found.hooks)?;
    }
    let told = |error: anyhow::Error| format!("{error:#}");
    ComponentEncoder::default()
        .validate(true)
        .module(&module)
        .and_then(|mut it| it.encode())
        .map_err(told)
}

fn find(module: &[u8]) -> Result<ModuleScan, String> {
    let mut found = ModuleScan::default();
    for payload in Parser::new(0).parse_all(module) {
        match payload.map_err(|error| error.to_string())? {
            Payload::Version {
                encoding: Encoding::Component,
                ..
            } => {
                found.is_component = true;
                return Ok(found);
            }
            Payload::CustomSection(section) => {
                found.has_types |= section.name().starts_with("component-type");
            }
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export.map_err(|error| error.to_string())?;
                    let known = HOOKS.contains(&export.name) || export.name == RUN;
                    if known && export.kind == ExternalKind::Func {
                        found.hooks.push(export.name.to_owned());
                    }
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Writes the module's world into it: it may import everything, and exports these.
fn embed(module: &mut Vec<u8>, hooks: &[String]) -> Result<(), String> {
    let export = |name: &String| match name.as_str() {
        "is-alive" => "export is-alive: func() -> bool;".to_owned(),
        _ => format!("export {name}: func();"),
    };
    let exports: Vec<_> = hooks.iter().map(export).collect();
    let world = format!(
        "package dcm:made; world made {{ include dcm:choreography/imports@0.1.0; {} }}",
        exports.join(" ")
    );
    let mut resolve = wit::resolve()?;
    let package = wit::add(&mut resolve, &[("made.wit", &world)])?;
    let world = resolve
        .select_world(&[package], Some("made"))
        .map_err(|error| error.to_string())?;
    embed_component_metadata(module, &resolve, world, StringEncoding::UTF8)
        .map_err(|error| format!("{error:#}"))
}
