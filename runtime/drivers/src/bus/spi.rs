//! Linux' spidev: one system call for each transfer, into buffers that exist already.
//! Opened at start-up; a thread of its own opens it again after it was unplugged.
//! The turn makes the transfer and nothing else. The kernel does not report a full-duplex transfer that was
//! too short; the frame's checksum detects it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, Thread};
use std::time::Duration;

use rtrb::{Consumer, Producer, RingBuffer};
use spidev::{SpiModeFlags, Spidev, SpidevOptions, SpidevTransfer};

use super::{BusFault, Transfer};

/// The time between two attempts to open a bus that is gone.
const AGAIN: Duration = Duration::from_millis(200);

/// The settings of a bus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpiSettings {
    /// Its device, such as `/dev/spidev0.0`.
    pub path: PathBuf,
    /// Bits per second.
    pub speed: u32,
    /// SPI's mode, 0 to 3.
    pub mode: u8,
    /// Bits of a word; nearly always 8.
    pub bits: u8,
    /// The time from the last bit of a transfer until chip select goes high, µs.
    pub delay: u16,
    /// The time between two words of a transfer, µs.
    pub word_delay: u8,
    /// Whether chip select stays low after a transfer, for parts that need it.
    pub keep_selected: bool,
}

/// An open bus.
#[derive(Debug)]
pub struct Spi {
    device: Option<Spidev>,
    settings: SpiSettings,
    opened: Consumer<Spidev>,
    reopener: ReopenThread,
}

/// The thread that opens a bus that is gone.
#[derive(Debug)]
struct ReopenThread {
    wanted: Arc<AtomicBool>,
    closing: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    waker: Thread,
}

impl Spi {
    /// Opens the bus.
    ///
    /// # Errors
    /// A [`BusFault`]: it does not exist, is forbidden, or does not support these settings.
    pub fn open(settings: &SpiSettings) -> Result<Spi, BusFault> {
        let device = open(settings)?;
        let (fresh, opened) = RingBuffer::new(1);
        let reopener = ReopenThread::start(settings.clone(), fresh)?;
        Ok(Spi {
            device: Some(device),
            settings: settings.clone(),
            opened,
            reopener,
        })
    }
}

/// The device of this name: a path, a node in `/dev`, or a label of the device tree.
pub fn locate(name: &Path) -> PathBuf {
    let node = Path::new("/dev").join(name);
    if name.is_absolute() || node.exists() {
        return node;
    }
    let devices = std::fs::read_dir("/sys/class/spidev");
    let labelled = devices.into_iter().flatten().flatten().find(|device| {
        let label = std::fs::read(device.path().join("device/of_node/label"));
        label.is_ok_and(|label| {
            label.strip_suffix(&[0]) == Some(name.as_os_str().as_encoded_bytes())
        })
    });
    labelled.map_or(node, |labelled| {
        Path::new("/dev").join(labelled.file_name())
    })
}

fn open(settings: &SpiSettings) -> Result<Spidev, BusFault> {
    let mode = match settings.mode {
        0 => SpiModeFlags::SPI_MODE_0,
        1 => SpiModeFlags::SPI_MODE_1,
        2 => SpiModeFlags::SPI_MODE_2,
        3 => SpiModeFlags::SPI_MODE_3,
        _ => return Err(BusFault::Settings),
    };
    let mut device = Spidev::open(locate(&settings.path))?;
    let options = SpidevOptions::new()
        .bits_per_word(settings.bits)
        .max_speed_hz(settings.speed)
        .mode(mode)
        .build();
    device.configure(&options)?;
    Ok(device)
}

impl Transfer for Spi {
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault> {
        if self.device.is_none() {
            self.device = self.opened.pop().ok();
        }
        let Some(device) = &self.device else {
            return Err(BusFault::Gone);
        };
        if down.len() != up.len() {
            return Err(BusFault::TooLong);
        }
        let mut transfer = SpidevTransfer::read_write(down, up);
        transfer.delay_usecs = self.settings.delay;
        transfer.cs_change = u8::from(self.settings.keep_selected);
        // The kernel's `word_delay_usecs`: the third byte of four behind `cs_change`. The crate has no name for it.
        transfer.pad = u32::from_ne_bytes([0, 0, self.settings.word_delay, 0]);
        let done = device.transfer(&mut transfer);
        let done = done.map_err(BusFault::from);
        if done == Err(BusFault::Gone) {
            // Closing an unplugged device takes no time; opening it may.
            self.device = None;
            self.reopener.ask();
        }
        done
    }
}

impl ReopenThread {
    fn start(settings: SpiSettings, mut fresh: Producer<Spidev>) -> Result<ReopenThread, BusFault> {
        let wanted = Arc::new(AtomicBool::new(false));
        let closing = Arc::new(AtomicBool::new(false));
        let (asked, closed) = (Arc::clone(&wanted), Arc::clone(&closing));
        let mend = move || {
            while !closed.load(Ordering::Acquire) {
                if !asked.load(Ordering::Acquire) {
                    std::thread::park();
                    continue;
                }
                match open(&settings) {
                    Ok(device) => {
                        asked.store(false, Ordering::Release);
                        // There is room: a device is opened only when the turn has none.
                        let _ = fresh.push(device);
                    }
                    Err(_) => std::thread::park_timeout(AGAIN),
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name("mender".to_owned())
            .spawn(mend)?;
        Ok(ReopenThread {
            wanted,
            closing,
            waker: thread.thread().clone(),
            thread: Some(thread),
        })
    }

    /// Wakes the thread, once, after the bus is gone. The turn calls it.
    fn ask(&self) {
        if !self.wanted.swap(true, Ordering::AcqRel) {
            self.waker.unpark();
        }
    }
}

impl Drop for ReopenThread {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Release);
        self.waker.unpark();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been printed already.
            let _ = thread.join();
        }
    }
}
