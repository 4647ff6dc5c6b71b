//! Simulates a servo board of the description as a process, with the simulated body on its outputs.
//! Used by `dcm-run wire simulate`, for people who write firmware or have no board yet, and by tests.
//! It uses the reference firmware and the loop's own simulated body, with the wire in between.

use std::cell::RefCell;
use std::io;
use std::path::Path;

use board::{Firmware, Motion};
use cycle::{Answer, Board as _, Incoming, Instant, Outgoing, Target};
use drivers::bus::serve;
use drivers::servo::{Layout, OutputPart};
use drivers::sim::SimBoard;

use super::table::rows;
use description::{BodyTables, Robot, layout};

/// The watchdog of the simulated board, ms.
pub const WATCHDOG: u16 = 500;

/// The simulated body on the pins of the board.
struct SimulatedPins<'b, 'l> {
    /// The log of changes, and the values that were logged last.
    log: Option<&'l mut dyn io::Write>,
    logged: Vec<Option<u16>>,
    began: u64,
    layout: Layout,
    sim: SimBoard<'b>,
    targets: Vec<Target>,
    counts: Vec<f64>,
    answers: Vec<Answer>,
    turn: u64,
}

impl SimulatedPins<'_, '_> {
    fn follow(&mut self, firmware: &Firmware<'_>, clock: u32) {
        let mut powered = false;
        for (place, output) in self.layout.outputs.iter().enumerate() {
            let word = firmware.output(place, clock);
            powered |= word.is_some();
            if let (Some(output), Some(word)) = (output, word)
                && output.part == OutputPart::Target
            {
                self.targets[output.actuator].counts = f64::from(word);
            }
        }
        self.write(firmware, clock);
        self.turn += 1;
        self.sim.exchange(
            &Outgoing {
                turn: self.turn,
                now: Instant::from_nanos(u64::from(clock) * 1000),
                powered: powered && !firmware.is_relaxed(),
                targets: &self.targets,
                fires: &[],
            },
            &mut Incoming {
                counts: &mut self.counts,
                answers: &mut self.answers,
            },
        );
    }

    /// Logs the values of the pins if they have changed.
    fn write(&mut self, firmware: &Firmware<'_>, clock: u32) {
        let Some(log) = &mut self.log else { return };
        let now = (0..self.layout.outputs.len()).map(|i| firmware.output(i, clock));
        if now.clone().eq(self.logged.iter().copied()) {
            return;
        }
        self.logged = now.collect();
        let words = self
            .logged
            .iter()
            .map(|logged| logged.map_or(String::new(), |value| value.to_string()));
        let at = self.began + u64::from(clock);
        let line = format!("{at},{}\n", words.collect::<Vec<_>>().join(","));
        // Flushed at once, for a program that follows the log. A failed write does not stop the simulation.
        let _ = log.write_all(line.as_bytes());
        let _ = log.flush();
    }

    fn read(&self, input: usize) -> u16 {
        let sensor = self.layout.inputs.get(input).copied().flatten();
        sensor.map_or(0, |sensor| {
            self.counts[sensor].round().clamp(0.0, 65_535.0) as u16
        })
    }
}

/// Serves the board of this number at `path` until `over` returns true. `boots` is its count of restarts. Whenever a
/// pin changes, `log` gets a line with the time, µs of UTC, and the word of each output; empty for one without force.
///
/// # Errors
/// The socket cannot be created.
pub fn simulate_board(
    robot: &Robot,
    board: usize,
    path: &Path,
    boots: u8,
    log: Option<&mut dyn io::Write>,
    over: impl Fn() -> bool,
) -> io::Result<()> {
    let wrong = |what: String| io::Error::new(io::ErrorKind::InvalidInput, what);
    let (rows, layout) = (rows(robot, board), layout(robot, board));
    let mut motions = vec![Motion::default(); layout.outputs.len()];
    let about = &robot.boards[board];
    let mut firmware =
        Firmware::new(&about.name, &rows, &mut motions, WATCHDOG, boots).map_err(|why| {
            wrong(format!(
                "the board `{}` cannot be simulated: {why:?}",
                about.name
            ))
        })?;
    let tables = BodyTables::of(robot);
    let body = tables.body();
    let motors: Vec<_> = robot
        .actuators
        .iter()
        .map(|actuator| actuator.motor)
        .collect();
    let senses: Vec<_> = robot.sensors.iter().map(|sensor| sensor.sense).collect();
    let sim = SimBoard::new(&body, &motors, &senses, robot.seed);
    let sim = sim.map_err(|why| wrong(format!("{} cannot be simulated: {why:?}", robot.name)))?;
    let rest = |spec: &description::ActuatorSpec| Target {
        counts: spec.calibration.counts(spec.rest, spec.range),
        ..Target::default()
    };
    let utc = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let pins = RefCell::new(SimulatedPins {
        log,
        logged: Vec::new(),
        began: utc.map_or(0, |utc| utc.as_micros() as u64),
        layout,
        sim,
        targets: robot.actuators.iter().map(rest).collect(),
        counts: vec![0.0; robot.sensors.len()],
        answers: vec![Answer::default(); robot.boards.len()],
        turn: 0,
    });
    serve(
        path,
        &mut firmware,
        |input, _, _| pins.borrow().read(input),
        |firmware, clock| pins.borrow_mut().follow(firmware, clock),
        over,
    )
}
