//! A board that runs as a process: each transfer is a packet down and a packet up, over a Unix socket.
//! For people who write firmware, and for tests; not for a robot, because it waits for another process.
//! The law: who does not answer within its time has not answered, and who is started again is found again.

use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use board::Firmware;

use super::{BusFault, Transfer};

/// How long an answer is waited for, and for room to ask.
const TIMEOUT: Duration = Duration::from_millis(20);

/// The host's end.
#[derive(Debug)]
pub struct Socket {
    to: UnixDatagram,
    path: PathBuf,
    /// An answer that came too late is not taken for the next.
    number: u8,
    packet: Vec<u8>,
}

impl Socket {
    /// Connects to the board that listens at `path`. Its answers come to a name of this process that is in no folder.
    ///
    /// # Errors
    /// Nobody listens there.
    pub fn connect(path: &Path) -> Result<Socket, BusFault> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let (process, number) = (std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let own = SocketAddr::from_abstract_name(format!("dcm-run-{process}-{number}"))?;
        let to = UnixDatagram::bind_addr(&own)?;
        to.connect(path)?;
        to.set_read_timeout(Some(TIMEOUT))?;
        // A board whose process stands still has a full queue.
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
            // It listens still, and would not do so sooner for being asked twice.
            Err(BusFault::TimedOut) => return Err(BusFault::TimedOut),
            Err(_) => {
                // Whoever listened there has ended; perhaps it runs again.
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
                    // What the board did not drive floats.
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

/// Serves a board at `path` until `over` says so: `input` reads its inputs, `outputs` sees its outputs after each
/// transfer.
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
        // The board's clock goes round, as those of small processors do.
        let clock = began.elapsed().as_micros() as u32;
        if let Ok((size, from)) = heard
            && let Some((number, down)) = packet[..size].split_first()
        {
            for (place, word) in words.iter_mut().enumerate().take(firmware.inputs()) {
                *word = input(place, firmware, clock);
            }
            back[0] = *number;
            let answer = &mut back[1..size];
            if !firmware.answer(answer, clock, |it| words[it]) {
                answer.fill(0xff);
            }
            firmware.hear(down, clock);
            // A host that is gone needs no answer.
            let _ = socket.send_to_addr(&back[..size], &from);
        }
        firmware.tick(clock);
        outputs(firmware, clock);
    }
    Ok(())
}
