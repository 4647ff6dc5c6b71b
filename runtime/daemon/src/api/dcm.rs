//! The DCM's calls, in its own words, for people and programs that come from NAO: the same lists that its
//! `ALValue`s were, its clock of 32 bits, its kinds of update.
//! The law: a request is taken whole or refused whole; a time is the one within 2^31 ms of now.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use cycle::{Instant, Merge, dcm};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use socket::{Ask, Told, Trouble};
use utoipa::{IntoParams, ToSchema};

use super::body::{Taken, moved, strange};
use super::fault::{ErrorBody, Fault};
use crate::app::App;
use crate::names::PREFIX;

/// A value at a time.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "Vec<f64>")]
pub struct Timed {
    value: f64,
    /// ms.
    time: f64,
}

/// An importance level may follow, which means nothing, as on the NAO.
impl TryFrom<Vec<f64>> for Timed {
    type Error = &'static str;

    fn try_from(said: Vec<f64>) -> Result<Timed, &'static str> {
        match *said.as_slice() {
            [value, time] | [value, time, _] => Ok(Timed { value, time }),
            _ => Err("a command is `[value, time in ms]`, and may have an importance after them"),
        }
    }
}

/// The update kinds.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[allow(missing_docs, reason = "they are the DCM's own words")]
pub enum Update {
    Merge,
    ClearAll,
    ClearAfter,
    ClearBefore,
}

/// How `setAlias` can be said.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Vec<Value>")]
pub enum SetAlias {
    /// Alias, kind, `time-mixed`, and for each actuator a list of values and times.
    Mixed(String, Update, Vec<Vec<Timed>>),
    /// Alias, kind, `time-separate`, an importance, the times, and for each actuator as many values.
    Separate(String, Update, Vec<f64>, Vec<Vec<f64>>),
    /// Alias, time, and a value for each actuator: in place of all that waits.
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
            let wrong = |error| format!("item {} is {what}: {error}", place + 1);
            T::deserialize(it).map_err(wrong)
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

/// How far from now.
#[derive(Debug, Deserialize, IntoParams)]
pub struct Offset {
    /// ms, which are added.
    #[serde(default)]
    pub offset: i64,
}

/// The DCM's clock.
#[derive(Debug, Serialize, ToSchema)]
pub struct Time {
    /// ms since the loop began, in 32 bits with a sign: it wraps after 49.7 days.
    pub time: i32,
}

/// The base names of keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct Prefix {
    /// Of subdevices, and of devices.
    pub prefix: [&'static str; 2],
}

/// `set`: a list of timed commands for an actuator, or the same for every member of an alias:
/// `["HeadYaw/Position/Actuator/Value", "Merge", [[0.5, 12000], [0, 13000]]]`.
#[utoipa::path(post, path = "/api/v1/dcm/set", security(("token" = ["perform"])), tags = ["dcm", "moves"],
    request_body = Vec<Value>,
    responses((status = 200, body = Taken), (status = "default", body = ErrorBody)))]
pub async fn set(
    State(app): State<Arc<App>>,
    Json((name, update, commands)): Json<(String, Update, Vec<Timed>)>,
) -> Result<Json<Taken>, Fault> {
    let now = app.streams.now()?;
    let ask = Ask::Schedule {
        to: vec![name],
        same: true,
        lists: vec![commands.iter().map(|it| it.at(now)).collect()],
        merge: update.into(),
    };
    moved(&app, ask).await
}

/// `setAlias`: commands for the members of an alias, `time-mixed`, `time-separate`, or one value for each:
/// `["Head", "ClearAll", "time-separate", 0, [12000, 13000], [[0.5, 0], [0.1, 0]]]`.
#[utoipa::path(post, path = "/api/v1/dcm/setAlias", security(("token" = ["perform"])), tags = ["dcm", "moves"],
    request_body = Vec<Value>,
    responses((status = 200, body = Taken), (status = "default", body = ErrorBody)))]
pub async fn set_alias(
    State(app): State<Arc<App>>,
    Json(said): Json<SetAlias>,
) -> Result<Json<Taken>, Fault> {
    let now = app.streams.now()?;
    let (name, update, lists) = match said {
        SetAlias::Mixed(name, update, lists) => {
            let list = |it: &Vec<Timed>| it.iter().map(|it| it.at(now)).collect();
            (name, update, lists.iter().map(list).collect())
        }
        SetAlias::Separate(name, update, times, rows) => {
            if rows.iter().any(|it| it.len() != times.len()) {
                let trouble = Trouble::new(
                    "shape",
                    "an actuator has not as many values as there are times",
                );
                return Err(trouble
                    .fix("give every actuator a value for every time")
                    .into());
            }
            let list = |row: Vec<f64>| times.iter().map(|it| at(*it, now)).zip(row).collect();
            (name, update, rows.into_iter().map(list).collect())
        }
        SetAlias::Vector(name, time, values) => {
            let list = |value| vec![(at(time, now), value)];
            (
                name,
                Update::ClearAll,
                values.into_iter().map(list).collect(),
            )
        }
    };
    let ask = Ask::Schedule {
        to: vec![name],
        same: false,
        lists,
        merge: update.into(),
    };
    moved(&app, ask).await
}

