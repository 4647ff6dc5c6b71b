//! The values that can be read by a key: `HeadYaw.sent`, `HeadYaw.sensor`, `turn`, `HeadBoard.acks`.
//! Called by `get`, `watch`, `plot` and `blackbox`. A key means the same on a page and at a remote robot.

use anyhow::{Result, bail};
use cycle::{Instant, Span, State};
use description::no_such;
use protocol::{Ask, Caller, FoundRows};
use sensors::{Frame, Label, PageReader};

use crate::text::words::figure;

/// The names of what a robot shows, in the order of its rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Catalog {
    pub(crate) actuators: Vec<Label>,
    pub(crate) sensors: Vec<Label>,
    /// May be empty: a page does not name its boards.
    pub(crate) boards: Vec<String>,
    pub(crate) board_count: usize,
}

/// Rows of actuators and of sensors.
pub(crate) type Rows = (Vec<usize>, Vec<usize>);

/// Finds the rows that a long name or an alias means.
pub(crate) trait Resolve {
    fn resolve(&mut self, name: &str) -> Result<Rows>;
}

/// The state of one turn: a frame of a page, or what a remote robot answered.
pub(crate) trait TurnState {
    fn turn(&self) -> u64;
    fn now(&self) -> Instant;
    fn elapsed(&self) -> Span;
    fn work(&self) -> Span;
    fn power(&self) -> f64;
    fn events(&self) -> u64;
    fn state(&self) -> Option<State>;
    fn actuator(&self, row: usize, value: ActuatorValue) -> Option<f64>;
    fn sensor(&self, row: usize) -> Option<f64>;
    /// Acknowledged, not acknowledged, age, error.
    fn board(&self, row: usize) -> Option<[u64; 4]>;
}

/// A value that every turn has.
#[derive(Clone, Debug)]
pub(crate) struct KeyColumn {
    /// Its key, such as `HeadYaw.sent`.
    pub(crate) title: String,
    /// Its unit.
    pub(crate) unit: String,
    field: KeyField,
}

#[derive(Clone, Copy, Debug)]
enum KeyField {
    Actuator(usize, ActuatorValue),
    Sensor(usize),
    Board(usize, BoardCount),
    Turn(TurnValue),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ActuatorValue {
    Commanded,
    Limited,
    Sent,
    Acknowledged,
    Coverage,
    Clips,
}

#[derive(Clone, Copy, Debug)]
enum BoardCount {
    Acks,
    Nacks,
    Age,
    Error,
}

#[derive(Clone, Copy, Debug)]
enum TurnValue {
    Turn,
    Now,
    Elapsed,
    Work,
    Power,
    Events,
}

const ACTUATOR_VALUES: [(&str, ActuatorValue); 6] = [
    ("commanded", ActuatorValue::Commanded),
    ("limited", ActuatorValue::Limited),
    ("sent", ActuatorValue::Sent),
    ("acknowledged", ActuatorValue::Acknowledged),
    ("coverage", ActuatorValue::Coverage),
    ("clips", ActuatorValue::Clips),
];

const BOARD_COUNTS: [(&str, BoardCount); 4] = [
    ("acks", BoardCount::Acks),
    ("nacks", BoardCount::Nacks),
    ("age", BoardCount::Age),
    ("error", BoardCount::Error),
];

const TURN_VALUES: [(&str, TurnValue, &str); 6] = [
    ("turn", TurnValue::Turn, ""),
    ("now", TurnValue::Now, "s"),
    ("elapsed", TurnValue::Elapsed, "s"),
    ("work", TurnValue::Work, "s"),
    ("power", TurnValue::Power, ""),
    ("events", TurnValue::Events, ""),
];

/// What a key is, for a sentence.
pub(crate) const KEYS: &str = "a name alone, or with .commanded, .limited, .sent, .acknowledged, .coverage, \
                               .clips or .sensor (the measured value); a board's name, or that of something on it, \
                               with .acks, .nacks, .age or .error; turn, now, elapsed, work, power, events";

impl ActuatorValue {
    /// Its word in a key.
    pub(crate) fn word(self) -> &'static str {
        ACTUATOR_VALUES
            .iter()
            .find(|actuator_value| actuator_value.1 == self)
            .map_or("", |actuator_value| actuator_value.0)
    }
}

