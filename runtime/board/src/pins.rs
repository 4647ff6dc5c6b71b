//! Writes words to pins, by the traits of embedded-hal: servos and lamps by pulse width, buttons by levels.
//! Called by a board's main loop, at any rate.
//! A motor that must exert no force gets no pulse.

use embedded_hal::digital::InputPin;
use embedded_hal::pwm::SetDutyCycle;

use crate::firmware::Firmware;

/// Writes output `place` to a PWM pin: the duty cycle is word / 65,535.
///
/// # Errors
/// The pin's error.
pub fn pulse<P: SetDutyCycle>(
    firmware: &Firmware<'_>,
    place: usize,
    clock: u32,
    pin: &mut P,
) -> Result<(), P::Error> {
    match firmware.output(place, clock) {
        Some(word) => {
            let full = u32::from(pin.max_duty_cycle());
            // A share of a u16 fits a u16.
            pin.set_duty_cycle((full * u32::from(word) / u32::from(u16::MAX)) as u16)
        }
        None => pin.set_duty_cycle_fully_off(),
    }
}

/// The word of a button that is wired to ground: 1 while its pin is low.
///
/// # Errors
/// The pin's error.
pub fn button<P: InputPin>(pin: &mut P) -> Result<u16, P::Error> {
    pin.is_low().map(u16::from)
}
