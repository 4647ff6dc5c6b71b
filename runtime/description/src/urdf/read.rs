//! Parses a URDF: links, joints, and their `<ros2_control>`.
//! The first step of an import. Unknown elements are ignored, as URDF requires;
//! every mistake in known elements is reported with its place.

use std::collections::{HashMap, HashSet};

use kinematics::Rotation;
use physics::{is_inertia, turn_inertia};
use printable::{ATTRIBUTES_MAX, crowded_tag};
use roxmltree::{Document, Error, Node};

use super::fault::{UrdfFault, UrdfFaults};
use super::model::{Actuation, JointType, Limit, Mimic, Urdf, UrdfJoint, UrdfLink};
use super::solids::solids;
use super::xml::{Complaints, Element, finite};
use super::{ImportContext, LINKS_MAX};

/// Reads the text of a URDF.
pub(super) fn read(text: &str, context: &mut dyn ImportContext) -> Result<Urdf, UrdfFaults> {
    if let Some(at) = crowded_tag(text) {
        let fault = UrdfFault::Xml(format!("a tag has at most {ATTRIBUTES_MAX} attributes"));
        return Err(UrdfFaults::new(text, vec![(at, fault)]));
    }
    let document = Document::parse(text).map_err(|error| broken(text, &error))?;
    let root = document.root_element();
    let mut told = Complaints::default();
    if let Some(descendant) = document.descendants().find(is_template) {
        return Err(UrdfFaults::new(
            text,
            vec![(descendant.range().start, UrdfFault::Xacro)],
        ));
    }
    if root.tag_name().name() != "robot" {
        let tag = root.tag_name().name().to_owned();
        return Err(UrdfFaults::new(
            text,
            vec![(root.range().start, UrdfFault::NotUrdf(tag))],
        ));
    }
    let name = name_of(root, "the robot", &mut told).unwrap_or_default();
    let mut urdf = Urdf {
        name: name.to_owned(),
        links: Vec::new(),
        joints: Vec::new(),
        warnings: Vec::new(),
    };
    let mut known = HashSet::new();
    for node in root.children().filter(Node::is_element) {
        let what = match node.tag_name().name() {
            "link" => "link",
            "joint" => "joint",
            _ => continue,
        };
        let Some(name) = name_of(node, what, &mut told) else {
            continue;
        };
        let owner = format!("the {what} `{name}`");
        let part = Element {
            node,
            owner: &owner,
        };
        if !known.insert((what, name)) {
            told.at(part, UrdfFault::Twice(owner.clone()));
        }
        if what == "link" {
            let link = read_link(name, part, &mut urdf.warnings, &mut told, context);
            urdf.links.push(link);
        } else if let Some(joint) = read_joint(name, part, &mut told) {
            urdf.joints.push(joint);
        }
        if urdf.links.len().max(urdf.joints.len()) > LINKS_MAX {
            told.at(part, UrdfFault::Many);
            break;
        }
    }
    if urdf.links.is_empty() && told.0.is_empty() {
        told.0.push((root.range().start, UrdfFault::Empty));
    }
    read_transmissions(root, &mut urdf);
    read_commands(root, &mut urdf);
    if told.0.is_empty() {
        return Ok(urdf);
    }
    Err(UrdfFaults::new(text, told.0))
}

fn broken(text: &str, error: &Error) -> UrdfFaults {
    let at = error.pos();
    let fault = match error {
        Error::UnknownNamespace(prefix, _) if prefix == "xacro" => UrdfFault::Xacro,
        _ => UrdfFault::Xml(error.to_string()),
    };
    let line = usize::try_from(at.row).unwrap_or(1);
    // An unexpected end of the text has no place.
    let told = if text.is_empty() { None } else { Some(line) };
    UrdfFaults(vec![(told, fault)])
}

fn is_template(node: &Node<'_, '_>) -> bool {
    let space = node.tag_name().namespace().unwrap_or_default();
    space.contains("xacro")
        || node
            .attributes()
            .any(|attribute| attribute.value().contains("${"))
}

fn name_of<'p>(node: Node<'p, '_>, what: &'static str, told: &mut Complaints) -> Option<&'p str> {
    let name = node.attribute("name").map_or("", str::trim);
    if name.is_empty() {
        let what = match what {
            "link" => "a link",
            "joint" => "a joint",
            other => other,
        };
        told.0.push((node.range().start, UrdfFault::Nameless(what)));
        return None;
    }
    Some(name)
}

