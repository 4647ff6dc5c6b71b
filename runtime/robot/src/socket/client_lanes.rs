//! The lanes of clients' own, by name: opened, tuned, fed, ended, and found for a request to move.
//! Called by the request handler. A lane drives only the actuators that it was opened for, and a name is free
//! again when its lane has gone.

use ::protocol::{Ask, ErrorCode, LaneEnd, LaneOptions, LaneStatus, ReplyBody, RequestError};
use cycle::{
    ActuatorId, Ending, LaneError, LaneId, Life, Refusal, SilenceTimeout, Span, is_weight, priority,
};

use super::handler::RequestHandler;
use super::lane_table::NamedLane;
use crate::live::{CLIENTS, ClientLane, LaneRequest, LaneState, LoopAnswer, LoopRequest};

/// How many lanes clients may have open at a time.
const LANES_MAX: usize = 16;

/// The longest name of a lane, bytes.
const NAME_MAX: usize = 64;

/// How long a lane takes to the safe pose.
const TO_SAFE_POSE: Span = Span::from_millis(2_000);

/// The longest fade and silence.
const LONGEST: Span = Span::from_millis(3_600_000);

impl RequestHandler {
    /// Answers a request about lanes.
    pub(super) fn lane_request(&self, ask: Ask) -> Result<ReplyBody, RequestError> {
        match ask {
            Ask::OpenLane { lane, options } => self.open_lane(lane, &options),
            Ask::EndLane { lane, ending } => {
                self.about_lane(&lane, LaneRequest::End(ending.map(ending_of)))
            }
            Ask::FeedLane { lane } => self.about_lane(&lane, LaneRequest::Feed),
            Ask::TuneLane {
                lane,
                priority,
                weight,
            } => {
                check_figures(priority, weight)?;
                self.about_lane(&lane, LaneRequest::Tune { priority, weight })
            }
            _ => self.list_lanes(),
        }
    }

    fn open_lane(&self, name: String, options: &LaneOptions) -> Result<ReplyBody, RequestError> {
        check_name(&name)?;
        check_figures(Some(options.priority), Some(options.weight))?;
        let joints = match &options.joints {
            Some(names) => Some(self.all_actuators(names)?),
            None => None,
        };
        let lane = ClientLane {
            priority: options.priority,
            weight: options.weight,
            room: self.robot().lane.room,
            holds: options.hold,
            fade: span("fade-ns", options.fade_ns)?,
            ending: ending_of(options.ending),
            silence: silence(options)?,
        };
        let _one_at_a_time = self.lanes.opening();
        let known = self.lanes.open().get(&name).map(|value| value.id);
        if let Some(known) = known {
            if self.read_state(known)?.life.is_some() {
                let error = ErrorCode::Taken.error(format!("there is a lane `{name}` already"));
                return Err(error.fix("end it, or give another name"));
            }
            self.lanes.forget(&name, known);
        }
        if self.lanes.open().len() >= LANES_MAX {
            self.known_lanes()?;
        }
        if self.lanes.open().len() >= LANES_MAX {
            let sentence = format!("clients have {LANES_MAX} lanes already");
            return Err(ErrorCode::Full
                .error(sentence)
                .fix("end one: `dcm-run lane ls`"));
        }
        let id = match self.ask_the_loop(LoopRequest::Lane(LaneRequest::Open(lane)))? {
            LoopAnswer::LaneOpened(id) => id,
            LoopAnswer::LaneNotOpened(why) => return Err(not_opened(why)),
            answer => return self.reply(answer),
        };
        tracing::info!(
            "the lane `{name}` was opened, with priority {}",
            options.priority
        );
        let lane = NamedLane { id, joints };
        let status = self.status_of(&name, &lane, &self.read_state(id)?);
        self.lanes.open().insert(name, lane);
        Ok(ReplyBody::Lanes(vec![status]))
    }

