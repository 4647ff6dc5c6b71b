//! Parses a line into a request, and looks up names.
//! Used by the handler and by requests about guests. The law: an error for an unknown name suggests a similar one.

use ::socket::{Call, LINE_MAX, Trouble};
use cycle::ActuatorId;

use description::Robot;

/// Parses a line.
pub(super) fn read(line: &[u8]) -> Result<Call, Trouble> {
    let wrong = |sentence: String| {
        Trouble::new("not-understood", sentence)
            .fix("send one JSON object on each line, such as {\"id\":1,\"ask\":\"hello\"}")
    };
    if line.len() > LINE_MAX {
        return Err(wrong(format!("the line is longer than {LINE_MAX} bytes")));
    }
    serde_json::from_slice(line).map_err(|error| wrong(error.to_string()))
}

/// The error for an unknown name, with a similar name as its fix.
pub(super) fn unknown<'k>(kind: &str, name: &str, known: impl Iterator<Item = &'k str>) -> Trouble {
    let trouble = Trouble::new("unknown-name", format!("this robot has no {kind} `{name}`"));
    match description::nearest(name, known) {
        Some(near) => trouble.fix(format!("did you mean `{near}`?")),
        None => trouble.fix(match kind {
            "pose" => "`dcm-run pose ls` lists its poses",
            "board" => "`dcm-run get` lists its boards",
            _ => "`dcm-run joints` lists its joints, `dcm-run config show ROBOT` all that it has",
        }),
    }
}

/// The actuators of a robot that a name or an alias means.
pub(super) fn actuators(robot: &Robot, name: &str) -> Result<Vec<ActuatorId>, Trouble> {
    if let Some(id) = robot.actuator(name) {
        return Ok(vec![id]);
    }
    if let Some((_, members)) = robot.aliases.iter().find(|(it, _)| it == name) {
        return Ok(members.clone());
    }
    let names = robot.actuators.iter().map(|it| it.name.as_str());
    let aliases = robot.aliases.iter().map(|it| it.0.as_str());
    Err(unknown("actuator", name, names.chain(aliases)))
}
