//! The host's session with the reference board, over a wire that damages frames.

use board::{Firmware, Motion};
use cycle::{ActuatorId, Answer, Fire, Gains, Incoming, Instant, Outgoing, Span, Target};
use drivers::bus::BusFault;
use drivers::faults::Fault;
use drivers::servo::{Layout, Output, OutputPart, Phase, Session};
use wire::row::name;
use wire::{Direction, Row, RowKind, Up};

const PERIOD: Span = Span::from_millis(10);

/// Two servos with a gain, a trigger that nobody drives, a lamp; both servos' positions are inputs.
fn rows() -> Vec<Row> {
    let row = |direction, kind, lowest, highest, rest, text: &str| Row {
        kind,
        lowest,
        highest,
        rest,
        name: name(text),
        ..Row::unspecified(direction)
    };
    vec![
        row(
            Direction::Output,
            RowKind::Position,
            1000,
            2000,
            1500,
            "Base",
        ),
        row(
            Direction::Output,
            RowKind::Position,
            500,
            60_000,
            30_000,
            "Elbow",
        ),
        row(Direction::Output, RowKind::Gain, 0, 100, 0, "Base.P"),
        row(Direction::Output, RowKind::Trigger, 0, 3, 0, "Ping"),
        row(Direction::Input, RowKind::Position, 0, 65_535, 0, "Base"),
        row(Direction::Input, RowKind::Position, 0, 65_535, 0, "Elbow"),
    ]
}

fn layout() -> Layout {
    let output = |actuator, part| Some(Output { actuator, part });
    Layout {
        outputs: vec![
            output(0, OutputPart::Target),
            output(1, OutputPart::Target),
            output(0, OutputPart::P),
            output(2, OutputPart::Fire),
        ],
        inputs: vec![Some(1), Some(0)],
    }
}

/// A host, a wire and a board, and the time of both.
struct Bench<'b> {
    session: Session,
    board: Firmware<'b>,
    turn: u64,
    clock: u32,
    targets: [Target; 3],
    powered: bool,
    fires: Vec<Fire>,
    counts: [f64; 2],
    /// The last frames of either side, for wires that repeat them.
    downs: Vec<Vec<u8>>,
    ups: Vec<Vec<u8>>,
}

/// What the wire does to a transfer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wire {
    Whole,
    /// The system says that it failed; the board heard nothing.
    Fails,
    /// Nobody drives the line upwards; the board hears.
    High,
    Low,
    /// A bit is changed on its way up, or down.
    FlipsUp,
    FlipsDown,
    /// The board does not hear this frame.
    Drops,
    /// The board hears the frame before once more instead.
    Repeats,
    /// The board says again what it said before.
    Freezes,
    /// The board's answer is that of the transfer before.
    Delays,
    /// Half of the board's frame is of the one before.
    Tears,
    /// The board's frame is cut: the rest floats.
    Cuts,
    /// It is noise.
    Noise,
}

const WIRES: [Wire; 13] = [
    Wire::Whole,
    Wire::Fails,
    Wire::High,
    Wire::Low,
    Wire::FlipsUp,
    Wire::FlipsDown,
    Wire::Drops,
    Wire::Repeats,
    Wire::Freezes,
    Wire::Delays,
    Wire::Tears,
    Wire::Cuts,
    Wire::Noise,
];