fn read_link(
    name: &str,
    part: Element<'_, '_>,
    warnings: &mut Vec<(usize, String)>,
    told: &mut Complaints,
    context: &mut dyn ImportContext,
) -> UrdfLink {
    let inertial = part.sub("inertial");
    let mass = inertial.and_then(|inertial| match inertial.sub("mass") {
        Some(mass) => mass.measure("value", told),
        None => {
            let fault = UrdfFault::Lacks(format!("`<inertial>` of {}", part.owner), "`<mass>`");
            told.at(inertial, fault);
            None
        }
    });
    let mass = mass.unwrap_or(0.0);
    let pose = inertial.map(|inertial| inertial.pose(told));
    let inertia = inertial.and_then(|inertial| {
        let tensor = read_inertia(inertial.sub("inertia")?, told)?;
        let turn = Rotation::of_angles(pose.unwrap_or_default().turn);
        Some(turn_inertia(&tensor, turn))
    });
    // Frames without a body often have an inertia of zeros.
    if mass > 0.0 && inertia.is_some_and(|inertia| !is_inertia(&inertia)) {
        let remark = format!(
            "no body can have the inertia of {}: it is left out",
            part.owner
        );
        warnings.push((part.at(), remark));
    }
    UrdfLink {
        name: name.to_owned(),
        at: part.at(),
        mass,
        centre: pose.unwrap_or_default().at,
        inertia: inertia.filter(|inertia| mass > 0.0 && is_inertia(inertia)),
        solids: solids(part, warnings, told, context),
    }
}

/// The tensor of an `<inertia>`: `xx, yy, zz, xy, xz, yz`. Products may be left out.
fn read_inertia(part: Element<'_, '_>, complaints: &mut Complaints) -> Option<[f64; 6]> {
    let moments = [
        part.measure("ixx", complaints),
        part.measure("iyy", complaints),
        part.measure("izz", complaints),
    ];
    let products = ["ixy", "ixz", "iyz"].map(|key| part.number(key, complaints).unwrap_or(0.0));
    let ([Some(xx), Some(yy), Some(zz)], [xy, xz, yz]) = (moments, products) else {
        return None;
    };
    Some([xx, yy, zz, xy, xz, yz])
}

fn read_joint(name: &str, part: Element<'_, '_>, told: &mut Complaints) -> Option<UrdfJoint> {
    let word = part.node.attribute("type").unwrap_or_default();
    let kind = JointType::of_name(word.trim());
    if kind.is_none() {
        let fault = UrdfFault::Type(part.owner.to_owned(), word.to_owned());
        told.at(part, fault);
    }
    let mut end = |tag: &str, what| {
        let link = part
            .sub(tag)
            .and_then(|element| element.node.attribute("link"));
        if link.is_none() {
            told.at(part, UrdfFault::Lacks(part.owner.to_owned(), what));
        }
        link.map(|link| link.trim().to_owned())
    };
    let parent = end("parent", "`<parent link=\"...\"/>`");
    let child = end("child", "`<child link=\"...\"/>`");
    let kind = kind?;
    let pose = part.pose(told);
    let axis = part.sub("axis").and_then(|axis| axis.three("xyz", told));
    let axis = axis.unwrap_or([1.0, 0.0, 0.0]);
    if kind.moves() && axis.iter().map(|part| part * part).sum::<f64>().sqrt() < 1e-6 {
        told.at(part, UrdfFault::Axis(part.owner.to_owned()));
    }
    let mimic = part.sub("mimic").and_then(|mimic| {
        let joint = mimic.node.attribute("joint");
        if joint.is_none() {
            let owner = format!("`<mimic>` of {}", part.owner);
            told.at(mimic, UrdfFault::Lacks(owner, "`joint=\"...\"`"));
        }
        Some(Mimic {
            at: mimic.at(),
            joint: joint?.trim().to_owned(),
            multiplier: mimic.number("multiplier", told).unwrap_or(1.0),
            offset: mimic.number("offset", told).unwrap_or(0.0),
        })
    });
    let limit = limit(part, kind, mimic.is_some(), told);
    let soft = part
        .sub("safety_controller")
        .map_or((None, None), |safety_controller| {
            let end = |key, told: &mut Complaints| safety_controller.number(key, told);
            (end("soft_lower_limit", told), end("soft_upper_limit", told))
        });
    Some(UrdfJoint {
        name: name.to_owned(),
        at: part.at(),
        kind,
        parent: parent?,
        child: child?,
        pose,
        axis,
        limit,
        soft,
        command: (None, None),
        command_speed: None,
        mimic,
        driven: Actuation::Motor,
    })
}

