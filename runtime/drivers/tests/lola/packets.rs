//! LoLA's packets: their bytes match the documents and real robots, decoding inverts encoding, and no bytes break the
//! decoder.

use std::collections::HashSet;

use drivers::lola::{
    COMMAND_BYTES, COMMANDS, CommandPacket, LONGEST, LolaInput, LolaOutput, NoChannel, PackError,
    READINGS, RobotConfig, SENSOR_BYTES, SensorPacket, measure,
};
use proptest::prelude::*;
use rmp::encode;

const CONFIG: [&str; 4] = [
    "P0000073A03S83I00011",
    "6.0.0",
    "P0000074A03S84F00006",
    "6.0.0",
];

fn input(name: &str) -> LolaInput {
    name.parse().expect("an input")
}

fn output(name: &str) -> LolaOutput {
    name.parse().expect("an output")
}

/// A packet with a different value in each channel; integers in channels of integers.
fn robot() -> SensorPacket {
    let mut packet = SensorPacket {
        config: RobotConfig::new(CONFIG),
        ..SensorPacket::default()
    };
    for (place, value) in packet.values.iter_mut().enumerate() {
        *value = place as f32 / 4.0;
    }
    for channel in LolaInput::all().filter(|value| value.to_string().starts_with("Status/")) {
        packet.set(channel, (channel.place() % 4) as f32);
    }
    packet
}

fn bytes(packet: &SensorPacket) -> Vec<u8> {
    let mut bytes = vec![0; LONGEST];
    let size = packet.encode(&mut bytes).expect("room");
    bytes.truncate(size);
    bytes
}

#[test]
fn the_worked_example_is_read_as_documented() {
    let example = b"\x81\xa9Gyroscope\x93\xca\x3f\x00\x00\x00\x00\xfe";
    let mut packet = SensorPacket::default();
    assert_eq!(packet.decode(example), Ok(example.len()));
    let read = ["X", "Y", "Z"].map(|text| packet.get(input(&format!("Gyroscope/{text}"))));
    assert_eq!(read, [Some(0.5), Some(0.0), Some(-2.0)]);
    let others = packet.values.iter().filter(|value| !value.is_nan()).count();
    assert_eq!(others, 3);
    assert_eq!(packet.config, RobotConfig::default());
}

#[test]
fn packets_are_as_long_as_robots_and_their_clients_know_them() {
    assert_eq!(bytes(&robot()).len(), SENSOR_BYTES);
    let (mut room, mut commands) = ([0; COMMAND_BYTES], CommandPacket::default());
    commands.set(output("Position/HeadYaw"), 0.5);
    assert_eq!(commands.encode(&mut room), Some(COMMAND_BYTES));
    assert!(room.starts_with(b"\x8b\xa8Position\xdc\x00\x19\xca\x3f\x00\x00\x00"));
    assert!(room.ends_with(b"\xa5Sonar\x92\xc2\xc2"));
    // One byte less is too few, and nothing breaks.
    assert_eq!(commands.encode(&mut room[1..]), None);
}

#[test]
fn keys_stand_in_the_order_that_the_robot_has() {
    let mut bytes = &bytes(&robot())[1..];
    let mut keys = Vec::new();
    while !bytes.is_empty() {
        let size = measure(bytes).expect("a key");
        keys.push(String::from_utf8_lossy(&bytes[1..size]).into_owned());
        bytes = &bytes[size..];
        bytes = &bytes[measure(bytes).expect("its value")..];
    }
    let wanted = "RobotConfig Accelerometer Angles Battery Current FSR Gyroscope Position Sonar Stiffness \
                  Temperature Touch Status";
    assert_eq!(keys.join(" "), wanted);
}

