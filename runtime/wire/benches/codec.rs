//! The cost of encoding and decoding a frame of 26 joints. `cargo bench -p wire --bench codec`.
//!
//! Medians of interleaved rounds, so that other load hits all of them. For comparison, the limit: copying as many bytes
//! and computing their checksum. With `--test` everything runs once.

use std::hint::black_box;
use std::time::Instant;

use wire::frame::{SEAL, checksum};
use wire::{Down, DownKind, Up, UpKind, length};

const JOINTS: usize = 26;

const DOWN: Down<'static> = Down {
    kind: DownKind::Run,
    powered: true,
    stopped: false,
    keeps: false,
    sequence: 7,
    horizon: 200,
    boots: 1,
    outputs: &[],
};

const UP: Up<'static> = Up {
    kind: UpKind::Run,
    powered: true,
    relaxed: false,
    stopped: false,
    acknowledged: 6,
    error: 0,
    boots: 1,
    refused: None,
    clock: 123_456,
    inputs: &[],
};

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test");
    let (rounds, calls) = if quick { (1, 10) } else { (101, 20_000) };
    let all = length(JOINTS, JOINTS).expect("it fits");
    let words: Vec<u16> = (0..2 * JOINTS as u16).map(|i| i * 997).collect();
    let (mut down, mut up, mut copy) = (vec![0; all], vec![0; all], vec![0; all]);
    write_down(&mut down, &words);
    write_up(&mut up, &words);
    let (down_then, up_then) = (down.clone(), up.clone());
    let mut costs: [(&str, Vec<f64>); 6] = [
        ("a frame down, written", Vec::new()),
        ("a frame down, read", Vec::new()),
        ("a frame up, written", Vec::new()),
        ("a frame up, read", Vec::new()),
        ("limit: copied, and its checksum, written", Vec::new()),
        ("limit: copied, and its checksum, read", Vec::new()),
    ];
    for _ in 0..rounds {
        let once = [
            time(calls, || {
                write_down(black_box(&mut down), black_box(&words))
            }),
            time(calls, || read_down(black_box(&down_then))),
            time(calls, || write_up(black_box(&mut up), black_box(&words))),
            time(calls, || read_up(black_box(&up_then))),
            time(calls, || seal(black_box(&up_then), black_box(&mut copy))),
            time(calls, || open(black_box(&up_then), black_box(&mut copy))),
        ];
        costs
            .iter_mut()
            .zip(once)
            .for_each(|(pair, ns)| pair.1.push(ns));
    }
    let medians = costs.map(|(what, mut all)| {
        all.sort_unstable_by(f64::total_cmp);
        (what, all[all.len() / 2])
    });
    println!("{JOINTS} joints, {all} bytes, medians of {rounds} rounds of {calls}        ns");
    for (what, ns) in medians {
        println!("{what:48}{ns:8.1}");
    }
    let [written_down, read_down, written_up, read_up, sealed, opened] =
        medians.map(|median| median.1);
    println!(
        "{:48}{:8.1}",
        "the host's turn: down written, up read",
        written_down + read_up
    );
    println!(
        "{:48}{:8.1}",
        "the board's turn: down read, up written",
        read_down + written_up
    );
    println!("{:48}{:8.1}", "the limit of either", sealed + opened);
}

/// Nanoseconds of one call.
fn time<T>(calls: u32, mut call: impl FnMut() -> T) -> f64 {
    let began = Instant::now();
    for _ in 0..calls {
        black_box(call());
    }
    began.elapsed().as_nanos() as f64 / f64::from(calls)
}

fn write_down(into: &mut [u8], words: &[u16]) -> bool {
    DOWN.emit(into, JOINTS, |value| {
        (words[2 * value], words[2 * value + 1])
    })
}

fn read_down(frame: &[u8]) -> u32 {
    let down = Down::parse(frame).expect("a frame");
    let outputs = (0..down.count()).filter_map(|i| down.output(i));
    outputs
        .map(|(now, ahead)| u32::from(now) + u32::from(ahead))
        .sum()
}

fn write_up(into: &mut [u8], words: &[u16]) -> bool {
    UP.emit(into, JOINTS, |i| words[i])
}

fn read_up(frame: &[u8]) -> u32 {
    let up = Up::parse(frame).expect("a frame");
    (0..JOINTS).filter_map(|i| up.input(i)).map(u32::from).sum()
}

fn seal(from: &[u8], into: &mut [u8]) {
    into.copy_from_slice(from);
    if let Some((body, seal)) = into.split_last_chunk_mut::<SEAL>() {
        *seal = checksum(body).to_le_bytes();
    }
}

fn open(from: &[u8], into: &mut [u8]) -> bool {
    into.copy_from_slice(from);
    into.split_last_chunk::<SEAL>()
        .is_some_and(|(body, seal)| checksum(body) == u32::from_le_bytes(*seal))
}
