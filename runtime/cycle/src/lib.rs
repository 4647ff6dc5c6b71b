//! The pure cycle: the DCM's timed commands and Tekkotsu's motion manager in one crate that does not allocate, lock,
//! wait or read a clock.
//!
//! # One turn
//!
//! [`Cycle::turn`] is a sequence of steps: **wake** (take the time) · **adopt** (limp joints follow their sensors) ·
//! **edge** (pending changes take effect) · **take in** requests · **pre-process** hooks · **sample** every lane's
//! timelines · **blend** lanes by priority and weight · **aim** by the safety state · **limit** · **exchange** frames
//! with the boards · **publish** · **post-process** hooks · **judge** · report.
//!
//! # Where things are
//!
//! | way of a command | file |
//! |---|---|
//! | requested | `command`; `stage/alias` |
//! | checked and taken | `stage/intake`, `stage/stay`, `stage/group`; listed in `taken` |
//! | prepared; for one turn | `trajectory`; `stage/direct` |
//! | waiting, sampled | `timeline` over `pool`, `stage/pending`; `stage/sample`, `interpolate` |
//! | mixed with others | `lane`, `stage/lanes`, `stage/edge`, `stage/blend` with the arithmetic of `blend` |
//! | brought within limits | `limits`, `body/coupling`, `body/calibrate`; the values in `track` |
//! | sent | `frame`, through `ports` |
//!
//! `body` is the robot's table, and `time` the only arithmetic on time. `safety` is the table of states; `monitor` and
//! `joint_monitor` react to faults beyond the `thresholds`; `realtime` says whether a loop keeps its period;
//! `event_log` counts and keeps events; `memory` holds the capacities.
//!
//! # Laws
//!
//! No heap, no lock, no I/O, no clock: this crate is `no_std` without `alloc`, and its only dependency computes square
//! roots. [`Plan`] counts the capacities, and the caller passes them in as [`Memory`]. A request is taken whole or
//! refused whole. The limits check every value before it is sent. There is no `unsafe`.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(clippy::float_cmp, reason = "tests mean exactly what they say")
)]

mod bits;
mod blend;
mod body;
mod command;
mod cycle;
mod event_log;
mod frame;
mod history;
mod interpolate;
mod joint_monitor;
mod lane;
mod limits;
mod memory;
mod monitor;
mod named;
mod pool;
mod ports;
mod progress;
mod realtime;
mod safety;
mod settings;
mod stage;
mod taken;
mod takeover;
mod thresholds;
mod time;
mod timeline;
mod track;
mod trajectory;
mod turn;

pub use body::{
    Actuator, ActuatorId, BoardId, Body, BodyError, Calibration, Coupling, CouplingRow,
    CurrentLimit, Derived, DerivedTerm, GainTerm, Gains, GroupId, GroupRule, Heat, Kind,
    NAO_PREFIX, Range, Sensor, SensorId, UNLIMITED,
};
pub use command::{
    AliasId, Command, CommandSet, Merge, REACH, Receipt, Refusal, Request, Ticket, To,
};
pub use cycle::{Cycle, MakeError, View};
pub use event_log::{EVENT_KINDS, EVENT_NAMES, Event, EventEntry, EventKind, EventLog};
pub use frame::{Answer, Fire, Incoming, Outgoing, Target};
pub use lane::{Ending, Keep, LaneId, LaneSettings, Life, SilenceTimeout, WAITING_MAX, priority};
pub use limits::{LimitedStep, StepLimits};
pub use memory::{FrameMemory, Memory, Plan, TooSmall};
pub use monitor::Link;
pub use pool::{FREE_NODE, Node};
pub use ports::{Board, Hooks, Inbox, Ports, Publisher};
pub use progress::{Progress, ProgressCell, Remover};
pub use realtime::{RealtimeJudge, RealtimeVerdict};
pub use safety::{Input, LimpCommands, RampTimes, State};
pub use settings::Settings;
pub use stage::{
    ALIAS_MEMBERS, AliasCell, AliasError, Direct, FOLLOWED_ROOM_MAX, LaneCell, LaneError,
    LaneShare, LaneWord, NotNow, PartCommand, PartCounts, Pending, STEPS_PER_TURN, Stage,
    TrajectoryRefusal, TrimRefusal, ZeroChange, is_weight,
};
pub use taken::Taken;
pub use thresholds::{FaultThresholds, JointThresholds};
pub use time::{Instant, Span, dcm};
pub use timeline::Timeline;
pub use track::{CLIP_KINDS, Clip, Track};
pub use trajectory::{
    TRAJECTORIES, Trajectory, TrajectoryCommand, TrajectoryMemory, TrajectoryPart,
};
pub use turn::Report;
