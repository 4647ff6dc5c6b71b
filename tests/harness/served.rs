//! A robot with its server, for tests: the real program, which listens on a port of its own. Used by the tests of the
//! program and by the benchmark of its server. It ends with its test.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use cycle::State;
use hyper::Method;
use network::client::{Address, ApiClient, ClientError};
use sensors::PageReader;
use serde_json::Value;

use crate::process::{Home, until};

/// A choreography that moves the body, and ends by itself.
pub const WAVE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../choreographies/wave/wave.wasm"
);

/// A choreography that moves the body, and never ends by itself.
pub const BREATHE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../choreographies/breathe/breathe.wasm"
);

/// A choreography that moves nothing but lights.
pub const BLINK: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../choreographies/blink/blink.wasm"
);

/// The arguments for a simulated NAO.
pub const NAO: [&str; 3] = ["--robot", "nao", "--sim"];

/// The same NAO without physics, for a test that moves it without regard to its balance.
pub const FLOATING_NAO: [&str; 5] = ["--robot", "nao", "--sim", "--physics", "off"];

/// A robot with a server; killed when it is dropped.
#[derive(Debug)]
pub struct Served<'h> {
    /// Its folders.
    pub home: &'h Home,
    /// The loop's process, which starts the server.
    pub child: Child,
    /// The output of both.
    pub log: PathBuf,
}

/// Starts a simulated NAO with a server that has these settings.
pub fn serve<'h>(home: &'h Home, settings: &str) -> Served<'h> {
    serve_with(home, settings, &NAO)
}

/// Starts a robot with a server that has these settings.
pub fn serve_with<'h>(home: &'h Home, settings: &str, words: &[&str]) -> Served<'h> {
    serve_in(home, settings, words, &[])
}

/// Starts a robot with a server and additional environment variables.
pub fn serve_in<'h>(
    home: &'h Home,
    settings: &str,
    words: &[&str],
    environment: &[(&str, &Path)],
) -> Served<'h> {
    let config = home.file("dcm-run.toml", settings);
    let log = home.path("serve.log");
    let file = File::create(&log).expect("a file");
    let mut all = vec!["serve", "--config", config.to_str().expect("a path")];
    all.extend(words);
    let child = home
        .command(&all)
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .stdout(file.try_clone().expect("a file"))
        .stderr(file)
        .spawn()
        .expect("the binary starts");
    let served = Served { home, child, log };
    until("the server listens", || {
        served.line("the robot's page: ").is_some()
    });
    served
}

impl Served<'_> {
    /// The rest of the last line of the log that contains these words.
    pub fn line(&self, words: &str) -> Option<String> {
        let log = fs::read_to_string(&self.log).ok()?;
        // An incomplete line does not count.
        let whole = &log[..log.rfind('\n')?];
        let mut lines = whole.lines().rev();
        lines.find_map(|line| Some(line.split_once(words)?.1.to_owned()))
    }

    /// `host:port`.
    pub fn address(&self) -> String {
        let line = self.line("the robot's page: ").expect("it listens");
        let line = line
            .split("://")
            .nth(1)
            .expect("an address")
            .trim_end_matches('/');
        line.to_owned()
    }

    /// The pairing code that it shows.
    pub fn code(&self) -> String {
        let mut line = None;
        until("it shows a code", || {
            line = self.line("its code is ");
            line.is_some()
        });
        let line = line.expect("it was found");
        line.split(',').next().expect("a code").to_owned()
    }

    /// A client with this token, over the network.
    pub fn client(&self, token: Option<&str>) -> ApiClient {
        let address = Address::Plain(self.address());
        ApiClient::new(address, token.map(str::to_owned)).expect("a client")
    }

    /// Makes a token of this role.
    pub fn token(&self, role: &str) -> String {
        let token = self.home.good(&["tokens", "make", role, "--role", role]);
        token.trim().to_owned()
    }

    /// The process ID of the server.
    pub fn server(&self) -> i32 {
        // It may still be starting.
        let mut found = None;
        until("there is a server", || {
            found = self.child_server();
            found.is_some()
        });
        found.expect("it was found")
    }

    fn child_server(&self) -> Option<i32> {
        // Children are listed by the thread that started them: the supervisor.
        let all = fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?;
        let mut children = all.flatten().flat_map(|home| {
            let text = fs::read_to_string(home.path().join("children")).unwrap_or_default();
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        });
        let found = children.find(|child| {
            let words = fs::read_to_string(format!("/proc/{child}/cmdline")).unwrap_or_default();
            words.split('\0').any(|part| part == "server")
        });
        found?.parse().ok()
    }

    /// Waits until the body is armed, and moves.
    pub fn wait_until_it_runs(&self) {
        let page = self.page();
        until("the body runs", || {
            page.read(|frame| frame.state()).flatten() == Some(State::Running)
        });
    }

    /// The loop's page.
    pub fn page(&self) -> PageReader {
        PageReader::open(&self.home.path("run/nao.page")).expect("a page")
    }
}

impl Drop for Served<'_> {
    fn drop(&mut self) {
        let server = self.child_server();
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            // A test that fails shows what the robot said last.
            let log = fs::read_to_string(&self.log).unwrap_or_default();
            let lines: Vec<_> = log.lines().collect();
            let last = &lines[lines.len().saturating_sub(40)..];
            eprintln!("the robot's log ends:\n{}", last.join("\n"));
            return;
        }
        // Its server notices that, and may write to the store until it has ended: a file that a test changes now
        // would be replaced.
        if let Some(server) = server {
            until("its server has ended", || !is_running(server));
        }
    }
}

/// Whether this process runs. One that has ended may be listed until its parent has noticed.
fn is_running(process: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().unwrap_or_default().trim_start();
    !(state.is_empty() || state.starts_with('Z'))
}

/// The error code of a refused request.
pub fn refused(client: &ApiClient, method: Method, path: &str, body: Option<&Value>) -> String {
    match client.ask::<Value>(method.clone(), path, body) {
        Ok(answer) => panic!("{method} {path}: {answer}"),
        Err(ClientError::Refused(error)) => error.code,
        Err(other) => panic!("{method} {path}: {other}"),
    }
}

/// The loop's reply to one of its own requests, sent to its server: without the word before it.
pub fn ask_loop(client: &ApiClient, kind: &str, fields: &Value) -> Value {
    let path = format!("/api/v2/loop/{kind}");
    let reply = client.ask::<Value>(Method::POST, &path, Some(fields));
    match reply.unwrap_or_else(|error| panic!("{kind} {fields}: {error}")) {
        Value::Object(reply) => reply.into_iter().next().expect("a word").1,
        word => word,
    }
}

/// The code with which one of the loop's own requests is refused.
pub fn refused_by_loop(client: &ApiClient, kind: &str, fields: &Value) -> String {
    let path = format!("/api/v2/loop/{kind}");
    refused(client, Method::POST, &path, Some(fields))
}
