//! Starts that are to come, by number.
//! Kept in memory: whoever plans a start for a robot that goes down plans it again.
//! The law: a plan is carried out once, or cancelled, never both.

use std::sync::Mutex;

use crate::api::guests::Planned;
use crate::app::lock;

/// The plans.
#[derive(Debug, Default)]
pub struct Plans(Mutex<(u32, Vec<Planned>)>);

impl Plans {
    /// One more, unless there are so many already; its number.
    pub fn add(&self, plan: Planned, most: usize) -> Option<u32> {
        let mut plans = lock(&self.0);
        if plans.1.len() >= most {
            return None;
        }
        plans.0 += 1;
        let number = plans.0;
        plans.1.push(Planned { number, ..plan });
        Some(number)
    }

    /// Takes one away; whether it was there.
    pub fn take(&self, number: u32) -> bool {
        let plans = &mut lock(&self.0).1;
        let before = plans.len();
        plans.retain(|it| it.number != number);
        plans.len() < before
    }

    /// All of them.
    pub fn list(&self) -> Vec<Planned> {
        lock(&self.0).1.clone()
    }
}
