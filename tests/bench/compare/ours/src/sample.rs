//! Sampling of lines of many joints. Called by `main`. Each joint has its own timeline with a point in every
//! 100 ms, and the clock goes on by 1 ms in each turn.

use std::time::Instant as Clock;

use cycle::{
    Actuator, ActuatorId, Command, CommandSet, Cycle, Incoming, Instant, Kind, LaneId, Merge,
    Outgoing, Ports, Request, Span, To,
};
use scripting::memory::CycleStore;

const PERIOD: Span = Span::from_millis(1);
/// Points of each timeline, and turns from one to the next.
const POINTS: u64 = 1000;
const APART: u64 = 100;

/// Parts of a round in which moving and holding alternate: the difference is the median of theirs.
const PARTS: u64 = 41;

/// A board that takes the frame and gives nothing.
struct Sink;

impl cycle::Board for Sink {
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) {
        std::hint::black_box(out.targets);
        back.answers[0].answered = true;
    }
}

struct Body {
    cycle: Cycle<'static>,
    lane: LaneId,
    joints: u16,
    now: Instant,
    left: u64,
}

impl Body {
    fn new(joints: usize) -> Body {
        let name = |place: usize| &*Box::leak(format!("J{place}").into_boxed_str());
        let actuators = (0..joints).map(|i| Actuator::new(name(i), Kind::Joint, -1e9, 1e9));
        let actuators = Vec::leak(actuators.collect());
        let body = &*Box::leak(Box::new(tests::body(actuators)));
        let room = joints * (POINTS as usize + 1);
        let plan = tests::plan(body, 1, room);
        let store = Box::leak(Box::new(CycleStore::new(&plan)));
        let mut cycle =
            Cycle::new(body, &plan, store.lend(), tests::bare(PERIOD)).expect("a sound body");
        let now = tests::start(&mut cycle, Instant::from_millis(1_000), PERIOD);
        let lane = cycle.stage().open(tests::lane(room)).expect("a lane");
        let joints = joints as u16;
        Body {
            cycle,
            lane,
            joints,
            now,
            left: 0,
        }
    }

    fn turn(&mut self) {
        self.now = self.now + PERIOD;
        let (mut inbox, mut hooks, mut page) = ((), (), ());
        let mut ports = Ports {
            inbox: &mut inbox,
            hooks: &mut hooks,
            board: &mut Sink,
            page: &mut page,
        };
        std::hint::black_box(self.cycle.turn(std::hint::black_box(self.now), &mut ports));
    }

    /// Sends the lines anew if they would end within so many turns.
    fn prepare(&mut self, turns: u64) {
        if self.left < turns + 10 {
            let begin = self.now + Span::from_millis(2 * u64::from(self.joints));
            let points: Vec<_> = (1..=POINTS)
                .map(|i| Command {
                    at: begin + Span::from_millis(i * APART),
                    value: ((i * 7) % 13) as f64 / 10.0,
                })
                .collect();
            for joint in 0..self.joints {
                let commands = CommandSet::Same(&points);
                let request = Request {
                    to: To::One(ActuatorId(joint)),
                    merge: Merge::ClearAll,
                    commands,
                };
                self.cycle
                    .stage()
                    .submit(self.lane, &request)
                    .expect("room");
                self.turn(); // A turn renews the lane's steps.
            }
            self.left = POINTS * APART;
        }
        self.left -= turns;
    }

    /// The time of a turn, ns.
    fn time(&mut self, turns: u64) -> f64 {
        let begun = Clock::now();
        (0..turns).for_each(|_| self.turn());
        begun.elapsed().as_nanos() as f64 / turns as f64
    }
}

/// A whole turn in which every joint moves.
pub(crate) fn whole_turn(joints: usize) {
    let mut body = Body::new(joints);
    protocol::contest_timed(|turns| {
        body.prepare(turns);
        body.time(turns)
    });
}

/// What the moving adds to a turn in which every joint holds: the sampling.
pub(crate) fn sampling_alone(joints: usize) {
    let (mut moving, mut still) = (Body::new(joints), Body::new(joints));
    still.prepare(1);
    let all: Vec<_> = (0..joints as u16).map(ActuatorId).collect();
    still.turn();
    still
        .cycle
        .stage()
        .submit(still.lane, &Request::stop(To::Many(&all)))
        .expect("room");
    protocol::contest_timed(|turns| {
        moving.prepare(turns + PARTS);
        let part = turns.div_ceil(PARTS);
        let mut parts: Vec<_> = (0..PARTS)
            .map(|_| moving.time(part) - still.time(part))
            .collect();
        parts.sort_by(f64::total_cmp);
        parts[parts.len() / 2]
    });
}
