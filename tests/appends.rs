//! Commands for one actuator each, by the short way that those of guests go, and one by one by the general way of
//! requests: two cycles that are asked the same, at random, must answer and move alike.

use cycle::{
    Actuator, ActuatorId, Body, Command, CommandSet, Cycle, GroupId, GroupRule, Instant, Kind,
    LaneId, LaneSettings, Merge, PartCommand, PartCounts, Plan, Refusal, Request, SilenceTimeout,
    Span, Ticket, To,
};
use tests::{bare, body_of, lane, plan, start, turn, with_cycle};

const PERIOD: Span = Span::from_millis(10);
const LANES: usize = 3;

/// What both cycles are asked.
#[derive(Clone, Debug)]
enum Asked {
    Begin,
    Parts {
        commands: Vec<PartCommand>,
        is_part: bool,
    },
    Stop(u16),
    Many(Merge, Vec<Command>),
    Cancel,
    Drive(u16, f64),
    Priority(f64),
    End,
}

fn command(random: &mut fastrand::Rng, now: Instant) -> Command {
    let spans = [0, 0, 0, 5, 10, 10, 35, 200];
    let far = Span::from_millis(spans[random.usize(..spans.len())]);
    let at = match random.u8(..40) {
        0 => Instant::from_millis(1 << 40),
        1..6 => now.before(far),
        _ => now + far,
    };
    let value = match random.u8(..40) {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => -0.0,
        _ => 3.0 * (2.0 * random.f64() - 1.0),
    };
    Command { at, value }
}

fn asked(random: &mut fastrand::Rng, now: Instant) -> Asked {
    // The last is unknown.
    let unknown = 5;
    let to = random.u16(..=unknown);
    let merge = Merge::ALL[random.usize(..4)];
    let one = command(random, now);
    let several = (0..4).map(|_| command(random, now)).collect();
    match random.u8(..40) {
        0..3 => Asked::Begin,
        3 => Asked::Stop(to),
        4 => Asked::Many(merge, several),
        5 => Asked::Cancel,
        6 => Asked::Drive(to, one.value),
        7 => Asked::Priority(f64::from(random.i8(-1..3))),
        8 if random.u8(..8) == 0 => Asked::End,
        _ => {
            let more = random.usize(..6);
            let mut commands = vec![(ActuatorId(to), merge, one)];
            for _ in 0..more {
                let merge = if random.bool() { Merge::Merge } else { merge };
                commands.push((
                    ActuatorId(random.u16(..=unknown)),
                    merge,
                    command(random, now),
                ));
            }
            Asked::Parts {
                commands,
                is_part: random.bool(),
            }
        }
    }
}

/// Asks one of the cycles; by the general way if it is not `short`. What it has answered.
fn ask(
    cycle: &mut Cycle<'_>,
    by: LaneId,
    asked: &Asked,
    whole: &mut Option<Ticket>,
    short: bool,
) -> Result<String, Refusal> {
    let stage = cycle.stage();
    let nothing = || "done".to_owned();
    match asked {
        Asked::Begin => {
            *whole = Some(stage.begin_request(by)?);
            Ok(nothing())
        }
        Asked::Parts { commands, is_part } => {
            let whole = whole.filter(|_| *is_part);
            let mut counts = PartCounts::default();
            let mut general = || {
                for (to, merge, command) in commands {
                    let request = Request {
                        to: To::Many(&[*to]),
                        merge: *merge,
                        commands: CommandSet::Same(&[*command]),
                    };
                    counts.add(&stage.offer_part(by, &request, whole)?);
                }
                Ok(())
            };
            let answer = match short {
                true => stage.offer_each(by, whole, &mut commands.iter().copied(), &mut counts),
                false => general(),
            };
            Ok(format!("{counts:?} {answer:?}"))
        }
        Asked::Stop(to) => {
            let stop = Request::stop(To::One(ActuatorId(*to)));
            stage.offer(by, &stop).map(|offer| format!("{offer:?}"))
        }
        Asked::Many(merge, commands) => {
            let request = Request {
                to: To::Many(&[ActuatorId(1), ActuatorId(0)]),
                merge: *merge,
                commands: CommandSet::Same(commands),
            };
            stage.offer(by, &request).map(|offer| format!("{offer:?}"))
        }
        Asked::Cancel => match whole {
            Some(ticket) => stage.cancel_charged(by, *ticket).map(|_| nothing()),
            None => Ok(nothing()),
        },
        Asked::Drive(to, value) => stage
            .drive(by, ActuatorId(*to), *value, 1.0)
            .map(|()| nothing()),
        Asked::Priority(priority) => stage.set_priority(by, *priority).map(|()| nothing()),
        Asked::End => stage.finish(by).map(|()| nothing()),
    }
}

