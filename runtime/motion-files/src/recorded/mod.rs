//! Trajectories of ROS in a recording, `.mcap`: messages `trajectory_msgs/msg/JointTrajectory`, in
//! CDR or JSON. Called by `lib`; `cdr` knows the bytes of a message.
//! What is decoded has the form of the same message in YAML, so that one module knows what
//! it means. No record may be larger than the largest file, whatever it says of itself.

mod cdr;

use std::collections::{BTreeMap, HashMap};
use std::io::Cursor;

use mcap::records::{MessageHeader, Record};
use mcap::sans_io::linear_reader::{LinearReadEvent, LinearReader, LinearReaderOptions};
use mcap::{McapError, WriteOptions};

use crate::fault::{FileMistake, WriteFailure, quoted};
use crate::team::trajectory;
use crate::tree::{TreeNode, json};
use crate::{FILE_MAX, MotionDocument, MotionFormat};

const SCHEMA: &str = "trajectory_msgs/msg/JointTrajectory";
const FORMAT: &str = "a trajectory of ROS in MCAP";

/// How other recordings begin, and what is said of them.
pub(crate) const OTHERS: [(&[u8], &str); 2] = [
    (
        b"#ROSBAG",
        "this is a recording of ROS 1 (a bag), which is not read; fix: write a message of it with \
         `rostopic echo -b FILE /TOPIC`, or turn it into one of ROS 2 with `rosbags-convert`, then into MCAP",
    ),
    (
        b"SQLite format 3\0",
        "this is a database, perhaps a recording of ROS 2 (.db3), which is not read; fix: write it as MCAP with \
         `ros2 bag convert`",
    ),
];

/// The greatest number of messages that become motions.
const MESSAGES_MAX: usize = 1_000;

/// The fields of a message, as ROS describes them.
const DEFINITION: &str = "std_msgs/Header header\nstring[] joint_names\nJointTrajectoryPoint[] points\n\
    ================================================================================\n\
    MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n\
    ================================================================================\n\
    MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n\
    ================================================================================\n\
    MSG: trajectory_msgs/JointTrajectoryPoint\nfloat64[] positions\nfloat64[] velocities\n\
    float64[] accelerations\nfloat64[] effort\nbuiltin_interfaces/Duration time_from_start\n\
    ================================================================================\n\
    MSG: builtin_interfaces/Duration\nint32 sec\nuint32 nanosec\n";

/// What was found in a recording.
#[derive(Default)]
struct Found {
    schemas: HashMap<u16, String>,
    /// The topic and encoding of channels with trajectories.
    channels: HashMap<u16, (String, String)>,
    messages: Vec<(String, TreeNode)>,
    bytes: usize,
}

/// Reads the trajectories of a recording, by topic.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<(String, TreeNode)>, FileMistake> {
    let options = LinearReaderOptions::default()
        .with_skip_end_magic(true)
        .with_validate_chunk_crcs(true)
        .with_record_length_limit(FILE_MAX);
    if let Some((_, sentence)) = OTHERS.iter().find(|pair| bytes.starts_with(pair.0)) {
        return Err(FileMistake::at_byte(0, *sentence));
    }
    let mut reader = LinearReader::new_with_options(options);
    let mut rest = bytes;
    let mut found = Found::default();
    while let Some(event) = reader.next_event() {
        let at = bytes.len() - rest.len();
        let broken = |error: McapError| {
            let error = error.to_string();
            let error = printable::printable(&error);
            let sentence = format!("the recording is damaged: {error}; fix: repair it");
            FileMistake::at_byte(at, sentence)
        };
        match event.map_err(broken)? {
            LinearReadEvent::ReadRequest(need) => {
                let (now, later) = rest.split_at(need.min(rest.len()));
                reader.insert(now.len()).copy_from_slice(now);
                reader.notify_read(now.len());
                rest = later;
            }
            LinearReadEvent::Record { data, opcode } => {
                let record = mcap::parse_record(opcode, data).map_err(broken)?;
                let seen = found.see(record);
                seen.map_err(|sentence| FileMistake::at_byte(at, sentence))?;
            }
        }
    }
    if found.messages.is_empty() {
        let sentence =
            format!("the recording has no message {SCHEMA}; fix: record the topic with it");
        return Err(FileMistake::at_byte(0, sentence));
    }
    Ok(found.messages)
}

