//! The board's table: a row for each channel, and one for the board as a whole.
//! The board sends it row by row before the first targets. The host compares it with the robot's description.
//! A board never gets targets from a host that expects another table.

use core::fmt;

/// Bytes of a row.
pub const ROW: usize = 32;

/// The number of the board's own row.
pub(crate) const ABOUT: u16 = u16::MAX;

/// The most characters of a name.
const NAME: usize = 20;

/// The direction of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the host.
    Output,
    /// To the host.
    Input,
}

/// Defines [`RowKind`], the list of its kinds and their names from one table.
macro_rules! row_kinds {
    ($($(#[$doc:meta])* $Kind:ident => $name:literal,)+) => {
        /// What a channel is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum RowKind {
            $($(#[$doc])* $Kind,)+
        }

        /// The kinds, in the order of their numbers.
        const KINDS: [RowKind; [$($name),+].len()] = [$(RowKind::$Kind),+];

        impl RowKind {
            /// Its name, for people.
            pub const fn name(self) -> &'static str {
                match self {
                    $(RowKind::$Kind => $name,)+
                }
            }
        }
    };
}

// The number of a kind, which crosses the wire, is its place here.
row_kinds! {
    /// A motor's target position, or its position.
    Position => "position",
    /// A wheel's target velocity, or its velocity.
    Velocity => "velocity",
    /// A motor's stiffness.
    Stiffness => "stiffness",
    /// A gain of a motor's controller.
    Gain => "gain",
    /// A light's brightness.
    Light => "light",
    /// An action that happens once, when its word changes.
    Trigger => "trigger",
    /// A motor's current.
    Current => "current",
    /// A temperature.
    Temperature => "temperature",
    /// 1 while it is pressed.
    Button => "button",
    /// A word of an inertial unit.
    Inertial => "inertial",
    /// A voltage.
    Voltage => "voltage",
    /// Anything else.
    Other => "other",
}

/// What a word measures. Its number crosses the wire; 0 for unspecified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unit(u8);

/// Names of units, in the order of their numbers.
const UNITS: [&str; 12] = [
    "", "rad", "m", "rad/s", "m/s", "1", "°C", "A", "V", "m/s2", "N", "Nm",
];

impl Unit {
    /// Unspecified.
    pub const UNSPECIFIED: Unit = Unit(0);

    /// The unit of this name; `1` for a plain number.
    pub fn of(name: &str) -> Option<Unit> {
        let name = if name.is_empty() { "1" } else { name };
        let place = UNITS.iter().position(|unit| *unit == name)?;
        Some(Unit(place as u8))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        UNITS.get(usize::from(self.0)).copied().unwrap_or("")
    }
}

/// Why 32 bytes are not a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowError {
    /// Neither an output nor an input.
    Direction(u8),
    /// An unknown kind.
    Kind(u8),
    /// An unknown unit.
    Unit(u8),
    /// The lowest word is above the highest.
    Range(u16, u16),
    /// The word at rest is outside the range.
    Rest(u16),
    /// The name has a character that is not printable ASCII, or does not end in zeros.
    Name,
    /// The step is not a finite number.
    Step,
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowError::Direction(direction) => {
                write!(f, "its direction is {direction}, expected 0 or 1")
            }
            RowError::Kind(kind) => {
                write!(
                    f,
                    "its kind is {kind}, but the last kind is {}",
                    KINDS.len() - 1
                )
            }
            RowError::Unit(unit) => {
                write!(
                    f,
                    "its unit is {unit}, but the last unit is {}",
                    UNITS.len() - 1
                )
            }
            RowError::Range(lowest, highest) => {
                write!(
                    f,
                    "its lowest word is {lowest}, above its highest, {highest}"
                )
            }
            RowError::Rest(value) => write!(f, "its word at rest, {value}, is outside its range"),
            RowError::Name => write!(
                f,
                "its name has a character that is not printable ASCII, or does not end in zeros"
            ),
            RowError::Step => write!(f, "its step is not a finite number"),
        }
    }
}

/// A channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Whether it is an output or an input.
    pub direction: Direction,
    /// What it is.
    pub kind: RowKind,
    /// The lowest valid word.
    pub lowest: u16,
    /// The highest valid word.
    pub highest: u16,
    /// For an output: its position before the first frame.
    pub rest: u16,
    /// What it measures.
    pub unit: Unit,
    /// The value of one word, in that unit; negative where words count the other way; 0 for unspecified.
    pub step: f32,
    /// Its name, for people: printable ASCII, then zeros.
    pub name: [u8; NAME],
}

/// The board's own row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Number of channels from the host.
    pub outputs: u16,
    /// Number of channels to the host.
    pub inputs: u16,
    /// The watchdog time in ms: without a frame for longer, the board relaxes its motors.
    pub watchdog: u16,
    /// The checksum of all rows, outputs first, which tells whether the table has changed.
    pub table: u32,
    /// The name of the kind of board, for people.
    pub name: [u8; NAME],
}

