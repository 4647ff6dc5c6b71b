//! The codes of errors: each that a source gives stands in the one table, and each in the table is given by a source.

use std::collections::{BTreeMap, BTreeSet};

use api::error::ErrorCode;

use crate::ROOT;
use crate::tidy::{read, sources};

/// The text of a source without its tests.
fn code_of(path: &std::path::Path) -> String {
    let text = read(path);
    text.split("#[cfg(test)]").next().unwrap_or("").to_owned()
}

/// The word in quotes with which this text begins, behind blanks.
fn quoted(text: &str) -> Option<&str> {
    let inside = text.trim_start().strip_prefix('"')?;
    inside.split('"').next()
}

/// Every code that a source writes as a word, and where.
fn written() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for path in sources("runtime", ".rs") {
        let inside = path.strip_prefix(ROOT).expect("below the root");
        let shown = inside.display().to_string();
        if !shown.contains("/src/") || shown.contains("/tests") {
            continue;
        }
        let text = code_of(&path);
        for (place, _) in text.match_indices("RequestError::new(") {
            let argument = &text[place + "RequestError::new(".len()..];
            match quoted(argument) {
                Some(word) => drop(found.insert(word.to_owned(), shown.clone())),
                // A variable: of the table, or of the match below.
                None => assert!(
                    argument.starts_with("self.word()")
                        || argument.starts_with("flaw.code()")
                        || argument.starts_with("code,"),
                    "{shown}: a code that is no word: {}",
                    argument.lines().next().unwrap_or_default()
                ),
            }
        }
        let arms = text.lines().filter_map(|it| it.split_once(" => "));
        let arms = arms.filter(|it| {
            let of = it.0.trim_start();
            of.starts_with("GuestError::") || of.starts_with("SignatureError::")
        });
        for (_, word) in arms {
            // What the same enum has as its sentences is no word.
            let word = quoted(word).filter(|it| !it.contains([' ', '{']));
            found.extend(word.map(|it| (it.to_owned(), shown.clone())));
        }
    }
    found
}

#[test]
fn the_table_has_every_code_that_an_answer_can_have_and_no_other() {
    let written = written();
    assert!(
        written.len() > 30,
        "only {} codes were found",
        written.len()
    );
    for (word, place) in &written {
        assert!(
            ErrorCode::of(word).is_some(),
            "{place}: `{word}` is not in the table of `api/src/error.rs`"
        );
    }
    let all = sources("runtime", ".rs").into_iter();
    let all = all.filter(|it| !it.ends_with("api/src/error.rs"));
    let all: String = all.map(|it| code_of(&it)).collect();
    let unused: BTreeSet<_> = ErrorCode::ALL
        .iter()
        .filter(|it| !written.contains_key(it.word()))
        .filter(|it| {
            let end = |rest: &str| !rest.starts_with(|it: char| it.is_alphanumeric());
            let name = format!("ErrorCode::{it:?}");
            let mut found = all.match_indices(&name);
            !found.any(|(place, _)| end(&all[place + name.len()..]))
        })
        .map(|it| it.word())
        .collect();
    assert_eq!(unused, BTreeSet::new(), "no source gives these codes");
}

#[test]
fn one_idea_has_one_code() {
    let written = written();
    for (other, word) in [("no-guest", "not-found"), ("no-guests", "not-here")] {
        assert!(!written.contains_key(other), "`{other}` is `{word}`");
    }
}
