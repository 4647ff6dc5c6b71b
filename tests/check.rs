//! `check`, rule by rule: for each a show that just breaks it, and one that just does not.
//!
//! The shows are written as text, for the desk's arm or for NAO, and judged by the library that `check` and
//! `run` share.

use std::sync::{Arc, LazyLock};

use check::{CheckFinding, CheckInput, CheckOptions, CheckReport, Rule, Severity, check};
use description::{Robot, parse};
use tests::play::NAO;
use tests::rig::{check_options, component, full_names};

/// An arm of two joints whose limits are round numbers, without noise, with a foot to stand on.
static ARM: LazyLock<Arc<Robot>> = LazyLock::new(|| Arc::new(arm(100)));

const BODY: &str = r#"
format = 1
name = "arm"
period = "10ms"
[boards]
B = { driver = "sim" }
[defaults.joints]
position = { noise = 0 }
motor = { torque = 100, speed = 50 }
[joints]
Lift = { board = "B", range = [-2, 2], velocity = 2, rest = 0, stiffness = { range = [0, 1] } }
Bend = { board = "B", range = [-3, 3], velocity = 2, rest = 0 }
Soft = { board = "B", range = [-2, 2], velocity = 4, acceleration = 10, rest = 0 }
[poses]
high = { Lift = 1 }
[[couplings]]
driver = "Lift"
driven = "Bend"
rows = [{ at = -2, range = [-3, 3] }, { at = 1, range = [-3, 3] }, { at = 2, range = [-1, 1] }]
[links.base]
mass = 100
sole = [[0.1, 0.1, 0], [0.1, -0.1, 0], [-0.1, -0.1, 0], [-0.1, 0.1, 0]]
capsules = [{ from = [0, 0, 0.05], to = [0, 0, 0.1], radius = 0.08 }]
[links.upper]
parent = "base"
joint = "Lift"
origin = { at = [0, 0, 0.2] }
axis = [0, 1, 0]
mass = 0
centre = [0, 0, 0.1]
capsules = [{ from = [0, 0, 0], to = [0, 0, 0.3], radius = 0.02 }]
[links.hand]
parent = "upper"
joint = "Bend"
origin = { at = [0, 0, 0.3] }
axis = [0, 1, 0]
mass = 1
centre = [0, 0, 0.2]
capsules = [{ from = [0, 0, 0.05], to = [0, 0, 0.3], radius = 0.02 }]
"#;

fn arm(mass: u32) -> Robot {
    let text = BODY.replace("mass = 100", &format!("mass = {mass}"));
    parse("arm", &text).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Judges a show on the arm, from rest and from its poses.
fn judged(text: &str) -> CheckReport {
    judged_on(&ARM, text)
}

fn judged_on(robot: &Arc<Robot>, text: &str) -> CheckReport {
    on(
        robot,
        text,
        &CheckOptions {
            random_postures: 0,
            play_for: Some(6.0),
            ..check_options()
        },
    )
}

fn on(robot: &Arc<Robot>, text: &str, terms: &CheckOptions) -> CheckReport {
    let bytes = component(text);
    let show = CheckInput {
        name: "show",
        bytes: &bytes,
    };
    check(robot, &show, terms).expect("a machine that can check")
}

/// The rules that it breaks, and no others.
fn broken(checked: &CheckReport) -> Vec<&'static str> {
    let mut rules: Vec<_> = checked
        .verdict
        .findings
        .iter()
        .map(|finding| finding.rule.name())
        .collect();
    rules.dedup();
    rules
}

fn only(checked: &CheckReport, rule: Rule) -> &CheckFinding {
    assert_eq!(
        broken(checked),
        [rule.name()],
        "{:#?}",
        checked.verdict.findings
    );
    let finding = &checked.verdict.findings[0];
    assert!(!finding.sentence.is_empty() && !finding.fix.is_empty());
    finding
}

fn sound(checked: &CheckReport) {
    assert_eq!(broken(checked), [""; 0], "{:#?}", checked.verdict.findings);
    assert!(checked.verdict.passes);
}

