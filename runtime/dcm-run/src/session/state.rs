//! Reads the state of a robot from its server.
//! The names come first, from the stream; each reading is one request.

use anyhow::{Context, Result, bail};
use cycle::{Instant, RealtimeVerdict, Span, State};
use protocol::robot::{ActuatorState, RobotState, RowLabel, StreamMessage, TurnTiming};
use protocol::{Ask, CallError, FoundRows, ReplyContents};
use sensors::Label;

use crate::session::columns::{ActuatorValue, Catalog, Resolve, Rows, TurnState, rows};
use crate::session::server::Client;
use crate::session::turns::Turns;

/// The safety state of the body, if the server tells it.
pub(crate) fn safety_state(client: &Client) -> Option<State> {
    let state: RobotState = client.get("/api/v2/state").ok()?;
    State::of_name(&state.state)
}

/// The state of a robot, as its server tells it.
pub(crate) struct RemoteState {
    client: Client,
    period: Span,
}

impl RemoteState {
    /// Asks for the names of what the robot shows.
    pub(crate) fn open(client: Client) -> Result<(RemoteState, Catalog)> {
        let mut first = None;
        client.listen("/api/v2/stream?topics=all", |message| {
            first = Some(message);
            false
        })?;
        let first = first.context("the server sent no labels")?;
        let first = serde_json::from_value(first).context("reading the labels of the stream")?;
        let StreamMessage::Labels(labels) = first else {
            bail!("the server sent no labels");
        };
        let catalog = Catalog {
            actuators: labels.actuators.into_iter().map(label).collect(),
            sensors: labels.sensors.into_iter().map(label).collect(),
            board_count: labels.boards.len(),
            boards: labels.boards,
        };
        let period = Span::from_nanos(labels.period_ns);
        Ok((RemoteState { client, period }, catalog))
    }

    /// From one turn to the next.
    pub(crate) fn period(&self) -> Span {
        self.period
    }

    /// The client that asks the server.
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// How punctual turns were since the server started.
    pub(crate) fn timing(&self) -> Result<Turns> {
        let timing: TurnTiming = self.client.get("/api/v2/timing")?;
        Ok(Turns {
            period_ns: timing.period_ns,
            seen: timing.turns,
            unseen: timing.unseen,
            late: timing.late,
            realtime: RealtimeVerdict::of_name(&timing.realtime).unwrap_or_default(),
            bounds: timing.bounds_ns,
            work: timing.work,
            last: 0,
        })
    }

    /// The newest turn.
    pub(crate) fn newest(&self, catalog: &Catalog) -> Result<RemoteTurn> {
        let mut told: RobotState = self.client.get("/api/v2/state")?;
        let actuators = catalog
            .actuators
            .iter()
            .map(|actuator| told.actuators.remove(&actuator.name));
        let actuators = actuators.collect();
        let sensors = catalog
            .sensors
            .iter()
            .map(|sensor| told.sensors.remove(&sensor.name).flatten());
        let sensors = sensors.collect();
        Ok(RemoteTurn {
            actuators,
            sensors,
            told,
        })
    }
}

impl Resolve for RemoteState {
    fn resolve(&mut self, name: &str) -> Result<Rows> {
        let name = name.to_owned();
        let found = FoundRows::of(self.client.request(&Ask::Find { name })?);
        Ok(rows(found.map_err(CallError::Unexpected)?))
    }
}

/// A turn of a remote robot.
pub(crate) struct RemoteTurn {
    told: RobotState,
    actuators: Vec<Option<ActuatorState>>,
    sensors: Vec<Option<f64>>,
}

#[allow(
    clippy::cast_precision_loss,
    reason = "counts are shown; 52 bits of them are enough"
)]
impl TurnState for RemoteTurn {
    fn turn(&self) -> u64 {
        self.told.turn
    }

    fn now(&self) -> Instant {
        Instant::ZERO + Span::from_nanos(self.told.now_ns)
    }

    fn elapsed(&self) -> Span {
        Span::from_nanos(self.told.elapsed_ns)
    }

    fn work(&self) -> Span {
        Span::from_nanos(self.told.work_ns)
    }

    fn power(&self) -> f64 {
        self.told.power
    }

    fn events(&self) -> u64 {
        self.told.events
    }

    fn state(&self) -> Option<State> {
        State::of_name(&self.told.state)
    }

    fn actuator(&self, row: usize, value: ActuatorValue) -> Option<f64> {
        let actuator = self.actuators.get(row)?.as_ref()?;
        match value {
            ActuatorValue::Commanded => actuator.commanded,
            ActuatorValue::Limited => actuator.limited,
            ActuatorValue::Sent => actuator.sent,
            ActuatorValue::Acknowledged => actuator.acknowledged,
            ActuatorValue::Coverage => actuator.coverage,
            ActuatorValue::Clips => actuator.clips.map(|clip| clip as f64),
        }
    }

    fn sensor(&self, row: usize) -> Option<f64> {
        *self.sensors.get(row)?
    }

    fn board(&self, row: usize) -> Option<[u64; 4]> {
        let board = self.told.boards.get(row)?;
        Some([board.acks, board.nacks, board.age, board.error])
    }
}

fn label(label: RowLabel) -> Label {
    let limit = |value: Option<f64>| value.unwrap_or(f64::NAN);
    Label {
        range: (limit(label.lowest), limit(label.highest)),
        name: label.name,
        unit: label.unit,
        board: label.board,
        trim: 0.0,
    }
}
