//! A NAO V6 with LoLA, made from its description and without our own packets: a thread that sends 896 bytes each 12 ms
//! over a Unix socket, reads 786 back, and moves its joints as far as they are stiff.
//! Used by the tests of the device.

use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rmp::{decode, encode};

/// What the robot sends in each cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Says {
    /// What a robot says.
    #[default]
    Sensors,
    /// The same, with no number where numbers are.
    NoNumbers,
    Nothing,
    /// The first half of a packet, and then nothing; the second half when it says something else.
    Half,
    /// The same, in three pieces with time between them.
    Pieces,
    /// A packet of one key, a whole one, and the beginning of a third, whose rest comes with the next ones.
    Piled,
    Bytes(&'static [u8]),
    /// It closes the connection, and then sends ordinary packets.
    Goodbye,
}

#[derive(Debug, Default)]
struct World {
    position: [f64; 25],
    says: Says,
    deaf: bool,
    over: bool,
    /// What is left of a packet that was not sent as a whole.
    rest: Vec<u8>,
    connected: bool,
    connections: u64,
    packets: u64,
    answers: u64,
    shots: [u64; 2],
    told: HashMap<String, Vec<f64>>,
}

/// The robot; it is switched off when it is dropped.
#[derive(Debug)]
pub(crate) struct Robot {
    path: PathBuf,
    period: Duration,
    world: Arc<Mutex<World>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Robot {
    /// Switches one on.
    pub(crate) fn start(path: &Path, period: Duration) -> Robot {
        let robot = Robot {
            path: path.to_owned(),
            period,
            world: Arc::default(),
            thread: Mutex::new(None),
        };
        robot.restart();
        robot
    }

    /// Switches it on again.
    pub(crate) fn restart(&self) {
        let listener = UnixListener::bind(&self.path).expect("a socket");
        listener.set_nonblocking(true).expect("a socket");
        self.world().over = false;
        let (world, period) = (Arc::clone(&self.world), self.period);
        let thread = std::thread::spawn(move || live(&listener, &world, period));
        *self.thread.lock().expect("a thread") = Some(thread);
    }

    /// Switches it off, with whoever is connected.
    pub(crate) fn stop(&self) {
        self.world().over = true;
        if let Some(thread) = self.thread.lock().expect("a thread").take() {
            thread.join().expect("a robot that lived well");
            std::fs::remove_file(&self.path).expect("a socket");
        }
        self.world().told.clear();
    }

    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().expect("a world")
    }

    pub(crate) fn says(&self, says: Says) {
        self.world().says = says;
    }

    pub(crate) fn listens(&self, listens: bool) {
        self.world().deaf = !listens;
    }

    /// The last values received under this key; zeros before.
    pub(crate) fn told(&self, key: &str) -> Vec<f64> {
        let told = self.world().told.get(key).cloned();
        told.unwrap_or_else(|| vec![0.0; 25])
    }

    pub(crate) fn position(&self, joint: usize) -> f64 {
        self.world().position[joint]
    }

    pub(crate) fn packets(&self) -> u64 {
        self.world().packets
    }

    pub(crate) fn answers(&self) -> u64 {
        self.world().answers
    }

    pub(crate) fn connections(&self) -> u64 {
        self.world().connections
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.world().connected
    }

    pub(crate) fn shots(&self) -> [u64; 2] {
        self.world().shots
    }

    /// Whether it received a packet, and the last one had no stiffness.
    pub(crate) fn is_limp(&self) -> bool {
        let world = self.world();
        let told = world.told.get("Stiffness");
        told.is_some_and(|value| value.len() == 25 && value.iter().all(|item| *item == 0.0))
    }

