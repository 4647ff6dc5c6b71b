//! A bus that takes time: how long a transfer lasts, by a model and a seed. It stacks on any other.
//! For tests of deadlines, and for whoever asks what a slower bus would do to a robot.
//! The law: the same seed gives the same times to the same transfers, and none lasts beyond the deadline.

use std::collections::VecDeque;
use std::time::Duration;

use fastrand::Rng;

use super::{BusFault, Transfer};

/// How long a transfer lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latency {
    /// Every transfer.
    pub fixed: Duration,
    /// And for each byte.
    pub per_byte: Duration,
    /// And something between nothing and this.
    pub jitter: Duration,
    /// Whatever lasts longer has not been answered.
    pub deadline: Duration,
}

/// What becomes of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// The caller waits: for real time.
    Waits,
    /// Nobody waits, and each answer comes so many transfers late, as from behind a converter with a queue; before
    /// the first, the line floats. For virtual time.
    Late(usize),
}

/// The bus.
#[derive(Debug)]
pub struct Delayed<T> {
    under: T,
    latency: Latency,
    waiting: Waiting,
    random: Rng,
    took: Duration,
    /// The answers on their way, the oldest first; and buffers for those to come.
    under_way: VecDeque<Vec<u8>>,
    spare: Vec<Vec<u8>>,
}

impl<T: Transfer> Delayed<T> {
    /// This bus with this latency, by this seed; frames are no longer than `longest`.
    pub fn new(
        under: T,
        latency: Latency,
        waiting: Waiting,
        seed: u64,
        longest: usize,
    ) -> Delayed<T> {
        let late = match waiting {
            Waiting::Waits => 0,
            Waiting::Late(transfers) => transfers,
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

    /// How long the last transfer lasted, by the model.
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

    /// This answer sets out; the one that arrives takes its place.
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
        // Who answers too late has heard all the same.
        let done = self.under.transfer(down, up);
        match self.waiting {
            Waiting::Waits => std::thread::sleep(self.took),
            Waiting::Late(late) if done.is_ok() => self.queue(late, up),
            Waiting::Late(_) => {}
        }
        done?;
        if lasts > self.latency.deadline {
            return Err(BusFault::TimedOut);
        }
        Ok(())
    }
}
