//! A mistake in a description: a sentence, where it is, and what would help.
//! Made by every step of reading; turned into a picture by the command line.
//! A problem names the thing and says what was expected.

use std::fmt;

use printable::nearest;

use crate::text::{Layer, Spot, place_of};

/// One mistake.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What is wrong.
    pub sentence: String,
    /// Where, with a word for each place; the first is the one to look at. May be empty.
    pub spots: Vec<(Spot, String)>,
    /// What was expected, or what to do.
    pub help: Option<String>,
}

impl Problem {
    pub(super) fn at(spot: Spot, sentence: impl Into<String>, label: impl Into<String>) -> Problem {
        Problem {
            sentence: sentence.into(),
            spots: vec![(spot, label.into())],
            help: None,
        }
    }

    pub(super) fn nowhere(sentence: impl Into<String>) -> Problem {
        Problem {
            sentence: sentence.into(),
            spots: Vec::new(),
            help: None,
        }
    }

    pub(super) fn and(mut self, spot: Spot, label: impl Into<String>) -> Problem {
        self.spots.push((spot, label.into()));
        self
    }

    pub(super) fn help(self, help: impl Into<String>) -> Problem {
        Problem {
            help: Some(help.into()),
            ..self
        }
    }
}

/// Everything that is wrong with a description, and the texts that it was read from.
#[derive(Clone, Debug)]
pub struct Problems {
    /// The layers that were read.
    pub layers: Vec<Layer>,
    /// What is wrong, in the order of the files.
    pub list: Vec<Problem>,
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, problem) in self.list.iter().enumerate() {
            if place > 0 {
                writeln!(f)?;
            }
            if let Some((spot, _)) = problem.spots.first() {
                write!(f, "{}: ", place_of(&self.layers, *spot))?;
            }
            write!(f, "{}", problem.sentence)?;
            if let Some(help) = &problem.help {
                write!(f, " ({help})")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// The most names that an error lists.
const LISTED_MAX: usize = 12;

/// The sentence for a name that nothing has: "there is no joint `Bse`; fix: did you mean `Base`?". Without a similar
/// name, the fix lists the first known ones.
pub fn no_such<'k>(kind: &str, name: &str, known: impl Iterator<Item = &'k str>) -> String {
    let known: Vec<_> = known.collect();
    let sentence = format!("there is no {kind} `{name}`");
    if let Some(near) = nearest(name, known.iter().copied()) {
        return format!("{sentence}; fix: did you mean `{near}`?");
    }
    let listed = known.iter().take(LISTED_MAX).copied();
    let listed = listed.collect::<Vec<_>>().join(", ");
    match known.len() {
        0 => format!("{sentence}; fix: leave it out: there is none at all"),
        1 => format!("{sentence}; fix: use {listed}"),
        2..=LISTED_MAX => format!("{sentence}; fix: use one of {listed}"),
        many => format!("{sentence}; fix: use one of the {many} that there are, such as {listed}"),
    }
}
