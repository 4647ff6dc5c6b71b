//! Sets of actuators as bit sets of 64-bit words: those for which a lane has commands, those it claims, and so on.
//! Iterating over a set takes one step for each member and each 64 actuators, not for each actuator.

/// How many words a set over `actuators` needs.
pub(crate) const fn words(actuators: usize) -> usize {
    actuators.div_ceil(64)
}

pub(crate) fn insert(set: &mut [u64], member: usize) {
    set[member / 64] |= 1 << (member % 64);
}

pub(crate) fn remove(set: &mut [u64], member: usize) {
    set[member / 64] &= !(1 << (member % 64));
}

pub(crate) fn holds(set: &[u64], member: usize) -> bool {
    set[member / 64] & (1 << (member % 64)) != 0
}

pub(crate) fn is_empty(set: &[u64]) -> bool {
    set.iter().all(|word| *word == 0)
}

/// The members of one word, as indices in the whole set.
pub(crate) fn members(word: usize, mut bits: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let first = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(word * 64 + first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_remembers_its_members_across_words() {
        let mut set = [0u64; 2];
        for member in [0, 63, 64, 127] {
            insert(&mut set, member);
        }
        remove(&mut set, 63);
        assert!(holds(&set, 64) && !holds(&set, 63) && !is_empty(&set));
        assert!(members(0, set[0]).eq([0]) && members(1, set[1]).eq([64, 127]));
    }
}
