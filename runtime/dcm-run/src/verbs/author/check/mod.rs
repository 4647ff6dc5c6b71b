//! `dcm-run check`: checks what a choreography would do to a robot, before the robot moves.
//!
//! `check` judges; here the verdict is printed as text (`text`) or SARIF (`sarif`), drawn (`picture`), and
//! stored (`cache`). The first line says whether it passes, and every finding has a fix.

mod cache;
mod picture;
mod sarif;
mod text;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ::guests::{CodeForm, Compiler};
use anyhow::{Result, bail};
use check::{CheckInput, CheckOptions, CheckReport, Rule, check};
use clap::Args as ClapArgs;
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter};
use cycle::Span;
use description::{Robot, RobotSource, load};
use protocol::GuestOptions;
use protocol::places::code_folder;
use robot::guest_policy::grant_wasi;
use robot::guest_service::cache_in;

use cache::CachedVerdict;

use crate::choreography::guest_options::{GuestOptionArgs, Piece};
use crate::choreography::motion_file::MotionArgs;
use crate::process::this_program;
use crate::session::body_args::BodyArgs;
use crate::session::compile_display::CompileDisplay;
use crate::session::described::{ROBOT, described};
use crate::text::errors;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
use crate::verbs::candidates;
use crate::verbs::watch::plot::format_of;

/// The niceness of a check beside a loop, which comes first.
const NICENESS: i32 = 5;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Plays the choreography in virtual time on the simulated robot, with the same turn, limits and fuel: from rest, \
    from every pose of the description, and from random postures. Exits with 3 if it fails.")]
pub(crate) struct Args {
    /// The choreography, a file or the name of a shipped one; or the file of a motion (.csv, .motion, .mot, …).
    #[arg(required_unless_present = "explain", add = ArgValueCompleter::new(candidates::pieces))]
    choreography: Option<PathBuf>,
    /// The robot: a file, or a shipped robot, which `dcm-run config ls` lists.
    #[arg(long, short, value_name = "ROBOT", env = ROBOT, add = ArgValueCompleter::new(candidates::descriptions))]
    robot: Option<String>,
    #[command(flatten)]
    options: GuestOptionArgs,
    #[command(flatten)]
    motions: MotionArgs,
    #[command(flatten)]
    judging: CheckArgs,
    /// The longest time to play, in the robot's time; default: until it ends, or 3 minutes if it declares that it
    /// loops.
    #[arg(long = "for", value_name = "TIME", value_parser = words::duration)]
    lasting: Option<Span>,
    #[command(flatten)]
    body: BodyArgs,
    /// The time limit of the check.
    #[arg(long, value_name = "TIME", default_value = "1min", value_parser = words::duration)]
    within: Span,
    /// The number of random postures to start from.
    #[arg(long, value_name = "NUMBER", default_value = "3", value_parser = clap::value_parser!(u16).range(..=1000))]
    chances: u16,
    /// The seed of the random postures.
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    seed: u64,
    /// How it accesses sensors and commands: in-place or calls; default: the description's.
    #[arg(long, value_name = "FORM", value_parser = form, add = ArgValueCandidates::new(candidates::forms))]
    form: Option<CodeForm>,
    /// Draw the joints that break a rule, or those that move most, into a file (.svg, .png).
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Draw the whole show as a strip, with broken rules marked, into a file (.svg, .png).
    #[arg(long, value_name = "FILE")]
    strip: Option<PathBuf>,
    /// Write the verdict as SARIF, for editors and code hosts; - for standard output.
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Use the grant of this name; default: the file's name.
    #[arg(long, value_name = "NAME")]
    granted_as: Option<String>,
    /// Grant it clocks and random numbers of WASI, as a simulation with --wasi does.
    #[arg(long)]
    wasi: bool,
    /// Print the stored verdict, if the same check was made before.
    #[arg(long, conflicts_with_all = ["plot", "strip", "sarif"])]
    kept: bool,
    /// Give way to others a little: it is checked beside a loop.
    #[arg(long, hide = true)]
    beside_loop: bool,
    /// Explain one rule, or all, and exit.
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "all",
          add = ArgValueCandidates::new(candidates::rules))]
    explain: Option<String>,
}

