//! What tests share: bodies, a cycle whose clock the test sets, boards that record.

pub mod allocator;
pub mod bodies;
pub mod busy;
pub mod gpio_sim;
pub mod hostile;
pub mod mutilator;
pub mod play;
pub mod process;
mod python;
pub mod recorded;
pub mod rig;
pub mod served;
mod wait;

pub use python::python;

use cycle::{
    Actuator, BoardId, Body, Calibration, Cycle, FaultThresholds, Hooks, Inbox, Incoming, Instant,
    Kind, LaneSettings, Outgoing, Plan, Ports, Publisher, RampTimes, Report, Sensor, Settings,
    Span, Stage, State, View, WAITING_MAX,
};
use scripting::memory::CycleStore;
use sensors::Creation;

/// The factor for the length of the promises' tests: `PROMISES=full`, or a number.
pub fn effort() -> u64 {
    match std::env::var("PROMISES").as_deref() {
        Ok("full") => 100,
        Ok(number) => number.parse().unwrap_or(1),
        Err(_) => 1,
    }
}

/// Joints named J0, J1, ... with a range from -1000 to 1000.
pub fn joints(count: usize) -> Vec<Actuator<'static>> {
    let name = |place| &*Box::leak(format!("J{place}").into_boxed_str());
    (0..count)
        .map(|place| Actuator::new(name(place), Kind::Joint, -1000.0, 1000.0))
        .collect()
}

/// A body of these actuators, without sensors.
pub fn body<'m>(actuators: &'m [Actuator<'m>]) -> Body<'m> {
    body_of(actuators, &[])
}

/// A body of these actuators and sensors, on one board.
pub fn body_of<'m>(actuators: &'m [Actuator<'m>], sensors: &'m [Sensor<'m>]) -> Body<'m> {
    Body {
        actuators,
        sensors,
        couplings: &[],
        groups: &[],
        boards: 1,
    }
}

/// A sensor whose value is its board's count.
pub fn sensor(name: &str) -> Sensor<'_> {
    Sensor {
        name,
        path: "",
        board: BoardId(0),
        derived: None,
        calibration: Calibration::NONE,
    }
}

/// A plan with this many lanes, each with room for `room` commands.
pub fn plan(body: &Body<'_>, lanes: usize, room: usize) -> Plan {
    Plan {
        lanes,
        commands: lanes * room,
        ..Plan::new(body)
    }
}

/// The shape of a page for this body, without units.
pub fn creation<'b>(body: &'b Body<'b>, period: Span) -> Creation<'b> {
    Creation {
        body,
        actuator_units: &[],
        sensor_units: &[],
        period,
        utc_at_zero: 0,
        run: 1,
    }
}

/// Settings under which the body starts at once and tolerates everything.
pub fn bare(period: Span) -> Settings {
    let zero = Span::ZERO;
    Settings {
        period,
        ramps: RampTimes {
            readings: 1,
            good_link: zero,
            fade_in: zero,
            fade_out: zero,
            return_speed: f64::INFINITY,
            ease_in: zero,
            retreat: zero,
        },
        limp: cycle::LimpCommands::Ease,
        thresholds: FaultThresholds {
            late_to_hold: 0,
            late_to_safe: 0,
            missing_to_hold: 0,
            missing_to_lost: 0,
            ..FaultThresholds::at(period)
        },
    }
}

/// Standard settings with room for this many commands.
pub fn lane(room: usize) -> LaneSettings {
    LaneSettings {
        room: room as u32,
        ..LaneSettings::STANDARD
    }
}

/// Room for one full timeline on each of `actuators`.
pub fn full_room(actuators: usize) -> usize {
    actuators * WAITING_MAX as usize
}

/// Calls `f` with a cycle of its own.
pub fn with_cycle<R>(
    body: &Body<'_>,
    plan: &Plan,
    settings: Settings,
    f: impl FnOnce(&mut Cycle<'_>) -> R,
) -> R {
    // The body lives as long as the store, which may be longer than a lifetime of the caller.
    let body = Body { ..*body };
    let mut store = CycleStore::new(plan);
    let mut cycle = Cycle::new(&body, plan, store.lend(), settings).expect("a sound body");
    f(&mut cycle)
}

/// Makes one turn without inbox, hooks and page.
pub fn turn(cycle: &mut Cycle<'_>, now: Instant) -> Report {
    turn_with(cycle, now, &mut (), &mut ())
}

/// Makes one turn with these hooks and this board.
pub fn turn_with<H: Hooks, B: cycle::Board>(
    cycle: &mut Cycle<'_>,
    now: Instant,
    hooks: &mut H,
    board: &mut B,
) -> Report {
    cycle.turn(
        now,
        &mut Ports {
            inbox: &mut (),
            hooks,
            board,
            page: &mut (),
        },
    )
}

/// Makes one turn with this board, and publishes it on this page.
pub fn turn_shown<B: cycle::Board, P: Publisher>(
    cycle: &mut Cycle<'_>,
    now: Instant,
    board: &mut B,
    page: &mut P,
) -> Report {
    cycle.turn(
        now,
        &mut Ports {
            inbox: &mut (),
            hooks: &mut (),
            board,
            page,
        },
    )
}

/// Bytes followed by a number in WebAssembly's LEB128.
pub fn leb(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Boots and arms the body, so that it runs. Returns the instant of the last turn.
pub fn start(cycle: &mut Cycle<'_>, first: Instant, period: Span) -> Instant {
    let mut now = first;
    for _ in 0..10_000 {
        turn(cycle, now);
        match cycle.stage().state() {
            State::Disarmed => drop(cycle.stage().arm()),
            State::Running => return now,
            _ => {}
        }
        now = now + period;
    }
    panic!("the body did not start");
}

/// Everything that a turn calls, as closures.
#[derive(Debug)]
pub struct HookClosures<F, G>(pub F, pub G);

impl<F: FnMut(&mut Stage<'_>), G: FnMut(&mut Stage<'_>)> Hooks for HookClosures<F, G> {
    fn pre_process(&mut self, stage: &mut Stage<'_>) {
        (self.0)(stage);
    }
    fn post_process(&mut self, stage: &mut Stage<'_>) {
        (self.1)(stage);
    }
}

impl<F: FnMut(&mut Stage<'_>), G> Inbox for HookClosures<F, G> {
    fn take_in(&mut self, stage: &mut Stage<'_>) {
        (self.0)(stage);
    }
}

/// A board made of a closure.
#[derive(Debug)]
pub struct Wire<F>(pub F);

impl<F: FnMut(&Outgoing<'_>, &mut Incoming<'_>)> cycle::Board for Wire<F> {
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) {
        (self.0)(out, back);
    }
}

/// A page made of a closure.
#[derive(Debug)]
pub struct Seen<F>(pub F);

impl<F: FnMut(&View<'_>)> Publisher for Seen<F> {
    fn publish(&mut self, view: &View<'_>) {
        (self.0)(view);
    }
}
