//! `dcm-run robots`: lists robots on this machine, paired robots, and robots in the network.
//! Each robot is shown with the way to reach it.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use network::client::{Address, ApiClient, KnownRobot, KnownRobots};
use network::discovery::find;
use network::folders::local_socket;
use protocol::places::{Places, names};
use protocol::robot::Hello;
use protocol::{CallError, Caller};
use serde_json::json;

use crate::text::output::{VerbOutcome, VerbOutput};

/// How long a server on this machine may take to say who it is.
const HELLO_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Debug, ClapArgs)]
#[command(after_help = "Robots that listen on the network answer within two seconds.")]
pub(crate) struct Args {
    /// How long to wait for robots in the network, s; 0 to skip them.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.5)]
    wait: f64,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    if !args.wait.is_finite() || args.wait < 0.0 {
        bail!("--wait must be 0 or more; fix: `--wait 1.5`");
    }
    let rows = rows(args.wait)?;
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let (first, second, third) = (width(0), width(1), width(2));
    if rows.is_empty() {
        output.note("no robot found; fix: `dcm-run serve --robot nao --sim`")?;
    }
    for [name, robot, how, about] in &rows {
        output.print(
            json!({ "name": name, "robot": robot, "where": how, "about": about }),
            format!("{name:<first$}  {robot:<second$}  {how:<third$}  {about}"),
        )?;
    }
    Ok(VerbOutcome::Done)
}

/// A name, the robot, how it is reached, and details.
type RobotRow = [String; 4];

/// The robots that were found. One that is found in several ways is in one row.
#[derive(Default)]
struct FoundRobots {
    rows: Vec<RobotRow>,
    /// Of each row: what is known of the robot's certificate and place.
    known: Vec<KnownRobot>,
}

impl FoundRobots {
    fn add(&mut self, [name, robot, how, about]: RobotRow, known: KnownRobot) {
        let Some(place) = self.known.iter().position(|robot| robot.is_same_as(&known)) else {
            self.rows.push([name, robot, how, about]);
            self.known.push(known);
            return;
        };
        let row = &mut self.rows[place];
        row[2] = format!("{}, {how}", row[2]);
        row[3] = format!("{}, {about}", row[3]);
        if row[1].is_empty() {
            row[1] = robot;
        }
        if row[0] != name {
            row[3] = format!("{} as {name}", row[3]);
        }
    }
}

/// A robot with this fingerprint, at this address.
fn at(address: &str, fingerprint: Option<String>) -> KnownRobot {
    KnownRobot {
        address: address.to_owned(),
        fingerprint,
        told_fingerprint: None,
        token: None,
    }
}

/// The fingerprint of a robot on this machine, as its server tells it.
fn fingerprint_of(socket: PathBuf) -> Option<String> {
    let client = ApiClient::new(Address::Local(socket), None).ok()?;
    let hello: Hello = client.within(HELLO_TIMEOUT).get("/api/v2/hello").ok()?;
    hello.fingerprint
}

fn rows(wait: f64) -> Result<Vec<RobotRow>> {
    let mut found_robots = FoundRobots::default();
    for name in names() {
        let caller = match Caller::reach(Some(&name)) {
            Ok(caller) => caller,
            Err(CallError::Silent(..)) => {
                let about = "its loop does not answer".to_owned();
                found_robots.add(
                    [name.clone(), String::new(), "here".to_owned(), about],
                    at(&name, None),
                );
                continue;
            }
            Err(_) => continue,
        };
        let server = Places::find(&name).ok().map(|value| local_socket(&value));
        let server = server.filter(|server| server.exists());
        let how = match server {
            Some(_) => "here, with a server",
            None if caller.here.is_replay => "here, as a replay",
            None => "here",
        };
        let about = format!("process {}", caller.here.process);
        // Without a certificate it has no address either: its name is as good as any.
        let known = at(&name, server.and_then(fingerprint_of));
        found_robots.add([name, caller.here.robot, how.to_owned(), about], known);
    }
    let known = KnownRobots::load().map_err(|why| anyhow::anyhow!(why))?;
    for (name, robot) in &known.0 {
        let row = [
            name.clone(),
            String::new(),
            "paired with".to_owned(),
            robot.address.clone(),
        ];
        found_robots.add(row, robot.clone());
    }
    if wait > 0.0 {
        match find(Duration::from_secs_f64(wait.min(60.0))) {
            Ok(found) => {
                for robot in found {
                    let addresses: Vec<_> =
                        robot.addresses.iter().map(ToString::to_string).collect();
                    let about = format!(
                        "{}  {}",
                        addresses.join(" "),
                        &robot.fingerprint.get(..16).unwrap_or("")
                    );
                    let fingerprint = Some(robot.fingerprint).filter(|value| !value.is_empty());
                    let known = at(addresses.first().map_or("", String::as_str), fingerprint);
                    found_robots.add(
                        [robot.name, robot.robot, "in the network".to_owned(), about],
                        known,
                    );
                }
            }
            Err(why) => anstream::eprintln!("{why}"),
        }
    }
    Ok(found_robots.rows)
}
