//! The contents of replies by their types, for whoever knows which reply a request has.

use std::collections::BTreeMap;

use crate::figure::Figure;
use crate::lanes::{DrivenActuator, LaneStatus};
use crate::payload::{FaultCode, Guest, Loaded, RecordingStatus};
use crate::preferences::{CalibrationStatus, PreferenceChange, PreferenceStatus};
use crate::progress::{RequestProgress, WaitingCommands};
use crate::reply::{FoundRows, LogEntries, LongNames, LoopInfo, ReplyBody, TakenCommands};

/// The contents of one kind of reply.
pub trait ReplyContents: Sized {
    /// The contents of this reply.
    ///
    /// # Errors
    /// It is of another kind: what the reply is.
    fn of(reply: ReplyBody) -> Result<Self, String>;
}

macro_rules! contents {
    ($($kind:ident($contents:ty))*) => {$(
        impl ReplyContents for $contents {
            fn of(reply: ReplyBody) -> Result<Self, String> {
                match reply {
                    ReplyBody::$kind(contents) => Ok(contents),
                    other => Err(format!("{other:?}")),
                }
            }
        }
    )*};
}

contents! {
    Here(LoopInfo)
    Found(FoundRows)
    Taken(TakenCommands)
    Progress(Vec<RequestProgress>)
    Lanes(Vec<LaneStatus>)
    Calibration(Vec<CalibrationStatus>)
    Faults(Vec<FaultCode>)
    Preferences(Vec<PreferenceStatus>)
    Changed(PreferenceChange)
    Pending(Vec<WaitingCommands>)
    Driving(Vec<DrivenActuator>)
    State(String)
    Loaded(Loaded)
    Guests(Vec<Guest>)
    Events(LogEntries)
    Aliased(Vec<String>)
    Names(LongNames)
    Figure(Figure)
    Recording(RecordingStatus)
    Tuned(BTreeMap<String, f64>)
}
