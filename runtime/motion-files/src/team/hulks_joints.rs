//! How the HULKs name the joints of a NAO. Called by `hulks` and `motion2`.
//! Each joint of theirs is one of a NAO.

const HEAD: [(&str, &str); 2] = [("yaw", "HeadYaw"), ("pitch", "HeadPitch")];
const ARM: [(&str, &str); 6] = [
    ("shoulder_pitch", "ShoulderPitch"),
    ("shoulder_roll", "ShoulderRoll"),
    ("elbow_yaw", "ElbowYaw"),
    ("elbow_roll", "ElbowRoll"),
    ("wrist_yaw", "WristYaw"),
    ("hand", "Hand"),
];
const LEG: [(&str, &str); 6] = [
    ("hip_yaw_pitch", "HipYawPitch"),
    ("hip_roll", "HipRoll"),
    ("hip_pitch", "HipPitch"),
    ("knee_pitch", "KneePitch"),
    ("ankle_pitch", "AnklePitch"),
    ("ankle_roll", "AnkleRoll"),
];

/// Names of joints: the HULKs', and the NAO's without its side.
type JointNames = [(&'static str, &'static str)];

/// Each part of the body: its name, what the NAO's names begin with, its joints.
pub(super) const PARTS: [(&str, &str, &JointNames); 5] = [
    ("head", "", &HEAD),
    ("left_arm", "L", &ARM),
    ("right_arm", "R", &ARM),
    ("left_leg", "L", &LEG),
    ("right_leg", "R", &LEG),
];

/// The joints of a NAO in the order of their numbers.
pub(super) fn numbered_joints() -> Vec<String> {
    // Head, left arm, both legs, right arm.
    let order = [0, 1, 3, 4, 2].map(|i: usize| PARTS[i]);
    let names = order.iter().flat_map(|(_, side, joints)| {
        let name = move |pair: &(&str, &str)| format!("{side}{}", pair.1);
        joints.iter().map(name)
    });
    names.collect()
}
