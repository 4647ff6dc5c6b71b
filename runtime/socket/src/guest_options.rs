//! How a guest is loaded, as a client asks for it.
//! Part of the requests `load` and `swap`, and of the server's API. The law: what is not given is the guest's own.

use std::collections::BTreeMap;

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
    pub params: BTreeMap<String, f64>,
    /// Keeps it loaded after it reports that it is no longer alive.
    pub keep: bool,
    /// Names of check rules that it may break.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<String>,
    /// Loads it without a check.
    #[serde(skip_serializing_if = "is_false")]
    pub unchecked: bool,
}

fn is_false(it: &bool) -> bool {
    !it
}
