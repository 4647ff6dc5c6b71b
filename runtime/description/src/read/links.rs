//! The kinematic tree: links, what they hang on, which joint moves them, and which sensors feel them.
//! Read last; used by `check` and by whoever draws the body.
//! One root, no rings, and parents come before their children.

use std::collections::HashMap;

use drivers::sim::{FeltQuantity, FeltSensor};
use kinematics::Vec3;

use super::RobotReader;
use super::table_view::{TableView, point};
use crate::nearest;
use crate::problem::Problem;
use crate::quantity::Dimension;
use crate::robot::{CollisionCapsule, LinkSpec, WheelShape, is_flat};
use crate::tree::LocatedValue;

/// The friction of a surface: rubber or plastic on a floor.
const FRICTION: f64 = 0.8;

impl<'t> RobotReader<'t> {
    pub(super) fn read_links(&mut self) {
        let mut waiting = self.section("links");
        let names: Vec<&str> = waiting.iter().map(|pair| pair.0).collect();
        let mut places: HashMap<&str, usize> = HashMap::new();
        let roots: Vec<_> = waiting
            .iter()
            .filter(|pair| pair.1.node("parent").is_none())
            .collect();
        if let [(_, first), (name, second), ..] = roots.as_slice() {
            let sentence = format!("`{name}` has no parent, and there is a root already");
            let problem = Problem::at(second.spot, sentence, "a second root");
            let (problem, first) = (problem.help("say `parent = \"...\"`"), first.spot);
            self.complain(problem.and(first, "the first"));
        }
        // Children wait until their parent has its place.
        loop {
            let before = waiting.len();
            let mut rest = Vec::new();
            for (name, entry) in waiting {
                match entry.text("parent") {
                    Some(parent) if !places.contains_key(parent) => rest.push((name, entry)),
                    parent => {
                        let parent = parent.map(|parent| places[parent]);
                        let link = self.link(name, &entry, parent);
                        places.insert(name, self.robot.links.len());
                        self.robot.links.push(link);
                    }
                }
            }
            waiting = rest;
            if waiting.is_empty() || waiting.len() == before {
                break;
            }
        }
        for (name, entry) in waiting {
            let parent = entry.text("parent").unwrap_or_default();
            let problem = if names.contains(&parent) {
                let sentence = format!("`{name}` has no way to the root: its parents form a ring");
                Problem::at(entry.spot_of("parent"), sentence, "hangs on this")
            } else {
                let near = nearest(parent, names.iter().copied());
                let problem = Problem::at(
                    entry.spot_of("parent"),
                    format!("there is no link `{parent}`"),
                    "unknown",
                );
                match near {
                    Some(near) => problem.help(format!("did you mean `{near}`?")),
                    None => problem,
                }
            };
            self.complain(problem);
        }
    }

    /// What sensors feel of links, once all links are known.
    pub(super) fn read_felt(&mut self) {
        for (name, entry) in self.section("sensors") {
            let Some(felt) = entry.sub("feels") else {
                continue;
            };
            let (Some(link), Some(quantity)) = (
                felt.text("link"),
                felt.text("what").and_then(FeltQuantity::of_name),
            ) else {
                continue;
            };
            let links = &self.robot.links;
            let Some(index) = links.iter().position(|known| known.name == link) else {
                let near = nearest(link, links.iter().map(|known| known.name.as_str()));
                let sentence = format!("there is no link `{link}`");
                let problem = Problem::at(felt.spot_of("link"), sentence, "unknown");
                self.complain(match near {
                    Some(near) => problem.help(format!("did you mean `{near}`?")),
                    None => problem.help("describe it in `[links]`"),
                });
                continue;
            };
            // A link without mass is a part of its parent, whose axes and sole may be others.
            let is_motion = [
                FeltQuantity::Acceleration,
                FeltQuantity::Rotation,
                FeltQuantity::Position,
            ]
            .contains(&quantity);
            let problem = if self.robot.links[index].mass == 0.0 && !is_motion {
                Some((
                    format!("`{link}` has no mass, so it carries nothing"),
                    "name the link that it is a part of",
                ))
            } else if super::derived::WAYS
                .iter()
                .any(|key| entry.node(key).is_some())
            {
                Some((
                    format!("`{name}` is computed, and feels nothing itself"),
                    "leave out `feels`",
                ))
            } else {
                None
            };
            if let Some((sentence, help)) = problem {
                let problem = Problem::at(entry.spot_of("feels"), sentence, "here");
                self.complain(problem.help(help));
                continue;
            }
            let along = Vec3::from(felt.point("along").unwrap_or([0.0, 0.0, 1.0]));
            let is_axis = [Vec3::X, Vec3::Y, Vec3::Z].contains(&along);
            let has_none = quantity == FeltQuantity::Bump && felt.point("along").is_none();
            if along.length() < 1e-9 || quantity == FeltQuantity::Angle && !is_axis || has_none {
                let sentence = format!("`{name}` cannot feel anything along this");
                let problem = Problem::at(felt.spot_of("along"), sentence, "no axis");
                self.complain(problem.help("use [1, 0, 0], [0, 1, 0] or [0, 0, 1]"));
            }
            let sensors = &mut self.robot.sensors;
            if let Some(sensor) = sensors.iter_mut().find(|sensor| sensor.name == name) {
                sensor.felt = Some(FeltSensor {
                    link: index,
                    at: felt.point("at").unwrap_or_default().into(),
                    along: along.unit(),
                    quantity,
                });
            }
        }
    }

