//! A NAO over LoLA, as the cycle meets it: a robot in another thread, made from LoLA's description alone, which moves
//! its joints, dies, comes back, and says what no robot says.

use std::io::Write;
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;

use crate::robot::{Robot, Says, packet};
use crate::turns::{Turns, settings, with_robot};
use cycle::{ActuatorId, Fire};
use drivers::bus::BusFault;
use drivers::faults::Fault;
use drivers::lola::{COMMAND_BYTES, CommandPacket, Lola, LolaSettings, has_force};
use drivers::rack::Device;

#[test]
fn it_follows_and_is_read_at_the_robots_pace_and_at_another() {
    for period in [12, 10] {
        with_robot(|path, robot| {
            let mut turns = Turns::new(path, period);
            turns.until_answered();
            let wanted = [("Position/HeadYaw", 1.0), ("Position/RHand", 0.5)];
            turns.until("it stands where it was sent", |turns, _| {
                let near = |(name, at): (&str, f64)| (turns.sensor(name) - at).abs() < 1e-3;
                wanted.into_iter().all(near)
            });
            assert_eq!(robot.told("REye")[3], 0.25);
            assert_eq!(robot.told("REye").iter().sum::<f64>(), 0.25);
            // A joint that nobody drives is limp, and is sent where it stands.
            assert_eq!(robot.told("Stiffness")[1], 0.0);
            assert!((robot.told("Position")[1] - robot.position(1)).abs() < 1e-6);
            // The clock is real, and the machine may be busy with something else for a while.
            let enough = (0..10).any(|_| {
                let before = robot.packets();
                let answered = (0..100).filter(|_| turns.turn().answered).count();
                answered > 80 && robot.packets() - before > 50
            });
            assert!(enough, "never 80 answers of 100 turns");
            let answer = turns.turn();
            assert!(turns.turn - answer.acknowledged < 30, "{answer:?}");
            assert!(answer.acknowledged > 50, "{answer:?}");
            let faults = turns.lola.faults();
            assert_eq!(faults.exchanges(), turns.turn);
        });
    }
}

#[test]
fn who_only_looks_hears_whether_it_has_force_and_says_nothing() {
    with_robot(|path, robot| {
        let within = Duration::from_secs(5);
        assert_eq!(has_force(path, within), Ok(false));
        // Somebody gives force to one joint, and is gone without another word.
        let mut packet = CommandPacket::default();
        packet.set("Stiffness/RAnkleRoll".parse().expect("an output"), 0.1);
        let mut bytes = [0; COMMAND_BYTES];
        let size = packet.encode(&mut bytes).expect("there is room");
        let mut stream = UnixStream::connect(path).expect("a robot");
        stream.write_all(&bytes[..size]).expect("a robot");
        robot.until("it is told", |robot| robot.answers() == 1);
        drop(stream);
        robot.until("its driver is gone", |robot| !robot.is_connected());
        for _ in 0..2 {
            assert_eq!(has_force(path, within), Ok(true));
        }
        assert_eq!(robot.answers(), 1, "it was told something");
        robot.stop();
        assert_eq!(has_force(path, within), Err(BusFault::Gone));
    });
}

#[test]
fn every_sensor_is_read_in_its_place() {
    with_robot(|path, _robot| {
        let mut turns = Turns::new(path, 10);
        turns.until_answered();
        let wanted = [
            ("Accelerometer/Z", 2.5),
            ("Angles/X", 10.5),
            ("Battery/Charge", 0.75),
            ("Battery/Status", -32708.0),
            ("Battery/Current", -0.5),
            ("Battery/Temperature", 36.0),
            ("Current/RHand", 44.5),
            ("FSR/LFoot/FrontLeft", 50.5),
            ("FSR/RFoot/RearRight", 57.5),
            ("Gyroscope/Y", 61.5),
            ("Sonar/Right", 71.5),
            ("Temperature/HeadYaw", 80.5),
            ("Touch/ChestBoard/Button", 110.5),
            ("Touch/RHand/Touch/Right", 123.5),
            ("Status/HeadPitch", 1.0),
            ("Status/RHand", 24.0),
        ];
        for (name, value) in wanted {
            assert_eq!(turns.sensor(name), value, "{name}");
        }
        assert!(turns.read.iter().all(|value| value.is_finite()));
    });
}

