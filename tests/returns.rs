//! After any history of holds, stops, faults, limpness and pauses, nothing catches up: a show waits and continues from
//! where it is, a client's commands that passed are dropped, and the body returns at a bounded speed. The test knows
//! nothing of the cycle: it draws straight lines between keys and looks at what was sent.

#![allow(
    clippy::needless_range_loop,
    reason = "a joint is a place in several lists"
)]

use cycle::{
    Actuator, ActuatorId, Command, CommandSet, Cycle, Incoming, Instant, Keep, Kind, LaneId,
    LaneSettings, Merge, Outgoing, Request, Sensor, SensorId, Settings, Span, State, To,
};
use tests::{HookClosures, Wire, bare, body_of, plan, sensor, start, turn_with, with_cycle};

const PERIOD: Span = Span::from_millis(10);
/// The maximum velocity of every joint, rad/s.
const VELOCITY: f64 = 4.0;
/// The maximum velocity of the return.
const BOUND: f64 = 0.2 * VELOCITY;
/// The maximum velocity between any two keys.
const ASKED: f64 = 1.1;
const JOINTS: usize = 4;
/// The joints that the show moves; the others follow a client.
const SHOW: usize = 2;

/// The number of a light, which the show drives as well.
const LAMP: usize = 2 * JOINTS;

/// Keys of one joint, in the order of their instants.
type Keys = Vec<(Instant, f64)>;

fn joints() -> (Vec<Actuator<'static>>, Vec<Sensor<'static>>) {
    const NAMES: [&str; JOINTS] = ["A", "B", "C", "D"];
    let joint = |place: usize| Actuator {
        sensor: Some(SensorId(place as u16)),
        velocity: VELOCITY,
        ..Actuator::new(NAMES[place], Kind::Joint, -3.0, 3.0)
    };
    let sensor = |place: usize| sensor(NAMES[place]);
    let stiffness = (0..JOINTS).map(|place| {
        let joint = ActuatorId(place as u16);
        Actuator {
            rest: 1.0,
            ..Actuator::new(
                ["sA", "sB", "sC", "sD"][place],
                Kind::Stiffness { joint },
                0.0,
                1.0,
            )
        }
    });
    let light = Actuator::new("Lamp", Kind::Light, 0.0, 1.0);
    let all = (0..JOINTS)
        .map(joint)
        .chain(stiffness)
        .chain([light])
        .collect();
    (all, (0..JOINTS).map(sensor).collect())
}

fn settings() -> Settings {
    let usual = bare(PERIOD);
    Settings {
        ramps: cycle::RampTimes {
            return_speed: BOUND / VELOCITY,
            ..usual.ramps
        },
        limp: cycle::LimpCommands::Ease,
        thresholds: cycle::FaultThresholds {
            late_to_hold: 3,
            missing_to_hold: 3,
            missing_to_lost: 30,
            ..usual.thresholds
        },
        ..usual
    }
}

/// The time until the next turn: a period, or, rarely, as long as the loop stands still.
fn until_next_turn(random: &mut fastrand::Rng) -> Span {
    match random.u32(0..300) {
        0 => Span::from_millis(random.u64(31..3_000)),
        _ => PERIOD,
    }
}

/// The straight line between keys, computed anew for each call.
fn line(keys: &Keys, at: Instant) -> f64 {
    match keys.iter().position(|key| key.0 > at) {
        None => keys[keys.len() - 1].1,
        Some(0) => keys[0].1,
        Some(next) => {
            let ((from, a), (to, b)) = (keys[next - 1], keys[next]);
            let whole = (to.nanos() - from.nanos()) as f64;
            let part = (at.nanos() - from.nanos()) as f64;
            a + (b - a) * part / whole
        }
    }
}

/// One more key, within the requested velocity.
fn next_key(random: &mut fastrand::Rng, (at, value): (Instant, f64)) -> (Instant, f64) {
    let gap = 0.02 + 1.5 * random.f64();
    let way = (2.0 * random.f64() - 1.0) * gap * ASKED;
    let at = at + Span::from_nanos((gap * 1e9) as u64);
    (at, (value + way).clamp(-2.5, 2.5))
}

fn send(cycle: &mut Cycle<'_>, lane: LaneId, joint: usize, key: (Instant, f64)) {
    let command = [Command {
        at: key.0,
        value: key.1,
    }];
    let request = Request {
        to: To::One(ActuatorId(joint as u16)),
        merge: Merge::Merge,
        commands: CommandSet::Same(&command),
    };
    cycle.stage().submit(lane, &request).expect("room");
}

