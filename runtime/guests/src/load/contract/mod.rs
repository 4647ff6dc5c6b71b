//! Checks a component against the contract, before it is compiled: what it may import, what it must export.
//! Called for every upload; the first of the protections between guests and the loop.
//! What is not in the contract is refused, with its name and what was probably meant.

use std::sync::Arc;

use printable::nearest;
use wasmparser::component_types::{
    ComponentAnyTypeId, ComponentEntityType, ComponentInstanceTypeId,
};
use wasmparser::types::Types;
use wasmparser::{Encoding, Parser, Payload, Validator, WasmFeatures};

use crate::host::wasi::{FREE, INERT};
use crate::host::{INTERFACES, SCRIPT, WasiGrant};
use crate::load::manifest::{self, Manifest};
use crate::load::script;

mod error;
mod names;
mod outer_names;

pub use error::ContractError;
pub(crate) use error::other_version;
pub(crate) use names::{VERSION_TEXT, is_compatible, is_near, is_other_version, nearest_interface};
use outer_names::outside;

/// The largest component that is accepted, bytes.
pub const COMPONENT_MAX: usize = 64 << 20;

/// How deep components and modules may stand in each other. Those of compilers and of composition tools stay below ten.
pub(crate) const NESTING_MAX: usize = 100;

/// The most functions in all modules of a component. An interpreter of JavaScript or Python has up to 30,000.
pub(crate) const FUNCTIONS_MAX: usize = 100_000;

const PACKAGE: &str = "dcm:choreography/";

/// The hooks of a motion, as exported.
pub(crate) const HOOKS: [&str; 5] = ["start", "pre-process", "post-process", "is-alive", "stop"];

/// What a score exports.
pub(crate) const RUN: &str = "run";

/// Which world a component was made for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum World {
    /// Hooks that the loop calls in every turn.
    Motion,
    /// One long `run` beside the loop.
    Score,
}

impl World {
    /// Its name in the contract.
    pub fn name(self) -> &'static str {
        match self {
            World::Motion => "motion",
            World::Score => "score",
        }
    }
}

/// A component that fits the contract as far as its types tell.
#[derive(Clone, Debug)]
pub struct CheckedComponent {
    /// Its world.
    pub world: World,
    /// What the runtime calls: the hooks of a motion, or `run`.
    pub hooks: Vec<&'static str>,
    /// What it imports, by interface and function.
    pub imports: Vec<(String, Vec<String>)>,
    /// Its manifest.
    pub manifest: Manifest,
    /// Its text, if its code is an interpreter; else empty.
    pub script: Arc<[u8]>,
}

impl CheckedComponent {
    /// Whether its code is an engine, an interpreter of its text.
    pub fn is_interpreted(&self) -> bool {
        self.imports.iter().any(|import| import.0 == SCRIPT)
    }
}

/// Checks a component.
///
/// # Errors
/// The first [`ContractError`].
pub fn check(bytes: &[u8], wasi: WasiGrant) -> Result<CheckedComponent, ContractError> {
    if bytes.is_empty() {
        return Err(ContractError::Empty);
    }
    if bytes.len() > COMPONENT_MAX {
        return Err(ContractError::TooLarge(bytes.len()));
    }
    match Parser::new(0).parse_all(bytes).next() {
        Some(Ok(Payload::Version {
            encoding: Encoding::Component,
            ..
        })) => {}
        Some(Ok(Payload::Version { .. })) => return Err(ContractError::CoreModule),
        _ => return Err(ContractError::NotWasm),
    }
    // Validating nested components takes the square of their depth: so that is bounded before.
    let outside = outside(bytes).map_err(|error| ContractError::Invalid(error.to_string()))?;
    if outside.depth > NESTING_MAX {
        return Err(ContractError::Nesting(outside.depth));
    }
    if outside.functions > FUNCTIONS_MAX {
        return Err(ContractError::Functions(outside.functions));
    }
    let types = Validator::new_with_features(features())
        .validate_all(bytes)
        .map_err(|error| ContractError::Invalid(error.to_string()))?;
    let world = world(&types, &outside.exports)?;
    let mut imports = Vec::new();
    for name in &outside.imports {
        imports.push(import(&types, name)?);
    }
    wasi_imports(&imports, world, wasi)?;
    // The host converts a text of another encoding, which allocates, and so is not allowed inside a turn.
    let writes = imports
        .iter()
        .any(|import| import.0.contains("/log@") && !import.1.is_empty());
    if world == World::Motion && outside.translates && writes {
        return Err(ContractError::Encoding);
    }
    let manifest = manifest::read(outside.manifest).map_err(ContractError::Manifest)?;
    let script = outside.script.unwrap_or(&[]);
    if script.len() > script::SCRIPT_MAX {
        return Err(ContractError::Script(script.len()));
    }
    let script = Arc::from(script);
    let hooks = hooks(&outside.exports, &manifest).map_err(ContractError::Manifest)?;
    Ok(CheckedComponent {
        world,
        hooks,
        imports,
        manifest,
        script,
    })
}