/// `createAlias`: a name for several actuators, made or changed. It comes back with an empty text for each that
/// is not known: `["MyHead", ["HeadYaw/Position/Actuator/Value", "HeadPitch/Position/Actuator/Value"]]`.
#[utoipa::path(post, path = "/api/v1/dcm/createAlias", security(("token" = ["perform"])), tag = "dcm",
    request_body = Vec<Value>,
    responses((status = 200, body = Vec<Value>), (status = "default", body = ErrorBody)))]
pub async fn create_alias(
    State(app): State<Arc<App>>,
    Json((name, members)): Json<(String, Vec<String>)>,
) -> Result<Json<Value>, Fault> {
    let ask = Ask::Alias {
        name: name.clone(),
        members,
    };
    match app.line.ask(ask).await? {
        Told::Aliased(members) => Ok(Json(json!([name, members]))),
        other => Err(strange(&other)),
    }
}

/// `getTime`: the DCM's clock, and so many ms more.
#[utoipa::path(get, path = "/api/v1/dcm/getTime", security(("token" = ["watch"])), tag = "dcm", params(Offset),
    responses((status = 200, body = Time), (status = "default", body = ErrorBody)))]
pub async fn get_time(
    State(app): State<Arc<App>>,
    Query(Offset { offset }): Query<Offset>,
) -> Result<Json<Time>, Fault> {
    let stamp = i64::from(dcm::stamp(app.streams.now()?));
    let time = stamp.wrapping_add(offset) as i32;
    Ok(Json(Time { time }))
}

/// `getPrefix`: the base names of keys.
#[utoipa::path(get, path = "/api/v1/dcm/getPrefix", security(("token" = ["watch"])), tag = "dcm",
    responses((status = 200, body = Prefix), (status = "default", body = ErrorBody)))]
pub async fn get_prefix() -> Json<Prefix> {
    Json(Prefix { prefix: PREFIX })
}

impl Timed {
    fn at(&self, now: Instant) -> (u64, f64) {
        (at(self.time, now), self.value)
    }
}

/// The instant at which the DCM's clock shows `time`, ns.
fn at(time: f64, now: Instant) -> u64 {
    // Whole milliseconds, with or without a sign: only 32 bits of them count.
    let stamp = (time.floor() as i64) as u32;
    dcm::instant(stamp, now).nanos()
}

impl From<Update> for Merge {
    fn from(update: Update) -> Merge {
        match update {
            Update::Merge => Merge::Merge,
            Update::ClearAll => Merge::ClearAll,
            Update::ClearAfter => Merge::ClearAfter,
            Update::ClearBefore => Merge::ClearBefore,
        }
    }
}

#[cfg(test)]
mod tests {
    use cycle::Instant;

    use super::{SetAlias, at};

    #[test]
    fn a_time_is_the_one_that_is_near() {
        let day = Instant::from_millis((1 << 32) + 1000);
        assert_eq!(at(2000.0, day), ((1 << 32) + 2000) * 1_000_000);
        assert_eq!(at(-1.0, day), ((1 << 32) - 1) * 1_000_000);
        assert_eq!(at(4_294_967_295.0, day), ((1 << 32) - 1) * 1_000_000);
    }

    #[test]
    fn all_forms_of_set_alias_are_told_apart() {
        let read = |text: &str| serde_json::from_str::<SetAlias>(text);
        let mixed = r#"["A", "Merge", "time-mixed", [[[0.5, 10], [1, 20, 0]], []]]"#;
        assert!(matches!(read(mixed), Ok(SetAlias::Mixed(..))));
        let separate = r#"["A", "ClearAll", "time-separate", 0, [10, 20], [[0, 1], [1, 0]]]"#;
        assert!(matches!(read(separate), Ok(SetAlias::Separate(..))));
        assert!(matches!(
            read(r#"["A", 10, [1, 2]]"#),
            Ok(SetAlias::Vector(..))
        ));
        assert!(read(r#"["A", "Never", "time-mixed", []]"#).is_err());
    }
}
