//! Announces this robot to the local network by mDNS.
//! Used by `serve` if it listens to the network; `network::discovery` finds announced robots. Only an address
//! that is open is announced.

use std::net::SocketAddr;

use mdns_sd::{ServiceDaemon, ServiceInfo};
use network::discovery::SERVICE;

use crate::app::App;

/// Announces the robot until it is dropped.
pub struct Announced(ServiceDaemon);

impl Drop for Announced {
    fn drop(&mut self) {
        // If this fails, it ends with the process.
        let _ = self.0.shutdown();
    }
}

/// Announces the first address that is not the loopback, if there is one.
pub fn announce(app: &App, open: &[SocketAddr]) -> Option<Announced> {
    let address = open.iter().find(|item| !item.ip().is_loopback())?;
    if !app.settings.server.announce {
        return None;
    }
    let properties = [
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
        SERVICE,
        &app.name,
        &host,
        ip.as_str(),
        address.port(),
        &properties[..],
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
            tracing::warn!("cannot announce the robot to the network: {error}");
            None
        }
    }
}