/// What is called of what it exports: all, or what its manifest lists.
fn hooks(exports: &[String], manifest: &Manifest) -> Result<Vec<&'static str>, String> {
    let has = |text: &&str| exports.iter().any(|name| name == text);
    let all: Vec<_> = HOOKS.into_iter().chain([RUN]).filter(has).collect();
    let Some(listed) = &manifest.hooks else {
        return Ok(all);
    };
    if let Some(missing) = listed.iter().find(|text| !all.contains(&text.as_str())) {
        let all = all.join(", ");
        return Err(format!("`hooks` lists `{missing}`, and it exports {all}"));
    }
    let is_listed = |text: &&str| listed.iter().any(|name| name == text);
    let hooks: Vec<_> = all.into_iter().filter(is_listed).collect();
    if hooks.is_empty() {
        return Err("`hooks` lists none: nobody would call it".to_owned());
    }
    Ok(hooks)
}

/// The name in a component's manifest, if it can be read; the component is not checked.
pub fn name_of(bytes: &[u8]) -> Option<String> {
    let bytes = bytes.get(..COMPONENT_MAX.min(bytes.len()))?;
    manifest::read(outside(bytes).ok()?.manifest).ok()?.name
}

/// The lines of a component's manifest, if it has one; the component is not checked.
pub fn manifest_of(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(outside(bytes).ok()?.manifest?).ok()
}

/// The WebAssembly features that both engines support.
pub(crate) fn features() -> WasmFeatures {
    WasmFeatures::default()
        - WasmFeatures::MEMORY64
        - WasmFeatures::MULTI_MEMORY
        - WasmFeatures::THREADS
        - WasmFeatures::EXCEPTIONS
        - WasmFeatures::GC
        - WasmFeatures::GC_TYPES
        - WasmFeatures::CM_ASYNC
}

/// The world of these exports.
fn world(types: &Types, exports: &[String]) -> Result<World, ContractError> {
    let (mut hooks, mut run) = (false, false);
    for name in exports {
        let item = types.component_item_for_export(name);
        let Some(ComponentEntityType::Func(function)) = item.map(|item| item.ty) else {
            if HOOKS.contains(&name.as_str()) || name == RUN {
                let wanted = "a function";
                let name = name.clone();
                return Err(ContractError::Hook { name, wanted });
            }
            continue;
        };
        let known = HOOKS.iter().chain([&RUN]);
        let Some(hook) = known.clone().find(|item| **item == name) else {
            let near = known.copied().find(|item| is_near(item, name));
            if let Some(near) = near {
                let name = name.clone();
                return Err(ContractError::NearHook { name, near });
            }
            continue;
        };
        let function = &types[function];
        let answers_bool = matches!(
            function.result,
            Some(wasmparser::component_types::ComponentValType::Primitive(
                wasmparser::PrimitiveValType::Bool
            ))
        );
        let (fits, wanted) = match *hook {
            "is-alive" => (answers_bool, "func() -> bool"),
            _ => (function.result.is_none(), "func()"),
        };
        if !(fits && function.params.is_empty() && !function.async_) {
            let name = name.clone();
            return Err(ContractError::Hook { name, wanted });
        }
        if *hook == RUN {
            run = true;
        } else {
            hooks = true;
        }
    }
    match (hooks, run) {
        (true, false) => Ok(World::Motion),
        (false, true) => Ok(World::Score),
        (true, true) => Err(ContractError::TwoWorlds),
        (false, false) => Err(ContractError::NoExport),
    }
}

