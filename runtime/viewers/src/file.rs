//! The file of a recording: counts bytes, remembers errors, and repairs an incomplete file.
//! Used by `recordings`. The law: a repair keeps every complete record, and the file ends as MCAP requires.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The bytes at the beginning and the end of an MCAP file.
const MAGIC: [u8; 8] = *b"\x89MCAP0\r\n";

/// The opcodes of the last records.
const DATA_END: u8 = 0x0f;
const FOOTER: u8 = 0x02;

/// The state of a file that is being written, shared with its recording.
#[derive(Clone, Debug, Default)]
pub(super) struct WriteStatus {
    pub(super) bytes: Arc<AtomicU64>,
    pub(super) failed: Arc<AtomicBool>,
}

/// A file that counts the bytes written to it.
#[derive(Debug)]
pub(super) struct CountingFile {
    file: File,
    written: WriteStatus,
}

impl CountingFile {
    pub(super) fn new(file: File, written: WriteStatus) -> CountingFile {
        CountingFile { file, written }
    }

    fn note<T>(&self, done: io::Result<T>) -> io::Result<T> {
        if done.is_err() {
            self.written.failed.store(true, Ordering::Release);
        }
        done
    }
}

impl Write for CountingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes);
        let count = self.note(written)?;
        self.written.bytes.fetch_add(count as u64, Ordering::AcqRel);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.flush();
        self.note(flushed)
    }
}

impl Seek for CountingFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Closes an incomplete file: truncates it after the last complete record, and writes an end. Returns whether that was
/// needed.
///
/// # Errors
/// The disk failed, or it is not an MCAP file.
pub(super) fn repair(path: &Path) -> io::Result<bool> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let length = file.metadata()?.len();
    if is_closed(&mut file, length)? {
        return Ok(false);
    }
    let mut reader = BufReader::new(&file);
    reader.seek(SeekFrom::Start(0))?;
    let mut head = [0; 8];
    if reader.read_exact(&mut head).is_err() || head != MAGIC {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "not a recording",
        ));
    }
    let mut whole = 8;
    loop {
        let mut record = [0; 9];
        if reader.read_exact(&mut record).is_err() {
            break;
        }
        let [mark, size @ ..] = record;
        let end = u64::from_le_bytes(size).checked_add(whole + 9);
        // An impossible length or the beginning of an end is where the data ends.
        let Some(end) = end.filter(|it| *it <= length && mark != DATA_END && mark != FOOTER) else {
            break;
        };
        reader.seek_relative((end - whole - 9) as i64)?;
        whole = end;
    }
    drop(reader);
    file.set_len(whole)?;
    file.seek(SeekFrom::Start(whole))?;
    file.write_all(&ending())?;
    file.sync_all()?;
    Ok(true)
}

fn is_closed(file: &mut File, length: u64) -> io::Result<bool> {
    let Some(before) = length.checked_sub(8) else {
        return Ok(false);
    };
    let mut tail = [0; 8];
    file.seek(SeekFrom::Start(before))?;
    file.read_exact(&mut tail)?;
    // A file needs at least the magic bytes.
    Ok(tail == MAGIC && before > 0)
}

/// The end of a file without a summary. Readers then scan it from the beginning.
fn ending() -> Vec<u8> {
    let mut bytes = vec![DATA_END];
    bytes.extend(4_u64.to_le_bytes());
    bytes.extend([0; 4]);
    bytes.push(FOOTER);
    bytes.extend(20_u64.to_le_bytes());
    bytes.extend([0; 20]);
    bytes.extend(MAGIC);
    bytes
}
