//! The body for viewers of a recording: the same messages as live, made of a turn's values.
//! Used by whoever records a run. What is drawn of a turn is what was shown of it live.

use foxglove::Encode;
use foxglove::messages::{FrameTransforms, SceneUpdate};
use protocol::Figure;

use super::scene::{BodyScene, JointValues};
use super::topics::stamp;

/// A body that is drawn from the values of turns.
#[derive(Debug)]
pub struct RecordedBody(BodyScene);

/// What describes the messages of a topic: name of the topic, name, encoding and text of the schema.
pub type TopicSchema = (&'static str, String, String, Vec<u8>);

/// The topics.
const TRANSFORMS: &str = "/tf";
const SHAPES: &str = "/scene";

/// A turn's values.
struct TurnValues<'t> {
    sent: &'t [f64],
    sensors: &'t [f64],
}

impl JointValues for TurnValues<'_> {
    fn sent(&self, actuator: usize) -> Option<f64> {
        self.sent.get(actuator).copied()
    }

    fn sensor(&self, sensor: usize) -> Option<f64> {
        self.sensors.get(sensor).copied()
    }
}

impl RecordedBody {
    /// The body that hangs together like this.
    pub fn of(figure: Figure) -> RecordedBody {
        RecordedBody(BodyScene::of(figure))
    }

    /// The topics, with their schemas.
    pub fn topics() -> Vec<TopicSchema> {
        let topics = [
            (TRANSFORMS, FrameTransforms::get_schema()),
            (SHAPES, SceneUpdate::get_schema()),
        ];
        let known = topics.into_iter().filter_map(|(topic, schema)| {
            let schema = schema?;
            Some((
                topic,
                schema.name,
                schema.encoding,
                schema.data.into_owned(),
            ))
        });
        known.collect()
    }

    /// Where every link is in this turn, at this time of UTC, ns: the topic, and the message.
    pub fn transforms(&self, sent: &[f64], sensors: &[f64], utc: u64) -> (&'static str, Vec<u8>) {
        let values = TurnValues { sent, sensors };
        (TRANSFORMS, encoded(&self.0.transforms(&values, stamp(utc))))
    }

    /// The shapes of the body: the topic, and the message.
    pub fn shapes(&self, utc: u64) -> (&'static str, Vec<u8>) {
        (SHAPES, encoded(&self.0.shapes(stamp(utc))))
    }
}

fn encoded(message: &impl Encode) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(message.encoded_len().unwrap_or(0));
    // A list of bytes has room for every message.
    let _ = message.encode(&mut bytes);
    bytes
}
