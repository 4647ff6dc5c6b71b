//! What the robot's server costs, and whether it delays turns. `cargo bench -p tests --bench server`.
//!
//! A simulated NAO is served as by `dcm-run serve`; this program behaves as `dcm-run` if its first argument is a verb.
//! Measured over HTTP: from the push of a choreography to the first motion, a whole one as commands
//! (`choreographies`), and four writers at 100 Hz (`writers`). Measured on the page: every turn of the loop, first
//! without requests, then while a hundred clients watch the stream, fifty upload, and a few flood the server with
//! invalid requests. In the same run: a bare TCP echo of as many bytes as a small answer has. The clients share the
//! processors with the loop and the server. With `--test` everything runs briefly. No time is asserted; people
//! read the numbers.

mod choreographies;
mod writers;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use clap::Parser;
use network::hex::digest;
use rustix::net::{AddressFamily, SocketType, bind, connect, socket};
use sensors::PageReader;
use serde_json::Value;
use tests::leb;
use tests::process::{Home, TIMEOUT, until};
use tests::served::{Served, WAVE, serve};

/// Room for all clients, on the loopback interface only.
const SETTINGS: &str = "[server]\nlisten = [\"127.0.0.1:0\"]\nannounce = false\nconnections = 4096\n\
                        connections-each = 1024\n[store]\nquota = 16384\n[foxglove]\nlisten = \"\"\n";

/// From the push to the first motion, ms: the target.
const GOAL: f64 = 300.0;

const WATCHERS: u8 = 100;
const UPLOADERS: u8 = 50;
const FLOODERS: u8 = 4;

/// The maximum number of bytes behind the choreography of an upload.
const PADDING: usize = 256 << 10;

/// The number of small answers that are timed: fewer than the rate limit of one address.
const ANSWERS: usize = 900;

struct Effort {
    rounds: usize,
    warm_up: Duration,
    part: Duration,
}

fn main() -> ExitCode {
    // The loop starts its server, its guardian and its compilers from its own file, which is this one.
    if std::env::args()
        .nth(1)
        .is_some_and(|argument| !argument.starts_with('-'))
    {
        return dcm_run::run(&dcm_run::Cli::parse());
    }
    let quick = std::env::args().any(|argument| argument == "--test");
    let seconds = Duration::from_secs;
    let effort = if quick {
        Effort {
            rounds: 3,
            warm_up: seconds(1),
            part: seconds(5),
        }
    } else {
        Effort {
            rounds: 20,
            warm_up: seconds(2),
            part: seconds(60),
        }
    };
    let home = Home::of(std::env::current_exe().expect("this program"));
    let robot = Robot::serve(&home);
    motions(&robot, effort.rounds);
    choreographies::choreographies(&robot, effort.rounds.min(10));
    writers::writers(&robot, effort.part);
    loads(&robot, &effort);
    ExitCode::SUCCESS
}

/// A robot that is served.
struct Robot<'h> {
    served: Served<'h>,
    page: PageReader,
    address: SocketAddr,
    token: String,
    wave: Vec<u8>,
}

impl Robot<'_> {
    fn serve(home: &Home) -> Robot<'_> {
        let served = serve(home, SETTINGS);
        served.wait_until_it_runs();
        Robot {
            page: served.page(),
            address: served.address().parse().expect("an address"),
            token: served.token("operate"),
            wave: fs::read(WAVE).expect("a component"),
            served,
        }
    }

    /// A client with an address of the loopback network, whose lower half is given.
    fn line(&self, from: [u8; 2], token: Option<&str>) -> io::Result<Line> {
        let stream = reach(self.address, from)?;
        Ok(Line {
            stream: BufReader::new(stream),
            token: token.map(str::to_owned),
            sent: 0,
            got: 0,
        })
    }

    /// The choreography with this many bytes behind it, which nobody has sent before.
    fn fresh(&self, random: &mut fastrand::Rng, padding: usize) -> Vec<u8> {
        let name = format!("{:016x}", random.u64(..));
        let mut section = vec![16];
        section.extend(name.bytes());
        section.extend((0..padding).map(|_| random.u8(..)));
        let mut bytes = self.wave.clone();
        bytes.push(0);
        leb(&mut bytes, section.len());
        bytes.extend(section);
        bytes
    }

    /// The sent values of all actuators.
    fn sent(&self) -> Vec<Option<u64>> {
        let actuators = self.page.shape().actuators;
        let row = self.page.read(|frame| {
            let sent = (0..actuators).map(|i| frame.sent(i).map(f64::to_bits));
            sent.collect::<Vec<_>>()
        });
        row.unwrap_or_default()
    }
}

