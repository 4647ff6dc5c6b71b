//! The body that kicks: its legs and arms, and the joints that bring them to their places. Called by `limbs`.
//! A leg's place is that of its sole, an arm's the direction of its elbow; the angles between are B-Human's,
//! whose turns of a foot are added to both ankles with their sign.

use cycle::ActuatorId;
use description::Robot;
use kinematics::{Limb, Rotation, Transform, Tree, TreeJoint, TreeLink, Vec3};
use motion_files::{JointTrack, KeyedMotion, value_at};

/// How exactly a foot is placed, m; what is farther away than `FAR` is told.
const EXACT: f64 = 1e-9;
const FAR: f64 = 0.001;

/// Where a leg begins to look for its place: bent, as the knee's range does not allow it otherwise.
const BENT: [f64; 3] = [0.0, -0.5, 1.0];

/// The value of each joint, in the order of `KickBody::names`.
pub(super) type Posture = Vec<f64>;

/// A robot's links and joints as the tables of `kinematics`: the joints are its actuators.
pub(super) struct BodyRows<'r> {
    pub(super) links: Vec<TreeLink<'r>>,
    pub(super) joints: Vec<TreeJoint<'r>>,
}

impl<'r> BodyRows<'r> {
    pub(super) fn of(robot: &'r Robot) -> BodyRows<'r> {
        let number = |n: usize| u16::try_from(n).ok();
        let links = robot.links.iter().map(|link| TreeLink {
            name: &link.name,
            parent: link.parent.and_then(number),
            joint: link.joint.map(|joint| joint.0),
            origin: Transform::new(link.at.into(), Rotation::of_angles(link.turn)),
            axis: Vec3::from(link.axis).unit(),
            slides: link.slides,
            ratio: link.ratio,
            offset: link.offset,
            mass: link.mass,
            centre: link.centre.into(),
        });
        let joint = robot.actuators.iter();
        let joints =
            joint.map(|joint| TreeJoint::new(&joint.name, joint.range.min, joint.range.max));
        BodyRows {
            links: links.collect(),
            joints: joints.collect(),
        }
    }
}

/// One leg: from the hip to the ankle, and what of it has been solved.
struct KickLeg<'t> {
    foot: [&'static str; 2],
    limb: Limb<'t, 4>,
    shin: usize,
    hip: [usize; 3],
    /// From the sole to the ankle, m.
    height: f64,
    /// The farthest that its foot was from its place, m.
    missed: f64,
}

/// One arm: its shoulder seen from the middle between the hips, and its elbow from the shoulder.
struct KickArm {
    side: f64,
    parts: [&'static str; 2],
    shoulder: Vec3,
    elbow: [f64; 2],
    /// Whether it has a joint of the wrist.
    has_wrist: bool,
}

/// A body that kicks.
pub(super) struct KickBody<'t> {
    pub(super) names: Vec<String>,
    tree: Tree<'t>,
    /// The middle between the hips.
    origin: Vec3,
    legs: [KickLeg<'t>; 2],
    arms: Vec<KickArm>,
    has_head: bool,
}

impl<'t> KickBody<'t> {
    pub(super) fn of(robot: &Robot, tree: &Tree<'t>, motion: &KeyedMotion) -> Option<KickBody<'t>> {
        let joint = |name: &str| robot.actuator(name).map(|id: ActuatorId| usize::from(id.0));
        let link = |name: &str| {
            let joint = robot.actuator(name)?;
            let mut links = robot.links.iter();
            links.position(|link| link.joint == Some(joint))
        };
        let at = |name: &str| Some(tree.pose(link(name)?, &[])?.at);
        let mut tracks = motion.tracks.iter();
        let has_head = tracks.any(|track| track.joint.starts_with("headTra"));
        let (left, right) = (at("LHipRoll")?, at("RHipRoll")?);
        let origin = (left + right) * 0.5;
        let yaw = joint("LHipYawPitch")?;
        let leg = |letter: &str, foot: [&'static str; 2]| {
            let named = |text: &str| format!("{letter}{text}");
            let (shin, ankle) = (link(&named("KneePitch"))?, link(&named("AnklePitch"))?);
            let foot_link = link(&named("AnkleRoll"))?;
            let is_plain = robot.links[ankle].axis == [0.0, 1.0, 0.0]
                && robot.links[foot_link].axis == [1.0, 0.0, 0.0]
                && robot.links[foot_link].parent == Some(ankle)
                && robot.links[ankle].parent == Some(shin);
            let limb = Limb::of(tree, &[shin]).ok().filter(|_| is_plain)?;
            Some(KickLeg {
                foot,
                limb: limb.with_tip(robot.links[ankle].at).holding(yaw),
                shin,
                hip: [
                    joint(&named("HipRoll"))?,
                    joint(&named("HipPitch"))?,
                    joint(&named("KneePitch"))?,
                ],
                height: -robot.links[foot_link].sole.first()?[2],
                missed: 0.0,
            })
        };
        let arm = |letter: &str, side: f64, parts: [&'static str; 2]| {
            let named = |text: &str| format!("{letter}{text}");
            let elbow = robot.links[link(&named("ElbowYaw"))?].at;
            joint(&named("ElbowRoll"))?;
            joint(&named("ShoulderRoll"))?;
            Some(KickArm {
                side,
                parts,
                shoulder: at(&named("ShoulderPitch"))? - origin,
                elbow: [elbow[0], elbow[1] * side],
                has_wrist: joint(&named("WristYaw")).is_some(),
            })
        };
        let arms = [
            arm("L", 1.0, ["leftArmTra", "leftHandRot"]),
            arm("R", -1.0, ["rightArmTra", "rightHandRot"]),
        ];
        let mut body = KickBody {
            names: Vec::new(),
            tree: *tree,
            origin,
            legs: [
                leg("L", ["leftFootTra", "leftFootRot"])?,
                leg("R", ["rightFootTra", "rightFootRot"])?,
            ],
            arms: arms.into_iter().flatten().collect(),
            has_head: has_head && joint("HeadYaw").is_some() && joint("HeadPitch").is_some(),
        };
        body.names = body.joint_names();
        Some(body)
    }

    /// The joints, in the order of a posture's values.
    fn joint_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        if self.has_head {
            names.extend(["HeadYaw", "HeadPitch"].map(str::to_owned));
        }
        names.push("LHipYawPitch".to_owned());
        for letter in ["L", "R"] {
            let leg = [
                "HipRoll",
                "HipPitch",
                "KneePitch",
                "AnklePitch",
                "AnkleRoll",
            ];
            names.extend(leg.map(|leg| format!("{letter}{leg}")));
        }
        for arm in &self.arms {
            let letter = if arm.side > 0.0 { "L" } else { "R" };
            let joints = [
                "ShoulderPitch",
                "ShoulderRoll",
                "ElbowYaw",
                "ElbowRoll",
                "WristYaw",
            ];
            let count = if arm.has_wrist { 5 } else { 4 };
            names.extend(
                joints[..count]
                    .iter()
                    .map(|joint| format!("{letter}{joint}")),
            );
        }
        names
    }