#[test]
fn every_channel_has_one_name_that_reads_back_as_itself() {
    let inputs: Vec<String> = LolaInput::all().map(|value| value.to_string()).collect();
    let outputs: Vec<String> = LolaOutput::all().map(|value| value.to_string()).collect();
    assert_eq!((inputs.len(), outputs.len()), (READINGS, COMMANDS));
    for (place, name) in inputs.iter().enumerate() {
        assert_eq!(input(name).place(), place, "{name}");
    }
    for (place, name) in outputs.iter().enumerate() {
        assert_eq!(output(name).place(), place, "{name}");
    }
    assert_eq!(inputs.iter().collect::<HashSet<_>>().len(), READINGS);
    assert_eq!(outputs.iter().collect::<HashSet<_>>().len(), COMMANDS);
    // A number stands for a name, and is shown as the name.
    assert_eq!(output("Sonar/0"), output("Sonar/Left"));
    assert_eq!(output("REye/3").to_string(), "REye/3");
    assert_eq!(input("Touch/1").to_string(), "Touch/Head/Touch/Front");
    assert_eq!(input("Position/24").to_string(), "Position/RHand");
    assert!(output("Sonar/1").is_trigger() && !output("Skull/11").is_trigger());
    for none in [
        "",
        "/",
        "HeadYaw",
        "Position/",
        "Position/25",
        "REye/24",
        "REye/03",
        "REye/+3",
        "Position/RHipYawPitch",
    ] {
        assert_eq!(none.parse::<LolaOutput>(), Err(NoChannel), "{none}");
        assert_eq!(none.parse::<LolaInput>(), Err(NoChannel), "{none}");
    }
    assert!(NoChannel.to_string().contains("fix: "));
}

#[test]
fn what_is_not_known_is_passed_over_and_what_is_missing_stays() {
    let mut packet = robot();
    let mut odd = Vec::new();
    encode::write_map_len(&mut odd, 4).expect("memory");
    encode::write_str(&mut odd, "Weather").expect("memory");
    odd.extend_from_slice(b"\x82\x01\x92\xc0\xc3\xa1x\xdc\x00\x01\xc7\x02\x05ab");
    encode::write_str(&mut odd, "Angles").expect("memory");
    odd.extend_from_slice(b"\x92\xcb\x3f\xe0\x00\x00\x00\x00\x00\x00\xd1\xff\x00");
    encode::write_str(&mut odd, "Sonar").expect("memory");
    odd.extend_from_slice(b"\x92\xc3\xcd\x01\x00");
    encode::write_str(&mut odd, "").expect("memory");
    odd.push(0xc0);
    assert_eq!(packet.decode(&odd), Ok(odd.len()));
    assert_eq!(packet.get(input("Angles/X")), Some(0.5));
    assert_eq!(packet.get(input("Angles/Y")), Some(-256.0));
    assert_eq!(packet.get(input("Sonar/Left")), Some(1.0));
    assert_eq!(packet.get(input("Sonar/Right")), Some(256.0));
    assert_eq!(
        packet.get(input("Battery/Charge")),
        robot().get(input("Battery/Charge"))
    );
    assert_eq!(packet.config.texts(), CONFIG);
}

#[test]
fn what_is_no_packet_has_a_name_and_changes_nothing() {
    let flaws: [(&[u8], PackError); 15] = [
        (b"", PackError::Short),
        (b"\x81", PackError::Short),
        (b"\x81\xa6Angles\x92\x00", PackError::Short),
        (b"\xdf\xff\xff\xff\xff", PackError::Long),
        (b"\x81\xa6Angles\xdd\xff\xff\xff\xff", PackError::Long),
        (b"\xdb\xff\xff\xff\xff", PackError::Long),
        (b"\xc9\xff\xff\xff\xff", PackError::Long),
        (b"\x81\xc1", PackError::Form),
        (b"\x00", PackError::Odd),
        (b"\x80", PackError::Odd),
        (b"\x81\x01\x02", PackError::Odd),
        (b"\x81\xa7Weather\x02", PackError::Odd),
        (b"\x81\xa6Angles\x93\x00\x00\x00", PackError::Odd),
        (b"\x81\xa6Angles\x92\x00\xa1x", PackError::Odd),
        (
            b"\x81\xabRobotConfig\x94\xa1a\xa1\xff\xa1c\xa1d",
            PackError::Odd,
        ),
    ];
    for (bytes, flaw) in flaws {
        let mut packet = robot();
        assert_eq!(packet.decode(bytes), Err(flaw), "{bytes:x?}");
        assert_eq!(packet, robot());
    }
    // However deep values are nested, nothing calls itself.
    let deep = vec![0x91; LONGEST * 4];
    assert_eq!(measure(&deep), Err(PackError::Long));
    assert_eq!(measure(&deep[..LONGEST - 1]), Err(PackError::Short));
}

