//! Go: types with Go's names, and imported functions, which only the package of the SDK sees.

use crate::HEAD;
use crate::contract::{Contract, Import, Interface, Kind, Named, Shape};
use crate::names::{camel, comment, lower_camel};

pub(crate) fn write(of: &Contract) -> String {
    // The first line in the words that Go's tools look for.
    let head = HEAD.replace("; do not edit.", "; DO NOT EDIT.");
    let mut text = format!(
        "// Code {}\n\n//go:build wasm\n\npackage choreography\n\nimport \"unsafe\"\n",
        head.replace("Generated", "generated")
    );
    for interface in &of.interfaces {
        text += &interface.types.iter().map(type_of).collect::<String>();
        text += &(interface.functions.iter())
            .map(|value| import(interface, value))
            .collect::<String>();
    }
    text
}

fn type_of(of: &Named) -> String {
    let (docs, name) = (comment("//", &of.docs), camel(&of.name));
    match &of.shape {
        // The layer has types of its own under the names of these.
        Shape::Alias(_) => String::new(),
        Shape::Enum(cases) => {
            let mut text = format!("\n{docs}type {name} uint32\n\nconst (\n");
            for (number, (case, docs)) in cases.iter().enumerate() {
                text += &comment("\t//", docs);
                text += &format!("\t{name}{} {name} = {number}\n", camel(case));
            }
            text + ")\n"
        }
    }
}

fn import(interface: &Interface, of: &Import) -> String {
    let params: Vec<_> = of.params.iter().map(param).collect();
    let (module, name) = (&interface.module, &of.name);
    let called = format!("{}{}", lower_camel(&interface.name), camel(name));
    let (docs, params) = (comment("//", &of.docs), params.join(", "));
    let result = go(&of.result);
    format!("\n{docs}//\n//go:wasmimport {module} {name}\nfunc {called}({params}) {result}\n")
}

fn param((name, kind): &(String, Kind)) -> String {
    // `of`, `to`, `on` are no words of Go; but a parameter must not hide a type.
    let name = lower_camel(name);
    match kind {
        Kind::Words => format!("{name} unsafe.Pointer, {name}Length uint32"),
        other => format!("{name} {}", go(other)),
    }
}

fn go(kind: &Kind) -> String {
    match kind {
        Kind::Bool => "bool".into(),
        Kind::U32 => "uint32".into(),
        Kind::U64 => "uint64".into(),
        Kind::F64 => "float64".into(),
        // An address and a length, by Go's own rule.
        Kind::Text => "string".into(),
        Kind::Words => "unsafe.Pointer".into(),
        Kind::Alias(_, of) => go(of),
        Kind::Enum(name) => camel(name),
    }
}
