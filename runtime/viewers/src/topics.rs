//! The topics that viewers receive, as Foxglove's message types.
//! Used by the viewers' thread alone. All messages of one frame have the same time.

use std::sync::Arc;

use foxglove::messages::{FrameTransforms, JointStates, Log, SceneUpdate, Timestamp, log};
use foxglove::{Channel, Context, PartialMetadata, RawChannel, Schema};
use protocol::LogEntry;
use sensors::Frame;
use serde_json::json;

use super::scene::{BodyScene, PoseSource};

/// The channels, one for each topic.
pub(super) struct Topics {
    measured: Channel<JointStates>,
    commanded: Channel<JointStates>,
    transforms: Channel<FrameTransforms>,
    scene: Channel<SceneUpdate>,
    log: Channel<Log>,
    turns: Arc<RawChannel>,
}

impl Topics {
    pub(super) fn of(context: &Arc<Context>) -> Topics {
        let topic = |name: &str| context.channel_builder(name);
        let schema = Schema::new("dcm.TurnStatus", "jsonschema", TURN_STATUS.as_bytes());
        let turns = topic("/turns").message_encoding("json").schema(schema);
        Topics {
            measured: topic("/joint_states").build(),
            commanded: topic("/joint_commands").build(),
            transforms: topic("/tf").build(),
            scene: topic("/scene").build(),
            log: topic("/log").build(),
            // Building fails only without an encoding.
            turns: turns.build_raw().unwrap_or_else(|error| panic!("{error}")),
        }
    }

    /// Whether anybody subscribes to a topic that has a message for each frame.
    pub(super) fn has_viewers(&self) -> bool {
        let turns = self.turns.has_sinks();
        turns
            || self.measured.has_sinks()
            || self.commanded.has_sinks()
            || self.transforms.has_sinks()
    }

    /// Logs a frame of the page. `zero`: the UTC of the page's time 0, ns.
    pub(super) fn frame(&self, frame: &Frame<'_>, scene: &BodyScene, zero: u64, late: u64) {
        let at = zero + frame.now().nanos();
        let stamp = stamp(at);
        let joints = |shape| scene.joints(frame, shape, stamp);
        self.measured
            .log_with_time(&joints(PoseSource::Measured), at);
        self.commanded
            .log_with_time(&joints(PoseSource::Commanded), at);
        let transforms = scene.transforms(frame, stamp);
        self.transforms.log_with_time(&transforms, at);
        let turn = json!({
            "turn": frame.turn(), "state": frame.state().map_or("unknown", cycle::State::name),
            "power": frame.power(), "work_us": frame.work().nanos() as f64 / 1e3,
            "elapsed_us": frame.elapsed().nanos() as f64 / 1e3, "late": late,
        });
        let meta = PartialMetadata { log_time: Some(at) };
        self.turns.log_with_meta(turn.to_string().as_bytes(), meta);
    }

    /// Logs the shapes of the body.
    pub(super) fn shapes(&self, shapes: SceneUpdate, at: u64) {
        self.scene.log_with_time(&shapes, at);
    }

    /// Logs an event, or a line that a guest printed.
    pub(super) fn event(&self, value: LogEntry, zero: u64) {
        let at = zero + value.at_ns;
        let level = match value.level.as_str() {
            "debug" | "trace" => log::Level::Debug,
            "warn" => log::Level::Warning,
            "error" => log::Level::Error,
            _ => log::Level::Info,
        };
        let entry = Log {
            timestamp: Some(stamp(at)),
            level: level.into(),
            message: value.text,
            name: value.guest.unwrap_or(if value.event == "log" {
                value.target
            } else {
                value.event
            }),
            ..Log::default()
        };
        self.log.log_with_time(&entry, at);
    }
}

/// The JSON schema of `/turns`.
const TURN_STATUS: &str = r#"{"title":"dcm.TurnStatus","type":"object","properties":{
"turn":{"type":"integer"},"state":{"type":"string"},"power":{"type":"number"},"work_us":{"type":"number"},
"elapsed_us":{"type":"number"},"late":{"type":"integer"}}}"#;

/// UTC in ns as a timestamp of these messages.
pub(super) fn stamp(nanos: u64) -> Timestamp {
    let seconds = u32::try_from(nanos / 1_000_000_000).unwrap_or(u32::MAX);
    Timestamp::new(seconds, (nanos % 1_000_000_000) as u32)
}
