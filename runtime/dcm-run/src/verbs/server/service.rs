//! `dcm-run service`: manages the robot's systemd service.
//! The unit runs the loop with the least rights that it needs.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::{Args as ClapArgs, Subcommand};
use serde_json::json;

use crate::process::as_name;
use crate::text::output::{VerbOutcome, VerbOutput};
use description::BoardSpec;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    The unit is of the type `notify`: it is up after the loop's first turn, and its watchdog is fed only while turns \
    are on time.")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Install the unit, and start it now and at boot.
    Install(SystemdUnit),
    /// Print the unit.
    Print(SystemdUnit),
    /// Print a unit for any robot, `dcm-run@ROBOT`, as packages install it.
    Template {
        /// The user who runs it.
        #[arg(long = "as", value_name = "USER")]
        account: String,
        /// The program; default: this file.
        #[arg(long, value_name = "FILE")]
        program: Option<PathBuf>,
    },
    /// Stop the service and remove the unit.
    Uninstall {
        /// The name of the loop.
        name: String,
        /// A service of this user, without root.
        #[arg(long)]
        user: bool,
    },
    /// Show the status of the service.
    Status {
        /// The name of the loop.
        name: String,
        /// A service of this user, without root.
        #[arg(long)]
        user: bool,
    },
}

#[derive(Debug, ClapArgs)]
struct SystemdUnit {
    /// The robot: a file, or a shipped robot.
    #[arg(long, short, value_name = "ROBOT")]
    robot: String,
    /// Drive a simulated body.
    #[arg(long)]
    sim: bool,
    /// Arm the body as soon as possible.
    #[arg(long)]
    arm: bool,
    /// The name of the loop; default: the robot's name.
    #[arg(long, value_name = "NAME")]
    id: Option<String>,
    /// A service of this user, without root.
    #[arg(long)]
    user: bool,
    /// The user who runs it; default: `dcm-run`, whom systemd makes if there is no such user.
    #[arg(long = "as", value_name = "USER", conflicts_with = "user")]
    account: Option<String>,
    /// The settings of the server; default: dcm-run.toml in its usual folder.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder of choreographies, keys and tokens; default: systemd's state folder.
    #[arg(long, value_name = "FOLDER")]
    state: Option<PathBuf>,
    /// The folder for the unit; default: systemd's.
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    match &args.verb {
        Verb::Print(unit) => {
            let (_, text) = written(unit)?;
            write!(anstream::stdout().lock(), "{text}")?;
        }
        Verb::Template { account, program } => {
            let text = template(account, program.as_deref())?;
            write!(anstream::stdout().lock(), "{text}")?;
        }
        Verb::Install(unit) => {
            let (name, text) = written(unit)?;
            let folder = match &unit.into {
                Some(folder) => folder.clone(),
                None => folder(unit.user)?,
            };
            let path = folder.join(format!("dcm-run-{name}.service"));
            let written =
                std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, text));
            written.map_err(|error| {
                let path = path.display();
                anyhow::anyhow!(
                    "{path} cannot be written: {error}; fix: run it as root, or with --user"
                )
            })?;
            let mut line = format!("{} is written", path.display());
            if unit.into.is_none() {
                let service = format!("dcm-run-{name}");
                systemctl(unit.user, &["daemon-reload"])?;
                systemctl(unit.user, &["enable", "--now", &service])?;
                line += ", enabled and started";
            }
            output.print(json!({ "unit": path }), line)?;
        }
        Verb::Uninstall { name, user } => {
            let service = format!("dcm-run-{name}");
            let path = folder(*user)?.join(format!("{service}.service"));
            if !path.exists() {
                bail!(
                    "the service is not installed: there is no {}; fix: `dcm-run service install` installs it",
                    path.display()
                );
            }
            systemctl(*user, &["disable", "--now", &service])?;
            std::fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
            systemctl(*user, &["daemon-reload"])?;
            output.print(
                json!({ "removed": path }),
                format!("{} is removed", path.display()),
            )?;
        }
        Verb::Status { name, user } => {
            systemctl(*user, &["status", "--no-pager", &format!("dcm-run-{name}")])?;
        }
    }
    Ok(VerbOutcome::Done)
}

