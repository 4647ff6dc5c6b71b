//! The robot's body in a recording, as viewers see it: what `viewers` draws live, drawn for the recorder.
//! Made when a recording begins. Recordings of `run --record` and of a served robot have the same topics.

use std::sync::Arc;

use description::Robot;
use recording::{BodyDrawing, DrawnTopic};
use robot::socket::figure;
use viewers::RecordedBody;

/// The body of a robot.
#[derive(Debug)]
struct DrawnBody(RecordedBody);

/// What draws this robot's body into a recording.
pub(super) fn drawing(robot: &Robot) -> Arc<dyn BodyDrawing> {
    Arc::new(DrawnBody(RecordedBody::of(figure(robot))))
}

impl BodyDrawing for DrawnBody {
    fn topics(&self) -> Vec<DrawnTopic> {
        let topics = RecordedBody::topics().into_iter();
        let topic = |(name, schema, encoding, text)| DrawnTopic {
            name,
            schema: (schema, encoding, text),
        };
        topics.map(topic).collect()
    }

    fn draw(
        &self,
        sent: &[f64],
        sensors: &[f64],
        utc: u64,
        shapes: bool,
    ) -> Vec<(&'static str, Vec<u8>)> {
        let mut drawn = vec![self.0.transforms(sent, sensors, utc)];
        drawn.extend(shapes.then(|| self.0.shapes(utc)));
        drawn
    }
}
