//! The tasks of the graphs. Called by `main`. What a function reads and sends goes the way of Copper's
//! messages.

use bincode::{Decode, Encode};
use cu29::prelude::*;
use protocol::JOINTS;
use serde::{Deserialize, Serialize};

/// What the sensors read in a turn.
#[derive(Debug, Clone, Copy, Default, Encode, Decode, Serialize, Deserialize, Reflect)]
pub struct Sensors {
    pub now: u64,
    pub values: [f64; JOINTS],
}

/// What a function sends in a turn: to each joint a value, at an instant.
#[derive(Debug, Clone, Copy, Default, Encode, Decode, Serialize, Deserialize, Reflect)]
pub struct Commands {
    pub at: [u64; JOINTS],
    pub values: [f64; JOINTS],
}

#[derive(Reflect)]
pub struct Body {
    turn: u64,
}

#[derive(Reflect)]
pub struct Function;

/// Takes the commands of one function.
#[derive(Reflect)]
pub struct Sink;

/// Takes the commands of eight functions.
#[derive(Reflect)]
pub struct EightSinks;

impl Freezable for Body {}
impl Freezable for Function {}
impl Freezable for Sink {}
impl Freezable for EightSinks {}

impl CuSrcTask for Body {
    type Resources<'r> = ();
    type Output<'m> = output_msg!(Sensors);

    fn new(_: Option<&ComponentConfig>, _: Self::Resources<'_>) -> CuResult<Self> {
        Ok(Body { turn: 0 })
    }

    fn process(&mut self, _: &CuContext, output: &mut Self::Output<'_>) -> CuResult<()> {
        self.turn += 1;
        let read = output.payload_mut().get_or_insert_default();
        read.now = self.turn * 1_000_000;
        for (place, value) in read.values.iter_mut().enumerate() {
            *value = self.turn as f64 + place as f64 / 10.0;
        }
        Ok(())
    }
}

impl CuTask for Function {
    type Resources<'r> = ();
    type Input<'m> = input_msg!(Sensors);
    type Output<'m> = output_msg!(Commands);

    fn new(_: Option<&ComponentConfig>, _: Self::Resources<'_>) -> CuResult<Self> {
        Ok(Function)
    }

    fn process(
        &mut self,
        _: &CuContext,
        input: &Self::Input<'_>,
        output: &mut Self::Output<'_>,
    ) -> CuResult<()> {
        let read = input.payload().ok_or("no sensors")?;
        let sent = output.payload_mut().get_or_insert_default();
        for joint in 0..JOINTS {
            sent.at[joint] = read.now;
            sent.values[joint] = read.values[joint];
        }
        Ok(())
    }
}

/// Looks at what came, as a board would.
fn take(sent: &CuMsg<Commands>) -> CuResult<()> {
    let sent = sent.payload().ok_or("no commands")?;
    std::hint::black_box(sent);
    Ok(())
}

impl CuSinkTask for Sink {
    type Resources<'r> = ();
    type Input<'m> = input_msg!(Commands);

    fn new(_: Option<&ComponentConfig>, _: Self::Resources<'_>) -> CuResult<Self> {
        Ok(Sink)
    }

    fn process(&mut self, _: &CuContext, input: &Self::Input<'_>) -> CuResult<()> {
        take(input)
    }
}

impl CuSinkTask for EightSinks {
    type Resources<'r> = ();
    #[rustfmt::skip]
    type Input<'m> =
        input_msg!('m, Commands, Commands, Commands, Commands, Commands, Commands, Commands, Commands);

    fn new(_: Option<&ComponentConfig>, _: Self::Resources<'_>) -> CuResult<Self> {
        Ok(EightSinks)
    }

    fn process(&mut self, _: &CuContext, input: &Self::Input<'_>) -> CuResult<()> {
        let (a, b, c, d, e, f, g, h) = *input;
        [a, b, c, d, e, f, g, h].into_iter().try_for_each(take)
    }
}
