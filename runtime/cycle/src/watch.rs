//! What the body does by itself when turns come late or boards fall silent, by degrees.
//! Asked once at the end of every turn; its answer is an input to the safety table.
//! The law: nothing comes back by itself. What a reaction stopped, a person starts again.

use crate::body::BoardId;
use crate::diary::{Diary, Event};
use crate::doubt::Belief;
use crate::frame::Answer;
use crate::safety::Input;
use crate::time::Span;

/// How much is borne before the body reacts. 0 turns means "never".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patience {
    /// A turn is late when more than this has passed since the one before.
    pub late_after: Span,
    /// After so many late turns in a row the body holds.
    pub late_to_hold: u32,
    /// After so many late turns in a row it goes to its safe pose.
    pub late_to_safe: u32,
    /// After so many turns without a board's answer the body holds.
    pub missing_to_hold: u32,
    /// After so many the board is lost, and that is a fault.
    pub missing_to_lost: u32,
    /// What is borne of a joint's readings.
    pub belief: Belief,
}

impl Patience {
    /// The usual patience at this period: half a period late; 5 and 50 late turns; 5 and 50 without an answer.
    pub fn at(period: Span) -> Patience {
        Patience {
            late_after: period + Span::from_nanos(period.nanos() / 2),
            late_to_hold: 5,
            late_to_safe: 50,
            missing_to_hold: 5,
            missing_to_lost: 50,
            belief: Belief::USUAL,
        }
    }
}

/// The link to one board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// Exchanges that were answered.
    pub acks: u64,
    /// Exchanges that were not.
    pub nacks: u64,
    /// Turns since the last answer.
    pub age: u32,
    /// How long it has answered without a gap.
    pub good: Span,
    /// The board's error in its last answer; why it did not answer, if it did not. 0 for none.
    pub error: u16,
    /// It counts as lost.
    pub lost: bool,
    /// The error of its last answer that was told.
    pub(crate) told: u16,
}

/// The judge of late turns and silent boards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    pub(crate) patience: Patience,
    late_in_a_row: u32,
}

impl Watch {
    pub(crate) fn new(patience: Patience) -> Watch {
        Watch {
            patience,
            late_in_a_row: 0,
        }
    }

    /// Counts this turn's lateness; the reaction to it and to the links.
    pub(crate) fn judge(
        &mut self,
        late: bool,
        links: &mut [Link],
        diary: &mut Diary<'_>,
    ) -> Option<Input> {
        let patience = self.patience;
        self.late_in_a_row = if late {
            self.late_in_a_row.saturating_add(1)
        } else {
            0
        };
        let mut reaction = degree(
            self.late_in_a_row,
            patience.late_to_hold,
            patience.late_to_safe,
            Input::Retreat,
        );
        for (board, link) in (0u8..).zip(links) {
            let board = BoardId(board);
            if link.age == 0 {
                if link.lost {
                    link.lost = false;
                    diary.note(Event::BoardBack(board));
                }
                if link.error != 0 && link.error != link.told {
                    diary.note(Event::BoardError(board, link.error));
                }
                link.told = link.error;
                continue;
            }
            diary.note(Event::BoardMissing(board, link.error));
            if link.age == patience.missing_to_hold {
                diary.note(Event::BoardSilent(board, link.error));
            }
            let hurt = degree(
                link.age,
                patience.missing_to_hold,
                patience.missing_to_lost,
                Input::Break,
            );
            if hurt == Some(Input::Break) && !link.lost {
                link.lost = true;
                diary.note(Event::BoardLost(board, link.error));
            }
            reaction = graver(reaction, hurt);
        }
        reaction
    }
}

impl Link {
    /// Counts this turn's answer. The page shows it, so it comes before the judging.
    pub(crate) fn hear(&mut self, answer: Answer, elapsed: Span) {
        self.error = answer.error;
        if answer.answered {
            self.acks += 1;
            self.age = 0;
            self.good = Span::from_nanos(self.good.nanos().saturating_add(elapsed.nanos()));
        } else {
            self.nacks += 1;
            self.age = self.age.saturating_add(1);
            self.good = Span::ZERO;
        }
    }
}

/// The reaction to `count` faults in a row.
pub(crate) fn degree(count: u32, to_hold: u32, to_worse: u32, worse: Input) -> Option<Input> {
    let reached = |limit: u32| limit != 0 && count >= limit;
    if reached(to_worse) {
        Some(worse)
    } else if reached(to_hold) {
        Some(Input::Hold)
    } else {
        None
    }
}

pub(crate) fn graver(a: Option<Input>, b: Option<Input>) -> Option<Input> {
    let gravity = |input: &Option<Input>| match input {
        Some(Input::Break) => 3,
        Some(Input::Retreat) => 2,
        Some(_) => 1,
        None => 0,
    };
    if gravity(&b) > gravity(&a) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Span = Span::from_millis(1);

    fn run(turns: &[(bool, bool)]) -> Option<Input> {
        let patience = Patience {
            late_to_hold: 2,
            late_to_safe: 3,
            missing_to_hold: 2,
            missing_to_lost: 4,
            ..Patience::at(MS)
        };
        let (mut watch, mut links) = (Watch::new(patience), [Link::default()]);
        let mut diary = Diary::new(&mut []);
        let mut reaction = None;
        for &(late, answered) in turns {
            links[0].hear(
                Answer {
                    answered,
                    ..Answer::default()
                },
                MS,
            );
            reaction = watch.judge(late, &mut links, &mut diary);
        }
        reaction
    }

    #[test]
    fn late_turns_hold_and_then_retreat_but_only_in_a_row() {
        assert_eq!(run(&[(true, true)]), None);
        assert_eq!(run(&[(true, true); 2]), Some(Input::Hold));
        assert_eq!(run(&[(true, true); 3]), Some(Input::Retreat));
        assert_eq!(run(&[(true, true), (false, true), (true, true)]), None);
    }

    #[test]
    fn a_silent_board_holds_the_body_and_then_breaks_it() {
        assert_eq!(run(&[(false, false)]), None);
        assert_eq!(run(&[(false, false); 2]), Some(Input::Hold));
        assert_eq!(run(&[(false, false); 4]), Some(Input::Break));
        assert_eq!(
            run(&[(true, false); 4]),
            Some(Input::Break),
            "the graver one wins"
        );
    }
}
