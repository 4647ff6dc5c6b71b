//! Finds a robot: a socket on this machine, a paired robot, an address, or the network (mDNS).
//! A robot on this machine is preferred to a remote one of the same name; a paired robot is
//! identified by its certificate, whatever its address is now.

use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use network::client::{Address, ApiClient, ClientError, KnownRobot, KnownRobots};
use network::discovery::{self, DiscoveredRobot};
use network::folders::local_socket;
use protocol::places::Places;
use protocol::{Ask, CallError, Caller, Operation, ReplyBody};

use super::ask;
use crate::session::RobotConnection;
use crate::session::robot_args::RobotArgs;
use crate::text::errors::NotReached;

/// How long to wait after a connection has broken, to press the emergency stop again.
const PRESS_AGAIN_AFTER: Duration = Duration::from_millis(100);

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
pub(crate) fn connect(name: Option<&str>) -> Result<RobotConnection> {
    match locate(name)? {
        Location::Server(robot, address, token) => {
            let is_here = matches!(address, Address::Local(_));
            let error = match opened(&robot, address, token, Some(GREETING_TIMEOUT)) {
                Ok(client) => return Ok(RobotConnection::Server(robot, Box::new(client))),
                Err(error) => error,
            };
            if !is_here {
                return Err(error.into());
            }
            // The server may be gone, or hang, while its loop runs.
            tracing::warn!(robot, "{error}; the request goes to its loop");
            match Caller::reach(Some(&robot)) {
                Ok(caller) => Ok(RobotConnection::Loop(Box::new(caller))),
                Err(silent @ CallError::Silent(..)) => Err(silent.into()),
                Err(_) => Err(error.into()),
            }
        }
        Location::Loop(caller) => Ok(RobotConnection::Loop(Box::new(caller))),
        Location::Nowhere(error) => Err(error.into()),
    }
}

/// The server of the robot, for a verb that needs one.
pub(crate) fn reach(args: &RobotArgs) -> Result<(String, ApiClient)> {
    let none = "no robot with a server runs here, and none is paired; fix: `dcm-run serve --robot nao --sim`, or \
                `dcm-run pair HOST:PORT`";
    match locate(args.robot.as_deref())? {
        Location::Server(robot, address, token) => {
            let client = opened(&robot, address, token, Some(SERVER_TIMEOUT))?;
            Ok((robot, client))
        }
        Location::Loop(caller) => Err(without_server(&caller)),
        Location::Nowhere(CallError::NoneRunning) => Err(NotReached(none.to_owned()).into()),
        Location::Nowhere(error) => Err(error.into()),
    }
}

/// Presses the emergency stop over the network, until it is answered or this instant has come: a connection may break,
/// and a server that hung is replaced.
pub(crate) fn press(args: &RobotArgs, until: Instant) -> Result<(String, ReplyBody)> {
    let mut args = args.clone();
    loop {
        let error = match press_once(&mut args) {
            Ok(pressed) => return Ok(pressed),
            Err(error) => error,
        };
        let is_broken = matches!(
            error.downcast_ref(),
            Some(ClientError::Away(..) | ClientError::NoServer(None))
        );
        if !is_broken || Instant::now() >= until {
            return Err(error);
        }
        std::thread::sleep(PRESS_AGAIN_AFTER);
    }
}

/// No request goes before the press, since the rate limit may leave room for only one.
fn press_once(args: &mut RobotArgs) -> Result<(String, ReplyBody)> {
    let (name, client) = match locate(args.robot.as_deref())? {
        Location::Server(robot, address, token) => {
            let client = opened(&robot, address, token, None)?;
            (robot, client)
        }
        Location::Loop(caller) => return Err(without_server(&caller)),
        Location::Nowhere(error) => return Err(error.into()),
    };
    // From now on this robot is meant, and no other.
    args.robot.get_or_insert_with(|| name.clone());
    let reply = ask(&client, Ask::Operate(Operation::Press))?;
    Ok((name, reply))
}

