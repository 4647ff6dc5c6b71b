//! How many bits of a frame may change until the checksum can miss it: proved by its syndromes, and tested with noise.
//!
//! The checksum is linear: what a set of changed bits does to it is the exclusive-or of what each of them does alone,
//! its syndrome. A change is missed only where that is zero. So a proof over all pairs of bits is one over all triples,
//! and over all sets of four.

use wire::frame::{LONGEST, SEAL, SHORT, checksum};
use wire::{Up, length};

/// Castagnoli's polynomial without its highest term.
const POLYNOMIAL: u32 = 0x1edc_6f41;

/// The syndrome of each bit of a frame of this length, byte by byte, the lowest bit of a byte first.
fn syndromes(bytes: usize) -> Vec<u32> {
    let mut body = vec![0; bytes - SEAL];
    let nothing = checksum(&body);
    let mut all = Vec::with_capacity(8 * bytes);
    for bit in 0..8 * body.len() {
        body[bit / 8] ^= 1 << (bit % 8);
        all.push(checksum(&body) ^ nothing);
        body[bit / 8] ^= 1 << (bit % 8);
    }
    all.extend((0..8 * SEAL).map(|bit| 1 << bit));
    all
}

fn nao() -> usize {
    length(26, 26).expect("it fits")
}

#[test]
fn a_syndrome_is_what_a_bit_does_and_many_do_what_each_does() {
    let (bytes, mut random) = (nao(), Random(1));
    let all = syndromes(bytes);
    for _ in 0..10_000 {
        let mut frame: Vec<u8> = (0..bytes).map(|_| random.next() as u8).collect();
        let seal = checksum(&frame[..bytes - SEAL]);
        frame[bytes - SEAL..].copy_from_slice(&seal.to_le_bytes());
        let mut syndrome = 0;
        for _ in 0..random.next() % 9 {
            let bit = random.next() as usize % (8 * bytes);
            frame[bit / 8] ^= 1 << (bit % 8);
            syndrome ^= all[bit];
        }
        let (body, seal) = frame.split_last_chunk::<SEAL>().expect("a frame");
        assert_eq!(checksum(body) ^ u32::from_le_bytes(*seal), syndrome);
    }
}

#[test]
fn of_a_frame_of_26_joints_every_one_to_five_changed_bits_are_found() {
    let all = syndromes(nao());
    assert_eq!(all.len(), 992);
    let mut known = all.clone();
    known.sort_unstable();
    assert!(known[0] != 0, "one bit");
    assert!(known.windows(2).all(|pair| pair[0] != pair[1]), "two bits");
    let mut pairs = Vec::with_capacity(all.len() * all.len() / 2);
    for (place, first) in all.iter().enumerate() {
        pairs.extend(all[place + 1..].iter().map(|second| first ^ second));
    }
    assert_eq!(pairs.len(), 992 * 991 / 2);
    let third = |n: &u32| known.binary_search(n).is_ok();
    assert!(!pairs.iter().any(third), "three bits");
    // Were two pairs alike, they had no bit in common, because no two syndromes are alike.
    pairs.sort_unstable();
    assert!(pairs.windows(2).all(|pair| pair[0] != pair[1]), "four bits");
    assert!(an_odd_number_is_found(), "five bits");
}

/// A polynomial with an even number of terms is a multiple of x + 1, and so is each of its multiples: they all have
/// an even number of terms, so no odd number of changed bits is one.
fn an_odd_number_is_found() -> bool {
    (POLYNOMIAL.count_ones() + 1).is_multiple_of(2)
}

#[test]
fn of_the_longest_frame_every_one_to_three_changed_bits_are_found() {
    let mut all = syndromes(LONGEST);
    all.sort_unstable();
    assert!(all[0] != 0 && all.windows(2).all(|pair| pair[0] != pair[1]));
    assert!(an_odd_number_is_found());
    // And it is this polynomial: the highest bit of a byte has its terms, as its catalogue has them in reverse.
    let last = syndromes(SHORT)[8 * (SHORT - SEAL) - 1];
    assert_eq!(last, POLYNOMIAL.reverse_bits());
}

/// Whether no change of bits within a run of so many is missed: the syndromes of each such run are independent.
fn finds_bursts(all: &[u32], bits: usize) -> bool {
    all.windows(bits).all(|window| {
        let mut basis: Vec<u32> = Vec::with_capacity(bits);
        window.iter().all(|syndrome| {
            let rest = basis.iter().fold(*syndrome, |sum, by| sum.min(sum ^ by));
            basis.push(rest);
            rest != 0
        })
    })
}

#[test]
fn bursts_are_found() {
    for bytes in [SHORT, nao(), 512, LONGEST] {
        let inside = syndromes(bytes);
        assert!(finds_bursts(&inside, 32), "in the checksum's own order");
        // On the wire the highest bit of each byte goes first: there it is one bit less.
        let wire: Vec<u32> = inside
            .chunks(8)
            .flat_map(|chunk| chunk.iter().rev().copied())
            .collect();
        let longest = (1..=32).rev().find(|i| finds_bursts(&wire, *i));
        assert_eq!(longest, Some(31), "{bytes} bytes");
    }
}

/// Noise that begins as a frame does, so that the checksum alone has to find it.
#[test]
fn of_a_million_frames_of_noise_none_is_believed() {
    let (mut random, mut believed) = (Random(7), 0);
    let mut frame = vec![0; nao()];
    for _ in 0..1_000_000 {
        for eight in frame.chunks_mut(8) {
            let noise = random.next().to_le_bytes();
            eight.copy_from_slice(&noise[..eight.len()]);
        }
        frame[..3].copy_from_slice(&[0x7d, 1, 2]);
        believed += u32::from(Up::parse(&frame).is_ok());
    }
    // One of 65,536 would be fifteen; what is promised of 32 bits is one of four thousand million.
    assert_eq!(believed, 0);
}

/// The same noise in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // Splitmix, as its authors have it.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let one = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let value = (one ^ one >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ value >> 31
    }
}
