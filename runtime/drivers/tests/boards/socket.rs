//! Boards on their buses, as the cycle meets them: a reference board in another thread, over a socket, plain and
//! with faults; and buses that are not there.

use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use board::{Firmware, Motion};
use cycle::{Incoming, Outgoing, Span, Target};
use drivers::bus::{BusFault, Faulty, Rates, Socket, Spi, SpiSettings, Transfer, serve};
use drivers::faults::Fault;
use drivers::rack::Device;
use drivers::servo::{Layout, Output, OutputPart, Phase, Servo, Session};
use wire::row::name;
use wire::{Direction, Row, RowKind};

const PERIOD: Span = Span::from_millis(2);

fn row(direction: Direction) -> Row {
    Row {
        kind: RowKind::Position,
        lowest: 1000,
        highest: 2000,
        rest: 1500,
        name: name("Base"),
        ..Row::unspecified(direction)
    }
}

fn layout() -> Layout {
    let part = OutputPart::Target;
    Layout {
        outputs: vec![Some(Output { actuator: 0, part })],
        inputs: vec![Some(0)],
    }
}

/// A board that runs while `f` does.
fn with_board(path: &Path, f: impl FnOnce()) {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (rows, mut motions) = (
                [row(Direction::Output), row(Direction::Input)],
                [Motion::default()],
            );
            let mut board = Firmware::new("one", &rows, &mut motions, 100, 1).expect("a board");
            let input =
                |_: usize, board: &Firmware<'_>, clock| board.output(0, clock).unwrap_or(1000);
            let over = || over.load(Ordering::Relaxed);
            serve(path, &mut board, input, |_, _| {}, over).expect("a socket");
        });
        while !path.exists() {
            std::thread::yield_now();
        }
        f();
        over.store(true, Ordering::Relaxed);
    });
}

/// Makes `turns` turns; returns how many were answered, and the sensor's last value.
fn run(servo: &mut impl Device, turns: u64, counts: f64) -> (u64, f64) {
    let target = Target {
        counts,
        ..Target::default()
    };
    let (mut read, mut answered) = ([f64::NAN], 0);
    for turn in 1..=turns {
        let out = Outgoing {
            turn,
            now: cycle::Instant::from_millis(2 * turn),
            powered: true,
            targets: &[target],
            fires: &[],
        };
        let mut back = Incoming {
            counts: &mut read,
            answers: &mut [],
        };
        let answer = servo.exchange(&out, &mut back);
        answered += u64::from(answer.answered);
        std::thread::sleep(Duration::from_micros(200));
    }
    (answered, read[0])
}

fn servo<T: Transfer>(bus: T) -> Servo<T> {
    let session = Session::new(layout(), PERIOD);
    Servo::new(session, bus)
}

#[test]
fn a_board_that_is_a_process_is_driven_and_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board");
    with_board(&path, || {
        let bus = Socket::connect(&path).expect("a board");
        let mut servo = servo(bus);
        let (answered, read) = run(&mut servo, 300, 1777.0);
        assert!(answered > 280, "{answered}");
        assert_eq!(read, 1777.0);
        assert_eq!(servo.session.phase(), Phase::Running);
    });
    // The board is gone: nothing waits, and nothing breaks.
    let again = Socket::connect(&path);
    assert!(again.is_err());
}

#[test]
fn with_faults_on_its_wire_it_is_driven_all_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board");
    with_board(&path, || {
        let bus = Socket::connect(&path).expect("a board");
        let rates = Rates {
            fail: 0.02,
            drop: 0.02,
            corrupt_down: 0.02,
            corrupt_up: 0.02,
            freeze: 0.02,
            duplicate: 0.02,
            ..Rates::default()
        };
        let mut servo = servo(Faulty::new(bus, rates, 5, wire::frame::LONGEST));
        let (answered, read) = run(&mut servo, 2_000, 1234.0);
        assert!((1_200..1_960).contains(&answered), "{answered}");
        assert_eq!(read, 1234.0);
        let faults = servo.session.faults();
        assert_eq!(faults.exchanges(), 2_000);
        assert_eq!(faults.good, answered);
    });
}

#[test]
fn a_board_whose_process_stands_still_takes_no_more_and_is_not_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board");
    let board = UnixDatagram::bind(&path).expect("a socket");
    let mut bus = Socket::connect(&path).expect("a board");
    // Its queue is filled, as it is after some turns in which nobody reads.
    loop {
        let other = UnixDatagram::unbound().expect("a socket");
        other.set_nonblocking(true).expect("a socket");
        if other.send_to(b"another", &path).is_err() {
            break;
        }
    }
    let (told, tells) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for _ in 0..5 {
            let began = Instant::now();
            let transferred = bus.transfer(&[1; 16], &mut [0; 16]);
            // The test may have ended already.
            let _ = told.send((transferred, began.elapsed()));
        }
    });
    for _ in 0..5 {
        let (transferred, took) = tells
            .recv_timeout(Duration::from_secs(10))
            .expect("a transfer that ends");
        assert_eq!(transferred, Err(BusFault::TimedOut));
        assert!(took >= Duration::from_millis(15), "{took:?}");
    }
    drop(board);
}

#[test]
fn a_bus_that_is_not_there_is_told_by_name_and_the_turn_goes_on() {
    let settings = SpiSettings {
        path: "/dev/spidev-none".into(),
        speed: 1_000_000,
        mode: 0,
        bits: 8,
        delay: 0,
        word_delay: 0,
        keep_selected: false,
    };
    assert_eq!(Spi::open(&settings).map(|_| ()), Err(BusFault::Gone));
    let odd = SpiSettings {
        mode: 4,
        ..settings.clone()
    };
    assert_eq!(Spi::open(&odd).map(|_| ()), Err(BusFault::Settings));
    // A file is no bus.
    let file = SpiSettings {
        path: "/dev/null".into(),
        ..settings
    };
    assert!(matches!(
        Spi::open(&file),
        Err(BusFault::Other(_) | BusFault::Settings)
    ));
    #[derive(Debug)]
    struct Nothing;
    impl Transfer for Nothing {
        fn transfer(&mut self, _: &[u8], _: &mut [u8]) -> Result<(), BusFault> {
            Err(BusFault::Gone)
        }
    }
    let mut servo = servo(Nothing);
    assert_eq!(run(&mut servo, 100, 1500.0).0, 0);
    let gone = Fault::Transfer(BusFault::Gone);
    assert_eq!(servo.session.last(), Some(gone));
}
