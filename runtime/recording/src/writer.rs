//! Writes the file of a recording: MCAP, so that any viewer, reader or tool can open it.
//! Used by the recorder. The file itself describes our messages, as protobuf.
//! Everything before the last closed chunk can be read, whatever happens to the rest.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Seek, Write};

use cycle::{Kind, LaneId};
use mcap::records::{MessageHeader, Metadata};
use mcap::{Attachment, Compression, McapError, WriteOptions, Writer};
use prost::Message;
use prost_types::Timestamp;

use super::codes::event_of;
use super::drawing::DrawingPace;
use super::foxglove::{JointState, JointStates, Log, log};
use super::run_info::{RunInfo, layer_name};
use super::{DESCRIPTION, EventTopic, Guest, Turn, guest_input, topic};
use description::{Layer, Robot};
use guests::{GuestLogLine, Level, TopicNames};
use robot::live::{CLIENTS, level, sentence_of};

/// A chunk is closed when it holds this much of the robot's time, ns, or so many bytes.
const CHUNK_NS: u64 = 1_000_000_000;
pub(super) const CHUNK_BYTES: u64 = 4 << 20;

/// The MCAP profile of our recordings.
const PROFILE: &str = "dcm-run";

/// A recording that is being written.
pub(super) struct RecordingWriter<W: Write + Seek> {
    writer: Writer<W>,
    info: RunInfo,
    channels: BTreeMap<&'static str, u16>,
    digests: BTreeSet<String>,
    /// The names of guests by their numbers, and the owners of lanes.
    names: BTreeMap<u32, String>,
    owners: BTreeMap<u64, String>,
    /// The names that were written last of the topics to which scores post: as many as there are numbers.
    topics: BTreeMap<u32, String>,
    /// When the open chunk began, by the robot's time.
    opened: u64,
    now: u64,
    number: u32,
    lost: u64,
    joints: Vec<PlottedJoint>,
    pace: DrawingPace,
}

/// An actuator as viewers see it.
struct PlottedJoint {
    actuator: usize,
    sensor: Option<usize>,
    turns: bool,
}

fn wrong(error: McapError) -> String {
    match error {
        McapError::Io(error) => error.to_string(),
        other => other.to_string(),
    }
}

impl<W: Write + Seek> RecordingWriter<W> {
    /// Begins a file: the run, and the description of its robot.
    pub(super) fn begin(
        to: W,
        info: &RunInfo,
        layers: &[Layer],
        chunk: u64,
    ) -> Result<RecordingWriter<W>, String> {
        let options = WriteOptions::new()
            .profile(PROFILE)
            .library(concat!("dcm-run ", env!("CARGO_PKG_VERSION")))
            .compression(Some(Compression::Zstd))
            // Fast, and on the recorder's own thread: the robot has better things to do.
            .compression_level(1)
            .compression_threads(0)
            .chunk_size(Some(chunk));
        let mut writer = options.create(to).map_err(wrong)?;
        let mut channels = BTreeMap::new();
        let mut schemas = BTreeMap::new();
        for (name, schema) in topic::ALL {
            let made = writer.add_schema(schema, "protobuf", DESCRIPTION);
            let id = *schemas.entry(schema).or_insert(made.map_err(wrong)?);
            let channel = writer.add_channel(id, name, "protobuf", &BTreeMap::new());
            channels.insert(name, channel.map_err(wrong)?);
        }
        let mut recording = RecordingWriter {
            writer,
            info: info.clone(),
            channels,
            digests: BTreeSet::new(),
            names: BTreeMap::new(),
            owners: BTreeMap::new(),
            topics: BTreeMap::new(),
            opened: 0,
            now: 0,
            number: 0,
            lost: 0,
            joints: joints(&info.robot),
            pace: DrawingPace::default(),
        };
        recording.add_drawn_topics()?;
        let run = recording.info.run.encode_to_vec();
        recording.put(topic::RUN, 0, &run)?;
        // In a chunk of its own: without it nothing after it means anything.
        recording.close_chunk()?;
        for (place, layer) in layers.iter().enumerate() {
            recording.attach(
                &layer_name(place),
                "application/toml",
                layer.text.as_bytes(),
            )?;
        }
        Ok(recording)
    }

