//! A chip of the kernel's gpio simulator, whose lines a test drives and reads from outside.
//! Used by tests that `tests/kernel/test.sh` runs; nobody else has the devices. The drivers' tests, which stand below
//! this crate, take this very file in. The law: a chip is gone when its test is.

use std::fs;
use std::path::{Path, PathBuf};

use crate::wait::until;

/// A chip of the simulator; its lines are named by their places.
#[derive(Debug)]
pub struct GpioSim {
    config: PathBuf,
    lines: usize,
}

/// Writes into a file, of the kernel's or another.
pub fn put(path: impl AsRef<Path>, what: &str) {
    let path = path.as_ref();
    let written = fs::write(path, what);
    written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// What a file of the kernel's says.
pub fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    let text = fs::read_to_string(path);
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.trim().to_owned()
}

impl GpioSim {
    /// A chip with lines of these names, plugged in.
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

    /// Plugs it in, and waits for its node; or out.
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

    /// The voltage of a line, seen from outside.
    pub fn is_high(&self, line: usize) -> bool {
        read(self.line(line, "value")) == "1"
    }
}

impl Drop for GpioSim {
    fn drop(&mut self) {
        let bank = self.config.join("bank0");
        // It may be unplugged, and whoever fails has more to say than this.
        let _ = fs::write(self.config.join("live"), "0");
        for place in 0..self.lines {
            let _ = fs::remove_dir(bank.join(format!("line{place}")));
        }
        let _ = fs::remove_dir(bank);
        let _ = fs::remove_dir(&self.config);
    }
}
