//! Lines over a real kernel's gpio, on chips of its own simulator. `tests/kernel/test.sh` boots one and runs these in
//! it; nobody else does, because they need its devices.

use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::allocator::{Counts, watch};
use crate::gpio_sim::GpioSim;
use crate::wait::until;
use cycle::{ActuatorId, Answer, Fire, Incoming, Instant as Moment, Outgoing, Span, Target};
use drivers::bus::BusFault;
use drivers::faults::{Fault, Faults};
use drivers::lines::{
    Bias, Guarded, InputLine, LineName, Lines, LinesError, LinesSettings, OutputLine, Reads, Watch,
    WatchSettings,
};
use drivers::rack::Device;

/// The simulator's interrupts come with the kernel's tick: two edges within one are seen as one.
const TICK: Duration = Duration::from_millis(25);

/// Drives an input from outside, and leaves it there until the kernel has seen it.
fn pull(sim: &GpioSim, line: usize, up: bool) {
    sim.put(line, up);
    std::thread::sleep(TICK);
}

fn name(line: &str) -> Option<LineName> {
    Some(LineName {
        line: line.to_owned(),
        active_low: false,
        bias: None,
    })
}

fn output(line: &str, actuator: usize) -> OutputLine {
    OutputLine {
        line: line.to_owned(),
        active_low: false,
        actuator,
        fires: false,
        dither: None,
    }
}

fn input(line: &str, sensor: usize, reads: Reads) -> InputLine {
    InputLine {
        line: line.to_owned(),
        active_low: false,
        bias: None,
        debounce: Span::ZERO,
        sensor,
        reads,
    }
}

/// A device, spoken to turn by turn.
struct Bench<D> {
    device: D,
    turn: u64,
    powered: bool,
    targets: [f64; 4],
    counts: [f64; 4],
    allocations: &'static Counts,
}

impl<D: Device> Bench<D> {
    fn new(device: D) -> Bench<D> {
        Bench {
            device,
            turn: 0,
            powered: true,
            targets: [0.0; 4],
            counts: [f64::NAN; 4],
            allocations: Counts::new(),
        }
    }

    fn fire(&mut self, fires: &[Fire]) -> Answer {
        self.turn += 1;
        let target = |counts| Target {
            counts,
            ..Target::default()
        };
        let targets = self.targets.map(target);
        let out = Outgoing {
            turn: self.turn,
            now: Moment::from_millis(10 * self.turn),
            powered: self.powered,
            targets: &targets,
            fires,
        };
        let mut back = Incoming {
            counts: &mut self.counts,
            answers: &mut [],
        };
        watch(Some(self.allocations));
        let answer = self.device.exchange(&out, &mut back);
        watch(None);
        assert_eq!(
            self.allocations.calls(),
            0,
            "a turn allocates nothing and frees nothing"
        );
        answer
    }

    fn turn(&mut self) -> Answer {
        self.fire(&[])
    }

    /// A good turn.
    fn good(&mut self) {
        let answer = self.turn();
        let good = Answer {
            answered: true,
            acknowledged: self.turn,
            error: 0,
        };
        assert_eq!(answer, good);
    }

    /// Turns until this sensor reads so much.
    fn reads(&mut self, sensor: usize, counts: f64) {
        until(&format!("sensor {sensor} reads {counts}"), || {
            self.good();
            self.counts[sensor] == counts
        });
    }
}

fn open(settings: &LinesSettings) -> Bench<Lines> {
    Bench::new(Lines::open(settings).expect("lines"))
}

