//! The numbers by which a recording encodes states, merges, operations, cues and events, and their decoding.
//! Used where a turn is written, and where one is replayed.
//! The law: decoding returns what was encoded; a number that was never encoded decodes to `None`.

use cycle::{Event as Happened, LaneId, Merge, State};
use guests::{End, GuestTurn, Hook, TurnInput};

use super::{Cue, Event, Operation, Performed, cue};
use robot::live;

pub(super) fn number_of_state(state: State) -> u32 {
    state as u32
}

const MERGES: [Merge; 4] = [
    Merge::Merge,
    Merge::ClearAfter,
    Merge::ClearBefore,
    Merge::ClearAll,
];

pub(super) fn number_of_merge(merge: Merge) -> u32 {
    let place = MERGES.iter().position(|it| *it == merge);
    place.unwrap_or_default() as u32
}

/// The merge of this number.
pub(super) fn merge_of(number: u32) -> Option<Merge> {
    MERGES.get(number as usize).copied()
}

const OPERATIONS: [(live::Operation, Operation); 8] = [
    (live::Operation::Arm, Operation::Arm),
    (live::Operation::Disarm, Operation::Disarm),
    (live::Operation::Hold, Operation::Hold),
    (live::Operation::Resume, Operation::Resume),
    (live::Operation::Retreat, Operation::Retreat),
    (live::Operation::Clear, Operation::Clear),
    (live::Operation::Press, Operation::Press),
    (live::Operation::Release, Operation::Release),
];

pub(super) fn of_operation(operation: live::Operation) -> Operation {
    let found = OPERATIONS.iter().find(|it| it.0 == operation);
    found.map_or(Operation::Nothing, |it| it.1)
}

/// The operation of this number.
pub(super) fn operation_of(number: i32) -> Option<live::Operation> {
    let found = OPERATIONS.iter().find(|it| it.1 as i32 == number);
    found.map(|it| it.0)
}

pub(super) fn cue_of(input: &TurnInput) -> Cue {
    let (kind, guest, number, value, words) = match *input {
        TurnInput::Enter(id) => (cue::Kind::Enter, id, 0, 0.0, [0; 4]),
        TurnInput::End(id, end) => (cue::Kind::End, id, end as u32, 0.0, [0; 4]),
        TurnInput::Pause(id, paused) => (cue::Kind::Pause, id, u32::from(paused), 0.0, [0; 4]),
        TurnInput::Turn(id, param, value) => (cue::Kind::Turn, id, param, value, [0; 4]),
        TurnInput::Priority(id, value) => (cue::Kind::Priority, id, 0, value, [0; 4]),
        TurnInput::Weight(id, value) => (cue::Kind::Weight, id, 0, value, [0; 4]),
        TurnInput::Swap(old, new, fade) => {
            (cue::Kind::Swap, old, new.0, 0.0, [fade.nanos(), 0, 0, 0])
        }
        TurnInput::Item(id, words) => (cue::Kind::Item, id, 0, 0.0, words),
        TurnInput::Waits(id, words) => (cue::Kind::Waits, id, 0, 0.0, words),
        TurnInput::Over(id, end) => (cue::Kind::Over, id, end as u32, 0.0, [0; 4]),
        TurnInput::Cut(id, hook) => (cue::Kind::Cut, id, hook as u32, 0.0, [0; 4]),
    };
    let [a, b, c, d] = words;
    Cue {
        kind: kind as i32,
        guest: guest.0,
        number,
        value,
        a,
        b,
        c,
        d,
    }
}