    /// Sends a request about this lane to the loop, and returns how it stands.
    fn about_lane(&self, name: &str, asked: LaneRequest) -> Result<ReplyBody, RequestError> {
        let lane = self.lanes.open().get(name).cloned();
        let lane = lane.ok_or_else(|| self.no_lane(name))?;
        match self.ask_the_loop_in(Some(lane.id), LoopRequest::Lane(asked))? {
            LoopAnswer::Lane(mut state) => {
                // What was tuned counts from the next turn on.
                if let LaneRequest::Tune { priority, weight } = asked {
                    state.priority = priority.unwrap_or(state.priority);
                    state.weight = weight.unwrap_or(state.weight);
                }
                let status = self.status_of(name, &lane, &state);
                Ok(ReplyBody::Lanes(vec![status]))
            }
            LoopAnswer::Refused(Refusal::NoLane(_)) => {
                self.lanes.forget(name, lane.id);
                Err(self.no_lane(name))
            }
            answer => self.reply(answer),
        }
    }

    fn list_lanes(&self) -> Result<ReplyBody, RequestError> {
        Ok(ReplyBody::Lanes(self.known_lanes()?))
    }

    /// How each lane stands. Those that have gone are forgotten.
    fn known_lanes(&self) -> Result<Vec<LaneStatus>, RequestError> {
        let lanes = self.lanes.open().clone();
        let mut told = Vec::new();
        // The table is not held meanwhile: each of them waits for a turn.
        for (name, lane) in lanes {
            let state = self.read_state(lane.id)?;
            match state.life {
                Some(_) => told.push(self.status_of(&name, &lane, &state)),
                None => self.lanes.forget(&name, lane.id),
            }
        }
        Ok(told)
    }

    /// The lane of a request: nothing for the lane that all clients share.
    pub(super) fn lane_of(&self, name: Option<&str>) -> Result<Option<NamedLane>, RequestError> {
        match name {
            None => Ok(None),
            Some(name) => {
                let found = self.lanes.open().get(name).cloned();
                found.map(Some).ok_or_else(|| self.no_lane(name))
            }
        }
    }

    /// Whose lane this is: a guest's, a client's own, or the one that all clients share.
    pub(super) fn lane_name(&self, lane: LaneId) -> String {
        let named = self.lanes.open();
        let own = named.iter().find(|pair| pair.1.id == lane);
        let own = own.map(|pair| pair.0.clone());
        drop(named);
        let guest = || self.service().map(|service| service.owner(lane));
        own.or_else(guest).unwrap_or_else(|| CLIENTS.to_owned())
    }

    /// The handles of all lanes of clients.
    pub(super) fn client_lanes(&self) -> Vec<LaneId> {
        self.lanes.open().values().map(|value| value.id).collect()
    }

    /// Whether this lane may drive all of these actuators.
    pub(super) fn may_drive(
        &self,
        lane: &NamedLane,
        actuators: &[ActuatorId],
    ) -> Result<(), RequestError> {
        let Some(joints) = &lane.joints else {
            return Ok(());
        };
        match actuators.iter().find(|actuator| !joints.contains(actuator)) {
            None => Ok(()),
            Some(other) => {
                let name = &self.robot().actuators[usize::from(other.0)].name;
                let sentence = format!("this lane was not opened for `{name}`");
                Err(ErrorCode::WrongKind
                    .error(sentence)
                    .fix("open a lane with this joint among its `joints`"))
            }
        }
    }

    /// A lane of this name is not there, or has ended.
    pub(super) fn no_lane(&self, name: &str) -> RequestError {
        let sentence = format!("there is no lane `{name}`: it was not opened, or has ended");
        ErrorCode::NoLane.error(sentence).fix(
            "open it; a lane with a silence rule ends when its client sends nothing for so long",
        )
    }

    /// A lane of this name takes no more requests.
    pub(super) fn ending_lane(&self, name: &str) -> RequestError {
        ErrorCode::Ending
            .error(format!("the lane `{name}` is ending"))
            .fix(
                "open another one; one that holds its actuators is released when it is ended again",
            )
    }

    fn read_state(&self, lane: LaneId) -> Result<LaneState, RequestError> {
        match self.ask_the_loop_in(Some(lane), LoopRequest::Lane(LaneRequest::Look))? {
            LoopAnswer::Lane(state) => Ok(state),
            answer => {
                Err(ErrorCode::Gone
                    .error(format!("the loop gave an unexpected answer: {answer:?}")))
            }
        }
    }

