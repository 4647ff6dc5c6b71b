//! Writes the text of a `robot.toml`, with comments for the person who completes it.
//! The last step of an import. Reading a written number gives the same bits;
//! all text from the URDF is quoted.

use std::fmt::Write;

use super::draft::{LinkDraft, RobotDraft};
use super::joint::JointDraft;
use crate::{CollisionCapsule, FORMAT};

/// The maximum width of the column of joint names.
const COLUMN_MAX: usize = 24;

/// The number of corners in a line.
const ABREAST: usize = 3;

const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// The beginning of every imported description.
const HEAD: &str = "\
# A URDF has no channels, calibrations and gains, and few sensors: add those of your robot.
# `dcm-run config schema` describes all keys.
";

const BOARD: &str = "
[boards]
body = { driver = \"sim\", about = \"One simulated board for everything\" }
";

const JOINTS: &str = "
# Defaults of all joints: each has a position sensor.
[defaults.joints]
position = {}

# In rad and rad/s; prismatic joints in m and m/s. Torques of motors in N·m, or N.
[joints]
";

const WHEELS: &str = "
# The value of a wheel is its speed, sent and measured.
[defaults.wheels]
position = {}

# In rad/s; torques of motors in N·m.
[wheels]
";

const READ: &str = "
# Joints without a motor, which are only measured. Move one that has a motor to `[joints]`.
[sensors]
";

const POSE: &str = "
# Every joint at 0, or as close to 0 as its range allows. Add a pose in which the body can safely be
# disarmed, and set `pose = \"its name\"` under `[safety]`: a retreat moves there.
[poses.zero]
";

const LINKS: &str = "
# The links: parent, position (m), rotation (rad), axis, mass (kg), shapes.
";

/// The text for `robot`, imported from `file`.
pub(super) fn write(robot: &RobotDraft, file: &str) -> String {
    let mut text = String::new();
    let out = &mut text;
    let count = robot.joints.len() + robot.wheels.len();
    let about = format!(
        "{count} joints and {} links, from {file}",
        robot.links.len()
    );
    remark(out, &format!("{}, imported from {file}.", robot.name));
    out.push_str(HEAD);
    line(out, &format!("format = {FORMAT}"));
    line(out, &format!("name = {}", quoted(&robot.name)));
    line(out, &format!("about = {}", quoted(&about)));
    out.push_str(BOARD);
    if !robot.joints.is_empty() {
        out.push_str(JOINTS);
        drives(out, &robot.joints);
    }
    if !robot.wheels.is_empty() {
        out.push_str(WHEELS);
        drives(out, &robot.wheels);
    }
    if !robot.read.is_empty() {
        out.push_str(READ);
        for (name, slides) in &robot.read {
            let unit = if *slides { "m" } else { "rad" };
            line(out, &format!("{} = {{ unit = \"{unit}\" }}", key(name)));
        }
    }
    if !robot.joints.is_empty() {
        out.push_str(POSE);
        for joint in &robot.joints {
            let place = angle(0.0_f64.clamp(joint.range.0, joint.range.1), joint.slides);
            line(out, &format!("{} = {place}", key(&joint.name)));
        }
    }
    out.push_str(LINKS);
    for (place, link) in robot.links.iter().enumerate() {
        if place > 0 {
            out.push('\n');
        }
        write_link(out, link);
    }
    text
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

/// Writes a comment. Control characters are replaced, so that a name cannot end its line.
fn remark(out: &mut String, text: &str) {
    let kept = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    out.push_str("# ");
    out.extend(kept);
    out.push('\n');
}

fn drives(out: &mut String, list: &[JointDraft]) {
    let widest = list
        .iter()
        .map(|item| key(&item.name).chars().count())
        .max();
    let width = widest.unwrap_or_default().min(COLUMN_MAX);
    for draft in list {
        let mut keys = Vec::new();
        if draft.slides {
            keys.push("unit = \"m\"".to_owned());
        }
        let (low, high) = (
            angle(draft.range.0, draft.slides),
            angle(draft.range.1, draft.slides),
        );
        keys.push(format!("range = [{low}, {high}]"));
        keys.extend(
            draft
                .velocity
                .map(|velocity| format!("velocity = {}", figure(velocity))),
        );
        let mut motor = Vec::new();
        motor.extend(
            draft
                .torque
                .map(|torque| format!("torque = {}", figure(torque))),
        );
        motor.extend(
            draft
                .speed
                .map(|speed| format!("speed = {}", figure(speed))),
        );
        if draft.velocity.is_none() {
            // A wheel has no position.
            motor.push("stiffness = 0".to_owned());
        }
        if !motor.is_empty() {
            keys.push(format!("motor = {{ {} }}", motor.join(", ")));
        }
        for note in &draft.notes {
            remark(out, &format!("{}: {note}.", draft.name));
        }
        line(
            out,
            &format!("{:width$} = {{ {} }}", key(&draft.name), keys.join(", ")),
        );
    }
}

fn write_link(out: &mut String, link: &LinkDraft) {
    if let Some(note) = &link.note {
        remark(out, &format!("{}: {note}.", link.name));
    }
    line(out, &format!("[links.{}]", key(&link.name)));
    if let Some((parent, pose)) = &link.hangs {
        line(out, &format!("parent = {}", quoted(parent)));
        if let Some(moved) = &link.moved {
            line(out, &format!("joint = {}", quoted(&moved.joint)));
        }
        let mut origin = Vec::new();
        if pose.at != [0.0; 3] || pose.turn == [0.0; 3] {
            origin.push(format!("at = {}", point(pose.at)));
        }
        if pose.turn != [0.0; 3] {
            let turn = pose.turn.map(|turn| angle(turn, false));
            origin.push(format!("turn = [{}]", turn.join(", ")));
        }
        line(out, &format!("origin = {{ {} }}", origin.join(", ")));
    }
    if let Some(moved) = &link.moved {
        line(out, &format!("axis = {}", point(moved.axis)));
        if moved.slides {
            line(out, "slides = true");
        }
        if moved.ratio != 1.0 {
            line(out, &format!("ratio = {}", figure(moved.ratio)));
        }
        if moved.offset != 0.0 {
            line(out, &format!("offset = {}", figure(moved.offset)));
        }
    }
    write_mass(out, link);
    match link.capsules.as_slice() {
        [] => {}
        [one] => line(out, &format!("capsules = [{}]", capsule(one))),
        many => {
            line(out, "capsules = [");
            many.iter()
                .for_each(|item| line(out, &format!("  {},", capsule(item))));
            line(out, "]");
        }
    }
    if !link.hulls.is_empty() {
        line(out, "hulls = [");
        for hull in &link.hulls {
            line(out, "  { corners = [");
            for some in hull.chunks(ABREAST) {
                let corners = some.iter().map(|item| point(*item)).collect::<Vec<_>>();
                line(out, &format!("    {},", corners.join(", ")));
            }
            line(out, "  ] },");
        }
        line(out, "]");
    }
    write_sole(out, &link.sole);
}

fn write_mass(out: &mut String, link: &LinkDraft) {
    if link.mass != 0.0 {
        line(out, &format!("mass = {}", figure(link.mass)));
    }
    if link.centre != [0.0; 3] {
        line(out, &format!("centre = {}", point(link.centre)));
    }
    if let Some([xx, yy, zz, xy, xz, yz]) = link.inertia {
        let (moments, products) = (point([xx, yy, zz]), [xy, xz, yz]);
        let products = if products == [0.0; 3] {
            String::new()
        } else {
            format!(", products = {}", point(products))
        };
        line(
            out,
            &format!("inertia = {{ moments = {moments}{products} }}"),
        );
    }
}

fn write_sole(out: &mut String, sole: &[[f64; 3]]) {
    if !sole.is_empty() {
        let corners = sole.iter().map(|corner| point(*corner)).collect::<Vec<_>>();
        line(out, &format!("sole = [{}]", corners.join(", ")));
    }
}

fn capsule(capsule: &CollisionCapsule) -> String {
    let (from, to) = (point(capsule.from), point(capsule.to));
    format!(
        "{{ from = {from}, to = {to}, radius = {} }}",
        figure(capsule.radius)
    )
}

fn point(of: [f64; 3]) -> String {
    format!("[{}]", of.map(figure).join(", "))
}

/// A number in a form that reads as the same bits.
fn figure(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if (1e-4..1e9).contains(&value.abs()) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// An angle, in whole degrees if that reads as the same bits.
fn angle(value: f64, is_length: bool) -> String {
    let degrees = (value / DEGREE).round();
    if is_length || degrees == 0.0 || degrees.abs() > 360.0 || degrees * DEGREE != value {
        return figure(value);
    }
    format!("\"{degrees}deg\"")
}

/// A key, quoted only if needed.
fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if name.chars().all(bare) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for item in text.chars() {
        match item {
            '"' | '\\' => quoted.extend(['\\', item]),
            c if c.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            other => quoted.push(other),
        }
    }
    quoted + "\""
}
