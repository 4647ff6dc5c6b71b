//! `pull`, `ls`, `rm`, `tag`, `rollback`, `boot`: what a robot keeps.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use api::choreographies::{BootEntry, ListedChoreography};
use api::choreographies::{TagRequest, VersionDigest};
use api::client::RequestBody;
use api::guests::Confirmation;
use clap::Args as ClapArgs;
use hyper::Method;
use serde_json::{Value, json};

use super::reach;
use super::{date, digest, encoded};
use crate::check::Gated;
use crate::reach::Which;
use crate::wish::Wishes;
use crate::words::count;
use crate::{Outcome, words};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    What comes is written beside the file first; a file that is there is not overwritten without --force.")]
pub(crate) struct PullArgs {
    #[command(flatten)]
    which: Which,
    /// A name, a tag, or the beginning of a digest.
    choreography: String,
    /// The file; the name with `.wasm` if it is not said.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite a file.
    #[arg(long)]
    force: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Names, versions, tags; `*` marks the version that its name means.")]
pub(crate) struct ListArgs {
    #[command(flatten)]
    which: Which,
    /// Also older versions.
    #[arg(long, short)]
    all: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    A name goes with all its versions, a tag or a digest means one. What a tag or the boot list names is removed by \
    --force only.")]
pub(crate) struct RemoveArgs {
    #[command(flatten)]
    which: Which,
    /// Names, tags, or beginnings of digests.
    #[arg(required = true)]
    choreographies: Vec<String>,
    /// Although something names it.
    #[arg(long)]
    force: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "A tag stays with a version, whatever comes under its name later.")]
pub(crate) struct TagArgs {
    #[command(flatten)]
    which: Which,
    /// The tag.
    tag: String,
    /// A name, a tag, or the beginning of a digest.
    #[arg(required_unless_present = "remove")]
    choreography: Option<String>,
    /// Take the tag away.
    #[arg(long, conflicts_with = "choreography")]
    remove: bool,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "The version that it leaves goes to the end of the row, so that nothing is lost."
)]
pub(crate) struct RollbackArgs {
    #[command(flatten)]
    which: Which,
    /// The name.
    name: String,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Without names: what plays now when the robot has come up. What fails three starts in a row is replaced by \
    the version that has last played well.")]
pub(crate) struct BootArgs {
    #[command(flatten)]
    which: Which,
    /// Names or tags of what shall play.
    choreographies: Vec<String>,
    /// What is wished for them, as by `dcm-run start`.
    #[command(flatten)]
    wishes: Wishes,
    #[command(flatten)]
    gated: Gated,
    /// Nothing shall play.
    #[arg(long, conflicts_with = "choreographies")]
    nothing: bool,
}

pub(crate) fn pull(args: &PullArgs, json: bool) -> Result<Outcome> {
    let (_, client) = reach(&args.which)?;
    let path = format!("/api/v1/choreographies/{}", encoded(&args.choreography));
    let bytes = client.send(Method::GET, &path, RequestBody::default(), |_| {})?;
    let listed: Vec<ListedChoreography> = client.get("/api/v1/choreographies")?;
    let digest = digest(&bytes);
    let mut alike = listed.iter().filter(|it| it.digest == digest);
    let known = alike
        .clone()
        .find(|it| it.kept.name == args.choreography)
        .or_else(|| alike.next());
    let Some(known) = known else {
        bail!("what came is not what the robot keeps: its digest is {digest}");
    };
    let file = args.output.clone();
    let file = file.unwrap_or_else(|| PathBuf::from(format!("{}.wasm", known.kept.name)));
    if file.exists() && !args.force {
        bail!(
            "{} is there already; fix: --output another, or --force",
            file.display()
        );
    }
    let next = file.with_extension("wasm.part");
    let told = || format!("writing {}", file.display());
    std::fs::write(&next, &bytes).with_context(told)?;
    std::fs::rename(&next, &file).with_context(told)?;
    let mut out = anstream::stdout().lock();
    if json {
        writeln!(out, "{}", json!({ "file": file, "digest": digest }))?;
    } else {
        writeln!(
            out,
            "{}: {} bytes, sha256:{digest}",
            file.display(),
            count(bytes.len() as u64)
        )?;
    }
    Ok(Outcome::Done)
}

pub(crate) fn list(args: &ListArgs, json: bool) -> Result<Outcome> {
    let (name, client) = reach(&args.which)?;
    let listed: Vec<ListedChoreography> = client.get("/api/v1/choreographies")?;
    let mut out = anstream::stdout().lock();
    if json {
        for it in &listed {
            writeln!(out, "{}", json!(it))?;
        }
        return Ok(Outcome::Done);
    }
    let shown: Vec<_> = listed.iter().filter(|it| args.all || it.current).collect();
    if shown.is_empty() {
        writeln!(out, "{name} keeps nothing; fix: `dcm-run push show.wasm`")?;
        return Ok(Outcome::Done);
    }
    let width = shown.iter().map(|it| it.kept.name.len()).max().unwrap_or(0);
    for it in shown {
        let mut notes = Vec::new();
        notes.extend(it.boot.then(|| "plays from the beginning".to_owned()));
        notes.extend(it.good.then(|| "has played well".to_owned()));
        notes.extend(it.tags.iter().map(|it| format!("tag {it}")));
        notes.extend(
            it.kept
                .key
                .as_ref()
                .map(|it| format!("signed {}", api::keys::short(it))),
        );
        writeln!(
            out,
            "{} {:<width$}  {}  {:>10} bytes  {}  {}  {}",
            if it.current { "*" } else { " " },
            it.kept.name,
            &it.digest[..12],
            count(it.kept.bytes),
            date(it.kept.came),
            it.kept.by,
            notes.join(", "),
        )?;
    }
    Ok(Outcome::Done)
}

pub(crate) fn remove(args: &RemoveArgs, json: bool) -> Result<Outcome> {
    let (_, client) = reach(&args.which)?;
    for it in &args.choreographies {
        let force = if args.force { "?force=true" } else { "" };
        let path = format!("/api/v1/choreographies/{}{force}", encoded(it));
        client.ask::<Confirmation>(Method::DELETE, &path, None::<&()>)?;
        say(json, json!({ "removed": it }), &format!("{it} is removed"))?;
    }
    Ok(Outcome::Done)
}

pub(crate) fn tag(args: &TagArgs, json: bool) -> Result<Outcome> {
    let (_, client) = reach(&args.which)?;
    let path = format!("/api/v1/tags/{}", encoded(&args.tag));
    let Some(choreography) = args.choreography.clone().filter(|_| !args.remove) else {
        client.ask::<Confirmation>(Method::DELETE, &path, None::<&()>)?;
        say(
            json,
            json!({ "untagged": args.tag }),
            &format!("the tag {} is gone", args.tag),
        )?;
        return Ok(Outcome::Done);
    };
    let tagged = TagRequest { choreography };
    let meant: VersionDigest = client.ask(Method::PUT, &path, Some(&tagged))?;
    let line = format!("{} means sha256:{}", args.tag, meant.digest);
    say(
        json,
        json!({ "tag": args.tag, "digest": meant.digest }),
        &line,
    )?;
    Ok(Outcome::Done)
}

pub(crate) fn roll_back(args: &RollbackArgs, json: bool) -> Result<Outcome> {
    let (_, client) = reach(&args.which)?;
    let path = format!("/api/v1/names/{}/rollback", encoded(&args.name));
    let meant: VersionDigest = client.ask(Method::POST, &path, None::<&()>)?;
    let line = format!("{} means sha256:{} again", args.name, meant.digest);
    say(
        json,
        json!({ "name": args.name, "digest": meant.digest }),
        &line,
    )?;
    Ok(Outcome::Done)
}

pub(crate) fn boot(args: &BootArgs, json: bool) -> Result<Outcome> {
    let (name, client) = reach(&args.which)?;
    if !args.choreographies.is_empty() || args.nothing {
        let wishes = args.wishes.of_names(&args.choreographies)?;
        let boots = args.choreographies.iter().cloned().zip(wishes);
        let boots: Vec<_> = boots
            .map(|(choreography, wish)| BootEntry {
                choreography,
                wish: args.gated.of(wish),
            })
            .collect();
        client.ask::<Confirmation>(Method::PUT, "/api/v1/boot", Some(&boots))?;
    }
    let boots: Vec<BootEntry> = client.get("/api/v1/boot")?;
    let names: Vec<_> = boots.iter().map(|it| it.choreography.as_str()).collect();
    let line = match names.as_slice() {
        [] => format!("nothing plays when {name} has come up"),
        names => format!("when {name} has come up, {} will play", names.join(", ")),
    };
    say(json, json!({ "boot": boots }), &line)?;
    Ok(Outcome::Done)
}

/// One line, for programs or for people.
pub(super) fn say(json: bool, value: Value, line: &str) -> Result<()> {
    let mut out = anstream::stdout().lock();
    if json {
        writeln!(out, "{value}")?;
    } else {
        writeln!(out, "{}", words::paint(words::BOLD, line))?;
    }
    Ok(())
}
