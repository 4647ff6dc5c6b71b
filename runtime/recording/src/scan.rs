//! Scans a recording's file from end to end: what is in it, and what of it is damaged. Done once, when a recording is
//! opened.
//! No length in the file is allocated unchecked, and nothing is believed without a checksum.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use mcap::records::{Record, op};
use mcap::sans_io::linear_reader::{LinearReadEvent, LinearReader, LinearReaderOptions};
use mcap::{MAGIC, McapError};
use prost::Message;

use super::damage::Damage;
use super::tape::is_sealed;
use super::{EventTopic, Guest, Run, Turn, topic};

/// The longest record that is read, bytes.
const RECORD_MAX: u64 = 256 << 20;

/// The longest record in a chunk, bytes.
const CHUNK_MAX: usize = 64 << 20;

/// The bytes of a record's header: its kind and its length.
const HEAD: u64 = 9;

/// The most damages that are reported.
const DAMAGES: usize = 16;

/// What a scan has found in a file.
#[derive(Default)]
pub(super) struct RecordingScan {
    pub(super) channels: BTreeMap<u16, String>,
    pub(super) run: Option<Run>,
    pub(super) layers: BTreeMap<String, Vec<u8>>,
    pub(super) guests: Vec<Guest>,
    pub(super) topics: Vec<EventTopic>,
    pub(super) components: BTreeMap<String, Arc<[u8]>>,
    /// The chunks with turns: the offset and the length of each.
    pub(super) parts: Vec<(u64, u64)>,
    pub(super) damages: Vec<Damage>,
    /// Where the file ends in the middle of a record, or without an end.
    pub(super) cut_off: Option<Damage>,
    pub(super) turns: u64,
    /// The number of the last turn, and its instant.
    pub(super) follows: u64,
    pub(super) last: u64,
    pub(super) has_turns: bool,
}

/// The kind of a message, by its topic.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageKind {
    Run,
    Turn,
    Guest,
    EventTopic,
    Other,
}

pub(super) fn kind_of(topic: Option<&String>) -> MessageKind {
    match topic.map(String::as_str) {
        Some(topic::RUN) => MessageKind::Run,
        Some(topic::TURN) => MessageKind::Turn,
        Some(topic::GUEST) => MessageKind::Guest,
        Some(topic::EVENT_TOPIC) => MessageKind::EventTopic,
        _ => MessageKind::Other,
    }
}

/// Reads a part of the file.
pub(super) fn read(file: &File, at: u64, length: u64) -> std::io::Result<Vec<u8>> {
    let mut body = vec![0; usize::try_from(length).unwrap_or(0)];
    file.read_exact_at(&mut body, at)?;
    Ok(body)
}

pub(super) fn scan(file: &File, length: u64, found: &mut RecordingScan) {
    let mut at = MAGIC.len() as u64;
    let mut crc = crc32fast::Hasher::new();
    crc.update(MAGIC);
    loop {
        let left = length - at;
        if left < HEAD {
            let why = "it ends here: the recording was cut off before it was closed".to_owned();
            return cut_off(found, at, why);
        }
        let mut head = [0; HEAD as usize];
        if let Err(error) = file.read_exact_at(&mut head, at) {
            return damage(found, at, None, error.to_string());
        }
        let [opcode, size @ ..] = head;
        let size = u64::from_le_bytes(size);
        if opcode == 0 || (opcode > op::DATA_END && opcode < 0x80) {
            let why = format!("there is no kind of record {opcode}");
            return damage(found, at, None, why);
        }
        if size > left - HEAD {
            let why = if size == u64::MAX {
                "a record begins here that was never finished: the recording was cut off".to_owned()
            } else {
                format!(
                    "a record of {size} bytes begins here, but only {} are there: the recording was cut off",
                    left - HEAD
                )
            };
            return cut_off(found, at, why);
        }
        if size > RECORD_MAX {
            let why = format!("a record of {size} bytes is too large to be one of ours");
            return damage(found, at, None, why);
        }
        let whole = match read(file, at, HEAD + size) {
            Ok(whole) => whole,
            Err(error) => return damage(found, at, None, error.to_string()),
        };
        if opcode == op::DATA_END {
            // Over everything before it: what viewers find their way by is in no other checksum.
            let is = std::mem::take(&mut crc).finalize();
            check(
                found,
                at,
                "the part before this",
                is,
                &whole[HEAD as usize..],
            );
        } else if opcode == op::FOOTER {
            let (before, saved) = whole.split_at(whole.len().saturating_sub(4));
            crc.update(before);
            let is = std::mem::take(&mut crc).finalize();
            check(found, at, "the index before this", is, saved);
        } else {
            crc.update(&whole);
        }
        record(found, opcode, at, &whole);
        at += HEAD + size;
        if opcode == op::FOOTER {
            let end = read(file, at, length - at).unwrap_or_default();
            if end != MAGIC {
                let why = "the file does not end with the MCAP end mark".to_owned();
                damage(found, at, None, why);
            }
            return;
        }
    }
}

