//! Simulates disks that fail and clocks that are wrong, and counts late turns meanwhile.

#![allow(dead_code, reason = "not every test uses all of it")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use hyper::Method;
use network::client::{ApiClient, ClientError, RequestBody};
use network::hex::{digest, unhex};
use network::signature::SigningKey;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use protocol::RequestError;
use protocol::choreographies::SIGNATURE;
use sensors::PageReader;
use tests::process::{Home, until};
use tests::served::{NAO, Served, serve_in};

/// A port of its own on the loopback interface, and nothing else.
pub(crate) const QUIET: &str = "[foxglove]\nlisten = \"\"\n[recordings]\non = false\n\
    [server]\nlisten = [\"127.0.0.1:0\"]\n";

/// Accepts signed choreographies only.
pub(crate) const SIGNED: &str = "[store]\nsignatures = \"require\"\n";

/// Seconds in a day.
pub(crate) const DAY: u64 = 86_400;

/// Stops the loop, and waits until its processes have ended.
pub(crate) fn end(mut served: Served<'_>) {
    served.home.good(&["stop"]);
    until("the loop has gone", || {
        served.child.try_wait().expect("a process").is_some()
    });
}

/// Kills the server, and waits until the next one listens.
pub(crate) fn restart_server(served: &Served<'_>) {
    let opened = || {
        let log = fs::read_to_string(&served.log).unwrap_or_default();
        // An incomplete line does not have the address yet.
        let whole = log.rsplit_once('\n').map_or("", |pair| pair.0);
        whole.matches("the robot's page: ").count()
    };
    let before = opened();
    kill(Pid::from_raw(served.server()), Signal::SIGKILL).expect("it is there");
    until("another server listens", || opened() > before);
}

/// A new key of this user.
pub(crate) fn key(home: &Home, name: &str) -> SigningKey {
    home.good(&["keys", "generate", name]);
    let path = home.path(&format!("run/config/keys/{name}.key"));
    let text = fs::read_to_string(path).expect("a key");
    SigningKey::of(&unhex(text.trim()).expect("a key")).expect("a key")
}

pub(crate) fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.expect("a clock").as_secs()
}

/// Bytes that the store accepts as a choreography, although nobody could play them.
pub(crate) fn show(rest: &[u8]) -> Vec<u8> {
    [&b"\0asm\x0d\0\x01\0"[..], rest].concat()
}

/// An upload.
pub(crate) struct Upload<'u> {
    pub(crate) bytes: &'u [u8],
    /// The announced digest.
    pub(crate) said: &'u str,
    /// The name, as in the path.
    pub(crate) name: &'u str,
    /// The header of the signature, if there is one.
    pub(crate) signature: &'u str,
}

impl Upload<'_> {
    /// Uploads it; the error, if it was refused.
    pub(crate) fn by(&self, client: &ApiClient) -> Option<RequestError> {
        let mut headers = Vec::new();
        if !self.signature.is_empty() {
            headers.push((SIGNATURE, self.signature.to_owned()));
        }
        let sent = RequestBody {
            headers,
            bytes: bytes::Bytes::copy_from_slice(self.bytes),
            kind: "application/wasm",
            only_reads: false,
        };
        let path = format!("/api/v2/choreographies/{}?name={}", self.said, self.name);
        match client.send(Method::PUT, &path, sent, |_| {}) {
            Ok(_) => None,
            Err(ClientError::Refused(error)) => Some(error),
            Err(other) => panic!("{path}: {other}"),
        }
    }

    /// The error code of the upload, or `taken`.
    pub(crate) fn fate(&self, client: &ApiClient) -> String {
        self.by(client)
            .map_or_else(|| "taken".to_owned(), |args| args.code)
    }
}

/// Uploads bytes with their own digest.
pub(crate) fn upload(client: &ApiClient, bytes: &[u8], name: &str) -> Option<RequestError> {
    let said = digest(bytes);
    let upload = Upload {
        bytes,
        said: &said,
        name,
        signature: "",
    };
    upload.by(client)
}

/// Counts late turns until it is dropped: the page has only the last thousand.
pub(crate) struct Turns(Arc<Counted>);

#[derive(Default)]
struct Counted {
    late: AtomicU64,
    all: AtomicU64,
    done: AtomicBool,
}

