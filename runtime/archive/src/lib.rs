//! The folder of a robot's recordings: one file for a run, or several for a long one, the oldest going first.
//!
//! The loop's recorder makes files in it (`recording`), the server lists them, sends them and removes them, and a
//! replay looks in it for a run's other files. A file that is broken off is closed at the next start; a
//! recording is never larger than it may be.

pub mod calendar;
mod repair;
mod summary;

use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use calendar::{date, days};

use repair::repair;
pub use repair::{MissingEnd, is_closed, missing_end};

/// The ending of their names.
const ENDING: &str = ".mcap";

/// A recording in the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedFile {
    /// The name of its file.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// When it began, s of UTC since 1970.
    pub began: u64,
}

/// The folder of recordings.
#[derive(Clone, Debug)]
pub struct RecordingFolder {
    folder: PathBuf,
    quota: u64,
}

impl RecordingFolder {
    /// The folder at this path, for so many bytes. Nothing is made yet.
    pub fn at(folder: PathBuf, quota: u64) -> RecordingFolder {
        RecordingFolder { folder, quota }
    }

    /// Makes the folder if there is none, and closes the files that were broken off. Returns a sentence for each.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn repair(&self) -> io::Result<Vec<String>> {
        self.make_folder()?;
        let mut told = Vec::new();
        for archived_file in self.list() {
            match repair(&self.folder.join(&archived_file.name)) {
                Ok(false) => {}
                Ok(true) => told.push(format!(
                    "{} was broken off, and is closed now",
                    archived_file.name
                )),
                Err(error) => {
                    told.push(format!("{} cannot be closed: {error}", archived_file.name));
                }
            }
        }
        Ok(told)
    }

    /// Closes a file that was broken off. Whether it was needed.
    ///
    /// # Errors
    /// The disk would not, or it is no recording.
    pub fn mend(&self, name: &str) -> io::Result<bool> {
        let path = self.find(name).ok_or(io::ErrorKind::NotFound)?;
        repair(&path)
    }

    /// Nobody but its user reads what lasts.
    fn make_folder(&self) -> io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true).mode(0o700).create(&self.folder)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// All recordings, the newest first.
    pub fn list(&self) -> Vec<ArchivedFile> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut list: Vec<_> = entries
            .filter_map(|entry| {
                let name = entry.file_name().to_str()?.to_owned();
                let began = began(&name)?;
                let about = entry.metadata().ok().filter(Metadata::is_file)?;
                let bytes = about.len();
                Some(ArchivedFile { name, bytes, began })
            })
            .collect();
        list.sort_by(|a, b| b.name.cmp(&a.name));
        list
    }

    /// Where the recording of this name is, if there is one.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        let path = self.folder.join(name);
        // Only names that are made here can be asked for, and links are none of ours: nothing leads elsewhere.
        let is_file = fs::symlink_metadata(&path).is_ok_and(|path| path.is_file());
        (began(name).is_some() && is_file).then_some(path)
    }

    /// Makes the file for a recording of this run that begins now, after it has made room. Returns its name as well.
    ///
    /// # Errors
    /// The disk would not.
    pub fn create(&self, run: u64) -> io::Result<(String, File)> {
        self.make_folder()?;
        self.make_room();
        let name = self.next_name(run, utc());
        let path = self.folder.join(&name);
        let file = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path)?;
        Ok((name, file))
    }

    /// The most that one file has; a run that goes on goes on in another.
    pub fn most(&self) -> u64 {
        self.quota / 8
    }

    /// Removes the oldest until there is room for one more.
    fn make_room(&self) {
        let mut list = self.list();
        let mut all: u64 = list.iter().map(|archived_file| archived_file.bytes).sum();
        while all + self.most() > self.quota {
            let Some(oldest) = list.pop() else {
                return;
            };
            if fs::remove_file(self.folder.join(&oldest.name)).is_ok() {
                all -= oldest.bytes;
            }
        }
    }

    /// A name after those of all others: the oldest is the first in the order of names, although a clock fell back.
    fn next_name(&self, run: u64, at: Duration) -> String {
        let wished = name(run, at);
        match self.list().first() {
            Some(newest) if newest.name >= wished => {
                name(run, Duration::from_secs(newest.began + 1))
            }
            _ => wished,
        }
    }
}

/// The name of the recording of a run that begins at this time of UTC.
fn name(run: u64, at: Duration) -> String {
    let seconds = at.as_secs();
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!(
        "{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}.{:03}Z-{:08x}{ENDING}",
        at.subsec_millis(),
        run as u32
    )
}

