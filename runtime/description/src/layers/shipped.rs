//! The robots that come with this program.
//! Used by `layers` for a robot that is named and not a file.
//! Each of them passes every check, and starts from nothing but another of them.

/// Their names.
pub const NAMES: [&str; 6] = ["desk", "nao", "nao-v6", "aibo-ers7", "hexapod", "wheels"];

/// The description of the robot of this name.
pub(crate) fn text(name: &str) -> Option<&'static str> {
    Some(match name {
        "desk" => include_str!("../../robots/desk.toml"),
        "nao-v6" => include_str!("../../robots/nao-v6.toml"),
        "nao" => include_str!("../../robots/nao.toml"),
        "aibo-ers7" => include_str!("../../robots/aibo-ers7.toml"),
        "hexapod" => include_str!("../../robots/hexapod.toml"),
        "wheels" => include_str!("../../robots/wheels.toml"),
        _ => return None,
    })
}
