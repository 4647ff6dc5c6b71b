//! The server's recordings: one file for a run, several for a long one. The oldest are removed first.
//! Written by the viewers' thread, listed by the routes. The law: an incomplete file is closed at the next start;
//! a file never exceeds its limit; an error of the disk is reported, and stops nothing but the recording.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, UNIX_EPOCH};

use api::calendar::{date, days};
use api::error::ErrorCode;
use api::recordings::RecordingFile;
use foxglove::{Context, McapAttachment, McapWriteOptions, McapWriterHandle};
use socket::Trouble;

use super::file::{CountingFile, WriteStatus, repair};

/// The extension of their names.
const ENDING: &str = ".mcap";

/// The folder of recordings.
#[derive(Debug)]
pub struct RecordingFolder {
    folder: PathBuf,
    quota: u64,
}

/// A recording that is being written.
pub(super) struct OpenRecording {
    pub(super) name: String,
    handle: McapWriterHandle<CountingFile>,
    written: WriteStatus,
    most: u64,
    /// The same file, for syncing.
    file: File,
}

impl RecordingFolder {
    /// Opens the folder with a quota in bytes, and closes incomplete files. Also returns a message for each of those.
    pub fn at(folder: PathBuf, quota: u64) -> io::Result<(RecordingFolder, Vec<String>)> {
        fs::create_dir_all(&folder)?;
        let recordings = RecordingFolder { folder, quota };
        let mut messages = Vec::new();
        for it in recordings.list(None) {
            match repair(&recordings.folder.join(&it.name)) {
                Ok(false) => {}
                Ok(true) => messages.push(format!("{} was incomplete, and is closed now", it.name)),
                Err(error) => messages.push(format!("{} cannot be closed: {error}", it.name)),
            }
        }
        Ok((recordings, messages))
    }

    /// All recordings, the newest first.
    pub fn list(&self, open: Option<&str>) -> Vec<RecordingFile> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut list: Vec<_> = entries
            .filter_map(|entry| {
                let name = entry.file_name().to_str()?.to_owned();
                let began = began(&name)?;
                let open = open == Some(name.as_str());
                let bytes = entry.metadata().ok()?.len();
                Some(RecordingFile {
                    name,
                    bytes,
                    open,
                    began,
                })
            })
            .collect();
        list.sort_by(|a, b| b.name.cmp(&a.name));
        list
    }

    /// The path of a recording.
    ///
    /// # Errors
    /// There is no recording of this name.
    pub fn find(&self, name: &str) -> Result<PathBuf, Trouble> {
        let path = self.folder.join(name);
        // Only names of this form are accepted, so a path cannot leave the folder.
        if began(name).is_some() && path.is_file() {
            return Ok(path);
        }
        let trouble = ErrorCode::NotFound.trouble(format!("there is no recording `{name}`"));
        Err(trouble.fix("`GET /api/v1/recordings` lists them"))
    }

    /// The maximum size of a file. A longer run continues in another.
    fn most(&self) -> u64 {
        self.quota / 8
    }

    /// Removes the oldest files until there is room for one more.
    pub(super) fn make_room(&self) {
        let mut list = self.list(None);
        let mut all: u64 = list.iter().map(|it| it.bytes).sum();
        while all + self.most() > self.quota {
            let Some(oldest) = list.pop() else {
                return;
            };
            if fs::remove_file(self.folder.join(&oldest.name)).is_ok() {
                all -= oldest.bytes;
            }
        }
    }

    /// A name that sorts after all others, even if the clock went back: the oldest file sorts first.
    fn next_name(&self, run: u64, at: Duration) -> String {
        let wished = name(run, at);
        match self.list(None).first() {
            Some(newest) if newest.name >= wished => {
                name(run, Duration::from_secs(newest.began + 1))
            }
            _ => wished,
        }
    }

    /// Starts a recording of what is logged in `context`.
    pub(super) fn begin(
        &self,
        context: &std::sync::Arc<Context>,
        run: u64,
        at: Duration,
    ) -> io::Result<OpenRecording> {
        let name = self.next_name(run, at);
        let path = self.folder.join(&name);
        let file = File::create_new(&path)?;
        let written = WriteStatus::default();
        let counted = CountingFile::new(file.try_clone()?, written.clone());
        let options = McapWriteOptions::new().chunk_size(Some(256 << 10));
        let writer = context.mcap_writer_with_options(options);
        let handle = writer.create(counted).map_err(|error| {
            // An empty file is not a recording.
            let _ = fs::remove_file(&path);
            io::Error::other(error)
        })?;
        Ok(OpenRecording {
            name,
            handle,
            written,
            most: self.most(),
            file,
        })
    }
}

