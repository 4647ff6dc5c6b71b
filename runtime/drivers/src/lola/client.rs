//! The thread that has LoLA's socket: it connects, hears each packet, answers it with the newest commands, and connects
//! again.
//! Started by the device; it never touches the turn, which may come and go.
//! The law: a packet is answered at once, and with force only while the turn is there; what was let go of gets its
//! force back only after a turn that has let go of it as well. What the bytes on the socket are costs the connection at
//! worst.

use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::commands::CommandPacket;
use super::groups::{COMMANDS, READINGS, SONARS};
use super::line::{LineStatus, connect, send};
use super::pack::{LONGEST, PackError};
use super::sensors::SensorPacket;
use super::triple_buffer::{Consumer, Producer};
use crate::bus::BusFault;
use crate::faults::Fault;

/// How often it is tried to connect to a robot that is gone.
const AGAIN: Duration = Duration::from_millis(200);

/// A turn that was not heard for so long is gone.
const SILENCE: u64 = 100_000;

/// What the turn hands over: the value of each command as its bits, for a sonar how often it fired, and these four.
pub(super) const ORDERS: usize = COMMANDS + 4;
/// The turn's number.
pub(super) const TURN: usize = COMMANDS;
/// When it was handed over.
pub(super) const GIVEN: usize = COMMANDS + 1;
/// Whether the motors may exert force.
pub(super) const POWERED: usize = COMMANDS + 2;
/// In how many turns they might not. A count, so that one such turn is not lost behind the next.
pub(super) const UNPOWERED: usize = COMMANDS + 3;

/// What the turn takes: each reading as its bits, and when the packet came.
pub(super) const SENSES: usize = READINGS + 1;
/// When the packet came.
pub(super) const CAME: usize = READINGS;

/// What the thread owns.
#[derive(Debug)]
pub(super) struct LolaThread {
    path: PathBuf,
    /// Another process has driven the robot until the first order.
    driven: bool,
    /// Nothing was told yet on a line that is not the first: who listens there may have forgotten everything.
    anew: bool,
    shared: Arc<LineStatus>,
    orders: Consumer<ORDERS>,
    senses: Producer<SENSES>,
    /// What was heard and handed over last.
    heard: SensorPacket,
    newest: [u64; ORDERS],
    /// How often each sonar had fired when it was last told to.
    fired: [u64; 2],
    bytes: Box<[u8; 2 * LONGEST]>,
    filled: usize,
}

impl LolaThread {
    pub(super) fn new(
        path: &Path,
        driven: bool,
        shared: Arc<LineStatus>,
        orders: Consumer<ORDERS>,
        senses: Producer<SENSES>,
    ) -> LolaThread {
        LolaThread {
            path: path.to_owned(),
            driven,
            anew: false,
            shared,
            orders,
            senses,
            heard: SensorPacket::default(),
            newest: [0; ORDERS],
            fired: [0; 2],
            bytes: Box::new([0; 2 * LONGEST]),
            filled: 0,
        }
    }

    /// Serves the device until it is dropped.
    pub(super) fn run(mut self, stream: UnixStream) {
        let mut line = Some(stream);
        while !self.shared.closing.load(Ordering::Acquire) {
            let done = match &mut line {
                Some(stream) => self.listen(stream),
                // The fault stays until a whole packet has come: a robot that takes us and says nothing is not back.
                None => match connect(&self.path) {
                    Ok(stream) => {
                        self.filled = 0;
                        self.anew = !self.is_anothers();
                        line = Some(stream);
                        Ok(())
                    }
                    Err(fault) => Err(Fault::Transfer(fault)),
                },
            };
            if let Err(fault) = done {
                self.shared.set(Some(fault));
                // Whoever talks strangely may still hear.
                let strange = matches!(fault, Fault::Corrupt | Fault::Odd);
                if let Some(stream) = line.take().filter(|_| strange && !self.is_anothers()) {
                    self.let_go(&stream);
                }
                std::thread::park_timeout(AGAIN);
            }
        }
        if let Some(stream) = line {
            self.let_go(&stream);
        }
    }

