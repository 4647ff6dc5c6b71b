//! The texts of guests. A function of the contract that a body calls by its name, such as `$commands.set`, is imported
//! for it with the contract's types: nobody writes an import by hand, and none is forgotten.

use std::sync::OnceLock;

use wit_parser::{Resolve, SourceMap, Type, TypeDefKind};

/// A parameter or result in a core module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Flat {
    /// A boolean or a 32-bit number.
    I32,
    /// An enum with this many values, counted from 0.
    Enum(u32),
    /// A number of 64 bits.
    I64,
    /// A floating-point number.
    F64,
    /// An address and a length: a text, or a list of bytes.
    Text,
    /// A list of words.
    Words,
}

impl Flat {
    fn core(self) -> &'static str {
        match self {
            Flat::I32 | Flat::Enum(_) => "i32",
            Flat::I64 => "i64",
            Flat::F64 => "f64",
            Flat::Text | Flat::Words => "i32 i32",
        }
    }

    /// Whether it points into memory.
    pub(crate) fn points(self) -> bool {
        matches!(self, Flat::Text | Flat::Words)
    }
}

/// A function of the contract.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// Its interface, without package and version.
    pub(crate) interface: String,
    /// Its name.
    pub(crate) name: String,
    /// Its parameters.
    pub(crate) params: Vec<Flat>,
    /// Its result.
    pub(crate) result: Option<Flat>,
}

impl Function {
    /// The name by which a text calls it.
    pub(crate) fn called(&self) -> String {
        format!("${}.{}", self.interface, self.name)
    }

    /// Its types in a core module.
    pub(crate) fn types(&self) -> String {
        let params: Vec<_> = self
            .params
            .iter()
            .map(|parameter| parameter.core())
            .collect();
        let result = self.result.map_or("", Flat::core);
        format!("({}) -> {result}", params.join(" "))
    }

    fn import(&self) -> String {
        let params: Vec<_> = self
            .params
            .iter()
            .map(|parameter| parameter.core())
            .collect();
        let result = self.result.map_or("", Flat::core);
        format!(
            "(import \"dcm/{}\" \"{}\" (func {} (param {}) (result {result})))\n",
            self.interface,
            self.name,
            self.called(),
            params.join(" "),
        )
    }
}

/// Every function of the contract, from its text.
pub(crate) fn contract() -> &'static [Function] {
    static ALL: OnceLock<Vec<Function>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut sources = SourceMap::new();
        for (name, text) in guests::WIT {
            sources.push_str(name, *text);
        }
        let mut resolve = Resolve::default();
        let group = sources
            .parse()
            .unwrap_or_else(|error| panic!("{}", error.1));
        let package = resolve.push_group(group).expect("a sound contract");
        let mut all = Vec::new();
        for (interface, id) in &resolve.packages[package].interfaces {
            for function in resolve.interfaces[*id].functions.values() {
                let params = function.params.iter();
                all.push(Function {
                    interface: interface.clone(),
                    name: function.name.clone(),
                    params: params
                        .map(|parameter| flat(&resolve, &parameter.ty))
                        .collect(),
                    result: function.result.map(|result| flat(&resolve, &result)),
                });
            }
        }
        all
    })
}

fn flat(resolve: &Resolve, of: &Type) -> Flat {
    match of {
        Type::Bool | Type::U32 => Flat::I32,
        Type::U64 => Flat::I64,
        Type::F64 => Flat::F64,
        Type::String => Flat::Text,
        Type::Id(id) => match &resolve.types[*id].kind {
            TypeDefKind::Enum(value) => Flat::Enum(value.cases.len() as u32),
            TypeDefKind::Type(of) => flat(resolve, of),
            TypeDefKind::List(Type::U8) => Flat::Text,
            TypeDefKind::List(Type::U64) => Flat::Words,
            other => panic!("the contract has something new: {other:?}"),
        },
        other => panic!("the contract has something new: {other:?}"),
    }
}