#[test]
fn outputs_follow_their_targets_and_the_relay_follows_the_power() {
    let sim = GpioSim::new("chest", &["RED", "GREEN", "BLUE", "RELAY"]);
    let mut bench = open(&LinesSettings {
        outputs: vec![
            // In another order than on the chip.
            output("chest:2", 2),
            output("RED", 0),
            OutputLine {
                active_low: true,
                ..output("GREEN", 1)
            },
        ],
        enable: name("RELAY"),
        ..LinesSettings::default()
    });
    let seen = || [0, 1, 2, 3].map(|i| sim.is_high(i));
    assert_eq!(seen(), [false, true, false, false], "inactive at first");
    bench.targets = [1.0, 1.0, 0.49, 0.0];
    bench.powered = false;
    bench.good();
    assert_eq!(seen(), [true, false, false, false]);
    bench.powered = true;
    bench.targets = [0.0, 0.0, 0.5, 0.0];
    bench.good();
    assert_eq!(seen(), [false, true, true, true]);
    // Without power only the relay falls.
    bench.powered = false;
    bench.good();
    assert_eq!(seen(), [false, true, true, false]);
    bench.powered = true;
    bench.good();
    assert_eq!(bench.device.faults().good, 4);
    drop(bench);
    assert!(!sim.is_high(3), "nobody drives the relay any more");
}

#[test]
fn inputs_are_read_with_their_edges() {
    let sim = GpioSim::new("feet", &["HEEL", "TOE", "BUTTON"]);
    pull(&sim, 0, true);
    pull(&sim, 1, true);
    let mut bench = open(&LinesSettings {
        chip: Some("feet".to_owned()),
        inputs: vec![
            input("BUTTON", 2, Reads::Presses),
            input("HEEL", 0, Reads::Level),
            InputLine {
                active_low: true,
                ..input("TOE", 1, Reads::Level)
            },
        ],
        ..LinesSettings::default()
    });
    bench.good();
    assert_eq!(bench.counts[..3], [1.0, 0.0, 0.0], "the first levels");
    assert!(bench.counts[3].is_nan(), "nobody else's place");
    pull(&sim, 0, false);
    bench.reads(0, 0.0);
    pull(&sim, 1, false);
    bench.reads(1, 1.0);
    for press in 1..=20 {
        pull(&sim, 2, true);
        pull(&sim, 2, false);
        bench.reads(2, f64::from(press));
    }
    assert_eq!(bench.device.lost(), 0);
    assert!(!bench.device.stopped(), "there is no stop line");
}

#[test]
fn what_bounces_is_one_press() {
    let sim = GpioSim::new("back", &["BUTTON", "RAW"]);
    let mut bench = open(&LinesSettings {
        inputs: vec![
            InputLine {
                debounce: Span::from_millis(300),
                ..input("BUTTON", 0, Reads::Presses)
            },
            input("RAW", 1, Reads::Presses),
        ],
        ..LinesSettings::default()
    });
    for press in 1..=3 {
        for line in [0, 1] {
            for _ in 0..5 {
                pull(&sim, line, true);
                pull(&sim, line, false);
            }
            pull(&sim, line, true);
        }
        bench.reads(0, f64::from(press));
        bench.reads(1, f64::from(6 * press));
        pull(&sim, 0, false);
        pull(&sim, 1, false);
        std::thread::sleep(Duration::from_millis(700));
        bench.reads(0, f64::from(press));
    }
}

#[test]
fn edges_that_the_kernel_drops_are_counted_and_the_level_is_right_after() {
    let sim = GpioSim::new("busy", &["A", "B"]);
    let mut bench = open(&LinesSettings {
        inputs: vec![input("A", 0, Reads::Level), input("B", 1, Reads::Presses)],
        ..LinesSettings::default()
    });
    bench.good();
    // This thread has a higher priority than the chip's thread, so nobody takes the edges.
    let chrt = |class: &str, priority: &str| {
        let me = rustix::thread::gettid().as_raw_nonzero().to_string();
        let mut command = Command::new("chrt");
        let done = command.args([class, "-p", priority, &me]).status();
        done.expect("chrt").success()
    };
    // Whoever sleeps lets others run.
    let busy = |line: usize, up: bool| {
        sim.put(line, up);
        let since = Instant::now();
        while since.elapsed() < TICK / 2 {}
    };
    // Once in a second the scheduler lets the others run all the same: then it is tried again.
    until("edges are lost", || {
        assert!(chrt("-f", "1"));
        // The kernel keeps 16 of each line.
        for edge in 0..45 {
            busy(0, edge % 2 == 0);
        }
        busy(1, true);
        assert!(chrt("-o", "0"));
        std::thread::sleep(4 * TICK);
        bench.device.lost() > 0
    });
    bench.reads(0, 1.0);
    bench.reads(1, 1.0);
    pull(&sim, 0, false);
    bench.reads(0, 0.0);
}