    fn status_of(&self, name: &str, lane: &NamedLane, state: &LaneState) -> LaneStatus {
        let names = |ids: &Vec<ActuatorId>| {
            let names = ids
                .iter()
                .map(|id| &self.robot().actuators[usize::from(id.0)].name);
            names.cloned().collect()
        };
        LaneStatus {
            lane: name.to_owned(),
            life: match state.life {
                None => "gone",
                Some(Life::Open) => "open",
                Some(Life::Holding) => "holding",
                Some(Life::Retreating) => "retreating",
                Some(Life::Fading(_)) => "fading",
            }
            .to_owned(),
            priority: state.priority,
            weight: state.weight,
            joints: lane.joints.as_ref().map(names),
        }
    }
}

fn ending_of(end: LaneEnd) -> Ending {
    match end {
        LaneEnd::Release => Ending::Release,
        LaneEnd::Hold => Ending::Hold,
        LaneEnd::SafePose => Ending::SafePose(TO_SAFE_POSE),
    }
}

fn silence(options: &LaneOptions) -> Result<Option<SilenceTimeout>, RequestError> {
    let retreat = options.retreat_after_ns;
    match (options.silent_after_ns, retreat) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(ErrorCode::InvalidTime.error(
            "`retreat-after-ns` needs `silent-after-ns`",
        )
        .fix("say when the lane itself ends")),
        (Some(after), Some(retreat)) if retreat < after => Err(ErrorCode::InvalidTime.error(
            "`retreat-after-ns` is less than `silent-after-ns`: the body would retreat before the lane is silent",
        )
        .fix("let the body retreat when the lane ends, or later")),
        (Some(after), retreat) => Ok(Some(SilenceTimeout {
            after: span("silent-after-ns", after)?,
            body_after: match retreat {
                Some(after) => Some(span("retreat-after-ns", after)?),
                None => None,
            },
        })),
    }
}

fn span(what: &str, ns: u64) -> Result<Span, RequestError> {
    let span = Span::from_nanos(ns);
    if span > LONGEST || (ns == 0 && what != "fade-ns") {
        let sentence = format!("`{what}` is not from 1 ns to 1 h");
        return Err(ErrorCode::InvalidTime
            .error(sentence)
            .fix("give a time of this range"));
    }
    Ok(span)
}

fn check_name(name: &str) -> Result<(), RequestError> {
    let plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    // The name is a part of paths, and that of the lane of all clients is taken.
    let is_path = |part: &str| ["", ".", ".."].contains(&part);
    let is_taken = name == CLIENTS || name.split('/').any(is_path);
    if is_taken || name.len() > NAME_MAX || !name.chars().all(plain) {
        let sentence = format!("a lane cannot have the name `{}`", name.escape_debug());
        return Err(ErrorCode::InvalidName.error(sentence)
            .fix("give a name of 1 to 64 letters, digits, `-`, `_`, `.` and `/`, but not `clients`, `.` or `..`"));
    }
    Ok(())
}

fn check_figures(priority: Option<f64>, weight: Option<f64>) -> Result<(), RequestError> {
    let range = priority::IGNORED..=priority::EMERGENCY;
    if let Some(priority) = priority.filter(|priority| !range.contains(priority)) {
        let sentence = format!("a lane cannot have the priority {priority}");
        return Err(ErrorCode::Figure
            .error(sentence)
            .fix("give one from -1 to 100"));
    }
    if let Some(weight) = weight.filter(|weight| !is_weight(*weight)) {
        let sentence = format!("a lane cannot have the weight {weight}");
        return Err(ErrorCode::WrongWeight
            .error(sentence)
            .fix("give one from 0 to 1000"));
    }
    Ok(())
}

fn not_opened(why: LaneError) -> RequestError {
    match why {
        LaneError::TableFull => ErrorCode::Full
            .error("the body has no more lanes")
            .fix("end a lane or a guest"),
        LaneError::NoRoom { room } => ErrorCode::Full
            .error(format!(
                "the lanes have used up the room for commands: {room} are left"
            ))
            .fix("end a lane or a guest"),
        LaneError::Priority => ErrorCode::Figure
            .error("the priority is no number")
            .fix("give one from -1 to 100"),
        LaneError::Weight => ErrorCode::WrongWeight
            .error("the weight is no number")
            .fix("give one from 0 to 1000"),
    }
}