fn without_server(caller: &Caller) -> anyhow::Error {
    let name = &caller.here.name;
    let fix = "start the robot with `dcm-run serve`";
    NotReached(format!(
        "`{name}` runs here without a server, and this verb needs one; fix: {fix}"
    ))
    .into()
}

/// A client that is connected: the first request uses this connection. A paired robot that is not at its last address
/// is looked for in the network, by its certificate. The server must answer a greeting within the given time: a socket
/// accepts connections for a process that hangs. TLS needs no greeting, since its handshake is one.
fn opened(
    name: &str,
    address: Address,
    token: Option<String>,
    greeting: Option<Duration>,
) -> Result<ApiClient, ClientError> {
    let client = ApiClient::new(address.clone(), token.clone())?;
    let opened = match (&address, greeting) {
        (Address::Local(_) | Address::Plain(_), Some(within)) => client.greet(within),
        _ => client.open(),
    };
    match (opened, address) {
        (Ok(()), _) => Ok(client),
        (Err(error @ ClientError::Away(..)), Address::Tls(_, Some(fingerprint))) => {
            let address = moved(name, &fingerprint).ok_or(error)?;
            let client = ApiClient::new(Address::Tls(address, Some(fingerprint)), token)?;
            client.open()?;
            Ok(client)
        }
        (Err(error), _) => Err(error),
    }
}

/// Tells the server of a robot on this machine that its stop was pressed, to log it.
pub(crate) fn note_press(name: &str) {
    if let Some(socket) = server_socket(name) {
        let client =
            ApiClient::new(Address::Local(socket), None).map(|value| value.within(NOTE_TIMEOUT));
        let _ = client.map(|client| ask(&client, Ask::Operate(Operation::Press)));
    }
}

/// Whether this names a paired robot, or is an address.
pub(crate) fn is_known(name: &str) -> bool {
    let is_paired = |robots: KnownRobots| {
        let mut all = robots.0.iter();
        all.any(|(known, robot)| known == name || robot.address == name)
    };
    name.contains(':') || paired().is_ok_and(is_paired)
}

/// The robot that this means, paired or by its address; without a name, the only paired one.
pub(crate) fn known(name: Option<&str>) -> Option<String> {
    let Some(name) = name else {
        let mut names = paired().ok()?.0.into_keys();
        return names.next().filter(|_| names.next().is_none());
    };
    is_known(name).then(|| name.to_owned())
}

/// How long the server may take to log a stop that was pressed already.
const NOTE_TIMEOUT: Duration = Duration::from_secs(1);

/// How long a server may take to answer a greeting: where its loop can be asked instead, and where it is needed.
const GREETING_TIMEOUT: Duration = Duration::from_secs(2);
const SERVER_TIMEOUT: Duration = Duration::from_secs(5);

/// How long to wait for robots in the network, and for a connection to one.
const DISCOVERY_TIME: Duration = Duration::from_millis(1500);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// The socket of this loop's server, if it is there.
fn server_socket(name: &str) -> Option<PathBuf> {
    let socket = local_socket(&Places::find(name).ok()?);
    socket.exists().then_some(socket)
}

/// The server of this loop, if its socket is there.
fn server_here(name: &str) -> Option<Location> {
    let address = Address::Local(server_socket(name)?);
    Some(Location::Server(name.to_owned(), address, None))
}

fn paired() -> Result<KnownRobots> {
    KnownRobots::load().map_err(|why| anyhow::anyhow!(why))
}

