//! `dcm-run push`: uploads choreographies to a robot, which stores and checks them, and may start them.
//! What the check refuses is stored, but not started.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use clap::Args as ClapArgs;
use description::{RobotSource, load};
use hyper::Method;
use indicatif::{ProgressBar, ProgressStyle};
use network::client::{ApiClient, RequestBody};
use network::hex::digest;
use protocol::ReplyBody;
use protocol::choreographies::{CheckResult, PushResult, SIGNATURE};
use protocol::guests::{StartRequest, Started};
use protocol::robot::Hello;
use serde_json::json;

use super::keys::secret;
use super::now;
use crate::choreography::guest_options::{GuestOptionArgs, Piece, WaitingArgs, entered_or_waits};
use crate::choreography::motion_file::MotionArgs;
use crate::session::compile_display::CompileDisplay;
use crate::session::robot_args::RobotArgs;
use crate::session::server::{encoded, kept_name, reach};
use crate::session::state::safety_state;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
use crate::verbs::author::check::GateArgs;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    The same bytes are stored once. A new version replaces the old one under its name; `rollback` restores it. Exit \
    code 3 if the robot's check fails: the choreography is stored, but not started.")]
pub(crate) struct Args {
    #[command(flatten)]
    which: RobotArgs,
    /// The choreographies: files, or names of shipped ones.
    #[arg(required = true, value_name = "CHOREOGRAPHY")]
    pieces: Vec<PathBuf>,
    /// The name to store it under; default: the file's name.
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
    /// Start it after the upload.
    #[arg(long)]
    start: bool,
    #[command(flatten)]
    waiting: WaitingArgs,
    #[command(flatten)]
    gated: GateArgs,
    /// Sign it with this key; `dcm-run keys generate` creates one.
    #[arg(long, value_name = "KEY")]
    sign: Option<String>,
    /// The days until the signature expires.
    #[arg(long, value_name = "DAYS", requires = "sign",
          value_parser = clap::value_parser!(u64).range(..=super::DAYS_MAX))]
    days: Option<u64>,
    #[command(flatten)]
    options: GuestOptionArgs,
    #[command(flatten)]
    motions: MotionArgs,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    if args.name.is_some() && args.pieces.len() > 1 {
        bail!(
            "--as names one choreography, but {} are given; fix: push them one by one",
            args.pieces.len()
        );
    }
    let pieces = args
        .pieces
        .iter()
        .map(|piece| Piece::read(piece, &args.motions));
    let mut pieces = pieces.collect::<Result<Vec<_>>>()?;
    let options = args.options.of(&pieces)?;
    let (robot, client) = reach(&args.which)?;
    // A local robot's description can be read.
    let here = protocol::Caller::reach(Some(&robot)).ok();
    let here = here.and_then(|caller| load(&RobotSource::of(&caller.here.description)).ok());
    if let Some(robot) = here {
        pieces.iter_mut().try_for_each(|piece| piece.fit(&robot))?;
    }
    let hello: Hello = client.get("/api/v2/hello")?;
    let mut passes = true;
    for (piece, options) in pieces.into_iter().zip(options) {
        let name = args.name.clone().unwrap_or_else(|| kept_name(&piece.file));
        let told = || piece.path.display().to_string();
        let pushed = send(&client, &hello, &piece, &name, args, output).with_context(told)?;
        print_pushed(&pushed, output)?;
        let mut options = args.waiting.of(args.gated.of(options));
        options.file = Some(pushed.name.clone());
        if !args.gated.no_check {
            let path = format!("/api/v2/choreographies/{}/check", pushed.digest);
            let display = CompileDisplay::of_robot(&robot, pushed.bytes as usize);
            let checked: CheckResult = client.ask(Method::POST, &path, None::<&()>)?;
            drop(display);
            print_check(&pushed, &checked, output)?;
            let good = checked.passes || is_allowed(&checked, &options.allow);
            passes &= good;
            if !good {
                continue;
            }
        }
        if args.start {
            let start = StartRequest {
                choreography: pushed.digest.clone(),
                options,
                at: None,
                in_s: None,
                after: None,
            };
            let _display = CompileDisplay::of_robot(&robot, pushed.bytes as usize);
            let started: Started = client.ask(Method::POST, "/api/v2/guests", Some(&start))?;
            if let Started::Loaded(loaded) = started {
                let state = if output.json {
                    None
                } else {
                    safety_state(&client)
                };
                let line = entered_or_waits(&loaded, "", state);
                let started = ReplyBody::Loaded(loaded);
                output.print(json!({ "started": started }), line)?;
            }
        }
    }
    Ok(if passes {
        VerbOutcome::Done
    } else {
        VerbOutcome::Fails
    })
}

