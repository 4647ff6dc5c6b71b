//! What is asked of a loop, asked of a robot's server instead: each ask as a request of the API.
//! Used by `reach::Line`. The law: the answer is the same as the loop's own.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use api::body::{BodyStatus, CommandOutcome, PoseRequest, SetRequest};
use api::choreographies::{PushResult, VersionDigest};
use api::client::{ApiClient, RequestBody};
use api::guests::{Confirmation, StartRequest, Started, SwapRequest, TuneRequest};
use api::robot::EventsSince;
use bytes::Bytes;
use hyper::Method;
use socket::{Ask, OperationWord, Told, Wish};

use super::{digest, encoded, kept_name};

/// Asks, and waits for the answer.
pub(crate) fn ask(client: &ApiClient, ask: Ask, bytes: &[u8]) -> Result<Told> {
    let guest = |it: &str| format!("/api/v1/guests/{}", encoded(it));
    let seconds = |it: u64| it as f64 / 1e9;
    Ok(match ask {
        Ask::Operate(word) => {
            let path = format!("/api/v1/body/{}", word_of(word));
            let now: BodyStatus = client.ask(Method::POST, &path, None::<&()>)?;
            Told::State(now.state)
        }
        Ask::Quit => {
            client.ask::<BodyStatus>(Method::POST, "/api/v1/body/quit", None::<&()>)?;
            Told::Done
        }
        Ask::Guests => Told::Guests(client.get("/api/v1/guests")?),
        Ask::End { guest: name, soft } => {
            let path = name.map_or_else(|| "/api/v1/guests".to_owned(), |it| guest(&it));
            let path = format!("{path}?soft={soft}");
            client.ask::<Confirmation>(Method::DELETE, &path, None::<&()>)?;
            Told::Done
        }
        Ask::Figure => Told::Figure(client.get("/api/v1/figure")?),
        Ask::Pause {
            guest: name,
            paused,
        } => {
            let word = if paused { "pause" } else { "resume" };
            let path = format!("{}/{word}", guest(&name));
            client.ask::<Confirmation>(Method::POST, &path, None::<&()>)?;
            Told::Done
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
            Told::Tuned(client.ask(Method::PATCH, &guest(&name), Some(&tune))?)
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
            let in_s = seconds(in_ns);
            let pose = PoseRequest { name, in_s };
            taken(client.ask(Method::POST, "/api/v1/body/pose", Some(&pose))?)
        }
        Ask::Chronicle { since } => {
            let path = format!("/api/v1/events?since={since}");
            let told: EventsSince = client.get(&path)?;
            Told::Chronicle {
                next: told.next,
                happened: told.happened,
            }
        }
        Ask::Load { wish, .. } => {
            let name = name_of(&wish);
            let pushed = push(client, bytes, &name)?;
            let known = pushed.known;
            let start = StartRequest {
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
            let swap = SwapRequest {
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

/// What came for this alone, and did not come in, is not what its name means from here on.
fn take_back(client: &ApiClient, name: &str, known: bool) {
    if !known {
        let path = format!("/api/v1/names/{}/rollback", encoded(name));
        // If there was no version before it, there is none to go back to.
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

fn taken(outcome: CommandOutcome) -> Told {
    Told::Taken {
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
