//! What a check could not judge, and why: it is part of the verdict. Used when all postures have been tried.
//! The law: what nobody looked at is never passed over in silence.

use guests::CheckedComponent;

use super::rehearsal::Outcome;
use super::rule::Rule;
use super::touch::Touch;
use super::{Terms, words};
use description::{LinkSpec, Robot};

/// Whether it may have sent nothing because nothing has happened: it finds its actuators, and hears of sensors or of
/// events.
pub(super) fn waits_for_something(whole: &Outcome, read: &Option<CheckedComponent>) -> bool {
    let imports = read.iter().flat_map(|it| &it.imports);
    let mut hears = imports.filter(|it| it.0.contains("/sensors@") || it.0.contains("/events@"));
    whole.found && hears.next().is_some()
}

/// What nobody could judge, and why.
pub(super) fn unjudged(
    robot: &Robot,
    whole: &Outcome,
    read: &Option<CheckedComponent>,
    terms: &Terms,
) -> Vec<String> {
    let name = &robot.name;
    let judged = |rule: Rule| !terms.allowed.contains(&rule);
    let mut all = Vec::new();
    if judged(Rule::Touch) && !robot.links.iter().any(LinkSpec::has_shape) {
        let shapes = "has no shapes (`capsules` or `hulls` of its links)";
        all.push(format!(
            "whether it touches itself: the description of {name} {shapes}"
        ));
    }
    if judged(Rule::Touch) {
        let touch = Touch::of(robot);
        let name = |link: usize| robot.links[link].name.as_str();
        let pairs = touch.unjudged().iter();
        let pairs: Vec<_> = pairs
            .map(|(one, other)| format!("{} and {}", name(*one), name(*other)))
            .collect();
        if !pairs.is_empty() {
            all.push(format!(
                "whether these touch, which are inside of each other in a posture of the description, and have only \
                 links without shapes between them: {}",
                listed(&pairs)
            ));
        }
    }
    if judged(Rule::Balance) {
        if robot.links.iter().all(|it| it.sole.is_empty()) {
            all.push(format!(
                "whether it stands: the description of {name} has no soles (`sole` of its links)"
            ));
        } else if robot.links.iter().all(|it| it.mass <= 0.0) {
            all.push(format!(
                "whether it stands: the description of {name} has no masses"
            ));
        }
    }
    if whole.stood.without > 0.05 {
        all.push(format!(
            "whether it stands, for {} of all plays: no sole was on the ground",
            words::seconds(whole.stood.without)
        ));
    }
    if let Some((from, joint)) = &whole.limp {
        all.push(format!(
            "what becomes of the body from {} on: `{joint}` carries it, and is limp",
            words::seconds(*from)
        ));
    }
    if !whole.moved && waits_for_something(whole, read) {
        let what = "what it does when a sensor or an event says something: nothing happened, and it sent nothing";
        all.push(what.to_owned());
    }
    if !whole.unknown.is_empty() && whole.moved {
        all.push(format!(
            "what it would do with {}: {name} does not have {}",
            listed(&whole.unknown),
            if whole.unknown.len() == 1 {
                "it"
            } else {
                "them"
            }
        ));
    }
    let wasi = read.iter().flat_map(|it| &it.imports);
    if wasi.into_iter().any(|it| it.0.starts_with("wasi:")) {
        all.push(
            "what it does with clocks, chance and files: another time these are others".to_owned(),
        );
    }
    for rule in &terms.allowed {
        all.push(format!("`{}`: it is allowed", rule.name()));
    }
    all
}

/// A few names.
pub(super) fn listed(names: &[String]) -> String {
    const TOLD: usize = 8;
    let told = names.iter().take(TOLD).map(|it| format!("`{it}`"));
    let told = told.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(TOLD) {
        0 => told,
        more => format!("{told} and {more} more"),
    }
}