/// How strict the check is; also for `run`.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct CheckArgs {
    /// Allow a rule to be broken; may be given several times. `dcm-run check --explain` lists the rules.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule,
          add = ArgValueCandidates::new(candidates::rules))]
    allow: Vec<Rule>,
    /// Treat warnings as failures.
    #[arg(long)]
    strict: bool,
}

/// What is let in although the check fails; for what is loaded onto a running loop.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct GateArgs {
    /// Allow a rule to be broken; may be given several times. `dcm-run check --explain` lists the rules.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule,
          add = ArgValueCandidates::new(candidates::rules))]
    allow: Vec<Rule>,
    /// Skip the check; see `dcm-run check`.
    #[arg(long)]
    pub(crate) no_check: bool,
}

impl GateArgs {
    /// The same, for a check in this process.
    pub(crate) fn judging(&self) -> CheckArgs {
        CheckArgs {
            allow: self.allow.clone(),
            strict: false,
        }
    }

    /// Adds these options to those of a guest.
    pub(crate) fn of(&self, options: GuestOptions) -> GuestOptions {
        GuestOptions {
            allow: self
                .allow
                .iter()
                .map(|item| item.name().to_owned())
                .collect(),
            unchecked: self.no_check,
            ..options
        }
    }
}

fn rule(name: &str) -> Result<Rule, String> {
    Rule::named(name).ok_or_else(|| {
        let names: Vec<_> = Rule::ALL.iter().map(|item| item.name()).collect();
        format!("the rules are {}", names.join(", "))
    })
}

fn form(name: &str) -> Result<CodeForm, String> {
    [CodeForm::InPlace, CodeForm::Calls]
        .into_iter()
        .find(|item| item.name() == name)
        .ok_or_else(|| "the forms are in-place and calls".to_owned())
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    if let Some(which) = &args.explain {
        return explain(which, output);
    }
    if args.beside_loop {
        // An absolute value: added to that of the server's thread, it would starve the check on a busy machine, and
        // somebody waits for the verdict. Where only root may set it, the caller's niceness is kept.
        let _ = rustix::process::setpriority_process(None, NICENESS);
    }
    let Some(path) = &args.choreography else {
        bail!("no choreography given; fix: `dcm-run check show.wasm --robot nao`");
    };
    for picture in args.plot.iter().chain(&args.strip) {
        format_of(picture)?;
    }
    let robot = Arc::new(robot_of(args)?);
    let mut piece = Piece::read(path, &args.motions)?;
    piece.fit(&robot)?;
    piece.file = args.granted_as.clone().unwrap_or(piece.file);
    let options = args.options.of(std::slice::from_ref(&piece))?.pop();
    let options = options.unwrap_or_default();
    let terms = CheckOptions {
        form: args.form,
        play_for: args.lasting.map(Span::seconds),
        time_limit: Duration::from_nanos(args.within.nanos()),
        random_postures: usize::from(args.chances),
        seed: args.seed,
        ..terms(&robot, options, &args.judging)?
    };
    let kept = CachedVerdict::of(&robot, &shown(&piece), &terms);
    if args.kept
        && output.json
        && let Some((verdict, text)) = kept.verdict()
    {
        anstream::println!("{text}");
        return Ok(if verdict.passes {
            VerbOutcome::Done
        } else {
            VerbOutcome::Fails
        });
    }
    let checked = judge(&robot, &piece, &terms)?;
    kept.keep(&checked.verdict);
    if let Some(file) = &args.plot {
        picture::joints(&robot, &checked, file)?;
    }
    if let Some(file) = &args.strip {
        picture::strip(&robot, &checked, file)?;
    }
    let mut silent = false;
    if let Some(file) = &args.sarif {
        let log = format!("{:#}\n", sarif::log(&checked.verdict, path));
        silent = file.as_os_str() == "-";
        if silent {
            anstream::print!("{log}");
        } else {
            errors::write(file, log)?;
        }
    }
    if output.json {
        anstream::println!("{}", serde_json::to_string(&checked.verdict)?);
    } else if !silent {
        anstream::print!("{}", text::whole(&checked.verdict));
    }
    Ok(if checked.verdict.passes {
        VerbOutcome::Done
    } else {
        VerbOutcome::Fails
    })
}

