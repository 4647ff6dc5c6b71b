//! The body of a rehearsal: its actuators and sensors, and their limits.

use std::borrow::ToOwned;
use std::format;
use std::ops::RangeInclusive;
use std::string::String;
use std::vec::Vec;

use crate::time::{Span, Time};

/// A body. [`nao`](super::nao) is one; build others with its methods.
///
/// ```
/// use choreography::prelude::*;
/// use choreography::rehearsal::Body;
///
/// static Arm: Actuator = Actuator::named("Arm");
///
/// let crane = Body::new(20.ms()).joint("Arm", -1.0..=1.0, 2.0, 0.0).sensor("Load", 0.5);
/// let mut stage = Rehearsal::alone(crane);
/// Arm.to(0.5).over(500.ms());
/// stage.run_for(1.s());
/// assert_eq!(stage.sent(&Arm), 0.5);
/// ```
#[derive(Clone, Debug)]
pub struct Body {
    pub(super) period: Span,
    pub(super) actuators: Vec<Known>,
    pub(super) sensors: Vec<(String, f64)>,
    pub(super) aliases: Vec<(String, Vec<usize>)>,
    pub(super) couplings: Vec<Coupling>,
}

/// The data of an actuator.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) name: String,
    pub(super) lowest: f64,
    pub(super) highest: f64,
    pub(super) velocity: f64,
    pub(super) rest: f64,
    /// The sensor of its position.
    pub(super) felt_by: Option<usize>,
    /// The actuator that is its stiffness.
    pub(super) stiffness: Option<usize>,
}

/// A coupled range: the value of one joint limits another.
#[derive(Clone, Debug)]
pub(super) struct Coupling {
    pub(super) driver: usize,
    pub(super) driven: usize,
    /// The value of the driving joint, and the range of the driven one.
    pub(super) rows: Vec<[f64; 3]>,
}

/// The optional prefix and suffix of names.
const PREFIX: &str = "Device/SubDeviceList/";
const ACTUATOR: [&str; 2] = ["/Actuator/Value", "/Position"];
const SENSOR: [&str; 2] = ["/Sensor/Value", "/Position"];

impl Body {
    /// An empty body with this period.
    pub fn new(period: Span) -> Body {
        let nothing = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (actuators, sensors, aliases, couplings) = nothing;
        Body {
            period: period.max(1.us()),
            actuators,
            sensors,
            aliases,
            couplings,
        }
    }

    /// Adds a joint: its range, its maximum velocity, and its value at rest. Its position is measured by a
    /// sensor of the same name.
    #[must_use]
    pub fn joint(self, name: &str, range: RangeInclusive<f64>, velocity: f64, rest: f64) -> Body {
        let felt_by = Some(self.sensors.len());
        self.actuator(name, range, velocity, rest, felt_by)
            .sensor(name, rest)
    }

    /// Adds the stiffness of a joint, `HeadYawStiffness` of `HeadYaw`, from -1 to 1. While it is 0 or less the joint is
    /// limp: it is where its sensor is. At first it is 1.
    ///
    /// # Panics
    /// There is no such joint.
    #[must_use]
    pub fn stiffness(self, joint: &str) -> Body {
        let found = self.find_actuator(joint);
        let place = found.unwrap_or_else(|| panic!("no joint `{joint}` for the stiffness"));
        let stiffness = self.actuators.len();
        let name = format!("{joint}Stiffness");
        let mut body = self.actuator(&name, -1.0..=1.0, f64::INFINITY, 1.0, None);
        body.actuators[place].stiffness = Some(stiffness);
        body
    }

    /// Adds a light, from 0 to 1.
    #[must_use]
    pub fn light(self, name: &str) -> Body {
        self.actuator(name, 0.0..=1.0, f64::INFINITY, 0.0, None)
    }

    /// Adds a trigger. Between its commands it has a value, as if it were sent again and again.
    #[must_use]
    pub fn trigger(self, name: &str, range: RangeInclusive<f64>) -> Body {
        let rest = *range.start();
        self.actuator(name, range, f64::INFINITY, rest, None)
    }