impl Catalog {
    /// The names of a page; only the loop knows those of the boards.
    pub(crate) fn of(page: &PageReader, boards: &[String]) -> Catalog {
        Catalog {
            actuators: page.actuators(),
            sensors: page.sensors(),
            boards: boards.to_vec(),
            board_count: page.shape().boards,
        }
    }

    /// The columns that `key` means. Without `resolve`, only short names are known.
    pub(crate) fn find(
        &self,
        key: &str,
        resolve: Option<&mut dyn Resolve>,
    ) -> Result<Vec<KeyColumn>> {
        if let Some(column) = turn_column(key) {
            return Ok(vec![column]);
        }
        let (name, field) = match key.rsplit_once('.') {
            Some((name, field)) if is_field(field) => (name, Some(field)),
            _ => (key, None),
        };
        if let Some((_, count)) =
            field.and_then(|field| BOARD_COUNTS.iter().find(|count| count.0 == field))
        {
            return Ok(vec![KeyColumn {
                title: key.to_owned(),
                unit: String::new(),
                field: KeyField::Board(self.board(name)?, *count),
            }]);
        }
        let (actuators, sensors) = self.rows(name, resolve)?;
        let columns = self.columns(actuators, sensors, field);
        if columns.is_empty() {
            bail!("`{key}` has no such value; fix: a key is {KEYS}");
        }
        Ok(columns)
    }

    /// The column of a value of the turn itself, such as `now`.
    pub(crate) fn turn(key: &str) -> Vec<KeyColumn> {
        turn_column(key).into_iter().collect()
    }

    /// The row of a board, or of the board that an actuator or a sensor is on.
    fn board(&self, name: &str) -> Result<usize> {
        let row = self.boards.iter().position(|board| board == name);
        let row = row.or_else(|| {
            name.parse()
                .ok()
                .filter(|number| *number < self.board_count)
        });
        let on = || {
            let mut labels = self.actuators.iter().chain(&self.sensors);
            labels
                .find(|label| label.name == name)
                .map(|label| usize::from(label.board))
        };
        let Some(row) = row.or_else(on) else {
            bail!(no_such(
                "board",
                name,
                self.boards.iter().map(String::as_str)
            ));
        };
        Ok(row)
    }

    /// The rows of a short name, else of what `resolve` finds.
    fn rows(&self, name: &str, resolve: Option<&mut dyn Resolve>) -> Result<Rows> {
        let found = (places(&self.actuators, name), places(&self.sensors, name));
        if !found.0.is_empty() || !found.1.is_empty() {
            return Ok(found);
        }
        let Some(resolve) = resolve else {
            let labels = self.actuators.iter().chain(&self.sensors);
            bail!(no_such(
                "value",
                name,
                labels.map(|label| label.name.as_str())
            ));
        };
        resolve
            .resolve(name)
            .map_err(|error| match name.rsplit_once('.') {
                Some((known, field)) if resolve.resolve(known).is_ok() => {
                    anyhow::anyhow!("`{field}` is not a value of `{known}`; fix: a key is {KEYS}")
                }
                _ => error,
            })
    }

    fn columns(
        &self,
        actuators: Vec<usize>,
        sensors: Vec<usize>,
        field: Option<&str>,
    ) -> Vec<KeyColumn> {
        let wanted = field.and_then(|field| ACTUATOR_VALUES.iter().find(|value| value.0 == field));
        let value = wanted.map_or(ActuatorValue::Sent, |pair| pair.1);
        let title = value.word();
        let has_unit = !matches!(value, ActuatorValue::Coverage | ActuatorValue::Clips);
        let of_actuator = |row: usize| {
            let label = self.actuators.get(row)?;
            Some(KeyColumn {
                title: format!("{}.{title}", label.name),
                unit: if has_unit {
                    label.unit.clone()
                } else {
                    String::new()
                },
                field: KeyField::Actuator(row, value),
            })
        };
        let of_sensor = |row: usize| {
            let label = self.sensors.get(row)?;
            Some(KeyColumn {
                title: format!("{}.sensor", label.name),
                unit: label.unit.clone(),
                field: KeyField::Sensor(row),
            })
        };
        let actuators = actuators.into_iter().filter(|_| field != Some("sensor"));
        let sensors = sensors.into_iter().filter(|_| wanted.is_none());
        let actuators = actuators.filter_map(of_actuator);
        actuators.chain(sensors.filter_map(of_sensor)).collect()
    }
}

