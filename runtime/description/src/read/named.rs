//! Actuators and sensors get their names, their boards and their channels.
//! Used while joints, lights, triggers and sensors are read. A name, an alias or a path means one actuator,
//! and one sensor, or it is refused.

use cycle::{ActuatorId, BoardId, Range, SensorId, Span};
use drivers::sim::SimSensor;

use super::boards::bias;
use super::channels::ChannelDirection;
use super::table_view::TableView;
use super::{RobotReader, span};
use crate::nearest;
use crate::problem::Problem;
use crate::robot::{ActuatorSpec, LineReading, LineValue, Port, SensorSpec};
use crate::text::Spot;

/// What a sensor of a joint is, before its entry says more.
pub(super) struct SensorDefaults {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) unit: String,
    pub(super) sense: SimSensor,
}

impl<'t> RobotReader<'t> {
    pub(super) fn add_actuator(&mut self, actuator: ActuatorSpec, entry: &TableView<'t>) {
        let id = ActuatorId(self.robot.actuators.len() as u16);
        let names = std::iter::once((actuator.name.clone(), entry.spot))
            .chain([(actuator.path.clone(), entry.spot_of("path"))])
            .chain(
                entry
                    .texts("aliases")
                    .into_iter()
                    .map(|(text, spot)| (text.to_owned(), spot)),
            );
        for (name, spot) in names.collect::<Vec<_>>() {
            self.check_name(&name, &actuator.unit, spot);
            let first = self.actuators.insert(name.clone(), (id, spot));
            self.complain_of_twins(
                first.filter(|pair| pair.0 != id).map(|pair| pair.1),
                spot,
                &name,
                "actuators",
            );
        }
        self.channels.add(
            ChannelDirection::Out,
            actuator.board,
            entry.whole("channel"),
            entry.spot_of("channel"),
        );
        self.robot.actuators.push(actuator);
    }

    pub(super) fn add_sensor(
        &mut self,
        measured: SensorDefaults,
        entry: &TableView<'t>,
        board: BoardId,
    ) -> SensorId {
        let id = SensorId(self.robot.sensors.len() as u16);
        let name = entry.text("name").map_or(measured.name, str::to_owned);
        let path = entry.text("path").map(|text| text.replace('*', &name));
        if entry.node("bias").is_some() && entry.node("port").is_none() {
            let sentence = format!("`{name}` has a `bias` and no line for it");
            let help = "set `port`, or remove `bias`";
            self.complain(Problem::at(entry.spot_of("bias"), sentence, "here").help(help));
        }
        let sensor = SensorSpec {
            path: path.unwrap_or(measured.path),
            name,
            aliases: entry.strings("aliases"),
            unit: measured.unit,
            board,
            channel: 0,
            port: entry.text("port").map(|text| Port {
                bias: bias(entry),
                ..Port::of(text)
            }),
            reading: LineReading {
                debounce: entry.figure("debounce").map_or(Span::ZERO, span),
                what: match entry.flag("presses") {
                    Some(true) => LineValue::Presses,
                    _ => LineValue::Level,
                },
            },
            range: entry.range("range").unwrap_or(Range::ALL),
            derived: None,
            felt: None,
            calibration: self.calibration(entry, None),
            sense: measured
                .sense
                .with_noise(entry.figure("noise").unwrap_or(0.0))
                .delayed(entry.whole("delay").unwrap_or(0)),
        };
        let names = [&sensor.name, &sensor.path]
            .into_iter()
            .chain(&sensor.aliases);
        for name in names.cloned().collect::<Vec<_>>() {
            self.check_name(&name, &sensor.unit, entry.spot);
            let first = self.sensors.insert(name.clone(), (id, entry.spot));
            self.complain_of_twins(
                first.filter(|pair| pair.0 != id).map(|pair| pair.1),
                entry.spot,
                &name,
                "sensors",
            );
        }
        self.channels.add(
            ChannelDirection::In,
            board,
            entry.whole("channel"),
            entry.spot_of("channel"),
        );
        self.robot.sensors.push(sensor);
        id
    }

    fn check_name(&mut self, name: &str, unit: &str, spot: Spot) {
        // Short names are checked where sections are spelt out; paths and aliases are not shown.
        if name.is_empty() || name.len() > 255 {
            self.complain(Problem::at(
                spot,
                format!("invalid name `{name}`"),
                "1 to 255 bytes",
            ));
        }
        if unit.len() > sensors::LABEL_UNIT_MAX {
            let help = format!("a unit has at most {} bytes", sensors::LABEL_UNIT_MAX);
            self.complain(
                Problem::at(spot, format!("the unit `{unit}` is too long"), "here").help(help),
            );
        }
    }

    fn complain_of_twins(&mut self, first: Option<Spot>, spot: Spot, name: &str, what: &str) {
        if let Some(first) = first {
            let sentence = format!("two {what} answer to `{name}`");
            self.complain(Problem::at(spot, sentence, "also here").and(first, "first here"));
        }
    }

    /// The board that an entry names; else its joint's; else the only one.
    pub(super) fn board(&mut self, entry: &TableView<'t>, of_joint: Option<BoardId>) -> BoardId {
        let boards = &self.robot.boards;
        let Some(name) = entry.text("board") else {
            if of_joint.is_none() && boards.len() > 1 && entry.node("board").is_none() {
                let problem = Problem::at(
                    entry.spot,
                    "its board is missing, and there are several",
                    "here",
                );
                self.complain(
                    problem.help("say `board = \"...\"`, here or in the defaults of the section"),
                );
            }
            return of_joint.unwrap_or(BoardId(0));
        };
        if let Some(place) = boards.iter().position(|board| board.name == name) {
            return BoardId(place as u8);
        }
        let near = nearest(name, boards.iter().map(|board| board.name.as_str()));
        let help = near.map_or("describe it under `[boards]`".to_owned(), |name| {
            format!("did you mean `{name}`?")
        });
        let spot = entry.spot_of("board");
        let problem = Problem::at(spot, format!("there is no board `{name}`"), "unknown");
        self.complain(problem.help(help));
        BoardId(0)
    }
}
