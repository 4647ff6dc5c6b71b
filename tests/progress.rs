//! How far followed requests are, compared with a plain model: a list of commands for each actuator, and the number of
//! the request of each of them.

use std::collections::BTreeMap;

use cycle::{
    ActuatorId, Command, CommandSet, Cycle, Instant, LaneId, LaneSettings, Merge, Plan, Refusal,
    Remover, Request, Span, State, Ticket, To,
};
use scripting::memory::CycleStore;
use tests::{bare, body, joints, lane, plan, start, turn};

const ACTUATORS: u16 = 4;
const PERIOD: Span = Span::from_millis(10);

/// What the model knows of a request.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Told {
    commands: u32,
    executed: u32,
    missed: u32,
    removed: u32,
    remover: Remover,
    until: u64,
    ended_at: Option<u64>,
}

#[derive(Default)]
struct Model {
    /// For each actuator: the instant of each command, and its request's number.
    waiting: [Vec<(u64, u32)>; ACTUATORS as usize],
    told: BTreeMap<u32, Told>,
}

impl Model {
    fn remove(&mut self, of: u16, now: u64, by: Remover, goes: impl Fn(u64, u32) -> bool) {
        let list = &mut self.waiting[usize::from(of)];
        for (_, ticket) in list.extract_if(.., |pair| goes(pair.0, pair.1)) {
            let Some(told) = self.told.get_mut(&ticket) else {
                continue;
            };
            told.removed += 1;
            told.remover = by;
            told.end(now);
        }
    }

    fn take(&mut self, ticket: u32, merge: Merge, parts: &[(ActuatorId, Vec<Command>)], now: u64) {
        let (mut commands, mut until) = (0, now);
        for (of, list) in parts {
            let sound = || list.iter().filter(|item| !item.value.is_nan());
            let (first, last) = (
                sound().map(|value| value.at.nanos()).min(),
                sound().map(|value| value.at.nanos()).max(),
            );
            // A list of nothing but NaN leaves its actuator alone.
            if !list.is_empty() && first.is_none() {
                continue;
            }
            let by = Remover::Request(Ticket(ticket));
            match (merge, first, last) {
                (Merge::ClearAll, ..) => self.remove(of.0, now, by, |_, _| true),
                (Merge::ClearAfter, Some(first), _) => {
                    self.remove(of.0, now, by, |at, _| at >= first);
                }
                (Merge::ClearBefore, _, Some(last)) => {
                    self.remove(of.0, now, by, |at, _| at <= last);
                }
                _ => {}
            }
            for item in sound() {
                self.waiting[usize::from(of.0)].push((item.at.nanos(), ticket));
                commands += 1;
                until = until.max(item.at.nanos());
            }
        }
        let mut told = Told {
            commands,
            executed: 0,
            missed: 0,
            removed: 0,
            remover: Remover::Nobody,
            until,
            ended_at: None,
        };
        told.end(now);
        self.told.insert(ticket, told);
    }

    /// Executes what is due.
    fn turn(&mut self, now: u64, follows: bool) {
        for list in &mut self.waiting {
            for (_, ticket) in list.extract_if(.., |pair| pair.0 <= now) {
                if let Some(told) = self.told.get_mut(&ticket) {
                    told.executed += 1;
                    told.missed += u32::from(!follows);
                    told.end(now);
                }
            }
        }
    }
}

impl Told {
    fn end(&mut self, now: u64) {
        if self.executed + self.removed == self.commands {
            self.ended_at = Some(now);
        }
    }
}

fn random_parts(random: &mut fastrand::Rng, now: u64) -> Vec<(ActuatorId, Vec<Command>)> {
    let mut ids: Vec<_> = (0..ACTUATORS).map(ActuatorId).collect();
    random.shuffle(&mut ids);
    ids.truncate(random.usize(1..=usize::from(ACTUATORS)));
    let list = |random: &mut fastrand::Rng| {
        let command = |random: &mut fastrand::Rng| Command {
            at: Instant::from_nanos((now + random.u64(..600_000_000)).saturating_sub(50_000_000)),
            value: match random.u8(..20) {
                0 => f64::NAN,
                _ => random.f64() * 4.0 - 2.0,
            },
        };
        (0..random.usize(..12)).map(|_| command(random)).collect()
    };
    ids.into_iter().map(|id| (id, list(random))).collect()
}

fn submit(
    cycle: &mut Cycle<'_>,
    by: LaneId,
    merge: Merge,
    parts: &[(ActuatorId, Vec<Command>)],
    long: bool,
) -> Result<u32, Refusal> {
    let stage = cycle.stage();
    if long {
        stage.begin_preparing(by, merge)?;
        for (id, list) in parts {
            stage.prepare(*id, list)?;
        }
        return stage.take_prepared(by).map(|prepared| prepared.ticket.0);
    }
    let (to, lists): (Vec<_>, Vec<_>) =
        parts.iter().map(|part| (part.0, part.1.as_slice())).unzip();
    let request = Request {
        to: To::Many(&to),
        merge,
        commands: CommandSet::Mixed(&lists),
    };
    stage.submit(by, &request).map(|value| value.ticket.0)
}

fn compare(cycle: &mut Cycle<'_>, by: LaneId, model: &Model, history: u64) {
    for (ticket, told) in &model.told {
        let stage = cycle.stage();
        let progress = stage.progress(Ticket(*ticket)).expect("it has a place");
        let found = Told {
            commands: progress.commands,
            executed: progress.executed,
            missed: progress.missed,
            removed: progress.removed,
            remover: progress.remover,
            until: progress.until.nanos(),
            ended_at: progress.ended_at.map(Instant::nanos),
        };
        assert_eq!(
            (progress.lane, found),
            (by, *told),
            "history {history}: {ticket}"
        );
        let walked = stage.waiting_of(by, Ticket(*ticket)).expect("a lane");
        assert_eq!(progress.waiting(), walked, "history {history}: {ticket}");
    }
}