/// A motion that sends these commands in its first turn, and lives for this many turns. In the text, `$now` is the
/// instant of the first turn, and `(call $to JOINT VALUE MS)` sends a command; the joints are 0 Lift, 1 Bend, 2 Soft, 3
/// the stiffness of Lift.
fn motion(turns: u32, says: &str) -> String {
    with(turns, says, "")
}

fn with(turns: u32, says: &str, every_turn: &str) -> String {
    format!(
        r#"(module
        (import "dcm/body" "find-actuator" (func $find (param i32 i32) (result i32)))
        (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
        (import "dcm/clock" "now" (func $clock (result i64)))
        (import "dcm/events" "topic" (func $topic (param i32 i32) (result i32)))
        (import "dcm/events" "post" (func $post (param i32 f64) (result i32)))
        (memory (export "memory") 1)
        (data (i32.const 0) "LiftBendSoftLift/Hardness/Actuator/Value")
        (global $turns (mut i32) (i32.const 0))
        (global $now (mut i64) (i64.const 0))
        (func $joint (param $place i32) (result i32)
          (if (i32.eq (local.get $place) (i32.const 3))
            (then (return (call $find (i32.const 12) (i32.const 28)))))
          (call $find (i32.mul (local.get $place) (i32.const 4)) (i32.const 4)))
        (global $j0 (mut i32) (i32.const 0)) (global $j1 (mut i32) (i32.const 0))
        (global $j2 (mut i32) (i32.const 0)) (global $j3 (mut i32) (i32.const 0))
        (global $topic (mut i32) (i32.const 0))
        (func $to (param $joint i32) (param $value f64) (param $ms i32)
          (drop (call $set
            (select
              (select (global.get $j0) (global.get $j1) (i32.eq (local.get $joint) (i32.const 0)))
              (select (global.get $j2) (global.get $j3) (i32.eq (local.get $joint) (i32.const 2)))
              (i32.lt_u (local.get $joint) (i32.const 2)))
            (local.get $value)
            (i64.add (global.get $now)
              (i64.mul (i64.extend_i32_s (local.get $ms)) (i64.const 1000000))))))
        (func (export "start")
          (global.set $topic (call $topic (i32.const 0) (i32.const 4)))
          (global.set $j0 (call $joint (i32.const 0))) (global.set $j1 (call $joint (i32.const 1)))
          (global.set $j2 (call $joint (i32.const 2))) (global.set $j3 (call $joint (i32.const 3))))
        (func (export "pre-process") (local $i i32)
          (if (i32.eqz (global.get $turns)) (then (global.set $now (call $clock)) {says}))
          {every_turn}
          (global.set $turns (i32.add (global.get $turns) (i32.const 1))))
        (func (export "is-alive") (result i32) (i32.lt_u (global.get $turns) (i32.const {turns}))))"#
    )
}

/// Moves `joint` to this value, this many ms after the start.
fn to(joint: u32, value: f64, ms: i32) -> String {
    format!("(call $to (i32.const {joint}) (f64.const {value}) (i32.const {ms}))")
}

/// The first move goes slowly back to rest, so that the next one is not the first key.
fn settled(joint: u32) -> String {
    to(joint, 0.0, 1000)
}

#[test]
fn a_sound_show_passes_and_is_told_of() {
    let checked = judged(&motion(
        250,
        &(settled(0) + &to(0, 0.5, 1500) + &to(0, 0.0, 2000)),
    ));
    sound(&checked);
    let facts = &checked.verdict.facts;
    let names: Vec<_> = facts.plays.iter().map(|item| item.start.as_str()).collect();
    assert_eq!(names, ["rest", "rest", "high"]);
    assert!((facts.plays[0].lasted - 2.5).abs() < 0.05 && facts.plays[0].ended);
    assert_eq!(facts.plays[0].commands, 3);
    assert!(
        facts
            .hooks
            .iter()
            .any(|hook| hook.hook == "pre-process" && hook.calls >= 750)
    );
    assert!(checked.history.times.len() > 200);
}

