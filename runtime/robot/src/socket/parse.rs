//! Parses a line into a request, and looks up names.
//! Used by the handler and by requests about guests. An error for an unknown name suggests a similar one.

use ::protocol::{
    Call, ErrorCode, LINE_MAX, Need, Operation, RequestError, RequestKind, explain_json,
};
use cycle::ActuatorId;

use description::Robot;
use printable::shortened;
use serde::Deserialize;
use serde_json::Value;

/// Parses a line.
pub(super) fn read(line: &[u8]) -> Result<Call, RequestError> {
    let wrong = |sentence: String| {
        ErrorCode::InvalidRequest
            .error(sentence)
            .fix("send one JSON object on each line, such as {\"id\":1,\"ask\":\"hello\"}")
    };
    if line.len() > LINE_MAX {
        return Err(wrong(format!("the line is longer than {LINE_MAX} bytes")));
    }
    serde_json::from_slice(line).map_err(|error| {
        let of_fields = wrong_fields(line);
        of_fields.unwrap_or_else(|| wrong(explain_json::<Call>(line, &error)))
    })
}

/// What is wrong with the fields of a line's request, as whoever sends it over HTTP is answered.
fn wrong_fields(line: &[u8]) -> Option<RequestError> {
    let line: Value = serde_json::from_slice(line).ok()?;
    let mut request = line.get("ask")?.as_object()?.iter();
    let (Some((word, fields)), None) = (request.next(), request.next()) else {
        return None;
    };
    let kind = RequestKind::of(word)?;
    // What HTTP does not carry, or carries in another form, is explained as it stands here.
    if kind.needs() == Need::LocalOnly || Operation::ALL.iter().any(|each| each.kind() == kind) {
        return None;
    }
    let fields = serde_json::to_vec(fields).ok()?;
    Some(kind.read(&fields).err()?.error)
}

/// The number of a request that could not be read; 0 if it has none.
pub(super) fn id_of(line: &[u8]) -> u64 {
    #[derive(Deserialize)]
    struct Numbered {
        id: u64,
    }
    let line = line.get(..LINE_MAX).unwrap_or(line);
    serde_json::from_slice(line).map_or(0, |numbered: Numbered| numbered.id)
}

/// The error for an unknown name, with a similar name as its fix, else with what lists those of its kind. Sensors are
/// listed by the robot's description.
pub(super) fn unknown<'k>(
    kind: &str,
    name: &str,
    known: impl Iterator<Item = &'k str>,
    description: &str,
) -> RequestError {
    let shown = shortened(name);
    let error = ErrorCode::UnknownName.error(format!("this robot has no {kind} `{shown}`"));
    if let Some(near) = description::nearest(name, known) {
        return error.fix(format!("did you mean `{near}`?"));
    }
    let sensors = format!("`dcm-run config show {description} sensors` lists its sensors");
    error.fix(match kind {
        "pose" => "`dcm-run pose ls` lists its poses".to_owned(),
        "board" => "`dcm-run get` lists its boards".to_owned(),
        "link" => format!("`dcm-run config show {description} links` lists its links"),
        "sensor" => sensors,
        "value" => format!("`dcm-run joints --all` lists its actuators, {sensors}"),
        _ => "`dcm-run joints --all` lists its actuators".to_owned(),
    })
}

/// The error for an unknown guest, with a similar name as its fix.
pub(super) fn no_guest<'k>(
    name: &str,
    known: impl Iterator<Item = &'k str> + Clone,
) -> RequestError {
    let shown = shortened(name);
    let error = ErrorCode::NotFound.error(format!("there is no guest `{shown}`"));
    match description::nearest(name, known.clone()) {
        Some(near) => error.fix(format!("did you mean `{near}`?")),
        None if known.count() == 0 => error.fix("start one: `dcm-run load FILE`"),
        None => error.fix("`dcm-run ps` lists the guests"),
    }
}

/// The actuators of a robot that a name or an alias means.
pub(super) fn actuators(robot: &Robot, name: &str) -> Result<Vec<ActuatorId>, RequestError> {
    if let Some(id) = robot.actuator(name) {
        return Ok(vec![id]);
    }
    if let Some((_, members)) = robot.aliases.iter().find(|(alias, _)| alias == name) {
        return Ok(members.clone());
    }
    let names = robot
        .actuators
        .iter()
        .map(|actuator| actuator.name.as_str());
    let aliases = robot.aliases.iter().map(|alias| alias.0.as_str());
    Err(unknown("actuator", name, names.chain(aliases), &robot.name))
}
