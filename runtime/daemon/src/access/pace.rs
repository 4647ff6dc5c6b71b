//! How often somebody may ask: so many at once, so many each second, for each address.
//! Asked by the gate first of all. The law: the table is bounded, and whoever floods it shares one place
//! with others who do.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Instant;

/// Addresses that are told apart.
const ADDRESSES: usize = 4096;

/// One kind of asking.
#[derive(Debug)]
pub struct Pace {
    burst: f64,
    each_second: f64,
    left: HashMap<Option<IpAddr>, (f64, Instant)>,
}

impl Pace {
    /// So many at once, and so many each second.
    pub fn new(burst: f64, each_second: f64) -> Pace {
        Pace {
            burst,
            each_second,
            left: HashMap::new(),
        }
    }

    /// Whether this address may ask now; what it asked counts if it may.
    pub fn allows(&mut self, address: IpAddr, now: Instant) -> bool {
        let mut key = Some(address);
        if self.left.len() >= ADDRESSES && !self.left.contains_key(&key) {
            let (burst, rate) = (self.burst, self.each_second);
            // Whoever has not asked for a while needs no place.
            let full = |it: &(f64, Instant)| {
                it.0 + rate * now.saturating_duration_since(it.1).as_secs_f64() >= burst
            };
            self.left.retain(|_, it| !full(it));
            if self.left.len() >= ADDRESSES {
                key = None;
            }
        }
        let (left, then) = self.left.entry(key).or_insert((self.burst, now));
        let since = now.saturating_duration_since(*then).as_secs_f64();
        *left = (*left + since * self.each_second).min(self.burst);
        *then = now;
        let may = *left >= 1.0;
        if may {
            *left -= 1.0;
        }
        may
    }
}
