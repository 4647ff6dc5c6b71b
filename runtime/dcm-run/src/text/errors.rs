//! The sentences of errors that many verbs share: of files, of robots that are elsewhere, and of numbers.
//! Called by every verb that opens a file, and where an error is printed. A sentence names the thing, then
//! `; fix: ` and what to do; words that only a programmer of this program understands do not show.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use anyhow::Result;
use description::nearest;

/// The most bytes of a text that a verb reads.
pub(crate) const TEXT_MAX: u64 = 64 << 20;

/// The most bytes of a compiler's module; it may be full of debugging information.
pub(crate) const MODULE_MAX: u64 = 1 << 30;

/// Opens a file for reading.
pub(crate) fn open(path: &Path) -> Result<File> {
    let opened = File::open(path).and_then(|file| {
        let is_folder = file.metadata()?.is_dir();
        let folder = || ErrorKind::IsADirectory.into();
        (!is_folder).then_some(file).ok_or_else(folder)
    });
    opened.map_err(|error| unreadable(path, &error))
}

/// The length of a file, bytes. The file is not opened: it may be a pipe, which can be read once only.
pub(crate) fn size(path: &Path) -> Result<u64> {
    let about = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if about.is_dir() {
        return Err(unreadable(path, &ErrorKind::IsADirectory.into()));
    }
    Ok(about.len())
}

/// Reads a file of at most this many bytes.
pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(path, &error))?;
    if bytes.len() as u64 > most {
        anyhow::bail!(
            "`{}` has more than the {} MiB that are read; fix: name another file",
            path.display(),
            most >> 20
        );
    }
    Ok(bytes)
}

/// Reads a text.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let text = String::from_utf8(read(path, TEXT_MAX)?);
    text.map_err(|_| unreadable(path, &ErrorKind::InvalidData.into()))
}

/// Writes a file.
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    fs::write(path, bytes).map_err(|error| unwritable(path, &error))
}

/// Makes a folder and those that it is in, unless it is there.
pub(crate) fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|error| unwritable(path, &error))
}

/// The error of a file that cannot be read.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> anyhow::Error {
    let shown = path.display();
    let sentence = match error.kind() {
        ErrorKind::NotFound => return missing(path),
        ErrorKind::NotADirectory => {
            format!(
                "there is no file `{shown}`: a part of its path is not a folder; fix: check the path"
            )
        }
        ErrorKind::IsADirectory => {
            format!("`{shown}` is a folder, not a file; fix: name a file in it")
        }
        ErrorKind::PermissionDenied => format!(
            "this user may not read `{shown}`; fix: `ls -l {shown}` shows who may, `chmod` changes it"
        ),
        ErrorKind::InvalidData => {
            format!("`{shown}` is not a text; fix: name a file of text (UTF-8)")
        }
        _ => format!(
            "`{shown}` cannot be read: {}; fix: check the path and the disk",
            plain(&error.to_string())
        ),
    };
    anyhow::anyhow!(sentence)
}