/// The input that a cue encodes; `None` if it cannot have been. `id` says which guest a number means now.
pub(super) fn input_of(
    cue: &Cue,
    id: impl Fn(u32) -> Option<guests::GuestId>,
) -> Option<TurnInput> {
    let guest = id(cue.guest)?;
    let end = || End::ALL.get(cue.number as usize).copied();
    let words = [cue.a, cue.b, cue.c, cue.d];
    Some(match cue.kind() {
        cue::Kind::None => return None,
        cue::Kind::Enter => TurnInput::Enter(guest),
        cue::Kind::End => TurnInput::End(guest, end()?),
        cue::Kind::Pause => TurnInput::Pause(guest, cue.number != 0),
        cue::Kind::Turn => TurnInput::Turn(guest, cue.number, cue.value),
        cue::Kind::Priority => TurnInput::Priority(guest, cue.value),
        cue::Kind::Weight => TurnInput::Weight(guest, cue.value),
        cue::Kind::Swap => TurnInput::Swap(guest, id(cue.number)?, cycle::Span::from_nanos(cue.a)),
        cue::Kind::Item => TurnInput::Item(guest, words),
        cue::Kind::Waits => TurnInput::Waits(guest, words),
        cue::Kind::Over => TurnInput::Over(guest, end()?),
        cue::Kind::Cut => TurnInput::Cut(guest, *Hook::ALL.get(cue.number as usize)?),
    })
}

pub(super) fn performed_of(it: GuestTurn) -> Performed {
    let fuel = |hook: Hook| it.fuel[hook as usize];
    Performed {
        guest: it.id.0,
        life: it.life as u32,
        end: it.end as u32,
        pre_process: fuel(Hook::PreProcess),
        post_process: fuel(Hook::PostProcess),
        is_alive: fuel(Hook::IsAlive),
        lane: it.lane,
    }
}

pub(super) fn of_event(at: u64, event: Happened) -> Event {
    let mut it = Event {
        at,
        kind: event.kind() as u32,
        ..Event::default()
    };
    let lane = event.lane().map_or(0, LaneId::number);
    let actuator = match event {
        Happened::Skipped(_, actuator)
        | Happened::Deferred(_, actuator)
        | Happened::Arrived(_, actuator)
        | Happened::Fired(actuator)
        | Happened::Impossible(actuator)
        | Happened::Astray(actuator)
        | Happened::Weakened(actuator) => actuator.0,
        Happened::BoardMissing(board, error)
        | Happened::BoardSilent(board, error)
        | Happened::BoardLost(board, error)
        | Happened::BoardError(board, error) => {
            (it.board, it.error) = (u32::from(board.0), u32::from(error));
            0
        }
        Happened::BoardBack(board) => {
            it.board = u32::from(board.0);
            0
        }
        Happened::Entered(state) => {
            it.state = number_of_state(state);
            0
        }
        _ => 0,
    };
    (it.lane, it.actuator) = (lane, u32::from(actuator));
    it
}

/// The event that this record encodes, for its sentence.
pub(super) fn event_of(it: &Event) -> Option<Happened> {
    let lane = LaneId::of_number(it.lane);
    let actuator = cycle::ActuatorId(u16::try_from(it.actuator).ok()?);
    let board = cycle::BoardId(u8::try_from(it.board).ok()?);
    let error = u16::try_from(it.error).ok()?;
    let state = *State::ALL.get(it.state as usize)?;
    let all = [
        Happened::Overrun,
        Happened::ClockStood,
        Happened::Skipped(lane, actuator),
        Happened::Late(lane),
        Happened::Deferred(lane, actuator),
        Happened::Fired(actuator),
        Happened::Arrived(lane, actuator),
        Happened::BoardMissing(board, error),
        Happened::BoardLost(board, error),
        Happened::BoardBack(board),
        Happened::LaneOpened(lane),
        Happened::LaneEnding(lane),
        Happened::LaneGone(lane),
        Happened::LaneSilent(lane),
        Happened::Overridden(lane),
        Happened::Evicted(lane),
        Happened::Refused(lane),
        Happened::Entered(state),
        Happened::Impossible(actuator),
        Happened::Astray(actuator),
        Happened::Weakened(actuator),
        Happened::BoardError(board, error),
        Happened::BoardSilent(board, error),
    ];
    all.into_iter().find(|event| event.kind() as u32 == it.kind)
}
