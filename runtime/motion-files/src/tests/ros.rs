//! Messages of ROS as people have them: in other messages, in lists, several in a file, in recordings of ROS 1.

use crate::{KeyedMotion, MotionDocument, MotionFormat, NoSurroundings, read, read_as, write};

fn motions_of(name: &str, bytes: &[u8]) -> Vec<KeyedMotion> {
    let reading = read(name, bytes).unwrap_or_else(|why| panic!("{why}"));
    let motions = reading.document.motions(&NoSurroundings, &mut Vec::new());
    motions.unwrap_or_else(|why| panic!("{why}"))
}

fn keys(motion: &KeyedMotion) -> Vec<(u64, f64)> {
    motion.tracks[0]
        .keys
        .iter()
        .map(|key| (key.time / 1_000_000, key.value))
        .collect()
}

fn wrong(name: &str, bytes: &[u8]) -> String {
    read(name, bytes).expect_err(name).to_string()
}

#[test]
fn a_trajectory_is_found_in_its_message_whatever_form_its_times_have() {
    let times = [
        "{sec: 1, nanosec: 500000000}",
        "{secs: 1, nsecs: 500000000}",
        "[1, 500000000]",
        "[1.5, 0.0]",
        "1.5",
    ];
    for time in times {
        let inner = format!(
            "{{joint_names: [a], points: [{{positions: [0.5], time_from_start: {time}}}]}}"
        );
        let forms = [
            format!("{inner}\n"),
            format!("joint_trajectory: {inner}\n"),
            format!(
                "model_id: x\ntrajectory:\n- joint_trajectory: {inner}\n  multi_dof_joint_trajectory: {{}}\n"
            ),
            format!("goal:\n  trajectory: {inner}\n---\n"),
        ];
        for text in &forms {
            let motions = motions_of("a.yaml", text.as_bytes());
            assert_eq!(
                (motions.len(), keys(&motions[0])),
                (1, vec![(1_500, 0.5)]),
                "{text}"
            );
        }
    }
    assert_eq!(
        wrong(
            "a.yaml",
            b"joint_names: [a]\npoints: [{positions: [0], time_from_start: [1]}]\n"
        ),
        "line 2, column 44: time_from_start is a list; expected [seconds, nanoseconds]"
    );
}

#[test]
fn several_messages_are_motions_of_their_numbers() {
    let message = |value: f64| {
        format!(
            "joint_names:\n- a\npoints:\n- positions: [{value}]\n  time_from_start: {{sec: 1, nanosec: 0}}\n"
        )
    };
    let text = format!("{}---\n{}---\n", message(0.25), message(0.5));
    let motions = motions_of("a.yaml", text.as_bytes());
    let found: Vec<_> = motions
        .iter()
        .map(|motion| (motion.name.as_str(), keys(motion)[0].1))
        .collect();
    assert_eq!(found, [("1", 0.25), ("2", 0.5)]);
    let document = read("a.yaml", text.as_bytes()).expect("two").document;
    let again = write(&document, MotionFormat::Trajectory).expect("two");
    assert_eq!(
        read_as(MotionFormat::Trajectory, &again)
            .expect("two")
            .document,
        document
    );
    // All of them must be trajectories.
    assert_eq!(
        wrong("a.yaml", format!("{}---\nz: 1\n", message(0.25)).as_bytes()),
        "line 7, column 1: there is no `joint_names`; fix: check that it is a JointTrajectory"
    );
}

#[test]
fn recordings_that_are_not_read_are_named() {
    let bag = wrong("a.bag", b"#ROSBAG V2.0\n\0\0");
    assert!(
        bag.starts_with(
            "line 1, column 1: this is a recording of ROS 1 (a bag), which is not read; fix: "
        ),
        "{bag}"
    );
    let base = wrong("a.db3", b"SQLite format 3\0\x10\0");
    assert!(base.contains("`ros2 bag convert`"), "{base}");
    let package = "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<Package name=\"Nod\" format_version=\"4\">\n\
                   <BehaviorDescriptions><BehaviorDescription name=\"behavior\" src=\"behavior_1\" \
                   xar=\"behavior.xar\" /></BehaviorDescriptions></Package>\n";
    assert_eq!(
        wrong("nod.pml", package.as_bytes()),
        "line 1, column 1: this is the list of a project's files, without its motions; fix: give the file beside it, \
         `behavior_1/behavior.xar`"
    );
}