/// A name, truncated to the field; other characters than printable ASCII become `?`.
pub fn name(text: &str) -> [u8; NAME] {
    let mut name = [0; NAME];
    for (place, letter) in name.iter_mut().zip(text.chars()) {
        let plain = letter.is_ascii_graphic();
        *place = if plain { letter as u8 } else { b'?' };
    }
    name
}

/// A name as text.
pub fn text(name: &[u8; NAME]) -> &str {
    let end = name.iter().position(|item| *item == 0).unwrap_or(NAME);
    core::str::from_utf8(&name[..end]).unwrap_or("")
}

fn is_name(name: &[u8]) -> bool {
    let end = name
        .iter()
        .position(|item| *item == 0)
        .unwrap_or(name.len());
    let (letters, rest) = name.split_at(end);
    letters.iter().all(u8::is_ascii_graphic) && rest.iter().all(|item| *item == 0)
}

impl Row {
    /// A channel without any specification: every word is valid.
    pub const fn unspecified(direction: Direction) -> Row {
        Row {
            direction,
            kind: RowKind::Other,
            lowest: 0,
            highest: u16::MAX,
            rest: 0,
            unit: Unit::UNSPECIFIED,
            step: 0.0,
            name: [0; NAME],
        }
    }

    /// Encodes the row.
    pub fn bytes(&self) -> [u8; ROW] {
        let mut bytes = [0; ROW];
        bytes[0] = u8::from(self.direction == Direction::Input);
        bytes[1] = self.kind as u8 | self.unit.0 << 4;
        bytes[2..4].copy_from_slice(&self.lowest.to_le_bytes());
        bytes[4..6].copy_from_slice(&self.highest.to_le_bytes());
        bytes[6..8].copy_from_slice(&self.rest.to_le_bytes());
        bytes[8..8 + NAME].copy_from_slice(&self.name);
        bytes[8 + NAME..].copy_from_slice(&self.step.to_le_bytes());
        bytes
    }

    /// Decodes the row.
    ///
    /// # Errors
    /// The first error in the row.
    pub fn of(bytes: &[u8; ROW]) -> Result<Row, RowError> {
        let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let (mut name, mut step) = ([0; NAME], [0; 4]);
        name.copy_from_slice(&bytes[8..8 + NAME]);
        step.copy_from_slice(&bytes[8 + NAME..]);
        let (kind, unit) = (bytes[1] & 15, bytes[1] >> 4);
        let row = Row {
            direction: match bytes[0] {
                0 => Direction::Output,
                1 => Direction::Input,
                other => return Err(RowError::Direction(other)),
            },
            kind: *KINDS.get(usize::from(kind)).ok_or(RowError::Kind(kind))?,
            lowest: word(2),
            highest: word(4),
            rest: word(6),
            unit: Unit(unit),
            step: f32::from_le_bytes(step),
            name,
        };
        if usize::from(unit) >= UNITS.len() {
            return Err(RowError::Unit(unit));
        }
        if row.lowest > row.highest {
            return Err(RowError::Range(row.lowest, row.highest));
        }
        if !(row.lowest..=row.highest).contains(&row.rest) {
            return Err(RowError::Rest(row.rest));
        }
        if !is_name(&name) {
            return Err(RowError::Name);
        }
        if !row.step.is_finite() {
            return Err(RowError::Step);
        }
        Ok(row)
    }
}

impl About {
    /// Encodes the row.
    pub fn bytes(&self) -> [u8; ROW] {
        let mut bytes = [0; ROW];
        bytes[0..2].copy_from_slice(&self.outputs.to_le_bytes());
        bytes[2..4].copy_from_slice(&self.inputs.to_le_bytes());
        bytes[4..6].copy_from_slice(&self.watchdog.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.table.to_le_bytes());
        bytes[12..12 + NAME].copy_from_slice(&self.name);
        bytes
    }

    /// Decodes the row; `None` if the bytes are invalid, or if the board's frames would be too long.
    pub fn of(bytes: &[u8; ROW]) -> Option<About> {
        let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let name = bytes[12..].first_chunk::<NAME>()?;
        let about = About {
            outputs: word(0),
            inputs: word(2),
            watchdog: word(4),
            table: u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]),
            name: *name,
        };
        let length = crate::size::length(about.outputs.into(), about.inputs.into());
        (length.is_some() && word(6) == 0 && is_name(name)).then_some(about)
    }
}

/// The checksum of a table, row by row.
pub fn table(rows: impl Iterator<Item = Row>) -> u32 {
    let crc = crc::Crc::<u32>::new(&crc::CRC_32_ISCSI);
    let mut digest = crc.digest();
    rows.for_each(|row| digest.update(&row.bytes()));
    digest.finalize()
}
