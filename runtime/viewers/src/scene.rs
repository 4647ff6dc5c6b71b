//! The body for viewers: a coordinate frame for each link, capsules in those frames, joints by name.
//! Made once for a loop; evaluated for every frame of the page. Units are SI, coordinate frames are named
//! after the links, and the commanded body is beside the measured one.

use foxglove::messages::{
    Color, CylinderPrimitive, FrameTransform, FrameTransforms, JointState, JointStates, Pose,
    Quaternion, SceneEntity, SceneUpdate, SpherePrimitive, Timestamp, Vector3,
};
use protocol::{Capsule, Figure, FigureLink};
use sensors::Frame;

/// The root coordinate frame.
const WORLD: &str = "world";

/// The prefix of the commanded body's coordinate frames.
const COMMANDED: &str = "commanded/";

/// The values of a turn, by their places on the page.
pub(super) trait JointValues {
    /// What an actuator was sent.
    fn sent(&self, actuator: usize) -> Option<f64>;
    /// What a sensor reads.
    fn sensor(&self, sensor: usize) -> Option<f64>;
}

impl JointValues for Frame<'_> {
    fn sent(&self, actuator: usize) -> Option<f64> {
        Frame::sent(self, actuator)
    }

    fn sensor(&self, sensor: usize) -> Option<f64> {
        Frame::sensor(self, sensor)
    }
}

/// The body.
#[derive(Debug)]
pub(super) struct BodyScene {
    figure: Figure,
}

/// Which of the two poses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PoseSource {
    /// The pose that the sensors measure.
    Measured,
    /// The pose that was sent.
    Commanded,
}

impl BodyScene {
    pub(super) fn of(figure: Figure) -> BodyScene {
        BodyScene { figure }
    }

    /// The values of all joints.
    pub(super) fn joints(
        &self,
        frame: &dyn JointValues,
        shape: PoseSource,
        timestamp: Timestamp,
    ) -> JointStates {
        let joints = self.figure.joints.iter().map(|joint| JointState {
            name: joint.name.clone(),
            position: self.value(frame, joint.actuator, shape),
            ..JointState::default()
        });
        JointStates {
            timestamp: Some(timestamp),
            joints: joints.collect(),
        }
    }

    /// The pose of each link in its parent's frame.
    pub(super) fn transforms(
        &self,
        frame: &dyn JointValues,
        timestamp: Timestamp,
    ) -> FrameTransforms {
        let mut transforms = Vec::with_capacity(2 * self.figure.links.len());
        for (shape, prefix) in [
            (PoseSource::Measured, ""),
            (PoseSource::Commanded, COMMANDED),
        ] {
            for link in &self.figure.links {
                let parent = link.parent.and_then(|parent| self.figure.links.get(parent));
                let value = link.joint.and_then(|joint| self.value(frame, joint, shape));
                let base = self.base(frame).filter(|_| parent.is_none());
                let (translation, rotation) =
                    base.unwrap_or_else(|| moved(link, value.unwrap_or(0.0)));
                transforms.push(FrameTransform {
                    timestamp: Some(timestamp),
                    parent_frame_id: parent.map_or_else(
                        || WORLD.to_owned(),
                        |parent| format!("{prefix}{}", parent.name),
                    ),
                    child_frame_id: format!("{prefix}{}", link.name),
                    translation: Some(translation),
                    rotation: Some(rotation),
                });
            }
        }
        FrameTransforms { transforms }
    }

    /// The shapes of all links, each in its own frame.
    pub(super) fn shapes(&self, timestamp: Timestamp) -> SceneUpdate {
        let mut entities = Vec::new();
        for (prefix, alpha) in [("", 1.0), (COMMANDED, 0.25)] {
            for link in self
                .figure
                .links
                .iter()
                .filter(|link| !link.capsules.is_empty())
            {
                let mut entity = SceneEntity {
                    timestamp: Some(timestamp),
                    frame_id: format!("{prefix}{}", link.name),
                    id: format!("{prefix}{}", link.name),
                    frame_locked: true,
                    ..SceneEntity::default()
                };
                for capsule in &link.capsules {
                    draw(capsule, alpha, &mut entity);
                }
                entities.push(entity);
            }
        }
        SceneUpdate {
            deletions: Vec::new(),
            entities,
        }
    }