impl Bench<'_> {
    fn turn(&mut self, wire: Wire, random: &mut fastrand::Rng) -> Answer {
        self.turn += 1;
        self.clock = self.clock.wrapping_add(10_000);
        let out = Outgoing {
            turn: self.turn,
            now: Instant::from_millis(self.turn * 10),
            powered: self.powered,
            targets: &self.targets,
            fires: &self.fires,
        };
        let mut down = vec![0; self.session.longest().expect("it fits")];
        let size = self.session.compose(&out, &mut down);
        assert!(size >= 64, "a frame has its room");
        down.truncate(size);
        let mut up = vec![0xff; size];
        let read = [0, 1].map(|i| self.board.output(i, self.clock).unwrap_or(9));
        assert!(self.board.answer(&mut up, self.clock, |value| {
            read.get(value).copied().unwrap_or(60)
        }));
        let (was_down, was_up) = (self.downs.last().cloned(), self.ups.last().cloned());
        let old = was_up
            .filter(|was_up| was_up.len() == size)
            .unwrap_or(vec![0xff; size]);
        let heard = match wire {
            Wire::Fails | Wire::Drops => None,
            Wire::Repeats => was_down,
            Wire::FlipsDown => {
                let mut down = down.clone();
                down[random.usize(..size)] ^= 1 << random.u8(..8);
                Some(down)
            }
            _ => Some(down.clone()),
        };
        if let Some(heard) = heard {
            self.board.hear(&heard, self.clock);
        }
        let came = match wire {
            Wire::High => vec![0xff; size],
            Wire::Low => vec![0; size],
            Wire::FlipsUp => {
                let mut up = up.clone();
                up[random.usize(..size)] ^= 1 << random.u8(..8);
                up
            }
            Wire::Freezes | Wire::Delays => old,
            Wire::Tears => [&old[..size / 2], &up[size / 2..]].concat(),
            Wire::Cuts => [&up[..size / 2], &vec![0xff; size - size / 2][..]].concat(),
            Wire::Noise => (0..size).map(|_| random.u8(..)).collect(),
            _ => up.clone(),
        };
        self.downs.push(down);
        // A board that stands still goes on standing still at the same frame.
        if wire != Wire::Freezes {
            self.ups.push(up);
        }
        let mut answers = [Answer::default()];
        let mut back = Incoming {
            counts: &mut self.counts,
            answers: &mut answers,
        };
        if wire == Wire::Fails {
            self.session.failed(BusFault::TimedOut)
        } else {
            self.session.hear(&came, &mut back)
        }
    }

    fn turns(&mut self, count: usize) -> Answer {
        let mut random = fastrand::Rng::with_seed(0);
        let mut last = Answer::default();
        for _ in 0..count {
            last = self.turn(Wire::Whole, &mut random);
        }
        last
    }

    /// The host lets go; then the board gets its force back.
    fn lets_go_and_has_force_again(&mut self) {
        self.powered = false;
        assert!(self.turns(3).answered);
        self.powered = true;
        assert!(self.turns(3).answered);
        assert_eq!(self.output(0), Some(1500));
    }

    /// The same host's time, with a board that came up again and another conversation.
    fn after<'a>(&self, board: Firmware<'a>, session: Session) -> Bench<'a> {
        Bench {
            session,
            board,
            turn: self.turn,
            clock: self.clock,
            targets: self.targets,
            powered: true,
            fires: Vec::new(),
            counts: self.counts,
            downs: Vec::new(),
            ups: Vec::new(),
        }
    }

    fn output(&self, place: usize) -> Option<u16> {
        self.board.output(place, self.clock)
    }
}

