//! Scripts: a body, lanes and requests written down, played turn by turn in virtual time.
//! Called by `dcm-run trace` and by the golden traces in `tests/traces`, whose README describes
//! the format. Calls `cycle` as any loop would.
//! A script has one outcome. The same words give the same table, byte for byte.

mod decimals;
pub mod memory;
mod parse;
mod play;
mod script;
mod words;

pub use decimals::decimals;
pub use words::ScriptError;

/// Plays a script; the table of its turns.
///
/// # Errors
/// A [`ScriptError`] names the line, what stands there and what was expected.
pub fn play(script: &str) -> Result<String, ScriptError> {
    play::play(&parse::parse(script)?)
}
