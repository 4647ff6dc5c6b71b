//! Judges whether the body stands: how far its centre of mass is within the support polygon of its soles, and whether
//! its zero-moment point leaves the polygon for so long that the body tips over.
//!
//! `support_polygon` finds the ground. The ground that was there before is kept for as long as it may be one. Asked
//! every few turns while the joints move.
//! Balance is judged only where a ground was found; what has none is counted, not passed.

use std::collections::VecDeque;

use parry3d_f64::math::{Pose, Vector};

use super::kinematics::KinematicTree;
use super::support_polygon::{SupportCorners, SupportFinder, SupportPolygon, TippedStance};
use description::Robot;

/// Below this margin a centre of mass is nearly outside of the polygon, m.
const NEARLY: f64 = 0.01;

/// The time from one look to the next, s.
pub(super) const STEP: f64 = 0.02;

/// An acceleration is computed from three looks, so many looks apart.
const STRIDE: usize = 2;

/// m/s².
pub(super) const GRAVITY: f64 = 9.81;

/// The ground under a body, and where its links were in the last looks.
#[derive(Clone, Debug)]
pub(super) struct BalanceMonitor {
    support: SupportFinder,
    ground: Option<SupportCorners>,
    looks: VecDeque<Vec<Pose>>,
    since: f64,
    /// How far the body has tipped over the edge, rad; how fast, rad/s; and the least margin of the zero-moment point
    /// since it began to tip.
    tipped: (f64, f64, f64),
}

/// What one look has found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SupportState {
    /// No ground was found.
    None,
    /// It stands on its soles.
    Stands {
        /// How far the centre of mass is within the polygon, m; below 0 it is outside.
        margin: f64,
        /// The margin of the zero-moment point, while the body moves.
        moving: Option<f64>,
        /// How far it has tipped over the edge, as a share of the angle at which it falls.
        tipped: f64,
        /// If the centre of mass is outside, or nearly: how the body would stand after it has tipped onto another
        /// sole.
        leans: Option<TippedStance>,
    },
}

/// The balance of the body over a whole run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BalanceSummary {
    /// The least margin of the centre of mass, m, and when.
    pub(super) margin: Option<(f64, f64)>,
    /// The least margin of the zero-moment point.
    pub(super) moving_margin: Option<(f64, f64)>,
    /// How far it tipped at most, as a share of the angle at which it falls.
    pub(super) tipped: f64,
    /// How far it leaned at most onto a sole that it had lifted, rad.
    pub(super) leaned: f64,
    /// How long no sole was on the ground, s.
    pub(super) unsupported: f64,
}

impl BalanceSummary {
    /// Keeps the worse of both; the times without a ground add up.
    pub(super) fn join(&mut self, other: BalanceSummary) {
        let least = |a: Option<(f64, f64)>, b: Option<(f64, f64)>| match (a, b) {
            (Some(a), Some(b)) if b.0 < a.0 => Some(b),
            (None, b) => b,
            (a, _) => a,
        };
        self.margin = least(self.margin, other.margin);
        self.moving_margin = least(self.moving_margin, other.moving_margin);
        self.tipped = self.tipped.max(other.tipped);
        self.leaned = self.leaned.max(other.leaned);
        self.unsupported += other.unsupported;
    }
}

impl BalanceMonitor {
    /// Of a robot; nothing if its description has no soles.
    pub(super) fn of(robot: &Robot) -> Option<BalanceMonitor> {
        SupportFinder::of(robot).map(|support| BalanceMonitor {
            support,
            ground: None,
            looks: VecDeque::new(),
            since: STEP,
            tipped: (0.0, 0.0, f64::INFINITY),
        })
    }

    /// A new show begins, from wherever the body is.
    pub(super) fn begin(&mut self) {
        self.ground = None;
        self.looks.clear();
        self.since = STEP;
        self.tipped = (0.0, 0.0, f64::INFINITY);
    }

