//! Creates the page of a robot from its description, shared or private.
//! Called when a loop starts, in real or in virtual time.
//! All pages of a robot have the same layout.

use std::path::Path;

use sensors::{CreateError, Creation, PageWriter};

use description::{BodyTables, Robot};

/// Creates the page of this robot at `path`; `utc_at_zero` is its instant 0 in ns since the epoch, `run` is different
/// for each run on a machine.
///
/// # Errors
/// The file cannot be created.
pub fn make_page(
    robot: &Robot,
    path: &Path,
    utc_at_zero: u64,
    run: u64,
) -> Result<PageWriter, CreateError> {
    made_for(robot, utc_at_zero, run, |value| {
        PageWriter::create(path, value)
    })
}

/// Creates a page that no other process sees.
///
/// # Errors
/// There is not enough memory.
pub fn private_page(robot: &Robot) -> Result<PageWriter, CreateError> {
    made_for(robot, 0, 1, PageWriter::private)
}

fn made_for(
    robot: &Robot,
    utc_at_zero: u64,
    run: u64,
    make: impl FnOnce(&Creation<'_>) -> Result<PageWriter, CreateError>,
) -> Result<PageWriter, CreateError> {
    let tables = BodyTables::of(robot);
    let actuator_units: Vec<_> = robot
        .actuators
        .iter()
        .map(|actuator| actuator.unit.as_str())
        .collect();
    let sensor_units: Vec<_> = robot
        .sensors
        .iter()
        .map(|sensor| sensor.unit.as_str())
        .collect();
    make(&Creation {
        body: &tables.body(),
        actuator_units: &actuator_units,
        sensor_units: &sensor_units,
        period: robot.settings.period,
        utc_at_zero: i64::try_from(utc_at_zero).unwrap_or(0),
        run,
    })
}
