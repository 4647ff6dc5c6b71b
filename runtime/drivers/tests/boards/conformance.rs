//! Every kind of board keeps the same promises: the simulated body, a servo board on each bus that is there without
//! hardware, a tape of one, and a part that runs aside. `devices/buses.rs` asks the same of a real kernel's bus.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::desk::{Desk, HIGHEST, LOWEST, PERIOD, Plug, REST, rows, servo, turn};
use crate::common::promises::{Subject, Terms, bear, keep_all};
use board::{Firmware, Motion};
use cycle::{
    Actuator, Answer, Board, Body, Calibration, Incoming, Instant, Kind, Outgoing, Sensor, Target,
};
use drivers::aside::{Aside, PartChannels, PartDevice, PartTiming};
use drivers::bus::{
    BusFault, DelayMode, Delayed, Faulty, Latency, Played, Rates, Socket, Tap, Transfer, serve,
};
use drivers::faults::{Fault, Faults};
use drivers::rack::{Device, Mounted, Rack};
use drivers::servo::{Layout, Output, OutputPart, Servo, Session};
use drivers::sim::{Motor, SimBoard, SimSensor};

const JOINTS: usize = 4;

const TERMS: Terms = Terms {
    range: (LOWEST as f64, HIGHEST as f64),
    near: 0.5,
    moving: 4,
    // A transfer for each row, and if it was unplugged as many as it takes until nothing is believed any more.
    reading: 100,
    behind: 1,
    timeout: Duration::from_secs(2),
};

/// A servo board on any bus, above a desk or what plays one.
struct OnDesk<T> {
    servo: Servo<T>,
    desk: Option<Desk>,
    out: Plug,
}

impl<T: Transfer> OnDesk<T> {
    fn new(bus: T, desk: Option<&Desk>) -> OnDesk<T> {
        OnDesk {
            servo: servo(JOINTS, bus),
            desk: desk.cloned(),
            out: Plug::Floats,
        }
    }
}

impl<T: Transfer> Subject for OnDesk<T> {
    fn turn(&mut self, number: u64, powered: bool, counts: f64) -> (Answer, f64) {
        turn(&mut self.servo, JOINTS, number, powered, counts)
    }

    fn plug(&mut self, is_in: bool) {
        if let Some(desk) = &self.desk {
            desk.board().plug = if is_in { Plug::In } else { self.out };
        }
    }

    fn faults(&self) -> Option<Faults> {
        Some(self.servo.faults())
    }

    fn fail(&mut self, code: u16) -> bool {
        if let Some(desk) = &self.desk {
            desk.board().firmware.fail(code);
        }
        true
    }
}

#[test]
fn a_servo_board_on_a_desk_keeps_them_whether_its_line_floats_or_its_bus_is_gone() {
    for out in [Plug::Floats, Plug::Out] {
        let desk = Desk::new(JOINTS);
        let mut subject = OnDesk {
            out,
            ..OnDesk::new(desk.clone(), Some(&desk))
        };
        keep_all(&mut subject, TERMS);
    }
}

#[test]
fn a_tapped_board_keeps_them_and_so_does_its_tape_without_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("trial.tap");
    let desk = Desk::new(JOINTS);
    let tap = Tap::new(desk.clone(), &path).expect("a file");
    let mut subject = OnDesk::new(tap, Some(&desk));
    keep_all(&mut subject, TERMS);
    assert_eq!(subject.servo.bus.finish().expect("it is written"), 0);
    let played = Played::open(&path).expect("a tape");
    let mut subject = OnDesk::new(played, None);
    keep_all(&mut subject, TERMS);
    assert_eq!(subject.servo.bus.difference(), None);
}

#[test]
fn a_board_on_a_wire_without_faults_or_delay_keeps_them() {
    let desk = Desk::new(JOINTS);
    let bus = Faulty::new(desk.clone(), Rates::default(), 1, 4096);
    keep_all(&mut OnDesk::new(bus, Some(&desk)), TERMS);
    let desk = Desk::new(JOINTS);
    let latency = Latency {
        fixed: Duration::from_micros(50),
        per_byte: Duration::from_micros(1),
        jitter: Duration::from_micros(100),
        deadline: Duration::from_millis(1),
    };
    let bus = Delayed::new(desk.clone(), latency, DelayMode::Late(0), 1, 4096);
    keep_all(&mut OnDesk::new(bus, Some(&desk)), TERMS);
}

/// A board that breaks one promise.
struct Flawed {
    board: OnDesk<Desk>,
    flaw: fn(u64, &mut Answer, &mut f64),
}

