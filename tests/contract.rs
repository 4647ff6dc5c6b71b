//! The contract with guests keeps its own rules.

use wit_parser::{Resolve, Stability, Type, TypeDefKind};

use crate::ROOT;

fn contract() -> (Resolve, wit_parser::PackageId) {
    let mut resolve = Resolve::default();
    let (package, _) = resolve
        .push_dir(format!("{ROOT}/wit"))
        .unwrap_or_else(|error| panic!("{error:#}"));
    (resolve, package)
}

/// Whether values of this type are passed without memory.
fn is_scalar(resolve: &Resolve, of: &Type) -> bool {
    match of {
        Type::String | Type::ErrorContext => false,
        Type::Id(id) => match &resolve.types[*id].kind {
            TypeDefKind::Enum(_) => true,
            TypeDefKind::Type(of) => is_scalar(resolve, of),
            _ => false,
        },
        _ => true,
    }
}

fn is_stable(stability: &Stability) -> bool {
    matches!(stability, Stability::Stable { .. })
}

#[test]
fn nothing_but_scalars_goes_into_a_guest() {
    let (resolve, package) = contract();
    let mut functions = 0;
    for id in resolve.packages[package].interfaces.values() {
        for function in resolve.interfaces[*id].functions.values() {
            functions += 1;
            if let Some(result) = &function.result {
                assert!(
                    is_scalar(&resolve, result),
                    "{} answers with more than a scalar",
                    function.name
                );
            }
        }
    }
    assert!(functions > 35, "only {functions} functions");
    for id in resolve.packages[package].worlds.values() {
        for (key, export) in &resolve.worlds[*id].exports {
            let wit_parser::WorldItem::Function(hook) = export else {
                panic!("{key:?} is no hook");
            };
            assert!(hook.params.is_empty(), "{} is given something", hook.name);
        }
    }
}

#[test]
fn every_function_says_since_when_and_whether_it_may_be_called_inside_a_turn() {
    let (resolve, package) = contract();
    for id in resolve.packages[package].interfaces.values() {
        let interface = &resolve.interfaces[*id];
        let name = interface.name.clone().unwrap_or_default();
        assert!(
            is_stable(&interface.stability) && interface.docs.contents.is_some(),
            "{name}"
        );
        // In `body`, one sentence covers the functions below it.
        let covered = |text: &str| {
            name == "body"
                && ["highest", "velocity", "acceleration", "rest", "period"].contains(&text)
        };
        for function in interface.functions.values() {
            let docs = function.docs.contents.clone().unwrap_or_default();
            let says = docs.contains("Inside a turn:") || covered(&function.name);
            assert!(
                says,
                "{name}.{}: say whether it may be called inside a turn",
                function.name
            );
            assert!(
                is_stable(&function.stability),
                "{name}.{}: say since when",
                function.name
            );
        }
    }
}

#[test]
fn worlds_differ_in_what_they_export_and_may_use_the_same() {
    let (resolve, package) = contract();
    let worlds = &resolve.packages[package].worlds;
    let exports = |name: &str| -> Vec<String> {
        let world = &resolve.worlds[worlds[name]];
        world
            .exports
            .values()
            .map(|value| match value {
                wit_parser::WorldItem::Function(hook) => hook.name.clone(),
                _ => String::new(),
            })
            .collect()
    };
    assert_eq!(
        exports("motion"),
        ["start", "pre-process", "post-process", "is-alive", "stop"]
    );
    // For toolchains that demand every export: it is a motion, too.
    let simple = exports("simple-motion");
    assert_eq!(simple, ["start", "pre-process", "is-alive"]);
    assert_eq!(exports("score"), ["run"]);
    let imports = |name: &str| resolve.worlds[worlds[name]].imports.len();
    for world in ["motion", "simple-motion", "score"] {
        assert_eq!(imports(world), imports("imports"), "{world}");
    }
}

#[test]
fn the_host_offers_what_the_contract_says_and_nothing_else() {
    let (resolve, package) = contract();
    let mut said = Vec::new();
    for (name, id) in &resolve.packages[package].interfaces {
        let functions = resolve.interfaces[*id].functions.keys();
        let mut functions: Vec<_> = functions.map(String::as_str).collect();
        functions.sort_unstable();
        said.push((format!("dcm:choreography/{name}@0.1.0"), functions));
    }
    let mut offered: Vec<_> = guests::INTERFACES
        .iter()
        .map(|(name, functions)| {
            let mut functions = functions.to_vec();
            functions.sort_unstable();
            ((*name).to_owned(), functions)
        })
        .collect();
    said.sort();
    offered.sort();
    assert_eq!(said, offered);
}