    /// Whether the robot does what another process told it, and shall go on with that: the turn has said nothing yet.
    fn is_anothers(&mut self) -> bool {
        self.orders.take(&mut self.newest);
        self.driven && self.newest[GIVEN] == 0
    }

    /// The last that is written before the line is closed.
    fn let_go(&mut self, stream: &UnixStream) {
        let mut last = self.commands();
        last.relax(&self.heard);
        // A robot that is gone needs no farewell.
        let _ = send(stream, &last);
    }

    /// Reads what has come, and answers.
    fn listen(&mut self, stream: &mut UnixStream) -> Result<(), Fault> {
        let gone = Fault::Transfer(BusFault::Gone);
        // There is room: what is left of a packet is shorter than the longest.
        match stream.read(&mut self.bytes[self.filled..]) {
            Ok(0) => return Err(gone),
            Ok(size) => self.filled += size,
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock
                | io::ErrorKind::TimedOut
                | io::ErrorKind::Interrupted => return Ok(()),
                _ => return Err(gone),
            },
        }
        let (mut at, mut whole) = (0, false);
        loop {
            match self.heard.decode(&self.bytes[at..self.filled]) {
                Ok(size) => {
                    at += size;
                    whole = true;
                }
                Err(PackError::Short) => break,
                // Where the next packet begins is not known any more.
                Err(PackError::Long | PackError::Form) => return Err(Fault::Corrupt),
                Err(PackError::Odd) => return Err(Fault::Odd),
            }
        }
        self.bytes.copy_within(at..self.filled, 0);
        self.filled -= at;
        // Packets that have piled up are answered once: more answers would wait at LoLA, and later ones behind them.
        if whole { self.answer(stream) } else { Ok(()) }
    }

    /// Hands over what was heard, and writes the newest commands.
    fn answer(&mut self, stream: &UnixStream) -> Result<(), Fault> {
        let mut words = [0; SENSES];
        for (word, value) in words.iter_mut().zip(self.heard.values) {
            *word = u64::from(value.to_bits());
        }
        words[CAME] = self.shared.clock();
        self.senses.give(&words);
        if self.is_anothers() {
            self.shared.set(None);
            return Ok(());
        }
        let commands = self.commands();
        // The line is sound only now: the turn shall not see it so before it sees that it was let go of.
        self.shared.set(None);
        send(stream, &commands).map_err(Fault::Transfer)?;
        self.shared
            .acknowledged
            .store(self.newest[TURN], Ordering::Release);
        Ok(())
    }

    /// What is to be told now.
    fn commands(&mut self) -> CommandPacket {
        self.orders.take(&mut self.newest);
        let mut commands = CommandPacket::default();
        for (value, word) in commands.values.iter_mut().zip(&self.newest) {
            *value = f32::from_bits(*word as u32);
        }
        let sonars = SONARS.places();
        for ((value, word), fired) in commands.values[sonars.clone()]
            .iter_mut()
            .zip(&self.newest[sonars])
            .zip(&mut self.fired)
        {
            *value = f32::from(u8::from(word != fired));
            *fired = *word;
        }
        let given = self.newest[GIVEN];
        let silent = given == 0 || self.shared.clock().saturating_sub(given) > SILENCE;
        let (powered, unpowered) = (self.newest[POWERED] != 0, self.newest[UNPOWERED]);
        // Targets that come after that are far from where the robot has sunk to: with force it would snap there.
        if powered && (silent || self.anew) {
            self.shared.let_go(unpowered);
        }
        self.anew = false;
        if silent || !powered || self.shared.is_let_go(unpowered) {
            commands.relax(&self.heard);
        } else {
            commands.complete(&self.heard);
        }
        commands
    }
}
