//! The stop socket of a loop: which robot `estop` means beside other sockets, and a loop with few file descriptors.

use std::io::Write;
use std::os::unix::fs::symlink;
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Command, Stdio};

use crate::common::home;
use cycle::State;
use tests::process::{Loop, until};

#[test]
fn the_only_robot_is_stopped_beside_sockets_of_others() {
    let home = home();
    let robot = home.start("desk", &["--robot", "desk", "--sim"]);
    robot.wait_for_state(State::Running);
    let path = |name: &str| home.path(&format!("run/{name}"));
    // A program that answers nobody, one that sends a byte now and then, what a killed loop left, and another name.
    let _silent = UnixListener::bind(path("silent.sock")).expect("a socket");
    let slow = UnixListener::bind(path("slow.sock")).expect("a socket");
    std::thread::spawn(move || {
        for mut caller in slow.incoming().flatten() {
            std::thread::spawn(move || {
                while caller.write_all(b" ").is_ok() {
                    std::thread::sleep(std::time::Duration::from_millis(10));
                }
            });
        }
    });
    for kind in ["sock", "stop"] {
        drop(UnixListener::bind(path(&format!("dead.{kind}"))).expect("a socket"));
        symlink(path(&format!("desk.{kind}")), path(&format!("same.{kind}"))).expect("a link");
    }
    home.good(&["estop"]);
    robot.wait_for_state(State::Estop);
}

#[test]
fn a_loop_with_few_file_descriptors_hears_a_press_and_others() {
    let home = home();
    let run = home.command(&["run", "--plain", "--robot", "desk", "--sim"]);
    let environment = run
        .get_envs()
        .filter_map(|(key, value)| Some((key, value?)));
    let child = Command::new("sh")
        .args(["-c", "ulimit -n 64 && exec \"$@\"", "sh"])
        .arg(run.get_program())
        .args(run.get_args())
        .envs(environment)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let robot = Loop {
        child: child.expect("a shell"),
        page: home.path("run/desk.page"),
        socket: home.path("run/desk.sock"),
    };
    until("the loop listens", || {
        UnixStream::connect(&robot.socket).is_ok()
    });
    robot.wait_for_state(State::Running);
    let half_lines: Vec<_> = (0..200)
        .filter_map(|_| {
            let mut stream = UnixStream::connect(&robot.socket).ok()?;
            stream.write_all(b"{\"id\":").ok()?;
            Some(stream)
        })
        .collect();
    assert!(half_lines.len() > 100, "{}", half_lines.len());
    home.good(&["estop"]);
    robot.wait_for_state(State::Estop);
    home.good(&["estop", "--release"]);
}
