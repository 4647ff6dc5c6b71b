//! Replay: the same bytes, the same body, the same turns, compared value by value.
//! Called by `dcm-run replay`.
//! Inputs are taken from the recording, and everything that follows from them is computed anew: motions are
//! called, lanes sampled, limits applied. A score is run again if the recording is of virtual time and the score was
//! granted nothing of the outside world; otherwise it sends what it sent.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use cycle::{Board, Cycle, Inbox, Incoming, Instant, LaneId, Outgoing, Ports, Span, Stage};
use guests::{
    Cache, Compiler, GuestId, GuestScheduler, LoadOptions, PendingGuest, ReplayedScore, THINKING,
    TurnInput,
};
use sensors::PageWriter;

use super::codes::{input_of, operation_of};
use super::difference::{ReplayDifference, first};
use super::orders::{RecordedOrder, orders};
use super::{Guest, Recording, Turn, guest_input};
use robot::guest_service::{GuestService, StartedGuests};
use robot::live::COMMANDS_MAX;
use robot::live::{self, AssembleOptions, assemble_with, carry_out_commands, operate};

/// How a recording is replayed.
#[derive(Debug, Default)]
pub struct ReplayOptions {
    /// What compiles guests. Default: this process.
    pub compiler: Compiler,
    /// Machine code that was compiled before. Default: what this replay has compiled.
    pub cache: Cache,
    /// The page that shows the replay to others. Default: a private page.
    pub page: Option<PageWriter>,
}

/// The result of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayVerdict {
    /// Turns that are the same.
    pub same: u64,
    /// The instant of the last of them, ns.
    pub until: u64,
    /// The first value that differs.
    pub difference: Option<ReplayDifference>,
    /// Why the replay could not go on to the end.
    pub stopped: Option<String>,
    /// Guests that were run replayer.
    pub run: usize,
    /// Scores that were not run again, but sent what they had sent.
    pub echoed: usize,
}

impl ReplayVerdict {
    /// Whether every turn is the same in every bit, as far as the recording goes.
    pub fn is_identical(&self) -> bool {
        self.difference.is_none() && self.stopped.is_none()
    }
}

/// Replays a recording, and compares every turn. `each` sees every turn before it is made, and may end the replay.
///
/// # Errors
/// A sentence: this machine cannot replay it at all.
pub fn replay(
    recording: &Recording,
    options: ReplayOptions,
    mut each: impl FnMut(&Turn) -> ControlFlow<()>,
) -> Result<ReplayVerdict, String> {
    let robot = &recording.robot;
    let page = options.page.map_or_else(|| live::private_page(robot), Ok);
    let mut page = page.map_err(|error| format!("there is no memory for the page: {error}"))?;
    let started = GuestService::start(
        robot,
        page.window(),
        robot::guest_service::GuestServiceSettings {
            form: recording.form,
            lockstep: Some(THINKING),
            logged: false,
            compiler: options.compiler,
            cache: options.cache,
        },
    )?;
    let StartedGuests {
        service,
        mut scheduler,
        ..
    } = started;
    scheduler.log_inputs();
    for topic in &recording.topics {
        service.manager().number_topic(topic.number, &topic.name);
    }
    let options = AssembleOptions {
        taken: COMMANDS_MAX,
        has_clients: true,
    };
    let played = assemble_with(robot, options, |cycle, _| {
        let lane = live::open_client_lane(robot, cycle.stage());
        let mut replayer = Replayer {
            recording,
            service: &service,
            lane,
            made: HashMap::new(),
            next: 0,
            replayed: HashMap::new(),
            verdict: ReplayVerdict {
                same: 0,
                until: 0,
                difference: None,
                stopped: None,
                run: 0,
                echoed: 0,
            },
        };
        replayer.play(cycle, &mut scheduler, &mut page, &mut each);
        replayer.verdict
    });
    played.map_err(|error| error.to_string())
}

