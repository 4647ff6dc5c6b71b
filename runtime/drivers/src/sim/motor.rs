//! One geared motor: torque, inertia, friction, load, current, heat, and its own position servo.
//! Stepped by the simulated body, a millisecond at a time.
//! It never moves past its stops, never exerts more than its torque, and comes to rest.

use cycle::Span;
use physics::MotorCommand;

/// The longest step of the simulation; a longer time is simulated in several.
const STEP: Span = Span::from_millis(1);

/// The speed at which a push of a joint ends, as a multiple of the motor's greatest.
const PUSHED_SPEEDS: f64 = 2.0;

/// The figures of a motor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// The mechanical stops, rad.
    pub stops: (f64, f64),
    /// Inertia at the joint, kg·m².
    pub inertia: f64,
    /// The greatest torque, N·m.
    pub torque: f64,
    /// The speed at which no torque is left, rad/s.
    pub speed: f64,
    /// Dry friction, N·m.
    pub friction: f64,
    /// The load: the torque of gravity at position 0, N·m. It turns with the joint, as the weight of a limb does.
    pub load: f64,
    /// Torque per rad of error at full force, N·m/rad.
    pub stiffness: f64,
    /// Braking torque per rad/s at full force, N·m·s/rad.
    pub damping: f64,
    /// Torque per A, N·m/A.
    pub torque_per_amp: f64,
    /// Resistance of the winding, Ω.
    pub resistance: f64,
    /// Heat capacity of the winding, J/°C.
    pub heat_capacity: f64,
    /// Heat lost per degree above the ambient temperature, W/°C.
    pub cooling: f64,
    /// Ambient temperature, °C.
    pub ambient: f64,
}

impl Motor {
    /// A small servo of a humanoid: moves half a radian in a fifth of a second.
    pub const SERVO: Motor = Motor {
        stops: (-3.2, 3.2),
        inertia: 0.004,
        torque: 1.6,
        speed: 8.0,
        friction: 0.03,
        load: 0.0,
        stiffness: 20.0,
        damping: 0.45,
        torque_per_amp: 1.2,
        resistance: 6.0,
        heat_capacity: 12.0,
        cooling: 0.12,
        ambient: 25.0,
    };

    pub(crate) fn is_sound(&self) -> bool {
        let above_zero = [
            self.inertia,
            self.torque,
            self.speed,
            self.torque_per_amp,
            self.heat_capacity,
        ];
        let not_below = [
            self.friction,
            self.stiffness,
            self.damping,
            self.resistance,
            self.cooling,
        ];
        above_zero
            .iter()
            .all(|value| value.is_finite() && *value > 0.0)
            && not_below
                .iter()
                .all(|value| value.is_finite() && *value >= 0.0)
            && self.load.is_finite()
            && self.ambient.is_finite()
            && self.stops.0 <= self.stops.1
    }
}

/// What a motor is asked to do in a turn.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MotorDrive {
    /// A position, or a speed for a wheel.
    pub(crate) target: f64,
    /// The share of its strength that it may use, 0 to 1.
    pub(crate) force: f64,
    pub(crate) is_wheel: bool,
}

/// The state of a motor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotorState {
    motor: Motor,
    /// Reciprocals, so that a step need not divide.
    per_inertia: f64,
    per_speed: f64,
    per_amp: f64,
    per_heat: f64,
    pub(crate) position: f64,
    pub(crate) speed: f64,
    /// A; its sign is the torque's.
    pub(crate) current: f64,
    /// °C.
    pub(crate) temperature: f64,
    /// A torque from outside, N·m.
    pub(crate) push: f64,
}

impl MotorState {
    pub(crate) fn new(motor: Motor, position: f64) -> MotorState {
        let position = position.max(motor.stops.0).min(motor.stops.1);
        MotorState {
            motor,
            per_inertia: 1.0 / motor.inertia,
            per_speed: 1.0 / motor.speed,
            per_amp: 1.0 / motor.torque_per_amp,
            per_heat: 1.0 / motor.heat_capacity,
            position,
            speed: 0.0,
            current: 0.0,
            temperature: motor.ambient,
            push: 0.0,
        }
    }

