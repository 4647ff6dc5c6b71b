//! The reference board, transfer by transfer: what it takes, what it refuses, when it relaxes its motors.

use std::convert::Infallible;

use board::{Firmware, Motion, TableError, pins};
use embedded_hal::digital::{ErrorType as PinError, InputPin};
use embedded_hal::pwm::{ErrorType as DutyError, SetDutyCycle};
use wire::frame::SHORT;
use wire::row::{name, table, text};
use wire::{Direction, Down, DownKind, Refused, Row, RowKind, TableQuery, Unit, Up, UpKind};

const MS: u32 = 1000;

/// Two servos and a lamp; the first servo's position is an input.
fn rows() -> [Row; 4] {
    let row = |direction, kind, lowest, highest, rest, text: &str| Row {
        kind,
        lowest,
        highest,
        rest,
        name: name(text),
        ..Row::unspecified(direction)
    };
    [
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
        row(Direction::Output, RowKind::Light, 0, 255, 0, "Lamp"),
        row(Direction::Input, RowKind::Position, 0, 4095, 0, "Base"),
    ]
}

/// A host with a board on its wire.
struct Wire<'b> {
    board: Firmware<'b>,
    sequence: u16,
    clock: u32,
}

impl Wire<'_> {
    fn send(
        &mut self,
        kind: DownKind,
        powered: bool,
        horizon: u16,
        words: [(u16, u16); 3],
    ) -> Vec<u8> {
        self.sequence = self.sequence.wrapping_add(1);
        let down = Down {
            kind,
            powered,
            stopped: false,
            keeps: false,
            sequence: self.sequence,
            horizon,
            boots: 1,
            outputs: &[],
        };
        let mut frame = vec![0; SHORT];
        assert!(down.emit(&mut frame, 3, |i| words[i]));
        frame
    }

    /// Makes one transfer; returns the answer, which belongs to the previous one.
    fn exchange(&mut self, frame: &[u8]) -> Vec<u8> {
        let mut back = vec![0; SHORT];
        assert!(self.board.answer(&mut back, self.clock, |_| 1234));
        self.board.hear(frame, self.clock);
        back
    }

    fn run(&mut self, powered: bool, horizon: u16, words: [(u16, u16); 3]) -> Vec<u8> {
        let frame = self.send(DownKind::Run, powered, horizon, words);
        self.exchange(&frame)
    }

    /// The board's next frame.
    fn told(&mut self) -> Vec<u8> {
        let mut back = vec![0; SHORT];
        assert!(self.board.answer(&mut back, self.clock, |_| 1234));
        back
    }

    fn words(&self) -> [Option<u16>; 3] {
        [0, 1, 2].map(|i| self.board.output(i, self.clock))
    }
}

