//! A bus that damages frames as wires do: at random with a rate for each kind and a seed, or at given transfers. It
//! wraps any other bus. For tests, and to see how a robot reacts to faults.
//! The same seed damages the same transfers in the same way, and every fault is counted.

use std::ops::Range;

use fastrand::Rng;

use super::{BusFault, Transfer};

/// A fault of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mishap {
    /// The transfer fails.
    Fail,
    /// The board receives only noise.
    Drop,
    /// A bit is changed on its way down.
    CorruptDown,
    /// A bit is changed on its way up.
    CorruptUp,
    /// The previous answer comes again.
    Freeze,
    /// The board receives the previous frame again.
    Duplicate,
    /// The answer comes one transfer late.
    Delay,
    /// The board receives this frame after the next one.
    Swap,
    /// The line to the host is stuck at 0.
    Low,
    /// The line to the host floats: all ones.
    High,
}

/// The rate of each kind of fault as a share of all transfers, together at most 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// See [`Mishap::Fail`].
    pub fail: f64,
    /// See [`Mishap::Drop`].
    pub drop: f64,
    /// See [`Mishap::CorruptDown`].
    pub corrupt_down: f64,
    /// See [`Mishap::CorruptUp`].
    pub corrupt_up: f64,
    /// See [`Mishap::Freeze`].
    pub freeze: f64,
    /// See [`Mishap::Duplicate`].
    pub duplicate: f64,
    /// See [`Mishap::Delay`].
    pub delay: f64,
    /// See [`Mishap::Swap`].
    pub swap: f64,
    /// See [`Mishap::Low`].
    pub low: f64,
    /// See [`Mishap::High`].
    pub high: f64,
}

impl Rates {
    fn pick(&self, random: &mut Rng) -> Option<Mishap> {
        let mut left = random.f64();
        let kinds = [
            (self.fail, Mishap::Fail),
            (self.drop, Mishap::Drop),
            (self.corrupt_down, Mishap::CorruptDown),
            (self.corrupt_up, Mishap::CorruptUp),
            (self.freeze, Mishap::Freeze),
            (self.duplicate, Mishap::Duplicate),
            (self.delay, Mishap::Delay),
            (self.swap, Mishap::Swap),
            (self.low, Mishap::Low),
            (self.high, Mishap::High),
        ];
        let mut kinds = kinds.into_iter();
        let found = kinds.find(|(rate, _)| {
            left -= rate;
            left < 0.0
        });
        found.map(|pair| pair.1)
    }
}

/// The bus.
#[derive(Debug)]
pub struct Faulty<T> {
    under: T,
    rates: Rates,
    schedule: Vec<(Range<u64>, Mishap)>,
    random: Rng,
    transfers: u64,
    /// The previous frame to the board, and the one that the board receives now.
    down: Vec<u8>,
    now: Vec<u8>,
    /// The previous answer as the host received it, and as the board sent it.
    up: Vec<u8>,
    said: Vec<u8>,
    fresh: Vec<u8>,
    /// The frame that the board receives after the next one.
    held: Option<Vec<u8>>,
    spare: Vec<u8>,
    injected: u64,
}

impl<T: Transfer> Faulty<T> {
    /// Wraps a bus with faults at these rates and this seed; frames are at most `longest` bytes.
    pub fn new(under: T, rates: Rates, seed: u64, longest: usize) -> Faulty<T> {
        let room = || Vec::with_capacity(longest);
        Faulty {
            under,
            rates,
            schedule: Vec::new(),
            random: Rng::with_seed(seed),
            transfers: 0,
            down: room(),
            now: room(),
            up: room(),
            said: room(),
            fresh: room(),
            held: None,
            spare: room(),
            injected: 0,
        }
    }

    /// Adds this fault to each of these transfers, counted from 0, whatever the rates are.
    #[must_use]
    pub fn during(mut self, transfers: Range<u64>, mishap: Mishap) -> Faulty<T> {
        self.schedule.push((transfers, mishap));
        self
    }

    /// The number of faults so far.
    pub fn injected(&self) -> u64 {
        self.injected
    }

    /// Changes the rates.
    pub fn set(&mut self, rates: Rates) {
        self.rates = rates;
    }

    fn next(&mut self) -> Option<Mishap> {
        let number = self.transfers;
        self.transfers += 1;
        // Draw in every transfer, so that scheduled faults do not shift the random ones.
        let by_seed = self.rates.pick(&mut self.random);
        let mut due = self.schedule.iter();
        let due = due.find(|(transfers, _)| transfers.contains(&number));
        due.map(|due| due.1).or(by_seed)
    }

    /// Damages a frame to the board.
    fn bend_down(&mut self, down: &[u8], mishap: Option<Mishap>) {
        replace(&mut self.now, down);
        match mishap {
            Some(Mishap::Drop) => self.now.fill(0xff),
            Some(Mishap::CorruptDown) => flip(&mut self.random, &mut self.now),
            Some(Mishap::Duplicate) if self.down.len() == down.len() => {
                replace(&mut self.now, &self.down);
            }
            Some(Mishap::Swap) if self.held.is_none() => {
                let mut held = std::mem::take(&mut self.spare);
                replace(&mut held, down);
                self.held = Some(held);
                self.now.fill(0xff);
            }
            _ => {}
        }
        replace(&mut self.down, down);
    }

    /// Damages an answer to the host.
    fn bend_up(&mut self, up: &mut [u8], mishap: Option<Mishap>) {
        replace(&mut self.fresh, up);
        match mishap {
            Some(Mishap::CorruptUp) => flip(&mut self.random, up),
            Some(Mishap::Freeze) if self.up.len() == up.len() => up.copy_from_slice(&self.up),
            Some(Mishap::Delay) if self.said.len() == up.len() => up.copy_from_slice(&self.said),
            Some(Mishap::Low) => up.fill(0),
            Some(Mishap::High) => up.fill(0xff),
            _ => {}
        }
        std::mem::swap(&mut self.said, &mut self.fresh);
        replace(&mut self.up, up);
    }
}

impl<T: Transfer> Transfer for Faulty<T> {
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault> {
        let mishap = self.next();
        self.injected += u64::from(mishap.is_some());
        if mishap == Some(Mishap::Fail) {
            return Err(BusFault::Other(rustix::io::Errno::IO.raw_os_error()));
        }
        let held = self.held.take();
        self.bend_down(down, mishap);
        self.under.transfer(&self.now, up)?;
        if let Some(held) = held {
            // Nobody receives the answer to that frame.
            self.fresh.clear();
            self.fresh.resize(held.len(), 0);
            let late = self.under.transfer(&held, &mut self.fresh);
            self.spare = held;
            late?;
        }
        self.bend_up(up, mishap);
        Ok(())
    }
}

fn replace(kept: &mut Vec<u8>, by: &[u8]) {
    kept.clear();
    kept.extend_from_slice(by);
}

fn flip(random: &mut Rng, bytes: &mut [u8]) {
    let at = random.usize(..bytes.len().max(1));
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << random.u8(..8);
    }
}
