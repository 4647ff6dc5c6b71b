//! Servo boards over a real kernel's spidev. `tests/kernel/test.sh` boots one and runs these in it; nobody else does,
//! because they need its devices.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::common::promises::{Subject, Terms, keep_all};
use crate::gpio_sim::put;
use board::{Firmware, Motion};
use cycle::{Answer, Incoming, Instant as Moment, Outgoing, Span, Target};
use drivers::bus::{BusFault, Spi, SpiSettings, Transfer};
use drivers::faults::{Fault, Faults};
use drivers::rack::Device;
use drivers::servo::{Layout, Output, OutputPart, Phase, Servo, Session};
use wire::row::name;
use wire::{Direction, Row, RowKind};

const CHANNELS: usize = 26;
const DEVICE: &str = "/dev/spidev0.0";

fn set(parameter: &str, value: i32) {
    put(
        format!("/sys/module/vspi/parameters/{parameter}"),
        &value.to_string(),
    );
}

/// What the board has seen.
#[derive(Default)]
struct Seen {
    transfers: AtomicU64,
    speed: AtomicU32,
    mode: AtomicU32,
    over: AtomicBool,
}

fn rows() -> Vec<Row> {
    let row = |direction, number: usize| Row {
        kind: RowKind::Position,
        lowest: 0,
        highest: u16::MAX,
        rest: 100,
        name: name(&format!("J{number}")),
        ..Row::unspecified(direction)
    };
    let outputs = (0..CHANNELS).map(|i| row(Direction::Output, i));
    outputs
        .chain((0..CHANNELS).map(|i| row(Direction::Input, i)))
        .collect()
}

/// A reference board at the far end of the kernel's wire.
fn be_board(seen: &Seen) {
    let mut wire = OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/vspi")
        .expect("the far end");
    let (rows, mut motions) = (rows(), vec![Motion::default(); CHANNELS]);
    let mut board = Firmware::new("bench", &rows, &mut motions, 500, 1).expect("a board");
    let (began, mut record) = (Instant::now(), vec![0; 28 + 65_536]);
    let mut at = [7; CHANNELS];
    while !seen.over.load(Ordering::Relaxed) {
        let Ok(size) = wire.read(&mut record) else {
            std::thread::sleep(Duration::from_millis(1));
            continue;
        };
        let word = |at: usize| {
            let bytes = record[4 * at..].first_chunk::<4>().expect("a header");
            u32::from_ne_bytes(*bytes)
        };
        let (number, mode, speed, length) = (word(0), word(2), word(3), word(6) as usize);
        if length == 0 || size != 28 + length {
            continue;
        }
        let clock = began.elapsed().as_micros() as u32;
        let mut reply = vec![0; 8 + length];
        reply[..4].copy_from_slice(&number.to_ne_bytes());
        // A motor without force stays where it is.
        for (place, at) in at.iter_mut().enumerate() {
            *at = board.output(place, clock).unwrap_or(*at);
        }
        if !board.answer(&mut reply[8..], clock, |i| at[i]) {
            reply[8..].fill(0xff);
        }
        board.hear(&record[28..28 + length], clock);
        seen.mode.store(mode, Ordering::Relaxed);
        seen.speed.store(speed, Ordering::Relaxed);
        seen.transfers.fetch_add(1, Ordering::Relaxed);
        // A host that was unplugged meanwhile hears nothing.
        let _ = wire.write_all(&reply);
    }
}

fn with_board(f: impl FnOnce(&Seen)) {
    let seen = Seen::default();
    // It waits for a transfer in the kernel: one that stands in nobody's way ends it.
    struct Ends<'s>(&'s Seen);
    impl Drop for Ends<'_> {
        fn drop(&mut self) {
            self.0.over.store(true, Ordering::Relaxed);
            if let Ok(mut bus) = Spi::open(&settings(100_000, 0)) {
                let _ = bus.transfer(&[0], &mut [0]);
            }
        }
    }
    std::thread::scope(|scope| {
        scope.spawn(|| be_board(&seen));
        std::thread::sleep(Duration::from_millis(20));
        let _ends = Ends(&seen);
        f(&seen);
    });
}

fn settings(speed: u32, mode: u8) -> SpiSettings {
    SpiSettings {
        path: DEVICE.into(),
        speed,
        mode,
        bits: 8,
        delay: 0,
        word_delay: 0,
        keep_selected: false,
    }
}

fn servo(speed: u32, mode: u8) -> Servo<Spi> {
    let part = OutputPart::Target;
    let layout = Layout {
        outputs: (0..CHANNELS)
            .map(|actuator| Some(Output { actuator, part }))
            .collect(),
        inputs: (0..CHANNELS).map(Some).collect(),
    };
    // Turns come one after the other here, so that a line has no time.
    let session = Session::new(layout, Span::ZERO);
    let bus = Spi::open(&settings(speed, mode)).expect("a bus");
    Servo::new(session, bus)
}

/// A turn at this number; whether it was answered, and what was read.
fn turn(servo: &mut Servo<Spi>, turn: u64, counts: f64) -> (bool, [f64; CHANNELS]) {
    turn_with(servo, turn, counts, true)
}

fn turn_with(
    servo: &mut Servo<Spi>,
    turn: u64,
    counts: f64,
    powered: bool,
) -> (bool, [f64; CHANNELS]) {
    let target = Target {
        counts,
        ..Target::default()
    };
    let mut read = [f64::NAN; CHANNELS];
    let out = Outgoing {
        turn,
        now: Moment::from_millis(10 * turn),
        powered,
        targets: &[target; CHANNELS],
        fires: &[],
    };
    let mut back = Incoming {
        counts: &mut read,
        answers: &mut [],
    };
    let answer = servo.exchange(&out, &mut back);
    (answer.answered, read)
}

