//! The notice of licences that `dcm-run licenses` prints, `licenses.txt` beside its source: made here from the files
//! of the packages that are linked, and compared with the one in the repository. `UPDATE_EXPECT=1` rewrites it.
//! Each package of the default program for x86_64 and aarch64 is named, with every text that it comes with but
//! those of licences that were not chosen; equal texts are there once.

mod packages;
mod text;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::ROOT;
use packages::{CHOSEN, Package, packages};
use text::{key, kind, split};

const NOTICE: &str = "runtime/dcm-run/src/verbs/machine/licenses.txt";

const INTRODUCTION: &str = "\
This program contains the packages that are listed here, under the licences that are named with them; the numbers in
brackets are the texts below. Where a package offers several licences and MIT is one of them, it is used under MIT. The
list is that of the program with all its features, for Linux on x86_64 and aarch64. The C library is not contained: it
is the system's.

Packages
";

/// What is in no lock file: its name, its licence, who has the rights, and of which kinds its texts are.
const OTHERS: [(&str, &str, &str, &[&str]); 2] = [
    (
        "dcm-run",
        "MIT OR Apache-2.0",
        "Copyright (c) 2026 the dcm-run authors",
        &["MIT"],
    ),
    (
        "the Rust standard library",
        "(MIT OR Apache-2.0) AND Unicode-3.0 AND Zlib AND Apache-2.0 WITH LLVM-exception",
        "Copyright (c) The Rust Project Developers",
        &[
            "MIT",
            "Unicode-3.0",
            "Zlib",
            "Apache-2.0 WITH LLVM-exception",
        ],
    ),
];

/// A text of this many letters is a licence, if it is of no kind that is known; a shorter one only names some.
const LONG: usize = 800;

/// The longest line of what is written here.
const WIDTH: usize = 118;

/// The text of a licence.
struct Text {
    kind: &'static str,
    /// Its terms as packages have them, and how often.
    forms: BTreeMap<String, usize>,
    /// The packages, by the names before the terms.
    names: BTreeMap<String, BTreeSet<String>>,
}

/// All texts by their words, and those of each package.
#[derive(Default)]
struct Texts {
    all: BTreeMap<String, Text>,
    of: BTreeMap<String, BTreeSet<String>>,
}

impl Texts {
    fn add(&mut self, package: &str, text: &str) {
        let (names, terms) = split(text);
        let place = key(&terms);
        let text = self.all.entry(place.clone()).or_insert_with(|| Text {
            kind: kind(&terms),
            forms: BTreeMap::new(),
            names: BTreeMap::new(),
        });
        *text.forms.entry(terms).or_default() += 1;
        self.name(package, names, place);
    }

    /// The package has this text, with these names.
    fn name(&mut self, package: &str, names: String, place: String) {
        let text = self.all.get_mut(&place).expect("a text");
        text.names
            .entry(names)
            .or_default()
            .insert(package.to_owned());
        self.of.entry(package.to_owned()).or_default().insert(place);
    }

    /// The text of this kind that is found most often.
    fn commonest(&self, kind: &str) -> String {
        let of_kind = self.all.iter().filter(|pair| pair.1.kind == kind);
        let found = of_kind.max_by_key(|pair| (pair.1.forms.values().sum::<usize>(), pair.0));
        found
            .unwrap_or_else(|| panic!("there is no text of {kind}"))
            .0
            .clone()
    }

    /// The licences of which a package comes with no text: one of each choice that its manifest names.
    fn missing(&self, package: &Package) -> Vec<String> {
        let none = BTreeSet::new();
        let own = self.of.get(&package.title).unwrap_or(&none);
        let is_of = |choice: &[&str], place: &String| {
            let kind = self.all[place].kind;
            choice.contains(&kind) || kind.is_empty() && place.len() > LONG
        };
        let choices = package.license.split(" AND ");
        let choices = choices.map(|choice| {
            choice
                .trim_matches(['(', ')'])
                .split(" OR ")
                .collect::<Vec<_>>()
        });
        let missing = choices.filter(|choice| !own.iter().any(|item| is_of(choice, item)));
        missing
            .map(|value| {
                if value.contains(&CHOSEN) {
                    CHOSEN
                } else {
                    value[0]
                }
                .to_owned()
            })
            .collect()
    }
}

