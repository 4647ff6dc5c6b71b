//! From the examined tree to a robot: one file for each part of the description.
//! Called by `load` once all layers lie on each other.
//! It goes on after a mistake, so that all of them are told at once.

mod boards;
mod channels;
mod derived;
mod joints;
mod links;
mod named;
mod nature;
mod relations;
mod table_view;
mod wires;

use std::collections::{HashMap, HashSet};

use cycle::{
    ActuatorId, Ending, FaultThresholds, JointThresholds, Keep, LaneSettings, LimpCommands,
    RampTimes, SensorId, Settings, SilenceTimeout, Span,
};

use drivers::sim::BodyStart;

use crate::nearest;
use crate::problem::Problem;
use crate::robot::{GuestForm, Leave, Machine, Robot, names_part};
use crate::schema::{KEEPS, ROBOT};
use crate::schema::{TableSchema, ValueKind};
use crate::text::Spot;
use crate::tree::{Table, Value};

use channels::ChannelAllocator;
use table_view::TableView;

/// The default of the most lanes at a time: one for each guest, and some for clients.
const LANES: usize = 320;

/// The sections of parts, which may be absent.
const PARTS: [&str; 6] = ["joints", "hands", "wheels", "lights", "triggers", "sensors"];

/// A robot in the making.
struct RobotReader<'t> {
    tree: &'t Table,
    root: TableView<'t>,
    robot: Robot,
    channels: ChannelAllocator,
    board_spots: Vec<Spot>,
    /// Every name, alias and path of an actuator, and where it was given.
    actuators: HashMap<String, (ActuatorId, Spot)>,
    /// As above, for sensors.
    sensors: HashMap<String, (SensorId, Spot)>,
    /// The names of parts that are absent, and of aliases that have no other members: what names them goes on without.
    missing: HashSet<String>,
    problems: Vec<Problem>,
}

/// Reads the tree. The robot is of use only if there are no problems.
pub(super) fn read(tree: &Table, last_layer: usize) -> (Robot, Vec<Problem>) {
    let nowhere = Spot::new(last_layer, 0..0);
    let root = TableView::new(Some(tree), None, &ROBOT, nowhere);
    let mut reader = RobotReader {
        tree,
        root,
        robot: blank(&root),
        channels: ChannelAllocator::default(),
        board_spots: Vec::new(),
        actuators: HashMap::new(),
        sensors: HashMap::new(),
        missing: absent(tree),
        problems: Vec::new(),
    };
    reader.read_boards();
    reader.read_parts();
    reader.read_relations();
    reader.read_links();
    reader.read_felt();
    reader.robot.absent = reader.missing.iter().cloned().collect();
    reader.robot.absent.sort();
    let channels = std::mem::take(&mut reader.channels);
    channels.assign(&mut reader.robot, &mut reader.problems);
    reader.check_wires();
    if reader.problems.is_empty() {
        reader.check_body();
    }
    let simulation = root.sub("simulation");
    let chosen = simulation.and_then(|simulation| simulation.flag("physics"));
    reader.robot.physics = chosen.unwrap_or_else(|| reader.robot.has_weight());
    (reader.robot, reader.problems)
}

impl<'t> RobotReader<'t> {
    /// The named tables of a section, each with the defaults of its section behind it.
    fn section(&self, section: &str) -> Vec<(&'t str, TableView<'t>)> {
        let Some(ValueKind::Named(ValueKind::Table(shape))) =
            ROBOT.key(section).map(|key| &key.kind)
        else {
            return Vec::new();
        };
        let shape: &'static TableSchema = shape;
        let default = self
            .tree
            .table("defaults")
            .and_then(|table| table.table(section));
        let rows = self.tree.table(section).map_or(&[][..], |table| &table.0);
        rows.iter()
            .filter_map(|(key, node)| {
                let entry = TableView::new(Some(node.as_table()?), default, shape, key.spot);
                Some((key.text.as_str(), entry))
            })
            .filter(|(_, entry)| entry.flag("absent") != Some(true))
            .collect()
    }

