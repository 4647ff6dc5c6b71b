//! When a NAO over LoLA has force: it is relaxed when the turn falls silent, and gets its force back only after a turn
//! without power.

use std::io::Write;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use drivers::bus::BusFault;
use drivers::faults::Fault;
use drivers::lola::{COMMAND_BYTES, CommandPacket};
use drivers::rack::Device;

use super::{Turns, with_robot};
use crate::robot::{Robot, Says};

/// Powered turns: the robot stays relaxed, with the fault in each turn, until it is armed again.
fn stays_let_go(turns: &mut Turns, robot: &Robot) {
    let (before, at) = (turns.lola.faults(), turns.turn);
    // Long enough for many packets.
    while turns.turn < at + 30 {
        assert_eq!(turns.turn().error, Fault::MotorsOff.error());
        assert!(robot.is_limp());
    }
    let relaxed = |faults: drivers::faults::Faults| faults.of(Fault::MotorsOff);
    assert_eq!(relaxed(turns.lola.faults()) - relaxed(before), 30);
    assert_eq!(turns.lola.faults().good, before.good);
    // One turn without power is enough, however packets fall.
    turns.arm();
    turns.until_answered();
    stiff(turns, robot);
}

fn stiff(turns: &mut Turns, robot: &Robot) {
    turns.until("it is stiff", |_, _| robot.told("Stiffness")[0] == 1.0);
}

/// Another process drives the robot, and is gone without a word.
fn leave_driven(path: &Path, robot: &Robot) {
    let mut commands = CommandPacket::default();
    commands.set("Stiffness/HeadYaw".parse().expect("an output"), 1.0);
    commands.set("Position/HeadYaw".parse().expect("an output"), 0.5);
    let mut bytes = [0; COMMAND_BYTES];
    assert_eq!(commands.encode(&mut bytes), Some(COMMAND_BYTES));
    let mut stream = UnixStream::connect(path).expect("a robot");
    stream.write_all(&bytes).expect("a robot");
    robot.until("it is driven", |robot| robot.answers() == 1);
}

#[test]
fn without_turns_it_goes_limp_and_stays_limp_until_it_is_armed_anew() {
    with_robot(|path, robot| {
        let mut turns = Turns::new(path, 10);
        for _ in 0..2 {
            stiff(&mut turns, &robot);
            robot.until("it is limp", Robot::is_limp);
            assert!(turns.last.elapsed() >= Duration::from_millis(100));
            assert_eq!(robot.told("Stiffness").len(), 25);
            // Lights stay as they were.
            assert_eq!(robot.told("REye")[3], 0.25);
            // It is asked to be where it stands.
            robot.until("it stands where it is asked to be", |robot| {
                (robot.told("Position")[0] - robot.position(0)).abs() < 1e-6
            });
            assert!(robot.is_limp());
            stays_let_go(&mut turns, &robot);
        }
    });
}

#[test]
fn a_robot_that_was_gone_stays_limp_until_it_is_armed_anew() {
    with_robot(|path, robot| {
        let mut turns = Turns::new(path, 10);
        stiff(&mut turns, &robot);
        robot.stop();
        turns.until_fault(Fault::Transfer(BusFault::Gone));
        robot.restart();
        turns.until_fault(Fault::MotorsOff);
        robot.until("it is told", Robot::is_limp);
        stays_let_go(&mut turns, &robot);
        // It threw us out, and has kept what it was told.
        let before = robot.connections();
        robot.says(Says::Goodbye);
        turns.until_fault(Fault::MotorsOff);
        assert!(robot.connections() > before);
        robot.until("it is limp", Robot::is_limp);
        stays_let_go(&mut turns, &robot);
    });
}

#[test]
fn who_talks_strangely_is_let_go_of_before_the_line_is_closed_and_stays_so() {
    with_robot(|path, robot| {
        let mut turns = Turns::new(path, 10);
        stiff(&mut turns, &robot);
        robot.says(Says::Bytes(b"\xc1"));
        turns.until("it is limp", |_, _| robot.is_limp());
        robot.says(Says::Sensors);
        turns.until_fault(Fault::MotorsOff);
        stays_let_go(&mut turns, &robot);
    });
}

