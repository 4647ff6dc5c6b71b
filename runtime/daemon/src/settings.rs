//! The settings of the server: `dcm-run.toml`. Every key has a default.
//! Read once, at start-up. No port is open to the network unless the settings say so; an unknown key is an
//! error.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use network::folders::config_folder;
use protocol::AccessRole;
use protocol::keys::SignaturePolicy;

/// All settings.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ServerSettings {
    /// Where the server listens.
    pub server: ListenSettings,
    /// The store of choreographies.
    pub store: StoreSettings,
    /// Access.
    pub access: AccessSettings,
    /// Recordings of runs.
    pub recordings: RecordingSettings,
    /// The server for Foxglove.
    pub foxglove: FoxgloveSettings,
}

/// Recordings of runs.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct RecordingSettings {
    /// Whether every run is recorded.
    pub on: bool,
    /// The size of all recordings together, MiB; the oldest are removed first.
    pub quota: u64,
}

/// The server for Foxglove.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct FoxgloveSettings {
    /// The address; empty to disable it.
    #[serde(with = "place")]
    pub listen: Option<SocketAddr>,
    /// The origins of web pages that may watch, besides programs and Foxglove's own for desktops.
    pub origins: Vec<String>,
}

/// An address and a port, or an empty text.
mod place {
    use std::net::SocketAddr;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(
        from: D,
    ) -> Result<Option<SocketAddr>, D::Error> {
        let text = String::deserialize(from)?;
        if text.is_empty() {
            return Ok(None);
        }
        let address = text.parse();
        address.map(Some).map_err(|_| {
            serde::de::Error::custom(format!(
                "`{text}` is not an address with a port, such as 127.0.0.1:8765"
            ))
        })
    }

    pub(super) fn serialize<S: Serializer>(
        addr: &Option<SocketAddr>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        addr.map_or_else(String::new, |value| value.to_string())
            .serialize(to)
    }
}

impl Default for RecordingSettings {
    fn default() -> RecordingSettings {
        RecordingSettings {
            on: true,
            quota: 2048,
        }
    }
}

impl Default for FoxgloveSettings {
    fn default() -> FoxgloveSettings {
        FoxgloveSettings {
            listen: Some(SocketAddr::from(([127, 0, 0, 1], 8765))),
            origins: vec!["https://app.foxglove.dev".to_owned()],
        }
    }
}

/// Where the server listens.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ListenSettings {
    /// Addresses and ports.
    pub listen: Vec<SocketAddr>,
    /// Where TLS is spoken.
    pub tls: Tls,
    /// Your own certificate (PEM); default: one that is made at the first start.
    pub certificate: Option<PathBuf>,
    /// The key of the certificate (PEM).
    pub key: Option<PathBuf>,
    /// Host names that browsers may use, besides addresses and the machine's name.
    pub names: Vec<String>,
    /// Whether the robot is announced by mDNS, if it listens to the network.
    pub announce: bool,
    /// The memory limit of the server, MiB; it is restarted when it needs more.
    pub memory: u64,
    /// The maximum number of connections.
    pub connections: usize,
    /// The maximum number of connections from one address.
    pub connections_each: usize,
}

/// Where TLS is spoken.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tls {
    /// On every address but the loopback.
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere: a proxy in front of the server does it.
    Off,
}

/// The store of choreographies.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct StoreSettings {
    /// The size of all choreographies together, MiB.
    pub quota: u64,
    /// How signatures of uploads are treated.
    pub signatures: SignaturePolicy,
}

/// Access.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct AccessSettings {
    /// User numbers that may do everything over the local socket, besides the server's own and root.
    pub users: Vec<u32>,
    /// The role of the pairing code that the robot shows when nobody is paired.
    pub pairing: AccessRole,
    /// After how many days a token expires; 0 for never.
    pub token_days: u64,
}

