//! Moves that are too long for one turn: sent to the loop in pieces, then taken whole at the edge of one turn.
//! Used by the request handler. The law: a refusal of any piece leaves everything as it was.

use std::sync::PoisonError;

use ::socket::RequestError;
use cycle::{ActuatorId, Command, Instant, Refusal, Span};

use super::handler::RequestHandler;
use crate::live::{
    LISTS_MAX, LoopAnswer, LoopRequest, MoveCommands, MoveRequest, PIECE_COMMANDS, PreparedPiece,
};

/// The most commands of a move that is taken in one turn at once.
const SHORT: usize = 2_048;

/// How long the pieces of a move should take, if the turns are short: less work in each of them then.
const PREPARATION: Span = Span::from_millis(100);

impl RequestHandler {
    /// Lets the loop carry out a move: in one turn, or in pieces if it is too long for one.
    pub(super) fn carry_out_move(&self, asked: MoveRequest) -> Result<LoopAnswer, RequestError> {
        let (commands, lists) = size(&asked);
        if commands > SHORT || lists > LISTS_MAX {
            return self.carry_out_in_pieces(asked);
        }
        // Too much for the lane's own room, or for one turn beside all that waits there; not for a trajectory.
        match self.ask_the_loop(LoopRequest::Move(asked.clone()))? {
            LoopAnswer::Refused(Refusal::LaneFull { .. } | Refusal::Busy { .. }) => {
                self.carry_out_in_pieces(asked)
            }
            answer => Ok(answer),
        }
    }

    fn carry_out_in_pieces(&self, asked: MoveRequest) -> Result<LoopAnswer, RequestError> {
        let _one_at_a_time = self
            .preparing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let begins = PreparedPiece {
            begins: Some(asked.merge),
            to: Vec::new(),
            lists: Vec::new(),
        };
        let now = match self.ask_the_loop(LoopRequest::Prepare(begins))? {
            LoopAnswer::Prepared { now } => now,
            refused => return Ok(refused),
        };
        let period = self.robot().settings.period;
        let (commands, _) = size(&asked);
        let turns = (PREPARATION.nanos() / period.nanos()).max(1);
        let most = (commands / turns as usize).clamp(SHORT, PIECE_COMMANDS);
        let parts = parts(asked, |lists| {
            // A piece is a turn; and two to begin, and to take.
            let pieces = 3 + commands / most + lists / most;
            now + Span::from_nanos(period.nanos().saturating_mul(pieces as u64))
        });
        for piece in pieces(parts, most) {
            match self.ask_the_loop(LoopRequest::Prepare(piece))? {
                LoopAnswer::Prepared { .. } => {}
                refused => return Ok(refused),
            }
        }
        self.ask_the_loop(LoopRequest::TakePrepared)
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

/// Each actuator with its commands, in order of time. Times from now on are counted from `begins`, which knows how many
/// lists there are.
fn parts(
    asked: MoveRequest,
    begins: impl Fn(usize) -> Instant,
) -> impl Iterator<Item = (ActuatorId, Vec<Command>)> {
    let to = asked.to;
    let mut lists = match asked.commands {
        MoveCommands::Rows { after, values, .. } => {
            let zero = begins(to.len());
            let row = |row: &[f64]| {
                let each = after.iter().zip(row).map(|(after, value)| Command {
                    at: zero + *after,
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
        list.sort_by_key(|it: &Command| it.at);
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
                let commands: usize = piece.lists.iter().map(|it| it.len() + 1).sum();
                assert!(commands <= 50, "{commands}");
                // No piece could have had the first list of the next.
                let next = made.get(place + 1).map_or(50, |it| it.lists[0].len() + 1);
                assert!(commands + next > 50, "{commands} and {next}");
            }
            let again = made
                .into_iter()
                .flat_map(|it| it.to.into_iter().zip(it.lists));
            assert_eq!(again.collect::<Vec<_>>(), parts);
        }
    }
}
