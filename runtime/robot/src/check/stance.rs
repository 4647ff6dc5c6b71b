//! Looks at the body while a show plays: whether it touches itself, and whether it stands.
//! Called by the rehearsal in every turn.
//! The law: the links are placed again only when the joints have moved as far as the body was from trouble.

use cycle::View;

use super::finding::Finding;
use super::rehearsal::Rehearsal;
use super::rule::{Rule, Severity};
use super::words::{amount, seconds};

impl Rehearsal<'_> {
    /// Touch and balance, when the joints have moved far enough for either.
    pub(super) fn look_at_the_body(&mut self, view: &View<'_>, at: f64) {
        let Some(skeleton) = &self.skeleton else {
            return;
        };
        let mut turned = 0.0;
        for (last, track) in self
            .last
            .iter_mut()
            .zip(view.tracks)
            .take(self.start.robot.actuators.len())
        {
            turned += (track.sent - *last).abs();
            *last = track.sent;
        }
        let far = turned * skeleton.reach.max(1.0);
        self.steady -= far;
        let touches = self.touch.moved(far);
        let sways = self.balance.is_some() && self.steady <= 0.0;
        if !touches && !sways {
            return;
        }
        skeleton.place(|it| view.tracks[it].sent, &mut self.poses);
        let links = &self.start.robot.links;
        let by_chance = self.start.by_chance;
        let findings = &mut self.round_findings;
        if touches {
            self.touch.look(&self.poses, |contact| {
                let (one, other) = (&links[contact.links.0].name, &links[contact.links.1].name);
                let deep = amount(contact.depth * 1e3, "mm");
                let sentence = format!("{one} touches {other} at {}: {deep} deep", seconds(at));
                let fix = format!("keep {one} and {other} apart at {}", seconds(at));
                findings.add(Finding {
                    who: format!("{one} and {other}"),
                    at: Some(at),
                    value: Some(-contact.depth),
                    limit: Some(0.0),
                    unit: "m".to_owned(),
                    times: u64::from(contact.begins),
                    severity: if by_chance {
                        Severity::Warning
                    } else {
                        Severity::Failure
                    },
                    ..Finding::new(Rule::Touch, sentence, fix)
                });
            });
        }
        if !sways {
            return;
        }
        let margin = self
            .balance
            .as_ref()
            .and_then(|it| it.margin(skeleton, &self.poses));
        // Who does not stand has nothing to lose for as long as it takes to move a little.
        self.steady = margin.map_or(0.01, |it| it.abs().max(0.0005) / 2.0);
        self.stood |= margin.is_some_and(|it| it >= 0.0);
        let Some(margin) = margin.filter(|it| *it < 0.0 && self.stood) else {
            return;
        };
        let out = amount(-margin * 1e3, "mm");
        let sentence = format!(
            "the centre of mass is {out} outside of the soles at {}: it falls",
            seconds(at)
        );
        self.add(Finding {
            at: Some(at),
            value: Some(margin),
            limit: Some(0.0),
            unit: "m".to_owned(),
            ..Finding::new(
                Rule::Balance,
                sentence,
                format!(
                    "lean the other way at {}, by hips and ankles, or make the move smaller",
                    seconds(at)
                ),
            )
        });
    }
}
