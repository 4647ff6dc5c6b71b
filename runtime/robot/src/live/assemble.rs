//! Assembles the cycle and the simulated body of a robot, and lends both to a function.
//! Used by the loop, and by tests and replays that advance the clock themselves.
//! Everything that a turn will ever need is allocated before the first turn.

use std::cell::RefCell;
use std::fmt;

use cycle::{Board, Cycle, Incoming, MakeError, Outgoing, TRAJECTORIES, WAITING_MAX};
use drivers::rack::Rack;
use drivers::sim::{SimBoard, SimError};

use description::{BodyTables, Robot};
use scripting::memory::CycleStore;

/// Why a robot could not be assembled.
#[derive(Clone, Debug, PartialEq)]
pub enum AssembleError {
    /// The cycle refuses the body.
    Cycle(MakeError),
    /// The simulation refuses the motors or sensors.
    Simulation(SimError),
    /// The physics of the simulation refuses the links.
    Physics(String),
}

impl fmt::Display for AssembleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AssembleError::Cycle(error) => {
                write!(
                    f,
                    "this robot cannot run: {error:?}; fix: see `dcm-run config check`"
                )
            }
            AssembleError::Simulation(error) => {
                write!(
                    f,
                    "this robot cannot be simulated: {error:?}; fix: check its `motor` tables"
                )
            }
            AssembleError::Physics(error) => {
                write!(
                    f,
                    "the physics of this robot is impossible: {error}; fix: check `[links]`, or use `--physics off`"
                )
            }
        }
    }
}

impl std::error::Error for AssembleError {}

/// A simulated body that the loop and the simulation's requests share.
#[derive(Clone, Copy, Debug)]
pub struct SharedSim<'s, 'b>(pub &'s RefCell<SimBoard<'b>>);

impl Board for SharedSim<'_, '_> {
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) {
        self.0.borrow_mut().exchange(out, back);
    }
}

/// All boards of a robot, simulated and real.
#[derive(Debug)]
pub(crate) struct BoardsAndSim<'s, 'b, 'r> {
    pub(crate) sim: &'s RefCell<SimBoard<'b>>,
    pub(crate) rack: &'r mut Rack,
}

impl Board for BoardsAndSim<'_, '_, '_> {
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) {
        self.sim.borrow_mut().exchange(out, back);
        self.rack.exchange(out, back);
    }
}

/// Lends a cycle in `boot` and a simulated body at rest to `run`.
///
/// # Errors
/// [`AssembleError`]; the cycle accepts every robot that was loaded without complaints.
pub fn assemble<R>(
    robot: &Robot,
    run: impl FnOnce(&mut Cycle<'_>, &RefCell<SimBoard<'_>>) -> R,
) -> Result<R, AssembleError> {
    assemble_with(robot, AssembleOptions::default(), run)
}

/// What only some cycles need.
#[derive(Clone, Copy, Debug, Default)]
pub struct AssembleOptions {
    /// Room in the view for this many accepted commands of each turn.
    pub taken: usize,
    /// Room for what clients send: moves that are too long for one turn, see [`long_move_commands`], and requests that
    /// are followed.
    pub has_clients: bool,
}

/// How many requests of clients are followed at the same time.
const FOLLOWED: usize = 2_048;

/// Places for moves that are too long for one turn: for those that may play at a time, and one that is prepared.
const LONG_MOVES: usize = TRAJECTORIES + 1;

/// How many commands a move may have at most, on this body: a full timeline for each actuator, as far as 3 MiB of
/// memory go.
pub fn long_move_commands(robot: &Robot) -> usize {
    (robot.actuators.len() * WAITING_MAX as usize).min(131_072)
}

/// As `assemble`, with these options.
///
/// # Errors
/// As for `assemble`.
pub fn assemble_with<R>(
    robot: &Robot,
    options: AssembleOptions,
    run: impl FnOnce(&mut Cycle<'_>, &RefCell<SimBoard<'_>>) -> R,
) -> Result<R, AssembleError> {
    let tables = BodyTables::of(robot);
    let body = tables.body();
    let mut plan = robot.plan(&body);
    plan.taken = options.taken;
    if options.has_clients {
        plan.followed = FOLLOWED;
        plan.trajectories = LONG_MOVES;
        plan.trajectory_commands = long_move_commands(robot);
    }
    let mut store = CycleStore::new(&plan);
    let cycle = Cycle::new(&body, &plan, store.lend(), robot.settings);
    let mut cycle = cycle.map_err(AssembleError::Cycle)?;
    let motors: Vec<_> = robot
        .actuators
        .iter()
        .map(|actuator| actuator.motor)
        .collect();
    let senses: Vec<_> = robot.sensors.iter().map(|sensor| sensor.sense).collect();
    let sim = SimBoard::new(&body, &motors, &senses, robot.seed);
    let sim = RefCell::new(sim.map_err(AssembleError::Simulation)?);
    Ok(run(&mut cycle, &sim))
}
