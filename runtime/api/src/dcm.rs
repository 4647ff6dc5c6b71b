//! The DCM's calls, as the nested lists of NAOqi's `ALValue`.
//! Sent by the client for Python, answered by the server's routes of the same name. The law: a list that is not one of
//! the DCM's forms is refused whole.

use cycle::Merge;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
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
#[derive(Debug, Deserialize)]
#[serde(try_from = "Vec<Value>")]
pub enum SetAlias {
    /// Alias, kind, `time-mixed`, and for each actuator a list of values and times.
    Mixed(String, UpdateKind, Vec<Vec<TimedValue>>),
    /// Alias, kind, `time-separate`, an importance, the times, and for each actuator as many values.
    Separate(String, UpdateKind, Vec<f64>, Vec<Vec<f64>>),
    /// Alias, time, and a value for each actuator; replaces all scheduled commands.
    Vector(String, f64, Vec<f64>),
}

impl TryFrom<Vec<Value>> for SetAlias {
    type Error = String;

    fn try_from(said: Vec<Value>) -> Result<SetAlias, String> {
        fn item<T: DeserializeOwned>(
            said: &[Value],
            place: usize,
            what: &str,
        ) -> Result<T, String> {
            let it = said.get(place).unwrap_or(&Value::Null);
            T::deserialize(it).map_err(|_| format!("item {} must be {what}", place + 1))
        }
        let most = |items: usize| match said.len() {
            many if many > items => Err(format!("it has {many} items: {items} are all")),
            _ => Ok(()),
        };
        let alias = item(&said, 0, "the alias")?;
        if said.get(1).is_some_and(Value::is_number) {
            most(3)?;
            let time = item(&said, 1, "the time in ms")?;
            let values = item(&said, 2, "a value for each actuator")?;
            return Ok(SetAlias::Vector(alias, time, values));
        }
        let update = item(&said, 1, "the kind of update, or a time in ms")?;
        match item::<String>(&said, 2, "`time-mixed` or `time-separate`")?.as_str() {
            "time-mixed" => {
                most(4)?;
                let lists = item(&said, 3, "a list of `[value, time]` for each actuator")?;
                Ok(SetAlias::Mixed(alias, update, lists))
            }
            "time-separate" => {
                most(6)?;
                let _: f64 = item(&said, 3, "an importance")?;
                let times = item(&said, 4, "the times in ms")?;
                let rows = item(&said, 5, "a list of values for each actuator")?;
                Ok(SetAlias::Separate(alias, update, times, rows))
            }
            other => Err(format!(
                "item 3 is `{other}`: expected `time-mixed` or `time-separate`"
            )),
        }
    }
}

/// An offset to the clock.
#[derive(Debug, Deserialize, IntoParams)]
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
