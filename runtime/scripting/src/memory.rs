//! Owns the memory that a cycle borrows. Made once at start-up; the only place that allocates it.
//! The law: whatever the plan counts is here, at its full size, before the first turn.

use cycle::{
    AliasCell, Answer, Direct, EventEntry, FREE_NODE, Fire, FrameMemory, LaneCell, LaneId, Link,
    Memory, Node, Plan, ProgressCell, Taken, Target, Timeline, Track, Trajectory,
    TrajectoryCommand, TrajectoryMemory, TrajectoryPart,
};

/// The memory of one cycle.
pub struct CycleStore<'m> {
    commands: Vec<Node>,
    lanes: Vec<LaneCell<'m>>,
    timelines: Vec<Timeline>,
    directs: Vec<Direct>,
    words: Vec<u64>,
    tracks: Vec<Track>,
    order: Vec<u16>,
    holders: Vec<Option<LaneId>>,
    aliases: Vec<AliasCell>,
    fires: Vec<Fire>,
    entries: Vec<EventEntry>,
    taken: Vec<Taken>,
    trajectory_stores: Vec<TrajectoryStore>,
    trajectories: Vec<Option<Trajectory<'m>>>,
    progress: Vec<ProgressCell>,
    targets: Vec<Target>,
    history: Vec<f64>,
    counts: Vec<f64>,
    values: Vec<f64>,
    answers: Vec<Answer>,
    links: Vec<Link>,
}

impl<'m> CycleStore<'m> {
    /// As much of everything as `plan` says.
    pub fn new(plan: &Plan) -> CycleStore<'m> {
        CycleStore {
            commands: vec![FREE_NODE; plan.commands],
            lanes: (0..plan.lanes).map(|_| LaneCell::FREE).collect(),
            timelines: vec![Timeline::IDLE; plan.timelines()],
            directs: vec![Direct::NONE; plan.timelines()],
            words: vec![0; plan.words()],
            tracks: vec![Track::NEW; plan.actuators],
            order: vec![0; plan.lanes],
            holders: vec![None; plan.groups],
            aliases: vec![AliasCell::FREE; plan.aliases],
            fires: vec![Fire::FREE; plan.fires],
            entries: vec![EventEntry::FREE; plan.entries],
            taken: vec![Taken::FREE; plan.taken],
            trajectory_stores: (0..plan.trajectories)
                .map(|_| TrajectoryStore::new(plan.trajectory_commands, plan.actuators))
                .collect(),
            trajectories: (0..plan.trajectories).map(|_| None).collect(),
            progress: vec![ProgressCell::FREE; plan.followed],
            targets: vec![Target::default(); plan.actuators],
            history: vec![0.0; plan.history()],
            counts: vec![0.0; plan.sensors],
            values: vec![0.0; plan.sensors],
            answers: vec![Answer::default(); plan.boards],
            links: vec![Link::default(); plan.boards],
        }
    }

    /// Lends everything to one cycle, for as long as the store lives.
    pub fn lend(&'m mut self) -> Memory<'m> {
        for (free, store) in self
            .trajectories
            .iter_mut()
            .zip(&mut self.trajectory_stores)
        {
            *free = Some(Trajectory::new(store.lend()));
        }
        Memory {
            commands: &mut self.commands,
            lanes: &mut self.lanes,
            timelines: &mut self.timelines,
            directs: &mut self.directs,
            words: &mut self.words,
            tracks: &mut self.tracks,
            order: &mut self.order,
            holders: &mut self.holders,
            aliases: &mut self.aliases,
            fires: &mut self.fires,
            entries: &mut self.entries,
            taken: &mut self.taken,
            trajectories: &mut self.trajectories,
            progress: &mut self.progress,
            frames: FrameMemory {
                targets: &mut self.targets,
                history: &mut self.history,
                counts: &mut self.counts,
                values: &mut self.values,
                answers: &mut self.answers,
                links: &mut self.links,
            },
        }
    }
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
