//! Zig: a struct for each interface, with its imported functions in Zig's manner of names.

use crate::HEAD;
use crate::contract::{Contract, Import, Interface, Kind, Named, Shape};
use crate::names::{camel, comment, lower_camel, snake};

/// The longest line.
const COLUMNS: usize = 120;

pub(crate) fn write(of: &Contract) -> String {
    let mut text = format!("// {HEAD}\n");
    for interface in &of.interfaces {
        text += &interface.types.iter().map(type_of).collect::<String>();
        if interface.functions.is_empty() {
            continue;
        }
        let (docs, name) = (comment("///", &interface.docs), snake(&interface.name));
        text += &format!("\n{docs}pub const {name} = struct {{");
        text += &(interface.functions.iter())
            .map(|value| import(interface, value))
            .collect::<String>();
        text += "};\n";
    }
    text
}

fn type_of(of: &Named) -> String {
    let (docs, name) = (comment("///", &of.docs), camel(&of.name));
    match &of.shape {
        Shape::Alias(kind) => format!("\n{docs}pub const {name} = {};\n", zig(kind)),
        Shape::Enum(cases) => {
            let mut text = format!("\n{docs}pub const {name} = enum(u32) {{\n");
            for (number, (case, docs)) in cases.iter().enumerate() {
                text += &comment("    ///", docs);
                text += &format!("    {} = {number},\n", snake(case));
            }
            text + "    /// A number of a younger contract.\n    _,\n};\n"
        }
    }
}

fn import(interface: &Interface, of: &Import) -> String {
    let params: Vec<_> = of.params.iter().map(param).collect();
    let (module, name) = (&interface.module, &of.name);
    let (docs, called) = (comment("    ///", &of.docs), lower_camel(name));
    let (params, result) = (params.join(", "), zig(&of.result));
    let plain = called == *name;
    let (public, import) = match plain {
        true => ("pub ", name.clone()),
        false => ("", format!("@\"{name}\"")),
    };
    let mut line = format!("    {public}extern \"{module}\" fn {import}({params}) {result};");
    if line.len() > COLUMNS {
        let params = params.replace(", ", ",\n        ");
        line = format!(
            "    {public}extern \"{module}\" fn {import}(\n        {params},\n    ) {result};"
        );
    }
    let mut text = format!("\n{docs}{line}\n");
    if !plain {
        text += &format!("    pub const {called} = {import};\n");
    }
    text
}

fn param((name, kind): &(String, Kind)) -> String {
    let name = snake(name);
    match kind {
        Kind::Text | Kind::Words => format!("{name}: {}, {name}_length: usize", zig(kind)),
        other => format!("{name}: {}", zig(other)),
    }
}

fn zig(kind: &Kind) -> String {
    match kind {
        Kind::Bool => "bool".into(),
        Kind::U32 => "u32".into(),
        Kind::U64 => "u64".into(),
        Kind::F64 => "f64".into(),
        Kind::Text => "[*]const u8".into(),
        Kind::Words => "[*]const u64".into(),
        Kind::Alias(name, _) | Kind::Enum(name) => camel(name),
    }
}
