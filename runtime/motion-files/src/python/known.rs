//! Calls that are known by their names: those that play, those that leave lists as they are, those that may do
//! anything. Asked by whoever meets a call in `python`.
//! The law: a call that is not here may change the lists that it gets.

/// The calls that play.
pub(super) const PLAYING: [&str; 2] = ["angleInterpolation", "angleInterpolationBezier"];

/// Calls that leave the lists that they get as they are, and give no part of them back.
const PLAIN: [&str; 22] = [
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
    "radians",
    "degrees",
    "deg2rad",
    "setStiffnesses",
    "stiffnessInterpolation",
];

/// Calls that give a part of them back.
pub(super) const GIVING: [&str; 20] = [
    "min",
    "max",
    "sum",
    "sorted",
    "zip",
    "enumerate",
    "reversed",
    "map",
    "list",
    "tuple",
    "set",
    "dict",
    "copy",
    "deepcopy",
    "array",
    "keys",
    "values",
    "items",
    "get",
    "all",
];

/// Further ones: they are sent to the robot, which gets copies.
pub(super) const SENT: [&str; 8] = [
    "setAngles",
    "changeAngles",
    "getAngles",
    "angleInterpolationWithSpeed",
    "setStiffness",
    "closeHand",
    "openHand",
    "killTasksUsingResources",
];

/// Those of them that move joints, and say not when.
pub(super) const TIMELESS: [&str; 3] = ["setAngles", "changeAngles", "angleInterpolationWithSpeed"];

/// Whether a call leaves lists as they are.
pub(super) fn is_pure(name: &str) -> bool {
    PLAIN.contains(&name) || GIVING.contains(&name) || SENT.contains(&name)
}

/// Whether a call leaves lists as they are, and gives no part of them to anybody.
pub(super) fn leaves_alone(name: &str) -> bool {
    PLAIN.contains(&name) || SENT.contains(&name) || is_playing(name)
}

/// Whether code reaches any name by a call.
pub(super) fn is_almighty(name: &str) -> bool {
    ALMIGHTY.contains(&name)
}

/// Calls by which code reaches any name.
const ALMIGHTY: [&str; 7] = [
    "exec", "eval", "execfile", "globals", "locals", "vars", "setattr",
];

/// Whether a call plays lists.
pub(super) fn is_playing(name: &str) -> bool {
    PLAYING.contains(&name)
}

/// Whether a text calls what plays lists.
pub(super) fn is_played_in(text: &str) -> bool {
    let call = |it: &str| it.trim_start().starts_with('(');
    let mut found = PLAYING.iter().flat_map(|name| text.split(name).skip(1));
    found.any(call)
}
