//! Requests compared with a plain model: the waiting commands are those of the model, and a refused request changes
//! nothing.

use cycle::{
    ActuatorId, Command, CommandSet, Cycle, Instant, LaneId, Merge, Refusal, Request, Span, To,
    Trajectory, WAITING_MAX,
};
use scripting::memory::TrajectoryStore;
use tests::{bare, body, full_room, joints, lane, plan, start, turn, with_cycle};

const MS: u64 = 1_000_000;
const A: ActuatorId = ActuatorId(0);

type Listed = (u64, u64, u32);

/// The waiting commands of an actuator: instants, values as bits, tickets.
fn waiting(cycle: &mut Cycle<'_>, by: LaneId, actuator: ActuatorId) -> Vec<Listed> {
    let mut list = Vec::new();
    cycle
        .stage()
        .each_pending(by, actuator, |command, ticket| {
            list.push((command.at.nanos(), command.value.to_bits(), ticket.0));
        })
        .expect("a live lane");
    let count = cycle
        .stage()
        .pending(by, actuator)
        .expect("a live lane")
        .count;
    assert_eq!(list.len(), count as usize);
    list
}

/// The model: the commands that should wait, per actuator.
struct Model {
    waiting: [Vec<Listed>; 3],
    room: usize,
    ticket: u32,
}

impl Model {
    /// Accepts a request as a whole, or changes nothing.
    fn take(
        &mut self,
        merge: Merge,
        targets: &[usize],
        parts: &[Vec<(u64, f64)>],
        now: u64,
    ) -> bool {
        let reach = cycle::REACH.nanos();
        let mut next = self.waiting.clone();
        for (place, (&target, part)) in targets.iter().zip(parts).enumerate() {
            if targets[..place].contains(&target) || target >= self.waiting.len() {
                return false;
            }
            let bad = |pair: &&(u64, f64)| {
                !pair.1.is_nan() && (pair.1.is_infinite() || pair.0.abs_diff(now) > reach)
            };
            if part.iter().any(|item| bad(&item)) {
                return false;
            }
            let new: Vec<_> = part.iter().filter(|part| !part.1.is_nan()).collect();
            if new.is_empty() && !part.is_empty() {
                continue;
            }
            let (first, last) = (
                new.iter().map(|pair| pair.0).min(),
                new.iter().map(|pair| pair.0).max(),
            );
            let list = &mut next[target];
            list.retain(|pair| match merge {
                Merge::Merge => true,
                Merge::ClearAll => false,
                Merge::ClearAfter => first.is_none_or(|first| pair.0 < first),
                Merge::ClearBefore => last.is_none_or(|last| pair.0 > last),
            });
            let new = new
                .iter()
                .map(|pair| (pair.0, pair.1.clamp(-1000.0, 1000.0).to_bits(), self.ticket));
            list.extend(new);
            list.sort_by_key(|pair| pair.0);
            if list.len() > WAITING_MAX as usize {
                return false;
            }
        }
        if next.iter().map(Vec::len).sum::<usize>() > self.room {
            return false;
        }
        self.waiting = next;
        self.ticket = self.ticket.wrapping_add(1);
        true
    }

    fn turn(&mut self, now: u64) {
        for list in &mut self.waiting {
            list.retain(|pair| pair.0 > now);
        }
    }
}