struct Replayer<'a> {
    recording: &'a Recording,
    service: &'a GuestService,
    lane: LaneId,
    /// Guests that are made and not yet admitted.
    made: HashMap<u32, PendingGuest>,
    /// The index of the next guest.
    next: usize,
    replayed: HashMap<GuestId, ReplayedScore>,
    verdict: ReplayVerdict,
}

impl Replayer<'_> {
    fn play(
        &mut self,
        cycle: &mut Cycle<'_>,
        scheduler: &mut GuestScheduler,
        page: &mut PageWriter,
        each: &mut impl FnMut(&Turn) -> ControlFlow<()>,
    ) {
        let (mut made, mut events) = (Turn::with_room(&self.recording.robot), 0);
        let mut damaged_at = None;
        for read in self.recording.each_turn() {
            let turn = &read.turn;
            if !read.sealed {
                // The next turn tells how many are missing.
                damaged_at = damaged_at.or(Some(read.at));
                continue;
            }
            damaged_at = None;
            if each(turn).is_break() {
                self.verdict.stopped = Some("it was stopped".to_owned());
                return;
            }
            let prepared = self.expect(turn).and_then(|()| self.prepare(turn));
            let orders = prepared.and_then(|()| orders(turn));
            let mut orders = match orders {
                Ok(orders) => orders,
                Err(why) => {
                    self.verdict.stopped = Some(why);
                    return;
                }
            };
            for order in &mut orders {
                if order.between {
                    carry_out(order, self.lane, cycle.stage());
                }
            }
            let mut ports = Ports {
                inbox: &mut RecordedInbox {
                    orders: &mut orders,
                    lane: self.lane,
                },
                hooks: &mut *scheduler,
                board: &mut RecordedBoards(turn),
                page: &mut *page,
            };
            let report = cycle.turn(Instant::from_nanos(turn.now), &mut ports);
            for operation in turn
                .operations_after
                .iter()
                .filter_map(|item| operation_of(*item))
            {
                operate(operation, cycle.stage());
            }
            made.reset();
            made.add_results(&cycle.view(), &report, Some(&*scheduler), &mut events);
            self.service.manager().housekeep();
            while self.service.next_log_line().is_some() {}
            if let Some(difference) = first(turn, &made, &self.recording.run) {
                self.verdict.difference = Some(difference);
                return;
            }
            (self.verdict.same, self.verdict.until) = (turn.number, turn.now);
        }
        self.verdict.stopped = damaged_at.map(|at| {
            let first = self.verdict.same + 1;
            format!("the turns from {first} on are damaged, at byte {at}")
        });
    }

    /// Checks that this turn follows the last one, and is complete.
    fn expect(&self, turn: &Turn) -> Result<(), String> {
        let expected = self.verdict.same + 1;
        if turn.number != expected {
            return Err(if turn.number > expected {
                self.recording.gap_before(turn, expected)
            } else {
                format!("turn {} stands where turn {expected} belongs", turn.number)
            });
        }
        if turn.incomplete {
            return Err(format!(
                "turn {} had more requests than a recording has room for",
                turn.number
            ));
        }
        let robot = &self.recording.robot;
        if turn.counts.len() != robot.sensors.len() || turn.answers.len() != robot.boards.len() {
            return Err(format!("turn {} is of another robot", turn.number));
        }
        Ok(())
    }

    /// Makes the guests that are admitted, and repeats the inputs of this turn.
    fn prepare(&mut self, turn: &Turn) -> Result<(), String> {
        while let Some((guest, bytes)) = self.recording.guests.get(self.next) {
            if guest.started >= turn.number {
                break;
            }
            self.next += 1;
            self.make(guest, bytes)?;
        }
        let manager = self.service.manager();
        for guest_input in &turn.guest_inputs {
            let invalid = || format!("turn {} has an invalid message for a guest", turn.number);
            let input =
                input_of(guest_input, |number| Some(GuestId(number))).ok_or_else(invalid)?;
            match input {
                TurnInput::Enter(GuestId(number)) | TurnInput::Swap(_, GuestId(number), _) => {
                    let ready = self.made.remove(&number).ok_or_else(|| {
                        format!(
                            "guest {number}, which is admitted in turn {}, is missing",
                            turn.number
                        )
                    })?;
                    let admitted = manager.admit(ready).map(|_| ());
                    admitted.map_err(|error| format!("guest {number} is not admitted: {error}"))?;
                }
                TurnInput::Item(id, words) | TurnInput::Waits(id, words) => {
                    let is_taken = guest_input.kind() == guest_input::Kind::Item;
                    if let Some(score) = self.replayed.get_mut(&id)
                        && !score.send(words, is_taken)
                    {
                        return Err(format!(
                            "turn {} has more than a score can send",
                            turn.number
                        ));
                    }
                }
                TurnInput::Over(id, end) => {
                    if let Some(score) = self.replayed.get_mut(&id) {
                        score.end(end);
                    }
                }
                // Whoever it is about may have gone by itself: then it meant nothing then either.
                other => _ = manager.repeat(&other),
            }
        }
        Ok(())
    }

    fn make(&mut self, guest: &Guest, bytes: &Arc<[u8]>) -> Result<(), String> {
        let manager = self.service.manager();
        manager.housekeep();
        manager.count_from(guest.number);
        let file = Some(guest.file.as_str()).filter(|value| !value.is_empty());
        let swaps = (guest.swaps > 0).then(|| (GuestId(guest.swaps), Span::from_nanos(guest.fade)));
        let refused =
            |error: guests::GuestError| format!("`{}` is not admitted: {error}", guest.name);
        let ready = if guest.world == "score" && !guest.runs_again {
            let made = self
                .service
                .make_replayed_score(bytes, file, load_options(guest));
            let (ready, score) = made.map_err(refused)?;
            self.replayed.insert(ready.id(), score);
            self.verdict.echoed += 1;
            ready
        } else {
            self.verdict.run += 1;
            self.service
                .make(bytes, file, load_options(guest), swaps)
                .map_err(refused)?
        };
        self.made.insert(guest.number, ready);
        Ok(())
    }
}

