//! A joint that is made limp and has force again: it begins where it is. What was commanded before is dropped or eased
//! in, as the description says. The test knows nothing of the cycle: it draws a straight line from where the hand has
//! left the joint to the command that was sent meanwhile.

use cycle::{
    Actuator, ActuatorId, Command, CommandSet, Cycle, Incoming, Instant, Keep, Kind, LaneId,
    LaneSettings, LimpCommands, Merge, Outgoing, Remover, Request, SensorId, Settings, Span,
    Ticket, To,
};
use tests::{HookClosures, Wire, bare, body_of, lane, plan, sensor, start, turn_with, with_cycle};

const PERIOD: Span = Span::from_millis(10);
/// The maximum velocity of the joint, and of its return, rad/s.
const VELOCITY: f64 = 4.0;
const BOUND: f64 = 0.2 * VELOCITY;

const JOINT: ActuatorId = ActuatorId(0);
const STIFFNESS: ActuatorId = ActuatorId(1);

fn settings(limp: LimpCommands) -> Settings {
    let usual = bare(PERIOD);
    Settings {
        ramps: cycle::RampTimes {
            return_speed: BOUND / VELOCITY,
            ..usual.ramps
        },
        limp,
        ..usual
    }
}

/// The robot: a joint, and the hand that moves it while it is limp.
struct World<'c, 'm> {
    cycle: &'c mut Cycle<'m>,
    lane: LaneId,
    now: Instant,
    at: f64,
    /// What the board has last said of it.
    read: f64,
    /// Where a hook drives it in every turn.
    drives: Option<f64>,
}

impl World<'_, '_> {
    fn send(&mut self, to: ActuatorId, at: Instant, value: f64, merge: Merge) -> Ticket {
        let command = [Command { at, value }];
        let request = Request {
            to: To::One(to),
            merge,
            commands: CommandSet::Same(&command),
        };
        let receipt = self.cycle.stage().submit(self.lane, &request);
        receipt.expect("there is room").ticket
    }

    /// Makes a turn; returns where the sensor had the joint when it began, and what was sent.
    fn turn(&mut self) -> (f64, f64) {
        self.now = self.now + PERIOD;
        let (limp, read) = (self.cycle.view().tracks[0].limp, self.read);
        let at = &mut self.at;
        let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
            if !limp {
                *at = out.targets[0].counts;
            }
            back.counts[0] = *at;
            back.answers[0].answered = true;
        });
        let (lane, drives) = (self.lane, self.drives);
        let drive = |stage: &mut cycle::Stage<'_>| {
            if let Some(value) = drives {
                stage.drive(lane, JOINT, value, 1.0).expect("allowed");
            }
        };
        let mut hooks = HookClosures(drive, |_: &mut cycle::Stage<'_>| {});
        turn_with(self.cycle, self.now, &mut hooks, &mut board);
        self.read = self.at;
        (read, self.cycle.view().tracks[0].sent)
    }
}

fn with_world(limp: LimpCommands, run: impl FnOnce(&mut World<'_, '_>)) {
    let joint = Actuator {
        sensor: Some(SensorId(0)),
        velocity: VELOCITY,
        ..Actuator::new("A", Kind::Joint, -3.0, 3.0)
    };
    let stiffness = Actuator {
        rest: 1.0,
        ..Actuator::new("sA", Kind::Stiffness { joint: JOINT }, 0.0, 1.0)
    };
    let (actuators, sensors) = ([joint, stiffness], [sensor("A")]);
    let body = body_of(&actuators, &sensors);
    let plan = cycle::Plan {
        followed: 64,
        ..plan(&body, 2, 512)
    };
    with_cycle(&body, &plan, settings(limp), |cycle| {
        let now = start(cycle, Instant::from_millis(1_000), PERIOD);
        let settings = LaneSettings {
            follows: true,
            ..lane(256)
        };
        let lane = cycle.stage().open(settings).expect("a lane");
        run(&mut World {
            cycle,
            lane,
            now,
            at: 0.0,
            read: 0.0,
            drives: None,
        });
    });
}

/// What happened to the joint while it was limp.
struct Limp {
    /// Whether the command before had been executed when it was made limp, and none came since.
    rests: bool,
    /// Where the hand has left it.
    place: f64,
    /// The command that was sent meanwhile, for later.
    later: Option<(Instant, f64)>,
}

