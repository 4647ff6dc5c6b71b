//! Judges the body while a show plays: self-collision, balance, its motors, and, with physics, falls and slips.
//! Called by the simulation in every turn.
//! For collision, links are placed only when the joints have moved as far as the body was from a collision;
//! for balance, only while it moves.

use cycle::{Span, View};
use description::Robot;
use drivers::sim::RigidRobot;
use robot::live::TurnMoment;

use super::{Simulation, SimulationPhase};
use crate::balance::{BalanceSummary, STEP, SupportState};
use crate::fall::FallMonitor;
use crate::finding::{CheckFinding, Findings};
use crate::format::{amount, seconds};
use crate::rule::{Rule, Severity};
use crate::slip::SlipMonitor;
use crate::support_polygon::TippedStance;

/// How long the body is watched after the show; one with weight may fall then.
const AFTER: [Span; 2] = [Span::from_millis(200), Span::from_millis(2_000)];

/// How long after its last movement a body may still tip, s.
const SETTLES: f64 = 1.0;

/// The shares of the angle at which the body falls that are a warning, and a failure.
const TIPPED: [f64; 2] = [0.1, 0.25];

/// How far a body may lean onto a lifted sole and still come back, rad; and how far its centre of mass must then be
/// within both soles, m.
const LEANS: TippedStance = TippedStance {
    angle: 0.17,
    margin: 0.03,
};

/// The angle of a body that would not stand again, rad.
const LIES: f64 = std::f64::consts::FRAC_PI_2;

impl Simulation<'_> {
    /// Judges falls of this body as well.
    pub(crate) fn watch_for_falls(&mut self, body: &RigidRobot) {
        self.fall = Some(FallMonitor::of(&self.start.robot, body));
        self.slip = Some(SlipMonitor::of(&self.start.robot, body));
    }

    /// Notes how the body with weight stands before the show, for falls and slips.
    pub(super) fn begin_falls(&mut self, moment: &TurnMoment<'_>) {
        if let (Some(fall), Some(world)) = (&mut self.fall, moment.world) {
            fall.begin(world);
        }
        if let Some(slip) = &mut self.slip {
            slip.begin();
        }
    }

    /// Judges falls, also after the show, and slips.
    pub(super) fn look_for_falls(&mut self, moment: &TurnMoment<'_>) {
        if matches!(self.phase, SimulationPhase::Waiting) {
            return;
        }
        let at = self.clock(moment.view.now);
        let (Some(fall), Some(slip), Some(world)) = (&mut self.fall, &mut self.slip, moment.world)
        else {
            return;
        };
        if let Some(finding) = fall.look(world, at) {
            self.round_findings.add(finding);
        }
        if fall.stands() && matches!(self.phase, SimulationPhase::Playing) {
            slip.look(world, at, |finding| self.round_findings.add(finding));
        }
    }

    /// Judges what the show asks of motors. A body that has fallen, or lies where an earlier round left it, presses
    /// joints against the floor. A body that the runtime has stopped plays no more of the show.
    pub(super) fn judge_strain(&mut self, view: &View<'_>, at: f64) {
        let is_down = self
            .fall
            .as_ref()
            .is_some_and(|fall| fall.has_fallen() || self.round > 1 && !fall.stands());
        let findings = &mut self.round_findings;
        let mut stops = false;
        self.strain.look(&self.start.robot, view, at, |finding| {
            let is_overload = finding.rule == Rule::Overload;
            stops |= is_overload;
            if !(is_overload && is_down) {
                findings.add(finding);
            }
        });
        if stops {
            self.result.body_stopped.get_or_insert(at);
            self.settings.times = self.round;
            self.stop_playing();
        }
    }

    /// Drops what geometry has found if the body with weight stood nevertheless; a coupled range that clipped the joint
    /// of a foot is only a warning then. The second time the body may lie where it stood at first, which is no fault of
    /// the show.
    pub(super) fn drop_refuted(&self, found: &mut Findings) {
        let Some(fall) = &self.fall else { return };
        if fall.stands() || self.round > 1 {
            found.remove_failures(&[Rule::Balance, Rule::Tipping]);
        }
        if fall.stands() {
            let carries = joints_above_soles(&self.start.robot);
            found.weaken(Rule::Coupled, |joint| carries.contains(&joint));
        }
    }

    /// How long the body is watched after the show.
    pub(super) fn watched_after(&self) -> Span {
        AFTER[usize::from(self.fall.is_some())]
    }

    /// Judges collision and balance when the joints have moved far enough for either, and limp joints in every turn.
    pub(super) fn judge_body(&mut self, view: &View<'_>, at: f64) {
        if self.balance.is_some()
            && let Some(finding) = self.limp.look(&self.start.robot, view, at, self.stood)
        {
            self.add(finding);
        }
        let Some(kinematics) = &self.kinematics else {
            return;
        };
        let mut turned = 0.0;
        let tracks = view.tracks.iter().take(self.start.robot.actuators.len());
        self.moved.clear();
        self.moved
            .extend(self.last.iter_mut().zip(tracks).map(|(last, track)| {
                let moved = (track.sent - *last).abs();
                *last = track.sent;
                turned += moved;
                moved
            }));
        let touches = self.collision.moved(kinematics, &self.moved);
        if turned > 0.0 {
            self.moved_at = at;
        }
        let settles = at - self.moved_at <= SETTLES || !self.looked;
        let sways = match &mut self.balance {
            Some(balance) => balance.is_due(view.elapsed.seconds()) && settles,
            None => false,
        };
        if !touches && !sways {
            return;
        }
        if touches {
            kinematics.place(|kinematic| view.tracks[kinematic].sent, &mut self.poses);
            self.judge_collision(at);
        }
        if sways {
            self.judge_balance(view, at);
        }
    }

    fn judge_collision(&mut self, at: f64) {
        let links = &self.start.robot.links;
        let is_random = self.start.is_random;
        let findings = &mut self.round_findings;
        self.collision.look(&self.poses, |contact| {
            let (one, other) = (&links[contact.links.0].name, &links[contact.links.1].name);
            let deep = amount(contact.depth * 1e3, "mm");
            let sentence = format!(
                "{one} collides with {other} at {}: {deep} deep",
                seconds(at)
            );
            let fix = format!("keep {one} and {other} apart at {}", seconds(at));
            findings.add(CheckFinding {
                who: format!("{one} and {other}"),
                at: Some(at),
                value: Some(-contact.depth),
                limit: Some(0.0),
                unit: "m".to_owned(),
                times: u64::from(contact.begins),
                severity: if is_random {
                    Severity::Warning
                } else {
                    Severity::Failure
                },
                ..CheckFinding::new(Rule::Touch, sentence, fix)
            });
        });
    }

    fn judge_balance(&mut self, view: &View<'_>, at: f64) {
        let (Some(kinematics), Some(balance)) = (&self.kinematics, &mut self.balance) else {
            return;
        };
        self.looked = true;
        // What the limits left, before it was rounded: rounding has no acceleration.
        kinematics.place(|kinematic| view.tracks[kinematic].limited, &mut self.poses);
        let SupportState::Stands {
            margin,
            moving,
            tipped,
            leans,
        } = balance.look(kinematics, &self.poses)
        else {
            self.result.balance.unsupported += STEP;
            return;
        };
        // Whoever lay or leaned at first has not fallen by that.
        self.stood |= margin >= 0.0;
        if !self.stood {
            return;
        }
        self.result.balance.join(BalanceSummary {
            margin: Some((margin, at)),
            moving_margin: moving.map(|value| (value, at)),
            tipped: if margin >= 0.0 { tipped } else { 0.0 },
            leaned: if margin < 0.0 {
                leans.map_or(LIES, |lean| lean.angle)
            } else {
                0.0
            },
            unsupported: 0.0,
        });
        let [fails, warns] = self.start.robot.balance;
        if margin < warns {
            self.add(static_finding(margin, leans, at, (fails, warns)));
        }
        if let Some(moving) = moving.filter(|_| tipped > TIPPED[0] && margin >= 0.0) {
            self.add(dynamic_finding(moving, tipped, at));
        }
    }
}

