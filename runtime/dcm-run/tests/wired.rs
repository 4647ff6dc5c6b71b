//! The desk's robot on real device nodes: the built `dcm-run` drives a servo board over the kernel's spidev, and lines
//! of its gpio. `tests/kernel/test.sh` boots a kernel and runs these tests in it, because they need its devices.
//!
//! At the far end of the bus is the reference board, `dcm-run wire simulate`; a thread passes each transfer of
//! `/dev/vspi` on to it. The test itself is at the far ends of the lines.

mod common;

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::net::UnixDatagram;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::home;
use cycle::State;
use drivers::parts::mcp3008;
use nix::sys::signal::Signal;
use tests::gpio_sim::{GpioSim, put};
use tests::process::{Home, text, until};

const LINES: [&str; 5] = ["SERVO_POWER", "STOP", "BUTTON", "TRIGGER", "ECHO"];

/// The chip with the desk's lines. Nothing presses the buttons, which are active when low.
struct Panel(GpioSim);

impl Panel {
    fn new() -> Panel {
        let panel = Panel(GpioSim::new("desk", &LINES));
        // The stop switch is closed, to the ground.
        panel.pull("STOP", false);
        panel.pull("BUTTON", true);
        panel
    }

    fn pull(&self, name: &str, up: bool) {
        self.0.put(place(name), up);
    }

    fn is_high(&self, name: &str) -> bool {
        self.0.is_high(place(name))
    }
}

fn place(line: &str) -> usize {
    let place = LINES.iter().position(|item| *item == line);
    place.expect("a line")
}

/// The reference board at the far end of the wire.
struct FarEnd {
    board: Child,
    over: Arc<AtomicBool>,
}

impl FarEnd {
    fn new(home: &Home) -> FarEnd {
        let socket = home.path("board");
        let path = socket.to_str().expect("a path");
        let board = home
            .command(&[
                "wire", "simulate", "desk", "--board", "servos", "--at", path,
            ])
            .stdout(Stdio::null())
            .spawn();
        until("the board listens", || socket.exists());
        let over = Arc::new(AtomicBool::new(false));
        let (seen, own) = (Arc::clone(&over), home.path("wire"));
        std::thread::spawn(move || carry(&socket, &own, &seen));
        FarEnd {
            board: board.expect("the binary starts"),
            over,
        }
    }
}

impl Drop for FarEnd {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        let _ = self.board.kill();
        let _ = self.board.wait();
    }
}

/// Passes each transfer on to the board's process, and its answer back.
fn carry(board: &Path, own: &Path, over: &AtomicBool) {
    let wire = OpenOptions::new().read(true).write(true).open("/dev/vspi");
    let mut wire = wire.expect("the far end");
    let socket = UnixDatagram::bind(own).expect("a socket");
    socket.connect(board).expect("a board");
    socket
        .set_read_timeout(Some(Duration::from_millis(50)))
        .expect("a timeout");
    let mut record = vec![0; 28 + 65_536];
    let mut converter = mcp3008::SimMcp3008::default();
    converter.inputs[5] = 777;
    while !over.load(Ordering::Relaxed) {
        let Ok(size) = wire.read(&mut record) else {
            std::thread::sleep(Duration::from_millis(1));
            continue;
        };
        if size <= 28 {
            continue;
        }
        // The other chip select has a converter.
        if record[4] == 1 {
            let mut reply = record[..4].to_vec();
            reply.extend_from_slice(&[0; 4]);
            let down = record[28..size].first_chunk().expect("three bytes");
            reply.extend_from_slice(&converter.transfer(*down));
            let _ = wire.write_all(&reply);
            continue;
        }
        let mut packet = vec![record[0]];
        packet.extend_from_slice(&record[28..size]);
        let mut reply = record[..4].to_vec();
        reply.extend_from_slice(&[0; 4]);
        let mut answer = vec![0xff; size - 27];
        if socket.send(&packet).is_ok() && socket.recv(&mut answer).is_err() {
            answer.fill(0xff);
        }
        reply.extend_from_slice(&answer[1..]);
        // A host that was unplugged meanwhile receives nothing.
        let _ = wire.write_all(&reply);
    }
}

fn number(home: &Home, key: &str) -> f64 {
    home.good(&["get", key]).trim().parse().expect("a number")
}

