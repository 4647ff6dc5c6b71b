//! Moves that are too long for one turn: sent to the loop in pieces, then taken whole at the edge of one turn.
//! Used by the request handler. A refusal of any piece leaves everything as it was.

use std::sync::{MutexGuard, TryLockError};
use std::time::{Duration, Instant as Clock};

use ::protocol::{ErrorCode, RequestError};
use cycle::{ActuatorId, Command, Instant, LaneId, Refusal, Span};

use super::handler::RequestHandler;
use crate::live::{
    LISTS_MAX, LaneRequest, LoopAnswer, LoopRequest, MoveCommands, MoveRequest, PIECE_COMMANDS,
    PreparedPiece,
};

/// The most commands of a move that is taken in one turn at once.
const SHORT: usize = 2_048;

/// How often a move is tried in one turn after another, if others use up what a turn can do.
const TRIES: usize = 5;

/// How long a move waits for others that are prepared, and how often it looks.
const WAIT: Duration = Duration::from_secs(2);
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// How long the pieces of a move should take, if the turns are short: less work in each of them then.
const PREPARATION: Span = Span::from_millis(100);

impl RequestHandler {
    /// Lets the loop carry out a move, in the client's own lane if that is named.
    pub(super) fn carry_out_move_in(
        &self,
        asked: MoveRequest,
        name: Option<&str>,
    ) -> Result<LoopAnswer, RequestError> {
        let lane = self.lane_of(name)?;
        if let Some(lane) = &lane {
            self.may_drive(lane, &asked.to)?;
        }
        let id = lane.map(|lane| lane.id);
        let answer = self.carry_out_move(asked, id)?;
        let (Some(id), Some(name)) = (id, name) else {
            return Ok(answer);
        };
        match answer {
            LoopAnswer::Refused(Refusal::NoLane(_)) => Err(self.no_lane(name)),
            LoopAnswer::Refused(Refusal::Ending(_)) => Err(self.ending_lane(name)),
            refused @ (LoopAnswer::Refused(_) | LoopAnswer::NotNow(_)) => {
                // Its client is there all the same.
                self.ask_the_loop_in(Some(id), LoopRequest::Lane(LaneRequest::Feed))?;
                Ok(refused)
            }
            answer => Ok(answer),
        }
    }

    /// Lets the loop carry out a move: in one turn, or in pieces if it is too long for one.
    fn carry_out_move(
        &self,
        asked: MoveRequest,
        lane: Option<LaneId>,
    ) -> Result<LoopAnswer, RequestError> {
        let (commands, lists) = size(&asked);
        if commands > SHORT || lists > LISTS_MAX {
            return self.carry_out_in_pieces(asked, lane);
        }
        for _ in 0..TRIES {
            match self.ask_the_loop_in(lane, LoopRequest::Move(asked.clone()))? {
                // Others have used up what a turn can do for this lane: the next one may have it.
                LoopAnswer::Refused(Refusal::Busy { .. }) => {}
                LoopAnswer::Refused(Refusal::LaneFull { .. }) => break,
                answer => return Ok(answer),
            }
        }
        // Too much for the lane's own room; not for a trajectory.
        self.carry_out_in_pieces(asked, lane)
    }

    fn carry_out_in_pieces(
        &self,
        asked: MoveRequest,
        lane: Option<LaneId>,
    ) -> Result<LoopAnswer, RequestError> {
        let _one_at_a_time = self.begin_preparing()?;
        let begins = PreparedPiece {
            begins: Some(asked.merge),
            to: Vec::new(),
            lists: Vec::new(),
        };
        let period = self.robot().settings.period;
        let (commands, _) = size(&asked);
        let turns = (PREPARATION.nanos() / period.nanos()).max(1);
        let most = (commands / turns as usize).clamp(SHORT, PIECE_COMMANDS);
        let is_relative = matches!(asked.commands, MoveCommands::Rows { .. });
        let mut pieces: Vec<_> = pieces(parts(asked), most).collect();
        let now = match self.prepare(begins, lane)? {
            LoopAnswer::Prepared { now } => now,
            refused => return Ok(refused),
        };
        if is_relative {
            // Each piece is a turn, and so is taking them; one more is for a turn that is missed.
            let turns = pieces.len() as u64 + 2;
            let zero = now + Span::from_nanos(period.nanos().saturating_mul(turns));
            let commands = pieces
                .iter_mut()
                .flat_map(|piece| &mut piece.lists)
                .flatten();
            commands.for_each(|command| command.at = zero + (command.at - Instant::ZERO));
        }
        for piece in pieces {
            match self.prepare(piece, lane)? {
                LoopAnswer::Prepared { .. } => {}
                refused => return Ok(refused),
            }
        }
        for _ in 1..TRIES {
            match self.ask_the_loop_in(lane, LoopRequest::TakePrepared)? {
                LoopAnswer::Refused(Refusal::Busy { .. }) => {}
                answer => return Ok(answer),
            }
        }
        self.ask_the_loop_in(lane, LoopRequest::TakePrepared)
    }