#[test]
fn range() {
    // Down so far that it touches its base, which breaks another rule.
    let terms = CheckOptions {
        random_postures: 0,
        allowed: vec![Rule::Touch],
        ..check_options()
    };
    let at = |value| {
        let says = settled(1) + &to(1, value, 2500) + &to(1, 0.0, 5000);
        on(&ARM, &motion(550, &says), &terms)
    };
    sound(&at(3.0));
    // What a file has rounded is only a warning.
    let checked = at(3.000_9);
    assert_eq!(only(&checked, Rule::Range).severity, Severity::Warning);
    assert!(checked.verdict.passes);
    let checked = at(3.001_1);
    assert!(!checked.verdict.passes);
    let finding = only(&checked, Rule::Range);
    assert_eq!((finding.who.as_str(), finding.limit), ("Bend", Some(3.0)));
    assert!((finding.at.expect("an instant") - 2.5).abs() < 0.02);
}

#[test]
fn velocity() {
    let within = |ms| {
        judged(&motion(
            300,
            &(settled(0) + &to(0, 1.0, 1000 + ms) + &to(0, 0.0, 2800)),
        ))
    };
    sound(&within(500));
    let checked = within(490);
    let finding = only(&checked, Rule::Velocity);
    assert_eq!((finding.who.as_str(), finding.limit), ("Lift", Some(2.0)));
    assert!((finding.value.expect("a speed") - 1.0 / 0.49).abs() < 1e-6);
    assert!((finding.at.expect("an instant") - 1.0).abs() < 0.02);
    assert!(finding.fix.contains("to 0.5 s"), "{}", finding.fix);
}

#[test]
fn reach() {
    // From `high` it is 1 rad, which takes half a second; a command's line begins at the turn before it.
    let after = |ms| judged(&motion(150, &to(0, 0.0, ms)));
    sound(&after(490));
    let checked = after(480);
    let finding = only(&checked, Rule::Reach);
    assert_eq!(
        (finding.who.as_str(), finding.starts.as_slice()),
        ("Lift", &["high".to_owned()][..])
    );
    assert!(
        finding.sentence.contains("takes 0.5 s"),
        "{}",
        finding.sentence
    );
}

#[test]
fn acceleration() {
    // A change of speed from 0 to v cuts the corner by v²/2a: a hundredth of the range at 0.894 rad/s.
    let fast = |v: f64| {
        judged(&motion(
            550,
            &(settled(2) + &to(2, v, 2000) + &to(2, v, 3000) + &to(2, 0.0, 5000)),
        ))
    };
    sound(&fast(0.8));
    assert_eq!(only(&fast(1.0), Rule::Acceleration).who, "Soft");
}

/// An acceleration that is only derived limits nothing: where the same one that is known is a failure, it is a warning.
#[test]
fn derived_acceleration() {
    let with_acceleration = |derived| {
        let mut robot = arm(100);
        robot.actuators[2].acceleration = f64::INFINITY;
        robot.actuators[2].derived_acceleration = derived;
        Arc::new(robot)
    };
    let fast = |robot, v: f64| {
        let says = settled(2) + &to(2, v, 2000) + &to(2, v, 3000) + &to(2, 0.0, 5000);
        judged_on(robot, &motion(550, &says))
    };
    let names = |checked: &CheckReport, joint: &str| {
        let mut all = checked.verdict.unjudged.iter();
        all.any(|item| item.contains("`acceleration`") && item.contains(joint))
    };
    let derived = with_acceleration(10.0);
    sound(&fast(&derived, 0.8));
    let checked = fast(&derived, 1.0);
    let finding = only(&checked, Rule::Acceleration);
    assert_eq!(
        (&*finding.who, finding.severity),
        ("Soft", Severity::Warning)
    );
    assert!(
        finding.sentence.contains("an estimate"),
        "{}",
        finding.sentence
    );
    assert!(checked.verdict.passes && !names(&checked, "Soft") && names(&checked, "Lift"));
    let checked = fast(&with_acceleration(f64::INFINITY), 1.9);
    sound(&checked);
    assert!(names(&checked, "Soft"));
}

