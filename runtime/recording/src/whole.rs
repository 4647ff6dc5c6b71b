//! The run that a recording is a part of: the earlier files of the same run are looked for beside it.
//! Used before a replay, which begins with a run's first turn.
//! The law: either the turns begin with the first, or a sentence says why they cannot.

use std::collections::BTreeSet;
use std::path::Path;

use archive::{RecordingFolder, run_of};

use super::damage::{Damage, RecordingError};
use super::recording::Recording;

impl Recording {
    /// Opens a recording for a replay: with the earlier files of its run, if it is not the first of them.
    ///
    /// # Errors
    /// [`RecordingError`]; also if the run's beginning is missing.
    pub fn open_whole(path: &Path) -> Result<Recording, RecordingError> {
        let mut recording = Recording::open(path)?;
        let (part, first) = (recording.run.part, recording.run.first_turn);
        if part > 1 {
            recording.earlier = earlier_parts(path, &recording);
        }
        let begins = recording
            .earlier
            .first()
            .map_or(&recording.run, |it| &it.run);
        if begins.part > 1 {
            return Err(RecordingError::Headless(format!(
                "the beginning of this run is missing: this is file {part} of the run, from turn {first} on, and the \
                 files before file {} are not in its folder; fix: put all files of the run (their names end alike) \
                 into one folder; if the robot has removed the oldest, give `recordings.quota` more room",
                begins.part
            )));
        }
        if begins.first_turn > 1 {
            return Err(RecordingError::Headless(format!(
                "the beginning of this run is missing: recording was switched on in turn {}, and a replay needs all \
                 turns from the first; fix: leave recording on, and start the robot again",
                begins.first_turn
            )));
        }
        recording.join();
        Ok(recording)
    }

    /// Takes over what the earlier files say of guests and damages.
    fn join(&mut self) {
        let mut known = BTreeSet::new();
        let (mut guests, mut damages) = (Vec::new(), Vec::new());
        for it in &self.earlier {
            guests.extend(it.guests.iter().cloned());
            let part = it.run.part;
            damages.extend(it.damages.iter().map(|damage| Damage {
                why: format!("{} (in file {part} of the run)", damage.why),
                ..damage.clone()
            }));
        }
        guests.append(&mut self.guests);
        damages.append(&mut self.damages);
        guests.retain(|(guest, _)| known.insert(guest.number));
        (self.guests, self.damages) = (guests, damages);
    }
}

/// The files of the same run beside this one that come before it, without a gap, the first of them first.
fn earlier_parts(path: &Path, of: &Recording) -> Vec<Recording> {
    let is_file = |it: &&Path| !it.as_os_str().is_empty();
    let folder = path.parent().filter(is_file).unwrap_or(Path::new("."));
    let name = path.file_name().and_then(|it| it.to_str());
    let folder = RecordingFolder::at(folder.to_owned(), 0);
    let run = name.and_then(run_of);
    // The newest is the first in the list.
    let files = folder.list().into_iter();
    let files = files.filter(|it| run.is_none_or(|run| run_of(&it.name) == Some(run)));
    let mut parts: Vec<Recording> = Vec::new();
    for file in files {
        let wanted = parts.last().map_or(of.run.part, |it| it.run.part) - 1;
        if wanted == 0 {
            break;
        }
        let Ok(found) = Recording::open(&folder.path().join(&file.name)) else {
            continue;
        };
        if found.run.run == of.run.run && found.run.part == wanted {
            parts.push(found);
        }
    }
    parts.reverse();
    parts
}