/// The unit's name and text.
fn written(unit: &SystemdUnit) -> Result<(String, String)> {
    let program = std::env::current_exe().context("finding this program")?;
    // A unit has no working folder.
    let robot = if Path::new(&unit.robot).exists() {
        std::fs::canonicalize(&unit.robot)?.display().to_string()
    } else {
        unit.robot.clone()
    };
    let described = description::load(&description::RobotSource::of(&unit.robot))?;
    let name = unit.id.clone().unwrap_or_else(|| as_name(&described.name));
    let mut words = vec![program.display().to_string()];
    words.extend(["serve", "--robot", &robot, "--id", &name].map(str::to_owned));
    let flags = [(unit.sim, "--sim"), (unit.arm, "--arm")];
    words.extend(
        flags
            .iter()
            .filter(|flag| flag.0)
            .map(|flag| flag.1.to_owned()),
    );
    for (word, path) in [("--config", &unit.config), ("--state", &unit.state)] {
        if let Some(path) = path {
            let path = std::path::absolute(path).context(word)?;
            words.extend([word.to_owned(), path.display().to_string()]);
        }
    }
    let mut hardening = HARDENING.to_owned();
    if let Some(path) = unit.state.as_ref().filter(|_| !unit.user) {
        let path = std::path::absolute(path).context("--state")?;
        hardening += &format!("ReadWritePaths={}\n", quoted(&path.display().to_string()));
    }
    let words: Vec<_> = words.iter().map(|word| quoted(word)).collect();
    let words = words.join(" ");
    let account = match &unit.account {
        Some(account) => as_account(account),
        None if unit.user => String::new(),
        None => own_account(),
    };
    let wanted = if unit.user {
        "default.target"
    } else {
        "multi-user.target"
    };
    if !unit.user {
        hardening += HARDENING_OF_THE_SYSTEM;
        // A board's socket in /tmp is not visible with a private /tmp.
        let mut sockets = described.boards.iter().filter_map(BoardSpec::socket);
        let is_shared = sockets.any(|socket| socket.starts_with("/tmp"));
        hardening += if is_shared { "" } else { "PrivateTmp=yes\n" };
    }
    let text = assembled(&UnitParts {
        head: "# Written by `dcm-run service install`; its settings are in dcm-run.toml.",
        robot: &name,
        command: &words,
        account: &account,
        hardening: &hardening,
        wanted,
    });
    Ok((name, text))
}

/// The text of the unit for any robot. What differs between robots is in files of /etc/dcm-run, which may be missing.
/// The user's groups are not named here: systemd takes them from the machine that it runs on.
fn template(account: &str, program: Option<&Path>) -> Result<String> {
    let program = match program {
        Some(program) => program.to_owned(),
        None => std::env::current_exe().context("finding this program")?,
    };
    let program = quoted(&program.display().to_string());
    let account = format!(
        "User={account}\n\
         # Here are NAME.toml and dcm-run.toml; NAME.env may have DCM_RUN_OPTIONS=--sim, or others of `serve`.\n\
         Environment=DCM_RUN_CONFIG=/etc/dcm-run\nEnvironmentFile=-/etc/dcm-run/%i.env\n"
    );
    // A robot's board may be a socket in /tmp: nothing private there.
    Ok(assembled(&UnitParts {
        head: "# For a shipped robot, or one of /etc/dcm-run/NAME.toml: systemctl enable --now dcm-run@NAME",
        robot: "%i",
        command: &format!("{program} serve --robot %i --id %i $DCM_RUN_OPTIONS"),
        account: &account,
        hardening: &format!("{HARDENING}{HARDENING_OF_THE_SYSTEM}"),
        wanted: "multi-user.target",
    }))
}

/// What differs between units.
struct UnitParts<'a> {
    head: &'a str,
    robot: &'a str,
    command: &'a str,
    account: &'a str,
    hardening: &'a str,
    wanted: &'a str,
}

