//! A recording that is read: whole, broken off, or damaged somewhere in between.
//! Opened once and looked through from end to end, then read turn by turn by whoever plays it again.
//! The law: whatever the bytes are, there is either a recording with a list of what is wrong in it, each with its
//! place, or a sentence that says why there is none. Nothing is allocated because a file says so.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use mcap::MAGIC;
use mcap::read::ChunkReader;
use mcap::records::{Record, op};
use prost::Message;

use super::recorder::layer_name;
use super::tape::is_sealed;
use super::{Guest, Run, Turn, topic};
use crate::config::{Layer, Robot, of_layers};

/// The longest record that is read, bytes.
const RECORD_MAX: u64 = 256 << 20;

/// The most that a chunk may come to, bytes.
const CHUNK_MAX: u64 = 64 << 20;

/// Bytes of what comes before a record: its kind and its length.
const HEAD: u64 = 9;

/// Places that are told of; there may be more.
const DAMAGES: usize = 16;

/// A place in a recording that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The byte of the file at which the broken part begins.
    pub at: u64,
    /// The turns in it, as far as that can be said.
    pub turns: Option<(u64, u64)>,
    /// What is wrong.
    pub why: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.turns {
            Some((first, last)) if first == last => write!(f, "in turn {first}, ")?,
            Some((first, last)) => write!(f, "in turns {first} to {last}, ")?,
            None => {}
        }
        write!(f, "at byte {}: {}", self.at, self.why)
    }
}

/// Why there is no recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordingError {
    /// It cannot be read at all.
    Io(String),
    /// It is something else.
    Foreign(String),
    /// It is one, but what has to be known of it is missing; what could be seen of it.
    Beheaded {
        /// What is missing, or broken.
        why: String,
        /// Turns that are in it all the same.
        turns: u64,
    },
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordingError::Io(why) => f.write_str(why),
            RecordingError::Foreign(why) => {
                write!(
                    f,
                    "it is no recording of dcm-run: {why}; fix: record one with `dcm-run run … \
                     --record out.mcap`"
                )
            }
            RecordingError::Beheaded { why, turns } => write!(
                f,
                "it cannot be played again: {why}; of its turns {turns} can still be read, by any \
                 reader of MCAP"
            ),
        }
    }
}

impl std::error::Error for RecordingError {}

/// A recording.
#[derive(Debug)]
pub struct Recording {
    file: File,
    length: u64,
    /// Who plays, and how.
    pub run: Run,
    /// The robot, as its texts describe it.
    pub robot: Arc<Robot>,
    /// Everyone who was brought in, with its bytes.
    pub guests: Vec<(Guest, Arc<[u8]>)>,
    /// What is not as it was written.
    pub damages: Vec<Damage>,
    channels: BTreeMap<u16, String>,
    parts: Vec<(u64, u64)>,
    turns: u64,
    last: u64,
}

/// A turn that was read.
#[derive(Debug)]
pub struct Read {
    /// The byte at which its part of the file begins.
    pub at: u64,
    /// Whether it is what was written.
    pub sealed: bool,
    /// The turn.
    pub turn: Turn,
}

/// What is found in one look through a file.
#[derive(Default)]
struct Found {
    channels: BTreeMap<u16, String>,
    run: Option<Run>,
    layers: BTreeMap<String, Vec<u8>>,
    guests: Vec<Guest>,
    components: BTreeMap<String, Arc<[u8]>>,
    /// Where turns are: from which byte on, and how many bytes.
    parts: Vec<(u64, u64)>,
    damages: Vec<Damage>,
    turns: u64,
    /// The instant of the last turn.
    last: u64,
    has_ours: bool,
}

impl Recording {
    /// Opens the recording in this file, and looks through all of it.
    ///
    /// # Errors
    /// [`RecordingError`].
    pub fn open(path: &Path) -> Result<Recording, RecordingError> {
        let io = |error: std::io::Error| RecordingError::Io(format!("it cannot be read: {error}"));
        let file = File::open(path).map_err(io)?;
        let about = file.metadata().map_err(io)?;
        if !about.is_file() {
            return Err(RecordingError::Foreign("it is no file".to_owned()));
        }
        let length = about.len();
        let mut magic = [0; MAGIC.len()];
        let read = file.read_at(&mut magic, 0).map_err(io)?;
        if read < magic.len() || magic != MAGIC {
            let why = if length == 0 {
                "it is empty".to_owned()
            } else {
                "its first eight bytes are not those of MCAP".to_owned()
            };
            return Err(RecordingError::Foreign(why));
        }
        let mut found = Found::default();
        look_through(&file, length, &mut found);
        Recording::of(file, length, found)
    }

