//! `dcm-run check`: what a show would do to a robot, told before it moves.
//!
//! `check` judges; here the verdict is put into words (`text`), into SARIF (`sarif`) and into pictures
//! (`picture`). The law: the first line says whether it passes, and everything after it can be acted on.

mod kept;
mod picture;
mod sarif;
mod text;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ::guests::CodeForm;
use anyhow::{Context, Result, bail};
use check::{Checked, Rule, Show, Terms, check};
use clap::Args as ClapArgs;
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter};
use cycle::Span;
use description::{Robot, RobotSource, load};
use socket::Wish;
use socket::places::code_folder;

use kept::KeptVerdict;

use crate::described::{ROBOT, described};
use crate::plot::Format;
use crate::run::this_program;
use crate::wish::{Piece, Wishes};
use crate::{Outcome, candidates, words};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Plays the choreography in virtual time on the simulated robot, with the same turn, limits and fuel: from \
    rest, from every pose of the description, and from postures by chance. Ends with 3 if it fails.")]
pub(crate) struct Args {
    /// The choreography, or a show that is only commands and instants (.csv, .json).
    #[arg(required_unless_present = "explain", add = ArgValueCompleter::new(candidates::pieces))]
    choreography: Option<PathBuf>,
    /// The robot: a file, or the name of a shipped one; `dcm-run config ls` lists them.
    #[arg(long, short, value_name = "ROBOT", env = ROBOT, add = ArgValueCompleter::new(candidates::descriptions))]
    robot: Option<String>,
    #[command(flatten)]
    wishes: Wishes,
    #[command(flatten)]
    judging: Judging,
    /// How long it is played at most, of the robot's time; until it ends if it is not said, and one that says that
    /// it has no end for 3 minutes.
    #[arg(long = "for", value_name = "TIME", value_parser = words::span)]
    lasting: Option<Span>,
    /// How long the check may take.
    #[arg(long, value_name = "TIME", default_value = "1min", value_parser = words::span)]
    within: Span,
    /// From how many postures by chance it is tried.
    #[arg(long, value_name = "NUMBER", default_value = "3", value_parser = clap::value_parser!(u16).range(..=1000))]
    chances: u16,
    /// The seed of those postures.
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    seed: u64,
    /// How it reaches sensors and commands: in-place or calls; as the description says if it is not said.
    #[arg(long, value_name = "FORM", value_parser = form, add = ArgValueCandidates::new(candidates::forms))]
    form: Option<CodeForm>,
    /// Draw the joints that break a rule, or all that move, into a file that ends in .svg or .png.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Draw the whole show as a strip, what breaks a rule marked, into a file that ends in .svg or .png.
    #[arg(long, value_name = "FILE")]
    strip: Option<PathBuf>,
    /// Write the verdict as SARIF, for whatever shows findings beside code; - for standard output.
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Judge it with the grant of this name; its file's if it is not said.
    #[arg(long, value_name = "NAME")]
    granted_as: Option<String>,
    /// Say what was found before, if it was judged before like this.
    #[arg(long, conflicts_with_all = ["plot", "strip", "sarif"])]
    kept: bool,
    /// Explain the rules, or one of them, and check nothing.
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "all",
          add = ArgValueCandidates::new(candidates::rules))]
    explain: Option<String>,
}

/// How strictly is judged; also for `run`.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct Judging {
    /// A rule that may be broken; may be said again. `dcm-run check --explain` lists them.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule,
          add = ArgValueCandidates::new(candidates::rules))]
    allow: Vec<Rule>,
    /// Warnings fail as well.
    #[arg(long)]
    strict: bool,
}

/// What may come in although the check would refuse it; for what is brought onto a running loop.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct Gated {
    /// A rule that it may break; may be said again. `dcm-run check --explain` lists them.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule,
          add = ArgValueCandidates::new(candidates::rules))]
    allow: Vec<Rule>,
    /// Let it in without a look at what it would do; see `dcm-run check`.
    #[arg(long)]
    pub(crate) no_check: bool,
}

impl Gated {
    /// What is wished, with that.
    pub(crate) fn of(&self, wish: Wish) -> Wish {
        Wish {
            allow: self.allow.iter().map(|it| it.name().to_owned()).collect(),
            unchecked: self.no_check,
            ..wish
        }
    }
}

fn rule(name: &str) -> Result<Rule, String> {
    Rule::named(name).ok_or_else(|| {
        let names: Vec<_> = Rule::ALL.iter().map(|it| it.name()).collect();
        format!("the rules are {}", names.join(", "))
    })
}