fn static_finding(
    margin: f64,
    leans: Option<TippedStance>,
    at: f64,
    (fails, warns): (f64, f64),
) -> CheckFinding {
    let far = amount((margin * 1e4).round().abs() / 10.0, "mm");
    let when = seconds(at);
    let little =
        |stance: &TippedStance| stance.angle <= LEANS.angle && stance.margin >= LEANS.margin;
    let (severity, limit, sentence) = if let Some(lean) = leans.filter(little)
        && margin < fails
    {
        let side = if margin < 0.0 {
            "outside of"
        } else {
            "within the edge of"
        };
        let angle = amount(lean.angle, "rad");
        let well = amount((lean.margin * 1e4).round() / 10.0, "mm");
        let sentence = format!(
            "a sole leaves the ground while it carries: at {when} the centre of mass is {far} {side} the other sole. \
             The body leans over by {angle}, and is then {well} within both soles"
        );
        (Severity::Warning, warns, sentence)
    } else if margin < 0.0 {
        let sentence =
            format!("the centre of mass is {far} outside of the soles at {when}: it falls");
        (Severity::Failure, fails, sentence)
    } else if margin < fails {
        let least = amount(fails * 1e3, "mm");
        let sentence = format!(
            "the centre of mass is {far} within the edge of the soles at {when}, and {least} is the least: any \
             push makes it fall"
        );
        (Severity::Failure, fails, sentence)
    } else {
        let sentence =
            format!("the centre of mass is only {far} within the edge of the soles at {when}");
        (Severity::Warning, warns, sentence)
    };
    CheckFinding {
        severity,
        at: Some(at),
        value: Some(margin),
        limit: Some(limit),
        unit: "m".to_owned(),
        ..CheckFinding::new(
            Rule::Balance,
            sentence,
            format!("lean the other way at {when}, by hips and ankles, or make the move smaller"),
        )
    }
}

fn dynamic_finding(moving: f64, share: f64, at: f64) -> CheckFinding {
    let (out, when) = (amount((-moving * 1e4).round() / 10.0, "mm"), seconds(at));
    let (severity, what) = if share >= TIPPED[1] {
        (
            Severity::Failure,
            "it tips over the edge and falls".to_owned(),
        )
    } else {
        let percent = (share * 100.0).round();
        (
            Severity::Warning,
            format!("it tips {percent} % of the way over the edge"),
        )
    };
    let sentence = format!(
        "it is too fast at {when}: its zero-moment point is {out} outside of the soles, {what}"
    );
    CheckFinding {
        severity,
        at: Some(at),
        value: Some(moving),
        limit: Some(0.0),
        unit: "m".to_owned(),
        ..CheckFinding::new(
            Rule::Tipping,
            sentence,
            format!("give the move at {when} more time, or ease it in and out"),
        )
    }
}

/// The names of the joints that hold the body up: those above its soles.
fn joints_above_soles(robot: &Robot) -> Vec<&str> {
    let mut names = Vec::new();
    for foot in robot.links.iter().filter(|link| !link.sole.is_empty()) {
        let mut next = Some(foot);
        while let Some(link) = next {
            let joint = link.joint.map(|joint| usize::from(joint.0));
            names.extend(joint.map(|joint| robot.actuators[joint].name.as_str()));
            next = link.parent.map(|parent| &robot.links[parent]);
        }
    }
    names
}