/// Whether all failures of the check are allowed by name.
fn is_allowed(checked: &CheckResult, allow: &[String]) -> bool {
    let findings = checked.report.findings.iter();
    let mut failures = findings
        .filter(|finding| finding.severity == "failure")
        .peekable();
    failures.peek().is_some() && failures.all(|failure| allow.contains(&failure.rule))
}

fn send(
    client: &ApiClient,
    hello: &Hello,
    piece: &Piece,
    name: &str,
    args: &Args,
    output: VerbOutput,
) -> Result<PushResult> {
    let digest = digest(&piece.bytes);
    let mut headers = Vec::new();
    if let Some(key) = &args.sign {
        let ends = args.days.map(|day| now() + day * 86_400);
        let signature = secret(key)?.sign(&digest, name, &hello.robot, now(), ends);
        headers.push((SIGNATURE, network::hex::hex(signature.as_bytes())));
    }
    let bar = bar(&piece.path, piece.bytes.len(), output);
    let sent = RequestBody {
        headers,
        bytes: Bytes::copy_from_slice(&piece.bytes),
        kind: "application/wasm",
        only_reads: false,
    };
    let path = format!("/api/v2/choreographies/{digest}?name={}", encoded(name));
    let shown = bar.clone();
    let answer = client.send(Method::PUT, &path, sent, move |gone| {
        shown.set_position(gone as u64);
    });
    bar.finish_and_clear();
    Ok(serde_json::from_slice(&answer?)?)
}

/// The progress bar; drawn on a terminal only.
fn bar(path: &Path, bytes: usize, output: VerbOutput) -> ProgressBar {
    if output.json {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(bytes as u64);
    let form = "{msg} {bar:30} {bytes}/{total_bytes} {binary_bytes_per_sec}";
    bar.set_style(
        ProgressStyle::with_template(form).unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar.set_message(words::path(path));
    bar
}

fn print_pushed(pushed: &PushResult, output: VerbOutput) -> Result<()> {
    let how = if pushed.known {
        "was already stored"
    } else {
        "is stored"
    };
    let by = match &pushed.signed_by {
        Some(name) => format!(", signed by {name}"),
        None => String::new(),
    };
    let (size, digest) = (words::count(pushed.bytes), &pushed.digest);
    let line = format!("{} {how}: {size} bytes, sha256:{digest}{by}", pushed.name);
    output.print(json!({ "pushed": pushed }), line)?;
    for warning in pushed.warnings.iter().filter(|_| !output.json) {
        anstream::eprintln!("{}", words::paint(words::ODD, warning));
    }
    Ok(())
}

fn print_check(pushed: &PushResult, checked: &CheckResult, output: VerbOutput) -> Result<()> {
    let mut line = format!("{}: the robot's check passes", pushed.name);
    if !checked.passes {
        let verdict = format!("{}: the robot's check does not pass", pushed.name);
        line = words::paint(words::BAD, verdict);
        for finding in checked.report.findings.iter().take(8) {
            line += &format!("\n  {}: {}", finding.rule, finding.sentence);
        }
        line +=
            "\n  for details: `dcm-run check FILE --robot ROBOT`; to skip the check: --no-check";
    }
    output.print(json!({ "checked": checked }), line)?;
    Ok(())
}