impl Subject for Flawed {
    fn turn(&mut self, number: u64, powered: bool, counts: f64) -> (Answer, f64) {
        let (mut answer, mut read) = self.board.turn(number, powered, counts);
        (self.flaw)(number, &mut answer, &mut read);
        (answer, read)
    }

    fn plug(&mut self, is_in: bool) {
        self.board.plug(is_in);
    }

    fn faults(&self) -> Option<Faults> {
        self.board.faults()
    }
}

#[test]
fn whoever_breaks_one_of_them_is_found() {
    let flaws: [fn(u64, &mut Answer, &mut f64); 7] = [
        |_, _, _| {},
        |turn, _, read| *read += turn as f64 / 100.0,
        |_, _, read| *read = 30_000.0,
        |_, _, read| *read -= 30_000.0,
        |_, answer, _| answer.acknowledged = 1,
        |turn, answer, _| answer.acknowledged = turn + 1,
        |_, answer, _| answer.error |= 1,
    ];
    for (place, flaw) in flaws.into_iter().enumerate() {
        let found = std::thread::spawn(move || {
            let desk = Desk::new(JOINTS);
            let board = OnDesk::new(desk.clone(), Some(&desk));
            keep_all(&mut Flawed { board, flaw }, TERMS);
        });
        assert_eq!(found.join().is_err(), place > 0, "flaw {place}");
    }
}

/// A faulty wire that a test can repair.
#[derive(Debug)]
struct Mending {
    bus: Faulty<Desk>,
    whole: Arc<AtomicBool>,
}

impl Transfer for Mending {
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault> {
        if self.whole.load(Ordering::Relaxed) {
            self.bus.set(Rates::default());
        }
        self.bus.transfer(down, up)
    }
}

#[test]
fn a_board_on_a_bad_wire_stays_within_its_range_and_is_well_soon_after() {
    let one = |rate| Rates {
        fail: rate,
        drop: rate,
        corrupt_down: rate,
        corrupt_up: rate,
        duplicate: rate,
        freeze: rate,
        delay: rate,
        swap: rate,
        low: rate,
        high: rate,
    };
    for (seed, rate) in [(1, 0.001), (2, 0.01), (3, 0.05), (4, 0.1)] {
        let desk = Desk::new(JOINTS);
        let whole = Arc::new(AtomicBool::new(false));
        let bus = Mending {
            bus: Faulty::new(desk.clone(), one(rate), seed, 4096),
            whole: Arc::clone(&whole),
        };
        let mut subject = OnDesk::new(bus, Some(&desk));
        let heal = || whole.store(true, Ordering::Relaxed);
        bear(&mut subject, TERMS, 20_000, heal);
        assert!(subject.servo.bus.bus.injected() > 50);
    }
}

/// A board that is a process, which can be ended and started again.
struct Process {
    servo: Servo<Socket>,
    path: std::path::PathBuf,
    running: Option<(Arc<AtomicBool>, std::thread::JoinHandle<()>)>,
    boots: AtomicU8,
}

impl Process {
    fn start(path: &Path, boots: u8) -> (Arc<AtomicBool>, std::thread::JoinHandle<()>) {
        let (over, path) = (Arc::new(AtomicBool::new(false)), path.to_owned());
        let (ends, its) = (Arc::clone(&over), path.clone());
        let thread = std::thread::spawn(move || {
            let (rows, mut motions) = (rows(JOINTS), [Motion::default(); JOINTS]);
            let mut board = Firmware::new("process", &rows, &mut motions, 500, boots);
            let board = board.as_mut().expect("a board");
            let mut at = [REST; JOINTS];
            let input = |place: usize, board: &Firmware<'_>, clock| {
                at[place] = board.output(place, clock).unwrap_or(at[place]);
                at[place]
            };
            let ends = || ends.load(Ordering::Relaxed);
            serve(&its, board, input, |_, _| {}, ends).expect("a socket");
        });
        while !path.exists() {
            std::thread::yield_now();
        }
        (over, thread)
    }
}

impl Subject for Process {
    fn turn(&mut self, number: u64, powered: bool, counts: f64) -> (Answer, f64) {
        let seen = turn(&mut self.servo, JOINTS, number, powered, counts);
        std::thread::sleep(Duration::from_millis(2));
        seen
    }

