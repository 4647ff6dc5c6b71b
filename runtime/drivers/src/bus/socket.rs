//! A board that runs as a process: each transfer is a packet down and a packet up, over a Unix socket.
//! For people who write firmware and for tests. Not for a real robot, because it waits for another process.
//! An answer after the timeout does not count, and a restarted board is found again.

use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use board::Firmware;

use super::{BusFault, Transfer};

/// The timeout for an answer, and for sending a packet.
const TIMEOUT: Duration = Duration::from_millis(20);

/// The host's end.
#[derive(Debug)]
pub struct Socket {
    to: UnixDatagram,
    path: PathBuf,
    /// The number of the last packet. It tells a late answer from the next one.
    number: u8,
    packet: Vec<u8>,
}

impl Socket {
    /// Connects to the board that listens at `path`. Answers come to an abstract address of this process.
    ///
    /// # Errors
    /// No process listens there.
    pub fn connect(path: &Path) -> Result<Socket, BusFault> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let (process, number) = (std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let own = SocketAddr::from_abstract_name(format!("dcm-run-{process}-{number}"))?;
        let to = UnixDatagram::bind_addr(&own)?;
        to.connect(path)?;
        to.set_read_timeout(Some(TIMEOUT))?;
        // The queue of a board whose process hangs becomes full.
        to.set_write_timeout(Some(TIMEOUT))?;
        Ok(Socket {
            to,
            path: path.to_owned(),
            number: 0,
            packet: Vec::with_capacity(wire::frame::LONGEST + 1),
        })
    }
}

impl Transfer for Socket {
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault> {
        self.number = self.number.wrapping_add(1);
        self.packet.clear();
        self.packet.push(self.number);
        self.packet.extend_from_slice(down);
        match self.to.send(&self.packet).map_err(BusFault::from) {
            Ok(_) => {}
            // It still listens; asking again does not help.
            Err(BusFault::TimedOut) => return Err(BusFault::TimedOut),
            Err(_) => {
                // The process has ended; perhaps it runs again.
                self.to.connect(&self.path)?;
                self.to.send(&self.packet)?;
            }
        }
        let until = Instant::now() + TIMEOUT;
        loop {
            self.packet.resize(wire::frame::LONGEST + 1, 0);
            let size = self.to.recv(&mut self.packet)?;
            match self.packet[..size].split_first() {
                Some((number, came)) if *number == self.number => {
                    // Bytes that the board did not send read as ones.
                    up.fill(0xff);
                    let both = came.len().min(up.len());
                    up[..both].copy_from_slice(&came[..both]);
                    return Ok(());
                }
                _ if Instant::now() > until => return Err(BusFault::TimedOut),
                _ => {}
            }
        }
    }
}

/// Runs a board at `path` until `over` returns true. `input` supplies its inputs; `outputs` receives its outputs after
/// each transfer.
///
/// # Errors
/// The socket cannot be made.
pub fn serve(
    path: &Path,
    firmware: &mut Firmware<'_>,
    mut input: impl FnMut(usize, &Firmware<'_>, u32) -> u16,
    mut outputs: impl FnMut(&Firmware<'_>, u32),
    over: impl Fn() -> bool,
) -> io::Result<()> {
    let socket = UnixDatagram::bind(path)?;
    socket.set_read_timeout(Some(Duration::from_millis(1)))?;
    let began = Instant::now();
    let mut packet = [0; wire::frame::LONGEST + 1];
    let mut words = [0; wire::frame::LONGEST / 2];
    let mut back = [0; wire::frame::LONGEST + 1];
    while !over() {
        let heard = socket.recv_from(&mut packet);
        // The board's clock wraps, as that of a small processor does.
        let clock = began.elapsed().as_micros() as u32;
        if let Ok((size, from)) = heard
            && let Some((number, down)) = packet[..size].split_first()
        {
            for (place, word) in words.iter_mut().enumerate().take(firmware.inputs()) {
                *word = input(place, firmware, clock);
            }
            back[0] = *number;
            let answer = &mut back[1..size];
            if !firmware.answer(answer, clock, |i| words[i]) {
                answer.fill(0xff);
            }
            firmware.hear(down, clock);
            // Ignore errors: a host that is gone needs no answer.
            let _ = socket.send_to_addr(&back[..size], &from);
        }
        firmware.tick(clock);
        outputs(firmware, clock);
    }
    Ok(())
}
