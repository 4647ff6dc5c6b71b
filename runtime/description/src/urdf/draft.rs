//! Decides what each joint and each link of a URDF becomes: an actuator, a part of the tree, a remark.
//! Used between the tree's order and the writing. The law: whoever looks at the outcome needs no URDF;
//! names are such as a description may have, and no two are the same.

use std::collections::{HashMap, HashSet};

use super::capsule::capsules;
use super::fault::UrdfFault;
use super::hull;
use super::joint::{JointDraft, drive, is_endless};
use super::model::{Actuation, JointType, Pose, Urdf, UrdfJoint};
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
    /// Joints that are read and not driven, and whether each slides.
    pub(super) read: Vec<(String, bool)>,
    /// Parents before their children.
    pub(super) limbs: Vec<LinkDraft>,
    pub(super) warnings: Vec<(usize, String)>,
}

/// A link, ready to be written.
#[derive(Debug)]
pub(super) struct LinkDraft {
    pub(super) name: String,
    /// The parent's name, and where it hangs there.
    pub(super) hangs: Option<(String, Pose)>,
    pub(super) moved: Option<LinkMotion>,
    pub(super) mass: f64,
    pub(super) centre: [f64; 3],
    pub(super) capsules: Vec<CollisionCapsule>,
    pub(super) hulls: Vec<Vec<[f64; 3]>>,
    /// Corners of what it stands on.
    pub(super) sole: Vec<[f64; 3]>,
    /// What a person should know.
    pub(super) note: Option<String>,
}

/// How a joint moves a link.
#[derive(Debug)]
pub(super) struct LinkMotion {
    pub(super) joint: String,
    pub(super) axis: [f64; 3],
    pub(super) slides: bool,
    /// How far it moves for each step of the joint, and where it is while that stands at 0.
    pub(super) ratio: f64,
    pub(super) offset: f64,
}

/// What a joint comes to, once all it mimics is followed.
struct MimicLead<'u> {
    joint: &'u UrdfJoint,
    multiplier: f64,
    offset: f64,
}

/// Decides.
pub(super) fn draft(
    urdf: &Urdf,
    order: &[OrderedLink],
    options: &ImportOptions,
    outside: &mut dyn ImportContext,
) -> Result<RobotDraft, Vec<(usize, UrdfFault)>> {
    let mut faults = Vec::new();
    let mut warnings = urdf.warnings.clone();
    let spelt = |it: &UrdfJoint| (it.name.clone(), it.at);
    let joints = names("joint", urdf.joints.iter().map(spelt), &mut warnings);
    let links = urdf.links.iter().map(|it| (it.name.clone(), it.at));
    let links = names("link", links, &mut warnings);
    let known: HashMap<&str, usize> = urdf
        .joints
        .iter()
        .enumerate()
        .map(|(place, it)| (it.name.as_str(), place))
        .collect();
    let mut body = RobotDraft {
        name: urdf.name.clone(),
        joints: Vec::new(),
        wheels: Vec::new(),
        read: Vec::new(),
        limbs: Vec::new(),
        warnings: Vec::new(),
    };
    for (joint, name) in urdf.joints.iter().zip(&joints) {
        if !joint.kind.moves() || joint.mimic.is_some() {
            continue;
        }
        if joint.driven != Actuation::Motor {
            if joint.driven == Actuation::Read {
                body.read
                    .push((name.clone(), joint.kind == JointType::Prismatic));
            }
            continue;
        }
        let as_wheel = is_endless(joint)
            && match &options.wheels {
                Wheels::None => false,
                Wheels::All => true,
                Wheels::Named(names) => names.contains(&joint.name),
                Wheels::Asked => outside.is_wheel(&joint.name),
            };
        match drive(joint, name.clone(), as_wheel) {
            Ok((mut it, mut told)) => {
                for follower in urdf.joints.iter().filter(|it| it.mimic.is_some()) {
                    let lead = lead(urdf, &known, follower).ok();
                    let lead = lead.filter(|it| it.joint.name == joint.name && !as_wheel);
                    if let Some(lead) = lead {
                        told.extend(it.follow(follower, lead.multiplier, lead.offset));
                    }
                }
                let told = told
                    .iter()
                    .map(|it| format!("the joint `{}`: {it}", joint.name));
                warnings.extend(told.map(|it| (joint.at, it)));
                let list = if as_wheel {
                    &mut body.wheels
                } else {
                    &mut body.joints
                };
                list.push(it);
            }
            Err(fault) => faults.push((joint.at, fault)),
        }
    }
    faults.extend(unknown(urdf, options).into_iter().map(|it| (0, it)));
    let mut soles = soles(urdf, order, &options.soles);
    for (link, carrier) in order {
        let from = &urdf.links[*link];
        let (mut round, mut hulls) = (Vec::new(), Vec::new());
        for solid in &from.solids {
            match hull::corners(solid) {
                Some(corners) => hulls.push(corners),
                None => round.push(solid.clone()),
            }
        }
        let mut limb = LinkDraft {
            name: links[*link].clone(),
            hangs: None,
            moved: None,
            mass: from.mass,
            centre: from.centre,
            capsules: capsules(&round),
            hulls,
            sole: std::mem::take(&mut soles[*link]),
            note: None,
        };
        if let Some(carrier) = carrier {
            let joint = &urdf.joints[*carrier];
            let parent = urdf.links.iter().position(|it| it.name == joint.parent);
            limb.hangs = parent.map(|it| (links[it].clone(), joint.pose));
            match lead(urdf, &known, joint) {
                Ok(lead) => {
                    let leader = known.get(lead.joint.name.as_str()).map(|it| &joints[*it]);
                    limb.moved = moved(joint, &lead, leader, &mut limb.note);
                    let told = limb.note.iter().map(|it| (joint.at, it.clone()));
                    warnings.extend(told.map(|(at, it)| {
                        (
                            at,
                            format!(
                                "the joint `{}`, of the link `{}`: {it}",
                                joint.name, from.name
                            ),
                        )
                    }));
                }
                Err(fault) => faults.push(fault),
            }
        }
        body.limbs.push(limb);
    }
    body.warnings = warnings;
    if faults.is_empty() {
        Ok(body)
    } else {
        Err(faults)
    }
}

