//! What a board's driver is made of: its settings by the description, and the device that follows from them.
//! Called by `open`, for each real board.
//! The law: a driver is told its places here, once; it never sees a description.

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

/// What was read aside counts for so many of its periods.
const TIMEOUT_PERIODS: u32 = 5;

/// A board that was opened.
pub(crate) struct OpenedBoard {
    pub(crate) device: Box<dyn Device>,
    /// What is odd about it, though it can be driven.
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

/// The device of the board of this number; `driven` if a process that is gone drove it until now.
///
/// # Errors
/// A sentence.
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
            let lines = Lines::open(&settings).map_err(|it| it.to_string())?;
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
    // Asked here, a table of any length costs no turn. A board that does not answer yet is asked in the turns.
    let asked = (!driven).then(|| probe(&mut bus, &expected));
    session.expects(expected);
    let warning = match asked {
        None => None,
        Some(Ok(probed)) => learn(robot, place, &probed, (&mut session, period))?,
        Some(Err(
            why @ (ProbeError::Row(..) | ProbeError::About | ProbeError::Boots | ProbeError::Table),
        )) => return Err(why.to_string()),
        Some(Err(why)) => Some(format!(
            "it does not answer as it should yet, and is asked on: {why}"
        )),
    };
    let device = guarded(board, Servo::new(session, bus))?;
    Ok(OpenedBoard { device, warning })
}

/// Compares a board's table with its description, and tells it to the session; what is odd about it.
fn learn(
    robot: &Robot,
    place: usize,
    probed: &Probed,
    (session, period): (&mut Session, u64),
) -> Result<Option<String>, String> {
    let (lets_go, heard) = (u64::from(probed.about.watchdog), period / 1_000_000);
    if lets_go < 2 * heard {
        return Err(format!(
            "it lets go {lets_go} ms after its host, spoken to each {heard} ms; fix: a smaller \
             `every` or `period`, or a longer watchdog"
        ));
    }
    let found = table::differences(robot, place, probed);
    if let Some(first) = found.first() {
        let more = match found.len() - 1 {
            0 => String::new(),
            more => format!("; and {more} more: `dcm-run wire probe` tells them"),
        };
        return Err(format!("its table is not as described: {first}{more}"));
    }
    session.knows(probed).map_err(|_| {
        "its table is not as described: an output cannot carry what the description sends there; fix: \
         look at its kinds, `dcm-run wire probe`"
            .to_owned()
    })?;
    Ok(table::watchdog_warning(robot, probed))
}

/// A NAO's LoLA.
fn lola(robot: &Robot, place: usize, socket: &Path, driven: bool) -> Result<OpenedBoard, String> {
    let actuators = on(&robot.actuators, place, |it: &ActuatorSpec| it.board);
    let sensors = on(&robot.sensors, place, |it: &SensorSpec| it.board);
    let none = |name: String| format!("LoLA has no `{name}`");
    let actuators = actuators.map(|(actuator, it)| {
        Ok(LolaActuator {
            actuator,
            to: lola_output(robot, it)?,
        })
    });
    let sensors = sensors.map(|(sensor, it)| {
        Ok(LolaSensor {
            sensor,
            from: lola_input(robot, it)?,
        })
    });
    let settings = LolaSettings {
        socket: socket.to_owned(),
        actuators: actuators.collect::<Result<_, _>>().map_err(none)?,
        sensors: sensors.collect::<Result<_, _>>().map_err(none)?,
        driven,
    };
    let lola = Lola::open(&settings).map_err(|why| {
        format!(
            "{}: {why}; fix: is the robot, or its simulator, running? Without them: `--sim`",
            socket.display()
        )
    })?;
    Ok(OpenedBoard::of(lola))
}

