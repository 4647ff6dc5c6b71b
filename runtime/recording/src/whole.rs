//! The run that a recording is a part of: the earlier files of the same run are looked for beside it.
//! Used before a replay, which begins with a run's first turn.
//! Either the turns begin with the first, or a sentence says why they cannot. A reason is only given if the
//! files prove it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use archive::{RecordingFolder, run_of};

use super::damage::{Damage, RecordingError};
use super::recording::Recording;
use super::run_info::FORMAT;
use super::{Run, Turn};

/// The earlier files of a run, by their numbers, and the sentences about those that cannot be read.
type EarlierFiles = (BTreeMap<u32, Recording>, Vec<String>);

impl Recording {
    /// Opens a recording for a replay: with the earlier files of its run, if it is not the first of them.
    ///
    /// # Errors
    /// [`RecordingError`]; also if the run's beginning is missing.
    pub fn open_whole(path: &Path) -> Result<Recording, RecordingError> {
        let mut recording = Recording::open(path)?;
        if recording.run.format != FORMAT {
            return Err(RecordingError::OtherFormat {
                format: recording.run.format,
                version: recording.run.version.clone(),
            });
        }
        if recording.run.part > 1 {
            let (earlier, unreadable) = earlier_files(path, &recording);
            if !earlier.contains_key(&1) {
                return Err(headless(&recording.run, &earlier, &unreadable));
            }
            recording.earlier = earlier.into_values().collect();
        }
        let begins = recording
            .files()
            .next()
            .map_or(0, |file| file.run.first_turn);
        if begins > 1 {
            return Err(RecordingError::Headless {
                why: format!("recording was switched on in turn {begins}"),
                fix: "leave recording on, and start the robot again".to_owned(),
            });
        }
        recording.join();
        Ok(recording)
    }

    /// The files of the run, the first of them first.
    fn files(&self) -> impl Iterator<Item = &Recording> {
        self.earlier.iter().chain([self])
    }

    /// Takes over what the earlier files say of guests, topics and damages.
    fn join(&mut self) {
        let mut known = BTreeSet::new();
        let (mut guests, mut topics, mut damages) = (Vec::new(), Vec::new(), Vec::new());
        for earlier in &self.earlier {
            guests.extend(earlier.guests.iter().cloned());
            topics.extend(earlier.topics.iter().cloned());
            let part = earlier.run.part;
            damages.extend(earlier.damages.iter().map(|damage| Damage {
                why: format!("{} (in file {part} of the run)", damage.why),
                ..damage.clone()
            }));
        }
        guests.append(&mut self.guests);
        topics.append(&mut self.topics);
        damages.append(&mut self.damages);
        guests.retain(|(guest, _)| known.insert(guest.number));
        (self.guests, self.topics, self.damages) = (guests, topics, damages);
    }

    /// What is to be said of the turns from `first` to the one before `turn`, which are not in the recording.
    pub(super) fn gap_before(&self, turn: &Turn, first: u64) -> String {
        let last = turn.number - 1;
        let (turns, are) = match last {
            _ if last == first => (format!("turn {first}"), "is"),
            _ => (format!("turns {first} to {last}"), "are"),
        };
        let missing = format!("{turns} {are} missing");
        if turn.lost > last - first {
            let fix = "fix: record onto a faster disk";
            return format!("{missing}, because the recorder did not keep up with the loop; {fix}");
        }
        let after = self
            .files()
            .filter(|file| file.run.first_turn <= turn.number);
        let Some(after) = after.last() else {
            return missing;
        };
        let before = self
            .files()
            .take_while(|file| file.run.part < after.run.part);
        if let Some(before) = before.last().filter(|_| first < after.run.first_turn) {
            return format!("{missing}, because {}", between(before, after));
        }
        let at = after.damage_of(first, last).map(|damage| damage.at);
        match (at, after.run.part) {
            (Some(at), 0) => format!("{turns} {are} damaged, at byte {at}"),
            (Some(at), part) => {
                format!("{turns} {are} damaged, at byte {at} of file {part} of the run")
            }
            (None, 0) => missing,
            // A file of a robot's own recordings goes on with the next turn, as long as recording is on.
            (None, _) => format!(
                "{missing}, because recording was switched off meanwhile; fix: leave recording on to replay whole runs"
            ),
        }
    }

    /// The damage in this file that has cost these turns.
    fn damage_of(&self, first: u64, last: u64) -> Option<&Damage> {
        let has = |damage: &&Damage| {
            damage
                .turns
                .is_some_and(|turn| turn.0 <= last && turn.1 >= first)
        };
        let damages = &self.own_damages;
        damages.iter().find(has).or_else(|| damages.first())
    }
}