fn form(name: &str) -> Result<CodeForm, String> {
    [CodeForm::InPlace, CodeForm::Calls]
        .into_iter()
        .find(|it| it.name() == name)
        .ok_or_else(|| "the forms are in-place and calls".to_owned())
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    if let Some(which) = &args.explain {
        return explain(which, json);
    }
    let Some(path) = &args.choreography else {
        bail!("say which choreography");
    };
    let name = &described(args.robot.as_deref())?;
    for picture in args.plot.iter().chain(&args.strip) {
        Format::of(picture)?;
    }
    let robot = Arc::new(load(&RobotSource::of(name))?);
    let mut piece = Piece::read(path)?;
    piece.fits(&robot)?;
    piece.file = args.granted_as.clone().unwrap_or(piece.file);
    let wish = args.wishes.of(std::slice::from_ref(&piece))?.pop();
    let wish = wish.unwrap_or_default();
    let terms = Terms {
        form: args.form,
        lasting: args.lasting.map(Span::seconds),
        within: Duration::from_nanos(args.within.nanos()),
        chances: usize::from(args.chances),
        seed: args.seed,
        ..terms(&robot, wish, &args.judging)?
    };
    let kept = KeptVerdict::of(&robot, &shown(&piece), &terms);
    if args.kept
        && json
        && let Some(verdict) = kept.verdict()
    {
        anstream::println!("{verdict}");
        let passes = verdict["passes"].as_bool() == Some(true);
        return Ok(if passes {
            Outcome::Done
        } else {
            Outcome::Fails
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
            fs::write(file, log).with_context(|| format!("writing {}", file.display()))?;
        }
    }
    if json {
        anstream::println!("{}", serde_json::to_string(&checked.verdict)?);
    } else if !silent {
        anstream::print!("{}", text::whole(&checked.verdict));
    }
    Ok(if checked.verdict.passes {
        Outcome::Done
    } else {
        Outcome::Fails
    })
}

/// How a piece is judged for which this is wished.
fn terms(robot: &Robot, wish: Wish, judging: &Judging) -> Result<Terms> {
    Ok(Terms {
        wishes: robot::socket::wishes(robot, wish)?,
        allowed: judging.allow.clone(),
        strict: judging.strict,
        compiler: Some(this_program()?),
        code: code_folder(),
        ..Terms::default()
    })
}

fn judge(robot: &Arc<Robot>, piece: &Piece, terms: &Terms) -> Result<Checked> {
    check(robot, &shown(piece), terms).map_err(|why| anyhow::anyhow!(why))
}

fn shown(piece: &Piece) -> Show<'_> {
    Show {
        name: &piece.file,
        bytes: &piece.bytes,
    }
}

/// Judges what shall be played, before it is; whether it may. What stands against it is told.
pub(crate) fn before(
    robot: &Arc<Robot>,
    piece: &Piece,
    wish: Wish,
    judging: &Judging,
    json: bool,
) -> Result<bool> {
    let terms = terms(robot, wish, judging)?;
    let kept = KeptVerdict::of(robot, &shown(piece), &terms);
    let horizon = |it: f64| {
        if !json {
            anstream::eprintln!(
                "dcm-run: {} was looked at for its first {it:.0} s, and goes on after that",
                piece.path.display()
            );
        }
    };
    if let Some(verdict) = kept.verdict().filter(|it| it["passes"] == true) {
        let says_so = verdict["facts"]["loops"] == true;
        verdict["horizon"]
            .as_f64()
            .filter(|_| !says_so)
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
    if json {
        anstream::eprintln!("{}", serde_json::to_string(&verdict)?);
        return Ok(false);
    }
    anstream::eprint!("{}", text::refusal(&verdict));
    anstream::eprintln!(
        "dcm-run: {} is not played; fix it, or allow a rule by its name (--allow {}), or play it unchecked \
         (--no-check)",
        piece.path.display(),
        verdict.findings.first().map_or("RULE", |it| it.rule.name()),
    );
    Ok(false)
}

fn explain(which: &str, json: bool) -> Result<Outcome> {
    let rules = match which {
        "all" => Rule::ALL.to_vec(),
        name => vec![rule(name).map_err(|why| anyhow::anyhow!("`{name}` is no rule; {why}"))?],
    };
    for rule in rules {
        if json {
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
    Ok(Outcome::Done)
}
