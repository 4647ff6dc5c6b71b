//! Sends a loop's requests to a robot's server: each as a request of its API.
//! Called by `connect::RobotConnection`. The law: the answer is the same as the loop's own.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use api::body::{BodyStatus, CommandOutcome, PoseRequest, SetRequest};
use api::choreographies::{PushResult, VersionDigest};
use api::client::{ApiClient, RequestBody};
use api::guests::{Confirmation, StartRequest, Started, SwapRequest, TuneRequest};
use api::hex::digest;
use api::robot::EventsSince;
use bytes::Bytes;
use hyper::Method;
use socket::{Ask, OperationWord, ReplyBody, Wish};

use super::{encoded, kept_name};

/// Sends a request and waits for the answer.
pub(crate) fn ask(client: &ApiClient, ask: Ask, bytes: &[u8]) -> Result<ReplyBody> {
    Ok(match ask {
        Ask::Operate(word) => {
            let path = format!("/api/v1/body/{}", word_of(word));
            let now: BodyStatus = client.ask(Method::POST, &path, None::<&()>)?;
            ReplyBody::State(now.state)
        }
        Ask::Quit => quit(client)?,
        Ask::Guests => ReplyBody::Guests(client.get("/api/v1/guests")?),
        Ask::End { guest: name, soft } => {
            let path = name.map_or_else(|| "/api/v1/guests".to_owned(), |it| guest_path(&it));
            let path = format!("{path}?soft={soft}");
            client.ask::<Confirmation>(Method::DELETE, &path, None::<&()>)?;
            ReplyBody::Done
        }
        Ask::Figure => ReplyBody::Figure(client.get("/api/v1/figure")?),
        Ask::Pause {
            guest: name,
            paused,
        } => {
            let word = if paused { "pause" } else { "resume" };
            let path = format!("{}/{word}", guest_path(&name));
            client.ask::<Confirmation>(Method::POST, &path, None::<&()>)?;
            ReplyBody::Done
        }
        Ask::Tune {
            guest: name,
            params,
            priority,
            weight,
        } => {
            let tune = TuneRequest {
                params,
                priority,
                weight,
            };
            ReplyBody::Tuned(client.ask(Method::PATCH, &guest_path(&name), Some(&tune))?)
        }
        Ask::Set {
            actuator,
            value,
            after_ns,
            measures,
            clip,
            merge,
        } => {
            let set = SetRequest {
                values: BTreeMap::from([(actuator, value)]),
                in_s: seconds(after_ns),
                merge,
                measures,
                clip,
            };
            taken(client.ask(Method::POST, "/api/v1/body/set", Some(&set))?)
        }
        Ask::Pose { name, in_ns } => {
            let pose = PoseRequest {
                name,
                in_s: seconds(in_ns),
            };
            taken(client.ask(Method::POST, "/api/v1/body/pose", Some(&pose))?)
        }
        Ask::Events { since } => events(client, since)?,
        Ask::Load { wish, .. } => load(client, wish, bytes)?,
        Ask::Swap {
            guest, in_ns, wish, ..
        } => swap(client, &guest, in_ns, wish, bytes)?,
        other => bail!("{other:?} can only be requested on the robot itself"),
    })
}

/// Ends the loop.
fn quit(client: &ApiClient) -> Result<ReplyBody> {
    client.ask::<BodyStatus>(Method::POST, "/api/v1/body/quit", None::<&()>)?;
    Ok(ReplyBody::Done)
}

/// The events since this number.
fn events(client: &ApiClient, since: u64) -> Result<ReplyBody> {
    let told: EventsSince = client.get(&format!("/api/v1/events?since={since}"))?;
    Ok(ReplyBody::Events {
        next: told.next,
        happened: told.happened,
    })
}

/// Uploads a choreography and starts it.
fn load(client: &ApiClient, wish: Wish, bytes: &[u8]) -> Result<ReplyBody> {
    let name = name_of(&wish);
    let pushed = push(client, bytes, &name)?;
    let start = StartRequest {
        choreography: pushed.digest,
        wish,
        at: None,
        in_s: None,
    };
    let started = client.ask(Method::POST, "/api/v1/guests", Some(&start));
    match started.inspect_err(|_| take_back(client, &name, pushed.known))? {
        Started::Loaded(it) => Ok(ReplyBody::Loaded(it)),
        Started::Planned(number) => bail!("unexpected answer: it is planned as number {number}"),
    }
}

/// Uploads a choreography and replaces a guest by it.
fn swap(
    client: &ApiClient,
    guest: &str,
    in_ns: u64,
    wish: Wish,
    bytes: &[u8],
) -> Result<ReplyBody> {
    let name = name_of(&wish);
    let pushed = push(client, bytes, &name)?;
    let swap = SwapRequest {
        choreography: pushed.digest,
        in_s: seconds(in_ns),
        wish,
    };
    let path = format!("{}/swap", guest_path(guest));
    let swapped = client.ask(Method::POST, &path, Some(&swap));
    let swapped = swapped.inspect_err(|_| take_back(client, &name, pushed.known))?;
    Ok(ReplyBody::Loaded(swapped))
}

fn guest_path(guest: &str) -> String {
    format!("/api/v1/guests/{}", encoded(guest))
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

fn push(client: &ApiClient, bytes: &[u8], name: &str) -> Result<PushResult> {
    let path = format!(
        "/api/v1/choreographies/{}?name={}",
        digest(bytes),
        encoded(name)
    );
    let sent = RequestBody {
        headers: Vec::new(),
        bytes: Bytes::copy_from_slice(bytes),
        kind: "application/wasm",
    };
    let answer = client.send(Method::PUT, &path, sent, |_| {})?;
    Ok(serde_json::from_slice(&answer)?)
}

/// Rolls the name back after a choreography was uploaded for this request and then refused.
fn take_back(client: &ApiClient, name: &str, known: bool) {
    if !known {
        let path = format!("/api/v1/names/{}/rollback", encoded(name));
        // Fails if there is no previous version: then the name stays.
        let _: Result<VersionDigest, _> = client.ask(Method::POST, &path, None::<&()>);
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

fn taken(outcome: CommandOutcome) -> ReplyBody {
    ReplyBody::Taken {
        commands: outcome.commands,
        late: outcome.late,
        clipped: outcome.clipped,
        shared: outcome.shared,
        limp: outcome.limp,
        coupled: outcome.coupled,
        needs_ns: (outcome.needs_s * 1e9) as u64,
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
