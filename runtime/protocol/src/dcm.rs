//! The DCM's calls, as the nested lists of NAOqi's `ALValue`.
//! Sent by the client for Python, answered by the server's routes of the same name. A list that is not one of
//! the DCM's forms is refused whole.

use std::fmt;

use cycle::Merge;
use serde::de::{Error, IgnoredAny, IntoDeserializer, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A value at a time.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "Vec<f64>")]
pub struct TimedValue {
    /// The value.
    pub value: f64,
    /// When, ms of the DCM's clock.
    pub time: f64,
}

/// An importance level may follow. It has no effect, as on the NAO.
impl TryFrom<Vec<f64>> for TimedValue {
    type Error = &'static str;

    fn try_from(said: Vec<f64>) -> Result<TimedValue, &'static str> {
        match *said.as_slice() {
            [value, time] | [value, time, _] => Ok(TimedValue { value, time }),
            _ => Err("a command is `[value, time in ms]`, and may have an importance after them"),
        }
    }
}

/// The update kinds.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[allow(missing_docs, reason = "they are the DCM's own words")]
pub enum UpdateKind {
    Merge,
    ClearAll,
    ClearAfter,
    ClearBefore,
}

impl From<UpdateKind> for Merge {
    fn from(update: UpdateKind) -> Merge {
        match update {
            UpdateKind::Merge => Merge::Merge,
            UpdateKind::ClearAll => Merge::ClearAll,
            UpdateKind::ClearAfter => Merge::ClearAfter,
            UpdateKind::ClearBefore => Merge::ClearBefore,
        }
    }
}

/// The forms of `setAlias`.
///
/// It is read item by item: a tree of all its values would take many times its size.
#[derive(Debug)]
pub enum SetAlias {
    /// Alias, kind, `time-mixed`, and for each actuator a list of values and times.
    Mixed(String, UpdateKind, Vec<Vec<TimedValue>>),
    /// Alias, kind, `time-separate`, an importance, the times, and for each actuator as many values.
    Separate(String, UpdateKind, Vec<f64>, Vec<Vec<f64>>),
    /// Alias, time, and a value for each actuator; replaces all scheduled commands.
    Vector(String, f64, Vec<f64>),
}

impl<'de> Deserialize<'de> for SetAlias {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SetAlias, D::Error> {
        deserializer.deserialize_seq(SetAliasVisitor)
    }
}

struct SetAliasVisitor;

impl<'de> Visitor<'de> for SetAliasVisitor {
    type Value = SetAlias;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list: the alias, and what is set")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut said: A) -> Result<SetAlias, A::Error> {
        let alias = item(&mut said, 1, "the alias")?;
        let kind = "the kind of update, or a time in ms";
        let told = match item(&mut said, 2, kind)? {
            KindOrTime::Time(time) => {
                let values = item(&mut said, 3, "a value for each actuator")?;
                no_more(&mut said, 3)?;
                return Ok(SetAlias::Vector(alias, time, values));
            }
            KindOrTime::Kind(update) => update,
        };
        match item::<String, A>(&mut said, 3, "`time-mixed` or `time-separate`")?.as_str() {
            "time-mixed" => {
                let what = "a list of `[value, time]` for each actuator";
                let lists = item(&mut said, 4, what)?;
                no_more(&mut said, 4)?;
                Ok(SetAlias::Mixed(alias, told, lists))
            }
            "time-separate" => {
                let _: f64 = item(&mut said, 4, "an importance")?;
                let times = item(&mut said, 5, "the times in ms")?;
                let rows = item(&mut said, 6, "a list of values for each actuator")?;
                no_more(&mut said, 6)?;
                Ok(SetAlias::Separate(alias, told, times, rows))
            }
            other => {
                let other: String = other.chars().take(40).collect();
                Err(A::Error::custom(format!(
                    "item 3 is `{other}`: expected `time-mixed` or `time-separate`"
                )))
            }
        }
    }
}

/// The second item.
enum KindOrTime {
    Kind(UpdateKind),
    Time(f64),
}

impl<'de> Deserialize<'de> for KindOrTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<KindOrTime, D::Error> {
        struct KindOrTimeVisitor;
        impl Visitor<'_> for KindOrTimeVisitor {
            type Value = KindOrTime;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the kind of update, or a time in ms")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<KindOrTime, E> {
                UpdateKind::deserialize(text.into_deserializer()).map(KindOrTime::Kind)
            }

            fn visit_f64<E: Error>(self, time: f64) -> Result<KindOrTime, E> {
                Ok(KindOrTime::Time(time))
            }

            fn visit_u64<E: Error>(self, time: u64) -> Result<KindOrTime, E> {
                Ok(KindOrTime::Time(time as f64))
            }

            fn visit_i64<E: Error>(self, time: i64) -> Result<KindOrTime, E> {
                Ok(KindOrTime::Time(time as f64))
            }
        }
        deserializer.deserialize_any(KindOrTimeVisitor)
    }
}

/// The next item, counted from 1.
fn item<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(
    said: &mut A,
    place: usize,
    what: &str,
) -> Result<T, A::Error> {
    let missing = || A::Error::custom(format!("item {place} is missing: {what}"));
    said.next_element()?.ok_or_else(missing)
}

/// Refuses items behind the last one.
fn no_more<'de, A: SeqAccess<'de>>(said: &mut A, items: usize) -> Result<(), A::Error> {
    match said.next_element::<IgnoredAny>()? {
        Some(_) => Err(A::Error::custom(format!(
            "it has more than {items} items: {items} are all"
        ))),
        None => Ok(()),
    }
}

/// An offset to the clock.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct TimeQuery {
    /// Milliseconds to add (default: 0).
    #[serde(default)]
    pub offset: i64,
}

/// The DCM's clock.
#[derive(Debug, Serialize, ToSchema)]
pub struct DcmTime {
    /// ms since the loop began, in 32 bits with a sign: it wraps after 49.7 days.
    pub time: i32,
}

/// The prefixes of keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeyPrefixes {
    /// Of subdevices, and of devices.
    pub prefix: [&'static str; 2],
}
/// The lane of a request to move.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct LaneQuery {
    /// A lane of the client's own (default: the one that all clients share).
    #[serde(default)]
    pub lane: Option<String>,
}
