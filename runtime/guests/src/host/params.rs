//! `params`: figures that a person tunes while the guest runs.

use wasmtime::component::{LinkerInstance, WasmStr};

use super::{CallPhase, Cx, Host, offer};
use crate::shared::answer::NONE;

pub(super) const NAME: &str = "dcm:choreography/params@0.1.0";

pub(super) const FUNCTIONS: &[&str] = &["declare", "get"];

/// Parameters that a guest may declare.
pub(crate) const PARAMS: usize = 64;

/// The longest name of a parameter, bytes.
const PARAM_NAME_MAX: usize = 64;

/// A parameter as it was declared.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// The lowest value.
    pub lowest: f64,
    /// Its default.
    pub usual: f64,
    /// The highest value.
    pub highest: f64,
}

/// All parameters of a guest, with their values.
#[derive(Debug, Default)]
pub(crate) struct Params {
    declared: Vec<Param>,
    values: Vec<f64>,
    /// Values that were given when it was loaded, before anything was declared.
    wanted: Vec<(String, f64)>,
}

pub(super) fn link(linker: &mut LinkerInstance<'_, Host>) -> wasmtime::Result<()> {
    offer(
        linker,
        "declare",
        |mut cx: Cx<'_>, (name, lowest, usual, highest): (WasmStr, f64, f64, f64)| {
            if matches!(cx.data().phase, CallPhase::Hook | CallPhase::Stop) {
                return Ok((NONE,));
            }
            let name = name.to_str(&cx)?.into_owned();
            let param = Param {
                name,
                lowest,
                usual,
                highest,
            };
            Ok((cx.data_mut().params.declare(param),))
        },
    )?;
    offer(linker, "get", |cx: Cx<'_>, (param,): (u32,)| {
        Ok((cx.data().params.get(param),))
    })
}

impl Params {
    pub(crate) fn new(wanted: Vec<(String, f64)>) -> Params {
        Params {
            wanted,
            ..Params::default()
        }
    }

    fn declare(&mut self, param: Param) -> u32 {
        let finite = [param.lowest, param.usual, param.highest]
            .iter()
            .all(|value| value.is_finite());
        let rises = param.lowest <= param.usual && param.usual <= param.highest;
        let known = self.declared.iter().any(|item| item.name == param.name);
        let named = !param.name.is_empty() && param.name.len() <= PARAM_NAME_MAX;
        if !(finite && rises && named) || known || self.declared.len() >= PARAMS {
            return NONE;
        }
        let wanted = self.wanted.iter().find(|pair| pair.0 == param.name);
        let value = wanted.map_or(param.usual, |pair| {
            pair.1.clamp(param.lowest, param.highest)
        });
        let number = u32::try_from(self.declared.len()).unwrap_or(NONE);
        self.declared.push(param);
        self.values.push(value);
        number
    }

    fn get(&self, param: u32) -> f64 {
        let value = self.values.get(param as usize).copied();
        value.unwrap_or(f64::NAN)
    }

    /// The declared parameters with their values.
    pub(crate) fn all(&self) -> Vec<(Param, f64)> {
        let values = self.values.iter().copied();
        self.declared.iter().cloned().zip(values).collect()
    }

    /// The declared parameters.
    pub(crate) fn declared(&self) -> &[Param] {
        &self.declared
    }

    /// A parameter that was given when it was loaded, but that it did not declare.
    pub(crate) fn not_declared(&self) -> Option<&str> {
        let declared = |name: &str| self.declared.iter().any(|item| item.name == name);
        let missing = self.wanted.iter().find(|pair| !declared(&pair.0));
        missing.map(|pair| pair.0.as_str())
    }

    /// Sets a parameter, between turns.
    pub(crate) fn turn(&mut self, param: usize, value: f64) {
        if let (Some(range), Some(place)) = (self.declared.get(param), self.values.get_mut(param)) {
            *place = value.clamp(range.lowest, range.highest);
        }
    }
}
