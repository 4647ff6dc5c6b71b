//! What names of joints tell of their sides: which is the same joint on the other side, and which change their sign in
//! the mirror. Called by `map`, for joints whose body is not known.
//! A name that tells nothing is in the middle, and keeps its sign.

/// Joints whose values change their sign when left and right are exchanged, if a mapping file does not name them,
/// beside rolls, yaws and pans: what is across the body in recorded moves.
const USUAL_FLIPS: [&str; 3] = ["head.y", "antennas.0", "antennas.1"];

/// The name of the same joint on the other side; the name itself if it has no side. Where a body or motion may have the
/// other one, it counts: `LED` has no other side, `LARM` has if there is an `RARM`.
pub fn other_side(name: &str, has: &dyn Fn(&str) -> bool) -> String {
    const WORDS: [(&str, &str); 3] = [("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT")];
    for (left, right) in WORDS {
        if let Some(at) = name.find(left) {
            return replaced(name, at, left, right);
        }
        if let Some(at) = name.find(right) {
            return replaced(name, at, right, left);
        }
    }
    let letter = |place: usize| name.chars().nth(place);
    let begins_word = letter(1).is_some_and(|letter| letter.is_uppercase() || letter == '_');
    let is_word = letter(2).is_none_or(|letter| !letter.is_uppercase());
    for (from, to) in [("L", "R"), ("R", "L")] {
        if name.starts_with(from) && begins_word {
            let other = replaced(name, 0, from, to);
            return if is_word || has(&other) {
                other
            } else {
                name.to_owned()
            };
        }
    }
    const STARTS: [(&str, &str); 1] = [("l_", "r_")];
    for (left, right) in STARTS {
        for (from, to) in [(left, right), (right, left)] {
            if name.starts_with(from) {
                return replaced(name, 0, from, to);
            }
        }
    }
    let ends = [("_l", "_r"), ("_r", "_l"), ("_L", "_R"), ("_R", "_L")];
    for (from, to) in ends {
        if let Some(stem) = name.strip_suffix(from) {
            return format!("{stem}{to}");
        }
    }
    // `ArmLowerL`: a letter alone behind a small one.
    let is_side = |text: &str| text.ends_with(|c: char| c.is_lowercase() || c.is_ascii_digit());
    for (from, to) in [("L", "R"), ("R", "L")] {
        if let Some(stem) = name.strip_suffix(from).filter(|rest| is_side(rest)) {
            return format!("{stem}{to}");
        }
    }
    match name {
        "antennas.0" => "antennas.1".to_owned(),
        "antennas.1" => "antennas.0".to_owned(),
        _ => name.to_owned(),
    }
}

/// Whether the values of a joint change their sign when left and right are exchanged.
pub(super) fn is_flipped(joint: &str) -> bool {
    turns_sideways(joint) || USUAL_FLIPS.iter().any(|flip| is_like(joint, flip))
}

/// Whether a joint turns to the side, by its name: the last word of `hip_yaw_r`, `LHipYawPitch` or `NECK:pan` that
/// names an axis.
fn turns_sideways(name: &str) -> bool {
    let mut last = None;
    for word in words(name) {
        match word.to_ascii_lowercase().as_str() {
            "roll" | "yaw" | "pan" => last = Some(true),
            "pitch" | "tilt" => last = Some(false),
            _ => {}
        }
    }
    last == Some(true)
}

/// The words of a name: each begins with a capital behind a small letter, or behind a sign.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_alphanumeric()).flat_map(|part| {
        let mut starts = vec![0];
        let letters = part.char_indices().zip(part.chars().skip(1));
        let borders =
            letters.filter(|((_, before), after)| before.is_lowercase() && after.is_uppercase());
        starts.extend(borders.map(|((at, before), _)| at + before.len_utf8()));
        starts.push(part.len());
        let pairs: Vec<_> = starts
            .windows(2)
            .map(|pair| &part[pair[0]..pair[1]])
            .collect();
        pairs
    })
}

fn replaced(name: &str, at: usize, from: &str, to: &str) -> String {
    let before = name.get(..at).unwrap_or("");
    let after = name.get(at + from.len()..).unwrap_or("");
    format!("{before}{to}{after}")
}

/// Whether a name is like a pattern with `*`.
pub(super) fn is_like(name: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    if !pattern.contains('*') {
        return rest.is_empty();
    }
    let mut parts: Vec<_> = parts.collect();
    let last = parts.pop().unwrap_or("");
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = rest.get(at + part.len()..).unwrap_or("");
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_their_side() {
        let pairs = [
            ("LShoulderPitch", "RShoulderPitch"),
            ("left_arm.elbow", "right_arm.elbow"),
            ("elbow_l", "elbow_r"),
            ("l_knee", "r_knee"),
            ("LFr:knee", "RFr:knee"),
            ("leftFootTra.y", "rightFootTra.y"),
            ("ArmLowerL", "ArmLowerR"),
            ("antennas.0", "antennas.1"),
        ];
        for (left, right) in pairs {
            assert_eq!(other_side(left, &|_| false), right);
            assert_eq!(other_side(right, &|_| false), left);
        }
        for middle in [
            "HeadYaw",
            "Lamp",
            "Range",
            "tail",
            "Rotor",
            "LED:faceA",
            "RGB",
        ] {
            assert_eq!(other_side(middle, &|_| false), middle);
        }
    }

    #[test]
    fn patterns_have_stars() {
        assert!(is_like("LShoulderRoll", "*Roll"));
        assert!(is_like("HeadYaw", "HeadYaw"));
        assert!(is_like("LHipYawPitch", "*Hip*Pitch"));
        assert!(!is_like("HeadYaw", "Head"));
        assert!(!is_like("HeadPitch", "*Roll"));
    }
}