    fn complain(&mut self, problem: Problem) {
        // A mistake in the defaults of a section is one mistake.
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Whether this names a part that is absent, or something of it: its stiffness, or a path.
    fn is_missing(&self, name: &str) -> bool {
        self.missing.iter().any(|item| names_part(name, item))
    }

    /// The actuator that answers to `name`, or a complaint; no complaint about one that is absent.
    fn actuator(&mut self, name: &str, spot: Spot) -> Option<ActuatorId> {
        let asked = name.strip_prefix(cycle::NAO_PREFIX).unwrap_or(name);
        if let Some((id, _)) = self.actuators.get(asked) {
            return Some(*id);
        }
        if self.is_missing(asked) {
            return None;
        }
        let near = nearest(asked, self.actuators.keys().map(String::as_str));
        let help = near.map(|name| format!("did you mean `{name}`?"));
        let mut problem = Problem::at(spot, format!("there is no actuator `{name}`"), "unknown");
        problem.help = help;
        self.complain(problem);
        None
    }

    /// The last word: what the cycle itself would refuse.
    fn check_body(&mut self) {
        let tables = crate::robot::BodyTables::of(&self.robot);
        if let Err(error) = tables.body().check() {
            let sentence = format!("the cycle would refuse this body: {error:?}");
            self.problems.push(Problem::nowhere(sentence));
        }
    }
}

/// The names of the parts that are absent.
fn absent(tree: &Table) -> HashSet<String> {
    let sections = PARTS.iter().filter_map(|part| tree.table(part));
    let mut missing = HashSet::new();
    for (key, node) in sections.flat_map(|section| &section.0) {
        let flag = node.as_table().and_then(|table| table.get("absent"));
        if flag.is_some_and(|flag| matches!(flag.value, Value::Flag(true))) {
            missing.insert(key.text.clone());
        }
    }
    missing
}

fn span(seconds: f64) -> Span {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "examined: not negative; a float saturates"
    )]
    Span::from_nanos((seconds * 1e9).round() as u64)
}

/// A robot with everything that stands at the top of the file, and without parts.
fn blank(root: &TableView<'_>) -> Robot {
    let text = |key| root.text(key).unwrap_or_default().to_owned();
    let period = root.figure("period").map_or(Span::from_millis(10), span);
    let machine = root.sub("loop");
    let whole = |key| {
        machine
            .as_ref()
            .and_then(|machine| machine.whole::<usize>(key))
    };
    let access = root.sub("access");
    Robot {
        name: text("name"),
        about: text("about"),
        settings: settings(root, period.max(Span::from_nanos(1))),
        machine: Machine {
            priority: machine
                .and_then(|machine| machine.whole("priority"))
                .unwrap_or(50),
            processor: whole("processor"),
            commands: whole("commands"),
            lanes: whole("lanes").unwrap_or(LANES),
            compile_time: machine.and_then(|machine| machine.whole("compile-time")),
            compile_memory: machine
                .and_then(|machine| Some(machine.whole::<u64>("compile-memory")? << 20)),
            hook_share: machine
                .and_then(|machine| machine.whole("hook-share"))
                .unwrap_or(50),
            guests: machine
                .and_then(|machine| GuestForm::of_name(machine.text("guests")?))
                .unwrap_or_default(),
        },
        leave: root
            .sub("safety")
            .and_then(|safety| Leave::of_name(safety.text("leave")?))
            .unwrap_or_default(),
        balance: [("balance-fail", 0.005), ("balance-warn", 0.01)].map(|(key, usual)| {
            let safety = root.sub("safety");
            safety
                .and_then(|safety| safety.figure(key))
                .unwrap_or(usual)
        }),
        lane: lane(root),
        identity: Vec::new(),
        absent: Vec::new(),
        lost_lights: Vec::new(),
        users: access.map_or(Vec::new(), |access| access.wholes("users")),
        boards: Vec::new(),
        actuators: Vec::new(),
        sensors: Vec::new(),
        couplings: Vec::new(),
        groups: Vec::new(),
        aliases: Vec::new(),
        poses: Vec::new(),
        sitting: Vec::new(),
        links: Vec::new(),
        grants: Vec::new(),
        seed: root
            .sub("simulation")
            .and_then(|simulation| simulation.whole("seed"))
            .unwrap_or(1),
        // Without a choice, `read` decides once the links are known.
        physics: false,
        start: root
            .sub("simulation")
            .and_then(|simulation| BodyStart::of_name(simulation.text("start")?))
            .unwrap_or_default(),
    }
}

