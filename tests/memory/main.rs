//! What is allocated, and by whom: nothing by a turn, two small things by a guest's end, never much by a request.
//! A test program of its own, because its allocator counts.

mod bodies;
mod guests;
mod turns;

#[global_allocator]
static ALLOCATOR: tests::allocator::Counting = tests::allocator::Counting;