fn collect(packages: &[Package]) -> Texts {
    let mut texts = Texts::default();
    for package in packages {
        for text in package.texts() {
            texts.add(&package.title, &text);
        }
    }
    for package in packages {
        for kind in texts.missing(package) {
            let by = Some(&package.authors).filter(|value| !value.is_empty());
            let by = by.map_or(String::new(), |value| format!("; by {value}"));
            let names = format!("(without a file of its own{by})");
            texts.name(&package.title, names, texts.commonest(&kind));
        }
    }
    for (title, _, holder, kinds) in OTHERS {
        for kind in kinds {
            let names = if *kind == "MIT" { holder } else { "" };
            texts.name(title, names.to_owned(), texts.commonest(kind));
        }
    }
    texts
}

fn notice() -> String {
    let packages = packages();
    let texts = collect(&packages);
    // What most packages have comes first.
    let mut order: Vec<_> = texts.all.iter().collect();
    let count = |text: &Text| text.names.values().map(BTreeSet::len).sum::<usize>();
    order.sort_by_key(|(place, item)| (Reverse(count(item)), *place));
    let number = |place: &String| {
        order
            .iter()
            .position(|pair| pair.0 == place)
            .expect("a text")
            + 1
    };
    let others = OTHERS.iter().map(|pair| (pair.0, pair.1));
    let licenses = packages
        .iter()
        .map(|package| (&*package.title, &*package.license))
        .chain(others);
    let licenses: BTreeMap<_, _> = licenses.collect();
    let mut notice = INTRODUCTION.to_owned();
    for (package, places) in &texts.of {
        let mut numbers: Vec<_> = places.iter().map(number).collect();
        numbers.sort_unstable();
        let numbers: Vec<_> = numbers.iter().map(usize::to_string).collect();
        notice += &format!(
            "{package}: {} [{}]\n",
            licenses[&**package],
            numbers.join(", ")
        );
    }
    for (place, text) in &order {
        let kind = if text.kind.is_empty() {
            "as it says"
        } else {
            text.kind
        };
        notice += &format!("\n---- [{}] {kind}\n\n", number(place));
        for (names, packages) in &text.names {
            let names = if names.is_empty() {
                String::new()
            } else {
                format!("{names}\n")
            };
            notice += &format!("{names}{}\n", listed(packages));
        }
        let form = text
            .forms
            .iter()
            .max_by_key(|form| (form.1, form.0))
            .expect("a form")
            .0;
        notice += &format!("{form}\n");
    }
    notice
}

/// The packages of a text, in lines.
fn listed(packages: &BTreeSet<String>) -> String {
    let mut text = String::new();
    let mut line = "   ".to_owned();
    for (place, package) in packages.iter().enumerate() {
        let comma = if place + 1 < packages.len() { "," } else { "" };
        if line.len() + package.len() + 2 > WIDTH {
            text += &format!("{line}\n");
            line = "   ".to_owned();
        }
        line += &format!(" {package}{comma}");
    }
    format!("{text}{line}\n")
}

#[test]
fn the_notice_has_the_licences_of_all_that_is_linked() {
    let path = Path::new(ROOT).join(NOTICE);
    let made = notice();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &made).expect("it is written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let differs = kept
        .lines()
        .zip(made.lines())
        .find(|(kept, made)| kept != made);
    assert!(
        kept == made,
        "{NOTICE} is not what Cargo.lock links, first {differs:?}; fix: UPDATE_EXPECT=1 cargo test --workspace --test \
         all licenses::, and review it as a diff"
    );
}
