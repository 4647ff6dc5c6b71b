//! Converts the joints and links of a URDF to actuators, sensors and links of a description.
//! Called after `order` and before `write`. The draft is independent of the URDF;
//! its names are valid and unique.

use std::collections::{HashMap, HashSet};

use super::capsule::capsules;
use super::fault::UrdfFault;
use super::hull;
use super::joint::{JointDraft, drive, is_endless};
use super::model::{Actuation, JointType, Pose, Urdf, UrdfJoint, UrdfLink};
use super::order::OrderedLink;
use super::soles::soles;
use super::{ImportContext, ImportOptions, Wheels};
use crate::{CollisionCapsule, nearest};

/// A robot, ready to be written.
#[derive(Debug)]
pub(super) struct RobotDraft {
    pub(super) name: String,
    pub(super) joints: Vec<JointDraft>,
    pub(super) wheels: Vec<JointDraft>,
    /// Joints that are measured but not driven, and whether each is prismatic.
    pub(super) read: Vec<(String, bool)>,
    /// Parents before their children.
    pub(super) links: Vec<LinkDraft>,
    pub(super) warnings: Vec<(usize, String)>,
}

/// A link, ready to be written.
#[derive(Debug)]
pub(super) struct LinkDraft {
    pub(super) name: String,
    /// The parent's name, and the pose in the parent's frame.
    pub(super) hangs: Option<(String, Pose)>,
    pub(super) moved: Option<LinkMotion>,
    pub(super) mass: f64,
    pub(super) centre: [f64; 3],
    pub(super) inertia: Option<[f64; 6]>,
    pub(super) capsules: Vec<CollisionCapsule>,
    pub(super) hulls: Vec<Vec<[f64; 3]>>,
    /// The corners of its sole.
    pub(super) sole: Vec<[f64; 3]>,
    /// A comment for the user.
    pub(super) note: Option<String>,
}

/// How a joint moves a link.
#[derive(Debug)]
pub(super) struct LinkMotion {
    pub(super) joint: String,
    pub(super) axis: [f64; 3],
    pub(super) slides: bool,
    /// Its position is this factor times the joint's, plus this offset.
    pub(super) ratio: f64,
    pub(super) offset: f64,
}

/// The joint that a joint follows in the end, by `<mimic>`.
struct MimicLead<'u> {
    joint: &'u UrdfJoint,
    multiplier: f64,
    offset: f64,
}

/// The input, and the mistakes and warnings so far.
struct Drafting<'u> {
    urdf: &'u Urdf,
    /// The index of each joint by its name in the URDF.
    known: HashMap<&'u str, usize>,
    /// The names in the description, in the order of the URDF's joints and links.
    joints: Vec<String>,
    links: Vec<String>,
    faults: Vec<(usize, UrdfFault)>,
    warnings: Vec<(usize, String)>,
}

/// Converts a URDF whose links are in order.
pub(super) fn draft(
    urdf: &Urdf,
    order: &[OrderedLink],
    options: &ImportOptions,
    context: &mut dyn ImportContext,
) -> Result<RobotDraft, Vec<(usize, UrdfFault)>> {
    let mut warnings = urdf.warnings.clone();
    let joints = urdf
        .joints
        .iter()
        .map(|joint| (joint.name.clone(), joint.at));
    let joints = names("joint", joints, &mut warnings);
    let links = urdf.links.iter().map(|link| (link.name.clone(), link.at));
    let links = names("link", links, &mut warnings);
    let places = urdf.joints.iter().enumerate();
    let mut drafting = Drafting {
        urdf,
        known: places
            .map(|(place, item)| (item.name.as_str(), place))
            .collect(),
        joints,
        links,
        faults: Vec::new(),
        warnings,
    };
    let mut robot = RobotDraft {
        name: urdf.name.clone(),
        joints: Vec::new(),
        wheels: Vec::new(),
        read: Vec::new(),
        links: Vec::new(),
        warnings: Vec::new(),
    };
    drafting.draft_joints(&mut robot, options, context);
    let unknown = unknown(urdf, options).into_iter();
    drafting.faults.extend(unknown.map(|unknown| (0, unknown)));
    let mut soles = soles(urdf, order, &options.soles);
    for (link, carrier) in order {
        let sole = std::mem::take(&mut soles[*link]);
        let link = drafting.draft_link(*link, *carrier, sole);
        robot.links.push(link);
    }
    robot.warnings = drafting.warnings;
    if drafting.faults.is_empty() {
        Ok(robot)
    } else {
        Err(drafting.faults)
    }
}

