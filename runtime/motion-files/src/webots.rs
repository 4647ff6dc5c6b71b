//! Motions of Webots: `#WEBOTS_MOTION,V1.0,<joints>`, then `mm:ss:ms,<pose>,<values>`. Called by
//! `lib`. Values are rad or m, as the joint turns or slides; between two poses they go straight. At a
//! `*` Webots sends nothing, nor on the way to one or from one: the joint stays where it was sent last.
//! So a value between two `*` is never sent, but at the first and the last pose.
//! Poses come in the order of time. A pose that is called `Pose` and its number has no
//! name of its own. As in Webots, several separators are one, the motion ends at the first empty line,
//! and a time may lack its minutes and seconds, or have more than 59 of them.

use std::collections::BTreeMap;

use crate::curves::value_at;
use crate::fault::{FileMistake, MistakeList, ReadFailure, WriteFailure, quoted};
use crate::motion::{
    JointKey, JointTrack, KEYS_MAX, KeySide, KeyedMotion, MotionLabel, TIME_MAX, TRACKS_MAX,
};
use crate::text::number::{number, shortest};
use crate::text::{SourceLine, SourceWord, check_lines, cut_off, lines};
use crate::units::ValueUnit;

/// The first word of a file.
pub(crate) const MARK: &str = "#WEBOTS_MOTION";

const FORMAT: &str = "a motion of Webots";
const MS: u64 = 1_000_000;

/// The greatest number of remarks.
const REMARKS_MAX: usize = 20;

/// A line with values.
struct WebotsPose<'t> {
    line: SourceLine<'t>,
    time: u64,
    /// Its name, if it has one of its own.
    label: Option<&'t str>,
    /// What each joint is sent to; nothing where `*` stands.
    values: Vec<Option<f64>>,
    /// Where the values are in the line.
    words: Vec<SourceWord<'t>>,
}

/// Reads a motion.
pub(crate) fn read(text: &str, remarks: &mut Vec<FileMistake>) -> Result<KeyedMotion, ReadFailure> {
    check_lines(text)?;
    remarks.extend(cut_off(text));
    let mut all = lines(text);
    let header = all.find(|item| !item.text.trim().is_empty());
    let header = header
        .as_ref()
        .filter(|header| header.text.trim_start().starts_with(MARK));
    let Some(header) = header else {
        let sentence = format!("the first line does not begin with {MARK},V1.0");
        return Err(FileMistake::new(1, 1, sentence).into());
    };
    let separator = if header.text.contains(';') { ';' } else { ',' };
    let mut motion = KeyedMotion::default();
    joints(header, separator, &mut motion)?;
    let mut mistakes = MistakeList::default();
    let mut poses = Vec::new();
    let (mut last, mut ended) = (None, None);
    let mut keys = 0;
    for (number, line) in all.by_ref().enumerate() {
        let fields = fields(&line, separator);
        if fields.is_empty() {
            ended = Some(line);
            break;
        }
        if fields.len() != motion.tracks.len() + 2 {
            mistakes.add(line.short(unlike(&line, separator, &fields, motion.tracks.len())));
            continue;
        }
        let time = time(&line, &fields[0], last);
        let Some(time) = mistakes.keep(time) else {
            continue;
        };
        last = Some(time);
        keys += fields.len();
        if keys > KEYS_MAX {
            let sentence = format!("more than {KEYS_MAX} values; fix: divide the file");
            mistakes.add(line.wrong(&fields[0], sentence));
            break;
        }
        let joints = motion.tracks.iter().map(|track| &*track.joint);
        let values = values(&line, &fields, separator, joints, &mut mistakes);
        let name = fields.get(1).map_or("", |field| field.text);
        poses.push(WebotsPose {
            line,
            time,
            label: (!name.is_empty() && name != format!("Pose{}", number + 1)).then_some(name),
            values,
            words: fields,
        });
    }
    let unplayed = ended.and_then(|empty| left_out(&empty, all));
    let is_cut = unplayed.is_some();
    remarks.extend(unplayed);
    if last.is_none() && mistakes.is_empty() {
        mistakes.add(match ended {
            Some(line) if is_cut => {
                line.short("the motion ends here, as in Webots: the line is empty; fix: remove it")
            }
            _ => header.short("no pose follows the header"),
        });
    }
    fill(&mut motion, poses, remarks);
    mistakes.or(motion)
}

