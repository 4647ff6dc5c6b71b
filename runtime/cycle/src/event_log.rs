//! The event log: a counter for each kind of event, and a ring buffer of the last events.
//! Written by every step of the turn; read and formatted outside the turn.
//! The counters stay correct when the ring buffer overwrites old events.

use crate::body::{ActuatorId, BoardId};
use crate::lane::LaneId;
use crate::named_enum;
use crate::safety::State;
use crate::time::{Instant, Span};

/// Defines [`Event`] and [`EventKind`] from one table of kinds, so that their numbers and names always agree.
macro_rules! events {
    ($($(#[$doc:meta])* $Kind:ident $(($($field:ty),+))? => $name:literal,)+) => {
        /// An event.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Event {
            $($(#[$doc])* $Kind $(($($field),+))?,)+
        }

        named_enum! {
            /// The kind of an event.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum EventKind {
                $($(#[$doc])* $Kind => $name,)+
            }
        }

        impl Event {
            /// The index of this event's kind among the counts.
            pub const fn kind(self) -> usize {
                match self {
                    $(Event::$Kind { .. } => EventKind::$Kind as usize,)+
                }
            }
        }
    };
}

// The number of a kind is its index here. Recordings refer to the kinds, so append new ones at the end.
events! {
    /// The turn was late.
    Overrun => "overrun",
    /// The clock stood still or moved back; the turn used the last instant.
    ClockStood => "clock-stood",
    /// Commands of this lane were skipped because a later one was due in the same turn.
    Skipped(LaneId, ActuatorId) => "skipped",
    /// A command arrived in this lane after its instant.
    Late(LaneId) => "late",
    /// Due commands of this lane were left for the next turn.
    Deferred(LaneId, ActuatorId) => "deferred",
    /// This trigger was fired.
    Fired(ActuatorId) => "fired",
    /// This lane has executed its last command for this actuator. Without an entry if the command was sent for now.
    Arrived(LaneId, ActuatorId) => "arrived",
    /// A board did not answer in this turn. The number is the driver's code of the reason; 0 for none.
    BoardMissing(BoardId, u16) => "board-missing",
    /// A board did not answer for so long that it counts as lost; with the reason.
    BoardLost(BoardId, u16) => "board-lost",
    /// A lost board answers again.
    BoardBack(BoardId) => "board-back",
    /// A lane was opened.
    LaneOpened(LaneId) => "lane-opened",
    /// A lane began to end.
    LaneEnding(LaneId) => "lane-ending",
    /// A lane is gone; its handle is stale from here on.
    LaneGone(LaneId) => "lane-gone",
    /// A lane's client was silent for too long.
    LaneSilent(LaneId) => "lane-silent",
    /// Another lane hides this one on at least one actuator.
    Overridden(LaneId) => "overridden",
    /// A lane of higher priority took an exclusive group from this one.
    Evicted(LaneId) => "evicted",
    /// A request was refused.
    Refused(LaneId) => "refused",
    /// The safety state changed to this one.
    Entered(State) => "entered",
    /// A joint's reading is impossible for its range.
    Impossible(ActuatorId) => "impossible-reading",
    /// A joint does not follow its target.
    Astray(ActuatorId) => "following-error",
    /// Heat lowers the stiffness of this joint.
    Weakened(ActuatorId) => "weakened",
    /// A board answers and reports this error.
    BoardError(BoardId, u16) => "board-error",
    /// A board did not answer for so long that the body holds; with the reason.
    BoardSilent(BoardId, u16) => "board-silent",
}

/// How many kinds of events there are.
pub const EVENT_KINDS: usize = EventKind::ALL.len();

/// The names of the kinds, in the order of [`Event::kind`].
pub const EVENT_NAMES: [&str; EVENT_KINDS] = EventKind::NAMES;

impl Event {
    /// The lane in which it happened.
    pub const fn lane(self) -> Option<LaneId> {
        match self {
            Event::Skipped(lane, _)
            | Event::Deferred(lane, _)
            | Event::Arrived(lane, _)
            | Event::Late(lane)
            | Event::LaneOpened(lane)
            | Event::LaneEnding(lane)
            | Event::LaneGone(lane)
            | Event::LaneSilent(lane)
            | Event::Overridden(lane)
            | Event::Evicted(lane)
            | Event::Refused(lane) => Some(lane),
            _ => None,
        }
    }

    /// The actuator that it is about.
    pub const fn actuator(self) -> Option<ActuatorId> {
        match self {
            Event::Skipped(_, actuator)
            | Event::Deferred(_, actuator)
            | Event::Arrived(_, actuator)
            | Event::Fired(actuator)
            | Event::Impossible(actuator)
            | Event::Astray(actuator)
            | Event::Weakened(actuator) => Some(actuator),
            _ => None,
        }
    }

    /// The board that it is about.
    pub const fn board(self) -> Option<BoardId> {
        match self {
            Event::BoardMissing(board, _)
            | Event::BoardSilent(board, _)
            | Event::BoardLost(board, _)
            | Event::BoardError(board, _)
            | Event::BoardBack(board) => Some(board),
            _ => None,
        }
    }
}

/// One entry of the event log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventEntry {
    /// The turn in which it happened, counted from 1.
    pub turn: u64,
    /// The instant of that turn.
    pub at: Instant,
    /// The event.
    pub event: Event,
}

impl EventEntry {
    /// A free entry.
    pub const FREE: EventEntry = EventEntry {
        turn: 0,
        at: Instant::ZERO,
        event: Event::Overrun,
    };
}

/// While all turns are late, the log gets one entry in this time.
const LATE_LOG_INTERVAL: Span = Span::from_millis(1000);

/// Counters of all events since the start, and a ring buffer of the last ones.
#[derive(Debug)]
pub struct EventLog<'m> {
    entries: &'m mut [EventEntry],
    written: u64,
    counts: [u64; EVENT_KINDS],
    turn: u64,
    now: Instant,
    /// When the last entry about late turns was written.
    late_logged_at: Option<Instant>,
}

impl<'m> EventLog<'m> {
    pub(crate) fn new(entries: &'m mut [EventEntry]) -> EventLog<'m> {
        EventLog {
            entries,
            written: 0,
            counts: [0; EVENT_KINDS],
            turn: 0,
            now: Instant::ZERO,
            late_logged_at: None,
        }
    }

    pub(crate) fn turn_to(&mut self, turn: u64, now: Instant) {
        self.turn = turn;
        self.now = now;
    }

    pub(crate) fn note(&mut self, event: Event) {
        self.note_times(event, 1);
    }

    /// Writes one entry, and counts the event `times` times.
    pub(crate) fn note_times(&mut self, event: Event, times: u32) {
        if times == 0 {
            return;
        }
        self.counts[event.kind()] += u64::from(times);
        // Late commands come in large numbers: one entry is enough, and leaves room for other events.
        if matches!(event, Event::Late(_)) && self.last() == Some((self.now, event)) {
            return;
        }
        if event == Event::Overrun {
            if self
                .late_logged_at
                .is_some_and(|at| self.now - at < LATE_LOG_INTERVAL)
            {
                return;
            }
            self.late_logged_at = Some(self.now);
        }
        if let Some(place) = self.written.checked_rem(self.entries.len() as u64) {
            self.entries[usize::try_from(place).unwrap_or(0)] = EventEntry {
                turn: self.turn,
                at: self.now,
                event,
            };
            self.written += 1;
        }
    }

    /// Counts events that are not worth an entry.
    pub(crate) fn count_only(&mut self, kind: EventKind, times: u64) {
        self.counts[kind as usize] += times;
    }

    /// The last entry.
    fn last(&self) -> Option<(Instant, Event)> {
        let place = self.written.checked_sub(1)?;
        let place = place.checked_rem(self.entries.len() as u64)?;
        let entry = self.entries.get(usize::try_from(place).ok()?)?;
        Some((entry.at, entry.event))
    }

    /// How often events of this one's kind happened since the start.
    pub fn count(&self, event: Event) -> u64 {
        self.counts[event.kind()]
    }

    /// All counts, in the order of [`EVENT_NAMES`].
    pub fn counts(&self) -> &[u64; EVENT_KINDS] {
        &self.counts
    }

    /// How many entries were written so far; the next one has this number.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// The entries from number `from` on that are still kept, with their numbers.
    pub fn since(&self, from: u64) -> impl Iterator<Item = (u64, EventEntry)> + '_ {
        let kept = self.entries.len() as u64;
        let first = from.max(self.written.saturating_sub(kept));
        (first..self.written).map(move |number| {
            (
                number,
                self.entries[usize::try_from(number % kept).unwrap_or(0)],
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_stay_true_when_lines_are_overwritten() {
        let mut entries = [EventEntry::FREE; 2];
        let mut events = EventLog::new(&mut entries);
        for turn in 0..5 {
            events.turn_to(turn, Instant::from_millis(turn));
            events.note(Event::ClockStood);
        }
        assert_eq!(events.count(Event::ClockStood), 5);
        assert!(events.since(0).map(|(number, _)| number).eq([3, 4]));
        assert!(
            events
                .since(4)
                .map(|(_, item)| item.at)
                .eq([Instant::from_millis(4)])
        );
        assert_eq!(events.since(9).count(), 0);
    }

    #[test]
    fn late_turns_are_counted_and_told_once_a_second() {
        let mut entries = [EventEntry::FREE; 8];
        let mut events = EventLog::new(&mut entries);
        for turn in 0..=100 {
            events.turn_to(turn, Instant::from_millis(25 * turn));
            events.note(Event::Overrun);
        }
        assert_eq!(events.count(Event::Overrun), 101);
        assert!(
            events
                .since(0)
                .map(|(_, item)| item.at.nanos() / 1_000_000)
                .eq([0, 1000, 2000])
        );
    }

    #[test]
    fn an_event_log_without_room_still_counts() {
        let mut events = EventLog::new(&mut []);
        let late = Event::Late(LaneId::NOBODY);
        events.note_times(late, 3);
        assert_eq!((events.count(late), events.since(0).count()), (3, 0));
    }
}
