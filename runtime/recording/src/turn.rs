//! A turn as it is recorded: its requests, the boards' answers, and its results. Filled by the loop's tape and by a
//! replay, with the same functions.
//! Filling a turn that was made here allocates nothing; what has no room is marked as missing.

use cycle::{ActuatorId, LaneId, Merge, Report, View};
use guests::GuestScheduler;

use super::codes::{
    guest_input_of, guest_result_of, number_of_merge, number_of_state, of_event, of_operation,
};
use super::lanes;
use super::{Answer, Command, Fire, RecordedRequest, Turn, recorded_request};
use description::Robot;
use robot::live;
use robot::live::{COMMANDS_MAX, MoveCommands, MoveRequest, PreparedPiece};

/// Requests, guests' inputs and events of one turn, and the parts of moves.
const REQUESTS: usize = 256;
const GUEST_INPUTS: usize = 16_384 + 256;
const EVENTS: usize = 1_024;
const MOVES: usize = 196_608;

/// The most bytes of a turn with all of this: a message is little larger than its fields.
pub(super) const TURN_MAX: usize = 6 << 20;

impl Turn {
    /// An empty turn with room for all that a turn of this robot can have.
    pub(super) fn with_room(robot: &Robot) -> Turn {
        let (actuators, sensors) = (robot.actuators.len(), robot.sensors.len());
        Turn {
            requests: Vec::with_capacity(REQUESTS),
            move_actuators: Vec::with_capacity(MOVES),
            move_after: Vec::with_capacity(MOVES),
            move_values: Vec::with_capacity(MOVES),
            guest_inputs: Vec::with_capacity(GUEST_INPUTS),
            counts: Vec::with_capacity(sensors),
            answers: Vec::with_capacity(robot.boards.len()),
            commanded: Vec::with_capacity(actuators),
            limited: Vec::with_capacity(actuators),
            sent: Vec::with_capacity(actuators),
            clipped: Vec::with_capacity(actuators),
            sensors: Vec::with_capacity(sensors),
            fires: Vec::with_capacity(EVENTS),
            commands: Vec::with_capacity(COMMANDS_MAX),
            events: Vec::with_capacity(EVENTS),
            guests: Vec::with_capacity(guests::GUESTS),
            operations_after: Vec::with_capacity(8),
            ..Turn::default()
        }
    }

    /// Adds a request to the loop, made in the turn or `between` turns.
    pub(super) fn add_order(
        &mut self,
        asked: &live::LoopRequest,
        lane: Option<LaneId>,
        between: bool,
    ) {
        let mut request = RecordedRequest {
            between,
            lane: lane.map(LaneId::number),
            ..RecordedRequest::default()
        };
        let kind = match asked {
            live::LoopRequest::Move(asked) => match self.add_move(&mut request, asked) {
                Some(kind) => kind,
                None => return,
            },
            live::LoopRequest::Prepare(piece) => match self.add_piece(&mut request, piece) {
                Some(kind) => kind,
                None => return,
            },
            live::LoopRequest::TakePrepared => recorded_request::Kind::TakePrepared,
            live::LoopRequest::Cancel(ticket) => {
                request.ticket = ticket.0;
                recorded_request::Kind::Cancel
            }
            live::LoopRequest::Calibrate(joint, change) => {
                request.joint = joint.0.into();
                (request.value, request.moves_zero) = match *change {
                    cycle::ZeroChange::IsAt(value) => (value, false),
                    cycle::ZeroChange::To(trim) => (trim, true),
                };
                recorded_request::Kind::Calibrate
            }
            live::LoopRequest::Lane(asked) => match lanes::recorded(asked) {
                Some((kind, settings)) => {
                    request.lane_settings = Some(settings);
                    kind
                }
                None => return,
            },
            // They change nothing.
            live::LoopRequest::Progress(_)
            | live::LoopRequest::Pending(_)
            | live::LoopRequest::Driving(_)
            | live::LoopRequest::CanStart => return,
            live::LoopRequest::Operate(operation) => {
                request.operation = of_operation(*operation) as i32;
                recorded_request::Kind::Operate
            }
            live::LoopRequest::Simulate(_) => recorded_request::Kind::Simulate,
            live::LoopRequest::Step(_) => recorded_request::Kind::Step,
            live::LoopRequest::Quit => recorded_request::Kind::Quit,
        };
        request.kind = kind as i32;
        push(&mut self.requests, request, &mut self.incomplete);
    }

    /// Adds the parts of a move; `None` if there is no room for them.
    fn add_move(
        &mut self,
        request: &mut RecordedRequest,
        asked: &MoveRequest,
    ) -> Option<recorded_request::Kind> {
        request.merge = number_of_merge(asked.merge);
        match &asked.commands {
            MoveCommands::Rows { after, values, .. } => {
                self.fits(request, asked.to.len(), after.len(), values.len())
                    .then_some(())?;
                self.move_actuators
                    .extend(asked.to.iter().map(|id| u32::from(id.0)));
                self.move_after
                    .extend(after.iter().map(|span| span.nanos()));
                self.move_values.extend_from_slice(values);
                Some(recorded_request::Kind::Move)
            }
            MoveCommands::Lists(lists) => {
                self.add_lists(request, &asked.to, lists)?;
                Some(recorded_request::Kind::Schedule)
            }
        }
    }

