//! What a choreography may use, what whoever loads it wishes, and why it does not come in.
//! Made from `robot.toml` and from the command line; read by the director.
//! The law: a wish is heard as far as the grant allows, and refused in words beyond.

use std::fmt;

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
    /// What it may drive; everything if it is not said.
    pub actuators: Option<Vec<u32>>,
    /// WASI, for a score.
    pub wasi: WasiAccess,
}

/// What whoever loads it wishes.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Its name; the manifest's if it is not said.
    pub name: Option<String>,
    /// Its lane's priority.
    pub priority: Option<f64>,
    /// Its lane's weight.
    pub weight: Option<f64>,
    /// What it may drive, of what it was granted.
    pub mask: Option<Vec<u32>>,
    /// Its parameters.
    pub params: Vec<(String, f64)>,
    /// It stays when it is not alive any more.
    pub keep: bool,
}

/// Why a guest did not come in, or something could not be asked of it.
#[derive(Debug)]
pub enum GuestError {
    /// The bytes are no choreography.
    Prepare(PrepareError),
    /// There is no such guest.
    NoGuest(String),
    /// There are as many as there may be.
    Full,
    /// Too much is on its way to the loop.
    Busy,
    /// Its grant does not allow that priority.
    Priority {
        /// What was wished.
        wished: f64,
        /// What is granted.
        granted: f64,
    },
    /// A figure is not what it should be.
    Figure(String),
    /// It has no such parameter.
    NoParam(String),
    /// Only a motion can be swapped for a motion.
    NoSwap,
    /// It broke while it was made or started.
    Failed(String),
}

impl fmt::Display for GuestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GuestError::Prepare(error) => error.fmt(f),
            GuestError::NoGuest(name) => write!(f, "there is no guest `{name}`"),
            GuestError::Full => write!(
                f,
                "there are as many guests as there may be ({GUESTS} with one that takes over); fix: stop one"
            ),
            GuestError::Busy => write!(f, "too much is on its way to the loop; ask again"),
            GuestError::Priority { wished, granted } => write!(
                f,
                "its grant allows a priority of {granted} at most, and {wished} was asked; fix: ask \
                 for less, or raise `priority` in its grant in robot.toml"
            ),
            GuestError::Figure(why) => f.write_str(why),
            GuestError::NoParam(why) => f.write_str(why),
            GuestError::NoSwap => write!(
                f,
                "only a motion can take over, and only from a motion: a score or a show is not cut in its midst; fix: \
                 `dcm-run stop` the one, and `dcm-run load` the other"
            ),
            GuestError::Failed(why) => write!(f, "it failed: {why}"),
        }
    }
}

impl std::error::Error for GuestError {}

pub(crate) fn is_weight(weight: f64) -> Result<(), GuestError> {
    if (0.0..=1.0).contains(&weight) {
        return Ok(());
    }
    let why = "a weight lies between 0 and 1".to_owned();
    Err(GuestError::Figure(why))
}

/// What a guest is granted, of what it and whoever loads it wish.
pub(crate) fn terms(
    mut lane: LaneSettings,
    ticks: u64,
    manifest: &Manifest,
    grant: &Grant,
    wishes: &LoadOptions,
) -> Result<Terms, GuestError> {
    let priority = wishes
        .priority
        .or(manifest.priority)
        .unwrap_or(lane.priority);
    if !(priority.is_finite() && priority <= grant.priority) {
        return Err(GuestError::Priority {
            wished: priority,
            granted: grant.priority,
        });
    }
    let weight = wishes.weight.or(manifest.weight).unwrap_or(lane.weight);
    is_weight(weight)?;
    (lane.priority, lane.weight) = (priority, weight);
    let millis = |it: Option<u32>| it.map(|it| Span::from_millis(u64::from(it)));
    lane.fade_in = millis(manifest.fade_in).unwrap_or(lane.fade_in);
    lane.fade_out = millis(manifest.fade_out).unwrap_or(lane.fade_out);
    let mask = match (&grant.actuators, &wishes.mask) {
        (None, None) => None,
        (Some(it), None) | (None, Some(it)) => Some(it.clone()),
        (Some(granted), Some(wished)) => {
            let both = wished.iter().filter(|it| granted.contains(it));
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
        params: wishes.params.clone(),
        own_priority: wishes.priority.is_some(),
        prune: !wishes.keep,
        paused: false,
    })
}
