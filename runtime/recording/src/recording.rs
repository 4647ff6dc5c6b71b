//! A recording that is read: complete, cut off, or damaged. Opened once and scanned from end to end, then read turn
//! by turn for a replay.
//! Whatever the bytes are, the result is a recording with a list of its damages, or a sentence that says why
//! there is none.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use guests::CodeForm;
use mcap::MAGIC;
use mcap::records::Record;
use prost::Message;

use super::damage::{Damage, RecordingError};
use super::run_info::layer_name;
use super::scan::{MessageKind, RecordingScan, each_record, kind_of, read, scan};
use super::tape::is_sealed;
use super::{EventTopic, Guest, Run, Turn, writing};
use description::{Layer, Robot, of_layers};

/// A recording.
#[derive(Debug)]
pub struct Recording {
    file: File,
    length: u64,
    /// The run: its robot, its period and its names.
    pub run: Run,
    /// The robot, from the description in the file.
    pub robot: Arc<Robot>,
    /// How guests reach sensors and commands.
    pub form: CodeForm,
    /// All guests that were loaded, with their bytes.
    pub guests: Vec<(Guest, Arc<[u8]>)>,
    /// The topics to which scores posted.
    pub topics: Vec<EventTopic>,
    /// What is damaged.
    pub damages: Vec<Damage>,
    /// Whether a process is still writing it: it has the turns until now.
    pub is_being_written: bool,
    /// What is damaged in this file alone, and whether that is only its end: it was cut off.
    pub(super) own_damages: Vec<Damage>,
    pub(super) is_cut_off: bool,
    channels: BTreeMap<u16, String>,
    parts: Vec<(u64, u64)>,
    turns: u64,
    last: u64,
    last_turn: u64,
    /// The files of the same run that come before this one, from its first turn on.
    pub(super) earlier: Vec<Recording>,
}

/// A turn that was read.
#[derive(Debug)]
pub struct RecordedTurn {
    /// The byte at which its part of the file begins.
    pub at: u64,
    /// Whether its checksum matches. If not, nothing in it is believed, not even its number.
    pub sealed: bool,
    /// The turn; an empty one if it cannot be decoded.
    pub turn: Turn,
}

impl Recording {
    /// Opens the recording in this file, and scans all of it.
    ///
    /// # Errors
    /// [`RecordingError`].
    pub fn open(path: &Path) -> Result<Recording, RecordingError> {
        let io = |error: std::io::Error| RecordingError::Io(format!("it cannot be read: {error}"));
        let file = File::open(path).map_err(io)?;
        // Asked before its length: if the writer closes it meanwhile, the length is that of an open file.
        let is_written = writing::is_written(&file);
        let about = file.metadata().map_err(io)?;
        if !about.is_file() {
            return Err(RecordingError::NotARecording("it is not a file".to_owned()));
        }
        let length = about.len();
        let mut magic = [0; MAGIC.len()];
        let read = file.read_at(&mut magic, 0).map_err(io)?;
        if is_written && read < magic.len() && MAGIC.starts_with(&magic[..read]) {
            return Err(RecordingError::NoTurnsYet);
        }
        if read < magic.len() || magic != MAGIC {
            let why = if length == 0 {
                "it is empty".to_owned()
            } else {
                "its first eight bytes are not those of MCAP".to_owned()
            };
            return Err(RecordingError::NotARecording(why));
        }
        let mut found = RecordingScan::default();
        scan(&file, length, &mut found);
        let cut_off = found.cut_off.take();
        let is_being_written = is_written && cut_off.is_some();
        if is_being_written && found.run.is_none() {
            return Err(RecordingError::NoTurnsYet);
        }
        let cut_off = cut_off.filter(|_| !is_being_written);
        let is_cut_off = cut_off.is_some() && found.damages.is_empty();
        found.damages.extend(cut_off);
        let recording = Recording::of(file, length, found)?;
        Ok(Recording {
            is_being_written,
            is_cut_off,
            ..recording
        })
    }

    fn of(file: File, length: u64, scan: RecordingScan) -> Result<Recording, RecordingError> {
        if !scan.has_turns && scan.damages.is_empty() {
            let why = "it is MCAP, but of another program: it has no turns of dcm-run".to_owned();
            return Err(RecordingError::NotARecording(why));
        }
        let contents = RecordingContents::of(&scan).map_err(|why| RecordingError::Incomplete {
            why,
            turns: scan.turns,
        })?;
        Ok(Recording {
            file,
            length,
            run: contents.run,
            robot: Arc::new(contents.robot),
            form: contents.form,
            guests: contents.guests,
            topics: scan.topics,
            own_damages: scan.damages.clone(),
            is_cut_off: false,
            damages: scan.damages,
            is_being_written: false,
            channels: scan.channels,
            parts: scan.parts,
            turns: scan.turns,
            last: scan.last,
            last_turn: scan.follows,
            earlier: Vec::new(),
        })
    }

