//! What each channel of a servo board carries, by the description.
//! Used where frames are made (`boards`), and where their length matters (`bus_load`).
//! A channel that nobody uses is sent at rest, and not looked at.

use cycle::Kind;
use drivers::servo::{Layout, Output, OutputPart};

use super::{Driver, Robot};

/// The layout of the board of this number.
pub fn layout(robot: &Robot, board: usize) -> Layout {
    let mut layout = Layout::default();
    let here = |id: cycle::BoardId| usize::from(id.0) == board;
    if let Some(Driver::Servo {
        outputs, inputs, ..
    }) = robot.boards.get(board).map(|board| &board.driver)
    {
        layout.outputs.resize(outputs.unwrap_or(0).into(), None);
        layout.inputs.resize(inputs.unwrap_or(0).into(), None);
    }
    for (actuator, spec) in robot.actuators.iter().enumerate() {
        if !here(spec.board) {
            continue;
        }
        let part = match spec.kind {
            Kind::Trigger => OutputPart::Fire,
            _ => OutputPart::Target,
        };
        put(&mut layout.outputs, spec.channel, Output { actuator, part });
        let gains = spec.gain_channels.into_iter().flatten();
        for (channel, part) in gains.zip([OutputPart::P, OutputPart::I, OutputPart::D]) {
            put(&mut layout.outputs, channel, Output { actuator, part });
        }
    }
    for (sensor, item) in robot.sensors.iter().enumerate() {
        if here(item.board) {
            put(&mut layout.inputs, item.channel, sensor);
        }
    }
    layout
}

fn put<T: Clone>(row: &mut Vec<Option<T>>, channel: u16, value: T) {
    let place = usize::from(channel);
    if row.len() <= place {
        row.resize(place + 1, None);
    }
    row[place] = Some(value);
}
