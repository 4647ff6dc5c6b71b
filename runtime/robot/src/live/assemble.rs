//! Assembles the cycle and the simulated body of a robot, and lends both to a function.
//! Used by the loop, and by tests and replays that advance the clock themselves.
//! The law: everything that a turn will ever need is allocated before the first turn.

use std::cell::RefCell;
use std::fmt;

use cycle::{Board, Cycle, Incoming, MakeError, Outgoing};
use drivers::rack::Rack;
use drivers::sim::{SimBoard, SimError};

use description::{BodyTables, Robot};
use scripting::memory::CycleStore;

/// Why a robot could not be assembled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AssembleError {
    /// The cycle refuses the body.
    Cycle(MakeError),
    /// The simulation refuses the motors or sensors.
    Simulation(SimError),
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
    assemble_with_commands(robot, 0, run)
}

/// As `assemble`, with room in the view for this many accepted commands of each turn.
///
/// # Errors
/// As for `assemble`.
pub fn assemble_with_commands<R>(
    robot: &Robot,
    commands: usize,
    run: impl FnOnce(&mut Cycle<'_>, &RefCell<SimBoard<'_>>) -> R,
) -> Result<R, AssembleError> {
    let tables = BodyTables::of(robot);
    let body = tables.body();
    let mut plan = robot.plan(&body);
    plan.taken = commands;
    let mut store = CycleStore::new(&plan);
    let cycle = Cycle::new(&body, &plan, store.lend(), robot.settings);
    let mut cycle = cycle.map_err(AssembleError::Cycle)?;
    let motors: Vec<_> = robot.actuators.iter().map(|it| it.motor).collect();
    let senses: Vec<_> = robot.sensors.iter().map(|it| it.sense).collect();
    let sim = SimBoard::new(&body, &motors, &senses, robot.seed);
    let sim = RefCell::new(sim.map_err(AssembleError::Simulation)?);
    Ok(run(&mut cycle, &sim))
}
