//! A small answer over HTTP: axum's hello, or our robot's. Called by `run` with `axum` or `ours`, the number of
//! connections, and for ours the program. The same client asks both, over connections that stay open, one
//! request after the other on each.

mod client;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use axum::Router;
use axum::routing::get;

/// No more than one of its kind may be asked: only the loopback interface, and nothing announced.
const SETTINGS: &str =
    "[server]\nlisten = [\"127.0.0.1:0\"]\nannounce = false\n[foxglove]\nlisten = \"\"\n";

/// Requests that our server takes in a second from one address, in the long run; the burst is left to the first.
const OURS_EACH_SECOND: f64 = 450.0;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |place: usize| words.get(place).map_or("", String::as_str);
    let connections = || word(1).parse().expect("a number of connections");
    match word(0) {
        "listen" => listen(),
        "axum" => ask(axum(), "/", connections(), None),
        "ours" => {
            let folder = tempfile::tempdir().expect("a folder");
            let child = ours(Path::new(word(2)), folder.path());
            let rate = Some(OURS_EACH_SECOND);
            ask(child, "/api/v2/hello", connections(), rate);
        }
        other => panic!("there is no work {other:?}"),
    }
}

/// Answers in a process of its own, and says where.
fn listen() {
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        let hello = Router::new().route("/", get(|| async { "Hello, World!" }));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a port");
        eprintln!("at http://{}/", listener.local_addr().expect("an address"));
        axum::serve(listener, hello).await.expect("it serves");
    });
}

fn axum() -> Server {
    let this = std::env::current_exe().expect("a path");
    let mut command = Command::new(this);
    command.arg("listen");
    spawn(&mut command)
}

/// A simulated robot with its server.
fn ours(program: &Path, folder: &Path) -> Server {
    let config = folder.join("dcm-run.toml");
    std::fs::write(&config, SETTINGS).expect("a file");
    let mut command = Command::new(program);
    command
        .args(["serve", "--robot", "nao", "--sim", "--config"])
        .arg(config)
        .env("HOME", folder)
        .env("XDG_STATE_HOME", folder)
        .env("DCM_RUN_DIR", folder);
    spawn(&mut command)
}

/// A server that ends with this program, also if that fails.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // taskset has become the server.
        let id = self.0.id().to_string();
        let _ = Command::new("kill").arg(id).status();
        let _ = self.0.wait();
    }
}

fn spawn(command: &mut Command) -> Server {
    // On all processors, as the robot's would run; only the client stays where it is.
    let mut words = Command::new("taskset");
    words.args(["-c", "0-1023"]).arg(command.get_program());
    words.args(command.get_args());
    for (name, value) in command.get_envs() {
        words.env(name, value.expect("a value"));
    }
    let child = words.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    Server(child.expect("taskset and a server"))
}

/// Asks the server for this path, as often as the driver says.
fn ask(mut server: Server, path: &str, connections: usize, each_second: Option<f64>) {
    let output = server.0.stderr.take().expect("it is piped");
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let address = lines.find_map(|line| {
        let (_, rest) = line.split_once("http://")?;
        rest.split('/').next()?.parse::<SocketAddr>().ok()
    });
    let address = address.expect("it says where it listens");
    // It may say more, and must not wait for anybody to read it.
    std::thread::spawn(move || lines.for_each(drop));
    client::contest(address, path, connections, each_second);
}
