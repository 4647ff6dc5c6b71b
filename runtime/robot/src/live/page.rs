//! The page of a robot: made from its description, shared by name or seen by this process alone.
//! Called by whoever starts a loop, real or virtual.
//! The law: every page of a robot says the same of it, whoever made it.

use std::path::Path;

use sensors::{CreateError, Creation, PageWriter};

use description::{BodyTables, Robot};

/// Makes the page of this robot at `path`; `utc_at_zero` is the epoch's ns at its instant 0, `run` is distinct for
/// each run of a machine.
///
/// # Errors
/// The file cannot be made.
pub fn make_page(
    robot: &Robot,
    path: &Path,
    utc_at_zero: u64,
    run: u64,
) -> Result<PageWriter, CreateError> {
    made_for(robot, utc_at_zero, run, |it| PageWriter::create(path, it))
}

/// Makes a page that no other process sees.
///
/// # Errors
/// There is no memory for it.
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
    let actuator_units: Vec<_> = robot.actuators.iter().map(|it| it.unit.as_str()).collect();
    let sensor_units: Vec<_> = robot.sensors.iter().map(|it| it.unit.as_str()).collect();
    make(&Creation {
        body: &tables.body(),
        actuator_units: &actuator_units,
        sensor_units: &sensor_units,
        period: robot.settings.period,
        utc_at_zero: i64::try_from(utc_at_zero).unwrap_or(0),
        run,
    })
}
