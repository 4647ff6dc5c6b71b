//! JavaScript: the contract as objects of functions, their types for editors and TypeScript, and the engine, which has
//! a number for each function. A guest's numbers are JavaScript's, of 64 bits with a point: instants too.

use crate::HEAD;
use crate::contract::{Contract, Hook, Import, Interface, Kind, Named, Shape};
use crate::names::{camel, lower_camel};

/// The engine's text, into which imports, calls and hooks are written.
const ENGINE: &str = include_str!("../../javascript/engine/engine.wat");

/// All functions in the order of their numbers.
fn functions(of: &Contract) -> impl Iterator<Item = (&Interface, &Import)> {
    let all = of.interfaces.iter();
    all.flat_map(|interface| {
        interface
            .functions
            .iter()
            .map(move |function| (interface, function))
    })
}

/// `contract.js`: enums, and functions by interface.
pub(crate) fn write(of: &Contract) -> String {
    let mut text = format!("// {HEAD}\n\n/* global dcm */\n");
    let mut number = 0;
    for interface in &of.interfaces {
        text += &interface
            .types
            .iter()
            .filter_map(enumeration)
            .collect::<String>();
        if interface.functions.is_empty() {
            continue;
        }
        text += &format!("\nexport const {} = {{\n", lower_camel(&interface.name));
        for function in &interface.functions {
            text += &format!("  {}: dcm[{number}],\n", lower_camel(&function.name));
            number += 1;
        }
        text += "};\n";
    }
    let hooks = hooks(of)
        .map(|hook| lower_camel(&hook.name))
        .collect::<Vec<_>>();
    text += &format!(
        "\n/** Ends the guest; the text says why. */\nexport const fail = dcm[{number}];\n\
         /** Sends a piece of a curve. */\nexport const follow = dcm[{}];\n\
         /** Sends the commands of a group. */\nexport const sendGroup = dcm[{}];\n\n\
         /** Gives the engine the hooks of a choreography: the exports of its main module. */\n\
         export function install(hooks) {{\n  let has = 0;\n  ['{}'].forEach((name, place) => {{\n    \
         if (typeof hooks[name] === 'function') {{\n      dcm[{} + place] = hooks[name];\n      \
         has |= 1 << place;\n    }}\n  }});\n  dcm[{}] = has;\n}}\n",
        number + 1,
        number + 2,
        hooks.join("', '"),
        number + OWN,
        number + OWN + HOOKS
    );
    text
}

/// Functions of the engine's own, behind those of the contract.
const OWN: usize = 3;

/// Places for hooks in the engine.
const HOOKS: usize = 6;

/// The hooks of both worlds, in the order of the engine.
fn hooks(of: &Contract) -> impl Iterator<Item = &Hook> {
    of.motion.iter().chain(&of.score)
}

fn enumeration(of: &Named) -> Option<String> {
    let Shape::Enum(cases) = &of.shape else {
        return None;
    };
    let mut text = format!("\nexport const {} = Object.freeze({{\n", camel(&of.name));
    for (number, (case, _)) in cases.iter().enumerate() {
        text += &format!("  {}: {number},\n", lower_camel(case));
    }
    Some(text + "});\n")
}

/// `contract.d.ts`.
pub(crate) fn types(of: &Contract) -> String {
    let mut text = format!("// {HEAD}\n");
    for interface in &of.interfaces {
        text += &interface.types.iter().map(type_of).collect::<String>();
        if interface.functions.is_empty() {
            continue;
        }
        let name = lower_camel(&interface.name);
        let docs = document("", &interface.docs);
        text += &format!("\n{docs}export declare const {name}: {{\n");
        for function in &interface.functions {
            let params = function.params.iter();
            let param =
                |(name, kind): &(String, Kind)| format!("{}: {}", lower_camel(name), script(kind));
            let params: Vec<_> = params.map(param).collect();
            text += &document("  ", &function.docs);
            let (name, params) = (lower_camel(&function.name), params.join(", "));
            text += &format!("  {name}: ({params}) => {};\n", script(&function.result));
        }
        text += "};\n";
    }
    text += "\n/** Ends the guest; the text says why. */\nexport declare const fail: (why: string) => never;\n\
             /** Sends a piece of a curve; for the SDK. */\n\
             export declare const follow: (...piece: number[]) => Answer;\n\
             /** Sends the commands of a group; for the SDK. */\n\
             export declare const sendGroup: (words: ArrayBuffer, at: Instant, value: number) => Answer;\n\n\
             /** Gives the engine the hooks of a choreography: the exports of its main module. */\n\
             export declare function install(hooks: object): void;\n";
    text
}

fn type_of(of: &Named) -> String {
    let (docs, name) = (document("", &of.docs), camel(&of.name));
    match &of.shape {
        Shape::Alias(kind) => format!("\n{docs}export type {name} = {};\n", script(kind)),
        Shape::Enum(cases) => {
            let mut text = format!("\n{docs}export declare const {name}: Readonly<{{\n");
            for (number, (case, docs)) in cases.iter().enumerate() {
                text += &document("  ", docs);
                text += &format!("  {}: {number};\n", lower_camel(case));
            }
            text + &format!("}}>;\nexport type {name} = (typeof {name})[keyof typeof {name}];\n")
        }
    }
}

