//! Says to the local network that this robot is there, and finds those that say so.
//! Used by `serve` where it listens to the network, and by `dcm-run robots`.
//! The law: nothing is announced that cannot be reached.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mdns_sd::{ServiceDaemon, ServiceEvent, ServiceInfo};
use serde::Serialize;

use crate::app::App;

const KIND: &str = "_dcm-run._tcp.local.";

/// Keeps announcing until it is dropped.
pub struct Announced(ServiceDaemon);

impl Drop for Announced {
    fn drop(&mut self) {
        // It goes with the process anyway.
        let _ = self.0.shutdown();
    }
}

/// Announces the first address that the network can reach, if there is one.
pub fn announce(app: &App, open: &[SocketAddr]) -> Option<Announced> {
    let address = open.iter().find(|it| !it.ip().is_loopback())?;
    if !app.settings.server.announce {
        return None;
    }
    let told = [
        ("name", app.name.as_str()),
        ("robot", &app.robot),
        ("version", env!("CARGO_PKG_VERSION")),
        ("api", "1"),
        ("tls", app.fingerprint.as_deref().unwrap_or("")),
    ];
    let node = rustix::system::uname();
    let host = format!("{}.local.", node.nodename().to_string_lossy());
    let ip = if address.ip().is_unspecified() {
        String::new()
    } else {
        address.ip().to_string()
    };
    let info = ServiceInfo::new(
        KIND,
        &app.name,
        &host,
        ip.as_str(),
        address.port(),
        &told[..],
    );
    let announced = info.and_then(|info| {
        let info = if ip.is_empty() {
            info.enable_addr_auto()
        } else {
            info
        };
        let daemon = ServiceDaemon::new()?;
        daemon.register(info)?;
        Ok(Announced(daemon))
    });
    match announced {
        Ok(announced) => Some(announced),
        Err(error) => {
            eprintln!("the robot is not announced to the network: {error}");
            None
        }
    }
}

/// A robot that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Robot {
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

/// All robots that answer within this time.
///
/// # Errors
/// A sentence: the network cannot be asked.
pub fn find(within: Duration) -> Result<Vec<Robot>, String> {
    let failed = |error: mdns_sd::Error| format!("the network cannot be asked: {error}");
    let daemon = ServiceDaemon::new().map_err(failed)?;
    let events = daemon.browse(KIND).map_err(failed)?;
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
            .map(|it| SocketAddr::new(it.to_ip_addr(), info.get_port()))
            .collect();
        addresses.sort();
        let robot = Robot {
            name: told("name"),
            robot: told("robot"),
            version: told("version"),
            addresses,
            fingerprint: told("tls"),
        };
        found.insert(info.get_fullname().to_owned(), robot);
    }
    // It goes with the process anyway.
    let _ = daemon.shutdown();
    let mut robots: Vec<_> = found.into_values().collect();
    robots.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(robots)
}
