//! A robot as it was described. Read by `read` from the layers; the cycle's view of it is made by `body_tables`.
//! A robot that was read is sound; nobody after the reader has to look for mistakes.

mod board;
mod body_tables;
mod bus_load;
mod layout;
mod link;
mod lola;
mod rigid_body;

use cycle::{
    ActuatorId, BoardId, Body, Calibration, CouplingRow, CurrentLimit, DerivedTerm, GainTerm,
    Gains, GroupId, GroupRule, Heat, Kind, LaneSettings, Plan, Range, SensorId, Settings, Span,
    named_enum,
};
use drivers::sim::{BodyStart, FeltSensor, Motor, SimSensor};

pub use board::{BoardSpec, Bus, Driver, PartModel, Port};
pub use body_tables::BodyTables;
pub use bus_load::{BusLoad, fullest, loads};
pub use layout::layout;
pub use link::{CollisionCapsule, LinkSpec, WheelShape, is_flat};
pub use lola::{lola_input, lola_output};
pub use rigid_body::{RigidBody, RigidBodyError};

/// The whole description.
#[derive(Clone, Debug, PartialEq)]
pub struct Robot {
    /// Its name.
    pub name: String,
    /// What it is.
    pub about: String,
    /// Period, ramp times and fault thresholds.
    pub settings: Settings,
    /// What the loop asks of the machine.
    pub machine: Machine,
    /// What the motors do when the loop goes without its goodbye.
    pub leave: Leave,
    /// How far the centre of mass must stay within the edge of the soles for a show to pass, and not to be warned, m.
    pub balance: [f64; 2],
    /// What lanes are like when nobody says otherwise.
    pub lane: LaneSettings,
    /// What this very robot is: serial numbers and versions, by the NAO's keys.
    pub identity: Vec<(String, String)>,
    /// Names of parts that the base describes and this robot lacks, and of aliases of such parts only.
    pub absent: Vec<String>,
    /// The lights that pulse when a client has fallen silent.
    pub lost_lights: Vec<ActuatorId>,
    /// Users that may move the body, besides its own and root.
    pub users: Vec<u32>,
    /// The boards, by their numbers.
    pub boards: Vec<BoardSpec>,
    /// The actuators, by their numbers.
    pub actuators: Vec<ActuatorSpec>,
    /// The sensors, by their numbers.
    pub sensors: Vec<SensorSpec>,
    /// Ranges that depend on another joint.
    pub couplings: Vec<CouplingSpec>,
    /// The exclusive groups, by their numbers.
    pub groups: Vec<ExclusiveGroup>,
    /// Lists of actuators with a name.
    pub aliases: Vec<(String, Vec<ActuatorId>)>,
    /// Postures with a name.
    pub poses: Vec<(String, Vec<(ActuatorId, f64)>)>,
    /// How a simulated body that starts sitting does so; empty if it cannot.
    pub sitting: Vec<(ActuatorId, f64)>,
    /// The kinematic tree: parents before their children.
    pub links: Vec<LinkSpec>,
    /// What choreographies may use.
    pub grants: Vec<(String, GrantSpec)>,
    /// The seed of the simulation.
    pub seed: u64,
    /// Whether the simulated body has weight and stands on a floor.
    pub physics: bool,
    /// How the simulated body is placed at first, with physics.
    pub start: BodyStart,
}

/// What the loop asks of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The SCHED_FIFO priority.
    pub priority: u8,
    /// The processor to stay on.
    pub processor: Option<usize>,
    /// Commands that may wait in all lanes together; default: as many as the plan says.
    pub commands: Option<usize>,
    /// Lanes at the same time.
    pub lanes: usize,
    /// How guests reach sensors and commands.
    pub guests: GuestForm,
    /// The share of the period that all hooks of a turn may take together, %.
    pub hook_share: u8,
    /// Processor time that compiling a choreography may take, s; default: by its size.
    pub compile_time: Option<u32>,
    /// Memory that it may take, bytes; default: by its size and the machine's memory.
    pub compile_memory: Option<u64>,
}

named_enum! {
    /// How guests reach sensors and commands.
    #[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
    pub enum GuestForm {
        /// Both are compiled into them.
        #[default]
        InPlace => "in-place",
        /// Each is a call of the host.
        Calls => "calls",
    }
}

named_enum! {
    /// What the motors do when the loop ends without letting go of them first.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Leave {
        /// They let go.
        #[default]
        Release => "release",
        /// They hold the last value.
        Hold => "hold",
    }
}

/// An actuator.
#[derive(Clone, Debug, PartialEq)]
pub struct ActuatorSpec {
    /// Its short name.
    pub name: String,
    /// Its long name.
    pub path: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// Its unit.
    pub unit: String,
    /// What it does with commands.
    pub kind: Kind,
    /// The values it may be sent.
    pub range: Range,
    /// The fastest change.
    pub velocity: f64,
    /// The fastest change of speed.
    pub acceleration: f64,
    /// An estimate of it, if it is not known.
    pub derived_acceleration: f64,
    /// Where it starts.
    pub rest: f64,
    /// Where the safe pose puts it.
    pub safe: Option<f64>,
    /// The sensor that measures it.
    pub sensor: Option<SensorId>,
    /// Its own gains.
    pub gains: Option<Gains>,
    /// What heat does to a stiffness.
    pub heat: Option<Heat>,
    /// What current does to a stiffness.
    pub current: Option<CurrentLimit>,
    /// Its exclusive group.
    pub group: Option<GroupId>,
    /// Its board.
    pub board: BoardId,
    /// Its output there.
    pub channel: u16,
    /// The named end that it is at, on a board that has such.
    pub port: Option<Port>,
    /// Whether its line is dithered: on in as many turns as make a light look as bright as it should.
    pub dither: bool,
    /// The outputs that its gains have there.
    pub gain_channels: Option<[u16; 3]>,
    /// From its unit to counts.
    pub calibration: Calibration,
    /// Its motor, for the simulation.
    pub motor: Option<Motor>,
}

