//! A bus with faults: what wires do to frames, by seed, at a rate for each kind. It stacks on any other.
//! For tests, and for whoever wants to see how a robot bears it.
//! The law: the same seed does the same to the same transfers, and every fault is counted.

use fastrand::Rng;

use super::{BusFault, Transfer};

/// What happens to a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mishap {
    Fail,
    Drop,
    CorruptDown,
    CorruptUp,
    Freeze,
    Duplicate,
}

/// How often each kind of fault happens: shares of all transfers, together at most 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// The transfer fails.
    pub fail: f64,
    /// The board hears only noise.
    pub drop: f64,
    /// A bit is changed on its way down.
    pub corrupt_down: f64,
    /// A bit is changed on its way up.
    pub corrupt_up: f64,
    /// What came up before comes up again.
    pub freeze: f64,
    /// The board hears what went down before once more.
    pub duplicate: f64,
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
    random: Rng,
    /// What went down and came up before, and what goes down now.
    down: Vec<u8>,
    up: Vec<u8>,
    now: Vec<u8>,
    injected: u64,
}

impl<T: Transfer> Faulty<T> {
    /// Faults at these rates, by this seed, on this bus; frames are no longer than `longest`.
    pub fn new(under: T, rates: Rates, seed: u64, longest: usize) -> Faulty<T> {
        let room = || Vec::with_capacity(longest);
        Faulty {
            under,
            rates,
            random: Rng::with_seed(seed),
            down: room(),
            up: room(),
            now: room(),
            injected: 0,
        }
    }

    /// How many faults there were.
    pub fn injected(&self) -> u64 {
        self.injected
    }

    /// From here on at these rates.
    pub fn set(&mut self, rates: Rates) {
        self.rates = rates;
    }
}

impl<T: Transfer> Transfer for Faulty<T> {
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault> {
        let mishap = self.rates.pick(&mut self.random);
        self.injected += u64::from(mishap.is_some());
        if mishap == Some(Mishap::Fail) {
            return Err(BusFault::Other(rustix::io::Errno::IO.raw_os_error()));
        }
        replace(&mut self.now, down);
        match mishap {
            Some(Mishap::Drop) => self.now.fill(0xff),
            Some(Mishap::CorruptDown) => flip(&mut self.random, &mut self.now),
            Some(Mishap::Duplicate) if self.down.len() == down.len() => {
                replace(&mut self.now, &self.down);
            }
            _ => {}
        }
        replace(&mut self.down, down);
        self.under.transfer(&self.now, up)?;
        match mishap {
            Some(Mishap::CorruptUp) => flip(&mut self.random, up),
            Some(Mishap::Freeze) if self.up.len() == up.len() => up.copy_from_slice(&self.up),
            _ => {}
        }
        replace(&mut self.up, up);
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
