//! The lists on the page "any other language" of the SDKs' README: functions with their core types, and the numbers of
//! enums.

use crate::contract::{Contract, Import, Kind, Named, Shape};

/// The longest line.
const COLUMNS: usize = 110;

pub(crate) fn write(of: &Contract) -> String {
    let mut text = "\n```text\n".to_owned();
    for interface in of
        .interfaces
        .iter()
        .filter(|interface| !interface.functions.is_empty())
    {
        text += &format!("{}\n", interface.module);
        text += &interface.functions.iter().map(function).collect::<String>();
    }
    text += "```\n\nThe numbers of the enums:\n\n```text\n";
    let named = of.interfaces.iter().flat_map(|interface| &interface.types);
    text += &named.map(numbers).collect::<String>();
    text + "```\n\n"
}

fn function(of: &Import) -> String {
    let params: Vec<_> = of.params.iter().map(param).collect();
    let result = match &of.result {
        Kind::Alias(name, _) | Kind::Enum(name) => format!("  {name}"),
        Kind::Bool => "  0 or 1".into(),
        _ => String::new(),
    };
    let core = of.result.core();
    format!("  {} ({}) -> {core}{result}\n", of.name, params.join(", "))
}

fn param((name, kind): &(String, Kind)) -> String {
    match kind.points() {
        true => format!("{name}: i32, length: i32"),
        false => format!("{name}: {}", kind.core()),
    }
}

fn numbers(of: &Named) -> String {
    let Shape::Enum(cases) = &of.shape else {
        return String::new();
    };
    let mut text = String::new();
    let mut line = format!("{:<8}", of.name);
    for (number, (case, _)) in cases.iter().enumerate() {
        let case = format!(
            " {number} {case}{}",
            if number + 1 < cases.len() { "," } else { "" }
        );
        if line.len() + case.len() > COLUMNS {
            text += &format!("{line}\n");
            line = " ".repeat(8);
        }
        line += &case;
    }
    text + &line + "\n"
}