/// Why turns are missing from the end of one file to the beginning of another, and what to do.
fn between(before: &Recording, after: &Recording) -> String {
    let part = before.run.part;
    let lost: Vec<u32> = (part + 1..after.run.part).collect();
    let mut fix = "put a whole copy in its place, if there is one";
    let mut reasons = Vec::new();
    if let Some(damage) = before.own_damages.first() {
        let is = if before.is_cut_off {
            "cut off"
        } else {
            "damaged"
        };
        reasons.push(format!(
            "file {part} of the run is {is} at byte {}",
            damage.at
        ));
    }
    if !lost.is_empty() {
        let (files, are) = (files(&lost), are(&lost));
        reasons.push(format!("{files} of the run {are} not in its folder"));
        fix = "put what is missing beside it, if there are copies (their names end alike)";
    }
    if after.run.switched_on {
        let first = after.run.first_turn;
        reasons.push(format!(
            "recording was switched off, and on again in turn {first}"
        ));
        fix = "leave recording on to replay whole runs";
    }
    if reasons.is_empty() {
        // The robot's next start has closed it, so it has no open end any more.
        reasons.push(format!(
            "file {part} of the run was cut off after turn {}",
            before.last_turn()
        ));
    }
    format!("{}; fix: {fix}", reasons.join(", and "))
}

fn are(files: &[u32]) -> &'static str {
    if files.len() == 1 { "is" } else { "are" }
}

/// The numbers of files, as people list them: `files 1, 2 and 4`.
fn files(numbers: &[u32]) -> String {
    let words: Vec<_> = numbers.iter().map(u32::to_string).collect();
    match (numbers, words.as_slice()) {
        (_, [one]) => format!("file {one}"),
        ([first, .., last], _)
            if (last - first) as usize + 1 == numbers.len() && first + 1 < *last =>
        {
            format!("files {first} to {last}")
        }
        (_, [front @ .., last]) => format!("files {} and {last}", front.join(", ")),
        _ => "no file".to_owned(),
    }
}

/// Why a run without its first file cannot be replayed.
fn headless(run: &Run, there: &BTreeMap<u32, Recording>, unreadable: &[String]) -> RecordingError {
    let missing: Vec<u32> = (1..run.part).filter(|i| !there.contains_key(i)).collect();
    // The quota takes the oldest, and nothing between others.
    let are_oldest = missing
        .last()
        .is_some_and(|value| *value as usize == missing.len());
    let mut why = format!(
        "{} of this run {} not in its folder (this is file {}, from turn {} on)",
        files(&missing),
        are(&missing),
        run.part,
        run.first_turn
    );
    for unreadable in unreadable {
        why += &format!(", but {unreadable}");
    }
    let mut fix =
        "put the missing files beside it, if there are copies (their names end alike)".to_owned();
    if are_oldest && unreadable.is_empty() {
        why += ": the robot removes the oldest files when `recordings.quota` is full";
        fix += "; for later runs, raise `recordings.quota`";
    }
    RecordingError::Headless { why, fix }
}

/// The files of the same run beside this one that come before it.
fn earlier_files(path: &Path, of: &Recording) -> EarlierFiles {
    let is_file = |path: &&Path| !path.as_os_str().is_empty();
    let folder = path.parent().filter(is_file).unwrap_or(Path::new("."));
    let name = path.file_name().and_then(|name| name.to_str());
    let folder = RecordingFolder::at(folder.to_owned(), 0);
    let run = name.and_then(run_of);
    let (mut found, mut unreadable) = (BTreeMap::new(), Vec::new());
    for file in folder.list() {
        // Names of one run are in the order of its files.
        let is_candidate =
            run.is_none_or(|value| run_of(&file.name) == Some(value) && Some(&*file.name) < name);
        if !is_candidate {
            continue;
        }
        match Recording::open(&folder.path().join(&file.name)) {
            Ok(value) if value.run.run == of.run.run && value.run.part < of.run.part => {
                found.insert(value.run.part, value);
            }
            Ok(_) => {}
            // Without a name that says so, nobody knows of which run it is.
            Err(why) if run.is_some() => {
                let why = why.to_string();
                let why = why.split("; fix: ").next().unwrap_or_default();
                unreadable.push(format!("{} cannot be read ({why})", file.name));
            }
            Err(_) => {}
        }
    }
    unreadable.reverse();
    (found, unreadable)
}
