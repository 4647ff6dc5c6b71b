//! Discovery of robots that announce themselves by mDNS.
//! Used by every verb that names a robot, and by `dcm-run robots`; the server announces under [`SERVICE`]. A
//! robot that was found is known by its fingerprint, not by its name.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mdns_sd::{ServiceDaemon, ServiceEvent};
use serde::Serialize;

/// The type of service under which robots are announced.
pub const SERVICE: &str = "_dcm-run._tcp.local.";

/// A robot that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DiscoveredRobot {
    /// Its loop's name.
    pub name: String,
    /// The robot's name.
    pub robot: String,
    /// Its program's version.
    pub version: String,
    /// Where it listens.
    pub addresses: Vec<SocketAddr>,
    /// The fingerprint of its certificate; empty without TLS.
    pub fingerprint: String,
}

/// Finds all robots that answer within this time.
///
/// # Errors
/// A message: the network cannot be searched.
pub fn find(within: Duration) -> Result<Vec<DiscoveredRobot>, String> {
    let failed = |error: mdns_sd::Error| format!("the network cannot be asked: {error}");
    let daemon = ServiceDaemon::new().map_err(failed)?;
    let events = daemon.browse(SERVICE).map_err(failed)?;
    let until = Instant::now() + within;
    let mut found = HashMap::new();
    while let Ok(event) = events.recv_timeout(until.saturating_duration_since(Instant::now())) {
        let ServiceEvent::ServiceResolved(info) = event else {
            continue;
        };
        let told = |key: &str| {
            info.get_property_val_str(key)
                .unwrap_or_default()
                .to_owned()
        };
        let mut addresses: Vec<_> = info
            .get_addresses()
            .iter()
            .map(|address| SocketAddr::new(address.to_ip_addr(), info.get_port()))
            .collect();
        addresses.sort();
        let robot = DiscoveredRobot {
            name: told("name"),
            robot: told("robot"),
            version: told("version"),
            addresses,
            fingerprint: told("tls"),
        };
        found.insert(info.get_fullname().to_owned(), robot);
    }
    // If this fails, it ends with the process.
    let _ = daemon.shutdown();
    let mut robots: Vec<_> = found.into_values().collect();
    robots.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(robots)
}