#[test]
fn what_was_not_powered_is_not_let_go_of() {
    let first_has_force = |turns: &mut Turns, robot: &Robot| {
        turns.powered = true;
        (turns.last, turns.longest_gap) = (Instant::now(), Duration::ZERO);
        turns.until("it is stiff", |turns, _| {
            // After 100 ms without a turn the body is rightly let go of.
            let has_stalled = turns.longest_gap > Duration::from_millis(80);
            assert!(has_stalled || turns.lola.faults().of(Fault::MotorsOff) == 0);
            robot.told("Stiffness")[0] == 1.0
        });
    };
    with_robot(|path, robot| {
        let mut turns = Turns::new(path, 10);
        robot.until("it is told before the first turn", Robot::is_limp);
        std::thread::sleep(Duration::from_millis(150));
        first_has_force(&mut turns, &robot);
    });
    // Silence, and a new line, after turns without power.
    with_robot(|path, robot| {
        let mut turns = Turns::new(path, 10);
        turns.powered = false;
        turns.until_answered();
        std::thread::sleep(Duration::from_millis(150));
        robot.says(Says::Goodbye);
        let before = robot.answers();
        robot.until("a new line", |robot| robot.answers() > before + 15);
        assert_eq!(robot.connections(), 2);
        first_has_force(&mut turns, &robot);
    });
}

#[test]
fn who_takes_over_says_nothing_before_its_first_turn() {
    with_robot(|path, robot| {
        leave_driven(path, &robot);
        let mut turns = Turns::taking_over(path, 10);
        let before = robot.packets();
        robot.until("many packets", |robot| robot.packets() > before + 20);
        // Nor to a robot that talks strangely, nor when it is connected anew.
        robot.says(Says::Bytes(b"\xc1"));
        robot.until("a new connection", |robot| robot.connections() > 2);
        robot.says(Says::Sensors);
        let before = robot.packets();
        robot.until("many packets", |robot| robot.packets() > before + 40);
        assert_eq!((robot.answers(), robot.told("Stiffness")[0]), (1, 1.0));
        turns.counts[0] = 0.25;
        turns.until("its own target", |turns, _| {
            assert!(!robot.is_limp());
            assert_eq!(turns.lola.faults().of(Fault::MotorsOff), 0);
            robot.told("Position")[0] == 0.25
        });
        turns.until_answered();
        // From then on it is as ever.
        robot.until("it is limp", Robot::is_limp);
        stays_let_go(&mut turns, &robot);
    });
}

#[test]
fn who_takes_over_and_ends_before_its_first_turn_lets_go() {
    with_robot(|path, robot| {
        leave_driven(path, &robot);
        drop(Turns::taking_over(path, 10));
        robot.until("it is limp", Robot::is_limp);
    });
}

#[test]
fn without_power_it_is_limp() {
    with_robot(|path, robot| {
        let mut turns = Turns::new(path, 10);
        turns.until("it is stiff", |_, _| robot.told("Stiffness")[0] == 1.0);
        turns.powered = false;
        turns.until("it is limp", |_, _| robot.is_limp());
        let at = turns.turn;
        turns.until("that is acknowledged", |_, item| item.acknowledged > at);
        turns.powered = true;
        turns.until("it is stiff", |_, _| robot.told("Stiffness")[24] == 1.0);
    });
}

#[test]
fn the_last_packet_relaxes_the_robot() {
    for _ in 0..5 {
        with_robot(|path, robot| {
            let mut turns = Turns::new(path, 10);
            turns.until("it is stiff", |_, _| robot.told("Stiffness")[0] == 1.0);
            drop(turns);
            robot.until("the line is closed", |robot| !robot.is_connected());
            assert!(robot.is_limp());
        });
    }
}
