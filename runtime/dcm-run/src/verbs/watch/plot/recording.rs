//! Reads the turns of a recording. Called by `plot`. Keys are those of `watch` that a recording contains;
//! damaged turns are left out.

use std::path::Path;

use anyhow::{Result, bail};
use description::{Robot, no_such};
use pictures::{Chart, SECONDS, Series};
use recording::{Recording, Turn};

use super::{TURNS_MAX, check_count, name_of};
use crate::text::errors;

/// The first bytes of an MCAP file.
const MAGIC: &[u8] = b"\x89MCAP0\r\n";

/// One value of every turn.
#[derive(Clone, Copy)]
enum RecordingColumn {
    Commanded(usize),
    Limited(usize),
    Sent(usize),
    Sensor(usize),
    Power,
}

/// Whether this file is a recording.
pub(super) fn is_one(path: &Path) -> bool {
    use std::io::Read;
    let mut begins = [0; MAGIC.len()];
    let read = std::fs::File::open(path).and_then(|mut value| value.read_exact(&mut begins));
    read.is_ok() && begins == MAGIC
}

/// Its last turns, or all.
pub(super) fn read(path: &Path, keys: &[String], last: Option<usize>) -> Result<Chart> {
    let shown = path.display();
    errors::open(path)?;
    let recording = Recording::open(path).map_err(|why| anyhow::anyhow!("{shown}: {why}"))?;
    let robot = &*recording.robot;
    if keys.is_empty() {
        let names: Vec<_> = robot
            .actuators
            .iter()
            .take(4)
            .map(|actuator| actuator.name.as_str())
            .collect();
        bail!(
            "no key to draw; fix: give at least one; a key is an actuator such as {}, alone or with .commanded, \
             .limited, .sent or .sensor; a sensor; or power",
            names.join(", ")
        );
    }
    let mut lines: Vec<(RecordingColumn, Series)> = Vec::new();
    for key in keys {
        for (title, unit, place) in find(robot, key)? {
            if lines.iter().all(|line| line.1.title != title) {
                let values = Vec::new();
                lines.push((
                    place,
                    Series {
                        title,
                        unit,
                        values,
                    },
                ));
            }
        }
    }
    check_count(lines.len())?;
    let from = (recording.turns() as usize).saturating_sub(last.unwrap_or(usize::MAX));
    let mut times = Vec::new();
    for read in recording.each_turn().skip(from).filter(|turn| turn.sealed) {
        if times.len() == TURNS_MAX {
            bail!("{shown} has more than {TURNS_MAX} turns; fix: --last {TURNS_MAX}");
        }
        times.push(read.turn.now as f64 / 1e9);
        for (place, line) in &mut lines {
            line.values.push(place.of(&read.turn));
        }
    }
    if times.is_empty() {
        bail!(
            "{shown} contains no turn that can be read; fix: `dcm-run replay {shown} --verify` says what is damaged"
        );
    }
    Ok(Chart {
        name: name_of(path),
        clock: SECONDS.into(),
        times,
        lines: lines.into_iter().map(|line| line.1).collect(),
        ..Chart::default()
    })
}

impl RecordingColumn {
    fn of(self, turn: &Turn) -> f64 {
        let at = |list: &[f64], place: usize| list.get(place).copied().unwrap_or(f64::NAN);
        match self {
            RecordingColumn::Commanded(commanded) => at(&turn.commanded, commanded),
            RecordingColumn::Limited(limited) => at(&turn.limited, limited),
            RecordingColumn::Sent(value) => at(&turn.sent, value),
            RecordingColumn::Sensor(sensor) => at(&turn.sensors, sensor),
            RecordingColumn::Power => turn.power,
        }
    }
}

/// The columns that a key means in this recording: title, unit, place.
fn find(robot: &Robot, key: &str) -> Result<Vec<(String, String, RecordingColumn)>> {
    if key == "power" {
        return Ok(vec![(
            key.to_owned(),
            String::new(),
            RecordingColumn::Power,
        )]);
    }
    let (name, field) = key.rsplit_once('.').unwrap_or((key, ""));
    let (name, field) = match field {
        "commanded" | "limited" | "sent" | "sensor" => (name, field),
        _ => (key, ""),
    };
    let aliases = robot.aliases.iter().find(|alias| alias.0 == name);
    let own = robot.actuator(name).map(|actuator| vec![actuator]);
    let ids = aliases
        .map(|alias| alias.1.clone())
        .or(own)
        .unwrap_or_default();
    let mut found = Vec::new();
    for place in ids
        .iter()
        .map(|id| usize::from(id.0))
        .filter(|_| field != "sensor")
    {
        let actuator = &robot.actuators[place];
        let what = match field {
            "commanded" => RecordingColumn::Commanded(place),
            "limited" => RecordingColumn::Limited(place),
            _ => RecordingColumn::Sent(place),
        };
        let field = if field.is_empty() { "sent" } else { field };
        found.push((
            format!("{}.{field}", actuator.name),
            actuator.unit.clone(),
            what,
        ));
    }
    if let Some(sensor) = robot
        .sensor(name)
        .filter(|_| matches!(field, "" | "sensor"))
    {
        let place = usize::from(sensor.0);
        let sensor = &robot.sensors[place];
        found.push((
            format!("{}.sensor", sensor.name),
            sensor.unit.clone(),
            RecordingColumn::Sensor(place),
        ));
    }
    if found.is_empty() {
        let known = robot
            .actuators
            .iter()
            .map(|actuator| actuator.name.as_str());
        let known = known.chain(robot.sensors.iter().map(|sensor| sensor.name.as_str()));
        bail!(no_such("actuator or sensor", name, known));
    }
    Ok(found)
}