#[test]
fn a_robot_that_is_not_there_is_told_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robocup");
    let open = |settings: &LolaSettings| Lola::open(settings).map(|_| ());
    assert_eq!(open(&settings(&path)), Err(BusFault::Gone));
    // Its socket lies there, and nobody listens any more.
    drop(UnixListener::bind(&path).expect("a socket"));
    assert_eq!(open(&settings(&path)), Err(BusFault::Gone));
    let long = folder.path().join("x".repeat(200));
    assert_eq!(open(&settings(&long)), Err(BusFault::Settings));
    let mut twice = settings(&path);
    twice.actuators[2].to = twice.actuators[0].to;
    assert_eq!(open(&twice), Err(BusFault::Settings));
}

#[test]
fn a_robot_that_dies_is_gone_and_is_there_again_when_it_is_back() {
    with_robot(|path, robot| {
        let mut turns = Turns::new(path, 10);
        turns.until_answered();
        for _ in 0..2 {
            robot.stop();
            turns.until_fault(Fault::Transfer(BusFault::Gone));
            let before = turns.read.clone();
            turns.turn();
            assert_eq!(turns.read, before, "what nobody says stays as it was");
            robot.restart();
            turns.until_answered();
            turns.until("it is driven", |_, _| robot.told("Stiffness")[0] == 1.0);
        }
        // It throws us out, and takes us again.
        let before = robot.connections();
        robot.says(Says::Goodbye);
        turns.until("a new connection", |_, _| robot.connections() > before);
        turns.until_answered();
    });
}

#[test]
fn a_robot_that_falls_mute_is_stale() {
    with_robot(|path, robot| {
        let mut turns = Turns::new(path, 10);
        turns.until_answered();
        robot.says(Says::Nothing);
        turns.until_fault(Fault::Stale);
        robot.says(Says::Sensors);
        turns.until_answered();
        // Half a packet is none.
        robot.says(Says::Half);
        turns.until_fault(Fault::Stale);
        robot.says(Says::Sensors);
        turns.until_answered();
        // In pieces it is whole in the end.
        robot.says(Says::Pieces);
        let before = turns.lola.faults().good;
        turns.until("pieces are joined", |turns, _| {
            turns.lola.faults().good > before + 20
        });
        assert_eq!(turns.lola.faults().of(Fault::Corrupt), 0);
    });
}

#[test]
fn packets_that_have_piled_up_are_read_and_answered_once() {
    with_robot(|path, robot| {
        let mut turns = Turns::new(path, 10);
        turns.until_answered();
        robot.says(Says::Piled);
        let (packets, answers) = (robot.packets(), robot.answers());
        turns.until("many", |_, _| robot.packets() > packets + 50);
        let (packets, answers) = (robot.packets() - packets, robot.answers() - answers);
        assert!(
            (packets / 2..packets * 3 / 2).contains(&answers),
            "{answers} to {packets}"
        );
        let faults = turns.lola.faults();
        assert_eq!(
            faults.of(Fault::UnexpectedFrame) + faults.of(Fault::Corrupt),
            0
        );
        assert_eq!(robot.connections(), 1);
    });
}

