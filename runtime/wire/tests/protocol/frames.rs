//! The protocol's promises: decoding inverts encoding, changes are detected, and no bytes break the decoder.

use proptest::prelude::*;
use wire::frame::{CHANNELS, HEAD, LONGEST, SEAL, SHORT};
use wire::row::{name, table, text};
use wire::{
    About, Direction, Down, DownKind, FrameError, Refused, Row, RowError, RowKind, TableQuery,
    Unit, Up, UpKind, length,
};

const DOWN: Down<'static> = Down {
    kind: DownKind::Run,
    powered: true,
    stopped: false,
    keeps: false,
    sequence: 7,
    horizon: 400,
    boots: 1,
    outputs: &[],
};

const UP: Up<'static> = Up {
    kind: UpKind::Run,
    powered: true,
    relaxed: false,
    stopped: false,
    acknowledged: 6,
    error: 0,
    boots: 1,
    refused: None,
    clock: 123_456,
    inputs: &[],
};

fn row() -> Row {
    Row {
        direction: Direction::Output,
        kind: RowKind::Position,
        lowest: 1000,
        highest: 2000,
        rest: 1500,
        unit: Unit::UNSPECIFIED,
        step: 0.0,
        name: name("HeadYaw"),
    }
}

/// Frames of a board with 26 outputs and 26 inputs, one in each direction.
fn nao() -> [Vec<u8>; 2] {
    let all = length(26, 26).expect("it fits");
    let (mut down, mut up) = (vec![0xaa; all], vec![0xaa; all]);
    assert!(DOWN.emit(&mut down, 26, |value| (
        value as u16 * 100,
        value as u16 * 101
    )));
    assert!(UP.emit(&mut up, 26, |value| value as u16 * 99));
    [down, up]
}

#[test]
fn a_frame_is_what_the_protocol_says_byte_by_byte() {
    let mut frame = [0xaa; SHORT];
    assert!(DOWN.emit(&mut frame, 2, |value| [(0x1234, 0x5678), (1, 2)][value]));
    let head = [0xd7, 1, 2, 1, 7, 0, 0x90, 1, 2, 0, 1, 0, 0, 0, 0, 0];
    assert_eq!(frame[..16], head);
    assert_eq!(frame[16..24], [0x34, 0x12, 0x78, 0x56, 1, 0, 2, 0]);
    assert!(frame[24..SHORT - SEAL].iter().all(|item| *item == 0));
    // The check value of this checksum, as its catalogue has it, is that of "123456789".
    let crc = crc::Crc::<u32>::new(&crc::CRC_32_ISCSI);
    assert_eq!(crc.checksum(b"123456789"), 0xe306_9283);
    assert_eq!(
        frame[SHORT - SEAL..],
        crc.checksum(&frame[..SHORT - SEAL]).to_le_bytes()
    );
}

#[test]
fn every_bit_that_is_changed_is_found_and_every_two() {
    for (frame, is_down) in nao().into_iter().zip([true, false]) {
        let sound = |bytes: &[u8]| {
            if is_down {
                Down::parse(bytes).is_ok()
            } else {
                Up::parse(bytes).is_ok()
            }
        };
        assert!(sound(&frame));
        let bits = frame.len() * 8;
        let mut changed = frame.clone();
        for first in 0..bits {
            changed[first / 8] ^= 1 << (first % 8);
            assert!(!sound(&changed), "bit {first}");
            for second in first + 1..bits {
                changed[second / 8] ^= 1 << (second % 8);
                assert!(!sound(&changed), "bits {first} and {second}");
                changed[second / 8] ^= 1 << (second % 8);
            }
            changed[first / 8] ^= 1 << (first % 8);
        }
        assert_eq!(changed, frame);
    }
}

#[test]
fn a_frame_of_other_length_or_kind_is_told_by_its_flaw() {
    let [down, up] = nao();
    assert_eq!(Down::parse(&down[..down.len() - 1]), Err(FrameError::Seal));
    assert_eq!(Down::parse(&down[..10]), Err(FrameError::Length));
    assert_eq!(Down::parse(&[]), Err(FrameError::Length));
    assert_eq!(Down::parse(&vec![0; LONGEST + 1]), Err(FrameError::Length));
    assert_eq!(Down::parse(&up), Err(FrameError::Mark));
    assert_eq!(Up::parse(&down), Err(FrameError::Mark));
    // Nobody drives the line: all bits are 1, or all are 0.
    assert!(Up::parse(&[0xff; SHORT]).is_err() && Up::parse(&[0; SHORT]).is_err());
    let resealed = |change: fn(&mut [u8])| {
        let mut frame = down.clone();
        change(&mut frame);
        let end = frame.len() - SEAL;
        let crc = crc::Crc::<u32>::new(&crc::CRC_32_ISCSI).checksum(&frame[..end]);
        frame[end..].copy_from_slice(&crc.to_le_bytes());
        Down::parse(&frame).map(|number| number.sequence)
    };
    assert_eq!(resealed(|value| value[4] = 9), Ok(9));
    assert_eq!(resealed(|value| value[1] = 2), Err(FrameError::Version(2)));
    assert_eq!(resealed(|value| value[2] = 9), Err(FrameError::Kind(9)));
    assert_eq!(resealed(|value| value[8] = 27), Err(FrameError::Words));
    assert_eq!(resealed(|value| value[3] = 4), Ok(7));
    assert_eq!(resealed(|value| value[3] = 8), Err(FrameError::Field));
    assert_eq!(resealed(|value| value[15] = 1), Err(FrameError::Field));
}

