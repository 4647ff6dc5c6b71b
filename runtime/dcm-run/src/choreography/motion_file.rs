//! Files of motions, our own and those of other programs, as the options of a verb say that they are read.
//! Used by `guest_options` for whatever plays, by `convert` and by `compile`. What was tolerated is told, and
//! nothing outside a motion's own folder is read for it.

use std::fmt::Display;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use description::{Dimension, Robot, RobotSource, SHIPPED, load};
use motion_files::{FileMistake, JointMap, MotionFormat, MotionSurroundings};
use robot::show::{CURVE_ERROR, SHOW_MAX, Show, ShowOptions, mirrors};

use crate::text::errors;

/// The formats of a show, for `dcm-run play --help`.
pub(crate) const FORMATS: &str =
    "This starts a robot's loop, as `dcm-run run` does; `dcm-run load` plays a show on a loop that
runs already.

A show in CSV has the columns actuator, time and value, one command per line:

  actuator,time,value
  HeadYaw,0.5,30deg
  HeadYaw,1s,0

or a column time and a column for each actuator, one instant per line; an empty field is no command.
The output of `dcm-run watch --csv` can be played. A show in JSON is a list of commands, or an
object:

  {\"name\": \"nod\", \"lead\": \"1s\", \"loops\": false, \"commands\": [
    {\"actuator\": \"HeadYaw\", \"time\": 0.5, \"value\": \"30deg\", \"ease\": \"min-jerk\"},
    {\"actuator\": \"HeadYaw\", \"time\": 2, \"value\": 0}]}

Times are in s, and values in rad, m or fractions of 1, unless a unit is given. Between two keys
values are interpolated linearly, or as `ease` of the first one says (a column in CSV): linear,
step, spline, ease-in, ease-out, ease-in-out, min-jerk, bezier(0.2 0.4 / -0.3 0). Files of other
programs are played as well, such as those of Webots, Choregraphe, Tekkotsu and ROS:
`dcm-run convert --help` lists them.

A show begins `lead` after it is loaded (default: 1 s), so that the robot can reach its first values.
While it plays, it is a player: `dcm-run tune SHOW speed=0.5` (from -4 to 4), `at=12.5` (s), `pause=1`,
`loop=1`, `mirror=1`; `--param at=12.5` begins there, `--param speed=-1` at the end. The page and
`top` have them, too.";

/// The remarks that are shown of a file.
const REMARKS_MAX: usize = 10;

/// How files of motions are read.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct MotionArgs {
    /// For a file of a motion: the file that maps its joints to the robot's; see `dcm-run convert --help`.
    #[arg(long, value_name = "FILE", help_heading = "Files of motions")]
    map: Option<PathBuf>,
    /// For a file of a motion: exchange left and right.
    #[arg(long, help_heading = "Files of motions")]
    mirror: bool,
    /// For a file of several motions: the one to take; `all` plays them one after another.
    #[arg(long, value_name = "NAME", help_heading = "Files of motions")]
    motion: Option<String>,
    /// For a file with curves: how far the lines that are played may be from them, rad or m; default: 0.001.
    #[arg(long, value_name = "DISTANCE", value_parser = distance, help_heading = "Files of motions")]
    curve_error: Option<f64>,
}

fn distance(text: &str) -> Result<f64, String> {
    let distance = Dimension::Position.read(text)?;
    let is_one = distance.is_finite() && distance > 0.0;
    is_one
        .then_some(distance)
        .ok_or_else(|| "expected a distance greater than 0".to_owned())
}

impl MotionArgs {
    /// Which of several motions.
    pub(crate) fn motion(&self) -> Option<&str> {
        self.motion.as_deref()
    }

    /// How far a line may be from its curve, in SI.
    pub(crate) fn curve_error(&self) -> f64 {
        self.curve_error.unwrap_or(CURVE_ERROR)
    }

    /// Whether a motion stays as it is in its file.
    pub(crate) fn changes_nothing(&self) -> bool {
        self.map.is_none() && !self.mirror && self.motion.is_none()
    }

    /// From the joints of the motion to those of the robot.
    fn map(&self) -> Result<JointMap> {
        let mut map = match &self.map {
            Some(path) => {
                let read = JointMap::read(&errors::read(path, errors::TEXT_MAX)?);
                read.map_err(|mistakes| anyhow::anyhow!("{}:\n{mistakes}", path.display()))?
            }
            None => JointMap::default(),
        };
        map.mirror |= self.mirror;
        Ok(map)
    }

    /// The same, with what the mirror image of this robot is.
    pub(crate) fn map_for(&self, robot: Option<&Robot>) -> Result<JointMap> {
        let body = robot.map(mirrors).unwrap_or_default();
        Ok(JointMap {
            body,
            ..self.map()?
        })
    }

    /// The show in this file, for this robot if it is known.
    pub(crate) fn show(&self, path: &Path, bytes: &[u8], robot: Option<&Robot>) -> Result<Show> {
        let map = self.map_for(robot)?;
        let around = MotionFolder::of(path, robot, &map);
        let options = ShowOptions {
            map: &map,
            error: self.curve_error(),
            motion: self.motion(),
            around: &around,
        };
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        show_of(&path.display(), &file, bytes, &options, robot)
    }
}

/// The show in a file of this name, for this robot if it is known; `told` is how messages name the file.
pub(crate) fn show_of(
    told: &dyn Display,
    name: &str,
    bytes: &[u8],
    options: &ShowOptions<'_>,
    robot: Option<&Robot>,
) -> Result<Show> {
    let show = Show::read_with(name, bytes, options);
    let show = show.and_then(|show| robot.map_or(Ok(show.clone()), |robot| show.fitted(robot)));
    show.map_err(|mistakes| anyhow::anyhow!("{told}:\n{mistakes}"))
}

/// The robot of this name or file, if one is given.
pub(crate) fn robot_of(name: Option<&str>) -> Result<Option<Robot>> {
    Ok(name.map(|name| load(&RobotSource::of(name))).transpose()?)
}

/// Reads a file that may be a motion.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let size = errors::size(path)?;
    if size > SHOW_MAX as u64 {
        bail!(
            "{}: {} MB is too large; a motion has at most {} MB; fix: divide it",
            path.display(),
            size / 1_000_000,
            SHOW_MAX / 1_000_000
        );
    }
    errors::read(path, SHOW_MAX as u64)
}

/// Whether a file is one of a motion: by the ending of its name, or by what is in it.
pub(crate) fn is_motion(name: &str, bytes: &[u8]) -> bool {
    if MotionFormat::of_ending(name).is_some() || motion_files::is_refused(name, bytes) {
        return true;
    }
    let format = motion_files::detect("", bytes);
    // Whatever is no other format reads as a table.
    format.is_some_and(|format| format != MotionFormat::Csv && format != MotionFormat::Json)
}

/// Says what was tolerated in a file.
pub(crate) fn print_remarks(path: &Path, remarks: &[FileMistake]) {
    for remark in remarks.iter().take(REMARKS_MAX) {
        anstream::eprintln!("{}: {remark}", path.display());
    }
    if remarks.len() > REMARKS_MAX {
        let more = remarks.len() - REMARKS_MAX;
        anstream::eprintln!("{}: and {more} more remarks", path.display());
    }
}

/// What a file of a motion may name: the robot's outputs, and files of its own folder, if it has one.
pub(crate) struct MotionFolder<'r> {
    folder: Option<PathBuf>,
    robot: Option<&'r Robot>,
    /// Names that a mapping file turns into the robot's.
    mapped: Vec<String>,
}

