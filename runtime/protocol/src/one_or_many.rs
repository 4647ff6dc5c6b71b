//! Fields of a request that are a list, or a single value in its place.
//! Used by `ask`. An error says what is wrong with the value itself.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, IntoDeserializer, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Reads a list, or a single value as a list of one.
pub(crate) fn one_or_many<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Vec<T>, D::Error> {
    from.deserialize_any(OneOrMany(PhantomData))
}

struct OneOrMany<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrMany<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or a list of values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Vec<T>, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<T>, E> {
        Ok(vec![T::deserialize(text.into_deserializer())?])
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Vec<T>, E> {
        Ok(vec![T::deserialize(value.into_deserializer())?])
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<Vec<T>, E> {
        Ok(vec![T::deserialize(n.into_deserializer())?])
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<Vec<T>, E> {
        Ok(vec![T::deserialize(n.into_deserializer())?])
    }
}
