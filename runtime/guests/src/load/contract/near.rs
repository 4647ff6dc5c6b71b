//! What was probably meant by a name that the contract does not have.
//! Called by the checks of components and of core modules. The law: only what is close is proposed.

use super::PACKAGE;
use crate::host::INTERFACES;

pub(crate) fn nearest_interface(name: &str) -> Option<String> {
    let near = nearest(name, INTERFACES.iter().map(|it| it.0));
    let last = name.rsplit(['/', ':']).next()?.split('@').next()?;
    let same = |it: &&(&'static str, &'static [&'static str])| {
        it.0.strip_prefix(PACKAGE)
            .and_then(|it| it.split('@').next())
            == Some(last)
    };
    near.or_else(|| INTERFACES.iter().find(same).map(|it| it.0.to_owned()))
}

pub(crate) fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<String> {
    known
        .map(|it| (strsim::damerau_levenshtein(name, it), it))
        .filter(|(distance, it)| *distance <= 1 + it.len() / 3)
        .min_by_key(|it| it.0)
        .map(|it| it.1.to_owned())
}

/// Whether a name was probably meant to be a hook's.
pub(crate) fn is_near(hook: &str, name: &str) -> bool {
    let plain = |it: &str| it.replace(['-', '_'], "").to_lowercase();
    plain(hook) == plain(name) || (hook.len() > 5 && strsim::damerau_levenshtein(hook, name) <= 2)
}
