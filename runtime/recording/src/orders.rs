//! The requests of a turn, read back from its record.
//! Used by replay. A record that no loop has written is refused, never guessed.

use cycle::{ActuatorId, Command, Instant, LaneId, Span, Ticket, ZeroChange};

use super::codes::{merge_of, operation_of};
use super::lanes;
use super::{RecordedRequest, Turn, recorded_request};
use robot::live::{self, MoveCommands, MoveRequest, PreparedPiece};

/// A request of a turn.
pub(super) struct RecordedOrder {
    /// Whether it was taken between two turns.
    pub(super) between: bool,
    /// The client's own lane that it is for.
    pub(super) lane: Option<LaneId>,
    /// The request.
    pub(super) asked: live::LoopRequest,
}

/// The requests of this turn, as the loop took them.
pub(super) fn orders(turn: &Turn) -> Result<Vec<RecordedOrder>, String> {
    let invalid = || format!("turn {} has an invalid request", turn.number);
    let (mut to, mut after) = (turn.move_actuators.as_slice(), turn.move_after.as_slice());
    let mut values = turn.move_values.as_slice();
    let mut orders = Vec::new();
    for request in &turn.requests {
        let reply = match request.kind() {
            recorded_request::Kind::Move => {
                let mine = take(&mut to, request.actuators).ok_or_else(invalid)?;
                let times = take(&mut after, request.instants).ok_or_else(invalid)?;
                let values = take(&mut values, request.values).ok_or_else(invalid)?;
                live::LoopRequest::Move(motion(request, mine, times, values).ok_or_else(invalid)?)
            }
            recorded_request::Kind::Schedule => {
                let mine = take(&mut to, request.actuators).ok_or_else(invalid)?;
                let times = take(&mut after, request.instants).ok_or_else(invalid)?;
                let values = take(&mut values, request.values).ok_or_else(invalid)?;
                live::LoopRequest::Move(schedule(request, mine, times, values).ok_or_else(invalid)?)
            }
            recorded_request::Kind::Prepare => {
                let mine = take(&mut to, request.actuators).ok_or_else(invalid)?;
                let times = take(&mut after, request.instants).ok_or_else(invalid)?;
                let values = take(&mut values, request.values).ok_or_else(invalid)?;
                let piece =
                    schedule(request, mine, times, values).and_then(|asked| piece(request, asked));
                live::LoopRequest::Prepare(piece.ok_or_else(invalid)?)
            }
            recorded_request::Kind::TakePrepared => live::LoopRequest::TakePrepared,
            recorded_request::Kind::Cancel => live::LoopRequest::Cancel(Ticket(request.ticket)),
            kind @ (recorded_request::Kind::OpenLane
            | recorded_request::Kind::EndLane
            | recorded_request::Kind::FeedLane
            | recorded_request::Kind::TuneLane) => {
                let settings = request.lane_settings.unwrap_or_default();
                live::LoopRequest::Lane(lanes::request(kind, settings).ok_or_else(invalid)?)
            }
            recorded_request::Kind::Calibrate => {
                let joint = u16::try_from(request.joint).map_err(|_| invalid())?;
                let change = match request.moves_zero {
                    true => ZeroChange::To(request.value),
                    false => ZeroChange::IsAt(request.value),
                };
                live::LoopRequest::Calibrate(ActuatorId(joint), change)
            }
            recorded_request::Kind::Operate => {
                live::LoopRequest::Operate(operation_of(request.operation).ok_or_else(invalid)?)
            }
            // What came of it is in what the boards said, or concerns only the clock.
            _ => continue,
        };
        orders.push(RecordedOrder {
            between: request.between,
            lane: request.lane.map(LaneId::of_number),
            asked: reply,
        });
    }
    Ok(orders)
}

/// A piece of a long move.
fn piece(order: &RecordedRequest, asked: MoveRequest) -> Option<PreparedPiece> {
    let MoveCommands::Lists(lists) = asked.commands else {
        return None;
    };
    (lists.len() == asked.to.len()).then_some(PreparedPiece {
        begins: order.begins.then_some(asked.merge),
        to: asked.to,
        lists,
    })
}

fn take<'s, T>(from: &mut &'s [T], count: u32) -> Option<&'s [T]> {
    let (taken, rest) = from.split_at_checked(count as usize)?;
    *from = rest;
    Some(taken)
}

fn motion(
    order: &RecordedRequest,
    to: &[u32],
    after: &[u64],
    values: &[f64],
) -> Option<MoveRequest> {
    let to = to
        .iter()
        .map(|item| u16::try_from(*item).ok().map(cycle::ActuatorId));
    let after = after.iter().map(|item| Span::from_nanos(*item)).collect();
    let merge = merge_of(order.merge)?;
    Some(MoveRequest::new(
        to.collect::<Option<_>>()?,
        merge,
        after,
        values.to_vec(),
    ))
}

/// The lists of a schedule; their lengths are the first of its instants.
fn schedule(
    order: &RecordedRequest,
    to: &[u32],
    times: &[u64],
    values: &[f64],
) -> Option<MoveRequest> {
    let to = to
        .iter()
        .map(|item| u16::try_from(*item).ok().map(cycle::ActuatorId));
    let lists = times.len().checked_sub(values.len())?;
    let (lengths, mut instants) = times.split_at_checked(lists)?;
    let mut values = values;
    let mut list = |length: &u64| {
        let length = u32::try_from(*length).ok()?;
        let pairs = take(&mut instants, length)?
            .iter()
            .zip(take(&mut values, length)?);
        let command = |(at, value): (&u64, &f64)| Command {
            at: Instant::from_nanos(*at),
            value: *value,
        };
        Some(pairs.map(command).collect())
    };
    let lists = lengths.iter().map(&mut list).collect::<Option<_>>()?;
    Some(MoveRequest {
        to: to.collect::<Option<_>>()?,
        merge: merge_of(order.merge)?,
        commands: MoveCommands::Lists(lists),
    })
}