    /// Where the simulation has the body.
    fn base(&self, frame: &dyn JointValues) -> Option<(Vector3, Quaternion)> {
        let sensor = |sensor: u16| frame.sensor(usize::from(sensor));
        let [at, turn] = self.figure.base?.read(sensor)?;
        Some((vector(at), turned(turn)))
    }

    fn value(&self, frame: &dyn JointValues, actuator: u16, shape: PoseSource) -> Option<f64> {
        let sent = frame.sent(usize::from(actuator));
        let mut joints = self.figure.joints.iter();
        let sensor = joints.find(|joint| joint.actuator == actuator)?.sensor;
        match (shape, sensor) {
            // A joint without a sensor has the sent value.
            (PoseSource::Commanded, _) | (_, None) => sent,
            (PoseSource::Measured, Some(sensor)) => frame.sensor(usize::from(sensor)),
        }
    }
}

/// The pose of a link whose joint is at `value`.
fn moved(link: &FigureLink, value: f64) -> (Vector3, Quaternion) {
    let value = link.ratio * value + link.offset;
    let turn = turned(link.turn);
    if link.slides {
        let along = link.axis.map(|axis| axis * value);
        let [x, y, z] = rotate(&turn, along);
        let [at_x, at_y, at_z] = link.at;
        return (vector([at_x + x, at_y + y, at_z + z]), turn);
    }
    (vector(link.at), product(&turn, &about(link.axis, value)))
}

/// Roll, pitch and yaw about fixed axes.
fn turned([roll, pitch, yaw]: [f64; 3]) -> Quaternion {
    let (z, y, x) = (
        about([0.0, 0.0, 1.0], yaw),
        about([0.0, 1.0, 0.0], pitch),
        about([1.0, 0.0, 0.0], roll),
    );
    product(&product(&z, &y), &x)
}

fn about(axis: [f64; 3], angle: f64) -> Quaternion {
    let (sine, cosine) = (angle / 2.0).sin_cos();
    Quaternion {
        x: axis[0] * sine,
        y: axis[1] * sine,
        z: axis[2] * sine,
        w: cosine,
    }
}

fn product(a: &Quaternion, b: &Quaternion) -> Quaternion {
    Quaternion {
        x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    }
}

fn rotate(by: &Quaternion, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let back = Quaternion {
        x: -by.x,
        y: -by.y,
        z: -by.z,
        w: by.w,
    };
    let point = Quaternion { x, y, z, w: 0.0 };
    let product = product(&product(by, &point), &back);
    [product.x, product.y, product.z]
}

fn vector([x, y, z]: [f64; 3]) -> Vector3 {
    Vector3 { x, y, z }
}

