//! `pair`, `tokens`, `take-over`, `audit`: who may what, who holds control, and what was done.

use std::io::{BufRead, Write};

use anyhow::{Context, Result, bail};
use api::client::{Address, ApiClient, KnownRobot, KnownRobots};
use api::guests::Confirmation;
use api::people::{
    AuditEntries, ControlHolder, NewToken, PairRequest, PairingCode, PairingRequest, TokenInfo,
    TokenRequest,
};
use api::robot::Hello;
use api::role::AccessRole;
use clap::{Args as ClapArgs, Subcommand};
use hyper::Method;
use serde_json::json;

use super::date;
use super::place::{in_network, stranger};
use super::reach;
use super::store::say;
use crate::Outcome;
use crate::reach::Which;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    On the robot itself, --show prints a new code. Elsewhere: `dcm-run pair HOST:PORT`, which asks for the code; \
    the robot is known from then on by its name, its certificate by its fingerprint.")]
pub(crate) struct PairArgs {
    /// Where the robot is: `host:port`, or its name in the network; with --show its name on this machine.
    #[arg(value_name = "ROBOT")]
    robot: Option<String>,
    /// The code; asked for if it is not said.
    #[arg(long, value_name = "DIGITS")]
    code: Option<String>,
    /// Who you are; $USER if it is not said.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Show a new code on this machine's robot.
    #[arg(long)]
    show: bool,
    /// What the code allows: watch, perform, author or operate.
    #[arg(long, value_name = "ROLE", default_value = "operate", value_parser = role, requires = "show")]
    role: AccessRole,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Tokens are what programs and people show; what one is is told when it is made, and never again.")]
pub(crate) struct TokensArgs {
    #[command(flatten)]
    which: Which,
    #[command(subcommand)]
    verb: Option<TokensVerb>,
}

#[derive(Debug, Subcommand)]
enum TokensVerb {
    /// Lists them.
    Ls,
    /// Makes one.
    Make {
        /// For whom.
        name: String,
        /// What it allows: watch, perform, author or operate.
        #[arg(long, value_name = "ROLE", value_parser = role)]
        role: AccessRole,
        /// After how many days it ends; 0 for never.
        #[arg(long, value_name = "DAYS")]
        days: Option<u64>,
    },
    /// Takes one back.
    Revoke {
        /// Its number.
        number: u32,
    },
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Whoever moved the robot last holds control for a minute.")]
pub(crate) struct LeaseArgs {
    #[command(flatten)]
    which: Which,
    /// Give it back instead.
    #[arg(long)]
    give_back: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "The newest last.")]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    which: Which,
    /// How many.
    #[arg(long, short, default_value_t = 50)]
    number: usize,
}

fn role(word: &str) -> Result<AccessRole, String> {
    AccessRole::of(word).ok_or_else(|| {
        let words: Vec<_> = AccessRole::ALL.iter().map(|it| it.word()).collect();
        format!("the roles are {}", words.join(", "))
    })
}

pub(crate) fn pair(args: &PairArgs, json: bool) -> Result<Outcome> {
    if args.show {
        let which = Which {
            robot: args.robot.clone(),
        };
        let (_, client) = reach(&which)?;
        let code: PairingCode = client.ask(
            Method::POST,
            "/api/v1/pairing",
            Some(&PairingRequest { role: args.role }),
        )?;
        let line = format!(
            "{}  is the code for {} s; whoever types it may {}",
            code.code,
            code.for_s,
            code.role.word()
        );
        say(json, json!(code), &line)?;
        return Ok(Outcome::Done);
    }
    let Some(robot) = &args.robot else {
        bail!(
            "say where the robot is: `dcm-run pair HOST:7878`; `dcm-run robots` finds those in the network"
        );
    };
    let address = match robot.contains(':') {
        true => robot.clone(),
        false => match in_network(robot)? {
            Some(Address::Tls(address, _) | Address::Plain(address)) => address,
            _ => bail!(
                "no robot of the network is called `{robot}`; fix: say its address: `dcm-run pair {robot}:7878`"
            ),
        },
    };
    let (client, hello) = greet(&address)?;
    let fingerprint = client.shown();
    if let Some(it) = &fingerprint {
        anstream::eprintln!("the robot {} shows the certificate {it}", hello.name);
    }
    let code = match &args.code {
        Some(code) => code.clone(),
        None => ask(&format!("the code that {} shows: ", hello.name))?,
    };
    // The code goes to the one that was just seen, and to nobody else.
    let client = match &fingerprint {
        Some(it) => ApiClient::new(Address::Tls(address.clone(), Some(it.clone())), None)?,
        None => client,
    };
    let user = std::env::var("USER").unwrap_or_else(|_| "somebody".to_owned());
    let name = args.name.clone().unwrap_or(user);
    let made: NewToken = client.ask(
        Method::POST,
        "/api/v1/pair",
        Some(&PairRequest { code, name }),
    )?;
    let mut known = KnownRobots::load().map_err(|why| anyhow::anyhow!(why))?;
    let robot = KnownRobot {
        address: address.clone(),
        fingerprint,
        token: Some(made.token),
    };
    let name = known_as(&known, &hello.name, &robot);
    known.0.insert(name.clone(), robot);
    let path = known.save().map_err(|why| anyhow::anyhow!(why))?;
    let line = format!(
        "you are known to {name} now, and may {}: {} has the token",
        made.about.role.word(),
        path.display()
    );
    say(json, json!({ "paired": name, "about": made.about }), &line)?;
    Ok(Outcome::Done)
}

