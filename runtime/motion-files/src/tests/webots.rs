//! Motions of Webots as Webots itself reads them.

use super::losses::motion;
use crate::read;

const MS: u64 = 1_000_000;

#[test]
fn a_motion_of_webots_ends_at_its_first_empty_line() {
    let text =
        "#WEBOTS_MOTION,V1.0,A\n00:00:000,P,0.1\n00:01:000,Q,0.2\n\n00:02:000,R,0.3\nwhatever\n";
    let (played, remarks) = motion("a.motion", text);
    let keys: Vec<_> = played.tracks[0]
        .keys
        .iter()
        .map(|key| (key.time / MS, key.value))
        .collect();
    assert_eq!(keys, [(0, 0.1), (1_000, 0.2)]);
    assert_eq!(
        remarks,
        "line 4, column 1: the motion ends at this empty line, as in Webots: 2 lines behind it are left out; fix: \
         remove it"
    );
    let (again, remarks) = motion(
        "a.motion",
        "#WEBOTS_MOTION,V1.0,A\r\n00:00:000,P,0.1\r\n\r\n\n",
    );
    assert_eq!((again.tracks[0].keys.len(), &*remarks), (1, ""));
    let failure =
        read("a.motion", b"#WEBOTS_MOTION,V1.0,A\n\n00:00:000,P,0.1\n").expect_err("no pose");
    let sentence =
        "line 2, column 1: the motion ends here, as in Webots: the line is empty; fix: remove it";
    assert_eq!(failure.to_string(), sentence);
}

#[test]
fn webots_skips_empty_fields() {
    let (played, _) = motion(
        "a.motion",
        "#WEBOTS_MOTION,V1.0,,A,B\n00:00:000,P1,0.1,,0.2\n,00:01:000,,P2,,3,4,,\n",
    );
    let keys: Vec<_> = played
        .tracks
        .iter()
        .map(|track| (&*track.joint, track.keys[0].value, track.keys[1].value))
        .collect();
    assert_eq!(keys, [("A", 0.1, 3.0), ("B", 0.2, 4.0)]);
    let (played, _) = motion("a.motion", "#WEBOTS_MOTION,V1.0,A\n00:00:000,,0.1,0.2\n");
    assert_eq!(
        (played.tracks[0].keys[0].value, &*played.labels[0].name),
        (0.2, "0.1")
    );
    let failure =
        read("a.motion", b"#WEBOTS_MOTION,V1.0,A,B\n00:00:000,P1,,0.2\n").expect_err("too few");
    let sentence = "line 2, column 18: 3 fields; expected a time, the pose's name, and 2 values; Webots skips empty \
                    ones; fix: write `*` for a joint that stays";
    assert_eq!(failure.to_string(), sentence);
}