impl OpenRecording {
    /// Adds an attachment.
    pub(super) fn attach(&self, name: &str, kind: &str, text: &str, at: u64) -> io::Result<()> {
        let attachment = McapAttachment {
            log_time: at,
            create_time: at,
            name: name.to_owned(),
            media_type: kind.to_owned(),
            data: text.as_bytes().to_vec().into(),
        };
        self.handle.attach(&attachment).map_err(io::Error::other)
    }

    /// Adds a metadata record.
    pub(super) fn note(&self, name: &str, words: BTreeMap<String, String>) -> io::Result<()> {
        let written = self.handle.write_metadata(name, words);
        written.map_err(io::Error::other)
    }

    /// Flushes to the file, and syncs the file to the disk if `to_disk`.
    pub(super) fn flush(&self, to_disk: bool) -> io::Result<()> {
        self.handle.flush().map_err(io::Error::other)?;
        if self.written.failed.load(Ordering::Acquire) {
            return Err(io::Error::other("a part of it could not be written"));
        }
        if to_disk {
            self.file.sync_data()?;
        }
        Ok(())
    }

    /// Whether it has reached the maximum size.
    pub(super) fn is_full(&self) -> bool {
        self.written.bytes.load(Ordering::Acquire) >= self.most
    }

    /// Closes it. The returned file is complete, but not yet synced.
    pub(super) fn close(self) -> io::Result<File> {
        self.handle.close().map_err(io::Error::other)?;
        Ok(self.file)
    }
}

/// The name of a recording that begins at this UTC.
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

/// When the recording of this name began; `None` if the name has another form.
fn began(name: &str) -> Option<u64> {
    let stem = name.strip_suffix(ENDING)?;
    let (time, run) = stem.split_once('-')?;
    let is_run = run.len() == 8 && run.bytes().all(|it| it.is_ascii_hexdigit());
    let (date, time) = time.strip_suffix('Z')?.split_once('T')?;
    let (time, millis) = time.split_once('.')?;
    let digits = |it: &str, length| it.len() == length && it.bytes().all(|it| it.is_ascii_digit());
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

/// The folder of recordings in a state folder.
pub fn folder(state: &Path) -> PathBuf {
    state.join("recordings")
}

/// The machine's UTC, for file names.
pub(super) fn utc() -> Duration {
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
            let it = name(0xab12_cd34, Duration::from_millis(seconds * 1000 + 7));
            assert_eq!(began(&it), Some(seconds), "{it}");
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
    fn the_newest_is_the_last_although_a_clock_was_wrong() {
        let folder = tempfile::tempdir().expect("a folder");
        let put = |name: &str| std::fs::write(folder.path().join(name), [0; 100]).expect("a file");
        let (recordings, _) = RecordingFolder::at(folder.path().to_owned(), 800).expect("a folder");
        let right = Duration::from_secs(1_800_000_000);
        assert_eq!(recordings.next_name(1, right), name(1, right));
        // The clock was far ahead when a file was named. The next one sorts after it all the same.
        let ahead = Duration::from_secs(4_300_000_000);
        put(&name(2, ahead));
        for run in 3..9 {
            let next =
                recordings.next_name(run, right + Duration::from_secs(u64::from(run as u32)));
            assert!(
                began(&next).is_some_and(|it| it > ahead.as_secs()),
                "{next}"
            );
            put(&next);
        }
        recordings.make_room();
        let names: Vec<_> = recordings
            .list(None)
            .into_iter()
            .map(|it| it.name)
            .collect();
        assert_eq!(names.len(), 7);
        put(&recordings.next_name(9, right));
        recordings.make_room();
        assert!(
            recordings.find(&name(2, ahead)).is_err(),
            "the oldest has gone"
        );
    }
}
