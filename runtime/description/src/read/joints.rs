//! Actuators and sensors: joints with all that belongs to them, lights, triggers, sensors.
//! The first part of a description to be read; everything else names what is made here.
//! What belongs to a joint is read with it.

use cycle::{
    ActuatorId, BoardId, Calibration, CurrentLimit, Gains, Heat, Kind, Range, SensorId, UNLIMITED,
};
use drivers::sim::SimSensor;

use super::RobotReader;
use super::named::SensorDefaults;
use super::nature::motor;
use super::table_view::TableView;
use crate::problem::Problem;
use crate::robot::{ActuatorSpec, LineValue};
use crate::robot::{Driver, Port};

const UNIT: Range = Range { min: 0.0, max: 1.0 };

/// Stiffness comes after all joints, so that lists of joints stay together.
type PendingStiffness<'t> = (
    ActuatorId,
    &'t str,
    TableView<'t>,
    TableView<'t>,
    Option<Heat>,
    Option<CurrentLimit>,
);

/// The sensors of a joint.
struct JointSensors {
    measured: Option<SensorId>,
    warmth: Option<SensorId>,
    amperes: Option<SensorId>,
}

impl<'t> RobotReader<'t> {
    pub(super) fn read_parts(&mut self) {
        let mut stiffened = Vec::new();
        for (section, kind, usual) in [
            ("joints", Kind::Joint, None),
            ("hands", Kind::Hand, Some(UNIT)),
            ("wheels", Kind::Wheel, None),
        ] {
            for (name, entry) in self.section(section) {
                stiffened.extend(self.read_joint(name, &entry, kind, usual));
            }
        }
        for stiffness in stiffened {
            self.read_stiffness(stiffness);
        }
        for (section, kind) in [("lights", Kind::Light), ("triggers", Kind::Trigger)] {
            for (name, entry) in self.section(section) {
                self.read_light(name, &entry, kind);
            }
        }
        for (name, entry) in self.section("sensors") {
            let measured = SensorDefaults {
                name: name.to_owned(),
                path: format!("{name}/Sensor/Value"),
                unit: entry.text("unit").unwrap_or_default().to_owned(),
                sense: self.by_hand(&entry),
            };
            let board = self.board(&entry, None);
            let id = self.add_sensor(measured, &entry, board);
            let trigger = entry.text("trigger");
            let trigger =
                trigger.and_then(|trigger| self.actuator(trigger, entry.spot_of("trigger")));
            if let (Some(trigger), Some(sensor)) =
                (trigger, self.robot.sensors.get_mut(usize::from(id.0)))
            {
                sensor.reading.what = LineValue::Echo(trigger);
            }
        }
    }

    /// A sensor that no motor moves, in the simulation.
    fn by_hand(&mut self, entry: &TableView<'t>) -> SimSensor {
        let sense = SimSensor::by_hand(entry.figure("reads").unwrap_or(0.0));
        if entry.node("modes").is_none() {
            return sense;
        }
        let Some(trigger) = entry.text("trigger") else {
            let sentence = "`modes` are values of a trigger, and there is none";
            let problem = Problem::at(entry.spot_of("modes"), sentence, "here");
            self.complain(problem.help("name it: `trigger = \"NAME\"`"));
            return sense;
        };
        let mut triggers = self.section("triggers").into_iter();
        let repeats = triggers.find(|pair| pair.0 == trigger);
        let repeats = repeats.and_then(|pair| pair.1.whole("repeats"));
        match self.actuator(trigger, entry.spot_of("trigger")) {
            Some(trigger) => sense.hears(trigger, &entry.wholes("modes"), repeats),
            None => sense,
        }
    }