#[test]
fn random_requests_equal_a_plain_model() {
    let requests = 100_000 * tests::effort();
    let period = Span::from_millis(10);
    let actuators = joints(3);
    let (body, mut rng) = (body(&actuators), fastrand::Rng::with_seed(5));
    let (mut taken, mut refused) = (0u64, 0u64);
    with_cycle(&body, &plan(&body, 1, 40), bare(period), |cycle| {
        let by = cycle.stage().open(lane(40)).expect("a lane");
        let mut now = start(cycle, Instant::from_millis(1_000), period).nanos();
        let mut model = Model {
            waiting: Default::default(),
            room: 40,
            ticket: 0,
        };
        for _ in 0..requests {
            let merge = Merge::ALL[rng.usize(..4)];
            let targets: Vec<_> = (0..rng.usize(1..3)).map(|_| rng.usize(..30) % 3).collect();
            let odd = rng.u8(..) < 8;
            let targets: Vec<_> = if odd { vec![rng.usize(..5)] } else { targets };
            let parts: Vec<Vec<_>> = targets
                .iter()
                .map(|_| {
                    (0..rng.usize(..8))
                        .map(|_| (instant(&mut rng, now), value(&mut rng)))
                        .collect()
                })
                .collect();
            let lists: Vec<Vec<_>> = parts.iter().map(|part| commands(part)).collect();
            let lists: Vec<_> = lists.iter().map(Vec::as_slice).collect();
            let ids: Vec<_> = targets
                .iter()
                .map(|target| ActuatorId(*target as u16))
                .collect();
            let request = Request {
                to: To::Many(&ids),
                merge,
                commands: CommandSet::Mixed(&lists),
            };
            let answer = cycle.stage().submit(by, &request);
            let wanted = model.take(merge, &targets, &parts, now);
            assert_eq!(
                answer.is_ok(),
                wanted,
                "{request:?} was answered {answer:?}"
            );
            if wanted {
                taken += 1;
            } else {
                refused += 1;
            }
            for actuator in 0..3 {
                let found = waiting(cycle, by, ActuatorId(actuator as u16));
                assert_eq!(found, model.waiting[actuator], "after {request:?}");
            }
            if rng.u8(..) < 128 {
                now += rng.u64(1..20 * MS);
                turn(cycle, Instant::from_nanos(now));
                model.turn(now);
            }
        }
    });
    println!("{taken} requests taken, {refused} refused, 0 differences");
    assert!(taken > requests / 2 && refused > requests / 100);
}

fn instant(rng: &mut fastrand::Rng, now: u64) -> u64 {
    match rng.u8(..) {
        0 => rng.u64(..),
        1 => now + cycle::REACH.nanos() + rng.u64(..2),
        _ => now - 20 * MS + rng.u64(..40) * 5 * MS,
    }
}

fn value(rng: &mut fastrand::Rng) -> f64 {
    match rng.u8(..) {
        0 => f64::INFINITY,
        1..12 => f64::NAN,
        12..16 => 1e300,
        16..18 => f64::MIN_POSITIVE / 8.0,
        _ => f64::from(rng.i16(..)) / 64.0,
    }
}

fn commands(list: &[(u64, f64)]) -> Vec<Command> {
    list.iter()
        .map(|&(at, value)| Command {
            at: Instant::from_nanos(at),
            value,
        })
        .collect()
}

/// `count` commands, a millisecond apart, behind the first `skip`.
fn row(now: u64, skip: u64, count: u64) -> Vec<Command> {
    let at = |value| Instant::from_nanos(now + (skip + value + 1) * MS);
    (0..count)
        .map(|i| Command {
            at: at(i),
            value: i as f64 / 10.0,
        })
        .collect()
}

/// A cycle that runs, with one lane of `room`, at the instant given to `f`.
fn running(room: usize, f: impl FnOnce(&mut Cycle<'_>, LaneId, u64)) {
    let period = Span::from_millis(10);
    let actuators = joints(2);
    let body = body(&actuators);
    with_cycle(&body, &plan(&body, 2, room), bare(period), |cycle| {
        let by = cycle.stage().open(lane(room)).expect("a lane");
        let now = start(cycle, Instant::from_millis(1_000), period).nanos();
        f(cycle, by, now);
    });
}

fn set(list: &[Command], merge: Merge) -> Request<'_> {
    Request {
        to: To::One(A),
        merge,
        commands: CommandSet::Same(list),
    }
}