/// The joint is on its way to a command when it is made limp; a hand moves it, commands come, and it has force again.
fn episode(world: &mut World<'_, '_>, random: &mut fastrand::Rng) -> (Ticket, Limp) {
    let value = |random: &mut fastrand::Rng| 2.5 * (2.0 * random.f64() - 1.0);
    let ahead = |random: &mut fastrand::Rng| match random.bool() {
        true => Span::from_millis(1_500 + random.u64(..1_500)),
        false => Span::from_millis(1_500),
    };
    let (at, to) = (world.now + ahead(random), value(random));
    let before = world.send(JOINT, at, to, Merge::ClearAll);
    for _ in 0..random.u32(..400) {
        world.turn();
    }
    let mut rests = at <= world.now;
    world.send(STIFFNESS, world.now, 0.0, Merge::Merge);
    world.turn();
    let turns = random.u32(2..40);
    let mut later = None;
    for turn in 1..=turns {
        if random.u8(..3) == 0 {
            world.at = value(random);
        }
        match random.u8(..12) {
            // It passes while the joint is limp.
            0 if turn + 3 < turns => {
                let at = world.now + PERIOD;
                world.send(JOINT, at, value(random), Merge::Merge);
                rests = false;
            }
            1 if later.is_none() && turn > 1 => {
                let key = (world.now + Span::from_millis(3_000), value(random));
                world.send(JOINT, key.0, key.1, Merge::Merge);
                later = Some(key);
                rests = false;
            }
            _ => {}
        }
        let (read, sent) = world.turn();
        // What is shown as sent is where it is.
        assert!((sent - read).abs() < 1e-12, "{sent}, and it is at {read}");
    }
    world.send(STIFFNESS, world.now, 1.0, Merge::Merge);
    let (read, sent) = world.turn();
    assert!((sent - read).abs() < 1e-12, "{sent}, and it is at {read}");
    let place = sent;
    let limp = Limp {
        rests,
        place,
        later,
    };
    (before, limp)
}

#[test]
fn what_was_commanded_before_is_dropped_and_what_came_since_begins_where_it_is() {
    let mut random = fastrand::Rng::with_seed(6);
    let (mut dropped, mut followed) = (0, 0);
    for _ in 0..80 * tests::effort() {
        with_world(LimpCommands::Drop, |world| {
            for _ in 0..4 {
                let (before, limp) = episode(world, &mut random);
                let progress = world.cycle.stage().progress(before).expect("a place");
                assert_eq!(progress.waiting(), 0);
                assert_eq!(progress.remover == Remover::Limp, progress.removed == 1);
                dropped += progress.removed;
                let begun = world.now;
                for _ in 0..330 {
                    let (_, sent) = world.turn();
                    let expected = match limp.later {
                        None => limp.place,
                        Some((at, value)) if world.now >= at => value,
                        Some((at, value)) => {
                            let share = (world.now - begun).seconds() / (at - begun).seconds();
                            limp.place + (value - limp.place) * share
                        }
                    };
                    assert!(
                        (sent - expected).abs() < 1e-9,
                        "{sent}, expected {expected}"
                    );
                }
                followed += u32::from(limp.later.is_some());
            }
        });
    }
    assert!(dropped > 50 && followed > 50, "{dropped} and {followed}");
}

#[test]
fn what_was_commanded_before_is_eased_in() {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut moved, mut resting) = (0, 0);
    for _ in 0..80 * tests::effort() {
        with_world(LimpCommands::Ease, |world| {
            for _ in 0..4 {
                let (_, limp) = episode(world, &mut random);
                let mut last = limp.place;
                // The fastest way that was commanded: across the range in 1.5 s.
                let fastest = if limp.rests { BOUND } else { 6.0 / 1.5 };
                let bound = fastest * PERIOD.seconds() + 1e-9;
                resting += u32::from(limp.rests);
                let first = world.turn().1;
                let step = (first - last).abs();
                assert!(step <= bound, "it leaps by {step}");
                last = first;
                for _ in 0..800 {
                    let (_, sent) = world.turn();
                    assert!(
                        (sent - last).abs() <= bound,
                        "it leaps from {last} to {sent}"
                    );
                    last = sent;
                }
                moved += u32::from((last - limp.place).abs() > 0.1);
            }
        });
    }
    assert!(moved > 100 && resting > 20, "{moved} and {resting}");
}