/// Compares a checksum with the one in the file; 0 means that there is none. A damage that was found before explains
/// a mismatch.
fn check(found: &mut RecordingScan, at: u64, what: &str, is: u32, written: &[u8]) {
    let written = written
        .first_chunk::<4>()
        .map_or(0, |first_chunk| u32::from_le_bytes(*first_chunk));
    if written != 0 && written != is && found.damages.is_empty() {
        let why = format!("{what} is not what was written, but every turn in it is");
        damage(found, at, None, why);
    }
}

fn damage(found: &mut RecordingScan, at: u64, turns: Option<(u64, u64)>, why: String) {
    if found.damages.len() < DAMAGES {
        found.damages.push(Damage { at, turns, why });
    }
}

fn cut_off(found: &mut RecordingScan, at: u64, why: String) {
    let turns = None;
    found.cut_off = Some(Damage { at, turns, why });
}

/// Looks at one record of the file.
fn record(found: &mut RecordingScan, opcode: u8, at: u64, whole: &[u8]) {
    let body = &whole[HEAD as usize..];
    match opcode {
        op::ATTACHMENT => match attachment(body) {
            Ok((name, data)) => attached(found, at, name, data),
            Err(why) => damage(found, at, None, why.to_owned()),
        },
        op::CHUNK => chunk(found, at, whole),
        op::CHANNEL => {
            if let Ok(Record::Channel(channel)) = mcap::parse_record(opcode, body) {
                found.channels.insert(channel.id, channel.topic);
            }
        }
        _ => {}
    }
}

/// Keeps an attachment: a component, or a layer of the robot's description.
fn attached(found: &mut RecordingScan, at: u64, name: &str, data: &[u8]) {
    if let Some(digest) = name.strip_suffix(".wasm") {
        if guests::digest(data) != digest {
            let why = format!("the bytes attached as {name} have another digest");
            return damage(found, at, None, why);
        }
        found.components.insert(digest.to_owned(), data.into());
    } else {
        found.layers.insert(name.to_owned(), data.to_vec());
    }
}

/// Parses an attachment: times, name, type, data, and the checksum of all of it.
fn attachment(body: &[u8]) -> Result<(&str, &[u8]), &'static str> {
    const SHORT: &str = "an attachment is shorter than it says";
    let (whole, crc) = body.split_last_chunk::<4>().ok_or(SHORT)?;
    if crc32fast::hash(whole) != u32::from_le_bytes(*crc) {
        return Err("an attachment is not what was written: its checksum does not match");
    }
    let mut rest = whole.get(16..).ok_or(SHORT)?;
    let mut text = || -> Option<&[u8]> {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let (text, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        rest = after;
        Some(text)
    };
    let name = text().ok_or(SHORT)?;
    text().ok_or(SHORT)?;
    let data = rest.get(8..).ok_or(SHORT)?;
    let name = std::str::from_utf8(name).map_err(|_| "an attachment has no name")?;
    Ok((name, data))
}

