//! How a guest is loaded, as a client asks for it.
//! Part of the requests `load` and `swap`, and of the server's API. What is not given is the guest's own.

use std::collections::BTreeMap;

use crate::unique_keys::unique_keys;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Options for loading a guest, with names, as a client gives them. All of them are optional.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct GuestOptions {
    /// Its name; default: the name in its manifest.
    pub name: Option<String>,
    /// The name of its file, which is used if there is no other name.
    pub file: Option<String>,
    /// Where it came from, for people: a path, or a name in the store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Its lane's priority.
    pub priority: Option<f64>,
    /// Its lane's weight.
    pub weight: Option<f64>,
    /// The actuators that it may drive, out of those in its grant: names and aliases.
    pub mask: Option<Vec<String>>,
    /// Its parameters.
    #[serde(deserialize_with = "unique_keys")]
    pub params: BTreeMap<String, f64>,
    /// Keeps it loaded after it reports that it is no longer alive.
    pub keep: bool,
    /// Loads it although the body cannot move now: it starts as soon as the body runs.
    #[serde(skip_serializing_if = "is_false")]
    pub when_running: bool,
    /// Names of check rules that it may break.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<String>,
    /// Loads it without a check.
    #[serde(skip_serializing_if = "is_false")]
    pub unchecked: bool,
}

impl GuestOptions {
    /// The arguments of `dcm-run check` for a guest that is loaded so. With `=`, because names may begin with `-`.
    pub fn check_args(&self) -> Vec<String> {
        let mut args: Vec<_> = self
            .allow
            .iter()
            .map(|item| format!("--allow={item}"))
            .collect();
        args.extend(
            self.priority
                .map(|priority| format!("--priority={priority}")),
        );
        args.extend(self.weight.map(|weight| format!("--weight={weight}")));
        // A guest that may drive nothing is checked as one that may drive everything.
        let mask = self.mask.iter().filter(|mask| !mask.is_empty());
        args.extend(mask.map(|mask| format!("--mask={}", mask.join(","))));
        args.extend(
            self.params
                .iter()
                .map(|(key, value)| format!("--param={key}={value:?}")),
        );
        args.extend(self.keep.then(|| "--keep".to_owned()));
        args
    }
}

/// The sentence and the fix of a `dcm-run check --json` that made no verdict, from its error output.
pub fn why_unchecked(said: &[u8]) -> (String, Option<String>) {
    #[derive(Deserialize)]
    struct Told {
        error: String,
    }
    let output = said.trim_ascii();
    let told = serde_json::from_slice(output).map(|told: Told| told.error);
    // A command line that cannot be read is refused with help, from its second line on.
    let output = told.unwrap_or_else(|_| {
        let text = String::from_utf8_lossy(said.trim_ascii());
        let first = text.lines().next().unwrap_or_default();
        first.trim_start_matches("error: ").to_owned()
    });
    match output.split_once("; fix: ") {
        Some((sentence, fix)) => (sentence.to_owned(), Some(fix.to_owned())),
        None => (output, None),
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

#[cfg(test)]
mod tests {
    use super::why_unchecked;

    #[test]
    fn a_command_line_that_cannot_be_read_is_one_sentence() {
        let help = "error: invalid value 'x' for '--allow <RULE>'\n\nFor more information, try '--help'.\n";
        let (sentence, _) = why_unchecked(help.as_bytes());
        assert_eq!(sentence, "invalid value 'x' for '--allow <RULE>'");
    }
}
