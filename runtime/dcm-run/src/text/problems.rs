//! Formats the problems of a description: the line with the place underlined, and what was expected.
//! Called wherever loading a robot fails. Every problem is shown with its file and line.

use std::io::IsTerminal;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet, renderer::DecorStyle};
use description::{Problem, Problems, place_of};
use serde_json::{Value, json};

/// The most columns of a line.
const WIDTH: usize = 110;

/// All problems, each with its source line.
pub(crate) fn picture(problems: &Problems) -> String {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || !std::io::stderr().is_terminal();
    let renderer = if plain {
        Renderer::plain()
    } else {
        Renderer::styled()
    };
    let renderer = renderer.decor_style(DecorStyle::Unicode).term_width(WIDTH);
    let each = problems
        .list
        .iter()
        .map(|item| one(problems, item, &renderer));
    each.collect()
}

fn one(problems: &Problems, problem: &Problem, renderer: &Renderer) -> String {
    let layer = problem.spots.first().map(|pair| pair.0.layer);
    let here = problem
        .spots
        .iter()
        .filter(|pair| Some(pair.0.layer) == layer);
    let marks = here.map(|(spot, label)| {
        let place = AnnotationKind::Primary.span(spot.from..spot.to);
        place.label(label)
    });
    // A place in another layer is named, not shown.
    let elsewhere = problem
        .spots
        .iter()
        .filter(|pair| Some(pair.0.layer) != layer);
    let elsewhere =
        elsewhere.map(|(spot, label)| format!("{label}: {}", place_of(&problems.layers, *spot)));
    let help: Vec<_> = problem.help.iter().cloned().chain(elsewhere).collect();
    let mut report = Level::ERROR.primary_title(&problem.sentence).elements(
        layer
            .and_then(|layer| problems.layers.get(layer))
            .map(|value| {
                let source = Snippet::source(&value.text).path(&value.name);
                source.annotations(marks)
            }),
    );
    if !help.is_empty() {
        report = report.element(Level::HELP.message(help.join("; ")));
    }
    format!("{}\n\n", renderer.render(&[report]))
}

/// The last line: the number of problems.
pub(crate) fn verdict(problems: &Problems) -> String {
    match problems.list.len() {
        1 => "the description has 1 problem".to_owned(),
        many => format!("the description has {many} problems"),
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
