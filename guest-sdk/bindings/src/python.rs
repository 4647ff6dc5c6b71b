//! Python: `contract.py`, which gives componentize-py's bindings short names, and their types for editors.

use crate::HEAD;
use crate::contract::{Contract, Import, Interface, Kind, Named, Shape};
use crate::names::{camel, snake, upper};

/// Where an enum is in componentize-py's bindings, beside those of `types`.
const ELSEWHERE: &str = "types";

/// `contract.py`.
pub(crate) fn write(of: &Contract) -> String {
    let modules: Vec<_> = of
        .interfaces
        .iter()
        .map(|interface| snake(&interface.name))
        .collect();
    let mut modules: Vec<_> = modules.into_iter().chain(["script".to_owned()]).collect();
    modules.sort();
    let mut text = format!(
        "# {HEAD}\n\"\"\"The contract, as componentize-py's bindings have it; `contract.pyi` has its types.\"\"\"\n\n\
         from wit_world.imports import (\n    {},\n)\n",
        modules.join(",\n    ")
    );
    for interface in &of.interfaces {
        let enums: Vec<_> = enums(interface).map(|value| camel(&value.name)).collect();
        if !enums.is_empty() {
            let module = snake(&interface.name);
            text += &format!(
                "from wit_world.imports.{module} import {}\n",
                enums.join(", ")
            );
        }
    }
    text
}

fn enums(of: &Interface) -> impl Iterator<Item = &Named> {
    of.types
        .iter()
        .filter(|kind| matches!(kind.shape, Shape::Enum(_)))
}

/// `contract.pyi`: the modules as classes.
pub(crate) fn types(of: &Contract) -> String {
    let mut text = format!("# {HEAD}\n\nfrom enum import Enum\nfrom typing import NoReturn\n");
    for interface in &of.interfaces {
        text += &interface.types.iter().map(type_of).collect::<String>();
    }
    for interface in of
        .interfaces
        .iter()
        .filter(|interface| interface.name != ELSEWHERE)
    {
        text += &format!(
            "\nclass {}:\n{}",
            snake(&interface.name),
            document("    ", &interface.docs)
        );
        text += &interface.functions.iter().map(function).collect::<String>();
    }
    text + SCRIPT
}

/// The interface of engines, which is not in the contract's worlds.
const SCRIPT: &str = r#"
class script:
    """What engines of scripts have beside the contract; for the SDK."""
    @staticmethod
    def length() -> int:
        """The length of the text, bytes."""
    @staticmethod
    def word(place: int) -> int:
        """Eight bytes of the text, from byte 8 * `place` on."""
    @staticmethod
    def follow(
        to: Actuator, shape: int, a: float, b: float, c: float, d: float, last: float, start: Instant, time: Span,
        error: float, begins: bool,
    ) -> Answer:
        """Sends a piece of a curve in as few straight lines as keep within `error` of it."""
    @staticmethod
    def fail(why: str) -> NoReturn:
        """Ends the guest; the text says why."""
"#;

fn type_of(of: &Named) -> String {
    let name = camel(&of.name);
    match &of.shape {
        Shape::Alias(kind) => {
            let docs = of.docs.iter().map(|doc| format!("# {doc}\n"));
            format!("\n{}{name} = {}\n", docs.collect::<String>(), hint(kind))
        }
        Shape::Enum(cases) => {
            let mut text = format!("\nclass {name}(Enum):\n{}", document("    ", &of.docs));
            for (number, (case, docs)) in cases.iter().enumerate() {
                text += &docs
                    .iter()
                    .map(|doc| format!("    #: {doc}\n"))
                    .collect::<String>();
                text += &format!("    {} = {number}\n", upper(case));
            }
            text
        }
    }
}

fn function(of: &Import) -> String {
    let params = of.params.iter();
    let params: Vec<_> = params
        .map(|parameter| format!("{}: {}", snake(&parameter.0), hint(&parameter.1)))
        .collect();
    let (name, params) = (snake(&of.name), params.join(", "));
    let docs = document("        ", &of.docs);
    format!(
        "    @staticmethod\n    def {name}({params}) -> {}:\n{docs}",
        hint(&of.result)
    )
}

/// A docstring.
fn document(indent: &str, lines: &[String]) -> String {
    match lines {
        [] => format!("{indent}...\n"),
        [line] => format!("{indent}\"\"\"{line}\"\"\"\n"),
        [first, rest @ ..] => {
            let rest = rest.iter().map(|item| format!("{indent}{item}\n"));
            format!(
                "{indent}\"\"\"{first}\n{}{indent}\"\"\"\n",
                rest.collect::<String>()
            )
        }
    }
}

fn hint(kind: &Kind) -> String {
    match kind {
        Kind::Bool => "bool".into(),
        Kind::U32 | Kind::U64 => "int".into(),
        Kind::F64 => "float".into(),
        Kind::Text => "str".into(),
        Kind::Words => "list[int]".into(),
        Kind::Alias(name, _) | Kind::Enum(name) => camel(name),
    }
}