impl<'u> Drafting<'u> {
    /// Converts each independent joint: to an actuator if it has a motor, else to a sensor.
    fn draft_joints(
        &mut self,
        robot: &mut RobotDraft,
        options: &ImportOptions,
        context: &mut dyn ImportContext,
    ) {
        for (place, joint) in self.urdf.joints.iter().enumerate() {
            if !joint.kind.moves() || joint.mimic.is_some() {
                continue;
            }
            let name = self.joints[place].clone();
            match joint.driven {
                Actuation::Motor => {}
                Actuation::Read => {
                    robot.read.push((name, joint.kind == JointType::Prismatic));
                    continue;
                }
                Actuation::Loose => continue,
            }
            let as_wheel = is_endless(joint)
                && match &options.wheels {
                    Wheels::None => false,
                    Wheels::All => true,
                    Wheels::Named(names) => names.contains(&joint.name),
                    Wheels::Asked => context.is_wheel(&joint.name),
                };
            let drafted = self.draft_joint(joint, name, as_wheel);
            if as_wheel {
                robot.wheels.extend(drafted);
            } else {
                robot.joints.extend(drafted);
            }
        }
    }

    /// The actuator for a joint, within the limits of those that mimic it.
    fn draft_joint(
        &mut self,
        joint: &UrdfJoint,
        name: String,
        as_wheel: bool,
    ) -> Option<JointDraft> {
        let (mut draft, mut remarks) = match drive(joint, name, as_wheel) {
            Ok(drafted) => drafted,
            Err(fault) => {
                self.faults.push((joint.at, fault));
                return None;
            }
        };
        for follower in self
            .urdf
            .joints
            .iter()
            .filter(|joint| joint.mimic.is_some())
        {
            let lead = lead(self.urdf, &self.known, follower).ok();
            if let Some(lead) = lead.filter(|lead| lead.joint.name == joint.name && !as_wheel) {
                remarks.extend(draft.follow(follower, lead.multiplier, lead.offset));
            }
        }
        let warning = |text: String| (joint.at, format!("the joint `{}`: {text}", joint.name));
        self.warnings.extend(remarks.into_iter().map(warning));
        Some(draft)
    }

    fn draft_link(
        &mut self,
        place: usize,
        carrier: Option<usize>,
        sole: Vec<[f64; 3]>,
    ) -> LinkDraft {
        let link = &self.urdf.links[place];
        let (mut round, mut hulls) = (Vec::new(), Vec::new());
        for solid in &link.solids {
            match hull::corners(solid) {
                Some(corners) => hulls.push(corners),
                None => round.push(solid.clone()),
            }
        }
        let mut draft = LinkDraft {
            name: self.links[place].clone(),
            hangs: None,
            moved: None,
            mass: link.mass,
            centre: link.centre,
            inertia: link.inertia,
            capsules: capsules(&round),
            hulls,
            sole,
            note: None,
        };
        if let Some(carrier) = carrier {
            self.hang(&mut draft, link, &self.urdf.joints[carrier]);
        }
        draft
    }

    /// Converts a link and the joint that connects it to its parent.
    fn hang(&mut self, draft: &mut LinkDraft, link: &UrdfLink, joint: &UrdfJoint) {
        let parent = self
            .urdf
            .links
            .iter()
            .position(|link| link.name == joint.parent);
        draft.hangs = parent.map(|parent| (self.links[parent].clone(), joint.pose));
        let lead = match lead(self.urdf, &self.known, joint) {
            Ok(lead) => lead,
            Err(fault) => return self.faults.push(fault),
        };
        let leader = self.known.get(lead.joint.name.as_str());
        let leader = leader.map(|leader| &self.joints[*leader]);
        draft.moved = moved(joint, &lead, leader, &mut draft.note);
        if let Some(note) = &draft.note {
            let (joint_name, link) = (&joint.name, &link.name);
            let warning = format!("the joint `{joint_name}`, of the link `{link}`: {note}");
            self.warnings.push((joint.at, warning));
        }
    }
}

/// Unknown names in the options.
fn unknown(urdf: &Urdf, options: &ImportOptions) -> Vec<UrdfFault> {
    let links: Vec<&str> = urdf.links.iter().map(|link| link.name.as_str()).collect();
    let endless = urdf.joints.iter().filter(|joint| is_endless(joint));
    let endless: Vec<&str> = endless.map(|endless| endless.name.as_str()).collect();
    let wheels: &[String] = match &options.wheels {
        Wheels::Named(names) => names,
        _ => &[],
    };
    let named = [
        ("--soles", "link", options.soles.as_slice(), links),
        ("--wheels", "continuous joint", wheels, endless),
    ];
    let mut faults = Vec::new();
    for (flag, what, names, known) in named {
        for name in names.iter().filter(|name| !known.contains(&name.as_str())) {
            let near = nearest(name, known.iter().copied()).map(str::to_owned);
            faults.push(UrdfFault::Unknown(
                flag.to_owned(),
                what,
                name.clone(),
                near,
            ));
        }
    }
    faults
}

