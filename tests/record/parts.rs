//! A run in four files, of which some are cut off and some are missing: what can be compared is compared, and what
//! cannot is said with its true reason. What is expected follows from the files that are there.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use archive::RecordingFolder;
use description::{RobotSource, load_told};
use recording::{ArchiveOptions, RecordedRun, Recording, ReplayVerdict, record_run, replay};
use robot::live::{Control, LoopSetup, Tempo, event_channel, live, request_channel};
use tests::rig::replay_options;

/// The bytes of a file, about: most of it are the descriptions of the messages.
const PART: u64 = 400_000;

/// What has become of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Whole,
    Cut,
    Missing,
}

/// A run of four files: their names, their bytes, and the last turn of each.
struct FourFiles(Vec<(String, Vec<u8>, u64)>);

/// Records a run of so many turns into this folder.
fn record_into(folder: &Path, turns: u64) {
    let (robot, layers) = load_told(&RobotSource::of("nao")).expect("it is shipped");
    let robot = Arc::new(robot);
    let archive = ArchiveOptions {
        folder: RecordingFolder::at(folder.to_owned(), 8 * PART),
        on: true,
        attachments: Vec::new(),
    };
    let run = RecordedRun {
        robot: &robot,
        layers: &layers,
        real: false,
        utc_at_zero: 1_800_000_000_000_000_000,
        drawing: None,
    };
    let started = record_run(None, Some(archive), &run).expect("a recording");
    let (_sender, requests) = request_channel();
    let (events, _news) = event_channel();
    let control = Control::default();
    let setup = LoopSetup {
        turns: Some(turns),
        arm: true,
        recorder: Some(Box::new(started.tape)),
        ..LoopSetup::bare(Tempo::Fast, requests, events, &control)
    };
    live(&robot, setup, |_| {}).expect("a robot");
    started.recorder.finish().expect("it was written");
}

/// The files in a folder, in their order.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

/// The first four files of a run that is long enough to have them, and so short that the quota has removed none.
fn four_files() -> FourFiles {
    for turns in [400, 600, 800, 1_200, 1_600, 2_400] {
        let folder = tempfile::tempdir().expect("a folder");
        record_into(folder.path(), turns);
        let files = files_in(folder.path());
        if files.len() < 4 {
            continue;
        }
        let file = |path: &PathBuf| {
            let bytes = fs::read(path).expect("a file");
            let name = path.file_name().and_then(|name| name.to_str());
            let last = last_turn(&bytes);
            (name.expect("a name").to_owned(), bytes, last)
        };
        return FourFiles(files.iter().take(4).map(file).collect());
    }
    panic!("no run has four files");
}

/// The bytes until the first record that is cut off: each has a kind and its length before it.
fn whole_records(bytes: &[u8]) -> &[u8] {
    let mut at = mcap::MAGIC.len();
    while let Some((head, _)) = bytes.get(at + 1..).and_then(<[u8]>::split_first_chunk::<8>) {
        let end = at + 9 + u64::from_le_bytes(*head) as usize;
        if end > bytes.len() {
            break;
        }
        at = end;
    }
    &bytes[..at]
}

/// The last turn in these bytes, which may be cut off; 0 without one.
fn last_turn(bytes: &[u8]) -> u64 {
    let bytes = whole_records(bytes);
    let options = mcap::read::Options::IgnoreEndMagic;
    let messages = mcap::MessageStream::new_with_options(bytes, options.into());
    let messages = messages.expect("a recording").map_while(Result::ok);
    let turns = messages.filter(|message| message.channel.topic == "/turn");
    turns.last().map_or(0, |turn| u64::from(turn.sequence))
}

impl FourFiles {
    /// Puts the files into a folder. Returns the path of the fourth, and the last turns of those that are there.
    fn put(&self, folder: &Path, fates: &[Fate; 4]) -> (PathBuf, Vec<u64>) {
        let mut last = Vec::new();
        for ((name, bytes, turn), fate) in self.0.iter().zip(fates) {
            let path = folder.join(name);
            let _ = fs::remove_file(&path);
            let kept = match fate {
                Fate::Whole => bytes.as_slice(),
                Fate::Cut => &bytes[..bytes.len() * 3 / 5],
                Fate::Missing => {
                    last.push(0);
                    continue;
                }
            };
            last.push(if *fate == Fate::Cut {
                last_turn(kept)
            } else {
                *turn
            });
            fs::write(path, kept).expect("a file");
        }
        (folder.join(&self.0[3].0), last)
    }
}

/// `file 2`, or `files 2 and 3`.
fn listed(files: &[usize]) -> String {
    match files {
        [one] => format!("file {one}"),
        [first, second] => format!("files {first} and {second}"),
        [first, .., last] => format!("files {first} to {last}"),
        [] => panic!("no file"),
    }
}