/// Scans a chunk, and checks that it is whole.
fn chunk(found: &mut RecordingScan, at: u64, whole: &[u8]) {
    let mut turns: Option<(u64, u64)> = None;
    let (mut broken, mut last): (Option<(u64, u64)>, _) = (None, found.last);
    let (mut count, mut run, mut brought) = (0, None, Vec::new());
    let mut topics = Vec::new();
    let mut channels = std::mem::take(&mut found.channels);
    let result = each_record(whole, |record| match record {
        Record::Channel(channel) => {
            channels.insert(channel.id, channel.topic);
        }
        Record::Message { header, data } => {
            match kind_of(channels.get(&header.channel_id)) {
                MessageKind::Turn => {
                    let sealed = is_sealed(&data);
                    let turn = Turn::decode(&*data).ok().filter(|_| sealed);
                    let Some(turn) = turn else {
                        // Its place says which it is, whatever it says itself.
                        let number = turns.map_or(found.follows, |turn| turn.1).saturating_add(1);
                        turns = Some(turns.map_or((number, number), |turn| (turn.0, number)));
                        broken = Some(broken.map_or((number, number), |broken| (broken.0, number)));
                        return;
                    };
                    let number = turn.number;
                    turns = Some(turns.map_or((number, number), |turn| (turn.0, number)));
                    (count, last) = (count + 1, turn.now);
                }
                MessageKind::Run => run = Run::decode(&*data).ok(),
                MessageKind::Guest => brought.extend(Guest::decode(&*data).ok()),
                MessageKind::EventTopic => topics.extend(EventTopic::decode(&*data).ok()),
                MessageKind::Other => {}
            }
        }
        _ => {}
    });
    found.has_turns |= channels.values().any(|value| value == topic::TURN);
    found.channels = channels;
    found.follows = turns.map_or(found.follows, |turn| turn.1);
    if result.is_ok() {
        // Only turns have checksums of their own.
        found.run = found.run.take().or(run);
        found.guests.extend(brought);
        found.topics.extend(topics);
    }
    if broken.is_some() {
        let why = "a turn is not what was written: its checksum does not match";
        damage(found, at, broken, why.to_owned());
    } else if let Err(why) = result {
        let why = match (turns, why) {
            (Some((first, last)), McapError::BadChunkCrc { .. }) => format!(
                "the messages for viewers are not what was written; turns {first} to {last}, in the same part, are"
            ),
            (Some((_, last)), why) => format!("this part is damaged after turn {last}: {why}"),
            (None, why) => format!("this part is damaged: {why}"),
        };
        damage(found, at, None, why);
    }
    (found.turns, found.last) = (found.turns + count, last);
    if turns.is_some() {
        found.parts.push((at, whole.len() as u64));
    }
}

/// Calls `see` with every record of a chunk. `record` is the whole chunk with its header.
pub(super) fn each_record(record: &[u8], mut see: impl FnMut(Record<'_>)) -> Result<(), McapError> {
    let options = LinearReaderOptions::default()
        .with_skip_start_magic(true)
        .with_skip_end_magic(true)
        .with_validate_chunk_crcs(true)
        .with_record_length_limit(CHUNK_MAX);
    let mut reader = LinearReader::new_with_options(options);
    let mut rest = record;
    while let Some(event) = reader.next_event() {
        match event? {
            LinearReadEvent::ReadRequest(need) => {
                let (now, later) = rest.split_at(need.min(rest.len()));
                reader.insert(now.len()).copy_from_slice(now);
                reader.notify_read(now.len());
                rest = later;
            }
            LinearReadEvent::Record { data, opcode } => see(mcap::parse_record(opcode, data)?),
        }
    }
    Ok(())
}