#[test]
fn the_desks_robot_runs_on_real_device_nodes() {
    let (home, panel) = (home(), Panel::new());
    let _far = FarEnd::new(&home);

    // The first host reads the table.
    let said = text(&home.run(&["doctor", "--robot", "desk"]).stdout);
    assert!(
        said.contains("`servos`: /dev/spidev0.0 at 1000000 bit/s"),
        "{said}"
    );
    assert!(
        said.contains("`panel`: its lines are there and free"),
        "{said}"
    );
    let probed = home.good(&["wire", "probe", "desk"]);
    assert!(
        probed.contains("Shoulder") && probed.contains("the board matches the description"),
        "{probed}"
    );
    let dumped = home.good(&["wire", "dump", "desk", "-n", "40"]);
    assert!(
        dumped.contains("limp") && dumped.contains("good answers"),
        "{dumped}"
    );

    let tape = home.path("servos.tap");
    let tap = format!("servos={}", tape.display());
    // The desk's robot as it is, and a converter beside it. On a busy machine this kernel is slow: turns may be late,
    // and frames may be lost, so that no board answers for half a second without a gap.
    let mine = home.path("mine.toml");
    put(
        &mine,
        "format = 1\nname = \"desk\"\nbase = \"desk\"\n\
         [safety]\nlate-to-hold = 100000\nlate-to-safe = 100000\nmissing-to-hold = 200\nmissing-to-lost = 400\n\
         link-good = \"20ms\"\n\
         [boards]\npanel.bias = \"none\"\nadc = { driver = \"mcp3008\", spi = \"spidev0.1\", period = \"5ms\" }\n\
         [sensors]\nPot = { board = \"adc\", channel = 5 }\n",
    );
    let mine = mine.to_str().expect("a path");
    // The line was pulled up when it was opened before: only this switch is stronger.
    panel.pull("STOP", false);
    let running = home.start("desk", &["--robot", mine, "--tap", &tap]);
    assert!(!panel.is_high("SERVO_POWER"));
    running.wait_for_state(State::Armed);
    until("the relay", || panel.is_high("SERVO_POWER"));
    running.wait_for_state(State::Running);

    // A motion, as the board's own sensor reports it.
    home.good(&["set", "Base", "0.4", "--in", "500ms"]);
    until("the servo is there", || {
        (number(&home, "Base.sensor") - 0.4).abs() < 0.02
    });
    // The limits may let it pass its target by a little first.
    until("the board has taken it", || {
        (number(&home, "Base.acknowledged") - 0.4).abs() < 0.001
    });

    until("the converter", || number(&home, "Pot") == 777.0);
    assert!(number(&home, "adc.acks") > 10.0);

    // Input lines.
    assert_eq!(number(&home, "Button"), 0.0);
    panel.pull("BUTTON", false);
    until("the button", || number(&home, "Button") == 1.0);
    panel.pull("BUTTON", true);
    until("it is released", || number(&home, "Button") == 0.0);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (panel, over) = (&panel, &over);
        // The echo: 30 ms there and back, again and again.
        scope.spawn(move || {
            while !over.load(Ordering::Relaxed) {
                panel.pull("ECHO", true);
                std::thread::sleep(Duration::from_millis(30));
                panel.pull("ECHO", false);
                std::thread::sleep(Duration::from_millis(30));
            }
        });
        until("an echo", || {
            home.good(&["set", "Sonar", "1", "--in", "0s"]);
            let distance = number(&home, "Distance");
            (2.0..9.0).contains(&distance)
        });
        over.store(true, Ordering::Relaxed);
    });

    // Another host is refused, because of the lock, and by name.
    let said = home.bad(1, &["run", "--robot", "desk", "--id", "second"]);
    assert!(said.contains("is driven by another process"), "{said}");
    assert!(
        said.contains("SERVO_POWER") || said.contains("dcm-run"),
        "{said}"
    );
    // Operations for simulated boards are refused.
    let printed = home.bad(1, &["sim", "unplug", "servos"]);
    assert!(printed.contains("simulat"), "{printed}");

    // The stop line has priority over everything, and releasing it is not enough.
    panel.pull("STOP", true);
    running.wait_for_state(State::Estop);
    home.run(&["estop", "--release"]);
    std::thread::sleep(Duration::from_millis(100));
    running.wait_for_state(State::Estop);
    panel.pull("STOP", false);
    std::thread::sleep(Duration::from_millis(100));
    home.good(&["estop", "--release"]);
    running.wait_for_state(State::Holding);
    home.good(&["resume"]);
    running.wait_for_state(State::Running);

    // Unplugged while it moves, and plugged in again: no restart is needed, but nothing moves until a person resumes.
    put("/sys/bus/platform/drivers/vspi/unbind", "vspi.0");
    running.wait_for_state(State::Fault);
    assert!(
        home.good(&["get"]).contains("(gone)"),
        "{}",
        home.good(&["get"])
    );
    put("/sys/bus/platform/drivers/vspi/bind", "vspi.0");
    until("the board is back", || number(&home, "servos.age") == 0.0);
    std::thread::sleep(Duration::from_millis(600));
    home.good(&["clear"]);
    running.wait_for_state(State::Disarmed);
    // It wants readings from all boards first.
    home.until_good(&["arm"]);
    running.wait_for_state(State::Running);

    running.signal(Signal::SIGINT);
    let ended = running.ended();
    let output = text(&ended.stdout);
    assert!(
        output.contains("stopped softly"),
        "{output}{}",
        text(&ended.stderr)
    );
    assert!(
        output.contains("the board servos is lost: gone"),
        "{output}"
    );
    assert!(!panel.is_high("SERVO_POWER"));
    let dumped = home.good(&["wire", "dump", tape.to_str().expect("a path")]);
    assert!(
        dumped.contains("powered") && dumped.contains("the bus is not there"),
        "{}",
        &dumped[..4000]
    );
}

#[test]
fn who_may_not_use_a_device_is_told_what_to_do() {
    let (home, _panel) = (home(), Panel::new());
    let _far = FarEnd::new(&home);
    let folder = home.folder.path();
    let all = <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o777);
    fs::set_permissions(folder, all).expect("it is ours");
    let output = home
        .command(&["run", "--robot", "desk"])
        .uid(65_534)
        .gid(65_534)
        .output()
        .expect("the binary runs");
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(
        printed.contains("the board `servos`: ") && printed.contains("group"),
        "{printed}"
    );
    assert!(printed.contains("the board `panel`: "), "{printed}");
}

#[test]
fn what_is_not_there_is_named_before_anything_moves() {
    let home = home();
    put("/sys/bus/platform/drivers/vspi/unbind", "vspi.0");
    let output = home.bad(1, &["run", "--robot", "desk"]);
    put("/sys/bus/platform/drivers/vspi/bind", "vspi.0");
    until("the node", || Path::new("/dev/spidev0.0").exists());
    assert!(
        output.contains("/dev/spidev0.0") && output.contains("No such file"),
        "{output}"
    );
    assert!(output.contains("the board `panel`"), "{output}");
}