    /// Waits until no other long move is prepared.
    fn begin_preparing(&self) -> Result<MutexGuard<'_, ()>, RequestError> {
        let until = Clock::now() + WAIT;
        loop {
            match self.preparing.try_lock() {
                Ok(guard) => return Ok(guard),
                Err(TryLockError::Poisoned(guard)) => return Ok(guard.into_inner()),
                Err(TryLockError::WouldBlock) if Clock::now() < until => {
                    std::thread::sleep(POLL_INTERVAL);
                }
                Err(TryLockError::WouldBlock) => {
                    let error = ErrorCode::Busy.error("other long moves are being taken");
                    return Err(error.fix("try again in a second"));
                }
            }
        }
    }

    /// Sends a piece to the loop.
    fn prepare(
        &self,
        piece: PreparedPiece,
        lane: Option<LaneId>,
    ) -> Result<LoopAnswer, RequestError> {
        let answer = self.ask_the_loop_in(lane, LoopRequest::Prepare(piece));
        answer.map_err(|error| match error.code.as_str() {
            "no-answer" => {
                let sentence =
                    "the loop did not answer within 2 s, and nothing of the move was taken";
                ErrorCode::NoAnswer
                    .error(sentence)
                    .fix("look at `dcm-run watch`")
            }
            _ => error,
        })
    }
}

/// The number of commands of a move, and of its lists.
fn size(asked: &MoveRequest) -> (usize, usize) {
    match &asked.commands {
        MoveCommands::Rows { values, .. } => (values.len(), asked.to.len()),
        MoveCommands::Lists(lists) => match lists.as_slice() {
            [one] => (one.len().saturating_mul(asked.to.len()), asked.to.len()),
            several => (several.iter().map(Vec::len).sum(), several.len()),
        },
    }
}

/// Each actuator with its commands, in order of time. Times from now on are counted from zero.
fn parts(asked: MoveRequest) -> impl Iterator<Item = (ActuatorId, Vec<Command>)> {
    let to = asked.to;
    let mut lists = match asked.commands {
        MoveCommands::Rows { after, values, .. } => {
            let row = |row: &[f64]| {
                let each = after.iter().zip(row).map(|(after, value)| Command {
                    at: Instant::ZERO + *after,
                    value: *value,
                });
                each.collect()
            };
            values.chunks(after.len().max(1)).map(row).collect()
        }
        MoveCommands::Lists(mut lists) => match (to.len(), lists.len()) {
            (many, 1) if many > 1 => vec![lists.remove(0); many],
            _ => lists,
        },
    };
    for list in &mut lists {
        list.sort_by_key(|command: &Command| command.at);
    }
    to.into_iter().zip(lists)
}

/// Pieces of whole lists, with at most this many commands if a list is not longer.
fn pieces(
    parts: impl Iterator<Item = (ActuatorId, Vec<Command>)>,
    most: usize,
) -> impl Iterator<Item = PreparedPiece> {
    let mut parts = parts.peekable();
    std::iter::from_fn(move || {
        let (first, list) = parts.next()?;
        // An actuator without commands is looked at as well.
        let mut commands = list.len() + 1;
        let mut piece = PreparedPiece {
            begins: None,
            to: vec![first],
            lists: vec![list],
        };
        while let Some((to, list)) = parts.next_if(|(_, list)| commands + list.len() < most) {
            commands += list.len() + 1;
            piece.to.push(to);
            piece.lists.push(list);
        }
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::pieces;
    use cycle::{ActuatorId, Command, Instant};

    #[test]
    fn pieces_are_small_and_have_everything_in_its_order() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..300 {
            let parts: Vec<_> = (0..random.u16(..40))
                .map(|place| {
                    let command = Command {
                        at: Instant::ZERO,
                        value: f64::from(place),
                    };
                    (ActuatorId(place), vec![command; random.usize(..30)])
                })
                .collect();
            let made: Vec<_> = pieces(parts.clone().into_iter(), 50).collect();
            for (place, piece) in made.iter().enumerate() {
                let commands: usize = piece.lists.iter().map(|item| item.len() + 1).sum();
                assert!(commands <= 50, "{commands}");
                // No piece could have had the first list of the next.
                let next = made
                    .get(place + 1)
                    .map_or(50, |piece| piece.lists[0].len() + 1);
                assert!(commands + next > 50, "{commands} and {next}");
            }
            let again = made
                .into_iter()
                .flat_map(|piece| piece.to.into_iter().zip(piece.lists));
            assert_eq!(again.collect::<Vec<_>>(), parts);
        }
    }
}
