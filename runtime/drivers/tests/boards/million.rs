//! A million transfers of 26 joints with a reference board, a third of them damaged in one direction: both sides take
//! only what was sent.

use std::collections::{BTreeMap, VecDeque};

use crate::common::desk::{HIGHEST, LOWEST, layout, rows};
use board::{Firmware, Motion};
use cycle::{Incoming, Instant, Outgoing, Span, Target};
use drivers::faults::Fault;
use drivers::servo::{Phase, Session};

const JOINTS: usize = 26;
const TRANSFERS: u64 = 1_000_000;

/// What happens to the bytes of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bend {
    Bits(usize),
    Burst,
    Low,
    High,
    /// Nothing arrives: no frame at the board, or a failed transfer at the host.
    Lost,
    /// The frame before comes once more instead.
    Again,
    /// This one comes after the next.
    Swapped,
    Noise,
}

const BENDS: [Bend; 10] = [
    Bend::Bits(1),
    Bend::Bits(2),
    Bend::Bits(3),
    Bend::Burst,
    Bend::Low,
    Bend::High,
    Bend::Lost,
    Bend::Again,
    Bend::Swapped,
    Bend::Noise,
];

/// One direction of the wire.
#[derive(Default)]
struct Way {
    before: Vec<u8>,
    held: Option<Vec<u8>>,
    bent: BTreeMap<Bend, u64>,
}

impl Way {
    /// What arrives of this frame: nothing, one, or two.
    fn pass(
        &mut self,
        frame: &[u8],
        bend: Option<Bend>,
        random: &mut fastrand::Rng,
    ) -> Vec<Vec<u8>> {
        let mut come = frame.to_vec();
        let before = std::mem::replace(&mut self.before, frame.to_vec());
        let held = self.held.take();
        if let Some(bend) = bend {
            *self.bent.entry(bend).or_default() += 1;
        }
        match bend {
            None => {}
            Some(Bend::Bits(count)) => {
                let bits = random.choose_multiple(0..8 * frame.len(), count);
                bits.into_iter()
                    .for_each(|bit| come[bit / 8] ^= 1 << (bit % 8));
            }
            Some(Bend::Burst) => {
                let (length, all) = (random.usize(2..=31), 8 * frame.len());
                let first = random.usize(..all - length);
                let inside = random.u32(..) | 1 | 1 << (length - 1);
                // The highest bit of a byte goes first.
                let hit = (0..length).filter(|i| inside >> i & 1 != 0);
                hit.for_each(|value| come[(first + value) / 8] ^= 0x80 >> ((first + value) % 8));
            }
            Some(Bend::Low) => come.fill(0),
            Some(Bend::High) => come.fill(0xff),
            Some(Bend::Lost) => return held.into_iter().collect(),
            Some(Bend::Again) => come = before,
            Some(Bend::Swapped) => {
                self.held = Some(come);
                return held.into_iter().collect();
            }
            Some(Bend::Noise) => come.fill_with(|| random.u8(..)),
        }
        [Some(come), held].into_iter().flatten().collect()
    }
}

/// Every joint's target in a turn: another one in each, and no two alike.
fn target(turn: u64, joint: usize) -> u16 {
    let span = u64::from(HIGHEST - LOWEST - 100);
    LOWEST + (turn * 7_919 % span) as u16 + joint as u16
}

/// What every joint reads in a turn.
fn reading(turn: u64, joint: usize) -> u16 {
    target(turn.wrapping_mul(31), joint)
}

