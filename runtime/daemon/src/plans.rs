//! Starts that are to come, by number; written down, so that they outlast the server.
//! Made and cancelled by the routes, carried out here. The law: a plan is carried out once, or cancelled, never both;
//! one whose time went by while nobody was there is told, and not carried out.

use std::sync::Arc;
use std::time::Duration;

use api::error::ErrorCode;
use api::people::AuditEntry;
use serde::{Deserialize, Serialize};
use socket::Wish;

use crate::app::App;
use crate::clock::clock;
use crate::routes::guests::play;

/// Plans at the same time.
pub(crate) const PLANS_MAX: usize = 32;

/// A start may be so late, s: a server that was gone for a moment still carries it out.
const LATE: f64 = 2.0;

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

/// Goes on with what was planned before the server came up.
pub(crate) fn go_on(app: &Arc<App>) {
    let plans = app.plans().list().to_vec();
    for plan in plans {
        tokio::spawn(carry_out(Arc::clone(app), plan));
    }
}

/// Waits for a plan's time, and starts what it says.
pub(crate) async fn carry_out(app: Arc<App>, plan: StartPlan) {
    until(plan.at).await;
    let taken = tokio::task::block_in_place(|| app.change_plans(|it| it.take(plan.number)));
    // If a full disk does not forget it, its time has passed, and it is not carried out again.
    if matches!(taken, Ok(false)) {
        return;
    }
    let holds = |it| app.tokens().holds(it, app.now());
    let outcome = if clock().as_secs_f64() > plan.at + LATE {
        "missed".to_owned()
    } else if !plan.token.is_none_or(holds) {
        ErrorCode::TokenEnded.word().to_owned()
    } else {
        let done = play(&app, &plan.choreography, plan.wish).await;
        done.map_or_else(|it| it.code().to_owned(), |it| it.name)
    };
    let act = AuditEntry {
        at: app.now(),
        who: plan.by,
        from: "plan".to_owned(),
        act: format!("start {}", plan.choreography),
        outcome,
    };
    app.audit_writer().add(act).await;
}

/// Waits until it is so late by the robot's clock, which may be set meanwhile.
async fn until(at: f64) {
    const STEP: f64 = 1.0;
    loop {
        let ahead = at - clock().as_secs_f64();
        if ahead <= 0.0 {
            return;
        }
        tokio::time::sleep(Duration::from_secs_f64(ahead.min(STEP))).await;
    }
}
