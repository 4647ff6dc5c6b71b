//! Maps of a request, in which no key may appear twice: two values for one parameter contradict each other.
//! Used by `ask` and `guest_options`.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserializer;
use serde::de::{Error, MapAccess, Visitor};

/// Reads a map of numbers, and refuses a key that appears twice.
pub(crate) fn unique_keys<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<BTreeMap<String, f64>, D::Error> {
    from.deserialize_map(UniqueKeys)
}

struct UniqueKeys;

impl<'de> Visitor<'de> for UniqueKeys {
    type Value = BTreeMap<String, f64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some(key) = entries.next_key::<String>()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format_args!("duplicate field `{key}`")));
            }
            map.insert(key, entries.next_value()?);
        }
        Ok(map)
    }
}
