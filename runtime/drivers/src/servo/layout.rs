//! What a board's channels carry, by the description: targets, gains and triggers down, sensors up.
//! Built from the description; used by the session and by the comparison of tables.
//! The law: the order is that of the board's table.

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

/// What one of a board's outputs carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// The place of the actuator.
    pub actuator: usize,
    /// What of it.
    pub part: OutputPart,
}

/// What a board's channels are, by the description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The outputs, in the order of the board's table; nothing for one that nobody drives.
    pub outputs: Vec<Option<Output>>,
    /// The places of the sensors that the inputs feed; nothing for one that nobody reads.
    pub inputs: Vec<Option<usize>>,
}