fn with_bench(layout: Layout, rows: &[Row], f: impl FnOnce(&mut Bench<'_>)) {
    let mut motions = [Motion::default(); 4];
    let outputs = rows
        .iter()
        .filter(|row| row.direction == Direction::Output)
        .count();
    let board = Firmware::new("desk", rows, &mut motions[..outputs], 100, 1).expect("a board");
    let target = |counts| Target {
        counts,
        gains: Gains {
            p: 40.0,
            i: 0.0,
            d: 0.0,
        },
    };
    f(&mut Bench {
        session: Session::new(layout, PERIOD),
        board,
        turn: 0,
        clock: 0,
        targets: [target(1500.0), target(30_000.0), target(0.0)],
        powered: true,
        fires: Vec::new(),
        counts: [f64::NAN; 2],
        downs: Vec::new(),
        ups: Vec::new(),
    });
}

/// Turns until a board is known: one for each row, one for the whole, and the answers that come a turn later.
const READING: usize = 20;

#[test]
fn the_table_is_read_and_then_every_transfer_is_answered() {
    with_bench(layout(), &rows(), |bench| {
        let answer = bench.turns(READING);
        assert_eq!(bench.session.phase(), Phase::Running);
        assert!(answer.answered);
        // It acknowledges what it heard in the transfer before.
        assert_eq!(answer.acknowledged, bench.turn - 1);
        assert_eq!(bench.session.faults().exchanges(), READING as u64);
        bench.targets[0].counts = 1600.4;
        bench.targets[1].counts = 1e9;
        bench.turns(1);
        assert_eq!(bench.output(0), Some(1500), "it sets out");
        bench.turns(1);
        assert_eq!(bench.output(0), Some(1600), "a turn later it is there");
        assert_eq!(bench.output(1), Some(60_000), "within the row's range");
        assert_eq!(bench.output(2), Some(40));
        bench.turns(2);
        // Crosswise, as the layout has it; as it was when the frame was made.
        assert_eq!(bench.counts, [60_000.0, 1600.0]);
    });
}

#[test]
fn a_large_table_is_read_row_by_row_whatever_gets_lost() {
    let row = |direction, number: usize| Row {
        kind: RowKind::Position,
        lowest: 0,
        highest: 100,
        rest: 50,
        name: name(&format!("J{number}")),
        ..Row::unspecified(direction)
    };
    let outputs = (0..4).map(|i| row(Direction::Output, i));
    let all: Vec<_> = outputs
        .chain((0..90).map(|i| row(Direction::Input, i)))
        .collect();
    let layout = Layout {
        outputs: vec![None; 4],
        inputs: vec![None; 90],
    };
    with_bench(layout.clone(), &all, |bench| {
        // A transfer for each row, the one for the board, and what is a turn behind.
        assert!(bench.turns(90 + 4 + 5).answered);
    });
    with_bench(layout, &all, |bench| {
        let mut random = fastrand::Rng::with_seed(3);
        for turn in 0.. {
            let wire = if random.u8(..4) == 0 {
                Wire::FlipsUp
            } else {
                Wire::Whole
            };
            if bench.turn(wire, &mut random).answered {
                break;
            }
            assert!(
                turn < 20_000,
                "it does not run: {:?}",
                bench.session.phase()
            );
        }
    });
}

#[test]
fn a_trigger_fires_once_for_each_turn_in_which_it_is_due() {
    with_bench(layout(), &rows(), |bench| {
        bench.turns(READING);
        let mut words = Vec::new();
        for turn in 0..8 {
            bench.fires.clear();
            if turn % 2 == 0 {
                bench.fires.push(Fire {
                    actuator: ActuatorId(2),
                    counts: 1.0,
                    at: Instant::ZERO,
                });
            }
            bench.turns(1);
            words.push(bench.output(3).expect("a trigger has a word"));
        }
        assert_eq!(words, [1, 1, 2, 2, 3, 3, 0, 0]);
    });
}

#[test]
fn whoever_begins_anew_fires_nothing_by_it() {
    with_bench(layout(), &rows(), |bench| {
        bench.turns(READING);
        bench.fires.push(Fire {
            actuator: ActuatorId(2),
            counts: 1.0,
            at: Instant::ZERO,
        });
        bench.turns(1);
        bench.fires.clear();
        assert!(bench.board.fires(3) && !bench.board.fires(3));
        // The trigger's word stands at 1 now; a host that begins knows of none.
        bench.session = Session::new(layout(), PERIOD);
        bench.turns(READING);
        assert_eq!(bench.output(3), Some(0));
        assert!(!bench.board.fires(3), "the first frame only tells");
    });
}

#[test]
fn who_takes_over_lets_nothing_go_and_touches_nothing_that_it_does_not_know() {
    // Nobody knows the elbow, and what the trigger's word is.
    let mut layout = layout();
    layout.outputs[1] = None;
    with_bench(layout.clone(), &rows(), |bench| {
        bench.turns(READING);
        bench.fires.push(Fire {
            actuator: ActuatorId(2),
            counts: 1.0,
            at: Instant::ZERO,
        });
        bench.turns(3);
        bench.fires.clear();
        assert!(bench.board.fires(3));
        let before = [0, 1, 3].map(|i| bench.output(i));
        assert_eq!(before, [Some(1500), Some(30_000), Some(3)]);
        bench.session = Session::taking_over(layout.clone(), PERIOD);
        for turn in 0..12 {
            let answer = bench.turns(1);
            assert_eq!(
                [0, 1, 3].map(|i| bench.output(i)),
                before,
                "transfer {turn}"
            );
            assert!(
                turn < 6 || answer.answered,
                "transfer {turn}: {:?}",
                bench.session.last()
            );
        }
        assert!(!bench.board.fires(3));
        bench.targets[0].counts = 1_600.0;
        bench.turns(3);
        assert_eq!(bench.output(0), Some(1_600));
    });
}

#[test]
fn who_takes_over_a_board_that_has_let_go_gives_it_no_force() {
    with_bench(layout(), &rows(), |bench| {
        bench.turns(READING);
        // It came up again, and nobody has driven it since.
        let (rows, mut motions) = (rows(), [Motion::default(); 4]);
        let again = Firmware::new("desk", &rows, &mut motions, 100, 2).expect("a board");
        let mut bench = bench.after(again, Session::taking_over(layout(), PERIOD));
        for _ in 0..40 {
            assert!(!bench.turns(1).answered);
            assert_eq!(bench.output(0), None, "{:?}", bench.session.last());
        }
    });
}

#[test]
fn a_board_of_another_table_never_gets_targets() {
    let mut other = rows();
    other.remove(3);
    let swapped = {
        let mut rows = rows();
        rows.swap(3, 4);
        rows
    };
    // Too few outputs; and one that cannot even be a board is none of ours.
    with_bench(layout(), &other, |bench| {
        bench.turns(500);
        assert_ne!(bench.session.phase(), Phase::Running);
        assert!(bench.session.faults().of(Fault::Mismatch) > 100);
        assert_eq!(bench.output(0), None, "no force");
    });
    assert!(Firmware::new("it", &swapped, &mut [Motion::default(); 4], 1, 1).is_err());
}

#[test]
fn a_board_that_rebooted_is_asked_again_and_then_driven() {
    with_bench(layout(), &rows(), |bench| {
        bench.turns(READING);
        let (rows, mut motions) = (rows(), [Motion::default(); 4]);
        let again = Firmware::new("desk", &rows, &mut motions, 100, 2).expect("a board");
        let session = std::mem::replace(&mut bench.session, Session::new(layout(), PERIOD));
        let mut bench = bench.after(again, session);
        assert!(!bench.turns(1).answered);
        assert_eq!(bench.session.faults().of(Fault::Rebooted), 1);
        assert_eq!(bench.output(0), None, "it has forgotten what it was told");
        // Its joints have sunk: it gets no force again before the body has let go as well.
        assert!(!bench.turns(READING).answered);
        assert_eq!(bench.session.last(), Some(Fault::MotorsOff));
        assert_eq!(bench.output(0), None);
        bench.lets_go_and_has_force_again();
    });
}

#[test]
fn a_board_that_let_go_is_missing_until_the_host_lets_go_too() {
    with_bench(layout(), &rows(), |bench| {
        bench.turns(READING);
        bench.board.stop(true);
        assert!(!bench.turns(3).answered);
        assert!(bench.session.faults().of(Fault::Stopped) >= 2);
        bench.board.stop(false);
        assert!(!bench.turns(3).answered);
        assert!(bench.session.faults().of(Fault::MotorsOff) >= 2);
        assert_eq!(bench.output(0), None);
        bench.lets_go_and_has_force_again();
    });
}

#[test]
fn whatever_the_wire_does_nothing_leaves_its_range_and_all_is_well_again_soon_after() {
    for wire in &WIRES[1..] {
        for rate in [0.001, 0.05, 0.6] {
            with_bench(layout(), &rows(), |bench| {
                let mut random = fastrand::Rng::with_seed(7);
                bench.turns(READING);
                let (before, mut injected) = (*bench.session.faults(), 0);
                for _ in 0..100_000 {
                    for (target, most) in bench.targets.iter_mut().zip([1e4, 1e6, 10.0]) {
                        target.counts = random.f64() * most - most / 4.0;
                    }
                    let now = if random.f64() < rate {
                        *wire
                    } else {
                        Wire::Whole
                    };
                    injected += u64::from(now != Wire::Whole);
                    bench.turn(now, &mut random);
                    for (place, row) in rows().iter().take(4).enumerate() {
                        let word = bench.output(place).unwrap_or(row.rest);
                        assert!(
                            (row.lowest..=row.highest).contains(&word),
                            "{wire:?}: {word}"
                        );
                    }
                }
                let after = *bench.session.faults();
                // Each transfer is counted once, as good or as what was wrong with it.
                assert_eq!(after.exchanges() - before.exchanges(), 100_000, "{wire:?}");
                let unheard = after.unheard - before.unheard;
                let bad = 100_000 - (after.good - before.good) + unheard;
                assert!(
                    bad > 0,
                    "{wire:?} at {rate}: {injected} injected, none noticed"
                );
                if *wire == Wire::Fails {
                    assert_eq!(after.of(Fault::Transfer(BusFault::TimedOut)), injected);
                }
                if *wire == Wire::Drops && rate < 0.1 {
                    // The last one would be told in the next answer.
                    let error = unheard + after.of(Fault::NoNewAck);
                    assert!(error.abs_diff(injected) <= 1, "{error} of {injected}");
                }
                // The motors may have been let go of meanwhile: then the host lets go as well.
                bench.powered = false;
                bench.turns(80);
                bench.powered = true;
                assert!(
                    bench.turns(5).answered,
                    "{wire:?} at {rate}: {:?}",
                    bench.session
                );
            });
        }
    }
}

#[test]
fn a_board_that_acknowledges_what_was_never_sent_is_not_believed() {
    with_bench(layout(), &rows(), |bench| {
        bench.turns(READING);
        let mut lie = bench.ups.last().expect("a frame").clone();
        let up = Up::parse(&lie).expect("a frame");
        let (mut told, clock) = (up, up.clock);
        for acknowledged in [
            up.acknowledged.wrapping_add(9_000),
            up.acknowledged.wrapping_sub(100),
        ] {
            told.acknowledged = acknowledged;
            told.clock = told.clock.wrapping_add(7);
            let mut frame = vec![0; lie.len()];
            assert!(
                Up {
                    inputs: &[],
                    ..told
                }
                .emit(&mut frame, 2, |_| 4)
            );
            let mut back = Incoming {
                counts: &mut [1.0, 2.0],
                answers: &mut [],
            };
            assert!(!bench.session.hear(&frame, &mut back).answered);
            assert_eq!(back.counts, [1.0, 2.0], "what it reads is not believed");
        }
        assert_eq!(bench.session.faults().of(Fault::WrongAck), 2);
        assert_ne!(clock, told.clock);
        lie.clear();
        assert!(
            !bench
                .session
                .hear(
                    &lie,
                    &mut Incoming {
                        counts: &mut [],
                        answers: &mut []
                    }
                )
                .answered
        );
    });
}