#[test]
fn a_hook_that_drives_a_limp_joint_has_it_back_at_a_bounded_speed() {
    let mut random = fastrand::Rng::with_seed(8);
    for limp in LimpCommands::ALL {
        for _ in 0..40 * tests::effort() {
            with_world(limp, |world| {
                let target = 2.5 * (2.0 * random.f64() - 1.0);
                world.drives = Some(target);
                for _ in 0..800 {
                    world.turn();
                }
                assert!((world.at - target).abs() < 1e-9, "it is there");
                world.send(STIFFNESS, world.now, 0.0, Merge::Merge);
                world.turn();
                for turn in 0..random.u32(2..40) {
                    if turn == 0 || random.u8(..4) == 0 {
                        world.at = 2.5 * (2.0 * random.f64() - 1.0);
                    }
                    let (read, sent) = world.turn();
                    assert!((sent - read).abs() < 1e-12, "{sent}, and it is at {read}");
                }
                world.send(STIFFNESS, world.now, 1.0, Merge::Merge);
                let mut last = world.turn().1;
                for _ in 0..800 {
                    let (_, sent) = world.turn();
                    let bound = BOUND * PERIOD.seconds() + 1e-9;
                    assert!(
                        (sent - last).abs() <= bound,
                        "it leaps from {last} to {sent}"
                    );
                    last = sent;
                }
                assert!(
                    (last - target).abs() < 1e-9,
                    "{last}, and it is driven to {target}"
                );
            });
        }
    }
}

#[test]
fn a_show_that_sets_its_stiffness_as_it_begins_keeps_its_commands() {
    with_world(LimpCommands::Drop, |world| {
        let settings = LaneSettings {
            follows: true,
            waits: true,
            ..lane(256)
        };
        world.lane = world.cycle.stage().open(settings).expect("a lane");
        world.send(STIFFNESS, world.now, 0.0, Merge::Merge);
        world.turn();
        world.cycle.stage().disarm().expect("it runs");
        for _ in 0..20 {
            world.turn();
        }
        // Sent while the body is limp: its stiffness, and the joint at the same instant and later.
        let begins = world.cycle.stage().time_of(world.lane);
        world.send(STIFFNESS, begins, 1.0, Merge::Merge);
        let ticket = world.send(JOINT, begins + Span::from_millis(2_000), 1.0, Merge::Merge);
        world.cycle.stage().arm().expect("it is ready");
        for _ in 0..260 {
            world.turn();
        }
        let progress = world.cycle.stage().progress(ticket).expect("a place");
        assert_eq!(
            (progress.executed, progress.missed, progress.removed),
            (1, 0, 0),
            "{progress:?}"
        );
        assert!((world.at - 1.0).abs() < 1e-9, "it is at {}", world.at);
    });
}

#[test]
fn when_the_whole_body_is_limp_only_the_commands_of_clients_are_dropped() {
    for (limp, waits, removed) in [
        (LimpCommands::Drop, false, 1),
        (LimpCommands::Drop, true, 0),
        (LimpCommands::Ease, false, 1),
        (LimpCommands::Ease, true, 0),
    ] {
        with_world(limp, |world| {
            let settings = LaneSettings {
                follows: true,
                waits,
                ..lane(256)
            };
            world.lane = world.cycle.stage().open(settings).expect("a lane");
            let at = world.now + Span::from_millis(2_000);
            let ticket = world.send(JOINT, at, 1.0, Merge::Merge);
            for _ in 0..50 {
                world.turn();
            }
            world.cycle.stage().disarm().expect("it runs");
            for _ in 0..10 {
                world.turn();
            }
            let progress = world.cycle.stage().progress(ticket).expect("a place");
            assert_eq!(
                (progress.removed, progress.remover == Remover::Limp),
                (removed, removed == 1)
            );
            world.at = 0.7;
            world.turn();
            world.cycle.stage().arm().expect("it is ready");
            for _ in 0..400 {
                world.turn();
            }
            let target = if removed == 1 { 0.7 } else { 1.0 };
            assert!(
                (world.at - target).abs() < 1e-9,
                "{limp:?} {waits}: {}",
                world.at
            );
        });
    }
}