#[test]
fn the_4097th_command_is_refused_with_the_room_left_and_nothing_changes() {
    running(full_room(2), |cycle, by, now| {
        let all = row(now, 0, 4096);
        cycle
            .stage()
            .submit(by, &set(&all[..4090], Merge::Merge))
            .expect("room for 4090");
        let before = waiting(cycle, by, A);
        let more = row(now, 5000, 7);
        let refusal = Refusal::Full {
            actuator: A,
            room: 6,
        };
        assert_eq!(
            cycle.stage().submit(by, &set(&more, Merge::Merge)),
            Err(refusal)
        );
        assert_eq!(waiting(cycle, by, A), before);
        cycle
            .stage()
            .submit(by, &set(&more[..6], Merge::Merge))
            .expect("exactly full");
        let refusal = Refusal::Full {
            actuator: A,
            room: 0,
        };
        assert_eq!(
            cycle.stage().submit(by, &set(&more[6..], Merge::Merge)),
            Err(refusal)
        );
        // A clear makes room for the commands of the same request.
        turn(cycle, Instant::from_nanos(now + 1));
        cycle
            .stage()
            .submit(by, &set(&all, Merge::ClearAll))
            .expect("the old ones are gone");
        assert_eq!(waiting(cycle, by, A).len(), 4096);
        let too_long = row(now, 0, 4097);
        let answer = cycle.stage().submit(by, &set(&too_long, Merge::ClearAll));
        assert_eq!(
            answer,
            Err(Refusal::Full {
                actuator: A,
                room: 4096
            })
        );
    });
}

#[test]
fn a_lane_that_has_used_its_steps_is_refused_until_the_next_turn() {
    running(full_room(1), |cycle, by, now| {
        let all = row(now, 10, 4000);
        cycle
            .stage()
            .submit(by, &set(&all, Merge::Merge))
            .expect("room");
        // Each of these belongs before the 4,000 that wait, and is compared with all of them.
        let early = row(now, 0, 1);
        let mut taken = 0;
        let refusal = loop {
            match cycle.stage().submit(by, &set(&early, Merge::Merge)) {
                Ok(_) => taken += 1,
                Err(refusal) => break refusal,
            }
        };
        assert!(
            matches!(refusal, Refusal::Busy { steps } if steps < 4002),
            "{refusal:?}"
        );
        assert_eq!(taken, 3, "four times 4,000 steps and a little are 16,384");
        turn(cycle, Instant::from_nanos(now + 1));
        assert!(cycle.stage().submit(by, &set(&early, Merge::Merge)).is_ok());
    });
}

#[test]
fn trajectories_come_back_when_they_are_played_and_are_refused_while_four_play() {
    let mut stores: Vec<_> = (0..6).map(|_| TrajectoryStore::new(4096, 2)).collect();
    let mut memories = stores.iter_mut();
    let period = Span::from_millis(10);
    let actuators = joints(2);
    let body = body(&actuators);
    let plan = plan(&body, 1, 8);
    let mut store = scripting::memory::CycleStore::new(&plan);
    let mut cycle = Cycle::new(&body, &plan, store.lend(), bare(period)).expect("a sound body");
    let by = cycle.stage().open(lane(8)).expect("a lane");
    let now = start(&mut cycle, Instant::from_millis(1_000), period).nanos();
    let mut trajectory = |skip: u64| {
        let mut trajectory = Trajectory::new(memories.next().expect("six are enough").lend());
        trajectory.begin(Merge::Merge);
        let list = row(now, skip, 3);
        trajectory
            .add(&body, Instant::from_nanos(now), A, &list)
            .expect("a sound part");
        let twice = trajectory.add(&body, Instant::from_nanos(now), A, &list);
        assert_eq!(twice, Err(Refusal::Twice(A)));
        let inf = [Command {
            value: f64::INFINITY,
            ..list[0]
        }];
        let refusal = trajectory.add(&body, Instant::from_nanos(now), ActuatorId(1), &inf);
        assert_eq!(
            refusal,
            Err(Refusal::NotFinite {
                actuator: ActuatorId(1)
            })
        );
        assert_eq!(trajectory.waiting(), 3);
        trajectory
    };
    for place in 0..4 {
        let (receipt, spent) = cycle
            .stage()
            .swap_in(by, trajectory(place * 10))
            .expect("a free place");
        assert!(receipt.taken == 3 && spent.is_none());
    }
    let (refusal, back) = cycle
        .stage()
        .swap_in(by, trajectory(50))
        .expect_err("all places are used");
    assert_eq!((refusal, back.waiting()), (Refusal::TrajectoriesFull, 3));
    turn(&mut cycle, Instant::from_nanos(now + 4 * MS));
    let (_, spent) = cycle
        .stage()
        .swap_in(by, back)
        .expect("the first is played out");
    assert_eq!(spent.expect("it comes back").waiting(), 0);
    assert!(cycle.stage().spent_trajectory(by).is_none());
    // A closed lane still gives back its trajectories.
    cycle.stage().finish(by).expect("a live lane");
    turn(&mut cycle, Instant::from_nanos(now + 5 * MS));
    assert!(cycle.stage().life(by).is_none());
    assert_eq!(
        (0..5)
            .map_while(|_| cycle.stage().spent_trajectory(by))
            .count(),
        4
    );
}

