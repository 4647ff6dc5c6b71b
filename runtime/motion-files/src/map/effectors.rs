//! Which joint of a NAO an effector of the robot-soccer simulation is, whose body is one: `EFF_LL3` of UT Austin
//! Villa's players and `lle3` of the simulator's protocol are `LHipPitch`. Called by `map`.
//! The axes are those of the body: what turns about -y there turns about y in a NAO, so it changes its sign.

/// An arm's joints from the shoulder on, and whether each turns as NAO's does.
const ARM: [(&str, f64); 4] = [
    ("ShoulderPitch", -1.0),
    ("ShoulderRoll", 1.0),
    ("ElbowYaw", 1.0),
    ("ElbowRoll", 1.0),
];

/// The same for a leg, from the hip on. Its toe, which some bodies of the simulation have, is none of NAO's.
const LEG: [(&str, f64); 6] = [
    ("HipYawPitch", 1.0),
    ("HipRoll", 1.0),
    ("HipPitch", -1.0),
    ("KneePitch", -1.0),
    ("AnklePitch", -1.0),
    ("AnkleRoll", 1.0),
];

/// The same for the head.
const HEAD: [(&str, f64); 2] = [("HeadYaw", 1.0), ("HeadPitch", -1.0)];

/// NAO's joint for an effector, and what the effector's angles are multiplied by.
pub(crate) fn nao_joint(effector: &str) -> Option<(String, f64)> {
    let stem = effector.trim_end_matches(|c: char| c.is_ascii_digit());
    let number: usize = effector[stem.len()..].parse().ok()?;
    let (side, joints) = match stem {
        "EFF_H" | "he" => ("", &HEAD[..]),
        "EFF_LA" | "lae" => ("L", &ARM[..]),
        "EFF_RA" | "rae" => ("R", &ARM[..]),
        "EFF_LL" | "lle" => ("L", &LEG[..]),
        "EFF_RL" | "rle" => ("R", &LEG[..]),
        _ => return None,
    };
    let (joint, sign) = joints.get(number.checked_sub(1)?)?;
    Some((format!("{side}{joint}"), *sign))
}
