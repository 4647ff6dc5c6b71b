//! Makes the device of a board from its settings in the description.
//! Called by `open`, for each real board.
//! A driver gets the indices of its values here, once; it never sees a description.

use std::path::Path;
use std::time::Duration;

use cycle::{Kind, Span};
use drivers::aside::{Aside, PartChannels, PartDevice, PartTiming};
use drivers::bus::{Socket, Spi, Tap, Transfer};
use drivers::lines::{
    Guarded, InputLine, LineName, Lines, LinesSettings, OutputLine, Reads, Watch, WatchSettings,
};
use drivers::lola::{Lola, LolaActuator, LolaSensor, LolaSettings};
use drivers::parts::lights::{Apa102, Tlc5947, Tlc59711};
use drivers::parts::lsm6ds::{Pull, Ranges, Turn};
use drivers::parts::senses::{As5048a, Lsm6ds, Mcp3008};
use drivers::parts::tlc59711;
use drivers::rack::Device;
use drivers::servo::{ProbeError, Probed, Servo, Session, probe};

use super::{Taps, table};
use description::{
    ActuatorSpec, BoardSpec, Bus, Driver, LineValue, PartModel, Port, Robot, SensorSpec, layout,
    lola_input, lola_output,
};

/// A reading from a part's own thread is valid for this many of its periods.
const TIMEOUT_PERIODS: u32 = 5;

/// A board that was opened.
pub(crate) struct OpenedBoard {
    pub(crate) device: Box<dyn Device>,
    /// A warning about it, though it can be driven.
    pub(crate) warning: Option<String>,
}

impl OpenedBoard {
    fn of(device: impl Device + 'static) -> OpenedBoard {
        OpenedBoard {
            device: Box::new(device),
            warning: None,
        }
    }
}

/// Opens the device of the board of this number; `driven` if a dead process drove it until now.
///
/// # Errors
/// A message.
pub(crate) fn device(
    robot: &Robot,
    place: usize,
    taps: &Taps,
    driven: bool,
) -> Result<OpenedBoard, String> {
    match &robot.boards[place].driver {
        Driver::Sim => Err("it is simulated".to_owned()),
        Driver::Servo { bus, .. } => servo(robot, place, bus, (taps, driven)),
        Driver::Lines { chip, enable, stop } => {
            let settings = LinesSettings {
                chip: chip.clone(),
                outputs: outputs(robot, place).collect(),
                inputs: inputs(robot, place).collect(),
                enable: enable.as_ref().map(line),
                powered: driven,
                estop: stop.as_ref().map(line),
            };
            let lines = Lines::open(&settings).map_err(|error| error.to_string())?;
            Ok(OpenedBoard::of(lines))
        }
        Driver::Lola { socket } => lola(robot, place, socket, driven),
        Driver::Part {
            part,
            bus,
            period,
            chained,
        } => {
            let bus = tapped(bus, &robot.boards[place].name, taps)?;
            let places = part_places(robot, place, part.channels(*chained));
            part_device(*part, bus, (*period, *chained), places)
        }
    }
}

/// A board that speaks the board protocol.
fn servo(
    robot: &Robot,
    place: usize,
    bus: &Bus,
    (taps, driven): (&Taps, bool),
) -> Result<OpenedBoard, String> {
    let board = &robot.boards[place];
    let period = robot.settings.period.nanos() * u64::from(board.every);
    let begin = if driven {
        Session::taking_over
    } else {
        Session::new
    };
    let mut session = begin(layout(robot, place), Span::from_nanos(period));
    let expected = table::expected(robot, place);
    let mut bus = tapped(bus, &board.name, taps)?;
    // Reading a table of any length here costs no turn. A board that does not answer yet is asked again in the turns.
    let probe = (!driven).then(|| probe(&mut bus, &expected));
    session.expects(expected);
    let warning = match probe {
        None => None,
        Some(Ok(probed)) => learn(robot, place, &probed, (&mut session, period))?,
        Some(Err(
            why @ (ProbeError::Row(..) | ProbeError::About | ProbeError::Boots | ProbeError::Table),
        )) => return Err(why.to_string()),
        Some(Err(why)) => Some(format!(
            "its answer is not valid yet, and the loop will ask it again: {why}"
        )),
    };
    let device = guarded(board, Servo::new(session, bus))?;
    Ok(OpenedBoard { device, warning })
}

