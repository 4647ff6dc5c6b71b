//! `pair`: shows a pairing code, or pairs with a robot by one.
//! A pairing code is never sent; it is proved to the robot whose certificate was just seen.

use std::io::BufRead;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use hyper::Method;
use network::client::{Address, ApiClient, KnownRobot, KnownRobots};
use network::hex::{hex, unhex};
use network::pairing::OpenExchange;
use protocol::AccessRole;
use protocol::people::{
    NewToken, PairAnswer, PairExchange, PairProof, PairingCode, PairingRequest,
};
use protocol::robot::Hello;
use serde_json::json;

use super::people::role;
use crate::process::as_name;
use crate::session::robot_args::{RobotArgs, loops, without_scheme};
use crate::session::server::{in_network, reach, stranger};
use crate::text::output::{VerbOutcome, VerbOutput};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    On the robot, --show prints a new code. Elsewhere, `dcm-run pair HOST:PORT` asks for the code; from then on the \
    robot is known by its name, and its certificate by its fingerprint.")]
pub(crate) struct PairArgs {
    /// The robot: `host:port`, or its name in the network; with --show, its name on this machine.
    #[arg(value_name = "ROBOT", value_parser = without_scheme)]
    robot: Option<String>,
    /// The code; default: ask for it.
    #[arg(long, value_name = "DIGITS")]
    code: Option<String>,
    /// Your name; default: $USER.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Show a new code of the robot on this machine.
    #[arg(long)]
    show: bool,
    /// With --show: the robot on this machine; default: the only one.
    #[arg(id = "shown", long = "robot", short = 'r', value_name = "NAME", requires = "show", conflicts_with = "robot",
          add = ArgValueCandidates::new(loops))]
    shown: Option<String>,
    /// The role that the code gives: watch, perform, author or operate.
    #[arg(long, value_name = "ROLE", default_value = "operate", value_parser = role, requires = "show")]
    role: AccessRole,
}

pub(crate) fn pair(args: &PairArgs, output: VerbOutput) -> Result<VerbOutcome> {
    if args.show {
        let which = RobotArgs {
            robot: args.shown.clone().or_else(|| args.robot.clone()),
        };
        let (_, client) = reach(&which)?;
        let code: PairingCode = client.ask(
            Method::POST,
            "/api/v2/pairing",
            Some(&PairingRequest { role: args.role }),
        )?;
        let certificate = code.certificate.as_ref();
        let certificate = certificate.map_or_else(String::new, |certificate| {
            format!("\ncertificate: {certificate}")
        });
        let line = format!(
            "pairing code: {} (role {}, {} s){certificate}",
            code.code,
            code.role.word(),
            code.for_s
        );
        return output.print(json!(code), line);
    }
    let address = address_of(args)?;
    let (client, hello) = greet(&address)?;
    let fingerprint = client.shown();
    if let Some(fingerprint) = &fingerprint {
        anstream::eprintln!(
            "the robot {} shows the certificate {fingerprint}",
            hello.name
        );
    }
    let code = match &args.code {
        Some(code) => code.clone(),
        None => ask(&format!("the code that {} shows: ", hello.name))?,
    };
    // What follows goes to the server whose certificate was just seen, and to no other.
    let client = match &fingerprint {
        Some(fingerprint) => ApiClient::new(
            Address::Tls(address.clone(), Some(fingerprint.clone())),
            None,
        )?,
        None => client,
    };
    let user = std::env::var("USER").unwrap_or_default();
    let name = args.name.clone().unwrap_or_else(|| owner_name(&user));
    let made = exchange(&client, &code, fingerprint.as_deref(), &name)?;
    let mut known = KnownRobots::load().map_err(|why| anyhow::anyhow!(why))?;
    let told_fingerprint = hello.fingerprint.filter(|_| fingerprint.is_none());
    let robot = KnownRobot {
        address: address.clone(),
        fingerprint,
        told_fingerprint,
        token: Some(made.token),
    };
    let name = known_as(&known, &hello.name, &robot);
    let before = known.0.insert(name.clone(), robot);
    let path = known.save().map_err(|why| anyhow::anyhow!(why))?;
    let line = format!(
        "paired with {name} as {}; the token is in {}{}",
        made.about.role.word(),
        path.display(),
        note_of(&hello.name, &name, before.as_ref(), &address),
    );
    output.print(json!({ "paired": name, "about": made.about }), line)
}