/// All that can be seen of a cycle.
fn seen(cycle: &mut Cycle<'_>, lanes: &[LaneId], begun: &[Ticket]) -> String {
    let view = cycle.view();
    let entries: Vec<_> = view.events.since(0).collect();
    let mut text = format!(
        "{:?}\n{:?}\n{:?} {} {entries:?}\n{:?}",
        view.tracks,
        view.taken,
        view.fires,
        view.taken_lost,
        view.events.counts(),
    );
    let stage = cycle.stage();
    text += &format!("\n{:?}", stage.holder(GroupId(0)));
    for lane in lanes {
        text += &format!("\n{} {:?}", stage.room(*lane), stage.lane_word(*lane, 0));
        for actuator in (0..5).map(ActuatorId) {
            text += &format!(" {:?}", stage.pending(*lane, actuator));
            // A stale lane has nothing that waits.
            let _ = stage.each_pending(*lane, actuator, |item, by| {
                text += &format!(" {item:?} {by:?}");
            });
        }
    }
    for ticket in begun {
        text += &format!("\n{:?}", stage.progress(*ticket));
    }
    text
}

#[test]
fn a_command_of_the_short_way_is_taken_as_by_the_general_way() {
    let actuators = [
        Actuator::new("A", Kind::Joint, -2.0, 2.0),
        Actuator::new("B", Kind::Wheel, -2.5, 2.5),
        Actuator::new("C", Kind::Light, 0.0, 1.0),
        Actuator::new("D", Kind::Trigger, 0.0, 1.0),
        Actuator {
            group: Some(GroupId(0)),
            ..Actuator::new("E", Kind::Joint, -2.0, 2.0)
        },
    ];
    let body = Body {
        groups: &[GroupRule::Rank],
        ..body_of(&actuators, &[])
    };
    let mut taken = 0;
    for seed in 0..40 * tests::effort() {
        let plan = Plan {
            taken: 40,
            followed: 32,
            ..plan(&body, LANES, 12)
        };
        let [short, general] = [true, false]
            .map(|short| with_cycle(&body, &plan, bare(PERIOD), |cycle| run(cycle, seed, short)));
        for (short, general) in short.0.iter().zip(&general.0) {
            assert_eq!(short, general, "seed {seed}");
        }
        taken += short.1;
    }
    assert!(taken > 5_000, "{taken}");
}

/// Runs one of the cycles. What it has answered and shown, step by step, and how many requests were taken.
fn run(cycle: &mut Cycle<'_>, seed: u64, short: bool) -> (Vec<String>, u32) {
    let mut random = fastrand::Rng::with_seed(seed);
    let settings = LaneSettings {
        follows: random.bool(),
        silence: Some(SilenceTimeout {
            after: Span::from_millis(70),
            body_after: None,
        }),
        ..lane(12)
    };
    let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
    let lanes = [(); LANES].map(|()| cycle.stage().open(settings).expect("a lane"));
    let (mut whole, mut begun, mut taken) = ([None; LANES], Vec::new(), 0);
    let mut told = Vec::new();
    for _ in 0..60 {
        for _ in 0..random.usize(..12) {
            let place = random.usize(..LANES);
            let reply = asked(&mut random, now);
            let answer = ask(cycle, lanes[place], &reply, &mut whole[place], short);
            taken += u32::from(answer.is_ok());
            begun.extend(whole[place].filter(|value| !begun.contains(value)));
            told.push(format!("{reply:?}: {answer:?}"));
        }
        now = now + PERIOD;
        turn(cycle, now);
        told.push(seen(cycle, &lanes, &begun));
    }
    (told, taken)
}
