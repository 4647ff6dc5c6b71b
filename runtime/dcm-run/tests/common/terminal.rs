//! A terminal of 24 lines and 80 columns, in which the real binary draws and receives keys.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use nix::pty::{OpenptyResult, Winsize, openpty};

use tests::process::{TIMEOUT, until};

pub(crate) struct Terminal {
    child: Child,
    keys: File,
    screen: Arc<Mutex<vt100::Parser>>,
}

impl Terminal {
    /// Runs a command in a terminal of its own.
    pub(crate) fn run(command: &mut Command) -> Terminal {
        let size = Winsize {
            ws_row: 24,
            ws_col: 80,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let OpenptyResult { master, slave } = openpty(Some(&size), None).expect("a terminal");
        let end = |fd: &OwnedFd| Stdio::from(fd.try_clone().expect("a file"));
        let child = command
            .env("TERM", "xterm-256color")
            .stdin(end(&slave))
            .stdout(end(&slave))
            .stderr(end(&slave))
            .spawn()
            .expect("the binary starts");
        // The child has both ends as long as it runs.
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        drop(slave);
        let mut shown = File::from(master.try_clone().expect("a file"));
        let screen = Arc::new(Mutex::new(vt100::Parser::default()));
        let drawn = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(size @ 1..) = shown.read(&mut bytes) {
                drawn.lock().expect("a screen").process(&bytes[..size]);
            }
        });
        Terminal {
            child,
            keys: File::from(master),
            screen,
        }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("a terminal");
    }

    /// The text on the screen.
    pub(crate) fn text(&self) -> String {
        self.screen.lock().expect("a screen").screen().contents()
    }

    /// Waits until all of these are on the screen, and returns the screen.
    pub(crate) fn shows(&self, words: &[&str]) -> String {
        let begun = Instant::now();
        loop {
            let text = self.text();
            if words.iter().all(|word| text.contains(word)) {
                return text;
            }
            assert!(
                begun.elapsed() < TIMEOUT,
                "{words:?} are not all in\n{text}"
            );
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }

    /// Waits until the command has ended.
    pub(crate) fn ends(&mut self) {
        until("it ends", || matches!(self.child.try_wait(), Ok(Some(_))));
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
