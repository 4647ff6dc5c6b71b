//! The kinds of requests, and what each of them needs: a role, control of the robot, an entry in the audit log.
//! Used by the server, which authorizes by it, and by the loop's request handler. A request without an entry here does
//! not compile.

use crate::ask::Ask;
use crate::operation::Operation;
use crate::role::AccessRole;

macro_rules! kinds {
    ($($kind:ident $word:literal $reply:literal,)*) => {
        /// The kind of a request.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub enum RequestKind {
            $(#[doc = concat!("`", $word, "`.")] $kind,)*
        }

        impl RequestKind {
            /// All kinds.
            pub const ALL: &[RequestKind] = &[$(RequestKind::$kind,)*];

            /// Its word, which names its route.
            pub fn word(self) -> &'static str {
                match self {
                    $(RequestKind::$kind => $word,)*
                }
            }

            /// The word of its reply.
            pub fn reply(self) -> &'static str {
                match self {
                    $(RequestKind::$kind => $reply,)*
                }
            }
        }
    };
}

kinds! {
    Hello "hello" "here",
    Move "move" "taken",
    Schedule "schedule" "taken",
    Progress "progress" "progress",
    Cancel "cancel" "progress",
    Pending "pending" "pending",
    Driving "driving" "driving",
    OpenLane "open-lane" "lanes",
    EndLane "end-lane" "lanes",
    FeedLane "feed-lane" "lanes",
    TuneLane "tune-lane" "lanes",
    Lanes "lanes" "lanes",
    Calibration "calibration" "calibration",
    Calibrate "calibrate" "calibration",
    Faults "faults" "faults",
    Preferences "preferences" "preferences",
    TryPreference "try-preference" "preferences",
    KeepPreferences "keep-preferences" "changed",
    UndoPreferences "undo-preferences" "changed",
    Alias "alias" "aliased",
    Figure "figure" "figure",
    Names "names" "names",
    Description "description" "description",
    Find "find" "found",
    Pose "pose" "taken",
    Arm "arm" "may-move",
    Disarm "disarm" "state",
    Hold "hold" "state",
    Resume "resume" "may-move",
    Retreat "retreat" "state",
    Clear "clear" "state",
    Press "press" "state",
    Release "release" "state",
    Give "give" "done",
    Push "push" "done",
    PushLink "push-link" "done",
    Lift "lift" "done",
    Floor "floor" "done",
    PutBox "put-box" "done",
    BuildSteps "build-steps" "done",
    EmptyFloor "empty-floor" "done",
    Silence "silence" "done",
    Step "step" "done",
    Load "load" "loaded",
    Swap "swap" "loaded",
    Guests "guests" "guests",
    Log "log" "done",
    Events "events" "events",
    End "end" "done",
    Own "own" "done",
    Pause "pause" "done",
    ResumeGuest "resume-guest" "done",
    Tune "tune" "tuned",
    Recording "recording" "recording",
    Record "record" "recording",
    StopRecording "stop-recording" "recording",
    Quit "quit" "done",
}

/// What a request needs before it is carried out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Need {
    /// It is answered only on the robot's machine.
    LocalOnly,
    /// It may come over the network.
    Remote(RemoteNeed),
}

/// What a request over the network needs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RemoteNeed {
    /// The least role; `None` for everybody.
    pub role: Option<AccessRole>,
    /// Whether it needs control of the robot.
    pub lease: bool,
    /// Whether it is an act, which the audit log records.
    pub audit: bool,
}

impl Need {
    /// Whether everybody on the robot's machine may send it: it only reads, or stops the body.
    pub fn is_open(self) -> bool {
        match self {
            Need::LocalOnly => false,
            Need::Remote(need) => need.role.is_none_or(|role| role == AccessRole::Watch),
        }
    }

    /// Everybody who may read sends it.
    const READ: Need = Need::Remote(RemoteNeed {
        role: Some(AccessRole::Watch),
        lease: false,
        audit: false,
    });

    /// It changes something.
    const fn act(role: AccessRole) -> Need {
        Need::Remote(RemoteNeed {
            role: Some(role),
            lease: false,
            audit: true,
        })
    }

    /// It may set the body in motion, or change how it moves.
    const fn with_lease(role: AccessRole) -> Need {
        Need::Remote(RemoteNeed {
            role: Some(role),
            lease: true,
            audit: true,
        })
    }
}

impl RequestKind {
    /// The kind of this word.
    pub fn of(word: &str) -> Option<RequestKind> {
        let mut all = RequestKind::ALL.iter().copied();
        all.find(|kind| kind.word() == word)
    }

    /// Whether it is carried out although its caller has hung up: what calms the body, and what is only written down.
    pub fn outlives_caller(self) -> bool {
        use RequestKind::{Cancel, Disarm, End, EndLane, Hold, Log, Pause, Press, Quit, Retreat};
        matches!(
            self,
            Cancel | Disarm | End | EndLane | Hold | Log | Pause | Press | Quit | Retreat
        )
    }

    /// Whether loops of all versions know it, in this form: whoever has upgraded a machine must still be able to stop a
    /// loop that was started before.
    pub fn is_of_every_version(self) -> bool {
        use RequestKind as Kind;
        matches!(
            self,
            Kind::Hello | Kind::Guests | Kind::Hold | Kind::Press | Kind::End | Kind::Quit
        )
    }

