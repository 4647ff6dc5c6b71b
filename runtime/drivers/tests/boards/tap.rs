//! The tap: the file holds all transfers, it can be replayed, and no bytes break its reader.

use crate::common::desk::{Desk, Plug, servo, turn};
use drivers::bus::{BusFault, Difference, Faulty, NotATape, Played, Rates, Tap, Tape, Transfer};
use drivers::rack::Device;

const JOINTS: usize = 3;

/// Drives a board for `turns` turns over this bus; returns every answer and reading.
fn day<T: Transfer>(bus: T, turns: u64, plug: &Desk) -> (Vec<(cycle::Answer, u64)>, T) {
    let mut servo = servo(JOINTS, bus);
    let mut all = Vec::new();
    for number in 1..=turns {
        plug.board().plug = match number {
            100..110 => Plug::Out,
            110..115 => Plug::Floats,
            _ => Plug::In,
        };
        let powered = number > 30 && number != 140;
        let counts = 20_000.0 + 10.0 * number as f64;
        let (answer, read) = turn(&mut servo, JOINTS, number, powered, counts);
        all.push((answer, read.to_bits()));
    }
    assert_eq!(servo.faults().exchanges(), turns);
    (all, servo.bus)
}

#[test]
fn a_day_with_a_board_is_played_again_without_the_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("day.tap");
    let desk = Desk::new(JOINTS);
    let rates = Rates {
        corrupt_up: 0.05,
        fail: 0.05,
        ..Rates::default()
    };
    let bus = Faulty::new(desk.clone(), rates, 1, 4096);
    let tap = Tap::new(bus, &path).expect("a file");
    let (then, tap) = day(tap, 400, &desk);
    assert_eq!(tap.finish().expect("it is written"), 0);
    assert!(then.iter().any(|pair| pair.0.answered) && then.iter().any(|pair| !pair.0.answered));

    let played = Played::open(&path).expect("a tape");
    assert_eq!(
        (played.tape().records(), played.tape().lost()),
        (400, Some(0))
    );
    let times: Vec<_> = played.tape().passed().map(|passed| passed.nanos).collect();
    assert!(times.is_sorted());
    let (now, mut played) = day(played, 400, &Desk::new(JOINTS));
    assert!(now == then, "the same answers and the same readings");
    assert_eq!((played.difference(), played.missing()), (None, 0));
    assert_eq!(played.transfer(&[0; 64], &mut [0; 64]), Err(BusFault::Gone));
}

#[test]
fn the_first_byte_that_is_other_than_then_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("one.tap");
    let mut tap = Tap::new(Desk::new(JOINTS), &path).expect("a file");
    for first in 0..4 {
        tap.transfer(&[first, 2, 3, 4], &mut [0; 4])
            .expect("a desk");
    }
    drop(tap);
    let mut played = Played::open(&path).expect("a tape");
    let mut up = [0; 4];
    for down in [&[0, 2, 3, 4][..], &[1, 2, 9, 4], &[7, 2, 3, 4], &[3]] {
        played.transfer(down, &mut up).expect("as then");
    }
    let difference = Difference {
        transfer: 1,
        byte: 2,
        then: Some(3),
        now: Some(9),
    };
    assert_eq!(played.difference(), Some(difference));
    assert_eq!(
        difference.to_string(),
        "transfer 1, byte 2: the tape has 0x03, this run sent 0x09"
    );
}

#[test]
fn what_there_is_no_room_for_is_lost_and_the_file_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("gaps.tap");
    // Room for two transfers of 64 bytes each way, and a writer that looks once in a while.
    let mut tap = Tap::with_room(Desk::new(JOINTS), &path, 2 * (28 + 128 + 4)).expect("a file");
    // The scheduler decides how many are lost: make transfers until some are.
    let mut made = 0;
    for number in 0..u16::MAX {
        if made >= 1_000 && tap.lost() > 0 {
            break;
        }
        made += 1;
        let mut down = [0; 64];
        down[..2].copy_from_slice(&number.to_le_bytes());
        tap.transfer(&down, &mut [0; 64]).expect("a desk");
    }
    let lost = tap.lost();
    assert!(lost > 0, "none of {made} was lost");
    assert_eq!(tap.finish().expect("it is written"), lost);
    let mut played = Played::open(&path).expect("a tape");
    assert_eq!(played.tape().lost(), Some(lost));
    assert_eq!(played.tape().records() + lost, made);
    for passed in played.tape().passed() {
        let number = u16::from_le_bytes([passed.down[0], passed.down[1]]);
        assert_eq!(passed.number, u64::from(number));
    }
    // Before the last that is there, those that are not are not answered.
    let last = played.tape().passed().last().expect("some").number;
    let answers = (0..=last).map(|_| played.transfer(&[0; 64], &mut [0; 64]));
    let silent = answers
        .filter(|answer| *answer == Err(BusFault::TimedOut))
        .count();
    assert_eq!(silent as u64, played.missing());
    assert_eq!(played.tape().records() + played.missing(), last + 1);
}

#[test]
fn whatever_is_done_to_a_file_what_is_read_of_it_is_what_passed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("day.tap");
    let desk = Desk::new(JOINTS);
    let tap = Tap::new(desk.clone(), &path).expect("a file");
    day(tap, 130, &desk).1.finish().expect("it is written");
    let whole = std::fs::read(&path).expect("a file");
    let tape = Tape::read(whole.clone()).expect("a tape");
    let all: Vec<_> = tape.passed().collect();
    assert_eq!(Tape::read(Vec::new()), Err(NotATape::Head));
    assert_eq!(
        Tape::read(b"DCMTAP\x02\0".to_vec()),
        Err(NotATape::Version(2))
    );
    // Cut anywhere, it is what is whole before the cut, and says that its end is missing.
    for cut in 8..whole.len() {
        let some = Tape::read(whole[..cut].to_vec()).expect("a tape");
        assert_eq!(some.lost(), None);
        assert!(
            some.passed()
                .eq(all[..some.records() as usize].iter().copied())
        );
    }
    // Changed anywhere, it is what was sound before.
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..20_000 {
        let mut changed = whole.clone();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(8..changed.len());
            changed[at] ^= 1 << random.u8(..8);
        }
        let some = Tape::read(changed).expect("a tape");
        assert!(
            some.passed()
                .eq(all[..some.records() as usize].iter().copied())
        );
    }
    for _ in 0..20_000 {
        let mut noise = b"DCMTAP\x01\0".to_vec();
        noise.extend((0..random.usize(..200)).map(|_| random.u8(..)));
        assert_eq!(Tape::read(noise).map(|tape| tape.records()), Ok(0));
    }
}

#[test]
fn a_file_that_cannot_be_written_is_told_and_the_turn_goes_on() {
    let nowhere = Tap::new(Desk::new(JOINTS), "/nowhere/at/all".as_ref());
    assert_eq!(nowhere.map(|_| ()), Err(BusFault::Gone));
    assert!(Tap::new(Desk::new(JOINTS), "/dev/full".as_ref()).is_err());
}
