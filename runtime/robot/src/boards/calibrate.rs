//! Calibrates a joint: reads its sensor while a person moves it by hand, and computes its offset and its range.
//! Used by `dcm-run wire calibrate`.
//! No frame gives a motor force.

use std::time::{Duration, Instant as Clock};

use cycle::{ActuatorId, Incoming, Instant, Outgoing, Range, Span, Target};
use drivers::bus::Transfer;
use drivers::rack::Device;
use drivers::servo::{Servo, Session};

use super::{BoardLock, carrier, lock_board};
use description::{Robot, layout};

/// How long to wait for the board's first answer.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The minimum movement of the joint, counts.
const MIN_MOVEMENT: f64 = 10.0;

/// Reads the position of one joint.
#[derive(Debug)]
pub struct JointReader {
    servo: Servo<Box<dyn Transfer>>,
    sensor: usize,
    targets: Vec<Target>,
    counts: Vec<f64>,
    turn: u64,
    period: Span,
    _lock: Option<BoardLock>,
}

/// The mean and the range of several readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleRange {
    /// The mean.
    pub mean: f64,
    /// The minimum.
    pub low: f64,
    /// The maximum.
    pub high: f64,
}

/// The calibration of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointCalibration {
    /// The sensor's value at count 0.
    pub offset: f64,
    /// The range of its commands.
    pub range: Range,
    /// The counts at the stops.
    pub counts: (f64, f64),
}

impl JointReader {
    /// Opens the servo board `board` to read the sensor of this joint.
    ///
    /// # Errors
    /// A message.
    pub fn open(robot: &Robot, board: usize, joint: ActuatorId) -> Result<JointReader, String> {
        let actuator = &robot.actuators[usize::from(joint.0)];
        let name = &actuator.name;
        let sensor = actuator.sensor.map(|sensor| usize::from(sensor.0));
        let sensor = sensor.ok_or_else(|| format!("`{name}` has no position sensor"))?;
        if usize::from(robot.sensors[sensor].board.0) != board {
            let place = usize::from(robot.sensors[sensor].board.0);
            let other = &robot.boards[place].name;
            return Err(format!(
                "`{name}` is read by the board `{other}`; fix: use --board {other}"
            ));
        }
        let described = &robot.boards[board];
        let lock = lock_board(described).map_err(|why| why.to_string())?;
        let bus = described.bus().ok_or("this board has no bus")?;
        let session = Session::new(layout(robot, board), robot.settings.period);
        Ok(JointReader {
            servo: Servo::new(session, carrier(bus)?),
            sensor,
            targets: vec![Target::default(); robot.actuators.len()],
            counts: vec![0.0; robot.sensors.len()],
            turn: 0,
            period: robot.settings.period,
            _lock: lock,
        })
    }

    /// Collects the sensor's readings for this time, and passes each of them to `see`.
    ///
    /// # Errors
    /// The board did not answer.
    pub fn listen(
        &mut self,
        lasting: Duration,
        mut see: impl FnMut(f64),
    ) -> std::io::Result<SampleRange> {
        let (mut sum, mut count) = (0.0, 0.0);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let (began, mut first) = (Clock::now(), None);
        while first.is_none_or(|clock: Clock| clock.elapsed() < lasting) {
            if let Some(counts) = self.read() {
                first.get_or_insert_with(Clock::now);
                (sum, count) = (sum + counts, count + 1.0);
                (low, high) = (low.min(counts), high.max(counts));
                see(counts);
            } else if first.is_none() && began.elapsed() > TIMEOUT {
                let why = self
                    .servo
                    .session
                    .last()
                    .map_or("silence", |session| session.name());
                return Err(std::io::Error::other(format!(
                    "the board does not answer: {why}"
                )));
            }
            std::thread::sleep(Duration::from_nanos(self.period.nanos()));
        }
        Ok(SampleRange {
            mean: sum / count,
            low,
            high,
        })
    }

    fn read(&mut self) -> Option<f64> {
        self.turn += 1;
        let out = Outgoing {
            turn: self.turn,
            now: Instant::from_nanos(self.period.nanos() * self.turn),
            powered: false,
            targets: &self.targets,
            fires: &[],
        };
        let mut back = Incoming {
            counts: &mut self.counts,
            answers: &mut [],
        };
        let answer = self.servo.exchange(&out, &mut back);
        answer.answered.then(|| self.counts[self.sensor])
    }
}

/// Computes the offset and the range from the readings while the joint was held at `at`, and while it was moved.
///
/// # Errors
/// A message: it was not moved, or not held still.
pub fn calibrate(
    robot: &Robot,
    joint: ActuatorId,
    at: f64,
    margin: f64,
    held: &SampleRange,
    moved: &SampleRange,
) -> Result<JointCalibration, String> {
    let actuator = &robot.actuators[usize::from(joint.0)];
    let name = &actuator.name;
    let sensor = actuator
        .sensor
        .ok_or_else(|| format!("`{name}` has no position sensor"))?;
    let gain = robot.sensors[usize::from(sensor.0)].calibration.gain;
    let (low, high) = (moved.low.min(held.low), moved.high.max(held.high));
    let width = (high - low) * gain.abs();
    if moved.high - moved.low < MIN_MOVEMENT || width <= 2.0 * margin {
        return Err(format!(
            "`{name}` moved by only {:.0} counts; fix: move it from stop to stop",
            moved.high - moved.low
        ));
    }
    if held.high - held.low > (high - low) / 10.0 {
        return Err(format!(
            "`{name}` was not held still: it moved by {:.0} counts",
            held.high - held.low
        ));
    }
    let offset = at - gain * held.mean;
    let ends = [low, high].map(|value| offset + gain * value);
    let range = Range {
        min: ends[0].min(ends[1]) + margin,
        max: ends[0].max(ends[1]) - margin,
    };
    Ok(JointCalibration {
        offset,
        range,
        counts: (low, high),
    })
}

impl JointCalibration {
    /// The keys of the description to set, and their values.
    pub fn values(&self, robot: &Robot, joint: ActuatorId) -> Vec<(Vec<String>, String)> {
        let actuator = &robot.actuators[usize::from(joint.0)];
        let sensor = actuator
            .sensor
            .map(|sensor| robot.sensors[usize::from(sensor.0)].calibration);
        let section = match actuator.kind {
            cycle::Kind::Hand => "hands",
            cycle::Kind::Wheel => "wheels",
            _ => "joints",
        };
        let key = |rest: &[&str]| {
            let whole = [&[section, actuator.name.as_str()], rest].concat();
            whole.into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        let offset = format!("{:?}", self.offset);
        let range = format!("[{:?}, {:?}]", self.range.min, self.range.max);
        let mut values = vec![
            (key(&["position", "calibration", "offset"]), offset.clone()),
            (key(&["range"]), range),
        ];
        // A servo whose sensor and commands use the same counts has a single zero.
        if sensor == Some(actuator.calibration) {
            values.push((key(&["calibration", "offset"]), offset));
        }
        values
    }
}
