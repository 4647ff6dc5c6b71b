//! The simulated body: motors with inertia and heat, sensors with noise and delay, and weight on a floor.
//! It gets the same frames as any board; `robot` makes it from `robot.toml`.
//! The same frames at the same instants, with the same seed, give the same bytes.

mod felt;
mod floor;
mod motor;
mod obstacles;
mod rigid;
mod rigid_robot;
mod script;
mod senses;
mod sleep;
mod stance;

pub use felt::{FeltQuantity, FeltSensor};
pub use motor::Motor;
pub use rigid::{BOXES_MAX, STEPS_MAX};
pub use rigid_robot::{BodyStart, LinkOverlap, RigidRobot};
pub use script::{EventError, Script, SimEvent};
pub use senses::{Noise, Quantity, SimSensor};

use cycle::{Board, Body, Incoming, Instant, Kind, Outgoing, Span};

use physics::{ModelError, PhysicsWorld};

use motor::{MotorDrive, MotorState};
use rigid::SimPhysics;
use script::Glide;
use senses::Delay;

use crate::faults::Fault;

/// The longest time that one turn simulates. After a longer time without turns the body is at rest anyway.
const LONGEST: Span = Span::from_millis(10_000);

/// The simulated body of one robot.
#[derive(Debug)]
pub struct SimBoard<'b> {
    body: &'b Body<'b>,
    /// One for each actuator; `None` for an actuator without a motor.
    motors: Vec<Option<MotorState>>,
    /// What each motor does in this turn.
    drives: Vec<MotorDrive>,
    physics: Option<SimPhysics>,
    /// Whether the physics has failed: no board answers any more.
    exploded: bool,
    stiffness: Vec<Option<usize>>,
    senses: Vec<SimSensor>,
    /// The value of each sensor that is set by hand or by a script.
    given: Vec<f64>,
    /// The sensors whose value glides.
    glides: Vec<(usize, Glide)>,
    /// The sensors that hear echoes.
    hearing: Vec<usize>,
    /// The last echo of each sensor that hears one, and whether there are more of them.
    heard: Vec<(f64, bool)>,
    script: Script,
    delay: Delay,
    noise: Noise,
    silent: Vec<bool>,
    /// Boards that are not simulated, because real ones answer.
    real: Vec<bool>,
    last: Option<Instant>,
}

/// Why a simulated body was not made. Each variant names an entry of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimError {
    /// The number of motors differs from that of actuators, or the number of simulated sensors from that of sensors.
    Count,
    /// A figure of this motor is not finite, or not above zero where it must be.
    Motor(usize),
    /// This sensor measures an actuator without a motor.
    Sensor(usize),
}

