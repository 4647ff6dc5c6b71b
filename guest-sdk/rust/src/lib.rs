//! The SDK for choreographies of dcm-run: everything that a guest in Rust needs.
//!
//! ```
//! use choreography::prelude::*;
//!
//! choreography! {
//!     /// Raises the right arm, and lowers it.
//!     motion Hail as "hail";
//!     joints RShoulderPitch;
//!     params Speed = "speed" from 0.5 to 2.0 usually 1.0;
//! }
//!
//! struct Hail;
//!
//! impl Motion for Hail {
//!     fn start() -> Hail {
//!         let beat = 800.ms() / Speed.get();
//!         RShoulderPitch.through(&[(beat, -0.8), (beat * 2, -0.8), (beat * 3, 1.4)]).now();
//!         Hail
//!     }
//! }
//!
//! let mut stage = Rehearsal::of::<Hail>(nao());
//! stage.set_param("speed", 2.0);
//! stage.run_for(500.ms());
//! assert_eq!(stage.sent(&RShoulderPitch), -0.8);
//! stage.run_for(1.s());
//! assert!(stage.is_over());
//! stage.assert_nothing_clipped();
//! ```
//!
//! In a guest, an author's crate begins with `#![no_std]` and is a `cdylib`; with the feature `std` it may use std. The
//! same crate runs natively on the stage of a [`rehearsal`], in `cargo test`.
//!
//! | to | see |
//! |---|---|
//! | declare the cast | [`choreography!`], [`Motion`], [`Score`] |
//! | move | [`Actuator`], [`Group`], [`strike`], [`Bulk`], [`Output`], [`Ease`], [`Through`] |
//! | reach, look at something | [`kinematics`], [`head`], [`arm`] |
//! | read sensors | [`Sensor`] |
//! | measure time | [`Instant`], [`Span`], [`Tempo`], [`sleep_until`] |
//! | use parameters, stored values, events, logs | [`Param`], [`Figure`], [`Topic`], [`say!`] |
//! | set priority and weight, end | [`set_priority`], [`set_weight`], [`finish`] |
//! | play postures and sequences | [`posture`], [`sequence`] |
//! | let joints and lights go up and down | [`sine`], [`lights`] |
//! | give joints force, or none | [`gains`] |
//! | stop everything | [`estop`] |
//! | control outputs from outside, mirror a side | [`remote`], [`mirror`] |
//! | use curves | [`Curve`], [`Eased`], [`Keys`], [`Piece`], [`flatten`] |
//! | test | [`rehearsal`] |

#![no_std]

#[cfg(any(not(target_arch = "wasm32"), feature = "std"))]
extern crate std;

mod actuator;
mod angle;
mod answer;
pub mod arm;
mod bulk;
mod cast;
mod curve;
mod ease;
pub mod estop;
mod event;
mod flatten;
pub mod gains;
mod group;
mod handle;
pub mod head;
mod keys;
pub mod kinematics;
mod lane;
pub mod lights;
mod log;
mod macros;
pub mod mirror;
mod output;
#[cfg(target_arch = "wasm32")]
mod panic;
mod param;
pub mod posture;
mod raw;
#[cfg(not(target_arch = "wasm32"))]
pub mod rehearsal;
pub mod remote;
mod request;
mod sensor;
pub mod sequence;
pub mod sine;
mod tempo;
mod time;

pub use actuator::{Actuator, EasedMove, Limits, Move, Phrase, strike};
pub use angle::{Angle, Turn};
pub use answer::{Answer, Merge, State};
pub use bulk::Bulk;
pub use cast::{Choreography, Motion, Role, Score, enter};
pub use curve::{Curve, Piece};
pub use ease::{Ease, Eased};
pub use event::{Event, Topic, next_event};
pub use flatten::{ERROR, Lines, Point, flatten, mix};
pub use group::{Group, GroupMove};
pub use keys::{Keys, Through};
pub use lane::{Priority, body_state, finish, is_hidden, set_priority, set_weight};
pub use log::{Level, Line, Said};
pub use output::Output;
pub use param::{Figure, Param};
#[cfg(target_arch = "wasm32")]
pub use raw::Place;
pub use request::{Outcome, Request};
pub use sensor::Sensor;
pub use tempo::{Bar, Tempo};
pub use time::{Instant, Span, Time, now, period, sleep, sleep_until, turn};

/// Mathematics without std: `maths::sin(x)`, `maths::sqrt(x)`.
pub mod maths {
    pub use core::f64::consts::{FRAC_PI_2, PI, TAU};

    pub use libm::{
        acos, asin, atan, atan2, cbrt, ceil, cos, exp, fabs as abs, floor, fmod, hypot, log as ln,
        pow, round, sin, sqrt, tan, tanh,
    };
}

/// The prelude for most choreographies: `use choreography::prelude::*;`.
pub mod prelude {
    pub use crate::kinematics::{BodyLimb, LimbChain, LimbMove, Vec3};
    #[cfg(not(target_arch = "wasm32"))]
    pub use crate::rehearsal::{Rehearsal, nao};
    pub use crate::{
        Actuator, Angle, Answer, Bulk, Choreography, Curve, Ease, Eased, Figure, Group, Instant,
        Keys, Limits, Merge, Motion, Outcome, Output, Piece, Priority, Request, Score, Sensor,
        Span, State, Tempo, Through, Time, Topic, Turn, body_state, choreography, finish, flatten,
        is_hidden, maths, mix, next_event, now, period, say, set_priority, set_weight, sleep,
        sleep_until, strike, turn, warn,
    };
}

/// Reserves memory, in `start`: a guest's memory cannot grow after it, so later allocations must fit into
/// what was reserved here.
#[cfg(all(target_arch = "wasm32", feature = "std"))]
pub fn reserve(bytes: usize) {
    drop(std::vec::Vec::<u8>::with_capacity(bytes));
}

/// Reserves memory, in `start`. Natively it does nothing.
#[cfg(all(not(target_arch = "wasm32"), feature = "std"))]
pub fn reserve(_bytes: usize) {}

/// A text as an array, for a custom section.
#[doc(hidden)]
pub const fn bytes<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let mut place = 0;
    while place < N {
        bytes[place] = text.as_bytes()[place];
        place += 1;
    }
    bytes
}

#[doc = include_str!("../../README.md")]
#[cfg(doctest)]
struct Readme;
