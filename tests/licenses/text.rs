//! What a file with a licence is: its kind, its terms, and what stands before them. Called by the notice's maker.
//! Two texts are the same if their words are, whatever their lines and the names before the terms.

/// A licence as its text shows it.
struct Kind {
    /// As in SPDX.
    id: &'static str,
    /// Words that every text of it has.
    words: &'static str,
    /// How the terms begin: what stands before is a title and names.
    begins: &'static str,
    /// Another kind whose words this one has as well.
    covers: &'static str,
}

const fn of(
    id: &'static str,
    words: &'static str,
    begins: &'static str,
    covers: &'static str,
) -> Kind {
    Kind {
        id,
        words,
        begins,
        covers,
    }
}

/// The most lines of names before the terms.
const NAMES_MAX: usize = 8;

const MIT: &str = "Permission is hereby granted";
const BSD: &str = "Redistribution and use";
const APACHE: &str = "Apache License";

const KINDS: [Kind; 12] = [
    of(
        "Unicode-3.0",
        "unicode license v3",
        "UNICODE LICENSE V3",
        "MIT",
    ),
    of(
        "MIT",
        "permission is hereby granted, free of charge",
        MIT,
        "",
    ),
    of(
        "Apache-2.0 WITH LLVM-exception",
        "llvm exceptions to the apache 2.0 license",
        APACHE,
        "Apache-2.0",
    ),
    of(
        "Apache-2.0",
        "terms and conditions for use, reproduction",
        APACHE,
        "",
    ),
    of("BSD-3-Clause", "neither the name", BSD, "BSD-2-Clause"),
    of("BSD-2-Clause", "redistribution and use in source", BSD, ""),
    of(
        "ISC",
        "permission to use, copy, modify, and/or distribute",
        "Permission to use",
        "",
    ),
    of(
        "Zlib",
        "this software is provided 'as-is'",
        "This software is",
        "",
    ),
    of(
        "Unlicense",
        "this is free and unencumbered software",
        "This is free",
        "",
    ),
    of("OFL-1.1", "sil open font license version 1.1", "", "MIT"),
    of(
        "Ubuntu-font-1.0",
        "ubuntu font licence version 1.0",
        "",
        "MIT",
    ),
    of("BSL-1.0", "boost software license - version 1.0", "", "MIT"),
];

/// The kind of a text: "" if it has none or several.
pub(super) fn kind(text: &str) -> &'static str {
    let text = squeezed(text);
    let mut found: Vec<_> = KINDS
        .iter()
        .filter(|kind| text.contains(kind.words))
        .collect();
    let covered: Vec<_> = found.iter().map(|kind| kind.covers).collect();
    found.retain(|kind| !covered.contains(&kind.id));
    match found[..] {
        [one] => one.id,
        _ => "",
    }
}

/// The names before the terms, without a title, and the terms.
pub(super) fn split(text: &str) -> (String, String) {
    let kind = kind(text);
    let begins = KINDS
        .iter()
        .find(|item| item.id == kind)
        .and_then(|kind| text.find(kind.begins));
    let (head, terms) = text.split_at(begins.unwrap_or(0));
    let is_title = |text: &str| text.len() < 50 && text.to_lowercase().contains("license");
    let names = head
        .lines()
        .map(str::trim)
        .filter(|value| !value.is_empty());
    // What is longer than a few names says more than who has the rights.
    if names.clone().count() > NAMES_MAX {
        return (String::new(), text.to_owned());
    }
    let names: Vec<_> = names.filter(|name| !is_title(name)).collect();
    // The indentation of the first line stays with it.
    let indent = head
        .rsplit('\n')
        .next()
        .filter(|part| part.trim().is_empty());
    let terms = format!("{}{terms}", indent.unwrap_or_default());
    (names.join("\n"), terms)
}

/// By what two terms are the same. The appendix of Apache-2.0, on how to apply it, is no part of them.
pub(super) fn key(terms: &str) -> String {
    let squeezed = squeezed(terms);
    let has_appendix = kind(terms) == "Apache-2.0";
    let end = squeezed
        .find("end of terms and conditions")
        .filter(|_| has_appendix);
    let terms = &squeezed[..end.unwrap_or(squeezed.len())];
    terms.trim_end_matches(['.', ' ']).to_owned()
}

/// The words in small letters with single spaces.
fn squeezed(text: &str) -> String {
    let text = text
        .to_lowercase()
        .replace(['“', '”'], "\"")
        .replace("https:", "http:");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
