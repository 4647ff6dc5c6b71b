//! Writes the loop's events into the log, with their fields, and what happens to a lost board as one span.
//! Called by the thread that reads the event channel.
//! Never called in the turn.

use cycle::{BoardId, Event, EventEntry, Instant, State};
use tracing::{Level, Span, field};

use description::Robot;
use guests::PostedEvent;

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
        let known = self
            .recoveries
            .iter()
            .position(|(recovery, ..)| *recovery == id);
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
    let guest = owner.filter(|owner| *owner != CLIENTS);
    let actuator = event
        .actuator()
        .and_then(|actuator| robot.actuators.get(usize::from(actuator.0)));
    let actuator = actuator.map(|actuator| actuator.name.as_str());
    let board = event.board().and_then(|board| board_name(board, robot));
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

/// Writes an event of the bus: what guests have posted, and what the robot tells of them.
pub fn write_posted(event: &PostedEvent) {
    if event.lost > 0 {
        tracing::warn!(
            target: logging::BODY, at_ns = event.now, turn = event.turn, event = "posted",
            "events that are not logged, because too many were posted: {}", event.lost
        );
    }
    let (at_ns, turn, guest) = (event.now, event.turn, event.guest.as_deref());
    let (topic, value) = (event.topic.as_str(), event.value);
    let (level, sentence) = posted_sentence(event);
    macro_rules! write_at {
        ($level:expr) => {
            tracing::event!(
                target: logging::BODY, $level, at_ns, turn, event = "posted", guest, topic, value, "{sentence}"
            )
        };
    }
    match level {
        Level::WARN => write_at!(Level::WARN),
        Level::INFO => write_at!(Level::INFO),
        _ => write_at!(Level::DEBUG),
    }
}

/// The level and the sentence of an event of the bus.
fn posted_sentence(event: &PostedEvent) -> (Level, String) {
    let (guest, value) = (event.guest.as_deref().unwrap_or("a guest"), event.value);
    if !event.is_own {
        let sentence = format!("{guest} posts `{}`: {value}", event.topic);
        return (Level::INFO, sentence);
    }
    match event.topic.split('/').next().unwrap_or_default() {
        "settled" => (
            Level::INFO,
            format!("{guest} has settled after {value:.3} s"),
        ),
        "unsettled" => {
            let sentence = format!(
                "{guest} has not settled: a joint is {value:.3} away from where it is wanted"
            );
            (Level::WARN, sentence)
        }
        "estop" if event.topic.ends_with("released") => {
            let sentence = format!("the emergency stop is released after {value:.3} s");
            (Level::DEBUG, sentence)
        }
        "estop" => (Level::DEBUG, "the emergency stop is pressed".to_owned()),
        // As the contract numbers the ends.
        "ended" => {
            let how = match value {
                _ if value == 0.0 => "by itself",
                _ if value == 1.0 => "because it was stopped",
                _ => "by a fault",
            };
            (Level::DEBUG, format!("{guest} has ended {how}"))
        }
        word => (Level::DEBUG, format!("{guest} has {word}")),
    }
}

fn board_name(id: BoardId, robot: &Robot) -> Option<&str> {
    Some(robot.boards.get(usize::from(id.0))?.name.as_str())
}
