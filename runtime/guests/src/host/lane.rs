//! `lane`: the weight and priority of the guest's lane, and what it drives directly.

use wasmtime::component::LinkerInstance;

use super::{Cx, Host, offer};
use crate::shared::answer::{HostAnswer, HostBodyState};
use crate::shared::command_buffer::Item;
use crate::shared::guest_body::ActuatorInfo;

pub(super) const NAME: &str = "dcm:choreography/lane@0.1.0";

pub(super) const FUNCTIONS: &[&str] = &[
    "set-priority",
    "set-weight",
    "set-weight-on",
    "drive",
    "set-gains",
    "sent",
    "body-state",
    "is-hidden",
    "finish",
];

pub(super) fn link(linker: &mut LinkerInstance<'_, Host>) -> wasmtime::Result<()> {
    offer(
        linker,
        "set-priority",
        |mut cx: Cx<'_>, (priority,): (f64,)| Ok((cx.data_mut().set_priority(priority),)),
    )?;
    offer(linker, "set-weight", |mut cx: Cx<'_>, (weight,): (f64,)| {
        let push_item = |host: &mut Host| host.push_item(Item::Weight { weight });
        Ok((weighed(cx.data_mut(), weight, push_item),))
    })?;
    offer(
        linker,
        "set-weight-on",
        |mut cx: Cx<'_>, (of, weight): (u32, f64)| {
            let push_item = |host: &mut Host| match host.may(of) {
                Ok(()) => host.push_item(Item::WeightOn { of, weight }),
                Err(answer) => answer,
            };
            Ok((weighed(cx.data_mut(), weight, push_item),))
        },
    )?;
    offer(
        linker,
        "drive",
        |mut cx: Cx<'_>, (to, value, weight): (u32, f64, f64)| {
            let push_item = |host: &mut Host| host.drive(to, value, weight);
            Ok((weighed(cx.data_mut(), weight, push_item),))
        },
    )?;
    offer(
        linker,
        "set-gains",
        |mut cx: Cx<'_>, (of, p, i, d, weight): (u32, f64, f64, f64, f64)| {
            let push_item = |host: &mut Host| host.set_gains(of, [p, i, d], weight);
            let gains = [p, i, d]
                .iter()
                .all(|value| value.is_finite() && *value >= 0.0);
            if !gains {
                return Ok((HostAnswer::NotFinite,));
            }
            Ok((weighed(cx.data_mut(), weight, push_item),))
        },
    )?;
    offer(linker, "sent", |cx: Cx<'_>, (to,): (u32,)| {
        Ok((cx.data().body.window.sent(to as usize),))
    })?;
    offer(linker, "body-state", |cx: Cx<'_>, (): ()| {
        let host = cx.data();
        let state = if host.inside() {
            host.body_state
        } else {
            host.body.window.state()
        };
        Ok((HostBodyState::from(state),))
    })?;
    offer(linker, "is-hidden", |cx: Cx<'_>, (): ()| {
        Ok((cx.data().hidden,))
    })?;
    offer(linker, "finish", |mut cx: Cx<'_>, (): ()| {
        Ok((cx.data_mut().push_item(Item::Finish),))
    })
}

/// Queues an item if its weight is valid.
fn weighed(
    host: &mut Host,
    weight: f64,
    push_item: impl FnOnce(&mut Host) -> HostAnswer,
) -> HostAnswer {
    let answer = if cycle::is_weight(weight) {
        push_item(host)
    } else {
        HostAnswer::NotFinite
    };
    if answer == HostAnswer::NotFinite {
        host.count_refusal();
    }
    answer
}

impl Host {
    /// Counts a request that never reaches the stage.
    fn count_refusal(&mut self) {
        match &self.cancel {
            Some(report) => report.refused_at_once(),
            None => self.counts.refused = self.counts.refused.saturating_add(1),
        }
    }

    fn set_priority(&mut self, priority: f64) -> HostAnswer {
        if !priority.is_finite() {
            return HostAnswer::NotFinite;
        }
        if priority > self.priority_max {
            return HostAnswer::Forbidden;
        }
        self.push_item(Item::Priority { priority })
    }

    fn drive(&mut self, to: u32, value: f64, weight: f64) -> HostAnswer {
        if let Err(answer) = self.may_if(to, |actuator_info| !actuator_info.is_trigger) {
            return answer;
        }
        if value.is_nan() {
            return HostAnswer::Done;
        }
        if value.is_infinite() {
            return HostAnswer::NotFinite;
        }
        self.push_item(Item::Drive { to, value, weight })
    }

    fn set_gains(&mut self, of: u32, [p, i, d]: [f64; 3], weight: f64) -> HostAnswer {
        if let Err(answer) = self.may_if(of, |actuator_info| actuator_info.has_gains) {
            return answer;
        }
        // Both parts, or none.
        if let Err(answer) = self.items_fit(2) {
            return answer;
        }
        self.push_item(Item::Gains { of, p, i, d });
        self.push_item(Item::GainsWeight { weight })
    }

    /// Whether this guest may drive the actuator, and it is of the right kind.
    fn may_if(
        &self,
        actuator: u32,
        right: impl FnOnce(&ActuatorInfo) -> bool,
    ) -> Result<(), HostAnswer> {
        self.may(actuator)?;
        let known = self.body.actuators.get(actuator as usize);
        match known.is_some_and(right) {
            true => Ok(()),
            false => Err(HostAnswer::WrongKind),
        }
    }
}
