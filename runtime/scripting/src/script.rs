//! A script that was parsed: a body, settings, columns, turns, actions.
//! Made by `parse`, played by `play`.
//! Every name has been looked up; playing cannot miss one.

use cycle::{
    Actuator, ActuatorId, BoardId, Command, CouplingRow, Ending, Gains, GroupId, GroupRule,
    Instant, LaneSettings, Merge, Sensor, SensorId, Settings, named_enum,
};

/// A script that was parsed.
pub(crate) struct ParsedScript {
    pub(crate) actuators: Vec<Actuator<'static>>,
    pub(crate) sensors: Vec<Sensor<'static>>,
    pub(crate) couplings: Vec<(ActuatorId, ActuatorId, Vec<CouplingRow>)>,
    pub(crate) groups: Vec<GroupRule>,
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

named_enum! {
    /// What of an actuator is shown.
    #[derive(Clone, Copy, PartialEq)]
    pub(crate) enum TrackField {
        Commanded => "commanded",
        Limited => "limited",
        Sent => "sent",
        Acknowledged => "acknowledged",
        Coverage => "coverage",
        Clips => "clips",
        Limp => "limp",
        Gains => "gains",
        Counts => "counts",
    }
}

/// Something that happens before the first turn at or after its instant.
pub(crate) struct Action {
    pub(crate) at: Instant,
    pub(crate) text: String,
    pub(crate) step: ScriptStep,
}

/// The actuators of a request.
#[derive(Clone)]
pub(crate) enum RequestTarget {
    Actuators(Vec<ActuatorId>),
    Alias(usize),
}

/// What happens.
pub(crate) enum ScriptStep {
    Open(usize, LaneSettings),
    Lane(usize, LaneStep),
    Alias(usize, Vec<ActuatorId>),
    Sensor(SensorId, f64),
    Board(BoardId, bool),
    Safety(SafetyRequest),
}

/// What a lane does.
pub(crate) enum LaneStep {
    Submit(RequestTarget, Submission),
    Trajectory(Merge, Vec<(ActuatorId, Vec<Command>)>),
    Cancel(u32),
    Drive(ActuatorId, DirectOutput, f64, Instant),
    Weight(Option<ActuatorId>, f64),
    Priority(f64),
    End(Option<Ending>),
    Feed,
    ReleaseGroup(GroupId),
    Pending(ActuatorId),
    Progress(u32),
    Overridden,
}

/// What a request carries.
pub(crate) enum Submission {
    Same(Merge, Vec<Command>),
    Mixed(Merge, Vec<Vec<Command>>),
    Separate(Merge, Vec<Instant>, Vec<f64>),
    Vector(Instant, Vec<f64>),
    Stop,
}

/// What a lane writes to an actuator in the turn itself, past its timeline.
#[derive(Clone, Copy)]
pub(crate) enum DirectOutput {
    Value(f64),
    Gains(Gains),
}

named_enum! {
    /// What is asked of the whole body.
    #[derive(Clone, Copy)]
    pub(crate) enum SafetyRequest {
        Arm => "arm",
        Disarm => "disarm",
        Hold => "hold",
        Resume => "resume",
        Retreat => "retreat",
        Clear => "clear",
        Estop => "estop",
        Release => "release",
    }
}