    /// The number of turns that can be read.
    pub fn turns(&self) -> u64 {
        let earlier: u64 = self.earlier.iter().map(Recording::turns).sum();
        earlier + self.turns
    }

    /// The instant of the last of them, ns.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// The number of the last turn in its file.
    pub(super) fn last_turn(&self) -> u64 {
        self.last_turn
    }

    /// The size of its files.
    pub fn size(&self) -> u64 {
        let earlier: u64 = self.earlier.iter().map(Recording::size).sum();
        earlier + self.length
    }

    /// All turns that can be read, in their order.
    pub fn each_turn(&self) -> impl Iterator<Item = RecordedTurn> {
        let earlier = self.earlier.iter().flat_map(Recording::own_turns);
        earlier.chain(self.own_turns())
    }

    pub(super) fn own_turns(&self) -> impl Iterator<Item = RecordedTurn> {
        self.parts.iter().flat_map(|(at, length)| {
            let mut turns = Vec::new();
            let whole = read(&self.file, *at, *length).unwrap_or_default();
            // The scan has reported what cannot be read.
            let _ = each_record(&whole, |record| {
                if let Record::Message { header, data } = record
                    && kind_of(self.channels.get(&header.channel_id)) == MessageKind::Turn
                {
                    let turn = Turn::decode(&*data);
                    turns.push(RecordedTurn {
                        at: *at,
                        sealed: turn.is_ok() && is_sealed(&data),
                        turn: turn.unwrap_or_default(),
                    });
                }
            });
            turns
        })
    }
}

/// What a replay has to know besides the turns.
struct RecordingContents {
    run: Run,
    robot: Robot,
    form: CodeForm,
    guests: Vec<(Guest, Arc<[u8]>)>,
}

impl RecordingContents {
    /// Takes them from the scan of the file; the error says what is missing.
    fn of(scan: &RecordingScan) -> Result<RecordingContents, String> {
        let first = scan.damages.first().map(|damage| format!("; {damage}"));
        let first = first.unwrap_or_default();
        let missing = |what: String| format!("{what}{first}");
        let Some(run) = &scan.run else {
            return Err(missing("the description of the run is missing".to_owned()));
        };
        let layers = layers(run, &scan.layers).map_err(missing)?;
        let robot = of_layers(layers)
            .map_err(|error| format!("the robot's description is invalid: {error}"))?;
        let forms = [CodeForm::InPlace, CodeForm::Calls];
        let form = forms.into_iter().find(|form| form.name() == run.form);
        let form = form.ok_or_else(|| format!("there is no code form `{}`", run.form))?;
        let fits = robot.actuators.len() == run.actuators.len()
            && robot.sensors.len() == run.sensors.len()
            && robot.boards.len() == run.boards.len();
        if !fits {
            return Err("the robot's description does not match the turns".to_owned());
        }
        let with_bytes = |guest: &Guest| match scan.components.get(&guest.digest) {
            Some(bytes) => Ok((guest.clone(), Arc::clone(bytes))),
            None => Err(missing(format!(
                "the bytes of `{}` are missing",
                guest.name
            ))),
        };
        let guests = scan.guests.iter().map(with_bytes);
        Ok(RecordingContents {
            run: run.clone(),
            robot,
            form,
            guests: guests.collect::<Result<_, _>>()?,
        })
    }
}

/// The texts that describe the robot, in their order.
fn layers(run: &Run, attached: &BTreeMap<String, Vec<u8>>) -> Result<Vec<Layer>, String> {
    let layer = |place: usize| {
        let name = layer_name(place);
        let bytes = attached.get(&name);
        let text = bytes.and_then(|bytes| String::from_utf8(bytes.clone()).ok());
        match text {
            Some(text) => Ok(Layer {
                name,
                path: None,
                text,
            }),
            None => Err(format!("{name}, the robot's description, is missing")),
        }
    };
    (0..run.layers.len()).map(layer).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use mcap::MAGIC;

    use super::{Recording, writing};
    use crate::RecordingError;

    /// However few of the first bytes are there.
    #[test]
    fn a_file_that_is_just_being_begun_has_no_turns_yet() {
        for length in 0..=MAGIC.len() {
            let mut file = tempfile::NamedTempFile::new().expect("a file");
            writing::mark(file.as_file());
            file.write_all(&MAGIC[..length]).expect("it is written");
            let path = file.path().to_owned();
            let error = Recording::open(&path).expect_err("it has just begun");
            assert_eq!(error, RecordingError::NoTurnsYet, "{length} bytes");
        }
        let file = tempfile::NamedTempFile::new().expect("a file");
        let error = Recording::open(file.path()).expect_err("nobody writes it");
        assert!(matches!(error, RecordingError::NotARecording(_)), "{error}");
    }
}
