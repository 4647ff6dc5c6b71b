//! What `dev` prints of itself: where it plays, and one line for each version, with the time of each step.
//! Called by `session`. With --json, every line is an object.

use crate::text::output::VerbOutput;
use std::io::{IsTerminal, Write};

use anyhow::Result;
use protocol::Guest;
use serde_json::json;

use super::watch::Change;
use crate::complain;
use crate::text::words;

/// How long each step took, s.
#[derive(Default)]
pub(super) struct StepTimes {
    /// From the save until it was noticed.
    pub(super) noticed: Option<f64>,
    pub(super) built: f64,
    pub(super) checked: Option<f64>,
    pub(super) handed_over: Option<f64>,
    /// All together, since the save.
    pub(super) total: f64,
}

/// What became of a version.
pub(super) enum VersionOutcome {
    /// It plays; a sentence about it.
    Plays(String),
    /// It is the one that plays already.
    Unchanged,
    /// It does not pass the check, which was printed.
    Refused,
}

/// Prints what is built, and where it plays.
pub(super) fn introduce(
    title: &str,
    robot: &str,
    own: bool,
    files: usize,
    output: VerbOutput,
) -> Result<()> {
    let mut out = anstream::stdout().lock();
    if output.json {
        let line =
            json!({ "subject": title, "robot": robot, "simulated_here": own, "files": files });
        writeln!(out, "{line}")?;
        return Ok(());
    }
    let kind = if own { ", simulated here" } else { "" };
    let files = match files {
        1 => "one file is".to_owned(),
        files => format!("{} files are", words::count(files as u64)),
    };
    writeln!(out, "{title}, on the robot {robot}{kind}; {files} watched")?;
    if std::io::stdout().is_terminal() {
        let help =
            "Enter plays it again, Ctrl-C ends; `dcm-run top` in another terminal shows the robot";
        writeln!(out, "{}", words::paint(words::FAINT, help))?;
    }
    Ok(out.flush()?)
}

/// Prints a version's line. `guest`: the number and the name of the guest that plays now.
pub(super) fn version(
    result: Result<VersionOutcome>,
    guest: Option<&(u32, String)>,
    change: Option<&Change>,
    times: &StepTimes,
    output: VerbOutput,
) -> Result<()> {
    let left = || match guest {
        Some((id, name)) => format!("{name}, guest {id}, is left as it is"),
        None => "nothing was loaded".to_owned(),
    };
    let (style, outcome, sentence) = match result {
        Ok(VersionOutcome::Plays(sentence)) => (words::GOOD, "plays", sentence),
        Ok(VersionOutcome::Unchanged) => {
            let sentence = "it is the version that plays".to_owned();
            (words::FAINT, "unchanged", sentence)
        }
        Ok(VersionOutcome::Refused) => (words::BAD, "refused", left()),
        Err(error) => {
            complain(&error, output.json);
            (words::BAD, "failed", left())
        }
    };
    let mut out = anstream::stdout().lock();
    if output.json {
        let line = json!({ "outcome": outcome, "file": change.map(|change| &change.file),
                           "guest": guest.map(|guest| guest.0), "noticed_s": times.noticed,
                           "built_s": times.built, "checked_s": times.checked,
                           "handed_over_s": times.handed_over, "total_s": times.total });
        writeln!(out, "{line}")?;
        return Ok(out.flush()?);
    }
    let file = change.map_or(String::new(), |change| match change.more {
        0 => format!("{}: ", change.file),
        more => format!("{} and {more} more: ", change.file),
    });
    let when = change.map_or("", |_| " after the save");
    let sentence = words::paint(style, sentence);
    writeln!(
        out,
        "{file}{sentence} ({}; {:.2} s{when})",
        steps(times),
        times.total
    )?;
    Ok(out.flush()?)
}

/// Prints how a guest ended.
pub(super) fn end(guest: &Guest, output: VerbOutput) -> Result<()> {
    let mut out = anstream::stdout().lock();
    if output.json {
        let line = json!({ "outcome": "ended", "guest": guest.id, "end": guest.end, "details": guest.details,
                           "fault": guest.fault });
        writeln!(out, "{line}")?;
        return Ok(out.flush()?);
    }
    let style = if guest.fault { words::BAD } else { words::GOOD };
    let end = match guest.details.as_str() {
        "" => guest.end.clone(),
        details => format!("{}: {details}", guest.end),
    };
    writeln!(
        out,
        "{}, guest {}: {}",
        guest.name,
        guest.id,
        words::paint(style, end)
    )?;
    Ok(out.flush()?)
}

/// The steps that were made.
fn steps(times: &StepTimes) -> String {
    // A remote robot checks when it gets the choreography.
    let last = match times.checked {
        Some(_) => "handed over",
        None => "checked there and handed over",
    };
    let all = [
        ("noticed", times.noticed),
        ("built", Some(times.built)),
        ("checked", times.checked),
        (last, times.handed_over),
    ];
    let all = all.into_iter();
    let all = all.filter_map(|(name, took)| took.map(|took| format!("{name} {took:.2} s")));
    all.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::{StepTimes, steps};

    #[test]
    fn only_steps_that_were_made_have_a_time() {
        let mut times = StepTimes {
            built: 0.4,
            ..StepTimes::default()
        };
        assert_eq!(steps(&times), "built 0.40 s");
        times.noticed = Some(0.05);
        times.handed_over = Some(0.126);
        assert!(steps(&times).ends_with("checked there and handed over 0.13 s"));
        times.checked = Some(0.2);
        let all = "noticed 0.05 s, built 0.40 s, checked 0.20 s, handed over 0.13 s";
        assert_eq!(steps(&times), all);
    }
}