    fn plug(&mut self, is_in: bool) {
        if is_in {
            let boots = self.boots.fetch_add(1, Ordering::Relaxed) + 1;
            self.running = Some(Process::start(&self.path, boots));
        } else if let Some((over, thread)) = self.running.take() {
            over.store(true, Ordering::Relaxed);
            thread.join().expect("it ends");
            std::fs::remove_file(&self.path).expect("its socket");
        }
    }

    fn faults(&self) -> Option<Faults> {
        Some(self.servo.faults())
    }
}

#[test]
fn a_board_that_is_a_process_keeps_them_and_may_be_started_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board");
    let running = Process::start(&path, 1);
    let bus = Socket::connect(&path).expect("a board");
    let mut subject = Process {
        servo: servo(JOINTS, bus),
        path,
        running: Some(running),
        boots: AtomicU8::new(1),
    };
    let terms = Terms {
        // Its motions last 10 ms of real time.
        moving: 20,
        behind: 2,
        ..TERMS
    };
    keep_all(&mut subject, terms);
    subject.plug(false);
}

/// A motor that runs aside: it moves to its target while it is powered.
#[derive(Clone, Debug)]
struct Motored(Arc<Mutex<MotoredState>>);

#[derive(Debug, Default)]
struct MotoredState {
    runs: u64,
    at: f64,
    gone: bool,
}

impl PartDevice for Motored {
    fn run(&mut self, outputs: &[f64], powered: bool, inputs: &mut [f64]) -> Result<(), Fault> {
        let mut motor = self.0.lock().expect("nobody panicked");
        motor.runs += 1;
        if motor.gone {
            return Err(BusFault::Gone.into());
        }
        if powered && !outputs[0].is_nan() {
            motor.at = outputs[0].clamp(-1.0, 1.0);
        }
        inputs[0] = motor.at;
        Ok(())
    }
}

struct RunsAside {
    aside: Aside,
    motor: Motored,
}

const PACE: PartTiming = PartTiming {
    period: Duration::from_micros(200),
    timeout_periods: 1_500,
};

impl Subject for RunsAside {
    /// A turn lasts until the part has run once from its beginning.
    fn turn(&mut self, number: u64, powered: bool, counts: f64) -> (Answer, f64) {
        let runs = || self.motor.0.lock().expect("nobody panicked").runs;
        let seen = turn(&mut self.aside, 1, number, powered, counts);
        let before = runs();
        while runs() < before + 2 {
            std::thread::sleep(PACE.period);
        }
        seen
    }

    fn plug(&mut self, is_in: bool) {
        self.motor.0.lock().expect("nobody panicked").gone = !is_in;
        if !is_in {
            // Until then the last reading is valid.
            std::thread::sleep(PACE.period * (PACE.timeout_periods + 100));
        }
    }

    fn faults(&self) -> Option<Faults> {
        Some(self.aside.faults())
    }
}

#[test]
fn a_part_that_runs_aside_keeps_them() {
    let motor = Motored(Arc::default());
    let places = PartChannels {
        outputs: vec![Some(0)],
        inputs: vec![Some(0)],
    };
    let aside = Aside::start(motor.clone(), places, PACE).expect("a thread");
    let terms = Terms {
        range: (-1.0, 1.0),
        near: 0.0,
        moving: 3,
        behind: 1,
        ..TERMS
    };
    keep_all(&mut RunsAside { aside, motor }, terms);
}

/// The simulated body.
struct Simulated<'b>(SimBoard<'b>);

impl Subject for Simulated<'_> {
    fn turn(&mut self, number: u64, powered: bool, counts: f64) -> (Answer, f64) {
        let target = Target {
            counts,
            ..Target::default()
        };
        let out = Outgoing {
            turn: number,
            now: Instant::from_nanos(number * PERIOD.nanos()),
            powered,
            targets: &[target],
            fires: &[],
        };
        let (mut read, mut answers) = ([f64::NAN], [Answer::default()]);
        let mut back = Incoming {
            counts: &mut read,
            answers: &mut answers,
        };
        self.0.exchange(&out, &mut back);
        (answers[0], read[0])
    }

    fn plug(&mut self, is_in: bool) {
        self.0.silence(0, !is_in);
    }

    fn faults(&self) -> Option<Faults> {
        None
    }
}

