//! Recordings: a run written to a file turn by turn, and replayed bit by bit.
//!
//! `recording.proto` defines the messages. In the loop, `tape` takes a record of each turn (`turn`) and passes it
//! through a ring buffer; `recorder` writes it to the file (`writer`), on a thread of its own; `parts` writes the
//! robot's own folder, file after file, while its `switch` is on, with the body as viewers see it (`drawing`).
//! `recording` opens a file, whole or broken, and `whole` the earlier files of its run: `scan` reads through it and
//! reports its `damage`; `writing` tells one that is still being written. `replay` makes its turns again, and
//! `difference` names the first value that differs. `run_info` describes the run, `codes` numbers its words.
//! Same inputs, same bytes. Whatever differs is found and named.

mod codes;
mod damage;
mod difference;
mod drawing;
mod guest;
mod lanes;
mod orders;
mod parts;
mod recorder;
mod recording;
mod replay;
mod run_info;
mod scan;
mod switch;
mod tape;
mod turn;
mod whole;
mod writer;
mod writing;

#[allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    reason = "generated: see `made/README.md`"
)]
mod dcm {
    include!("made/dcm.rs");
}

#[allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    reason = "generated: see `made/README.md`"
)]
mod foxglove {
    include!("made/foxglove.rs");
}

pub use damage::{Damage, RecordingError};
pub use dcm::{
    Answer, Command, Event, EventTopic, Fire, Guest, GuestInput, GuestResult, Operation,
    RecordedLane, RecordedRequest, Run, Turn, guest_input, recorded_lane, recorded_request,
};
pub use difference::ReplayDifference;
pub use drawing::{BodyDrawing, DrawnTopic};
pub use parts::ArchiveOptions;
pub use recorder::{
    GuestLogSender, RecordedRun, Recorder, RecordingSummary, StartedRecording, record, record_run,
};
pub use recording::{RecordedTurn, Recording};
pub use replay::{ReplayOptions, ReplayVerdict, replay};
pub use switch::RecordingSwitch;
pub use tape::TurnTape;

/// The descriptors of all messages, for readers of a recording.
const DESCRIPTION: &[u8] = include_bytes!("made/recording.bin");

/// The schemas and the topics of a recording.
mod topic {
    pub(super) const RUN: &str = "/run";
    pub(super) const TURN: &str = "/turn";
    pub(super) const GUEST: &str = "/guest";
    pub(super) const EVENT_TOPIC: &str = "/event_topic";
    pub(super) const JOINT_STATES: &str = "/joint_states";
    pub(super) const JOINT_COMMANDS: &str = "/joint_commands";
    pub(super) const LOG: &str = "/log";

    /// All topics with their schemas, in the order of their numbers.
    pub(super) const ALL: [(&str, &str); 7] = [
        (RUN, "dcm.Run"),
        (TURN, "dcm.Turn"),
        (GUEST, "dcm.Guest"),
        (JOINT_STATES, "foxglove.JointStates"),
        (JOINT_COMMANDS, "foxglove.JointStates"),
        (LOG, "foxglove.Log"),
        (EVENT_TOPIC, "dcm.EventTopic"),
    ];
}