/// A body that is at once where it is sent.
fn obey(out: &Outgoing<'_>, back: &mut Incoming<'_>) {
    for joint in 0..JOINTS {
        back.counts[joint] = out.targets[joint].counts;
    }
    back.answers[0].answered = true;
}

/// What a person, a hand or a plug does to the body.
fn disturb(cycle: &mut Cycle<'_>, random: &mut fastrand::Rng, world: &mut World) {
    let stage = cycle.stage();
    match random.u32(0..14) {
        0 | 1 => drop(stage.hold()),
        2 => drop(stage.press_stop()),
        3 => drop(stage.disarm()),
        4 => world.silent = !world.silent,
        5 => {
            let _ = stage.halt(world.show, true);
        }
        6 => {
            let joint = random.usize(0..JOINTS);
            world.slack[joint] = !world.slack[joint];
        }
        7 | 8 => {
            let _ = stage.resume();
            let _ = stage.halt(world.show, false);
        }
        9 => drop(stage.release_stop()),
        10 => drop(stage.clear_fault()),
        11 => drop(stage.arm()),
        _ => {
            // Back to the show, from any state.
            world.silent = false;
            world.slack = [false; JOINTS];
            let _ = stage.release_stop();
            let _ = stage.clear_fault();
            let _ = stage.arm();
            let _ = stage.resume();
            let _ = stage.halt(world.show, false);
        }
    }
}

struct World {
    show: LaneId,
    /// The board does not answer.
    silent: bool,
    /// Joints without stiffness: a hand moves them.
    slack: [bool; JOINTS],
    at: [f64; JOINTS],
}

impl World {
    /// Joints that are not limp are at once where they are sent; the others are where a hand has put them.
    fn answer(&mut self, limp: &[bool], out: &Outgoing<'_>, back: &mut Incoming<'_>) {
        for joint in 0..JOINTS {
            if !limp[joint] {
                self.at[joint] = out.targets[joint].counts;
            }
            back.counts[joint] = self.at[joint];
        }
        back.answers[0].answered = !self.silent;
    }
}

/// What a hand does in a turn: it makes joints limp, or stiff again, and moves those that are limp.
fn by_hand(
    cycle: &mut Cycle<'_>,
    random: &mut fastrand::Rng,
    world: &mut World,
    (hand, now): (LaneId, Instant),
) {
    for joint in 0..JOINTS {
        let stiffness = if world.slack[joint] { 0.0 } else { 1.0 };
        send(cycle, hand, JOINTS + joint, (now, stiffness));
        // Also beyond its range: its stops are wider.
        if cycle.view().tracks[joint].limp && random.u32(0..20) == 0 {
            world.at[joint] = 3.5 * (2.0 * random.f64() - 1.0);
        }
    }
}

#[test]
fn nothing_catches_up_after_any_history_of_stops() {
    let rounds = 120 * tests::effort();
    let (mut returned, mut on_the_line) = (0u64, 0u64);
    for seed in 0..rounds {
        let (back, exact) = history(seed);
        returned += back;
        on_the_line += exact;
    }
    println!("{returned} turns on the way back, {on_the_line} exactly on the lines of the show");
    assert!(returned > rounds && on_the_line > 100 * rounds);
}

