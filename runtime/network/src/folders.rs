//! Where a user's own files are, and where a robot's server listens on this machine.
//! Used by the client and by the server's settings. `DCM_RUN_DIR` comes before everything else.

use std::path::PathBuf;

use protocol::places::Places;

/// The folder of this user's own settings, tokens and keys.
pub fn config_folder() -> Option<PathBuf> {
    let set = |key| std::env::var_os(key).filter(|value| !value.is_empty());
    if let Some(folder) = set("DCM_RUN_DIR") {
        return Some(PathBuf::from(folder).join("config"));
    }
    let folder = set("XDG_CONFIG_HOME").map(PathBuf::from);
    let folder = folder.or_else(|| Some(PathBuf::from(set("HOME")?).join(".config")));
    Some(folder?.join("dcm-run"))
}

/// Where the server of a loop listens locally.
pub fn local_socket(places: &Places) -> PathBuf {
    places.socket.with_extension("api")
}
