//! Exports of Bottango: controllers with animations, whose curves are commands on lines:
//! `sC,id,start,duration,value,ms,value,value,ms,value`: the start, its handle, the end, its
//! handle. Called by `lib`.
//! A value is a share of the effector's range: 8192 is the whole of it. Curves of one
//! effector follow each other; between two of them it holds still. Commands that move nothing are
//! left out, with a remark. What several controllers do in one animation is one motion. What the
//! range of an effector is for a joint only a mapping file can say (`range`), and a remark asks for
//! it: an export has pulses of a servo, in µs.

use super::count;
use crate::fault::{FileMistake, WriteFailure, quoted};
use crate::map::JointMap;
use crate::motion::{
    BezierHandle, JointKey, JointTrack, KeySide, KeyedMotion, TIME_MAX, TRACKS_MAX,
};
use crate::text::number::number;
use crate::tree::TreeNode;
use crate::units::ValueUnit;

const FORMAT: &str = "an export of Bottango";
const RANGE: f64 = 8192.0;
const MS: f64 = 1e6;

/// How the remark begins that asks for a mapping.
const SHARES: &str = "values are shares of each effector's range";

/// Between the names of the controllers of one animation.
const JOINT: &str = " + ";

/// Whether a tree is an export.
pub(crate) fn is_export(root: &TreeNode) -> bool {
    let controllers = root.items("").unwrap_or_default();
    !controllers.is_empty()
        && controllers
            .iter()
            .all(|controller| controller.get("Animations").is_some())
}

/// The motions of an export: one for each animation, also if several controllers have a part in it.
pub(crate) fn motions(
    root: &TreeNode,
    remarks: &mut Vec<FileMistake>,
) -> Result<Vec<KeyedMotion>, FileMistake> {
    let mut motions: Vec<KeyedMotion> = Vec::new();
    for controller in root.items("the export")? {
        let body = controller.get("Controller Name");
        let body = body.map_or(Ok(""), |body| body.as_text("Controller Name"))?;
        let animations = controller.needed("Animations", "a controller")?;
        let before = motions.len();
        for animation in animations.items("Animations")? {
            let name = animation.needed("Animation Name", "an animation")?;
            let commands = animation.needed("Animation Commands", "an animation")?;
            let looped = animation.get("Animation Loop Commands");
            let looped =
                looped.map_or(Ok(""), |looped| looped.as_text("Animation Loop Commands"))?;
            let mut motion = KeyedMotion {
                name: name.as_text("Animation Name")?.to_owned(),
                body: body.to_owned(),
                loops: !looped.trim().is_empty(),
                ..KeyedMotion::default()
            };
            let text = commands.as_text("Animation Commands")?;
            fill(commands, text, &mut motion, remarks)?;
            // The same animation of another controller, unless it has one of this name twice.
            let is_same =
                |item: &&mut KeyedMotion| item.name == motion.name && item.loops == motion.loops;
            let others = motions.get_mut(..before).unwrap_or_default();
            match others
                .iter_mut()
                .find(is_same)
                .filter(|value| !ends_with(&value.body, body))
            {
                None => motions.push(motion),
                Some(whole) => join(whole, motion, commands, remarks)?,
            }
        }
    }
    let Some(first) = motions.first() else {
        return Err(root.wrong("the export has no animation"));
    };
    let effector = first.tracks.first().map_or("9", |track| &track.joint);
    remarks.push(root.wrong(format!(
        "{SHARES}, from 0 to 1; a mapping file says what that range is for a joint: \
         {} = {{ to = \"HeadYaw\", range = [-1.5, 1.5] }}",
        quoted(effector).replace('`', "\"")
    )));
    Ok(motions)
}

/// Whether a controller is the last one of a joined animation.
fn ends_with(bodies: &str, body: &str) -> bool {
    bodies.rsplit(JOINT).next() == Some(body)
}

/// Adds what another controller does in the same animation. Where both have an effector of one name, that of the other
/// controller has its name before it.
fn join(
    whole: &mut KeyedMotion,
    part: KeyedMotion,
    node: &TreeNode,
    remarks: &mut Vec<FileMistake>,
) -> Result<(), FileMistake> {
    for mut track in part.tracks {
        if whole.tracks.len() >= TRACKS_MAX {
            return Err(node.wrong(format!("more than {TRACKS_MAX} effectors")));
        }
        if whole.tracks.iter().any(|item| item.joint == track.joint) {
            let name = format!("{}/{}", part.body, track.joint);
            remarks.push(node.wrong(format!(
                "the effector {} of {} is {} here, since another controller has one of its name",
                quoted(&track.joint),
                quoted(&part.body),
                quoted(&name)
            )));
            track.joint = name;
        }
        whole.tracks.push(track);
    }
    whole.body = format!("{}{JOINT}{}", whole.body, part.body);
    count(node, whole.key_count())
}

