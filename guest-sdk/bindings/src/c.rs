//! C: enums, typedefs, imported functions, and the hooks as prototypes with their exact export names. The layer over
//! it stands in the same header, by hand.

use crate::contract::{Contract, Hook, Import, Interface, Kind, Named, Shape};
use crate::names::{comment, snake, upper};

/// Functions whose own name says too little without its interface.
const NAMES: [(&str, &str, &str); 4] = [
    ("events", "next", "next_event"),
    ("params", "declare", "declare_param"),
    ("params", "get", "get_param"),
    ("log", "write", "log"),
];

/// Hooks that the layer exports, because it looks up names before it calls the author's function.
const ENTERED: [&str; 2] = ["start", "run"];

pub(crate) fn write(of: &Contract) -> String {
    let mut text = String::new();
    for interface in &of.interfaces {
        text += "\n";
        text += &comment("//", &interface.docs);
        for named in &interface.types {
            text += &type_of(named);
        }
        for function in &interface.functions {
            text += &import(interface, function);
        }
    }
    text += "\n// Hooks: define those that you need. Their prototypes export them under the names of the contract.\n";
    for hook in of.motion.iter().chain(&of.score) {
        text += &export(hook);
    }
    text + "\n"
}

fn type_of(of: &Named) -> String {
    let name = snake(&of.name);
    let mut text = format!("\n{}", comment("///", &of.docs));
    match &of.shape {
        Shape::Alias(kind) => text += &format!("typedef {} dcm_{name};\n", c(kind)),
        Shape::Enum(cases) => {
            text += &format!("typedef enum dcm_{name} {{\n");
            for (number, (case, docs)) in cases.iter().enumerate() {
                text += &comment("    ///", docs);
                let case = format!("DCM_{}_{}", upper(&of.name), upper(case));
                text += &format!("    {case} = {number},\n");
            }
            text += &format!("}} dcm_{name};\n");
        }
    }
    text
}

fn import(interface: &Interface, of: &Import) -> String {
    let known = NAMES.iter();
    let mut known = known.filter(|name| name.0 == interface.name && name.1 == of.name);
    let name = known
        .next()
        .map_or_else(|| snake(&of.name), |row| row.2.into());
    let params: Vec<_> = of.params.iter().map(param).collect();
    let params = if params.is_empty() {
        "void".to_owned()
    } else {
        params.join(", ")
    };
    let (module, import) = (&interface.module, &of.name);
    let result = c(&of.result);
    let docs = comment("///", &of.docs);
    format!("\n{docs}DCM_IMPORT(\"{module}\", \"{import}\")\n{result} dcm_{name}({params});\n")
}

fn export(of: &Hook) -> String {
    let docs = comment("///", &of.docs);
    let name = snake(&of.name);
    let result = of.result.as_ref().map_or_else(|| "void".into(), c);
    let export = match ENTERED.contains(&of.name.as_str()) {
        true => String::new(),
        false => format!("DCM_EXPORT(\"{}\") ", of.name),
    };
    format!("\n{docs}{export}{result} {name}(void);\n")
}

fn param((name, kind): &(String, Kind)) -> String {
    let name = snake(name);
    match kind {
        Kind::Text => format!("const char *{name}, size_t {name}_length"),
        Kind::Words => format!("const uint64_t *{name}, size_t {name}_length"),
        other => format!("{} {name}", c(other)),
    }
}

fn c(kind: &Kind) -> String {
    match kind {
        Kind::Bool => "bool".into(),
        Kind::U32 => "uint32_t".into(),
        Kind::U64 => "uint64_t".into(),
        Kind::F64 => "double".into(),
        Kind::Text => "const char *".into(),
        Kind::Words => "const uint64_t *".into(),
        Kind::Alias(name, _) | Kind::Enum(name) => format!("dcm_{}", snake(name)),
    }
}
