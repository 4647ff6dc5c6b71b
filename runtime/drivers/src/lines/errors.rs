//! The errors of opening lines, each with its fix.
//! Shown when the boards are mounted, before the first turn.
//! Every sentence names the line or the chip, and what to do.

use std::fmt;
use std::path::PathBuf;

use gpiocdev_uapi::Error as Uapi;

use crate::bus::BusFault;

/// Why lines could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinesError {
    /// The kernel does not support gpio lines.
    NoGpio,
    /// The system has no gpio chip.
    NoChips,
    /// No chip has this name.
    NoChip {
        /// The name that was looked up.
        chip: String,
        /// The chips that exist.
        known: Vec<String>,
    },
    /// This user may not use the chip.
    Forbidden {
        /// Its path.
        chip: PathBuf,
    },
    /// No line has this name.
    NotFound {
        /// The name that was looked up.
        line: String,
        /// Similar names.
        near: Vec<String>,
    },
    /// Two lines or chips have this name.
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
        /// The name that was looked up.
        line: String,
        /// How many lines it has.
        lines: usize,
    },
    /// Another process uses the line.
    Busy {
        /// Its name.
        line: String,
        /// The name under which that process requested it.
        consumer: String,
    },
    /// The description uses the line twice.
    Twice {
        /// The second name for it.
        line: String,
    },
    /// An echo names an actuator that is not a trigger.
    NoTrigger {
        /// The echo's line.
        line: String,
        /// The actuator that it names.
        actuator: usize,
    },
    /// An echo line is debounced.
    DebouncedEcho {
        /// The echo's line.
        line: String,
    },
    /// The chip reports no edges.
    NoEdges {
        /// Its path.
        chip: PathBuf,
    },
    /// More lines of one chip than the kernel grants in one request.
    TooMany {
        /// Its path.
        chip: PathBuf,
    },
    /// Lines that were on one chip are now on several.
    Moved {
        /// One of them.
        line: String,
    },
    /// Another error of the system.
    System {
        /// What failed.
        what: String,
        /// The system's message.
        said: String,
    },
}

impl LinesError {
    /// What is wrong.
    fn problem(&self) -> String {
        match self {
            LinesError::NoGpio => "this kernel has no gpio lines".to_owned(),
            LinesError::NoChips => "there is no gpio chip".to_owned(),
            LinesError::NoChip { chip, .. } => format!("there is no gpio chip `{chip}`"),
            LinesError::Forbidden { chip } => format!("this user may not use {}", chip.display()),
            LinesError::NotFound { line, .. } => format!("no gpio line is named `{line}`"),
            LinesError::Ambiguous {
                name,
                first,
                second,
            } => format!("`{name}` is ambiguous: it names both {first} and {second}"),
            LinesError::NoOffset { line, .. } => format!("there is no gpio line `{line}`"),
            LinesError::Busy { line, consumer } => {
                format!("the gpio line `{line}` is in use by {consumer}")
            }
            LinesError::Twice { line } => format!("the gpio line `{line}` is used for two things"),
            LinesError::NoTrigger { line, actuator } => format!(
                "the echo `{line}` waits for actuator {actuator}, which is not a trigger of this board"
            ),
            LinesError::DebouncedEcho { line } => {
                format!("the echo `{line}` is debounced, which changes its length")
            }
            LinesError::NoEdges { chip } => {
                format!("{} reports no edges", chip.display())
            }
            LinesError::TooMany { chip } => {
                format!("more than 64 lines of {} are used", chip.display())
            }
            LinesError::Moved { line } => format!("the gpio line `{line}` is on another chip now"),
            LinesError::System { what, said } => format!("{what}: {said}"),
        }
    }

    /// What to do about it.
    fn fix(&self) -> String {
        let fix = match self {
            LinesError::NoGpio => "use a kernel of 5.10 or newer with CONFIG_GPIO_CDEV",
            LinesError::NoChips => "load its driver or plug it in, then check with `gpiodetect`",
            LinesError::NoChip { known, .. } => {
                return format!("use one of these: {}", known.join(", "));
            }
            LinesError::Forbidden { .. } => "add it to the group that owns it, then log in again",
            LinesError::NotFound { near, .. } if near.is_empty() => {
                "use a name that `gpioinfo` shows, or `chip:offset`"
            }
            LinesError::NotFound { near, .. } => {
                let near = near.join("` or `");
                return format!("did you mean `{near}`? `gpioinfo` shows all");
            }
            LinesError::Ambiguous { .. } => "use one of these, or name the chip",
            LinesError::NoOffset { lines, .. } => {
                return format!("that chip has {lines} lines, counted from 0");
            }
            LinesError::Busy { .. } => "end that process, or choose another line",
            LinesError::Twice { .. } => "give each a line of its own",
            LinesError::NoTrigger { .. } => "name the trigger of its sensor",
            LinesError::DebouncedEcho { .. } => "leave its debounce out",
            LinesError::NoEdges { .. } => "read them on a chip with interrupts",
            LinesError::TooMany { .. } => "use fewer",
            LinesError::Moved { .. } => "start again",
            LinesError::System { .. } => "check `gpioinfo` and the kernel log",
        };
        fix.to_owned()
    }
}

impl fmt::Display for LinesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; fix: {}", self.problem(), self.fix())
    }
}

impl std::error::Error for LinesError {}

/// The system's error number; 0 if there is none.
pub(super) fn number(error: &gpiocdev::Error) -> i32 {
    match error {
        gpiocdev::Error::Os(errno) | gpiocdev::Error::Uapi(_, Uapi::Os(errno)) => errno.0,
        _ => 0,
    }
}

/// The error as a fault of a bus.
pub(super) fn fault(error: &gpiocdev::Error) -> BusFault {
    match number(error) {
        0 => BusFault::Other(0),
        number => std::io::Error::from_raw_os_error(number).into(),
    }
}
