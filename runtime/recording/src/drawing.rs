//! How a body gets into a recording for viewers. Whoever starts the recorder says how it is drawn, if it is.
//! Called on the recorder's thread. The law: a replay does not read what is drawn.

use std::fmt::Debug;

/// A topic of drawn messages.
#[derive(Clone, Debug)]
pub struct DrawnTopic {
    /// Its name.
    pub name: &'static str,
    /// The schema of its messages, in protobuf: the name, the encoding and the text.
    pub schema: (String, String, Vec<u8>),
}

/// Draws the body of a turn, for viewers.
pub trait BodyDrawing: Debug + Send {
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