#[test]
fn many_lanes_drive_many_actuators() {
    for (lanes, actuators) in [(256, 1_024), (64, 4_096)] {
        many_lanes_drive_all(lanes, actuators);
    }
}

/// Every lane sends its number to all of them.
fn many_lanes_drive_all(many: usize, wide: usize) {
    let period = Span::from_millis(10);
    let actuators = joints(wide);
    let body = body(&actuators);
    with_cycle(&body, &plan(&body, many, wide), bare(period), |cycle| {
        let now = start(cycle, Instant::from_millis(1_000), period);
        let all: Vec<_> = (0..wide as u16).map(ActuatorId).collect();
        let lanes: Vec<_> = (0..many)
            .map(|_| cycle.stage().open(lane(wide)).expect("a place"))
            .collect();
        assert_eq!(
            cycle.stage().open(lane(0)),
            Err(cycle::LaneError::TableFull)
        );
        let then = now + period;
        for (number, by) in lanes.iter().enumerate() {
            let values = vec![number as f64; wide];
            let request = Request::vector(To::Many(&all), &then, &values);
            let receipt = cycle.stage().submit(*by, &request).expect("room for all");
            assert_eq!(receipt.taken as usize, wide);
        }
        turn(cycle, then);
        // All have the same weight and priority: the mean of all numbers.
        let mean = (many - 1) as f64 / 2.0;
        assert!(
            cycle
                .stage()
                .tracks()
                .iter()
                .all(|track| (track.commanded - mean).abs() < 1e-9)
        );
        let gone = lanes[7];
        cycle.stage().finish(gone).expect("a live lane");
        turn(cycle, then + period);
        assert_eq!(cycle.stage().finish(gone), Err(Refusal::NoLane(gone)));
        let newcomer = cycle.stage().open(lane(wide)).expect("the freed place");
        assert_ne!(newcomer, gone, "a stale handle is not somebody else's lane");
        assert_eq!(cycle.stage().feed(gone), Err(Refusal::NoLane(gone)));
    });
}

