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
use protocol::{Ask, GuestOptions, Loaded, Need, Operation, ReplyBody};

use super::{encoded, kept_name};

/// Sends a request and waits for the reply.
pub(crate) fn ask(client: &ApiClient, ask: Ask) -> Result<ReplyBody> {
    Ok(match ask {
        Ask::Operate(Operation::Press) => {
            // Servers of both versions hear the stop there, before everything else.
            let now: BodyStatus = client.ask(Method::POST, "/api/v1/body/stop", None::<&()>)?;
            ReplyBody::State(now.state)
        }
        ask if ask.kind().needs() == Need::LocalOnly => bail!(
            "`{}` is possible only on the robot's machine; fix: run it there",
            ask.kind().word()
        ),
        ask => client.request(&ask)?,
    })
}

/// Stores a choreography, and starts it or replaces a guest by it. Takes the name back if that is refused.
pub(crate) fn hand_over(client: &ApiClient, ask: Ask, bytes: &[u8]) -> Result<Loaded> {
    let (guest, in_ns, options) = match ask {
        Ask::Load { options, .. } => (None, 0, options),
        Ask::Swap {
            guest,
            in_ns,
            options,
            ..
        } => (Some(guest), in_ns, options),
        other => bail!("`{}` hands over no choreography", other.kind().word()),
    };
    let name = options.file.as_deref().or(options.name.as_deref());
    let name = kept_name(name.unwrap_or("choreography"));
    let PushResult { digest, known, .. } = push(client, bytes, &name)?;
    let loaded = match guest {
        Some(guest) => swap(client, &guest, digest, in_ns as f64 / 1e9, options),
        None => load(client, digest, options),
    };
    loaded.inspect_err(|_| take_back(client, &name, known))
}

fn load(client: &ApiClient, digest: String, options: GuestOptions) -> Result<Loaded> {
    let start = StartRequest {
        choreography: digest,
        options,
        at: None,
        in_s: None,
        after: None,
    };
    match client.ask(Method::POST, "/api/v2/guests", Some(&start))? {
        Started::Loaded(loaded) => Ok(loaded),
        Started::Planned(number) => bail!("unexpected answer: it is planned as number {number}"),
    }
}

/// Replaces a guest by a stored choreography.
pub(crate) fn swap(
    client: &ApiClient,
    guest: &str,
    choreography: String,
    in_s: f64,
    options: GuestOptions,
) -> Result<Loaded> {
    let swap = SwapRequest {
        choreography,
        in_s,
        options,
    };
    let path = format!("/api/v2/guests/{}/swap", encoded(guest));
    Ok(client.ask(Method::POST, &path, Some(&swap))?)
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