#[test]
fn coupled() {
    // Where Lift is at 1.5, Bend may go to 2.
    let bent = |value| {
        let says = to(0, 1.5, 1500) + &to(1, 0.0, 1500) + &to(1, value, 3000) + &to(1, 0.0, 4500);
        judged(&motion(500, &says))
    };
    sound(&bent(2.0));
    assert_eq!(only(&bent(2.01), Rule::Coupled).who, "Bend");
}

#[test]
fn fault_and_fuel() {
    let traps = |turn| {
        let every =
            format!("(if (i32.eq (global.get $turns) (i32.const {turn})) (then unreachable))");
        judged(&with(100, &to(0, 0.0, 500), &every))
    };
    sound(&traps(100));
    let checked = traps(99);
    assert!((only(&checked, Rule::Fault).at.expect("an instant") - 0.99).abs() < 0.02);
    // Each turn of its loop costs the same, so the number of turns determines the share of the fuel.
    let burns = |loops: u32| {
        let every = format!(
            "(local.set $i (i32.const {loops})) (loop $more (local.set $i (i32.sub (local.get $i) \
             (i32.const 1))) (br_if $more (local.get $i)))"
        );
        judged(&with(100, &to(0, 0.0, 500), &every))
    };
    let used = |checked: &CheckReport| {
        let hooks = &checked.verdict.facts.hooks;
        let hook = hooks
            .iter()
            .find(|hook| hook.hook == "pre-process")
            .expect("it was called");
        hook.most as f64 / checked.verdict.facts.fuel as f64
    };
    let (few, many) = (used(&burns(10_000)), used(&burns(20_000)));
    let per_loop = (many - few) / 10_000.0;
    let for_share = |share: f64| (10_000.0 + (share - few) / per_loop) as u32;
    sound(&burns(for_share(0.799)));
    let nearly = burns(for_share(0.801));
    assert_eq!(only(&nearly, Rule::Fuel).severity, Severity::Warning);
    assert!(nearly.verdict.passes);
    let dry = burns(for_share(1.01));
    let finding = dry
        .verdict
        .findings
        .iter()
        .find(|finding| finding.severity == Severity::Failure);
    assert_eq!(finding.map(|finding| finding.rule), Some(Rule::Fuel));
    assert!(!dry.verdict.passes);
}

#[test]
fn a_fault_says_what_it_was_and_so_does_that_of_a_stop() {
    let every = "(if (i32.eq (global.get $turns) (i32.const 9)) (then unreachable))";
    let checked = judged(&with(100, &to(0, 0.0, 500), every));
    let said = &only(&checked, Rule::Fault).sentence;
    assert!(
        said.contains(" s: wasm `unreachable` instruction executed"),
        "{said}"
    );
    let text = motion(100, &to(0, 0.0, 500));
    let text = text.replace(
        "(func (export \"start\")",
        "(func (export \"stop\") unreachable) (func (export \"start\")",
    );
    let checked = judged(&text);
    let sentence = &only(&checked, Rule::Fault).sentence;
    assert!(
        sentence.starts_with("it failed at its end, in `stop`: wasm `unreachable`"),
        "{sentence}"
    );
}

#[test]
fn memory_that_it_did_not_get_is_told_although_it_goes_on() {
    let ask = "(drop (memory.grow (i32.const 3)))";
    let every = format!("(if (i32.le_s (global.get $turns) (i32.const 2)) (then {ask}))");
    let checked = judged(&with(100, &to(0, 0.0, 500), &every));
    let finding = only(&checked, Rule::Memory);
    assert!(
        finding.sentence.starts_with("its memory could not grow, ")
            && finding.fix.starts_with("`memory = "),
        "{finding:?}"
    );
    assert!(checked.verdict.passes);
}

#[test]
fn what_has_failed_is_not_said_to_send_nothing() {
    let checked = judged(&with(100, "", "unreachable"));
    only(&checked, Rule::Fault);
    assert_eq!(broken(&checked), ["fault"]);
}

