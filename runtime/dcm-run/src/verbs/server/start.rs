//! `dcm-run start`: starts a stored choreography, now or at a given time.
//! A planned start is stored on the robot's disk.

use anyhow::Result;
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use hyper::Method;
use protocol::guests::{Confirmation, PlannedStart, StartRequest, Started};
use serde_json::json;

use super::{date, now};

use crate::choreography::guest_options::{
    GuestOptionArgs, WaitingArgs, entered_or_waits, note_of_name,
};
use crate::session::compile_display::CompileDisplay;
use crate::session::robot_args::RobotArgs;
use crate::session::server::reach;
use crate::session::state::safety_state;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::verbs::author::check::GateArgs;
use crate::verbs::candidates;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    A time is in UTC, by the robot's clock: `20:15`, `20:15:30`, `2026-11-22T20:15:00Z`; or `+90`, in seconds from \
    now. The robot stores planned starts; --planned lists them, --cancel cancels one.")]
pub(crate) struct Args {
    #[command(flatten)]
    which: RobotArgs,
    /// The choreography: a name, a tag, or the beginning of a digest; `dcm-run ls` lists them.
    #[arg(required_unless_present_any = ["planned", "cancel"])]
    choreography: Option<String>,
    /// The time; default: now.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = instant)]
    at: Option<StartTime>,
    /// Start it when this guest has ended, by name or number; but not if it fails. Or when an event of this topic is
    /// posted, such as `settled/wave`, if `wave` plays, or `started/wave`.
    #[arg(long, value_name = "GUEST|TOPIC", conflicts_with = "at", add = ArgValueCandidates::new(candidates::guests))]
    after: Option<String>,
    /// Its name as a guest; default: the name in its manifest, else the stored one. What cannot be in a name becomes
    /// `-`, and a number is added if another guest has it.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    options: GuestOptionArgs,
    #[command(flatten)]
    gated: GateArgs,
    #[command(flatten)]
    waiting: WaitingArgs,
    /// List the planned starts.
    #[arg(long, conflicts_with_all = ["choreography", "at", "after", "name"])]
    planned: bool,
    /// Cancel a planned start, by its number.
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["choreography", "at", "after", "name", "planned"])]
    cancel: Option<u32>,
}

/// A time to start.
#[derive(Clone, Copy, Debug, PartialEq)]
enum StartTime {
    /// After this many seconds.
    After(f64),
    /// At this second of the day, today or tomorrow.
    OfDay(u64),
    /// At this UTC time, s since 1970.
    Utc(f64),
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let (robot, client) = reach(&args.which)?;
    if let Some(number) = args.cancel {
        let path = format!("/api/v2/plans/{number}");
        client.ask::<Confirmation>(Method::DELETE, &path, None::<&()>)?;
        let line = format!("plan {number} is cancelled");
        return output.print(json!({ "cancelled": number }), line);
    }
    let Some(choreography) = args.choreography.clone() else {
        return planned(&client.get::<Vec<PlannedStart>>("/api/v2/plans")?, output);
    };
    let options = args.gated.of(args.options.of_one(&choreography)?);
    let mut options = args.waiting.of(options);
    options.name = args.name.clone();
    let (at, in_s) = match args.at {
        None => (None, None),
        Some(StartTime::After(seconds)) => (None, Some(seconds)),
        Some(StartTime::OfDay(second)) => (Some(next(second, now())), None),
        Some(StartTime::Utc(seconds)) => (Some(seconds), None),
    };
    let start = StartRequest {
        choreography,
        options,
        at,
        in_s,
        after: args.after.clone(),
    };
    let display = CompileDisplay::of_stored(&robot, &start.choreography);
    let started: Started = client.ask(Method::POST, "/api/v2/guests", Some(&start))?;
    drop(display);
    let choreography = &start.choreography;
    let line = match &started {
        Started::Loaded(loaded) => {
            let file = args.name.as_deref().unwrap_or(choreography);
            let note = note_of_name(loaded, args.name.as_deref(), file);
            let state = if output.json {
                None
            } else {
                safety_state(&client)
            };
            entered_or_waits(loaded, &note, state)
        }
        Started::Planned(number) => {
            let when = match &args.after {
                Some(after) => format!("when {}", awaited_text(after)),
                None => {
                    let ahead = in_s.unwrap_or_else(|| at.unwrap_or(0.0) - now() as f64);
                    format!("in {ahead:.0} s")
                }
            };
            format!("{choreography} will start {when}, as plan {number}")
        }
    };
    output.print(started, line)
}

