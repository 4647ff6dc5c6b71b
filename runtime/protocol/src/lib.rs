#![doc = include_str!("../README.md")]

mod ask;
pub mod body;
mod call;
pub mod choreographies;
mod client;
pub mod dcm;
mod error_code;
pub mod exact_integer;
mod explain;
mod figure;
mod guest_options;
pub mod guests;
pub mod keys;
mod lanes;
mod lock_file;
pub mod memory;
pub mod merge;
mod one_or_many;
mod open_files;
mod operation;
mod packed;
mod payload;
pub mod people;
pub mod places;
mod preferences;
mod progress;
pub mod recordings;
mod reply;
mod reply_contents;
mod request_fields;
mod request_kind;
pub mod robot;
mod role;
mod stop;
mod unique_keys;

pub use ask::Ask;
pub use call::Call;
pub use client::{CallError, Caller};
pub use error_code::{ErrorBody, ErrorCode, status_of};
pub use explain::{explain_json, explain_query};
pub use figure::{Capsule, Figure, FigureBase, FigureForce, FigureLink, FigurePose, Joint};
pub use guest_options::{GuestOptions, why_unchecked};
pub use lanes::{DrivenActuator, DrivingLane, LaneEnd, LaneOptions, LaneStatus};
pub use lock_file::{LockFile, LockFileError};
pub use open_files::raise_open_files;
pub use operation::{Measure, Operation};
pub use packed::{CommandLists, PACKED_MAX, PackedError, pack, unpack, unpack_values};
pub use payload::{FaultCode, Fuel, Guest, Loaded, LogEntry, RecordingStatus};
pub use preferences::{CalibrationStatus, PreferenceChange, PreferenceStatus};
pub use progress::{
    RequestEnd, RequestProgress, TICKETS_MAX, WAIT_MAX_NS, WaitingCommand, WaitingCommands,
};
pub use reply::{
    FoundRows, LINE_MAX, LogEntries, LongNames, LoopInfo, Outcome, Reply, ReplyBody, RequestError,
    TakenCommands, VERSION,
};
pub use reply_contents::ReplyContents;
pub use request_fields::FieldsError;
pub use request_kind::{Need, RemoteNeed, RequestKind};
pub use role::AccessRole;
pub use stop::press;
