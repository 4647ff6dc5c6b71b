//! What the states of skills mean: keys of joints in degrees. Called by `skill`.
//! A state reaches its targets at the end of its wait, on straight lines; a state without
//! a wait takes one step of the simulation, 20 ms. Two states are never at the same instant. A joint
//! that a state does not name stays where it is; for one that no state before has named, a key without
//! weight says so. What was added to is the target before it, also one
//! of the same state. Parts of the body go to the pose that UT Austin Villa's players begin in.

use std::collections::BTreeMap;

use super::constant::constant;
use super::{SkillCommand, SkillFile, SkillLine, SkillNumber};
use crate::curves::value_at;
use crate::fault::{FileMistake, ReadFailure, WriteFailure, quoted};
use crate::map::{JointMap, JointMirror};
use crate::motion::{JointKey, KEYS_MAX, KeyedMotion, TIME_MAX};
use crate::units::ValueUnit;

/// A step of the simulation, ns.
const STEP: u64 = 20_000_000;

const FORMAT: &str = "a skill";

/// The yaw of the head, by both of its names.
const HEAD_YAWS: [&str; 2] = ["EFF_H1", "he1"];

/// What `reset` knows beside joints: each part of the body, the beginning of the names of its
/// joints, and their angles from the first, °.
const RESET_PARTS: [(&str, &str, &[f64]); 5] = [
    ("HEAD", "EFF_H", &[0.0, -45.0]),
    ("ARM_LEFT", "EFF_LA", &[-50.0, 30.0, 0.0, -50.0]),
    ("ARM_RIGHT", "EFF_RA", &[-50.0, -30.0, 0.0, 50.0]),
    ("LEG_LEFT", "EFF_LL", &[0.0, 6.0, 18.0, -30.0, 18.0, -6.0]),
    ("LEG_RIGHT", "EFF_RL", &[0.0, -6.0, 18.0, -30.0, 18.0, 6.0]),
];

const TOO_LONG: &str = "the skill is too long";

/// A state that is being read.
#[derive(Default)]
struct SkillState {
    targets: Vec<(String, f64)>,
    wait: Option<u64>,
}

impl SkillState {
    fn set(&mut self, joint: &str, value: f64) {
        match self.targets.iter_mut().find(|target| target.0 == joint) {
            Some(target) => target.1 = value,
            None => self.targets.push((joint.to_owned(), value)),
        }
    }

    /// A joint to 0, or the joints of a part to where they begin.
    fn reset(&mut self, name: &str) {
        let Some((_, begin, angles)) = RESET_PARTS.iter().find(|reset_part| reset_part.0 == name)
        else {
            return self.set(name, 0.0);
        };
        for (number, angle) in angles.iter().enumerate() {
            self.set(&format!("{begin}{}", number + 1), *angle);
        }
    }
}

impl SkillFile {
    /// The motions of its skills, one for each.
    pub(crate) fn motions(
        &self,
        remarks: &mut Vec<FileMistake>,
    ) -> Result<Vec<KeyedMotion>, ReadFailure> {
        let mut motions: Vec<KeyedMotion> = Vec::new();
        let mut open: Option<(KeyedMotion, u64)> = None;
        let mut state: Option<SkillState> = None;
        let mut keys = 0;
        let mut skill = &self.lines[..];
        for (number, line) in self.lines.iter().enumerate() {
            let wrong = |sentence: &str| wrong_word(line, 0, sentence);
            match (&line.command, &mut open, &mut state) {
                (SkillCommand::Blank | SkillCommand::Comment(_), ..) => {}
                (SkillCommand::StartSkill(name), None, _) => {
                    skill = &self.lines[number..];
                    let motion = KeyedMotion {
                        name: name.clone(),
                        ..KeyedMotion::default()
                    };
                    open = Some((motion, 0));
                }
                (SkillCommand::EndSkill, Some(_), None) => {
                    motions.extend(open.take().map(|pair| pair.0));
                }
                (SkillCommand::StartState, Some(_), None) => state = Some(SkillState::default()),
                (SkillCommand::EndState, Some((motion, time)), Some(_)) => {
                    let state = state.take().unwrap_or_default();
                    keys += state.targets.len();
                    keys += end_state(line, (motion, time), state)?;
                    if keys > KEYS_MAX {
                        return Err(wrong(TOO_LONG).into());
                    }
                }
                (SkillCommand::Reflect(from, to), None, _) => {
                    let room = KEYS_MAX.saturating_sub(keys);
                    let image = reflected(&motions, (from, to), room);
                    let image = image.map_err(|error| wrong(&error))?;
                    keys += image.key_count();
                    motions.push(image);
                }
                (SkillCommand::SetScale(_), ..) => {
                    remarks.push(wrong("this is not played: only angles of joints are"));
                }
                (_, Some((motion, _)), Some(state)) => add((line, skill), motion, state)?,
                _ => {
                    let sentence =
                        "this has no place here; fix: check STARTSKILL, STARTSTATE and their ends";
                    return Err(wrong(sentence).into());
                }
            }
        }
        if open.is_some() {
            let last = self.lines.last().map_or(1, |line| line.number);
            let sentence = "ENDSKILL is missing: the file may be cut off";
            return Err(FileMistake::new(last, 1, sentence).into());
        }
        Ok(motions)
    }

