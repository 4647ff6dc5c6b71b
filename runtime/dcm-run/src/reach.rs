//! Finds the robot that a verb is meant for: its loop's socket, its page, or its server, near or far.
//! Used by every verb that talks to a running robot. The law: a name on this machine counts before one of
//! another; where a server is, acts go by it, so that they are in its log; a press of stop never waits for one.

use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use daemon::announce::{self, find};
use daemon::client::{Address, Client, ClientError, Known, Robot};
use daemon::local_socket;
use sensors::Page;
use socket::places::Places;
use socket::{Ask, Caller, OperationWord, Told};

use crate::far;

/// Which robot is meant.
#[derive(Debug, Args)]
pub(crate) struct Which {
    /// The name of a running loop, or of a robot that was paired with, or `host:port`; not needed while there is
    /// only one.
    #[arg(long, short, value_name = "NAME")]
    pub(crate) robot: Option<String>,
}

/// Which loop is meant, for what is read from its page.
#[derive(Debug, Args)]
pub(crate) struct Near {
    /// The name of a running loop on this machine; not needed while there is only one.
    #[arg(long, short, value_name = "NAME")]
    pub(crate) robot: Option<String>,
}

/// A line to a robot.
#[derive(Debug)]
pub(crate) enum Line {
    /// Its loop, on this machine.
    Loop(Caller),
    /// Its server.
    Server(String, Client),
}

impl Line {
    /// The robot's name.
    pub(crate) fn name(&self) -> &str {
        match self {
            Line::Loop(caller) => &caller.here.name,
            Line::Server(name, _) => name,
        }
    }

    /// Asks, and waits for the answer.
    pub(crate) fn ask(&mut self, ask: Ask) -> Result<Told> {
        self.hand_over(ask, &[])
    }

    /// Asks for something that is to be done with a choreography's bytes.
    pub(crate) fn hand_over(&mut self, ask: Ask, bytes: &[u8]) -> Result<Told> {
        match self {
            Line::Loop(caller) if bytes.is_empty() => Ok(caller.ask(ask)?),
            Line::Loop(caller) => Ok(caller.hand_over(ask, bytes)?),
            Line::Server(_, client) => far::ask(client, ask, bytes),
        }
    }
}

/// The loop that is meant, on this machine.
pub(crate) fn caller(near: &Near) -> Result<Caller> {
    Ok(Caller::reach(near.robot.as_deref())?)
}

/// The page of the loop that is meant, and its words to the loop.
pub(crate) fn page(near: &Near) -> Result<(Caller, Page)> {
    let caller = caller(near)?;
    let page = Page::open(&caller.here.page).context("reading the state of the loop")?;
    Ok((caller, page))
}

/// The robot that is meant, by its server if it has one.
pub(crate) fn line(which: &Which) -> Result<Line> {
    if let Some((name, address, token)) = place(which.robot.as_deref())? {
        let client = Client::new(address, token)?;
        let is_up = client.get::<serde_json::Value>("/api/v1/hello");
        match is_up {
            Ok(_) => return Ok(Line::Server(name, client)),
            // Its loop may be there all the same.
            Err(error) => match Caller::reach(which.robot.as_deref()) {
                Ok(caller) => return Ok(Line::Loop(caller)),
                Err(_) => return Err(error.into()),
            },
        }
    }
    Ok(Line::Loop(Caller::reach(which.robot.as_deref())?))
}

/// The robot that is meant, for a press of stop: the shortest way.
pub(crate) fn press(which: &Which) -> Result<(String, Told)> {
    let ask = || Ask::Operate(OperationWord::Press);
    if let Ok(mut caller) = Caller::reach(which.robot.as_deref()) {
        let told = caller.ask(ask())?;
        let name = caller.here.name.clone();
        // It is pressed; its server presses it once more, so that it is in the log who did.
        if let Ok(Some((_, address @ Address::Local(_), token))) = place(Some(&name)) {
            let client = Client::new(address, token).map(|it| it.within(NOTED));
            let _ = client.map(|it| far::ask(&it, ask(), &[]));
        }
        return Ok((name, told));
    }
    // Nothing is asked before: who else asks much may not be in the way.
    let (name, client) = server(which)?;
    let told = far::ask(&client, ask(), &[])?;
    Ok((name, told))
}

/// The server of the robot that is meant.
pub(crate) fn server(which: &Which) -> Result<(String, Client)> {
    match place(which.robot.as_deref())? {
        Some((name, address, token)) => Ok((name, Client::new(address, token)?)),
        None => {
            let name = which.robot.as_deref().unwrap_or("the robot");
            let why = "no server of it is running here, and it was never paired with; fix: `dcm-run serve`, or \
                       `dcm-run pair HOST:PORT`";
            Err(ClientError::Away(name.to_owned(), why.to_owned()).into())
        }
    }
}

/// How long the server may take to write down a stop that was pressed already.
const NOTED: Duration = Duration::from_secs(1);

/// How long robots of the network are listened for, and one of them may take to be there.
const LISTENED: Duration = Duration::from_millis(1500);
const THERE: Duration = Duration::from_secs(2);

type Place = (String, Address, Option<String>);