    /// Adds the topics of drawn messages.
    fn add_drawn_topics(&mut self) -> Result<(), String> {
        let drawing = self.info.drawing.as_ref();
        for topic in drawing.map_or_else(Vec::new, |drawing| drawing.topics()) {
            let (name, encoding, text) = topic.schema;
            let schema = self.writer.add_schema(&name, &encoding, &text);
            let schema = schema.map_err(wrong)?;
            let made = self
                .writer
                .add_channel(schema, topic.name, "protobuf", &BTreeMap::new());
            self.channels.insert(topic.name, made.map_err(wrong)?);
        }
        Ok(())
    }

    /// Writes the body of a turn, if it is drawn.
    fn draw(&mut self, turn: &Turn) -> Result<(), String> {
        let Some(drawing) = self.info.drawing.clone() else {
            return Ok(());
        };
        let Some(with_shapes) = self.pace.draws(turn.now) else {
            return Ok(());
        };
        let utc = self.info.run.utc_at_zero.saturating_add(turn.now);
        for (topic, data) in drawing.draw(&turn.sent, &turn.sensors, utc, with_shapes) {
            if self.channels.contains_key(topic) {
                self.put(topic, turn.now, &data)?;
            }
        }
        Ok(())
    }

    fn put(&mut self, topic: &'static str, now: u64, data: &[u8]) -> Result<(), String> {
        let time = self.info.run.utc_at_zero.saturating_add(now);
        let header = MessageHeader {
            channel_id: self.channels[topic],
            sequence: self.number,
            log_time: time,
            publish_time: time,
        };
        self.writer
            .write_to_known_channel(&header, data)
            .map_err(wrong)
    }

    /// Writes words that belong to the recording.
    pub(super) fn note(&mut self, name: &str, words: &[(&str, String)]) -> Result<(), String> {
        let words = words.iter().map(|word| (word.0.to_owned(), word.1.clone()));
        let metadata = Metadata {
            name: name.to_owned(),
            metadata: words.collect(),
        };
        self.writer.write_metadata(&metadata).map_err(wrong)
    }

    /// Attaches a file.
    pub(super) fn attach(
        &mut self,
        name: &str,
        media_type: &str,
        data: &[u8],
    ) -> Result<(), String> {
        let time = self.info.run.utc_at_zero.saturating_add(self.now);
        let attachment = Attachment {
            log_time: time,
            create_time: time,
            name: name.to_owned(),
            media_type: media_type.to_owned(),
            data: Cow::Borrowed(data),
        };
        self.writer.attach(&attachment).map_err(wrong)
    }

    /// Writes a guest that was loaded.
    pub(super) fn guest(&mut self, guest: &Guest, bytes: &[u8]) -> Result<(), String> {
        self.names.insert(guest.number, guest.name.clone());
        if self.digests.insert(guest.digest.clone()) {
            let name = format!("{}.wasm", guest.digest);
            self.attach(&name, "application/wasm", bytes)?;
        }
        self.put(topic::GUEST, self.now, &guest.encode_to_vec())
    }

    /// Writes a log line of a guest.
    pub(super) fn line(&mut self, line: &GuestLogLine) -> Result<(), String> {
        let level = match line.level {
            Level::Debug => log::Level::Debug,
            Level::Info => log::Level::Info,
            Level::Warning => log::Level::Warning,
        };
        self.log(line.now, level, line.text.clone(), &line.guest)
    }

    fn log(&mut self, now: u64, level: log::Level, text: String, who: &str) -> Result<(), String> {
        let log = Log {
            timestamp: self.time(now),
            level: level as i32,
            message: text,
            name: who.to_owned(),
            ..Log::default()
        };
        self.put(topic::LOG, now, &log.encode_to_vec())
    }

    fn time(&self, now: u64) -> Option<Timestamp> {
        let nanos = self.info.run.utc_at_zero.saturating_add(now);
        Some(Timestamp {
            seconds: i64::try_from(nanos / 1_000_000_000).ok()?,
            nanos: i32::try_from(nanos % 1_000_000_000).ok()?,
        })
    }

    /// From here on the topics to which scores post have names.
    pub(super) fn set_topics(&mut self, topics: TopicNames) {
        self.info.topics = Some(topics);
    }

