//! `tokens`, `take-over`, `audit`: access rights, control, and the audit log.
//! The law: a token is printed once, when it is made.

use std::io::Write;

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};
use hyper::Method;
use protocol::AccessRole;
use protocol::guests::Confirmation;
use protocol::people::{AuditEntries, ControlHolder, NewToken, TokenInfo, TokenRequest};
use serde_json::json;

use super::date;
use super::store::say;
use crate::session::robot_args::RobotArgs;
use crate::session::server::reach;
use crate::verbs::VerbOutcome;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Programs and people show a token to get access. A token is printed only once, when it is created.")]
pub(crate) struct TokensArgs {
    #[command(flatten)]
    which: RobotArgs,
    #[command(subcommand)]
    verb: Option<TokensVerb>,
}

#[derive(Debug, Subcommand)]
enum TokensVerb {
    /// List the tokens.
    Ls {
        #[command(flatten)]
        which: RobotArgs,
    },
    /// Create a token.
    Make {
        /// The name of its owner.
        name: String,
        /// Its role: watch, perform, author or operate.
        #[arg(long, value_name = "ROLE", value_parser = role)]
        role: AccessRole,
        /// The days until it expires; 0 for never.
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u64).range(..=super::DAYS_MAX))]
        days: Option<u64>,
        #[command(flatten)]
        which: RobotArgs,
    },
    /// Revoke a token.
    Revoke {
        /// The number of the token.
        number: u32,
        #[command(flatten)]
        which: RobotArgs,
    },
}

impl TokensArgs {
    /// The robot, which may be named before the subverb or behind it.
    fn robot(&self) -> &RobotArgs {
        match &self.verb {
            Some(
                TokensVerb::Ls { which }
                | TokensVerb::Make { which, .. }
                | TokensVerb::Revoke { which, .. },
            ) if which.robot.is_some() => which,
            _ => &self.which,
        }
    }
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Whoever moved the robot last has control for a minute.")]
pub(crate) struct LeaseArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// Give control back instead.
    #[arg(long)]
    give_back: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Prints the newest entry last.")]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The number of entries.
    #[arg(long, short, default_value_t = 50)]
    number: usize,
}

pub(super) fn role(word: &str) -> Result<AccessRole, String> {
    AccessRole::of(word).ok_or_else(|| {
        let words: Vec<_> = AccessRole::ALL.iter().map(|it| it.word()).collect();
        format!("the roles are {}", words.join(", "))
    })
}

pub(crate) fn tokens(args: &TokensArgs, json: bool) -> Result<VerbOutcome> {
    let (_, client) = reach(args.robot())?;
    let mut out = anstream::stdout().lock();
    match &args.verb {
        None | Some(TokensVerb::Ls { .. }) => {
            let tokens: Vec<TokenInfo> = client.get("/api/v2/tokens")?;
            for it in &tokens {
                if json {
                    writeln!(out, "{}", json!(it))?;
                    continue;
                }
                let ends = it.ends.map_or_else(|| "never".to_owned(), date);
                let (made, role) = (date(it.made), it.role.word());
                writeln!(
                    out,
                    "{:>3}  {role:<8} made {made}  ends {ends}  {}",
                    it.number, it.name
                )?;
            }
            if tokens.is_empty() && !json {
                writeln!(
                    out,
                    "no tokens; fix: `dcm-run tokens make NAME --role ROLE`, or `dcm-run pair`"
                )?;
            }
        }
        Some(TokensVerb::Make {
            name, role, days, ..
        }) => {
            let make = TokenRequest {
                name: name.clone(),
                role: *role,
                days: *days,
            };
            let made: NewToken = client.ask(Method::POST, "/api/v2/tokens", Some(&make))?;
            if json {
                writeln!(out, "{}", json!(made))?;
            } else {
                writeln!(out, "{}", made.token)?;
                anstream::eprintln!(
                    "the token is shown only once; its number is {}",
                    made.about.number
                );
            }
        }
        Some(TokensVerb::Revoke { number, .. }) => {
            let path = format!("/api/v2/tokens/{number}");
            client.ask::<Confirmation>(Method::DELETE, &path, None::<&()>)?;
            drop(out);
            say(
                json,
                json!({ "revoked": number }),
                &format!("token {number} is revoked"),
            )?;
        }
    }
    Ok(VerbOutcome::Done)
}

pub(crate) fn take_over(args: &LeaseArgs, json: bool) -> Result<VerbOutcome> {
    let (name, client) = reach(&args.which)?;
    let (method, what) = if args.give_back {
        (Method::DELETE, "given back")
    } else {
        (Method::PUT, "yours")
    };
    let held: ControlHolder = client.ask(method, "/api/v2/lease", None::<&()>)?;
    say(json, json!(held), &format!("control of {name} is {what}"))?;
    Ok(VerbOutcome::Done)
}

pub(crate) fn audit(args: &AuditArgs, json: bool) -> Result<VerbOutcome> {
    let (_, client) = reach(&args.which)?;
    let entries: AuditEntries = client.get(&format!("/api/v2/audit?most={}", args.number))?;
    let mut out = anstream::stdout().lock();
    for it in &entries.acts {
        if json {
            writeln!(out, "{}", json!(it))?;
        } else {
            let at = date(it.at);
            let rights = match (it.token, it.role) {
                (Some(token), Some(role)) => format!(" (token {token}, {})", role.word()),
                (Some(token), None) => format!(" (token {token})"),
                (None, Some(role)) => format!(" ({})", role.word()),
                (None, None) => String::new(),
            };
            writeln!(
                out,
                "{at}  {}{rights}  {}  {}  {}",
                it.who, it.from, it.act, it.outcome
            )?;
        }
    }
    if entries.passed_over > 0 {
        anstream::eprintln!(
            "the log dropped {} attempts without a token",
            entries.passed_over
        );
    }
    if entries.lost > 0 {
        anstream::eprintln!(
            "{} acts could not be logged; fix: check the robot's disk",
            entries.lost
        );
    }
    Ok(VerbOutcome::Done)
}
