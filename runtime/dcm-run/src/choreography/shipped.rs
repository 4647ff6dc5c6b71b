//! The choreographies that come with this program, so that there is something to play wherever it is installed.
//! Used by `guest_options` for a name that is no file, and by `candidates`. A file of that name goes first.

use std::path::Path;

use anyhow::{Result, bail};
use description::no_such;

/// Choreographies with their names, from the folder of each.
macro_rules! shipped {
    ($($name:literal)*) => {
        [$((
            $name,
            include_bytes!(concat!("../../../../choreographies/", $name, "/", $name, ".wasm")).as_slice(),
        )),*]
    };
}

/// Each by its name.
pub(crate) const CHOREOGRAPHIES: [(&str, &[u8]); 20] = shipped![
    "balance" "blink" "breathe" "dance" "emergency-stop" "greet" "keyframes"
    "light-show" "look" "mirror-arm" "pose" "power" "power-up" "reach"
    "remote-control" "stand-up" "sway" "tail-wag" "teach" "wave"
];

/// The choreography of this name, unless it is a file's.
pub(crate) fn choreography(path: &Path) -> Option<&'static [u8]> {
    let found = CHOREOGRAPHIES
        .iter()
        .find(|choreography| Path::new(choreography.0) == path)?;
    (!path.exists()).then_some(found.1)
}

/// Refuses what is no file and looks like a name.
pub(crate) fn refuse_unknown(path: &Path) -> Result<()> {
    let is_name = path.extension().is_none() && path.components().count() == 1;
    if path.exists() || !is_name {
        return Ok(());
    }
    let name = path.to_string_lossy();
    bail!(no_such(
        "file or shipped choreography",
        &name,
        CHOREOGRAPHIES.iter().map(|choreography| choreography.0)
    ))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{CHOREOGRAPHIES, choreography, refuse_unknown};

    #[test]
    fn all_that_are_in_the_repository_come_with_the_program() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../choreographies");
        let entries = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path());
        let mut names: Vec<_> = entries
            .filter(|entry| entry.is_dir())
            .map(|entry| {
                entry
                    .file_name()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        assert_eq!(names, CHOREOGRAPHIES.map(|choreography| choreography.0));
        for (name, bytes) in CHOREOGRAPHIES {
            assert_eq!(::guests::name_of(bytes).as_deref(), Some(name));
        }
    }

    #[test]
    fn a_file_goes_first_and_a_wrong_name_gets_a_list() {
        assert!(choreography(Path::new("dance")).is_some());
        // A folder of this crate.
        assert!(choreography(Path::new("src")).is_none());
        assert!(choreography(Path::new("./dance")).is_none());
        let error = refuse_unknown(Path::new("danse")).expect_err("a wrong name");
        assert!(error.to_string().contains("dance"), "{error}");
        assert!(refuse_unknown(Path::new("danse.wasm")).is_ok());
    }
}
