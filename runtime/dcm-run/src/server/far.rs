//! What is asked of a loop, asked of a robot's server instead: each ask as a request of the API.
//! Used by `reach::Line`. The law: the answer is the same as the loop's own.

use anyhow::{Result, bail};
use bytes::Bytes;
use daemon::api::guests::{Start, Started, Swap, Tune};
use daemon::api::push::Pushed;
use daemon::client::{Client, Sent};
use hyper::Method;
use serde_json::{Value, json};
use socket::{Ask, OperationWord, Told, Wish};

use super::{digest, encoded, kept_name};

/// Asks, and waits for the answer.
pub(crate) fn ask(client: &Client, ask: Ask, bytes: &[u8]) -> Result<Told> {
    let post = |path: &str, what: Value| client.ask::<Value>(Method::POST, path, Some(&what));
    let guest = |it: &str| format!("/api/v1/guests/{}", encoded(it));
    let seconds = |it: u64| it as f64 / 1e9;
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
            let path = name.map_or_else(|| "/api/v1/guests".to_owned(), |it| guest(&it));
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
            let path = format!("{}/{word}", guest(&name));
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
            Told::Tuned(client.ask(Method::PATCH, &guest(&name), Some(&tune))?)
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
                "values": { actuator: value }, "in_s": seconds(after_ns), "merge": merge.name(),
                "measures": measures, "clip": clip,
            }),
        )?),
        Ask::Pose { name, in_ns } => taken(&post(
            "/api/v1/body/pose",
            json!({ "name": name, "in_s": seconds(in_ns) }),
        )?),
        Ask::Events { since } => {
            let path = format!("/api/v1/events?since={since}");
            let told: daemon::api::robot::EventsSince = client.get(&path)?;
            Told::Events {
                next: told.next,
                happened: told.happened,
            }
        }
        Ask::Load { wish, .. } => {
            let name = name_of(&wish);
            let pushed = push(client, bytes, &name)?;
            let known = pushed.known;
            let start = Start {
                choreography: pushed.digest,
                wish,
                at: None,
                in_s: None,
            };
            let started = client.ask(Method::POST, "/api/v1/guests", Some(&start));
            match started.inspect_err(|_| take_back(client, &name, known))? {
                Started::Loaded(it) => Told::Loaded(it),
                Started::Planned(number) => bail!("it is planned as number {number}"),
            }
        }
        Ask::Swap {
            guest: name,
            in_ns,
            wish,
            ..
        } => {
            let kept = name_of(&wish);
            let pushed = push(client, bytes, &kept)?;
            let known = pushed.known;
            let swap = Swap {
                choreography: pushed.digest,
                in_s: seconds(in_ns),
                wish,
            };
            let path = format!("{}/swap", guest(&name));
            let swapped = client.ask(Method::POST, &path, Some(&swap));
            Told::Loaded(swapped.inspect_err(|_| take_back(client, &kept, known))?)
        }
        other => bail!("{other:?} can only be asked on the robot itself"),
    })
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

/// What came for this alone, and did not come in, is not what its name means from here on.
fn take_back(client: &Client, name: &str, known: bool) {
    if !known {
        let path = format!("/api/v1/names/{}/rollback", encoded(name));
        // If there was no version before it, there is none to go back to.
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
