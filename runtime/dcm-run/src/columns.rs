//! What can be read from a page by name: `HeadYaw.sent`, `HeadYaw.sensor`, `turn`, `HeadBoard.acks`.
//! Used by `get`, `watch`, `plot` and `blackbox`.

use anyhow::{Result, bail};
use sensors::{Frame, PageReader};
use socket::{Ask, Caller, Told};

/// One value of every frame.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// Its key.
    pub(crate) title: String,
    /// Its unit.
    pub(crate) unit: String,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Actuator(usize, Value),
    Sensor(usize),
    Board(usize, Count),
    Turn(Clock),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Commanded,
    Limited,
    Sent,
    Acknowledged,
    Coverage,
    Clips,
}

#[derive(Clone, Copy, Debug)]
enum Count {
    Acks,
    Nacks,
    Age,
    Error,
}

#[derive(Clone, Copy, Debug)]
enum Clock {
    Turn,
    Now,
    Elapsed,
    Work,
    Power,
    Events,
}

const VALUES: [(&str, Value); 6] = [
    ("commanded", Value::Commanded),
    ("limited", Value::Limited),
    ("sent", Value::Sent),
    ("acknowledged", Value::Acknowledged),
    ("coverage", Value::Coverage),
    ("clips", Value::Clips),
];

const COUNTS: [(&str, Count); 4] = [
    ("acks", Count::Acks),
    ("nacks", Count::Nacks),
    ("age", Count::Age),
    ("error", Count::Error),
];

const CLOCKS: [(&str, Clock, &str); 6] = [
    ("turn", Clock::Turn, ""),
    ("now", Clock::Now, "s"),
    ("elapsed", Clock::Elapsed, "s"),
    ("work", Clock::Work, "s"),
    ("power", Clock::Power, ""),
    ("events", Clock::Events, ""),
];

/// What every turn has of its own, for a sentence.
pub(crate) const KEYS: &str = "a name alone, or with .commanded, .limited, .sent, .acknowledged, .coverage, .clips \
                               or .sensor; a board's name, or that of something on it, with .acks, .nacks, .age or \
                               .error; turn, now, elapsed, work, power, events";

/// The columns that `key` means. Without a loop, only short names are known.
pub(crate) fn find(
    page: &PageReader,
    mut caller: Option<&mut Caller>,
    key: &str,
) -> Result<Vec<Column>> {
    if let Some((title, clock, unit)) = CLOCKS.iter().find(|it| it.0 == key) {
        return Ok(vec![Column {
            title: (*title).to_owned(),
            unit: (*unit).to_owned(),
            what: What::Turn(*clock),
        }]);
    }
    let (name, field) = match key.rsplit_once('.') {
        Some((name, field)) if is_field(field) => (name, Some(field)),
        _ => (key, None),
    };
    if let Some(count) = field.and_then(|it| COUNTS.iter().find(|count| count.0 == it)) {
        let boards = caller.as_ref().map_or(&[][..], |it| &it.here.boards);
        let place = boards.iter().position(|it| it == name);
        let place = place.or_else(|| name.parse().ok().filter(|it| *it < page.shape().boards));
        // What is asked of an actuator or a sensor is asked of the board that it is on.
        let labels = || page.actuators().into_iter().chain(page.sensors());
        let on = || {
            labels()
                .find(|it| it.name == name)
                .map(|it| usize::from(it.board))
        };
        let Some(place) = place.or_else(on) else {
            bail!(
                "there is no board `{name}`, nor anything on one; known are {}",
                boards.join(", ")
            );
        };
        return Ok(vec![Column {
            title: key.to_owned(),
            unit: String::new(),
            what: What::Board(place, count.1),
        }]);
    }
    let (actuators, sensors) = (page.actuators(), page.sensors());
    let mut of_actuators: Vec<_> = places(&actuators, name);
    let mut of_sensors: Vec<_> = places(&sensors, name);
    if of_actuators.is_empty() && of_sensors.is_empty() {
        let Some(caller) = caller.as_mut() else {
            bail!("there is no `{name}` in this page");
        };
        let mut ask = |name: &str| {
            let name = name.to_owned();
            caller.ask(Ask::Find { name })
        };
        match ask(name) {
            Ok(Told::Found { actuators, sensors }) => {
                of_actuators = actuators.into_iter().map(usize::from).collect();
                of_sensors = sensors.into_iter().map(usize::from).collect();
            }
            Ok(_) => {}
            Err(error) => match name.rsplit_once('.') {
                Some((known, field)) if ask(known).is_ok() => {
                    bail!("`{field}` is no value of `{known}`; a key is {KEYS}")
                }
                _ => return Err(error.into()),
            },
        }
    }
    let wanted = field.and_then(|it| VALUES.iter().find(|value| value.0 == it));
    let mut columns = Vec::new();
    if field != Some("sensor") {
        let (title, value) = wanted.copied().unwrap_or(("sent", Value::Sent));
        let in_unit = !matches!(value, Value::Coverage | Value::Clips);
        columns.extend(of_actuators.into_iter().filter_map(|place| {
            let label = actuators.get(place)?;
            Some(Column {
                title: format!("{}.{title}", label.name),
                unit: if in_unit {
                    label.unit.clone()
                } else {
                    String::new()
                },
                what: What::Actuator(place, value),
            })
        }));
    }
    if wanted.is_none() {
        columns.extend(of_sensors.into_iter().filter_map(|place| {
            let label = sensors.get(place)?;
            Some(Column {
                title: format!("{}.sensor", label.name),
                unit: label.unit.clone(),
                what: What::Sensor(place),
            })
        }));
    }
    if columns.is_empty() {
        bail!("`{key}` has nothing of that kind; a key is {KEYS}");
    }
    Ok(columns)
}

fn is_field(field: &str) -> bool {
    field == "sensor"
        || VALUES.iter().any(|it| it.0 == field)
        || COUNTS.iter().any(|it| it.0 == field)
}

fn places(labels: &[sensors::Label], name: &str) -> Vec<usize> {
    labels
        .iter()
        .position(|it| it.name == name)
        .into_iter()
        .collect()
}

#[allow(
    clippy::cast_precision_loss,
    reason = "counts are shown; 52 bits of them are enough"
)]
impl Column {
    /// Its value in a frame.
    pub(crate) fn read(&self, frame: &Frame<'_>) -> f64 {
        let value = match self.what {
            What::Sensor(place) => frame.sensor(place),
            What::Actuator(place, value) => match value {
                Value::Commanded => frame.commanded(place),
                Value::Limited => frame.limited(place),
                Value::Sent => frame.sent(place),
                Value::Acknowledged => frame.acknowledged(place),
                Value::Coverage => frame.coverage(place),
                Value::Clips => frame.clips(place).map(|it| it as f64),
            },
            What::Board(place, count) => {
                frame.board(place).map(|words| words[count as usize] as f64)
            }
            What::Turn(clock) => Some(match clock {
                Clock::Turn => frame.turn() as f64,
                Clock::Now => frame.now().nanos() as f64 / 1e9,
                Clock::Elapsed => frame.elapsed().seconds(),
                Clock::Work => frame.work().seconds(),
                Clock::Power => frame.power(),
                Clock::Events => frame.events() as f64,
            }),
        };
        value.unwrap_or(f64::NAN)
    }
}
