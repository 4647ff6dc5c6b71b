//! `dcm-run keys`: manages keys that sign choreographies: the secret half here, the public half on robots.
//! The secret half never leaves this machine.

use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args as ClapArgs, Subcommand};
use hyper::Method;
use network::folders::config_folder;
use network::hex::{hex, unhex};
use network::signature::SigningKey;
use protocol::choreographies::{invalid_name, is_name};
use protocol::guests::Confirmation;
use protocol::keys::{TrustRequest, TrustedKey, short};
use serde_json::json;

use crate::session::robot_args::RobotArgs;
use crate::session::server::{encoded, reach};
use crate::text::errors;
use crate::text::output::{VerbOutcome, VerbOutput};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    A robot verifies signatures if `[store] signatures` in its dcm-run.toml is `warn` or `require`.")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Generate a key; its secret half stays on this machine.
    Generate {
        /// The name of the key.
        name: String,
    },
    /// List your keys, and the keys that a robot trusts.
    Ls {
        #[command(flatten)]
        which: RobotArgs,
    },
    /// Let a robot trust a key.
    Trust {
        #[command(flatten)]
        which: RobotArgs,
        /// The name of one of your keys, or a public key.
        key: String,
        /// The name of its owner.
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
    },
    /// Let a robot no longer trust a key.
    Revoke {
        #[command(flatten)]
        which: RobotArgs,
        /// The name of the key, or its first digits.
        key: String,
    },
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    match &args.verb {
        Verb::Generate { name } => generate(name, output),
        Verb::Ls { which } => list(which, output),
        Verb::Trust { which, key, name } => {
            let public = match own().iter().find(|pair| pair.0 == *key) {
                Some((_, public)) => public.clone(),
                None => key.trim_start_matches("ed25519:").to_owned(),
            };
            let name = name
                .clone()
                .unwrap_or_else(|| key.chars().take(16).collect());
            let (robot, client) = reach(which)?;
            let trusted = TrustRequest { key: public, name };
            let key: TrustedKey = client.ask(Method::POST, "/api/v2/keys", Some(&trusted))?;
            let line = format!("{robot} trusts {} ({})", key.name, short(&key.key));
            output.print(json!(key), line)
        }
        Verb::Revoke { which, key } => {
            let (robot, client) = reach(which)?;
            let path = format!("/api/v2/keys/{}", encoded(key));
            client.ask::<Confirmation>(Method::DELETE, &path, None::<&()>)?;
            output.print(
                json!({ "revoked": key }),
                format!("{robot} no longer trusts {key}"),
            )
        }
    }
}

fn generate(name: &str, output: VerbOutput) -> Result<VerbOutcome> {
    if !is_name(name) {
        bail!(invalid_name(name));
    }
    let path = place(name)?;
    let bytes = SigningKey::generate().map_err(|why| anyhow::anyhow!(why))?;
    let secret = SigningKey::of(&bytes).map_err(|why| anyhow::anyhow!(why))?;
    let folder = path.parent().context("finding the folder of the keys")?;
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(folder)?;
    let mut options = std::fs::OpenOptions::new();
    let file = options.write(true).create_new(true).mode(0o600).open(&path);
    let mut file = file.with_context(|| format!("creating {}", path.display()))?;
    writeln!(file, "{}", hex(&bytes))?;
    file.sync_all()?;
    let line = format!(
        "ed25519:{}\nits secret half is in {}",
        secret.public(),
        path.display()
    );
    output.print(
        json!({ "name": name, "key": secret.public(), "file": path }),
        line,
    )
}

fn list(which: &RobotArgs, output: VerbOutput) -> Result<VerbOutcome> {
    for (name, public) in own() {
        let line = format!("{name:<16} ed25519:{public}  yours");
        output.print(json!({ "name": name, "key": public, "own": true }), line)?;
    }
    let reached = match reach(which) {
        Err(error) if which.robot.is_some() => return Err(error),
        // The user's own keys need no robot.
        reached => reached.ok(),
    };
    if let Some((robot, client)) = reached {
        let keys: Vec<TrustedKey> = client.get("/api/v2/keys")?;
        output.list(&keys, "", "", |key| {
            let how = if key.revoked {
                "no longer trusted by"
            } else {
                "trusted by"
            };
            format!("{:<16} ed25519:{}  {how} {robot}", key.name, key.key)
        })?;
    }
    Ok(VerbOutcome::Done)
}

/// The secret half of one of the user's keys.
pub(super) fn secret(name: &str) -> Result<SigningKey> {
    let path = place(name)?;
    if !path.exists() {
        bail!(
            "there is no key `{name}` ({}); fix: `dcm-run keys generate {name}` creates it",
            path.display()
        );
    }
    let text = errors::read_text(&path)?;
    let bytes = unhex(text.trim());
    let bytes = bytes.with_context(|| {
        format!(
            "{} is not a key; fix: remove it, and create another: `dcm-run keys generate {name}`",
            path.display()
        )
    })?;
    SigningKey::of(&bytes).map_err(|why| anyhow::anyhow!("{}: {why}", path.display()))
}

fn place(name: &str) -> Result<PathBuf> {
    let folder = config_folder().context("there is no folder for keys: HOME is not set")?;
    Ok(folder.join("keys").join(format!("{name}.key")))
}

/// The user's keys: names and public halves.
fn own() -> Vec<(String, String)> {
    let folder = config_folder().map(|config_folder| config_folder.join("keys"));
    let entries = folder.and_then(|folder| std::fs::read_dir(folder).ok());
    let mut keys: Vec<_> = entries
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().to_str()?.strip_suffix(".key")?.to_owned();
            let public = secret(&name).ok()?.public();
            Some((name, public))
        })
        .collect();
    keys.sort();
    keys
}