impl<'b> SimBoard<'b> {
    /// A body at rest in its rest pose, limp and at the temperature around it.
    ///
    /// # Errors
    /// [`SimError`] names the entry.
    pub fn new(
        body: &'b Body<'b>,
        motors: &[Option<Motor>],
        senses: &[SimSensor],
        seed: u64,
    ) -> Result<SimBoard<'b>, SimError> {
        if motors.len() != body.actuators.len() || senses.len() != body.sensors.len() {
            return Err(SimError::Count);
        }
        let unsound = |motor: &Option<Motor>| motor.is_some_and(|motor| !motor.is_sound());
        if let Some(place) = motors.iter().position(unsound) {
            return Err(SimError::Motor(place));
        }
        let watches_nothing = |sense: &SimSensor| {
            sense
                .actuator()
                .is_some_and(|actuator| motors.get(actuator).copied().flatten().is_none())
        };
        if let Some(place) = senses.iter().position(watches_nothing) {
            return Err(SimError::Sensor(place));
        }
        let motions = motors.iter().zip(body.actuators);
        let motions =
            motions.map(|(motion, actuator)| Some(MotorState::new((*motion)?, actuator.rest)));
        let joint = |place: usize| cycle::ActuatorId(place as u16);
        let stiffness =
            (0..motors.len()).map(|i| Some(usize::from(body.stiffness_of(joint(i))?.0)));
        let hearing = (0..senses.len()).filter(|i| senses[*i].echo.is_some());
        Ok(SimBoard {
            body,
            motors: motions.collect(),
            drives: vec![MotorDrive::default(); motors.len()],
            physics: None,
            exploded: false,
            stiffness: stiffness.collect(),
            senses: senses.to_vec(),
            given: senses.iter().map(SimSensor::given).collect(),
            glides: Vec::with_capacity(senses.len()),
            hearing: hearing.collect(),
            heard: vec![(0.0, false); senses.len()],
            script: Script::default(),
            delay: Delay::new(senses),
            noise: Noise::new(seed),
            silent: vec![false; usize::from(body.boards)],
            real: vec![false; usize::from(body.boards)],
            last: None,
        })
    }

    /// Adds physics: joints that have links carry them, on a floor. Sensors that feel the body read that from now on.
    ///
    /// # Errors
    /// [`ModelError`]: the bodies are impossible.
    pub fn add_physics(&mut self, robot: RigidRobot) -> Result<(), ModelError> {
        for (actuator, position) in &robot.pose {
            if let Some(Some(motor)) = self.motors.get_mut(*actuator) {
                motor.position = *position;
            }
        }
        self.physics = Some(SimPhysics::new(robot, &self.motors)?);
        Ok(())
    }

    /// The simulated bodies, if there is physics.
    pub fn physics(&self) -> Option<&PhysicsWorld> {
        self.physics.as_ref().map(SimPhysics::world)
    }

    /// Follows this script from now on.
    pub fn follow(&mut self, script: Script) {
        self.script = script;
    }

    /// Excludes a board from the simulation: its readings and its answer are left unchanged.
    pub fn leave(&mut self, board: usize) {
        if let Some(real) = self.real.get_mut(board) {
            *real = true;
        }
    }

    /// Applies an event now.
    ///
    /// # Errors
    /// [`EventError`]: it has no effect, because it names no sensor, actuator, board or link of this body, or a real
    /// board, needs physics that this body does not have, or there is no more room.
    pub fn apply(&mut self, event: SimEvent) -> Result<(), EventError> {
        let (actuators, sensors) = (self.body.actuators, self.body.sensors);
        let board = match event {
            SimEvent::Give { sensor, .. } | SimEvent::Glide { sensor, .. } => {
                sensors.get(sensor).map(|sensor| sensor.board)
            }
            SimEvent::Push { actuator, .. } => {
                actuators.get(actuator).map(|actuator| actuator.board)
            }
            SimEvent::Silence { board, .. } => u8::try_from(board).ok().map(cycle::BoardId),
            _ => return self.apply_to_physics(event),
        };
        let board = board.map_or(usize::MAX, |board| usize::from(board.0));
        let is_simulated = self.real.get(board) == Some(&false);
        if !is_simulated {
            return Err(EventError::NotSimulated);
        }
        self.apply_at(self.last.unwrap_or(Instant::ZERO), event);
        Ok(())
    }

    fn apply_at(&mut self, at: Instant, event: SimEvent) {
        match event {
            SimEvent::Give { sensor, value } => {
                if let Some(given) = self.given.get_mut(sensor) {
                    *given = value;
                    self.glides.retain(|glide| glide.0 != sensor);
                }
            }
            SimEvent::Glide {
                sensor,
                value,
                over,
            } => {
                if let Some(from) = self.given.get(sensor) {
                    let glide = Glide {
                        from: *from,
                        to: value,
                        since: at,
                        over,
                    };
                    self.glides.retain(|glide| glide.0 != sensor);
                    self.glides.push((sensor, glide));
                }
            }
            SimEvent::Push { actuator, torque } => {
                if let Some(Some(motion)) = self.motors.get_mut(actuator) {
                    motion.push = torque;
                }
                if let Some(physics) = &mut self.physics {
                    physics.disturb();
                }
            }
            SimEvent::Silence { board, silent } => {
                if let Some(value) = self.silent.get_mut(board) {
                    *value = silent;
                }
            }
            // Nobody waits for the answer to a line of a script.
            _ => _ = self.apply_to_physics(event),
        }
    }

    fn apply_to_physics(&mut self, event: SimEvent) -> Result<(), EventError> {
        let physics = self.physics.as_mut().ok_or(EventError::NotSimulated)?;
        match event {
            SimEvent::PushLink { link, force, lasts } => {
                return physics.push(link, force.into(), lasts);
            }
            SimEvent::PutBox { edges, mass, at } => return physics.put_box(edges, mass, at),
            SimEvent::BuildSteps {
                count,
                height,
                depth,
                gap,
            } => return physics.build_steps(count, [depth, height], gap),
            SimEvent::EmptyFloor => physics.empty_floor(),
            SimEvent::Lift { held } => physics.hold(held),
            SimEvent::TiltFloor { angle } => physics.tilt_floor(angle),
            _ => {}
        }
        Ok(())
    }

    /// Sets the value of a sensor that no motor moves: a button, a distance, a battery.
    pub fn give(&mut self, sensor: usize, value: f64) {
        let _ = self.apply(SimEvent::Give { sensor, value });
    }

    /// Unplugs a board, or plugs it in again.
    pub fn silence(&mut self, board: usize, silent: bool) {
        let _ = self.apply(SimEvent::Silence { board, silent });
    }

    /// Pushes a joint from outside with this torque until the next call.
    pub fn push(&mut self, actuator: usize, torque: f64) {
        let _ = self.apply(SimEvent::Push { actuator, torque });
    }

    /// The true position of a joint, without noise or delay.
    pub fn position(&self, actuator: usize) -> Option<f64> {
        self.motors
            .get(actuator)?
            .as_ref()
            .map(|motion| motion.position)
    }

    /// The share of force that a motor may use, 0 to 1: its stiffness, or 1 or 0 by the body's power.
    fn force(&self, actuator: usize, out: &Outgoing<'_>) -> f64 {
        let described = &self.body.actuators[actuator];
        if !out.powered {
            return 0.0;
        }
        if let Some(stiffness) = self.stiffness[actuator] {
            let calibration = self.body.actuators[stiffness].calibration;
            return calibration
                .value(out.targets[stiffness].counts)
                .clamp(0.0, 1.0);
        }
        match described.gains {
            Some(own) if own.p > 0.0 => (out.targets[actuator].gains.p / own.p).clamp(0.0, 1.0),
            _ => 1.0,
        }
    }

    /// What a sensor hears of the triggers: what is given, at the instant of an echo.
    fn receive(&mut self, out: &Outgoing<'_>) {
        for &place in &self.hearing {
            let Some(echo) = self.senses[place].echo else {
                continue;
            };
            let (value, repeats) = &mut self.heard[place];
            let mut is_heard = false;
            for fire in out.fires {
                let calibration = self.body.actuators[usize::from(fire.actuator.0)].calibration;
                let heard = echo.heard(fire.actuator, calibration.value(fire.counts));
                if let Some((once, on)) = heard {
                    is_heard |= once;
                    *repeats = on;
                }
            }
            if is_heard || *repeats {
                *value = self.given[place];
            }
        }
    }

    fn simulate(&mut self, out: &Outgoing<'_>, elapsed: Span) {
        for actuator in 0..self.motors.len() {
            // Most of a body's actuators are lights and stiffnesses.
            if self.motors[actuator].is_none() {
                continue;
            }
            let described = &self.body.actuators[actuator];
            // An unplugged board drives nothing.
            let silent = self.silent[usize::from(described.board.0)];
            let drive = MotorDrive {
                target: described.calibration.value(out.targets[actuator].counts),
                force: if silent {
                    0.0
                } else {
                    self.force(actuator, out)
                },
                is_wheel: described.kind == Kind::Wheel,
            };
            self.drives[actuator] = drive;
            let moves_links = self.physics.as_ref().is_some_and(|p| p.moves(actuator));
            if let (Some(motion), false) = (&mut self.motors[actuator], moves_links) {
                motion.advance(&drive, elapsed.min(LONGEST));
            }
        }
        if let (Some(physics), false) = (&mut self.physics, self.exploded) {
            let stepped = physics.advance(&mut self.motors, &self.drives, elapsed);
            self.exploded = stepped.is_err();
        }
    }

    /// What a sensor reads, before noise and delay.
    fn read(&self, place: usize) -> f64 {
        let sense = &self.senses[place];
        if let Some((quantity, felt)) = self.physics.as_ref().and_then(|p| p.reading(place)) {
            let by_hand = quantity.is_switch().then_some(self.given[place]);
            return by_hand.map_or(felt, |given| felt.max(given));
        }
        let motion = sense
            .actuator()
            .and_then(|actuator| self.motors[actuator].as_ref());
        let given = match sense.echo {
            Some(_) => self.heard[place].0,
            None => self.given[place],
        };
        sense.read(motion, given)
    }
}

impl Board for SimBoard<'_> {
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) {
        let elapsed = out.now - self.last.unwrap_or(out.now);
        self.last = Some(out.now);
        while let Some((at, event)) = self.script.due(out.now) {
            self.apply_at(at, event);
        }
        for (sensor, glide) in &self.glides {
            self.given[*sensor] = glide.at(out.now);
        }
        self.simulate(out, elapsed);
        self.receive(out);
        for (place, sense) in self.senses.iter().enumerate() {
            let value = self.read(place) + self.noise.next(sense.noise);
            let value = match sense.delay {
                0 => value,
                _ => self.delay.pass(place, value),
            };
            let described = &self.body.sensors[place];
            let board = usize::from(described.board.0);
            if !self.silent[board] && !self.real[board] && !self.exploded {
                back.counts[place] = described.calibration.counts(value, cycle::Range::ALL);
            }
        }
        let boards = self.silent.iter().zip(&self.real);
        for (answer, (silent, real)) in back.answers.iter_mut().zip(boards) {
            if !real {
                answer.answered = !silent && !self.exploded;
                answer.acknowledged = out.turn;
                if self.exploded {
                    answer.error = Fault::Exploded.error();
                }
            }
        }
    }
}
