//! `tokens`, `take-over`, `audit`: access rights, control, and the audit log.
//! A token is printed once, when it is made.

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};
use hyper::Method;
use printable::printable;
use protocol::AccessRole;
use protocol::guests::Confirmation;
use protocol::people::{AuditEntries, ControlHolder, NewToken, TokenInfo, TokenRequest};
use serde_json::json;

use super::date;
use crate::session::robot_args::RobotArgs;
use crate::session::server::reach;
use crate::text::output::{VerbOutcome, VerbOutput};

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
        let words: Vec<_> = AccessRole::ALL.iter().map(|item| item.word()).collect();
        format!("the roles are {}", words.join(", "))
    })
}

pub(crate) fn tokens(args: &TokensArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let (_, client) = reach(args.robot())?;
    match &args.verb {
        None | Some(TokensVerb::Ls { .. }) => {
            let tokens: Vec<TokenInfo> = client.get("/api/v2/tokens")?;
            let none = "no tokens; fix: `dcm-run tokens make NAME --role ROLE`, or `dcm-run pair`";
            output.list(&tokens, "", none, |token| {
                let ends = token.ends.map_or_else(|| "never".to_owned(), date);
                let (number, role, made) = (token.number, token.role.word(), date(token.made));
                format!(
                    "{number:>3}  {role:<8} made {made}  ends {ends}  {}",
                    printable(&token.name)
                )
            })
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
            output.print(&made, &made.token)?;
            if !output.json {
                let number = made.about.number;
                anstream::eprintln!("the token is shown only once; its number is {number}");
            }
            Ok(VerbOutcome::Done)
        }
        Some(TokensVerb::Revoke { number, .. }) => {
            let path = format!("/api/v2/tokens/{number}");
            client.ask::<Confirmation>(Method::DELETE, &path, None::<&()>)?;
            let line = format!("token {number} is revoked");
            output.print(json!({ "revoked": number }), line)
        }
    }
}

pub(crate) fn take_over(args: &LeaseArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let (name, client) = reach(&args.which)?;
    let (method, what) = if args.give_back {
        (Method::DELETE, "given back")
    } else {
        (Method::PUT, "yours")
    };
    let held: ControlHolder = client.ask(method, "/api/v2/lease", None::<&()>)?;
    output.print(json!(held), format!("control of {name} is {what}"))
}

pub(crate) fn audit(args: &AuditArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let (_, client) = reach(&args.which)?;
    let entries: AuditEntries = client.get(&format!("/api/v2/audit?most={}", args.number))?;
    output.list(&entries.acts, "", "", |act| {
        let rights = match (act.token, act.role) {
            (Some(token), Some(role)) => format!(" (token {token}, {})", role.word()),
            (Some(token), None) => format!(" (token {token})"),
            (None, Some(role)) => format!(" ({})", role.word()),
            (None, None) => String::new(),
        };
        let (at, who, from) = (date(act.at), &act.who, &act.from);
        let line = format!("{at}  {who}{rights}  {from}  {}  {}", act.act, act.outcome);
        printable(&line).into_owned()
    })?;
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