fn joints(
    header: &SourceLine<'_>,
    separator: char,
    motion: &mut KeyedMotion,
) -> Result<(), FileMistake> {
    let words = fields(header, separator);
    let version = words.get(1).filter(|word| word.text == "V1.0");
    if version.is_none() {
        let sentence = "expected the version V1.0 behind #WEBOTS_MOTION";
        return Err(match words.get(1) {
            Some(word) => header.wrong(word, sentence),
            None => header.short(sentence),
        });
    }
    for word in words.iter().skip(2) {
        if motion.tracks.iter().any(|track| track.joint == word.text) {
            let sentence = format!("{} comes twice; fix: remove one column", quoted(word.text));
            return Err(header.wrong(word, sentence));
        }
        if motion.tracks.len() >= TRACKS_MAX {
            return Err(header.wrong(word, format!("more than {TRACKS_MAX} joints")));
        }
        motion.tracks.push(JointTrack {
            joint: word.text.to_owned(),
            ..JointTrack::default()
        });
    }
    if motion.tracks.is_empty() {
        let sentence = "the header names no joints; fix: write them behind V1.0, with commas";
        return Err(header.short(sentence));
    }
    Ok(())
}

/// The fields of a line, without blanks around them: empty ones are none.
fn fields<'t>(line: &SourceLine<'t>, separator: char) -> Vec<SourceWord<'t>> {
    let mut fields = line.fields(separator);
    fields.retain(|field| !field.text.is_empty());
    fields
}

/// That a line has not the fields of a pose.
fn unlike(
    line: &SourceLine<'_>,
    separator: char,
    found: &[SourceWord<'_>],
    joints: usize,
) -> String {
    let all = line.fields(separator);
    // Separators at the end of a line are usual.
    let is_skipped = all
        .iter()
        .rev()
        .skip_while(|item| item.text.is_empty())
        .any(|item| item.text.is_empty());
    let skipped = if is_skipped {
        "; Webots skips empty ones; fix: write `*` for a joint that stays"
    } else {
        ""
    };
    format!(
        "{} fields; expected a time, the pose's name, and {joints} values{skipped}",
        found.len()
    )
}

/// The remark on what stands behind the empty line at which a motion ends.
fn left_out<'t>(
    empty: &SourceLine<'_>,
    rest: impl Iterator<Item = SourceLine<'t>>,
) -> Option<FileMistake> {
    let count = rest.filter(|value| !value.text.trim().is_empty()).count();
    let sentence = format!(
        "the motion ends at this empty line, as in Webots: {count} lines behind it are left out; fix: remove it"
    );
    (count > 0).then(|| FileMistake::new(empty.number, 1, sentence))
}

fn time(
    line: &SourceLine<'_>,
    word: &SourceWord<'_>,
    last: Option<u64>,
) -> Result<u64, FileMistake> {
    let parts: Vec<_> = word.text.split(':').collect();
    let digits = |text: &str| {
        let is_number =
            (1..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse::<u64>().ok()).flatten()
    };
    let sum = |minutes: &str, seconds: &str, ms: &str| {
        let (minutes, seconds, ms) = (digits(minutes)?, digits(seconds)?, digits(ms)?);
        Some((minutes * 60_000 + seconds * 1_000 + ms) * MS)
    };
    let time = match parts[..] {
        [ms] => sum("0", "0", ms),
        [seconds, ms] => sum("0", seconds, ms),
        [minutes, seconds, ms] => sum(minutes, seconds, ms),
        _ => None,
    };
    let Some(time) = time.filter(|time| *time <= TIME_MAX) else {
        let sentence = format!(
            "{} is not a time; expected minutes:seconds:milliseconds, as in 00:01:040",
            quoted(word.text)
        );
        return Err(line.wrong(word, sentence));
    };
    if last.is_some_and(|value| value >= time) {
        let sentence = format!(
            "{} is not after the pose before it; fix: sort the poses by time",
            quoted(word.text)
        );
        return Err(line.wrong(word, sentence));
    }
    Ok(time)
}

/// The values of a pose.
fn values<'j>(
    line: &SourceLine<'_>,
    fields: &[SourceWord<'_>],
    separator: char,
    joints: impl Iterator<Item = &'j str>,
    mistakes: &mut MistakeList,
) -> Vec<Option<f64>> {
    let words = fields.iter().skip(2);
    let read = words.zip(joints).map(|(word, joint)| {
        if word.text == "*" {
            return None;
        }
        let value = number(word.text, separator != ',').map_err(|fault| {
            let joint = quoted(joint);
            let sentence = format!("the value {} of {joint}: {fault}", quoted(word.text));
            line.wrong(word, sentence)
        });
        mistakes.keep(value)
    });
    read.collect()
}

