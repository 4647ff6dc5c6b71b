//! Row 13 of the promises: a silent client or board is noticed within a turn of the stated time, and the body never
//! moves again by itself.

use cycle::{
    ActuatorId, CommandSet, Cycle, Ending, Event, Instant, LaneId, LaneSettings, Merge, Ports,
    Request, SilenceTimeout, Span, State, To,
};
use description::{Robot, RobotSource, load};
use drivers::sim::SimEvent;
use robot::live::{SharedSim, assemble};

/// The interval between a client's commands.
const WORD: u64 = 2;

/// How long a client may be silent.
const SILENCE: SilenceTimeout = SilenceTimeout {
    after: Span::from_millis(200),
    body_after: Some(Span::from_millis(1_500)),
};

/// How often each history is made, with other lengths of everything.
const ROUNDS: u64 = 250;

/// A body that is turned by hand.
struct Bench<'b, 'm, 's, 'r> {
    robot: &'r Robot,
    cycle: &'b mut Cycle<'m>,
    sim: &'b std::cell::RefCell<drivers::sim::SimBoard<'s>>,
    turn: u64,
}

impl Bench<'_, '_, '_, '_> {
    fn turn(&mut self) -> State {
        self.turn += 1;
        let mut ports = Ports {
            inbox: &mut (),
            hooks: &mut (),
            board: &mut SharedSim(self.sim),
            page: &mut (),
        };
        self.cycle.turn(self.now(), &mut ports).state
    }

    fn now(&self) -> Instant {
        Instant::from_nanos(self.robot.settings.period.nanos() * self.turn)
    }

    /// Makes turns until the body is in this state; returns the time that it took.
    fn until(&mut self, wanted: State) -> Span {
        let from = self.now();
        for _ in 0..2_000 {
            if self.turn() == wanted {
                return self.now() - from;
            }
        }
        panic!("it does not become {}", wanted.name());
    }

    fn start(&mut self) {
        self.until(State::Disarmed);
        while self.cycle.stage().arm().is_err() {
            self.turn();
        }
        self.until(State::Running);
    }

    fn count(&self, event: Event) -> u64 {
        self.cycle.view().events.count(event)
    }

    fn say(&mut self, lane: LaneId, to: f64) {
        let now = self.now();
        let request = Request {
            to: To::One(ActuatorId(0)),
            merge: Merge::ClearAll,
            commands: CommandSet::Separate {
                times: &[now + Span::from_millis(100)],
                values: &[to],
            },
        };
        self.cycle.stage().submit(lane, &request).expect("room");
    }

    /// Nothing moves for a while, even if the board answers again; only a person resumes the motion, and not before the
    /// link is good.
    fn stays(&mut self, state: State, random: &mut fastrand::Rng) {
        for _ in 0..random.u32(1..80) {
            assert_eq!(self.turn(), state, "it went on by itself");
        }
    }
}

fn bench(robot: &Robot, run: impl FnOnce(&mut Bench<'_, '_, '_, '_>)) {
    assemble(robot, |cycle, sim| {
        let mut bench = Bench {
            robot,
            cycle,
            sim,
            turn: 0,
        };
        bench.start();
        run(&mut bench);
    })
    .expect("it is put together");
}

fn desk() -> Robot {
    let mut robot = load(&RobotSource::of("desk")).expect("it is shipped");
    // The rest is about what happens then.
    robot.settings.ramps.fade_in = Span::from_millis(50);
    robot.settings.ramps.retreat = Span::from_millis(300);
    robot
}

#[test]
fn a_client_that_falls_silent_is_held_for_and_then_the_body_sits_down() {
    let (robot, mut random) = (desk(), fastrand::Rng::with_seed(13));
    let period = robot.settings.period;
    for _ in 0..ROUNDS * tests::effort() {
        bench(&robot, |bench| {
            let settings = LaneSettings {
                ending: Ending::Hold,
                silence: Some(SILENCE),
                ..LaneSettings::STANDARD
            };
            let lane = bench.cycle.stage().open(settings).expect("a lane");
            for word in 0..random.u64(1..40) {
                bench.say(lane, (word as f64 * 0.1).sin() * 0.3);
                (0..WORD).for_each(|_| assert_eq!(bench.turn(), State::Running));
            }
            bench.say(lane, 0.1);
            let last = bench.now();
            let silent = |bench: &Bench<'_, '_, '_, '_>| bench.count(Event::LaneSilent(lane)) > 0;
            while !silent(bench) {
                bench.turn();
            }
            let noticed = bench.now() - last;
            assert!(
                noticed > SILENCE.after && noticed <= SILENCE.after + period,
                "{noticed:?}"
            );
            bench.until(State::Safe);
            let sat = bench.now() - last;
            let limit = Span::from_millis(1_500);
            assert!(sat > limit && sat <= limit + period, "{sat:?}");
            // It goes limp in its safe pose, and stays limp, even if the client sends commands again.
            while bench.cycle.view().power > 0.0 {
                bench.turn();
            }
            let now = bench.now();
            let _ = bench.cycle.stage().submit(
                lane,
                &Request {
                    to: To::One(ActuatorId(0)),
                    merge: Merge::ClearAll,
                    commands: CommandSet::Separate {
                        times: &[now],
                        values: &[0.2],
                    },
                },
            );
            bench.stays(State::Safe, &mut random);
        });
    }
}

#[test]
fn a_board_that_falls_silent_is_held_for_and_then_lost_until_somebody_says_so() {
    let (robot, mut random) = (desk(), fastrand::Rng::with_seed(31));
    let thresholds = robot.settings.thresholds;
    for _ in 0..ROUNDS * tests::effort() {
        bench(&robot, |bench| {
            let (board, silent) = (random.usize(..2), true);
            for _ in 0..random.u32(1..80) {
                assert_eq!(bench.turn(), State::Running);
            }
            let unplugged = SimEvent::Silence { board, silent };
            assert_eq!(bench.sim.borrow_mut().apply(unplugged), Ok(()));
            let gone = bench.turn;
            bench.until(State::Holding);
            assert_eq!(bench.turn - gone, u64::from(thresholds.missing_to_hold));
            bench.until(State::Fault);
            assert_eq!(bench.turn - gone, u64::from(thresholds.missing_to_lost));
            for _ in 0..random.u32(0..100) {
                assert_eq!(bench.turn(), State::Fault);
            }
            // The board is back: nothing moves because of that, nor as soon as somebody resumes.
            let plugged = SimEvent::Silence {
                board,
                silent: false,
            };
            assert_eq!(bench.sim.borrow_mut().apply(plugged), Ok(()));
            let back = bench.turn;
            bench.stays(State::Fault, &mut random);
            bench.cycle.stage().clear_fault().expect("it is mended");
            assert_eq!(bench.turn(), State::Disarmed);
            while bench.cycle.stage().arm().is_err() {
                assert_eq!(bench.turn(), State::Disarmed);
            }
            let good = robot.settings.ramps.good_link;
            let heard = bench.robot.settings.period.times(bench.turn - back);
            assert!(heard >= good, "armed after {heard:?} of a good link");
            // A person has armed it, and it continues from there.
            assert!(matches!(bench.turn(), State::Armed | State::Running));
        });
    }
}
