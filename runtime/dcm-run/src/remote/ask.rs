//! Sends a loop's requests to a robot's server: each as a request of its API.
//! Called by `connect::Connection`. The law: the answer is the same as the loop's own.

use anyhow::{Result, bail};
use bytes::Bytes;
use cycle::State;
use daemon::api::guests::{Start, Started, Swap, Tune};
use daemon::api::push::Pushed;
use daemon::client::{Client, Sent};
use hyper::Method;
use serde_json::{Value, json};
use socket::{Ask, OperationWord, Told, Wish};

use super::{digest, encoded, kept_name};

/// Sends a request and waits for the answer.
pub(crate) fn ask(client: &Client, ask: Ask, bytes: &[u8]) -> Result<Told> {
    let post = |path: &str, what: Value| client.ask::<Value>(Method::POST, path, Some(&what));
    Ok(match ask {
        Ask::Operate(word) => {
            let path = format!("/api/v1/body/{}", word_of(word));
            let now: Value = client.ask(Method::POST, &path, None::<&()>)?;
            Told::State(now["state"].as_str().unwrap_or_default().to_owned())
        }
        Ask::Quit => {
            client.ask::<Value>(Method::POST, "/api/v1/body/quit", None::<&()>)?;
            Told::Done
        }
        Ask::Guests => Told::Guests(client.get("/api/v1/guests")?),
        Ask::End { guest: name, soft } => {
            let path = name.map_or_else(|| "/api/v1/guests".to_owned(), |it| guest_path(&it));
            let path = format!("{path}?soft={soft}");
            client.ask::<Value>(Method::DELETE, &path, None::<&()>)?;
            Told::Done
        }
        Ask::Figure => Told::Figure(client.get("/api/v1/figure")?),
        Ask::Pause {
            guest: name,
            paused,
        } => {
            let word = if paused { "pause" } else { "resume" };
            let path = format!("{}/{word}", guest_path(&name));
            client.ask::<Value>(Method::POST, &path, None::<&()>)?;
            Told::Done
        }
        Ask::Tune {
            guest: name,
            params,
            priority,
            weight,
        } => {
            let tune = Tune {
                params,
                priority,
                weight,
            };
            Told::Tuned(client.ask(Method::PATCH, &guest_path(&name), Some(&tune))?)
        }
        Ask::Set {
            actuator,
            value,
            after_ns,
            measures,
            clip,
            merge,
        } => taken(&post(
            "/api/v1/body/set",
            json!({
                "values": { actuator: value }, "in_s": seconds(after_ns), "merge": merge,
                "measures": measures, "clip": clip,
            }),
        )?),
        Ask::Pose { name, in_ns } => taken(&post(
            "/api/v1/body/pose",
            json!({ "name": name, "in_s": seconds(in_ns) }),
        )?),
        Ask::Chronicle { since } => events(client, since)?,
        Ask::Load { wish, .. } => load(client, wish, bytes)?,
        Ask::Swap {
            guest, in_ns, wish, ..
        } => swap(client, &guest, in_ns, wish, bytes)?,
        other => bail!("{other:?} can only be requested on the robot itself"),
    })
}

/// The events since this number.
fn events(client: &Client, since: u64) -> Result<Told> {
    let told: daemon::api::robot::Chronicle =
        client.get(&format!("/api/v1/events?since={since}"))?;
    Ok(Told::Chronicle {
        next: told.next,
        happened: told.happened,
    })
}

/// Uploads a choreography and starts it.
fn load(client: &Client, wish: Wish, bytes: &[u8]) -> Result<Told> {
    let name = name_of(&wish);
    let pushed = push(client, bytes, &name)?;
    let start = Start {
        choreography: pushed.digest,
        wish,
        at: None,
        in_s: None,
    };
    let started = client.ask(Method::POST, "/api/v1/guests", Some(&start));
    match started.inspect_err(|_| take_back(client, &name, pushed.known))? {
        Started::Loaded(it) => Ok(Told::Loaded(it)),
        Started::Planned(number) => bail!("unexpected answer: it is planned as number {number}"),
    }
}

/// Uploads a choreography and replaces a guest by it.
fn swap(client: &Client, guest: &str, in_ns: u64, wish: Wish, bytes: &[u8]) -> Result<Told> {
    let name = name_of(&wish);
    let pushed = push(client, bytes, &name)?;
    let swap = Swap {
        choreography: pushed.digest,
        in_s: seconds(in_ns),
        wish,
    };
    let path = format!("{}/swap", guest_path(guest));
    let swapped = client.ask(Method::POST, &path, Some(&swap));
    let swapped = swapped.inspect_err(|_| take_back(client, &name, pushed.known))?;
    Ok(Told::Loaded(swapped))
}

fn guest_path(guest: &str) -> String {
    format!("/api/v1/guests/{}", encoded(guest))
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

/// The state of the body, if the server tells it.
pub(crate) fn state(client: &Client) -> Option<State> {
    let told: Value = client.get("/api/v1/state").ok()?;
    let name = told["state"].as_str()?;
    State::ALL.into_iter().find(|it| it.name() == name)
}

fn push(client: &Client, bytes: &[u8], name: &str) -> Result<Pushed> {
    let path = format!(
        "/api/v1/choreographies/{}?name={}",
        digest(bytes),
        encoded(name)
    );
    let sent = Sent {
        headers: Vec::new(),
        bytes: Bytes::copy_from_slice(bytes),
        kind: "application/wasm",
    };
    let answer = client.send(Method::PUT, &path, sent, |_| {})?;
    Ok(serde_json::from_slice(&answer)?)
}

/// Rolls the name back after a choreography was uploaded for this request and then refused.
fn take_back(client: &Client, name: &str, known: bool) {
    if !known {
        let path = format!("/api/v1/names/{}/rollback", encoded(name));
        // Fails if there is no previous version: then the name stays.
        let _: Result<Value, _> = client.ask(Method::POST, &path, None::<&()>);
    }
}

fn name_of(wish: &Wish) -> String {
    kept_name(
        wish.file
            .as_deref()
            .or(wish.name.as_deref())
            .unwrap_or("choreography"),
    )
}

fn taken(value: &Value) -> Told {
    let number = |key: &str| u32::try_from(value[key].as_u64().unwrap_or(0)).unwrap_or(u32::MAX);
    Told::Taken {
        commands: number("commands"),
        late: number("late"),
        clipped: number("clipped"),
        shared: number("shared"),
        limp: number("limp"),
        coupled: number("coupled"),
        needs_ns: (value["needs_s"].as_f64().unwrap_or(0.0) * 1e9) as u64,
    }
}

fn word_of(word: OperationWord) -> &'static str {
    match word {
        OperationWord::Arm => "arm",
        OperationWord::Disarm => "disarm",
        OperationWord::Hold => "hold",
        OperationWord::Resume => "resume",
        OperationWord::Retreat => "retreat",
        OperationWord::Clear => "clear",
        OperationWord::Press => "stop",
        OperationWord::Release => "release",
    }
}
