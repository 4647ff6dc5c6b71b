//! Sends a loop's requests to a robot's server: each as a request of its API.
//! The answer is the same as the loop's own.

use anyhow::{Result, bail};
use bytes::Bytes;
use hyper::Method;
use network::client::{ApiClient, RequestBody};
use network::hex::digest;
use protocol::body::BodyStatus;
use protocol::choreographies::{PushResult, VersionDigest};
use protocol::guests::{StartRequest, Started, SwapRequest};
use protocol::{Ask, GuestOptions, Need, Operation, ReplyBody};

use super::{encoded, kept_name};

/// Sends a request and waits for the answer.
pub(crate) fn ask(client: &ApiClient, ask: Ask, bytes: &[u8]) -> Result<ReplyBody> {
    Ok(match ask {
        Ask::Operate(Operation::Press) => {
            // Servers of both versions hear the stop there, before everything else.
            let now: BodyStatus = client.ask(Method::POST, "/api/v1/body/stop", None::<&()>)?;
            ReplyBody::State(now.state)
        }
        Ask::Load { options, .. } => load(client, options, bytes)?,
        Ask::Swap {
            guest,
            in_ns,
            options,
            ..
        } => swap(client, &guest, in_ns, options, bytes)?,
        ask if ask.kind().needs() == Need::LocalOnly => bail!(
            "`{}` is possible only on the robot's machine; fix: run it there",
            ask.kind().word()
        ),
        ask => client.request(&ask)?,
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
    let started = client.ask(Method::POST, "/api/v2/guests", Some(&start));
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
    let path = format!("/api/v2/guests/{}/swap", encoded(guest));
    let swapped = client.ask(Method::POST, &path, Some(&swap));
    let swapped = swapped.inspect_err(|_| take_back(client, &name, pushed.known))?;
    Ok(ReplyBody::Loaded(swapped))
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

fn push(client: &ApiClient, bytes: &[u8], name: &str) -> Result<PushResult> {
    let path = format!(
        "/api/v2/choreographies/{}?name={}",
        digest(bytes),
        encoded(name)
    );
    let sent = RequestBody {
        headers: Vec::new(),
        bytes: Bytes::copy_from_slice(bytes),
        kind: "application/wasm",
        only_reads: false,
    };
    let answer = client.send(Method::PUT, &path, sent, |_| {})?;
    Ok(serde_json::from_slice(&answer)?)
}

/// Rolls the name back after a choreography was uploaded for this request and then refused.
fn take_back(client: &ApiClient, name: &str, known: bool) {
    if !known {
        let path = format!("/api/v2/names/{}/rollback", encoded(name));
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