    /// Skills of motions of lines.
    pub(crate) fn of_motions(motions: &[KeyedMotion]) -> Result<SkillFile, WriteFailure> {
        let mut commands = Vec::new();
        for motion in motions {
            let name = motion.name.split_whitespace().collect::<Vec<_>>().join("_");
            let name = if name.is_empty() { "motion" } else { &name };
            commands.push(SkillCommand::StartSkill(name.to_owned()));
            states(motion, &mut commands)?;
            commands.push(SkillCommand::EndSkill);
        }
        let lines = commands.into_iter().map(|command| SkillLine {
            number: 0,
            places: Vec::new(),
            command,
        });
        Ok(SkillFile {
            lines: lines.collect(),
        })
    }
}

/// Moves a skill to the targets of a state, which ends at this line; gives the number of keys that hold joints before
/// that.
fn end_state(
    line: &SkillLine,
    (motion, time): (&mut KeyedMotion, &mut u64),
    state: SkillState,
) -> Result<usize, FileMistake> {
    let is_first = *time == 0 && motion.tracks.is_empty();
    let begin = *time;
    *time += state.wait.unwrap_or(STEP).max(u64::from(!is_first));
    if *time > TIME_MAX {
        return Err(wrong_word(line, 0, TOO_LONG));
    }
    let mut held = 0;
    for (joint, value) in state.targets {
        let Some(track) = motion.track(&joint) else {
            return Err(wrong_word(line, 0, "too many joints"));
        };
        track.unit = ValueUnit::Degree;
        // What the states before did not name stayed where it was, also where nobody knows that.
        let hold = match track.keys.last() {
            Some(last) => {
                Some(JointKey::linear(begin, last.value)).filter(|value| value.time > last.time)
            }
            None => Some(JointKey {
                weight: 0.0,
                ..JointKey::linear(begin, value)
            })
            .filter(|_| begin > 0),
        };
        if let Some(hold) = hold {
            held += 1;
            track.insert(hold);
        }
        track.insert(JointKey::linear(*time, value));
    }
    Ok(held)
}

/// The mirror image of a skill that came before, if there is room for so many keys.
fn reflected(
    motions: &[KeyedMotion],
    (from, to): (&str, &str),
    room: usize,
) -> Result<KeyedMotion, String> {
    let skill = motions.iter().find(|motion| motion.name == from);
    let skill =
        skill.ok_or_else(|| format!("there is no skill {} before this line", quoted(from)))?;
    if skill.key_count() > room {
        return Err("the skills are too long".to_owned());
    }
    // UT Austin Villa's players leave the yaw of the head as it is, though it looks to the other side in a mirror.
    let head = |joint: &str| JointMirror {
        joint: joint.to_owned(),
        other: joint.to_owned(),
        sign: 1.0,
    };
    let mirror = JointMap {
        mirror: true,
        body: HEAD_YAWS.map(head).to_vec(),
        ..JointMap::default()
    };
    let image = mirror.apply(skill).map_err(|fault| fault.to_string())?;
    Ok(KeyedMotion {
        name: to.to_owned(),
        ..image
    })
}

/// The place of the word of this number in a line.
fn place(line: &SkillLine, word: usize) -> (usize, usize) {
    let own = line.places.get(word).or_else(|| line.places.first());
    own.copied().unwrap_or((line.number, 1))
}

/// A mistake at the word of this number in a line.
fn wrong_word(line: &SkillLine, word: usize, sentence: impl Into<String>) -> FileMistake {
    let (line, column) = place(line, word);
    FileMistake::new(line, column, sentence)
}

/// The value of the number that is the word of this number in a line of a skill.
fn value_of(
    (line, skill): (&SkillLine, &[SkillLine]),
    word: usize,
    number: &SkillNumber,
) -> Result<f64, FileMistake> {
    let value = match number {
        SkillNumber::Is(value) => Some(*value),
        SkillNumber::Parameter(_) => None,
        SkillNumber::Expression(text) => constant(text),
    };
    value.ok_or_else(|| {
        let names: Vec<_> = parameters(skill).into_iter().map(quoted).collect();
        let sentence = format!(
            "the skill needs values for {}, which its player gives; fix: write numbers in their places",
            names.join(", ")
        );
        wrong_word(line, word, sentence)
    })
}