    /// The command that makes a joint of a world do the same.
    pub(crate) fn command(&self, drive: &MotorDrive) -> MotorCommand {
        let motor = &self.motor;
        let most = motor.torque * drive.force;
        // The driving torque decreases with the speed; the braking torque does not.
        let driving = most * (1.0 - (self.speed.abs() * self.per_speed).min(1.0));
        let (stiffness, target, speed) = if drive.is_wheel {
            (0.0, 0.0, drive.target)
        } else {
            (motor.stiffness * drive.force, drive.target, 0.0)
        };
        MotorCommand {
            target,
            stiffness,
            speed,
            damping: motor.damping * drive.force,
            torques: if self.speed > 0.0 {
                (-most, driving)
            } else if self.speed < 0.0 {
                (-driving, most)
            } else {
                (-most, most)
            },
        }
    }

    /// The torque from outside, which ends where the joint turns much faster than its motor ever would.
    pub(crate) fn push_at_its_speed(&self) -> f64 {
        let over = self.speed.abs() * self.per_speed / PUSHED_SPEEDS;
        if self.push * self.speed > 0.0 {
            self.push * (1.0 - over).max(0.0)
        } else {
            self.push
        }
    }

    /// Takes over what a world has computed for its joint.
    pub(crate) fn follow(&mut self, position: f64, speed: f64, torque: f64, seconds: f64) {
        self.position = position;
        self.speed = speed;
        self.current = torque * self.per_amp;
        self.warm(seconds);
    }

    /// Stays where it is, and exerts what it exerted.
    pub(crate) fn rest(&mut self, seconds: f64) {
        self.speed = 0.0;
        self.warm(seconds);
    }

    /// Advances its own joint by `elapsed`, a step at a time.
    pub(crate) fn advance(&mut self, drive: &MotorDrive, elapsed: Span) {
        let mut left = elapsed;
        while left > Span::ZERO {
            let step = left.min(STEP);
            let at_rest = self.step(drive, step.seconds());
            left = Span::from_nanos(left.nanos() - step.nanos());
            if at_rest {
                // Nothing moves until the target does; only the temperature changes.
                self.warm(left.seconds());
                return;
            }
        }
    }

    /// Makes one step; true if friction holds the joint where it is.
    fn step(&mut self, drive: &MotorDrive, seconds: f64) -> bool {
        let motor = &self.motor;
        let MotorDrive {
            target,
            force,
            is_wheel,
        } = *drive;
        let (error, drag) = if is_wheel {
            (0.0, target - self.speed)
        } else {
            (target - self.position, -self.speed)
        };
        // The driving torque decreases with the speed.
        let left = 1.0 - (self.speed.abs() * self.per_speed).min(1.0);
        let wanted = (motor.stiffness * error + motor.damping * drag) * force;
        let drives_on = wanted * self.speed > 0.0;
        let most = motor.torque * force * if drives_on { left } else { 1.0 };
        let torque = wanted.max(-most).min(most);
        let weight = if motor.load == 0.0 {
            0.0
        } else {
            // Not the system's cosine, so that every machine computes the same bytes.
            motor.load * libm::cos(self.position)
        };
        let free = torque + self.push + weight;
        let held = free.abs() <= motor.friction;
        let at_rest = self.speed == 0.0 && held;
        if !at_rest {
            let against = if self.speed == 0.0 { free } else { self.speed };
            let moving = free - motor.friction.copysign(against);
            let faster = self.speed + moving * self.per_inertia * seconds;
            // Friction stops a motion; it does not turn it round.
            let turned = faster * self.speed < 0.0 && held;
            self.speed = if turned { 0.0 } else { faster };
            self.position += self.speed * seconds;
            let (low, high) = motor.stops;
            if self.position <= low && self.speed < 0.0 || self.position >= high && self.speed > 0.0
            {
                self.position = self.position.max(low).min(high);
                self.speed = 0.0;
            }
        }
        self.current = torque * self.per_amp;
        self.warm(seconds);
        at_rest
    }