#[test]
fn after_any_history_every_place_is_free_again() {
    const ROOM: usize = 200;
    let period = Span::from_millis(10);
    let mut actuators = joints(6);
    actuators[4].group = Some(cycle::GroupId(0));
    actuators[5].group = Some(cycle::GroupId(0));
    let groups = [cycle::GroupRule::Rank];
    let body = cycle::Body {
        groups: &groups,
        ..body(&actuators)
    };
    let plan = plan(&body, 4, ROOM);
    let mut store = scripting::memory::CycleStore::new(&plan);
    let mut stores: Vec<_> = (0..8).map(|_| TrajectoryStore::new(64, 6)).collect();
    let mut spare: Vec<_> = stores
        .iter_mut()
        .map(|store| Trajectory::new(store.lend()))
        .collect();
    let mut cycle = Cycle::new(&body, &plan, store.lend(), bare(period)).expect("a sound body");
    let mut now = start(&mut cycle, Instant::from_millis(1_000), period).nanos();
    let mut rng = fastrand::Rng::with_seed(21);
    for history in 0..200 * tests::effort() {
        let mut lanes: Vec<LaneId> = Vec::new();
        for _ in 0..60 {
            let stage = cycle.stage();
            let by = if lanes.is_empty() {
                LaneId::NOBODY
            } else {
                lanes[rng.usize(..lanes.len())]
            };
            let part: Vec<_> = (0..rng.usize(..12))
                .map(|_| Command {
                    at: Instant::from_nanos(now + rng.u64(..20) * 5 * MS),
                    value: rng.f64(),
                })
                .collect();
            let merge = Merge::ALL[rng.usize(..4)];
            let actuator = ActuatorId(rng.u16(..6));
            match rng.u8(..12) {
                0 | 1 => {
                    let ending = [
                        cycle::Ending::Hold,
                        cycle::Ending::Release,
                        cycle::Ending::SafePose(Span::from_millis(30)),
                    ][rng.usize(..3)];
                    let keep = [cycle::Keep::Hold, cycle::Keep::Release][rng.usize(..2)];
                    let settings = cycle::LaneSettings {
                        priority: f64::from(rng.u8(..3)),
                        room: rng.u32(..=ROOM as u32),
                        fade_out: Span::from_millis(rng.u64(..30)),
                        ending,
                        keep,
                        ..cycle::LaneSettings::STANDARD
                    };
                    lanes.extend(stage.open(settings));
                }
                2 => drop(stage.finish(by)),
                3 => _ = stage.cancel(by, cycle::Ticket(rng.u32(..50))),
                4 => drop(stage.release_group(by, cycle::GroupId(0))),
                5 | 6 => {
                    let Some(mut trajectory) = spare.pop() else {
                        continue;
                    };
                    trajectory.begin(merge);
                    for actuator in 0..6 {
                        if rng.bool() {
                            let now = Instant::from_nanos(now);
                            let _ = trajectory.add(&body, now, ActuatorId(actuator), &part);
                        }
                    }
                    match stage.swap_in(by, trajectory) {
                        Ok((_, spent)) => spare.extend(spent),
                        Err((_, trajectory)) => spare.push(trajectory),
                    }
                }
                _ => {
                    let request = Request {
                        to: To::One(actuator),
                        merge,
                        commands: CommandSet::Same(&part),
                    };
                    let _ = stage.submit(by, &request);
                }
            }
            if rng.bool() {
                now += rng.u64(1..20 * MS);
                turn(&mut cycle, Instant::from_nanos(now));
            }
        }
        for by in &lanes {
            let _ = cycle.stage().end(*by, cycle::Ending::Release);
        }
        for _ in 0..10 {
            now += 10 * MS;
            turn(&mut cycle, Instant::from_nanos(now));
        }
        for by in &lanes {
            assert!(
                cycle.stage().life(*by).is_none(),
                "history {history}: a lane is left"
            );
            spare.extend(std::iter::from_fn(|| cycle.stage().spent_trajectory(*by)));
        }
        assert_eq!(spare.len(), 8, "history {history}: a trajectory is lost");
        assert_eq!(cycle.stage().holder(cycle::GroupId(0)), None);
        let all = 4 * ROOM;
        let by = cycle
            .stage()
            .open(lane(all))
            .expect("the whole pool is free");
        let list = row(now, 0, all as u64);
        cycle
            .stage()
            .submit(by, &set(&list, Merge::Merge))
            .expect("every node is free");
        assert_eq!(waiting(&mut cycle, by, A).len(), all);
        let _ = cycle.stage().end(by, cycle::Ending::Release);
        now += MS;
        turn(&mut cycle, Instant::from_nanos(now));
    }
}
