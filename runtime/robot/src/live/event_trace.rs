//! Writes the loop's events into the log, with their fields, and what happens to a lost board as one span.
//! Called by the thread that reads the event channel.
//! The law: never called in the turn.

use cycle::{BoardId, Event, EventEntry, Instant, State};
use tracing::{Level, Span, field};

use description::Robot;

use super::event_channel::{CLIENTS, name};

/// The log of one loop's events.
#[derive(Debug, Default)]
pub struct EventTrace {
    /// The boards that are lost, with when that was.
    recoveries: Vec<(BoardId, Instant, Span)>,
}

impl EventTrace {
    /// Writes an event, with this sentence. From a board's loss until it is back its events are in a span `recovery`.
    pub fn write(&mut self, entry: EventEntry, sentence: &str, robot: &Robot, owner: Option<&str>) {
        let span = self.recovery(entry, robot);
        let _inside = span.as_ref().map(Span::enter);
        write(entry, sentence, robot, owner);
    }

    /// The recovery that this event belongs to. It begins when the board is lost, and ends when it is back.
    fn recovery(&mut self, entry: EventEntry, robot: &Robot) -> Option<Span> {
        let id = entry.event.board()?;
        let known = self.recoveries.iter().position(|(it, ..)| *it == id);
        match entry.event {
            Event::BoardLost(..) => {
                // That it was back in between may have been lost.
                if let Some(known) = known {
                    self.recoveries.swap_remove(known);
                }
                let board = board_name(id, robot);
                let span = tracing::info_span!(
                    target: logging::BODY, "recovery", board, lost_turn = entry.turn, after_ns = field::Empty
                );
                self.recoveries.push((id, entry.at, span.clone()));
                Some(span)
            }
            Event::BoardBack(_) => {
                let (_, lost_at, span) = self.recoveries.swap_remove(known?);
                span.record("after_ns", entry.at.nanos() - lost_at.nanos());
                Some(span)
            }
            _ => Some(self.recoveries[known?].2.clone()),
        }
    }
}

/// The level of this event in the log.
pub fn level(event: Event) -> Level {
    match event {
        Event::Skipped(..)
        | Event::Deferred(..)
        | Event::Fired(_)
        | Event::Arrived(..)
        | Event::Overridden(_)
        | Event::BoardMissing(..) => Level::DEBUG,
        // Force is gone: a person must see to it.
        Event::Entered(State::Fault) | Event::BoardLost(..) => Level::ERROR,
        Event::Entered(_)
        | Event::LaneOpened(_)
        | Event::LaneEnding(_)
        | Event::LaneGone(_)
        | Event::BoardBack(_) => Level::INFO,
        _ => Level::WARN,
    }
}

/// Writes an event with its fields.
fn write(entry: EventEntry, sentence: &str, robot: &Robot, owner: Option<&str>) {
    let event = entry.event;
    let guest = owner.filter(|it| *it != CLIENTS);
    let actuator = event
        .actuator()
        .and_then(|it| robot.actuators.get(usize::from(it.0)));
    let actuator = actuator.map(|it| it.name.as_str());
    let board = event.board().and_then(|it| board_name(it, robot));
    let (at_ns, turn, name) = (entry.at.nanos(), entry.turn, name(event));
    // The level of a line is fixed where it is written: one for each.
    macro_rules! write_at {
        ($level:expr) => {
            tracing::event!(
                target: logging::BODY, $level, at_ns, turn, event = name, guest, actuator, board, "{sentence}"
            )
        };
    }
    match level(event) {
        Level::ERROR => write_at!(Level::ERROR),
        Level::WARN => write_at!(Level::WARN),
        Level::INFO => write_at!(Level::INFO),
        _ => write_at!(Level::DEBUG),
    }
}

fn board_name(id: BoardId, robot: &Robot) -> Option<&str> {
    Some(robot.boards.get(usize::from(id.0))?.name.as_str())
}
