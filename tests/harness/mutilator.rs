//! Mutates good inputs. Used by tests of everything that reads bytes from outside. The same seed makes the
//! same bytes.

/// Mutates bytes: flips bits, cuts, doubles, swaps, inserts words that have a meaning.
#[derive(Debug)]
pub struct Mutilator {
    /// The source of randomness.
    pub random: fastrand::Rng,
    /// Words that have a meaning for the reader under test.
    pub words: &'static [&'static [u8]],
}

impl Mutilator {
    /// A copy of good bytes with a few mutations.
    pub fn mutilate(&mut self, good: &[u8]) -> Vec<u8> {
        let mut bytes = good.to_vec();
        for _ in 0..self.random.usize(1..6) {
            let at = self.random.usize(0..=bytes.len());
            let to = (at + self.random.usize(0..40)).min(bytes.len());
            match self.random.u8(0..7) {
                0 if at < bytes.len() => bytes[at] ^= 1 << self.random.u8(0..8),
                1 if at < bytes.len() => bytes[at] = self.random.u8(..),
                2 => drop(bytes.drain(at..to)),
                3 => {
                    let piece = bytes[at..to].to_vec();
                    bytes.splice(at..at, piece);
                }
                4 => bytes.truncate(at),
                5 => {
                    let word = self.words[self.random.usize(0..self.words.len())];
                    bytes.splice(at..to.min(at + word.len()), word.iter().copied());
                }
                _ => {
                    let from = self.random.usize(0..good.len().max(1));
                    let piece = &good[from.min(good.len())..(from + 30).min(good.len())];
                    bytes.splice(at..at, piece.iter().copied());
                }
            }
        }
        bytes
    }
}