/// A connection from an address of the loopback network, because requests are limited by address.
fn reach(to: SocketAddr, [high, low]: [u8; 2]) -> io::Result<TcpStream> {
    let from = SocketAddr::from((Ipv4Addr::new(127, 0, high, low), 0));
    let made = socket(AddressFamily::INET, SocketType::STREAM, None)?;
    bind(&made, &from)?;
    connect(&made, &to)?;
    let stream = TcpStream::from(made);
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    Ok(stream)
}

/// A connection that is kept open.
struct Line {
    stream: BufReader<TcpStream>,
    token: Option<String>,
    /// Bytes of the last request, and of its answer.
    sent: usize,
    got: usize,
}

impl Line {
    /// Sends a request, and waits for the answer: its status and its body.
    fn ask(&mut self, method: &str, path: &str, body: &[u8]) -> io::Result<(u16, Vec<u8>)> {
        let length = body.len();
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n"
        );
        if let Some(token) = &self.token {
            request += &format!("authorization: Bearer {token}\r\n");
        }
        request += "\r\n";
        let mut request = request.into_bytes();
        request.extend(body);
        self.sent = request.len();
        self.stream.get_mut().write_all(&request)?;
        self.answer()
    }

    fn answer(&mut self) -> io::Result<(u16, Vec<u8>)> {
        let (status, length, head) = self.head()?;
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        self.got = head + length;
        Ok((status, body))
    }

    /// The status of an answer, the length of its body, and how long its head is.
    fn head(&mut self) -> io::Result<(u16, usize, usize)> {
        let odd = |what: &str| io::Error::other(what.to_owned());
        let mut line = String::new();
        let mut read = self.stream.read_line(&mut line)?;
        let status = line
            .split_whitespace()
            .nth(1)
            .and_then(|word| word.parse().ok());
        let status = status.ok_or_else(|| odd("no answer"))?;
        let mut length = 0;
        loop {
            line.clear();
            read += self.stream.read_line(&mut line)?;
            if line.trim_end().is_empty() {
                return Ok((status, length, read));
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().map_err(|_| odd("no length"))?;
            }
        }
    }

    /// Sends a request that must succeed.
    fn must(&mut self, method: &str, path: &str, body: &[u8]) -> Vec<u8> {
        let reply = self.ask(method, path, body);
        let (status, said) = reply.unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        let text = String::from_utf8_lossy(&said);
        assert!(
            (200..300).contains(&status),
            "{method} {path}: {status} {text}"
        );
        said
    }
}

/// From the push of a choreography to the first motion.
fn motions(robot: &Robot<'_>, rounds: usize) {
    let mut random = fastrand::Rng::with_seed(1);
    let mut line = robot.line([1, 1], Some(&robot.token)).expect("a server");
    let (mut cold, mut warm) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let bytes = robot.fresh(&mut random, 16);
        cold.push(motion(robot, &mut line, &bytes));
        warm.push(motion(robot, &mut line, &bytes));
        line.must("DELETE", &kept(&digest(&bytes)), &[]);
    }
    settle(robot, &mut line);
    let heading = format!("from push to first motion, ms; {rounds} times, the goal is {GOAL:.0}");
    println!("{heading:<60} {:>8} {:>8} {:>8}", "median", "min", "max");
    for (what, times) in [
        ("bytes that nobody has seen, compiled", cold),
        ("the same bytes again", warm),
    ] {
        let [median, least, most] = [0.5, 0.0, 1.0].map(|value| quantile(&times, value));
        println!("{what:<60} {median:>8.1} {least:>8.1} {most:>8.1}");
    }
}