    /// Adds a piece of a long move; `None` if there is no room for it.
    fn add_piece(
        &mut self,
        request: &mut RecordedRequest,
        piece: &PreparedPiece,
    ) -> Option<recorded_request::Kind> {
        request.begins = piece.begins.is_some();
        request.merge = number_of_merge(piece.begins.unwrap_or(Merge::Merge));
        self.add_lists(request, &piece.to, &piece.lists)?;
        Some(recorded_request::Kind::Prepare)
    }

    /// Adds lists of commands, with their lengths before their instants.
    fn add_lists(
        &mut self,
        request: &mut RecordedRequest,
        to: &[ActuatorId],
        lists: &[Vec<cycle::Command>],
    ) -> Option<()> {
        let commands = lists.iter().map(Vec::len).sum();
        self.fits(request, to.len(), lists.len() + commands, commands)
            .then_some(())?;
        self.move_actuators
            .extend(to.iter().map(|id| u32::from(id.0)));
        self.move_after
            .extend(lists.iter().map(|item| item.len() as u64));
        let instants = lists.iter().flatten().map(|item| item.at.nanos());
        self.move_after.extend(instants);
        let values = lists.iter().flatten().map(|item| item.value);
        self.move_values.extend(values);
        Some(())
    }

    /// Whether there is room for the parts of a move. Their numbers go into its request.
    fn fits(
        &mut self,
        request: &mut RecordedRequest,
        actuators: usize,
        instants: usize,
        values: usize,
    ) -> bool {
        (request.actuators, request.instants, request.values) =
            (actuators as u32, instants as u32, values as u32);
        let fits = self.move_actuators.len() + actuators <= MOVES
            && self.move_after.len() + instants <= MOVES
            && self.move_values.len() + values <= MOVES;
        self.incomplete |= !fits;
        fits
    }

    /// Adds an operation that the loop itself did after the turn.
    pub(super) fn add_afterwards(&mut self, operation: live::Operation) {
        push(
            &mut self.operations_after,
            of_operation(operation) as i32,
            &mut self.incomplete,
        );
    }

    /// Adds everything else of a turn that was made. Results without room are dropped: a replay does not need them.
    /// `events` counts the entries of the loop's event log that were recorded.
    pub(super) fn add_results(
        &mut self,
        view: &View<'_>,
        report: &Report,
        scheduler: Option<&GuestScheduler>,
        events: &mut u64,
    ) {
        (self.number, self.now) = (view.turn, view.now.nanos());
        self.counts.extend_from_slice(view.counts);
        self.answers
            .extend(view.answers.iter().map(|answer| Answer {
                answered: answer.answered,
                acknowledged: answer.acknowledged,
                error: u32::from(answer.error),
            }));
        self.state = number_of_state(view.state);
        (self.power, self.late) = (view.power, report.late);
        let tracks = || view.tracks.iter();
        self.commanded.extend(tracks().map(|track| track.commanded));
        self.limited.extend(tracks().map(|track| track.limited));
        self.sent.extend(tracks().map(|track| track.sent));
        let clipped = tracks().map(|track| u32::from(track.clipped_now));
        self.clipped.extend(clipped);
        self.sensors.extend_from_slice(view.sensors);
        for fire in view.fires {
            let value = Fire {
                actuator: u32::from(fire.actuator.0),
                counts: fire.counts,
                due: fire.at.nanos(),
            };
            push(&mut self.fires, value, &mut false);
        }
        self.unrecorded_commands = view.taken_lost;
        for taken in view.taken {
            let value = Command {
                lane: taken.lane.number(),
                actuator: u32::from(taken.actuator.0),
                at: taken.at.nanos(),
                asked: taken.asked,
                taken: taken.taken,
                merge: number_of_merge(taken.merge),
            };
            push(&mut self.commands, value, &mut false);
        }
        for (number, entry) in view.events.since(*events) {
            *events = number + 1;
            let event = of_event(entry.at.nanos(), entry.event);
            push(&mut self.events, event, &mut false);
        }
        let Some(scheduler) = scheduler else { return };
        let (input, whole) = scheduler.inputs();
        self.incomplete |= !whole;
        for input in input {
            push(
                &mut self.guest_inputs,
                guest_input_of(input),
                &mut self.incomplete,
            );
        }
        for guest_turn in scheduler.guest_turns(view.turn) {
            push(&mut self.guests, guest_result_of(guest_turn), &mut false);
        }
    }

    /// Empties it for the next turn, and keeps its room.
    pub(super) fn reset(&mut self) {
        self.requests.clear();
        self.move_actuators.clear();
        self.move_after.clear();
        self.move_values.clear();
        self.guest_inputs.clear();
        self.counts.clear();
        self.answers.clear();
        self.commanded.clear();
        self.limited.clear();
        self.sent.clear();
        self.clipped.clear();
        self.sensors.clear();
        self.fires.clear();
        self.commands.clear();
        self.events.clear();
        self.guests.clear();
        self.operations_after.clear();
        (self.incomplete, self.checksum) = (false, 0);
    }
}

/// Appends an item if there is room.
fn push<T>(list: &mut Vec<T>, one: T, cut: &mut bool) {
    if list.len() < list.capacity() {
        list.push(one);
    } else {
        *cut = true;
    }
}