/// Whether a remark asks for a mapping of shares that this mapping has, for each effector of the motions.
pub fn is_answered(remark: &FileMistake, map: &JointMap, motions: &[KeyedMotion]) -> bool {
    let mut tracks = motions.iter().flat_map(|motion| &motion.tracks);
    let is_ruled = |track: &JointTrack| {
        let mut rules = map.joints.iter().filter(|joint| joint.from == track.joint);
        rules.any(|rule| rule.to.is_none() || rule.scale != 1.0 || rule.offset != 0.0)
    };
    remark.sentence.starts_with(SHARES) && tracks.all(is_ruled)
}

/// Adds the curves of an animation.
fn fill(
    node: &TreeNode,
    text: &str,
    motion: &mut KeyedMotion,
    remarks: &mut Vec<FileMistake>,
) -> Result<(), FileMistake> {
    let mut curves: Vec<(&str, [f64; 8])> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let batch = relayed(line);
        let batch = batch.strip_prefix("sSY,").unwrap_or(batch);
        let Some(batch) = batch.strip_prefix("sC,") else {
            if !line.is_empty() {
                let sentence = format!(
                    "the command {} {} moves nothing here",
                    number + 1,
                    quoted(line)
                );
                remarks.push(node.wrong(sentence));
            }
            continue;
        };
        for one in batch.split(';').filter(|part| !part.trim().is_empty()) {
            let one = one.strip_prefix("sC,").unwrap_or(one);
            curves.push(curve(one).map_err(|sentence| {
                node.wrong(format!(
                    "the command {} of the animation: {sentence}",
                    number + 1
                ))
            })?);
        }
        count(node, curves.len() * 2)?;
    }
    curves.sort_by(|a, b| a.0.cmp(b.0).then(a.1[0].total_cmp(&b.1[0])));
    for part in curves.chunk_by(|a, b| a.0 == b.0) {
        let Some((id, _)) = part.first() else {
            continue;
        };
        if motion.tracks.len() >= TRACKS_MAX {
            return Err(node.wrong(format!("more than {TRACKS_MAX} effectors")));
        }
        let mut keys = Vec::with_capacity(part.len() + 1);
        for (_, numbers) in part {
            append(numbers, &mut keys).map_err(|sentence| {
                node.wrong(format!("the effector {}: {sentence}", quoted(id)))
            })?;
        }
        motion.tracks.push(JointTrack {
            joint: (*id).to_owned(),
            unit: ValueUnit::Native,
            keys,
        });
    }
    Ok(())
}

/// A command that one controller passes on to another: `sR,` with the number of that, and the command.
fn relayed(line: &str) -> &str {
    let inner = line
        .strip_prefix("sR,")
        .and_then(|rest| rest.split_once(','));
    inner.map_or(line, |inner| inner.1)
}

/// An effector and the eight numbers of its curve.
fn curve(text: &str) -> Result<(&str, [f64; 8]), String> {
    let mut fields = text.split(',').map(str::trim);
    let id = fields.next().unwrap_or("");
    let mut numbers = [0.0; 8];
    for place in &mut numbers {
        let field = fields
            .next()
            .ok_or("a curve has an effector and eight numbers")?;
        *place = number(field, false).map_err(|fault| format!("{}: {fault}", quoted(field)))?;
    }
    // A checksum may follow.
    if fields.any(|field| !field.starts_with('h')) || id.is_empty() {
        return Err("a curve has an effector and eight numbers".to_owned());
    }
    let [start, duration, ..] = numbers;
    let end = (start + duration) * MS;
    if start < 0.0 || duration <= 0.0 || !(0.0..=TIME_MAX as f64).contains(&end) {
        return Err("its time is not from 0 to 250,000 s, or it takes none".to_owned());
    }
    Ok((id, numbers))
}