/// One history; returns how many turns were on the return, and how many were compared with the show's lines.
fn history(seed: u64) -> (u64, u64) {
    let (actuators, sensors) = joints();
    let body = body_of(&actuators, &sensors);
    let mut random = fastrand::Rng::with_seed(seed);
    with_cycle(&body, &plan(&body, 4, 4096), settings(), |cycle| {
        let open = |cycle: &mut Cycle<'_>, waits| {
            let settings = LaneSettings {
                room: 2048,
                waits,
                ..LaneSettings::STANDARD
            };
            cycle.stage().open(settings).expect("a lane")
        };
        let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
        let (show, client, hand) = (open(cycle, true), open(cycle, false), open(cycle, false));
        let mut world = World {
            show,
            silent: false,
            slack: [false; JOINTS],
            at: [0.0; JOINTS],
        };
        let mut keys: Vec<Keys> = vec![vec![(now, 0.0)]; JOINTS];
        let (mut returned, mut exact) = (0, 0);
        let mut before: Option<[f64; JOINTS]> = None;
        // The number of turns since a hand could move each joint.
        let mut stiff_for = [0u32; JOINTS];
        for turn in 0..1_000 {
            // Half a second is always sent ahead, in the show's own time, so that each line begins at its key.
            let own = cycle.stage().time_of(show);
            for joint in 0..SHOW {
                while keys[joint]
                    .last()
                    .is_some_and(|key| key.0 < own + Span::from_millis(500))
                {
                    let key = next_key(&mut random, *keys[joint].last().expect("one"));
                    send(cycle, show, joint, key);
                    keys[joint].push(key);
                }
            }
            send(cycle, show, LAMP, (own, f64::from(turn % 2)));
            // A client sends a command sometimes, from where it has the joint.
            let running = cycle.stage().state() == State::Running;
            if running && random.u32(0..60) == 0 {
                let joint = random.usize(SHOW..JOINTS);
                let actuator = ActuatorId(joint as u16);
                let pending = cycle
                    .stage()
                    .pending(client, actuator)
                    .expect("it is there");
                // Where a hand has put it outside of its range, no key can be near.
                let is_inside = pending.value.abs() <= 2.5;
                if pending.count == 0 && !world.slack[joint] && is_inside {
                    let first = next_key(&mut random, (now, pending.value));
                    let second = next_key(&mut random, first);
                    send(cycle, client, joint, first);
                    send(cycle, client, joint, second);
                }
            }
            if random.u32(0..40) == 0 {
                disturb(cycle, &mut random, &mut world);
            }
            by_hand(cycle, &mut random, &mut world, (hand, now));
            now = now + until_next_turn(&mut random);
            let limp: Vec<bool> = cycle.view().tracks.iter().map(|track| track.limp).collect();
            let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
                world.answer(&limp, out, back);
            });
            turn_with(
                cycle,
                now,
                &mut HookClosures(|_: &mut cycle::Stage<'_>| {}, |_: &mut cycle::Stage<'_>| {}),
                &mut board,
            );
            let view = cycle.view();
            let sent: [f64; JOINTS] = std::array::from_fn(|i| view.tracks[i].sent);
            let limp: [bool; JOINTS] = std::array::from_fn(|i| view.tracks[i].limp);
            let state = view.state;
            let follows = cycle.stage().follows();
            returned += u64::from(state == State::Running && !follows);
            for joint in 0..JOINTS {
                stiff_for[joint] = if limp[joint] { 0 } else { stiff_for[joint] + 1 };
            }
            if let Some(last) = before {
                for joint in 0..JOINTS {
                    let speed = (sent[joint] - last[joint]).abs() / PERIOD.seconds();
                    // A limp joint is wherever a hand has put it; this is known a turn after it has become stiff.
                    assert!(
                        stiff_for[joint] < 3 || speed <= ASKED.max(BOUND) * (1.0 + 1e-9),
                        "seed {seed}, turn {turn}: joint {joint} moves at {speed} rad/s in {state:?}"
                    );
                }
            }
            before = Some(sent);
            if state == State::Running
                && follows
                && !world.slack.contains(&true)
                && !limp.contains(&true)
            {
                let own = cycle.stage().time_of(show);
                for joint in 0..SHOW {
                    let asked = line(&keys[joint], own);
                    assert!(
                        (sent[joint] - asked).abs() < 1e-9,
                        "seed {seed}, turn {turn}: joint {joint} is at {}, and its line at {asked}",
                        sent[joint]
                    );
                    exact += 1;
                }
            }
        }
        (returned, exact)
    })
}

/// Several lanes drive the same joints slowly; meanwhile their priorities and weights change, and they are paused and
/// ended.
#[test]
fn whoever_drives_a_joint_next_takes_it_over_at_a_bounded_speed() {
    let (mut acts, mut taken_over) = (0u64, 0u64);
    for seed in 0..60 * tests::effort() {
        let (more, back) = ranks(seed);
        acts += more;
        taken_over += back;
    }
    println!("{acts} acts, {taken_over} turns on the way to another lane");
    assert!(taken_over > acts);
}

