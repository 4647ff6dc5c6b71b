//! What a script says: a body, settings, columns, turns, actions.
//! Made by `read`, played by `play`.
//! The law: every name has been looked up; playing cannot miss one.

use cycle::{
    Actuator, ActuatorId, BoardId, Command, Contest, Ending, Gains, GroupId, Instant, LaneSettings,
    Merge, Row, Sensor, SensorId, Settings,
};

/// What a script says.
pub(super) struct ParsedScript {
    pub(super) actuators: Vec<Actuator<'static>>,
    pub(super) sensors: Vec<Sensor<'static>>,
    pub(super) couplings: Vec<(ActuatorId, ActuatorId, Vec<Row>)>,
    pub(super) groups: Vec<Contest>,
    pub(super) boards: u8,
    pub(super) settings: Settings,
    pub(super) from_boot: bool,
    pub(super) ack_delay: u64,
    pub(super) columns: Vec<Column>,
    pub(super) turns: Vec<Instant>,
    pub(super) actions: Vec<Action>,
    /// Names of lanes, in the order of their numbers; the first is `shared`.
    pub(super) lanes: Vec<String>,
    pub(super) aliases: Vec<String>,
}

/// One column of the table.
#[derive(Clone)]
pub(super) enum Column {
    Of(ActuatorId, TrackField, String),
    State,
    Power,
}

/// What of an actuator is shown.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum TrackField {
    Commanded,
    Limited,
    Sent,
    Acknowledged,
    Coverage,
    Clips,
    Limp,
    Gains,
    Counts,
}

/// Something that happens before the first turn at or after its instant.
pub(super) struct Action {
    pub(super) at: Instant,
    pub(super) text: String,
    pub(super) what: ScriptStep,
}

/// The actuators of a request.
#[derive(Clone)]
pub(super) enum Whom {
    Actuators(Vec<ActuatorId>),
    Alias(usize),
}

/// What happens.
pub(super) enum ScriptStep {
    Open(usize, LaneSettings),
    Same(usize, Merge, Whom, Vec<Command>),
    Mixed(usize, Merge, Whom, Vec<Vec<Command>>),
    Separate(usize, Merge, Whom, Vec<Instant>, Vec<f64>),
    Vector(usize, Whom, Instant, Vec<f64>),
    Sheet(usize, Merge, Vec<(ActuatorId, Vec<Command>)>),
    Stop(usize, Whom),
    Cancel(usize, u32),
    Drive(usize, ActuatorId, f64, f64, Instant),
    Gains(usize, ActuatorId, Gains, f64, Instant),
    Weight(usize, Option<ActuatorId>, f64),
    Priority(usize, f64),
    End(usize, Option<Ending>),
    Feed(usize),
    Pending(usize, ActuatorId),
    Progress(usize, u32),
    Overridden(usize),
    ReleaseGroup(usize, GroupId),
    Alias(usize, Vec<ActuatorId>),
    Sense(SensorId, f64),
    Board(BoardId, bool),
    Safety(&'static str),
}
