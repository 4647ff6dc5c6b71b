//! The run that is recorded: its robot, and what the recording says about it.
//! Made by the recorder; used where the file is written and where it is read.

use std::sync::Arc;

use cycle::EVENT_NAMES;
use description::{Layer, Robot};
use guests::TopicNames;

use super::Run;
use super::drawing::BodyDrawing;

/// The version of the messages: it rises if a number or a field of them gets another meaning.
pub(super) const FORMAT: u32 = 2;

/// The robot of a run, and the message that describes the run.
#[derive(Clone, Debug)]
pub(super) struct RunInfo {
    pub(super) robot: Arc<Robot>,
    pub(super) run: Run,
    /// Draws the body for viewers.
    pub(super) drawing: Option<Arc<dyn BodyDrawing>>,
    /// The names of topics, if guests can come.
    pub(super) topics: Option<TopicNames>,
}

impl RunInfo {
    /// Describes a run of this robot.
    pub(super) fn of(
        robot: &Arc<Robot>,
        layers: &[Layer],
        real: bool,
        utc_at_zero: u64,
    ) -> RunInfo {
        let words = |list: &[&str]| list.iter().map(|item| (*item).to_owned()).collect();
        let run = Run {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
            robot: robot.name.clone(),
            period: robot.settings.period.nanos(),
            real,
            form: robot::guest_policy::code_form(robot).name().to_owned(),
            utc_at_zero,
            seed: robot.seed,
            actuators: robot
                .actuators
                .iter()
                .map(|actuator| actuator.name.clone())
                .collect(),
            actuator_units: robot
                .actuators
                .iter()
                .map(|actuator| actuator.unit.clone())
                .collect(),
            sensors: robot
                .sensors
                .iter()
                .map(|sensor| sensor.name.clone())
                .collect(),
            sensor_units: robot
                .sensors
                .iter()
                .map(|sensor| sensor.unit.clone())
                .collect(),
            boards: robot
                .boards
                .iter()
                .map(|board| board.name.clone())
                .collect(),
            events: words(&EVENT_NAMES),
            layers: (0..layers.len()).map(layer_name).collect(),
            states: words(&cycle::State::ALL.map(cycle::State::name)),
            ..Run::default()
        };
        RunInfo {
            robot: Arc::clone(robot),
            run,
            drawing: None,
            topics: None,
        }
    }
}

/// The name under which a layer is attached.
pub(super) fn layer_name(place: usize) -> String {
    format!("robot-{place}.toml")
}
