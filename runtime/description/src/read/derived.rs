//! Sensors that are computed: sums, centres, how long a button is pressed, gains in force.
//! Read after the parts that they come from.
//! A sensor is computed in one way, from what a board reads or a joint has.

use cycle::{DerivedTerm, GainTerm, SensorId};

use super::RobotReader;
use super::table_view::TableView;
use crate::nearest;
use crate::problem::Problem;
use crate::robot::DerivedSpec;
use crate::text::Spot;

/// The ways; one of them for a sensor.
pub(super) const WAYS: [&str; 6] = ["sum-of", "centre-of", "held", "p-of", "i-of", "d-of"];

const GAINS: [(&str, GainTerm); 3] = [
    ("p-of", GainTerm::P),
    ("i-of", GainTerm::I),
    ("d-of", GainTerm::D),
];

impl<'t> RobotReader<'t> {
    /// The sensors that are computed.
    pub(super) fn read_derived_sensors(&mut self) {
        let ways = |entry: &TableView<'t>| -> Vec<&'static str> {
            let ways = WAYS.into_iter();
            ways.filter(|value| entry.node(value).is_some()).collect()
        };
        let entries = self.section("sensors").into_iter();
        let derived: Vec<_> = entries.filter(|entry| !ways(&entry.1).is_empty()).collect();
        let is_derived = |name: &str| derived.iter().any(|pair| pair.0 == name);
        for (name, entry) in &derived {
            if let [_, second, ..] = ways(entry)[..] {
                let sentence = format!("`{name}` is computed in two ways");
                let problem = Problem::at(entry.spot_of(second), sentence, "the second");
                let ways = WAYS.map(|value| format!("`{value}`")).join(", ");
                self.complain(problem.help(format!("keep one of {ways}")));
                continue;
            }
            // Without any of the others it stays a sensor of its board.
            let Some(spec) = self.read_derived(name, entry, &is_derived) else {
                continue;
            };
            if let Some(&(id, _)) = self.sensors.get(*name) {
                self.robot.sensors[usize::from(id.0)].derived = Some(spec);
            }
        }
    }

    /// How a sensor is computed; none if what it comes from is absent, or after a complaint.
    fn read_derived(
        &mut self,
        name: &str,
        entry: &TableView<'t>,
        is_derived: &dyn Fn(&str) -> bool,
    ) -> Option<DerivedSpec> {
        for (way, term) in GAINS {
            let Some(joint) = entry.text(way) else {
                continue;
            };
            let id = self.actuator(joint, entry.spot_of(way))?;
            if self.robot.actuators[usize::from(id.0)].gains.is_none() {
                let sentence = format!("`{joint}` has no gains");
                let problem = Problem::at(entry.spot_of(way), sentence, "here");
                self.complain(
                    problem.help(format!("give it some: `gains = {{ p = 1 }}` of `{joint}`")),
                );
                return None;
            }
            return Some(DerivedSpec::Gain(id, term));
        }
        if let Some(from) = entry.text("held") {
            let sensor = self.read_source(from, entry.spot_of("held"), is_derived)?;
            return Some(DerivedSpec::Held(sensor));
        }
        let is_centre = entry.node("centre-of").is_some();
        let (way, list) = if is_centre {
            ("centre-of", "places")
        } else {
            ("sum-of", "factors")
        };
        let sources = entry.texts(way);
        let coefficients = entry.figures(list);
        let may_lack = !is_centre && entry.node(list).is_none();
        if coefficients.len() != sources.len() && !may_lack {
            let (all, found) = (sources.len(), coefficients.len());
            let sentence = format!("`{name}` comes from {all} sensors, and has {found} {list}");
            let problem = Problem::at(entry.spot_of(way), sentence, "here");
            self.complain(problem.help(format!("give each sensor one: `{list} = [0.07, -0.03]`")));
            return None;
        }
        let mut terms = Vec::new();
        for (place, (from, spot)) in sources.into_iter().enumerate() {
            if let Some(sensor) = self.read_source(from, spot, is_derived) {
                let coefficient = coefficients.get(place).copied().unwrap_or(1.0);
                terms.push(DerivedTerm {
                    sensor,
                    coefficient,
                });
            }
        }
        if terms.is_empty() {
            return None;
        }
        Some(if is_centre {
            DerivedSpec::Centre(terms)
        } else {
            DerivedSpec::Sum(terms)
        })
    }

    /// The sensor of this name, which a board reads; a complaint, unless it is absent.
    fn read_source(
        &mut self,
        name: &str,
        spot: Spot,
        is_derived: &dyn Fn(&str) -> bool,
    ) -> Option<SensorId> {
        if is_derived(name) {
            let problem = Problem::at(spot, format!("`{name}` is computed itself"), "here");
            self.complain(problem.help("name the sensors that a board reads"));
            return None;
        }
        if let Some(&(id, _)) = self.sensors.get(name) {
            return Some(id);
        }
        if self.is_missing(name) {
            return None;
        }
        let near = nearest(name, self.sensors.keys().map(String::as_str));
        let problem = Problem::at(spot, format!("there is no sensor `{name}`"), "here");
        self.complain(match near {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None => problem,
        });
        None
    }
}
