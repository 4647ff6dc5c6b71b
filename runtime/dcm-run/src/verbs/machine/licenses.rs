//! `dcm-run licenses`: prints the notice of everything that is linked into this program.
//! The notice is made from the packages themselves; `tests/licenses/mod.rs` makes it, and compares it with
//! the lock file.

use std::io::Write;

use anyhow::Result;
use serde_json::{Value, json};

use crate::text::output::{VerbOutcome, VerbOutput};

/// The packages with the numbers of their texts, then the texts.
const NOTICE: &str = include_str!("licenses.txt");

/// The line above the packages.
const PACKAGES: &str = "\nPackages\n";

/// The beginning of the line above a text.
const TEXT: &str = "\n---- [";

pub(crate) fn run(output: VerbOutput) -> Result<VerbOutcome> {
    let mut out = std::io::stdout().lock();
    if output.json {
        for row in rows() {
            writeln!(out, "{row}")?;
        }
    } else {
        out.write_all(NOTICE.as_bytes())?;
    }
    Ok(VerbOutcome::Done)
}

/// An object for each package, then one for each text.
fn rows() -> impl Iterator<Item = Value> {
    let mut parts = NOTICE.split(TEXT);
    let head = parts.next().unwrap_or_default();
    let lines = head.split_once(PACKAGES).map_or("", |pair| pair.1).lines();
    lines.filter_map(package).chain(parts.filter_map(text))
}

/// `anyhow 1.0.100: MIT OR Apache-2.0 [1, 4]`. The standard library has no version.
fn package(line: &str) -> Option<Value> {
    let (title, rest) = line.split_once(": ")?;
    let (license, numbers) = rest.strip_suffix(']')?.split_once(" [")?;
    let texts: Vec<u32> = numbers
        .split(", ")
        .filter_map(|part| part.parse().ok())
        .collect();
    let begins = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    let named = title.rsplit_once(' ').filter(|pair| begins(pair.1));
    let (name, version) = named.map_or((title, None), |pair| (pair.0, Some(pair.1)));
    Some(json!({ "package": name, "version": version, "license": license, "texts": texts }))
}

/// The number, the name of the licence, and the text with those whom it names.
fn text(part: &str) -> Option<Value> {
    let (head, body) = part.split_once('\n')?;
    let (number, license) = head.split_once(']')?;
    let number: u32 = number.parse().ok()?;
    Some(json!({ "text": number, "license": license.trim(), "words": body.trim_matches('\n') }))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::rows;

    #[test]
    fn each_package_has_texts_and_each_text_a_package() {
        let rows: Vec<_> = rows().collect();
        let all = |key: &str| {
            rows.iter()
                .filter(|row| row.get(key).is_some())
                .collect::<Vec<_>>()
        };
        let (packages, texts) = (all("package"), all("text"));
        let numbers = |value: &serde_json::Value| value.as_u64().expect("a number");
        let used: BTreeSet<_> = packages
            .iter()
            .flat_map(|package| package["texts"].as_array().expect("texts"))
            .map(numbers)
            .collect();
        let there: BTreeSet<_> = texts.iter().map(|text| numbers(&text["text"])).collect();
        assert!(packages.len() > 300, "only {} packages", packages.len());
        assert!(
            packages
                .iter()
                .all(|package| package["texts"] != serde_json::json!([]))
        );
        assert_eq!(used, there);
    }
}
