//! Closes a recording's file that was broken off, so that every reader of MCAP opens it.
//! Used by the folder of recordings. The law: whatever was whole on the disk when the writer died is kept, and the
//! file ends as the format wants.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The bytes with which a file of this format begins and ends.
const MAGIC: [u8; 8] = *b"\x89MCAP0\r\n";

/// The marks of records that end a file.
const DATA_END: u8 = 0x0f;
const FOOTER: u8 = 0x02;

/// Closes a file that was broken off: what is not whole goes, and an end is written. Whether it was needed.
///
/// # Errors
/// The disk would not, or it is no such file.
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
        // A length of nonsense ends what can be believed; so does the beginning of an end.
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
    // The magic alone is the beginning of a file.
    Ok(tail == MAGIC && before > 0)
}

/// The end of a file without a summary: readers then read it from its beginning.
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
