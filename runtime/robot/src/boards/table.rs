//! The table of a servo board according to the description, and its differences from the board's own table.
//! Used when a board is opened, probed, examined by `doctor`, simulated, or described for firmware.
//! A difference names both values.

use cycle::{Kind, Range};
use drivers::servo::{Expected, OutputPart, Probed, Trait};
use wire::row::{name, text};
use wire::{Direction, Row, RowKind, Unit};

use super::taken_over_after;
use description::{ActuatorSpec, Driver, Robot, SensorSpec, layout};

/// A channel that the description does not use.
const SPARE: Row = Row::unspecified(Direction::Output);

/// The rows of the board of this number, outputs first.
pub fn expected(robot: &Robot, board: usize) -> Vec<Expected> {
    let layout = layout(robot, board);
    let outputs = layout.outputs.iter().map(|place| match place {
        None => (SPARE, None, 0),
        Some(place) => {
            let actuator = &robot.actuators[place.actuator];
            (
                output(actuator, place.part),
                Some(place.part),
                acceleration(actuator, place.part),
            )
        }
    });
    let inputs = layout.inputs.iter().map(|item| {
        let row = item.map(|i| input(&robot.sensors[i])).unwrap_or(SPARE);
        let direction = Direction::Input;
        (Row { direction, ..row }, None, 0)
    });
    let allowed = match robot.boards.get(board).map(|board| &board.driver) {
        Some(Driver::Servo { allow, .. }) => allow.as_slice(),
        _ => &[],
    };
    let expected = |(row, part, acceleration): (Row, Option<OutputPart>, u32)| {
        let own = allowed
            .iter()
            .filter(|allowed| name(&allowed.0) == row.name);
        Expected {
            row,
            part,
            acceleration,
            allowed: own.map(|(_, key)| *key).collect(),
        }
    };
    outputs.chain(inputs).map(expected).collect()
}

/// The table of the board of this number.
pub fn rows(robot: &Robot, board: usize) -> Vec<Row> {
    let expected = expected(robot, board);
    expected.into_iter().map(|expected| expected.row).collect()
}

/// The differences between the board and the description, a message for each.
pub fn differences(robot: &Robot, board: usize, probed: &Probed) -> Vec<String> {
    let expected = expected(robot, board);
    let outputs = expected
        .iter()
        .filter(|expected| expected.row.direction == Direction::Output)
        .count();
    let has = (probed.about.outputs.into(), probed.about.inputs.into());
    let counts = [
        ("outputs", outputs, has.0),
        ("inputs", expected.len() - outputs, has.1),
    ];
    let counts = counts.into_iter().filter(|count| count.1 != count.2);
    let counts: Vec<_> = counts
        .map(|(what, described, has): (_, usize, usize)| {
            format!(
                "the description has {described} {what}, the board {has}; fix: set `{what} = {has}` under its board, \
                 and check the channels"
            )
        })
        .collect();
    if !counts.is_empty() {
        return counts;
    }
    let rows = expected.iter().zip(&probed.rows).enumerate();
    rows.flat_map(|(number, (ours, theirs))| {
        let sentence = move |what: Trait| sentence(number, what, ours, theirs);
        ours.differing(theirs).map(sentence).collect::<Vec<_>>()
    })
    .collect()
}

/// A warning if the board's watchdog is shorter than the time until the guardian takes over.
pub fn watchdog_warning(robot: &Robot, probed: &Probed) -> Option<String> {
    let takeover = taken_over_after(robot.settings.period).as_millis();
    let watchdog = u128::from(probed.about.watchdog);
    (watchdog < takeover).then(|| {
        format!(
            "its watchdog of {watchdog} ms is shorter than the {takeover} ms after which the guardian takes over: the \
             body would go limp before that; fix: a watchdog of {} ms or more",
            2 * takeover
        )
    })
}

fn sentence(number: usize, what: Trait, ours: &Expected, theirs: &Row) -> String {
    let (word, channel) = (what.name(), text(&ours.row.name));
    let (described, has) = (what.of(&ours.row), what.of(theirs));
    let named = if channel.is_empty() {
        String::new()
    } else {
        format!(" (`{channel}`)")
    };
    let fix = if channel.is_empty() || what == Trait::Direction {
        "correct the description, or the board".to_owned()
    } else {
        format!("correct one of them, or set `allow = [\"{channel}.{word}\"]` under the board")
    };
    format!(
        "row {number}{named}: its {word} is {described} in the description, {has} on the board; fix: {fix}"
    )
}

fn output(actuator: &ActuatorSpec, part: OutputPart) -> Row {
    let (kind, suffix) = match (part, actuator.kind) {
        (OutputPart::P | OutputPart::I | OutputPart::D, _) => (RowKind::Gain, "Gain"),
        (_, Kind::Light) => (RowKind::Light, ""),
        (_, Kind::Trigger) => (RowKind::Trigger, ""),
        (_, Kind::Stiffness { .. }) => (RowKind::Stiffness, ""),
        (_, Kind::Wheel) => (RowKind::Velocity, ""),
        _ => (RowKind::Position, ""),
    };
    let row = Row {
        kind,
        name: name(&format!("{}{suffix}", actuator.name)),
        ..SPARE
    };
    if part != OutputPart::Target {
        return row;
    }
    let counts = |value: f64| actuator.calibration.counts(value, actuator.range);
    let word = |counts: f64| counts.clamp(0.0, 65_535.0) as u16;
    let Range { min, max } = actuator.range;
    let (a, b) = (counts(min), counts(max));
    Row {
        lowest: word(a.min(b).floor()),
        highest: word(a.max(b).ceil()),
        rest: word(counts(actuator.rest).round()),
        unit: Unit::of(&actuator.unit).unwrap_or_default(),
        step: actuator.calibration.gain as f32,
        ..row
    }
}

/// The maximum acceleration of a joint or hand, words/s²; 0 for others: the word of a wheel is a speed.
fn acceleration(actuator: &ActuatorSpec, part: OutputPart) -> u32 {
    let moves = matches!(actuator.kind, Kind::Joint | Kind::Hand) && part == OutputPart::Target;
    let words = actuator.acceleration / actuator.calibration.gain.abs();
    if !moves || !words.is_finite() {
        return 0;
    }
    // The cast saturates.
    words.ceil() as u32
}

fn input(sensor: &SensorSpec) -> Row {
    let kind = match sensor.unit.as_str() {
        "°C" => RowKind::Temperature,
        "A" => RowKind::Current,
        "V" => RowKind::Voltage,
        _ => RowKind::Other,
    };
    Row {
        kind,
        unit: Unit::of(&sensor.unit).unwrap_or_default(),
        step: sensor.calibration.gain as f32,
        name: name(&sensor.name),
        ..SPARE
    }
}
