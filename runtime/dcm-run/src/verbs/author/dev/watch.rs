//! Notices saves: looks at the times of a project's sources, a few times in a second. Used by `session`.
//!
//! Looking works on every file system, also where the kernel announces nothing (network folders, folders shared with a
//! container), and whatever an editor does: it writes in place, renames a draft over the file, or removes it first. A
//! project has tens of files, so that one look takes well below a millisecond. What counts is the content, so
//! that a build which only touches its sources does not start the next one.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use ::guests::digest;

use crate::verbs::author::project::sources;

/// The interval between two looks; longer where a look takes long, so that looking costs a few per cent at most.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);
const LOOK_SHARE: u32 = 30;

/// How long nothing may change before a save counts as finished, and how long it is waited for.
const QUIET_TIME: Duration = Duration::from_millis(30);
const BURST_TIME: Duration = Duration::from_secs(1);

/// The sources of a project, as they were seen last.
#[derive(Debug)]
pub(super) struct FileWatch {
    folder: PathBuf,
    patterns: Vec<String>,
    seen: BTreeMap<String, SeenFile>,
    /// When to look again.
    next: Instant,
}

/// A file, as it was seen.
#[derive(Clone, Debug, PartialEq)]
struct SeenFile {
    /// Its node, size and time of change; if they are the same, so is the content.
    status: (u64, u64, i64, i64),
    digest: String,
}

/// What has changed.
#[derive(Debug)]
pub(super) struct Change {
    /// One of the files.
    pub(super) file: String,
    /// The number of others.
    pub(super) more: usize,
    /// When the last of them was saved.
    pub(super) saved: SystemTime,
}

impl FileWatch {
    /// Looks at the files in this folder that have one of these patterns.
    pub(super) fn of(folder: PathBuf, patterns: Vec<String>) -> FileWatch {
        let mut watch = FileWatch {
            folder,
            patterns,
            seen: BTreeMap::new(),
            next: Instant::now(),
        };
        watch.seen = watch.scan();
        watch
    }

    /// The number of files.
    pub(super) fn count(&self) -> usize {
        self.seen.len()
    }

    /// What has changed since the last change, if anything. Waits for the end of a burst.
    pub(super) fn change(&mut self) -> Option<Change> {
        if Instant::now() < self.next {
            return None;
        }
        let begun = Instant::now();
        let mut now = self.scan();
        self.next = Instant::now() + LOOK_INTERVAL.max(begun.elapsed() * LOOK_SHARE);
        if now == self.seen {
            return None;
        }
        while begun.elapsed() < BURST_TIME {
            std::thread::sleep(QUIET_TIME);
            let later = self.scan();
            if later == now {
                break;
            }
            now = later;
        }
        let before = std::mem::replace(&mut self.seen, now);
        self.difference(&before)
    }

    /// The files whose content differs from before.
    fn difference(&self, before: &BTreeMap<String, SeenFile>) -> Option<Change> {
        let digest = |all: &BTreeMap<String, SeenFile>, name: &str| {
            all.get(name).map(|seen_file| seen_file.digest.clone())
        };
        let names = before.keys().chain(self.seen.keys());
        let mut names: Vec<_> = names
            .filter(|name| digest(before, name) != digest(&self.seen, name))
            .cloned()
            .collect();
        names.sort();
        names.dedup();
        let file = names.first()?.clone();
        let saved = names.iter().filter_map(|name| {
            let path = self.folder.join(name);
            fs::metadata(path).ok()?.modified().ok()
        });
        Some(Change {
            file,
            more: names.len() - 1,
            // A file that was removed has no time any more.
            saved: saved.max().unwrap_or_else(SystemTime::now),
        })
    }

    /// The files as they are now. A file is read only if its status has changed.
    fn scan(&self) -> BTreeMap<String, SeenFile> {
        let names = sources::files(&self.folder, &self.patterns);
        let seen = names.into_iter().filter_map(|name| {
            let path = self.folder.join(&name);
            let meta = fs::metadata(&path).ok()?;
            let status = (meta.ino(), meta.size(), meta.mtime(), meta.mtime_nsec());
            let known = self
                .seen
                .get(&name)
                .filter(|seen_file| seen_file.status == status);
            let digest = match known {
                Some(seen_file) => seen_file.digest.clone(),
                None => digest(&fs::read(&path).ok()?),
            };
            Some((name, SeenFile { status, digest }))
        });
        seen.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::time::{Duration, Instant};

    use super::{Change, FileWatch};

    fn watch(folder: &Path) -> FileWatch {
        FileWatch::of(folder.to_owned(), vec!["src/**".to_owned()])
    }

    /// What is noticed within two seconds.
    fn noticed(watch: &mut FileWatch) -> Change {
        let begun = Instant::now();
        loop {
            if let Some(change) = watch.change() {
                return change;
            }
            assert!(
                begun.elapsed() < Duration::from_secs(2),
                "nothing is noticed"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn nothing(watch: &mut FileWatch) {
        for _ in 0..3 {
            std::thread::sleep(Duration::from_millis(60));
            assert!(watch.change().is_none());
        }
    }

    #[test]
    fn a_save_is_noticed_however_an_editor_writes() {
        let folder = tempfile::tempdir().expect("a folder");
        let (src, draft) = (folder.path().join("src"), folder.path().join("draft"));
        fs::create_dir_all(src.join("target")).expect("a folder");
        let file = src.join("a.c");
        fs::write(&file, "1").expect("a file");
        let mut watch = watch(folder.path());
        nothing(&mut watch);

        fs::write(&file, "2").expect("in place");
        assert_eq!(noticed(&mut watch).file, "src/a.c");

        fs::write(&draft, "3").expect("a draft");
        fs::rename(&draft, &file).expect("by renaming");
        assert_eq!(noticed(&mut watch).file, "src/a.c");

        fs::rename(&file, src.join("a.c~")).expect("a copy is kept");
        fs::write(&file, "4").expect("a new file");
        let change = noticed(&mut watch);
        assert_eq!((change.file.as_str(), change.more), ("src/a.c", 1));

        fs::remove_file(&file).expect("removed");
        assert_eq!(noticed(&mut watch).file, "src/a.c");
        nothing(&mut watch);
    }

    #[test]
    fn a_burst_is_one_change_and_what_tools_write_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let src = folder.path().join("src");
        fs::create_dir_all(src.join("target")).expect("a folder");
        fs::write(src.join("same.c"), "same").expect("a file");
        let mut watch = watch(folder.path());
        for number in 0..5 {
            fs::write(src.join(format!("{number}.c")), "1").expect("a file");
        }
        let change = noticed(&mut watch);
        assert_eq!((change.file.as_str(), change.more), ("src/0.c", 4));
        fs::write(src.join("target/out.c"), "1").expect("a file");
        // Touched, as a tool may do that formats what is formatted.
        fs::write(src.join("same.c"), "same").expect("a file");
        nothing(&mut watch);
    }
}