fn ranks(seed: u64) -> (u64, u64) {
    let (actuators, sensors) = joints();
    let body = body_of(&actuators, &sensors);
    let mut random = fastrand::Rng::with_seed(seed);
    with_cycle(&body, &plan(&body, 8, 4096), settings(), |cycle| {
        let open = |cycle: &mut Cycle<'_>, random: &mut fastrand::Rng| {
            let fade = |random: &mut fastrand::Rng| {
                Span::from_millis(random.u64(0..2) * random.u64(1..400))
            };
            let settings = LaneSettings {
                room: 512,
                priority: f64::from(random.u8(1..5)),
                weight: [1.0, 1.0, 0.5, 3.0, 0.0][random.usize(0..5)],
                fade_in: fade(random),
                fade_out: fade(random),
                ..LaneSettings::STANDARD
            };
            cycle.stage().open(settings).expect("a lane")
        };
        let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
        let mut lanes: Vec<(LaneId, [(Instant, f64); SHOW])> = Vec::new();
        let (mut acts, mut back) = (0, 0);
        let mut before: Option<[f64; SHOW]> = None;
        for turn in 0..1_000u32 {
            let sent: [f64; SHOW] = std::array::from_fn(|i| cycle.view().tracks[i].sent);
            let mut leaves = None;
            // Each guest starts where the body is, and continues from there by itself.
            while lanes.len() < 3 {
                let lane = open(cycle, &mut random);
                if random.u32(0..4) == 0 {
                    let actuator = ActuatorId(random.u16(0..SHOW as u16));
                    let stage = cycle.stage();
                    stage.set_weight_on(lane, actuator, 0.0).expect("a lane");
                }
                lanes.push((lane, sent.map(|value| (now, value))));
            }
            for (lane, last) in &mut lanes {
                for joint in 0..SHOW {
                    while last[joint].0 < now + Span::from_millis(200) {
                        last[joint] = next_key(&mut random, last[joint]);
                        send(cycle, *lane, joint, last[joint]);
                    }
                }
            }
            if random.u32(0..50) == 0 {
                acts += 1;
                let chosen = random.usize(0..lanes.len());
                let lane = lanes[chosen].0;
                let stage = cycle.stage();
                match random.u32(0..8) {
                    0 | 1 => leaves = Some(lanes.swap_remove(chosen).0),
                    2 => stage.set_priority(lane, -1.0).expect("a lane"),
                    3 => {
                        let actuator = ActuatorId(random.u16(0..SHOW as u16));
                        let weight = f64::from(random.u8(0..5)) / 4.0;
                        stage.set_weight_on(lane, actuator, weight).expect("a lane");
                    }
                    4 => {
                        let weight = f64::from(random.u8(0..5)) / 4.0;
                        stage.set_weight(lane, weight).expect("a lane");
                    }
                    _ => {
                        let priority = f64::from(random.u8(1..4));
                        stage.set_priority(lane, priority).expect("a lane");
                    }
                }
            }
            // Before a turn, or in it: a guest ends in its hook, before the blend.
            let in_turn = leaves.take_if(|_| random.bool());
            let finish = |stage: &mut cycle::Stage<'_>, lane| stage.finish(lane).expect("a lane");
            if let Some(lane) = leaves {
                finish(cycle.stage(), lane);
            }
            now = now + PERIOD;
            let mut board = Wire(obey);
            let hook = |stage: &mut cycle::Stage<'_>| {
                if let Some(lane) = in_turn {
                    finish(stage, lane);
                }
            };
            let mut hooks = HookClosures(hook, |_: &mut cycle::Stage<'_>| {});
            turn_with(cycle, now, &mut hooks, &mut board);
            back += u64::from(!cycle.stage().follows());
            let sent: [f64; SHOW] = std::array::from_fn(|i| cycle.view().tracks[i].sent);
            for (joint, last) in before.unwrap_or(sent).iter().enumerate() {
                let speed = (sent[joint] - last).abs() / PERIOD.seconds();
                assert!(
                    speed <= ASKED.max(BOUND) * (1.0 + 1e-9),
                    "seed {seed}, turn {turn}: joint {joint} moves at {speed} rad/s"
                );
            }
            before = Some(sent);
        }
        (acts, back)
    })
}

/// A client's command is over when it has arrived: then a guest has the joint to itself again, and returns to it at a
/// bounded speed.
#[test]
fn what_a_client_has_commanded_ends_where_somebody_plays() {
    let (actuators, sensors) = joints();
    let body = body_of(&actuators, &sensors);
    with_cycle(&body, &plan(&body, 2, 2048), settings(), |cycle| {
        let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
        let begin = now;
        let at = |ms: u64| begin + Span::from_millis(ms);
        let mut open = |keep, waits| {
            let settings = LaneSettings {
                room: 64,
                keep,
                waits,
                ..LaneSettings::STANDARD
            };
            cycle.stage().open(settings).expect("a lane")
        };
        let (show, client) = (open(Keep::Hold, true), open(Keep::Speeds, false));
        send(cycle, show, 0, (at(5_000), 0.5));
        send(cycle, show, 0, (at(9_000), -0.3));
        let mut last = 0.0;
        for turn in 0..1_000u64 {
            if turn == 100 {
                send(cycle, client, 0, (at(2_000), -1.0));
            }
            now = now + PERIOD;
            let mut board = Wire(obey);
            let mut idle =
                HookClosures(|_: &mut cycle::Stage<'_>| {}, |_: &mut cycle::Stage<'_>| {});
            turn_with(cycle, now, &mut idle, &mut board);
            let sent = cycle.view().tracks[0].sent;
            // The client requests a little more than 1 rad/s; half of that is the blend's.
            assert!((sent - last).abs() <= 1.3 * PERIOD.seconds(), "turn {turn}");
            last = sent;
            if turn > 400 {
                let ms = 10 * (turn + 1);
                let line = if ms < 5_000 {
                    0.5 * ms as f64 / 5_000.0
                } else {
                    0.5 - 0.8 * (ms.min(9_000) - 5_000) as f64 / 4_000.0
                };
                assert!((sent - line).abs() < 1e-9, "turn {turn}: {sent} {line}");
            }
        }
    });
}

