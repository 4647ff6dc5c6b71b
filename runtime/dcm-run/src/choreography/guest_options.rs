//! The options for guests, `--priority`, `--weight`, `--mask`, `--param`, `--keep`, and the files to play.
//! Called by `run`, `load`, `swap`, `push`, `start`, `boot` and `check`. An option that names no guest is for
//! all of them; `wave=20` is for the guest named `wave`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use cycle::State;
use description::Robot;
use guests::Tier;
use motion_files::{FileMistake, MotionFormat};
use protocol::{GuestOptions, Loaded};
use robot::states::{phrase, way_to_running};

use crate::choreography::motion_file::{self, MotionArgs, is_motion, print_remarks};
use crate::choreography::shipped;
use crate::text::errors;
use crate::text::words;

/// The options of guests. With several guests, a value may name one: `--priority wave=20`.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct GuestOptionArgs {
    /// The priority of its lane: 0 background, 10 standard, 50 high; for one guest: `wave=20`.
    #[arg(long, value_name = "[GUEST=]NUMBER", allow_hyphen_values = true)]
    priority: Vec<String>,
    /// The weight of its lane among lanes of the same priority: up to 1 a share, above that votes (up to 1,000); for
    /// one guest: `wave=0.5`.
    #[arg(long, value_name = "[GUEST=]SHARE")]
    weight: Vec<String>,
    /// The actuators that it may drive: names and aliases, separated by commas; for one guest: `wave=Head,LArm`.
    #[arg(long, value_name = "[GUEST=]NAMES")]
    mask: Vec<String>,
    /// The value of a parameter: `speed=2`; for one guest: `wave.speed=2`.
    #[arg(long, value_name = "[GUEST.]KEY=VALUE")]
    param: Vec<String>,
    /// Keep it loaded when it reports that it has finished.
    #[arg(long)]
    keep: bool,
}

/// Whether a start waits for the body.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct WaitingArgs {
    /// If the body cannot move now, start it as soon as the body runs; without this, such a start is refused.
    #[arg(long)]
    when_running: bool,
}

impl WaitingArgs {
    pub(crate) fn of(self, options: GuestOptions) -> GuestOptions {
        GuestOptions {
            when_running: self.when_running,
            ..options
        }
    }
}

/// The endings of files that can be played.
pub(crate) const ENDINGS: [&str; 18] = [
    "wasm", "wat", "csv", "json", "motion", "py", "xar", "qianim", "pos", "mot", "mtn", "kmc",
    "skill", "skl", "yaml", "yml", "mcap", "tsv",
];

/// A file to play, and the name by which options name it.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) path: PathBuf,
    /// The name in the choreography; else the file's.
    pub(crate) name: String,
    /// The file's name without the ending, to which grants refer.
    pub(crate) file: String,
    pub(crate) bytes: Vec<u8>,
    /// The motion that it was made from.
    motion: Option<MotionSource>,
}

/// The file of a motion, and how it is read.
#[derive(Clone, Debug)]
struct MotionSource {
    bytes: Vec<u8>,
    args: MotionArgs,
    /// What was told of it.
    remarks: Vec<FileMistake>,
}

