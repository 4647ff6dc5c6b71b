//! AssemblyScript: declared functions with their imports as decorators. Texts are UTF-8, as everywhere: `utf8` of the
//! SDK converts AssemblyScript's own.

use crate::HEAD;
use crate::contract::{Contract, Import, Interface, Kind, Named, Shape};
use crate::names::{camel, comment, lower_camel};

pub(crate) fn write(of: &Contract) -> String {
    let mut text = format!("// {HEAD}\n");
    for interface in &of.interfaces {
        text += &format!("\n{}", comment("//", &interface.docs));
        text += &interface.types.iter().map(type_of).collect::<String>();
        text += &(interface.functions.iter())
            .map(|value| import(interface, value))
            .collect::<String>();
    }
    text
}

fn type_of(of: &Named) -> String {
    let (docs, name) = (comment("///", &of.docs), camel(&of.name));
    match &of.shape {
        Shape::Alias(kind) => format!("\n{docs}export type {name} = {};\n", script(kind)),
        Shape::Enum(cases) => {
            let mut text = format!("\n{docs}export enum {name} {{\n");
            for (number, (case, docs)) in cases.iter().enumerate() {
                text += &comment("  ///", docs);
                text += &format!("  {} = {number},\n", camel(case));
            }
            text + "}\n"
        }
    }
}

fn import(interface: &Interface, of: &Import) -> String {
    let params: Vec<_> = of.params.iter().map(param).collect();
    let (module, name) = (&interface.module, &of.name);
    let called = format!("{}{}", lower_camel(&interface.name), camel(name));
    let (docs, params) = (comment("///", &of.docs), params.join(", "));
    let result = script(&of.result);
    format!(
        "\n{docs}// @ts-ignore: decorator\n@external(\"{module}\", \"{name}\")\n\
         export declare function {called}({params}): {result};\n"
    )
}

fn param((name, kind): &(String, Kind)) -> String {
    let name = match name.as_str() {
        "of" => "which".into(), // a reserved word
        _ => lower_camel(name),
    };
    match kind {
        Kind::Text | Kind::Words => format!("{name}: usize, {name}Length: i32"),
        other => format!("{name}: {}", script(other)),
    }
}

fn script(kind: &Kind) -> String {
    match kind {
        Kind::Bool => "bool".into(),
        Kind::U32 => "u32".into(),
        Kind::U64 => "u64".into(),
        Kind::F64 => "f64".into(),
        Kind::Text | Kind::Words => "usize".into(),
        Kind::Alias(name, _) | Kind::Enum(name) => camel(name),
    }
}