/// Checks what is said of a run without its first file.
fn check_headless(fates: &[Fate; 4], said: &str) {
    let missing: Vec<_> = (1..4).filter(|i| fates[i - 1] == Fate::Missing).collect();
    let files = format!("{} of this run ", listed(&missing));
    assert!(said.contains(&files), "{fates:?}: {said}");
    // The quota removes the oldest files only.
    let are_oldest = missing.last() == Some(&missing.len());
    assert_eq!(
        said.contains("recordings.quota"),
        are_oldest,
        "{fates:?}: {said}"
    );
    assert!(!said.contains("switched"), "{fates:?}: {said}");
}

/// Checks how far it is compared, and what is said of the rest.
fn check_compared(fates: &[Fate; 4], last: &[u64], verdict: &ReplayVerdict) {
    assert_eq!(verdict.difference, None, "{fates:?}");
    let gap = (0..3).find(|i| fates[*i] == Fate::Cut || fates[i + 1] == Fate::Missing);
    let Some(before) = gap else {
        assert_eq!(
            (verdict.same, &verdict.stopped),
            (last[3], &None),
            "{fates:?}"
        );
        return;
    };
    assert_eq!(verdict.same, last[before], "{fates:?}");
    let why = verdict.stopped.as_deref().expect("a reason");
    let next = (before + 1..4).find(|i| fates[*i] != Fate::Missing);
    let missing: Vec<_> = (before + 2..=next.expect("the fourth")).collect();
    let is_cut = why.contains(&format!(
        "file {} of the run is cut off at byte ",
        before + 1
    ));
    assert_eq!(is_cut, fates[before] == Fate::Cut, "{fates:?}: {why}");
    assert_eq!(
        why.contains("not in its folder"),
        !missing.is_empty(),
        "{fates:?}: {why}"
    );
    if !missing.is_empty() {
        let files = format!("{} of the run ", listed(&missing));
        assert!(why.contains(&files), "{fates:?}: {why}");
    }
    assert!(
        !why.contains("switched") && !why.contains("quota"),
        "{fates:?}: {why}"
    );
    assert_eq!(why.matches("; fix: ").count(), 1, "{why}");
    let begins = format!(" {} to ", verdict.same + 1);
    assert!(why.contains(&begins), "{fates:?}: {why}");
}

#[test]
fn whatever_has_become_of_the_files_of_a_run_the_reason_is_the_true_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let four = four_files();
    let fates = [Fate::Whole, Fate::Cut, Fate::Missing];
    // A fifth of all cases; with `PROMISES=full` all of them.
    let step = if tests::effort() == 1 { 5 } else { 1 };
    for row in (0..3 * 3 * 3 * 2).step_by(step) {
        let fate = |place: u32| fates[row / 3_usize.pow(place) % 3];
        let fates = [fate(0), fate(1), fate(2), fates[row / 27]];
        let (path, last) = four.put(folder.path(), &fates);
        match Recording::open_whole(&path) {
            Err(error) => {
                assert_eq!(fates[0], Fate::Missing, "{fates:?}: {error}");
                check_headless(&fates, &error.to_string());
            }
            Ok(recording) => {
                assert_ne!(fates[0], Fate::Missing, "{fates:?}");
                let each = |_: &_| std::ops::ControlFlow::Continue(());
                let verdict = replay(&recording, replay_options(), each);
                check_compared(&fates, &last, &verdict.expect("it can be played"));
            }
        }
    }
}

#[test]
fn a_file_that_was_cut_off_and_closed_since_is_not_taken_for_a_switch() {
    let folder = tempfile::tempdir().expect("a folder");
    let four = four_files();
    let fates = [Fate::Whole, Fate::Cut, Fate::Whole, Fate::Whole];
    let (path, last) = four.put(folder.path(), &fates);
    // As the robot does at its next start.
    let closed = RecordingFolder::at(folder.path().to_owned(), 0).repair();
    assert_eq!(closed.expect("they are closed").len(), 1);
    let recording = Recording::open_whole(&path).expect("it has its first turn");
    assert_eq!(recording.damages, []);
    let verdict = replay(&recording, replay_options(), |_| {
        std::ops::ControlFlow::Continue(())
    });
    let verdict = verdict.expect("it can be played");
    assert_eq!(verdict.same, last[1]);
    let why = verdict.stopped.expect("a reason");
    let sentence = format!(
        "file 2 of the run was cut off after turn {}; fix: ",
        last[1]
    );
    assert!(why.contains(&sentence), "{why}");
}

#[test]
fn a_first_file_that_cannot_be_read_is_named_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let four = four_files();
    let (path, _) = four.put(folder.path(), &[Fate::Whole; 4]);
    fs::write(folder.path().join(&four.0[0].0), b"").expect("a file");
    let error = Recording::open_whole(&path).expect_err("it has no beginning");
    let error = error.to_string();
    assert!(error.contains("file 1 of this run "), "{error}");
    assert!(error.contains(&format!("{} ", four.0[0].0)), "{error}");
    assert!(
        error.contains("it is empty") && !error.contains("quota"),
        "{error}"
    );
    assert_eq!(error.matches("; fix: ").count(), 1, "{error}");
}