fn with_board(f: impl FnOnce(&mut Wire<'_>)) {
    with_watchdog(100, f);
}

fn with_watchdog(ms: u16, f: impl FnOnce(&mut Wire<'_>)) {
    let (rows, mut motions) = (rows(), [Motion::default(); 3]);
    let board = Firmware::new("desk", &rows, &mut motions, ms, 1).expect("a board");
    f(&mut Wire {
        board,
        sequence: 0,
        clock: 5 * MS,
    });
}

fn asked(random: &mut fastrand::Rng) -> TableQuery {
    TableQuery::Row {
        number: random.u16(..),
        acceleration: random.u32(..),
    }
}

const STILL: [(u16, u16); 3] = [(1500, 1500), (30_000, 30_000), (0, 0)];

#[test]
fn its_table_is_read_row_by_row() {
    with_board(|wire| {
        let mut seen = Vec::new();
        for number in 0..6 {
            let ask = if number == 0 {
                TableQuery::About
            } else {
                TableQuery::Row {
                    number: number - 1,
                    acceleration: 0,
                }
            };
            let frame = wire.send(DownKind::Ask(ask), false, 0, STILL);
            wire.exchange(&frame);
            let back = wire.told();
            match Up::parse(&back).expect("a frame").kind {
                UpKind::About(about) => {
                    assert_eq!((about.outputs, about.inputs, about.watchdog), (3, 1, 100));
                    assert_eq!(about.table, table(rows().into_iter()));
                    assert_eq!(text(&about.name), "desk");
                }
                UpKind::Row(place, row) => seen.push((place, row)),
                other => assert_eq!((other, number), (UpKind::Nothing, 5)),
            }
        }
        let wanted: Vec<_> = (0..4).zip(rows()).collect();
        assert_eq!(seen, wanted);
    });
}

#[test]
fn it_moves_on_between_frames_and_stays_at_what_was_known_ahead() {
    with_board(|wire| {
        // 20 ms ahead.
        wire.run(true, 400, [(1200, 1400), (60_000, 500), (7, 9)]);
        assert_eq!(wire.words(), [Some(1200), Some(60_000), Some(7)]);
        wire.clock += 10 * MS;
        assert_eq!(wire.words(), [Some(1300), Some(30_250), Some(8)]);
        for _ in 0..5 {
            wire.clock += 10 * MS;
            assert_eq!(wire.words(), [Some(1400), Some(500), Some(9)]);
        }
        // It does not leave the range of the table.
        wire.run(true, 0, [(10, 10), (u16::MAX, 0), (999, 999)]);
        assert_eq!(wire.words(), [Some(1000), Some(500), Some(255)]);
        let back = wire.told();
        let up = Up::parse(&back).expect("a frame");
        assert_eq!(
            (up.kind, up.powered, up.acknowledged),
            (UpKind::Run, true, 2)
        );
        assert_eq!(up.input(0), Some(1234));
    });
}

#[test]
fn nothing_leaps_because_frames_were_lost() {
    with_board(|wire| {
        wire.run(true, 400, [(1200, 1400), (30_000, 30_000), (7, 9)]);
        wire.clock += 60 * MS;
        // Two frames are lost, in which the host went on to 1600.
        wire.sequence += 2;
        wire.run(true, 400, [(1600, 1700), (30_000, 30_000), (9, 9)]);
        assert_eq!(wire.words()[0], Some(1400), "where it was");
        wire.clock += 20 * MS;
        assert_eq!(
            wire.words()[0],
            Some(1500),
            "a third of the way of three frames"
        );
        // The next frame comes in time: the remaining time of the line is added to its own.
        wire.run(true, 400, [(1700, 1800), (30_000, 30_000), (9, 9)]);
        wire.clock += 20 * MS;
        assert!(
            (1600..=1601).contains(&wire.words()[0].unwrap_or(0)),
            "as fast as the host"
        );
        // Without force the line begins at the word now.
        wire.run(false, 0, STILL);
        wire.sequence += 2;
        wire.run(true, 400, [(1800, 1900), (30_000, 30_000), (9, 9)]);
        assert_eq!(wire.words()[0], Some(1800));
    });
}

/// A board whose host sends frames more often than their horizon lags by at most 64 horizons, and is as fast as its
/// host.
#[test]
fn frames_that_come_faster_than_their_horizon_are_followed_at_their_pace() {
    for seed in 0..100 {
        with_watchdog(2000, |wire| {
            let mut random = fastrand::Rng::with_seed(seed);
            let every = random.u32(5_000..=10_000);
            let speed = (random.f64() * 2.0 - 1.0) / 300.0;
            let mut host = 30_000.0;
            let mut seen = Vec::new();
            for _ in 0..5_000_000 / every {
                let words = [(1500, 1500), (host as u16, host as u16), (0, 0)];
                wire.run(true, 200, words);
                wire.clock += every;
                host += speed * f64::from(every);
                seen.push(host - wire.words()[1].map_or(0.0, f64::from));
            }
            let behind = seen[seen.len() - 1];
            let most = speed.abs() * 10_000.0 * 72.0 + 40.0;
            assert!(behind.abs() <= most, "seed {seed}: {behind} > {most}");
            // A second later it lags no more.
            let before = seen[seen.len() - (1_000_000 / every) as usize];
            assert!(
                every > 7_000 || (behind - before).abs() <= most / 20.0,
                "seed {seed}: {before}, {behind}"
            );
        });
    }
}

/// A host that is never faster than `FAST` words in a frame, over a wire that loses frames, alone and in a row, and
/// delivers them early and late. The host stands still at times, and its clock differs from the board's.
#[test]
fn whatever_is_lost_it_is_never_faster_than_its_host() {
    const FAST: i64 = 1000;
    const PERIOD: i64 = 10 * MS as i64;
    for seed in 0..400 {
        with_watchdog(2000, |wire| {
            let mut random = fastrand::Rng::with_seed(seed);
            // Half of the boards get the host's acceleration, in words per period squared.
            let gathers = if seed % 2 == 0 {
                FAST * 2
            } else {
                random.i64(5..=300)
            };
            if seed % 2 == 1 {
                let acceleration = (gathers * 10_000) as u32;
                let ask = TableQuery::Row {
                    number: 1,
                    acceleration,
                };
                let reply = wire.send(DownKind::Ask(ask), false, 0, STILL);
                let _ = wire.exchange(&reply);
            }
            let mut wanted = 0;
            let drift = random.i64(-20..=20);
            let (mut at, mut speed, mut lost) = (30_000i64, 0, 0);
            let mut words: Vec<i64> = Vec::new();
            let mut due = i64::from(wire.clock);
            let mut burst = 0;
            for frame in 0..1100 {
                let before = at;
                if random.u8(..) < 20 {
                    wanted = random.i64(-FAST..=FAST);
                }
                // It reverses at the ends of its range, and stands still at the end of the test.
                let rests = frame >= 500;
                if !rests {
                    speed += (wanted - speed).clamp(-gathers, gathers);
                    let next = (at + speed).clamp(1000, 59_000);
                    (at, speed) = (next, if next == at + speed { speed } else { 0 });
                }
                if lost == 0 && !rests && random.u8(..) < 8 {
                    lost = random.i64(1..=9);
                }
                let (now, ahead) = (before as u16, at as u16);
                let sent = wire.send(
                    DownKind::Run,
                    true,
                    200,
                    [(1500, 1500), (now, ahead), (0, 0)],
                );
                if lost > 0 {
                    lost -= 1;
                } else {
                    let _ = wire.exchange(&sent);
                }
                // Frames come early and late, but not earlier and earlier; some wait, and come with those behind them.
                due += PERIOD + drift;
                if burst == 0 && random.u8(..) < 6 {
                    burst = random.i64(2..=8);
                }
                burst = (burst - 1).max(0);
                if random.u8(..) < 4 {
                    due += random.i64(0..=8) * PERIOD;
                }
                let comes = due + random.i64(-2000..=2000) + burst * PERIOD;
                while i64::from(wire.clock) < comes {
                    wire.clock += 100;
                    // There is no word before the first frame.
                    let Some(word) = wire.words()[1] else {
                        continue;
                    };
                    words.push(i64::from(word));
                    // In 2 of 10 ms a fifth, a 127th for the catching up, and words for rounding.
                    let before = words[words.len().saturating_sub(21)];
                    let step = words[words.len() - 1] - before;
                    let most = FAST / 5 + FAST / 500 + 4;
                    assert!(step.abs() <= most, "seed {seed}, frame {frame}: {step}");
                    if !words.len().is_multiple_of(5) {
                        continue;
                    }
                    // In 50 ms it gathers what the host does in 70, and no less than rounding makes.
                    let Some(earlier) = words.len().checked_sub(601) else {
                        continue;
                    };
                    // Who comes late by less than half a horizon has not stood.
                    let steps = words[earlier..earlier + 101]
                        .iter()
                        .zip(&words[earlier + 20..]);
                    let was = steps.map(|(from, to)| (to - from) * step.signum()).max();
                    let was = was.map_or(0, |value| value.max(0));
                    let most = was + gathers * 7 / 5 + 5;
                    assert!(
                        step.abs() <= most,
                        "seed {seed}, frame {frame}: {step} after {was}, {gathers}"
                    );
                }
            }
            assert_eq!(words.last(), Some(&at), "seed {seed}: it arrives");
        });
    }
}

#[test]
fn silence_relaxes_it_and_a_host_must_let_go_before_it_drives_again() {
    with_board(|wire| {
        wire.run(true, 0, STILL);
        wire.clock += 100 * MS;
        wire.board.tick(wire.clock);
        assert_eq!(wire.words()[0], Some(1500), "the watchdog has not expired");
        wire.clock += 1;
        wire.board.tick(wire.clock);
        assert_eq!(wire.words(), [None, None, Some(0)], "a lamp hurts nobody");
        assert!(wire.board.is_relaxed());
        wire.run(true, 0, STILL);
        assert_eq!(wire.words()[0], None, "it was never let go of");
        wire.run(false, 0, STILL);
        wire.run(true, 0, STILL);
        assert_eq!(wire.words()[0], Some(1500));
        // The clock wraps.
        wire.clock = wire.clock.wrapping_sub(10 * MS).wrapping_add(u32::MAX);
        wire.board.tick(wire.clock);
    });
}

#[test]
fn what_it_refuses_it_tells_and_does_not_do() {
    with_board(|wire| {
        wire.run(true, 0, STILL);
        let refused = |wire: &mut Wire<'_>, frame: &[u8]| {
            wire.exchange(frame);
            let back = wire.told();
            let up = Up::parse(&back).expect("a frame");
            assert_eq!(wire.words()[0], Some(1500));
            up.refused
        };
        let good = wire.send(DownKind::Run, true, 0, [(1100, 1100), (500, 500), (1, 1)]);
        let mut bad = good.clone();
        bad[20] ^= 1;
        assert_eq!(refused(wire, &bad), Some(Refused::Seal));
        assert_eq!(refused(wire, &good[..40]), Some(Refused::Seal));
        assert_eq!(refused(wire, &[]), Some(Refused::Form));
        let mut few = vec![0; SHORT];
        let down = Down::parse(&good).expect("a frame");
        assert!(down.emit(&mut few, 2, |_| (1100, 1100)));
        assert_eq!(refused(wire, &few), Some(Refused::Table));
        let mut other = vec![0; SHORT];
        assert!(Down { boots: 2, ..down }.emit(&mut other, 3, |_| (1100, 1100)));
        assert_eq!(refused(wire, &other), Some(Refused::Boots));
        let mut old = vec![0; SHORT];
        assert!(
            Down {
                sequence: 1,
                ..down
            }
            .emit(&mut old, 3, |_| (1100, 1100))
        );
        assert_eq!(
            refused(wire, &old),
            Some(Refused::Sequence),
            "it was taken already"
        );
        assert!(
            Down {
                sequence: 0xfff0,
                ..down
            }
            .emit(&mut old, 3, |_| (1100, 1100))
        );
        assert_eq!(refused(wire, &old), Some(Refused::Sequence), "it is older");
        let back = wire.told();
        assert_eq!(
            Up::parse(&back).expect("a frame").refused,
            None,
            "a reason is reported once"
        );
        wire.exchange(&good);
        assert_eq!(wire.words()[0], Some(1100));
    });
}

#[test]
fn its_own_stop_line_relaxes_it_at_once() {
    with_board(|wire| {
        wire.run(true, 0, STILL);
        wire.board.stop(true);
        assert_eq!(wire.words()[0], None);
        wire.run(false, 0, STILL);
        wire.run(true, 0, STILL);
        assert_eq!(wire.words()[0], None, "it is still pressed");
        let back = wire.told();
        assert!(Up::parse(&back).expect("a frame").stopped);
        wire.board.stop(false);
        wire.run(false, 0, STILL);
        wire.run(true, 0, STILL);
        assert_eq!(wire.words()[0], Some(1500));
    });
}

#[test]
fn whatever_it_hears_its_outputs_stay_in_their_ranges() {
    let mut random = fastrand::Rng::with_seed(4);
    with_board(|wire| {
        for _ in 0..200_000 {
            wire.clock = wire.clock.wrapping_add(random.u32(..30_000));
            let words = [(); 3].map(|()| (random.u16(..), random.u16(..)));
            let mut frame = wire.send(DownKind::Run, random.bool(), random.u16(..), words);
            match random.u8(..10) {
                0 => frame[random.usize(..SHORT)] ^= 1 << random.u8(..8),
                1 => frame.fill_with(|| random.u8(..)),
                2 => frame.truncate(random.usize(..SHORT)),
                3 => wire.sequence = random.u16(..),
                4 => frame = wire.send(DownKind::Ask(asked(&mut random)), true, 0, words),
                5 => wire.board.stop(random.bool()),
                _ => {}
            }
            wire.exchange(&frame);
            for (row, word) in rows().iter().zip(wire.words()) {
                let word = word.unwrap_or(row.rest);
                assert!(
                    (row.lowest..=row.highest).contains(&word),
                    "{row:?}: {word}"
                );
            }
        }
    });
}

#[test]
fn a_board_that_cannot_be_is_not_made() {
    let mut backwards = rows();
    backwards.reverse();
    let mut motions = [Motion::default(); 3];
    let order = Firmware::new("it", &backwards, &mut motions, 1, 1).map(|_| ());
    assert_eq!(order, Err(TableError::Order));
    let few = Firmware::new("it", &rows(), &mut motions[..2], 1, 1).map(|_| ());
    assert_eq!(few, Err(TableError::Motions));
    let (many, mut motions) = (vec![rows()[0]; 1100], vec![Motion::default(); 1100]);
    let long = Firmware::new("it", &many, &mut motions, 1, 1).map(|_| ());
    assert_eq!(long, Err(TableError::TooLong));
}

#[derive(Default)]
struct Pin(u16);

impl DutyError for Pin {
    type Error = Infallible;
}

impl SetDutyCycle for Pin {
    fn max_duty_cycle(&self) -> u16 {
        20_000
    }

    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), Infallible> {
        self.0 = duty;
        Ok(())
    }
}

