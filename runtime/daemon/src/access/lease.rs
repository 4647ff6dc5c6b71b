//! The control lease: who armed the body, resumed it, or changed its guests last holds control for a while. Others must
//! take it over explicitly, so that two people do not do this to one robot without knowing.
//! Checked by the gate before every such request. Stop needs no lease, and neither do timed commands.

use std::time::{Duration, Instant};

use protocol::people::ControlHolder;

use super::Principal;

/// How long the lease lasts after the last act.
pub const LEASE_TIME: Duration = Duration::from_secs(60);

/// The lease.
#[derive(Debug, Default)]
pub struct Lease(Option<(Principal, Instant)>);

impl Lease {
    /// Whether a caller may act.
    ///
    /// # Errors
    /// Somebody else holds control: that holder's name.
    pub fn check(&self, who: &Principal, now: Instant) -> Result<(), String> {
        match &self.0 {
            Some((holder, until)) if !is_same(holder, who) && now < *until => {
                Err(holder.name.clone())
            }
            _ => Ok(()),
        }
    }

    /// Gives control to a caller, or renews the lease. Returns the end of a lease that is new.
    ///
    /// # Errors
    /// Somebody else holds control: that holder's name.
    pub fn act(&mut self, who: &Principal, now: Instant) -> Result<Option<Instant>, String> {
        self.check(who, now)?;
        let is_new = !matches!(&self.0, Some((_, until)) if now < *until);
        self.take_over(who, now);
        Ok(is_new.then_some(now + LEASE_TIME))
    }

    /// Ends the lease that ends at this instant: it was made for a request that was refused, and not renewed since.
    pub fn undo(&mut self, until: Instant) {
        self.0.take_if(|lease| lease.1 == until);
    }

    /// Gives control to this caller, even if somebody else holds it.
    pub fn take_over(&mut self, who: &Principal, now: Instant) {
        self.0 = Some((who.clone(), now + LEASE_TIME));
    }

    /// Ends the lease if this caller holds it.
    pub fn give_back(&mut self, who: &Principal) {
        self.0.take_if(|pair| is_same(&pair.0, who));
    }

    /// Ends the lease if the holder has this token, which was revoked.
    pub fn end_of_token(&mut self, number: u32) {
        self.0.take_if(|pair| pair.0.token == Some(number));
    }

    /// Who holds it.
    pub fn held(&self, now: Instant) -> ControlHolder {
        let holder = self.0.as_ref().filter(|pair| now < pair.1);
        ControlHolder {
            by: holder.map(|holder| holder.0.name.clone()),
            for_s: holder.map_or(0.0, |holder| (holder.1 - now).as_secs_f64()),
        }
    }
}

/// Compares the token as well, because two people may have the same name.
fn is_same(a: &Principal, b: &Principal) -> bool {
    a.token == b.token && a.name == b.name
}
