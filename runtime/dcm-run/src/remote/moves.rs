//! Sends requests to move, questions about them, and requests about lanes to a robot's server.
//! Called by `ask`. The law: the answer is the same as the loop's own.

use anyhow::{Result, bail};
use api::body::{CommandOutcome, PoseRequest, SetRequest};
use api::client::ApiClient;
use api::lanes::{OpenLaneRequest, TuneLaneRequest};
use hyper::Method;
use socket::{Ask, LaneEnd, LaneStatus, ReplyBody};

use super::encoded;

/// A request to move, or about such requests.
pub(super) fn request(client: &ApiClient, ask: Ask) -> Result<ReplyBody> {
    Ok(match ask {
        Ask::Move {
            to,
            after_ns,
            values,
            packed: _,
            measures,
            clip,
            merge,
            lane,
        } if after_ns.len() == 1 && to.len() == values.len() => {
            let set = SetRequest {
                values: to.into_iter().zip(values).collect(),
                in_s: seconds(after_ns[0]),
                merge,
                measures,
                clip,
                lane,
            };
            taken(client.ask(Method::POST, "/api/v1/body/set", Some(&set))?)
        }
        Ask::Pose { name, in_ns, lane } => {
            let pose = PoseRequest {
                name,
                in_s: seconds(in_ns),
                lane,
            };
            taken(client.ask(Method::POST, "/api/v1/body/pose", Some(&pose))?)
        }
        Ask::Progress { tickets, wait_ns } => progress(client, &tickets, wait_ns)?,
        Ask::Cancel { ticket } => cancel(client, ticket)?,
        Ask::Pending { of, lane } => {
            let of = encoded(&of.join(","));
            let lane = lane.map_or_else(String::new, |it| format!("&lane={}", encoded(&it)));
            ReplyBody::Pending(client.get(&format!("/api/v1/body/pending?of={of}{lane}"))?)
        }
        Ask::Driving { of } => {
            let of = encoded(&of.join(","));
            ReplyBody::Driving(client.get(&format!("/api/v1/body/driving?of={of}"))?)
        }
        other => bail!("the robot's server has no such request to move: {other:?}"),
    })
}

/// A request about lanes of clients' own.
pub(super) fn lane_request(client: &ApiClient, ask: Ask) -> Result<ReplyBody> {
    let path = |lane: &str| format!("/api/v1/lanes/{}", encoded(lane));
    let told: LaneStatus = match ask {
        Ask::OpenLane { lane, options } => {
            let asked = OpenLaneRequest::of(lane, *options);
            client.ask(Method::POST, "/api/v1/lanes", Some(&asked))?
        }
        Ask::TuneLane {
            lane,
            priority,
            weight,
        } => {
            let asked = TuneLaneRequest { priority, weight };
            client.ask(Method::PATCH, &path(&lane), Some(&asked))?
        }
        Ask::FeedLane { lane } => {
            let path = format!("{}/feed", path(&lane));
            client.ask(Method::POST, &path, None::<&()>)?
        }
        Ask::EndLane { lane, ending } => {
            let ending = match ending {
                None => "",
                Some(LaneEnd::Release) => "?ending=release",
                Some(LaneEnd::Hold) => "?ending=hold",
                Some(LaneEnd::SafePose) => "?ending=safe-pose",
            };
            let path = format!("{}{ending}", path(&lane));
            client.ask(Method::DELETE, &path, None::<&()>)?
        }
        _ => return Ok(ReplyBody::Lanes(client.get("/api/v1/lanes")?)),
    };
    Ok(ReplyBody::Lanes(vec![told]))
}

/// How far requests to move are.
fn progress(client: &ApiClient, tickets: &[u32], wait_ns: u64) -> Result<ReplyBody> {
    let tickets: Vec<_> = tickets.iter().map(u32::to_string).collect();
    let (tickets, wait_s) = (tickets.join(","), seconds(wait_ns));
    let path = format!("/api/v1/body/requests?tickets={tickets}&wait_s={wait_s}");
    Ok(ReplyBody::Progress(client.get(&path)?))
}

/// Cancels a request to move.
fn cancel(client: &ApiClient, ticket: u32) -> Result<ReplyBody> {
    let path = format!("/api/v1/body/requests/{ticket}");
    let ended = client.ask(Method::DELETE, &path, None::<&()>)?;
    Ok(ReplyBody::Progress(vec![ended]))
}

fn taken(outcome: CommandOutcome) -> ReplyBody {
    ReplyBody::Taken {
        ticket: outcome.ticket,
        followed: outcome.followed,
        commands: outcome.commands,
        late: outcome.late,
        clipped: outcome.clipped,
        shared: outcome.shared,
        limp: outcome.limp,
        coupled: outcome.coupled,
        needs_ns: (outcome.needs_s * 1e9) as u64,
        clipped_names: outcome.clipped_names,
    }
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}