    fn read_joint(
        &mut self,
        name: &'t str,
        entry: &TableView<'t>,
        kind: Kind,
        usual: Option<Range>,
    ) -> Option<PendingStiffness<'t>> {
        let unit = match kind {
            Kind::Hand => "",
            Kind::Wheel => "rad/s",
            _ => "rad",
        };
        let unit = entry.text("unit").unwrap_or(unit).to_owned();
        let board = self.board(entry, None);
        let range = entry.range("range").or(usual);
        if range.is_none() && entry.node("range").is_none() {
            let problem = Problem::at(entry.spot, format!("`{name}` has no range"), "here");
            self.complain(
                problem.help("say `range = [lowest, highest]`: nothing moves without limits"),
            );
        }
        // A range that was of no use must not make its values wrong as well.
        let range = range.unwrap_or(Range::ALL);
        let id = ActuatorId(self.robot.actuators.len() as u16);
        let JointSensors {
            measured,
            warmth,
            amperes,
        } = self.read_joint_sensors(name, entry, id, kind, &unit, board);
        let gains = entry.sub("gains").map(|gain| Gains {
            p: gain.figure("p").unwrap_or(0.0),
            i: gain.figure("i").unwrap_or(0.0),
            d: gain.figure("d").unwrap_or(0.0),
        });
        let gain_channels = self.gain_channels(entry, board);
        self.refuse_long_stop(name, entry);
        let actuator = ActuatorSpec {
            kind,
            range,
            unit,
            gain_channels,
            board,
            velocity: entry.figure("velocity").unwrap_or(UNLIMITED),
            acceleration: entry.figure("acceleration").unwrap_or(UNLIMITED),
            derived_acceleration: entry.figure("derived-acceleration").unwrap_or(UNLIMITED),
            sensor: measured,
            gains,
            motor: Some(motor(entry, kind, range)),
            ..self.actuator_of(name, entry, "Position/Actuator/Value", range, 0.0)
        };
        self.add_actuator(actuator, entry);
        let heat = self.heat(entry, warmth);
        let current = self.current_limit(entry, amperes);
        Some((id, name, entry.sub("stiffness")?, *entry, heat, current))
    }

    /// Refuses an estimate of the acceleration with which a joint needs more than a second to stop.
    fn refuse_long_stop(&mut self, name: &str, entry: &TableView<'t>) {
        let (Some(velocity), Some(estimate)) = (
            entry.figure("velocity"),
            entry.figure("derived-acceleration"),
        ) else {
            return;
        };
        if velocity > estimate {
            let sentence = format!(
                "with this estimate, `{name}` needs {:.2} s to stop from its highest velocity",
                velocity / estimate
            );
            let spot = entry.spot_of("derived-acceleration");
            let help =
                format!("a stop may take a second: use at least {velocity}, or leave it out");
            self.complain(Problem::at(spot, sentence, "too low").help(help));
        }
    }

    /// What measures a joint.
    fn read_joint_sensors(
        &mut self,
        name: &str,
        entry: &TableView<'t>,
        id: ActuatorId,
        kind: Kind,
        unit: &str,
        board: BoardId,
    ) -> JointSensors {
        let mut sensor = |key, suffix: &str, path: &str, unit: &str, sense| {
            let own = entry.sub(key)?;
            let defaults = SensorDefaults {
                name: format!("{name}{suffix}"),
                path: format!("{name}/{path}/Sensor/Value"),
                unit: unit.to_owned(),
                sense,
            };
            let board = self.board(&own, Some(board));
            Some(self.add_sensor(defaults, &own, board))
        };
        let place = usize::from(id.0);
        let position = match kind {
            Kind::Wheel => sensor("position", "", "Speed", unit, SimSensor::speed(place)),
            _ => sensor("position", "", "Position", unit, SimSensor::position(place)),
        };
        let current = SimSensor::current(place);
        let amperes = sensor("current", "Current", "ElectricCurrent", "A", current);
        let warmth = SimSensor::temperature(place);
        let temperature = sensor("temperature", "Temperature", "Temperature", "°C", warmth);
        JointSensors {
            measured: position,
            warmth: temperature,
            amperes,
        }
    }

    fn read_stiffness(&mut self, (joint, name, entry, of, heat, current): PendingStiffness<'t>) {
        let joint_board = self.board(&of, None);
        let range = entry.range("range").unwrap_or(Range {
            min: -1.0,
            max: 1.0,
        });
        if !range.holds(0.0) {
            let sentence = format!("the stiffness of `{name}` can never make it limp");
            let problem = Problem::at(entry.spot_of("range"), sentence, "leaves out 0");
            self.complain(problem.help("let the range include 0"));
        }
        let own = entry
            .text("name")
            .map_or(format!("{name}Stiffness"), str::to_owned);
        let path = format!("{name}/Hardness/Actuator/Value");
        let path = entry
            .text("path")
            .map_or(path, |text| text.replace('*', name));
        let actuator = ActuatorSpec {
            path,
            kind: Kind::Stiffness { joint },
            board: self.board(&entry, Some(joint_board)),
            heat,
            current,
            ..self.actuator_of(&own, &entry, "", range, 1.0)
        };
        self.add_actuator(actuator, &entry);
    }

    fn read_light(&mut self, name: &'t str, entry: &TableView<'t>, kind: Kind) {
        let range = entry.range("range").unwrap_or(UNIT);
        let mut calibration = Calibration::NONE;
        let board = self.board(entry, None);
        // LoLA counts in parts of 1, whatever a light makes of them.
        let boards = &self.robot.boards;
        let driver = boards.get(usize::from(board.0)).map(|board| &board.driver);
        let counts = !matches!(driver, Some(Driver::Lola { .. }));
        if let Some(levels) = entry.whole::<u32>("levels").filter(|_| counts) {
            let step = (range.max - range.min) / f64::from(levels - 1);
            calibration = Calibration {
                offset: range.min,
                ..Calibration::steps(step)
            };
        }
        let actuator = ActuatorSpec {
            kind,
            board,
            velocity: entry.figure("velocity").unwrap_or(UNLIMITED),
            calibration,
            ..self.actuator_of(name, entry, "Actuator/Value", range, 0.0)
        };
        self.add_actuator(actuator, entry);
    }

    /// What all actuators have in common.
    fn actuator_of(
        &mut self,
        name: &str,
        entry: &TableView<'t>,
        path: &str,
        range: Range,
        usual_rest: f64,
    ) -> ActuatorSpec {
        let rest = entry.figure("rest").unwrap_or(range.clamp(usual_rest));
        if !range.holds(rest) {
            let sentence = format!("`{name}` rests at {rest}, which is outside its range");
            let problem = Problem::at(entry.spot_of("rest"), sentence, "outside");
            let range_text = format!("the range is {} to {}", range.min, range.max);
            self.complain(problem.and(entry.spot_of("range"), range_text));
        }
        ActuatorSpec {
            name: name.to_owned(),
            path: entry
                .text("path")
                .map_or(format!("{name}/{path}"), |text| text.replace('*', name)),
            aliases: entry.strings("aliases"),
            unit: entry.text("unit").unwrap_or_default().to_owned(),
            kind: Kind::Light,
            range,
            velocity: UNLIMITED,
            acceleration: UNLIMITED,
            derived_acceleration: UNLIMITED,
            rest,
            safe: None,
            sensor: None,
            gains: None,
            heat: None,
            current: None,
            group: None,
            board: BoardId(0),
            channel: 0,
            port: entry.text("port").map(Port::of),
            dither: entry.flag("dither").unwrap_or(false),
            gain_channels: None,
            calibration: self.calibration(entry, Some(range)),
            motor: None,
        }
    }
}