/// Checks one import; its functions.
fn import(types: &Types, name: &str) -> Result<(String, Vec<String>), ContractError> {
    let item = types.component_item_for_import(name);
    let instance = match item.map(|item| item.ty) {
        Some(ComponentEntityType::Instance(instance)) => instance,
        // A type alone gives no access to anything.
        Some(ComponentEntityType::Type { referenced, .. })
            if !matches!(referenced, ComponentAnyTypeId::Resource(_)) =>
        {
            return Ok((name.to_owned(), Vec::new()));
        }
        _ => return Err(unknown(name.to_owned(), None)),
    };
    if name.starts_with("wasi:") {
        return Ok((name.to_owned(), functions(types, instance)));
    }
    let Some(rest) = name.strip_prefix(PACKAGE) else {
        return Err(unknown(name.to_owned(), nearest_interface(name)));
    };
    let (interface, version) = rest.split_once('@').unwrap_or((rest, ""));
    let of = |pair: &(&'static str, &'static [&'static str])| {
        let known = pair.0.strip_prefix(PACKAGE)?.split_once('@')?.0;
        Some((known, pair.1))
    };
    let known = INTERFACES.iter().filter_map(of);
    let Some((_, offered)) = known.clone().find(|pair| pair.0 == interface) else {
        let near = nearest(interface, known.map(|known| known.0)).map(str::to_owned);
        return Err(unknown(name.to_owned(), near.or(nearest_interface(name))));
    };
    // Within one major and minor version an interface only grows, so that its functions are what counts.
    if !is_compatible(version) {
        let import = name.to_owned();
        return Err(ContractError::Version { import });
    }
    let wanted = functions(types, instance);
    if let Some(missing) = wanted.iter().find(|text| !offered.contains(&text.as_str())) {
        let import = format!("{name}: {missing}");
        if version != VERSION_TEXT {
            return Err(ContractError::Version { import });
        }
        return Err(unknown(
            import,
            nearest(missing, offered.iter().copied()).map(str::to_owned),
        ));
    }
    Ok((name.to_owned(), wanted))
}

fn functions(types: &Types, instance: ComponentInstanceTypeId) -> Vec<String> {
    let is_function = |ty: ComponentEntityType| matches!(ty, ComponentEntityType::Func(_));
    let exports = types[instance].exports.iter();
    let functions = exports.filter(|(_, item)| is_function(item.ty));
    functions.map(|(name, _)| name.clone()).collect()
}

/// The key of a grant for each part of WASI that needs one.
const WASI: &[(&str, &str)] = &[("wasi:clocks/", "clocks"), ("wasi:random/", "random")];

/// Refuses imports of WASI that were not granted; all of them at once, so that all can be granted at once.
fn wasi_imports(
    imports: &[(String, Vec<String>)],
    world: World,
    granted: WasiGrant,
) -> Result<(), ContractError> {
    let mut missing: Vec<(String, Option<&'static str>)> = Vec::new();
    for (name, _) in imports
        .iter()
        .filter(|import| import.0.starts_with("wasi:"))
    {
        let grant = WASI
            .iter()
            .find(|pair| name.starts_with(pair.0))
            .map(|wasi| wasi.1);
        let allowed = match grant {
            Some("clocks") => granted.clocks,
            Some(_) => granted.random,
            None => FREE.iter().chain(INERT).any(|item| name.starts_with(item)),
        };
        if !allowed || world == World::Motion {
            missing.push((name.clone(), grant));
        }
    }
    // What nobody can grant is told first: the rest would be granted in vain.
    let hopeless = missing.iter().position(|pair| pair.1.is_none());
    let first = hopeless.unwrap_or(0);
    let Some((import, grant)) = missing.get(first).cloned() else {
        return Ok(());
    };
    let mut grants: Vec<_> = missing.iter().filter_map(|pair| pair.1).collect();
    grants.sort_unstable();
    grants.dedup();
    Err(ContractError::Wasi {
        import,
        more: missing.len() - 1,
        grants: grant.map_or(Vec::new(), |_| grants),
        motion: world == World::Motion,
    })
}

fn unknown(import: String, near: Option<String>) -> ContractError {
    ContractError::Unknown { import, near }
}
