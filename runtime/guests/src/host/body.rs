//! `body`: looks names up, and tells the body's limits.

use wasmtime::component::{LinkerInstance, WasmStr};

use super::{Cx, Host, offer};
use crate::shared::answer::NONE;
use crate::shared::guest_body::{ActuatorInfo, NAME_MAX};

pub(super) const NAME: &str = "dcm:choreography/body@0.1.0";

pub(super) const FUNCTIONS: &[&str] = &[
    "find-actuator",
    "find-sensor",
    "alias-length",
    "alias-member",
    "lowest",
    "highest",
    "velocity",
    "acceleration",
    "rest",
    "period",
];

pub(super) fn link(linker: &mut LinkerInstance<'_, Host>) -> wasmtime::Result<()> {
    offer(
        linker,
        "find-actuator",
        |cx: Cx<'_>, (name,): (WasmStr,)| {
            Ok((look_up(&cx, &name, |host, item| host.body.actuator(item))?.unwrap_or(NONE),))
        },
    )?;
    offer(linker, "find-sensor", |cx: Cx<'_>, (name,): (WasmStr,)| {
        Ok((look_up(&cx, &name, |host, item| host.body.sensor(item))?.unwrap_or(NONE),))
    })?;
    offer(linker, "alias-length", |cx: Cx<'_>, (name,): (WasmStr,)| {
        let length = look_up(&cx, &name, |host, item| host.body.alias(item).len())?;
        Ok((length
            .and_then(|length| u32::try_from(length).ok())
            .unwrap_or(0),))
    })?;
    offer(
        linker,
        "alias-member",
        |cx: Cx<'_>, (name, at): (WasmStr, u32)| {
            let member = |host: &Host, text: &str| host.body.alias(text).get(at as usize).copied();
            Ok((look_up(&cx, &name, member)?.flatten().unwrap_or(NONE),))
        },
    )?;
    limit(linker, "lowest", |value| value.lowest)?;
    limit(linker, "highest", |value| value.highest)?;
    limit(linker, "velocity", |actuator_info| actuator_info.velocity)?;
    limit(linker, "acceleration", |actuator_info| {
        actuator_info.acceleration
    })?;
    limit(linker, "rest", |actuator_info| actuator_info.rest)?;
    offer(linker, "period", |cx: Cx<'_>, (): ()| {
        Ok((cx.data().body.period.nanos(),))
    })
}

/// Looks a name up. This takes time, and so is only done outside the turn.
fn look_up<R>(
    cx: &Cx<'_>,
    name: &WasmStr,
    find: impl FnOnce(&Host, &str) -> R,
) -> wasmtime::Result<Option<R>> {
    if cx.data().inside() {
        return Ok(None);
    }
    let name = name.to_str(cx)?;
    Ok((name.len() <= NAME_MAX).then(|| find(cx.data(), &name)))
}

fn limit(
    linker: &mut LinkerInstance<'_, Host>,
    name: &str,
    of: fn(&ActuatorInfo) -> f64,
) -> wasmtime::Result<()> {
    offer(linker, name, move |cx: Cx<'_>, (actuator,): (u32,)| {
        let known = cx.data().body.actuators.get(actuator as usize);
        Ok((known.map_or(f64::NAN, of),))
    })
}