#[test]
fn an_ultrasound_is_triggered_and_its_echo_is_measured() {
    let sim = GpioSim::new("sonar", &["TRIGGER", "ECHO"]);
    let mut bench = open(&LinesSettings {
        outputs: vec![OutputLine {
            fires: true,
            ..output("TRIGGER", 2)
        }],
        inputs: vec![input("ECHO", 0, Reads::Echo { trigger: 2 })],
        ..LinesSettings::default()
    });
    let fire = Fire {
        actuator: ActuatorId(2),
        ..Fire::FREE
    };
    let echo = |length: Duration| {
        let up = Instant::now();
        sim.put(1, true);
        std::thread::sleep(length);
        sim.put(1, false);
        up.elapsed().as_secs_f64()
    };
    // An echo of nothing.
    echo(TICK);
    std::thread::sleep(TICK);
    bench.good();
    assert!(bench.counts[0].is_nan());
    let mut last = f64::NAN;
    for millis in [25, 40] {
        // Where others run as well, an echo of the test may be too long to be one.
        until("an echo is measured", || {
            bench.fire(&[fire]);
            std::thread::sleep(Duration::from_millis(2));
            let length = echo(Duration::from_millis(millis));
            std::thread::sleep(TICK);
            bench.good();
            let read = bench.counts[0];
            if read.is_nan() || read.to_bits() == last.to_bits() {
                return false;
            }
            let off = (read - length).abs();
            assert!(off < TICK.as_secs_f64(), "{read}, not {length}");
            last = read;
            true
        });
    }
    // Nothing is there: what was read stays.
    bench.fire(&[fire]);
    std::thread::sleep(Duration::from_millis(2));
    echo(Duration::from_millis(100));
    std::thread::sleep(TICK);
    bench.good();
    assert_eq!(bench.counts[0].to_bits(), last.to_bits());
}

#[test]
fn a_trigger_is_raised_for_an_instant_and_lowered() {
    let sim = GpioSim::new("pulse", &["TRIGGER"]);
    let mut bench = open(&LinesSettings {
        outputs: vec![OutputLine {
            fires: true,
            ..output("TRIGGER", 0)
        }],
        ..LinesSettings::default()
    });
    let (over, seen) = (AtomicBool::new(false), AtomicU64::new(0));
    // A target is nothing to a trigger.
    bench.targets[0] = 1.0;
    bench.good();
    std::thread::sleep(Duration::from_millis(20));
    assert!(!sim.is_high(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                seen.fetch_add(u64::from(sim.is_high(0)), Ordering::Relaxed);
            }
        });
        let fire = Fire::FREE;
        let began = Instant::now();
        // On one processor it takes a switch of threads in just that moment.
        while seen.load(Ordering::Relaxed) == 0 && began.elapsed() < Duration::from_secs(30) {
            bench.fire(&[fire]);
            std::thread::sleep(Duration::from_millis(1));
        }
        over.store(true, Ordering::Relaxed);
    });
    assert!(seen.into_inner() > 0, "nobody has seen it raised");
    std::thread::sleep(Duration::from_millis(20));
    assert!(!sim.is_high(0), "it is lowered again");
}