/// One push and one start; returns the ms until something moves.
fn motion(robot: &Robot<'_>, line: &mut Line, bytes: &[u8]) -> f64 {
    settle(robot, line);
    let digest = digest(bytes);
    let push = format!("{}?name=wave", kept(&digest));
    let start = format!("{{\"choreography\":\"{digest}\"}}");
    let before = robot.sent();
    let begun = Instant::now();
    let moved = thread::scope(|scope| {
        let eye = scope.spawn(|| {
            while robot.sent() == before {
                assert!(begun.elapsed() < TIMEOUT, "nothing moves");
                thread::sleep(Duration::from_micros(200));
            }
            begun.elapsed()
        });
        line.must("PUT", &push, bytes);
        line.must("POST", "/api/v2/guests", start.as_bytes());
        eye.join().expect("something moves")
    });
    line.must("POST", "/api/v2/loop/end", b"{}");
    moved.as_secs_f64() * 1e3
}

fn kept(digest: &str) -> String {
    format!("/api/v2/choreographies/{digest}")
}

/// Waits until no guest plays, and nothing has moved for a while.
fn settle(robot: &Robot<'_>, line: &mut Line) {
    until("nobody plays", || {
        let guests = line.must("POST", "/api/v2/loop/guests", b"{}");
        let guests: Value = serde_json::from_slice(&guests).expect("JSON");
        thread::sleep(Duration::from_millis(20));
        guests["guests"]
            .as_array()
            .is_some_and(|all| all.iter().all(|item| item["life"] == "gone"))
    });
    let (mut last, mut since) = (robot.sent(), Instant::now());
    until("nothing moves", || {
        let sent = robot.sent();
        if sent != last {
            (last, since) = (sent, Instant::now());
        }
        since.elapsed() > Duration::from_millis(300)
    });
}

/// The measurements of one part.
struct Part {
    /// How late each turn began, µs.
    lateness: Vec<f64>,
    late: usize,
    unseen: u64,
    /// The server's memory, and its maximum, MiB.
    memory: [f64; 2],
    /// A small answer, and an echo of as many bytes, µs.
    answer: f64,
    echo: f64,
}

/// The turns without requests, and under load.
fn loads(robot: &Robot<'_>, effort: &Effort) {
    let server = robot.served.server();
    let idle = part(robot, effort, None);
    let load = Load::new();
    let loaded = part(robot, effort, Some(&load));
    let seconds = effort.part.as_secs();
    let heading = format!("{seconds} s each");
    println!("\n{heading:<32} {:>10} {:>12}", "idle", "under load");
    let row = |what: &str, figure: &dyn Fn(&Part) -> String| {
        println!("{what:<32} {:>10} {:>12}", figure(&idle), figure(&loaded));
    };
    row("turns", &|part| part.lateness.len().to_string());
    row("late turns", &|part| part.late.to_string());
    row("turns that went by unseen", &|part| part.unseen.to_string());
    for (what, share) in [
        ("lateness, µs: median", 0.5),
        ("  99 of 100", 0.99),
        ("  999 of 1000", 0.999),
        ("  worst", 1.0),
    ] {
        row(what, &|part| {
            format!("{:.0}", quantile(&part.lateness, share))
        });
    }
    row("the server's memory, MiB", &|part| {
        format!("{:.1}", part.memory[0])
    });
    row("  at most so far", &|part| format!("{:.1}", part.memory[1]));
    row("GET /api/v2/hello, µs", &|value| {
        format!("{:.0}", value.answer)
    });
    row("a bare echo of that size, µs", &|part| {
        format!("{:.0}", part.echo)
    });
    load.tell(effort.part);
    if robot.served.server() != server {
        println!("the server went, and was started again");
    }
}

/// Ends the load, however its part has ended.
struct End<'s>(&'s AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

