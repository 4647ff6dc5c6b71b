//! A move that is too long for one turn, in pieces: how the loop prepares and takes it.
//! Pieces are made by the request handler and by a replay, and carried out by the loop's inbox. A piece is
//! small enough for a turn, and the body moves only when the whole is taken.

use cycle::{ActuatorId, Command, LaneId, Merge, Stage};

use super::LoopAnswer;
use super::move_request::{MoveRemarks, not_now};

/// The maximum number of commands in a piece. A turn takes one piece.
pub const PIECE_COMMANDS: usize = 16_384;

/// Whole lists of commands for a few actuators of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct PreparedPiece {
    /// For the first piece of a move: how its commands merge with waiting ones.
    pub begins: Option<Merge>,
    /// The actuators.
    pub to: Vec<ActuatorId>,
    /// A list for each of them.
    pub lists: Vec<Vec<Command>>,
}

/// Prepares a piece for this lane.
pub(super) fn prepare(piece: &PreparedPiece, lane: LaneId, stage: &mut Stage<'_>) -> LoopAnswer {
    // What only removes commands is possible at any time.
    let adds = piece.to.iter().zip(&piece.lists);
    let adds = adds.filter(|add| !add.1.is_empty()).map(|add| *add.0);
    if let Some(not_now) = not_now(adds, stage) {
        return LoopAnswer::NotNow(not_now);
    }
    let begun = piece
        .begins
        .map_or(Ok(()), |merge| stage.begin_preparing(lane, merge));
    let mut parts = piece.to.iter().zip(&piece.lists);
    match begun.and_then(|()| parts.try_for_each(|(to, list)| stage.prepare(*to, list))) {
        Ok(()) => LoopAnswer::Prepared { now: stage.now() },
        Err(refusal) => LoopAnswer::Refused(refusal),
    }
}

/// Takes what has been prepared.
pub(super) fn take_prepared(lane: LaneId, stage: &mut Stage<'_>) -> LoopAnswer {
    if let Some(not_now) = not_now(stage.prepared(), stage) {
        return LoopAnswer::NotNow(not_now);
    }
    let remarks = MoveRemarks::of(stage.prepared(), lane, stage);
    match stage.take_prepared(lane) {
        Ok(receipt) => LoopAnswer::Taken(receipt, remarks),
        Err(refusal) => LoopAnswer::Refused(refusal),
    }
}
