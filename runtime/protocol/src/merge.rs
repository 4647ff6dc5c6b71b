//! Writes a merge kind in JSON by its name in the contract, and describes it in a schema.
//! Used for every request with commands, here and in the server's API.
//! The names come from `cycle`; there is no second list of them.

use cycle::Merge;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};

/// The default: new commands replace all waiting commands.
pub fn clear_all() -> Merge {
    Merge::ClearAll
}

/// Writes the name.
///
/// # Errors
/// Those of the serializer.
#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
pub fn serialize<S: Serializer>(merge: &Merge, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(merge.name())
}

/// Reads the name.
///
/// # Errors
/// It is not a string, or not the name of a merge kind.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Merge, D::Error> {
    let name = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
    Merge::of_name(&name).ok_or_else(|| D::Error::unknown_variant(&name, &Merge::NAMES))
}

/// The schema: one of the names.
pub fn schema() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(Merge::NAMES))
        .build()
}
