//! `check` and the ground: a body whose legs go limp, one that lifts a foot, and links that meet across others. The
//! shows are lines of CSV for NAO; the expected findings follow from what they do, not from the check.

use std::fmt::Write;
use std::sync::{Arc, LazyLock};

use check::{CheckInput, CheckOptions, CheckReport, Rule, Severity, check};
use description::{Robot, RobotSource, load, parse};
use drivers::sim::BodyStart;
use robot::show;
use tests::play::NAO;
use tests::rig::check_options;

/// The same robot without physics, judged by geometry alone.
static FLOATING: LazyLock<Arc<Robot>> = LazyLock::new(|| {
    Arc::new(Robot {
        physics: false,
        ..Robot::clone(&NAO)
    })
});

/// Checks lines of actuator, time and value.
fn judged(robot: &Arc<Robot>, lines: &str) -> CheckReport {
    let text = format!("actuator,time,value\n{lines}");
    let show =
        show::Show::read("show.csv", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let bytes = show.component().expect("a component");
    let terms = CheckOptions {
        random_postures: 0,
        ..check_options()
    };
    let show = CheckInput {
        name: "show",
        bytes: &bytes,
    };
    check(robot, &show, &terms).expect("a machine that can check")
}

fn of_rule(checked: &CheckReport, rule: Rule, severity: Severity) -> bool {
    let mut findings = checked.verdict.findings.iter();
    findings.any(|finding| finding.rule == rule && finding.severity == severity)
}

/// From its ready posture.
fn ready(at: f64) -> String {
    let pose = NAO.poses.iter().find(|pose| pose.0 == "stand-ready");
    let mut lines = String::new();
    for (actuator, value) in &pose.expect("it is described").1 {
        let name = &NAO.actuators[usize::from(actuator.0)].name;
        writeln!(lines, "{name},{at},{value}").expect("room");
    }
    lines
}

/// If a leg joint is limp while the body stands, and then stiff again, it falls; a head or an arm does not matter. If
/// it ends limp, the check says that the outcome is unknown.
#[test]
fn a_body_with_a_limp_leg_does_not_stand() {
    let mut random = fastrand::Rng::with_seed(17);
    let leg = |name: &str| {
        ["Hip", "Knee", "Ankle"]
            .iter()
            .any(|text| name.contains(text))
    };
    for round in 0..4 * tests::effort() {
        let carries = round % 2 == 0;
        let stiff = |spec: &&description::ActuatorSpec| {
            spec.name.ends_with("Stiffness") && leg(&spec.name) == carries
        };
        let all: Vec<_> = NAO.actuators.iter().filter(stiff).collect();
        let name = &random.choice(&all).expect("one").name;
        let (from, ends) = (3.0 + random.f64(), round / 2 % 2 == 0);
        let mut lines = ready(2.5);
        // A stiffness close to zero carries as little as zero.
        let left = if random.bool() { 0.0 } else { 0.05 };
        write!(lines, "{name},2.5,1\n{name},{from},{left}\n").expect("room");
        if !ends {
            write!(
                lines,
                "{name},{},{left}\n{name},{},1\n",
                from + 2.0,
                from + 3.0
            )
            .expect("room");
        }
        let checked = judged(&FLOATING, &lines);
        let falls = of_rule(&checked, Rule::Balance, Severity::Failure);
        assert_eq!(falls, carries && !ends, "{name}: {:?}", checked.verdict);
        let told = checked.verdict.unjudged.iter();
        let count = told
            .filter(|value| value.contains("carries it, and is limp"))
            .count();
        assert_eq!(
            count > 0,
            carries && ends,
            "{name}: {:?}",
            checked.verdict.unjudged
        );
    }
}

/// With weight the first fall fails a show. A body that lies cannot fall.
#[test]
fn a_body_with_weight_falls_or_stands() {
    let lean = |angle: f64| {
        let mut lines = ready(2.5);
        for side in ["L", "R"] {
            let ankle = format!("{side}AnklePitch");
            write!(
                lines,
                "{ankle},2.5,-0.35\n{ankle},3.5,{angle}\n{ankle},5,-0.35\n"
            )
            .expect("room");
        }
        lines
    };
    let stands = judged(&NAO, &lean(-0.38));
    assert!(
        !of_rule(&stands, Rule::Fall, Severity::Failure),
        "{:?}",
        stands.verdict
    );
    let deep = lean(0.15);
    assert!(of_rule(
        &judged(&FLOATING, &deep),
        Rule::Balance,
        Severity::Failure
    ));
    let falls = judged(&NAO, &deep).verdict;
    let fall = falls
        .findings
        .iter()
        .find(|finding| finding.rule == Rule::Fall);
    let at = fall.expect("a fall").at.expect("an instant");
    assert!((2.5..5.5).contains(&at), "{falls:?}");
    let lying = Arc::new(Robot {
        start: BodyStart::LyingBack,
        ..Robot::clone(&NAO)
    });
    let lies = judged(&lying, &deep);
    for severity in [Severity::Failure, Severity::Warning] {
        assert!(!of_rule(&lies, Rule::Fall, severity), "{:?}", lies.verdict);
    }
}

/// The joints or links of which a rule found something, and when.
fn found(checked: &CheckReport, rule: Rule) -> Vec<(String, f64)> {
    let findings = checked.verdict.findings.iter();
    let findings = findings.filter(|finding| finding.rule == rule);
    let pairs = findings.map(|finding| (finding.who.clone(), finding.at.expect("an instant")));
    pairs.collect()
}

/// Feet that are spread while they carry slip, both alike, if the floor is slippery; those that stand still do not. The
/// caster of a car slides, and is no foot.
#[test]
fn feet_that_are_spread_under_the_body_slip() {
    let on_floor = |friction: f64, hips: f64, ankles: f64| {
        let mut lines = ready(2.5);
        for (side, sign) in [("L", 1.0), ("R", -1.0)] {
            let (hip, ankle) = (sign * hips, sign * ankles);
            write!(
                lines,
                "{side}HipRoll,2.5,0\n{side}HipRoll,4.5,{hip}\n{side}AnkleRoll,2.5,0\n{side}AnkleRoll,4.5,{ankle}\n"
            )
            .expect("room");
        }
        let mut robot = Robot::clone(&NAO);
        for link in &mut robot.links {
            link.friction = friction;
        }
        found(&judged(&Arc::new(robot), &lines), Rule::Slip)
    };
    let slips = on_floor(0.1, 0.35, -0.35);
    let feet: Vec<_> = slips.iter().map(|(foot, _)| foot.as_str()).collect();
    assert_eq!(feet, ["left-foot", "right-foot"], "{slips:?}");
    assert!((slips[0].1 - slips[1].1).abs() < 0.05, "{slips:?}");
    assert!(slips[0].1 > 2.5 && slips[0].1 < 4.5, "{slips:?}");
    assert_eq!(on_floor(0.1, 0.0, 0.0), []);
    // The hips are too weak to move rubber soles apart.
    assert_eq!(on_floor(0.8, 0.35, -0.35), []);
    let wheels = Arc::new(load(&RobotSource::of("wheels")).expect("it is shipped"));
    let drive = "LeftWheel,1,0\nLeftWheel,2,4\nLeftWheel,4,0\nRightWheel,1,0\nRightWheel,2,4\nRightWheel,4,0\n";
    assert_eq!(found(&judged(&wheels, drive), Rule::Slip), []);
}

/// Knees that are bent to the end become hot within minutes, both at about the same time; slightly bent ones do not.
#[test]
fn knees_that_carry_a_deep_crouch_become_hot() {
    let crouch = |pose: &str| {
        let pose = NAO.poses.iter().find(|known| known.0 == pose);
        let mut lines = String::new();
        for (actuator, value) in &pose.expect("it is described").1 {
            let name = &NAO.actuators[usize::from(actuator.0)].name;
            write!(lines, "{name},3,{value}\n{name},420,{value}\n").expect("room");
        }
        found(&judged(&NAO, &lines), Rule::Overheat)
    };
    let mut hot = crouch("crouch");
    hot.sort_by(|one, other| one.0.cmp(&other.0));
    let joints: Vec<_> = hot.iter().map(|(joint, _)| joint.as_str()).collect();
    assert_eq!(joints, ["LKneePitch", "RKneePitch"], "{hot:?}");
    assert!(
        hot.iter().all(|(_, at)| (60.0..400.0).contains(at)),
        "{hot:?}"
    );
    assert_eq!(crouch("stand-ready"), []);
}

/// A motor that cannot carry its arm stops the body, and the show fails when that happens, not where it was asked most.
#[test]
fn a_motor_that_cannot_carry_its_arm_is_overloaded() {
    let mut weak = Robot::clone(&NAO);
    let mut joints = weak.actuators.iter_mut();
    let shoulder = joints.find(|joint| joint.name == "LShoulderPitch");
    let motor = shoulder.and_then(|joint| joint.motor.as_mut());
    motor.expect("a motor").torque = 0.05;
    let lines = ready(2.5) + "LShoulderPitch,4,-1\nLShoulderPitch,8,-1\n";
    let checked = judged(&Arc::new(weak), &lines);
    let overloads = found(&checked, Rule::Overload);
    // It did not end, but that is not the show's doing.
    assert!(!of_rule(&checked, Rule::Ends, Severity::Warning));
    assert_eq!(checked.verdict.horizon, None);
    assert_eq!(overloads.len(), 1, "{overloads:?}");
    assert_eq!(overloads[0].0, "LShoulderPitch");
    assert!((2.5..6.0).contains(&overloads[0].1), "{overloads:?}");
    assert_eq!(found(&judged(&NAO, &lines), Rule::Overload), []);
}

/// A foot is lifted slowly and put down again, with more and more weight on the other one: if a smaller weight was
/// enough, so is a larger one.
#[test]
fn more_weight_on_the_other_foot_never_makes_a_lift_worse() {
    for lift in [0.15] {
        let mut stands = false;
        for weight in [0.0, 0.12, 0.15, 0.3] {
            let mut lines = ready(3.0);
            let mut go = |at: f64, values: &[(&str, f64)]| {
                for (name, value) in values {
                    writeln!(lines, "{name},{at},{value}").expect("room");
                }
            };
            let sway = |by: f64| {
                ["LHipRoll", "RHipRoll", "LAnkleRoll", "RAnkleRoll"]
                    .map(|text| (text, if text.contains("Hip") { -by } else { by }))
            };
            let leg = |by: f64| {
                [
                    ("RHipPitch", -0.44 - by),
                    ("RKneePitch", 0.7 + 2.0 * by),
                    ("RAnklePitch", -0.35 - by),
                ]
            };
            go(4.0, &sway(0.0));
            go(6.0, &sway(weight));
            go(6.0, &leg(0.0));
            go(8.0, &leg(lift));
            go(10.0, &leg(lift));
            go(12.0, &leg(0.0));
            go(12.0, &sway(weight));
            go(14.0, &sway(0.0));
            let checked = judged(&FLOATING, &lines);
            let falls = of_rule(&checked, Rule::Balance, Severity::Failure);
            assert!(!(stands && falls), "{lift} {weight}: {:?}", checked.verdict);
            stands |= !falls;
        }
        assert!(stands, "{lift}");
    }
}

/// A plate, an arm above it, and between them any number of links without a shape: the arm enters the plate when it is
/// turned down far enough, whatever links are between, whether the plate is a capsule or a box.
#[test]
fn links_meet_across_links_without_a_shape() {
    let capsule =
        "capsules = [{ from = [-0.3, 0, 0], to = [0.3, 0, 0], radius = 0.02 }]".to_owned();
    let corners = (0..8).map(|i| {
        let side = |bit: u32, half: f64| if i >> bit & 1 == 0 { -half } else { half };
        format!("[{}, {}, {}]", side(0, 0.3), side(1, 0.3), side(2, 0.01))
    });
    let corners = corners.collect::<Vec<_>>().join(", ");
    let plate = format!("hulls = [{{ corners = [{corners}] }}]");
    for (shape, top) in [(capsule, 0.02), (plate, 0.01)] {
        for between in 0..3 {
            let mut body = format!(
                "format = 1\nname = \"plate\"\n[boards]\nB = {{ driver = \"sim\" }}\n[joints]\n\
                 Turn = {{ board = \"B\", range = [-2.5, 2.5], velocity = 2, rest = 0 }}\n\
                 [links.plate]\nmass = 5\n{shape}\n"
            );
            let mut parent = "plate".to_owned();
            for number in 0..between {
                let name = format!("bare{number}");
                let part = 0.1 / f64::from(between);
                writeln!(
                    body,
                    "[links.{name}]\nparent = \"{parent}\"\norigin = {{ at = [0, 0, {part}] }}\nmass = 0"
                )
                .expect("room");
                parent = name;
            }
            let height = if between == 0 { 0.1 } else { 0.0 };
            writeln!(
                body,
                "[links.arm]\nparent = \"{parent}\"\njoint = \"Turn\"\norigin = {{ at = [0, 0, {height}] }}\n\
                 axis = [0, 1, 0]\nmass = 0.2\ncapsules = [{{ from = [0, 0, 0.05], to = [0, 0, 0.3], radius = 0.01 }}]"
            )
            .expect("room");
            let robot = parse("plate", &body).unwrap_or_else(|problems| panic!("{problems}"));
            let robot = Arc::new(robot);
            // 0.3 m long, 0.1 m above, and 0.01 m thick: it meets the plate when its end is so far below its joint.
            let meets = std::f64::consts::FRAC_PI_2 + ((0.09 - top) / 0.3f64).asin();
            for (angle, touches) in [(meets - 0.02, false), (meets + 0.02, true)] {
                let checked = judged(&robot, &format!("Turn,2,{angle}\nTurn,4,0\n"));
                let found = of_rule(&checked, Rule::Touch, Severity::Failure);
                // Neighbouring links are never checked.
                assert_eq!(
                    found,
                    touches && between > 0,
                    "{top} {between} {angle}: {:?}",
                    checked.verdict
                );
            }
        }
    }
}
