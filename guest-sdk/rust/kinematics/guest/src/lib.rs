//! A guest that solves inverse kinematics, for `compare/guest.py`, which runs it in WebAssembly and natively, side by
//! side. No choreography: it has no hooks, and imports nothing.
//! It is what a guest's code would be, `no_std` and without memory of its own.

#![cfg_attr(target_arch = "wasm32", no_std)]

mod work;

use kinematics::Reachability;

use work::{Case, KINDS};

/// Solves a case this many times. Returns the steps of one solution, and 1,000 more if it was not reached.
#[unsafe(no_mangle)]
pub extern "C" fn solve(kind: u32, number: u32, times: u32) -> u32 {
    let case = Case::new(KINDS[kind as usize % KINDS.len()], number);
    let arm = work::arm();
    let mut steps = 0;
    for _ in 0..times {
        let solution = core::hint::black_box(&case).run(&arm);
        let end = if solution.end == Reachability::Reached { 0 } else { 1000 };
        steps = core::hint::black_box(solution.iterations + end);
    }
    steps
}

/// The bits of all joints of a case's solution, and of what is left, mixed: equal on all machines.
#[unsafe(no_mangle)]
pub extern "C" fn digest(kind: u32, number: u32) -> u64 {
    let case = Case::new(KINDS[kind as usize % KINDS.len()], number);
    let solution = case.run(&work::arm());
    let left = [solution.residual.distance, solution.residual.angle];
    let all = solution.values().iter().chain(&left);
    all.fold(0, |mix: u64, value| (mix ^ value.to_bits()).wrapping_mul(0x0100_0000_01B3))
}

/// Forward kinematics of the tool, this many times.
#[unsafe(no_mangle)]
pub extern "C" fn forward(number: u32, times: u32) -> u64 {
    let case = Case::new(KINDS[0], number);
    let mut bits = 0;
    for _ in 0..times {
        bits ^= core::hint::black_box(core::hint::black_box(&case).forward().at.x.to_bits());
    }
    bits
}

#[cfg(target_arch = "wasm32")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
