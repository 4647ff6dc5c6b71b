//! Good files, mutated from a seed: any bytes are read or refused, and what is read keeps its
//! promises.

use super::SAMPLES;
use crate::read_anything;

const WORDS: [&[u8]; 28] = [
    b"nan",
    b"inf",
    b"-1e308",
    b"1e999",
    b"\"",
    b"[[[[",
    b"]]",
    b"{",
    b"}",
    b"\xff",
    b"\xff\xfe",
    b"\0",
    b"9999999999999999999",
    b"-",
    b",",
    b"*",
    b"#END",
    b"\r",
    b"&x",
    b"0x7fffffff",
    b"<Key",
    b"/*",
    b"sep=;\n",
    b"\\\n",
    b" +=",
    b"010",
    b" start_frame=\"7\" end_frame=\"20\"",
    b"---\n",
];

/// A copy of good bytes with a few mutations.
fn mutate(random: &mut fastrand::Rng, good: &[u8]) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for _ in 0..random.usize(1..6) {
        let at = random.usize(0..=bytes.len());
        let to = (at + random.usize(0..40)).min(bytes.len());
        match random.u8(0..6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.u8(0..8),
            1 if at < bytes.len() => bytes[at] = random.u8(..),
            2 => drop(bytes.drain(at..to)),
            3 => {
                let piece = bytes[at..to].to_vec();
                bytes.splice(at..at, piece);
            }
            4 => bytes.truncate(at),
            _ => {
                let word = WORDS[random.usize(0..WORDS.len())];
                bytes.splice(at..to.min(at + word.len()), word.iter().copied());
            }
        }
    }
    bytes
}

#[test]
fn files_of_any_bytes_are_read_or_refused() {
    let rounds = match std::env::var("PROMISES").as_deref() {
        Ok("full") => 60_000,
        _ => 60,
    };
    let walk = [&b"\x06\0\0\0WalkMC\0"[..], &[0; 688]].concat();
    let more = [super::cdr::good(), walk];
    let samples = SAMPLES.iter().map(|sample| sample.2);
    let samples: Vec<_> = samples.chain(more.iter().map(|item| &**item)).collect();
    let mut random = fastrand::Rng::with_seed(1);
    let (mut read, mut refused) = (0, 0);
    for round in 0..rounds {
        for good in &samples {
            assert!(round > 0 || read_anything(good) > 0);
            match read_anything(&mutate(&mut random, good)) {
                0 => refused += 1,
                _ => read += 1,
            }
        }
    }
    println!("{read} files read, {refused} refused");
    assert!(read > 0 && refused > 0);
}

#[test]
fn every_beginning_of_a_file_is_read_or_refused() {
    for (_, _, good) in SAMPLES {
        for end in (0..good.len()).step_by(good.len() / 60 + 1) {
            read_anything(&good[..end]);
        }
    }
}
