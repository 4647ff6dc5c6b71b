//! Reads the state of a robot from its server. Called by `readings`. The law: the names come first, from the stream;
//! each reading is one request.

use anyhow::{Context, Result, bail};
use cycle::{Instant, Span, State};
use sensors::Label;
use serde_json::Value;

use super::{Client, encoded};
use crate::columns::{ActuatorValue, Catalog, Resolve, Rows, TurnState};

/// The state of a robot, as its server tells it.
pub(crate) struct RemoteState {
    client: Client,
    period: Span,
}

impl RemoteState {
    /// Asks for the names of what the robot shows.
    pub(crate) fn open(client: Client) -> Result<(RemoteState, Catalog)> {
        let mut first = None;
        client.listen("/api/v1/stream?topics=all", |message| {
            first = Some(message);
            false
        })?;
        let labels = first
            .filter(|it| it["topic"] == "labels")
            .context("the server sent no labels")?;
        let boards = strings(&labels["boards"]);
        let catalog = Catalog {
            actuators: labels_of(&labels["actuators"])?,
            sensors: labels_of(&labels["sensors"])?,
            board_count: boards.len(),
            boards,
        };
        let period = Span::from_nanos(
            labels["period_ns"]
                .as_u64()
                .context("the labels have no period")?,
        );
        Ok((RemoteState { client, period }, catalog))
    }

    /// From one turn to the next.
    pub(crate) fn period(&self) -> Span {
        self.period
    }

    /// The newest turn.
    pub(crate) fn newest(&self, catalog: &Catalog) -> Result<RemoteTurn> {
        RemoteTurn::of(&self.client.get("/api/v1/state")?, catalog)
    }
}

impl Resolve for RemoteState {
    fn resolve(&mut self, name: &str) -> Result<Rows> {
        let found: Value = self
            .client
            .get(&format!("/api/v1/find?name={}", encoded(name)))?;
        let rows = |key: &str| -> Vec<usize> {
            let all = found[key].as_array().into_iter().flatten();
            all.filter_map(|it| usize::try_from(it.as_u64()?).ok())
                .collect()
        };
        Ok((rows("actuators"), rows("sensors")))
    }
}

/// A turn of a remote robot.
pub(crate) struct RemoteTurn {
    turn: u64,
    now: Instant,
    elapsed: Span,
    work: Span,
    power: f64,
    events: u64,
    state: Option<State>,
    actuators: Vec<Value>,
    sensors: Vec<Option<f64>>,
    boards: Vec<[u64; 4]>,
}

impl RemoteTurn {
    fn of(told: &Value, catalog: &Catalog) -> Result<RemoteTurn> {
        let number = |key: &str| {
            told[key]
                .as_u64()
                .with_context(|| format!("the server told no `{key}`"))
        };
        let nanos = |key: &str| number(key).map(Span::from_nanos);
        let name = told["state"]
            .as_str()
            .context("the server told no `state`")?;
        let board =
            |it: &Value| ["acks", "nacks", "age", "error"].map(|key| it[key].as_u64().unwrap_or(0));
        let actuators = catalog
            .actuators
            .iter()
            .map(|it| told["actuators"][&it.name].clone());
        let sensors = catalog
            .sensors
            .iter()
            .map(|it| told["sensors"][&it.name].as_f64());
        Ok(RemoteTurn {
            turn: number("turn")?,
            now: Instant::ZERO + nanos("now_ns")?,
            elapsed: nanos("elapsed_ns")?,
            work: nanos("work_ns")?,
            power: told["power"]
                .as_f64()
                .context("the server told no `power`")?,
            events: number("events")?,
            state: State::ALL.into_iter().find(|it| it.name() == name),
            actuators: actuators.collect(),
            sensors: sensors.collect(),
            boards: told["boards"]
                .as_array()
                .into_iter()
                .flatten()
                .map(board)
                .collect(),
        })
    }
}

impl TurnState for RemoteTurn {
    fn turn(&self) -> u64 {
        self.turn
    }

    fn now(&self) -> Instant {
        self.now
    }

    fn elapsed(&self) -> Span {
        self.elapsed
    }

    fn work(&self) -> Span {
        self.work
    }

    fn power(&self) -> f64 {
        self.power
    }

    fn events(&self) -> u64 {
        self.events
    }

    fn state(&self) -> Option<State> {
        self.state
    }

    fn actuator(&self, row: usize, value: ActuatorValue) -> Option<f64> {
        self.actuators.get(row)?[value.word()].as_f64()
    }

    fn sensor(&self, row: usize) -> Option<f64> {
        *self.sensors.get(row)?
    }

    fn board(&self, row: usize) -> Option<[u64; 4]> {
        self.boards.get(row).copied()
    }
}

fn labels_of(told: &Value) -> Result<Vec<Label>> {
    let label = |it: &Value| {
        let limit = |key: &str| it[key].as_f64().unwrap_or(f64::NAN);
        Some(Label {
            name: it["name"].as_str()?.to_owned(),
            unit: it["unit"].as_str()?.to_owned(),
            range: (limit("lowest"), limit("highest")),
            board: u8::try_from(it["board"].as_u64()?).ok()?,
        })
    };
    let labels: Option<Vec<_>> = told.as_array().into_iter().flatten().map(label).collect();
    match labels {
        Some(labels) if told.is_array() => Ok(labels),
        _ => bail!("the server sent labels that cannot be read"),
    }
}

fn strings(told: &Value) -> Vec<String> {
    let all = told.as_array().into_iter().flatten();
    all.filter_map(|it| Some(it.as_str()?.to_owned())).collect()
}