/// When the recording of this name began; nothing if it is no such name.
fn began(name: &str) -> Option<u64> {
    let stem = name.strip_suffix(ENDING)?;
    let (time, run) = stem.split_once('-')?;
    let is_run = run.len() == 8 && run.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (date, time) = time.strip_suffix('Z')?.split_once('T')?;
    let (time, millis) = time.split_once('.')?;
    let digits =
        |text: &str, length| text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    if !(is_run && digits(date, 8) && digits(time, 6) && digits(millis, 3)) {
        return None;
    }
    let number = |text: &str| text.parse::<u64>().ok();
    let days = days(
        number(&date[..4])?,
        number(&date[4..6])?,
        number(&date[6..])?,
    );
    let (hour, minute, second) = (&time[..2], &time[2..4], &time[4..]);
    Some(days * 86_400 + number(hour)? * 3600 + number(minute)? * 60 + number(second)?)
}

/// The run, of which a name has eight digits; nothing if it is no such name.
pub fn run_of(name: &str) -> Option<&str> {
    began(name)?;
    name.strip_suffix(ENDING)?
        .split_once('-')
        .map(|pair| pair.1)
}

/// Where recordings are, in a folder of what lasts.
pub fn folder(state: &Path) -> PathBuf {
    state.join("recordings")
}

/// UTC of a file's name is the machine's.
fn utc() -> Duration {
    let since = std::time::SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{RecordingFolder, began, name};

    #[test]
    fn a_name_tells_when_a_recording_began() {
        for seconds in [0, 951_782_400, 1_795_320_063, 4_107_542_399] {
            let name = name(0xab12_cd34, Duration::from_millis(seconds * 1000 + 7));
            assert_eq!(began(&name), Some(seconds), "{name}");
        }
        assert_eq!(
            name(1, Duration::from_secs(1_795_320_063)),
            "20261122T040103.000Z-00000001.mcap"
        );
        for odd in [
            "../x.mcap",
            "a.mcap",
            "20261122T040103.000Z-0000000/.mcap",
            "20261122T040103.000Z-00000001",
        ] {
            assert_eq!(began(odd), None, "{odd}");
        }
    }

    #[test]
    fn links_are_no_recordings() {
        let folder = tempfile::tempdir().expect("a folder");
        let (inside, outside) = (
            folder.path().join("recordings"),
            folder.path().join("secret"),
        );
        std::fs::create_dir(&inside).expect("a folder");
        std::fs::write(&outside, "secret").expect("a file");
        let names = [1, 2, 3].map(|i| name(i, Duration::from_secs(1_800_000_000)));
        std::os::unix::fs::symlink(&outside, inside.join(&names[0])).expect("a link");
        std::fs::create_dir(inside.join(&names[1])).expect("a folder");
        std::fs::write(inside.join(&names[2]), [0; 100]).expect("a file");
        let recordings = RecordingFolder::at(inside, 800);
        let list = recordings.list();
        assert_eq!(list.len(), 1, "{list:?}");
        assert_eq!(
            names.clone().map(|name| recordings.find(&name).is_some()),
            [false, false, true]
        );
        recordings.repair().expect("a folder");
        assert_eq!(std::fs::read(&outside).expect("a file"), b"secret");
    }

    #[test]
    fn the_newest_is_the_last_although_a_clock_was_wrong() {
        let folder = tempfile::tempdir().expect("a folder");
        let put = |name: &str| std::fs::write(folder.path().join(name), [0; 100]).expect("a file");
        let recordings = RecordingFolder::at(folder.path().to_owned(), 800);
        let right = Duration::from_secs(1_800_000_000);
        assert_eq!(recordings.next_name(1, right), name(1, right));
        // Somebody's clock was far ahead; what comes now is newer all the same, and goes last.
        let ahead = Duration::from_secs(4_300_000_000);
        put(&name(2, ahead));
        for run in 3..9 {
            let next =
                recordings.next_name(run, right + Duration::from_secs(u64::from(run as u32)));
            assert!(
                began(&next).is_some_and(|began| began > ahead.as_secs()),
                "{next}"
            );
            put(&next);
        }
        recordings.make_room();
        let names: Vec<_> = recordings
            .list()
            .into_iter()
            .map(|archived_file| archived_file.name)
            .collect();
        assert_eq!(names.len(), 7);
        put(&recordings.next_name(9, right));
        recordings.make_room();
        assert!(
            recordings.find(&name(2, ahead)).is_none(),
            "the oldest has gone"
        );
    }
}