/// A capsule as a cylinder between two spheres.
fn draw(capsule: &Capsule, alpha: f64, into: &mut SceneEntity) {
    let color = Some(Color {
        r: 0.55,
        g: 0.65,
        b: 0.8,
        a: alpha,
    });
    let width = 2.0 * capsule.radius;
    let ends = [capsule.from, capsule.to];
    into.spheres.extend(ends.map(|end| SpherePrimitive {
        pose: Some(Pose {
            position: Some(vector(end)),
            orientation: Some(about([0.0, 0.0, 1.0], 0.0)),
        }),
        size: Some(vector([width; 3])),
        color,
    }));
    let along: Vec<_> = (0..3).map(|i| capsule.to[i] - capsule.from[i]).collect();
    let length = along.iter().map(|value| value * value).sum::<f64>().sqrt();
    if length < 1e-9 {
        return;
    }
    let middle = [0, 1, 2].map(|i| (capsule.from[i] + capsule.to[i]) / 2.0);
    // Rotates the z axis, the axis of cylinders, to the capsule's. Half a turn at most.
    let (x, y, z) = (along[0] / length, along[1] / length, along[2] / length);
    let turn = if z < -0.999_999 {
        about([1.0, 0.0, 0.0], std::f64::consts::PI)
    } else {
        let scale = (2.0 * (1.0 + z)).sqrt();
        Quaternion {
            x: -y / scale,
            y: x / scale,
            z: 0.0,
            w: scale / 2.0,
        }
    };
    into.cylinders.push(CylinderPrimitive {
        pose: Some(Pose {
            position: Some(vector(middle)),
            orientation: Some(turn),
        }),
        size: Some(vector([width, width, length])),
        bottom_scale: 1.0,
        top_scale: 1.0,
        color,
    });
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use foxglove::messages::{SceneEntity, Timestamp};
    use protocol::{Capsule, Figure, FigureBase, FigureLink};

    use super::{BodyScene, JointValues, about, draw, product, rotate, turned};

    fn near(a: [f64; 3], b: [f64; 3]) {
        let far = a.iter().zip(b).map(|(a, b)| (a - b).abs());
        assert!(far.fold(0.0, f64::max) < 1e-12, "{a:?} is not {b:?}");
    }

    #[test]
    fn turns_are_about_fixed_axes_roll_first() {
        let turn = turned([FRAC_PI_2, 0.0, FRAC_PI_2]);
        // Roll takes y to z, which yaw keeps. Roll keeps x, which yaw takes to y.
        near(rotate(&turn, [0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]);
        near(rotate(&turn, [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]);
        let twice = product(
            &about([0.0, 0.0, 1.0], FRAC_PI_2),
            &about([0.0, 0.0, 1.0], FRAC_PI_2),
        );
        near(rotate(&twice, [1.0, 0.0, 0.0]), [-1.0, 0.0, 0.0]);
    }

    /// A body whose sensors read these values.
    struct Sensors([f64; 6]);

    impl JointValues for Sensors {
        fn sent(&self, _: usize) -> Option<f64> {
            None
        }

        fn sensor(&self, sensor: usize) -> Option<f64> {
            Some(self.0[sensor])
        }
    }

    #[test]
    fn the_first_link_is_where_the_simulation_has_it() {
        let link = FigureLink {
            name: "torso".to_owned(),
            parent: None,
            joint: None,
            at: [1.0, 0.0, 0.0],
            turn: [0.0; 3],
            axis: [0.0, 0.0, 1.0],
            slides: false,
            ratio: 1.0,
            offset: 0.0,
            capsules: Vec::new(),
            sole: Vec::new(),
        };
        let scene = BodyScene::of(Figure {
            links: vec![link],
            base: Some(FigureBase {
                position: [0, 1, 2],
                angles: [3, 4, 5],
            }),
            ..Figure::default()
        });
        for (values, at) in [
            ([1.0, 2.0, 3.0, 0.0, 0.0, FRAC_PI_2], [1.0, 2.0, 3.0]),
            // Without physics nothing moves them.
            ([0.0; 6], [1.0, 0.0, 0.0]),
        ] {
            let drawn = scene.transforms(&Sensors(values), Timestamp::new(0, 0));
            assert_eq!(drawn.transforms.len(), 2);
            for transform in drawn.transforms {
                let shift = transform.translation.expect("a place");
                near([shift.x, shift.y, shift.z], at);
            }
        }
    }

    #[test]
    fn a_cylinder_lies_along_its_capsule() {
        for to in [
            [0.0, 0.0, -1.0],
            [1.0, 0.0, 0.0],
            [0.0, -1.0, 0.0],
            [0.6, 0.0, 0.8],
        ] {
            let mut entity = SceneEntity::default();
            let capsule = Capsule {
                from: [0.0; 3],
                to,
                radius: 0.1,
            };
            draw(&capsule, 1.0, &mut entity);
            let turn = entity.cylinders[0].pose.and_then(|pose| pose.orientation);
            near(rotate(&turn.expect("it is turned"), [0.0, 0.0, 1.0]), to);
        }
    }
}