#[test]
fn a_packet_in_pieces_is_short_until_its_last_byte() {
    let bytes = bytes(&robot());
    let mut packet = SensorPacket::default();
    for size in 0..bytes.len() {
        assert_eq!(
            packet.decode(&bytes[..size]),
            Err(PackError::Short),
            "{size}"
        );
    }
    // What stands behind is the next packet's.
    let two = [bytes.as_slice(), b"\xc1"].concat();
    assert_eq!(packet.decode(&two), Ok(bytes.len()));
    assert_eq!(packet, robot());
}

fn finite() -> impl Strategy<Value = f32> {
    prop_oneof![
        proptest::num::f32::NORMAL,
        proptest::num::f32::ZERO,
        -10.0..10.0_f32
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn sensors_that_are_written_are_read(
        values in proptest::collection::vec(finite(), READINGS),
        status in proptest::collection::vec(-70_000..70_000_i32, 25),
        texts in proptest::array::uniform4("[ -~]{0,32}"),
    ) {
        let mut packet = SensorPacket {
            config: RobotConfig::new([&texts[0], &texts[1], &texts[2], &texts[3]]),
            ..SensorPacket::default()
        };
        packet.values.copy_from_slice(&values);
        let first = input("Status/HeadYaw").place();
        for (place, status) in status.into_iter().enumerate() {
            packet.values[first + place] = status as f32;
        }
        let bytes = bytes(&packet);
        let mut read = SensorPacket::default();
        prop_assert_eq!(read.decode(&bytes), Ok(bytes.len()));
        prop_assert_eq!(read.config.texts(), [&texts[0], &texts[1], &texts[2], &texts[3]].map(String::as_str));
        prop_assert_eq!(read, packet);
    }

    #[test]
    fn commands_that_are_written_are_read(
        values in proptest::collection::vec(finite(), COMMANDS),
        sonars in proptest::array::uniform2(any::<bool>()),
    ) {
        let mut packet = CommandPacket::default();
        packet.values.copy_from_slice(&values);
        for (name, sends) in ["Sonar/Left", "Sonar/Right"].into_iter().zip(sonars) {
            packet.set(output(name), f32::from(u8::from(sends)));
        }
        let mut bytes = [0; COMMAND_BYTES];
        prop_assert_eq!(packet.encode(&mut bytes), Some(COMMAND_BYTES));
        let mut read = CommandPacket::default();
        prop_assert_eq!(read.decode(&bytes), Ok(COMMAND_BYTES));
        prop_assert_eq!(read, packet);
    }

    #[test]
    fn any_bytes_are_a_packet_or_a_flaw(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        total(&bytes)?;
    }

    #[test]
    fn a_robots_packet_that_was_changed_is_a_packet_or_a_flaw(
        changes in proptest::collection::vec((0..SENSOR_BYTES, any::<u8>()), 1..8),
        end in 0..=SENSOR_BYTES,
    ) {
        let mut bytes = bytes(&robot());
        for (place, byte) in changes {
            bytes[place] = byte;
        }
        total(&bytes)?;
        total(&bytes[..end])?;
    }

    #[test]
    fn robot_config_is_cut_at_a_letter(texts in proptest::array::uniform4("\\PC{0,40}")) {
        let config = RobotConfig::new([&texts[0], &texts[1], &texts[2], &texts[3]]);
        for (kept, text) in config.texts().into_iter().zip(&texts) {
            prop_assert!(kept.len() <= 32 && text.starts_with(kept));
            prop_assert!(kept.len() + 3 >= text.len().min(32));
        }
    }
}

/// Whatever the bytes are, there is an answer; a size is one that is there, and a flaw changes nothing.
fn total(bytes: &[u8]) -> Result<(), TestCaseError> {
    let measured = measure(bytes);
    let (mut sensors, mut commands) = (robot(), CommandPacket::default());
    let read = [sensors.decode(bytes), commands.decode(bytes)];
    for read in read {
        match read {
            Ok(size) => prop_assert!(size <= bytes.len() && Ok(size) == measured),
            Err(PackError::Odd) => prop_assert!(measured.is_ok()),
            Err(flaw) => prop_assert_eq!(Err(flaw), measured),
        }
    }
    prop_assert!(read[0].is_ok() || sensors == robot());
    prop_assert!(read[1].is_ok() || commands == CommandPacket::default());
    Ok(())
}
