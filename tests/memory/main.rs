//! Who allocates what: a turn allocates nothing, the end of a guest two small things, a request never much. A test
//! program of its own, because its allocator counts.

mod bodies;
mod guests;
mod turns;

#[global_allocator]
static ALLOCATOR: tests::allocator::Counting = tests::allocator::Counting;
