//! What a script says: a body, settings, columns, turns, actions.
//! Made by `read`, played by `play`.
//! The law: every name has been looked up; playing cannot miss one.

use cycle::{
    Actuator, ActuatorId, BoardId, Command, Contest, CouplingRow, Ending, Gains, GroupId, Instant,
    LaneSettings, Merge, Sensor, SensorId, Settings,
};

/// What a script says.
pub(crate) struct ParsedScript {
    pub(crate) actuators: Vec<Actuator<'static>>,
    pub(crate) sensors: Vec<Sensor<'static>>,
    pub(crate) couplings: Vec<(ActuatorId, ActuatorId, Vec<CouplingRow>)>,
    pub(crate) groups: Vec<Contest>,
    pub(crate) boards: u8,
    pub(crate) settings: Settings,
    pub(crate) from_boot: bool,
    pub(crate) ack_delay: u64,
    pub(crate) columns: Vec<Column>,
    pub(crate) turns: Vec<Instant>,
    pub(crate) actions: Vec<Action>,
    /// Names of lanes, in the order of their numbers; the first is `shared`.
    pub(crate) lanes: Vec<String>,
    pub(crate) aliases: Vec<String>,
}

/// One column of the table.
#[derive(Clone)]
pub(crate) enum Column {
    Of(ActuatorId, TrackField, String),
    State,
    Power,
}

/// What of an actuator is shown.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum TrackField {
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
pub(crate) struct Action {
    pub(crate) at: Instant,
    pub(crate) text: String,
    pub(crate) what: ScriptStep,
}

/// The actuators of a request.
#[derive(Clone)]
pub(crate) enum Whom {
    Actuators(Vec<ActuatorId>),
    Alias(usize),
}

/// What happens.
pub(crate) enum ScriptStep {
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