/// Makes the keys of poses: a joint stays where it is as long as `*` stands at one end of the way.
fn fill(motion: &mut KeyedMotion, poses: Vec<WebotsPose<'_>>, remarks: &mut Vec<FileMistake>) {
    let mut has_keys = vec![false; poses.len()];
    for (joint, track) in motion.tracks.iter_mut().enumerate() {
        let value = |row: usize| *poses.get(row)?.values.get(joint)?;
        let mut last = None;
        for (row, pose) in poses.iter().enumerate() {
            let Some(own) = value(row) else {
                continue;
            };
            let before = row.checked_sub(1).and_then(value);
            let is_end = row == 0 || row + 1 == poses.len();
            if !is_end && before.is_none() && value(row + 1).is_none() {
                unsent(pose, joint, &track.joint, remarks);
                continue;
            }
            if let Some(key) = track.keys.last_mut().filter(|_| last != row.checked_sub(1)) {
                key.leave = KeySide::Step;
            }
            track.keys.push(JointKey::linear(pose.time, own));
            last = Some(row);
            has_keys[row] = true;
        }
    }
    for (pose, has_keys) in poses.into_iter().zip(has_keys) {
        // The name of a pose without values says that it is there.
        let usual = if has_keys {
            pose.label
        } else {
            pose.words.get(1).map(|word| word.text)
        };
        motion.labels.extend(usual.map(|name| MotionLabel {
            name: name.to_owned(),
            at: pose.time,
        }));
    }
}

/// Says that a value is never sent.
fn unsent(pose: &WebotsPose<'_>, joint: usize, name: &str, remarks: &mut Vec<FileMistake>) {
    let Some(word) = pose
        .words
        .get(joint + 2)
        .filter(|_| remarks.len() < REMARKS_MAX)
    else {
        return;
    };
    let sentence = format!(
        "{} of {} is left out: with * at the poses beside it Webots never sends it",
        quoted(word.text),
        quoted(name)
    );
    remarks.push(pose.line.wrong(word, sentence));
}

/// The same motion with a value at each pose that lies on the way of a joint, since `*` would stop it.
pub(crate) fn fitted(motion: &mut KeyedMotion) {
    let times = motion.times();
    if !motion.has_room_for(times.len()) {
        // `write` says so.
        return;
    }
    for track in &mut motion.tracks {
        let (Some(first), Some(last)) = (track.keys.first(), track.keys.last()) else {
            continue;
        };
        let from = times.partition_point(|time| *time < first.time);
        let mut to = times.partition_point(|time| *time <= last.time);
        if to == from + 1 && from > 0 {
            // A single value between two `*` would not be sent.
            to = (to + 1).min(times.len());
        }
        let own = times.get(from..to).unwrap_or_default();
        let keys = own.iter().filter_map(|time| {
            let known = track.keys.binary_search_by_key(time, |key| key.time);
            let known = known.ok().and_then(|at| track.keys.get(at));
            let between = || Some(JointKey::linear(*time, value_at(track, *time)?));
            known.cloned().or_else(between)
        });
        track.keys = keys.collect();
    }
}

/// Writes a motion of lines; where a joint stays, there is `*`.
pub(crate) fn write(motion: &KeyedMotion) -> Result<String, WriteFailure> {
    let no_room = |what: String| WriteFailure::NoRoom {
        format: FORMAT,
        what,
    };
    if !motion.has_room_for(motion.times().len() + motion.labels.len()) {
        return Err(no_room("so many keys; fix: divide the motion".to_owned()));
    }
    let mut rows: BTreeMap<u64, (Option<&str>, Vec<Option<f64>>)> = BTreeMap::new();
    let count = motion.tracks.len();
    let empty = || (None, vec![None; count]);
    for (number, track) in motion.tracks.iter().enumerate() {
        if track.unit != ValueUnit::Native {
            return Err(no_room(format!(
                "{} has values in another unit than the joint's",
                quoted(&track.joint)
            )));
        }
        for key in &track.keys {
            let stays = [KeySide::Linear, KeySide::Step].contains(&key.leave);
            if !stays || key.arrive != KeySide::Linear {
                return Err(no_room(format!("the curve of {}", quoted(&track.joint))));
            }
            if let Some(place) = rows.entry(key.time).or_insert_with(empty).1.get_mut(number) {
                *place = Some(key.value);
            }
        }
    }
    for label in &motion.labels {
        rows.entry(label.at).or_insert_with(empty).0 = Some(&label.name);
    }
    let mut out = format!("{MARK},V1.0");
    for track in &motion.tracks {
        out.push(',');
        out.push_str(&track.joint);
    }
    out.push('\n');
    for (row, (time, (name, values))) in rows.iter().enumerate() {
        if time % MS != 0 {
            let time = crate::units::key_seconds(*time);
            return Err(no_room(format!("a key at {time} s, which is no whole ms")));
        }
        let ms = time / MS;
        let (minutes, seconds) = (ms / 60_000, ms / 1_000 % 60);
        out.push_str(&format!("{minutes:02}:{seconds:02}:{:03},", ms % 1_000));
        match name {
            Some(name) => out.push_str(name),
            None => out.push_str(&format!("Pose{}", row + 1)),
        }
        for value in values {
            out.push(',');
            out.push_str(&value.map_or_else(|| "*".to_owned(), shortest));
        }
        out.push('\n');
    }
    Ok(out)
}