impl<'r> MotionFolder<'r> {
    /// Of a file, for this robot, to whose names these are mapped.
    pub(crate) fn of(path: &Path, robot: Option<&'r Robot>, map: &JointMap) -> MotionFolder<'r> {
        let folder = Some(path.parent().unwrap_or(Path::new("")).to_owned());
        let mapped = map.joints.iter().map(|joint| joint.from.clone()).collect();
        MotionFolder {
            folder,
            robot,
            mapped,
        }
    }

    /// Of a file that came alone.
    #[cfg(feature = "server")]
    pub(crate) fn none(robot: Option<&'r Robot>) -> MotionFolder<'r> {
        let (folder, mapped) = (None, Vec::new());
        MotionFolder {
            folder,
            robot,
            mapped,
        }
    }
}

/// As Tekkotsu writes the last word of a robot's name: `ERS-7` for `aibo-ers7`.
fn model_of(name: &str) -> Option<String> {
    let last = name.rsplit('-').next().unwrap_or_default();
    let letters = last.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = last.get(letters.len()..).unwrap_or_default();
    let has_both = !letters.is_empty() && !digits.is_empty();
    has_both.then(|| format!("{}-{digits}", letters.to_uppercase()))
}

impl MotionSurroundings for MotionFolder<'_> {
    fn model(&self) -> &str {
        self.robot.map_or("", |robot| robot.name.as_str())
    }

    /// Of the robot, or of one that is shipped: a posture of another body is mapped by the names of its outputs.
    fn outputs(&self, model: &str) -> Option<Vec<String>> {
        let is_it =
            |name: &str| name == model || model_of(name).is_some_and(|value| value == model);
        let names = |robot: &Robot| {
            robot
                .actuators
                .iter()
                .map(|actuator| actuator.name.clone())
                .collect()
        };
        if let Some(robot) = self.robot.filter(|robot| is_it(&robot.name)) {
            return Some(names(robot));
        }
        let other = SHIPPED.into_iter().find(|item| is_it(item))?;
        load(&RobotSource::of(other)).ok().as_ref().map(names)
    }

    fn other_models(&self) -> Vec<String> {
        model_of(self.model()).into_iter().collect()
    }

    fn other_names(&self) -> Vec<String> {
        let aliases = self.robot.map_or(&[][..], |robot| &robot.aliases);
        let aliases = aliases.iter().map(|alias| alias.0.clone());
        aliases.chain(self.mapped.iter().cloned()).collect()
    }

    fn file(&self, name: &str) -> Option<Vec<u8>> {
        let name = Path::new(name);
        let is_inside = name
            .components()
            .all(|component| matches!(component, Component::Normal(_) | Component::CurDir));
        if !is_inside {
            return None;
        }
        let path = self.folder.as_ref()?.join(name);
        let is_file = std::fs::symlink_metadata(&path).is_ok_and(|path| path.is_file());
        let mut bytes = Vec::new();
        let file = std::fs::File::open(path).ok().filter(|_| is_file)?;
        let read = file.take(SHOW_MAX as u64 + 1).read_to_end(&mut bytes);
        read.ok().filter(|value| *value <= SHOW_MAX)?;
        Some(bytes)
    }
}
