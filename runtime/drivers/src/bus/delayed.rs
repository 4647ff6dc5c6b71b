//! A bus with delays by a model and a seed. It wraps any other bus.
//! For tests of deadlines, and to see the effect of a slower bus on a robot.
//! The same seed gives the same times for the same transfers, and none lasts beyond the deadline.

use std::collections::VecDeque;
use std::time::Duration;

use fastrand::Rng;

use super::{BusFault, Transfer};

/// The time that a transfer takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latency {
    /// For every transfer.
    pub fixed: Duration,
    /// Plus this for each byte.
    pub per_byte: Duration,
    /// Plus a random time up to this.
    pub jitter: Duration,
    /// A transfer that takes longer is not answered.
    pub deadline: Duration,
}

/// How the delay takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DelayMode {
    /// The caller waits; for real time.
    Waits,
    /// Nothing waits, and each answer arrives this many transfers late, as from a converter with a queue. Before the
    /// first answer the line floats. For virtual time.
    Late(usize),
}

/// The bus.
#[derive(Debug)]
pub struct Delayed<T> {
    under: T,
    latency: Latency,
    waiting: DelayMode,
    random: Rng,
    took: Duration,
    /// The delayed answers, the oldest first; and buffers for later ones.
    under_way: VecDeque<Vec<u8>>,
    spare: Vec<Vec<u8>>,
}

impl<T: Transfer> Delayed<T> {
    /// Wraps a bus with this latency and this seed; frames are at most `longest` bytes.
    pub fn new(
        under: T,
        latency: Latency,
        waiting: DelayMode,
        seed: u64,
        longest: usize,
    ) -> Delayed<T> {
        let late = match waiting {
            DelayMode::Waits => 0,
            DelayMode::Late(transfers) => transfers,
        };
        Delayed {
            under,
            latency,
            waiting,
            random: Rng::with_seed(seed),
            took: Duration::ZERO,
            under_way: VecDeque::with_capacity(late + 1),
            spare: (0..=late).map(|_| Vec::with_capacity(longest)).collect(),
        }
    }

    /// The time of the last transfer by the model.
    pub fn took(&self) -> Duration {
        self.took
    }

    fn lasts(&mut self, bytes: usize) -> Duration {
        let Latency {
            fixed,
            per_byte,
            jitter,
            ..
        } = self.latency;
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let all = fixed.saturating_add(per_byte.saturating_mul(bytes));
        all.saturating_add(jitter.mul_f64(self.random.f64()))
    }

    /// Queues an answer, and replaces it by the one that arrives now.
    fn queue(&mut self, late: usize, up: &mut [u8]) {
        let mut fresh = self.spare.pop().unwrap_or_default();
        fresh.clear();
        fresh.extend_from_slice(up);
        self.under_way.push_back(fresh);
        up.fill(0xff);
        if self.under_way.len() > late
            && let Some(came) = self.under_way.pop_front()
        {
            let both = came.len().min(up.len());
            up[..both].copy_from_slice(&came[..both]);
            self.spare.push(came);
        }
    }
}

impl<T: Transfer> Transfer for Delayed<T> {
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault> {
        let lasts = self.lasts(down.len());
        self.took = lasts.min(self.latency.deadline);
        // The board receives the frame even if its answer is too late.
        let done = self.under.transfer(down, up);
        match self.waiting {
            DelayMode::Waits => std::thread::sleep(self.took),
            DelayMode::Late(late) if done.is_ok() => self.queue(late, up),
            DelayMode::Late(_) => {}
        }
        done?;
        if lasts > self.latency.deadline {
            return Err(BusFault::TimedOut);
        }
        Ok(())
    }
}
