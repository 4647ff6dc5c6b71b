//! Moves that are prepared in pieces, compared with the same commands taken at once by a lane that has room for them.

use cycle::{
    ActuatorId, Command, CommandSet, Cycle, Instant, LaneId, Merge, Plan, Refusal, Request, Span,
    To, WAITING_MAX,
};
use scripting::memory::CycleStore;
use tests::{bare, body, joints, lane, plan, start, turn};

const ACTUATORS: u16 = 5;
const PERIOD: Span = Span::from_millis(10);

/// A move: commands for some of the actuators.
fn random_parts(random: &mut fastrand::Rng, now: u64) -> Vec<(ActuatorId, Vec<Command>)> {
    let mut ids: Vec<_> = (0..ACTUATORS).map(ActuatorId).collect();
    random.shuffle(&mut ids);
    ids.truncate(random.usize(1..=usize::from(ACTUATORS)));
    let list = |random: &mut fastrand::Rng| {
        let count = random.usize(..200);
        let command = |_| Command {
            at: Instant::from_nanos(now + random.u64(..2_000_000_000)),
            value: random.f64() * 4.0 - 2.0,
        };
        (0..count).map(command).collect()
    };
    ids.into_iter().map(|id| (id, list(random))).collect()
}

/// Sends the whole as one request.
fn at_once(
    cycle: &mut Cycle<'_>,
    by: LaneId,
    merge: Merge,
    parts: &[(ActuatorId, Vec<Command>)],
) -> Result<u32, Refusal> {
    let (to, lists): (Vec<_>, Vec<_>) =
        parts.iter().map(|part| (part.0, part.1.as_slice())).unzip();
    let request = Request {
        to: To::Many(&to),
        merge,
        commands: CommandSet::Mixed(&lists),
    };
    cycle.stage().submit(by, &request).map(|value| value.taken)
}

fn waiting(cycle: &mut Cycle<'_>, by: LaneId, id: ActuatorId) -> Vec<(u64, u64)> {
    let mut list = Vec::new();
    let each = |command: Command, _| list.push((command.at.nanos(), command.value.to_bits()));
    cycle.stage().each_pending(by, id, each).expect("a lane");
    list
}

/// A plan whose moves are prepared, for a lane of almost no room.
fn small(plan: Plan) -> Plan {
    Plan {
        trajectories: 4,
        trajectory_commands: 1_000,
        ..plan
    }
}

#[test]
fn a_prepared_move_is_taken_as_if_it_had_come_at_once() {
    let mut random = fastrand::Rng::with_seed(26);
    for history in 0..40 * tests::effort() {
        let actuators = joints(usize::from(ACTUATORS));
        let body = body(&actuators);
        let (large, small) = (plan(&body, 1, 12_000), small(plan(&body, 1, 8)));
        let (mut large_store, mut small_store) = (CycleStore::new(&large), CycleStore::new(&small));
        let made =
            |store, plan| Cycle::new(&body, plan, store, bare(PERIOD)).expect("a sound body");
        let mut whole = made(large_store.lend(), &large);
        let mut pieces = made(small_store.lend(), &small);
        let by = whole.stage().open(lane(12_000)).expect("a lane");
        assert_eq!(by, pieces.stage().open(lane(8)).expect("a lane"));
        let mut now = start(&mut whole, Instant::from_millis(1_000), PERIOD);
        start(&mut pieces, Instant::from_millis(1_000), PERIOD);
        let step = |whole: &mut Cycle<'_>, pieces: &mut Cycle<'_>, now: &mut Instant| {
            *now = *now + PERIOD;
            turn(whole, *now);
            turn(pieces, *now);
            let sent = |cycle: &mut Cycle<'_>| -> Vec<u64> {
                let tracks = cycle.stage().tracks();
                tracks
                    .iter()
                    .map(|track| track.commanded.to_bits())
                    .collect()
            };
            assert_eq!(sent(whole), sent(pieces), "history {history} at {now:?}");
        };
        for _ in 0..8 {
            let merge = Merge::ALL[random.usize(..4)];
            let parts = random_parts(&mut random, now.nanos());
            // One that is given up on the way leaves no trace.
            if random.u8(..4) == 0 && pieces.stage().begin_preparing(by, Merge::ClearAll).is_ok() {
                let (id, list) = &parts[0];
                pieces.stage().prepare(*id, list).expect("sound commands");
                step(&mut whole, &mut pieces, &mut now);
            }
            let begun = pieces.stage().begin_preparing(by, merge);
            if begun == Err(Refusal::TrajectoriesFull) {
                step(&mut whole, &mut pieces, &mut now);
                continue;
            }
            begun.expect("there is a lane");
            for (id, list) in &parts {
                pieces.stage().prepare(*id, list).expect("sound commands");
                if random.bool() {
                    step(&mut whole, &mut pieces, &mut now);
                }
            }
            // A turn's share of work is new.
            step(&mut whole, &mut pieces, &mut now);
            let taken = pieces
                .stage()
                .take_prepared(by)
                .map(|prepared| prepared.taken);
            let expected = at_once(&mut whole, by, merge, &parts);
            assert_eq!(taken, expected, "history {history}");
            for id in (0..ACTUATORS).map(ActuatorId) {
                let both = (waiting(&mut whole, by, id), waiting(&mut pieces, by, id));
                assert_eq!(both.0, both.1, "history {history}");
            }
            for _ in 0..random.u8(..60) {
                step(&mut whole, &mut pieces, &mut now);
            }
        }
    }
}

