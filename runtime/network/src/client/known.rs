//! The paired robots of this user: address, fingerprint, token. One file that only its owner can read.
//! Read by every verb that names a robot, written by `dcm-run pair`.
//! A changed certificate is refused; a token is never printed.

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::folders::config_folder;

impl KnownRobot {
    /// Whether this is the same robot, at whatever address. Two certificates are two robots.
    pub fn is_same_as(&self, other: &KnownRobot) -> bool {
        let shown = |robot: &KnownRobot| {
            robot
                .fingerprint
                .clone()
                .or_else(|| robot.told_fingerprint.clone())
        };
        match (shown(self), shown(other)) {
            (Some(one), Some(other)) => one == other,
            _ => is_same_place(&self.address, &other.address),
        }
    }
}

/// Whether two addresses are the same place: `localhost:7878` and `127.0.0.1:7878` are. No name is looked up.
fn is_same_place(one: &str, other: &str) -> bool {
    let bare = |address: &str| match address.rsplit_once(':') {
        Some(("localhost" | "[::1]", port)) => format!("127.0.0.1:{port}"),
        _ => address.to_owned(),
    };
    bare(one) == bare(other)
}

/// The paired robots by name.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(transparent)]
pub struct KnownRobots(pub BTreeMap<String, KnownRobot>);

/// A robot.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct KnownRobot {
    /// `host:port`.
    pub address: String,
    /// SHA-256 of its certificate; `None` for a connection without TLS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// The fingerprint that it told over a connection without TLS. It proves nothing, and only shows that two addresses
    /// are of one robot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told_fingerprint: Option<String>,
    /// The token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

impl KnownRobots {
    /// The robots in this user's file.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn load() -> Result<KnownRobots, String> {
        let Some(path) = path() else {
            return Ok(KnownRobots::default());
        };
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Ok(KnownRobots::default())
            }
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }

    /// Writes the file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save(&self) -> Result<PathBuf, String> {
        let path = path().ok_or("there is no folder for known robots: HOME is not set")?;
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = toml::to_string_pretty(self).map_err(|error| failed(&error))?;
        let folder = path.parent().unwrap_or(&path);
        std::fs::create_dir_all(folder).map_err(|error| failed(&error))?;
        let next = path.with_extension("next");
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        let mut file = options.open(&next).map_err(|error| failed(&error))?;
        let written = file
            .write_all(text.as_bytes())
            .and_then(|()| file.sync_all())
            .and_then(|()| std::fs::rename(&next, &path));
        written.map_err(|error| failed(&error))?;
        Ok(path)
    }
}

fn path() -> Option<PathBuf> {
    Some(config_folder()?.join("robots.toml"))
}
