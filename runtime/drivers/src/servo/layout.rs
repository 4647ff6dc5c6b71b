//! The contents of a board's channels by the description: targets, gains and triggers as outputs, sensors as inputs.
//! Built from the description; used by the session and by the comparison of tables.
//! The order is that of the board's table.

/// What an output carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputPart {
    /// The actuator's target.
    Target,
    /// The joint's gains.
    P,
    /// See [`OutputPart::P`].
    I,
    /// See [`OutputPart::P`].
    D,
    /// A word that changes when the trigger fires.
    Fire,
}

/// The contents of one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// The actuator's number.
    pub actuator: usize,
    /// The part of the actuator.
    pub part: OutputPart,
}

/// The contents of a board's channels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The outputs, in the order of the board's table; `None` for one that nobody drives.
    pub outputs: Vec<Option<Output>>,
    /// The sensor of each input; `None` for one that nobody reads.
    pub inputs: Vec<Option<usize>>,
}