#[test]
fn a_fault_names_its_function_as_the_author_wrote_it() {
    let names = [
        ("turn_arm", "turn_arm"),
        ("w", "w"),
        // As Rust's old and new scheme and as C++ write them.
        ("_ZN4mine5reach17h0123456789abcdefE", "mine::reach"),
        ("_RNvCsabc_4mine5reach", "mine::reach"),
        ("_ZN4mine5reachEi", "mine::reach(int)"),
        // What would turn a line around is left out.
        ("a\\u{202e}b", "a b"),
    ];
    for (symbol, told) in names {
        let every = "(if (i32.eq (global.get $turns) (i32.const 9)) (then (call $deep)))";
        let text = with(100, &to(0, 0.0, 500), every);
        let function = format!("(func $deep (@name \"{symbol}\") unreachable) (memory");
        let checked = judged(&text.replacen("(memory", &function, 1));
        let text = &only(&checked, Rule::Fault).sentence;
        let sentence = format!("instruction executed, in `{told}`");
        assert!(text.ends_with(&sentence), "{text}");
    }
}

#[test]
fn names() {
    let text = motion(100, &to(0, 0.0, 500));
    sound(&judged(&text));
    let checked = judged(&text.replace("LiftBend", "LiftBund"));
    let finding = only(&checked, Rule::Names);
    assert_eq!(
        finding.sentence,
        "arm has no actuator or alias `Bund`, which it looks up"
    );
    assert_eq!(finding.fix, "use `Bend`, if that is meant");
    assert!(checked.verdict.passes);
    // A sensor, of which it reads the first three letters of a name.
    let text = text
        .replace(
            "(memory",
            "(import \"dcm/body\" \"find-sensor\" (func $sensor (param i32 i32) (result i32))) (memory",
        )
        .replace(
            "(func (export \"start\")",
            "(func (export \"start\") (drop (call $sensor (i32.const 0) (i32.const 3)))",
        );
    let checked = judged(&text);
    let finding = only(&checked, Rule::Names);
    assert_eq!(
        finding.sentence,
        "arm has no sensor `Lif`, which it looks up"
    );
}

/// Of three lines in the same direction, one is too fast: that one is named, with its own speed and key.
#[test]
fn the_line_that_is_too_fast_is_the_one_that_is_told() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..8 {
        // From -1.5 to 1.5 in three lines, of which the second is faster than 2 rad/s.
        let (slow, fast) = (0.1 + 0.5 * random.f64(), 2.7 + 2.0 * random.f64());
        let lasts = [1500, 200 + 10 * random.i32(0..10), 800];
        let first = -1.5 + slow * f64::from(lasts[0]) / 1e3;
        let second = first + fast * f64::from(lasts[1]) / 1e3;
        let begin = 2000;
        let says = to(0, -1.5, begin)
            + &to(0, first, begin + lasts[0])
            + &to(0, second, begin + lasts[0] + lasts[1])
            + &to(0, second + 0.1, begin + lasts[0] + lasts[1] + lasts[2]);
        let checked = judged(&motion(550, &says));
        let finding = only(&checked, Rule::Velocity);
        let (value, at) = (
            finding.value.expect("a speed"),
            finding.at.expect("an instant"),
        );
        assert!((value - fast).abs() < 0.01, "{value} {fast}");
        let kink = f64::from(begin + lasts[0]) / 1e3;
        assert!(
            (at - kink).abs() < 0.03,
            "{at} {kink}: {}",
            finding.sentence
        );
    }
}

#[test]
fn touch() {
    // The hand is beside the base, half a turn away; it comes down when Bend is far enough.
    let folded = |bend: f64| {
        let says = to(0, 1.0, 1000) + &to(1, 1.0, 1000) + &to(0, 1.0, 2000) + &to(1, bend, 2000);
        on(
            &ARM,
            &motion(300, &says),
            &CheckOptions {
                random_postures: 0,
                play_for: Some(6.0),
                allowed: vec![Rule::Balance],
                ..check_options()
            },
        )
    };
    let (mut apart, mut touching) = (2.0, 3.0);
    assert!(
        broken(&folded(touching)).contains(&"touch"),
        "{:#?}",
        folded(touching).verdict
    );
    while touching - apart > 1e-3 {
        let middle = f64::midpoint(apart, touching);
        if broken(&folded(middle)).contains(&"touch") {
            touching = middle;
        } else {
            apart = middle;
        }
    }
    sound(&folded(apart));
    let checked = folded(touching);
    let finding = only(&checked, Rule::Touch);
    assert_eq!(finding.who, "base and hand");
    assert!(finding.value.expect("a depth") > -0.002);
}