fn assembled(parts: &UnitParts<'_>) -> String {
    let UnitParts {
        head,
        robot,
        command,
        account,
        hardening,
        wanted,
    } = parts;
    format!(
        "{head}\n\
         [Unit]\nDescription=The robot {robot}\nDocumentation=man:dcm-run-serve(1)\n\
         After=network.target\nStartLimitIntervalSec=60\nStartLimitBurst=5\n\n\
         [Service]\nType=notify\nNotifyAccess=main\nExecStart={command}\n{account}\
         # Fed only while turns are met.\n\
         WatchdogSec=5\nRestart=on-failure\nRestartSec=2\nTimeoutStopSec=20\n\
         # The loop alone is told to end: its guardian must outlive it, to bring the body down; both that and the\n\
         # server go by themselves when it has gone.\n\
         KillMode=process\n\
         StateDirectory=dcm-run\nRuntimeDirectory=dcm-run\nRuntimeDirectoryPreserve=yes\nCacheDirectory=dcm-run\n\
         LimitRTPRIO=99\nLimitMEMLOCK=infinity\nLimitNOFILE=65536\nOOMScoreAdjust=-900\n{hardening}\n\
         [Install]\nWantedBy={wanted}\n"
    )
}

/// Quotes a word of a command for systemd.
fn quoted(word: &str) -> String {
    let word = word.replace('%', "%%").replace('$', "$$");
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:,@%$".contains(c);
    if word.chars().all(plain) {
        return word;
    }
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The user of the package; or one that systemd makes, who has the same name at each start.
fn own_account() -> String {
    let known = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let is_known = known
        .lines()
        .any(|line| line.split(':').next() == Some(ACCOUNT));
    let made = if is_known { "" } else { "DynamicUser=yes\n" };
    format!("{made}{}", as_account(ACCOUNT))
}

/// The user who runs robots, unless another is named.
const ACCOUNT: &str = "dcm-run";

/// The lines for another user than root, with the device groups of this machine: systemd refuses a group that does
/// not exist.
fn as_account(account: &str) -> String {
    let known = std::fs::read_to_string("/etc/group").unwrap_or_default();
    let has = |group: &&str| {
        known
            .lines()
            .any(|line| line.split(':').next() == Some(*group))
    };
    let groups: Vec<_> = ["realtime", "spi", "gpio", "i2c", "dialout"]
        .into_iter()
        .filter(has)
        .collect();
    if groups.is_empty() {
        return format!("User={account}\n");
    }
    format!("User={account}\nSupplementaryGroups={}\n", groups.join(" "))
}

/// Restrictions for every unit.
const HARDENING: &str = "\
NoNewPrivileges=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
# What others may read, the page, and whom they may ask, the socket, get their rights when they are made.
UMask=0077
";

/// Restrictions that only the system's systemd can enforce.
const HARDENING_OF_THE_SYSTEM: &str = "\
ProtectSystem=strict
ProtectHome=read-only
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectClock=yes
RestrictNamespaces=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
CapabilityBoundingSet=CAP_SYS_NICE CAP_IPC_LOCK
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
DevicePolicy=closed
DeviceAllow=char-spi rw
DeviceAllow=char-gpiochip rw
DeviceAllow=/dev/cpu_dma_latency rw
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
        status.context("running systemctl; fix: without systemd, run `dcm-run serve` directly")?;
    if !status.success() {
        bail!(
            "`systemctl {0}` failed; fix: run it by hand, and see `journalctl -xe`",
            words.join(" ")
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_read_by_systemd_as_they_are() {
        for (word, as_read) in [
            ("/usr/bin/dcm-run", "/usr/bin/dcm-run"),
            ("/home/a b/nao.toml", "\"/home/a b/nao.toml\""),
            ("100%", "100%%"),
            ("$HOME", "$$HOME"),
            ("a\"b\\c", "\"a\\\"b\\\\c\""),
        ] {
            assert_eq!(quoted(word), as_read);
        }
    }
}
