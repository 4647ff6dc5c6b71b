//! A rate limit for each address: a token bucket, with a burst and a rate.
//! Checked by the gate before anything else. The table is bounded; when it is full, new addresses share one
//! bucket.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::time::Instant;

/// The maximum number of addresses in the table.
const ADDRESSES_MAX: usize = 4096;

/// A rate limit.
#[derive(Debug)]
pub struct RateLimit {
    burst: f64,
    each_second: f64,
    left: HashMap<Option<IpAddr>, (f64, Instant)>,
}

impl RateLimit {
    /// At most `burst` requests at once, and `each_second` more each second.
    pub fn new(burst: f64, each_second: f64) -> RateLimit {
        RateLimit {
            burst,
            each_second,
            left: HashMap::new(),
        }
    }

    /// Whether this address may send a request now. If so, the request is counted.
    pub fn allows(&mut self, address: IpAddr, now: Instant) -> bool {
        let mut key = Some(network_of(address));
        if self.left.len() >= ADDRESSES_MAX && !self.left.contains_key(&key) {
            let (burst, rate) = (self.burst, self.each_second);
            // An address whose bucket is full again needs no entry.
            let full = |pair: &(f64, Instant)| {
                pair.0 + rate * now.saturating_duration_since(pair.1).as_secs_f64() >= burst
            };
            self.left.retain(|_, item| !full(item));
            if self.left.len() >= ADDRESSES_MAX {
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

/// The network that is counted as one caller: an address of IPv4; of IPv6 the 64 bits that one customer is given.
pub fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(v6) => {
            let network = u128::from(v6) & (!0 << 64);
            IpAddr::V6(Ipv6Addr::from(network))
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}
