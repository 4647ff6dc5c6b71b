//! Names of the contract in the habits of languages, and comments.

/// `set-all` as `set_all`.
pub(crate) fn snake(name: &str) -> String {
    name.replace('-', "_")
}

/// `set-all` as `SET_ALL`.
pub(crate) fn upper(name: &str) -> String {
    snake(name).to_uppercase()
}

/// `set-all` as `SetAll`.
pub(crate) fn camel(name: &str) -> String {
    let words = name.split('-').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    words.collect()
}

/// `set-all` as `setAll`.
pub(crate) fn lower_camel(name: &str) -> String {
    let name = camel(name);
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// Lines of a comment, each after `mark`.
pub(crate) fn comment(mark: &str, docs: &[String]) -> String {
    docs.iter()
        .map(|line| format!("{}\n", format!("{mark} {line}").trim_end()))
        .collect()
}
