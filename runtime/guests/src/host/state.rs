//! `state`: figures that outlive a version of a guest.

use wasmtime::component::LinkerInstance;

use super::{Cx, Host, offer};
use crate::shared::answer::HostAnswer;

pub(super) const NAME: &str = "dcm:choreography/state@0.1.0";

pub(super) const FUNCTIONS: &[&str] = &["keep", "kept"];

/// Figures that a guest may store.
const FIGURES: usize = 256;

/// The figures that a guest stores for its next version; NaN where it stored none.
#[derive(Clone, Debug)]
pub(crate) struct StateSlots(Box<[f64]>);

impl StateSlots {
    pub(crate) fn nothing() -> StateSlots {
        StateSlots(vec![f64::NAN; FIGURES].into_boxed_slice())
    }

    /// Copies the figures of the version before.
    pub(crate) fn take_over(&mut self, other: &StateSlots) {
        self.0.copy_from_slice(&other.0);
    }
}

pub(super) fn link(linker: &mut LinkerInstance<'_, Host>) -> wasmtime::Result<()> {
    offer(
        linker,
        "keep",
        |mut cx: Cx<'_>, (place, value): (u32, f64)| {
            Ok((match cx.data_mut().kept.0.get_mut(place as usize) {
                Some(figure) => {
                    *figure = value;
                    HostAnswer::Done
                }
                None => HostAnswer::Unknown,
            },))
        },
    )?;
    offer(linker, "kept", |cx: Cx<'_>, (place,): (u32,)| {
        let figure = cx.data().kept.0.get(place as usize).copied();
        Ok((figure.unwrap_or(f64::NAN),))
    })
}
