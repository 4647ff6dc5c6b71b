//! What a check could not judge, and why: it is part of the verdict. Used when all postures have been tried.
//! What nobody looked at is never passed over in silence.

use cycle::Kind;
use description::{ActuatorSpec, LinkSpec, Robot};
use drivers::sim::BodyStart;
use guests::CheckedComponent;

use super::CheckOptions;
use super::collision::CollisionDetector;
use super::format::seconds;
use super::rule::Rule;
use super::simulation::SimulationResult;

/// Whether it may have sent nothing because nothing has happened: it found its actuators, and it imports sensors or
/// events.
pub(super) fn waits_for_something(
    total: &SimulationResult,
    component: Option<&CheckedComponent>,
) -> bool {
    let imports = component.into_iter().flat_map(|item| &item.imports);
    let mut hears =
        imports.filter(|import| import.0.contains("/sensors@") || import.0.contains("/events@"));
    total.found_actuator && hears.next().is_some()
}

/// What nobody could judge, and why.
pub(super) fn unjudged(
    robot: &Robot,
    total: &SimulationResult,
    component: Option<&CheckedComponent>,
    options: &CheckOptions,
) -> Vec<String> {
    let judged = |rule: Rule| !options.allowed.contains(&rule);
    let mut all = Vec::new();
    if judged(Rule::Acceleration) {
        all.extend(without_acceleration(robot));
    }
    if judged(Rule::Touch) {
        all.extend(without_shapes(robot));
        all.extend(inseparable_links(robot));
    }
    if judged(Rule::Balance) {
        all.extend(without_soles(robot));
    }
    if !robot.physics && judged(Rule::Fall) && robot.links.iter().any(|link| !link.sole.is_empty())
    {
        all.push(
            "whether it falls, slips or strains motors by its weight: it has no physics here"
                .to_owned(),
        );
    }
    if let Some(at) = total.body_stopped {
        let when = seconds(at);
        all.push(format!(
            "what the show does after {when}, and a second time: the body stopped"
        ));
    }
    if robot.physics && robot.start != BodyStart::Standing && judged(Rule::Fall) {
        all.push("whether it falls: the body does not stand when the show begins".to_owned());
    }
    all.extend(without_support(total));
    all.extend(surroundings(total, component));
    let allowed = options.allowed.iter();
    all.extend(allowed.map(|allowed| format!("`{}`: this rule is allowed", allowed.name())));
    all
}

/// Changes of speed of joints whose acceleration nobody has described.
fn without_acceleration(robot: &Robot) -> Option<String> {
    let is_unknown = |spec: &&ActuatorSpec| {
        spec.kind == Kind::Joint
            && spec.acceleration.is_infinite()
            && spec.derived_acceleration.is_infinite()
    };
    let joints = robot.actuators.iter().filter(is_unknown);
    let joints: Vec<_> = joints.map(|joint| joint.name.clone()).collect();
    (!joints.is_empty()).then(|| {
        format!(
            "whether motors can change their speed so fast: these joints have no `acceleration` in the description: {}",
            listed(&joints)
        )
    })
}

/// Self-collision of a body without shapes.
fn without_shapes(robot: &Robot) -> Option<String> {
    let name = &robot.name;
    let shapes = "has no shapes (`capsules` or `hulls` of its links)";
    (!robot.links.iter().any(LinkSpec::has_shape))
        .then(|| format!("whether it collides with itself: the description of {name} {shapes}"))
}

/// Self-collision of links that overlap in the description.
fn inseparable_links(robot: &Robot) -> Option<String> {
    let collision = CollisionDetector::of(robot);
    let name = |link: usize| robot.links[link].name.as_str();
    let pairs = collision.unjudged().iter();
    let pairs: Vec<_> = pairs
        .map(|(one, other)| format!("{} and {}", name(*one), name(*other)))
        .collect();
    (!pairs.is_empty()).then(|| {
        format!(
            "whether these links touch: they overlap in a posture of the description, and only links without \
             shapes are between them: {}",
            listed(&pairs)
        )
    })
}

/// Balance of a body without soles or masses.
fn without_soles(robot: &Robot) -> Option<String> {
    let name = &robot.name;
    let missing = if robot.links.iter().all(|link| link.sole.is_empty()) {
        "soles (`sole` of its links)"
    } else if robot.links.iter().all(|link| link.mass <= 0.0) {
        "masses"
    } else {
        return None;
    };
    Some(format!(
        "whether it stands: the description of {name} has no {missing}"
    ))
}

/// Balance while no sole was on the ground, or a joint that carries was limp.
fn without_support(total: &SimulationResult) -> Vec<String> {
    let mut all = Vec::new();
    if total.balance.unsupported > 0.05 {
        all.push(format!(
            "whether it stands, for {} of all runs: no sole was on the ground",
            seconds(total.balance.unsupported)
        ));
    }
    if let Some((from, joint)) = &total.limp {
        all.push(format!(
            "what happens to the body from {} on: `{joint}` carries it, and is limp",
            seconds(*from)
        ));
    }
    all
}

/// What depends on sensors, events, or the outside world.
fn surroundings(total: &SimulationResult, component: Option<&CheckedComponent>) -> Vec<String> {
    let mut all = Vec::new();
    if !total.moved && waits_for_something(total, component) {
        let what = "how it reacts to sensors and events: nothing happened in the check, and it sent nothing";
        all.push(what.to_owned());
    }
    let mut imports = component.into_iter().flat_map(|item| &item.imports);
    if imports.any(|import| {
        ["wasi:clocks/", "wasi:random/"]
            .iter()
            .any(|part| import.0.starts_with(part))
    }) {
        all.push(
            "what it does with clocks and random numbers: they differ from run to run".to_owned(),
        );
    }
    all
}

/// The first names of a list, and how many more there are.
pub(super) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown = names.iter().take(SHOWN).map(|name| format!("`{name}`"));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