/// A sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorSpec {
    /// Its short name.
    pub name: String,
    /// Its long name.
    pub path: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// Its unit.
    pub unit: String,
    /// Its board.
    pub board: BoardId,
    /// Its input there.
    pub channel: u16,
    /// The named end that it is at, on a board that has such.
    pub port: Option<Port>,
    /// How a line is read, on a board that has lines.
    pub reading: LineReading,
    /// From counts to its unit.
    pub calibration: Calibration,
    /// What it reads in the simulation.
    pub sense: SimSensor,
    /// What it feels in a simulation with physics, with the index of the link among the robot's.
    pub felt: Option<FeltSensor>,
    /// The readings that it may be set to in the simulation.
    pub range: Range,
    /// What it is computed from; none if its board reads it.
    pub derived: Option<DerivedSpec>,
}

/// What a sensor is computed from.
#[derive(Clone, Debug, PartialEq)]
pub enum DerivedSpec {
    /// The sum of these, each times its factor.
    Sum(Vec<DerivedTerm>),
    /// The centre of these.
    Centre(Vec<DerivedTerm>),
    /// How long a sensor has been active, s.
    Held(SensorId),
    /// A gain in force.
    Gain(ActuatorId, GainTerm),
}

/// How a line is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineReading {
    /// What changes back within this time has not changed.
    pub debounce: Span,
    /// What it reads.
    pub what: LineValue,
}

/// What a line reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineValue {
    /// Whether it is active.
    #[default]
    Level,
    /// How often it became active.
    Presses,
    /// How long the echo of this trigger took, s.
    Echo(ActuatorId),
}

/// A range that depends on another joint.
#[derive(Clone, Debug, PartialEq)]
pub struct CouplingSpec {
    /// The joint whose place decides.
    pub driver: ActuatorId,
    /// The joint whose range it is.
    pub driven: ActuatorId,
    /// The range at some places of the driver.
    pub rows: Vec<CouplingRow>,
}

/// Actuators that only one lane may have at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExclusiveGroup {
    /// Its name.
    pub name: String,
    /// What happens when a second lane wants it.
    pub contest: GroupRule,
}

/// What rounding may do to a value on its way: no joint is farther for that.
pub const ROUNDED: f64 = 1e-6;

/// What a choreography may use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GrantSpec {
    /// Fuel for each call of a hook.
    pub fuel: Option<u64>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// The highest priority of its lane.
    pub priority: Option<f64>,
    /// What it can drive; `None` for everything.
    pub actuators: Option<Vec<ActuatorId>>,
    /// What it may use of WASI.
    pub wasi: Vec<String>,
    /// The folder that it sees as `/`.
    pub folder: Option<String>,
}

/// Whether a name is that of a part, or of something of it: its stiffness, or a path.
pub(crate) fn names_part(name: &str, part: &str) -> bool {
    let rest = name.strip_prefix(part);
    rest.is_some_and(|text| text.is_empty() || text == "Stiffness" || text.starts_with('/'))
}

impl Robot {
    /// The actuator that answers to `name`: short, alias, path, or with the NAO's prefix.
    pub fn actuator(&self, name: &str) -> Option<ActuatorId> {
        let names = self
            .actuators
            .iter()
            .map(|actuator| (&actuator.name, &actuator.path, &actuator.aliases));
        u16::try_from(position(names, name)?).ok().map(ActuatorId)
    }

    /// The sensor that answers to `name`.
    pub fn sensor(&self, name: &str) -> Option<SensorId> {
        let names = self
            .sensors
            .iter()
            .map(|sensor| (&sensor.name, &sensor.path, &sensor.aliases));
        u16::try_from(position(names, name)?).ok().map(SensorId)
    }

    /// Whether this names a part that the base describes and this robot lacks.
    pub fn is_absent(&self, name: &str) -> bool {
        let name = name.strip_prefix(cycle::NAO_PREFIX).unwrap_or(name);
        self.absent.iter().any(|item| names_part(name, item))
    }

    /// The pose of this name.
    pub fn pose(&self, name: &str) -> Option<&[(ActuatorId, f64)]> {
        Some(&self.poses.iter().find(|(pose, _)| pose == name)?.1)
    }

    /// How much memory a loop for this robot needs.
    pub fn plan(&self, body: &Body<'_>) -> Plan {
        let mut plan = Plan::new(body);
        plan.lanes = self.machine.lanes;
        // Every lane may have its room, as far as that is no more than a full timeline.
        let of_lanes = self.machine.lanes * self.lane.room.min(cycle::WAITING_MAX) as usize;
        let usual = plan.commands.max(of_lanes);
        plan.commands = self.machine.commands.unwrap_or(usual);
        plan
    }
}

fn position<'r>(
    mut names: impl Iterator<Item = (&'r String, &'r String, &'r Vec<String>)>,
    asked: &str,
) -> Option<usize> {
    let asked = asked.strip_prefix(cycle::NAO_PREFIX).unwrap_or(asked);
    names.position(|(name, path, aliases)| {
        name == asked || path == asked || aliases.iter().any(|alias| alias == asked)
    })
}