#[test]
fn what_ran_out_while_the_joint_was_limp_is_eased_in_even_in_the_lane_of_clients() {
    with_world(LimpCommands::Ease, |world| {
        let settings = LaneSettings {
            follows: true,
            keep: Keep::Speeds,
            ..lane(256)
        };
        world.lane = world.cycle.stage().open(settings).expect("a lane");
        world.send(STIFFNESS, world.now, 0.0, Merge::Merge);
        world.turn();
        world.send(JOINT, world.now + Span::from_millis(300), 1.0, Merge::Merge);
        for _ in 0..100 {
            world.turn();
        }
        assert!(
            world.at.abs() < 1e-9,
            "it has no force, and is at {}",
            world.at
        );
        world.send(STIFFNESS, world.now, 1.0, Merge::Merge);
        let mut last = world.at;
        for _ in 0..400 {
            let (_, sent) = world.turn();
            assert!((sent - last).abs() <= BOUND * PERIOD.seconds() + 1e-9);
            last = sent;
        }
        assert!((last - 1.0).abs() < 1e-9, "it is at {last}");
    });
}

#[test]
fn a_dense_line_that_came_while_the_joint_was_limp_is_joined_at_a_bounded_speed() {
    let mut random = fastrand::Rng::with_seed(9);
    for limp in LimpCommands::ALL {
        for _ in 0..40 * tests::effort() {
            with_world(limp, |world| {
                world.send(STIFFNESS, world.now, 0.0, Merge::Merge);
                world.turn();
                world.turn();
                // A point in every 20 ms, slowly along; the hand has the joint far away.
                let from = 2.0 * random.f64() - 1.0;
                for point in 1..=200_u32 {
                    let at = world.now + Span::from_millis(u64::from(point) * 20);
                    let value = from + 0.3 * f64::from(point) * 0.02;
                    world.send(JOINT, at, value, Merge::Merge);
                }
                for _ in 0..random.u32(2..30) {
                    world.turn();
                }
                world.at = -2.5;
                world.turn();
                world.turn();
                world.send(STIFFNESS, world.now, 1.0, Merge::Merge);
                let mut last = world.turn().1;
                for _ in 0..800 {
                    let (_, sent) = world.turn();
                    let bound = BOUND * PERIOD.seconds() + 1e-9;
                    assert!(
                        (sent - last).abs() <= bound,
                        "{limp:?}: from {last} to {sent}"
                    );
                    last = sent;
                }
                assert!(
                    (last - (from + 0.3 * 4.0)).abs() < 1e-9,
                    "{limp:?}: it is at {last}"
                );
            });
        }
    }
}

#[test]
fn what_was_commanded_before_is_dropped_even_if_the_body_holds_in_that_turn() {
    with_world(LimpCommands::Drop, |world| {
        let ticket = world.send(
            JOINT,
            world.now + Span::from_millis(3_000),
            1.0,
            Merge::Merge,
        );
        world.turn();
        world.send(STIFFNESS, world.now, 0.0, Merge::Merge);
        world.turn();
        world.cycle.stage().hold().expect("it runs");
        for _ in 0..10 {
            world.turn();
        }
        world.cycle.stage().resume().expect("it holds");
        world.turn();
        world.turn();
        let progress = world.cycle.stage().progress(ticket).expect("a place");
        assert_eq!((progress.removed, progress.remover), (1, Remover::Limp));
    });
}

#[test]
fn what_runs_out_while_the_joint_is_limp_is_missed() {
    for limp in LimpCommands::ALL {
        with_world(limp, |world| {
            world.send(STIFFNESS, world.now, 0.0, Merge::Merge);
            world.turn();
            world.turn();
            let ticket = world.send(JOINT, world.now + PERIOD, 1.0, Merge::Merge);
            world.turn();
            world.turn();
            let progress = world.cycle.stage().progress(ticket).expect("a place");
            assert_eq!(
                (progress.executed, progress.missed),
                (1, 1),
                "{limp:?}: {progress:?}"
            );
        });
    }
}