/// Joints that a hand has moved away, and that become stiff again, return to their targets, within the bound and within
/// their acceleration, and arrive.
#[test]
fn an_acceleration_makes_the_way_back_no_faster() {
    for seed in 0..200 * tests::effort() {
        let mut random = fastrand::Rng::with_seed(seed);
        let acceleration: [f64; JOINTS] =
            std::array::from_fn(|_| 0.3 + 40.0 * random.f64().powi(3));
        let (mut actuators, sensors) = joints();
        for (actuator, most) in actuators.iter_mut().zip(acceleration) {
            actuator.acceleration = most;
        }
        let body = body_of(&actuators, &sensors);
        with_cycle(&body, &plan(&body, 2, 2048), settings(), |cycle| {
            let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
            let settings = LaneSettings::STANDARD;
            let client = cycle.stage().open(settings).expect("a lane");
            let asked: [f64; JOINTS] = std::array::from_fn(|_| 2.5 * (2.0 * random.f64() - 1.0));
            let mut at = [0.0; JOINTS];
            for joint in 0..JOINTS {
                send(
                    cycle,
                    client,
                    joint,
                    (now + Span::from_millis(5_000), asked[joint]),
                );
            }
            let mut last = [(0.0, 0.0); JOINTS];
            for turn in 0..4_000 {
                if turn == 1_500 || turn == 1_550 {
                    let stiffness = if turn == 1_500 { 0.0 } else { 1.0 };
                    for joint in 0..JOINTS {
                        send(cycle, client, JOINTS + joint, (now, stiffness));
                    }
                }
                if turn == 1_520 {
                    at = std::array::from_fn(|_| 2.5 * (2.0 * random.f64() - 1.0));
                }
                let is_slack = (1_500..1_555).contains(&turn);
                now = now + PERIOD;
                let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
                    for joint in 0..JOINTS {
                        if !is_slack {
                            at[joint] = out.targets[joint].counts;
                        }
                        back.counts[joint] = at[joint];
                    }
                    back.answers[0].answered = true;
                });
                let mut idle =
                    HookClosures(|_: &mut cycle::Stage<'_>| {}, |_: &mut cycle::Stage<'_>| {});
                turn_with(cycle, now, &mut idle, &mut board);
                for joint in 0..JOINTS {
                    let sent = cycle.view().tracks[joint].sent;
                    let speed = (sent - last[joint].0) / PERIOD.seconds();
                    let change = (speed - last[joint].1).abs() / PERIOD.seconds();
                    assert!(
                        turn < 1_560
                            || (speed.abs() <= BOUND * (1.0 + 1e-9)
                                && change <= acceleration[joint] + 1e-6),
                        "seed {seed}, turn {turn}: joint {joint} of {} rad/s² moves at {speed} rad/s, \
                         {change} rad/s²",
                        acceleration[joint]
                    );
                    last[joint] = (sent, speed);
                }
            }
            for joint in 0..JOINTS {
                let away = (last[joint].0 - asked[joint]).abs();
                assert!(
                    away < 1e-6,
                    "seed {seed}: joint {joint} is {away} away from where it shall be"
                );
            }
        });
    }
}

