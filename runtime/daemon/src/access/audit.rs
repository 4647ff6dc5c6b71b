//! The audit log: every act, who did it, from where, and what came of it; one JSON object on a line.
//! Written by the gate, and by whatever acts by itself. The law: lines are only ever added; what could not
//! be written is counted, and stops nobody.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use api::people::AuditEntry;

/// The length at which a new file is begun.
const LONGEST: u64 = 16 << 20;

/// Files that are kept besides the one that is written to.
const BEFORE: u32 = 4;

/// The log.
#[derive(Debug)]
pub struct AuditLog {
    path: PathBuf,
    file: Option<File>,
    length: u64,
    /// Acts that could not be written down.
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

    /// Writes down an act.
    pub fn add(&mut self, act: &AuditEntry) {
        if self.write(act).is_err() {
            self.lost += 1;
            // The disk may be back at the next.
            self.file = None;
        }
    }

    fn write(&mut self, act: &AuditEntry) -> io::Result<()> {
        if self.file.is_none() {
            let mut options = OpenOptions::new();
            let file = options
                .append(true)
                .create(true)
                .mode(0o600)
                .open(&self.path)?;
            self.length = file.metadata()?.len();
            self.file = Some(file);
            // Half a line, which a full disk or a crash has left, is no part of the next.
            if self.length > 0 && last_byte(&self.path)? != b'\n' {
                self.append(b"\n")?;
            }
        }
        let mut line = serde_json::to_vec(act)?;
        line.push(b'\n');
        if self.length + line.len() as u64 > LONGEST {
            self.turn_over()?;
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

    fn turn_over(&mut self) -> io::Result<()> {
        self.file = None;
        let number = |it: u32| self.path.with_extension(format!("log.{it}"));
        for it in (1..BEFORE).rev() {
            // Those that are not there yet need no other name.
            let _ = std::fs::rename(number(it), number(it + 1));
        }
        std::fs::rename(&self.path, number(1))
    }

    /// The last acts, the newest last.
    pub fn last(&self, most: usize) -> Vec<AuditEntry> {
        let text = std::fs::read_to_string(&self.path).unwrap_or_default();
        let mut acts: Vec<_> = text
            .lines()
            .rev()
            .take(most)
            .filter_map(|it| serde_json::from_str(it).ok())
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