/// Where the robot of this name is, or the only one.
fn locate(name: Option<&str>) -> Result<Location> {
    let Some(name) = name else {
        return locate_only();
    };
    if let Some(here) = server_here(name) {
        return Ok(here);
    }
    let not_here = match Caller::reach(Some(name)) {
        Ok(caller) => return Ok(Location::Loop(caller)),
        Err(error @ CallError::Silent(..)) => return Ok(Location::Nowhere(error)),
        Err(error) => error,
    };
    let known = paired()?;
    let by_address = || known.0.iter().find(|pair| pair.1.address == name);
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
    // Of one name, there is nothing to choose: its server is reached with one connection.
    if let [name] = protocol::places::names().as_slice()
        && let Some(here) = server_here(name)
    {
        return Ok(here);
    }
    let not_here = match Caller::reach(None) {
        Ok(caller) => return Ok(server_here(&caller.here.name).unwrap_or(Location::Loop(caller))),
        Err(CallError::Silent(name, time)) => {
            let silent = CallError::Silent(name.clone(), time);
            return Ok(server_here(&name).unwrap_or(Location::Nowhere(silent)));
        }
        Err(error @ CallError::Several(_)) => return Err(error.into()),
        Err(error) => error,
    };
    let known: Vec<_> = paired()?.0.into_iter().collect();
    match known.as_slice() {
        [] => Ok(Location::Nowhere(not_here)),
        [(name, robot)] => Ok(locate_paired(name, robot)),
        several => {
            let names: Vec<_> = several.iter().map(|(name, _)| name.as_str()).collect();
            let names = names.join(", ");
            let sentence =
                format!("several robots are paired; fix: name one with --robot: {names}");
            Err(NotReached(sentence).into())
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
    let is_meant = |robot: &DiscoveredRobot| {
        let by_fingerprint = name.len() >= 8 && robot.fingerprint.starts_with(name);
        robot.name == name || robot.robot == name || by_fingerprint
    };
    found.retain(is_meant);
    match found.as_slice() {
        [] => Ok(None),
        [robot] => {
            let Some(address) = open(&robot.addresses).map(|value| value.to_string()) else {
                return Ok(None);
            };
            let known = Some(robot.fingerprint.clone()).filter(|value| !value.is_empty());
            Ok(Some(match known {
                Some(known) => Address::Tls(address, Some(known)),
                None => Address::Plain(address),
            }))
        }
        several => {
            let each = several.iter().flat_map(|robot| robot.addresses.first());
            let each: Vec<_> = each.map(ToString::to_string).collect();
            let each = each.join(", ");
            let sentence = format!(
                "several robots in the network are named `{name}`; fix: give an address: {each}"
            );
            Err(NotReached(sentence).into())
        }
    }
}

/// The first of these addresses that accepts a connection.
fn open(addresses: &[SocketAddr]) -> Option<SocketAddr> {
    let mut all = addresses.iter().copied();
    all.find(|item| TcpStream::connect_timeout(item, CONNECT_TIMEOUT).is_ok())
}

/// Where the network finds the robot with this certificate now. The new address is kept.
fn moved(name: &str, fingerprint: &str) -> Option<String> {
    let found = discovery::find(DISCOVERY_TIME).unwrap_or_default();
    let alike = found.iter().find(|item| item.fingerprint == *fingerprint)?;
    let address = open(&alike.addresses)?.to_string();
    anstream::eprintln!("{name} is at {address} now");
    if let Ok(mut known) = KnownRobots::load()
        && let Some(robot) = known.0.get_mut(name)
    {
        robot.address.clone_from(&address);
        // If this cannot be saved, the robot is searched for again.
        let _ = known.save();
    }
    Some(address)
}

fn locate_paired(name: &str, robot: &KnownRobot) -> Location {
    let address = match &robot.fingerprint {
        Some(fingerprint) => Address::Tls(robot.address.clone(), Some(fingerprint.clone())),
        None => Address::Plain(robot.address.clone()),
    };
    Location::Server(name.to_owned(), address, robot.token.clone())
}

/// The address of a robot that is not paired: without TLS only on this machine.
pub(crate) fn stranger(address: &str) -> Address {
    let host = address.rsplit_once(':').map_or(address, |pair| pair.0);
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let ip: Option<std::net::IpAddr> = bare.parse().ok();
    if bare == "localhost" || ip.is_some_and(|ip| ip.is_loopback()) {
        Address::Plain(address.to_owned())
    } else {
        Address::Tls(address.to_owned(), None)
    }
}