impl Turns {
    pub(crate) fn of(home: &Home) -> Turns {
        let path = home.path("run/nao.page");
        let counted = Arc::new(Counted::default());
        let counts = Arc::clone(&counted);
        std::thread::spawn(move || {
            let page = PageReader::open(&path).expect("a page");
            let mut last = page.latest();
            while !counts.done.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(50));
                last = counts.count(&page, last);
            }
        });
        Turns(counted)
    }

    /// The number of late turns since the last call, and of all turns.
    pub(crate) fn take(&self) -> (u64, u64) {
        // Also counts the turns that were just made.
        std::thread::sleep(Duration::from_millis(100));
        let take = |item: &AtomicU64| item.swap(0, Ordering::Relaxed);
        (take(&self.0.late), take(&self.0.all))
    }

    /// Asserts that turns were not late more often than before, with a large margin: other programs on the machine make
    /// turns late as well.
    pub(crate) fn no_later_than(&self, before: (u64, u64), what: &str) {
        let after = self.take();
        println!("late turns: {before:?} before, {after:?} {what}");
        let share = |pair: (u64, u64)| pair.0 as f64 / pair.1.max(1) as f64;
        assert!(
            after.1 > 0 && share(after) <= share(before) + 0.25,
            "{after:?} {what}"
        );
    }
}

impl Counted {
    fn count(&self, page: &PageReader, last: u64) -> u64 {
        let (latest, period) = (page.latest(), page.period().nanos());
        for turn in last + 1..=latest {
            let Some(elapsed) = page.read_turn(turn, |frame| frame.elapsed().nanos()) else {
                continue;
            };
            let late = u64::from(2 * elapsed > 3 * period);
            self.late.fetch_add(late, Ordering::Relaxed);
            self.all.fetch_add(1, Ordering::Relaxed);
        }
        latest
    }
}

impl Drop for Turns {
    fn drop(&mut self) {
        self.0.done.store(true, Ordering::Relaxed);
    }
}

/// For the server alone: a slow disk and a wrong clock, both set by files that may change at any time.
pub(crate) struct Shim(PathBuf);

const SHIM: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int is_server, is_loop;

__attribute__((constructor)) static void look(void) {
    char words[4096];
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    long length = file < 0 ? 0 : read(file, words, sizeof words - 1);
    if (file >= 0) close(file);
    if (length < 0) length = 0;
    words[length] = 0;
    for (char *word = words; word < words + length; word += strlen(word) + 1)
        is_server |= strcmp(word, "server") == 0, is_loop |= strcmp(word, "serve") == 0;
}

static long said(const char *variable, int is_meant) {
    const char *path = is_meant ? getenv(variable) : NULL;
    if (!path) return 0;
    int kept = errno, file = open(path, O_RDONLY | O_CLOEXEC);
    char text[32];
    long length = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    errno = kept;
    text[length < 0 ? 0 : length] = 0;
    return atol(text);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    long failed = syscall(SYS_clock_gettime, clock, now);
    if (!failed && clock == CLOCK_REALTIME) now->tv_sec += said("TEST_CLOCK", is_server || is_loop);
    return (int)failed;
}

static void wait_for_disk(void) {
    long ms = said("TEST_DISK", is_server);
    struct timespec time = { ms / 1000, ms % 1000 * 1000000 };
    if (ms > 0) nanosleep(&time, NULL);
}

int fsync(int file) {
    wait_for_disk();
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    wait_for_disk();
    return (int)syscall(SYS_fdatasync, file);
}
"#;

impl Shim {
    pub(crate) fn of(home: &Home) -> Shim {
        let shim = Shim(home.folder.path().to_owned());
        let source = shim.path("shim.c");
        fs::write(&source, SHIM).expect("a file");
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-Wall", "-o"])
            .args([shim.path("shim.so"), source])
            .status();
        assert!(built.expect("a compiler for C").success());
        shim.clock(0);
        shim.disk(Duration::ZERO);
        shim
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn say(&self, name: &str, number: i128) {
        // Written atomically, because a reader may open it at any time.
        let next = self.path("next");
        fs::write(&next, number.to_string()).expect("a file");
        fs::rename(&next, self.path(name)).expect("a file");
    }

    /// Sets the clock of server and loop ahead by this many seconds.
    pub(crate) fn clock(&self, ahead: i64) {
        self.say("clock", ahead.into());
    }

    /// Sets the clock of server and loop to this second of UTC since 1970.
    pub(crate) fn clock_shows(&self, second: u64) {
        self.say("clock", i128::from(second) - i128::from(now()));
    }

    /// Makes each sync of the server's disk take this long.
    pub(crate) fn disk(&self, takes: Duration) {
        self.say("disk", takes.as_millis().cast_signed());
    }

    /// Starts a simulated NAO with this clock, whose server has this disk.
    pub(crate) fn serve<'h>(&self, home: &'h Home, settings: &str) -> Served<'h> {
        let [library, clock, disk] = ["shim.so", "clock", "disk"].map(|text| self.path(text));
        let environment = [
            ("LD_PRELOAD", library.as_path()),
            ("TEST_CLOCK", clock.as_path()),
            ("TEST_DISK", disk.as_path()),
        ];
        serve_in(home, settings, &NAO, &environment)
    }
}
