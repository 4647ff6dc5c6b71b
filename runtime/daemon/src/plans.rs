//! Starts that are to come, by number; written down, so that they outlast the server.
//! Made and cancelled by the routes, carried out by `start`. The law: a plan is carried out once, or cancelled, never
//! both.

use serde::{Deserialize, Serialize};
use socket::Wish;

/// Plans at the same time.
pub(crate) const PLANS_MAX: usize = 32;

/// A start that is to come.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartPlan {
    /// Its number.
    pub(crate) number: u32,
    /// What shall play.
    pub(crate) choreography: String,
    /// What is wished for it.
    #[serde(default)]
    pub(crate) wish: Wish,
    /// When, s of UTC since 1970.
    pub(crate) at: f64,
    /// Who wants it.
    pub(crate) by: String,
    /// By which token; none on the robot itself.
    pub(crate) token: Option<u32>,
}

/// The plans.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct StartPlans {
    next: u32,
    all: Vec<StartPlan>,
}

impl StartPlans {
    /// One more, unless there are so many already; with its number.
    pub(crate) fn add(&mut self, plan: StartPlan) -> Option<StartPlan> {
        if self.all.len() >= PLANS_MAX {
            return None;
        }
        self.next += 1;
        let number = self.next;
        let plan = StartPlan { number, ..plan };
        self.all.push(plan.clone());
        Some(plan)
    }

    /// Takes one away; whether it was there.
    pub(crate) fn take(&mut self, number: u32) -> bool {
        let before = self.all.len();
        self.all.retain(|it| it.number != number);
        self.all.len() < before
    }

    /// All of them.
    pub(crate) fn list(&self) -> &[StartPlan] {
        &self.all
    }
}
