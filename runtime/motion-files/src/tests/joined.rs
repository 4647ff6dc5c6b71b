//! Several motions one after another, compared with each of them played by itself.

use crate::{
    BezierHandle, JointKey, JointTrack, KeySide, KeyedMotion, NoSurroundings, TIME_MAX, ValueUnit,
    joined, read, value_at,
};

const SECOND: u64 = 1_000_000_000;

/// A motion of some of three joints: keys with lines and handles, the first of them at 0 or later.
fn motion(random: &mut fastrand::Rng) -> KeyedMotion {
    let mut motion = KeyedMotion::default();
    for joint in ["A", "B", "C"] {
        if random.u8(0..3) == 0 {
            continue;
        }
        let mut time = random.u64(0..2) * random.u64(1..SECOND);
        let unit = [ValueUnit::Radian, ValueUnit::Degree][random.usize(0..2)];
        let mut keys = Vec::new();
        for _ in 0..random.usize(1..5) {
            let mut side = |sign: i64| match random.bool() {
                true => KeySide::Linear,
                false => KeySide::Bezier(BezierHandle {
                    time: sign * random.i64(1..SECOND as i64 / 20),
                    value: random.f64(),
                }),
            };
            let (arrive, leave) = (side(-1), side(1));
            keys.push(JointKey {
                arrive,
                leave,
                ..JointKey::linear(time, random.f64() * 10.0)
            });
            time += random.u64(SECOND / 5..SECOND);
        }
        let joint = joint.to_owned();
        motion.tracks.push(JointTrack { joint, unit, keys });
    }
    motion
}

fn track<'m>(motion: &'m KeyedMotion, joint: &str) -> Option<&'m JointTrack> {
    motion.tracks.iter().find(|track| track.joint == joint)
}

#[test]
fn each_motion_is_as_by_itself_and_between_them_everything_stays() {
    let mut random = fastrand::Rng::with_seed(81);
    for _ in 0..300 {
        let motions: Vec<_> = (0..random.usize(1..5))
            .map(|_| motion(&mut random))
            .collect();
        let all = joined(&motions).expect("there is room");
        for joint in ["A", "B", "C"] {
            let whole = track(&all, joint);
            let (mut base, mut held) = (0, None);
            for (number, motion) in motions.iter().enumerate() {
                // Where this joint or another would jump, the motion begins a second later.
                let last_of = |joint: &str| {
                    let before = motions[..number].iter().rev();
                    let last = before.filter_map(|item| track(item, joint)).next()?;
                    last.keys.last().map(|key| last.si(key))
                };
                let mut at_once = motion.tracks.iter().filter(|track| track.keys[0].time == 0);
                let jumps =
                    at_once.any(|track| last_of(&track.joint) != Some(track.si(&track.keys[0])));
                let begin = base + if number > 0 && jumps { SECOND } else { 0 };
                if let (Some(own), Some(whole)) = (track(motion, joint), whole) {
                    let first = &own.keys[0];
                    let (own_si, whole_si) = (own.in_si(), whole.in_si());
                    let mut at = first.time;
                    while at <= own.keys[own.keys.len() - 1].time {
                        let alone = value_at(&own_si, at).expect("a value");
                        let is = value_at(&whole_si, begin + at).expect("a value");
                        assert!((is - alone).abs() < 1e-9, "{joint}: {is} {alone}");
                        at += SECOND / 30;
                    }
                    // It waits where it was left.
                    if let Some(held) = held
                        && number > 0
                    {
                        let is = value_at(&whole_si, base).expect("a value");
                        let is_replaced = begin == base && first.time == 0;
                        assert!(
                            is_replaced || f64::abs(is - held) < 1e-9,
                            "{joint}: {is} {held}"
                        );
                    } else if number > 0 {
                        assert_eq!(whole.keys[0].time, base);
                        assert_eq!(whole.keys[0].weight, 0.0);
                    }
                    held = own.keys.last().map(|key| own.si(key));
                }
                base = begin + motion.end();
                if number == 0 {
                    base = motion.end();
                }
            }
        }
    }
}

#[test]
fn a_dance_of_several_calls_is_one_motion() {
    let script = "from naoqi import ALProxy\nmotion = ALProxy('ALMotion')\n\
        motion.angleInterpolation(['HeadYaw'], [[0.5]], [[1.0]], True)\n\
        motion.angleInterpolation(['HeadPitch'], [[0.2]], [[2.0]], True)\n\
        motion.angleInterpolation(['HeadYaw'], [[-0.5]], [[1.5]], True)\n";
    let reading = read("dance.py", script.as_bytes()).expect("a script");
    let motions = reading.document.motions(&NoSurroundings, &mut Vec::new());
    let all = joined(&motions.expect("three motions")).expect("there is room");
    let keys = |joint: &str| -> Vec<_> {
        let keys = track(&all, joint).expect("a joint").keys.iter();
        keys.map(|key| (key.time as f64 / 1e9, key.value, key.weight))
            .collect()
    };
    let yaw = [(1.0, 0.5, 1.0), (3.0, 0.5, 1.0), (4.5, -0.5, 1.0)];
    assert_eq!(keys("HeadYaw"), yaw);
    assert_eq!(keys("HeadPitch"), [(1.0, 0.2, 0.0), (3.0, 0.2, 1.0)]);
}

#[test]
fn what_would_be_longer_than_a_motion_can_be_is_none() {
    let mut long = KeyedMotion::default();
    let track = long.track("A").expect("a track");
    track.keys.push(JointKey::linear(TIME_MAX / 2 + 1, 1.0));
    assert!(joined(&[long.clone()]).is_some());
    assert!(joined(&[long.clone(), long]).is_none());
    assert_eq!(joined(&[]), Some(KeyedMotion::default()));
}
