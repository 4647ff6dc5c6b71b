//! The loop as LoLA's board meets it: turns at a period, with a person beside it who arms anew what was let go of.
//! Used by the tests of the device.

mod force;

use std::path::Path;
use std::time::{Duration, Instant};

use cycle::{Answer, Fire, Incoming, Outgoing, Target};
use drivers::faults::{Fault, error_name};
use drivers::lola::{Lola, LolaActuator, LolaInput, LolaSensor, LolaSettings};
use drivers::rack::Device;

use crate::robot::Robot;

/// Longer than anything takes, also on a machine that does much else.
const TIMEOUT: Duration = Duration::from_secs(20);

const OUTPUTS: [&str; 6] = [
    "Position/HeadYaw",
    "Stiffness/HeadYaw",
    "Position/RHand",
    "Stiffness/RHand",
    "REye/3",
    "Sonar/Right",
];

pub(crate) fn settings(path: &Path) -> LolaSettings {
    let outputs = OUTPUTS.iter().enumerate();
    let actuators = outputs.map(|(actuator, to)| LolaActuator {
        actuator,
        to: to.parse().expect("an output"),
    });
    LolaSettings {
        socket: path.to_owned(),
        actuators: actuators.collect(),
        // All that there is, in the order of the wire.
        sensors: LolaInput::all()
            .map(|from| LolaSensor {
                sensor: from.place(),
                from,
            })
            .collect(),
        driven: false,
    }
}

/// What the loop is to the board.
pub(crate) struct Turns {
    pub(crate) lola: Lola,
    period: Duration,
    pub(crate) turn: u64,
    /// When the last one began.
    pub(crate) last: Instant,
    /// The longest time from one turn to the next: this machine may have done something else meanwhile.
    pub(crate) longest_gap: Duration,
    pub(crate) powered: bool,
    pub(crate) counts: [f64; 6],
    pub(crate) fires: Vec<Fire>,
    pub(crate) read: Vec<f64>,
}

impl Turns {
    pub(crate) fn new(path: &Path, period: u64) -> Turns {
        Turns::with(&settings(path), period)
    }

    /// With a robot that a process that is gone has driven until now.
    pub(crate) fn taking_over(path: &Path, period: u64) -> Turns {
        let mut settings = settings(path);
        settings.driven = true;
        Turns::with(&settings, period)
    }

    fn with(settings: &LolaSettings, period: u64) -> Turns {
        Turns {
            lola: Lola::open(settings).expect("a robot"),
            period: Duration::from_millis(period),
            turn: 0,
            last: Instant::now(),
            longest_gap: Duration::ZERO,
            powered: true,
            counts: [1.0, 1.0, 0.5, 1.0, 0.25, 0.0],
            fires: Vec::new(),
            read: vec![f64::NAN; LolaInput::all().count()],
        }
    }

    pub(crate) fn turn(&mut self) -> Answer {
        self.turn += 1;
        let targets = self.counts.map(|counts| Target {
            counts,
            ..Target::default()
        });
        let out = Outgoing {
            turn: self.turn,
            now: cycle::Instant::from_millis(self.turn),
            powered: self.powered,
            targets: &targets,
            fires: &self.fires,
        };
        let mut back = Incoming {
            counts: &mut self.read,
            answers: &mut [],
        };
        if self.turn > 1 {
            self.longest_gap = self.longest_gap.max(self.last.elapsed());
        }
        self.last = Instant::now();
        let answer = self.lola.exchange(&out, &mut back);
        assert_eq!(answer.answered, answer.error == 0);
        assert!(answer.acknowledged <= self.turn);
        std::thread::sleep(self.period.saturating_sub(self.last.elapsed()));
        answer
    }

    /// Lets go of the body in one turn, and has it powered in the next.
    pub(crate) fn arm(&mut self) {
        self.powered = false;
        self.turn();
        self.powered = true;
    }

    /// Turns until it is so. What was let go of, also because this machine did something else for long, is armed anew.
    pub(crate) fn until(&mut self, what: &str, mut so: impl FnMut(&Turns, Answer) -> bool) {
        let began = Instant::now();
        loop {
            let answer = self.turn();
            if so(self, answer) {
                return;
            }
            if self.powered && answer.error == Fault::MotorsOff.error() {
                self.arm();
            }
            let error = error_name(answer.error);
            assert!(began.elapsed() < TIMEOUT, "never: {what}; {error}");
        }
    }

    pub(crate) fn until_answered(&mut self) {
        self.until("it answers", |_, answer| answer.answered);
    }

    pub(crate) fn until_fault(&mut self, fault: Fault) {
        self.until(fault.name(), |_, as5048a| as5048a.error == fault.error());
    }

    pub(crate) fn sensor(&self, name: &str) -> f64 {
        let channel: LolaInput = name.parse().expect("an input");
        self.read[channel.place()]
    }
}

pub(crate) fn with_robot(test: impl FnOnce(&Path, Robot)) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robocup");
    let robot = Robot::start(&path, Duration::from_millis(12));
    test(&path, robot);
}
