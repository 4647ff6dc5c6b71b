//! `dcm-run` as a process: the real program with folders of its own, and a loop that it runs. Used by the tests of the
//! program and by the benchmark of its server. The process ends when its value is dropped.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant, UNIX_EPOCH};

use sensors::PageReader;
use serde_json::Value;

use crate::rig::component;
pub use crate::wait::{TIMEOUT, until};

/// The program in a folder of its own.
#[derive(Debug)]
pub struct Home {
    /// The folder; removed when this is dropped.
    pub folder: tempfile::TempDir,
    program: PathBuf,
    /// Machine code and verdicts of checks, which all tests of this program share.
    cache: PathBuf,
}

impl Home {
    /// A folder for this program: `dcm-run`, or one that behaves like it.
    pub fn of(program: impl Into<PathBuf>) -> Home {
        let folder = tempfile::tempdir().expect("a folder");
        let program = program.into();
        let cache = cache_of(&program);
        Home {
            folder,
            program,
            cache,
        }
    }

    /// The same with an empty cache that it shares with nobody.
    #[must_use]
    pub fn with_own_cache(mut self) -> Home {
        self.cache = self.path("cache");
        self
    }

    /// A file in its folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes these bytes into a file in its folder.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    }

    /// Writes a choreography's file, from a module in text form.
    pub fn piece(&self, name: &str, text: &str) -> String {
        self.file(name, component(text)).display().to_string()
    }

    /// The program with these arguments, ready to start.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(args)
            .env("DCM_RUN_DIR", self.folder.path().join("run"))
            .env("DCM_RUN_CONFIG", self.folder.path().join("config"))
            .env("CACHE_DIRECTORY", &self.cache)
            .env("NO_COLOR", "1");
        command
    }

    /// Runs a verb to its end.
    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("the binary runs")
    }

    /// Runs a verb that must succeed, and returns its output.
    pub fn good(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let printed = text(&output.stderr);
        assert!(output.status.success(), "{args:?}: {printed}");
        text(&output.stdout)
    }

    /// Runs a verb until it succeeds, and returns its output.
    pub fn until_good(&self, args: &[&str]) -> String {
        let begun = Instant::now();
        loop {
            let output = self.run(args);
            if output.status.success() {
                return text(&output.stdout);
            }
            let error = text(&output.stderr);
            assert!(begun.elapsed() < TIMEOUT, "{args:?} fails: {error}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Runs a verb that must fail with this exit code, and returns its error output.
    pub fn bad(&self, code: i32, args: &[&str]) -> String {
        let output = self.run(args);
        let printed = text(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{args:?}: {printed}{}",
            text(&output.stdout)
        );
        printed
    }

    /// Starts a loop and waits until it listens and has made a turn.
    pub fn start(&self, name: &str, args: &[&str]) -> Loop {
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

/// The folder beside this program for what it caches. Another build has another folder, because the key of machine code
/// does not cover the program that made it; those of earlier builds are removed.
fn cache_of(program: &Path) -> PathBuf {
    let about = std::fs::metadata(program).expect("the program is built");
    let changed = about.modified().expect("a clock");
    let changed = changed.duration_since(UNIX_EPOCH).expect("after 1970");
    let caches = program.with_extension("test-cache");
    let own = caches.join(changed.as_nanos().to_string());
    std::fs::create_dir_all(&own).expect("a folder");
    let all = std::fs::read_dir(&caches).expect("a folder").flatten();
    for other in all.map(|entry| entry.path()).filter(|path| *path != own) {
        // Another test may be removing it.
        let _ = std::fs::remove_dir_all(other);
    }
    own
}

/// A running loop; killed when it is dropped.
#[derive(Debug)]
pub struct Loop {
    /// Its process.
    pub child: Child,
    /// The file of its page.
    pub page: PathBuf,
    /// The path of its socket.
    pub socket: PathBuf,
}

impl Loop {
    /// Its page.
    pub fn page(&self) -> PageReader {
        PageReader::open(&self.page).expect("a page")
    }

    /// The value that was last sent to this actuator.
    pub fn sent(&self, name: &str) -> f64 {
        let page = self.page();
        let all = page.actuators();
        let place = all.iter().position(|label| label.name == name);
        let place = place.expect("an actuator");
        page.read(|frame| frame.sent(place))
            .flatten()
            .expect("a turn")
    }

    /// The ID of the loop's thread.
    pub fn thread(&self) -> i32 {
        let tasks = format!("/proc/{}/task", self.child.id());
        let tasks = std::fs::read_dir(tasks).expect("a process").flatten();
        let mut named = tasks.filter(|task| {
            std::fs::read_to_string(task.path().join("comm"))
                .is_ok_and(|name| name.trim() == "loop")
        });
        let task = named.next().expect("a loop");
        task.file_name()
            .to_string_lossy()
            .parse()
            .expect("a number")
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: nix::sys::signal::Signal) {
        let process = nix::unistd::Pid::from_raw(self.child.id().cast_signed());
        nix::sys::signal::kill(process, signal).expect("it is there");
    }

    /// Waits until the body is in this state.
    pub fn wait_for_state(&self, state: cycle::State) {
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

    /// Waits until the page has this turn.
    pub fn wait_for_turn(&self, turn: u64) {
        let page = self.page();
        until("turns", || page.latest() >= turn);
    }

    /// Waits until it has ended by itself, and returns its output.
    pub fn ended(mut self) -> Output {
        let begun = Instant::now();
        while self.child.try_wait().expect("a process").is_none() {
            assert!(begun.elapsed() < TIMEOUT, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
        let (stdout, stderr) = self.printed();
        Output {
            status: self.child.wait().expect("a process"),
            stdout,
            stderr,
        }
    }

    /// What is in its pipes; the process must have ended.
    fn printed(&mut self) -> (Vec<u8>, Vec<u8>) {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        if let Some(mut pipe) = self.child.stdout.take() {
            pipe.read_to_end(&mut stdout).expect("the output");
        }
        if let Some(mut pipe) = self.child.stderr.take() {
            pipe.read_to_end(&mut stderr).expect("the errors");
        }
        (stdout, stderr)
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            let (stdout, stderr) = self.printed();
            eprintln!("the loop printed:\n{}{}", text(&stdout), text(&stderr));
        }
    }
}

/// A client of a socket that sends lines as they are.
#[derive(Debug)]
pub struct Wire(BufReader<UnixStream>);

impl Wire {
    /// Connects to this socket.
    pub fn to(socket: &Path) -> Wire {
        let stream = UnixStream::connect(socket).expect("a loop");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a socket");
        Wire(BufReader::new(stream))
    }

    /// Sends bytes as they are.
    pub fn send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.0.get_mut().write_all(bytes)
    }

    /// The next answer; `None` if there is none.
    pub fn answer(&mut self) -> Option<Value> {
        let mut line = String::new();
        let read = self.0.read_line(&mut line).ok()?;
        (read > 0).then(|| serde_json::from_str(&line).expect("an answer is JSON"))
    }

    /// The answer, if it comes within this time.
    pub fn answer_within(&mut self, time: Duration) -> Option<Value> {
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

    /// Sends a line, and waits for its answer.
    pub fn ask(&mut self, line: &str) -> Value {
        self.send(format!("{line}\n").as_bytes()).expect("a loop");
        self.answer().expect("an answer")
    }
}

/// The output of a program.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
