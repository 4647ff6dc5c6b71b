//! A simulated body with weight under a real cycle, and what tests do to it.

use cycle::{ActuatorId, CommandSet, Instant, Merge, Ports, Request, Span, State, To};
use description::{RigidBody, Robot, RobotSource, load};
use drivers::sim::{BodyStart, SimEvent};
use kinematics::{Rotation, Transform, Vec3};
use robot::live::{SharedSim, assemble};

/// A body that runs, and what a test does with it.
pub(super) struct Heavy<'a, 'm, 'b> {
    pub(super) robot: &'a Robot,
    pub(super) cycle: &'a mut cycle::Cycle<'m>,
    pub(super) sim: &'a std::cell::RefCell<drivers::sim::SimBoard<'b>>,
    pub(super) turn: u64,
}

impl Heavy<'_, '_, '_> {
    pub(super) fn run(&mut self, seconds: f64) {
        let until = Span::from_nanos((seconds * 1e9) as u64);
        let turns = until.nanos() / self.robot.settings.period.nanos();
        for _ in 0..turns {
            self.turn += 1;
            let now = Instant::from_nanos(self.robot.settings.period.nanos() * self.turn);
            let mut ports = Ports {
                inbox: &mut (),
                hooks: &mut (),
                board: &mut SharedSim(self.sim),
                page: &mut (),
            };
            let report = self.cycle.turn(now, &mut ports);
            if report.state == State::Disarmed {
                // Refused until enough readings were good.
                let _ = self.cycle.stage().arm();
            }
        }
    }

    pub(super) fn do_to_body(&mut self, event: SimEvent) {
        let applied = self.sim.borrow_mut().apply(event);
        assert_eq!(applied, Ok(()), "{event:?}");
    }

    pub(super) fn push(&mut self, link: &str, force: [f64; 3], ms: u64) {
        let link = self.link(link);
        let lasts = Span::from_millis(ms);
        self.do_to_body(SimEvent::PushLink { link, force, lasts });
    }

    /// All numbers of the world, to the last bit.
    pub(super) fn bits(&self) -> Vec<u64> {
        let sim = self.sim.borrow();
        let world = sim.physics().expect("physics");
        let mut state = vec![0.0; world.state_len()];
        world.write_state(&mut state);
        state.into_iter().map(f64::to_bits).collect()
    }

    /// Moves these joints within a second, and gives them another to settle.
    pub(super) fn take_pose(&mut self, pose: &[(ActuatorId, f64)]) {
        let lane = self.cycle.stage().open(self.robot.lane).expect("a lane");
        let at = self.cycle.stage().now() + Span::from_millis(1_000);
        for (joint, value) in pose {
            let request = Request {
                to: To::One(*joint),
                merge: Merge::ClearAll,
                commands: CommandSet::Separate {
                    times: &[at],
                    values: &[*value],
                },
            };
            self.cycle.stage().submit(lane, &request).expect("taken");
        }
        self.run(2.5);
    }

    pub(super) fn get(&self, sensor: &str) -> f64 {
        let id = self.robot.sensor(sensor).expect("a sensor");
        self.cycle.view().sensors[usize::from(id.0)]
    }

    pub(super) fn link(&self, name: &str) -> usize {
        let mut links = self.robot.links.iter();
        links.position(|link| link.name == name).expect("a link")
    }

    pub(super) fn upright(&self) -> f64 {
        let sim = self.sim.borrow();
        sim.physics().expect("physics").direction(0, Vec3::Z).z
    }

    /// The poses of all links in the frame of one, from the joints as they are.
    pub(super) fn poses_from(&self, link: usize) -> Vec<Transform> {
        let mut poses: Vec<Transform> = Vec::new();
        for link in &self.robot.links {
            let parent = link.parent.map_or(Transform::NONE, |parent| poses[parent]);
            let placed = parent * Transform::new(link.at.into(), Rotation::of_angles(link.turn));
            let angle = link.joint.map_or(0.0, |joint| {
                let position = self.sim.borrow().position(usize::from(joint.0));
                position.unwrap_or(0.0) * link.ratio + link.offset
            });
            poses.push(
                placed * Transform::new(Vec3::ZERO, Rotation::about(link.axis.into(), angle)),
            );
        }
        let base = poses[link];
        let inverse = base.turn.inverse();
        let from =
            |pose: &Transform| Transform::new(inverse.turn(pose.at - base.at), inverse * pose.turn);
        poses.iter().map(from).collect()
    }
}

pub(super) fn with_heavy<R>(
    name: &str,
    start: BodyStart,
    act: impl FnOnce(&mut Heavy<'_, '_, '_>) -> R,
) -> R {
    let robot = load(&RobotSource::of(name)).expect("it is shipped");
    let done = assemble(&robot, |cycle, sim| {
        let body = RigidBody::of(&robot).expect("rigid bodies");
        let added = sim.borrow_mut().add_physics(body.simulated(&robot, start));
        added.expect("a world");
        let mut heavy = Heavy {
            robot: &robot,
            cycle,
            sim,
            turn: 0,
        };
        heavy.run(4.0);
        assert_eq!(heavy.cycle.view().state, State::Running, "{name}");
        act(&mut heavy)
    });
    done.expect("a robot")
}
