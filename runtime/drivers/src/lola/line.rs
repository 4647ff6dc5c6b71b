//! The connection to LoLA: connects, keeps its fault, and writes packets.
//! The client's thread owns it; the device reads its status.
//! Nothing waits longer than [`TIMEOUT`], and every failure has a name.

use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::net::{self, AddressFamily, SendFlags, SocketAddrUnix, SocketFlags, SocketType};

use super::commands::{COMMAND_BYTES, CommandPacket};
use crate::bus::BusFault;
use crate::faults::Fault;

/// The timeout of one read or write, which is longer than a packet's period.
const TIMEOUT: Duration = Duration::from_millis(20);

/// The state that both threads share.
#[derive(Debug)]
pub(super) struct LineStatus {
    began: Instant,
    /// The error code of the connection's fault; 0 for none.
    line: AtomicU16,
    /// The last turn whose commands were written.
    pub(super) acknowledged: AtomicU64,
    /// The number of turns without power at the moment when a powered body was last relaxed, plus one; 0 for never.
    let_go: AtomicU64,
    /// Whether the device is dropped.
    pub(super) closing: AtomicBool,
}

impl LineStatus {
    pub(super) fn new() -> LineStatus {
        LineStatus {
            began: Instant::now(),
            line: AtomicU16::new(0),
            acknowledged: AtomicU64::new(0),
            let_go: AtomicU64::new(0),
            closing: AtomicBool::new(false),
        }
    }

    /// Microseconds since the device was opened, plus one: 0 means never.
    pub(super) fn clock(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_micros()).map_or(u64::MAX, |n| n.saturating_add(1))
    }

    /// The fault of the connection.
    pub(super) fn fault(&self) -> Option<Fault> {
        let error = self.line.load(Ordering::Acquire);
        Fault::of_error(error)
    }

    /// Stores that the client has relaxed a powered body, after this number of turns without power.
    pub(super) fn let_go(&self, unpowered: u64) {
        self.let_go
            .store(unpowered.saturating_add(1), Ordering::Release);
    }

    /// Whether there was no turn without power since the body was relaxed. Only the client writes the one number and
    /// only the turn the other, so neither can undo the other's change.
    pub(super) fn is_let_go(&self, unpowered: u64) -> bool {
        self.let_go.load(Ordering::Acquire) == unpowered.saturating_add(1)
    }

    pub(super) fn set(&self, fault: Option<Fault>) {
        self.line
            .store(fault.map_or(0, Fault::error), Ordering::Release);
    }
}

/// Connects, without waiting for a robot that is slow to accept.
pub(super) fn connect(path: &Path) -> Result<UnixStream, BusFault> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let connected = net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)
        .and_then(|socket| {
            net::connect(&socket, &SocketAddrUnix::new(path)?)?;
            Ok(UnixStream::from(socket))
        });
    let stream = connected.map_err(|error| match error {
        // No socket, or the socket of an ended simulator.
        Errno::NOENT | Errno::CONNREFUSED => BusFault::Gone,
        Errno::AGAIN => BusFault::Busy,
        Errno::NAMETOOLONG | Errno::PROTOTYPE => BusFault::Settings,
        other => BusFault::from(io::Error::from(other)),
    })?;
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    Ok(stream)
}

/// Writes one packet. If a robot does not read, its pipe becomes full, and the client must reconnect.
pub(super) fn send(stream: &UnixStream, commands: &CommandPacket) -> Result<(), BusFault> {
    let mut bytes = [0; COMMAND_BYTES];
    let size = commands.encode(&mut bytes).ok_or(BusFault::TooLong)?;
    match net::send(stream, &bytes[..size], SendFlags::NOSIGNAL) {
        Ok(sent) if sent == size => Ok(()),
        Ok(_) | Err(Errno::AGAIN | Errno::INTR) => Err(BusFault::TimedOut),
        Err(_) => Err(BusFault::Gone),
    }
}