/// The error of a file that is not there, with a similar one beside it.
fn missing(path: &Path) -> anyhow::Error {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names: Vec<_> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let fix = match nearest(&name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{}`?", path.with_file_name(near).display()),
        None if folder.is_dir() => "check its name and its folder".to_owned(),
        None => format!("check its folder: there is no `{}`", folder.display()),
    };
    anyhow::anyhow!("there is no file `{}`; fix: {fix}", path.display())
}

/// The error of a file that cannot be written.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> anyhow::Error {
    let shown = path.display();
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let (has_folder, folder) = (folder.is_dir(), folder.display());
    let sentence = match error.kind() {
        ErrorKind::NotFound if !has_folder => {
            format!(
                "`{shown}` cannot be written: there is no folder `{folder}`; fix: `mkdir -p {folder}`"
            )
        }
        ErrorKind::IsADirectory => {
            format!("`{shown}` is a folder; fix: give the name of a file")
        }
        ErrorKind::PermissionDenied => {
            format!("this user may not write `{shown}`; fix: choose another folder than `{folder}`")
        }
        ErrorKind::StorageFull => {
            format!(
                "`{shown}` cannot be written: the disk is full; fix: make room, or choose another disk"
            )
        }
        _ => format!(
            "`{shown}` cannot be written: {}; fix: choose another folder",
            plain(&error.to_string())
        ),
    };
    anyhow::anyhow!(sentence)
}

/// A robot that is not on this machine, for a verb that needs the robot's machine.
#[derive(Debug)]
pub(crate) struct RobotElsewhere {
    /// The robot, as it was named.
    pub(crate) robot: String,
    /// What the verb needs of its machine: "the simulated body".
    pub(crate) needs: &'static str,
}

impl fmt::Display for RobotElsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RobotElsewhere { robot, needs } = self;
        write!(
            f,
            "`{robot}` runs on another machine, and this verb needs {needs}; fix: log in to that machine, and run it \
             there"
        )
    }
}

impl std::error::Error for RobotElsewhere {}

/// A robot or a server that cannot be reached, or of which it is not known which one is meant: the whole sentence.
#[derive(Debug)]
#[cfg_attr(
    not(feature = "server"),
    allow(dead_code, reason = "there is no client that could not reach one")
)]
pub(crate) struct NotReached(pub(crate) String);

impl fmt::Display for NotReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotReached {}

/// What libraries say, and what it means.
const WORDS: [(&str, &str); 8] = [
    ("invalid float literal", "expected a number"),
    ("cannot parse float from empty string", "expected a number"),
    ("invalid digit found in string", "expected a whole number"),
    (
        "cannot parse integer from empty string",
        "expected a whole number",
    ),
    (
        "number too large to fit in target type",
        "the number is too large",
    ),
    (
        "number too small to fit in target type",
        "the number is too small",
    ),
    (
        "failed to lookup address information: Name or service not known",
        "no host has this name",
    ),
    (
        "failed to lookup address information",
        "the name of the host cannot be looked up",
    ),
];

/// A message without the words of libraries, and without the numbers of the system's errors.
pub(crate) fn plain(text: &str) -> String {
    let mut text = text.to_owned();
    for (from, to) in WORDS {
        text = text.replace(from, to);
    }
    while let Some(from) = text.find(" (os error ") {
        let Some(length) = text[from..].find(')') else {
            break;
        };
        text.replace_range(from..=from + length, "");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{open, plain, read, read_text, write};

    #[test]
    fn an_error_of_a_file_names_it_and_says_what_to_do() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        write(&at("show.csv"), b"time\n\xff").expect("a file");
        let told = |item: anyhow::Result<String>| item.expect_err("an error").to_string();
        let missing = told(read_text(&at("shwo.csv")));
        assert!(
            missing.starts_with("there is no file `") && missing.ends_with("show.csv`?"),
            "{missing}"
        );
        let lost = told(read_text(Path::new("no/such/script")));
        assert_eq!(
            lost,
            "there is no file `no/such/script`; fix: check its folder: there is no `no/such`"
        );
        assert!(told(read_text(folder.path())).contains("is a folder, not a file; fix: "));
        assert!(told(read_text(&at("show.csv"))).contains("is not a text; fix: "));
        assert!(
            read(&at("show.csv"), 3)
                .expect_err("too large")
                .to_string()
                .contains("; fix: ")
        );
        assert!(open(&at("show.csv")).is_ok());
        let unwritten = write(&at("no/x"), "").expect_err("no folder").to_string();
        assert!(unwritten.contains("; fix: `mkdir -p "), "{unwritten}");
    }

    #[test]
    fn words_of_libraries_do_not_show() {
        assert_eq!(
            plain("reading x: No such file (os error 2); y (os error 13)"),
            "reading x: No such file; y"
        );
        assert_eq!(
            plain("for '--speed': invalid float literal"),
            "for '--speed': expected a number"
        );
        assert_eq!(plain("(os error"), "(os error");
    }
}
