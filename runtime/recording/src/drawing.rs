//! How a body gets into a recording for viewers. Whoever starts the recorder says how it is drawn, if it is.
//! Called by the writer of each file, on the recorder's thread. A replay does not read what is drawn.

use std::fmt::Debug;

/// From one drawn turn to the next, and from one picture of the shapes to the next, ns of the robot's time.
const DRAWN_EVERY: u64 = 10_000_000;
const SHAPES_EVERY: u64 = 1_000_000_000;

/// A topic of drawn messages.
#[derive(Clone, Debug)]
pub struct DrawnTopic {
    /// Its name.
    pub name: &'static str,
    /// The schema of its messages, in protobuf: the name, the encoding and the text.
    pub schema: (String, String, Vec<u8>),
}

/// Draws the body of a turn, for viewers.
pub trait BodyDrawing: Debug + Send + Sync {
    /// The topics of its messages.
    fn topics(&self) -> Vec<DrawnTopic>;

    /// The messages of a turn at this time of UTC, ns: topic and bytes. The body's shapes are drawn now and then.
    fn draw(
        &self,
        sent: &[f64],
        sensors: &[f64],
        utc: u64,
        shapes: bool,
    ) -> Vec<(&'static str, Vec<u8>)>;
}

/// When the next turn of a file is drawn, and when the next shapes are.
#[derive(Debug, Default)]
pub(super) struct DrawingPace {
    turn: u64,
    shapes: u64,
}

impl DrawingPace {
    /// Whether the turn at this instant is drawn; if so, whether with the shapes.
    pub(super) fn draws(&mut self, now: u64) -> Option<bool> {
        if now < self.turn {
            return None;
        }
        let with_shapes = now >= self.shapes;
        // In step with the turns, which are a little early or late.
        self.turn = now.saturating_add(DRAWN_EVERY - DRAWN_EVERY / 4);
        if with_shapes {
            self.shapes = now.saturating_add(SHAPES_EVERY);
        }
        Some(with_shapes)
    }
}
