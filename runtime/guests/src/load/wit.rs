//! The text of the contract, compiled in: for `dcm-run wit`, and to make components of modules.
//! The text that is printed is the one that is implemented.

use std::sync::LazyLock;

use wasmparser::ValType;
use wit_parser::abi::{AbiVariant, WasmType};
use wit_parser::{PackageId, Resolve, SourceMap};

/// The files of the contract, by name.
pub const FILES: &[(&str, &str)] = &[
    ("types.wit", include_str!("../../../../wit/types.wit")),
    ("body.wit", include_str!("../../../../wit/body.wit")),
    ("commands.wit", include_str!("../../../../wit/commands.wit")),
    ("requests.wit", include_str!("../../../../wit/requests.wit")),
    ("bulk.wit", include_str!("../../../../wit/bulk.wit")),
    ("lane.wit", include_str!("../../../../wit/lane.wit")),
    ("sensors.wit", include_str!("../../../../wit/sensors.wit")),
    ("clock.wit", include_str!("../../../../wit/clock.wit")),
    ("events.wit", include_str!("../../../../wit/events.wit")),
    ("params.wit", include_str!("../../../../wit/params.wit")),
    ("state.wit", include_str!("../../../../wit/state.wit")),
    ("log.wit", include_str!("../../../../wit/log.wit")),
    ("script.wit", include_str!("../../../../wit/script.wit")),
    ("stdio.wit", include_str!("../../../../wit/stdio.wit")),
    ("worlds.wit", include_str!("../../../../wit/worlds.wit")),
];

/// Parsed once, because a program may build many guests.
static CONTRACT: LazyLock<Result<Resolve, String>> = LazyLock::new(|| {
    let mut resolve = Resolve::default();
    add(&mut resolve, FILES)?;
    Ok(resolve)
});

/// The contract, parsed, to which other packages can be added.
///
/// # Errors
/// The contract's text is invalid, which the tests would show.
pub(crate) fn resolve() -> Result<Resolve, String> {
    CONTRACT.clone()
}

/// The type of a function of the contract in a core module: what it takes, and what it returns.
pub(crate) fn core_type(interface: &str, function: &str) -> Option<(Vec<ValType>, Vec<ValType>)> {
    let resolve = CONTRACT.as_ref().ok()?;
    let mut interfaces = resolve.interfaces.iter();
    let (_, found) = interfaces.find(|(id, _)| resolve.id_of(*id).as_deref() == Some(interface))?;
    let function = found.functions.get(function)?;
    let signature = resolve.wasm_signature(AbiVariant::GuestImport, function);
    let core = |all: &[WasmType]| all.iter().map(value_type).collect();
    Some((core(&signature.params), core(&signature.results)))
}

fn value_type(of: &WasmType) -> ValType {
    match of {
        WasmType::I64 | WasmType::PointerOrI64 => ValType::I64,
        WasmType::F32 => ValType::F32,
        WasmType::F64 => ValType::F64,
        WasmType::I32 | WasmType::Pointer | WasmType::Length => ValType::I32,
    }
}

/// Adds the files of one package.
pub(crate) fn add(resolve: &mut Resolve, files: &[(&str, &str)]) -> Result<PackageId, String> {
    let mut sources = SourceMap::new();
    for (name, text) in files {
        sources.push_str(name, *text);
    }
    let group = sources.parse().map_err(|(_, error)| error.to_string())?;
    resolve
        .push_group(group)
        .map_err(|error| format!("{error:#}"))
}