#[test]
fn a_stop_line_stops_while_it_is_pressed_and_when_it_cannot_be_seen() {
    let sim = GpioSim::new("stop", &["ESTOP"]);
    let lamps = GpioSim::new("lamps", &["LAMP"]);
    pull(&sim, 0, true);
    let mut bench = open(&LinesSettings {
        outputs: vec![output("LAMP", 0)],
        // Broken wire: pressed.
        estop: Some(LineName {
            line: "ESTOP".to_owned(),
            active_low: true,
            bias: None,
        }),
        ..LinesSettings::default()
    });
    bench.good();
    assert!(!bench.device.stopped());
    pull(&sim, 0, false);
    until("pressed", || bench.device.stopped());
    bench.good();
    pull(&sim, 0, true);
    until("released", || {
        bench.good();
        !bench.device.stopped()
    });
    // Pressed for so short that no turn has seen it down.
    pull(&sim, 0, false);
    pull(&sim, 0, true);
    until("pressed", || {
        bench.good();
        bench.device.stopped()
    });
    bench.good();
    assert!(!bench.device.stopped());
    lamps.plug(false);
    until("the lamps are gone", || !bench.turn().answered);
    assert!(!bench.device.stopped(), "only the lamps are gone");
    sim.plug(false);
    until("gone", || bench.device.stopped());
    sim.plug(true);
    pull(&sim, 0, true);
    until("back", || !bench.device.stopped());
    assert!(!bench.turn().answered);
    lamps.plug(true);
    until("the lamps are back", || bench.turn().answered);
}

/// A switch that opens when it is pressed, between the line and the ground: a broken wire is a pressed stop.
#[test]
fn a_stop_line_whose_wire_is_broken_is_pressed() {
    let sim = GpioSim::new("stop", &["ESTOP", "BUTTON"]);
    let mut bench = open(&LinesSettings {
        inputs: vec![InputLine {
            bias: Some(Bias::PullDown),
            ..input("BUTTON", 0, Reads::Level)
        }],
        estop: Some(LineName {
            line: "ESTOP".to_owned(),
            active_low: false,
            bias: Some(Bias::PullUp),
        }),
        ..LinesSettings::default()
    });
    // Nobody drives it: it goes where its bias says.
    until("broken", || bench.device.stopped());
    bench.reads(0, 0.0);
    pull(&sim, 0, false);
    until("closed", || {
        bench.good();
        !bench.device.stopped()
    });
    pull(&sim, 0, true);
    until("open", || bench.device.stopped());
}

#[test]
fn what_cannot_be_opened_is_said_with_the_fix() {
    let head = GpioSim::new("head", &["EARS", "FAULT_N"]);
    let chest = GpioSim::new("chest", &["BUTTON", "FAULT_N"]);
    let wants = |line: &str| LinesSettings {
        outputs: vec![output(line, 0)],
        ..LinesSettings::default()
    };
    let said = |line: &str| {
        let opened = Lines::open(&wants(line)).map(|_| ());
        opened.expect_err("an error").to_string()
    };
    let missing = said("BUTON");
    assert!(
        missing.contains("`BUTON`") && missing.contains("`BUTTON`"),
        "{missing}"
    );
    let both = said("FAULT_N");
    assert!(
        both.contains(&head.chip()) && both.contains(&chest.chip()),
        "{both}"
    );
    assert!(said("head:2").contains("2 lines"));
    let chip = wants("head:1");
    let by_path = wants(&format!("{}:0", head.device().display()));
    let (_chip, _path) = (open(&chip), open(&by_path));
    let busy = said("EARS");
    assert!(
        busy.contains("`EARS`") && busy.contains("`dcm-run`"),
        "{busy}"
    );
    let other = gpiocdev::Request::builder()
        .on_chip(chest.device())
        .with_consumer("lamp-daemon")
        .with_line(0)
        .request();
    assert!(other.is_ok());
    assert!(said("BUTTON").contains("`lamp-daemon`"));
    drop(other);
    let twice = LinesSettings {
        outputs: vec![output("BUTTON", 0), output("chest:0", 1)],
        ..LinesSettings::default()
    };
    let twice = Lines::open(&twice).expect_err("an error");
    assert!(matches!(twice, LinesError::Twice { .. }), "{twice}");
    let named = LinesSettings {
        chip: Some("tail".to_owned()),
        ..wants("EARS")
    };
    let unknown = Lines::open(&named).expect_err("an error").to_string();
    assert!(
        unknown.contains("`tail`") && unknown.contains("chest"),
        "{unknown}"
    );
    drop((head, chest));
    assert!(said("EARS").contains("there is no gpio chip"));
}

