//! Makes a choreography of a list of commands and their instants: the simplest way to move a robot.
//! Called for shows without code; what comes out is a motion like any other, checked, played and stored alike, and its
//! parameters are those of a player.
//! The same list gives the same bytes. Everything in it is in the result, or there is an error.

use std::fmt;

use printable::printable_char;

use crate::load::componentize::componentize;

const SOURCE: &str = include_str!("compiled_show.wat");

/// The greatest number of commands in a show.
pub const SHOW_COMMANDS_MAX: usize = 500_000;

/// The greatest number of actuators in a show.
const ACTUATORS_MAX: usize = 1 << 16;

/// Bits of an instant, ns: a number of a motion holds it exactly.
const AT_BITS: u32 = 48;

/// Bytes of an actuator's entry, and of an output that is made of it.
const ACTUATOR: usize = 40;
const OUTPUT: usize = 40;

const PAGE: usize = 64 << 10;

/// The shortest way to a place that is chosen while it plays, ns.
const WAY_MIN: u64 = 500_000_000;

/// The parameters, in the order in which the motion declares them, and where their names are filled in.
const PARAMS: [(&str, &str); 5] = [
    ("PARAMS_MIRROR", "mirror"),
    ("PARAMS_PAUSE", "pause"),
    ("PARAMS_LOOP", "loop"),
    ("PARAMS_AT", "at"),
    ("PARAMS", "speed"),
];

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

/// A show of nothing but commands, which becomes a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompiledShow {
    /// Its name.
    pub name: String,
    /// The actuators' names.
    pub actuators: Vec<String>,
    /// In its mirror image: for each actuator the one that takes its values, and what they are multiplied by.
    pub mirror: Vec<(String, f64)>,
    /// For each actuator until when it stays where it is, ns, before it goes to its first value; one that has none goes
    /// there from the start on.
    pub holds: Vec<Option<u64>>,
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

/// The memory of a motion, and the numbers that its text leaves open.
struct ShowMemory {
    bytes: Vec<u8>,
    places: Vec<(&'static str, u64)>,
}

impl CompiledShow {
    /// Compiles it to a component.
    ///
    /// # Errors
    /// [`CompiledShowError`].
    pub fn component(&self) -> Result<Vec<u8>, CompiledShowError> {
        if self.lines.is_empty() {
            return Err(CompiledShowError::Empty);
        }
        let last = self.lines.iter().map(|line| line.at).max().unwrap_or(0);
        if self.loops && self.lead + last == 0 {
            return Err(CompiledShowError::NoTime);
        }
        let large = self.lines.len() > SHOW_COMMANDS_MAX || self.actuators.len() > ACTUATORS_MAX;
        if large || last >> AT_BITS != 0 || self.lead >> AT_BITS != 0 {
            return Err(CompiledShowError::Large);
        }
        let ShowMemory { bytes, places } = self.memory(last);
        let text = places
            .into_iter()
            .fold(SOURCE.to_owned(), |text, (name, number)| {
                text.replace(name, &number.to_string())
            });
        let broken = |why: String| CompiledShowError::Broken(why);
        let mut module = wat::parse_str(&text).map_err(|error| broken(error.to_string()))?;
        module.extend(data_section(&bytes));
        let mut component = componentize(&module).map_err(broken)?;
        component.extend(manifest_section(&self.manifest()));
        Ok(component)
    }

    /// What the motion begins with: keys, actuators, letters. `last` is the instant of the last key.
    fn memory(&self, last: u64) -> ShowMemory {
        let keys = self.keys();
        let mut memory = Vec::new();
        let mut spans = Vec::new();
        for own in &keys {
            let begin = memory.len();
            for (at, value) in own {
                memory.extend((*at as f64).to_le_bytes());
                memory.extend(value.to_le_bytes());
            }
            spans.push((begin, memory.len()));
        }
        let used = || (0..self.actuators.len()).filter(|i| !keys[*i].is_empty());
        let entries = memory.len();
        let letters = entries + used().count() * ACTUATOR;
        let mut text = String::new();
        let mut name = |name: &str| {
            let at = letters + text.len();
            text += name;
            [at as u32, name.len() as u32]
        };
        for place in used() {
            let own = &self.actuators[place];
            let mirror = self.mirror.get(place);
            let (other, sign) = mirror.map_or((own, 1.0), |mirror| (&mirror.0, mirror.1));
            let (begin, end) = spans[place];
            let [own, other] = [name(own), name(other)];
            let words = own.into_iter().chain(other);
            let words = words.chain([begin as u32, end as u32]);
            words.for_each(|word| memory.extend(word.to_le_bytes()));
            memory.extend(sign.to_le_bytes());
            let hold = self.holds.get(place).copied().flatten();
            let begin = hold.map_or(-(self.lead as f64), |hold| hold as f64);
            memory.extend(begin.to_le_bytes());
        }
        let params: Vec<_> = PARAMS
            .iter()
            .map(|parameter| (parameter.0, name(parameter.1)[0]))
            .collect();
        memory.extend(text.bytes());
        let outputs = memory.len().next_multiple_of(8);
        // Aliases have more; `start` makes room for them.
        let all = outputs + 2 * used().count() * OUTPUT;
        let mut places = vec![
            ("PAGES", all.div_ceil(PAGE) as u64),
            ("ACTUATORS", entries as u64),
            ("LETTERS", letters as u64),
            ("OUTPUTS", outputs as u64),
            ("LAST", last),
            ("LEAD", self.lead),
            ("WAY", self.lead.max(WAY_MIN)),
            ("LOOPS", u64::from(self.loops)),
        ];
        places.extend(
            params
                .iter()
                .map(|parameter| (parameter.0, u64::from(parameter.1))),
        );
        ShowMemory {
            bytes: memory,
            places,
        }
    }

    /// The keys of each actuator in order. Of several at one instant the last one counts.
    fn keys(&self) -> Vec<Vec<(u64, f64)>> {
        let mut keys: Vec<Vec<(u64, f64)>> = vec![Vec::new(); self.actuators.len()];
        for line in &self.lines {
            keys[line.actuator].push((line.at, line.value));
        }
        for own in &mut keys {
            own.sort_by_key(|pair| pair.0);
            own.dedup_by(|later, earlier| {
                let same = later.0 == earlier.0;
                if same {
                    earlier.1 = later.1;
                }
                same
            });
        }
        keys
    }

    fn manifest(&self) -> String {
        let last = self.lines.iter().map(|line| line.at).max().unwrap_or(0);
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
