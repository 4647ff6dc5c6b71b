//! Sends a loop's requests to a robot's server: each as a request of its API.
//! Called by `connect::RobotConnection`. The law: the answer is the same as the loop's own.

use anyhow::{Result, bail};
use api::body::BodyStatus;
use api::choreographies::{PushResult, VersionDigest};
use api::client::{ApiClient, RequestBody};
use api::guests::{Confirmation, StartRequest, Started, SwapRequest, TuneRequest};
use api::hex::digest;
use api::preferences::{CalibrateRequest, PreferenceRequest};
use api::robot::EventsSince;
use bytes::Bytes;
use hyper::Method;
use socket::{Ask, GuestOptions, Operation, ReplyBody};

use super::{encoded, kept_name, moves};

/// Sends a request and waits for the answer.
pub(crate) fn ask(client: &ApiClient, ask: Ask, bytes: &[u8]) -> Result<ReplyBody> {
    Ok(match ask {
        Ask::Operate(word) => operate(client, word)?,
        Ask::Quit => quit(client)?,
        Ask::Guests => ReplyBody::Guests(client.get("/api/v1/guests")?),
        Ask::End { guest, soft } => end(client, guest.as_deref(), soft)?,
        Ask::Figure => ReplyBody::Figure(client.get("/api/v1/figure")?),
        Ask::Pause { guest, paused } => pause(client, &guest, paused)?,
        Ask::Tune {
            guest,
            params,
            priority,
            weight,
        } => {
            let asked = TuneRequest {
                params,
                priority,
                weight,
            };
            ReplyBody::Tuned(client.ask(Method::PATCH, &guest_path(&guest), Some(&asked))?)
        }
        ask @ (Ask::Move { .. }
        | Ask::Pose { .. }
        | Ask::Progress { .. }
        | Ask::Cancel { .. }
        | Ask::Pending { .. }
        | Ask::Driving { .. }) => moves::request(client, ask)?,
        ask @ (Ask::Lanes
        | Ask::OpenLane { .. }
        | Ask::TuneLane { .. }
        | Ask::FeedLane { .. }
        | Ask::EndLane { .. }) => moves::lane_request(client, ask)?,
        ask @ (Ask::Calibration { .. }
        | Ask::Calibrate { .. }
        | Ask::Preferences { .. }
        | Ask::TryPreference { .. }
        | Ask::KeepPreferences
        | Ask::UndoPreferences { .. }) => preference_request(client, ask)?,
        Ask::Events { since } => events(client, since)?,
        Ask::Load { options, .. } => load(client, options, bytes)?,
        Ask::Swap {
            guest,
            in_ns,
            options,
            ..
        } => swap(client, &guest, in_ns, options, bytes)?,
        // A verb that asks such a thing is for local robots only, and does not get here.
        other => bail!(
            "the robot's server has no such request: {other:?}; fix: try it on the robot's machine"
        ),
    })
}

/// A request about preferences and calibrations.
fn preference_request(client: &ApiClient, ask: Ask) -> Result<ReplyBody> {
    Ok(match ask {
        Ask::Calibration { of } => {
            let of = encoded(&of.join(","));
            ReplyBody::Calibration(client.get(&format!("/api/v1/calibration?of={of}"))?)
        }
        Ask::Calibrate {
            joint,
            at,
            moved,
            measures,
        } => {
            let asked = CalibrateRequest {
                joint,
                at,
                moved,
                measures,
            };
            ReplyBody::Calibration(client.ask(Method::POST, "/api/v1/calibration", Some(&asked))?)
        }
        Ask::Preferences { key } => {
            let key = encoded(&key);
            ReplyBody::Preferences(client.get(&format!("/api/v1/preferences?key={key}"))?)
        }
        Ask::TryPreference { key, value } => {
            let asked = PreferenceRequest { key, value };
            ReplyBody::Preferences(client.ask(Method::POST, "/api/v1/preferences", Some(&asked))?)
        }
        Ask::KeepPreferences => changed(client, "keep")?,
        Ask::UndoPreferences { kept } => changed(client, &format!("undo?kept={kept}"))?,
        other => bail!("no request about preferences: {other:?}"),
    })
}

/// Keeps what is tried, or takes it back.
fn changed(client: &ApiClient, word: &str) -> Result<ReplyBody> {
    let path = format!("/api/v1/preferences/{word}");
    Ok(ReplyBody::Changed(client.ask(
        Method::POST,
        &path,
        None::<&()>,
    )?))
}

/// Pauses a guest, or resumes it.
fn pause(client: &ApiClient, guest: &str, paused: bool) -> Result<ReplyBody> {
    let word = if paused { "pause" } else { "resume" };
    let path = format!("{}/{word}", guest_path(guest));
    client.ask::<Confirmation>(Method::POST, &path, None::<&()>)?;
    Ok(ReplyBody::Done)
}

/// Changes the state of the whole body.
fn operate(client: &ApiClient, word: Operation) -> Result<ReplyBody> {
    let path = format!("/api/v1/body/{}", word_of(word));
    let now: BodyStatus = client.ask(Method::POST, &path, None::<&()>)?;
    Ok(ReplyBody::State(now.state))
}

/// Ends the loop.
fn quit(client: &ApiClient) -> Result<ReplyBody> {
    client.ask::<BodyStatus>(Method::POST, "/api/v1/body/quit", None::<&()>)?;
    Ok(ReplyBody::Done)
}

/// Ends a guest, or all of them.
fn end(client: &ApiClient, guest: Option<&str>, soft: bool) -> Result<ReplyBody> {
    let path = guest.map_or_else(|| "/api/v1/guests".to_owned(), guest_path);
    let path = format!("{path}?soft={soft}");
    client.ask::<Confirmation>(Method::DELETE, &path, None::<&()>)?;
    Ok(ReplyBody::Done)
}

/// The events since this number.
fn events(client: &ApiClient, since: u64) -> Result<ReplyBody> {
    let told: EventsSince = client.get(&format!("/api/v1/events?since={since}"))?;
    Ok(ReplyBody::Events {
        next: told.next,
        events: told.events,
    })
}

/// Uploads a choreography and starts it.
fn load(client: &ApiClient, options: GuestOptions, bytes: &[u8]) -> Result<ReplyBody> {
    let name = name_of(&options);
    let pushed = push(client, bytes, &name)?;
    let start = StartRequest {
        choreography: pushed.digest,
        options,
        at: None,
        in_s: None,
        after: None,
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
    options: GuestOptions,
    bytes: &[u8],
) -> Result<ReplyBody> {
    let name = name_of(&options);
    let pushed = push(client, bytes, &name)?;
    let swap = SwapRequest {
        choreography: pushed.digest,
        in_s: seconds(in_ns),
        options,
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

fn name_of(options: &GuestOptions) -> String {
    kept_name(
        options
            .file
            .as_deref()
            .or(options.name.as_deref())
            .unwrap_or("choreography"),
    )
}

fn word_of(word: Operation) -> &'static str {
    match word {
        Operation::Arm => "arm",
        Operation::Disarm => "disarm",
        Operation::Hold => "hold",
        Operation::Resume => "resume",
        Operation::Retreat => "retreat",
        Operation::Clear => "clear",
        Operation::Press => "stop",
        Operation::Release => "release",
    }
}