/// Turns until the board runs.
fn settle(servo: &mut Servo<Spi>, from: u64) -> u64 {
    for number in from..from + 400 {
        // A board that was lost with force has it again only after a turn without.
        let powered = servo.session.last() != Some(Fault::MotorsOff);
        let (answered, _) = turn_with(servo, number, 100.0, powered);
        if answered && powered {
            return number + 1;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("it does not run: {:?}", servo.session.last());
}

#[test]
fn a_board_is_driven_at_every_speed_and_mode() {
    for speed in [500_000, 1_000_000, 8_000_000] {
        for mode in 0..4 {
            with_board(|seen| {
                let mut servo = servo(speed, mode);
                let from = settle(&mut servo, 1);
                for number in from..from + 200 {
                    let (answered, read) = turn(&mut servo, number, number as f64);
                    assert!(
                        answered,
                        "{speed} Hz, mode {mode}: {:?}",
                        servo.session.last()
                    );
                    if number > from + 3 {
                        // It goes from the last target to this one, and tells where it was.
                        let wanted = number as f64 - 2.0;
                        assert!((read[7] - wanted).abs() <= 2.0, "{} of {wanted}", read[7]);
                    }
                }
                assert_eq!(seen.speed.load(Ordering::Relaxed), speed);
                assert_eq!(seen.mode.load(Ordering::Relaxed) & 3, u32::from(mode));
            });
        }
    }
}

/// A board on the kernel's bus, whose controller can be unplugged.
struct OnSpi(Servo<Spi>);

impl Subject for OnSpi {
    fn turn(&mut self, number: u64, powered: bool, counts: f64) -> (Answer, f64) {
        let seen = crate::common::desk::turn(&mut self.0, CHANNELS, number, powered, counts);
        std::thread::sleep(Duration::from_millis(4));
        seen
    }

    fn plug(&mut self, is_in: bool) {
        let file = if is_in { "bind" } else { "unbind" };
        put(format!("/sys/bus/platform/drivers/vspi/{file}"), "vspi.0");
    }

    fn faults(&self) -> Option<Faults> {
        Some(self.0.faults())
    }
}

#[test]
fn a_board_on_the_kernels_bus_keeps_all_promises() {
    with_board(|_| {
        let terms = Terms {
            range: (0.0, f64::from(u16::MAX)),
            near: 0.5,
            // Its motions last 10 ms, and the bus is opened again after a fifth of a second.
            moving: 20,
            reading: 400,
            behind: 1,
            timeout: Duration::from_secs(2),
        };
        keep_all(&mut OnSpi(servo(1_000_000, 0)), terms);
    });
}

#[test]
fn a_minute_of_a_naos_frames_is_answered_frame_by_frame() {
    with_board(|_| {
        let mut servo = servo(4_000_000, 0);
        let from = settle(&mut servo, 1);
        let began = Instant::now();
        let before = *servo.session.faults();
        for number in 0..6_000 {
            let (answered, _) = turn(&mut servo, from + number, (number % 60_000) as f64);
            assert!(answered, "frame {number}: {:?}", servo.session.last());
            let due = Duration::from_millis(10 * (number + 1));
            std::thread::sleep(due.saturating_sub(began.elapsed()));
        }
        let after = *servo.session.faults();
        assert_eq!(after.good - before.good, 6_000);
        assert_eq!(after.unheard, before.unheard);
    });
}

#[test]
fn unplugged_under_way_it_comes_back_without_a_restart() {
    with_board(|_| {
        let mut servo = servo(1_000_000, 0);
        let mut next = settle(&mut servo, 1);
        for _ in 0..5 {
            put("/sys/bus/platform/drivers/vspi/unbind", "vspi.0");
            for _ in 0..30 {
                let (answered, _) = turn(&mut servo, next, 100.0);
                assert!(!answered);
                let gone = Fault::Transfer(BusFault::Gone);
                assert_eq!(servo.session.last(), Some(gone));
                next += 1;
                std::thread::sleep(Duration::from_millis(2));
            }
            assert!(!Path::new(DEVICE).exists());
            put("/sys/bus/platform/drivers/vspi/bind", "vspi.0");
            next = settle(&mut servo, next);
            assert_eq!(servo.session.phase(), Phase::Running);
        }
    });
}

#[test]
fn what_the_kernel_says_is_told_by_name_and_what_it_hides_by_the_checksum() {
    with_board(|_| {
        let mut servo = servo(1_000_000, 0);
        let mut next = settle(&mut servo, 1);
        let failed = Fault::Transfer(BusFault::Other(5));
        set("fail_errno", 5);
        set("fail_count", 3);
        for _ in 0..3 {
            assert!(!turn(&mut servo, next, 100.0).0);
            assert_eq!(servo.session.last(), Some(failed));
            next += 1;
        }
        next = settle(&mut servo, next);
        assert_eq!(servo.session.faults().of(failed), 3);
        // More than the kernel's buffer.
        let mut bus = Spi::open(&settings(1_000_000, 0)).expect("a bus");
        let long = bus.transfer(&vec![0; 4097], &mut vec![0; 4097]);
        assert_eq!(long, Err(BusFault::TooLong));
        let odd = Spi::open(&SpiSettings {
            bits: 12,
            delay: 0,
            word_delay: 0,
            keep_selected: false,
            ..settings(1_000_000, 0)
        });
        assert_eq!(odd.map(|_| ()), Err(BusFault::Settings));
        settle(&mut servo, next);
    });
    // Nobody is at the other end: the line floats.
    let mut servo = servo(1_000_000, 0);
    for number in 1..10 {
        assert!(!turn(&mut servo, number, 100.0).0);
        assert_eq!(servo.session.last(), Some(Fault::Silence));
    }
}
