//! A chip of the kernel's gpio simulator; tests drive and read its lines from outside. Used by tests that
//! `tests/kernel/test.sh` runs, where these devices exist. The tests of `drivers` include this file, because that crate
//! is below this one. A chip is removed when its test ends.

use std::fs;
use std::path::{Path, PathBuf};

use crate::wait::until;

/// A chip of the simulator, whose lines have numbers.
#[derive(Debug)]
pub struct GpioSim {
    config: PathBuf,
    lines: usize,
}

/// Writes a file of the kernel.
pub fn put(path: impl AsRef<Path>, what: &str) {
    let path = path.as_ref();
    let written = fs::write(path, what);
    written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Reads a file of the kernel.
pub fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    let text = fs::read_to_string(path);
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.trim().to_owned()
}

impl GpioSim {
    /// Plugs in a chip with lines of these names.
    pub fn new(label: &str, names: &[&str]) -> GpioSim {
        let config = Path::new("/sys/kernel/config/gpio-sim").join(label);
        let bank = config.join("bank0");
        fs::create_dir(&config).expect("a chip");
        fs::create_dir(&bank).expect("a bank");
        put(bank.join("num_lines"), &names.len().to_string());
        put(bank.join("label"), label);
        for (place, name) in names.iter().enumerate() {
            let line = bank.join(format!("line{place}"));
            fs::create_dir(&line).expect("a line");
            put(line.join("name"), name);
        }
        let sim = GpioSim {
            config,
            lines: names.len(),
        };
        sim.plug(true);
        sim
    }

    /// Plugs it in and waits for its device node, or unplugs it.
    pub fn plug(&self, live: bool) {
        put(self.config.join("live"), if live { "1" } else { "0" });
        if live {
            let device = self.device();
            until("the device's node", || device.exists());
        }
    }

    /// The name of its chip.
    pub fn chip(&self) -> String {
        read(self.config.join("bank0/chip_name"))
    }

    /// Its node.
    pub fn device(&self) -> PathBuf {
        Path::new("/dev").join(self.chip())
    }

    fn line(&self, line: usize, what: &str) -> PathBuf {
        let device = read(self.config.join("dev_name"));
        let line = format!("{device}/{}/sim_gpio{line}/{what}", self.chip());
        Path::new("/sys/devices/platform").join(line)
    }

    /// Drives an input from outside.
    pub fn put(&self, line: usize, up: bool) {
        let pull = if up { "pull-up" } else { "pull-down" };
        put(self.line(line, "pull"), pull);
    }

    /// The level of a line, as seen from outside.
    pub fn is_high(&self, line: usize) -> bool {
        read(self.line(line, "value")) == "1"
    }
}

impl Drop for GpioSim {
    fn drop(&mut self) {
        let bank = self.config.join("bank0");
        // It may be unplugged already; a failing test has its own message.
        let _ = fs::write(self.config.join("live"), "0");
        for place in 0..self.lines {
            let _ = fs::remove_dir(bank.join(format!("line{place}")));
        }
        let _ = fs::remove_dir(bank);
        let _ = fs::remove_dir(&self.config);
    }
}