#[test]
fn balance() {
    // Half of the mass is in the hand, 0.5 m above the joint: it may move out by 0.2 m.
    let edge = (0.2f64 / 0.5).asin();
    let leaning = |angle: f64| {
        let says = to(0, 0.0, 1000) + &to(0, angle, 21_000) + &to(0, 0.0, 41_000);
        let arm = Arc::new(arm(1).without("high"));
        on(
            &arm,
            &motion(4300, &says),
            &CheckOptions {
                random_postures: 0,
                play_for: Some(60.0),
                ..check_options()
            },
        )
    };
    // The centre of mass is 0.25 m above the joint: what one more rad takes from the margin.
    let inside = |margin: f64| edge - margin / (0.25 * edge.cos());
    sound(&leaning(inside(0.011)));
    let warned = leaning(inside(0.008));
    let finding = only(&warned, Rule::Balance);
    assert_eq!(finding.severity, Severity::Warning);
    assert!(
        (finding.value.expect("a margin") - 0.008).abs() < 5e-4,
        "{finding:?}"
    );
    assert!(warned.verdict.passes);
    assert!((warned.verdict.facts.margin.expect("a margin") - 0.008).abs() < 5e-4);
    let finding = leaning(inside(0.003)).verdict.findings.remove(0);
    assert_eq!(finding.severity, Severity::Failure);
    assert!(
        finding.sentence.contains("5 mm is the least"),
        "{finding:?}"
    );
    let checked = leaning(edge + 0.02);
    let finding = only(&checked, Rule::Balance);
    assert!(
        (finding.at.expect("an instant") - 21.0).abs() < 0.05,
        "{finding:?}"
    );
    assert!(finding.sentence.contains("outside of the soles"));
}

#[test]
fn tipping() {
    // Out and back by the same path, well within the soles: slowly it stands; within a fifth of a second it falls over.
    let going = |ms: i32| {
        let says = to(0, 0.0, 1000) + &to(0, 0.3, 1000 + ms) + &to(0, 0.0, 1000 + 2 * ms);
        let mut arm = arm(1).without("high");
        arm.actuators[0].velocity = 50.0;
        let terms = CheckOptions {
            random_postures: 0,
            play_for: Some(30.0),
            ..check_options()
        };
        on(&Arc::new(arm), &motion(2500, &says), &terms)
    };
    sound(&going(9000));
    let thrown = going(100);
    let finding = only(&thrown, Rule::Tipping);
    assert!(
        finding.sentence.contains("zero-moment point"),
        "{finding:?}"
    );
    assert!(!thrown.verdict.passes);
}

/// A robot without one of its poses.
trait Without {
    fn without(self, pose: &str) -> Self;
}

impl Without for Robot {
    fn without(mut self, pose: &str) -> Robot {
        self.poses.retain(|pair| pair.0 != pose);
        self
    }
}

#[test]
fn settings() {
    let left = |value| judged(&motion(150, &(to(3, 0.5, 500) + &to(3, value, 1000))));
    let before = judged(&motion(50, ""));
    sound(&before);
    sound(&left(1.0));
    let checked = left(0.99);
    let finding = only(&checked, Rule::Settings);
    assert_eq!((finding.value, finding.limit), (Some(0.99), Some(1.0)));
    assert_eq!(finding.who, "LiftStiffness");
}