/// The names of the parameters of the skill that begins with these lines, each once.
fn parameters(skill: &[SkillLine]) -> Vec<&str> {
    let is_own = |line: &&SkillLine| line.command != SkillCommand::EndSkill;
    let mut names = Vec::new();
    for line in skill.iter().take_while(is_own) {
        let numbers: Vec<&SkillNumber> = match &line.command {
            SkillCommand::SetTargets(list) | SkillCommand::AddTargets(list) => {
                list.iter().map(|(_, number)| number).collect()
            }
            SkillCommand::Wait(time) => vec![time],
            _ => Vec::new(),
        };
        for number in numbers {
            let found: Vec<&str> = match number {
                SkillNumber::Is(_) => Vec::new(),
                SkillNumber::Parameter(name) => vec![name],
                SkillNumber::Expression(text) => {
                    let words = text.split(|letter: char| " ()+-*/".contains(letter));
                    words.filter_map(|word| word.strip_prefix('$')).collect()
                }
            };
            for name in found {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
    }
    names
}

/// Adds a command to a state.
fn add(
    at: (&SkillLine, &[SkillLine]),
    motion: &KeyedMotion,
    state: &mut SkillState,
) -> Result<(), FileMistake> {
    let (line, _) = at;
    match &line.command {
        SkillCommand::SetTargets(list) => {
            for (number, (joint, value)) in list.iter().enumerate() {
                let value = value_of(at, number + 1, value)?;
                state.set(joint, value);
            }
        }
        SkillCommand::AddTargets(list) => {
            for (number, (joint, value)) in list.iter().enumerate() {
                let new = state.targets.iter().find(|target| &target.0 == joint);
                let old = motion.tracks.iter().find(|track| &track.joint == joint);
                let old = old
                    .and_then(|value| value.keys.last())
                    .map(|value| value.value);
                let Some(before) = new.map(|pair| pair.1).or(old) else {
                    let sentence = format!("{} has no target that can be added to", quoted(joint));
                    return Err(wrong_word(line, number + 1, sentence));
                };
                let value = value_of(at, number + 1, value)?;
                state.set(joint, before + value);
            }
        }
        SkillCommand::Reset(names) => {
            names.iter().for_each(|name| state.reset(name));
        }
        SkillCommand::Wait(time) => {
            let ns = value_of(at, 1, time)? * 1e9;
            if !(0.0..=TIME_MAX as f64).contains(&ns) {
                return Err(wrong_word(line, 1, "a wait is from 0 to 250,000 s"));
            }
            state.wait = Some(ns.round() as u64);
        }
        _ => {
            let sentence =
                "this needs the ball or the balance, and cannot be played; fix: write angles";
            return Err(wrong_word(line, 0, sentence));
        }
    }
    Ok(())
}

/// The states of a motion: one for each time.
fn states(motion: &KeyedMotion, commands: &mut Vec<SkillCommand>) -> Result<(), WriteFailure> {
    if !crate::curves::is_straight(motion) {
        return Err(WriteFailure::NoRoom {
            format: FORMAT,
            what: "curves; fix: straighten them first".to_owned(),
        });
    }
    let times = motion.times();
    if !motion.has_room_for(times.len()) {
        return Err(WriteFailure::NoRoom {
            format: FORMAT,
            what: "so many keys; fix: divide the motion".to_owned(),
        });
    }
    let mut rows: BTreeMap<u64, Vec<(String, SkillNumber)>> = BTreeMap::new();
    for track in motion.as_they_begin(|_| true) {
        if track.joint.contains([' ', '\t', '\n', '\r']) || track.joint == "end" {
            return Err(WriteFailure::NoRoom {
                format: FORMAT,
                what: format!("the name {}", quoted(&track.joint)),
            });
        }
        let Some((first, last)) = track.keys.first().zip(track.keys.last()) else {
            continue;
        };
        // A joint moves only in states that name it: so each names all that are on their way.
        for time in times
            .iter()
            .filter(|time| (first.time..=last.time).contains(time))
        {
            let value = value_at(track, *time).unwrap_or(first.value);
            let degrees = match track.unit {
                ValueUnit::Degree => value,
                unit => unit.to_si(value).to_degrees(),
            };
            let target = (track.joint.clone(), SkillNumber::Is(degrees));
            rows.entry(*time).or_default().push(target);
        }
    }
    let mut last = 0;
    for (time, targets) in rows {
        let wait = (time - last) as f64 / 1e9;
        last = time;
        commands.push(SkillCommand::StartState);
        commands.push(SkillCommand::SetTargets(targets));
        commands.push(SkillCommand::Wait(SkillNumber::Is(wait)));
        commands.push(SkillCommand::EndState);
    }
    Ok(())
}