#[test]
fn frames_have_room_for_what_a_table_says_and_no_more() {
    assert_eq!(length(0, 0), Some(SHORT));
    assert_eq!(length(26, 26), Some(HEAD + 4 * 26 + SEAL));
    assert_eq!(length(CHANNELS, 0), Some(LONGEST));
    assert_eq!(length(CHANNELS + 1, 0), None);
    assert_eq!(length(0, 2 * CHANNELS), Some(LONGEST));
    assert_eq!(length(0, 2 * CHANNELS + 1), None);
    let mut small = [0; SHORT];
    assert!(!DOWN.emit(&mut small, 12, |_| (0, 0)));
    assert!(!UP.emit(&mut small, 23, |_| 0));
    // Found by a fuzzer: whatever can be read can be written in as many bytes.
    let kind = UpKind::Nothing;
    let nothing = Up { kind, ..UP };
    assert!(nothing.emit(&mut small[..HEAD + SEAL], 0, |_| 0));
    assert_eq!(Up::parse(&small[..HEAD + SEAL]), Ok(nothing));
    assert!(!nothing.emit(&mut small[..HEAD + SEAL - 1], 0, |_| 0));
}

#[test]
fn tables_are_told_apart() {
    let rows = [
        row(),
        Row {
            rest: 1501,
            ..row()
        },
    ];
    assert_ne!(table(rows.into_iter()), table(rows.into_iter().rev()));
    assert_ne!(table(rows.into_iter()), table(rows[..1].iter().copied()));
    assert_eq!(text(&name("HeadYaw")), "HeadYaw");
    assert_eq!(
        text(&name("Schulter Größe und viel mehr")),
        "Schulter?Gr??e?und?v"
    );
}

/// An invalid row is reported with its number and error, and never taken for damage on the wire.
#[test]
fn what_is_no_row_is_named() {
    let sound = Row {
        unit: Unit::of("rad").expect("a unit"),
        step: 0.5,
        ..row()
    };
    assert_eq!(Row::of(&sound.bytes()), Ok(sound));
    let changed = |change: &dyn Fn(&mut [u8; 32])| {
        let mut bytes = sound.bytes();
        change(&mut bytes);
        let mut frame = [0; 64];
        let up = Up {
            kind: UpKind::Row(7, sound),
            ..UP
        };
        assert!(up.emit(&mut frame, 0, |_| 0));
        frame[HEAD..HEAD + 32].copy_from_slice(&bytes);
        let seal = crc::Crc::<u32>::new(&crc::CRC_32_ISCSI).checksum(&frame[..60]);
        frame[60..].copy_from_slice(&seal.to_le_bytes());
        let flaw = Up::parse(&frame).expect_err("no row");
        let FrameError::Row(7, flaw) = flaw else {
            panic!("{flaw:?}")
        };
        assert_eq!(Row::of(&bytes), Err(flaw));
        flaw
    };
    assert_eq!(changed(&|value| value[0] = 2), RowError::Direction(2));
    assert_eq!(changed(&|value| value[1] = 12), RowError::Kind(12));
    assert_eq!(changed(&|value| value[1] = 12 << 4), RowError::Unit(12));
    assert_eq!(changed(&|value| value[5] = 0), RowError::Range(1000, 208));
    assert_eq!(changed(&|value| value[7] = 255), RowError::Rest(0xffdc));
    assert_eq!(changed(&|value| value[12] = b' '), RowError::Name);
    assert_eq!(changed(&|value| value[20] = b'x'), RowError::Name);
    assert_eq!(changed(&|value| value[30..].fill(0xff)), RowError::Step);
}

fn any_row() -> impl Strategy<Value = Row> {
    let words = (any::<u16>(), any::<u16>(), any::<u16>());
    let nature = (0..12u8, 0..12u8, any::<u32>());
    (any::<bool>(), nature, words, "[!-~]{0,20}").prop_map(|(input, nature, (a, b, c), item)| {
        let mut three = [a, b, c];
        three.sort_unstable();
        let mut bytes = Row {
            direction: if input {
                Direction::Input
            } else {
                Direction::Output
            },
            lowest: three[0],
            rest: three[1],
            highest: three[2],
            name: name(&item),
            ..row()
        }
        .bytes();
        let (kind, unit, step) = nature;
        bytes[1] = kind | unit << 4;
        if f32::from_bits(step).is_finite() {
            bytes[28..].copy_from_slice(&step.to_le_bytes());
        }
        Row::of(&bytes).expect("a row")
    })
}