fn settings(root: &TableView<'_>, period: Span) -> Settings {
    let (ramps, thresholds) = (RampTimes::default(), FaultThresholds::at(period));
    let Some(safety) = root.sub("safety") else {
        return Settings {
            period,
            ramps,
            limp: LimpCommands::default(),
            thresholds,
        };
    };
    let time = |key, or| safety.figure(key).map_or(or, span);
    let count = |key, or| safety.whole(key).unwrap_or(or);
    let figure = |key, or| safety.figure(key).unwrap_or(or);
    let joint = thresholds.joint;
    Settings {
        period,
        ramps: RampTimes {
            readings: count("readings", ramps.readings),
            good_link: time("link-good", ramps.good_link),
            fade_in: time("fade-in", ramps.fade_in),
            fade_out: time("fade-out", ramps.fade_out),
            return_speed: figure("return-speed", ramps.return_speed),
            ease_in: time("ease-in", ramps.ease_in),
            retreat: time("retreat", ramps.retreat),
        },
        limp: (safety.text("limp-commands").and_then(LimpCommands::of_name)).unwrap_or_default(),
        thresholds: FaultThresholds {
            late_after: time("late-after", thresholds.late_after),
            late_to_hold: count("late-to-hold", thresholds.late_to_hold),
            late_to_safe: count("late-to-safe", thresholds.late_to_safe),
            missing_to_hold: count("missing-to-hold", thresholds.missing_to_hold),
            missing_to_lost: count("missing-to-lost", thresholds.missing_to_lost),
            joint: JointThresholds {
                impossible: figure("impossible-beyond", joint.impossible),
                follows: figure("following-error", joint.follows),
                astray_to_hold: count("astray-to-hold", joint.astray_to_hold),
                astray_to_fault: count("astray-to-fault", joint.astray_to_fault),
            },
        },
    }
}

/// After so long without a word the whole body retreats, where silence is watched.
const FORSAKEN: Span = Span::from_millis(1_500);

fn lane(root: &TableView<'_>) -> LaneSettings {
    let usual = LaneSettings::STANDARD;
    let Some(lanes) = root.sub("lanes") else {
        return usual;
    };
    let silence = lanes.figure("silence").map(|after| SilenceTimeout {
        after: span(after),
        body_after: Some(lanes.figure("silence-body").map_or(FORSAKEN, span)),
    });
    LaneSettings {
        // Who has fallen silent leaves what he drove where it is.
        ending: if silence.is_some() {
            Ending::Hold
        } else {
            usual.ending
        },
        silence,
        waits: usual.waits,
        follows: usual.follows,
        priority: lanes.figure("priority").unwrap_or(usual.priority),
        weight: lanes.figure("weight").unwrap_or(usual.weight),
        room: lanes.whole("room").unwrap_or(usual.room),
        keep: lanes.choice("keep", &KEEPS).unwrap_or(Keep::Hold),
        fade_in: lanes.figure("fade-in").map_or(usual.fade_in, span),
        fade_out: lanes.figure("fade-out").map_or(usual.fade_out, span),
    }
}
