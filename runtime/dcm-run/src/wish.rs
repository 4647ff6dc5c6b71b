//! What is wished for a guest on the command line: `--name`, `--priority`, `--weight`, `--mask`, `--param`.
//! Used by `run`, `load` and `swap`.
//! The law: a wish that names no guest is for all of them; `wave=20` is for the one called `wave`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use description::Robot;
use robot::show::{SHOW_MAX, Show};
use socket::{Loaded, Told, Wish};

use crate::words;

/// For several guests, each wish may begin with the guest's name: `--priority wave=20`.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Wishes {
    /// How early its lane is heard: 0 background, 10 standard, 50 high; `wave=20` for one of several.
    #[arg(long, value_name = "[GUEST=]NUMBER", allow_hyphen_values = true)]
    priority: Vec<String>,
    /// Its lane's share among lanes of the same priority, 0 to 1; `wave=0.5` for one of several.
    #[arg(long, value_name = "[GUEST=]SHARE")]
    weight: Vec<String>,
    /// What it may drive: names and aliases, with commas; `wave=Head,LArm` for one of several.
    #[arg(long, value_name = "[GUEST=]NAMES")]
    mask: Vec<String>,
    /// A parameter's value: `speed=2`; `wave.speed=2` for one of several.
    #[arg(long, value_name = "[GUEST.]KEY=VALUE")]
    param: Vec<String>,
    /// It stays when it says that it is not alive any more.
    #[arg(long)]
    keep: bool,
}

/// The endings of what can be played.
pub(crate) const ENDINGS: [&str; 4] = ["wasm", "wat", "csv", "json"];

/// A choreography's file, and the name by which wishes speak of it.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) path: PathBuf,
    /// The name that it gives itself; its file's if it gives none.
    pub(crate) name: String,
    /// Its file's name without the ending: what it is granted goes by this.
    pub(crate) file: String,
    pub(crate) bytes: Vec<u8>,
    /// The show without code of which it was made.
    show: Option<Show>,
}

impl Piece {
    /// Reads a choreography's file, or a show's that is only commands and instants.
    pub(crate) fn read(path: &Path) -> Result<Piece> {
        let told = || format!("reading {}", path.display());
        let size = fs::metadata(path).with_context(told)?.len();
        let ending = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        if ["csv", "json"].contains(&ending.as_str()) {
            if size > SHOW_MAX as u64 {
                bail!(
                    "{}: it has {} MiB, and a show has at most {} MiB; fix: divide it",
                    path.display(),
                    size >> 20,
                    SHOW_MAX >> 20
                );
            }
            return Piece::of_show(path);
        }
        if !ending.is_empty()
            && !ENDINGS.contains(&ending.as_str())
            && (size == 0 || !begins_as_code(path))
        {
            bail!(
                "{}: that is nothing to play; fix: what can be played is a choreography (.wasm), or a show as CSV or \
                 JSON: lines of actuator, time and value, see `dcm-run play --help`",
                path.display()
            );
        }
        if size > ::guests::COMPONENT_MAX as u64 {
            bail!(
                "{}: it has {} MiB, and a choreography has at most {} MiB; fix: leave out debugging \
                 information",
                path.display(),
                size >> 20,
                ::guests::COMPONENT_MAX >> 20
            );
        }
        let bytes = fs::read(path).with_context(told)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let file = stem.into_owned();
        Ok(Piece {
            path: path.to_owned(),
            name: ::guests::name_of(&bytes).unwrap_or_else(|| file.clone()),
            file,
            bytes,
            show: None,
        })
    }

    fn of_show(path: &Path) -> Result<Piece> {
        let name = path.display();
        let text = fs::read(path).with_context(|| format!("reading {name}"))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let show =
            Show::read(&stem, &text).map_err(|mistakes| anyhow::anyhow!("{name}:\n{mistakes}"))?;
        let bytes = show.compiled.component();
        Ok(Piece {
            path: path.to_owned(),
            name: show.compiled.name.clone(),
            file: stem.into_owned(),
            bytes: bytes.map_err(|why| anyhow::anyhow!("{name}: {why}"))?,
            show: Some(show),
        })
    }

    /// Whether this robot has everyone who is in the show.
    pub(crate) fn fits(&self, robot: &Robot) -> Result<()> {
        let fits = self.show.as_ref().map_or(Ok(()), |it| it.fits(robot));
        fits.map_err(|mistakes| anyhow::anyhow!("{}:\n{mistakes}", self.path.display()))
    }
}

impl Wishes {
    /// What is wished for each of these; what is wished for nobody is a mistake.
    pub(crate) fn of(&self, pieces: &[Piece]) -> Result<Vec<Wish>> {
        let names: Vec<_> = pieces.iter().map(|it| it.name.clone()).collect();
        let mut wishes = self.of_names(&names)?;
        for (wish, piece) in wishes.iter_mut().zip(pieces) {
            wish.file = Some(piece.file.clone());
        }
        Ok(wishes)
    }

    /// What is wished for the only one there is.
    pub(crate) fn of_one(&self, name: &str) -> Result<Wish> {
        let mut wishes = self.of_names(&[name.to_owned()])?;
        Ok(wishes.pop().unwrap_or_default())
    }

