//! Lanes of clients' own: opened, tuned, fed and ended.
//! Made by the request handler and by a replay, carried out by the loop's inbox. A lane that its client
//! forgets ends as it declared, if it has a silence rule.

use cycle::{
    Ending, FOLLOWED_ROOM_MAX, Keep, LaneError, LaneId, LaneSettings, Life, Refusal,
    SilenceTimeout, Span, Stage,
};

use super::LoopAnswer;

/// A lane of a client's own, as it is opened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClientLane {
    /// Its priority.
    pub priority: f64,
    /// Its weight on everything.
    pub weight: f64,
    /// How many commands may wait in it, besides those of long moves.
    pub room: u32,
    /// Whether it holds its actuators after their last command, until it ends.
    pub holds: bool,
    /// The durations of its fade-in and its fade-out.
    pub fade: Span,
    /// How it ends.
    pub ending: Ending,
    /// What happens when its client is silent.
    pub silence: Option<SilenceTimeout>,
}

/// A request about a client's lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LaneRequest {
    /// Opens a lane.
    Open(ClientLane),
    /// Ends it, as it declared or in this way.
    End(Option<Ending>),
    /// Takes a heartbeat of its client.
    Feed,
    /// Changes its priority and its weight.
    Tune {
        /// The priority, if it changes.
        priority: Option<f64>,
        /// The weight, if it changes.
        weight: Option<f64>,
    },
    /// Asks how it stands.
    Look,
}

/// How a client's lane stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaneState {
    /// Its phase of life; nothing after it is gone.
    pub life: Option<Life>,
    /// Its priority.
    pub priority: f64,
    /// Its weight.
    pub weight: f64,
}

impl ClientLane {
    fn settings(&self) -> LaneSettings {
        LaneSettings {
            priority: self.priority,
            weight: self.weight,
            room: self.room,
            keep: if self.holds { Keep::Hold } else { Keep::Speeds },
            fade_in: self.fade,
            fade_out: self.fade,
            ending: self.ending,
            silence: self.silence,
            waits: false,
            follows: self.room <= FOLLOWED_ROOM_MAX,
        }
    }
}

/// Carries out a request about this lane; only `Open` needs none.
pub(super) fn carry_out(
    asked: LaneRequest,
    lane: Option<LaneId>,
    stage: &mut Stage<'_>,
) -> LoopAnswer {
    // A handle that names no lane is refused by each of them.
    let lane = lane.unwrap_or(LaneId::NOBODY);
    let done = match asked {
        LaneRequest::Open(lane) => return opened(stage.open(lane.settings())),
        LaneRequest::Look => return LoopAnswer::Lane(state_of(lane, stage)),
        // Ending it again releases it, however it declared to end.
        LaneRequest::End(None) if stage.life(lane) == Some(Life::Holding) => {
            stage.end(lane, Ending::Release)
        }
        LaneRequest::End(None) => stage.finish(lane),
        LaneRequest::End(Some(ending)) => stage.end(lane, ending),
        // One that is ending stays silent, so that it comes to its end.
        LaneRequest::Feed => match stage.life(lane) {
            Some(Life::Open) | None => stage.feed(lane),
            Some(_) => Err(Refusal::Ending(lane)),
        },
        LaneRequest::Tune { priority, weight } => priority
            .map_or(Ok(()), |priority| stage.set_priority(lane, priority))
            .and_then(|()| weight.map_or(Ok(()), |weight| stage.set_weight(lane, weight))),
    };
    match done {
        Ok(()) => LoopAnswer::Lane(state_of(lane, stage)),
        Err(refusal) => LoopAnswer::Refused(refusal),
    }
}

fn opened(lane: Result<LaneId, LaneError>) -> LoopAnswer {
    match lane {
        Ok(lane) => LoopAnswer::LaneOpened(lane),
        Err(error) => LoopAnswer::LaneNotOpened(error),
    }
}

fn state_of(lane: LaneId, stage: &Stage<'_>) -> LaneState {
    let settings = stage.settings(lane);
    LaneState {
        life: stage.life(lane),
        priority: settings.map_or(0.0, |setting| setting.priority),
        weight: settings.map_or(0.0, |setting| setting.weight),
    }
}