fn part(robot: &Robot<'_>, effort: &Effort, load: Option<&Load>) -> Part {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let _end = End(&stop);
        if let Some(load) = load {
            load.begin(scope, robot, &stop);
        }
        thread::sleep(effort.warm_up);
        if let Some(load) = load {
            load.count(true);
        }
        let turns = scope.spawn(|| turns(&robot.page, &stop));
        let begun = Instant::now();
        // Small answers are measured under load as well; in the idle part there are no requests.
        let under_load = load.map(|_| answers(robot, 2, effort.part / 4));
        thread::sleep(effort.part.saturating_sub(begun.elapsed()));
        if let Some(load) = load {
            load.count(false);
        }
        let memory = memory(robot.served.server());
        stop.store(true, Relaxed);
        let (elapsed, unseen) = turns.join().expect("turns");
        let [answer, echo] = under_load.unwrap_or_else(|| answers(robot, 3, effort.part / 4));
        let period = robot.page.period().nanos();
        let over = |n: &u64| n.saturating_sub(period);
        Part {
            late: elapsed
                .iter()
                .filter(|item| 2 * over(item) > period)
                .count(),
            lateness: elapsed.iter().map(|item| over(item) as f64 / 1e3).collect(),
            unseen,
            memory,
            answer,
            echo,
        }
    })
}

/// The time before every turn, ns, until the part ends; and how many turns were not seen.
fn turns(page: &PageReader, stop: &AtomicBool) -> (Vec<u64>, u64) {
    let (mut elapsed, mut unseen) = (Vec::new(), 0);
    let mut last = page.latest();
    while !stop.load(Relaxed) {
        for turn in last + 1..=page.latest() {
            match page.read_turn(turn, |frame| frame.elapsed().nanos()) {
                Some(turn) => elapsed.push(turn),
                None => unseen += 1,
            }
            last = turn;
        }
        thread::sleep(Duration::from_millis(5));
    }
    (elapsed, unseen)
}

/// The memory of a process, and its maximum, MiB.
fn memory(process: i32) -> [f64; 2] {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    ["VmRSS:", "VmHWM:"].map(|key| {
        let line = status.lines().find_map(|line| line.strip_prefix(key));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        number.unwrap_or(f64::NAN) / 1024.0
    })
}

/// Medians of a small answer over a kept connection, and of a bare echo of as many bytes, µs.
fn answers(robot: &Robot<'_>, from: u8, most: Duration) -> [f64; 2] {
    let mut line = robot.line([1, from], None).expect("a server");
    let answer = median_of(most, || {
        line.must("GET", "/api/v2/hello", &[]);
    });
    let listener = TcpListener::bind("127.0.0.1:0").expect("a socket");
    let to = listener.local_addr().expect("a socket");
    let (request, mut reply) = (vec![b'.'; line.sent], vec![b'.'; line.got]);
    let (heard, said) = (request.clone(), reply.clone());
    let echo = thread::scope(|scope| {
        scope.spawn(move || {
            let (mut heard, (mut stream, _)) = (heard, listener.accept().expect("a caller"));
            stream.set_nodelay(true).expect("a socket");
            // It ends when its client has gone.
            while stream.read_exact(&mut heard).is_ok() && stream.write_all(&said).is_ok() {}
        });
        let mut stream = reach(to, [1, from]).expect("a socket");
        median_of(most, || {
            stream.write_all(&request).expect("an echo");
            stream.read_exact(&mut reply).expect("an echo");
        })
    });
    [answer, echo]
}

fn median_of(most: Duration, mut act: impl FnMut()) -> f64 {
    let begun = Instant::now();
    let mut times = Vec::with_capacity(ANSWERS);
    while times.len() < ANSWERS && (times.is_empty() || begun.elapsed() < most) {
        let begun = Instant::now();
        act();
        times.push(begun.elapsed().as_secs_f64() * 1e6);
    }
    quantile(&times, 0.5)
}

/// The quantile of these.
fn quantile(values: &[f64], share: f64) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    let place = (last as f64 * share).round() as usize;
    values.get(place).copied().unwrap_or(f64::NAN)
}

