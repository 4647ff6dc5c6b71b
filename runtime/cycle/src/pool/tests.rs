//! The chain operations, each against a plain sorted `Vec`.

extern crate std;
use super::*;
use proptest::prelude::*;
use std::vec;
use std::vec::Vec;

fn fill(pool: &mut Pool<'_>, times: &[u64], ticket: u32) -> Chain {
    let mut chain = Chain::EMPTY;
    for (place, &at) in times.iter().enumerate() {
        let command = Command {
            at: Instant::from_nanos(at),
            value: place as f64,
        };
        assert!(pool.append(&mut chain, command, Ticket(ticket)));
    }
    chain
}

fn read(pool: &Pool<'_>, chain: &Chain) -> Vec<(u64, f64, u32)> {
    let list: Vec<_> = pool
        .iter(chain)
        .map(|(item, ticket)| (item.at.nanos(), item.value, ticket.0))
        .collect();
    assert_eq!(list.len(), chain.len() as usize);
    assert_eq!(
        pool.last_at(chain).map(Instant::nanos),
        list.last().map(|pair| pair.0)
    );
    list
}

fn model(times: &[u64], ticket: u32) -> Vec<(u64, f64, u32)> {
    let mut list: Vec<_> = times
        .iter()
        .enumerate()
        .map(|(place, &at)| (at, place as f64, ticket))
        .collect();
    list.sort_by_key(|pair| pair.0);
    list
}

proptest! {
    #[test]
    fn sorting_and_merging_equal_a_stable_sort(
        old in prop::collection::vec(0u64..50, 0..200),
        new in prop::collection::vec(0u64..50, 0..200),
    ) {
        let mut nodes = vec![FREE_NODE; 400];
        let mut pool = Pool::new(&mut nodes);
        let mut chain = fill(&mut pool, &old, 1);
        let mut newer = fill(&mut pool, &new, 2);
        pool.sort(&mut chain);
        pool.sort(&mut newer);
        pool.merge(&mut chain, newer);
        let mut expected = model(&old, 1);
        expected.extend(model(&new, 2));
        expected.sort_by_key(|pair| pair.0);
        prop_assert_eq!(read(&pool, &chain), expected);
    }

    #[test]
    fn cutting_popping_and_removing_lose_no_place(
        times in prop::collection::vec(0u64..50, 0..64),
        keep in 0u32..70,
        pops in 0u32..70,
    ) {
        let mut nodes = vec![FREE_NODE; 64];
        let mut pool = Pool::new(&mut nodes);
        let mut chain = fill(&mut pool, &times, 1);
        pool.sort(&mut chain);
        let mut expected = model(&times, 1);
        pool.cut(&mut chain, keep);
        expected.truncate(keep as usize);
        for _ in 0..pops {
            pool.pop(&mut chain);
        }
        expected.drain(..expected.len().min(pops as usize));
        prop_assert_eq!(read(&pool, &chain), expected.clone());
        prop_assert_eq!(pool.remove(&mut chain, Ticket(9)), 0);
        prop_assert_eq!(pool.remove(&mut chain, Ticket(1)) as usize, expected.len());
        // Every place is free again: the pool takes exactly its capacity once more.
        let all = fill(&mut pool, &[0; 64], 2);
        prop_assert_eq!(all.len(), 64);
        let mut more = Chain::EMPTY;
        let command = Command { at: Instant::ZERO, value: 0.0 };
        prop_assert!(!pool.append(&mut more, command, Ticket(3)));
    }
}

#[test]
fn clearing_gives_the_whole_chain_back() {
    let mut nodes = vec![FREE_NODE; 4];
    let mut pool = Pool::new(&mut nodes);
    for round in 0..3 {
        let mut chain = fill(&mut pool, &[3, 1, 2, 0], round);
        pool.clear(&mut chain);
        assert_eq!(chain.len(), 0);
    }
}