#[test]
fn a_message_keeps_its_velocities_from_yaml_to_a_recording_and_back() {
    let mut random = fastrand::Rng::with_seed(81);
    for round in 0..100 {
        let joints = random.usize(1..4);
        let mut list = |name: &str| {
            let values: Vec<_> = (0..joints).map(|_| 4.0 * random.f64() - 2.0).collect();
            format!("{name}: {values:?}")
        };
        let mut text = format!("joint_names: {:?}\npoints:\n", &["a", "b", "c"][..joints]);
        for point in 0..3 {
            let lists = ["positions", "velocities", "accelerations"];
            let lists: Vec<_> = lists[..1 + round % 3]
                .iter()
                .map(|item| list(item))
                .collect();
            let time = ["{sec: 1, nanosec: 5}", "[2, 5]", "3.000000005"][point];
            text += &format!("- {{{}, time_from_start: {time}}}\n", lists.join(", "));
        }
        let first = read("a.yaml", text.as_bytes()).expect("a trajectory");
        let recorded = first
            .document
            .as_message(MotionFormat::Mcap)
            .expect("one")
            .expect("room");
        let bytes = write(&recorded, MotionFormat::Mcap).expect("a recording");
        let second = read("a.mcap", &bytes).expect("a recording");
        let back = second
            .document
            .as_message(MotionFormat::Trajectory)
            .expect("one")
            .expect("room");
        let bytes = write(&back, MotionFormat::Trajectory).expect("YAML");
        let [before, between, after] = [&first.document, &second.document, &back].map(|value| {
            let motions = value.motions(&NoSurroundings, &mut Vec::new());
            motions.expect("a motion").remove(0).tracks
        });
        assert_eq!((&before, &before), (&between, &after), "{text}");
        assert_eq!(motions_of("a.yaml", &bytes)[0].tracks, before);
    }
    // What is no message, or several, goes the way of all motions.
    let csv = read("a.csv", b"time,a\n0,1\n").expect("a table").document;
    assert!(csv.as_message(MotionFormat::Mcap).is_none());
    let two = MotionDocument::Recorded(vec![]);
    assert!(two.as_message(MotionFormat::Trajectory).is_none());
}

#[test]
fn a_colon_right_before_a_bracket_divides_as_in_pyyaml() {
    let text = "{header:{}, joint_names:[a, 'x:[y', \"b:{\"], # not:[here]\n points:[{positions:[1.9, 2, 3], \
        time_from_start:[1, 500000000]}]}\n";
    let motions = motions_of("a.yaml", text.as_bytes());
    let names: Vec<_> = motions[0]
        .tracks
        .iter()
        .map(|track| &*track.joint)
        .collect();
    assert_eq!(names, ["a", "x:[y", "b:{"]);
    assert_eq!(keys(&motions[0]), [(1_500, 1.9)]);
    // Places are those of the file, and what is no YAML is told as before.
    let column = text
        .lines()
        .nth(1)
        .expect("two lines")
        .find("1.9")
        .expect("a value")
        + 1;
    assert_eq!(
        wrong("a.yaml", text.replace("1.9", "x").as_bytes()),
        format!("line 2, column {column}: positions is the text `x`; expected a number")
    );
    let broken = wrong("a.yaml", text.replace("3]", "3}").as_bytes());
    assert!(broken.starts_with("line 1, column"), "{broken}");
    assert!(broken.contains("':' may not precede"), "{broken}");
    // Outside of brackets it is a part of a word.
    let mistake = wrong("a.yaml", b"joint_names:[a]\npoints: {a:[1]}\n");
    assert!(
        mistake.starts_with("line 2, column 7: mapping values are not allowed"),
        "{mistake}"
    );
}