impl Piece {
    /// Reads a choreography, or the file of a motion; a name that is no file may be that of a shipped one.
    pub(crate) fn read(path: &Path, motions: &MotionArgs) -> Result<Piece> {
        if let Some(bytes) = shipped::choreography(path) {
            return Ok(Piece::of_component(path, bytes.to_vec()));
        }
        shipped::refuse_unknown(path)?;
        let size = errors::size(path)?;
        let ending = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        let is_code = ["wasm", "wat"].contains(&ending.as_str());
        if MotionFormat::of_ending(&path.to_string_lossy()).is_some() {
            return Piece::of_motion(path, motions);
        }
        if !is_code && !ending.is_empty() && (size == 0 || !begins_as_code(path)) {
            if size > 0 && is_motion(&path.to_string_lossy(), &motion_file::read(path)?) {
                return Piece::of_motion(path, motions);
            }
            bail!(
                "{}: this file cannot be played; fix: play a choreography (.wasm), or the file of a motion (.csv, \
                 .json, .motion, …), see `dcm-run convert --help`",
                path.display()
            );
        }
        if size > ::guests::COMPONENT_MAX as u64 {
            bail!(
                "{}: {} MiB is too large; a choreography has at most {} MiB; fix: strip the debugging information",
                path.display(),
                size >> 20,
                ::guests::COMPONENT_MAX >> 20
            );
        }
        let mut bytes = errors::read(path, ::guests::COMPONENT_MAX as u64)?;
        if is_text(&bytes) {
            // WebAssembly in text form becomes a component, as `dcm-run build` makes it.
            bytes = ::guests::componentize(&bytes)
                .map_err(|why| anyhow::anyhow!("{}: {why}", path.display()))?;
        }
        Ok(Piece::of_component(path, bytes))
    }

    /// A choreography that was just built into this file.
    pub(crate) fn of_component(path: &Path, bytes: Vec<u8>) -> Piece {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let file = stem.into_owned();
        Piece {
            path: path.to_owned(),
            name: ::guests::name_of(&bytes).unwrap_or_else(|| file.clone()),
            file,
            bytes,
            motion: None,
        }
    }

    fn of_motion(path: &Path, args: &MotionArgs) -> Result<Piece> {
        let motion = MotionSource {
            bytes: motion_file::read(path)?,
            args: args.clone(),
            remarks: Vec::new(),
        };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut piece = Piece {
            path: path.to_owned(),
            name: String::new(),
            file: stem.into_owned(),
            bytes: Vec::new(),
            motion: Some(motion),
        };
        piece.compile(None)?;
        Ok(piece)
    }

    /// Makes a motion one for this robot: what the robot does not have is told, and pairs of joints are found.
    pub(crate) fn fit(&mut self, robot: &Robot) -> Result<()> {
        self.compile(Some(robot))
    }

    fn compile(&mut self, robot: Option<&Robot>) -> Result<()> {
        let Some(motion) = &mut self.motion else {
            return Ok(());
        };
        let show = motion.args.show(&self.path, &motion.bytes, robot)?;
        let new = show
            .remarks
            .iter()
            .filter(|remark| !motion.remarks.contains(remark));
        print_remarks(&self.path, &new.cloned().collect::<Vec<_>>());
        let bytes = show.component();
        self.bytes = bytes.map_err(|why| anyhow::anyhow!("{}: {why}", self.path.display()))?;
        self.name.clone_from(&show.name);
        motion.remarks = show.remarks;
        Ok(())
    }
}

impl GuestOptionArgs {
    /// The options for each of these; an option for another guest is an error.
    pub(crate) fn of(&self, pieces: &[Piece]) -> Result<Vec<GuestOptions>> {
        let names: Vec<_> = pieces.iter().map(|piece| piece.name.clone()).collect();
        let mut options = self.of_names(&names)?;
        for (options, piece) in options.iter_mut().zip(pieces) {
            options.file = Some(piece.file.clone());
            options.from = Some(piece.path.display().to_string());
        }
        Ok(options)
    }

    /// The options for the only guest.
    pub(crate) fn of_one(&self, name: &str) -> Result<GuestOptions> {
        let mut options = self.of_names(&[name.to_owned()])?;
        Ok(options.pop().unwrap_or_default())
    }

