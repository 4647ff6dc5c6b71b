//! `dcm-run start`: what a robot keeps comes onto its stage, at once or at an instant.

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use daemon::api::guests::{Start, Started};
use hyper::Method;
use serde_json::json;

use super::now;
use socket::Told;

use crate::Outcome;
use crate::reach::{Which, server};
use crate::wish::{Wishes, entered};

/// An instant is UTC, as the robot's clock has it: `20:15`, `20:15:30`, or `+90` seconds from now.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// A name, a tag, or the beginning of a digest; `dcm-run ls` lists them.
    choreography: String,
    /// When; at once if it is not said.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    at: Option<String>,
    /// The name by which it is known while it plays.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    wishes: Wishes,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let at = args
        .at
        .as_deref()
        .map(|it| instant(it, now()))
        .transpose()?;
    let mut wish = args.wishes.of_one(&args.choreography)?;
    wish.name = args.name.clone();
    let (_, client) = server(&args.which)?;
    let start = Start {
        choreography: args.choreography.clone(),
        wish,
        at,
    };
    let started: Started = client.ask(Method::POST, "/api/v1/guests", Some(&start))?;
    let mut out = anstream::stdout().lock();
    match started {
        started if json => writeln!(out, "{}", json!(started))?,
        Started::Loaded(it) => writeln!(out, "{}", entered(&Told::Loaded(it)))?,
        Started::Planned(number) => writeln!(
            out,
            "{} will start in {:.0} s, as plan {number}",
            args.choreography,
            at.unwrap_or(0.0) - now() as f64
        )?,
    }
    Ok(Outcome::Done)
}

/// The next such instant, s of UTC since 1970.
fn instant(text: &str, now: u64) -> Result<f64> {
    let wrong = || {
        format!("`{text}` is no instant; fix: `20:15`, `20:15:30` (UTC), or `+90` seconds from now")
    };
    if let Some(after) = text.strip_prefix('+') {
        let Ok(after) = after.trim_end_matches('s').parse::<f64>() else {
            bail!(wrong());
        };
        return Ok(now as f64 + after);
    }
    let parts: Vec<_> = text.split(':').map(str::parse::<u64>).collect();
    let of_day = match parts.as_slice() {
        [Ok(hour @ 0..24), Ok(minute @ 0..60)] => hour * 3600 + minute * 60,
        [Ok(hour @ 0..24), Ok(minute @ 0..60), Ok(second @ 0..60)] => {
            hour * 3600 + minute * 60 + second
        }
        _ => bail!(wrong()),
    };
    let today = now - now % 86_400 + of_day;
    Ok(if today >= now { today } else { today + 86_400 } as f64)
}

#[cfg(test)]
mod tests {
    use super::instant;

    #[test]
    fn an_instant_is_the_next_of_its_kind() {
        let noon = 1_795_305_600 + 12 * 3600;
        let at = |text| instant(text, noon).ok();
        assert_eq!(at("13:00"), Some(noon as f64 + 3600.0));
        assert_eq!(at("11:00:30"), Some(noon as f64 + 23.0 * 3600.0 + 30.0));
        assert_eq!(at("+1.5"), Some(noon as f64 + 1.5));
        for wrong in ["24:00", "12", "12:60", "noon", "+x", "1:2:3:4", "-1:00"] {
            assert_eq!(at(wrong), None, "{wrong}");
        }
    }
}
