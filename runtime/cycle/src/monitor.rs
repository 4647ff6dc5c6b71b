//! Monitors late turns and silent boards, and determines the body's reaction.
//! Called once at the end of every turn; its result is an input of the safety table.
//! The body does not recover by itself. Only a person starts it again after a reaction.

use crate::body::BoardId;
use crate::event_log::{Event, EventLog};
use crate::frame::Answer;
use crate::safety::{Input, RampTimes};
use crate::thresholds::FaultThresholds;
use crate::time::Span;

/// The link to one board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// Exchanges that were answered.
    pub acks: u64,
    /// Exchanges that were not.
    pub nacks: u64,
    /// Turns since the last answer.
    pub age: u32,
    /// How long the board has answered without a gap.
    pub good: Span,
    /// The error of the board's last answer, or why it did not answer; 0 for none.
    pub error: u16,
    /// Whether the board is lost: it has not answered for too long.
    pub lost: bool,
    /// The last error that was logged.
    pub(crate) logged_error: u16,
}

/// Counts late turns and turns without a board's answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FaultMonitor {
    pub(crate) thresholds: FaultThresholds,
    late_in_a_row: u32,
}

impl FaultMonitor {
    pub(crate) fn new(thresholds: FaultThresholds) -> FaultMonitor {
        FaultMonitor {
            thresholds,
            late_in_a_row: 0,
        }
    }

    /// Counts a late turn. Returns the reaction to late turns and to the links.
    pub(crate) fn judge(
        &mut self,
        late: bool,
        links: &mut [Link],
        events: &mut EventLog<'_>,
    ) -> Option<Input> {
        let thresholds = self.thresholds;
        self.late_in_a_row = if late {
            self.late_in_a_row.saturating_add(1)
        } else {
            0
        };
        let mut reaction = degree(
            self.late_in_a_row,
            thresholds.late_to_hold,
            thresholds.late_to_safe,
            Input::Retreat,
        );
        for (board, link) in (0u8..).zip(links) {
            let board = BoardId(board);
            if link.age == 0 {
                if link.lost {
                    link.lost = false;
                    events.note(Event::BoardBack(board));
                }
                if link.error != 0 && link.error != link.logged_error {
                    events.note(Event::BoardError(board, link.error));
                }
                link.logged_error = link.error;
                continue;
            }
            events.note(Event::BoardMissing(board, link.error));
            if link.age == thresholds.missing_to_hold {
                events.note(Event::BoardSilent(board, link.error));
            }
            let hurt = degree(
                link.age,
                thresholds.missing_to_hold,
                thresholds.missing_to_lost,
                Input::Break,
            );
            if hurt == Some(Input::Break) && !link.lost {
                link.lost = true;
                events.note(Event::BoardLost(board, link.error));
            }
            reaction = graver(reaction, hurt);
        }
        reaction
    }
}

impl Link {
    /// Counts this turn's answer. The page shows the counts, so this comes before `judge`.
    pub(crate) fn record_answer(&mut self, answer: Answer, elapsed: Span) {
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

/// Whether the boards have answered often enough to move the body.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Readiness {
    /// Turns in which every board answered.
    pub(crate) readings: u32,
    /// Whether there were enough readings to know all positions.
    pub(crate) booted: bool,
    /// Whether every board has answered for long enough.
    pub(crate) good: bool,
    /// The first board that has not answered for so long that the body holds, and why.
    pub(crate) missing: Option<(BoardId, u16)>,
}

impl Readiness {
    pub(crate) fn record_answer(
        &mut self,
        links: &[Link],
        ramps: &RampTimes,
        thresholds: &FaultThresholds,
    ) {
        if links.iter().all(|link| link.age == 0) {
            self.readings = self.readings.saturating_add(1);
        }
        self.booted = self.readings >= ramps.readings;
        self.good = links.iter().all(|link| link.good >= ramps.good_link);
        let holds = |age: u32| thresholds.missing_to_hold != 0 && age >= thresholds.missing_to_hold;
        let missing = links.iter().position(|link| link.lost || holds(link.age));
        self.missing = missing.map(|place| (BoardId(place as u8), links[place].error));
    }

    /// Whether the boards allow this input of a person.
    pub(crate) fn allows(&self, input: Input) -> bool {
        match input {
            Input::Arm => self.booted && self.good && self.missing.is_none(),
            Input::Resume | Input::Clear => self.missing.is_none(),
            _ => true,
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
        let thresholds = FaultThresholds {
            late_to_hold: 2,
            late_to_safe: 3,
            missing_to_hold: 2,
            missing_to_lost: 4,
            ..FaultThresholds::at(MS)
        };
        let (mut watch, mut links) = (FaultMonitor::new(thresholds), [Link::default()]);
        let mut events = EventLog::new(&mut []);
        let mut reaction = None;
        for &(late, answered) in turns {
            links[0].record_answer(
                Answer {
                    answered,
                    ..Answer::default()
                },
                MS,
            );
            reaction = watch.judge(late, &mut links, &mut events);
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