    /// What is wished for those of these names.
    pub(crate) fn of_names(&self, names: &[String]) -> Result<Vec<Wish>> {
        let wish = Wish {
            keep: self.keep,
            ..Wish::default()
        };
        let mut wishes = vec![wish; names.len()];
        for text in &self.priority {
            let (whose, value) = whose(text, names, "--priority")?;
            let value = number(value, text)?;
            each(&mut wishes, whose, |it| it.priority = Some(value));
        }
        for text in &self.weight {
            let (whose, value) = whose(text, names, "--weight")?;
            let value = number(value, text)?;
            each(&mut wishes, whose, |it| it.weight = Some(value));
        }
        for text in &self.mask {
            let (whose, list) = whose(text, names, "--mask")?;
            let list: Vec<_> = list.split(',').map(|it| it.trim().to_owned()).collect();
            each(&mut wishes, whose, |it| {
                it.mask.get_or_insert_default().extend(list.iter().cloned());
            });
        }
        for text in &self.param {
            let (key, value) = param(text)?;
            let (whose, key) = match key.split_once('.') {
                Some((guest, key)) => (Some(place(guest, names, "--param")?), key),
                None => (None, key),
            };
            each(&mut wishes, whose, |it| {
                it.params.insert(key.to_owned(), value);
            });
        }
        Ok(wishes)
    }
}

/// Whether a file of another name begins as WebAssembly does: as bytes, or as text.
fn begins_as_code(path: &Path) -> bool {
    use std::io::Read;
    let mut begins = Vec::new();
    let read = fs::File::open(path).and_then(|it| it.take(256).read_to_end(&mut begins));
    let text = String::from_utf8_lossy(&begins);
    read.is_ok()
        && (begins.is_empty()
            || begins.starts_with(b"\0asm")
            || text.trim_start().starts_with(['(', ';']))
}

/// Reads `key=value`.
pub(crate) fn param(text: &str) -> Result<(&str, f64)> {
    let Some((key, value)) = text.split_once('=') else {
        bail!("`{text}` is no parameter; fix: write it as in `speed=2`");
    };
    let value = words::value(value).map_err(|why| anyhow::anyhow!("`{text}`: {why}"))?;
    Ok((key.trim(), value))
}

/// Parameters as a table.
pub(crate) fn params(texts: &[String]) -> Result<BTreeMap<String, f64>> {
    let pairs = texts.iter().map(|it| param(it));
    let named = pairs.map(|it| it.map(|(key, value)| (key.to_owned(), value)));
    named.collect()
}

/// What a guest that has just come in is, in one line.
pub(crate) fn entered(told: &Told) -> String {
    let Told::Loaded(Loaded {
        id,
        name,
        world,
        form,
        tier,
        cached,
        took_ns,
        ..
    }) = told
    else {
        return format!("{told:?}");
    };
    let made = match (cached, tier.as_str()) {
        (true, _) => "from the cache".to_owned(),
        (false, "good") => "compiled".to_owned(),
        (false, tier) => {
            format!("compiled in a hurry ({tier}): it will use more time than it could")
        }
    };
    let took = words::time(cycle::Span::from_nanos(*took_ns));
    format!("{name} plays as guest {id}: a {world}, {form}, {made} in {took}")
}

/// Whose wish it is, and what is wished.
fn whose<'t>(text: &'t str, names: &[String], of: &str) -> Result<(Option<usize>, &'t str)> {
    match text.split_once('=') {
        Some((guest, value)) => Ok((Some(place(guest, names, of)?), value)),
        None => Ok((None, text)),
    }
}

fn place(guest: &str, names: &[String], of: &str) -> Result<usize> {
    let found = names.iter().position(|it| it == guest.trim());
    found.with_context(|| {
        let names = names.join(", ");
        format!("{of} speaks of `{guest}`, and what is to play is {names}")
    })
}

fn number(value: &str, text: &str) -> Result<f64> {
    let read = value.trim().parse();
    read.with_context(|| format!("`{text}`: `{value}` is no number"))
}

fn each(wishes: &mut [Wish], whose: Option<usize>, mut change: impl FnMut(&mut Wish)) {
    for (at, wish) in wishes.iter_mut().enumerate() {
        if whose.is_none_or(|it| it == at) {
            change(wish);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(wishes: &Wishes) -> Result<Vec<Wish>> {
        wishes.of_names(&["wave".to_owned(), "blink".to_owned()])
    }

    #[test]
    fn a_wish_is_for_all_unless_it_names_one() {
        let wishes = Wishes {
            priority: vec!["20".into(), "blink=-1".into()],
            mask: vec!["wave=Head, LArm".into(), "RArm".into()],
            param: vec!["speed=2".into(), "wave.height=10deg".into()],
            ..Wishes::default()
        };
        let read = read(&wishes).expect("they are sound");
        let [wave, blink] = read.as_slice() else {
            panic!("two guests")
        };
        assert_eq!((wave.priority, blink.priority), (Some(20.0), Some(-1.0)));
        let mask = |it: &Wish| it.mask.clone().expect("a mask").join(" ");
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
        let told = |wishes: Wishes| format!("{:#}", read(&wishes).expect_err("a mistake"));
        let one = |it: &str| vec![it.to_owned()];
        let strange = Wishes {
            weight: one("nod=1"),
            ..Wishes::default()
        };
        assert_eq!(
            told(strange),
            "--weight speaks of `nod`, and what is to play is wave, blink"
        );
        let unfinished = Wishes {
            param: one("speed"),
            ..Wishes::default()
        };
        assert!(told(unfinished).contains("as in `speed=2`"));
        let no_number = Wishes {
            priority: one("high"),
            ..Wishes::default()
        };
        assert_eq!(
            told(no_number),
            "`high`: `high` is no number: invalid float literal"
        );
    }
}