/// All clients.
struct Load {
    counting: AtomicBool,
    /// The number of frames that each subscriber has received.
    frames: Vec<AtomicU64>,
    /// The number of subscribers that were disconnected.
    gone: AtomicU64,
    uploads: Mutex<BTreeMap<String, u64>>,
    bad: Mutex<BTreeMap<String, u64>>,
}

impl Load {
    fn new() -> Load {
        Load {
            counting: AtomicBool::new(false),
            frames: (0..WATCHERS).map(|_| AtomicU64::new(0)).collect(),
            gone: AtomicU64::new(0),
            uploads: Mutex::default(),
            bad: Mutex::default(),
        }
    }

    fn count(&self, counting: bool) {
        self.counting.store(counting, Relaxed);
    }

    fn note(&self, table: &Mutex<BTreeMap<String, u64>>, what: String) {
        if self.counting.load(Relaxed) {
            *table
                .lock()
                .expect("nobody panicked")
                .entry(what)
                .or_default() += 1;
        }
    }

    fn begin<'s, 'e>(&'e self, scope: &'s Scope<'s, 'e>, robot: &'e Robot, stop: &'e AtomicBool) {
        // So many threads need small stacks.
        let thread = || thread::Builder::new().stack_size(256 << 10);
        for (place, frames) in (1..).zip(&self.frames) {
            let watch = move || {
                if self.watch(robot, place, frames, stop).is_err() && !stop.load(Relaxed) {
                    self.gone.fetch_add(1, Relaxed);
                }
            };
            thread().spawn_scoped(scope, watch).expect("a thread");
        }
        for place in 1..=UPLOADERS {
            let upload = move || self.upload(robot, place, stop);
            thread().spawn_scoped(scope, upload).expect("a thread");
        }
        for place in 1..=FLOODERS {
            let flood = move || self.flood(robot, place, stop);
            thread().spawn_scoped(scope, flood).expect("a thread");
        }
    }

    /// Subscribes to the stream.
    fn watch(
        &self,
        robot: &Robot<'_>,
        place: u8,
        frames: &AtomicU64,
        stop: &AtomicBool,
    ) -> io::Result<()> {
        let mut line = robot.line([4, place], Some(&robot.token))?;
        let greeting = format!(
            "GET /api/v2/stream?topics=all&hz=100 HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\n\
             upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
             authorization: Bearer {}\r\n\r\n",
            robot.token
        );
        line.stream.get_mut().write_all(greeting.as_bytes())?;
        let (status, ..) = line.head()?;
        if status != 101 {
            return Err(io::Error::other(format!("status {status}")));
        }
        let mut room = Vec::new();
        while !stop.load(Relaxed) {
            let mut head = [0; 2];
            line.stream.read_exact(&mut head)?;
            let length = match head[1] & 0x7f {
                126 => {
                    let mut long = [0; 2];
                    line.stream.read_exact(&mut long)?;
                    u64::from(u16::from_be_bytes(long))
                }
                127 => {
                    let mut long = [0; 8];
                    line.stream.read_exact(&mut long)?;
                    u64::from_be_bytes(long)
                }
                short => u64::from(short),
            };
            room.resize(length as usize, 0);
            line.stream.read_exact(&mut room)?;
            match head[0] & 0x0f {
                1 if self.counting.load(Relaxed) => _ = frames.fetch_add(1, Relaxed),
                8 => return Err(io::Error::other("it said goodbye")),
                _ => {}
            }
        }
        Ok(())
    }

    /// Uploads and removes, over and over.
    fn upload(&self, robot: &Robot<'_>, place: u8, stop: &AtomicBool) {
        let mut random = fastrand::Rng::with_seed(u64::from(place));
        let mut line = None;
        while !stop.load(Relaxed) {
            let padding = random.usize(0..PADDING);
            let bytes = robot.fresh(&mut random, padding);
            let path = kept(&digest(&bytes));
            let push = format!("{path}?name=load-{place}");
            let done =
                with(&mut line, || robot.line([2, place], Some(&robot.token))).and_then(|value| {
                    let (status, _) = value.ask("PUT", &push, &bytes)?;
                    value.ask("DELETE", &path, &[])?;
                    Ok(status)
                });
            if done.is_err() {
                line = None;
            }
            self.note(&self.uploads, status(done));
        }
    }

