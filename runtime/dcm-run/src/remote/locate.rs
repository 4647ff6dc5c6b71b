//! Finds a robot: a socket on this machine, a paired robot, an address, or the network (mDNS).
//! Called by `connect`, and by the verbs of this folder. The law: a robot on this machine is preferred to a remote one
//! of the same name; a paired robot is identified by its certificate, whatever its address is now.

use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use api::client::{Address, ApiClient, ClientError, KnownRobot, KnownRobots};
use api::discovery::{self, DiscoveredRobot};
use api::folders::local_socket;
use socket::places::Places;
use socket::{Ask, CallError, Caller, OperationWord};

use super::ask;
use crate::robot_args::{ConnectionTo, RobotArgs};

/// Where a robot answers.
enum Location {
    /// Its server: its name, the address, and the token to show.
    Server(String, Address, Option<String>),
    /// Its loop, on this machine, which has no server.
    Loop(Caller),
    /// Nowhere: it was not found.
    Nowhere(CallError),
}

/// Connects to the robot of this name, or to the only one: to its server if it has one, else to its loop.
pub(crate) fn connect(name: Option<&str>) -> Result<ConnectionTo<ApiClient>> {
    match locate(name)? {
        Location::Server(robot, address, token) => {
            let client = ApiClient::new(address, token)?;
            match client.open() {
                Ok(()) => Ok(ConnectionTo::Server(robot, client)),
                // The server may be gone while its loop runs.
                Err(error) => match Caller::reach(name) {
                    Ok(caller) => Ok(ConnectionTo::Loop(caller)),
                    Err(_) => Err(error.into()),
                },
            }
        }
        Location::Loop(caller) => Ok(ConnectionTo::Loop(caller)),
        Location::Nowhere(error) => Err(error.into()),
    }
}

/// The server of the robot.
pub(crate) fn reach(args: &RobotArgs) -> Result<(String, ApiClient)> {
    let name = args.robot.as_deref();
    match locate(name)? {
        Location::Server(robot, address, token) => Ok((robot, ApiClient::new(address, token)?)),
        Location::Loop(_) | Location::Nowhere(_) => {
            let name = name.unwrap_or("the robot");
            let why = "it has no server on this machine, and is not paired; fix: `dcm-run serve`, or `dcm-run pair \
                       HOST:PORT`";
            Err(ClientError::Away(name.to_owned(), why.to_owned()).into())
        }
    }
}

/// Tells the server of a robot on this machine that its stop was pressed, to log it.
pub(crate) fn note_press(name: &str) {
    if let Some(socket) = server_socket(name) {
        let client = ApiClient::new(Address::Local(socket), None).map(|it| it.within(NOTE_TIMEOUT));
        let _ = client.map(|it| ask(&it, Ask::Operate(OperationWord::Press), &[]));
    }
}

/// How long the server may take to log a stop that was pressed already.
const NOTE_TIMEOUT: Duration = Duration::from_secs(1);

/// How long to wait for robots in the network, and for a connection to one.
const DISCOVERY_TIME: Duration = Duration::from_millis(1500);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// The socket of this loop's server, if it is there.
fn server_socket(name: &str) -> Option<PathBuf> {
    let socket = local_socket(&Places::find(name).ok()?);
    socket.exists().then_some(socket)
}

fn paired() -> Result<KnownRobots> {
    KnownRobots::load().map_err(|why| anyhow::anyhow!(why))
}

/// Where the robot of this name is, or the only one.
fn locate(name: Option<&str>) -> Result<Location> {
    let Some(name) = name else {
        return locate_only();
    };
    if let Some(socket) = server_socket(name) {
        return Ok(Location::Server(
            name.to_owned(),
            Address::Local(socket),
            None,
        ));
    }
    let not_here = match Caller::reach(Some(name)) {
        Ok(caller) => return Ok(Location::Loop(caller)),
        Err(error) => error,
    };
    let known = paired()?;
    let by_address = || known.0.iter().find(|it| it.1.address == name);
    if let Some((name, robot)) = known.0.get_key_value(name).or_else(by_address) {
        return Ok(locate_paired(name, robot));
    }
    if name.contains(':') {
        return Ok(Location::Server(name.to_owned(), stranger(name), None));
    }
    Ok(match in_network(name)? {
        Some(address) => Location::Server(name.to_owned(), address, None),
        None => Location::Nowhere(not_here),
    })
}

/// Where the only robot is: on this machine, else the only paired one.
fn locate_only() -> Result<Location> {
    let names = socket::places::names().into_iter();
    let local: Vec<_> = names
        .filter_map(|it| Some((server_socket(&it)?, it)))
        .collect();
    match local.as_slice() {
        [(socket, name)] => {
            return Ok(Location::Server(
                name.clone(),
                Address::Local(socket.clone()),
                None,
            ));
        }
        [] => {}
        several => {
            let names: Vec<_> = several.iter().map(|it| it.1.as_str()).collect();
            bail!(
                "several robots are running here; fix: name one with --robot: {}",
                names.join(", ")
            )
        }
    }
    let not_here = match Caller::reach(None) {
        Ok(caller) => return Ok(Location::Loop(caller)),
        Err(error) => error,
    };
    let known: Vec<_> = paired()?.0.into_iter().collect();
    match known.as_slice() {
        [] => Ok(Location::Nowhere(not_here)),
        [(name, robot)] => Ok(locate_paired(name, robot)),
        several => {
            let names: Vec<_> = several.iter().map(|it| it.0.as_str()).collect();
            bail!(
                "several robots are paired; fix: name one with --robot: {}",
                names.join(", ")
            )
        }
    }
}

/// The robot in the network with this name, or whose certificate's fingerprint begins with it.
///
/// # Errors
/// Several robots match.
pub(crate) fn in_network(name: &str) -> Result<Option<Address>> {
    // Without a network, no robot is found.
    let mut found = discovery::find(DISCOVERY_TIME).unwrap_or_default();
    let is_meant = |it: &DiscoveredRobot| {
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
                "several robots in the network are named `{name}`; fix: give an address: {}",
                each.join(", ")
            )
        }
    }
}

/// The first of these addresses that accepts a connection.
fn open(addresses: &[SocketAddr]) -> Option<SocketAddr> {
    let mut all = addresses.iter().copied();
    all.find(|it| TcpStream::connect_timeout(it, CONNECT_TIMEOUT).is_ok())
}

/// A paired robot at its last address, or where the network finds its certificate now.
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
    let found = discovery::find(DISCOVERY_TIME).unwrap_or_default();
    let mut alike = found.iter().filter(|it| it.fingerprint == *fingerprint);
    let Some(address) = alike.next().and_then(|it| open(&it.addresses)) else {
        return robot.clone();
    };
    anstream::eprintln!("{name} is at {address} now");
    let mut moved = robot.clone();
    moved.address = address.to_string();
    if let Ok(mut known) = KnownRobots::load() {
        known.0.insert(name.to_owned(), moved.clone());
        // If this cannot be saved, the robot is searched for again.
        let _ = known.save();
    }
    moved
}

fn locate_paired(name: &str, robot: &KnownRobot) -> Location {
    let robot = followed(name, robot);
    let address = match &robot.fingerprint {
        Some(it) => Address::Tls(robot.address.clone(), Some(it.clone())),
        None => Address::Plain(robot.address.clone()),
    };
    Location::Server(name.to_owned(), address, robot.token.clone())
}

/// The address of a robot that is not paired: without TLS only on this machine.
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