/// A comment for editors.
fn document(indent: &str, lines: &[String]) -> String {
    match lines {
        [] => String::new(),
        [line] => format!("{indent}/** {line} */\n"),
        lines => {
            let lines = lines.iter().map(|line| format!("{indent} * {line}\n"));
            format!("{indent}/**\n{}{indent} */\n", lines.collect::<String>())
        }
    }
}

fn script(kind: &Kind) -> String {
    match kind {
        Kind::Bool => "0 | 1".into(),
        Kind::U32 | Kind::U64 | Kind::F64 => "number".into(),
        Kind::Text => "string".into(),
        Kind::Words => "ArrayBuffer".into(),
        Kind::Alias(name, _) | Kind::Enum(name) => camel(name),
    }
}

/// The engine for these hooks: a core module as text.
pub(crate) fn engine(of: &Contract, exported: &[Hook]) -> String {
    let places = exported.iter().map(|function| {
        let place = hooks(of).position(|hook| hook.name == function.name);
        (function, place.unwrap_or(0))
    });
    let count = functions(of).count() + OWN;
    let text = ENGINE.replace("    ;; CALLS\n", &calls(of));
    let text = text.replace(
        "  ;; IMPORTS\n",
        &functions(of).map(import).collect::<String>(),
    );
    let text = text.replace("  ;; HOOKS\n", &places.map(export).collect::<String>());
    let text = text.replace("FUNCTIONS", &count.to_string());
    format!(
        ";; {HEAD}\n{}",
        text.replace("HAS", &(count + HOOKS).to_string())
    )
}

fn import((interface, of): (&Interface, &Import)) -> String {
    let params: Vec<_> = of
        .params
        .iter()
        .map(|parameter| parameter.1.core())
        .collect();
    let params = match params.is_empty() {
        true => String::new(),
        false => format!(" (param {})", params.join(" ")),
    };
    let (module, name, result) = (&interface.module, &of.name, of.result.core());
    let called = format!("${}.{name}", interface.name);
    format!("  (import \"{module}\" \"{name}\" (func {called}{params} (result {result})))\n")
}

/// The body that calls a function by its number, and answers with its result.
fn calls(of: &Contract) -> String {
    let all: Vec<_> = functions(of).collect();
    let last = all.len();
    let blocks: Vec<_> = (0..=last + OWN)
        .rev()
        .map(|i| format!("(block $f{i}"))
        .collect();
    let labels: Vec<_> = (0..=last + OWN).map(|i| format!("$f{i}")).collect();
    let mut text = format!("    {}\n", fold(&blocks));
    text += &format!(
        "      (br_table\n        {}\n        (local.get $which)))\n",
        fold(&labels)
    );
    for (interface, item) in &all {
        text += &call(interface, item);
        text += "    )\n";
    }
    // Its own: that of `script`, and lines of curves.
    text + "    (local.set $text (call $text (local.get $with) (i32.const 0)))\n    \
            (call $script.fail (local.get $text) (call $length (local.get $text)))\n    unreachable\n    )\n    \
            (return (call $new_number (f64.convert_i32_u (call $follow (local.get $with)))))\n    )\n    \
            (return (call $new_number (f64.convert_i32_u (call $group (local.get $with)))))\n    )\n"
}

/// Lines of some words each.
fn fold(words: &[String]) -> String {
    let lines: Vec<_> = words.chunks(8).map(|chunk| chunk.join(" ")).collect();
    lines.join("\n        ")
}

fn call(interface: &Interface, of: &Import) -> String {
    let (mut before, mut with, mut after) = (String::new(), String::new(), String::new());
    for (place, (_, kind)) in of.params.iter().enumerate() {
        let argument = format!("(local.get $with) (i32.const {place})");
        match kind {
            Kind::Text => {
                before += &format!("    (local.set $text (call $text {argument}))\n");
                with += " (local.get $text) (call $length (local.get $text))";
                after += "    (call $free_string (local.get $text))\n";
            }
            Kind::Words => {
                before += &format!("    (local.set $text (call $words {argument}))\n");
                before += &format!("    (local.set $size (call $count {argument}))\n");
                with += " (local.get $text) (local.get $size)";
                after += "    (call $free (local.get $text))\n";
            }
            other => {
                let read = match other.core() {
                    "f64" => "$number",
                    "i64" => "$u64",
                    _ => "$u32",
                };
                with += &format!("\n      (call {read} {argument})");
            }
        }
    }
    let called = format!("(call ${}.{}{with})", interface.name, of.name);
    let result = match of.result.core() {
        "f64" => called,
        "i64" => format!("(f64.convert_i64_u {called})"),
        _ => format!("(f64.convert_i32_u {called})"),
    };
    let answer = "    (return (call $new_number (local.get $r)))\n";
    format!("{before}    (local.set $r {result})\n{after}{answer}")
}

fn export((of, place): (&Hook, usize)) -> String {
    let name = &of.name;
    let boot = match name.as_str() {
        "start" | "run" => "    (call $boot)\n",
        _ => "",
    };
    let hook = format!("(call $hook (i32.const {place}))");
    if of.result.is_some() {
        return format!(
            "  (func (export \"{name}\") (result i32)\n    (if (i32.eqz (call $has_hook (i32.const {place}))) \
             (then (return (i32.const 1))))\n    (f64.ne {hook} (f64.const 0)))\n"
        );
    }
    format!(
        "  (func (export \"{name}\")\n{boot}    (if (call $has_hook (i32.const {place})) \
         (then (drop {hook}))))\n"
    )
}