/// Which actuators and sensors the channels of a part are; it has so many outputs and inputs.
fn part_places(robot: &Robot, place: usize, (outputs, inputs): (u16, u16)) -> PartChannels {
    let mut layout = layout(robot, place);
    layout.outputs.resize(outputs.into(), None);
    layout.inputs.resize(inputs.into(), None);
    let outputs = layout.outputs.into_iter();
    PartChannels {
        outputs: outputs.map(|it| it.map(|it| it.actuator)).collect(),
        inputs: layout.inputs,
    }
}

/// A lamp or a sensor on SPI, on a thread of its own.
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
    Ok(OpenedBoard::of(started.map_err(|it| it.to_string())?))
}

fn aside(part: impl PartDevice, places: PartChannels, pace: PartTiming) -> std::io::Result<Aside> {
    Aside::start(part, places, pace)
}

/// A board behind the lines that say whether it may be spoken to, if it has such.
fn guarded(board: &BoardSpec, device: impl Device + 'static) -> Result<Box<dyn Device>, String> {
    if board.ready.is_none() && board.fault.is_none() {
        return Ok(Box::new(device));
    }
    let settings = WatchSettings {
        chip: None,
        ready: board.ready.as_ref().map(line),
        fault: board.fault.as_ref().map(line),
    };
    let watch = Watch::open(&settings).map_err(|it| it.to_string())?;
    Ok(Box::new(Guarded::new(device, watch)))
}

/// What carries the bytes of a board on this bus.
///
/// # Errors
/// A sentence.
pub fn carrier(bus: &Bus) -> Result<Box<dyn Transfer>, String> {
    let told = |why| format!("{bus}: {why}; look with `dcm-run doctor`, or simulate it: `--sim`");
    match bus {
        Bus::Spi(spi) => Ok(Box::new(Spi::open(spi).map_err(told)?)),
        Bus::Socket(path) => Ok(Box::new(Socket::connect(path).map_err(told)?)),
    }
}

/// As `carrier`, listened to if somebody wants to.
fn tapped(bus: &Bus, board: &str, taps: &Taps) -> Result<Box<dyn Transfer>, String> {
    let under = carrier(bus)?;
    match taps.iter().find(|it| it.0 == board) {
        None => Ok(under),
        Some((_, file)) => {
            let tap = Tap::new(under, file).map_err(|why| format!("{}: {why}", file.display()))?;
            Ok(Box::new(tap))
        }
    }
}

/// What of a list is on this board, with its place.
fn on<T>(
    list: &[T],
    board: usize,
    of: impl Fn(&T) -> cycle::BoardId,
) -> impl Iterator<Item = (usize, &T)> {
    list.iter()
        .enumerate()
        .filter(move |(_, it)| usize::from(of(it).0) == board)
}

fn line(port: &Port) -> LineName {
    LineName {
        line: port.name.clone(),
        active_low: port.inverted,
        bias: port.bias,
    }
}

fn outputs(robot: &Robot, board: usize) -> impl Iterator<Item = OutputLine> {
    on(&robot.actuators, board, |it: &ActuatorSpec| it.board).filter_map(|(actuator, it)| {
        let LineName {
            line, active_low, ..
        } = line(it.port.as_ref()?);
        Some(OutputLine {
            line,
            active_low,
            actuator,
            fires: it.kind == Kind::Trigger,
        })
    })
}

fn inputs(robot: &Robot, board: usize) -> impl Iterator<Item = InputLine> {
    on(&robot.sensors, board, |it: &SensorSpec| it.board).filter_map(|(sensor, it)| {
        let LineName {
            line,
            active_low,
            bias,
        } = line(it.port.as_ref()?);
        Some(InputLine {
            line,
            active_low,
            bias,
            debounce: it.reading.debounce,
            sensor,
            reads: match it.reading.what {
                LineValue::Level => Reads::Level,
                LineValue::Presses => Reads::Presses,
                LineValue::Echo(trigger) => Reads::Echo {
                    trigger: usize::from(trigger.0),
                },
            },
        })
    })
}
