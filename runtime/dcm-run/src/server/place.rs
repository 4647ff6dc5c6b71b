//! Where a robot's server is: a socket on this machine, a robot that was paired with, an address, the network.
//! Used by `reach`, and by the verbs of this folder. The law: a name on this machine counts before one of another;
//! who was paired with is known by its certificate, wherever the network has it now.

use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use api::client::{Address, ApiClient, ClientError, KnownRobot, KnownRobots};
use api::discovery;
use api::folders::local_socket;
use socket::places::Places;
use socket::{Ask, Caller, OperationWord};

use super::far;
use crate::reach::Which;

/// The server that is meant, if there is one, and its robot's name.
pub(crate) fn find(name: Option<&str>) -> Result<Option<(String, ApiClient)>> {
    Ok(match place(name)? {
        Some((name, address, token)) => Some((name, ApiClient::new(address, token)?)),
        None => None,
    })
}

/// The server of the robot that is meant.
pub(crate) fn reach(which: &Which) -> Result<(String, ApiClient)> {
    find(which.robot.as_deref())?.ok_or_else(|| {
        let name = which.robot.as_deref().unwrap_or("the robot");
        let why = "no server of it is running here, and it was never paired with; fix: `dcm-run serve`, or \
                   `dcm-run pair HOST:PORT`";
        ClientError::Away(name.to_owned(), why.to_owned()).into()
    })
}

/// Tells the server of a robot on this machine that its stop was pressed, so that it is in its log.
pub(crate) fn note_press(name: &str) {
    if let Ok(Some((_, address @ Address::Local(_), token))) = place(Some(name)) {
        let client = ApiClient::new(address, token).map(|it| it.within(NOTED));
        let _ = client.map(|it| far::ask(&it, Ask::Operate(OperationWord::Press), &[]));
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
    let known = || KnownRobots::load().map_err(|why| anyhow::anyhow!(why));
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
    let mut found = discovery::find(LISTENED).unwrap_or_default();
    let is_meant = |it: &discovery::DiscoveredRobot| {
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
fn followed(name: &str, robot: &KnownRobot) -> KnownRobot {
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
    let found = discovery::find(LISTENED).unwrap_or_default();
    let mut alike = found.iter().filter(|it| it.fingerprint == *fingerprint);
    let Some(address) = alike.next().and_then(|it| open(&it.addresses)) else {
        return robot.clone();
    };
    anstream::eprintln!("{name} is at {address} now");
    let mut moved = robot.clone();
    moved.address = address.to_string();
    if let Ok(mut known) = KnownRobots::load() {
        known.0.insert(name.to_owned(), moved.clone());
        // If it cannot be written down, it is looked for again.
        let _ = known.save();
    }
    moved
}

fn far_place(name: &str, robot: &KnownRobot) -> Place {
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
