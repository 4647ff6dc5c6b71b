//! A running loop for tests: the real binary, with folders of its own.

#![allow(dead_code, reason = "not every test uses all of it")]

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use sensors::PageReader;
use serde_json::Value;

/// How long anything may take on a machine that does other things as well.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// The binary in a folder of its own.
pub(crate) struct Home {
    pub(crate) folder: tempfile::TempDir,
}

impl Home {
    pub(crate) fn new() -> Home {
        let folder = tempfile::tempdir().expect("a folder");
        Home { folder }
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dcm-run"));
        command
            .args(args)
            .env("DCM_RUN_DIR", self.folder.path().join("run"))
            .env("DCM_RUN_CONFIG", self.folder.path().join("config"))
            .env("NO_COLOR", "1");
        command
    }

    /// Runs a verb to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("the binary runs")
    }

    /// Runs a verb that must succeed; what it printed.
    pub(crate) fn good(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let said = text(&output.stderr);
        assert!(output.status.success(), "{args:?}: {said}");
        text(&output.stdout)
    }

    /// Runs a verb that must fail with this exit code; what it complained of.
    pub(crate) fn bad(&self, code: i32, args: &[&str]) -> String {
        let output = self.run(args);
        let said = text(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{args:?}: {said}{}",
            text(&output.stdout)
        );
        said
    }

    /// Starts a loop and waits until it listens and has made a turn.
    pub(crate) fn start(&self, name: &str, args: &[&str]) -> Loop {
        let mut words = vec!["run", "--plain", "--id", name];
        words.extend(args);
        let child = self
            .command(&words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let running = Loop {
            child: child.expect("the binary starts"),
            page: self.folder.path().join(format!("run/{name}.page")),
            socket: self.folder.path().join(format!("run/{name}.sock")),
        };
        until("the loop listens", || {
            UnixStream::connect(&running.socket).is_ok()
        });
        running
    }
}

/// A loop that runs; killed if a test forgets it.
pub(crate) struct Loop {
    pub(crate) child: Child,
    pub(crate) page: PathBuf,
    pub(crate) socket: PathBuf,
}

impl Loop {
    pub(crate) fn page(&self) -> PageReader {
        PageReader::open(&self.page).expect("a page")
    }

    /// The number of the loop's thread.
    pub(crate) fn thread(&self) -> i32 {
        let tasks = format!("/proc/{}/task", self.child.id());
        let tasks = std::fs::read_dir(tasks).expect("a process").flatten();
        let mut named = tasks.filter(|it| {
            std::fs::read_to_string(it.path().join("comm")).is_ok_and(|name| name.trim() == "loop")
        });
        let task = named.next().expect("a loop");
        task.file_name()
            .to_string_lossy()
            .parse()
            .expect("a number")
    }

    pub(crate) fn signal(&self, signal: nix::sys::signal::Signal) {
        let process = nix::unistd::Pid::from_raw(self.child.id().cast_signed());
        nix::sys::signal::kill(process, signal).expect("it is there");
    }

    pub(crate) fn wait_for_state(&self, state: cycle::State) {
        let (page, begun) = (self.page(), Instant::now());
        loop {
            let is = page.read(|frame| frame.state()).flatten();
            if is == Some(state) {
                return;
            }
            let waits = begun.elapsed() < TIMEOUT;
            assert!(waits, "waited in vain until {}: it is {is:?}", state.name());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    pub(crate) fn wait_for_turn(&self, turn: u64) {
        let page = self.page();
        until("turns", || page.latest() >= turn);
    }

    /// Waits until it has ended by itself; what it printed.
    pub(crate) fn ended(mut self) -> Output {
        let begun = Instant::now();
        while self.child.try_wait().expect("a process").is_none() {
            assert!(begun.elapsed() < TIMEOUT, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
        let (mut out, mut err) = (Vec::new(), Vec::new());
        use std::io::Read;
        self.child
            .stdout
            .take()
            .expect("a pipe")
            .read_to_end(&mut out)
            .expect("words");
        self.child
            .stderr
            .take()
            .expect("a pipe")
            .read_to_end(&mut err)
            .expect("words");
        Output {
            status: self.child.wait().expect("a process"),
            stdout: out,
            stderr: err,
        }
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A line to a socket, by hand.
pub(crate) struct Wire(BufReader<UnixStream>);

impl Wire {
    pub(crate) fn to(socket: &Path) -> Wire {
        let stream = UnixStream::connect(socket).expect("a loop");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a socket");
        Wire(BufReader::new(stream))
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.0.get_mut().write_all(bytes)
    }

    pub(crate) fn answer(&mut self) -> Option<Value> {
        let mut line = String::new();
        let read = self.0.read_line(&mut line).ok()?;
        (read > 0).then(|| serde_json::from_str(&line).expect("an answer is JSON"))
    }

    /// The answer, if it comes within this time.
    pub(crate) fn answer_within(&mut self, time: Duration) -> Option<Value> {
        self.0
            .get_mut()
            .set_read_timeout(Some(time))
            .expect("a socket");
        let answer = self.answer();
        self.0
            .get_mut()
            .set_read_timeout(Some(TIMEOUT))
            .expect("a socket");
        answer
    }

    pub(crate) fn ask(&mut self, line: &str) -> Value {
        self.send(format!("{line}\n").as_bytes()).expect("a loop");
        self.answer().expect("an answer")
    }
}

pub(crate) fn until(what: &str, mut so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < TIMEOUT, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