fn any_up() -> impl Strategy<Value = UpKind> {
    let about = (
        0..1019u16,
        0..2038u16,
        any::<u16>(),
        any::<u32>(),
        "[!-~]{0,20}",
    );
    prop_oneof![
        Just(UpKind::Run),
        Just(UpKind::Nothing),
        (0..u16::MAX, any_row()).prop_map(|(number, row)| UpKind::Row(number, row)),
        about.prop_map(
            |(outputs, inputs, watchdog, table, item)| UpKind::About(About {
                outputs,
                inputs,
                watchdog,
                table,
                name: name(&item),
            })
        ),
    ]
}

fn any_down() -> impl Strategy<Value = DownKind> {
    prop_oneof![
        Just(DownKind::Run),
        Just(DownKind::Rest),
        Just(DownKind::Ask(TableQuery::About)),
        (0..u16::MAX, any::<u32>()).prop_map(|(number, acceleration)| DownKind::Ask(
            TableQuery::Row {
                number,
                acceleration
            }
        )),
    ]
}

fn any_refused() -> impl Strategy<Value = Option<Refused>> {
    prop_oneof![
        Just(None),
        Just(Some(Refused::Seal)),
        Just(Some(Refused::Version)),
        Just(Some(Refused::Form)),
        Just(Some(Refused::Sequence)),
        Just(Some(Refused::Table)),
        Just(Some(Refused::Boots)),
    ]
}

/// Of each property.
const CASES: u32 = 250_000;

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..Default::default() })]

    #[test]
    fn what_the_host_writes_the_board_reads(
        kind in any_down(), flags in any::<(bool, bool)>(), numbers in any::<(u16, u16, u8)>(),
        outputs in prop::collection::vec(any::<(u16, u16)>(), 0..40),
    ) {
        let down = Down {
            kind, powered: flags.0, stopped: flags.1, keeps: flags.0 != flags.1,
            sequence: numbers.0, horizon: numbers.1, boots: numbers.2, outputs: &[],
        };
        let mut frame = vec![0xaa; length(outputs.len(), 0).expect("it fits")];
        prop_assert!(down.emit(&mut frame, outputs.len(), |i| outputs[i]));
        let read = Down::parse(&frame).expect("a frame");
        prop_assert_eq!(Down { outputs: &[], ..read }, down);
        let count = if kind == DownKind::Run { outputs.len() } else { 0 };
        prop_assert_eq!(read.count(), count);
        for (place, output) in outputs.iter().enumerate().take(count) {
            prop_assert_eq!(read.output(place), Some(*output));
        }
        prop_assert_eq!(read.output(count), None);
    }

    #[test]
    fn what_the_board_writes_the_host_reads(
        kind in any_up(), flags in any::<(bool, bool, bool)>(), numbers in any::<(u16, u16, u8, u32)>(),
        refused in any_refused(), inputs in prop::collection::vec(any::<u16>(), 0..60),
    ) {
        let up = Up {
            kind, powered: flags.0, relaxed: flags.1, stopped: flags.2,
            acknowledged: numbers.0, error: numbers.1, boots: numbers.2, clock: numbers.3,
            refused, inputs: &[],
        };
        let mut frame = vec![0xaa; length(0, inputs.len()).expect("it fits")];
        prop_assert!(up.emit(&mut frame, inputs.len(), |i| inputs[i]));
        let read = Up::parse(&frame).expect("a frame");
        prop_assert_eq!(Up { inputs: &[], ..read }, up);
        let count = if kind == UpKind::Run { inputs.len() } else { 0 };
        prop_assert_eq!(read.inputs.len(), count);
        for (place, input) in inputs.iter().enumerate().take(count) {
            prop_assert_eq!(read.input(place), Some(*input));
        }
    }

    #[test]
    fn no_bytes_break_whoever_reads_them(
        mut bytes in prop::collection::vec(any::<u8>(), 0..160), reseal in any::<bool>(), mark in any::<bool>(),
    ) {
        // Most would fail at the checksum: half get one that fits, and a head that is nearly one.
        if reseal && bytes.len() >= HEAD + SEAL {
            bytes[0] = if mark { 0xd7 } else { 0x7d };
            bytes[1] = 1;
            bytes[2] %= 4;
            let end = bytes.len() - SEAL;
            let crc = crc::Crc::<u32>::new(&crc::CRC_32_ISCSI).checksum(&bytes[..end]);
            bytes[end..].copy_from_slice(&crc.to_le_bytes());
        }
        if let Ok(down) = Down::parse(&bytes) {
            prop_assert!(down.outputs.len() * 2 <= bytes.len());
        }
        if let Ok(up) = Up::parse(&bytes) {
            prop_assert!(up.inputs.len() * 2 <= bytes.len());
        }
    }
}
