//! Owns the memory that a cycle borrows. Made once at start-up; the only place that allocates it.
//! Whatever the plan counts is here, at its full size, before the first turn.

mod arena;

use cycle::{
    AliasCell, Answer, Direct, EventEntry, FREE_NODE, Fire, FrameMemory, LaneCell, Link, Memory,
    Plan, ProgressCell, Taken, Target, Timeline, Track, Trajectory, TrajectoryCommand,
    TrajectoryMemory, TrajectoryPart,
};

use self::arena::{Cut, MemoryBlock, SliceMeasure};

/// The memory of one cycle.
pub struct CycleStore {
    plan: Plan,
    block: MemoryBlock,
}

impl CycleStore {
    /// As much of everything as `plan` says.
    ///
    /// # Panics
    /// The system has no memory left, as for a `Vec`.
    pub fn new(plan: &Plan) -> CycleStore {
        let mut measure = SliceMeasure::default();
        let _ = cut(plan, &mut measure);
        // What `SliceMeasure` gives is empty, and asks for no trajectories.
        for _ in 0..plan.trajectories {
            trajectory(plan, &mut measure);
        }
        let bytes = measure.bytes;
        let block = MemoryBlock::new(bytes);
        CycleStore {
            plan: *plan,
            block: block.unwrap_or_else(|why| panic!("{bytes} bytes for the cycle: {why}")),
        }
    }

    /// Lends everything to one cycle, for as long as the store lives.
    pub fn lend(&mut self) -> Memory<'_> {
        let mut arena = self.block.arena();
        let memory = cut(&self.plan, &mut arena);
        for free in &mut *memory.trajectories {
            *free = Some(trajectory(&self.plan, &mut arena));
        }
        memory
    }
}

/// Cuts everything that a plan counts. What each turn reads and writes comes first, and so lies closest together.
fn cut<'m>(plan: &Plan, from: &mut impl Cut<'m>) -> Memory<'m> {
    Memory {
        tracks: from.slice(plan.actuators, || Track::NEW),
        words: from.slice(plan.words(), || 0),
        lanes: from.slice(plan.lanes, || LaneCell::FREE),
        order: from.slice(plan.lanes, || 0),
        holders: from.slice(plan.groups, || None),
        aliases: from.slice(plan.aliases, || AliasCell::FREE),
        fires: from.slice(plan.fires, || Fire::FREE),
        frames: FrameMemory {
            targets: from.slice(plan.actuators, Target::default),
            counts: from.slice(plan.sensors, || 0.0),
            values: from.slice(plan.sensors, || 0.0),
            answers: from.slice(plan.boards, Answer::default),
            links: from.slice(plan.boards, Link::default),
            history: from.slice(plan.history(), || 0.0),
        },
        timelines: from.slice(plan.timelines(), || Timeline::IDLE),
        directs: from.slice(plan.timelines(), || Direct::NONE),
        entries: from.slice(plan.entries, || EventEntry::FREE),
        taken: from.slice(plan.taken, || Taken::FREE),
        progress: from.slice(plan.followed, || ProgressCell::FREE),
        trajectories: from.slice(plan.trajectories, || None),
        commands: from.slice(plan.commands, || FREE_NODE),
    }
}

/// Cuts the stage's own memory of one trajectory.
fn trajectory<'m>(plan: &Plan, from: &mut impl Cut<'m>) -> Trajectory<'m> {
    Trajectory::new(TrajectoryMemory {
        commands: from.slice(plan.trajectory_commands, || TrajectoryCommand::FREE),
        parts: from.slice(plan.actuators, || TrajectoryPart::FREE),
        part_of: from.slice(plan.actuators, || 0),
    })
}

/// The memory of one trajectory.
pub struct TrajectoryStore {
    commands: Vec<TrajectoryCommand>,
    parts: Vec<TrajectoryPart>,
    part_of: Vec<u16>,
}

impl TrajectoryStore {
    /// Room for `commands` commands on up to `actuators` actuators.
    pub fn new(commands: usize, actuators: usize) -> TrajectoryStore {
        TrajectoryStore {
            commands: vec![TrajectoryCommand::FREE; commands],
            parts: vec![TrajectoryPart::FREE; actuators],
            part_of: vec![0; actuators],
        }
    }

    /// Lends everything to one trajectory.
    pub fn lend(&mut self) -> TrajectoryMemory<'_> {
        TrajectoryMemory {
            commands: &mut self.commands,
            parts: &mut self.parts,
            part_of: &mut self.part_of,
        }
    }
}