fn followed(places: usize, plan: Plan) -> Plan {
    Plan {
        followed: places,
        trajectories: 5,
        trajectory_commands: 100,
        ..plan
    }
}

#[test]
fn every_request_is_followed_to_its_end() {
    let mut random = fastrand::Rng::with_seed(22);
    for history in 0..60 * tests::effort() {
        let actuators = joints(usize::from(ACTUATORS));
        let body = body(&actuators);
        let plan = followed(4_096, plan(&body, 1, 4_000));
        let mut store = CycleStore::new(&plan);
        let mut cycle = Cycle::new(&body, &plan, store.lend(), bare(PERIOD)).expect("a sound body");
        let settings = LaneSettings {
            follows: true,
            ..lane(4_000)
        };
        let by = cycle.stage().open(settings).expect("a lane");
        let mut now = start(&mut cycle, Instant::from_millis(1_000), PERIOD);
        let mut model = Model::default();
        for _ in 0..60 {
            match random.u8(..12) {
                0 => {
                    let known: Vec<u32> = model.told.keys().copied().collect();
                    if let Some(ticket) = random.choice(&known) {
                        cycle.stage().cancel(by, Ticket(*ticket)).expect("a lane");
                        for of in 0..ACTUATORS {
                            let is_it = |_, by| by == *ticket;
                            model.remove(of, now.nanos(), Remover::Cancel, is_it);
                        }
                    }
                }
                1 => drop(cycle.stage().hold()),
                2 => drop(cycle.stage().resume()),
                _ => {
                    let merge = Merge::ALL[random.usize(..4)];
                    let parts = random_parts(&mut random, now.nanos());
                    let long = random.bool();
                    match submit(&mut cycle, by, merge, &parts, long) {
                        Ok(ticket) => model.take(ticket, merge, &parts, now.nanos()),
                        Err(Refusal::TrajectoriesFull) => {}
                        Err(refusal) => panic!("{refusal:?}"),
                    }
                }
            }
            compare(&mut cycle, by, &model, history);
            for _ in 0..random.u8(..8) {
                now = now + PERIOD;
                turn(&mut cycle, now);
                model.turn(now.nanos(), cycle.stage().state() == State::Running);
                compare(&mut cycle, by, &model, history);
            }
        }
    }
}

#[test]
fn with_few_places_a_number_is_followed_or_unknown() {
    let mut random = fastrand::Rng::with_seed(23);
    let actuators = joints(usize::from(ACTUATORS));
    let body = body(&actuators);
    let plan = followed(3, plan(&body, 2, 4_000));
    let mut store = CycleStore::new(&plan);
    let mut cycle = Cycle::new(&body, &plan, store.lend(), bare(PERIOD)).expect("a sound body");
    let follows = |follows| LaneSettings {
        follows,
        ..lane(2_000)
    };
    let by = cycle.stage().open(follows(true)).expect("a lane");
    let other = cycle.stage().open(follows(false)).expect("a lane");
    let now = start(&mut cycle, Instant::from_millis(1_000), PERIOD);
    let send = |cycle: &mut Cycle<'_>, by, to, after| {
        let command = Command {
            at: now + Span::from_millis(after),
            value: 0.5,
        };
        let request = Request {
            to: To::One(ActuatorId(to)),
            merge: Merge::Merge,
            commands: CommandSet::Same(&[command]),
        };
        let receipt = cycle.stage().submit(by, &request).expect("there is room");
        (receipt.ticket, receipt.followed)
    };
    let mut last = 0;
    let mut first = None;
    for at in 0..40 {
        let lane = if random.bool() { by } else { other };
        let (ticket, followed) = send(&mut cycle, lane, 0, 500 + at);
        assert!(at == 0 || ticket.0 > last, "numbers rise");
        last = ticket.0;
        let progress = cycle.stage().progress(ticket);
        assert_eq!(
            progress.is_some(),
            followed,
            "the receipt says whether it is followed"
        );
        if lane == other {
            assert_eq!(progress, None);
        } else {
            first = first.or(Some(ticket));
            assert!(
                progress.is_none_or(|progress| progress.ticket == ticket && progress.commands == 1)
            );
        }
    }
    // Three have places for as long as they wait; the first of them is one.
    let first = first.expect("one of forty");
    let live = (0..=last).filter_map(|i| cycle.stage().progress(Ticket(i)));
    assert_eq!(live.count(), 3);
    cycle.stage().cancel(by, first).expect("a lane");
    let ended = cycle.stage().progress(first).expect("it has a place");
    assert_eq!((ended.removed, ended.remover), (1, Remover::Cancel));
    // Its place goes to the next one.
    let (next, _) = send(&mut cycle, by, 1, 900);
    assert!(cycle.stage().progress(next).is_some());
    assert_eq!(cycle.stage().progress(first), None);
    // A lane that ends takes its commands with it.
    cycle.stage().finish(by).expect("a lane");
    turn(&mut cycle, now + PERIOD);
    turn(&mut cycle, now + PERIOD + PERIOD);
    let ended = cycle.stage().progress(next).expect("it has a place");
    assert_eq!((ended.removed, ended.remover), (1, Remover::Lane));
}
