//! Placeholders in the values of `language.toml`: `{project}`, `{out}`, the names of tools.
//! Used by `tools` and `builder`. An unknown one is an error, since a command would get it literally.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, bail};

use super::sources;

/// Placeholders and their values.
#[derive(Clone, Debug, Default)]
pub(super) struct Placeholders(pub(super) BTreeMap<String, String>);

impl Placeholders {
    /// Sets one.
    pub(super) fn set(&mut self, name: &str, value: impl AsRef<Path>) {
        let value = value.as_ref().to_string_lossy().into_owned();
        self.0.insert(name.to_owned(), value);
    }

    /// The text with the values in it. Braces around anything but a name stay as they are.
    pub(super) fn fill(&self, text: &str) -> Result<String> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('{') {
            filled.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            match rest.split_once('}').filter(|pair| is_name(pair.0)) {
                Some((name, after)) => match self.0.get(name) {
                    Some(value) => {
                        filled.push_str(value);
                        rest = after;
                    }
                    None => {
                        let known: Vec<_> = self.0.keys().map(String::as_str).collect();
                        bail!(
                            "language.toml: unknown placeholder `{{{name}}}`; there are {}",
                            known.join(", ")
                        );
                    }
                },
                None => filled.push('{'),
            }
        }
        filled.push_str(rest);
        Ok(filled)
    }

    /// The arguments of a command. `{files:PATTERN}` stands for all files with this pattern.
    pub(super) fn arguments(&self, words: &[String], folder: &Path) -> Result<Vec<String>> {
        let mut filled = Vec::new();
        for word in words {
            let inside = word.strip_prefix("{files:");
            match inside.and_then(|text| text.strip_suffix('}')) {
                Some(pattern) => {
                    let patterns = [pattern.to_owned()];
                    filled.extend(sources::files(folder, &patterns));
                }
                None => filled.push(self.fill(word)?),
            }
        }
        Ok(filled)
    }
}

fn is_name(text: &str) -> bool {
    let sound = |c: char| c.is_ascii_alphanumeric() || "-_+.".contains(c);
    !text.is_empty() && text.chars().all(sound)
}

#[cfg(test)]
mod tests {
    use super::Placeholders;

    #[test]
    fn names_in_braces_are_filled_in() {
        let mut all = Placeholders::default();
        all.set("out", "/a/b.wasm");
        let filled = |item| all.fill(item).map_err(|error| error.to_string());
        assert_eq!(filled("-o{out}").as_deref(), Ok("-o/a/b.wasm"));
        assert_eq!(filled("{ a: {out} }").as_deref(), Ok("{ a: /a/b.wasm }"));
        assert_eq!(filled("{").as_deref(), Ok("{"));
        let error = filled("{in}").expect_err("unknown");
        assert!(error.contains("`{in}`; there are out"), "{error}");
    }
}
