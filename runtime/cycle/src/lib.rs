//! The pure cycle: the DCM's timed commands and Tekkotsu's motion manager in one crate that can
//! neither allocate, lock, wait, nor look at a clock.
//!
//! # One turn
//!
//! [`Cycle::turn`] is a straight list: **wake** (take the clock's word) · **adopt** (limp joints
//! are where they are) · **edge** (what was asked for becomes true) · **take in** requests ·
//! **pre-process** hooks · **sample** every lane's timelines · **blend** lanes by priority and
//! weight · **aim** by the safety state · **limit** · **exchange** frames with the boards ·
//! **publish** · **post-process** hooks · **judge** · report.
//!
//! # Where things are
//!
//! | way of a command | file |
//! |---|---|
//! | what may be asked | `command`, `alias` |
//! | checked and taken | `intake`, `stay`, `group`; told in `taken`; made ready in `sheet`; for one turn `direct` |
//! | waiting, sampled | `timeline` over `pool`, `pending`; `sample`, `interpolate` |
//! | mixed with others | `lane`, `lanes`, `edge`, `blend`, all on one `stage` |
//! | brought within limits | `limits`, `coupling`, `calibrate`; the values in `track` |
//! | sent | `frame`, through `ports` |
//!
//! `body` is the robot's table, `time` the only arithmetic on time, `safety` and `watch` decide
//! what the whole body does, `diary` counts what happened, `memory` says how much of everything.
//!
//! # Laws
//!
//! No heap, no lock, no I/O, no clock: this crate is `no_std` without `alloc`, and its only
//! dependency computes square roots. Capacities are counted in [`Plan`] and handed in as
//! [`Memory`]. A request is taken whole or refused whole. Nothing is sent that the limits have
//! not seen. There is no `unsafe`.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(clippy::float_cmp, reason = "tests mean exactly what they say")
)]

mod alias;
mod bits;
mod blend;
mod body;
mod calibrate;
mod command;
mod coupling;
mod cycle;
mod diary;
mod direct;
mod doubt;
mod edge;
mod frame;
mod group;
mod intake;
mod interpolate;
mod lane;
mod lanes;
mod limits;
mod memory;
mod operate;
mod pending;
mod pool;
mod ports;
mod safety;
mod sample;
mod sheet;
mod stage;
mod stay;
mod taken;
mod takeover;
mod time;
mod timeline;
mod track;
mod turn;
mod watch;

pub use alias::{ALIAS_MEMBERS, AliasCell, AliasError, AliasId};
pub use body::{
    Actuator, ActuatorId, BoardId, Body, BodyError, Contest, Gains, GroupId, Heat, Kind,
    NAO_PREFIX, Range, Sensor, SensorId, UNLIMITED,
};
pub use calibrate::Calibration;
pub use command::{
    Command, Merge, REACH, Receipt, Refusal, Request, Score, Ticket, To, WAITING_MAX,
};
pub use coupling::{Coupling, Row};
pub use cycle::{Cycle, MakeError, Settings, View};
pub use diary::{Diary, EVENT_KINDS, EVENT_NAMES, Entry, Event};
pub use direct::Direct;
pub use doubt::Belief;
pub use frame::{Answer, Fire, Incoming, Outgoing, Target};
pub use intake::SheetRefusal;
pub use lane::{Ending, Keep, LaneCell, LaneId, LaneSettings, Life, Silence, priority};
pub use lanes::LaneError;
pub use memory::{FrameMemory, Memory, Plan, TooSmall};
pub use operate::NotNow;
pub use pending::Pending;
pub use pool::Node;
pub use ports::{Board, Hooks, Inbox, Page, Ports};
pub use safety::{Input, Manners, State};
pub use sheet::{SHEETS, Sheet, SheetCommand, SheetMemory, SheetPart};
pub use stage::{STEPS_PER_TURN, Stage};
pub use taken::Taken;
pub use time::{Instant, Span, dcm};
pub use timeline::Timeline;
pub use track::{CLIP_KINDS, CLIP_NAMES, Clip, Track};
pub use turn::Report;
pub use watch::{Link, Patience};
