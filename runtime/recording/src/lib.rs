//! Recordings: a run written down turn by turn, and played again to the last bit.
//!
//! `recording.proto` says what is in one. In the loop, `tape` takes a record of each turn (`turn`) and hands it
//! out; `recorder` writes the `file`, on a thread of its own. `recording` reads one, whole or broken: `look` goes
//! through it, and says its `damage`. `replay` makes its turns again, and `difference` names the first value
//! that is not the same.
//! The law: same inputs, same bytes. Whatever is not the same is found, and its place is said.

mod codes;
mod damage;
mod difference;
mod guest;
mod orders;
mod recorder;
mod recording;
mod replay;
mod run_info;
mod scan;
mod tape;
mod turn;
mod writer;

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
    Answer, Command, Cue, Event, Fire, Guest, Operation, Order, Performed, Run, Turn, cue, order,
};
pub use difference::ReplayDifference;
pub use recorder::{GuestLogSender, Recorder, RecordingSummary, record};
pub use recording::{RecordedTurn, Recording};
pub use replay::{ReplayOptions, ReplayVerdict, replay};
pub use tape::TurnTape;

/// What describes all of the messages to whoever reads a recording.
const DESCRIPTION: &[u8] = include_bytes!("made/recording.bin");

/// The schemas and the topics of a recording.
mod topic {
    pub(super) const RUN: &str = "/run";
    pub(super) const TURN: &str = "/turn";
    pub(super) const GUEST: &str = "/guest";
    pub(super) const JOINTS: &str = "/joints";
    pub(super) const TARGETS: &str = "/targets";
    pub(super) const LOG: &str = "/log";

    /// All of them, with their schemas; in this order they are numbered.
    pub(super) const ALL: [(&str, &str); 6] = [
        (RUN, "dcm.Run"),
        (TURN, "dcm.Turn"),
        (GUEST, "dcm.Guest"),
        (JOINTS, "foxglove.JointStates"),
        (TARGETS, "foxglove.JointStates"),
        (LOG, "foxglove.Log"),
    ];
}