/// The terms of the check for a piece with these options.
fn terms(robot: &Robot, options: GuestOptions, judging: &CheckArgs) -> Result<CheckOptions> {
    Ok(CheckOptions {
        load: robot::socket::load_options(robot, options)?,
        allowed: judging.allow.clone(),
        strict: judging.strict,
        compiler: Compiler::child(this_program()?),
        cache: cache_in(code_folder().as_deref()).0,
        ..CheckOptions::default()
    })
}

fn judge(robot: &Arc<Robot>, piece: &Piece, terms: &CheckOptions) -> Result<CheckReport> {
    let _display = CompileDisplay::here();
    check(robot, &shown(piece), terms).map_err(|why| anyhow::anyhow!(why))
}

fn shown(piece: &Piece) -> CheckInput<'_> {
    CheckInput {
        name: &piece.file,
        bytes: &piece.bytes,
    }
}

/// Checks a piece before it is played, and prints the findings if it may not play.
pub(crate) fn before(
    robot: &Arc<Robot>,
    piece: &Piece,
    options: GuestOptions,
    judging: &CheckArgs,
    output: VerbOutput,
) -> Result<bool> {
    let terms = terms(robot, options, judging)?;
    let kept = CachedVerdict::of(robot, &shown(piece), &terms);
    let horizon = |value: f64| {
        if !output.json {
            anstream::eprintln!(
                "dcm-run: only the first {value:.0} s of {} were checked; it plays on after that",
                words::path(&piece.path)
            );
        }
    };
    if let Some((verdict, _)) = kept.verdict().filter(|(item, _)| item.passes) {
        verdict
            .horizon
            .filter(|_| !verdict.facts.loops)
            .into_iter()
            .for_each(horizon);
        return Ok(true);
    }
    let verdict = judge(robot, piece, &terms)?.verdict;
    kept.keep(&verdict);
    if verdict.passes {
        verdict
            .horizon
            .filter(|_| !verdict.facts.loops)
            .into_iter()
            .for_each(horizon);
        return Ok(true);
    }
    if output.json {
        anstream::eprintln!("{}", serde_json::to_string(&verdict)?);
        return Ok(false);
    }
    anstream::eprint!("{}", text::refusal(&verdict));
    anstream::eprintln!(
        "dcm-run: {} is not played; fix: correct it, or allow the rule (--allow {}), or skip the check (--no-check)",
        words::path(&piece.path),
        verdict
            .findings
            .first()
            .map_or("RULE", |finding| finding.rule.name()),
    );
    Ok(false)
}

/// The robot that the check is for.
fn robot_of(args: &Args) -> Result<Robot> {
    let name = described(args.robot.as_deref())?;
    let mut robot = load(&RobotSource::of(&name))?;
    args.body.apply(&mut robot)?;
    if args.wasi {
        grant_wasi(&mut robot);
    }
    Ok(robot)
}

fn explain(which: &str, output: VerbOutput) -> Result<VerbOutcome> {
    let rules = match which {
        "all" => Rule::ALL.to_vec(),
        name => vec![rule(name).map_err(|why| anyhow::anyhow!("`{name}` is not a rule; {why}"))?],
    };
    for rule in rules {
        if output.json {
            anstream::println!(
                "{}",
                serde_json::json!({
                    "rule": rule.name(), "severity": rule.severity().name(), "title": rule.title(),
                    "explanation": rule.explanation(),
                })
            );
        } else {
            anstream::print!("{}", text::explained(rule));
        }
    }
    Ok(VerbOutcome::Done)
}
