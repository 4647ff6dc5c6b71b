//! The thread that owns LoLA's socket: it connects, reads each packet, answers it with the newest commands, and
//! reconnects.
//! Started by the device; it never waits for the turn.
//! A packet is answered at once, and with force only while turns come. A body that the client has relaxed gets
//! its force back only after a turn without power. Invalid bytes on the socket cost the connection at worst.

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

/// The time between two attempts to connect to a robot that is gone.
const AGAIN: Duration = Duration::from_millis(200);

/// After this time without a turn, in µs, the loop counts as silent.
const SILENCE: u64 = 100_000;

/// The words that the turn hands over: the bits of each command's value, for a sonar the number of its shots, and four
/// more.
pub(super) const ORDERS: usize = COMMANDS + 4;
/// The turn's number.
pub(super) const TURN: usize = COMMANDS;
/// When the turn handed them over.
pub(super) const GIVEN: usize = COMMANDS + 1;
/// Whether the motors may exert force.
pub(super) const POWERED: usize = COMMANDS + 2;
/// The number of turns in which they might not. A count, so that a single such turn is not missed.
pub(super) const UNPOWERED: usize = COMMANDS + 3;

/// The words that the turn takes: the bits of each reading, and when the packet came.
pub(super) const SENSES: usize = READINGS + 1;
/// When the packet came.
pub(super) const CAME: usize = READINGS;

/// The state of the thread.
#[derive(Debug)]
pub(super) struct LolaThread {
    path: PathBuf,
    /// Another process drives the robot until the first turn.
    driven: bool,
    /// Nothing was sent yet on a new connection: the robot may have lost its state.
    is_new_line: bool,
    shared: Arc<LineStatus>,
    orders: Consumer<ORDERS>,
    senses: Producer<SENSES>,
    /// The sensors that were received and handed over last.
    heard: SensorPacket,
    newest: [u64; ORDERS],
    /// The number of shots of each sonar when it was last asked to send.
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
            is_new_line: false,
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
                // The fault stays until a complete packet has come: a robot that accepts a connection but sends nothing
                // is not back.
                None => match connect(&self.path) {
                    Ok(stream) => {
                        self.filled = 0;
                        self.is_new_line = !self.is_anothers();
                        line = Some(stream);
                        Ok(())
                    }
                    Err(fault) => Err(Fault::Transfer(fault)),
                },
            };
            if let Err(fault) = done {
                self.shared.set(Some(fault));
                // A robot that sends invalid packets may still receive.
                let strange = matches!(fault, Fault::Corrupt | Fault::UnexpectedFrame);
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

    /// Whether the robot must go on with another process's last command, because the turn has sent nothing yet.
    fn is_anothers(&mut self) -> bool {
        self.orders.take(&mut self.newest);
        self.driven && self.newest[GIVEN] == 0
    }

    /// Writes the last packet before the connection is closed: stiffness 0.
    fn let_go(&mut self, stream: &UnixStream) {
        let mut last = self.commands();
        last.relax(&self.heard);
        // Ignore errors: the robot may be gone.
        let _ = send(stream, &last);
    }

    /// Reads the packets that have come, and answers.
    fn listen(&mut self, stream: &mut UnixStream) -> Result<(), Fault> {
        let gone = Fault::Transfer(BusFault::Gone);
        // There is room: an incomplete packet is shorter than the longest one.
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
                // The beginning of the next packet is unknown.
                Err(PackError::Long | PackError::Form) => return Err(Fault::Corrupt),
                Err(PackError::Odd) => return Err(Fault::UnexpectedFrame),
            }
        }
        self.bytes.copy_within(at..self.filled, 0);
        self.filled -= at;
        // Answer several waiting packets once: more answers would queue at LoLA and delay later ones.
        if whole { self.answer(stream) } else { Ok(()) }
    }

    /// Hands over the sensors, and writes the newest commands.
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
        // Clear the fault only now: the turn must first see that the body was relaxed.
        self.shared.set(None);
        send(stream, &commands).map_err(Fault::Transfer)?;
        self.shared
            .acknowledged
            .store(self.newest[TURN], Ordering::Release);
        Ok(())
    }

    /// The commands to send now.
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
        // Later targets may be far from the limp robot's position: with force it would jump there.
        if powered && (silent || self.is_new_line) {
            self.shared.let_go(unpowered);
        }
        self.is_new_line = false;
        if silent || !powered || self.shared.is_let_go(unpowered) {
            commands.relax(&self.heard);
        } else {
            commands.complete(&self.heard);
        }
        commands
    }
}