    /// What a request of this kind needs.
    #[deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )]
    pub fn needs(self) -> Need {
        use AccessRole::{Operate, Perform};
        use RequestKind as Kind;
        match self {
            Kind::Hello
            | Kind::Progress
            | Kind::Pending
            | Kind::Driving
            | Kind::Lanes
            | Kind::Calibration
            | Kind::Faults
            | Kind::Preferences
            | Kind::Figure
            | Kind::Names
            | Kind::Description
            | Kind::Find
            | Kind::Guests
            | Kind::Events
            | Kind::Recording => Need::READ,
            // Whoever reaches the robot may stop it.
            Kind::Press => Need::Remote(RemoteNeed {
                role: None,
                lease: false,
                audit: true,
            }),
            Kind::Move
            | Kind::Schedule
            | Kind::Pose
            | Kind::Cancel
            | Kind::OpenLane
            | Kind::EndLane
            | Kind::FeedLane
            | Kind::TuneLane
            | Kind::Hold
            | Kind::Retreat
            | Kind::End
            | Kind::Record
            | Kind::Pause => Need::act(Perform),
            Kind::Resume | Kind::ResumeGuest | Kind::Tune => Need::with_lease(Perform),
            Kind::Disarm | Kind::Release | Kind::Clear | Kind::StopRecording => Need::act(Operate),
            Kind::Arm
            | Kind::Calibrate
            | Kind::TryPreference
            | Kind::KeepPreferences
            | Kind::UndoPreferences => Need::with_lease(Operate),
            // Over the network guests come from the store.
            Kind::Load
            | Kind::Swap
            | Kind::Own
            | Kind::Alias
            | Kind::Log
            | Kind::Give
            | Kind::Push
            | Kind::PushLink
            | Kind::Lift
            | Kind::Floor
            | Kind::PutBox
            | Kind::BuildSteps
            | Kind::EmptyFloor
            | Kind::Silence
            | Kind::Step
            | Kind::Quit => Need::LocalOnly,
        }
    }
}

impl Ask {
    /// Its kind.
    #[deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )]
    pub fn kind(&self) -> RequestKind {
        use RequestKind as Kind;
        match self {
            Ask::Hello => Kind::Hello,
            Ask::Move { .. } => Kind::Move,
            Ask::Schedule { .. } => Kind::Schedule,
            Ask::Progress { .. } => Kind::Progress,
            Ask::Cancel { .. } => Kind::Cancel,
            Ask::Pending { .. } => Kind::Pending,
            Ask::Driving { .. } => Kind::Driving,
            Ask::OpenLane { .. } => Kind::OpenLane,
            Ask::EndLane { .. } => Kind::EndLane,
            Ask::FeedLane { .. } => Kind::FeedLane,
            Ask::TuneLane { .. } => Kind::TuneLane,
            Ask::Lanes => Kind::Lanes,
            Ask::Calibration { .. } => Kind::Calibration,
            Ask::Calibrate { .. } => Kind::Calibrate,
            Ask::Faults => Kind::Faults,
            Ask::Preferences { .. } => Kind::Preferences,
            Ask::TryPreference { .. } => Kind::TryPreference,
            Ask::KeepPreferences => Kind::KeepPreferences,
            Ask::UndoPreferences { .. } => Kind::UndoPreferences,
            Ask::Alias { .. } => Kind::Alias,
            Ask::Figure => Kind::Figure,
            Ask::Names => Kind::Names,
            Ask::Description => Kind::Description,
            Ask::Find { .. } => Kind::Find,
            Ask::Pose { .. } => Kind::Pose,
            Ask::Operate(operation) => operation.kind(),
            Ask::Give { .. } => Kind::Give,
            Ask::Push { .. } => Kind::Push,
            Ask::PushLink { .. } => Kind::PushLink,
            Ask::Lift { .. } => Kind::Lift,
            Ask::Floor { .. } => Kind::Floor,
            Ask::PutBox { .. } => Kind::PutBox,
            Ask::BuildSteps { .. } => Kind::BuildSteps,
            Ask::EmptyFloor => Kind::EmptyFloor,
            Ask::Silence { .. } => Kind::Silence,
            Ask::Step { .. } => Kind::Step,
            Ask::Load { .. } => Kind::Load,
            Ask::Swap { .. } => Kind::Swap,
            Ask::Guests => Kind::Guests,
            Ask::Log { .. } => Kind::Log,
            Ask::Events { .. } => Kind::Events,
            Ask::End { .. } => Kind::End,
            Ask::Own { .. } => Kind::Own,
            Ask::Pause { .. } => Kind::Pause,
            Ask::ResumeGuest { .. } => Kind::ResumeGuest,
            Ask::Tune { .. } => Kind::Tune,
            Ask::Recording => Kind::Recording,
            Ask::Record => Kind::Record,
            Ask::StopRecording => Kind::StopRecording,
            Ask::Quit => Kind::Quit,
        }
    }
}

impl Operation {
    /// The kind of the request for it.
    pub fn kind(self) -> RequestKind {
        match self {
            Operation::Arm => RequestKind::Arm,
            Operation::Disarm => RequestKind::Disarm,
            Operation::Hold => RequestKind::Hold,
            Operation::Resume => RequestKind::Resume,
            Operation::Retreat => RequestKind::Retreat,
            Operation::Clear => RequestKind::Clear,
            Operation::Press => RequestKind::Press,
            Operation::Release => RequestKind::Release,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Need, RemoteNeed, RequestKind};
    use crate::Operation;

    #[test]
    fn only_a_stop_needs_no_role() {
        for kind in RequestKind::ALL.iter().copied() {
            if let Need::Remote(RemoteNeed { role: None, .. }) = kind.needs() {
                assert_eq!(kind, Operation::Press.kind());
            }
        }
    }
}
