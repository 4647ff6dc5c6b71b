//! The errors of opening lines, each with its fix.
//! Whoever mounts the boards shows them, before the first turn.
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
            } => format!("`{name}` is both {first} and {second}"),
            LinesError::NoOffset { line, .. } => format!("there is no gpio line `{line}`"),
            LinesError::Busy { line, consumer } => {
                format!("the gpio line `{line}` is in use by {consumer}")
            }
            LinesError::Twice { line } => format!("the gpio line `{line}` is used for two things"),
            LinesError::NoTrigger { line, actuator } => format!(
                "the echo `{line}` waits for actuator {actuator}, which is no output that fires"
            ),
            LinesError::DebouncedEcho { line } => {
                format!("the echo `{line}` is debounced, which changes its length")
            }
            LinesError::NoEdges { chip } => {
                format!("{} does not tell when its lines change", chip.display())
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
            LinesError::NoGpio => "a kernel with CONFIG_GPIO_CDEV, of 5.10 or newer",
            LinesError::NoChips => "load its driver or plug it in, then look with `gpiodetect`",
            LinesError::NoChip { known, .. } => {
                return format!("one of these: {}", known.join(", "));
            }
            LinesError::Forbidden { .. } => "add it to the group that owns it, and log in anew",
            LinesError::NotFound { near, .. } if near.is_empty() => {
                "a name that `gpioinfo` shows, or `chip:offset`"
            }
            LinesError::NotFound { near, .. } => {
                let near = near.join("` or `");
                return format!("did you mean `{near}`? `gpioinfo` shows all");
            }
            LinesError::Ambiguous { .. } => "write one of these instead, or name the chip",
            LinesError::NoOffset { lines, .. } => {
                return format!("that chip has {lines} lines, counted from 0");
            }
            LinesError::Busy { .. } => "end that first, or choose another line",
            LinesError::Twice { .. } => "give each a line of its own",
            LinesError::NoTrigger { .. } => "name the trigger of its sensor",
            LinesError::DebouncedEcho { .. } => "leave its debounce out",
            LinesError::NoEdges { .. } => "read them on a chip with interrupts",
            LinesError::TooMany { .. } => "use fewer",
            LinesError::Moved { .. } => "start again",
            LinesError::System { .. } => "see what `gpioinfo` and the kernel's log say of it",
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
