//! Logs the temperatures of the motors, at intervals of the robot's time.
//! Called by the thread that shows a loop, beside its events.
//! Never called in the turn; it reads the page, as any other process does.

use cycle::{Kind, Span};
use description::Robot;
use sensors::PageReader;

/// The time from one entry to the next.
const INTERVAL: Span = Span::from_millis(30_000);

/// The log of the motors' temperatures.
#[derive(Debug)]
pub struct HeatLog {
    /// The name of each joint whose motor has a temperature, and the place of that sensor.
    motors: Vec<(String, usize)>,
    /// When the next entry is due, ns of the robot's time.
    next: u64,
}

impl HeatLog {
    /// The log of this robot's motors; it has no entries if none of them has a temperature.
    pub fn of(robot: &Robot) -> HeatLog {
        let motor = robot.actuators.iter().filter_map(|actuator| {
            let sensor = usize::from(actuator.heat?.sensor.0);
            // A joint with a stiffness of its own is cooled by that.
            let joint = match actuator.kind {
                Kind::Stiffness { joint } => robot.actuators.get(usize::from(joint.0))?,
                _ => actuator,
            };
            Some((joint.name.clone(), sensor))
        });
        HeatLog {
            motors: motor.collect(),
            next: INTERVAL.nanos(),
        }
    }

    /// Writes an entry if one is due.
    pub fn write(&mut self, page: &PageReader) {
        let due = |value: &u64| *value >= self.next && !self.motors.is_empty();
        let Some(now) = page.read(|frame| frame.now().nanos()).filter(due) else {
            return;
        };
        self.next = now.saturating_add(INTERVAL.nanos());
        let read = page.read(|frame| {
            let motors = self.motors.iter().map(|(name, sensor)| {
                let celsius = frame.sensor(*sensor).filter(|sensor| sensor.is_finite());
                celsius.map_or_else(
                    || format!("{name} -"),
                    |celsius| format!("{name} {celsius:.1}"),
                )
            });
            motors.collect::<Vec<_>>().join(", ")
        });
        if let Some(text) = read {
            tracing::info!(target: "robot::heat", at_ns = now, "motors, °C: {text}");
        }
    }
}
