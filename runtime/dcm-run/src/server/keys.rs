//! `dcm-run keys`: keys that vouch for choreographies; the secret half here, the public half at robots.

use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use api::choreographies::is_name;
use api::folders::config_folder;
use api::guests::Confirmation;
use api::hex::{hex, unhex};
use api::keys::{TrustRequest, TrustedKey, short};
use api::signature::SigningKey;
use clap::{Args as ClapArgs, Subcommand};
use hyper::Method;
use serde_json::json;

use super::encoded;
use super::reach;
use super::store::say;
use crate::Outcome;
use crate::reach::Which;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    A robot looks at signatures if `[store] signatures` in its dcm-run.toml says `warn` or `require`.")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Makes a key of one's own; its secret half stays on this machine.
    Generate {
        /// Its name.
        name: String,
    },
    /// Lists one's own keys, and those that a robot trusts if one is named.
    Ls {
        #[command(flatten)]
        which: Which,
    },
    /// A robot trusts a key from now on.
    Trust {
        #[command(flatten)]
        which: Which,
        /// The name of a key of one's own, or a public key.
        key: String,
        /// Whose it is.
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
    },
    /// A robot trusts a key no more.
    Revoke {
        #[command(flatten)]
        which: Which,
        /// Whose it is, or its first digits.
        key: String,
    },
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    match &args.verb {
        Verb::Generate { name } => generate(name, json),
        Verb::Ls { which } => list(which, json),
        Verb::Trust { which, key, name } => {
            let public = match own().iter().find(|it| it.0 == *key) {
                Some((_, public)) => public.clone(),
                None => key.trim_start_matches("ed25519:").to_owned(),
            };
            let name = name
                .clone()
                .unwrap_or_else(|| key.chars().take(16).collect());
            let (robot, client) = reach(which)?;
            let trusted = TrustRequest { key: public, name };
            let key: TrustedKey = client.ask(Method::POST, "/api/v1/keys", Some(&trusted))?;
            let line = format!("{robot} trusts {} ({})", key.name, short(&key.key));
            say(json, json!(key), &line)?;
            Ok(Outcome::Done)
        }
        Verb::Revoke { which, key } => {
            let (robot, client) = reach(which)?;
            let path = format!("/api/v1/keys/{}", encoded(key));
            client.ask::<Confirmation>(Method::DELETE, &path, None::<&()>)?;
            say(
                json,
                json!({ "revoked": key }),
                &format!("{robot} trusts {key} no more"),
            )?;
            Ok(Outcome::Done)
        }
    }
}

fn generate(name: &str, json: bool) -> Result<Outcome> {
    if !is_name(name) {
        bail!("`{name}` cannot be a name: small letters, digits, `-`, `_` and `.`");
    }
    let path = place(name)?;
    let bytes = SigningKey::generate().map_err(|why| anyhow::anyhow!(why))?;
    let secret = SigningKey::of(&bytes).map_err(|why| anyhow::anyhow!(why))?;
    let folder = path.parent().context("a folder for keys")?;
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(folder)?;
    let mut options = std::fs::OpenOptions::new();
    let file = options.write(true).create_new(true).mode(0o600).open(&path);
    let mut file = file.with_context(|| format!("making {}", path.display()))?;
    writeln!(file, "{}", hex(&bytes))?;
    file.sync_all()?;
    let line = format!(
        "ed25519:{}\nits secret half is in {}",
        secret.public(),
        path.display()
    );
    say(
        json,
        json!({ "name": name, "key": secret.public(), "file": path }),
        &line,
    )?;
    Ok(Outcome::Done)
}

fn list(which: &Which, json: bool) -> Result<Outcome> {
    let mut out = anstream::stdout().lock();
    for (name, public) in own() {
        if json {
            writeln!(
                out,
                "{}",
                json!({ "name": name, "key": public, "own": true })
            )?;
        } else {
            writeln!(out, "{name:<16} ed25519:{public}  your own")?;
        }
    }
    if let Ok((robot, client)) = reach(which) {
        let keys: Vec<TrustedKey> = client.get("/api/v1/keys")?;
        for it in keys {
            if json {
                writeln!(out, "{}", json!(it))?;
                continue;
            }
            let how = if it.revoked {
                "was trusted by"
            } else {
                "is trusted by"
            };
            writeln!(out, "{:<16} ed25519:{}  {how} {robot}", it.name, it.key)?;
        }
    } else if which.robot.is_some() {
        reach(which)?;
    }
    Ok(Outcome::Done)
}

/// A key of one's own.
pub(super) fn secret(name: &str) -> Result<SigningKey> {
    let path = place(name)?;
    let text = std::fs::read_to_string(&path);
    let text = text.with_context(|| {
        format!(
            "reading {}; `dcm-run keys generate {name}` makes it",
            path.display()
        )
    })?;
    let bytes = unhex(text.trim()).context("that is no key")?;
    SigningKey::of(&bytes).map_err(|why| anyhow::anyhow!("{}: {why}", path.display()))
}

fn place(name: &str) -> Result<PathBuf> {
    let folder = config_folder().context("there is no folder for keys: HOME is not set")?;
    Ok(folder.join("keys").join(format!("{name}.key")))
}

/// One's own keys: names and public halves.
fn own() -> Vec<(String, String)> {
    let folder = config_folder().map(|it| it.join("keys"));
    let entries = folder.and_then(|it| std::fs::read_dir(it).ok());
    let mut keys: Vec<_> = entries
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|it| {
            let name = it.file_name().to_str()?.strip_suffix(".key")?.to_owned();
            let public = secret(&name).ok()?.public();
            Some((name, public))
        })
        .collect();
    keys.sort();
    keys
}
