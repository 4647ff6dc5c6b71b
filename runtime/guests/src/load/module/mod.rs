//! What a core module imports and exports, checked against the contract before a component is made of it.
//! Called by `componentize`.
//! The law: what would be left out without a word, or refused by the encoder in its own words, is refused here with
//! the name that was probably meant, and with what to change for the toolchain that it comes from.

use wasmparser::{
    CompositeInnerType, Encoding, ExternalKind, FuncType, Parser, Payload, TypeRef, ValType,
};

use crate::host::INTERFACES;
use crate::load::contract::{HOOKS, RUN, is_near, nearest, nearest_interface};

mod error;

pub(crate) use error::ModuleError;

/// The module of the imports of WASI preview 1.
pub(crate) const WASI_P1: &str = "wasi_snapshot_preview1";

/// What is found in a module.
#[derive(Default)]
pub(crate) struct ModuleScan {
    pub(crate) is_component: bool,
    /// Whether its toolchain has described it for the component model.
    pub(crate) has_types: bool,
    /// What it exports for the runtime to call.
    pub(crate) hooks: Vec<&'static str>,
    /// Whether it imports functions of WASI preview 1.
    pub(crate) wants_wasi: bool,
    /// Whether it exports its memory as the contract's functions look for it.
    pub(crate) has_memory: bool,
    imports: Vec<(String, String)>,
    exports: Vec<(String, ExternalKind, u32)>,
    types: Vec<Option<FuncType>>,
    /// The type of each function, imported ones first.
    functions: Vec<u32>,
}

impl ModuleScan {
    fn has(&self, name: &str, kind: ExternalKind) -> bool {
        let mut exports = self.exports.iter();
        exports.any(|it| it.0 == name && it.1 == kind)
    }
}

/// Reads a module; checks it, unless its toolchain has described it.
///
/// # Errors
/// The first [`ModuleError`].
pub(crate) fn scan(module: &[u8]) -> Result<ModuleScan, ModuleError> {
    let mut found = read(module).map_err(|error| ModuleError::Invalid(error.to_string()))?;
    if found.is_component {
        return Ok(found);
    }
    found.has_memory = found.has("memory", ExternalKind::Memory);
    found.wants_wasi = found.imports.iter().any(|it| it.0 == WASI_P1);
    for name in HOOKS.into_iter().chain([RUN]) {
        if let Some((_, kind, index)) = found.exports.iter().find(|it| it.0 == name) {
            check_type(&found, name, *kind, *index)?;
            found.hooks.push(name);
        }
    }
    check_near_hooks(&found)?;
    if !found.has_types {
        check_imports(&found)?;
        check_exports(&found)?;
    }
    Ok(found)
}

fn read(module: &[u8]) -> Result<ModuleScan, wasmparser::BinaryReaderError> {
    let mut found = ModuleScan::default();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
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
            Payload::TypeSection(section) => {
                for group in section {
                    found.types.extend(group?.into_types().map(
                        |it| match it.composite_type.inner {
                            CompositeInnerType::Func(function) => Some(function),
                            _ => None,
                        },
                    ));
                }
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import?;
                    if let TypeRef::Func(of) | TypeRef::FuncExact(of) = import.ty {
                        found.functions.push(of);
                    }
                    found
                        .imports
                        .push((import.module.to_owned(), import.name.to_owned()));
                }
            }
            Payload::FunctionSection(section) => {
                for of in section {
                    found.functions.push(of?);
                }
            }
            Payload::ExportSection(section) => {
                for export in section {
                    let export = export?;
                    found
                        .exports
                        .push((export.name.to_owned(), export.kind, export.index));
                }
            }
            // Nothing that is looked for comes after this.
            Payload::CodeSectionStart { .. } if found.has_types => break,
            _ => {}
        }
    }
    Ok(found)
}

/// A hook is a function without parameters; `is-alive` answers a number.
fn check_type(
    found: &ModuleScan,
    name: &'static str,
    kind: ExternalKind,
    index: u32,
) -> Result<(), ModuleError> {
    let results: &[ValType] = if name == "is-alive" {
        &[ValType::I32]
    } else {
        &[]
    };
    let of = found.functions.get(index as usize);
    let function = of.and_then(|of| found.types.get(*of as usize)?.as_ref());
    let has = match (kind, function) {
        (ExternalKind::Func, Some(it)) if it.params().is_empty() && it.results() == results => {
            return Ok(());
        }
        (ExternalKind::Func, Some(it)) => {
            format!("a function {}", signature(it.params(), it.results()))
        }
        _ => "no function".to_owned(),
    };
    let wanted = signature(&[], results);
    Err(ModuleError::Type { name, has, wanted })
}

fn signature(params: &[ValType], results: &[ValType]) -> String {
    let list = |types: &[ValType]| {
        let names: Vec<_> = types.iter().map(ToString::to_string).collect();
        format!("({})", names.join(", "))
    };
    if results.is_empty() {
        list(params)
    } else {
        format!("{} -> {}", list(params), list(results))
    }
}

/// A function whose name is nearly that of a hook would be left out, and the hook never be called.
fn check_near_hooks(found: &ModuleScan) -> Result<(), ModuleError> {
    // A program's entry is another thing.
    let functions = found
        .exports
        .iter()
        .filter(|it| it.1 == ExternalKind::Func && it.0 != "_start");
    for (name, ..) in functions {
        let near = HOOKS.into_iter().chain([RUN]).find(|it| is_near(it, name));
        if let Some(near) = near.filter(|it| !found.hooks.contains(it)) {
            return Err(ModuleError::NearHook {
                name: name.clone(),
                near,
            });
        }
    }
    Ok(())
}

fn check_imports(found: &ModuleScan) -> Result<(), ModuleError> {
    for (module, name) in &found.imports {
        if module == WASI_P1 {
            continue;
        }
        let Some((_, offered)) = INTERFACES.iter().find(|it| it.0 == module) else {
            let near = match error::toolchain(module, name) {
                Some(_) => None,
                None => nearest_interface(module),
            };
            return Err(ModuleError::Import {
                module: module.clone(),
                name: name.clone(),
                near,
            });
        };
        if !offered.contains(&name.as_str()) {
            let near = nearest(name, offered.iter().copied());
            return Err(ModuleError::Import {
                module: module.clone(),
                name: name.clone(),
                near,
            });
        }
    }
    Ok(())
}

fn check_exports(found: &ModuleScan) -> Result<(), ModuleError> {
    if found.hooks.is_empty() {
        return Err(match found.has("_start", ExternalKind::Func) {
            true => ModuleError::Program,
            false => ModuleError::NoExport,
        });
    }
    Ok(())
}
