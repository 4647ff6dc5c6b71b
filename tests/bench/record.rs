//! What recording costs in a turn, and how fast a replay is. `cargo bench -p tests --bench record`.
//!
//! NAO with three guests, in virtual time: without a recording, with one, and its replay. With `--test` everything runs
//! once, briefly.

use std::ops::ControlFlow;
use std::time::Instant;

use recording::{Recording, replay};
use tests::recorded::{GUESTS, play};

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test");
    let (rounds, turns) = if quick { (1, 300) } else { (7, 60_000) };
    let folder = tempfile::tempdir().expect("a folder");
    let film = folder.path().join("nao.mcap");
    let (mut bare, mut taped, mut again) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        bare.push(play(turns, None).working.quantile(0.5).nanos());
        let _ = std::fs::remove_file(&film);
        taped.push(play(turns, Some(&film)).working.quantile(0.5).nanos());
        let recording = Recording::open(&film).expect("a recording");
        let began = Instant::now();
        let verdict = replay(
            &recording,
            Default::default(),
            |_| ControlFlow::Continue(()),
        );
        assert!(verdict.expect("it can be played").is_identical());
        again.push(began.elapsed().as_nanos() as u64 / turns);
    }
    let bytes = std::fs::metadata(&film).expect("a file").len();
    let median = |list: &mut Vec<u64>| {
        list.sort_unstable();
        list[list.len() / 2] as f64 / 1e3
    };
    let (bare, taped, again) = (median(&mut bare), median(&mut taped), median(&mut again));
    println!(
        "NAO with {} guests, {turns} turns, medians of {rounds}",
        GUESTS.len()
    );
    println!("a turn                         {bare:8.1} µs");
    println!(
        "a turn that is recorded        {taped:8.1} µs   {:+.1}",
        taped - bare
    );
    println!(
        "a turn that is played again    {again:8.1} µs   {:.0} times as fast as the robot",
        1e4 / again
    );
    println!(
        "a turn in the file             {:8.0} bytes",
        bytes as f64 / turns as f64
    );
}
