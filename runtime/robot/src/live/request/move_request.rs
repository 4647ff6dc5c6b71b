//! A request for timed commands, and how the loop submits it to the stage.
//! Made by the request handler, the guests' demo and a replay; carried out by the loop's inbox. It is accepted
//! whole or refused whole, and the turn allocates nothing for it.

use cycle::{
    ActuatorId, Command, CommandSet, Instant, Kind, LaneId, Merge, NotNow, Refusal, Request, Span,
    Stage, State, To,
};

use super::LoopAnswer;

/// The maximum number of lists in a request.
pub const LISTS_MAX: usize = 512;

/// Timed commands for actuators. It owns its memory, because it crosses threads; in its turn it becomes a
/// [`cycle::Request`].
#[derive(Clone, Debug, PartialEq)]
pub struct MoveRequest {
    /// The actuators.
    pub to: Vec<ActuatorId>,
    /// How the commands merge with waiting ones.
    pub merge: Merge,
    /// The commands.
    pub commands: MoveCommands,
}

/// The commands of a request, in one of two forms.
#[derive(Clone, Debug, PartialEq)]
pub enum MoveCommands {
    /// A row of values for each actuator, one value for each time.
    Rows {
        /// The times, from the turn that accepts the request.
        after: Vec<Span>,
        /// The values: all of the first actuator, then all of the second.
        values: Vec<f64>,
        /// Room for the instants of that turn.
        instants: Vec<Instant>,
    },
    /// Commands at instants of the robot's time, as DCM clients send them: one list for each actuator, or one for all.
    Lists(Vec<Vec<Command>>),
}

impl MoveRequest {
    /// Values at these times for these actuators.
    pub fn new(
        to: Vec<ActuatorId>,
        merge: Merge,
        after: Vec<Span>,
        values: Vec<f64>,
    ) -> MoveRequest {
        let commands = MoveCommands::Rows {
            instants: vec![Instant::ZERO; after.len()],
            after,
            values,
        };
        MoveRequest {
            to,
            merge,
            commands,
        }
    }
}

/// Submits the request in this lane.
pub fn submit(asked: &mut MoveRequest, lane: LaneId, stage: &mut Stage<'_>) -> LoopAnswer {
    let MoveRequest {
        to,
        merge,
        commands,
    } = asked;
    // A request that only removes commands is possible at any time.
    let adds = match commands {
        MoveCommands::Rows { .. } => true,
        MoveCommands::Lists(lists) => lists.iter().any(|item| !item.is_empty()),
    };
    if let Some(not_now) = not_now(to.iter().copied(), stage).filter(|_| adds) {
        return LoopAnswer::NotNow(not_now);
    }
    let mut borrowed: [&[Command]; LISTS_MAX] = [&[]; LISTS_MAX];
    let set = match &mut *commands {
        MoveCommands::Rows {
            after,
            values,
            instants,
        } => {
            let now = stage.now();
            for (instant, after) in instants.iter_mut().zip(after) {
                *instant = now + *after;
            }
            CommandSet::Separate {
                times: instants,
                values,
            }
        }
        MoveCommands::Lists(lists) => match lists.as_slice() {
            [one] => CommandSet::Same(one),
            several => {
                for (place, list) in borrowed.iter_mut().zip(several) {
                    *place = list;
                }
                // With more lists than the maximum, the number no longer fits, and the cycle refuses the request.
                CommandSet::Mixed(&borrowed[..several.len().min(LISTS_MAX)])
            }
        },
    };
    let request = Request {
        to: To::Many(to),
        merge: *merge,
        commands: set,
    };
    let taken = match stage.offer(lane, &request) {
        // Tried again, in a next turn or in pieces.
        Err(refusal @ (Refusal::Busy { .. } | Refusal::LaneFull { .. })) => Err(refusal),
        // The event log has it.
        Err(_) => stage.submit(lane, &request),
        taken => taken,
    };
    match taken {
        Ok(receipt) => {
            let remarks = MoveRemarks::of(to.iter().copied(), lane, stage);
            let remarks = match commands {
                MoveCommands::Rows { after, values, .. } => remarks.at(to, after, values, stage),
                MoveCommands::Lists(_) => remarks,
            };
            LoopAnswer::Taken(receipt, remarks)
        }
        Err(refusal) => LoopAnswer::Refused(refusal),
    }
}

/// Why these actuators cannot move now, if so: their commands would run out before the body can move. Lights work in
/// every state.
pub(super) fn not_now(
    to: impl IntoIterator<Item = ActuatorId>,
    stage: &Stage<'_>,
) -> Option<NotNow> {
    let actuators = stage.body().actuators;
    let mut kinds = to
        .into_iter()
        .filter_map(|pair| actuators.get(usize::from(pair.0)));
    let moves = kinds.any(|kind| kind.kind != Kind::Light);
    let state = stage.state();
    (moves && state != State::Running).then_some(NotNow::State(state))
}

/// How many actuators will not follow their commands as expected, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveRemarks {
    /// Another lane drives them as well.
    pub shared: u32,
    /// They have no stiffness.
    pub limp: u32,
    /// The position of a coupled joint limits them.
    pub coupled: u32,
    /// The time that the slowest joint needs at its maximum velocity, if the request allows less.
    pub needs: Span,
}

impl MoveRemarks {
    pub(super) fn of(
        to: impl IntoIterator<Item = ActuatorId>,
        lane: LaneId,
        stage: &Stage<'_>,
    ) -> MoveRemarks {
        let tracks = stage.tracks();
        let mut remarks = MoveRemarks::default();
        for pair in to {
            let is_limp = tracks
                .get(usize::from(pair.0))
                .is_some_and(|track| track.limp);
            remarks.shared += u32::from(stage.is_shared(lane, pair));
            remarks.limp += u32::from(is_limp);
        }
        remarks
    }

    /// Adds what the body's velocities and couplings mean for the first values of these rows.
    fn at(
        self,
        to: &[ActuatorId],
        after: &[Span],
        values: &[f64],
        stage: &Stage<'_>,
    ) -> MoveRemarks {
        let (body, tracks) = (stage.body(), stage.tracks());
        let firsts = to.iter().zip(values.chunks(after.len().max(1)));
        let mut remarks = self;
        for (id, values) in firsts {
            let place = usize::from(id.0);
            let (Some(actuator), Some(track)) = (body.actuators.get(place), tracks.get(place))
            else {
                continue;
            };
            let (Some(first), Some(after)) = (values.first(), after.first()) else {
                continue;
            };
            let way = (actuator.range.clamp(*first) - track.limited).abs();
            let needs = Span::from_nanos((way / actuator.velocity * 1e9) as u64);
            // A difference of a turn is not reported.
            if needs.seconds() > after.seconds() * 1.02 + 0.01 {
                remarks.needs = remarks.needs.max(needs);
            }
            let mut couplings = body
                .couplings
                .iter()
                .filter(|coupling| coupling.driven == *id);
            let keeps = couplings.any(|coupling| {
                let stands = tracks[usize::from(coupling.driver.0)].limited;
                !coupling
                    .range_at(stands)
                    .holds(actuator.range.clamp(*first))
            });
            remarks.coupled += u32::from(keeps);
        }
        remarks
    }
}
