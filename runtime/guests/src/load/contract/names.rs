//! Names and versions of the contract: which version an import is of, and what a name was probably meant to be.
//! Used by the checks of components and of core modules. A guess is only offered, never taken.

use printable::{distance, nearest};

use super::PACKAGE;
use crate::host::INTERFACES;

/// The version of the contract that this runtime implements.
const VERSION: (u64, u64, u64) = (0, 1, 0);

/// The same, as imports have it.
pub(crate) const VERSION_TEXT: &str = "0.1.0";

/// Whether a core module imports from an interface of another version of the contract.
pub(crate) fn is_other_version(module: &str) -> bool {
    let interface = module.strip_prefix(PACKAGE);
    let version = interface.and_then(|interface| interface.split_once('@'));
    version.is_some_and(|version| version.1 != VERSION_TEXT)
}

/// Whether a component of this version of the contract can run: within one major and minor version it only grows.
pub(crate) fn is_compatible(version: &str) -> bool {
    let mut parts = version.split('.').map(str::parse::<u64>);
    let mut part = || parts.next().and_then(Result::ok);
    let (major, minor, patch) = (part(), part(), part());
    patch.is_some() && (major, minor) == (Some(VERSION.0), Some(VERSION.1))
}

/// The interface of the contract that was probably meant.
pub(crate) fn nearest_interface(name: &str) -> Option<String> {
    let near = nearest(name, INTERFACES.iter().map(|interface| interface.0)).map(str::to_owned);
    let last = name.rsplit(['/', ':']).next()?.split('@').next()?;
    let same = |pair: &&(&'static str, &'static [&'static str])| {
        pair.0
            .strip_prefix(PACKAGE)
            .and_then(|rest| rest.split('@').next())
            == Some(last)
    };
    near.or_else(|| {
        INTERFACES
            .iter()
            .find(same)
            .map(|interface| interface.0.to_owned())
    })
}

/// Whether a name was probably meant to be a hook's: stricter than elsewhere, since the guest is refused.
pub(crate) fn is_near(hook: &str, name: &str) -> bool {
    let plain = |name: &str| name.replace(['-', '_'], "").to_lowercase();
    let slips = distance(hook, name).unwrap_or(usize::MAX);
    plain(hook) == plain(name) || (hook.len() > 5 && slips <= 2)
}