    fn of(file: File, length: u64, found: Found) -> Result<Recording, RecordingError> {
        let Found {
            run,
            layers,
            guests,
            components,
            parts,
            damages,
            turns,
            last,
            has_ours,
            channels,
        } = found;
        if !has_ours && damages.is_empty() {
            let why = "it is MCAP, but of another program: it has no turns of ours".to_owned();
            return Err(RecordingError::Foreign(why));
        }
        let first = damages.first().map(|it| format!("; {it}"));
        let first = first.unwrap_or_default();
        let beheaded = |why: String| RecordingError::Beheaded { why, turns };
        let Some(run) = run else {
            return Err(beheaded(format!("what says who plays is missing{first}")));
        };
        let mut texts = Vec::new();
        for place in 0..run.layers.len() {
            let name = layer_name(place);
            let text = layers.get(&name).and_then(|it| String::from_utf8(it.clone()).ok());
            let Some(text) = text else {
                return Err(beheaded(format!("{name}, the robot's description, is missing{first}")));
            };
            texts.push(Layer {
                name,
                path: None,
                text,
            });
        }
        let robot = of_layers(texts);
        let robot = robot.map_err(|it| beheaded(format!("the robot's description is none: {it}")))?;
        let fits = robot.actuators.len() == run.actuators.len()
            && robot.sensors.len() == run.sensors.len()
            && robot.boards.len() == run.boards.len();
        if !fits {
            let why = "the robot's description is not that of its turns".to_owned();
            return Err(beheaded(why));
        }
        let mut cast = Vec::new();
        for guest in guests {
            let Some(bytes) = components.get(&guest.digest) else {
                let name = &guest.name;
                return Err(beheaded(format!("the bytes of `{name}` are missing{first}")));
            };
            cast.push((guest, Arc::clone(bytes)));
        }
        Ok(Recording {
            file,
            length,
            run,
            robot: Arc::new(robot),
            guests: cast,
            damages,
            channels,
            parts,
            turns,
            last,
        })
    }

    /// How many turns can be read.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// The instant of the last of them, ns.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// The file's size.
    pub fn size(&self) -> u64 {
        self.length
    }

    /// All turns that can be read, in their order.
    pub fn each_turn(&self) -> impl Iterator<Item = Read> {
        self.parts.iter().flat_map(|(at, length)| {
            let mut turns = Vec::new();
            let body = read(&self.file, *at, *length).unwrap_or_default();
            // It was looked at before: what cannot be read now was told of then.
            let _ = each_record(&body, |record| {
                if let Record::Message { header, data } = record
                    && is(self.channels.get(&header.channel_id)) == Is::Turn
                    && let Ok(turn) = Turn::decode(&*data)
                {
                    let (at, sealed) = (at - HEAD, is_sealed(&data));
                    turns.push(Read { at, sealed, turn });
                }
            });
            turns
        })
    }
}

/// What a message is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Is {
    Run,
    Turn,
    Guest,
    Other,
}

fn is(topic: Option<&String>) -> Is {
    match topic.map(String::as_str) {
        Some(topic::RUN) => Is::Run,
        Some(topic::TURN) => Is::Turn,
        Some(topic::GUEST) => Is::Guest,
        _ => Is::Other,
    }
}

/// Reads a part of the file that is there.
fn read(file: &File, at: u64, length: u64) -> std::io::Result<Vec<u8>> {
    let mut body = vec![0; usize::try_from(length).unwrap_or(0)];
    file.read_exact_at(&mut body, at)?;
    Ok(body)
}

fn look_through(file: &File, length: u64, found: &mut Found) {
    let mut at = MAGIC.len() as u64;
    let mut head = [0; HEAD as usize];
    loop {
        let left = length - at;
        if left < HEAD {
            let why = "it ends here: it was broken off before it was closed".to_owned();
            return damage(found, at, None, why);
        }
        if let Err(error) = file.read_exact_at(&mut head, at) {
            return damage(found, at, None, error.to_string());
        }
        let (opcode, size) = (head[0], u64::from_le_bytes(head[1..].try_into().unwrap_or([0; 8])));
        if opcode == 0 || (opcode > op::DATA_END && opcode < 0x80) {
            let why = format!("there is no record of the kind {opcode}");
            return damage(found, at, None, why);
        }
        if size > left - HEAD {
            let why = format!(
                "a record of {size} bytes begins here, and {} are there: it was broken off",
                left - HEAD
            );
            return damage(found, at, None, why);
        }
        if size > RECORD_MAX {
            let why = format!("a record of {size} bytes is none of ours");
            return damage(found, at, None, why);
        }
        let begins = at;
        at += HEAD;
        match read(file, at, size) {
            Ok(body) => record(found, opcode, begins, &body),
            Err(error) => return damage(found, begins, None, error.to_string()),
        }
        at += size;
        if opcode == op::FOOTER {
            if length - at != MAGIC.len() as u64 {
                let why = "there is more than an end after the end".to_owned();
                damage(found, at, None, why);
            }
            return;
        }
    }
}