/// What a start waits for, as a clause.
fn awaited_text(after: &str) -> String {
    match after.strip_prefix("ended/").unwrap_or(after) {
        topic if topic.contains('/') => format!("`{topic}` is posted"),
        guest => format!("{guest} has ended"),
    }
}

fn planned(plans: &[PlannedStart], output: VerbOutput) -> Result<VerbOutcome> {
    output.list(plans, "", "nothing is planned", |plan| {
        let (number, name, by) = (plan.number, &plan.choreography, &plan.by);
        let when = match &plan.after {
            Some(guest) => format!("after {guest}"),
            None => format!("{}:{:02.0} UTC", date(plan.at as u64), plan.at % 60.0),
        };
        format!("{number:>3}  {when}  {name}  {by}")
    })
}

/// Reads a time.
fn instant(text: &str) -> Result<StartTime, String> {
    let wrong = || {
        "invalid time; fix: `20:15`, `20:15:30`, `2026-11-22T20:15:00Z` (UTC), or `+90` seconds from now"
            .to_owned()
    };
    if let Some(after) = text.strip_prefix('+') {
        let after = after.trim_end_matches('s').parse::<f64>();
        let after = after
            .ok()
            .filter(|value| value.is_finite() && *value >= 0.0);
        return after.map(StartTime::After).ok_or_else(wrong);
    }
    if let Some((date, time)) = text.split_once(['T', ' ']) {
        let time = time.strip_suffix('Z').ok_or_else(wrong)?;
        let day = day(date).ok_or_else(wrong)?;
        let (whole, part) = time.split_once('.').unwrap_or((time, "0"));
        let part = format!("0.{part}").parse::<f64>().map_err(|_| wrong())?;
        let second = second(whole).ok_or_else(wrong)?;
        return Ok(StartTime::Utc((day * 86_400 + second) as f64 + part));
    }
    second(text).map(StartTime::OfDay).ok_or_else(wrong)
}

/// Days since 1970.
fn day(text: &str) -> Option<u64> {
    let parts: Vec<_> = text.split('-').map(str::parse::<u64>).collect();
    let [Ok(year @ 1970..=9999), Ok(month @ 1..=12), Ok(day @ 1..=31)] = parts.as_slice() else {
        return None;
    };
    let days = archive::calendar::days(*year, *month, *day);
    // Refuses days such as the 31st of February.
    (archive::calendar::date(days) == (*year, *month, *day)).then_some(days)
}

/// Seconds of a day.
fn second(text: &str) -> Option<u64> {
    let parts: Vec<_> = text.split(':').map(str::parse::<u64>).collect();
    match parts.as_slice() {
        [Ok(hour @ 0..24), Ok(minute @ 0..60)] => Some(hour * 3600 + minute * 60),
        [Ok(hour @ 0..24), Ok(minute @ 0..60), Ok(second @ 0..60)] => {
            Some(hour * 3600 + minute * 60 + second)
        }
        _ => None,
    }
}

/// The next time at this second of the day, UTC, s since 1970.
fn next(second: u64, now: u64) -> f64 {
    let today = now - now % 86_400 + second;
    (if today >= now { today } else { today + 86_400 }) as f64
}

#[cfg(test)]
mod tests {
    use super::{StartTime, instant, next};

    #[test]
    fn an_instant_is_what_people_write() {
        let at = |text| instant(text).ok();
        assert_eq!(at("13:00"), Some(StartTime::OfDay(13 * 3600)));
        assert_eq!(at("11:00:30"), Some(StartTime::OfDay(11 * 3600 + 30)));
        assert_eq!(at("+1.5"), Some(StartTime::After(1.5)));
        assert_eq!(at("+90s"), Some(StartTime::After(90.0)));
        assert_eq!(
            at("2026-11-22T12:00:00Z"),
            Some(StartTime::Utc(1_795_348_800.0))
        );
        assert_eq!(
            at("2026-11-22 12:00:00.25Z"),
            Some(StartTime::Utc(1_795_348_800.25))
        );
        for wrong in [
            "24:00",
            "12",
            "12:60",
            "noon",
            "+x",
            "+-1",
            "+inf",
            "1:2:3:4",
            "-1:00",
            "2026-11-22T12:00:00",
            "2026-02-30T12:00:00Z",
            "2026-13-01T12:00:00Z",
            "T12:00Z",
        ] {
            assert_eq!(at(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_time_of_day_is_the_next_one() {
        let noon = 1_795_305_600 + 12 * 3600;
        assert_eq!(next(13 * 3600, noon), noon as f64 + 3600.0);
        assert_eq!(next(11 * 3600, noon), noon as f64 + 23.0 * 3600.0);
    }
}
