//! The numbers by which a recording encodes states, merges, operations, guests' inputs and events, and their decoding.
//! Used where a turn is written, and where one is replayed.
//! Decoding returns what was encoded; a number that was never encoded decodes to `None`.

use cycle::{Event as BodyEvent, LaneId, Merge, State};
use guests::{End, GuestTurn, Hook, TurnInput};

use super::{Event, GuestInput, GuestResult, Operation, guest_input};
use robot::live;

pub(super) fn number_of_state(state: State) -> u32 {
    state as u32
}

/// The number of this merge: `cycle::Merge` is numbered as the message's `Merge` is.
pub(super) fn number_of_merge(merge: Merge) -> i32 {
    i32::from(merge as u8)
}

/// The merge of this number.
pub(super) fn merge_of(number: i32) -> Option<Merge> {
    Merge::of_number(u64::try_from(number).ok()?)
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
    let found = OPERATIONS.iter().find(|pair| pair.0 == operation);
    found.map_or(Operation::Nothing, |pair| pair.1)
}

/// The operation of this number.
pub(super) fn operation_of(number: i32) -> Option<live::Operation> {
    let found = OPERATIONS
        .iter()
        .find(|operation| operation.1 as i32 == number);
    found.map(|pair| pair.0)
}

pub(super) fn guest_input_of(input: &TurnInput) -> GuestInput {
    let (kind, guest, number, value, words) = match *input {
        TurnInput::Enter(id) => (guest_input::Kind::Enter, id, 0, 0.0, [0; 4]),
        TurnInput::End(id, end) => (guest_input::Kind::End, id, end as u32, 0.0, [0; 4]),
        TurnInput::Pause(id, paused) => {
            (guest_input::Kind::Pause, id, u32::from(paused), 0.0, [0; 4])
        }
        TurnInput::Turn(id, param, value) => {
            (guest_input::Kind::Parameter, id, param, value, [0; 4])
        }
        TurnInput::Priority(id, value) => (guest_input::Kind::Priority, id, 0, value, [0; 4]),
        TurnInput::Weight(id, value) => (guest_input::Kind::Weight, id, 0, value, [0; 4]),
        TurnInput::Swap(old, new, fade) => (
            guest_input::Kind::Swap,
            old,
            new.0,
            0.0,
            [fade.nanos(), 0, 0, 0],
        ),
        TurnInput::Item(id, words) => (guest_input::Kind::Item, id, 0, 0.0, words),
        TurnInput::Waits(id, words) => (guest_input::Kind::ItemWaits, id, 0, 0.0, words),
        TurnInput::Over(id, end) => (guest_input::Kind::ScoreEnded, id, end as u32, 0.0, [0; 4]),
        TurnInput::Cut(id, hook) => (guest_input::Kind::Interrupted, id, hook as u32, 0.0, [0; 4]),
        TurnInput::PassedOver(id, hook) => {
            (guest_input::Kind::PassedOver, id, hook as u32, 0.0, [0; 4])
        }
    };
    let [a, b, c, d] = words;
    GuestInput {
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

/// The input that this message encodes; `None` if it cannot have been. `id` says which guest a number means now.
pub(super) fn input_of(
    input: &GuestInput,
    id: impl Fn(u32) -> Option<guests::GuestId>,
) -> Option<TurnInput> {
    let guest = id(input.guest)?;
    let end = || End::ALL.get(input.number as usize).copied();
    let words = [input.a, input.b, input.c, input.d];
    Some(match input.kind() {
        guest_input::Kind::None => return None,
        guest_input::Kind::Enter => TurnInput::Enter(guest),
        guest_input::Kind::End => TurnInput::End(guest, end()?),
        guest_input::Kind::Pause => TurnInput::Pause(guest, input.number != 0),
        guest_input::Kind::Parameter => TurnInput::Turn(guest, input.number, input.value),
        guest_input::Kind::Priority => TurnInput::Priority(guest, input.value),
        guest_input::Kind::Weight => TurnInput::Weight(guest, input.value),
        guest_input::Kind::Swap => {
            TurnInput::Swap(guest, id(input.number)?, cycle::Span::from_nanos(input.a))
        }
        guest_input::Kind::Item => TurnInput::Item(guest, words),
        guest_input::Kind::ItemWaits => TurnInput::Waits(guest, words),
        guest_input::Kind::ScoreEnded => TurnInput::Over(guest, end()?),
        guest_input::Kind::Interrupted => {
            TurnInput::Cut(guest, *Hook::ALL.get(input.number as usize)?)
        }
        guest_input::Kind::PassedOver => {
            TurnInput::PassedOver(guest, *Hook::ALL.get(input.number as usize)?)
        }
    })
}

pub(super) fn guest_result_of(turn: GuestTurn) -> GuestResult {
    let fuel = |hook: Hook| turn.fuel[hook as usize];
    GuestResult {
        guest: turn.id.0,
        life: turn.life as u32,
        end: turn.end as u32,
        pre_process: fuel(Hook::PreProcess),
        post_process: fuel(Hook::PostProcess),
        is_alive: fuel(Hook::IsAlive),
        lane: turn.lane,
    }
}

pub(super) fn of_event(at: u64, event: BodyEvent) -> Event {
    let mut value = Event {
        at,
        kind: event.kind() as u32,
        ..Event::default()
    };
    let lane = event.lane().map_or(0, LaneId::number);
    let actuator = match event {
        BodyEvent::Skipped(_, actuator)
        | BodyEvent::Deferred(_, actuator)
        | BodyEvent::Arrived(_, actuator)
        | BodyEvent::Fired(actuator)
        | BodyEvent::Impossible(actuator)
        | BodyEvent::Astray(actuator)
        | BodyEvent::Weakened(actuator) => actuator.0,
        BodyEvent::BoardMissing(board, error)
        | BodyEvent::BoardSilent(board, error)
        | BodyEvent::BoardLost(board, error)
        | BodyEvent::BoardError(board, error) => {
            (value.board, value.error) = (u32::from(board.0), u32::from(error));
            0
        }
        BodyEvent::BoardBack(board) => {
            value.board = u32::from(board.0);
            0
        }
        BodyEvent::Entered(state) => {
            value.state = number_of_state(state);
            0
        }
        _ => 0,
    };
    (value.lane, value.actuator) = (lane, u32::from(actuator));
    value
}

/// The event that this record encodes, for its sentence.
pub(super) fn event_of(value: &Event) -> Option<BodyEvent> {
    let lane = LaneId::of_number(value.lane);
    let actuator = cycle::ActuatorId(u16::try_from(value.actuator).ok()?);
    let board = cycle::BoardId(u8::try_from(value.board).ok()?);
    let error = u16::try_from(value.error).ok()?;
    let state = *State::ALL.get(value.state as usize)?;
    let all = [
        BodyEvent::Overrun,
        BodyEvent::ClockStood,
        BodyEvent::Skipped(lane, actuator),
        BodyEvent::Late(lane),
        BodyEvent::Deferred(lane, actuator),
        BodyEvent::Fired(actuator),
        BodyEvent::Arrived(lane, actuator),
        BodyEvent::BoardMissing(board, error),
        BodyEvent::BoardLost(board, error),
        BodyEvent::BoardBack(board),
        BodyEvent::LaneOpened(lane),
        BodyEvent::LaneEnding(lane),
        BodyEvent::LaneGone(lane),
        BodyEvent::LaneSilent(lane),
        BodyEvent::Overridden(lane),
        BodyEvent::Evicted(lane),
        BodyEvent::Refused(lane),
        BodyEvent::Entered(state),
        BodyEvent::Impossible(actuator),
        BodyEvent::Astray(actuator),
        BodyEvent::Weakened(actuator),
        BodyEvent::BoardError(board, error),
        BodyEvent::BoardSilent(board, error),
    ];
    all.into_iter()
        .find(|event| event.kind() as u32 == value.kind)
}