impl Default for ListenSettings {
    fn default() -> ListenSettings {
        ListenSettings {
            listen: vec![SocketAddr::from(([127, 0, 0, 1], 7878))],
            tls: Tls::Auto,
            certificate: None,
            key: None,
            names: Vec::new(),
            announce: true,
            memory: 512,
            connections: 512,
            connections_each: 160,
        }
    }
}

impl Default for StoreSettings {
    fn default() -> StoreSettings {
        StoreSettings {
            quota: 1024,
            signatures: SignaturePolicy::Off,
        }
    }
}

impl AccessSettings {
    /// Whether this user has all rights over the local socket.
    pub fn is_owner(&self, user: u32) -> bool {
        user == 0 || user == rustix::process::geteuid().as_raw() || self.users.contains(&user)
    }
}

impl Default for AccessSettings {
    fn default() -> AccessSettings {
        AccessSettings {
            users: Vec::new(),
            pairing: AccessRole::Operate,
            token_days: 0,
        }
    }
}

impl ServerSettings {
    /// Loads the settings from this file. Default: the usual places, else the default settings.
    ///
    /// # Errors
    /// A message: the file cannot be read, or has an unknown key or an invalid value.
    pub fn load(path: Option<&Path>) -> Result<ServerSettings, String> {
        let found = match path {
            Some(path) => Some(path.to_owned()),
            None => usual().into_iter().find(|path| path.is_file()),
        };
        let Some(path) = found else {
            return Ok(ServerSettings::default());
        };
        let text = std::fs::read_to_string(&path);
        let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
        ServerSettings::read(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Parses settings.
    ///
    /// # Errors
    /// An unknown key or an invalid value, with its place.
    pub fn read(text: &str) -> Result<ServerSettings, String> {
        let settings: ServerSettings = toml::from_str(text).map_err(|error| error.to_string())?;
        if settings.server.certificate.is_some() != settings.server.key.is_some() {
            return Err("`server.certificate` and `server.key` belong together".to_owned());
        }
        let least = [
            ("server.memory", settings.server.memory, 64),
            ("server.connections", settings.server.connections as u64, 8),
            (
                "server.connections-each",
                settings.server.connections_each as u64,
                4,
            ),
            ("recordings.quota", settings.recordings.quota, 1),
            ("store.quota", settings.store.quota, 1),
        ];
        if let Some((key, value, least)) = least.into_iter().find(|row| row.1 < row.2) {
            return Err(format!(
                "`{key}` is {value}: the server cannot work with less than {least}"
            ));
        }
        Ok(settings)
    }
}

/// The usual places of the settings.
fn usual() -> Vec<PathBuf> {
    let set = |key| std::env::var_os(key).filter(|value| !value.is_empty());
    let mut places = Vec::new();
    if let Some(folder) = set("DCM_RUN_DIR") {
        places.push(PathBuf::from(folder).join("dcm-run.toml"));
    }
    places.extend(config_folder().map(|config_folder| config_folder.join("dcm-run.toml")));
    places.push(PathBuf::from("/etc/dcm-run/dcm-run.toml"));
    places
}

/// The default state folder of the server of this loop.
pub fn state_folder(name: &str) -> Option<PathBuf> {
    let set = |key| std::env::var_os(key).filter(|value| !value.is_empty());
    // systemd sets it for a unit with `StateDirectory`.
    if let Some(folder) = set("STATE_DIRECTORY") {
        return Some(PathBuf::from(folder).join(name));
    }
    if let Some(folder) = set("DCM_RUN_DIR") {
        return Some(PathBuf::from(folder).join("state").join(name));
    }
    if rustix::process::geteuid().is_root() {
        return Some(PathBuf::from("/var/lib/dcm-run").join(name));
    }
    let folder = set("XDG_STATE_HOME").map(PathBuf::from);
    let folder = folder.or_else(|| Some(PathBuf::from(set("HOME")?).join(".local/state")));
    Some(folder?.join("dcm-run").join(name))
}
