//! What stacks on a bus: faults at stated transfers and at rates, and time that passes.

use std::time::{Duration, Instant};

use crate::common::desk::{Desk, servo, turn};
use drivers::bus::{BusFault, DelayMode, Delayed, Faulty, Latency, Mishap, Rates, Transfer};
use drivers::faults::Fault;
use drivers::rack::Device;

/// A board that says in each transfer how many it has heard, and notes what it heard.
#[derive(Clone, Debug, Default)]
struct Counter(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl Counter {
    fn heard(&self) -> Vec<u8> {
        self.0.lock().expect("nobody panicked").clone()
    }
}

impl Transfer for Counter {
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault> {
        let mut heard = self.0.lock().expect("nobody panicked");
        up.fill(heard.len() as u8);
        heard.push(down[0]);
        Ok(())
    }
}

/// Transfers 0 to 7, of which 2 and 3 meet this: what the board heard, and what the host did.
fn eight(mishap: Mishap) -> (Vec<u8>, Vec<Option<u8>>) {
    let board = Counter::default();
    let mut bus = Faulty::new(board.clone(), Rates::default(), 1, 1).during(2..4, mishap);
    let came = (0..8).map(|number| {
        let mut up = [0];
        bus.transfer(&[number], &mut up).is_ok().then_some(up[0])
    });
    let came = came.collect();
    assert_eq!(bus.injected(), 2);
    (board.heard(), came)
}

#[test]
fn what_is_scheduled_happens_then_and_only_then() {
    let all: Vec<u8> = (0..8).collect();
    let said = |item: [u8; 8]| item.map(Some).to_vec();
    let plain = said([0, 1, 2, 3, 4, 5, 6, 7]);
    let none = {
        let mut none = said([0, 1, 0, 0, 2, 3, 4, 5]);
        (none[2], none[3]) = (None, None);
        none
    };
    assert_eq!(eight(Mishap::Fail), (vec![0, 1, 4, 5, 6, 7], none));
    assert_eq!(
        eight(Mishap::Drop),
        (vec![0, 1, 255, 255, 4, 5, 6, 7], plain.clone())
    );
    assert_eq!(
        eight(Mishap::Duplicate),
        (vec![0, 1, 1, 2, 4, 5, 6, 7], plain)
    );
    assert_eq!(
        eight(Mishap::Freeze),
        (all.clone(), said([0, 1, 1, 1, 4, 5, 6, 7]))
    );
    assert_eq!(
        eight(Mishap::Delay),
        (all.clone(), said([0, 1, 1, 2, 4, 5, 6, 7]))
    );
    assert_eq!(
        eight(Mishap::Low),
        (all.clone(), said([0, 1, 0, 0, 4, 5, 6, 7]))
    );
    assert_eq!(
        eight(Mishap::High),
        (all.clone(), said([0, 1, 255, 255, 4, 5, 6, 7]))
    );
    // Each is heard after the next: 2 after the noise in place of 3, and 3 after 4.
    let (heard, _) = eight(Mishap::Swap);
    assert_eq!(heard, [0, 1, 255, 255, 2, 4, 3, 5, 6, 7]);
    for mishap in [Mishap::CorruptUp, Mishap::CorruptDown] {
        let (heard, came) = eight(mishap);
        let wrong = |item: &dyn Fn(usize) -> u8| {
            (0..8)
                .map(|at| (item(at) ^ at as u8).count_ones())
                .collect::<Vec<_>>()
        };
        let bits = wrong(&|at| {
            if mishap == Mishap::CorruptUp {
                came[at].expect("no failure")
            } else {
                heard[at]
            }
        });
        assert_eq!(bits, [0, 0, 1, 1, 0, 0, 0, 0]);
    }
}

#[test]
fn the_same_seed_does_the_same_and_what_is_scheduled_does_not_move_it() {
    let run = |scheduled: bool| {
        let rates = Rates {
            corrupt_up: 0.2,
            high: 0.1,
            fail: 0.1,
            ..Rates::default()
        };
        let mut bus = Faulty::new(Counter::default(), rates, 9, 1);
        if scheduled {
            bus = bus.during(0..3, Mishap::Low);
        }
        let came = (0..500).map(|_| {
            let mut up = [0];
            bus.transfer(&[0], &mut up).map(|()| up[0])
        });
        came.collect::<Vec<_>>()
    };
    assert_eq!(run(false), run(false));
    let fails =
        |item: Vec<Result<u8, BusFault>>| item[3..].iter().map(Result::is_ok).collect::<Vec<_>>();
    assert_eq!(fails(run(false)), fails(run(true)));
}

const LATENCY: Latency = Latency {
    fixed: Duration::from_micros(100),
    per_byte: Duration::from_micros(1),
    jitter: Duration::from_micros(50),
    deadline: Duration::from_micros(240),
};

#[test]
fn a_transfer_takes_what_the_model_says_and_none_beyond_its_deadline() {
    let mut bus = Delayed::new(Counter::default(), LATENCY, DelayMode::Late(0), 1, 200);
    let mut took = |bytes: usize| {
        let done = bus.transfer(&vec![1; bytes], &mut vec![0; bytes]);
        (done.is_ok(), bus.took().as_micros())
    };
    for _ in 0..200 {
        let (answered, took_us) = took(64);
        assert!(answered && (164..=214).contains(&took_us), "{took_us} µs");
        assert_eq!(took(200), (false, 240));
    }
    // What of the jitter, 0 to 50, leaves it within 240.
    for (bytes, share) in [(80, 1_000), (100, 800), (120, 400), (141, 0)] {
        let answered: usize = (0..1_000).filter(|_| took(bytes).0).count();
        assert!(answered.abs_diff(share) < 60, "{bytes} bytes: {answered}");
    }
}

#[test]
fn whoever_waits_waits_for_real() {
    let fixed = Duration::from_millis(3);
    let latency = Latency {
        fixed,
        deadline: Duration::from_millis(8),
        ..LATENCY
    };
    let mut bus = Delayed::new(Counter::default(), latency, DelayMode::Waits, 1, 64);
    let began = Instant::now();
    for _ in 0..5 {
        bus.transfer(&[0], &mut [0]).expect("within its time");
    }
    assert!(began.elapsed() >= 5 * fixed);
}

#[test]
fn answers_that_come_late_are_of_as_many_transfers_before() {
    let mut bus = Delayed::new(Counter::default(), LATENCY, DelayMode::Late(3), 1, 64);
    let came: Vec<_> = (0..8)
        .map(|number| {
            let mut up = [0];
            bus.transfer(&[number], &mut up).expect("within its time");
            up[0]
        })
        .collect();
    assert_eq!(came, [255, 255, 255, 0, 1, 2, 3, 4]);
}

#[test]
fn a_board_behind_a_slow_converter_is_driven_or_told_to_be_deaf() {
    for (late, answers) in [(0, true), (1, true), (3, true), (4, false), (9, false)] {
        let bus = Delayed::new(Desk::new(2), LATENCY, DelayMode::Late(late), 1, 64);
        let mut servo = servo(2, bus);
        let answered = (1..=200).filter(|i| turn(&mut servo, 2, *i, true, 2_000.0).0.answered);
        let answered = answered.count();
        assert_eq!(answered > 150, answers, "{late} late: {answered} answered");
        assert_eq!(
            servo.faults().of(Fault::NoNewAck) > 0,
            !answers,
            "{late} late"
        );
    }
}