    /// Adds a sensor with its initial value.
    #[must_use]
    pub fn sensor(mut self, name: &str, reads: f64) -> Body {
        self.sensors.push((name.to_owned(), reads));
        self
    }

    /// Adds an alias of these actuators.
    ///
    /// # Panics
    /// One of them does not exist.
    #[must_use]
    pub fn alias(mut self, name: &str, members: &[&str]) -> Body {
        let find = |text: &&str| {
            self.find_actuator(text)
                .unwrap_or_else(|| panic!("no actuator `{text}` for the alias"))
        };
        let members = members.iter().map(find).collect();
        self.aliases.push((name.to_owned(), members));
        self
    }

    /// Adds a coupled range: values of one joint, each with the lowest and highest value of the other.
    ///
    /// # Panics
    /// One of them does not exist.
    #[must_use]
    pub fn coupling(mut self, driver: &str, driven: &str, rows: &[[f64; 3]]) -> Body {
        let find = |text: &str| {
            self.find_actuator(text)
                .unwrap_or_else(|| panic!("no actuator `{text}` to couple"))
        };
        let (driver, driven) = (find(driver), find(driven));
        self.couplings.push(Coupling {
            driver,
            driven,
            rows: rows.to_vec(),
        });
        self
    }

    /// Sets the period.
    #[must_use]
    pub fn with_period(self, period: Span) -> Body {
        Body {
            period: period.max(1.us()),
            ..self
        }
    }

    /// Removes this actuator, to test a choreography on a body without it.
    #[must_use]
    pub fn without(mut self, name: &str) -> Body {
        // Its index stays, under a name that cannot be looked up.
        if let Some(place) = self.find_actuator(name) {
            self.actuators[place].name.clear();
        }
        self
    }

    fn actuator(
        mut self,
        name: &str,
        range: RangeInclusive<f64>,
        velocity: f64,
        rest: f64,
        felt_by: Option<usize>,
    ) -> Body {
        let (lowest, highest) = range.into_inner();
        let name = name.to_owned();
        self.actuators.push(Known {
            name,
            lowest,
            highest,
            velocity,
            rest,
            felt_by,
            stiffness: None,
        });
        self
    }

    pub(super) fn find_actuator(&self, name: &str) -> Option<usize> {
        let name = bare(name, ACTUATOR);
        self.actuators
            .iter()
            .position(|actuator| !name.is_empty() && actuator.name == name)
    }

    pub(super) fn find_sensor(&self, name: &str) -> Option<usize> {
        let name = bare(name, SENSOR);
        self.sensors.iter().position(|sensor| sensor.0 == name)
    }

    /// The range of an actuator, given the positions of the others.
    pub(super) fn range(&self, actuator: usize, place: impl Fn(usize) -> f64) -> (f64, f64) {
        let known = &self.actuators[actuator];
        let (mut lowest, mut highest) = (known.lowest, known.highest);
        for coupling in self
            .couplings
            .iter()
            .filter(|coupling| coupling.driven == actuator)
        {
            let row = coupling.at(place(coupling.driver));
            (lowest, highest) = (lowest.max(row[1]), highest.min(row[2]));
        }
        (lowest, highest)
    }
}

impl Coupling {
    fn at(&self, place: f64) -> [f64; 3] {
        let after = self
            .rows
            .iter()
            .position(|row| row[0] >= place)
            .unwrap_or(self.rows.len());
        let (before, after) = (after.saturating_sub(1), after.min(self.rows.len() - 1));
        let (one, two) = (self.rows[before], self.rows[after]);
        let way = two[0] - one[0];
        let share = if way > 0.0 {
            ((place - one[0]) / way).clamp(0.0, 1.0)
        } else {
            0.0
        };
        [0, 1, 2].map(|i| one[i] + (two[i] - one[i]) * share)
    }
}

/// A name without prefix and suffix.
fn bare<'n>(name: &'n str, behind: [&str; 2]) -> &'n str {
    let name = name.strip_prefix(PREFIX).unwrap_or(name);
    behind
        .iter()
        .fold(name, |name, item| name.strip_suffix(item).unwrap_or(name))
}