    /// The corners of a convex body.
    fn hull(&mut self, entry: &TableView<'t>) -> Vec<[f64; 3]> {
        let corners = entry.node("corners").and_then(LocatedValue::as_list);
        let corners = corners.unwrap_or_default().iter();
        let corners: Vec<_> = corners
            .filter_map(|corner| point(corner, Dimension::Length))
            .collect();
        if is_flat(&corners) {
            let problem = Problem::at(
                entry.spot,
                "the corners of this hull are all in one plane",
                "no body",
            );
            self.complain(problem.help("give it at least four corners that enclose a volume"));
        }
        corners
    }

    /// The inertia of a link, if it is described.
    fn inertia(&mut self, name: &str, entry: &TableView<'t>) -> Option<[f64; 6]> {
        let inertia = entry.sub("inertia")?;
        let [xx, yy, zz] = inertia.point("moments")?;
        let [xy, xz, yz] = inertia.point("products").unwrap_or_default();
        let tensor = [xx, yy, zz, xy, xz, yz];
        if !physics::is_inertia(&tensor) {
            let sentence = format!("no body can have the inertia of `{name}`");
            let problem = Problem::at(entry.spot_of("inertia"), sentence, "impossible inertia");
            self.complain(problem.help(
                "each principal moment must be above 0, and none may exceed the sum of the other two",
            ));
        }
        if entry.figure("mass").unwrap_or(0.0) == 0.0 {
            let sentence = format!("`{name}` has an inertia and no mass");
            let problem = Problem::at(entry.spot_of("inertia"), sentence, "of no body");
            self.complain(problem.help("set its `mass`, or leave out `inertia`"));
        }
        Some(tensor)
    }

    fn link(&mut self, name: &str, entry: &TableView<'t>, parent: Option<usize>) -> LinkSpec {
        let origin = entry.sub("origin");
        let place = |key| {
            origin
                .as_ref()
                .and_then(|origin| origin.point(key))
                .unwrap_or_default()
        };
        let joint = entry
            .text("joint")
            .map(|text| (text, entry.spot_of("joint")));
        let joint = joint.and_then(|(item, spot)| self.actuator(item, spot));
        let axis = entry.point("axis").unwrap_or([0.0, 0.0, 1.0]);
        let length = axis.iter().map(|part| part * part).sum::<f64>().sqrt();
        if length < 1e-9 {
            self.complain(Problem::at(
                entry.spot_of("axis"),
                "an axis of no length",
                "points nowhere",
            ));
        }
        let capsules = entry.subs("capsules").into_iter().filter_map(|view| {
            Some(CollisionCapsule {
                from: view.point("from")?,
                to: view.point("to")?,
                radius: view.figure("radius")?,
            })
        });
        let inertia = self.inertia(name, entry);
        let wheel = entry.sub("wheel").and_then(|wheel| {
            Some(WheelShape {
                radius: wheel.figure("radius")?,
                width: wheel.figure("width")?,
            })
        });
        if wheel.is_some() && joint.is_none() {
            let sentence = format!("`{name}` is a wheel that no joint turns");
            let problem = Problem::at(entry.spot_of("wheel"), sentence, "a wheel without a joint");
            self.complain(problem.help("name its `joint`, or leave out `wheel`"));
        }
        let hulls = entry.subs("hulls");
        let hulls = hulls.iter().map(|hull| self.hull(hull)).collect();
        let sole = entry
            .node("sole")
            .and_then(LocatedValue::as_list)
            .unwrap_or_default();
        LinkSpec {
            name: name.to_owned(),
            parent,
            joint,
            at: place("at"),
            turn: place("turn"),
            axis: axis.map(|axis| axis / length.max(1e-9)),
            slides: entry.flag("slides").unwrap_or(false),
            ratio: entry.figure("ratio").unwrap_or(1.0),
            // What no joint moves stays where it hangs.
            offset: joint.and(entry.figure("offset")).unwrap_or(0.0),
            mass: entry.figure("mass").unwrap_or(0.0),
            centre: entry.point("centre").unwrap_or_default(),
            inertia,
            capsules: capsules.collect(),
            hulls,
            sole: sole
                .iter()
                .filter_map(|item| point(item, Dimension::Length))
                .collect(),
            friction: entry.figure("friction").unwrap_or(FRICTION),
            wheel,
        }
    }
}