#[test]
fn the_simulated_body_keeps_them() {
    let joint = Actuator::new("Joint", Kind::Joint, -1.0, 1.0);
    let sensor = Sensor {
        name: "Joint",
        path: "Joint",
        board: joint.board,
        derived: None,
        calibration: Calibration::NONE,
    };
    let body = Body {
        actuators: &[joint],
        sensors: &[sensor],
        couplings: &[],
        groups: &[],
        boards: 1,
    };
    let motor = Motor {
        stops: (-1.0, 1.0),
        ..Motor::SERVO
    };
    let body = SimBoard::new(&body, &[Some(motor)], &[SimSensor::position(0)], 1).expect("a body");
    let terms = Terms {
        range: (-1.0, 1.0),
        near: 0.03,
        moving: 100,
        behind: 0,
        ..TERMS
    };
    keep_all(&mut Simulated(body), terms);
}

/// Turns without power go by until every board answers.
fn all_are_found(mut turn: impl FnMut() -> [bool; 3]) {
    assert!((0..2_000).any(|_| turn() == [true; 3]), "one is missing");
}

/// Three buses of one body: a desk's, the socket of a process, and a part that runs aside. Each is served in every
/// turn, and one that is gone takes nothing from the others.
#[test]
fn several_buses_are_served_in_one_turn_and_one_that_is_gone_is_missed_alone() {
    const ALL: usize = 2 * JOINTS + 1;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board");
    let (over, thread) = Process::start(&path, 1);
    let desk = Desk::new(JOINTS);
    let socket = Socket::connect(&path).expect("a board");
    let places = PartChannels {
        outputs: vec![Some(2 * JOINTS)],
        inputs: vec![Some(2 * JOINTS)],
    };
    let aside = Aside::start(Motored(Arc::default()), places, PACE).expect("a thread");
    let session = |first: usize| {
        let part = OutputPart::Target;
        let output = |actuator| Some(Output { actuator, part });
        let layout = Layout {
            outputs: (first..first + JOINTS).map(output).collect(),
            inputs: (first..first + JOINTS).map(Some).collect(),
        };
        Session::new(layout, PERIOD)
    };
    let mut rack = Rack(vec![
        Mounted::new(0, Box::new(Servo::new(session(0), desk.clone())), 1),
        Mounted::new(1, Box::new(Servo::new(session(JOINTS), socket)), 1),
        Mounted::new(2, Box::new(aside), 1),
    ]);
    let mut number = 0;
    let mut read = [f64::NAN; ALL];
    let at = |share: f64| f64::from(LOWEST) + share * f64::from(HIGHEST - LOWEST);
    // Makes a turn; which boards answered.
    let mut turn = |read: &mut [f64; ALL], powered: bool, share: f64| {
        number += 1;
        let target = |counts| Target {
            counts,
            ..Target::default()
        };
        let mut targets = [target(at(share)); ALL];
        targets[2 * JOINTS] = target(2.0 * share - 1.0);
        let out = Outgoing {
            turn: number,
            now: Instant::from_millis(10 * number),
            powered,
            targets: &targets,
            fires: &[],
        };
        let mut answers = [Answer::default(); 3];
        let mut back = Incoming {
            counts: read,
            answers: &mut answers,
        };
        rack.exchange(&out, &mut back);
        std::thread::sleep(Duration::from_millis(2));
        answers.map(|answer| answer.answered)
    };
    let there = |read: &[f64; ALL], share: f64| {
        let off = |place: usize, wanted: f64| (read[place] - wanted).abs();
        [
            off(0, at(share)) <= 0.5,
            off(JOINTS, at(share)) <= 0.5,
            off(2 * JOINTS, 2.0 * share - 1.0) < 1e-9,
        ]
    };
    all_are_found(|| turn(&mut read, false, 0.5));
    assert!((0..500).any(|_| {
        turn(&mut read, true, 0.25);
        there(&read, 0.25) == [true; 3]
    }));
    // The desk's bus is gone.
    desk.board().plug = Plug::Out;
    let mut answered = [0; 3];
    for _ in 0..200 {
        let answers = turn(&mut read, true, 0.75);
        for (count, is) in answered.iter_mut().zip(answers) {
            *count += u32::from(is);
        }
    }
    assert!(
        answered[0] == 0 && answered[1] > 100 && answered[2] > 100,
        "{answered:?}"
    );
    assert_eq!(there(&read, 0.75), [false, true, true]);
    desk.board().plug = Plug::In;
    all_are_found(|| turn(&mut read, false, 0.5));
    // The process has ended.
    over.store(true, Ordering::Relaxed);
    thread.join().expect("it ends");
    std::fs::remove_file(&path).expect("its socket");
    assert!((0..500).any(|_| {
        let answers = turn(&mut read, true, 0.6);
        let is = there(&read, 0.6);
        answers == [true, false, true] && is[0] && is[2]
    }));
}
