//! Boards as they were described: what drives each, over which bus, how often.
//! A part of [`Robot`](super::Robot); made into devices by `boards`.
//! What is not said has the value that people of the field expect, and it is written here.

use std::fmt;
use std::path::{Path, PathBuf};

use cycle::{Span, named_enum};
use drivers::bus::SpiSettings;
use drivers::lines::Bias;
use drivers::servo::Trait;

/// A board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSpec {
    /// Its name.
    pub name: String,
    /// What it is.
    pub about: String,
    /// What drives it.
    pub driver: Driver,
    /// It is spoken to once in so many turns.
    pub every: u16,
    /// The line that says that it is ready.
    pub ready: Option<Port>,
    /// The line that says that it has a fault.
    pub fault: Option<Port>,
}

/// What drives a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Driver {
    /// The simulated body.
    Sim,
    /// A servo board that speaks the board protocol.
    Servo {
        /// What carries it.
        bus: Bus,
        /// Channels of its table, if there are more than are used.
        outputs: Option<u16>,
        /// See `outputs`.
        inputs: Option<u16>,
        /// What of which channel may be otherwise on the board than it is described.
        allow: Vec<(String, Trait)>,
    },
    /// Lines of GPIO chips.
    Lines {
        /// The only chip whose lines are meant.
        chip: Option<String>,
        /// The line that gives the motors their power.
        enable: Option<Port>,
        /// The line of the emergency stop.
        stop: Option<Port>,
    },
    /// A NAO V6, or a simulator of one.
    Lola {
        /// Its socket.
        socket: PathBuf,
    },
    /// A part that hangs on a bus of its own.
    Part {
        /// Which.
        part: PartModel,
        /// What carries it.
        bus: Bus,
        /// It is written or read once in this time, aside from the turn.
        period: Span,
        /// How many of them are chained: chips, or lamps of a strip.
        chained: u16,
    },
}

/// What carries bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bus {
    /// Linux' spidev.
    Spi(SpiSettings),
    /// A board that runs as a process, at this socket.
    Socket(PathBuf),
}

named_enum! {
    /// Parts that people own: chips and lamps.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PartModel {
        /// 24 outputs of 12 bits for each chip.
        Tlc5947 => "tlc5947",
        /// 12 outputs of 16 bits for each chip.
        Tlc59711 => "tlc59711",
        /// Lamps with four values each: brightness, red, green, blue.
        Apa102 => "apa102",
        /// Eight inputs of 10 bits.
        Mcp3008 => "mcp3008",
        /// An angle of 14 bits.
        As5048a => "as5048a",
        /// Seven inputs in SI units: angular rates, accelerations, temperature.
        Lsm6ds => "lsm6ds",
    }
}

/// A named end on a board: a GPIO line, or a field of LoLA. A `!` before the name means that it is active when low.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Whether it is active when low.
    pub inverted: bool,
    /// Where the line goes while nobody drives it.
    pub bias: Option<Bias>,
}

impl PartModel {
    /// Outputs and inputs of so many.
    pub fn channels(self, chained: u16) -> (u16, u16) {
        match self {
            PartModel::Tlc5947 => (chained.saturating_mul(24), 0),
            PartModel::Tlc59711 => (chained.saturating_mul(12), 0),
            PartModel::Apa102 => (chained.saturating_mul(4), 0),
            PartModel::Mcp3008 => (0, 8),
            PartModel::As5048a => (0, 1),
            PartModel::Lsm6ds => (0, 7),
        }
    }

    /// Bits of its longest transfer, of so many.
    pub fn bits(self, chained: u16) -> u32 {
        let chained = u32::from(chained);
        match self {
            PartModel::Tlc5947 => chained * 24 * 12,
            PartModel::Tlc59711 => chained * 224,
            // A word to begin, one for each lamp, and half a bit more for each at the end.
            PartModel::Apa102 => 64 + chained * 32 + chained / 2,
            PartModel::Mcp3008 => 24,
            PartModel::As5048a => 16,
            PartModel::Lsm6ds => 8 * drivers::parts::lsm6ds::BYTES as u32,
        }
    }
}

impl Port {
    /// The port that this text means.
    pub fn of(text: &str) -> Port {
        let name = text.strip_prefix('!');
        Port {
            name: name.unwrap_or(text).trim().to_owned(),
            inverted: name.is_some(),
            bias: None,
        }
    }
}

impl fmt::Display for Bus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bus::Spi(spi) => write!(f, "{}", spi.path.display()),
            Bus::Socket(path) => write!(f, "{}", path.display()),
        }
    }
}

impl BoardSpec {
    /// A simulated board of this name.
    pub fn simulated(name: &str, about: &str) -> BoardSpec {
        BoardSpec {
            name: name.to_owned(),
            about: about.to_owned(),
            driver: Driver::Sim,
            every: 1,
            ready: None,
            fault: None,
        }
    }

    /// Whether it stands for a thing that can be touched.
    pub fn is_real(&self) -> bool {
        self.driver != Driver::Sim
    }

    /// The bus that it is on, if that is one.
    pub fn bus(&self) -> Option<&Bus> {
        match &self.driver {
            Driver::Servo { bus, .. } | Driver::Part { bus, .. } => Some(bus),
            _ => None,
        }
    }

    /// The socket at which it is, if it is a process.
    pub fn socket(&self) -> Option<&Path> {
        match &self.driver {
            Driver::Lola { socket, .. } => Some(socket),
            _ => match self.bus()? {
                Bus::Socket(path) => Some(path),
                Bus::Spi(_) => None,
            },
        }
    }
}
