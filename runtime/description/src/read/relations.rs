//! What holds between actuators: couplings, exclusive groups, aliases, poses, grants.
//! Read after the parts that they name.
//! Whatever is named exists, and every value lies where it may be sent.

use cycle::{ActuatorId, CouplingRow, GroupId, GroupRule, Kind};

use super::RobotReader;
use super::table_view::TableView;
use crate::nearest;
use crate::problem::Problem;
use crate::quantity::Dimension;
use crate::robot::{CouplingSpec, ExclusiveGroup, GrantSpec};
use crate::schema::{GROUP_RULES, figure};
use crate::text::Spot;
use crate::tree::LocatedValue;

impl<'t> RobotReader<'t> {
    pub(super) fn read_relations(&mut self) {
        self.read_derived_sensors();
        self.read_groups();
        self.read_aliases();
        self.read_identity();
        self.read_lost_lights();
        self.read_couplings();
        self.read_poses();
        self.read_grants();
    }

    fn read_groups(&mut self) {
        for (name, entry) in self.section("exclusive") {
            let group = GroupId(self.robot.groups.len() as u8);
            let contest = entry
                .choice("contest", &GROUP_RULES)
                .unwrap_or(GroupRule::Refuse);
            let name = name.to_owned();
            self.robot.groups.push(ExclusiveGroup { name, contest });
            for (member, spot) in entry.texts("members") {
                let Some(id) = self.actuator(member, spot) else {
                    continue;
                };
                let taken = self.robot.actuators[usize::from(id.0)].group.replace(group);
                if taken.is_some() {
                    let sentence = format!("`{member}` is in two exclusive groups");
                    self.complain(Problem::at(spot, sentence, "again here"));
                }
            }
        }
    }

    fn read_identity(&mut self) {
        let rows = self
            .tree
            .table("identity")
            .map_or(&[][..], |table| &table.0);
        let rows = rows
            .iter()
            .filter_map(|(key, node)| Some((key.text.clone(), node.as_text()?.to_owned())));
        self.robot.identity.extend(rows);
    }

    fn read_aliases(&mut self) {
        let rows = self.tree.table("aliases").map_or(&[][..], |table| &table.0);
        for (key, node) in rows {
            if let Some((_, first)) = self.actuators.get(&key.text) {
                let sentence = format!(
                    "the alias `{}` is already the name of an actuator",
                    key.text
                );
                let first = *first;
                self.complain(Problem::at(key.spot, sentence, "here").and(first, "the actuator"));
            }
            let members = self.members(node);
            if members.is_empty() && node.as_list().is_some_and(|value| !value.is_empty()) {
                self.missing.insert(key.text.clone());
                continue;
            }
            if members.len() > cycle::ALIAS_MEMBERS {
                let sentence = format!("an alias has at most {} members", cycle::ALIAS_MEMBERS);
                self.complain(Problem::at(node.spot, sentence, "too many"));
            }
            self.robot.aliases.push((key.text.clone(), members));
        }
    }

    /// The lights that tell of a silent client.
    fn read_lost_lights(&mut self) {
        let safety = self.root.sub("safety");
        let Some(node) = safety.and_then(|safety| safety.node("lost-lights")) else {
            return;
        };
        self.robot.lost_lights = self.members(node);
        let actuators = &self.robot.actuators;
        let is_light = |id: &ActuatorId| actuators[usize::from(id.0)].kind == Kind::Light;
        if !self.robot.lost_lights.iter().all(is_light) {
            let sentence = "only lights tell that a client is silent";
            let problem = Problem::at(node.spot, sentence, "not only lights");
            self.complain(problem.help("name lights, or aliases of lights"));
        }
    }

    /// The actuators of a list of names; aliases read so far may be among them.
    fn members(&mut self, list: &'t LocatedValue) -> Vec<ActuatorId> {
        let mut members = Vec::new();
        for node in list.as_list().unwrap_or_default() {
            let Some(name) = node.as_text() else { continue };
            let alias = self.robot.aliases.iter().find(|(alias, _)| alias == name);
            let found = match alias {
                Some((_, members)) => members.clone(),
                None => self.actuator(name, node.spot).into_iter().collect(),
            };
            for id in found {
                if members.contains(&id) {
                    self.complain(Problem::at(
                        node.spot,
                        format!("`{name}` is named twice"),
                        "again",
                    ));
                } else {
                    members.push(id);
                }
            }
        }
        members
    }