#[test]
fn what_is_wrong_with_a_piece_is_said_and_nothing_is_taken() {
    let actuators = joints(2);
    let body = body(&actuators);
    let plan = Plan {
        trajectory_commands: 10,
        trajectories: 1,
        ..plan(&body, 1, 8)
    };
    let mut store = CycleStore::new(&plan);
    let mut cycle = Cycle::new(&body, &plan, store.lend(), bare(PERIOD)).expect("a sound body");
    let by = cycle.stage().open(lane(8)).expect("a lane");
    let now = start(&mut cycle, Instant::from_millis(1_000), PERIOD);
    let list = |count: u64, value| -> Vec<Command> {
        let command = |item| Command {
            at: now + Span::from_millis(item + 1),
            value,
        };
        (0..count).map(command).collect()
    };
    let (first, second) = (ActuatorId(0), ActuatorId(1));
    let stage = cycle.stage();
    assert_eq!(stage.prepare(first, &list(1, 0.0)), Err(Refusal::Shape));
    assert_eq!(stage.take_prepared(by), Err(Refusal::Shape));
    stage
        .begin_preparing(by, Merge::Merge)
        .expect("one is free");
    stage.prepare(first, &list(6, 0.5)).expect("there is room");
    let full = stage.prepare(second, &list(5, 0.5));
    assert_eq!(
        full,
        Err(Refusal::Full {
            actuator: second,
            room: 4
        })
    );
    let infinite = stage.prepare(second, &list(1, f64::INFINITY));
    assert_eq!(infinite, Err(Refusal::NotFinite { actuator: second }));
    let unknown = stage.prepare(ActuatorId(2), &list(1, 0.0));
    assert_eq!(unknown, Err(Refusal::NoActuator(ActuatorId(2))));
    let many = stage.prepare(second, &list(u64::from(WAITING_MAX) + 1, 0.0));
    assert!(many.is_err(), "{many:?}");
    assert!(!stage.anything_waits(by), "nothing has been taken");
    // What was sound is still there, and a stale lane does not get it.
    assert!(stage.take_prepared(LaneId::NOBODY).is_err());
    assert_eq!(stage.take_prepared(by), Err(Refusal::Shape), "it is gone");
    assert!(!stage.anything_waits(by));
    stage
        .begin_preparing(by, Merge::Merge)
        .expect("it came back");
    stage.prepare(first, &list(6, 0.5)).expect("there is room");
    assert_eq!(
        stage.take_prepared(by).map(|prepared| prepared.taken),
        Ok(6)
    );
    let none = stage.begin_preparing(by, Merge::Merge);
    assert_eq!(none, Err(Refusal::TrajectoriesFull));
    turn(&mut cycle, now + PERIOD);
    let played = cycle.stage().begin_preparing(by, Merge::Merge);
    assert_eq!(played, Ok(()), "the first has been played");
}