/// Whoever arms the body expects force and nothing else: what a client sent before it went limp is gone, and wherever a
/// hand has put the joints, they stay.
#[test]
fn arming_moves_no_joint_whatever_clients_sent_before() {
    let (actuators, sensors) = joints();
    let body = body_of(&actuators, &sensors);
    let mut random = fastrand::Rng::with_seed(1);
    for round in 0..40 {
        with_cycle(&body, &plan(&body, 2, 512), settings(), |cycle| {
            let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
            let settings = LaneSettings {
                room: 256,
                keep: [Keep::Hold, Keep::Release, Keep::Speeds][round % 3],
                ..LaneSettings::STANDARD
            };
            let client = cycle.stage().open(settings).expect("a lane");
            for joint in 0..JOINTS {
                let mut key = (now, 0.0);
                for _ in 0..random.u32(0..6) {
                    key = next_key(&mut random, key);
                    send(cycle, client, joint, key);
                }
            }
            let anywhere = |_| 3.5 * (2.0 * random.f64() - 1.0);
            // A joint within a step of its range is at its end.
            let is_near =
                |value: f64| value.abs() > 3.0 && value.abs() < 3.0 + VELOCITY * PERIOD.seconds();
            let ended = |value: f64| {
                if is_near(value) {
                    3f64.copysign(value)
                } else {
                    value
                }
            };
            let by_hand: [f64; JOINTS] = std::array::from_fn(anywhere).map(ended);
            let (mut at, limp_at) = ([0.0; JOINTS], 20 + random.u32(0..100));
            for turn in 0..1_200u32 {
                match turn.checked_sub(limp_at) {
                    Some(0) => drop(cycle.stage().disarm()),
                    Some(20) => at = by_hand,
                    Some(40) => drop(cycle.stage().arm().expect("it is limp")),
                    _ => {}
                }
                let is_limp = (limp_at..limp_at + 40).contains(&turn);
                now = now + PERIOD;
                let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
                    for joint in 0..JOINTS {
                        if !is_limp {
                            at[joint] = out.targets[joint].counts;
                        }
                        back.counts[joint] = at[joint];
                    }
                    back.answers[0].answered = true;
                });
                let mut idle =
                    HookClosures(|_: &mut cycle::Stage<'_>| {}, |_: &mut cycle::Stage<'_>| {});
                turn_with(cycle, now, &mut idle, &mut board);
                let sent: [f64; JOINTS] = std::array::from_fn(|i| cycle.view().tracks[i].sent);
                assert!(
                    turn < limp_at + 22 || sent == by_hand,
                    "round {round}, {} turns after the body went limp: {sent:?} for {by_hand:?}",
                    turn - limp_at
                );
            }
            assert_eq!(cycle.view().state, State::Running);
        });
    }
}

/// Lanes may change speeds as they like. But however a motion is stopped, joints slow down within their derived
/// acceleration, and then stay where they are.
#[test]
fn every_stop_is_within_the_derived_acceleration() {
    let mut fast = 0u64;
    let rounds = 400 * tests::effort();
    for seed in 0..rounds {
        fast += u64::from(stop_from_a_wave(seed) > 0.5 * VELOCITY);
    }
    println!("{fast} of {rounds} stops from more than half of the velocity limit");
    assert!(fast > rounds / 4);
}

