//! A bus with faults: what wires do to frames, by seed at a rate for each kind, or at stated transfers. It stacks on
//! any other. For tests, and for whoever wants to see how a robot bears it.
//! The law: the same seed does the same to the same transfers, and every fault is counted.

use std::ops::Range;

use fastrand::Rng;

use super::{BusFault, Transfer};

/// What happens to a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mishap {
    /// It fails.
    Fail,
    /// The board hears only noise.
    Drop,
    /// A bit is changed on its way down.
    CorruptDown,
    /// A bit is changed on its way up.
    CorruptUp,
    /// What came up before comes up again.
    Freeze,
    /// The board hears what went down before once more.
    Duplicate,
    /// What comes up is what the board said a transfer before.
    Delay,
    /// The board hears this frame after the next one.
    Swap,
    /// The line upwards is stuck at all zeros.
    Low,
    /// The line upwards floats: it is all ones.
    High,
}

/// How often each kind of fault happens: shares of all transfers, together at most 1.
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
        found.map(|it| it.1)
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
    /// What went down before, and what the board hears now.
    down: Vec<u8>,
    now: Vec<u8>,
    /// What came up before, and what the board had said.
    up: Vec<u8>,
    said: Vec<u8>,
    fresh: Vec<u8>,
    /// What the board hears after the next frame.
    held: Option<Vec<u8>>,
    spare: Vec<u8>,
    injected: u64,
}

impl<T: Transfer> Faulty<T> {
    /// Faults at these rates, by this seed, on this bus; frames are no longer than `longest`.
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

    /// And this happens to each of these transfers, counted from 0, whatever the rates say.
    #[must_use]
    pub fn during(mut self, transfers: Range<u64>, mishap: Mishap) -> Faulty<T> {
        self.schedule.push((transfers, mishap));
        self
    }

    /// How many faults there were.
    pub fn injected(&self) -> u64 {
        self.injected
    }

    /// From here on at these rates.
    pub fn set(&mut self, rates: Rates) {
        self.rates = rates;
    }

    fn next(&mut self) -> Option<Mishap> {
        let number = self.transfers;
        self.transfers += 1;
        // The seed is asked each time: what is scheduled does not move the rest.
        let by_seed = self.rates.pick(&mut self.random);
        let mut due = self.schedule.iter();
        let due = due.find(|(transfers, _)| transfers.contains(&number));
        due.map(|it| it.1).or(by_seed)
    }

    /// What the board hears of this frame.
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

    /// What the host hears of this answer.
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
            // What it answers to that is heard by nobody.
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