#[test]
fn unplugged_under_way_it_comes_back_without_a_restart() {
    let sim = GpioSim::new("hip", &["LAMP", "SWITCH", "TRIGGER"]);
    let mut bench = open(&LinesSettings {
        outputs: vec![
            output("LAMP", 0),
            OutputLine {
                fires: true,
                ..output("TRIGGER", 2)
            },
        ],
        inputs: vec![input("SWITCH", 0, Reads::Level)],
        ..LinesSettings::default()
    });
    let gone = Fault::Transfer(BusFault::Gone);
    pull(&sim, 1, true);
    bench.reads(0, 1.0);
    let mut unplugged = 0;
    for round in 0..5 {
        bench.targets[0] = f64::from(round % 2);
        bench.good();
        sim.plug(false);
        bench.targets[0] = 1.0;
        until("it is gone", || !bench.turn().answered);
        for _ in 0..30 {
            let answer = bench.turn();
            let expected = Answer {
                error: gone.error(),
                ..Answer::default()
            };
            assert_eq!(answer, expected);
            assert_eq!(bench.counts[0], 1.0, "it stays as it was");
            std::thread::sleep(Duration::from_millis(2));
        }
        let faults = bench.device.faults();
        unplugged += 31;
        assert!(faults.of(gone) >= unplugged, "{faults:?}");
        sim.plug(true);
        until("it is back", || bench.turn().answered);
        assert!(sim.is_high(0), "the output is set anew");
        bench.reads(0, 0.0);
        pull(&sim, 1, true);
        bench.reads(0, 1.0);
    }
}

/// A board that always answers.
#[derive(Debug, Default)]
struct Willing(Faults);

impl Device for Willing {
    fn exchange(&mut self, out: &Outgoing<'_>, _: &mut Incoming<'_>) -> Answer {
        self.0.good += 1;
        Answer {
            answered: true,
            acknowledged: out.turn,
            error: 0,
        }
    }

    fn faults(&self) -> Faults {
        self.0
    }
}

#[test]
fn a_guarded_board_is_spoken_to_only_while_its_lines_allow_it() {
    let sim = GpioSim::new("servo", &["READY", "FAULT_N"]);
    pull(&sim, 1, true);
    let watch = Watch::open(&WatchSettings {
        chip: None,
        ready: name("READY"),
        fault: Some(LineName {
            line: "FAULT_N".to_owned(),
            active_low: true,
            bias: None,
        }),
    });
    let mut bench = Bench::new(Guarded::new(Willing::default(), watch.expect("lines")));
    let says = |bench: &mut Bench<Guarded<Willing>>, fault: Fault| {
        until(fault.name(), || bench.turn().error == fault.error());
        let before = bench.device.device.0.good;
        assert!(!bench.turn().answered);
        assert_eq!(bench.device.device.0.good, before, "it is not spoken to");
    };
    says(&mut bench, Fault::NotReady);
    pull(&sim, 0, true);
    until("ready", || bench.turn().answered);
    pull(&sim, 1, false);
    says(&mut bench, Fault::FaultLine);
    pull(&sim, 0, false);
    says(&mut bench, Fault::FaultLine);
    pull(&sim, 1, true);
    says(&mut bench, Fault::NotReady);
    sim.plug(false);
    says(&mut bench, Fault::Transfer(BusFault::Gone));
    sim.plug(true);
    pull(&sim, 0, true);
    pull(&sim, 1, true);
    until("back", || bench.turn().answered);
    let faults = bench.device.faults();
    assert_eq!(faults.good, bench.device.device.0.good);
    assert!(faults.of(Fault::NotReady) > 0 && faults.of(Fault::FaultLine) > 0);
    assert_eq!(faults.exchanges(), bench.turn);
}