    /// Sends invalid requests.
    fn flood(&self, robot: &Robot<'_>, place: u8, stop: &AtomicBool) {
        let mut random = fastrand::Rng::with_seed(1000 + u64::from(place));
        let wrong = format!("dcm_{}", "0".repeat(64));
        while !stop.load(Relaxed) {
            let from = [10 + place, random.u8(1..17)];
            let token = Some(robot.token.as_str());
            let kind = random.usize(0..6);
            let done = match kind {
                // An unknown path.
                0 => robot.line(from, token).and_then(|mut line| {
                    let path = format!("/{:x}/{:x}", random.u64(..), random.u64(..));
                    line.ask("GET", &path, &[])
                }),
                // An invalid body.
                1 => robot.line(from, token).and_then(|mut line| {
                    let mut body = b"{\"values\":[".to_vec();
                    body.extend((0..random.usize(0..2000)).map(|_| random.u8(..)));
                    line.ask("POST", "/api/v2/loop/move", &body)
                }),
                // Without a token.
                2 => robot
                    .line(from, None)
                    .and_then(|mut line| line.ask("GET", "/api/v2/state", &[])),
                // With a wrong token.
                3 => robot
                    .line(from, Some(&wrong))
                    .and_then(|mut line| line.ask("GET", "/api/v2/state", &[])),
                // Half a request.
                4 => reach(robot.address, from).and_then(|mut reach| {
                    reach.write_all(b"POST /api/v2/loop/move HTTP/1.1\r\nhost: 127.0")?;
                    Err(io::Error::other("half of it"))
                }),
                // A header that is far too large.
                _ => robot.line(from, token).and_then(|mut line| {
                    let head = format!(
                        "GET /api/v2/hello HTTP/1.1\r\nx: {}\r\n\r\n",
                        "x".repeat(100_000)
                    );
                    line.stream.get_mut().write_all(head.as_bytes())?;
                    line.answer()
                }),
            };
            let what = match kind {
                4 => "cut off by us".to_owned(),
                _ => status(done.map(|pair| pair.0)),
            };
            self.note(&self.bad, what);
        }
    }

    fn tell(&self, part: Duration) {
        let seconds = part.as_secs_f64();
        let each: Vec<_> = self
            .frames
            .iter()
            .map(|frame| frame.load(Relaxed) as f64 / seconds)
            .collect();
        println!(
            "\n{WATCHERS} watchers, frames/s each: median {:.1}, fewest {:.1}; {} let go",
            quantile(&each, 0.5),
            quantile(&each, 0.0),
            self.gone.load(Relaxed)
        );
        let told = |table: &Mutex<BTreeMap<String, u64>>| {
            let table = table.lock().expect("nobody panicked");
            let all: u64 = table.values().sum();
            let parts: Vec<_> = table
                .iter()
                .map(|table| format!("{}: {}", table.0, table.1))
                .collect();
            format!(
                "{all}, {:.0}/s ({})",
                all as f64 / seconds,
                parts.join(", ")
            )
        };
        println!(
            "{UPLOADERS} uploaders, uploads by status: {}",
            told(&self.uploads)
        );
        println!(
            "{FLOODERS} flooders, bad requests by status: {}",
            told(&self.bad)
        );
    }
}

/// The cached value, made if it does not exist.
fn with<T>(kept: &mut Option<T>, make: impl FnOnce() -> io::Result<T>) -> io::Result<&mut T> {
    if kept.is_none() {
        *kept = Some(make()?);
    }
    kept.as_mut()
        .ok_or_else(|| io::Error::other("it was just made"))
}

/// The status of an answer, or that there was none.
fn status(done: io::Result<u16>) -> String {
    done.map_or_else(
        |_| "closed without an answer".to_owned(),
        |value| value.to_string(),
    )
}
