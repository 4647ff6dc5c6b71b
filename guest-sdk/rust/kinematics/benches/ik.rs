//! The cost of inverse kinematics of an arm of six joints. `cargo bench -p kinematics`.
//!
//! Each case is timed alone, the fastest of some rounds, and the table has the quantiles over the cases: the median
//! case, and the ones that take long. With `--test` everything runs once. `compare/guest.py` measures the same work
//! inside WebAssembly.

use std::hint::black_box;
use std::time::Instant;

#[path = "../guest/src/work.rs"]
mod work;

use work::{Case, KINDS};

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test");
    let (cases, rounds) = if quick { (10, 1) } else { (1000, 15) };
    let arm = work::arm();
    println!(
        "{cases} cases each; us: the fastest of {rounds} rounds of a case, quantiles of the cases"
    );
    println!(
        "{:10}{:>9}{:>8}{:>8}{:>8}{:>8}{:>7}",
        "", "reached", "10 %", "50 %", "90 %", "99 %", "steps"
    );
    for kind in KINDS {
        let all: Vec<Case> = (0..cases).map(|i| Case::new(kind, i)).collect();
        let mut times = vec![f64::INFINITY; all.len()];
        let (mut reached, mut steps) = (0, Vec::new());
        for round in 0..rounds {
            for (case, fastest) in all.iter().zip(&mut times) {
                let before = Instant::now();
                let solution = black_box(black_box(case).run(&arm));
                *fastest = fastest.min(before.elapsed().as_nanos() as f64 / 1e3);
                if round == 0 {
                    reached += u32::from(solution.is_reached());
                    steps.push(f64::from(solution.iterations));
                }
            }
        }
        let [a, b, c, d] = [0.1, 0.5, 0.9, 0.99].map(|value| quantile(&mut times, value));
        let (share, steps) = (
            100.0 * f64::from(reached) / f64::from(cases),
            quantile(&mut steps, 0.5),
        );
        let name = format!("{kind:?}");
        println!("{name:10}{share:8.1}%{a:8.2}{b:8.2}{c:8.2}{d:8.2}{steps:7.0}");
    }
    let case = Case::new(KINDS[0], 1);
    let calls = if quick { 10 } else { 100_000 };
    let before = Instant::now();
    for _ in 0..calls {
        black_box(black_box(&case).forward());
    }
    let each = before.elapsed().as_nanos() as f64 / f64::from(calls);
    println!("forward kinematics of the tool: {each:.0} ns");
}

fn quantile(all: &mut [f64], share: f64) -> f64 {
    all.sort_unstable_by(f64::total_cmp);
    all[((all.len() - 1) as f64 * share) as usize]
}