fn turn_column(key: &str) -> Option<KeyColumn> {
    let (title, value, unit) = TURN_VALUES.iter().find(|turn_value| turn_value.0 == key)?;
    Some(KeyColumn {
        title: (*title).to_owned(),
        unit: (*unit).to_owned(),
        field: KeyField::Turn(*value),
    })
}

fn is_field(field: &str) -> bool {
    field == "sensor"
        || ACTUATOR_VALUES
            .iter()
            .any(|actuator_value| actuator_value.0 == field)
        || BOARD_COUNTS
            .iter()
            .any(|board_count| board_count.0 == field)
}

fn places(labels: &[sensors::Label], name: &str) -> Vec<usize> {
    labels
        .iter()
        .position(|label| label.name == name)
        .into_iter()
        .collect()
}

impl Resolve for Caller {
    fn resolve(&mut self, name: &str) -> Result<Rows> {
        let name = name.to_owned();
        Ok(rows(self.get(Ask::Find { name })?))
    }
}

/// The rows of a page that a name means.
pub(crate) fn rows(found: FoundRows) -> Rows {
    let rows = |ids: Vec<u16>| ids.into_iter().map(usize::from).collect();
    (rows(found.actuators), rows(found.sensors))
}

#[allow(
    clippy::cast_precision_loss,
    reason = "counts are shown; 52 bits of them are enough"
)]
impl KeyColumn {
    /// Its value in a turn; NaN where it is missing.
    pub(crate) fn read(&self, turn: &dyn TurnState) -> f64 {
        let value = match self.field {
            KeyField::Sensor(row) => turn.sensor(row),
            KeyField::Actuator(row, value) => turn.actuator(row, value),
            KeyField::Board(row, count) => {
                turn.board(row).map(|board| board[count as usize] as f64)
            }
            KeyField::Turn(value) => Some(match value {
                TurnValue::Turn => turn.turn() as f64,
                TurnValue::Now => turn.now().nanos() as f64 / 1e9,
                TurnValue::Elapsed => turn.elapsed().seconds(),
                TurnValue::Work => turn.work().seconds(),
                TurnValue::Power => turn.power(),
                TurnValue::Events => turn.events() as f64,
            }),
        };
        value.unwrap_or(f64::NAN)
    }

    /// A value of this column for people: a count has no decimals.
    pub(crate) fn text(&self, value: f64) -> String {
        let is_count = match self.field {
            KeyField::Board(..) | KeyField::Actuator(_, ActuatorValue::Clips) => true,
            KeyField::Turn(value) => matches!(value, TurnValue::Turn | TurnValue::Events),
            KeyField::Actuator(..) | KeyField::Sensor(_) => false,
        };
        if is_count && value.is_finite() {
            format!("{value:.0}")
        } else {
            figure(value)
        }
    }
}

#[allow(
    clippy::cast_precision_loss,
    reason = "counts are shown; 52 bits of them are enough"
)]
impl TurnState for Frame<'_> {
    fn turn(&self) -> u64 {
        Frame::turn(self)
    }

    fn now(&self) -> Instant {
        Frame::now(self)
    }

    fn elapsed(&self) -> Span {
        Frame::elapsed(self)
    }

    fn work(&self) -> Span {
        Frame::work(self)
    }

    fn power(&self) -> f64 {
        Frame::power(self)
    }

    fn events(&self) -> u64 {
        Frame::events(self)
    }

    fn state(&self) -> Option<State> {
        Frame::state(self)
    }

    fn actuator(&self, row: usize, value: ActuatorValue) -> Option<f64> {
        match value {
            ActuatorValue::Commanded => self.commanded(row),
            ActuatorValue::Limited => self.limited(row),
            ActuatorValue::Sent => self.sent(row),
            ActuatorValue::Acknowledged => self.acknowledged(row),
            ActuatorValue::Coverage => self.coverage(row),
            ActuatorValue::Clips => self.clips(row).map(|clip| clip as f64),
        }
    }

    fn sensor(&self, row: usize) -> Option<f64> {
        Frame::sensor(self, row)
    }

    fn board(&self, row: usize) -> Option<[u64; 4]> {
        Frame::board(self, row)
    }
}
