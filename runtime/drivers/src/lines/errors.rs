//! Why lines could not be opened, each with its fix.
//! Told to whoever mounts the boards, before the first turn.
//! The law: every sentence names the line or the chip, and what to do.

use std::fmt;
use std::path::PathBuf;

use gpiocdev_uapi::Error as Uapi;

use crate::bus::BusFault;

/// Why lines could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinesError {
    /// The kernel knows nothing of lines.
    NoGpio,
    /// There is no chip.
    NoChips,
    /// There is no such chip.
    NoChip {
        /// What was looked for.
        chip: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// This user may not use the chip.
    Forbidden {
        /// Its path.
        chip: PathBuf,
    },
    /// No line has this name.
    NotFound {
        /// What was looked for.
        line: String,
        /// Names that are like it.
        near: Vec<String>,
    },
    /// Two of this name.
    Ambiguous {
        /// The name of a line or of a chip.
        name: String,
        /// One of them.
        first: String,
        /// The other.
        second: String,
    },
    /// The chip has fewer lines.
    NoOffset {
        /// What was looked for.
        line: String,
        /// How many it has.
        lines: usize,
    },
    /// Somebody else has it.
    Busy {
        /// Its name.
        line: String,
        /// Whoever has it, as it calls itself.
        consumer: String,
    },
    /// It is used for two things.
    Twice {
        /// The second name that it is used by.
        line: String,
    },
    /// An echo of a trigger that is none.
    NoTrigger {
        /// The echo's line.
        line: String,
        /// What should be its trigger.
        actuator: usize,
    },
    /// An echo that is to stand still first.
    DebouncedEcho {
        /// The echo's line.
        line: String,
    },
    /// The chip cannot tell when its lines change.
    NoEdges {
        /// Its path.
        chip: PathBuf,
    },
    /// More lines of one chip than the kernel hands out together.
    TooMany {
        /// Its path.
        chip: PathBuf,
    },
    /// Lines that were on one chip are on several now.
    Moved {
        /// One of them.
        line: String,
    },
    /// The system said something else.
    System {
        /// What it was about.
        what: String,
        /// What it said.
        said: String,
    },
}

impl fmt::Display for LinesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinesError::NoGpio => write!(
                f,
                "this kernel has no gpio lines; fix: a kernel with CONFIG_GPIO_CDEV, of 5.10 or newer"
            ),
            LinesError::NoChips => write!(
                f,
                "there is no gpio chip; fix: load its driver or plug it in, then look with `gpiodetect`"
            ),
            LinesError::NoChip { chip, known } => {
                let known = known.join(", ");
                write!(
                    f,
                    "there is no gpio chip `{chip}`; fix: one of these: {known}"
                )
            }
            LinesError::Forbidden { chip } => write!(
                f,
                "this user may not use {}; fix: add it to the group that owns it, and log in anew",
                chip.display()
            ),
            LinesError::NotFound { line, near } if near.is_empty() => write!(
                f,
                "no gpio line is named `{line}`; fix: a name that `gpioinfo` shows, or `chip:offset`"
            ),
            LinesError::NotFound { line, near } => write!(
                f,
                "no gpio line is named `{line}`; fix: did you mean `{}`? `gpioinfo` shows all",
                near.join("` or `")
            ),
            LinesError::Ambiguous {
                name,
                first,
                second,
            } => write!(
                f,
                "`{name}` is both {first} and {second}; fix: write one of these instead, or name the chip"
            ),
            LinesError::NoOffset { line, lines } => write!(
                f,
                "there is no gpio line `{line}`; fix: that chip has {lines} lines, counted from 0"
            ),
            LinesError::Busy { line, consumer } => write!(
                f,
                "the gpio line `{line}` is in use by {consumer}; fix: end that first, or choose another line"
            ),
            LinesError::Twice { line } => write!(
                f,
                "the gpio line `{line}` is used for two things; fix: give each a line of its own"
            ),
            LinesError::NoTrigger { line, actuator } => write!(
                f,
                "the echo `{line}` waits for actuator {actuator}, which is no output that fires; \
                 fix: name the trigger of its sensor"
            ),
            LinesError::DebouncedEcho { line } => write!(
                f,
                "the echo `{line}` is debounced, which changes its length; fix: leave its debounce out"
            ),
            LinesError::NoEdges { chip } => write!(
                f,
                "{} does not tell when its lines change; fix: read them on a chip with interrupts",
                chip.display()
            ),
            LinesError::TooMany { chip } => write!(
                f,
                "more than 64 lines of {} are used; fix: use fewer",
                chip.display()
            ),
            LinesError::Moved { line } => write!(
                f,
                "the gpio line `{line}` is on another chip now; fix: start again"
            ),
            LinesError::System { what, said } => {
                write!(
                    f,
                    "{what}: {said}; fix: see what `gpioinfo` and the kernel's log say of it"
                )
            }
        }
    }
}

impl std::error::Error for LinesError {}

/// The system's number for it; 0 where it has none.
pub(super) fn number(error: &gpiocdev::Error) -> i32 {
    match error {
        gpiocdev::Error::Os(errno) | gpiocdev::Error::Uapi(_, Uapi::Os(errno)) => errno.0,
        _ => 0,
    }
}

/// What the system said, as any bus says it.
pub(super) fn fault(error: &gpiocdev::Error) -> BusFault {
    match number(error) {
        0 => BusFault::Other(0),
        number => std::io::Error::from_raw_os_error(number).into(),
    }
}