fn load_options(guest: &Guest) -> LoadOptions {
    LoadOptions {
        name: guest.requested_name.clone(),
        from: "the recording".to_owned(),
        priority: guest.priority,
        weight: guest.weight,
        mask: guest.masked.then(|| guest.mask.clone()),
        params: guest.params.clone().into_iter().collect(),
        keep: guest.keep,
    }
}

fn carry_out(order: &mut RecordedOrder, shared: LaneId, stage: &mut Stage<'_>) {
    if let live::LoopRequest::Operate(operation) = &order.asked {
        operate(*operation, stage);
    } else {
        carry_out_commands(&mut order.asked, order.lane, shared, stage);
    }
}

/// The requests of a turn, in place of the loop's inbox.
struct RecordedInbox<'o> {
    orders: &'o mut [RecordedOrder],
    lane: LaneId,
}

impl Inbox for RecordedInbox<'_> {
    fn take_in(&mut self, stage: &mut Stage<'_>) {
        for order in self.orders.iter_mut() {
            if !order.between {
                carry_out(order, self.lane, stage);
            }
        }
    }
}

/// The answers of a turn, in place of the boards.
struct RecordedBoards<'t>(&'t Turn);

impl Board for RecordedBoards<'_> {
    fn exchange(&mut self, _: &Outgoing<'_>, back: &mut Incoming<'_>) {
        back.counts.copy_from_slice(&self.0.counts);
        for (answer, said) in back.answers.iter_mut().zip(&self.0.answers) {
            answer.answered = said.answered;
            answer.acknowledged = said.acknowledged;
            answer.error = u16::try_from(said.error).unwrap_or(u16::MAX);
        }
    }
}