/// The joint that `joint` follows in the end; `joint` itself if it mimics none.
fn lead<'u>(
    urdf: &'u Urdf,
    known: &HashMap<&str, usize>,
    joint: &'u UrdfJoint,
) -> Result<MimicLead<'u>, (usize, UrdfFault)> {
    let mut lead = MimicLead {
        joint,
        multiplier: 1.0,
        offset: 0.0,
    };
    for _ in 0..=urdf.joints.len() {
        let Some(mimic) = lead
            .joint
            .mimic
            .as_ref()
            .filter(|_| lead.joint.kind.moves())
        else {
            return Ok(lead);
        };
        let Some(place) = known.get(mimic.joint.as_str()) else {
            let near = nearest(&mimic.joint, known.keys().copied()).map(str::to_owned);
            let owner = format!("`<mimic>` of the joint `{}`", lead.joint.name);
            let fault = UrdfFault::Unknown(owner, "joint", mimic.joint.clone(), near);
            return Err((mimic.at, fault));
        };
        lead = MimicLead {
            joint: &urdf.joints[*place],
            multiplier: lead.multiplier * mimic.multiplier,
            offset: lead.multiplier * mimic.offset + lead.offset,
        };
    }
    Err((joint.at, UrdfFault::MimicRing(joint.name.clone())))
}

/// How `joint` moves its link; if it does not, the reason as a comment.
fn moved(
    joint: &UrdfJoint,
    lead: &MimicLead<'_>,
    leader: Option<&String>,
    note: &mut Option<String>,
) -> Option<LinkMotion> {
    match joint.kind {
        JointType::Fixed => return None,
        JointType::Planar | JointType::Floating => {
            *note =
                Some("has several degrees of freedom, which are not supported: fixed".to_owned());
            return None;
        }
        JointType::Revolute | JointType::Continuous | JointType::Prismatic => {}
    }
    let name = &lead.joint.name;
    if !lead.joint.kind.moves() {
        *note = Some(format!("mimics `{name}`, which is fixed: fixed"));
        return None;
    }
    if lead.joint.driven != Actuation::Motor {
        *note = Some(match joint.mimic {
            Some(_) => format!("mimics `{name}`, which has no motor: fixed at 0"),
            None => "it has no motor: fixed at 0".to_owned(),
        });
        return None;
    }
    // A negative factor is a rotation about the opposite axis.
    let sign = if lead.multiplier < 0.0 { -1.0 } else { 1.0 };
    Some(LinkMotion {
        joint: leader?.clone(),
        axis: joint.axis.map(|axis| sign * axis + 0.0),
        slides: joint.kind == JointType::Prismatic,
        ratio: lead.multiplier.abs(),
        offset: sign * lead.offset + 0.0,
    })
}

/// Valid and unique names, and a warning for each changed one.
fn names(
    what: &str,
    given: impl Iterator<Item = (String, usize)>,
    warnings: &mut Vec<(usize, String)>,
) -> Vec<String> {
    let given: Vec<_> = given.collect();
    let mut taken: HashSet<String> = given.iter().map(|pair| pair.0.clone()).collect();
    let mut names = Vec::with_capacity(given.len());
    for (name, at) in given {
        let mut fit = fitting(&name, "");
        let mut number = 2;
        while fit != name && taken.contains(&fit) {
            fit = fitting(&name, &format!("_{number}"));
            number += 1;
        }
        if fit != name {
            warnings.push((at, format!("the {what} `{name}` is renamed to `{fit}`")));
            taken.insert(fit.clone());
        }
        names.push(fit);
    }
    names
}

/// `name` with invalid characters replaced, short enough for `ending` to follow.
fn fitting(name: &str, ending: &str) -> String {
    let sound = |c: char| c.is_alphanumeric() || "/_-.: ".contains(c);
    let mut fit: String = name
        .chars()
        .map(|c| if sound(c) { c } else { '_' })
        .collect();
    while fit.len() + ending.len() > sensors::LABEL_NAME_MAX {
        fit.pop();
    }
    fit.truncate(fit.trim_end().len());
    fit + ending
}
