//! Carries events out of the loop, and makes messages of them; `event_trace.rs` writes them into the log.
//! The loop copies lines of the event log into a ring buffer; an ordinary thread reads them.
//! The loop never waits for the reader; lines that do not fit are counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cycle::{EVENT_NAMES, Event, EventEntry, EventLog};
use drivers::faults::{Fault, error_name};
use rtrb::{Consumer, Producer, RingBuffer};

use description::Robot;

use crate::states::phrase;

/// The size of the ring buffer, lines.
const LINES: usize = 4096;

/// The maximum number of lines that are copied in one turn.
const PER_TURN: usize = 64;

/// The loop's end.
#[derive(Debug)]
pub struct EventSender {
    lines: Producer<EventEntry>,
    next: u64,
    lost: Arc<AtomicU64>,
}

/// The reader's end.
#[derive(Debug)]
pub struct EventReceiver {
    lines: Consumer<EventEntry>,
    lost: Arc<AtomicU64>,
}

/// Creates a channel and returns its two ends.
pub fn event_channel() -> (EventSender, EventReceiver) {
    let (producer, consumer) = RingBuffer::new(LINES);
    let lost = Arc::new(AtomicU64::new(0));
    let sender = EventSender {
        lines: producer,
        next: 0,
        lost: Arc::clone(&lost),
    };
    let receiver = EventReceiver {
        lines: consumer,
        lost,
    };
    (sender, receiver)
}

impl EventSender {
    /// Copies the new lines of the event log.
    pub(super) fn send_new(&mut self, events: &EventLog<'_>) {
        let mut lost = 0;
        for (number, entry) in events.since(self.next).take(PER_TURN) {
            lost += number - self.next;
            self.next = number + 1;
            lost += u64::from(self.lines.push(entry).is_err());
        }
        if lost > 0 {
            self.lost.fetch_add(lost, Ordering::Relaxed);
        }
    }
}

impl EventReceiver {
    /// The next line.
    pub fn next_line(&mut self) -> Option<EventEntry> {
        self.lines.pop().ok()
    }

    /// The number of lines that did not fit so far.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}

/// The message for an event.
pub fn sentence(event: Event, robot: &Robot) -> String {
    let actuator = |id: cycle::ActuatorId| {
        let actuator = robot.actuators.get(usize::from(id.0));
        actuator.map_or("an unknown actuator", |actuator| actuator.name.as_str())
    };
    let board = |id: cycle::BoardId| {
        let board = robot.boards.get(usize::from(id.0));
        board.map_or("an unknown board", |board| board.name.as_str())
    };
    match event {
        Event::Overrun => "a turn came late".to_owned(),
        Event::ClockStood => "the clock did not advance".to_owned(),
        Event::Skipped(_, id) => {
            format!("commands for {} were replaced by later ones", actuator(id))
        }
        Event::Late(_) => "a command came after its instant".to_owned(),
        Event::Deferred(_, id) => {
            format!(
                "due commands for {} were deferred to the next turn",
                actuator(id)
            )
        }
        Event::Fired(id) => format!("{} fired", actuator(id)),
        Event::Arrived(_, id) => format!("{} has arrived", actuator(id)),
        Event::BoardMissing(id, why) => {
            format!("the board {} did not answer{}", board(id), reason(why))
        }
        Event::BoardSilent(id, why) => format!(
            "the board {} has not answered for too many turns{}",
            board(id),
            reason(why)
        ),
        Event::BoardLost(id, why) => format!("the board {} is lost{}", board(id), reason(why)),
        Event::BoardBack(id) => format!("the board {} is back", board(id)),
        Event::LaneOpened(_) => "a lane was opened".to_owned(),
        Event::LaneEnding(_) => "a lane is ending".to_owned(),
        Event::LaneGone(_) => "a lane has ended".to_owned(),
        Event::LaneSilent(_) => "a lane's client is silent".to_owned(),
        Event::Overridden(_) => "a lane is overridden by another one".to_owned(),
        Event::Evicted(_) => "a lane lost its exclusive group".to_owned(),
        Event::Refused(_) => "a request was refused".to_owned(),
        Event::Entered(state) => format!("the body is {}", phrase(state)),
        Event::Impossible(id) => format!(
            "{} has an impossible reading, far outside its range or not a number: check its sensor and its calibration",
            actuator(id)
        ),
        Event::Astray(id) => format!(
            "{} does not follow its commands: check whether it is blocked, or its motor has no power",
            actuator(id)
        ),
        Event::BoardError(id, error) if Fault::of_error(error) == Some(Fault::Slow) => format!(
            "the board {} is slow: its exchanges take more than half of a turn",
            board(id)
        ),
        Event::BoardError(id, error) => {
            format!("the board {} reports an error{}", board(id), reason(error))
        }
        Event::Weakened(id) => format!("{} is hot: its stiffness is reduced", actuator(id)),
    }
}

/// The owner of the lane that belongs to no guest: all clients share it.
pub const CLIENTS: &str = "clients";

/// The message for an event, with the name of the lane's owner.
pub fn sentence_of(event: Event, robot: &Robot, owner: Option<&str>) -> String {
    let text = sentence(event, robot);
    match (owner, event.lane()) {
        (Some(owner), Some(_)) if text.starts_with("a lane") => {
            let rest = text.trim_start_matches("a lane").trim_start_matches("'s");
            match event {
                Event::LaneSilent(_) => format!("{owner}{rest}"),
                _ => format!("the lane of {owner}{rest}"),
            }
        }
        (Some(owner), Some(_)) => format!("{text} ({owner})"),
        _ => text,
    }
}

/// Why a board did not answer, as the end of a message.
fn reason(error: u16) -> String {
    match error {
        0 => String::new(),
        error => format!(": {}", error_name(error)),
    }
}

/// An event's name, for programs.
pub fn name(event: Event) -> &'static str {
    EVENT_NAMES[event.kind()]
}