    /// Counts the time of a turn; returns whether a look is due.
    pub(super) fn is_due(&mut self, elapsed: f64) -> bool {
        self.since += elapsed;
        let due = self.since >= STEP - 1e-9;
        if due {
            self.since = 0.0;
        }
        due
    }

    /// Looks at the body.
    pub(super) fn look(&mut self, kinematics: &KinematicTree, poses: &[Pose]) -> SupportState {
        let Some(centre) = kinematics.centre(poses) else {
            return SupportState::None;
        };
        self.looks.push_back(poses.to_vec());
        if self.looks.len() > 2 * STRIDE + 1 {
            self.looks.pop_front();
        }
        let kept = self
            .ground
            .and_then(|ground| self.support.stands_on(ground, poses, centre));
        let Some((ground, plane)) = kept.or_else(|| self.support.find(poses, centre)) else {
            self.ground = None;
            self.tipped = (0.0, 0.0, f64::INFINITY);
            return SupportState::None;
        };
        self.ground = Some(plane);
        let margin = ground.margin(centre);
        let moving = self
            .zero_moment(kinematics, &ground, plane)
            .map(|zero_moment| ground.margin(zero_moment));
        let height = centre.dot(ground.up) - ground.height;
        // Where the centre of mass itself is outside, that is the finding.
        let tipped = if margin >= 0.0 {
            self.tip(margin, moving.unwrap_or(margin), height)
        } else {
            self.tipped = (0.0, 0.0, f64::INFINITY);
            0.0
        };
        let moving = moving.map(|value| value.min(self.tipped.2));
        let leans = (margin < NEARLY)
            .then(|| self.support.leans(&ground, poses, centre))
            .flatten();
        SupportState::Stands {
            margin,
            moving,
            tipped,
            leans,
        }
    }

    /// The zero-moment point: where the ground must push for the links to move as they do. It is that of the middle
    /// one of the last looks, seen from a sole that stands still.
    fn zero_moment(
        &self,
        kinematics: &KinematicTree,
        ground: &SupportPolygon,
        plane: SupportCorners,
    ) -> Option<Vector> {
        if self.looks.len() < 2 * STRIDE + 1 {
            return None;
        }
        let foot = self.support.foot(plane);
        let [before, middle, after] = [0, STRIDE, 2 * STRIDE].map(|i| &self.looks[i]);
        let seconds = STEP * STRIDE as f64;
        let (mut force, mut moment) = (0.0, Vector::ZERO);
        let now = &self.looks[2 * STRIDE];
        // All as seen from the foot, and then in the frame in which the ground is known: that of the last look.
        let seen = |poses: &[Pose], link: usize, centre: Vector| {
            let from_foot = poses[foot]
                .inverse()
                .transform_point(poses[link].transform_point(centre));
            now[foot].transform_point(from_foot)
        };
        for (link, mass, centre) in kinematics.masses() {
            let [a, b, c] = [before, middle, after].map(|value| seen(value, link, centre));
            let acceleration = (a - b * 2.0 + c) / (seconds * seconds);
            let push = mass * (GRAVITY + acceleration.dot(ground.up));
            let above = b.dot(ground.up) - ground.height;
            force += push;
            moment += b * push - acceleration * (mass * above);
        }
        (force > 0.0).then(|| moment / force)
    }

    /// How far the body tips over the edge, by a model of an inverted pendulum: outside of the polygon gravity tips
    /// it on, inside it tips it back.
    fn tip(&mut self, margin: f64, moving: f64, height: f64) -> f64 {
        let arm = height * height + margin * margin;
        let (angle, speed, least) = self.tipped;
        let speed = speed - GRAVITY * moving / arm.max(1e-6) * STEP;
        let angle = angle + speed * STEP;
        self.tipped = if angle <= 0.0 {
            (0.0, 0.0, f64::INFINITY)
        } else {
            (angle, speed, least.min(moving))
        };
        let most = (margin.max(0.0) / height.max(1e-3)).atan();
        self.tipped.0 / most.max(1e-3)
    }
}