/// Compares a board's table with its description, and passes it to the session; returns a warning about it.
fn learn(
    robot: &Robot,
    place: usize,
    probed: &Probed,
    (session, period): (&mut Session, u64),
) -> Result<Option<String>, String> {
    let (watchdog, period) = (u64::from(probed.about.watchdog), period / 1_000_000);
    if watchdog < 2 * period {
        return Err(format!(
            "its watchdog of {watchdog} ms is too short for a frame every {period} ms; fix: a smaller \
             `every` or `period`, or a longer watchdog"
        ));
    }
    let found = table::differences(robot, place, probed);
    if let Some(first) = found.first() {
        let more = match found.len() - 1 {
            0 => String::new(),
            more => format!("; and {more} more: `dcm-run wire probe` lists them"),
        };
        return Err(format!(
            "its table differs from the description: {first}{more}"
        ));
    }
    session.knows(probed).map_err(|_| {
        "its table differs from the description: an output is of the wrong kind; fix: look at the kinds with \
         `dcm-run wire probe`"
            .to_owned()
    })?;
    Ok(table::watchdog_warning(robot, probed))
}

/// The LoLA interface of a NAO.
fn lola(robot: &Robot, place: usize, socket: &Path, driven: bool) -> Result<OpenedBoard, String> {
    let actuators = on(&robot.actuators, place, |spec: &ActuatorSpec| spec.board);
    let sensors = on(&robot.sensors, place, |spec: &SensorSpec| spec.board);
    let unknown = |name: String| format!("LoLA has no `{name}`");
    let actuators = actuators.map(|(actuator, item)| {
        Ok(LolaActuator {
            actuator,
            to: lola_output(robot, item)?,
        })
    });
    let sensors = sensors.map(|(sensor, item)| {
        Ok(LolaSensor {
            sensor,
            from: lola_input(robot, item)?,
        })
    });
    let settings = LolaSettings {
        socket: socket.to_owned(),
        actuators: actuators.collect::<Result<_, _>>().map_err(unknown)?,
        sensors: sensors.collect::<Result<_, _>>().map_err(unknown)?,
        driven,
    };
    let lola = Lola::open(&settings).map_err(|why| {
        format!(
            "{}: {why}; fix: start the robot or its simulator, or simulate it with `--sim`",
            socket.display()
        )
    })?;
    Ok(OpenedBoard::of(lola))
}

/// The actuators and sensors of a part's channels; the part has this many outputs and inputs.
fn part_places(robot: &Robot, place: usize, (outputs, inputs): (u16, u16)) -> PartChannels {
    let mut layout = layout(robot, place);
    layout.outputs.resize(outputs.into(), None);
    layout.inputs.resize(inputs.into(), None);
    let outputs = layout.outputs.into_iter();
    PartChannels {
        outputs: outputs
            .map(|place| place.map(|output| output.actuator))
            .collect(),
        inputs: layout.inputs,
    }
}

/// An LED driver or a sensor on SPI, on a thread of its own.
fn part_device(
    part: PartModel,
    bus: Box<dyn Transfer>,
    (period, chained): (Span, u16),
    places: PartChannels,
) -> Result<OpenedBoard, String> {
    let pace = PartTiming {
        period: Duration::from_nanos(period.nanos()),
        timeout_periods: TIMEOUT_PERIODS,
    };
    let chained = usize::from(chained);
    let started = match part {
        PartModel::Tlc5947 => aside(Tlc5947::new(bus, chained), places, pace),
        PartModel::Tlc59711 => {
            let function = tlc59711::Function::default();
            aside(Tlc59711::new(bus, chained, function), places, pace)
        }
        PartModel::Apa102 => aside(Apa102::new(bus, chained), places, pace),
        PartModel::Mcp3008 => aside(Mcp3008::new(bus), places, pace),
        PartModel::As5048a => aside(As5048a::new(bus), places, pace),
        PartModel::Lsm6ds => {
            let ranges = Ranges {
                turn: Turn::Dps1000,
                pull: Pull::G4,
            };
            aside(Lsm6ds::new(bus, ranges), places, pace)
        }
    };
    Ok(OpenedBoard::of(started.map_err(|error| error.to_string())?))
}

