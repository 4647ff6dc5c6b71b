//! The DCM's manual warns that 4,096 commands for each of 26 actuators may delay its cycle. Here they are prepared
//! outside the turn, and take effect together at the beginning of a turn.

use cycle::{ActuatorId, Command, Cycle, Instant, Merge, STEPS_PER_TURN, Span, Trajectory};
use scripting::memory::{CycleStore, TrajectoryStore};
use tests::{bare, body, joints, lane, plan, start, turn};

const MS: u64 = 1_000_000;

#[test]
fn a_burst_of_4096_commands_on_each_of_26_actuators_takes_effect_at_one_edge() {
    let period = Span::from_millis(1);
    let actuators = joints(26);
    let body = body(&actuators);
    let plan = plan(&body, 1, 26);
    let (mut store, mut trajectory_store) =
        (CycleStore::new(&plan), TrajectoryStore::new(26 * 4096, 26));
    let mut cycle = Cycle::new(&body, &plan, store.lend(), bare(period)).expect("a sound body");
    let by = cycle.stage().open(lane(26)).expect("a lane");
    let now = start(&mut cycle, Instant::from_millis(1_000), period).nanos();

    // Outside the turn, in descending time: the turn does not have to sort them.
    let mut trajectory = Trajectory::new(trajectory_store.lend());
    trajectory.begin(Merge::ClearAll);
    for actuator in 0..26u16 {
        let list: Vec<_> = (1..=4096u64)
            .rev()
            .map(|i| Command {
                at: Instant::from_nanos(now + i * MS),
                value: f64::from(actuator) + i as f64 / 10.0,
            })
            .collect();
        trajectory
            .add(&body, Instant::from_nanos(now), ActuatorId(actuator), &list)
            .expect("room");
    }
    let (receipt, _) = cycle.stage().swap_in(by, trajectory).expect("a free place");
    assert_eq!(receipt.taken, 26 * 4096);

    // All of them in the next turn, exact to the last command.
    for value in [1u64, 2, 3, 600, 1200, 1800, 2400, 3000, 3600, 4096] {
        turn(&mut cycle, Instant::from_nanos(now + value * MS));
        for (actuator, track) in cycle.stage().tracks().iter().enumerate() {
            assert_eq!(
                track.sent,
                actuator as f64 + value as f64 / 10.0,
                "at {value} ms"
            );
        }
    }
}

#[test]
fn a_turn_executes_no_more_than_its_steps_and_the_rest_in_the_next() {
    let period = Span::from_millis(1);
    let actuators = joints(26);
    let body = body(&actuators);
    let plan = plan(&body, 1, 26);
    let (mut store, mut trajectory_store) =
        (CycleStore::new(&plan), TrajectoryStore::new(26 * 4096, 26));
    let mut cycle = Cycle::new(&body, &plan, store.lend(), bare(period)).expect("a sound body");
    let by = cycle.stage().open(lane(26)).expect("a lane");
    let now = start(&mut cycle, Instant::from_millis(1_000), period).nanos();
    let mut trajectory = Trajectory::new(trajectory_store.lend());
    trajectory.begin(Merge::ClearAll);
    let at = Instant::from_nanos(now + MS);
    let list: Vec<_> = (0..4096)
        .map(|i| Command {
            at,
            value: f64::from(i) / 8.0,
        })
        .collect();
    for actuator in 0..26 {
        trajectory
            .add(&body, Instant::from_nanos(now), ActuatorId(actuator), &list)
            .expect("room");
    }
    cycle.stage().swap_in(by, trajectory).expect("a free place");
    let mut turns = 0;
    loop {
        let waited = waiting(&mut cycle, by);
        turns += 1;
        turn(&mut cycle, Instant::from_nanos(now + MS + turns * MS));
        let executed = waited - waiting(&mut cycle, by);
        assert!(
            executed <= STEPS_PER_TURN,
            "{executed} commands in one turn"
        );
        if waiting(&mut cycle, by) == 0 {
            break;
        }
    }
    assert_eq!(turns, (26u64 * 4096).div_ceil(u64::from(STEPS_PER_TURN)));
    assert!(
        cycle
            .stage()
            .tracks()
            .iter()
            .all(|track| track.sent == 4095.0 / 8.0)
    );
}

fn waiting(cycle: &mut Cycle<'_>, by: cycle::LaneId) -> u32 {
    let count = |item| {
        cycle
            .stage()
            .pending(by, ActuatorId(item))
            .expect("a live lane")
            .count
    };
    (0..26).map(count).sum()
}
