//! The keys of a description that a preference or a calibration is written under, and the NAO's keys that mean the
//! same. Used by `preferences` and `calibrate`. A key that is not the NAO's is passed on as it is.

use ::protocol::{ErrorCode, PreferenceStatus, RequestError};
use cycle::{ActuatorId, Kind, NAO_PREFIX};
use description::{Driver, Robot, key_parts, key_text, text_value};

/// The beginnings of the NAO's keys of what a robot is, which are kept as text.
const IDENTITY: [&str; 2] = ["RobotConfig/", "Device/DeviceList/"];

/// The keys of the description that this key stands for, with their values in TOML.
pub(super) fn own_keys(
    robot: &Robot,
    key: &str,
    value: &str,
    tried_range: impl Fn(&str) -> Option<(f64, f64)>,
) -> Result<Vec<(String, String)>, RequestError> {
    if IDENTITY.iter().any(|item| key.starts_with(item)) {
        let text = match value {
            "" => String::new(),
            value => text_value(value),
        };
        let parts = ["identity".to_owned(), key.to_owned()];
        return Ok(vec![(key_text(&parts), text)]);
    }
    if ["base", "name"].contains(&key) {
        let sentence = format!("`{key}` says which robot this is, and is no preference");
        let error = ErrorCode::NotHere.error(sentence);
        return Err(error.fix("change the description, and start the robot with it"));
    }
    let Some((path, what)) = key
        .rsplit_once('/')
        .filter(|(_, what)| ["Gain", "Offset", "Min", "Max"].contains(what))
    else {
        return Ok(vec![(key.to_owned(), value.to_owned())]);
    };
    let unknown = || {
        ErrorCode::UnknownName
            .error(format!("this robot has no joint for `{key}`"))
            .fix("`dcm-run preferences` lists all keys")
    };
    let path = path.strip_prefix(NAO_PREFIX).unwrap_or(path);
    let value_path = format!("{path}/Value");
    let places = robot.actuators.iter().enumerate();
    let joint = places
        .clone()
        .find(|(_, actuator)| actuator.path == value_path);
    let measured = robot
        .sensors
        .iter()
        .position(|sensor| sensor.path == value_path);
    let by_sensor = |sensor: usize| {
        let owns = |id: &cycle::SensorId| usize::from(id.0) == sensor;
        let mut places = robot.actuators.iter().enumerate();
        places.find(|(_, actuator)| actuator.sensor.as_ref().is_some_and(owns))
    };
    let (place, joint, of_sensor) = match (joint, measured.and_then(by_sensor)) {
        (Some((place, joint)), _) => (place, joint, false),
        (None, Some((place, joint))) => (place, joint, true),
        (None, None) => return Err(unknown()),
    };
    let section = section(robot, ActuatorId(place as u16)).ok_or_else(unknown)?;
    let own = key_text(&[section.to_owned(), joint.name.clone()]);
    // The other end is the one that is tried, if one is.
    let tried = tried_range(&format!("{own}.range"));
    let (min, max) = tried.unwrap_or((joint.range.min, joint.range.max));
    Ok(vec![match (what, of_sensor) {
        ("Min", false) => (format!("{own}.range"), format!("[{value}, {max:?}]")),
        ("Max", false) => (format!("{own}.range"), format!("[{min:?}, {value}]")),
        ("Min" | "Max", true) => return Err(unknown()),
        (what, of_sensor) => {
            let which = if of_sensor { ".position" } else { "" };
            let what = what.to_ascii_lowercase();
            (format!("{own}{which}.calibration.{what}"), value.to_owned())
        }
    }])
}

/// The section of the description that has this joint; none if it is no joint with a sensor.
pub(super) fn section(robot: &Robot, id: ActuatorId) -> Option<&'static str> {
    let actuator = robot.actuators.get(usize::from(id.0))?;
    actuator.sensor?;
    match actuator.kind {
        Kind::Joint => Some("joints"),
        Kind::Hand => Some("hands"),
        _ => None,
    }
}

