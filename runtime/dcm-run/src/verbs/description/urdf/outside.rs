//! Finds what a URDF refers to: meshes in ROS packages; and asks the user which joints are wheels.
//! Called by the import. A mesh is searched for in the named folders and around the file, nowhere else.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use description::urdf::ImportContext;

/// The largest file of a mesh, bytes.
const MESH_MAX: u64 = 128 << 20;

/// The variables that list ROS packages: folders of packages, and installations with packages in `share`.
const SEARCHED: [(&str, &str); 2] = [("ROS_PACKAGE_PATH", ""), ("AMENT_PREFIX_PATH", "share")];

/// The files around a URDF, and the user at the terminal.
pub(super) struct Surroundings {
    /// The folder of the URDF.
    folder: PathBuf,
    /// The packages and their folders.
    packages: Vec<(String, PathBuf)>,
    /// The answer for all remaining joints.
    all: Option<bool>,
}

impl Surroundings {
    pub(super) fn new(file: &Path, packages: Vec<(String, PathBuf)>) -> Surroundings {
        // The folders above are searched as well: they need an absolute path.
        let whole = std::path::absolute(file).unwrap_or_default();
        Surroundings {
            folder: whole.parent().map(Path::to_owned).unwrap_or_default(),
            packages,
            all: None,
        }
    }

    /// The file of `uri`, or why there is none.
    fn find(&self, uri: &str) -> Result<PathBuf, String> {
        let inside = ["package://", "model://"]
            .iter()
            .find_map(|text| uri.strip_prefix(text));
        let Some(inside) = inside else {
            let path = uri.strip_prefix("file://").unwrap_or(uri);
            if path.contains("://") {
                return Err("is not a local file".to_owned());
            }
            return Ok(self.folder.join(path));
        };
        let (package, rest) = inside.split_once('/').unwrap_or((inside, ""));
        let given = self.packages.iter().filter(|pair| pair.0 == package);
        let given = given.map(|pair| pair.1.clone());
        let above = self.folder.ancestors().flat_map(|folder| {
            let is_it = folder.file_name() == Some(OsStr::new(package));
            is_it
                .then(|| folder.to_owned())
                .into_iter()
                .chain([folder.join(package)])
        });
        let searched = SEARCHED.iter().flat_map(|(key, under)| {
            let folders = std::env::var_os(key).unwrap_or_default();
            let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
            folders
                .into_iter()
                .map(move |folder| folder.join(under).join(package))
        });
        given
            .chain(above)
            .chain(searched)
            .map(|path| path.join(rest))
            .find(|path| path.is_file())
            .ok_or_else(|| format!("was not found; fix: --package {package}=FOLDER"))
    }
}

impl ImportContext for Surroundings {
    fn mesh(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        let path = self.find(uri)?;
        let failed =
            |error: std::io::Error| format!("cannot be read ({}: {error})", path.display());
        let file = File::open(&path).map_err(failed)?;
        // Reading from a pipe could block forever.
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(format!("is not a file ({})", path.display()));
        }
        let mut bytes = Vec::new();
        let read = file.take(MESH_MAX + 1).read_to_end(&mut bytes);
        if read.map_err(failed)? as u64 > MESH_MAX {
            return Err(format!("is larger than {} MiB", MESH_MAX >> 20));
        }
        Ok(bytes)
    }

    fn is_wheel(&mut self, joint: &str) -> bool {
        if let Some(all) = self.all {
            return all;
        }
        loop {
            let mut out = anstream::stderr().lock();
            let asked = write!(
                out,
                "`{}` is a continuous joint. Is it a wheel, which takes speeds? [y]es, [n]o (it takes positions), \
                 [a]ll are wheels, n[o]ne: ",
                printable::printable(joint)
            );
            let mut answer = String::new();
            let read = asked
                .and_then(|()| out.flush())
                .and_then(|()| std::io::stdin().read_line(&mut answer));
            // End of input: answer no.
            if !matches!(read, Ok(1..)) {
                self.all = Some(false);
                return false;
            }
            match answer.trim() {
                "y" | "yes" => return true,
                "n" | "no" => return false,
                "a" | "all" => self.all = Some(true),
                "o" | "none" => self.all = Some(false),
                _ => continue,
            }
            return self.all == Some(true);
        }
    }
}

/// Whether a user can be asked.
pub(super) fn is_asked(file: &Path) -> bool {
    file != Path::new("-") && std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}