fn append(numbers: &[f64; 8], keys: &mut Vec<JointKey>) -> Result<(), String> {
    let [
        start,
        duration,
        value,
        out_ms,
        out,
        end_value,
        back_ms,
        back,
    ] = *numbers;
    let ns = |ms: f64| (ms * MS).round() as u64;
    let handle = |ms: f64, value: f64| {
        KeySide::Bezier(BezierHandle {
            time: (ms * MS).round() as i64,
            value: value / RANGE,
        })
    };
    let (from, to) = (ns(start), ns(start + duration));
    match keys.last_mut() {
        Some(last) if last.time > from => {
            return Err(format!("two curves at {start} ms"));
        }
        Some(last) if last.time == from => {
            if last.value.total_cmp(&(value / RANGE)).is_ne() {
                return Err(format!("it jumps at {start} ms"));
            }
            last.leave = handle(out_ms, out);
        }
        last => {
            if let Some(last) = last {
                last.leave = KeySide::Step;
            }
            keys.push(JointKey {
                leave: handle(out_ms, out),
                ..JointKey::linear(from, value / RANGE)
            });
        }
    }
    keys.push(JointKey {
        arrive: handle(back_ms, back),
        ..JointKey::linear(to, end_value / RANGE)
    });
    Ok(())
}

/// Says that values of a joint are no shares of the range of an effector, or that nobody knows whether they are: those
/// of an effector, which has a number, are; angles are not.
pub(crate) fn no_shares(track: &JointTrack) -> Option<String> {
    let is_share = |key: &JointKey| (0.0..=1.0).contains(&key.value);
    let joint = quoted(&track.joint);
    if !track.keys.iter().all(is_share) {
        return Some(format!(
            "values of {joint} are beyond 0 to 1, the shares of an effector's range; fix: map them with --map"
        ));
    }
    let is_effector = track.joint.bytes().all(|byte| byte.is_ascii_digit());
    (!is_effector).then(|| {
        format!(
            "values of {joint} are written as shares of an effector's range, 1 for the whole; fix: if they are none, \
             map them to the effector with --map, with scale and offset"
        )
    })
}

/// An export of motions; each key is a whole ms, and each curve has handles.
pub(crate) fn of_motions(motions: &[KeyedMotion]) -> Result<TreeNode, WriteFailure> {
    let mut controllers: Vec<(&str, Vec<TreeNode>)> = Vec::new();
    for motion in motions {
        let commands = commands(motion)?;
        let looped = if motion.loops { &*commands } else { "" };
        let animation = TreeNode::table([
            ("Animation Name", TreeNode::text(&motion.name)),
            ("Animation Commands", TreeNode::text(&commands)),
            ("Animation Loop Commands", TreeNode::text(looped)),
        ]);
        match controllers
            .iter_mut()
            .find(|controller| controller.0 == motion.body)
        {
            Some((_, list)) => list.push(animation),
            None => controllers.push((&motion.body, vec![animation])),
        }
    }
    let controllers = controllers.into_iter().map(|(name, list)| {
        TreeNode::table([
            ("Controller Name", TreeNode::text(name)),
            ("Animations", TreeNode::list(list)),
        ])
    });
    Ok(TreeNode::list(controllers))
}

fn commands(motion: &KeyedMotion) -> Result<String, WriteFailure> {
    let mut lines = Vec::new();
    for track in motion.as_they_begin(|value| value.leave != KeySide::Step) {
        let no_room = |what: &str| WriteFailure::NoRoom {
            format: FORMAT,
            what: format!("{what}, of {}", quoted(&track.joint)),
        };
        if track.joint.contains([',', ';', '\n', '\r']) {
            return Err(no_room("a name with commas"));
        }
        for pair in track.keys.windows(2) {
            let [key, next] = pair else { continue };
            let line = match (key.leave, next.arrive) {
                // Nothing is written where it holds still: the next curve begins later.
                (KeySide::Step, _) => continue,
                (KeySide::Linear, KeySide::Linear) => {
                    let third = (next.time - key.time) as f64 / 3.0;
                    let slope = (next.value - key.value) / 3.0;
                    [third, slope, -third, -slope]
                }
                (KeySide::Bezier(out), KeySide::Bezier(back)) => {
                    [out.time as f64, out.value, back.time as f64, back.value]
                }
                _ => return Err(no_room("a step, spline or easing")),
            };
            let ms = |ns: f64| (ns / MS).round() as i64;
            let share = |value: f64| (value * RANGE).round() as i64;
            let (from, to) = (ms(key.time as f64), ms(next.time as f64));
            let [out_ms, out, back_ms, back] = line;
            lines.push((
                from,
                format!(
                    "sC,{},{from},{},{},{},{},{},{},{}\n",
                    track.joint,
                    to - from,
                    share(key.value),
                    ms(out_ms),
                    share(out),
                    share(next.value),
                    ms(back_ms),
                    share(back)
                ),
            ));
        }
    }
    lines.sort_by_key(|line| line.0);
    Ok(lines.into_iter().map(|line| line.1).collect())
}
