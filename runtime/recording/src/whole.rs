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
            let before = begins.part - 1;
            let missing = match before {
                1 => "file 1 of this run is".to_owned(),
                _ => format!("files 1 to {before} of this run are"),
            };
            return Err(RecordingError::Headless {
                why: format!(
                    "{missing} not in its folder (this is file {part}, from turn {first} on): the robot removes \
                     the oldest files when `recordings.quota` is full"
                ),
                fix: "put the missing files beside it if they were copied (their names end alike); for later runs, \
                      raise `recordings.quota`"
                    .to_owned(),
            });
        }
        if begins.first_turn > 1 {
            return Err(RecordingError::Headless {
                why: format!("recording was switched on in turn {}", begins.first_turn),
                fix: "leave recording on, and start the robot again".to_owned(),
            });
        }
        recording.check_for_gaps()?;
        recording.join();
        Ok(recording)
    }

    /// Fails if recording was off between two of its files. Turns that are missing for another reason are found by
    /// the replay, which goes as far as it can.
    fn check_for_gaps(&self) -> Result<(), RecordingError> {
        let files = || self.earlier.iter().chain([self]);
        for (before, after) in files().zip(files().skip(1)) {
            let (last, first) = (before.last_turn(), after.run.first_turn);
            let lost = || after.own_turns().next().map_or(0, |it| it.turn.lost);
            if first <= last + 1 || !before.damages.is_empty() || lost() > 0 {
                continue;
            }
            return Err(RecordingError::Headless {
                why: format!(
                    "recording was switched off after turn {last}, and on again in turn {first}"
                ),
                fix: format!(
                    "replay file {} of the run, which ends with turn {last}; leave recording on to replay whole runs",
                    before.run.part
                ),
            });
        }
        Ok(())
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
