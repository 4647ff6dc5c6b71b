//! Writes a recording while its run goes on: winds the tape off, and puts down who comes in and what is said.
//! Started by whoever starts the loop; a thread of its own, which the loop never waits for in real time.
//! The law: what was written can be read, wherever it ends. A chunk is closed at least once a second, and the
//! file is whole when the recorder is finished, however the loop has ended.

use std::fs::{File, OpenOptions};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use cycle::EVENT_NAMES;
use description::{Layer, Robot};
use guests::GuestLogLine;
use robot::recorder::{Entering, GuestRecorder};

use super::file::Volume;
use super::tape::{Reel, Tape, tape};
use super::{Guest, Run};

/// How often the tape is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// The longest that a chunk is open, by the clock.
const CHUNK: Duration = Duration::from_secs(1);

/// What is told to the recorder besides turns.
enum Told {
    Guest(Box<Guest>, Vec<u8>),
    Line(GuestLogLine),
    /// Nobody tells anything more.
    End,
    /// Nobody wants it any more.
    Forget,
}

/// Tells the recorder who comes in and what is said; outside the loop.
#[derive(Clone, Debug)]
pub struct Scribe(Sender<Told>);

impl GuestRecorder for Scribe {
    fn enters(&self, guest: &Entering<'_>, bytes: &[u8]) {
        // A recorder that has failed says so when it is finished.
        let guest = Box::new(Guest::of(guest));
        let _ = self.0.send(Told::Guest(guest, bytes.to_vec()));
    }

    fn says(&self, said: GuestLogLine) {
        let _ = self.0.send(Told::Line(said));
    }
}

/// What was written.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Where.
    pub path: PathBuf,
    /// Turns.
    pub turns: u64,
    /// Turns that found no room on the tape: it cannot be made again beyond the first of them.
    pub lost: u64,
    /// Bytes.
    pub bytes: u64,
}

/// The recorder.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    say: Sender<Told>,
    thread: Option<JoinHandle<Result<Recorded, String>>>,
}

/// How a run goes that is recorded.
#[derive(Clone, Debug)]
pub(super) struct Work {
    pub(super) robot: Arc<Robot>,
    pub(super) run: Run,
}

/// Begins a recording of this robot, which was described by these layers. In `real` time the loop waits for
/// nothing. A file that is there already is left alone.
///
/// # Errors
/// A sentence: the file cannot be made.
pub fn record(
    path: &Path,
    robot: &Arc<Robot>,
    layers: &[Layer],
    real: bool,
    utc_at_zero: u64,
) -> Result<(Recorder, Tape, Scribe), String> {
    let name = path.display();
    let made = OpenOptions::new().write(true).create_new(true).open(path);
    let file = made.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            format!("{name} is there already; fix: give another name, or delete it")
        }
        _ => format!("a recording cannot be made at {name}: {error}"),
    })?;
    let work = Work {
        robot: Arc::clone(robot),
        run: run(robot, layers, real, utc_at_zero),
    };
    let mut volume = Volume::begin(BufWriter::new(file), &work, layers)?;
    let (tape, mut reel) = tape(robot, !real);
    let (say, hear) = mpsc::channel();
    let to = path.to_owned();
    let write = move || {
        let turns = wind(&mut volume, &mut reel, &hear)?;
        let (file, lost) = volume.finish()?;
        let bytes = file.get_ref().metadata().map_or(0, |it| it.len());
        Ok(Recorded {
            path: to,
            turns,
            lost,
            bytes,
        })
    };
    let thread = std::thread::Builder::new()
        .name("recorder".to_owned())
        .spawn(write)
        .map_err(|error| format!("there is no thread for the recorder: {error}"))?;
    let recorder = Recorder {
        path: path.to_owned(),
        say: say.clone(),
        thread: Some(thread),
    };
    Ok((recorder, tape, Scribe(say)))
}

impl Recorder {
    /// Waits until everything is written. The loop is gone, and its tape with it.
    ///
    /// # Errors
    /// A sentence: what could not be written, and that the recording is not whole.
    pub fn finish(mut self) -> Result<Recorded, String> {
        self.end(Told::End).map_err(|why| {
            let path = self.path.display();
            format!(
                "the recording {path} is not whole: {why}; what it has can be replayed; fix: make \
                 room, and record again"
            )
        })
    }

    fn end(&mut self, how: Told) -> Result<Recorded, String> {
        let broken = || "the recorder broke".to_owned();
        let thread = self.thread.take().ok_or_else(broken)?;
        // If it has failed, it says so below.
        let _ = self.say.send(how);
        thread.join().unwrap_or_else(|_| Err(broken()))
    }
}

impl Drop for Recorder {
    /// Nothing was played after all: a recording without a turn is in nobody's way.
    fn drop(&mut self) {
        if self.thread.is_some() && self.end(Told::Forget).is_ok_and(|it| it.turns == 0) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn run(robot: &Robot, layers: &[Layer], real: bool, utc_at_zero: u64) -> Run {
    let words = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect();
    Run {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        robot: robot.name.clone(),
        period: robot.settings.period.nanos(),
        real,
        form: robot::guest_policy::code_form(robot).name().to_owned(),
        utc_at_zero,
        seed: robot.seed,
        actuators: robot.actuators.iter().map(|it| it.name.clone()).collect(),
        actuator_units: robot.actuators.iter().map(|it| it.unit.clone()).collect(),
        sensors: robot.sensors.iter().map(|it| it.name.clone()).collect(),
        sensor_units: robot.sensors.iter().map(|it| it.unit.clone()).collect(),
        boards: robot.boards.iter().map(|it| it.name.clone()).collect(),
        events: words(&EVENT_NAMES),
        layers: (0..layers.len()).map(layer_name).collect(),
        states: words(&cycle::State::NAMES),
    }
}

/// The name under which a layer is attached.
pub(super) fn layer_name(place: usize) -> String {
    format!("robot-{place}.toml")
}

/// Writes until the loop is gone; how many turns there were.
fn wind(
    volume: &mut Volume<BufWriter<File>>,
    reel: &mut Reel,
    hear: &Receiver<Told>,
) -> Result<u64, String> {
    let (mut bytes, mut turns, mut closed) = (Vec::new(), 0, Instant::now());
    let mut told_all = false;
    loop {
        // Looked at first: what was recorded before the loop went is all there.
        let mut is_over = reel.is_abandoned();
        let any = reel.next(&mut bytes);
        // Who plays in a turn was told before the turn was made.
        while let Ok(told) = hear.try_recv() {
            match told {
                Told::Guest(guest, bytes) => volume.guest(&guest, &bytes)?,
                Told::Line(line) => volume.line(&line)?,
                Told::End => told_all = true,
                Told::Forget => (is_over, told_all) = (true, true),
            }
        }
        if any {
            turns += 1;
            volume.turn(&bytes)?;
        } else if is_over && told_all {
            return Ok(turns);
        }
        if closed.elapsed() > CHUNK {
            volume.close_chunk()?;
            closed = Instant::now();
        }
        if !any {
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}