/// The key of a joint's zero that lies within this table of a description.
pub(super) fn offset_within(robot: &Robot, table: &str) -> Option<String> {
    let of = key_parts(table);
    let ids = (0..robot.actuators.len()).map(|i| ActuatorId(i as u16));
    let mut all = ids.flat_map(|id| offset_values(robot, id, 0.0));
    let found = all.find(|(parts, _)| parts.len() > of.len() && parts.starts_with(&of))?;
    Some(key_text(&found.0))
}

/// The joint whose zero this key of a description sets, and the offset that the loop began with.
pub(super) fn offset_key(robot: &Robot, key: &str) -> Option<(ActuatorId, f64)> {
    let parts = key_parts(key);
    let parts: Vec<_> = parts.iter().map(String::as_str).collect();
    let (name, of_sensor) = match parts[..] {
        ["joints" | "hands", name, "calibration", "offset"] => (name, false),
        [
            "joints" | "hands",
            name,
            "position",
            "calibration",
            "offset",
        ] => (name, true),
        _ => return None,
    };
    let place = robot
        .actuators
        .iter()
        .position(|actuator| actuator.name == name)?;
    let id = ActuatorId(place as u16);
    section(robot, id).filter(|section| *section == parts[0])?;
    let joint = &robot.actuators[place];
    let sensor = robot.sensors.get(usize::from(joint.sensor?.0))?;
    let offset = if of_sensor {
        sensor.calibration.offset
    } else {
        joint.calibration.offset
    };
    Some((id, offset))
}

/// The value of a joint's calibration that a description leaves out.
pub(super) fn left_out(robot: &Robot, key: &str) -> Option<PreferenceStatus> {
    let parts = key_parts(key);
    let parts: Vec<_> = parts.iter().map(String::as_str).collect();
    let ["joints" | "hands", name, inside @ .., what] = parts.as_slice() else {
        return None;
    };
    let joint = robot
        .actuators
        .iter()
        .find(|actuator| actuator.name == *name)?;
    let calibration = match inside {
        ["calibration"] => joint.calibration,
        ["position", "calibration"] => robot.sensors.get(usize::from(joint.sensor?.0))?.calibration,
        _ => return None,
    };
    let value = match *what {
        "gain" => calibration.gain,
        "offset" => calibration.offset,
        _ => return None,
    };
    Some(PreferenceStatus {
        key: key.to_owned(),
        value: format!("{value:?}"),
        origin: "default".to_owned(),
        tried: None,
    })
}

/// The keys of the description for a joint whose zero was moved by so much, and their values.
pub(super) fn offset_values(
    robot: &Robot,
    id: ActuatorId,
    moved: f64,
) -> Vec<(Vec<String>, String)> {
    let joint = &robot.actuators[usize::from(id.0)];
    let sensor = joint
        .sensor
        .map(|sensor| &robot.sensors[usize::from(sensor.0)]);
    let (Some(section), Some(sensor)) = (section(robot, id), sensor) else {
        return Vec::new();
    };
    let key = |rest: &[&str]| {
        let whole = [&[section, joint.name.as_str()], rest].concat();
        whole.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let offsets = [
        (key(&["calibration", "offset"]), joint.calibration.offset),
        (
            key(&["position", "calibration", "offset"]),
            sensor.calibration.offset,
        ),
    ];
    let text = |(key, offset): (Vec<String>, f64)| (key, format!("{:?}", offset + moved));
    let mut all: Vec<_> = offsets.map(text).into();
    // A servo board has a table of its own, which ends at the counts that it was described with.
    let board = robot.boards.get(usize::from(joint.board.0));
    if !board.is_some_and(|board| matches!(board.driver, Driver::Servo { .. })) {
        return all;
    }
    let (min, max) = (joint.range.min, joint.range.max);
    let range = format!("[{:?}, {:?}]", min.max(min + moved), max.min(max + moved));
    all.push((key(&["range"]), range));
    all
}