struct Button(bool);

impl PinError for Button {
    type Error = Infallible;
}

impl InputPin for Button {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(!self.0)
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(self.0)
    }
}

#[test]
fn words_become_pulses_and_levels_words() {
    with_board(|wire| {
        let mut pin = Pin(7);
        pins::pulse(&wire.board, 1, wire.clock, &mut pin).expect("a pin");
        assert_eq!(pin.0, 0, "no force, no pulse");
        wire.run(
            true,
            0,
            [(1500, 1500), (u16::MAX / 2, u16::MAX / 2), (0, 0)],
        );
        pins::pulse(&wire.board, 1, wire.clock, &mut pin).expect("a pin");
        assert_eq!(pin.0, 9_999);
        assert_eq!(pins::button(&mut Button(true)), Ok(1));
        assert_eq!(pins::button(&mut Button(false)), Ok(0));
    });
}

/// The conversation in PROTOCOL.md matches, byte by byte, the frames of this board and of the host.
#[test]
fn the_documents_conversation_is_what_a_board_says() {
    let step = 0.001;
    let unit = Unit::of("rad").expect("a unit");
    let row = |direction, lowest, highest, rest| Row {
        direction,
        kind: RowKind::Position,
        lowest,
        highest,
        rest,
        unit,
        step,
        name: name("HeadYaw"),
    };
    let rows = [
        row(Direction::Output, 1000, 2000, 1500),
        row(Direction::Input, 0, u16::MAX, 0),
    ];
    let mut motions = [Motion::default()];
    let mut board = Firmware::new("head", &rows, &mut motions, 500, 7).expect("a board");
    let document = include_str!("../../drivers/PROTOCOL.md");
    let blocks: Vec<_> = document.split("```").skip(1).step_by(2).collect();
    let mut seen = 0;
    for block in blocks {
        let (title, hex) = block.split_once('\n').expect("a title");
        let bytes = || -> Vec<u8> {
            let words = hex.split_whitespace();
            words
                .map(|word| u8::from_str_radix(word, 16).expect("a byte"))
                .collect()
        };
        if let Some(what) = title.strip_prefix("down ") {
            let frame = bytes();
            let down = Down::parse(&frame).expect("a frame");
            let clock = 1_000_000 + 10 * MS * (seen / 2);
            board.hear(&frame, clock);
            // As the other end would write it.
            let mut again = vec![0; frame.len()];
            let outputs = usize::from(down.kind == DownKind::Run);
            assert!(down.emit(&mut again, outputs, |value| {
                down.output(value).expect("an output")
            }));
            assert_eq!(again, frame, "{what}");
        } else if let Some(clock) = title.strip_prefix("up at ") {
            let clock = clock.trim_end_matches(" us").parse().expect("a clock");
            let mut up = vec![0; 64];
            assert!(board.answer(&mut up, clock, |_| 1500));
            assert_eq!(up, bytes(), "at {clock}");
        } else {
            continue;
        }
        seen += 1;
    }
    assert_eq!(seen, 10);
}