/// Stops joints that follow waves, in one of all ways, and returns the highest speed that a joint had.
fn stop_from_a_wave(seed: u64) -> f64 {
    let mut random = fastrand::Rng::with_seed(seed);
    let derived: [f64; JOINTS] = std::array::from_fn(|_| 10.0 + 400.0 * random.f64().powi(3));
    let (mut actuators, mut sensors) = joints();
    let mut counts = Vec::new();
    for ((actuator, sensor), estimate) in actuators.iter_mut().zip(&mut sensors).zip(derived) {
        actuator.derived_acceleration = estimate;
        let turn = PERIOD.seconds();
        // From fine counts to one that is twenty times as long as the first step of a stop.
        let count = estimate * turn * turn * [0.0, 0.5, 5.0, 20.0][random.usize(0..4)];
        if count > 0.0 {
            actuator.calibration = cycle::Calibration::steps(count);
            sensor.calibration = actuator.calibration;
        }
        counts.push(count);
    }
    let body = body_of(&actuators, &sensors);
    let usual = settings();
    let ramps = cycle::RampTimes {
        retreat: Span::from_millis(3_000),
        ..usual.ramps
    };
    with_cycle(
        &body,
        &plan(&body, 3, 512),
        Settings { ramps, ..usual },
        |cycle| {
            let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
            let settings = LaneSettings {
                room: 512,
                waits: true,
                ..LaneSettings::STANDARD
            };
            let show = cycle.stage().open(settings).expect("a lane");
            // Each wave is at most as fast as the joint, and goes to and fro within 2 rad.
            let waves: [(f64, f64); JOINTS] = std::array::from_fn(|_| {
                let size = 0.1 + 0.9 * random.f64();
                (size, VELOCITY * random.f64() / size)
            });
            let stop_at = 100 + random.u32(0..200);
            let way = random.u32(0..7);
            let (mut last, mut speeds) = ([0.0f64; JOINTS], [0.0f64; JOINTS]);
            let (mut at_stop, mut fastest) = ([0.0; JOINTS], [0.0f64; JOINTS]);
            for turn in 0..stop_at + 200 {
                if turn == stop_at {
                    (at_stop, fastest) = (last, speeds.map(f64::abs));
                    let stage = cycle.stage();
                    match way {
                        0 => drop(stage.hold()),
                        1 => drop(stage.press_stop()),
                        2 => {
                            stage.set_priority(show, -1.0).expect("a lane");
                            stage.halt(show, true).expect("a lane");
                        }
                        3 => stage.finish(show).expect("a lane"),
                        4 => stage.end(show, cycle::Ending::Hold).expect("a lane"),
                        5 => stage.set_weight(show, 0.0).expect("a lane"),
                        // Without a safe pose it stays where it is.
                        _ => drop(stage.retreat()),
                    }
                }
                now = now + PERIOD;
                let mut board = Wire(obey);
                let hook = |stage: &mut cycle::Stage<'_>| {
                    let own = stage.time_of(show).nanos() as f64 / 1e9 - 1.0;
                    for (joint, (size, rate)) in waves.iter().enumerate() {
                        let id = ActuatorId(joint as u16);
                        let _ = stage.drive(show, id, size * (own * rate).sin(), 1.0);
                    }
                };
                let mut hooks = HookClosures(hook, |_: &mut cycle::Stage<'_>| {});
                turn_with(cycle, now, &mut hooks, &mut board);
                for joint in 0..JOINTS {
                    // Before it is rounded to counts.
                    let track = cycle.view().tracks[joint];
                    let value = track.limited;
                    let speed = (value - last[joint]) / PERIOD.seconds();
                    let change = (speed - speeds[joint]).abs() / PERIOD.seconds();
                    (last[joint], speeds[joint]) = (value, speed);
                    assert!(
                        (track.sent - value).abs() <= counts[joint] / 2.0 + 1e-9,
                        "seed {seed}, way {way}: {value} is sent as {}, counts {}",
                        track.sent,
                        counts[joint]
                    );
                    if turn < stop_at {
                        continue;
                    }
                    assert!(
                        change <= derived[joint] + 1e-6,
                        "seed {seed}, way {way}, turn {} of it: joint {joint} of {} rad/s² brakes with {change}",
                        turn - stop_at,
                        derived[joint]
                    );
                    let most = fastest[joint].powi(2) / (2.0 * derived[joint])
                        + 2.0 * fastest[joint] * PERIOD.seconds()
                        + counts[joint];
                    assert!(
                        (value - at_stop[joint]).abs() <= most + 1e-9,
                        "seed {seed}, way {way}: joint {joint} goes on for {} rad, {most} at most",
                        (value - at_stop[joint]).abs()
                    );
                }
            }
            assert!(
                speeds.iter().all(|speed| speed.abs() <= 0.0),
                "seed {seed}, way {way}: {speeds:?}"
            );
            fastest.into_iter().fold(0.0, f64::max)
        },
    )
}

/// A joint whose acceleration is so low that it would slow down for 5 s stops at once after a second.
#[test]
fn an_emergency_stop_takes_a_second_at_most() {
    let (mut actuators, sensors) = joints();
    for actuator in &mut actuators {
        actuator.acceleration = 0.1;
    }
    let body = body_of(&actuators, &sensors);
    with_cycle(&body, &plan(&body, 3, 512), settings(), |cycle| {
        let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
        let settings = LaneSettings {
            room: 512,
            ..LaneSettings::STANDARD
        };
        let lane = cycle.stage().open(settings).expect("a lane");
        let (mut position, mut moved_at, mut stopped_at) = (0.0, now, now);
        for turn in 0..1_000 {
            if turn == 500 {
                cycle.stage().press_stop().expect("it runs");
                stopped_at = now;
            }
            now = now + PERIOD;
            let drive = |stage: &mut cycle::Stage<'_>| {
                let _ = stage.drive(lane, ActuatorId(0), 3.0, 1.0);
            };
            let mut hooks = HookClosures(drive, |_: &mut cycle::Stage<'_>| {});
            turn_with(cycle, now, &mut hooks, &mut Wire(obey));
            let sent = cycle.view().tracks[0].sent;
            if (sent - position).abs() > 0.0 {
                moved_at = now;
            }
            position = sent;
        }
        let took = moved_at - stopped_at;
        assert!(
            took >= Span::from_millis(990) && took <= Span::from_millis(1_010),
            "{took:?}"
        );
    });
}