    fn warm(&mut self, seconds: f64) {
        let heating = self.current * self.current * self.motor.resistance;
        let cooling = (self.temperature - self.motor.ambient) * self.motor.cooling;
        self.temperature += (heating - cooling) * self.per_heat * seconds;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(target: f64, force: f64) -> MotorDrive {
        MotorDrive {
            target,
            force,
            is_wheel: false,
        }
    }

    fn run(motion: &mut MotorState, target: f64, force: f64, ms: u32) -> f64 {
        let mut highest = motion.position;
        for _ in 0..ms {
            motion.advance(&position(target, force), STEP);
            highest = highest.max(motion.position);
        }
        highest
    }

    #[test]
    fn a_stiff_joint_arrives_almost_without_overshoot() {
        let mut motion = MotorState::new(Motor::SERVO, 0.0);
        let highest = run(&mut motion, 0.5, 1.0, 1_000);
        assert!(
            (motion.position - 0.5).abs() < 0.01,
            "stands at {}",
            motion.position
        );
        assert!(highest < 0.56, "overshot to {highest}");
        assert_eq!(motion.speed, 0.0, "friction brings it to rest");
    }

    #[test]
    fn it_takes_its_time_and_keeps_to_its_speed() {
        let mut motion = MotorState::new(Motor::SERVO, -3.0);
        let mut fastest: f64 = 0.0;
        for _ in 0..50 {
            motion.advance(&position(3.0, 1.0), STEP);
            fastest = fastest.max(motion.speed);
        }
        assert!(motion.position < 0.0, "not an echo");
        assert!(fastest <= Motor::SERVO.speed);
    }

    #[test]
    fn a_limp_joint_falls_to_where_its_load_hangs_and_a_stiff_one_sags_a_little() {
        let arm = Motor {
            load: -0.5,
            ..Motor::SERVO
        };
        let mut limp = MotorState::new(arm, 0.0);
        run(&mut limp, 0.0, 0.0, 20_000);
        let hangs = -std::f64::consts::FRAC_PI_2;
        assert!(
            (limp.position - hangs).abs() < 0.1,
            "hangs at {}",
            limp.position
        );
        let mut stiff = MotorState::new(arm, 0.0);
        run(&mut stiff, 0.0, 1.0, 2_000);
        assert!(
            (-0.03..-0.01).contains(&stiff.position),
            "sags to {}",
            stiff.position
        );
    }

    #[test]
    fn holding_a_load_warms_the_motor_and_rest_cools_it() {
        let arm = Motor {
            load: -0.8,
            ..Motor::SERVO
        };
        let mut motion = MotorState::new(arm, 0.0);
        run(&mut motion, 0.0, 1.0, 60_000);
        assert!(
            motion.current > 0.5 && motion.temperature > 30.0,
            "{} °C",
            motion.temperature
        );
        let hot = motion.temperature;
        run(&mut motion, 0.0, 0.0, 60_000);
        assert!(motion.temperature < hot - 2.0);
    }

    #[test]
    fn it_never_moves_past_its_stops() {
        let mut motion = MotorState::new(
            Motor {
                stops: (-1.0, 1.0),
                ..Motor::SERVO
            },
            0.0,
        );
        motion.push = 50.0;
        assert_eq!(run(&mut motion, 0.0, 1.0, 500), 1.0);
    }

    #[test]
    fn a_wheel_turns_at_the_speed_that_is_asked() {
        let wheel = Motor {
            stops: (f64::NEG_INFINITY, f64::INFINITY),
            ..Motor::SERVO
        };
        let mut motion = MotorState::new(wheel, 0.0);
        for _ in 0..2_000 {
            let drive = MotorDrive {
                is_wheel: true,
                ..position(4.0, 1.0)
            };
            motion.advance(&drive, STEP);
        }
        assert!(
            (motion.speed - 4.0).abs() < 0.2,
            "turns at {}",
            motion.speed
        );
    }
}
