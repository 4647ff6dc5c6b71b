//! Frames of the body as messages of the stream, and the names of their rows.
//! Written once for all subscribers by `streams`. Numbers have the precision of 32-bit floats, to keep
//! messages short.

use std::fmt::Write as _;

use protocol::robot::{RowLabel, StreamLabels};
use sensors::{Frame, Label, PageReader, PageShape};

/// A frame of the whole body, as a message of the topic `all`.
pub(crate) fn frame(frame: &Frame<'_>, shape: PageShape, late: u64) -> String {
    let mut text = String::with_capacity(16 << 10);
    let (now, work) = (frame.now().nanos(), frame.work().nanos());
    // Writing to a string never fails.
    let _ = write!(
        text,
        "{{\"topic\":\"all\",\"turn\":{},\"now_ns\":\"{now}\",\"state\":\"{}\",\"power\":{},\"work_ns\":{work},\
         \"elapsed_ns\":{},\"late\":{late}",
        frame.turn(),
        state(frame),
        frame.power(),
        frame.elapsed().nanos(),
    );
    let actuators = 0..shape.actuators;
    row(
        &mut text,
        "commanded",
        actuators.clone().map(|actuator| frame.commanded(actuator)),
    );
    row(
        &mut text,
        "limited",
        actuators.clone().map(|actuator| frame.limited(actuator)),
    );
    row(
        &mut text,
        "sent",
        actuators.clone().map(|actuator| frame.sent(actuator)),
    );
    row(
        &mut text,
        "acknowledged",
        actuators.map(|actuator| frame.acknowledged(actuator)),
    );
    row(
        &mut text,
        "sensors",
        (0..shape.sensors).map(|i| frame.sensor(i)),
    );
    let _ = text.write_str(",\"boards\":[");
    for place in 0..shape.boards {
        let [acks, nacks, age, error] = frame.board(place).unwrap_or_default();
        let comma = if place > 0 { "," } else { "" };
        let _ = write!(text, "{comma}[{acks},{nacks},{age},{error}]");
    }
    text.push_str("]}");
    text
}

/// The name of the safety state.
pub(crate) fn state(frame: &Frame<'_>) -> &'static str {
    frame.state().map_or("unknown", cycle::State::name)
}

/// Writes a row of numbers with the precision of 32-bit floats, to keep messages short.
fn row(text: &mut String, name: &str, values: impl Iterator<Item = Option<f64>>) {
    let _ = write!(text, ",\"{name}\":[");
    for (place, value) in values.enumerate() {
        let comma = if place > 0 { "," } else { "" };
        let _ = match value
            .map(|value| value as f32)
            .filter(|value| value.is_finite())
        {
            Some(value) => write!(text, "{comma}{value}"),
            None => write!(text, "{comma}null"),
        };
    }
    text.push(']');
}

/// What the rows of frames are.
pub(crate) fn labels(page: &PageReader, boards: &[String]) -> StreamLabels {
    // A missing limit is NaN, which is `null` in JSON.
    let label = |label: &Label| RowLabel {
        name: label.name.clone(),
        unit: label.unit.clone(),
        lowest: Some(label.range.0),
        highest: Some(label.range.1),
        board: label.board,
    };
    StreamLabels {
        period_ns: page.period().nanos(),
        utc_at_zero_ns: u64::try_from(page.utc_at_zero()).unwrap_or(0),
        run: page.run().to_string(),
        actuators: page.actuators().iter().map(label).collect(),
        sensors: page.sensors().iter().map(label).collect(),
        boards: boards.to_vec(),
    }
}