    /// The options for the guests of these names.
    pub(crate) fn of_names(&self, names: &[String]) -> Result<Vec<GuestOptions>> {
        let options = GuestOptions {
            keep: self.keep,
            ..GuestOptions::default()
        };
        let mut options = vec![options; names.len()];
        for text in &self.priority {
            let (whose, value) = whose(text, names, "--priority")?;
            let value = number(value, text)?;
            each(&mut options, whose, |one| one.priority = Some(value));
        }
        for text in &self.weight {
            let (whose, value) = whose(text, names, "--weight")?;
            let value = number(value, text)?;
            each(&mut options, whose, |args| args.weight = Some(value));
        }
        for text in &self.mask {
            let (whose, list) = whose(text, names, "--mask")?;
            let list: Vec<_> = list.split(',').map(|part| part.trim().to_owned()).collect();
            each(&mut options, whose, |args| {
                args.mask
                    .get_or_insert_default()
                    .extend(list.iter().cloned());
            });
        }
        for text in &self.param {
            let (key, value) = param(text)?;
            let (whose, key) = match key.split_once('.') {
                Some((guest, key)) => (Some(place(guest, names, "--param")?), key),
                None => (None, key),
            };
            each(&mut options, whose, |args| {
                args.params.insert(key.to_owned(), value);
            });
        }
        Ok(options)
    }
}

/// Whether a file begins like WebAssembly, binary or text.
fn begins_as_code(path: &Path) -> bool {
    use std::io::Read;
    let mut begins = Vec::new();
    let read = fs::File::open(path).and_then(|value| value.take(256).read_to_end(&mut begins));
    read.is_ok() && (begins.is_empty() || begins.starts_with(b"\0asm") || is_text(&begins))
}

/// Whether these bytes begin like WebAssembly in text form.
fn is_text(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"(") || bytes.trim_ascii_start().starts_with(b";;")
}

/// Reads `key=value`.
pub(crate) fn param(text: &str) -> Result<(&str, f64)> {
    let Some((key, value)) = text.split_once('=') else {
        bail!("`{text}` is not a parameter; fix: write `KEY=VALUE`, as in `speed=2`");
    };
    let value = words::parameter(value)
        .map_err(|why| anyhow::anyhow!("`{text}`: {why}; fix: write it as in `speed=2`"))?;
    Ok((key.trim(), value))
}

/// Reads parameters.
pub(crate) fn params(texts: &[String]) -> Result<BTreeMap<String, f64>> {
    let pairs = texts.iter().map(|text| param(text));
    let named = pairs.map(|pair| pair.map(|(key, value)| (key.to_owned(), value)));
    named.collect()
}

/// A guest that has just been loaded, in one line.
pub(crate) fn entered(loaded: &Loaded) -> String {
    let Loaded {
        id,
        name,
        world,
        form,
        tier,
        cached,
        took_ns,
        ..
    } = loaded;
    let made = match (cached, tier.as_str()) {
        (true, _) => "from the cache".to_owned(),
        (false, tier) if tier == Tier::USUAL.name() => "compiled".to_owned(),
        (false, tier) => {
            format!("compiled without optimization ({tier}), so that it runs slower than it could")
        }
    };
    let took = words::time(cycle::Span::from_nanos(*took_ns));
    format!("{name} plays as guest {id}: a {world}, {form}, {made} in {took}")
}

/// The same with these notes; or that it waits, while the body does not run.
pub(crate) fn entered_or_waits(loaded: &Loaded, notes: &str, state: Option<State>) -> String {
    let entered = entered(loaded);
    let Some(state) = state.filter(|state| *state != State::Running) else {
        return entered + notes;
    };
    let entered = entered.replacen(" plays as guest", " waits as guest", 1);
    let (state, way) = (phrase(state), way_to_running(state));
    format!("{entered}{notes}; the body is {state}; to let it move, {way}")
}