#[test]
fn late() {
    let every = |ms: i32| {
        let command = to(0, 0.0, ms);
        judged(&with(
            60,
            &to(0, 0.0, 500),
            &format!("(if (i32.eq (global.get $turns) (i32.const 50)) (then {command}))"),
        ))
    };
    sound(&every(500));
    let checked = every(499);
    let finding = only(&checked, Rule::Late);
    assert!((finding.value.expect("a time") - 0.001).abs() < 1e-9);
    assert!(checked.verdict.passes, "a warning");
    assert_eq!(finding.severity, Severity::Warning);
}

#[test]
fn events() {
    let posts = |each: u32| {
        let every = "(drop (call $post (global.get $topic) (f64.const 1)))".repeat(each as usize);
        judged(&with(250, &to(0, 0.0, 500), &every))
    };
    sound(&posts(2));
    only(&posts(3), Rule::Events);
}

#[test]
fn full() {
    // A command buffer has room for 4,096 items.
    let floods = |each: u32| {
        let command =
            "(call $to (i32.const 0) (f64.const 0) (i32.add (i32.const 500) (local.get $i)))";
        let all = format!(
            "(loop $more {command} (local.set $i (i32.add (local.get $i) (i32.const 1)))
             (br_if $more (i32.lt_u (local.get $i) (i32.const {each}))))"
        );
        judged(&motion(250, &all))
    };
    sound(&floods(4_095));
    only(&floods(4_097), Rule::Full);
}

#[test]
fn ends() {
    let for_turns = |turns| judged(&motion(turns, &to(0, 0.0, 500)));
    sound(&for_turns(595));
    let finding = for_turns(610);
    assert_eq!(only(&finding, Rule::Ends).severity, Severity::Warning);
    let says = motion(610, &to(0, 0.0, 500)).replace(
        "(module",
        "(module (@custom \"dcm:manifest\" \"loops = true\")",
    );
    let checked = judged(&says);
    sound(&checked);
    assert!(checked.verdict.facts.loops);
}

#[test]
fn repeat() {
    // State that stays in the body: it is turned a little further each time.
    let turns = |step: f64| {
        let sent = format!(
            r#"(module
            (import "dcm/body" "find-actuator" (func $find (param i32 i32) (result i32)))
            (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
            (import "dcm/lane" "sent" (func $sent (param i32) (result f64)))
            (import "dcm/clock" "now" (func $now (result i64)))
            (memory (export "memory") 1)
            (data (i32.const 0) "Bend")
            (global $turns (mut i32) (i32.const 0))
            (global $bend (mut i32) (i32.const 0))
            (func (export "start") (global.set $bend (call $find (i32.const 0) (i32.const 4))))
            (func (export "pre-process")
              (if (i32.eqz (global.get $turns)) (then
                (drop (call $set (global.get $bend) (f64.add (call $sent (global.get $bend)) (f64.const {step}))
                  (i64.add (call $now) (i64.const 1500000000))))))
              (global.set $turns (i32.add (global.get $turns) (i32.const 1))))
            (func (export "is-alive") (result i32) (i32.lt_u (global.get $turns) (i32.const 200))))"#
        );
        judged(&sent)
    };
    sound(&turns(1.5));
    let checked = turns(1.51);
    let finding = only(&checked, Rule::Repeat);
    assert!(
        finding.sentence.starts_with("the second time"),
        "{}",
        finding.sentence
    );
}

#[test]
fn contract() {
    let bytes = wat::parse_str(full_names(&motion(10, ""))).expect("a module");
    let show = CheckInput {
        name: "show",
        bytes: &bytes,
    };
    let checked = check(&ARM, &show, &check_options()).expect("a machine that can check");
    let finding = only(&checked, Rule::Contract);
    assert!(finding.fix.contains("dcm-run build"), "{}", finding.fix);
    assert!(!checked.verdict.passes);
    sound(&judged(&motion(10, "")));
}

