//! WebAssembly text: the import lines of all functions, and the numbers of enums as comments. To copy from, and to look
//! things up for any language without an SDK.

use crate::HEAD;
use crate::contract::{Contract, Hook, Import, Interface, Kind, Named, Shape};
use crate::names::comment;

/// The longest line.
const COLUMNS: usize = 120;

pub(crate) fn write(of: &Contract) -> String {
    let mut text = format!(
        ";; {HEAD}\n\
         ;; Copy the imports that you use to the top of your module. An enum is an i32: the number of its case.\n\
         ;; A text is the address and the length of its UTF-8 in the memory that you export as \"memory\".\n"
    );
    for interface in &of.interfaces {
        text += &format!("\n;; {}\n", interface.module);
        text += &comment(";;", &interface.docs);
        text += &interface.types.iter().map(type_of).collect::<String>();
        text += &(interface.functions.iter())
            .map(|value| import(interface, value))
            .collect::<String>();
    }
    text += "\n;; What a motion exports: those hooks that it has.\n";
    text += &of.motion.iter().map(export).collect::<String>();
    text += "\n;; What a score exports.\n";
    text += &of.score.iter().map(export).collect::<String>();
    text
}

fn type_of(of: &Named) -> String {
    let docs = comment(";;", &of.docs);
    match &of.shape {
        Shape::Alias(kind) => format!("\n;; {}: {}\n{docs}", of.name, kind.core()),
        Shape::Enum(cases) => {
            let mut text = format!("\n;; {}: i32\n{docs}", of.name);
            for (number, (case, docs)) in cases.iter().enumerate() {
                text += &format!(";;   {number:>2} {case}: {}\n", docs.join(" "));
            }
            text
        }
    }
}

fn import(interface: &Interface, of: &Import) -> String {
    let params: Vec<_> = of.params.iter().map(param).collect();
    let (module, short, name) = (&interface.module, &interface.name, &of.name);
    let params = params.concat();
    let (docs, result) = (comment(";;", &of.docs), of.result.core());
    let said = match &of.result {
        Kind::Alias(name, _) | Kind::Enum(name) => format!(" ;; {name}"),
        Kind::Bool => " ;; 0 or 1".into(),
        _ => String::new(),
    };
    let mut func = format!("  (func ${short}.{name}{params} (result {result}))){said}");
    if func.len() > COLUMNS {
        func = func.replacen(" (param", "\n    (param", 1);
        func = func.replacen(" (result", "\n    (result", 1);
    }
    format!("\n{docs}(import \"{module}\" \"{name}\"\n{func}\n")
}

fn param((name, kind): &(String, Kind)) -> String {
    match kind.points() {
        true => format!(" (param ${name} i32) (param ${name}-length i32)"),
        false => format!(" (param ${name} {})", kind.core()),
    }
}

fn export(of: &Hook) -> String {
    let result = of.result.as_ref();
    let result = result.map_or_else(String::new, |result| format!(" (result {})", result.core()));
    let docs = comment(";;", &of.docs);
    format!("\n{docs};; (func (export \"{}\"){result} ...)\n", of.name)
}