impl Found {
    fn see(&mut self, record: Record<'_>) -> Result<(), String> {
        match record {
            Record::Schema { header, .. } => {
                self.schemas.insert(header.id, header.name);
            }
            Record::Channel(channel) => {
                let schema = self.schemas.get(&channel.schema_id);
                if schema.is_some_and(|schema| {
                    schema == SCHEMA || schema == "trajectory_msgs/JointTrajectory"
                }) {
                    let about = (channel.topic, channel.message_encoding);
                    self.channels.insert(channel.id, about);
                }
            }
            Record::Message { header, data } => {
                let Some((topic, encoding)) = self.channels.get(&header.channel_id) else {
                    return Ok(());
                };
                self.bytes = self.bytes.saturating_add(data.len());
                if self.messages.len() >= MESSAGES_MAX || self.bytes > FILE_MAX {
                    return Err(format!(
                        "more than {MESSAGES_MAX} trajectories, or too large ones"
                    ));
                }
                let root = match encoding.as_str() {
                    "cdr" => cdr::read(&data)?,
                    "json" => {
                        let text = std::str::from_utf8(&data);
                        let text = text.map_err(|_| "a message that is not UTF-8".to_owned())?;
                        json::read(text).map_err(|error| error.to_string())?
                    }
                    "ros1" => {
                        return Err(format!(
                            "the messages of {} are those of ROS 1, which are not read; fix: turn the recording into \
                             one of ROS 2 with `rosbags-convert`",
                            quoted(topic)
                        ));
                    }
                    other => {
                        return Err(format!("messages in {}, which are not read", quoted(other)));
                    }
                };
                let motion = crate::team::trajectory::motion(&root);
                motion.map_err(|error| {
                    format!("a message of {}: {}", quoted(topic), error.sentence)
                })?;
                self.messages.push((topic.clone(), root));
            }
            _ => {}
        }
        Ok(())
    }
}

/// A trajectory as a message holds it: with a header, and all lists.
pub(crate) fn message(root: &TreeNode) -> Result<TreeNode, WriteFailure> {
    let no_room = |what: String| WriteFailure::NoRoom {
        format: FORMAT,
        what,
    };
    let bytes = cdr::write(root).map_err(|error| no_room(error.sentence))?;
    cdr::read(&bytes).map_err(no_room)
}

impl MotionDocument {
    /// The only trajectory of a document in the other form of its message, YAML or MCAP, with all that it has; nothing
    /// for other documents and formats.
    pub fn as_message(&self, format: MotionFormat) -> Option<Result<MotionDocument, WriteFailure>> {
        match (self, format) {
            (MotionDocument::Tree(MotionFormat::Trajectory, root), MotionFormat::Mcap) => {
                let found = trajectory::message(root)?.map_err(|error| WriteFailure::NoRoom {
                    format: FORMAT,
                    what: error.sentence,
                });
                let list =
                    found.and_then(|value| Ok(vec![("/motion".to_owned(), message(&value)?)]));
                Some(list.map(MotionDocument::Recorded))
            }
            (MotionDocument::Recorded(list), MotionFormat::Trajectory) => match &list[..] {
                [(_, root)] => Some(Ok(MotionDocument::Tree(format, root.clone()))),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Writes a recording.
pub(crate) fn write(list: &[(String, TreeNode)]) -> Result<Vec<u8>, WriteFailure> {
    let failed = |error: McapError| WriteFailure::NoRoom {
        format: FORMAT,
        what: error.to_string(),
    };
    let mut out = Cursor::new(Vec::new());
    let options = WriteOptions::new()
        .compression(None)
        .library("dcm-run")
        .profile("ros2");
    let mut writer = options.create(&mut out).map_err(failed)?;
    let schema = writer.add_schema(SCHEMA, "ros2msg", DEFINITION.as_bytes());
    let schema = schema.map_err(failed)?;
    for (number, (topic, root)) in list.iter().enumerate() {
        let channel = writer.add_channel(schema, topic, "cdr", &BTreeMap::new());
        let header = MessageHeader {
            channel_id: channel.map_err(failed)?,
            sequence: u32::try_from(number).unwrap_or(u32::MAX),
            log_time: number as u64,
            publish_time: number as u64,
        };
        let message = cdr::write(root).map_err(|error| WriteFailure::NoRoom {
            format: FORMAT,
            what: error.sentence,
        })?;
        writer
            .write_to_known_channel(&header, &message)
            .map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    drop(writer);
    Ok(out.into_inner())
}