#[test]
fn bytes_that_no_robot_says_are_a_fault_by_name_and_a_new_connection() {
    let strange: [(&'static [u8], Fault); 5] = [
        (b"\xdf\xff\xff\xff\xff", Fault::Corrupt),
        (b"\x81\xa8Position\xdd\x7f\xff\xff\xff", Fault::Corrupt),
        (b"\xc1", Fault::Corrupt),
        (b"HTTP/1.1 404 Not Found\r\n", Fault::UnexpectedFrame),
        (b"\x81\xa8Position\x90", Fault::UnexpectedFrame),
    ];
    with_robot(|path, robot| {
        let mut turns = Turns::new(path, 10);
        for (bytes, fault) in strange {
            turns.until_answered();
            let before = robot.connections();
            robot.says(Says::Bytes(bytes));
            turns.until_fault(fault);
            robot.says(Says::Sensors);
            turns.until_answered();
            assert!(robot.connections() > before, "{bytes:x?}");
        }
    });
}

#[test]
fn a_robot_that_does_not_listen_is_connected_to_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robocup");
    let robot = Robot::start(&path, Duration::from_millis(1));
    let mut turns = Turns::new(&path, 2);
    turns.until_answered();
    robot.listens(false);
    turns.until_fault(Fault::Transfer(BusFault::TimedOut));
    robot.listens(true);
    turns.until_answered();
}

#[test]
fn a_sonar_sends_once_for_each_shot_however_turns_and_packets_fall() {
    with_robot(|path, robot| {
        let mut turns = Turns::new(path, 5);
        turns.until("it is stiff", |_, _| robot.told("Stiffness")[0] == 1.0);
        assert_eq!(robot.shots(), [0, 0]);
        for shots in 1..=5 {
            turns.fires = vec![Fire {
                actuator: ActuatorId(5),
                counts: 1.0,
                at: cycle::Instant::ZERO,
            }];
            turns.turn();
            turns.fires.clear();
            turns.until("the shot", |_, _| robot.shots()[1] == shots);
            for _ in 0..10 {
                turns.turn();
            }
            assert_eq!(robot.shots(), [0, shots]);
        }
    });
}

#[test]
fn numbers_that_are_none_go_neither_way() {
    with_robot(|path, robot| {
        let mut turns = Turns::new(path, 10);
        turns.until("it stands where it was sent", |turns, _| {
            (turns.sensor("Position/HeadYaw") - 1.0).abs() < 1e-3
        });
        turns.counts = [
            f64::NAN,
            f64::INFINITY,
            1e300,
            f64::NAN,
            f64::NEG_INFINITY,
            0.0,
        ];
        turns.until("it is limp", |_, _| robot.is_limp());
        for _ in 0..10 {
            turns.turn();
        }
        let all = ["Position", "Stiffness", "REye"].map(|text| robot.told(text));
        assert!(all.iter().flatten().all(|value| value.is_finite()));
        robot.says(Says::NoNumbers);
        let packets = robot.packets();
        turns.until("packets", |_, _| robot.packets() > packets + 10);
        assert!(turns.turn().answered);
        assert!(turns.read.iter().all(|value| value.is_finite()));
    });
}

#[test]
fn whatever_comes_over_the_socket_the_turn_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robocup");
    let listener = UnixListener::bind(&path).expect("a socket");
    let mut random = fastrand::Rng::with_seed(6);
    let mut turns = Turns::new(&path, 1);
    for round in 0..12 {
        listener.set_nonblocking(true).expect("a socket");
        let mut taken = None;
        turns.until("a connection", |_, _| {
            taken = listener.accept().ok();
            taken.is_some()
        });
        let (mut stream, _) = taken.expect("a connection");
        for _ in 0..40 {
            let mut bytes = packet(&[0.0; 25], &[0.0; 25]);
            match round % 3 {
                0 => bytes.iter_mut().for_each(|byte| *byte = random.u8(..)),
                1 => {
                    let place = random.usize(..bytes.len());
                    bytes[place] = random.u8(..);
                }
                _ => bytes.truncate(random.usize(..bytes.len())),
            }
            // Whoever has understood that this is no robot has closed it.
            let _ = stream.write_all(&bytes);
            turns.turn();
        }
    }
    // And to a robot it speaks as ever.
    drop(listener);
    std::fs::remove_file(&path).expect("a socket");
    let robot = Robot::start(&path, Duration::from_millis(12));
    turns.until("it is stiff", |_, _| robot.told("Stiffness")[0] == 1.0);
    turns.until_answered();
}
