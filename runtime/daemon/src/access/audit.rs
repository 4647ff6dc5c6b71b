//! The audit log: every act, who did it, from where, and its outcome; one JSON object on a line.
//! Written by the audit writer's thread. Lines are only appended; entries that cannot be written are counted,
//! and the act goes on.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use protocol::people::AuditEntry;

use crate::store::open_no_link;

/// The length at which a new file begins, bytes.
const LENGTH_MAX: u64 = 16 << 20;

/// The number of rotated files.
const ROTATED_MAX: u32 = 4;

/// The log.
#[derive(Debug)]
pub struct AuditLog {
    path: PathBuf,
    file: Option<File>,
    length: u64,
    /// The number of entries that could not be written.
    pub lost: u64,
}

impl AuditLog {
    /// The log in this file.
    pub fn at(path: PathBuf) -> AuditLog {
        AuditLog {
            path,
            file: None,
            length: 0,
            lost: 0,
        }
    }

    /// Appends an entry.
    pub fn add(&mut self, act: &AuditEntry) {
        if self.write(act).is_err() {
            self.lost += 1;
            // The next entry opens the file again.
            self.file = None;
        }
    }

    fn write(&mut self, act: &AuditEntry) -> io::Result<()> {
        if self.file.is_none() {
            let mut options = OpenOptions::new();
            options.append(true).create(true).mode(0o600);
            let file = open_no_link(&mut options, &self.path)?;
            self.length = file.metadata()?.len();
            self.file = Some(file);
            // A full disk or a crash may have left an incomplete line.
            if self.length > 0 && last_byte(&self.path)? != b'\n' {
                self.append(b"\n")?;
            }
        }
        let mut line = serde_json::to_vec(act)?;
        line.push(b'\n');
        if self.length + line.len() as u64 > LENGTH_MAX {
            self.rotate()?;
            return self.write(act);
        }
        self.append(&line)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = self.file.as_mut().ok_or(io::ErrorKind::NotFound)?;
        file.write_all(bytes)?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    fn rotate(&mut self) -> io::Result<()> {
        self.file = None;
        let number = |n: u32| self.path.with_extension(format!("log.{n}"));
        for i in (1..ROTATED_MAX).rev() {
            // Some of them may not exist yet.
            let _ = std::fs::rename(number(i), number(i + 1));
        }
        std::fs::rename(&self.path, number(1))
    }

    /// The last entries, the newest last.
    pub fn last(&self, most: usize) -> Vec<AuditEntry> {
        let text = std::fs::read_to_string(&self.path).unwrap_or_default();
        let mut acts: Vec<_> = text
            .lines()
            .rev()
            .take(most)
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        acts.reverse();
        acts
    }
}

fn last_byte(path: &Path) -> io::Result<u8> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::End(-1))?;
    let mut byte = [0];
    file.read_exact(&mut byte)?;
    Ok(byte[0])
}
