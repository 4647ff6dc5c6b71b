//! `dcm-run robots`: lists robots on this machine, paired robots, and robots in the network.
//! The law: each robot is shown with the way to reach it.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use api::client::KnownRobots;
use api::discovery::find;
use api::folders::local_socket;
use clap::Args as ClapArgs;
use serde_json::json;
use socket::Caller;
use socket::places::{Places, names};

use crate::VerbOutcome;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Robots that listen on the network answer within two seconds.")]
pub(crate) struct Args {
    /// How long to wait for robots in the network, s; 0 to skip them.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.5)]
    wait: f64,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<VerbOutcome> {
    let rows = rows(args.wait)?;
    let mut out = anstream::stdout().lock();
    if json {
        for [name, robot, how, about] in &rows {
            writeln!(
                out,
                "{}",
                json!({ "name": name, "robot": robot, "where": how, "about": about })
            )?;
        }
        return Ok(VerbOutcome::Done);
    }
    if rows.is_empty() {
        writeln!(
            out,
            "no robot found; fix: `dcm-run serve --robot nao --sim`"
        )?;
    }
    let width = |column: usize| {
        rows.iter()
            .map(|it| it[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let (first, second, third) = (width(0), width(1), width(2));
    for [name, robot, how, about] in &rows {
        writeln!(
            out,
            "{name:<first$}  {robot:<second$}  {how:<third$}  {about}"
        )?;
    }
    Ok(VerbOutcome::Done)
}

/// A name, the robot, how it is reached, and details.
type RobotRow = [String; 4];

fn rows(wait: f64) -> Result<Vec<RobotRow>> {
    let mut rows: Vec<RobotRow> = Vec::new();
    for name in names() {
        let Ok(caller) = Caller::reach(Some(&name)) else {
            continue;
        };
        let has_server = Places::find(&name).is_ok_and(|it| local_socket(&it).exists());
        let how = if has_server {
            "here, with a server"
        } else {
            "here"
        };
        let about = format!("process {}", caller.here.process);
        rows.push([name, caller.here.robot, how.to_owned(), about]);
    }
    let known = KnownRobots::load().map_err(|why| anyhow::anyhow!(why))?;
    for (name, robot) in &known.0 {
        let row = [
            name.clone(),
            String::new(),
            "paired with".to_owned(),
            robot.address.clone(),
        ];
        rows.push(row);
    }
    if wait > 0.0 {
        match find(Duration::from_secs_f64(wait.min(60.0))) {
            Ok(found) => {
                for it in found {
                    let addresses: Vec<_> = it.addresses.iter().map(ToString::to_string).collect();
                    let about = format!(
                        "{}  {}",
                        addresses.join(" "),
                        &it.fingerprint.get(..16).unwrap_or("")
                    );
                    rows.push([it.name, it.robot, "in the network".to_owned(), about]);
                }
            }
            Err(why) => anstream::eprintln!("{why}"),
        }
    }
    Ok(rows)
}
