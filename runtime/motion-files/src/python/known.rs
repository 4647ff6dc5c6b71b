//! Calls and constants that are known by their names.

use std::collections::HashSet;

use super::tokens::{CodeToken, TokenKind};

/// The calls that play.
pub(super) const PLAYING: [&str; 2] = ["angleInterpolation", "angleInterpolationBezier"];

/// Calls that move joints, and do not say when.
pub(super) const TIMELESS: [&str; 3] = ["setAngles", "changeAngles", "angleInterpolationWithSpeed"];

/// Calls that leave lists as they are, and give no part of them back.
const READING: [&str; 26] = [
    "print",
    "len",
    "range",
    "xrange",
    "str",
    "repr",
    "float",
    "int",
    "abs",
    "round",
    "type",
    "isinstance",
    "format",
    "join",
    "index",
    "count",
    "sleep",
    "say",
    "radians",
    "degrees",
    "deg2rad",
    "setStiffnesses",
    "setStiffness",
    "stiffnessInterpolation",
    "setAngles",
    "getAngles",
];

/// Calls that may give a part of them back.
const GIVING: [&str; 12] = [
    "min",
    "max",
    "sum",
    "sorted",
    "zip",
    "enumerate",
    "reversed",
    "list",
    "tuple",
    "copy",
    "deepcopy",
    "array",
];

/// Calls by which code reaches any name.
const REACHING_ALL: [&str; 7] = [
    "exec", "eval", "execfile", "globals", "locals", "vars", "setattr",
];

/// Modules whose names mean what they do everywhere.
pub(super) const MODULES: [&str; 6] = ["math", "numpy", "np", "almath", "motion", "naoqi"];

/// The last part of a name with points in it.
pub(super) fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

pub(super) fn is_playing(path: &str) -> bool {
    PLAYING.contains(&last(path))
}

pub(super) fn reads(path: &str) -> bool {
    READING.contains(&last(path)) || TIMELESS.contains(&last(path))
}

pub(super) fn gives(path: &str) -> bool {
    GIVING.contains(&last(path))
}

pub(super) fn reaches_all(path: &str) -> bool {
    REACHING_ALL.contains(&path)
}

/// Whether one of these tokens calls what may change a list.
pub(super) fn acts(text: &str, tokens: &[CodeToken], functions: &HashSet<&str>) -> bool {
    tokens.windows(2).any(|pair| {
        let word = |token: &CodeToken| text.get(token.byte()..token.end()).unwrap_or("");
        let name = word(&pair[0]);
        let is_called = word(&pair[1]) == "(";
        let is_name = pair[0].kind == TokenKind::Name
            && !matches!(name, "in" | "and" | "or" | "not" | "if" | "else");
        is_called
            && (is_name && (functions.contains(name) || !reads(name) && !gives(name))
                || matches!(name, ")" | "]"))
    })
}

/// The numbers that have names.
pub(super) fn constant(path: &str) -> Option<f64> {
    let degree = std::f64::consts::PI / 180.0;
    match (path.rsplit_once('.')?.0, last(path)) {
        ("math" | "np" | "numpy" | "almath", "pi" | "PI") => Some(std::f64::consts::PI),
        ("almath" | "motion", "TO_RAD") => Some(degree),
        ("almath" | "motion", "TO_DEG") => Some(1.0 / degree),
        _ => None,
    }
}

/// What a function of one number gives.
pub(super) fn computed(path: &str, number: f64) -> Option<f64> {
    let degree = std::f64::consts::PI / 180.0;
    match path {
        "math.radians" | "radians" | "np.radians" | "numpy.radians" | "np.deg2rad"
        | "numpy.deg2rad" | "deg2rad" => Some(number * degree),
        "math.degrees" | "degrees" | "np.degrees" | "numpy.degrees" => Some(number / degree),
        "float" => Some(number),
        "abs" | "math.fabs" => Some(number.abs()),
        _ => None,
    }
}