    /// Writes the names of the topics to which scores post in this turn.
    fn event_topics(&mut self, turn: &Turn) -> Result<(), String> {
        let Some(names) = &self.info.topics else {
            return Ok(());
        };
        let items = turn.guest_inputs.iter();
        let items = items.filter(|item| item.kind() == guest_input::Kind::Item);
        let named = items.filter_map(|item| names.of_item([item.a, item.b, item.c, item.d]));
        for (number, name) in named.collect::<Vec<_>>() {
            if self.topics.get(&number) == Some(&name) {
                continue;
            }
            self.topics.insert(number, name.clone());
            let topic = EventTopic { number, name };
            self.put(topic::EVENT_TOPIC, turn.now, &topic.encode_to_vec())?;
        }
        Ok(())
    }

    /// Writes a turn, as it came from the tape. Returns it.
    pub(super) fn turn(&mut self, bytes: &[u8]) -> Result<Turn, String> {
        let turn =
            Turn::decode(bytes).map_err(|error| format!("a turn cannot be decoded: {error}"))?;
        self.now = turn.now;
        self.number = u32::try_from(turn.number).unwrap_or(u32::MAX);
        self.lost += turn.lost;
        if self.now.saturating_sub(self.opened) >= CHUNK_NS {
            self.close_chunk()?;
        }
        self.event_topics(&turn)?;
        self.put(topic::TURN, turn.now, bytes)?;
        let measured = |joint: &PlottedJoint| {
            let of = |n: usize| turn.sensors.get(n).copied();
            joint
                .sensor
                .map_or(turn.sent.get(joint.actuator).copied(), of)
        };
        let measured = self.states(turn.now, measured).encode_to_vec();
        self.put(topic::JOINT_STATES, turn.now, &measured)?;
        let sent = |joint: &PlottedJoint| turn.sent.get(joint.actuator).copied();
        let sent = self.states(turn.now, sent).encode_to_vec();
        self.put(topic::JOINT_COMMANDS, turn.now, &sent)?;
        self.draw(&turn)?;
        for guest in &turn.guests {
            if let (Some(lane), Some(name)) = (guest.lane, self.names.get(&guest.guest)) {
                self.owners.insert(lane, name.clone());
            }
        }
        for event in turn.events.iter().filter_map(event_of) {
            let level = match level(event) {
                tracing::Level::ERROR => log::Level::Error,
                tracing::Level::WARN => log::Level::Warning,
                tracing::Level::INFO => log::Level::Info,
                _ => continue,
            };
            let owner = event.lane().map(|lane| self.owner(lane));
            let text = sentence_of(event, &self.info.robot, owner.as_deref());
            self.log(turn.now, level, text, "loop")?;
        }
        Ok(turn)
    }

    /// The name of the guest or client that owns this lane.
    fn owner(&self, lane: LaneId) -> String {
        let guest = self.owners.get(&lane.number());
        guest.map_or_else(|| CLIENTS.to_owned(), String::clone)
    }

    fn states(&self, now: u64, value: impl Fn(&PlottedJoint) -> Option<f64>) -> JointStates {
        let state = |joint: &PlottedJoint| {
            let value = value(joint);
            JointState {
                name: self.info.run.actuators[joint.actuator].clone(),
                position: value.filter(|_| !joint.turns),
                velocity: value.filter(|_| joint.turns),
                ..JointState::default()
            }
        };
        JointStates {
            timestamp: self.time(now),
            joints: self.joints.iter().map(state).collect(),
        }
    }

    /// Closes the chunk: what was written so far can be read whatever happens next.
    pub(super) fn close_chunk(&mut self) -> Result<(), String> {
        self.opened = self.now;
        self.writer.flush().map_err(wrong)
    }

    /// Ends the file with its index. Returns the file, and how many turns are missing in it.
    pub(super) fn finish(mut self) -> Result<(W, u64), String> {
        self.writer.finish().map_err(wrong)?;
        let mut file = self.writer.into_inner();
        file.flush().map_err(|error| error.to_string())?;
        Ok((file, self.lost))
    }
}

/// All actuators that move: joints and hands by their position, wheels by their speed.
fn joints(robot: &Robot) -> Vec<PlottedJoint> {
    let all = robot.actuators.iter().enumerate();
    let joint = |(place, spec): (usize, &description::ActuatorSpec)| {
        let moves = matches!(spec.kind, Kind::Joint | Kind::Hand | Kind::Wheel);
        moves.then(|| PlottedJoint {
            actuator: place,
            sensor: spec.sensor.map(|sensor| usize::from(sensor.0)),
            turns: spec.kind == Kind::Wheel,
        })
    };
    all.filter_map(joint).collect()
}