/// Pairs by a key exchange. Whoever stands in between has another certificate, and learns nothing.
fn exchange(
    client: &ApiClient,
    code: &str,
    certificate: Option<&str>,
    name: &str,
) -> Result<NewToken> {
    let (open, message) = OpenExchange::begin(code, certificate);
    let message = hex(&message);
    let begin = PairExchange { message };
    let reply: PairAnswer = client.ask(Method::POST, "/api/v2/pair/exchange", Some(&begin))?;
    let bytes = |text: &str| unhex(text).unwrap_or_default();
    let key = open
        .finish(&bytes(&reply.message))
        .filter(|key| key.proves_robot(&bytes(&reply.proof)));
    let Some(key) = key else {
        bail!(
            "wrong code, or another server stands between you and the robot; nothing was sent to it that helps it; \
             fix: read the code again; if it is right, compare the certificate with the one that \
             `dcm-run pair --show` prints on the robot"
        );
    };
    let proof = hex(&key.client_proof(name));
    let exchange = reply.exchange;
    let name = name.to_owned();
    let end = PairProof {
        exchange,
        proof,
        name,
    };
    Ok(client.ask(Method::POST, "/api/v2/pair/proof", Some(&end))?)
}

/// A user of this machine, as a robot can name the owner of a token.
fn owner_name(user: &str) -> String {
    let name = as_name(user).to_lowercase();
    let name = name.trim_start_matches(['-', '_']);
    let is_known = !(user.is_empty() || name.is_empty());
    if is_known { name } else { "somebody" }.to_owned()
}

/// What a person may not expect: another name than the robot's own, or another address than before.
fn note_of(own: &str, name: &str, before: Option<&KnownRobot>, address: &str) -> String {
    match before {
        Some(value) if value.address != address => {
            format!(
                "; it was paired at {} before, and is reached at {address} from now on",
                value.address
            )
        }
        None if own != name => {
            format!("; it is called {name} here, because another robot is called {own}")
        }
        _ => String::new(),
    }
}

/// The address of the robot to pair with.
fn address_of(args: &PairArgs) -> Result<String> {
    let Some(robot) = &args.robot else {
        bail!(
            "no robot given; fix: `dcm-run pair HOST:7878`; `dcm-run robots` lists the robots in the network"
        );
    };
    Ok(match robot.contains(':') {
        true => robot.clone(),
        false => match in_network(robot)? {
            Some(Address::Tls(address, _) | Address::Plain(address)) => address,
            _ => bail!(
                "no robot in the network is named `{robot}`; fix: give its address: `dcm-run pair {robot}:7878`"
            ),
        },
    })
}

/// The name of a robot on this machine: the one that it has already, else its own, unless another robot has that.
fn known_as(known: &KnownRobots, name: &str, robot: &KnownRobot) -> String {
    let is_same = |item: &KnownRobot| item.is_same_as(robot);
    if let Some((own, _)) = known.0.iter().find(|pair| is_same(pair.1)) {
        return own.clone();
    }
    let numbered = (2..).map(|i| format!("{name}-{i}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let free = names.find(|name| known.0.get(name).is_none_or(is_same));
    // There is always a free number.
    free.unwrap_or_else(|| name.to_owned())
}

/// Connects to this address: with TLS if it does not answer without.
fn greet(address: &str) -> Result<(ApiClient, Hello)> {
    let client = ApiClient::new(stranger(address), None)?;
    match client.get("/api/v2/hello") {
        Ok(hello) => Ok((client, hello)),
        Err(why) => {
            let client = ApiClient::new(Address::Tls(address.to_owned(), None), None)?;
            // If both fail, the first error is reported.
            let hello = client.get("/api/v2/hello").map_err(|_| why)?;
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

#[cfg(test)]
mod tests {
    use network::client::{KnownRobot, KnownRobots};

    use super::known_as;

    #[test]
    fn a_robot_keeps_its_name_and_another_of_that_name_gets_its_own() {
        let robot = |address: &str, shown: &str| KnownRobot {
            address: address.to_owned(),
            fingerprint: Some(shown.to_owned()),
            told_fingerprint: None,
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
        // The first one again, at an address without TLS, where it only tells its fingerprint.
        let plain = KnownRobot {
            fingerprint: None,
            told_fingerprint: Some("11".to_owned()),
            ..robot("127.0.0.1:7878", "")
        };
        assert_eq!(known_as(&known, "nao", &plain), "nao");
        // Without any certificate, the same place is the same robot.
        let bare = |address: &str| KnownRobot {
            fingerprint: None,
            ..robot(address, "")
        };
        let mut known = KnownRobots::default();
        known.0.insert("desk".to_owned(), bare("127.0.0.1:7878"));
        assert_eq!(known_as(&known, "desk", &bare("localhost:7878")), "desk");
        assert_eq!(known_as(&known, "desk", &bare("127.0.0.1:7879")), "desk-2");
    }
}