#[test]
fn hang() {
    let within = |ms| {
        let terms = CheckOptions {
            random_postures: 0,
            play_for: Some(1e6),
            time_limit: std::time::Duration::from_millis(ms),
            ..check_options()
        };
        on(&ARM, &motion(u32::MAX, ""), &terms)
    };
    let began = std::time::Instant::now();
    let checked = within(300);
    assert!(broken(&checked).contains(&"hang"), "{:?}", checked.verdict);
    assert!(began.elapsed().as_secs() < 20);
    // If postures were not tried, the check does not pass, even if those that were tried are fine.
    let terms = CheckOptions {
        random_postures: 0,
        time_limit: std::time::Duration::ZERO,
        ..check_options()
    };
    let brief = on(&ARM, &motion(10, ""), &terms);
    assert_eq!(broken(&brief), ["hang"], "{:#?}", brief.verdict);
    assert!(!brief.verdict.passes);
}

#[test]
fn an_endless_score_that_burns_its_fuel_first_breaks_the_same_rule() {
    // With the time that a check has by default, it is the fuel that ends it.
    let text = "(module (func (export \"run\") (local i64) (loop (br 0))))";
    let terms = CheckOptions {
        random_postures: 0,
        ..check_options()
    };
    let checked = on(&ARM, text, &terms);
    let finding = only(&checked, Rule::Endless);
    assert!(finding.fix.contains("`sleep-until`"), "{}", finding.fix);
    assert!(!checked.verdict.passes);
}

#[test]
fn endless() {
    let text = "(module (func (export \"run\") (loop (br 0))))";
    for seconds in [1, 3] {
        let terms = CheckOptions {
            time_limit: std::time::Duration::from_secs(seconds),
            ..check_options()
        };
        let checked = on(&ARM, text, &terms);
        let finding = only(&checked, Rule::Endless);
        assert!(
            finding
                .sentence
                .starts_with("it computes without end, at 0"),
            "{}",
            finding.sentence
        );
        assert!(!checked.verdict.passes);
    }
}

#[test]
fn rules_may_be_allowed_and_warnings_made_to_count() {
    let text = motion(610, &to(0, 0.0, 480));
    let terms = |allowed: &[Rule], strict| CheckOptions {
        random_postures: 0,
        play_for: Some(6.0),
        allowed: allowed.to_vec(),
        strict,
        ..check_options()
    };
    let plain = on(&ARM, &text, &terms(&[], false));
    assert_eq!(broken(&plain), ["reach", "ends"]);
    assert!(!plain.verdict.passes);
    let allowed = on(&ARM, &text, &terms(&[Rule::Reach], false));
    assert!(allowed.verdict.passes && broken(&allowed) == ["ends"]);
    let strict = on(&ARM, &text, &terms(&[Rule::Reach], true));
    assert!(!strict.verdict.passes);
    assert!(
        on(&ARM, &text, &terms(&[Rule::Reach, Rule::Ends], true))
            .verdict
            .passes
    );
}

/// The choreographies in this repository keep every rule, from any posture.
#[test]
fn the_shipped_choreographies_pass() {
    for name in [
        "balance", "blink", "breathe", "dance", "greet", "stand-up", "wave",
    ] {
        let path = format!(
            "{}/../choreographies/{name}/{name}.wasm",
            env!("CARGO_MANIFEST_DIR")
        );
        let bytes = std::fs::read(path).expect("a component");
        let show = CheckInput {
            name,
            bytes: &bytes,
        };
        let terms = CheckOptions {
            random_postures: 0,
            play_for: Some(20.0),
            ..check_options()
        };
        let checked = check(&NAO, &show, &terms).expect("a machine that can check");
        if name == "dance" {
            assert_eq!(broken(&checked), ["ends"], "it takes a minute");
        } else {
            sound(&checked);
        }
    }
}

/// Random postures are the same for the same seed, and findings from them are only warnings.
#[test]
fn the_same_seed_gives_the_same_verdict() {
    let text = motion(150, &to(0, 0.0, 600));
    let of = |seed| {
        let terms = CheckOptions {
            random_postures: 4,
            seed,
            play_for: Some(6.0),
            ..check_options()
        };
        serde_json::to_string(&on(&ARM, &text, &terms).verdict.findings).expect("JSON")
    };
    assert_eq!(of(1), of(1));
    assert!(of(1).contains("random posture"), "{}", of(1));
    assert!(!of(1).contains("failure"), "{}", of(1));
    assert_ne!(of(1), of(2));
}
