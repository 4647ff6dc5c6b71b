//! Makes a choreography of a list of commands and their instants: the simplest way to move a robot.
//! Called for shows without code; what comes out is a score like any other, checked, played and stored alike.
//! The law: the same list gives the same bytes. Everything in it is in the result, or there is an error.

use std::fmt;

use printable::printable_char;

use crate::load::componentize::componentize;

const SOURCE: &str = include_str!("compiled_show.wat");

/// The greatest number of commands in a show.
pub const SHOW_COMMANDS_MAX: usize = 500_000;

/// The greatest number of actuators in a show.
const ACTUATORS_MAX: usize = 1 << 16;

/// Bits of a record for its instant, ns.
const AT_BITS: u32 = 48;

/// Bytes of an actuator's entry.
const ACTUATOR: usize = 24;

const PAGE: usize = 64 << 10;

/// A command of a show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedCommand {
    /// Its actuator: an index into the list of names.
    pub actuator: usize,
    /// Its instant, ns after the beginning.
    pub at: u64,
    /// The value.
    pub value: f64,
}

/// A show of nothing but commands, which becomes a score.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompiledShow {
    /// Its name.
    pub name: String,
    /// The actuators' names.
    pub actuators: Vec<String>,
    /// The commands, in any order.
    pub lines: Vec<TimedCommand>,
    /// From its start to its instant 0, ns: time to reach the first values.
    pub lead: u64,
    /// Whether it begins again when it is over.
    pub loops: bool,
}

/// Why it cannot be compiled.
#[derive(Clone, Debug, PartialEq)]
pub enum CompiledShowError {
    /// It has no commands.
    Empty,
    /// It loops, and one round takes no time.
    NoTime,
    /// More commands, actuators or time than there is room for.
    Large,
    /// It could not be assembled, which is a bug of this program.
    Broken(String),
}

impl fmt::Display for CompiledShowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompiledShowError::Empty => write!(f, "there is no command in it"),
            CompiledShowError::NoTime => write!(
                f,
                "it loops, and one round takes no time; fix: give it a lead, or a key after 0"
            ),
            CompiledShowError::Large => write!(
                f,
                "it is too large: a show has at most {SHOW_COMMANDS_MAX} commands and 78 hours; fix: divide it"
            ),
            CompiledShowError::Broken(why) => write!(f, "it cannot be made a choreography: {why}"),
        }
    }
}

impl std::error::Error for CompiledShowError {}

impl CompiledShow {
    /// Compiles it to a component.
    ///
    /// # Errors
    /// [`CompiledShowError`].
    pub fn component(&self) -> Result<Vec<u8>, CompiledShowError> {
        if self.lines.is_empty() {
            return Err(CompiledShowError::Empty);
        }
        let last = self.lines.iter().map(|it| it.at).max().unwrap_or(0);
        if self.loops && self.lead + last == 0 {
            return Err(CompiledShowError::NoTime);
        }
        let large = self.lines.len() > SHOW_COMMANDS_MAX || self.actuators.len() > ACTUATORS_MAX;
        if large || last >> AT_BITS != 0 || self.lead >> AT_BITS != 0 {
            return Err(CompiledShowError::Large);
        }
        let lines = self.in_order_of_sending();
        let mut memory = Vec::new();
        for line in &lines {
            memory.extend(((line.actuator as u64) << AT_BITS | line.at).to_le_bytes());
            memory.extend(line.value.to_le_bytes());
        }
        let names = memory.len();
        let letters = names + self.actuators.len() * ACTUATOR;
        let mut end = letters;
        for name in &self.actuators {
            memory.extend((end as u32).to_le_bytes());
            memory.extend((name.len() as u32).to_le_bytes());
            memory.extend([0; 16]);
            end += name.len();
        }
        self.actuators
            .iter()
            .for_each(|it| memory.extend(it.bytes()));
        let numbers = [
            ("PAGES", memory.len().div_ceil(PAGE) as u64),
            ("NAMES", names as u64),
            ("LETTERS", letters as u64),
            ("RECORDS", names as u64),
            ("LEAD", self.lead),
            ("LOOPS", u64::from(self.loops)),
        ];
        let text = numbers
            .into_iter()
            .fold(SOURCE.to_owned(), |text, (name, number)| {
                text.replace(name, &number.to_string())
            });
        let broken = |why: String| CompiledShowError::Broken(why);
        let mut module = wat::parse_str(&text).map_err(|error| broken(error.to_string()))?;
        module.extend(data_section(&memory));
        let mut component = componentize(&module).map_err(broken)?;
        component.extend(manifest_section(&self.manifest()));
        Ok(component)
    }

    /// Sorts the commands by the instant of the one before them for the same actuator: there the line to a command
    /// begins, and until then it must have been sent.
    fn in_order_of_sending(&self) -> Vec<TimedCommand> {
        let mut lines = self.lines.clone();
        // The sort is stable: of several commands for one actuator at one instant, the last one counts.
        lines.sort_by_key(|it| it.at);
        let mut before = vec![0; self.actuators.len()];
        let mut sent: Vec<(u64, TimedCommand)> = lines
            .into_iter()
            .map(|line| (std::mem::replace(&mut before[line.actuator], line.at), line))
            .collect();
        sent.sort_by_key(|it| it.0);
        sent.into_iter().map(|it| it.1).collect()
    }

    fn manifest(&self) -> String {
        let last = self.lines.iter().map(|it| it.at).max().unwrap_or(0);
        let name: String = self.name.chars().map(printable_char).collect();
        let name = name.replace(['\\', '"'], "");
        format!(
            "name = \"{name}\"\nabout = \"A show without code\"\nloops = {}\nlasts = {:?}\nlead = {:?}\n",
            self.loops,
            (self.lead + last) as f64 / 1e9,
            self.lead as f64 / 1e9,
        )
    }
}

/// A data section that fills the memory from address 0.
fn data_section(memory: &[u8]) -> Vec<u8> {
    // One segment, for memory 0, at i32.const 0.
    let mut body = vec![1, 0, 0x41, 0, 0x0b];
    body.extend(leb(memory.len()));
    body.extend(memory);
    section(11, &body)
}

fn manifest_section(manifest: &str) -> Vec<u8> {
    let name = crate::load::manifest::SECTION;
    let mut body = leb(name.len());
    body.extend(name.bytes().chain(manifest.bytes()));
    section(0, &body)
}

fn section(id: u8, body: &[u8]) -> Vec<u8> {
    let mut section = vec![id];
    section.extend(leb(body.len()));
    section.extend(body);
    section
}

/// An unsigned number as WebAssembly writes it.
fn leb(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}
