//! A project in a folder, and a session of `dev` in a process, for the tests of verbs and of the server.
//! A session is gone when its test is.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tests::process::{Home, TIMEOUT, until};
use tests::rig::full_names;

/// A project whose language is described by `language`, and whose source is a module in text form.
pub(crate) fn project(home: &Home, name: &str, language: &str, source: &str) -> PathBuf {
    let folder = home.path(name);
    fs::create_dir_all(folder.join("src")).expect("a folder");
    let file = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    file(
        "choreography.toml",
        &format!(
            "name = \"{name}\"\nlanguage = \"made-up\"\nworld = \"motion\"\nrobot = \"nao\"\n\
             description = \"Nods.\"\n[manifest]\nfuel = 50_000\n"
        ),
    );
    file("language.toml", language);
    file("src/it.wat", &full_names(source));
    folder
}

/// Nothing is run: the source is the module.
pub(crate) const TEXT: &str = r#"name = "Text"
worlds = ["motion"]
[build]
sources = ["src/**"]
module = "src/it.wat"
"#;

/// A session in a process, and what it prints.
pub(crate) struct Dev {
    /// The name of the robot that it plays on.
    pub(crate) robot: String,
    pub(crate) child: Child,
    lines: Receiver<Value>,
    complaints: Receiver<String>,
}

impl Dev {
    pub(crate) fn start(home: &Home, args: &[&str]) -> Dev {
        Dev::start_in(home, args, &[])
    }

    /// With these folders in its environment.
    pub(crate) fn start_in(home: &Home, args: &[&str], folders: &[(&str, &Path)]) -> Dev {
        let mut words = vec!["dev", "--json", "--in", "100ms"];
        words.extend(args);
        let mut command = home.command(&words);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.envs(folders.iter().copied());
        let mut child = command.spawn().expect("the binary starts");
        let (say, lines) = channel();
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                let _ = say.send(serde_json::from_str(&line).expect("JSON"));
            }
        });
        let (say, complaints) = channel();
        let err = BufReader::new(child.stderr.take().expect("a pipe"));
        std::thread::spawn(move || {
            for line in err.lines().map_while(Result::ok) {
                let _ = say.send(line);
            }
        });
        let mut dev = Dev {
            robot: String::new(),
            child,
            lines,
            complaints,
        };
        let first = dev.lines.recv_timeout(TIMEOUT);
        let first = first.unwrap_or_else(|_| panic!("{:?}", dev.complained()));
        dev.robot = first["robot"].as_str().expect("a name").to_owned();
        dev
    }

    /// The next line with this outcome. Other outcomes are not passed over.
    pub(crate) fn outcome(&self, wanted: &str) -> Value {
        loop {
            let line = self.lines.recv_timeout(TIMEOUT);
            let line = line.unwrap_or_else(|_| panic!("no `{wanted}`: {:?}", self.complained()));
            match line["outcome"].as_str() {
                Some(text) if text == wanted => return line,
                Some(_) => panic!("{wanted}: {line} {:?}", self.complained()),
                None => {}
            }
        }
    }

    /// What it has complained of so far.
    pub(crate) fn complained(&self) -> Vec<String> {
        self.complaints.try_iter().collect()
    }

    /// Waits until it has complained of this.
    pub(crate) fn complains_of(&self, words: &str) {
        let mut said = String::new();
        until(&format!("it complains of {words}"), || {
            said.extend(self.complained());
            said.contains(words)
        });
    }

    pub(crate) fn interrupt(&self) {
        let process = Pid::from_raw(self.child.id().cast_signed());
        kill(process, Signal::SIGINT).expect("it is there");
    }

    /// Ctrl-C, and the exit code.
    pub(crate) fn end(self) -> Option<i32> {
        self.interrupt();
        self.code()
    }

    /// Its exit code, when it has ended. It was interrupted before: a second time would end it at once.
    pub(crate) fn code(mut self) -> Option<i32> {
        self.child.wait().expect("a process").code()
    }
}

impl Drop for Dev {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Saves as many editors do: a draft is renamed over the file.
pub(crate) fn save(folder: &Path, source: &str) {
    let draft = folder.join("draft");
    fs::write(&draft, full_names(source)).expect("a draft");
    fs::rename(draft, folder.join("src/it.wat")).expect("renamed");
}
