//! `pull`, `ls`, `rm`, `tag`, `rollback`, `boot`: manage the choreographies that a robot stores.
//! A downloaded file is verified by its digest before it is written.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use hyper::Method;
use network::client::RequestBody;
use network::hex::digest;
use protocol::choreographies::{BootEntry, ListedChoreography, TagRequest, VersionDigest};
use protocol::guests::Confirmation;
use serde_json::json;

use super::date;
use crate::choreography::guest_options::GuestOptionArgs;
use crate::session::robot_args::RobotArgs;
use crate::session::server::{encoded, reach};
use crate::text::errors;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words::count;
use crate::verbs::author::check::GateArgs;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Writes a temporary file first. Overwrites an existing file only with --force.")]
pub(crate) struct PullArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The choreography: a name, a tag, or the beginning of a digest.
    choreography: String,
    /// The output file; default: the name with `.wasm`.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Lists names, versions and tags; `*` marks the current version of a name.")]
pub(crate) struct ListArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// List older versions as well.
    #[arg(long, short)]
    all: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    A name removes all its versions, a tag or a digest removes one. A version that a tag or the boot list refers to is \
    removed only with --force.")]
pub(crate) struct RemoveArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The choreographies: names, tags, or beginnings of digests.
    #[arg(required = true)]
    choreographies: Vec<String>,
    /// Remove it even if a tag or the boot list refers to it.
    #[arg(long)]
    force: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "A tag stays with its version when the name gets a newer one.")]
pub(crate) struct TagArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The tag.
    tag: String,
    /// The choreography: a name, a tag, or the beginning of a digest.
    #[arg(required_unless_present = "remove")]
    choreography: Option<String>,
    /// Remove the tag.
    #[arg(long, conflicts_with = "choreography")]
    remove: bool,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "The version that was current becomes the oldest one, so that nothing is lost."
)]
pub(crate) struct RollbackArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The name to roll back.
    name: String,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Without names, prints the present setting. A choreography that fails three starts in a row is replaced by its last \
    version that played well.")]
pub(crate) struct BootArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The choreographies to play: names or tags.
    choreographies: Vec<String>,
    /// Their options, as for `dcm-run start`.
    #[command(flatten)]
    options: GuestOptionArgs,
    #[command(flatten)]
    gated: GateArgs,
    /// Play nothing.
    #[arg(long, conflicts_with = "choreographies")]
    nothing: bool,
}

pub(crate) fn pull(args: &PullArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let (_, client) = reach(&args.which)?;
    let path = format!("/api/v2/choreographies/{}", encoded(&args.choreography));
    let bytes = client.send(Method::GET, &path, RequestBody::default(), |_| {})?;
    let listed: Vec<ListedChoreography> = client.get("/api/v2/choreographies")?;
    let digest = digest(&bytes);
    let mut alike = listed.iter().filter(|listed| listed.digest == digest);
    let known = alike
        .clone()
        .find(|item| item.kept.name == args.choreography)
        .or_else(|| alike.next());
    let Some(known) = known else {
        bail!(
            "the download does not match what the robot stores: its digest is {digest}; fix: try again, and if it \
             happens again, push the choreography anew"
        );
    };
    let file = args.output.clone();
    let file = file.unwrap_or_else(|| PathBuf::from(format!("{}.wasm", known.kept.name)));
    if file.exists() && !args.force {
        bail!(
            "{} already exists; fix: --output FILE, or --force",
            file.display()
        );
    }
    let next = file.with_extension("wasm.part");
    errors::write(&next, &bytes)?;
    std::fs::rename(&next, &file).map_err(|error| errors::unwritable(&file, &error))?;
    output.print(
        json!({ "file": file.display().to_string(), "digest": digest }),
        format!(
            "{}: {} bytes, sha256:{digest}",
            file.display(),
            count(bytes.len() as u64)
        ),
    )
}

