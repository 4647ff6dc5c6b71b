//! Mistakes in a description as pictures: the line, what is underlined, what was expected.
//! Printed wherever a robot is loaded.

use std::io::IsTerminal;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode,
};
use robot::config::{Problem, Problems, place_of};
use serde_json::{Value, json};

/// A problem as miette wants to see it: labels in one text.
#[derive(Debug)]
struct Shown<'p> {
    problem: &'p Problem,
    source: Option<NamedSource<String>>,
    labels: Vec<LabeledSpan>,
    help: Option<String>,
}

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.problem.sentence)
    }
}

impl std::error::Error for Shown<'_> {}

impl Diagnostic for Shown<'_> {
    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.help.as_ref().map(|it| Box::new(it) as _)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|it| it as _)
    }
}

/// All problems, each with its picture.
pub(crate) fn picture(problems: &Problems) -> String {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty())
        || !std::io::stderr().is_terminal();
    let theme = if plain {
        GraphicalTheme::unicode_nocolor()
    } else {
        GraphicalTheme::unicode()
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(110)
        .with_links(false);
    let mut text = String::new();
    for problem in &problems.list {
        let layer = problem.spots.first().map(|it| it.0.layer);
        let here = problem.spots.iter().filter(|it| Some(it.0.layer) == layer);
        let labels = here.map(|(spot, label)| {
            LabeledSpan::new(Some(label.clone()), spot.from, spot.to - spot.from)
        });
        // What lies in another layer is told in words.
        let elsewhere = problem.spots.iter().filter(|it| Some(it.0.layer) != layer);
        let elsewhere = elsewhere
            .map(|(spot, label)| format!("{label}: {}", place_of(&problems.layers, *spot)));
        let help: Vec<_> = problem.help.iter().cloned().chain(elsewhere).collect();
        let source = layer.and_then(|it| problems.layers.get(it));
        let shown = Shown {
            problem,
            source: source.map(|it| NamedSource::new(&it.name, it.text.clone())),
            labels: labels.collect(),
            help: (!help.is_empty()).then(|| help.join("; ")),
        };
        // Writing into a text cannot fail.
        let _ = handler.render_report(&mut text, &shown);
        text.push('\n');
    }
    text
}

/// The last line: how many, and what to do.
pub(crate) fn verdict(problems: &Problems) -> String {
    match problems.list.len() {
        1 => "there is 1 mistake in the description".to_owned(),
        many => format!("there are {many} mistakes in the description"),
    }
}

/// All problems, for programs.
pub(crate) fn as_json(problems: &Problems) -> Value {
    let one = |problem: &Problem| {
        let places = problem.spots.iter().map(|(spot, label)| {
            json!({ "place": place_of(&problems.layers, *spot), "label": label, "bytes": [spot.from, spot.to] })
        });
        json!({ "sentence": problem.sentence, "help": problem.help, "places": places.collect::<Vec<_>>() })
    };
    Value::Array(problems.list.iter().map(one).collect())
}
