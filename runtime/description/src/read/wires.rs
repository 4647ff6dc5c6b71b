//! Whether everything on a real board can be reached there: ends, words, the bus's time.
//! Called when all parts are read and have their channels.
//! What could not be sent or read as it is described is refused with its place.

use cycle::{BoardId, Calibration, Kind, Range};
use drivers::lola::{LolaInput, LolaOutput};

use super::RobotReader;
use crate::nearest;
use crate::problem::Problem;
use crate::robot::Driver;
use crate::robot::LineValue;
use crate::robot::{fullest, loads};
use crate::robot::{lola_input, lola_output};
use crate::text::Spot;

/// What a servo board's channel carries.
const WORD: Range = Range {
    min: 0.0,
    max: 65_535.0,
};

impl RobotReader<'_> {
    pub(super) fn check_wires(&mut self) {
        for place in 0..self.robot.actuators.len() {
            self.check_actuator(place);
        }
        for place in 0..self.robot.sensors.len() {
            self.check_sensor(place);
        }
        self.check_allowed();
        self.check_triggers();
        self.check_budget();
    }

    fn check_actuator(&mut self, place: usize) {
        let actuator = &self.robot.actuators[place];
        let Some((name, spot)) = self.spot_of_actuator(place) else {
            return;
        };
        let has_port = actuator.port.is_some();
        let is_moved = !matches!(actuator.kind, Kind::Light | Kind::Trigger);
        let (calibration, range) = (actuator.calibration, actuator.range);
        let (channel, kind) = (actuator.channel, actuator.kind);
        let (driver, dithers) = (self.driver(actuator.board), actuator.dither);
        if dithers && !matches!(driver, Some(Driver::Lines { .. } | Driver::Sim)) {
            let sentence = format!("`{name}` cannot be dithered: its board has outputs of its own");
            let help = "leave `dither` out; it is for a light on a line, which is on or off";
            self.complain(Problem::at(spot, sentence, "here").help(help));
        }
        match driver {
            Some(Driver::Servo { .. }) if kind != Kind::Trigger => {
                self.check_words(&name, spot, calibration, range);
                self.check_gains(place, &name, spot);
            }
            Some(Driver::Lines { .. }) if is_moved => {
                let sentence = format!("`{name}` cannot be driven by a line: that is on or off");
                self.complain(Problem::at(spot, sentence, "here"));
            }
            Some(Driver::Lines { .. }) if !has_port => self.complain_of_no_port(&name, spot),
            Some(Driver::Part { .. }) if is_moved => {
                let sentence = format!(
                    "`{name}` would stay powered for ever: a part has no watchdog and no power switch"
                );
                let help = "put actuators that move on a servo board";
                self.complain(Problem::at(spot, sentence, "here").help(help));
            }
            Some(Driver::Part { part, chained, .. }) => {
                self.check_count(&name, spot, channel, part.channels(chained).0, "outputs");
            }
            Some(Driver::Lola { .. }) => self.check_field(place, &name, spot),
            _ => {}
        }
    }

    fn check_sensor(&mut self, place: usize) {
        let sensor = &self.robot.sensors[place];
        let Some((_, spot)) = self.sensors.get(&sensor.name) else {
            return;
        };
        let (name, spot, channel) = (sensor.name.clone(), *spot, sensor.channel);
        let (has_port, reading) = (sensor.port.is_some(), sensor.reading);
        match self.driver(sensor.board) {
            Some(Driver::Lines { .. }) if !has_port => self.complain_of_no_port(&name, spot),
            Some(Driver::Part { part, chained, .. }) => {
                self.check_count(&name, spot, channel, part.channels(chained).1, "inputs");
            }
            Some(Driver::Lola { .. }) => {
                if let Err(field) = lola_input(&self.robot, sensor) {
                    self.complain_of_field(&name, spot, &field, LolaInput::all());
                }
            }
            Some(Driver::Servo { .. }) if reading.what != LineValue::Level => {
                let sentence = format!("`{name}` counts changes of a line, and has no line");
                self.complain(Problem::at(spot, sentence, "here"));
            }
            _ => {}
        }
    }

    fn driver(&self, board: BoardId) -> Option<Driver> {
        let board = self.robot.boards.get(usize::from(board.0))?;
        Some(board.driver.clone())
    }

    fn spot_of_actuator(&self, place: usize) -> Option<(String, Spot)> {
        let name = self.robot.actuators.get(place)?.name.clone();
        let spot = self.actuators.get(&name)?.1;
        Some((name, spot))
    }

    /// A range must come to at least two words that a board can be sent.
    fn check_words(&mut self, name: &str, spot: Spot, calibration: Calibration, range: Range) {
        if range == Range::ALL || calibration.gain == 0.0 {
            return;
        }
        let ends =
            [range.min, range.max].map(|value| (value - calibration.offset) / calibration.gain);
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        if low >= WORD.min - 0.5 && high <= WORD.max + 0.5 && high - low >= 1.0 {
            return;
        }
        let sentence = format!(
            "`{name}` would be sent as {low:.1} to {high:.1}: a servo board's words are 0 to 65535"
        );
        let help = "say with `calibration = { gain = ..., offset = ... }` what a count is, and the value at count 0";
        self.complain(Problem::at(spot, sentence, "here").help(help));
    }

    fn check_count(&mut self, name: &str, spot: Spot, channel: u16, has: u16, what: &str) {
        if channel >= has {
            let sentence = format!("`{name}` is at {channel}, and its board has {has} {what}");
            self.complain(Problem::at(spot, sentence, "here"));
        }
    }

    fn complain_of_no_port(&mut self, name: &str, spot: Spot) {
        let sentence = format!("`{name}` has no line");
        let help = "say `port = \"...\"`: the line's name, or `gpiochip0:4`; `gpioinfo` lists them";
        self.complain(Problem::at(spot, sentence, "here").help(help));
    }

    /// A field must be of the kind that is sent there: what is called a light must never move a motor.
    fn check_field(&mut self, place: usize, name: &str, spot: Spot) {
        let actuator = &self.robot.actuators[place];
        let field = match lola_output(&self.robot, actuator) {
            Ok(field) => field.to_string(),
            Err(field) => return self.complain_of_field(name, spot, &field, LolaOutput::all()),
        };
        let group = field.split('/').next().unwrap_or_default();
        let suits = match actuator.kind {
            Kind::Joint | Kind::Hand => group == "Position",
            Kind::Stiffness { .. } => group == "Stiffness",
            Kind::Trigger => group == "Sonar",
            Kind::Light => !matches!(group, "Position" | "Stiffness" | "Sonar"),
            Kind::Wheel => false,
        };
        if !suits || actuator.port.as_ref().is_some_and(|port| port.inverted) {
            let sentence = format!("`{name}` cannot be LoLA's `{field}`: that is something else");
            self.complain(Problem::at(spot, sentence, "here"));
        }
    }

    /// Gains that a board is sent are words as well.
    fn check_gains(&mut self, place: usize, name: &str, spot: Spot) {
        let actuator = &self.robot.actuators[place];
        let Some(gains) = actuator.gains.filter(|_| actuator.gain_channels.is_some()) else {
            return;
        };
        for gain in [gains.p, gains.i, gains.d] {
            if gain > WORD.max || (gain > 0.0 && gain < 1.0) {
                let sentence = format!(
                    "a gain of `{name}` is {gain}: a servo board's words are whole, 0 to 65535"
                );
                self.complain(
                    Problem::at(spot, sentence, "here").help("say them in the board's counts"),
                );
            }
        }
    }

    fn complain_of_field(
        &mut self,
        name: &str,
        spot: Spot,
        field: &str,
        all: impl Iterator<Item = impl ToString>,
    ) {
        let all: Vec<_> = all.map(|value| value.to_string()).collect();
        let near = nearest(field, all.iter().map(String::as_str));
        let help = near.map_or_else(
            || "say `port = \"...\"`, such as `Position/HeadYaw` or `Battery/Charge`".to_owned(),
            |near| format!("did you mean `port = \"{near}\"`?"),
        );
        let sentence = format!("`{name}` would be the field `{field}`, which LoLA does not have");
        self.complain(Problem::at(spot, sentence, "here").help(help));
    }

    /// What may differ on a board is of a channel that the board has: a slip of the pen would allow nothing.
    fn check_allowed(&mut self) {
        for place in 0..self.robot.boards.len() {
            let Driver::Servo { allow, .. } = &self.robot.boards[place].driver else {
                continue;
            };
            let is_here = |board: BoardId| usize::from(board.0) == place;
            let actuators = self
                .robot
                .actuators
                .iter()
                .filter(|actuator| is_here(actuator.board));
            let sensors = self
                .robot
                .sensors
                .iter()
                .filter(|sensor| is_here(sensor.board));
            let names: Vec<_> = actuators
                .map(|actuator| actuator.name.as_str())
                .chain(sensors.map(|sensor| sensor.name.as_str()))
                .collect();
            let is_known = |name: &str| {
                let joint = name.strip_suffix("Gain").unwrap_or(name);
                names.contains(&name) || names.contains(&joint)
            };
            let unknown = allow
                .iter()
                .find(|pair| !is_known(&pair.0))
                .map(|pair| pair.0.clone());
            let Some(unknown) = unknown else { continue };
            let near = nearest(&unknown, names.iter().copied());
            let help = near.map(|name| format!("did you mean `{name}`?"));
            let board = &self.robot.boards[place].name;
            let sentence =
                format!("the board `{board}` has no channel `{unknown}` that may differ");
            let problem = match self.board_spots.get(place) {
                Some(spot) => Problem::at(*spot, sentence, "here"),
                None => Problem::nowhere(sentence),
            };
            self.complain(match help {
                Some(help) => problem.help(help),
                None => problem,
            });
        }
    }

    /// A trigger fires in one turn: who is not spoken to in that turn never hears of it.
    fn check_triggers(&mut self) {
        for place in 0..self.robot.actuators.len() {
            let actuator = &self.robot.actuators[place];
            let board = self.robot.boards.get(usize::from(actuator.board.0));
            let every = board
                .filter(|board| board.is_real())
                .map_or(1, |board| board.every);
            if actuator.kind == Kind::Trigger
                && every > 1
                && let Some((name, spot)) = self.spot_of_actuator(place)
            {
                let sentence = format!(
                    "`{name}` would be missed: its board is reached only every {every} turns"
                );
                self.complain(
                    Problem::at(spot, sentence, "here").help("remove the board's `every`"),
                );
            }
        }
    }

    fn check_budget(&mut self) {
        for load in loads(&self.robot).collect::<Vec<_>>() {
            let name = &self.robot.boards[load.board].name;
            let sentence = if load.bits > 8 * wire::frame::LONGEST as u32 {
                format!(
                    "a transfer of `{name}` is longer than the kernel takes: {} bytes of 4096",
                    load.bits / 8
                )
            } else if load.share() > 1.0 {
                format!("a transfer of `{name}` takes longer than the time from one to the next")
            } else {
                continue;
            };
            let spot = self.board_spots.get(load.board).copied();
            self.complain(spot.map_or_else(
                || Problem::nowhere(sentence.clone()),
                |spot| Problem::at(spot, sentence.clone(), "here"),
            ));
        }
        let share = fullest(&self.robot);
        if share <= 1.0 {
            return;
        }
        let longest = loads(&self.robot).max_by(|a, b| a.share().total_cmp(&b.share()));
        let Some(load) = longest else { return };
        let name = self.robot.boards[load.board].name.clone();
        let sentence = format!(
            "the transfers of a turn take {:.0} % of it: `{name}` alone {} bits at {} in a second",
            100.0 * share,
            load.bits,
            load.speed
        );
        let spot = self.board_spots.get(load.board).copied();
        let help = "raise `speed`, or the robot's `period`";
        let problem = match spot {
            Some(spot) => Problem::at(spot, sentence, "here"),
            None => Problem::nowhere(sentence),
        };
        self.complain(problem.help(help));
    }
}
