//! The chains that NAOqi has names for: what a call gives one value for each joint of. Called by `python`.
//! A chain stands for its joints if there are as many lists as these; an arm may be without its hand.

use super::literals::{Literal, LiteralValue};

/// A chain: its name, its joints, and how many of them there are at least.
const CHAINS: [(&str, &[&str], usize); 5] = [
    ("Head", &["HeadYaw", "HeadPitch"], 2),
    (
        "LArm",
        &[
            "LShoulderPitch",
            "LShoulderRoll",
            "LElbowYaw",
            "LElbowRoll",
            "LWristYaw",
            "LHand",
        ],
        4,
    ),
    (
        "RArm",
        &[
            "RShoulderPitch",
            "RShoulderRoll",
            "RElbowYaw",
            "RElbowRoll",
            "RWristYaw",
            "RHand",
        ],
        4,
    ),
    (
        "LLeg",
        &[
            "LHipYawPitch",
            "LHipRoll",
            "LHipPitch",
            "LKneePitch",
            "LAnklePitch",
            "LAnkleRoll",
        ],
        6,
    ),
    (
        "RLeg",
        &[
            "RHipYawPitch",
            "RHipRoll",
            "RHipPitch",
            "RKneePitch",
            "RAnklePitch",
            "RAnkleRoll",
        ],
        6,
    ),
];

/// What stands for joints that only the body knows.
const WHOLE: [&str; 5] = ["Body", "Joints", "JointActuators", "Arms", "Legs"];

/// Whether a name is one of these.
pub(super) fn is_whole(name: &Literal) -> bool {
    matches!(&name.value, LiteralValue::Text(text) if WHOLE.contains(&text.as_str()))
}

/// The joints of these names, if chains are among them and they are so many.
pub(super) fn joints(names: &[Literal], count: usize) -> Option<Vec<Literal>> {
    let chain = |literal: &Literal| match &literal.value {
        LiteralValue::Text(text) => CHAINS.iter().find(|chain| chain.0 == text),
        _ => None,
    };
    let chains = names.iter().filter_map(chain).count();
    let others = names.len() - chains;
    // All arms are of one kind.
    (0..3).find_map(|left_out| {
        let joints = names.iter().flat_map(|name| {
            let joints = chain(name).map_or(&[][..], |(_, all, least)| {
                &all[..all.len().saturating_sub(left_out).max(*least)]
            });
            let text = |text: &&str| LiteralValue::Text((*text).to_owned());
            let of_chain = joints.iter().map(text);
            let alone = joints.is_empty().then(|| name.value.clone());
            of_chain.chain(alone).map(|value| Literal {
                byte: name.byte,
                value,
            })
        });
        let joints: Vec<_> = joints.collect();
        (chains > 0 && joints.len() == count && count > others).then_some(joints)
    })
}
