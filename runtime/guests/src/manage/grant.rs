//! What a choreography may use, what is asked for it when it is loaded, and why it is refused.
//! Made from `robot.toml` and from the command line; read when a guest is admitted.
//! What is asked for is given as far as the grant allows, and beyond that refused with a reason.

use std::fmt;
use std::sync::Arc;

use cycle::{LaneSettings, Span};

use crate::host::WasiAccess;
use crate::load::choreography::PrepareError;
use crate::load::manifest::Manifest;
use crate::shared::terms::Terms;
use crate::turn::scheduler::GUESTS;

/// What a choreography may use.
#[derive(Clone, Debug)]
pub struct Grant {
    /// Fuel for each call of a hook.
    pub fuel: u64,
    /// Bytes of memory.
    pub memory: u64,
    /// The highest priority of its lane.
    pub priority: f64,
    /// The actuators it may drive; default: all.
    pub actuators: Option<Vec<u32>>,
    /// WASI, for a score.
    pub wasi: WasiAccess,
}

/// Options for loading a guest, with numbers of actuators: names are looked up before.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Its name; default: the manifest's.
    pub name: Option<String>,
    /// Where it came from, for people.
    pub from: String,
    /// Its lane's priority.
    pub priority: Option<f64>,
    /// Its lane's weight.
    pub weight: Option<f64>,
    /// The actuators it may drive, of those it was granted.
    pub mask: Option<Vec<u32>>,
    /// Its parameters.
    pub params: Vec<(String, f64)>,
    /// It stays when `is-alive` answers no.
    pub keep: bool,
}

/// Why a guest was not admitted, or a request to it failed.
#[derive(Debug)]
pub enum GuestError {
    /// The bytes are no choreography.
    Prepare(PrepareError),
    /// There is no such guest.
    NoGuest(String),
    /// There are as many guests as there may be.
    Full(usize),
    /// The channel to the loop is full.
    Busy,
    /// Its grant does not allow that priority.
    Priority {
        /// What was asked for.
        asked: f64,
        /// What is granted.
        granted: f64,
    },
    /// A value is out of its range.
    Figure(String),
    /// It has no such parameter.
    NoParam(String),
    /// Only a motion can be swapped for a motion.
    NoSwap,
    /// It failed while it was made or started.
    Failed(String),
}

impl fmt::Display for GuestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GuestError::Prepare(error) => error.fmt(f),
            GuestError::NoGuest(name) => write!(
                f,
                "there is no guest `{name}`; fix: `dcm-run ps` lists the guests"
            ),
            GuestError::Full(most) => {
                write!(
                    f,
                    "there is no room for another guest: there are at most {most}, one of them kept for a swap; fix: \
                     stop one"
                )?;
                match *most < GUESTS {
                    true => f.write_str(", or raise `lanes` or `commands` under [loop]"),
                    false => Ok(()),
                }
            }
            GuestError::Busy => write!(
                f,
                "too many requests wait for the loop; fix: wait a turn and try again"
            ),
            GuestError::Priority { asked, granted } => write!(
                f,
                "its grant allows a priority of {granted} at most, and {asked} was asked; fix: ask \
                 for less, or raise `priority` in its grant in robot.toml"
            ),
            GuestError::Figure(why) => f.write_str(why),
            GuestError::NoParam(why) => f.write_str(why),
            GuestError::NoSwap => write!(
                f,
                "only a motion can be swapped, and only for a motion: a score or a show cannot be replaced while it \
                 plays; fix: `dcm-run stop` the one, and `dcm-run load` the other"
            ),
            GuestError::Failed(why) => write!(f, "it failed: {why}"),
        }
    }
}

impl std::error::Error for GuestError {}

pub(crate) fn is_weight(weight: f64) -> Result<(), GuestError> {
    if cycle::is_weight(weight) {
        return Ok(());
    }
    let why = "a weight lies between 0 and 1,000; fix: give such a number, as in `--weight 0.5`"
        .to_owned();
    Err(GuestError::Figure(why))
}

/// Settles a guest's terms: what its manifest and whoever loads it ask for, within the grant.
pub(crate) fn terms(
    mut lane: LaneSettings,
    ticks: u64,
    manifest: &Manifest,
    grant: &Grant,
    options: &LoadOptions,
) -> Result<Terms, GuestError> {
    let priority = options
        .priority
        .or(manifest.priority)
        .unwrap_or(lane.priority);
    if !(priority.is_finite() && priority <= grant.priority) {
        return Err(GuestError::Priority {
            asked: priority,
            granted: grant.priority,
        });
    }
    let weight = options.weight.or(manifest.weight).unwrap_or(lane.weight);
    is_weight(weight)?;
    (lane.priority, lane.weight) = (priority, weight);
    let millis = |n: Option<u32>| n.map(|value| Span::from_millis(u64::from(value)));
    lane.fade_in = millis(manifest.fade_in).unwrap_or(lane.fade_in);
    lane.fade_out = millis(manifest.fade_out).unwrap_or(lane.fade_out);
    let mask = match (&grant.actuators, &options.mask) {
        (None, None) => None,
        (Some(value), None) | (None, Some(value)) => Some(value.clone()),
        (Some(granted), Some(asked)) => {
            let both = asked.iter().filter(|item| granted.contains(item));
            Some(both.copied().collect())
        }
    };
    Ok(Terms {
        fuel: manifest.fuel.unwrap_or(grant.fuel).min(grant.fuel),
        ticks,
        memory: usize::try_from(grant.memory).unwrap_or(usize::MAX),
        priority_max: grant.priority,
        mask,
        lane,
        script: Arc::default(),
        params: options.params.clone(),
        own_priority: options.priority.is_some(),
        prune: !options.keep,
        paused: false,
    })
}