/// Where the server that is meant is, and what to show to it.
fn place(name: Option<&str>) -> Result<Option<Place>> {
    let here = |name: &str| -> Option<PathBuf> {
        let socket = local_socket(&Places::find(name).ok()?);
        socket.exists().then_some(socket)
    };
    let known = || Known::load().map_err(|why| anyhow::anyhow!(why));
    let Some(name) = name else {
        let near: Vec<_> = socket::places::names()
            .into_iter()
            .filter_map(|it| Some((here(&it)?, it)))
            .collect();
        return match near.as_slice() {
            [(socket, name)] => Ok(Some((name.clone(), Address::Local(socket.clone()), None))),
            [] if Caller::reach(None).is_ok() => Ok(None),
            [] => match known()?.0.into_iter().collect::<Vec<_>>().as_slice() {
                [] => Ok(None),
                [(name, robot)] => Ok(Some(far_place(name, robot))),
                several => {
                    let names: Vec<_> = several.iter().map(|it| it.0.as_str()).collect();
                    bail!(
                        "several robots are paired with; fix: name one with --robot: {}",
                        names.join(", ")
                    )
                }
            },
            _ => {
                let names: Vec<_> = near.iter().map(|it| it.1.as_str()).collect();
                bail!(
                    "several robots are running here; fix: name one with --robot: {}",
                    names.join(", ")
                )
            }
        };
    };
    if let Some(socket) = here(name) {
        return Ok(Some((name.to_owned(), Address::Local(socket), None)));
    }
    if Caller::reach(Some(name)).is_ok() {
        return Ok(None);
    }
    let known = known()?;
    let by_address = || known.0.iter().find(|it| it.1.address == name);
    if let Some((name, robot)) = known.0.get_key_value(name).or_else(by_address) {
        return Ok(Some(far_place(name, robot)));
    }
    if name.contains(':') {
        return Ok(Some((name.to_owned(), stranger(name), None)));
    }
    Ok(in_network(name)?.map(|address| (name.to_owned(), address, None)))
}

/// The robot of the network that has this name, or whose certificate's fingerprint begins so.
///
/// # Errors
/// Several are meant.
pub(crate) fn in_network(name: &str) -> Result<Option<Address>> {
    // Where the network cannot be asked, nobody is found in it.
    let mut found = find(LISTENED).unwrap_or_default();
    let is_meant = |it: &announce::Robot| {
        let by_fingerprint = name.len() >= 8 && it.fingerprint.starts_with(name);
        it.name == name || it.robot == name || by_fingerprint
    };
    found.retain(is_meant);
    match found.as_slice() {
        [] => Ok(None),
        [it] => {
            let Some(address) = open(&it.addresses).map(|it| it.to_string()) else {
                return Ok(None);
            };
            let known = Some(it.fingerprint.clone()).filter(|it| !it.is_empty());
            Ok(Some(match known {
                Some(known) => Address::Tls(address, Some(known)),
                None => Address::Plain(address),
            }))
        }
        several => {
            let each = several.iter().flat_map(|it| it.addresses.first());
            let each: Vec<_> = each.map(ToString::to_string).collect();
            bail!(
                "several robots of the network are called `{name}`; fix: say which address: {}",
                each.join(", ")
            )
        }
    }
}

/// The first of these addresses at which somebody listens.
fn open(addresses: &[SocketAddr]) -> Option<SocketAddr> {
    let mut all = addresses.iter().copied();
    all.find(|it| TcpStream::connect_timeout(it, THERE).is_ok())
}

/// Where a robot is that was paired with: where it was, or where the network has it now, by its certificate.
fn followed(name: &str, robot: &Robot) -> Robot {
    let is_there = |address: &str| {
        let all = address.to_socket_addrs().into_iter().flatten();
        open(&all.collect::<Vec<_>>()).is_some()
    };
    let Some(fingerprint) = robot.fingerprint.as_ref() else {
        return robot.clone();
    };
    if is_there(&robot.address) {
        return robot.clone();
    }
    let found = find(LISTENED).unwrap_or_default();
    let mut alike = found.iter().filter(|it| it.fingerprint == *fingerprint);
    let Some(address) = alike.next().and_then(|it| open(&it.addresses)) else {
        return robot.clone();
    };
    anstream::eprintln!("{name} is at {address} now");
    let mut moved = robot.clone();
    moved.address = address.to_string();
    if let Ok(mut known) = Known::load() {
        known.0.insert(name.to_owned(), moved.clone());
        // If it cannot be written down, it is looked for again.
        let _ = known.save();
    }
    moved
}

fn far_place(name: &str, robot: &Robot) -> Place {
    let robot = followed(name, robot);
    let address = match &robot.fingerprint {
        Some(it) => Address::Tls(robot.address.clone(), Some(it.clone())),
        None => Address::Plain(robot.address.clone()),
    };
    (name.to_owned(), address, robot.token.clone())
}

/// How somebody is spoken to who was never paired with.
pub(crate) fn stranger(address: &str) -> Address {
    let host = address.rsplit_once(':').map_or(address, |it| it.0);
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let ip: Option<std::net::IpAddr> = bare.parse().ok();
    if bare == "localhost" || ip.is_some_and(|it| it.is_loopback()) {
        Address::Plain(address.to_owned())
    } else {
        Address::Tls(address.to_owned(), None)
    }
}
