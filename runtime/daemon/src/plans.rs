//! Scheduled starts. They are stored, so they survive a restart of the server.
//! Added and cancelled by the routes, executed by `start`. A plan is either executed once or cancelled, never
//! both.

use protocol::GuestOptions;
use serde::{Deserialize, Serialize};

/// The maximum number of plans, and of those of one token.
pub(crate) const PLANS_MAX: usize = 64;
pub(crate) const PLANS_EACH: usize = 32;

/// A scheduled start.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartPlan {
    /// Its number.
    pub(crate) number: u32,
    /// The choreography to start.
    pub(crate) choreography: String,
    /// Priority, weight, parameters and other options.
    #[serde(rename = "wish", default)]
    pub(crate) options: GuestOptions,
    /// When, s of UTC since 1970; when it was scheduled, if it waits for something.
    pub(crate) at: f64,
    /// The guest or the event after which it starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<AwaitedGuest>,
    /// Whether the body had force when it was scheduled. If the body loses it, the plan is dropped.
    #[serde(default)]
    pub(crate) had_force: bool,
    /// Who scheduled it.
    pub(crate) by: String,
    /// The token of the request; `None` for a user of the local socket.
    pub(crate) token: Option<u32>,
}

/// A guest whose end a plan waits for, or an event of a guest or of anybody.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AwaitedGuest {
    /// Its number.
    pub(crate) id: u32,
    /// Its name; empty, if an event is waited for that anybody may post.
    pub(crate) name: String,
    /// The topic of the event that is waited for, instead of the guest's end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<String>,
    /// The loop's run: another run has other guests of these numbers.
    pub(crate) run: u64,
}

impl AwaitedGuest {
    /// What is waited for, in words.
    pub(crate) fn awaited(&self) -> String {
        match &self.event {
            Some(topic) => format!("the event `{topic}`"),
            None => format!("the end of `{}`", self.name),
        }
    }
}

/// All plans.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct StartPlans {
    next: u32,
    all: Vec<StartPlan>,
}

impl StartPlans {
    /// Adds a plan and gives it a number. `None`: there are [`PLANS_MAX`] already, or [`PLANS_EACH`] of its token.
    pub(crate) fn add(&mut self, plan: StartPlan) -> Option<StartPlan> {
        let of_token = self
            .all
            .iter()
            .filter(|item| item.token == plan.token)
            .count();
        if self.all.len() >= PLANS_MAX || of_token >= PLANS_EACH {
            return None;
        }
        self.next += 1;
        let number = self.next;
        let plan = StartPlan { number, ..plan };
        self.all.push(plan.clone());
        Some(plan)
    }

    /// Removes a plan. Returns whether it was there.
    pub(crate) fn take(&mut self, number: u32) -> bool {
        let before = self.all.len();
        self.all.retain(|item| item.number != number);
        self.all.len() < before
    }

    /// Removes those that wait for a guest. Whoever ends all guests wants none to follow.
    pub(crate) fn drop_followers(&mut self) {
        self.all.retain(|plan| plan.after.is_none());
    }

    /// All of them.
    pub(crate) fn list(&self) -> &[StartPlan] {
        &self.all
    }
}