fn aside(part: impl PartDevice, places: PartChannels, pace: PartTiming) -> std::io::Result<Aside> {
    Aside::start(part, places, pace)
}

/// Adds the board's ready and fault lines to its device, if it has any.
fn guarded(board: &BoardSpec, device: impl Device + 'static) -> Result<Box<dyn Device>, String> {
    if board.ready.is_none() && board.fault.is_none() {
        return Ok(Box::new(device));
    }
    let settings = WatchSettings {
        chip: None,
        ready: board.ready.as_ref().map(line),
        fault: board.fault.as_ref().map(line),
    };
    let watch = Watch::open(&settings).map_err(|error| error.to_string())?;
    Ok(Box::new(Guarded::new(device, watch)))
}

/// Opens the bus of a board.
///
/// # Errors
/// A message.
pub fn carrier(bus: &Bus) -> Result<Box<dyn Transfer>, String> {
    let failed = |why| {
        format!("{bus}: {why}; fix: run `dcm-run doctor`, or simulate the robot with `--sim`")
    };
    match bus {
        Bus::Spi(spi) => Ok(Box::new(Spi::open(spi).map_err(failed)?)),
        Bus::Socket(path) => Ok(Box::new(Socket::connect(path).map_err(failed)?)),
    }
}

/// As `carrier`; logs the frames if the board is in `taps`.
fn tapped(bus: &Bus, board: &str, taps: &Taps) -> Result<Box<dyn Transfer>, String> {
    let under = carrier(bus)?;
    match taps.iter().find(|tap| tap.0 == board) {
        None => Ok(under),
        Some((_, file)) => {
            let tap = Tap::new(under, file).map_err(|why| format!("{}: {why}", file.display()))?;
            Ok(Box::new(tap))
        }
    }
}

/// The items of a list that are on this board, with their indices.
fn on<T>(
    list: &[T],
    board: usize,
    of: impl Fn(&T) -> cycle::BoardId,
) -> impl Iterator<Item = (usize, &T)> {
    list.iter()
        .enumerate()
        .filter(move |(_, item)| usize::from(of(item).0) == board)
}

fn line(port: &Port) -> LineName {
    LineName {
        line: port.name.clone(),
        active_low: port.inverted,
        bias: port.bias,
    }
}

fn outputs(robot: &Robot, board: usize) -> impl Iterator<Item = OutputLine> {
    on(&robot.actuators, board, |spec: &ActuatorSpec| spec.board).filter_map(|(actuator, spec)| {
        let LineName {
            line, active_low, ..
        } = line(spec.port.as_ref()?);
        Some(OutputLine {
            line,
            active_low,
            actuator,
            fires: spec.kind == Kind::Trigger,
            dither: spec.dither.then(|| bright_counts(spec)),
        })
    })
}

/// The counts of a light that is as bright as it can be.
fn bright_counts(light: &ActuatorSpec) -> u16 {
    let counts = light.calibration.counts(light.range.max, light.range);
    counts.round().clamp(1.0, f64::from(u16::MAX)) as u16
}

fn inputs(robot: &Robot, board: usize) -> impl Iterator<Item = InputLine> {
    on(&robot.sensors, board, |spec: &SensorSpec| spec.board).filter_map(|(sensor, spec)| {
        let LineName {
            line,
            active_low,
            bias,
        } = line(spec.port.as_ref()?);
        Some(InputLine {
            line,
            active_low,
            bias,
            debounce: spec.reading.debounce,
            sensor,
            reads: match spec.reading.what {
                LineValue::Level => Reads::Level,
                LineValue::Presses => Reads::Presses,
                LineValue::Echo(trigger) => Reads::Echo {
                    trigger: usize::from(trigger.0),
                },
            },
        })
    })
}