#[test]
fn of_a_million_bent_transfers_no_wrong_value_is_taken_on_either_side() {
    let (rows, mut motions) = (rows(JOINTS), [Motion::default(); JOINTS]);
    let mut board = Firmware::new("desk", &rows, &mut motions, 500, 1).expect("a board");
    // Each line is short, so that all of them have ended before the next frame, also those that are longer because
    // frames were lost.
    let mut session = Session::new(layout(JOINTS), Span::from_micros(100));
    let mut random = fastrand::Rng::with_seed(12);
    let (mut down_way, mut up_way) = (Way::default(), Way::default());
    let (mut clock, mut answered, mut driven) = (0_u32, 0_u64, 0_u64);
    let mut frame = vec![0; session.longest().expect("it fits")];
    // The last frames, whether they have targets, and the newest turn of those that the board has heard whole since
    // it was last asked for its table.
    let (mut recent, mut told) = (VecDeque::new(), None);
    let mut powered = true;
    for turn in 1..=TRANSFERS {
        clock = clock.wrapping_add(10_000);
        board.tick(clock);
        // Its outputs are all of one turn, and of the one that it heard last.
        if let (Some(told), Some(_)) = (told, board.output(0, clock)) {
            for joint in 0..JOINTS {
                assert_eq!(
                    board.output(joint, clock),
                    Some(target(told, joint)),
                    "turn {turn}"
                );
            }
            driven += 1;
        }
        let targets: [Target; JOINTS] = std::array::from_fn(|joint| Target {
            counts: f64::from(target(turn, joint)),
            ..Target::default()
        });
        let out = Outgoing {
            turn,
            now: Instant::from_millis(10 * turn),
            powered,
            targets: &targets,
            fires: &[],
        };
        let is_run = session.phase() == Phase::Running;
        let size = session.compose(&out, &mut frame);
        recent.push_front((frame[..size].to_vec(), turn, is_run));
        recent.truncate(4);
        let mut said = vec![0xff; size];
        assert!(board.answer(&mut said, clock, |joint| reading(turn, joint)));
        let bend =
            |random: &mut fastrand::Rng| random.choice(BENDS).filter(|_| random.u8(..6) == 0);
        let (bend_down, bend_up) = (bend(&mut random), bend(&mut random));
        for heard in down_way.pass(&frame[..size], bend_down, &mut random) {
            let known = recent.iter().find(|pair| pair.0 == heard);
            told = match known {
                Some((_, _, false)) => None,
                Some((_, sent, true)) => told.max(Some(*sent)),
                None => told,
            };
            board.hear(&heard, clock);
        }
        let mut counts = [-1.0; JOINTS];
        let mut back = Incoming {
            counts: &mut counts,
            answers: &mut [],
        };
        let came = up_way.pass(&said, bend_up, &mut random);
        // A wire that holds an answer back gives it in place of a later one.
        let answer = match came.last() {
            Some(came) => session.hear(came, &mut back),
            None => session.failed(drivers::bus::BusFault::TimedOut),
        };
        if answer.answered {
            answered += 1;
            let is_of = |turn: u64| (0..JOINTS).all(|i| counts[i] == f64::from(reading(turn, i)));
            // What is believed was said by the board, now or in the transfer before.
            let late =
                matches!(bend_up, Some(Bend::Again | Bend::Lost | Bend::Swapped)) || came.len() > 1;
            assert!(
                is_of(turn) || late && is_of(turn - 1),
                "turn {turn}: {bend_up:?}"
            );
            let bits = matches!(bend_up, Some(Bend::Bits(_) | Bend::Burst | Bend::Noise));
            assert!(!bits || late, "turn {turn}: a changed frame was believed");
        } else {
            assert_eq!(counts, [-1.0; JOINTS], "what is not believed is not read");
        }
        // A board that let go waits until the host lets go too.
        powered = session.last() != Some(Fault::MotorsOff);
    }
    for way in [&down_way, &up_way] {
        assert_eq!(way.bent.len(), BENDS.len());
        assert!(
            way.bent.values().all(|value| *value > 10_000),
            "{:?}",
            way.bent
        );
    }
    let faults = session.faults();
    assert_eq!((faults.exchanges(), faults.good), (TRANSFERS, answered));
    assert!(
        answered > TRANSFERS / 2 && driven > TRANSFERS / 2,
        "{answered}, {driven}"
    );
    println!("{answered} answered, {driven} driven");
    for (name, count) in faults.named() {
        println!("{name:18}{count:8}");
    }
}
