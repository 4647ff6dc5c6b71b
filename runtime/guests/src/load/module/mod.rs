//! What a core module imports and exports, checked against the contract before a component is made of it.
//! Called by `componentize`.
//! What would be left out without a word, or refused by the encoder in its own words, is refused here with
//! the name that was probably meant, and with what to change for the toolchain that it comes from.

use printable::nearest;
use wasmparser::{
    CompositeInnerType, Encoding, ExternalKind, FuncType, Parser, Payload, TypeRef, ValType,
    Validator,
};

use crate::host::INTERFACES;
use crate::load::contract::{HOOKS, RUN, features, is_near, is_other_version, nearest_interface};
use crate::load::wit;

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
    /// Each with its type, if it is a function.
    imports: Vec<(String, String, Option<u32>)>,
    /// Whether it exports what its toolchain wants to be called first.
    pub(crate) has_initialize: bool,
    /// The function that is called when the module is made, if it has one.
    pub(crate) start: Option<u32>,
    exports: Vec<(String, ExternalKind, u32)>,
    types: Vec<Option<FuncType>>,
    /// The type of each function, imported ones first.
    functions: Vec<u32>,
}

impl ModuleScan {
    fn has(&self, name: &str, kind: ExternalKind) -> bool {
        let mut exports = self.exports.iter();
        exports.any(|export| export.0 == name && export.1 == kind)
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
    let mut validator = Validator::new_with_features(features());
    let valid = validator.validate_all(module);
    valid.map_err(|error| ModuleError::Invalid(error.to_string()))?;
    found.has_memory = found.has("memory", ExternalKind::Memory);
    found.has_initialize = found.has("_initialize", ExternalKind::Func);
    found.wants_wasi = found.imports.iter().any(|import| import.0 == WASI_P1);
    for name in HOOKS.into_iter().chain([RUN]) {
        if let Some((_, kind, index)) = found.exports.iter().find(|export| export.0 == name) {
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
                    found.types.extend(group?.into_types().map(|sub_type| {
                        match sub_type.composite_type.inner {
                            CompositeInnerType::Func(function) => Some(function),
                            _ => None,
                        }
                    }));
                }
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import?;
                    let of = match import.ty {
                        TypeRef::Func(of) | TypeRef::FuncExact(of) => Some(of),
                        _ => None,
                    };
                    found.functions.extend(of);
                    let names = (import.module.to_owned(), import.name.to_owned());
                    found.imports.push((names.0, names.1, of));
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
            Payload::StartSection { func, .. } => found.start = Some(func),
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
        (ExternalKind::Func, Some(function))
            if function.params().is_empty() && function.results() == results =>
        {
            return Ok(());
        }
        (ExternalKind::Func, Some(function)) => {
            format!(
                "a function {}",
                signature(function.params(), function.results())
            )
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
    // A program's entry point is not a hook.
    let functions = found
        .exports
        .iter()
        .filter(|export| export.1 == ExternalKind::Func && export.0 != "_start");
    for (name, ..) in functions {
        let near = HOOKS
            .into_iter()
            .chain([RUN])
            .find(|hook| is_near(hook, name));
        if let Some(near) = near.filter(|name| !found.hooks.contains(name)) {
            return Err(ModuleError::NearHook {
                name: name.clone(),
                near,
            });
        }
    }
    Ok(())
}

fn check_imports(found: &ModuleScan) -> Result<(), ModuleError> {
    let functions = found.imports.iter().filter(|import| import.0 != WASI_P1);
    for (module, name, of) in functions {
        let unknown = |near| ModuleError::Import {
            module: module.clone(),
            name: name.clone(),
            near,
        };
        if is_other_version(module) {
            let import = module.clone();
            return Err(ModuleError::Version { import });
        }
        let Some((_, offered)) = INTERFACES.iter().find(|interface| interface.0 == module) else {
            let near = match error::toolchain(module, name) {
                Some(_) => None,
                None => nearest_interface(module),
            };
            return Err(unknown(near));
        };
        if !offered.contains(&name.as_str()) {
            return Err(unknown(
                nearest(name, offered.iter().copied()).map(str::to_owned),
            ));
        }
        if let Some(wanted) = wit::core_type(module, name) {
            same_type(found, (module, name), *of, (&wanted.0, &wanted.1))?;
        }
    }
    Ok(())
}

/// Checks what it imports of WASI preview 1 against what stands for that.
///
/// # Errors
/// The first [`ModuleError`].
pub(crate) fn check_wasi(found: &ModuleScan, stand_in: &[u8]) -> Result<(), ModuleError> {
    let offered = read(stand_in).map_err(|error| ModuleError::Invalid(error.to_string()))?;
    for (module, name, of) in found.imports.iter().filter(|import| import.0 == WASI_P1) {
        let Some((_, _, index)) = offered.exports.iter().find(|export| export.0 == *name) else {
            return Err(ModuleError::Import {
                module: module.clone(),
                name: name.clone(),
                near: nearest(name, offered.exports.iter().map(|export| export.0.as_str()))
                    .map(str::to_owned),
            });
        };
        let wanted = offered.functions.get(*index as usize);
        let wanted = wanted.and_then(|of| offered.types.get(*of as usize)?.as_ref());
        if let Some(wanted) = wanted {
            let wanted = (wanted.params(), wanted.results());
            same_type(found, (module, name), *of, wanted)?;
        }
    }
    Ok(())
}

/// Checks the type with which a function is imported.
fn same_type(
    found: &ModuleScan,
    (module, name): (&str, &str),
    of: Option<u32>,
    wanted: (&[ValType], &[ValType]),
) -> Result<(), ModuleError> {
    let has = of.and_then(|of| found.types.get(of as usize)?.as_ref());
    let Some(has) = has.filter(|has| (has.params(), has.results()) != wanted) else {
        return Ok(());
    };
    Err(ModuleError::ImportType {
        import: format!("`{module}` `{name}`"),
        has: signature(has.params(), has.results()),
        wanted: signature(wanted.0, wanted.1),
    })
}

fn check_exports(found: &ModuleScan) -> Result<(), ModuleError> {
    // Hooks of a program would run although its start has not.
    if found.has("_start", ExternalKind::Func) {
        return Err(ModuleError::Program);
    }
    if found.hooks.is_empty() {
        return Err(ModuleError::NoExport);
    }
    Ok(())
}