pub(crate) fn list(args: &ListArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let (name, client) = reach(&args.which)?;
    let listed: Vec<ListedChoreography> = client.get("/api/v2/choreographies")?;
    let is_shown = |stored: &&ListedChoreography| output.json || args.all || stored.current;
    let shown: Vec<_> = listed.iter().filter(is_shown).collect();
    let width = shown.iter().map(|stored| stored.kept.name.len());
    let width = width.max().unwrap_or(0);
    let none = format!("{name} stores no choreographies; fix: `dcm-run push show.wasm`");
    output.list(&shown, "", &none, |stored| {
        let mut notes = Vec::new();
        notes.extend(stored.boot.then(|| "plays at boot".to_owned()));
        notes.extend(stored.good.then(|| "played well".to_owned()));
        notes.extend(stored.tags.iter().map(|tag| format!("tag {tag}")));
        let key = stored.kept.key.as_deref();
        notes.extend(key.map(|key| format!("signed {}", protocol::keys::short(key))));
        format!(
            "{} {:<width$}  {}  {:>10} bytes  {}  {}  {}",
            if stored.current { "*" } else { " " },
            stored.kept.name,
            &stored.digest[..12],
            count(stored.kept.bytes),
            date(stored.kept.came),
            stored.kept.by,
            notes.join(", "),
        )
    })
}

pub(crate) fn remove(args: &RemoveArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let (_, client) = reach(&args.which)?;
    for choreography in &args.choreographies {
        let force = if args.force { "?force=true" } else { "" };
        let path = format!("/api/v2/choreographies/{}{force}", encoded(choreography));
        client.ask::<Confirmation>(Method::DELETE, &path, None::<&()>)?;
        output.print(
            json!({ "removed": choreography }),
            format!("{choreography} is removed"),
        )?;
    }
    Ok(VerbOutcome::Done)
}

pub(crate) fn tag(args: &TagArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let (_, client) = reach(&args.which)?;
    let path = format!("/api/v2/tags/{}", encoded(&args.tag));
    let Some(choreography) = args.choreography.clone().filter(|_| !args.remove) else {
        client.ask::<Confirmation>(Method::DELETE, &path, None::<&()>)?;
        return output.print(
            json!({ "untagged": args.tag }),
            format!("the tag {} is removed", args.tag),
        );
    };
    let tagged = TagRequest { choreography };
    let meant: VersionDigest = client.ask(Method::PUT, &path, Some(&tagged))?;
    let line = format!("{} is sha256:{}", args.tag, meant.digest);
    output.print(json!({ "tag": args.tag, "digest": meant.digest }), line)
}

pub(crate) fn roll_back(args: &RollbackArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let (_, client) = reach(&args.which)?;
    let path = format!("/api/v2/names/{}/rollback", encoded(&args.name));
    let meant: VersionDigest = client.ask(Method::POST, &path, None::<&()>)?;
    let line = format!("{} is sha256:{} again", args.name, meant.digest);
    output.print(json!({ "name": args.name, "digest": meant.digest }), line)
}

pub(crate) fn boot(args: &BootArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let (name, client) = reach(&args.which)?;
    if !args.choreographies.is_empty() || args.nothing {
        let options = args.options.of_names(&args.choreographies)?;
        let boots = args.choreographies.iter().cloned().zip(options);
        let boots: Vec<_> = boots
            .map(|(choreography, options)| BootEntry {
                choreography,
                options: args.gated.of(options),
            })
            .collect();
        client.ask::<Confirmation>(Method::PUT, "/api/v2/boot", Some(&boots))?;
    }
    let boots: Vec<BootEntry> = client.get("/api/v2/boot")?;
    let names: Vec<_> = boots
        .iter()
        .map(|boot| boot.choreography.as_str())
        .collect();
    let line = match names.as_slice() {
        [] => format!("nothing plays when {name} has started"),
        names => format!("when {name} has started, {} will play", names.join(", ")),
    };
    output.print(json!({ "boot": boots }), line)
}
