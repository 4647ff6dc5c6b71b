//! Device nodes of a real kernel: buses and lines. `tests/kernel/test.sh` boots one and runs these in it; nobody else
//! does, because they need its devices.

#[path = "../common/mod.rs"]
mod common;

#[path = "../../../../tests/harness/allocator.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the harness's own file; not all of it is used here"
)]
mod allocator;
#[path = "../../../../tests/harness/gpio_sim.rs"]
#[allow(unreachable_pub, reason = "the harness's own file")]
mod gpio_sim;
#[path = "../../../../tests/harness/wait.rs"]
#[allow(unreachable_pub, reason = "the harness's own file")]
mod wait;

mod buses;
mod lines;

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;
