//! Closes a recording's file that was broken off, so that every reader of MCAP opens it and seeks in it.
//! Used by the folder of recordings. Whatever was whole on the disk when the writer died is kept, and the
//! file ends as the format wants, with a summary and an index.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use mcap::MAGIC;
use mcap::records::op;

use super::summary::McapSummary;

/// What a file lacks that was broken off, or that is being written.
#[derive(Debug)]
pub struct MissingEnd {
    /// How many bytes of it are whole.
    pub whole: u64,
    /// The bytes that end it there.
    pub ending: Vec<u8>,
}

/// Closes a file that was broken off: what is not whole goes, and an end is written. Whether it was needed.
///
/// # Errors
/// The disk would not, or it is no such file.
pub(super) fn repair(path: &Path) -> io::Result<bool> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let Some(missing) = missing_end(&mut file)? else {
        return Ok(false);
    };
    file.set_len(missing.whole)?;
    file.seek(SeekFrom::Start(missing.whole))?;
    file.write_all(&missing.ending)?;
    file.sync_all()?;
    Ok(true)
}

/// What this file lacks; nothing if it is closed.
///
/// # Errors
/// The disk would not, or it is no such file.
pub fn missing_end(file: &mut File) -> io::Result<Option<MissingEnd>> {
    let length = file.metadata()?.len();
    if is_closed(file)? {
        return Ok(None);
    }
    let mut reader = BufReader::new(&*file);
    reader.seek(SeekFrom::Start(0))?;
    let mut head = [0; 8];
    if reader.read_exact(&mut head).is_err() || head != MAGIC {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "not a recording",
        ));
    }
    end_of(&mut reader, length).map(Some)
}

/// The end of a file of this length, which is read from its ninth byte.
fn end_of(reader: &mut BufReader<&File>, length: u64) -> io::Result<MissingEnd> {
    let (mut at, mut whole) = (8, 8);
    let mut summary = McapSummary::default();
    loop {
        let mut record = [0; 9];
        if reader.read_exact(&mut record).is_err() {
            break;
        }
        let [mark, size @ ..] = record;
        let size = u64::from_le_bytes(size);
        let end = size.checked_add(at + 9);
        // A length of nonsense ends what can be believed; so does the beginning of an end.
        let is_end = mark == op::DATA_END || mark == op::FOOTER;
        let Some(end) = end.filter(|end| *end <= length && !is_end) else {
            break;
        };
        let mut content = vec![0; size as usize];
        reader.read_exact(&mut content)?;
        if summary.note(mark, &content, at) {
            whole = end;
        }
        at = end;
    }
    let ending = summary.ending(whole)?;
    Ok(MissingEnd { whole, ending })
}

/// Whether the file has its end.
///
/// # Errors
/// The disk would not.
pub fn is_closed(file: &mut File) -> io::Result<bool> {
    let length = file.metadata()?.len();
    let Some(before) = length.checked_sub(8) else {
        return Ok(false);
    };
    let mut tail = [0; 8];
    file.seek(SeekFrom::Start(before))?;
    file.read_exact(&mut tail)?;
    // The magic alone is the beginning of a file.
    Ok(tail == MAGIC && before > 0)
}
