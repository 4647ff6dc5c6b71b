//! `dcm-run service`: the robot as a service of systemd.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::{Args as ClapArgs, Subcommand};
use serde_json::json;

use super::store::say;
use crate::Outcome;
use crate::run::as_name;

/// The unit is of the type `notify`: it is up once the loop turns, and systemd's watchdog is fed only while turns are
/// met.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Writes the unit, and lets it start with the machine.
    Install(Unit),
    /// Prints the unit.
    Print(Unit),
    /// Stops it and removes the unit.
    Uninstall {
        /// The loop's name.
        name: String,
        /// The service of this user, without root.
        #[arg(long)]
        user: bool,
    },
    /// What systemd says of it.
    Status {
        /// The loop's name.
        name: String,
        /// The service of this user, without root.
        #[arg(long)]
        user: bool,
    },
}

#[derive(Debug, ClapArgs)]
struct Unit {
    /// The robot: a file, or the name of a shipped one.
    #[arg(long, short, value_name = "ROBOT")]
    robot: String,
    /// Drive the simulated body.
    #[arg(long)]
    sim: bool,
    /// Give the body force as soon as it may have it.
    #[arg(long)]
    arm: bool,
    /// The loop's name; the robot's if it is not said.
    #[arg(long, value_name = "NAME")]
    id: Option<String>,
    /// The service of this user, without root.
    #[arg(long)]
    user: bool,
    /// The user who runs it; root if it is not said.
    #[arg(long = "as", value_name = "USER", conflicts_with = "user")]
    account: Option<String>,
    /// The folder for units, if it is not the usual one.
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    match &args.verb {
        Verb::Print(unit) => {
            let (_, text) = written(unit)?;
            write!(anstream::stdout().lock(), "{text}")?;
        }
        Verb::Install(unit) => {
            let (name, text) = written(unit)?;
            let folder = match &unit.into {
                Some(folder) => folder.clone(),
                None => folder(unit.user)?,
            };
            let path = folder.join(format!("dcm-run-{name}.service"));
            let told = || format!("writing {}; fix: as root, or with --user", path.display());
            std::fs::create_dir_all(&folder).with_context(told)?;
            std::fs::write(&path, text).with_context(told)?;
            let mut line = format!("{} is written", path.display());
            if unit.into.is_none() {
                let service = format!("dcm-run-{name}");
                systemctl(unit.user, &["daemon-reload"])?;
                systemctl(unit.user, &["enable", "--now", &service])?;
                line += ", enabled and started";
            }
            say(json, json!({ "unit": path }), &line)?;
        }
        Verb::Uninstall { name, user } => {
            let service = format!("dcm-run-{name}");
            let path = folder(*user)?.join(format!("{service}.service"));
            if !path.exists() {
                bail!("there is no {}", path.display());
            }
            systemctl(*user, &["disable", "--now", &service])?;
            std::fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
            systemctl(*user, &["daemon-reload"])?;
            say(
                json,
                json!({ "removed": path }),
                &format!("{} is removed", path.display()),
            )?;
        }
        Verb::Status { name, user } => {
            systemctl(*user, &["status", "--no-pager", &format!("dcm-run-{name}")])?;
        }
    }
    Ok(Outcome::Done)
}

/// The unit's name and text.
fn written(unit: &Unit) -> Result<(String, String)> {
    let program = std::env::current_exe().context("finding this program")?;
    // A unit has no folder that it is in.
    let robot = if Path::new(&unit.robot).exists() {
        std::fs::canonicalize(&unit.robot)?.display().to_string()
    } else {
        unit.robot.clone()
    };
    let described = robot::config::load(&robot::config::Source::of(&unit.robot))?;
    let name = unit.id.clone().unwrap_or_else(|| as_name(&described.name));
    let mut words = format!("serve --robot {robot} --id {name}");
    for (is, word) in [(unit.sim, " --sim"), (unit.arm, " --arm")] {
        if is {
            words += word;
        }
    }
    let account = unit.account.as_ref().map_or(String::new(), |it| {
        format!("User={it}\nSupplementaryGroups=realtime spi gpio\n")
    });
    let wanted = if unit.user {
        "default.target"
    } else {
        "multi-user.target"
    };
    let hardening = if unit.user { "" } else { HARDENING };
    let text = format!(
        "# Written by `dcm-run service install`; its settings are in dcm-run.toml.\n\
         [Unit]\nDescription=The robot {name}\nAfter=network.target\nStartLimitIntervalSec=60\nStartLimitBurst=5\n\n\
         [Service]\nType=notify\nNotifyAccess=main\nExecStart={} {words}\n{account}\
         # Fed only while turns are met. What ends the loop lets the guardian bring the body down.\n\
         WatchdogSec=5\nRestart=on-failure\nRestartSec=2\nKillMode=mixed\nTimeoutStopSec=20\n\
         StateDirectory=dcm-run\nRuntimeDirectory=dcm-run\nRuntimeDirectoryPreserve=yes\nCacheDirectory=dcm-run\n\
         LimitRTPRIO=99\nLimitMEMLOCK=infinity\nOOMScoreAdjust=-900\n{hardening}\n\
         [Install]\nWantedBy={wanted}\n",
        program.display()
    );
    Ok((name, text))
}

/// What it may not do, although nothing of it should ever try.
const HARDENING: &str = "\
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectClock=yes
RestrictSUIDSGID=yes
RestrictNamespaces=yes
LockPersonality=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
CapabilityBoundingSet=CAP_SYS_NICE CAP_IPC_LOCK
DevicePolicy=closed
DeviceAllow=char-spi rw
DeviceAllow=char-gpiochip rw
";

fn folder(user: bool) -> Result<PathBuf> {
    if !user {
        return Ok(PathBuf::from("/etc/systemd/system"));
    }
    let config = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let config = config.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".config")));
    Ok(config.context("HOME is not set")?.join("systemd/user"))
}

fn systemctl(user: bool, words: &[&str]) -> Result<()> {
    let mut command = Command::new("systemctl");
    if user {
        command.arg("--user");
    }
    let status = command.args(words).status();
    let status =
        status.context("asking systemd; fix: where there is none, run `dcm-run serve` as it is")?;
    if !status.success() {
        bail!("systemctl {} failed", words.join(" "));
    }
    Ok(())
}