/// A module with this body, and imports for the functions that it calls.
pub(crate) fn module(body: &str) -> String {
    let is_called = |function: &&Function| {
        let name = function.called();
        let mut after = body.split(&name).skip(1);
        // `$clock.now` is not `$clock.nowhere`.
        after.any(|text| !text.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    };
    let called = contract().iter().filter(is_called);
    let imports: String = called.map(Function::import).collect();
    format!("(module\n{imports}{body})")
}

/// A module with one hook, or `run`.
pub(crate) fn hook(name: &str, body: &str) -> String {
    module(&format!("(func (export \"{name}\") {body})"))
}

/// A component of a module with this body.
pub(crate) fn guest(body: &str) -> Vec<u8> {
    tests::rig::component(&module(body))
}

/// A memory, and a `start` that subscribes to this many topics: those with the first numbers, if there are no others.
pub(crate) fn hears(topics: u32) -> String {
    let asks =
        (0..topics).map(|i| format!("(drop (call $events.topic (i32.const {i}) (i32.const 1)))"));
    format!(
        r#"(memory (export "memory") 1) (data (i32.const 0) "abcdefgh")
        (func (export "start") {})
        "#,
        asks.collect::<String>()
    )
}

/// A component in text form, as it stands; the contract's package may be written `dcm`.
pub(crate) fn whole(text: &str) -> Vec<u8> {
    let text = tests::rig::full_names(text);
    wat::parse_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A component that imports an instance of this name with one function.
pub(crate) fn import(interface: &str, function: &str) -> Vec<u8> {
    importing(&format!(
        r#"(import "{interface}" (instance (export "{function}" (func))))"#
    ))
}

/// A component that does nothing in its hook, and imports this.
pub(crate) fn importing(imports: &str) -> Vec<u8> {
    exporting(imports, "pre-process")
}

/// A component that imports this, and exports a function of this name that does nothing.
pub(crate) fn exporting(imports: &str, export: &str) -> Vec<u8> {
    whole(&format!(
        r#"(component {imports}
        (core module $m (func (export "h")))
        (core instance $i (instantiate $m))
        (func (export "{export}") (canon lift (core func $i "h"))))"#
    ))
}

/// A component with this manifest.
pub(crate) fn with_manifest(mut component: Vec<u8>, manifest: &str) -> Vec<u8> {
    let name = "dcm:manifest";
    let mut section = vec![name.len() as u8];
    section.extend(name.bytes().chain(manifest.bytes()));
    component.push(0);
    let mut length = section.len();
    while length >= 0x80 {
        component.push(length as u8 | 0x80);
        length >>= 7;
    }
    component.push(length as u8);
    component.extend(section);
    component
}

/// A memory, `$say` for an answer, and `$told`, which writes all answers as one line: `a` for `done`, `b` for
/// `unknown`, and so on to `k` for `ending`, in the order of `types.wit`.
pub(crate) const TELLER: &str = r#"
    (memory (export "memory") 1) (global $to (mut i32) (i32.const 4096))
    (func $say (param i32)
      (i32.store8 (global.get $to) (i32.add (local.get 0) (i32.const 97)))
      (global.set $to (i32.add (global.get $to) (i32.const 1))))
    (func $told
      (drop (call $log.write (i32.const 1) (i32.const 4096) (i32.sub (global.get $to) (i32.const 4096))))
      (global.set $to (i32.const 4096)))"#;

/// The log lines of guests since the last call.
pub(crate) fn said(rig: &tests::rig::Rig<'_, '_>) -> Vec<String> {
    rig.manager.housekeep();
    std::iter::from_fn(|| rig.manager.said())
        .map(|value| value.text)
        .collect()
}

/// The type of the answers, as `$e`.
pub(crate) const ANSWER: &str = r#"(type $e (enum "done" "unknown" "forbidden" "full" "not-finite" "out-of-reach"
            "inside-a-turn" "taken" "wrong-kind" "too-much" "ending"))"#;

/// The interface of commands as `$c`, with this function and its types, in a component's text.
pub(crate) fn commands(function: &str) -> String {
    format!(
        r#"(import "dcm:choreography/types@0.1.0" (instance $t
          {ANSWER}
          (export "answer" (type (eq $e)))))
        (alias export $t "answer" (type $answer))
        (import "dcm:choreography/commands@0.1.0" (instance $c
          (alias outer 1 $answer (type $a0)) (export "answer" (type $a (eq $a0)))
          (export {function})))"#
    )
}