/// Reads `<limit>`. It is required, except for a joint that mimics another.
fn limit(
    part: Element<'_, '_>,
    kind: JointType,
    follows: bool,
    told: &mut Complaints,
) -> Option<Limit> {
    if !kind.moves() {
        return None;
    }
    let must = kind != JointType::Continuous && !follows;
    let Some(limit) = part.sub("limit") else {
        if must {
            let what = "`<limit lower=\"...\" upper=\"...\" effort=\"...\" velocity=\"...\"/>`: \
                        nothing moves without limits";
            told.at(part, UrdfFault::Lacks(part.owner.to_owned(), what));
        }
        return None;
    };
    let ends = (limit.number("lower", told), limit.number("upper", told));
    if must
        && ["lower", "upper"]
            .iter()
            .all(|text| !limit.node.has_attribute(*text))
    {
        let owner = format!("`<limit>` of {}", part.owner);
        told.at(limit, UrdfFault::Lacks(owner, "`lower` and `upper`"));
    }
    // In URDF the default of both ends is 0.
    let (lower, upper) = (ends.0.unwrap_or(0.0), ends.1.unwrap_or(0.0));
    if must && lower > upper {
        told.at(
            limit,
            UrdfFault::Crossed(part.owner.to_owned(), lower, upper),
        );
    }
    let mut strength = |key| {
        let value = if must {
            limit.needed(key, told)?
        } else {
            limit.number(key, told)?
        };
        if value < 0.0 {
            let (owner, bound) = (part.owner.to_owned(), "zero or more");
            told.at(limit, UrdfFault::Bound(owner, key.to_owned(), value, bound));
        }
        Some(value)
    };
    Some(Limit {
        ends,
        effort: strength("effort"),
        velocity: strength("velocity"),
    })
}

/// If any joint has a `<transmission>`, the joints without one have no motor.
fn read_transmissions(root: Node<'_, '_>, urdf: &mut Urdf) {
    let root = Element {
        node: root,
        owner: "",
    };
    let joints = root
        .subs("transmission")
        .flat_map(|transmission| transmission.subs("joint"));
    let driven: HashSet<&str> = joints
        .filter_map(|joint| joint.node.attribute("name"))
        .map(str::trim)
        .collect();
    if !driven.is_empty() {
        for joint in &mut urdf.joints {
            if !driven.contains(joint.name.as_str()) {
                joint.driven = Actuation::Loose;
            }
        }
    }
}

/// Reads the limits of commands in `<ros2_control>`. Invalid values give a warning.
fn read_commands(root: Node<'_, '_>, urdf: &mut Urdf) {
    let joints: HashMap<String, usize> = urdf
        .joints
        .iter()
        .enumerate()
        .map(|(place, joint)| (joint.name.clone(), place))
        .collect();
    let control = Element {
        node: root,
        owner: "",
    };
    for joint in control
        .subs("ros2_control")
        .flat_map(|ros2_control| ros2_control.subs("joint"))
    {
        let name = joint.node.attribute("name").unwrap_or_default();
        let mut warn = |at, sentence| urdf.warnings.push((at, sentence));
        let Some(place) = joints.get(name.trim()) else {
            let sentence = format!("`<ros2_control>` has the joint `{name}`, which does not exist");
            warn(joint.at(), sentence);
            continue;
        };
        let known = &mut urdf.joints[*place];
        known.driven = match () {
            () if joint.sub("command_interface").is_some() => Actuation::Motor,
            () if joint.sub("state_interface").is_some() => Actuation::Read,
            () => Actuation::Loose,
        };
        for interface in joint.subs("command_interface") {
            let mut end = |wanted: &str| {
                let said =
                    |element: &Element<'_, '_>| element.node.attribute("name") == Some(wanted);
                let param = interface.subs("param").find(said)?;
                let text = param.node.text().unwrap_or_default();
                let value = finite(text);
                if value.is_none() {
                    let sentence = format!(
                        "`{wanted}` of the joint `{name}` in `<ros2_control>` is not a number: ignored"
                    );
                    warn(param.at(), sentence);
                }
                value
            };
            let ends = (end("min"), end("max"));
            match interface.node.attribute("name") {
                Some("position") => known.command = ends,
                Some("velocity") => {
                    let speeds = [ends.0, ends.1].into_iter().flatten().map(f64::abs);
                    known.command_speed = speeds.filter(|speed| *speed > 0.0).reduce(f64::min);
                }
                _ => {}
            }
        }
    }
}