/// The name under which a robot is known here: its own, unless another robot has it already.
fn known_as(known: &KnownRobots, name: &str, robot: &KnownRobot) -> String {
    let is_same = |it: &KnownRobot| match (&it.fingerprint, &robot.fingerprint) {
        (Some(one), Some(other)) => one == other,
        _ => it.address == robot.address,
    };
    let numbered = (2..).map(|it| format!("{name}-{it}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let free = names.find(|it| known.0.get(it).is_none_or(is_same));
    // There is always another number.
    free.unwrap_or_else(|| name.to_owned())
}

/// Who is at this address: on this machine perhaps without TLS.
fn greet(address: &str) -> Result<(ApiClient, Hello)> {
    let client = ApiClient::new(stranger(address), None)?;
    match client.get("/api/v1/hello") {
        Ok(hello) => Ok((client, hello)),
        Err(why) => {
            let client = ApiClient::new(Address::Tls(address.to_owned(), None), None)?;
            // What is told is why the first way did not lead there.
            let hello = client.get("/api/v1/hello").map_err(|_| why)?;
            Ok((client, hello))
        }
    }
}

fn ask(question: &str) -> Result<String> {
    anstream::eprint!("{question}");
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .context("reading the code")?;
    Ok(line.trim().to_owned())
}

pub(crate) fn tokens(args: &TokensArgs, json: bool) -> Result<Outcome> {
    let (_, client) = reach(&args.which)?;
    let mut out = anstream::stdout().lock();
    match &args.verb {
        None | Some(TokensVerb::Ls) => {
            let tokens: Vec<TokenInfo> = client.get("/api/v1/tokens")?;
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
                    "there are none; fix: `dcm-run tokens make NAME --role ROLE`, or `dcm-run pair`"
                )?;
            }
        }
        Some(TokensVerb::Make { name, role, days }) => {
            let make = TokenRequest {
                name: name.clone(),
                role: *role,
                days: *days,
            };
            let made: NewToken = client.ask(Method::POST, "/api/v1/tokens", Some(&make))?;
            if json {
                writeln!(out, "{}", json!(made))?;
            } else {
                writeln!(out, "{}", made.token)?;
                anstream::eprintln!("this is told this once; it is token {}", made.about.number);
            }
        }
        Some(TokensVerb::Revoke { number }) => {
            let path = format!("/api/v1/tokens/{number}");
            client.ask::<Confirmation>(Method::DELETE, &path, None::<&()>)?;
            drop(out);
            say(
                json,
                json!({ "revoked": number }),
                &format!("token {number} is taken back"),
            )?;
        }
    }
    Ok(Outcome::Done)
}

pub(crate) fn take_over(args: &LeaseArgs, json: bool) -> Result<Outcome> {
    let (name, client) = reach(&args.which)?;
    let (method, what) = if args.give_back {
        (Method::DELETE, "given back")
    } else {
        (Method::PUT, "yours")
    };
    let held: ControlHolder = client.ask(method, "/api/v1/lease", None::<&()>)?;
    say(json, json!(held), &format!("control of {name} is {what}"))?;
    Ok(Outcome::Done)
}

pub(crate) fn audit(args: &AuditArgs, json: bool) -> Result<Outcome> {
    let (_, client) = reach(&args.which)?;
    let log: AuditEntries = client.get(&format!("/api/v1/audit?most={}", args.number))?;
    let mut out = anstream::stdout().lock();
    for it in &log.acts {
        if json {
            writeln!(out, "{}", json!(it))?;
            continue;
        }
        let at = date(it.at);
        writeln!(
            out,
            "{at}  {}  {}  {}  {}",
            it.who, it.from, it.act, it.outcome
        )?;
    }
    if log.passed_over > 0 {
        anstream::eprintln!(
            "strangers have tried {} more things than the log has room for",
            log.passed_over
        );
    }
    if log.lost > 0 {
        anstream::eprintln!(
            "{} acts could not be written down: look after the robot's disk",
            log.lost
        );
    }
    Ok(Outcome::Done)
}

#[cfg(test)]
mod tests {
    use api::client::{KnownRobot, KnownRobots};

    use super::known_as;

    #[test]
    fn a_robot_keeps_its_name_and_another_of_that_name_gets_its_own() {
        let robot = |address: &str, shown: &str| KnownRobot {
            address: address.to_owned(),
            fingerprint: Some(shown.to_owned()),
            token: None,
        };
        let mut known = KnownRobots::default();
        let (one, other) = (robot("a:1", "11"), robot("b:1", "22"));
        assert_eq!(known_as(&known, "nao", &one), "nao");
        known.0.insert("nao".to_owned(), one.clone());
        assert_eq!(
            known_as(&known, "nao", &robot("c:1", "11")),
            "nao",
            "it has moved"
        );
        assert_eq!(known_as(&known, "nao", &other), "nao-2");
        known.0.insert("nao-2".to_owned(), other.clone());
        assert_eq!(known_as(&known, "nao", &other), "nao-2");
    }
}