fn damage(found: &mut Found, at: u64, turns: Option<(u64, u64)>, why: String) {
    if found.damages.len() < DAMAGES {
        found.damages.push(Damage { at, turns, why });
    }
}

/// Looks at one record of the file.
fn record(found: &mut Found, opcode: u8, at: u64, body: &[u8]) {
    match opcode {
        op::ATTACHMENT => match attachment(body) {
            Ok((name, data)) => attached(found, at, name, data),
            Err(why) => damage(found, at, None, why.to_owned()),
        },
        op::CHUNK => chunk(found, at, body),
        op::CHANNEL => {
            if let Ok(Record::Channel(channel)) = mcap::parse_record(opcode, body) {
                found.channels.insert(channel.id, channel.topic);
            }
        }
        _ => {}
    }
}

/// Something of ours was attached.
fn attached(found: &mut Found, at: u64, name: &str, data: &[u8]) {
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

/// Takes an attachment apart: times, name, type, data, and the checksum of it all.
fn attachment(body: &[u8]) -> Result<(&str, &[u8]), &'static str> {
    const SHORT: &str = "an attachment is shorter than it says";
    let (whole, crc) = body.split_last_chunk::<4>().ok_or(SHORT)?;
    if crc32fast::hash(whole) != u32::from_le_bytes(*crc) {
        return Err("an attachment is not what was written: its checksum does not fit");
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

/// Looks at a chunk: whether it is whole, and what is in it.
fn chunk(found: &mut Found, at: u64, body: &[u8]) {
    let mut turns: Option<(u64, u64)> = None;
    let (mut broken, mut last) = (Vec::new(), found.last);
    let (mut count, mut run, mut brought) = (0, None, Vec::new());
    let mut channels = std::mem::take(&mut found.channels);
    let result = each_record(body, |record| match record {
        Record::Channel(channel) => {
            channels.insert(channel.id, channel.topic);
        }
        Record::Message { header, data } => {
            match is(channels.get(&header.channel_id)) {
                Is::Turn => {
                    let Ok(turn) = Turn::decode(&*data) else {
                        broken.push((None, "a turn in it is none"));
                        return;
                    };
                    let number = turn.number;
                    turns = Some(turns.map_or((number, number), |it| (it.0, number)));
                    if is_sealed(&data) {
                        (count, last) = (count + 1, turn.now);
                    } else {
                        let why = "it is not what was written: its seal does not fit";
                        broken.push((Some((number, number)), why));
                    }
                }
                Is::Run => run = Run::decode(&*data).ok(),
                Is::Guest => brought.extend(Guest::decode(&*data).ok()),
                Is::Other => {}
            }
        }
        _ => {}
    });
    found.has_ours |= channels.values().any(|it| it == topic::TURN);
    found.channels = channels;
    if let Err(why) = result
        && broken.is_empty()
    {
        let after = turns.map_or(String::new(), |it| format!(" after turn {}", it.1));
        damage(found, at, None, format!("this part is damaged{after}: {why}"));
    }
    for (turns, why) in broken {
        damage(found, at, turns, why.to_owned());
    }
    found.run = found.run.take().or(run);
    found.guests.extend(brought);
    (found.turns, found.last) = (found.turns + count, last);
    if turns.is_some() {
        found.parts.push((at + HEAD, body.len() as u64));
    }
}

/// Every record of a chunk; why it is not whole.
fn each_record(body: &[u8], mut see: impl FnMut(Record<'_>)) -> Result<(), String> {
    let chunk = mcap::parse_record(op::CHUNK, body).map_err(|it| it.to_string())?;
    let Record::Chunk { header, data } = chunk else {
        return Err("it is no chunk".to_owned());
    };
    if header.uncompressed_size > CHUNK_MAX {
        return Err(format!("it says that it has {} bytes", header.uncompressed_size));
    }
    let reader = ChunkReader::new(header, &data).map_err(|it| it.to_string())?;
    for record in reader {
        see(record.map_err(|it| it.to_string())?);
    }
    Ok(())
}
