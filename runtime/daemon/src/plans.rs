//! Scheduled starts. They are stored, so they survive a restart of the server.
//! Added and cancelled by the routes, executed here. The law: a plan is either executed once or cancelled, never both.
//! A plan whose time has passed is not executed; the audit log has it as missed.

use std::sync::Arc;
use std::time::Duration;

use api::error::ErrorCode;
use api::people::AuditEntry;
use serde::{Deserialize, Serialize};
use socket::Wish;

use crate::app::App;
use crate::clock::clock;
use crate::routes::guests::play;

/// The maximum number of plans.
pub(crate) const PLANS_MAX: usize = 32;

/// The maximum lateness of a start, s: it covers a restart of the server.
const LATE_MAX: f64 = 2.0;

/// A scheduled start.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartPlan {
    /// Its number.
    pub(crate) number: u32,
    /// The choreography to start.
    pub(crate) choreography: String,
    /// Priority, weight, parameters and other options.
    #[serde(default)]
    pub(crate) wish: Wish,
    /// When, s of UTC since 1970.
    pub(crate) at: f64,
    /// Who scheduled it.
    pub(crate) by: String,
    /// The token of the request; `None` for a user of the local socket.
    pub(crate) token: Option<u32>,
}

/// All plans.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct StartPlans {
    next: u32,
    all: Vec<StartPlan>,
}

impl StartPlans {
    /// Adds a plan and gives it a number. `None`: there are [`PLANS_MAX`] already.
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

    /// Removes a plan. Returns whether it was there.
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

/// Resumes the stored plans at the server's start.
pub(crate) fn resume(app: &Arc<App>) {
    let plans = app.plans().list().to_vec();
    for plan in plans {
        tokio::spawn(execute(Arc::clone(app), plan));
    }
}

/// Waits for a plan's time, and starts its choreography.
pub(crate) async fn execute(app: Arc<App>, plan: StartPlan) {
    sleep_until(plan.at).await;
    let taken = tokio::task::block_in_place(|| app.change_plans(|it| it.take(plan.number)));
    // If the disk fails to remove it, it is executed now and counts as missed at the next start of the server.
    if matches!(taken, Ok(false)) {
        return;
    }
    let is_valid = |it| app.tokens().is_valid(it, app.now());
    let outcome = if clock().as_secs_f64() > plan.at + LATE_MAX {
        "missed".to_owned()
    } else if !plan.token.is_none_or(is_valid) {
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

/// Waits until the robot's clock shows `at`. The clock may be set meanwhile, so it is read every second.
async fn sleep_until(at: f64) {
    const STEP: f64 = 1.0;
    loop {
        let ahead = at - clock().as_secs_f64();
        if ahead <= 0.0 {
            return;
        }
        tokio::time::sleep(Duration::from_secs_f64(ahead.min(STEP))).await;
    }
}
