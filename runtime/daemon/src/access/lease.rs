//! Who holds control: whoever moved the body last, for a while. Others must take it over, by a word of
//! their own, so that two people do not pull at one robot without knowing.
//! Asked by the gate before anything that moves the body. The law: stop needs no lease.

use std::time::{Duration, Instant};

use api::people::ControlHolder;

use super::Principal;

/// How long control is held after the last act.
pub const LEASE_TIME: Duration = Duration::from_secs(60);

/// The lease.
#[derive(Debug, Default)]
pub struct Lease(Option<(Principal, Instant)>);

impl Lease {
    /// Somebody acts: it holds control from now on, if nobody else does.
    ///
    /// # Errors
    /// The name of whoever does.
    pub fn act(&mut self, who: &Principal, now: Instant) -> Result<(), String> {
        match &self.0 {
            Some((holder, until)) if !is_same(holder, who) && now < *until => {
                Err(holder.name.clone())
            }
            _ => {
                self.take_over(who, now);
                Ok(())
            }
        }
    }

    /// It holds control from now on, whoever did before.
    pub fn take_over(&mut self, who: &Principal, now: Instant) {
        self.0 = Some((who.clone(), now + LEASE_TIME));
    }

    /// It holds control no longer, if it did.
    pub fn give_back(&mut self, who: &Principal) {
        self.0.take_if(|it| is_same(&it.0, who));
    }

    /// Who holds it.
    pub fn held(&self, now: Instant) -> ControlHolder {
        let holder = self.0.as_ref().filter(|it| now < it.1);
        ControlHolder {
            by: holder.map(|it| it.0.name.clone()),
            for_s: holder.map_or(0.0, |it| (it.1 - now).as_secs_f64()),
        }
    }
}

/// Two people may have one name, and no token is two people's.
fn is_same(a: &Principal, b: &Principal) -> bool {
    a.token == b.token && a.name == b.name
}