/// What a person may not expect of a guest's name. It asked for one, or its manifest has one; it came as `file`.
pub(crate) fn note_of_name(loaded: &Loaded, asked: Option<&str>, file: &str) -> String {
    let name = &loaded.name;
    let is_numbered = |of: &str| {
        let number = name
            .strip_prefix(of)
            .and_then(|rest| rest.strip_prefix('-'));
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let asked_for = match asked {
        Some(asked) => asked,
        None if is_numbered(file) => file,
        None => name,
    };
    let mut note = String::new();
    if asked_for != file {
        note = format!("; its name is that in its manifest, not `{file}`");
    }
    if is_numbered(asked_for) {
        note += &format!("; another guest is named `{asked_for}`");
    } else if name != asked_for {
        note += &format!(
            "; `{asked_for}` cannot be a guest's name: letters, digits, `-`, `_` and `.` can, and a number alone cannot"
        );
    }
    note
}

/// The parameters that were clipped to their ranges: "; light is 1, the end of its range, and not 99".
pub(crate) fn note_of_params(
    asked: &BTreeMap<String, f64>,
    given: &BTreeMap<String, f64>,
) -> String {
    let clipped = asked.iter().filter_map(|(name, asked)| {
        let given = given.get(name).filter(|value| *value != asked)?;
        Some(format!(
            "; {name} is {given}, the end of its range, and not {asked}"
        ))
    });
    clipped.collect()
}

/// The guest that an option is for, and its value.
fn whose<'t>(text: &'t str, names: &[String], of: &str) -> Result<(Option<usize>, &'t str)> {
    match text.split_once('=') {
        Some((guest, value)) => Ok((Some(place(guest, names, of)?), value)),
        None => Ok((None, text)),
    }
}

fn place(guest: &str, names: &[String], of: &str) -> Result<usize> {
    let found = names.iter().position(|name| name == guest.trim());
    found.with_context(|| {
        let names = names.join(", ");
        format!("{of} names the guest `{guest}`; fix: the guests are {names}")
    })
}

fn number(value: &str, text: &str) -> Result<f64> {
    words::number(value).map_err(|_| {
        anyhow::anyhow!(
            "`{text}`: `{value}` is not a number; fix: give one, as in `20` or `wave=20`"
        )
    })
}

fn each(
    options: &mut [GuestOptions],
    whose: Option<usize>,
    mut change: impl FnMut(&mut GuestOptions),
) {
    for (at, options) in options.iter_mut().enumerate() {
        if whose.is_none_or(|whose| whose == at) {
            change(options);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(options: &GuestOptionArgs) -> Result<Vec<GuestOptions>> {
        options.of_names(&["wave".to_owned(), "blink".to_owned()])
    }

    #[test]
    fn an_option_is_for_all_guests_unless_it_names_one() {
        let options = GuestOptionArgs {
            priority: vec!["20".into(), "blink=-1".into()],
            mask: vec!["wave=Head, LArm".into(), "RArm".into()],
            param: vec!["speed=2".into(), "wave.height=10deg".into()],
            ..GuestOptionArgs::default()
        };
        let read = read(&options).expect("they are sound");
        let [wave, blink] = read.as_slice() else {
            panic!("two guests")
        };
        assert_eq!((wave.priority, blink.priority), (Some(20.0), Some(-1.0)));
        let mask = |options: &GuestOptions| options.mask.clone().expect("a mask").join(" ");
        assert_eq!(
            (mask(wave), mask(blink)),
            ("Head LArm RArm".into(), "RArm".into())
        );
        assert_eq!(wave.params.len(), 2);
        assert!((wave.params["height"] - 10f64.to_radians()).abs() < 1e-12);
        assert_eq!(blink.params.len(), 1);
    }

    #[test]
    fn mistakes_are_told() {
        let error =
            |options: GuestOptionArgs| format!("{:#}", read(&options).expect_err("a mistake"));
        let one = |text: &str| vec![text.to_owned()];
        let strange = GuestOptionArgs {
            weight: one("nod=1"),
            ..GuestOptionArgs::default()
        };
        assert_eq!(
            error(strange),
            "--weight names the guest `nod`; fix: the guests are wave, blink"
        );
        let unfinished = GuestOptionArgs {
            param: one("speed"),
            ..GuestOptionArgs::default()
        };
        assert!(error(unfinished).contains("as in `speed=2`"));
        let no_number = GuestOptionArgs {
            priority: one("high"),
            ..GuestOptionArgs::default()
        };
        assert_eq!(
            error(no_number),
            "`high`: `high` is not a number; fix: give one, as in `20` or `wave=20`"
        );
    }
}
