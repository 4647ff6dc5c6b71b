//! The known names that are similar to one that was written: what an error proposes.

/// A longer name is similar to none: comparing takes time that grows with both lengths, and a client may send anything.
const LENGTH_MAX: usize = 64;

/// The known name that is nearest to what was written, if any is near.
pub fn nearest<'k>(written: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    similar(written, known).into_iter().next()
}

/// All known names that are near, the nearest first.
pub fn similar<'k>(written: &str, known: impl Iterator<Item = &'k str>) -> Vec<&'k str> {
    let mut near: Vec<_> = known
        .filter_map(|name| Some((distance(written, name)?, name)))
        .filter(|(distance, name)| *distance <= 1 + name.len().min(written.len()) / 4)
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().map(|(_, name)| name).collect()
}

/// By how many slips two names differ, whatever their case; `None` where one is too long to be compared.
pub fn distance(one: &str, other: &str) -> Option<usize> {
    let comparable = one.len() <= LENGTH_MAX && other.len() <= LENGTH_MAX;
    comparable.then(|| strsim::damerau_levenshtein(&one.to_lowercase(), &other.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 3] = ["HeadYaw", "HeadPitch", "LElbowRoll"];

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        assert_eq!(nearest("headyam", KNOWN.into_iter()), Some("HeadYaw"));
        assert_eq!(nearest("HaedPitch", KNOWN.into_iter()), Some("HeadPitch"));
        assert_eq!(nearest("torso", KNOWN.into_iter()), None);
    }

    #[test]
    fn what_is_too_long_for_a_name_is_compared_with_none() {
        let long = "HeadYaw".repeat(10);
        assert_eq!(nearest(&long, [long.as_str()].into_iter()), None);
        // The time for sixty million bytes is that of none: compared, they would take hours.
        let huge = "a".repeat(60 << 20);
        assert_eq!(nearest(&huge, KNOWN.into_iter()), None);
        assert_eq!(nearest("HeadYaw", [huge.as_str()].into_iter()), None);
    }
}