    /// The values of the joints at an instant.
    pub(super) fn posture(&mut self, motion: &KeyedMotion, time: u64) -> Posture {
        let mut all = Vec::with_capacity(self.names.len());
        if self.has_head {
            let [pitch, yaw, _] = part(motion, "headTra", time);
            all.extend([yaw, pitch]);
        }
        // The joint that turns both legs.
        all.push(0.0);
        for leg in &mut self.legs {
            all.extend(leg.joints(&self.tree, self.origin, motion, time));
        }
        for arm in &self.arms {
            let count = if arm.has_wrist { 5 } else { 4 };
            all.extend(&arm.joints(motion, time)[..count]);
        }
        all
    }

    /// What is to be said of a motion that was placed.
    pub(super) fn remarks(&self, motion: &KeyedMotion) -> Vec<String> {
        let mut all = Vec::new();
        for leg in self.legs.iter().filter(|leg| leg.missed > FAR) {
            all.push(format!(
                "`{}` cannot be reached everywhere: the foot is up to {:.0} mm away from it",
                leg.foot[0],
                leg.missed * 1e3
            ));
        }
        if motion
            .tracks
            .iter()
            .any(|track| track.joint.starts_with("comTra"))
        {
            all.push(
                "`comTra` is left out: B-Human's engine shifts the weight there by what its sensors tell; fix: look \
                 at the balance with `dcm-run check`"
                    .to_owned(),
            );
        }
        all
    }
}

impl KickLeg<'_> {
    /// Roll and pitch of the hip, knee, pitch and roll of the ankle.
    fn joints(
        &mut self,
        tree: &Tree<'_>,
        origin: Vec3,
        motion: &KeyedMotion,
        time: u64,
    ) -> [f64; 5] {
        let [roll, pitch, _] = part(motion, self.foot[1], time);
        let sole = Vec3::from(part(motion, self.foot[0], time));
        let ankle = origin + sole + Vec3::new(0.0, 0.0, self.height);
        let mut values = vec![0.0; tree.joints.len()];
        for (joint, value) in self.hip.iter().zip(BENT) {
            values[*joint] = value;
        }
        let solution = self.limb.reach(ankle).within(EXACT).from(&values);
        self.missed = self.missed.max(solution.residual.distance);
        solution.write(&mut values);
        // Pitch, then roll, bring the ankle's z upright.
        let shin = tree
            .pose(self.shin, &values)
            .map_or(Rotation::NONE, |pose| pose.turn);
        let up = shin.inverse().turn(Vec3::Z);
        let flat = [up.x.atan2(up.z), -up.y.clamp(-1.0, 1.0).asin()];
        let [hip_roll, hip_pitch, knee] = self.hip.map(|hip| values[hip]);
        [hip_roll, hip_pitch, knee, flat[0] + pitch, flat[1] + roll]
    }
}

impl KickArm {
    /// Pitch and roll of the shoulder, yaw and roll of the elbow, yaw of the wrist.
    fn joints(&self, motion: &KeyedMotion, time: u64) -> [f64; 5] {
        let to = Vec3::from(part(motion, self.parts[0], time)) - self.shoulder;
        let lifted = to.z.atan2(to.x);
        let spread = (to.y * self.side).atan2(to.x.hypot(to.z));
        // The elbow is beside the axis of the upper arm: B-Human's engine turns the arm back by this much.
        let [along, beside] = self.elbow;
        let back = (beside * along).atan2(along * along + 2.0 * beside * beside);
        let [yaw, bend, wrist] = part(motion, self.parts[1], time);
        [-lifted, (spread - back) * self.side, yaw, bend, wrist]
    }
}

/// What the tracks `name.x`, `name.y` and `name.z` have at an instant, in SI.
fn part(motion: &KeyedMotion, name: &str, time: u64) -> [f64; 3] {
    ["x", "y", "z"].map(|axis| {
        let is_it = |track: &&JointTrack| {
            let own = track.joint.strip_prefix(name);
            own.and_then(|text| text.strip_prefix('.')) == Some(axis)
        };
        let track = motion.tracks.iter().find(is_it);
        let value = track.and_then(|track| Some(track.unit.to_si(value_at(track, time)?)));
        value.unwrap_or(0.0)
    })
}