    fn read_couplings(&mut self) {
        let mut taken: Vec<(ActuatorId, Spot)> = Vec::new();
        for entry in self.root.subs("couplings") {
            let mut end = |key| {
                let name = entry.text(key)?;
                let spot = entry.spot_of(key);
                let id = self.actuator(name, spot)?;
                if let Some((_, first)) = taken.iter().find(|pair| pair.0 == id) {
                    let sentence = format!("`{name}` takes part in two couplings");
                    self.complain(Problem::at(spot, sentence, "again").and(*first, "first here"));
                }
                taken.push((id, spot));
                Some(id)
            };
            let (driver, driven) = (end("driver"), end("driven"));
            let (Some(driver), Some(driven)) = (driver, driven) else {
                continue;
            };
            let rows = self.read_rows(&entry, driven);
            self.robot.couplings.push(CouplingSpec {
                driver,
                driven,
                rows,
            });
        }
    }

    fn read_rows(&mut self, entry: &TableView<'t>, driven: ActuatorId) -> Vec<CouplingRow> {
        let range = self.robot.actuators[usize::from(driven.0)].range;
        let mut rows: Vec<CouplingRow> = Vec::new();
        for row in entry.subs("rows") {
            let (Some(driver), Some(own)) = (row.figure("at"), row.range("range")) else {
                continue;
            };
            if rows.last().is_some_and(|row| row.driver >= driver) {
                let sentence = "the rows of a coupling do not rise";
                self.complain(Problem::at(
                    row.spot_of("at"),
                    sentence,
                    "not above the row before",
                ));
            }
            if !(range.holds(own.min) && range.holds(own.max)) {
                let name = &self.robot.actuators[usize::from(driven.0)].name;
                let sentence = format!("this range is outside that of `{name}`");
                let help = format!("`{name}` goes from {} to {}", range.min, range.max);
                self.complain(Problem::at(row.spot_of("range"), sentence, "outside").help(help));
            }
            rows.push(CouplingRow { driver, range: own });
        }
        if rows.is_empty() {
            self.complain(Problem::at(
                entry.spot_of("rows"),
                "a coupling has at least one row",
                "here",
            ));
        }
        rows
    }

    fn read_poses(&mut self) {
        let poses = self.tree.table("poses").map_or(&[][..], |table| &table.0);
        for (key, node) in poses {
            let pose = self.posture(node);
            self.robot.poses.push((key.text.clone(), pose));
        }
        let simulation = self.root.sub("simulation");
        if let Some(sitting) = simulation.as_ref().and_then(|table| table.node("sitting")) {
            self.robot.sitting = self.posture(sitting);
        }
        let Some(safety) = self.root.sub("safety") else {
            return;
        };
        let Some(name) = safety.text("pose") else {
            return;
        };
        let Some(pose) = self.robot.pose(name).map(<[_]>::to_vec) else {
            let near = nearest(name, self.robot.poses.iter().map(|pose| pose.0.as_str()));
            let help = near.map_or("describe it under `[poses]`".to_owned(), |name| {
                format!("did you mean `{name}`?")
            });
            let problem = Problem::at(
                safety.spot_of("pose"),
                format!("there is no pose `{name}`"),
                "unknown",
            );
            self.complain(problem.help(help));
            return;
        };
        for (id, place) in pose {
            self.robot.actuators[usize::from(id.0)].safe = Some(place);
        }
    }

    /// A position for each joint.
    fn posture(&mut self, node: &LocatedValue) -> Vec<(ActuatorId, f64)> {
        let mut posture = Vec::new();
        for (name, value) in node.as_table().map_or(&[][..], |table| &table.0) {
            let Some(id) = self.actuator(&name.text, name.spot) else {
                continue;
            };
            let Ok(place) = figure(value, Dimension::Position) else {
                continue;
            };
            let range = self.robot.actuators[usize::from(id.0)].range;
            if !range.holds(place) {
                let sentence = format!("`{}` cannot stand at {place}", name.text);
                let help = format!("it goes from {} to {}", range.min, range.max);
                self.complain(Problem::at(value.spot, sentence, "outside its range").help(help));
            }
            posture.push((id, place));
        }
        posture
    }

    fn read_grants(&mut self) {
        for (name, entry) in self.section("grants") {
            let actuators = entry.node("actuators").map(|node| self.members(node));
            let grant = GrantSpec {
                fuel: entry.whole("fuel"),
                memory: entry.whole("memory"),
                priority: entry.figure("priority"),
                actuators,
                wasi: entry.strings("wasi"),
                folder: entry.text("folder").map(str::to_owned),
            };
            self.robot.grants.push((name.to_owned(), grant));
        }
    }
}