/// A hook drives joints in every turn, whether the body runs or not, as choreographies do. However the body or its lane
/// stood, and wherever a hand has put the joints meanwhile, it comes back to them at the speed of the return.
#[test]
fn what_hooks_drive_in_every_turn_comes_back_at_a_bounded_speed() {
    let mut returned = 0u64;
    let rounds = 120 * tests::effort();
    for seed in 0..rounds {
        returned += driven(seed);
    }
    println!("{returned} turns on the way back");
    assert!(returned > 20 * rounds);
}

fn driven(seed: u64) -> u64 {
    let (actuators, sensors) = joints();
    let body = body_of(&actuators, &sensors);
    let mut random = fastrand::Rng::with_seed(seed);
    with_cycle(&body, &plan(&body, 3, 512), settings(), |cycle| {
        let open = |cycle: &mut Cycle<'_>, waits| {
            let settings = LaneSettings {
                room: 128,
                priority: 2.0,
                waits,
                ..LaneSettings::STANDARD
            };
            cycle.stage().open(settings).expect("a lane")
        };
        let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
        let (show, hand) = (open(cycle, random.bool()), open(cycle, false));
        let mut world = World {
            show,
            silent: false,
            slack: [false; JOINTS],
            at: [0.0; JOINTS],
        };
        let waves: [(f64, f64); JOINTS] =
            std::array::from_fn(|_| (2.0 * random.f64(), random.f64()));
        let (mut returned, mut paused) = (0, false);
        let mut weight = f64::from(random.u8(0..2));
        cycle.stage().set_weight(show, weight).expect("a lane");
        let mut before: Option<[f64; JOINTS]> = None;
        let mut stiff_for = [0u32; JOINTS];
        for turn in 0..1_500u32 {
            if random.u32(0..40) == 0 {
                disturb(cycle, &mut random, &mut world);
            }
            if random.u32(0..90) == 0 {
                paused = !paused;
                let priority = if paused { -1.0 } else { 2.0 };
                cycle.stage().set_priority(show, priority).expect("a lane");
            }
            if random.u32(0..90) == 0 {
                weight = if weight > 0.0 { 0.0 } else { random.f64() };
                cycle.stage().set_weight(show, weight).expect("a lane");
            }
            if random.u32(0..60) == 0 {
                let actuator = ActuatorId(random.u16(0..JOINTS as u16));
                let part = f64::from(random.u8(0..3)) / 2.0;
                let stage = cycle.stage();
                stage.set_weight_on(show, actuator, part).expect("a lane");
            }
            by_hand(cycle, &mut random, &mut world, (hand, now));
            now = now + until_next_turn(&mut random);
            let limp: Vec<bool> = cycle.view().tracks.iter().map(|track| track.limp).collect();
            let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
                world.answer(&limp, out, back);
            });
            let hook = |stage: &mut cycle::Stage<'_>| {
                let own = stage.time_of(show).nanos() as f64 / 1e9 - 1.0;
                for (joint, (size, hurry)) in waves.iter().enumerate() {
                    let value = size * (own * hurry * ASKED / size.max(0.1)).sin();
                    let id = ActuatorId(joint as u16);
                    stage.drive(show, id, value, 1.0).expect("a joint");
                }
            };
            let mut hooks = HookClosures(hook, |_: &mut cycle::Stage<'_>| {});
            turn_with(cycle, now, &mut hooks, &mut board);
            let view = cycle.view();
            let sent: [f64; JOINTS] = std::array::from_fn(|i| view.tracks[i].sent);
            let limp: [bool; JOINTS] = std::array::from_fn(|i| view.tracks[i].limp);
            let state = view.state;
            returned += u64::from(state == State::Running && !cycle.stage().follows());
            for joint in 0..JOINTS {
                stiff_for[joint] = if limp[joint] { 0 } else { stiff_for[joint] + 1 };
            }
            for (joint, last) in before.iter().flatten().enumerate() {
                let speed = (sent[joint] - last).abs() / PERIOD.seconds();
                assert!(
                    stiff_for[joint] < 3 || speed <= ASKED.max(BOUND) * (1.0 + 1e-9),
                    "seed {seed}, turn {turn}: joint {joint} moves at {speed} rad/s in {state:?}"
                );
            }
            before = Some(sent);
        }
        returned
    })
}