/// What was named from outside and is not there.
fn unknown(urdf: &Urdf, options: &ImportOptions) -> Vec<UrdfFault> {
    let links: Vec<&str> = urdf.links.iter().map(|it| it.name.as_str()).collect();
    let endless = urdf.joints.iter().filter(|it| is_endless(it));
    let endless: Vec<&str> = endless.map(|it| it.name.as_str()).collect();
    let wheels: &[String] = match &options.wheels {
        Wheels::Named(names) => names,
        _ => &[],
    };
    let named = [
        ("--soles", "link", options.soles.as_slice(), links),
        ("--wheels", "joint without end", wheels, endless),
    ];
    let mut faults = Vec::new();
    for (flag, what, names, known) in named {
        for name in names.iter().filter(|it| !known.contains(&it.as_str())) {
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

/// The joint that `joint` follows in the end: itself if it mimics none.
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

/// How `joint` moves its link, or a remark why nothing does.
fn moved(
    joint: &UrdfJoint,
    lead: &MimicLead<'_>,
    leader: Option<&String>,
    note: &mut Option<String>,
) -> Option<LinkMotion> {
    match joint.kind {
        JointType::Fixed => return None,
        JointType::Planar | JointType::Floating => {
            *note = Some(
                "moves in more ways than one, which this format does not know: fixed".to_owned(),
            );
            return None;
        }
        JointType::Revolute | JointType::Continuous | JointType::Prismatic => {}
    }
    let name = &lead.joint.name;
    if !lead.joint.kind.moves() {
        *note = Some(format!("mimics `{name}`, which does not move: fixed"));
        return None;
    }
    if lead.joint.driven != Actuation::Motor {
        *note = Some(match joint.mimic {
            Some(_) => format!("mimics `{name}`, which nothing drives: fixed where it stands at 0"),
            None => "nothing drives it: fixed where it stands at 0".to_owned(),
        });
        return None;
    }
    // The other way round is the same about the opposite axis.
    let sign = if lead.multiplier < 0.0 { -1.0 } else { 1.0 };
    Some(LinkMotion {
        joint: leader?.clone(),
        axis: joint.axis.map(|it| sign * it + 0.0),
        slides: joint.kind == JointType::Prismatic,
        ratio: lead.multiplier.abs(),
        offset: sign * lead.offset + 0.0,
    })
}

/// Names as a description may have them, and a warning for each that had to change.
fn names(
    what: &str,
    given: impl Iterator<Item = (String, usize)>,
    warnings: &mut Vec<(usize, String)>,
) -> Vec<String> {
    let given: Vec<_> = given.collect();
    let mut taken: HashSet<String> = given.iter().map(|it| it.0.clone()).collect();
    let mut names = Vec::with_capacity(given.len());
    for (name, at) in given {
        let mut fit = fitting(&name, "");
        let mut number = 2;
        while fit != name && taken.contains(&fit) {
            fit = fitting(&name, &format!("_{number}"));
            number += 1;
        }
        if fit != name {
            warnings.push((at, format!("the {what} `{name}` is called `{fit}` here")));
            taken.insert(fit.clone());
        }
        names.push(fit);
    }
    names
}

/// `name` with what does not belong into a name replaced, short enough for `ending` to follow.
fn fitting(name: &str, ending: &str) -> String {
    let sound = |it: char| it.is_alphanumeric() || "/_-.: ".contains(it);
    let mut fit: String = name
        .chars()
        .map(|it| if sound(it) { it } else { '_' })
        .collect();
    while fit.len() + ending.len() > sensors::LABEL_NAME_MAX {
        fit.pop();
    }
    fit.truncate(fit.trim_end().len());
    fit + ending
}
