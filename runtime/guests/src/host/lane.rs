//! `lane`: how strongly the guest is heard, and what it drives directly.

use wasmtime::component::LinkerInstance;

use super::{Cx, Host, offer};
use crate::shared::answer::{Answer, BodyState};
use crate::shared::command_buffer::Item;
use crate::shared::guest_body::Known;

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
        let lay = |host: &mut Host| host.lay(Item::Weight { weight });
        Ok((weighed(cx.data_mut(), weight, lay),))
    })?;
    offer(
        linker,
        "set-weight-on",
        |mut cx: Cx<'_>, (of, weight): (u32, f64)| {
            let lay = |host: &mut Host| match host.may(of) {
                Ok(()) => host.lay(Item::WeightOn { of, weight }),
                Err(answer) => answer,
            };
            Ok((weighed(cx.data_mut(), weight, lay),))
        },
    )?;
    offer(
        linker,
        "drive",
        |mut cx: Cx<'_>, (to, value, weight): (u32, f64, f64)| {
            let lay = |host: &mut Host| host.drive(to, value, weight);
            Ok((weighed(cx.data_mut(), weight, lay),))
        },
    )?;
    offer(
        linker,
        "set-gains",
        |mut cx: Cx<'_>, (of, p, i, d, weight): (u32, f64, f64, f64, f64)| {
            let lay = |host: &mut Host| host.set_gains(of, [p, i, d], weight);
            let gains = [p, i, d].iter().all(|it| it.is_finite() && *it >= 0.0);
            if !gains {
                return Ok((Answer::NotFinite,));
            }
            Ok((weighed(cx.data_mut(), weight, lay),))
        },
    )?;
    offer(linker, "sent", |cx: Cx<'_>, (to,): (u32,)| {
        Ok((cx.data().scene.window.sent(to as usize),))
    })?;
    offer(linker, "body-state", |cx: Cx<'_>, (): ()| {
        let host = cx.data();
        let state = if host.inside() {
            host.body_state
        } else {
            host.scene.window.state()
        };
        Ok((BodyState::from(state),))
    })?;
    offer(linker, "is-hidden", |cx: Cx<'_>, (): ()| {
        Ok((cx.data().hidden,))
    })?;
    offer(linker, "finish", |mut cx: Cx<'_>, (): ()| {
        Ok((cx.data_mut().lay(Item::Finish),))
    })
}

/// Lays down what is asked if the weight is one.
fn weighed(host: &mut Host, weight: f64, lay: impl FnOnce(&mut Host) -> Answer) -> Answer {
    if (0.0..=1.0).contains(&weight) {
        lay(host)
    } else {
        Answer::NotFinite
    }
}

impl Host {
    fn set_priority(&mut self, priority: f64) -> Answer {
        if !priority.is_finite() {
            return Answer::NotFinite;
        }
        if priority > self.priority_max {
            return Answer::Forbidden;
        }
        self.lay(Item::Priority { priority })
    }

    fn drive(&mut self, to: u32, value: f64, weight: f64) -> Answer {
        if let Err(answer) = self.may_if(to, |it| !it.is_trigger) {
            return answer;
        }
        if value.is_nan() {
            return Answer::Done;
        }
        if value.is_infinite() {
            return Answer::NotFinite;
        }
        self.lay(Item::Drive { to, value, weight })
    }

    fn set_gains(&mut self, of: u32, [p, i, d]: [f64; 3], weight: f64) -> Answer {
        if let Err(answer) = self.may_if(of, |it| it.has_gains) {
            return answer;
        }
        // Both parts, or none.
        if let Err(answer) = self.items_fit(2) {
            return answer;
        }
        self.lay(Item::Gains { of, p, i, d });
        self.lay(Item::GainsWeight { weight })
    }

    /// Whether this guest may drive the actuator, and it is of the right kind.
    fn may_if(&self, actuator: u32, right: impl FnOnce(&Known) -> bool) -> Result<(), Answer> {
        self.may(actuator)?;
        let known = self.scene.actuators.get(actuator as usize);
        match known.is_some_and(right) {
            true => Ok(()),
            false => Err(Answer::WrongKind),
        }
    }
}