    /// Waits, without any turn.
    pub(crate) fn until(&self, what: &str, so: impl Fn(&Robot) -> bool) {
        let began = Instant::now();
        while !so(self) {
            assert!(began.elapsed() < Duration::from_secs(20), "never: {what}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Robot {
    fn drop(&mut self) {
        self.stop();
    }
}

fn live(listener: &UnixListener, world: &Mutex<World>, period: Duration) {
    let (mut line, mut heard): (Option<UnixStream>, Vec<u8>) = (None, Vec::new());
    loop {
        std::thread::sleep(period);
        let mut world = world.lock().expect("a world");
        if world.over {
            world.connected = false;
            return;
        }
        if line.is_none()
            && let Ok((stream, _)) = listener.accept()
        {
            stream.set_nonblocking(true).expect("a socket");
            line = Some(stream);
            heard.clear();
            world.connections += 1;
            world.rest.clear();
        }
        if let Some(stream) = &mut line
            && !(say(stream, &mut world, period) && hear(stream, &mut world, &mut heard))
        {
            line = None;
        }
        world.connected = line.is_some();
        world.step();
    }
}

/// Returns whether the connection is still open.
fn say(stream: &mut UnixStream, world: &mut World, period: Duration) -> bool {
    let stiffness = world.told.get("Stiffness").cloned();
    let stiffness = stiffness.unwrap_or_else(|| vec![0.0; 25]);
    let whole = match world.says {
        Says::NoNumbers => packet(&[f64::NAN; 25], &[f64::INFINITY; 25]),
        _ => packet(&world.position, &stiffness),
    };
    let mut bytes = std::mem::take(&mut world.rest);
    match world.says {
        Says::Nothing => world.rest = std::mem::take(&mut bytes),
        Says::Half if !bytes.is_empty() => world.rest = std::mem::take(&mut bytes),
        Says::Half => {
            bytes.extend_from_slice(&whole[..448]);
            world.rest.extend_from_slice(&whole[448..]);
        }
        Says::Piled => {
            let (begin, rest) = whole.split_at(300);
            let short = b"\x81\xa6Angles\x92\xca\x41\x28\x00\x00\x07";
            bytes.extend_from_slice(&[short, whole.as_slice(), begin].concat());
            world.rest.extend_from_slice(rest);
        }
        Says::Bytes(strange) => bytes.extend_from_slice(strange),
        Says::Goodbye => {
            world.says = Says::Sensors;
            return false;
        }
        Says::Sensors | Says::NoNumbers | Says::Pieces => bytes.extend_from_slice(&whole),
    }
    let pieces = if world.says == Says::Pieces { 3 } else { 1 };
    for piece in bytes.chunks(bytes.len().div_ceil(pieces).max(1)) {
        match stream.write_all(piece) {
            Ok(()) => {}
            // What does not fit is lost, as it is for a robot.
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            // The client has closed the connection; earlier bytes can still be read.
            Err(_) => break,
        }
        if pieces > 1 {
            std::thread::sleep(period / 4);
        }
    }
    world.packets += 1;
    true
}

/// Returns whether the connection is still open.
fn hear(stream: &mut UnixStream, world: &mut World, heard: &mut Vec<u8>) -> bool {
    let mut bytes = [0; 4096];
    while !world.deaf {
        match stream.read(&mut bytes) {
            Ok(0) => return false,
            Ok(size) => heard.extend_from_slice(&bytes[..size]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(_) => return false,
        }
        while heard.len() >= 786 {
            let rest = heard.split_off(786);
            world.take(heard);
            world.answers += 1;
            *heard = rest;
        }
    }
    true
}

impl World {
    /// Takes what it is told: a map of arrays.
    fn take(&mut self, mut bytes: &[u8]) {
        let keys = decode::read_map_len(&mut bytes).expect("a map");
        for _ in 0..keys {
            let mut key = [0; 16];
            let key = decode::read_str(&mut bytes, &mut key).expect("a key");
            let size = decode::read_array_len(&mut bytes).expect("an array");
            let values = (0..size).map(|_| match key {
                "Sonar" => f64::from(u8::from(decode::read_bool(&mut bytes).expect("a bool"))),
                _ => f64::from(decode::read_f32(&mut bytes).expect("a number")),
            });
            let values = values.collect();
            self.told.insert(key.to_owned(), values);
        }
        assert!(bytes.is_empty(), "it is longer than it says");
        for (shots, sends) in self.shots.iter_mut().zip(&self.told["Sonar"]) {
            *shots += *sends as u64;
        }
    }

    /// Joints go a part of their way, as far as they are stiff.
    fn step(&mut self) {
        let (Some(to), Some(stiff)) = (self.told.get("Position"), self.told.get("Stiffness"))
        else {
            return;
        };
        for ((at, to), stiff) in self.position.iter_mut().zip(to).zip(stiff) {
            *at += (to - *at) * 0.4 * stiff.clamp(0.0, 1.0);
        }
    }
}

/// A packet, byte by byte as the description says.
pub(crate) fn packet(position: &[f64; 25], stiffness: &[f64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let to = &mut bytes;
    encode::write_map_len(to, 13).expect("memory");
    encode::write_str(to, "RobotConfig").expect("memory");
    encode::write_array_len(to, 4).expect("memory");
    for text in [
        "P0000073A03S83I00011",
        "6.0.0",
        "P0000074A03S84F00006",
        "6.0.0",
    ] {
        encode::write_str(to, text).expect("memory");
    }
    let from =
        |first: f64, count: usize| (0..count).map(|i| first + i as f64).collect::<Vec<f64>>();
    floats(to, "Accelerometer", &from(0.5, 3));
    floats(to, "Angles", &from(10.5, 2));
    floats(to, "Battery", &[0.75, -32708.0, -0.5, 36.0]);
    floats(to, "Current", &from(20.5, 25));
    floats(to, "FSR", &from(50.5, 8));
    floats(to, "Gyroscope", &from(60.5, 3));
    floats(to, "Position", position);
    floats(to, "Sonar", &from(70.5, 2));
    floats(to, "Stiffness", stiffness);
    floats(to, "Temperature", &from(80.5, 25));
    floats(to, "Touch", &from(110.5, 14));
    encode::write_str(to, "Status").expect("memory");
    encode::write_array_len(to, 25).expect("memory");
    for status in 0..25 {
        encode::write_uint(to, status).expect("memory");
    }
    assert_eq!(bytes.len(), 896);
    bytes
}

fn floats(to: &mut Vec<u8>, key: &str, values: &[f64]) {
    encode::write_str(to, key).expect("memory");
    encode::write_array_len(to, values.len() as u32).expect("memory");
    for value in values {
        encode::write_f32(to, *value as f32).expect("memory");
    }
}
