//! The outputs of one chip: the turn sets all that changed with one kernel call.
//! Owned by the loop; the chip's thread hands them over, again whenever the chip has come back.
//! No call if nothing changed, one call if anything did; after a failure the next turn sets them again.

use std::sync::Arc;

use cycle::Outgoing;
use gpiocdev::Request;
use gpiocdev::line::{Value, Values};

use super::errors::fault;
use super::settings::OutputSource;
use crate::bus::BusFault;

/// What a sum of shares may lack by rounding.
const ROUNDING: f64 = 1e-9;

/// The outputs of one chip.
#[derive(Debug)]
pub(super) struct Outputs {
    request: Arc<Request>,
    lines: Vec<(u32, OutputSource)>,
    /// What is owed to each dithered line, in turns.
    owed: Vec<f64>,
    values: Values,
    taken: TakenLevels,
}

/// The levels that the chip has taken, a bit for each line; `None` at first, and after a failure.
#[derive(Debug, Default)]
struct TakenLevels(Option<u64>);

impl TakenLevels {
    /// Makes this call, unless the chip has these levels.
    fn set(
        &mut self,
        wanted: u64,
        put: impl FnOnce() -> Result<(), BusFault>,
    ) -> Result<(), BusFault> {
        if self.0 == Some(wanted) {
            return Ok(());
        }
        self.0 = None;
        put()?;
        self.0 = Some(wanted);
        Ok(())
    }
}

/// Whether a line with this source is active in this turn. `owed` belongs to the line.
fn is_active(drive: OutputSource, out: &Outgoing<'_>, owed: &mut f64) -> bool {
    match drive {
        OutputSource::Power { .. } => out.powered,
        OutputSource::Actuator(actuator) => {
            let target = out.targets.get(actuator);
            target.is_some_and(|target| target.counts >= 0.5)
        }
        OutputSource::Dithered { actuator, full } => {
            let target = out.targets.get(actuator);
            let brightness = target.map_or(0.0, |target| target.counts / f64::from(full));
            is_lit(brightness, owed)
        }
    }
}

/// Whether a light of this brightness is on in this turn. It is on in the square of its brightness of all turns,
/// because an eye sees half of the light as more than half as bright; and those turns are spread as evenly as they
/// can be.
fn is_lit(brightness: f64, owed: &mut f64) -> bool {
    // What is no number is dark.
    if brightness > 0.0 {
        *owed += brightness.min(1.0).powi(2);
    }
    let is_on = *owed >= 1.0 - ROUNDING;
    if is_on {
        *owed -= 1.0;
    }
    is_on
}

impl Outputs {
    /// At most 64 lines of one request.
    pub(super) fn new(request: Arc<Request>, lines: Vec<(u32, OutputSource)>) -> Outputs {
        let offsets: Vec<u32> = lines.iter().map(|line| line.0).collect();
        Outputs {
            owed: vec![0.0; lines.len()],
            request,
            lines,
            values: Values::from_offsets(&offsets),
            taken: TakenLevels::default(),
        }
    }

    /// Sets the lines for this turn.
    pub(super) fn drive(&mut self, out: &Outgoing<'_>) -> Result<(), BusFault> {
        let wanted = self.lines.iter().zip(&mut self.owed).enumerate();
        let wanted = wanted.fold(0, |bits, (place, ((_, drive), owed))| {
            bits | u64::from(is_active(*drive, out, owed)) << place
        });
        let (request, lines, values) = (&self.request, &self.lines, &mut self.values);
        self.taken.set(wanted, || {
            for (place, (offset, _)) in lines.iter().enumerate() {
                // The entry exists already, so nothing is allocated.
                let active = wanted >> place & 1 == 1;
                values.set(*offset, Value::from(active));
            }
            request.set_values(values).map_err(|error| fault(&error))
        })
    }

    /// Switches the power relay off, because nothing drives the lines any more.
    pub(super) fn release(&self) {
        for (offset, drive) in &self.lines {
            if matches!(drive, OutputSource::Power { .. }) {
                // Ignore errors: a chip that is gone has nothing to switch off.
                let _ = self.request.set_value(*offset, Value::Inactive);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use cycle::{Instant, Target};

    use super::*;

    #[test]
    fn a_line_is_active_from_half_a_count_and_the_relay_with_the_power() {
        let mut targets = [Target::default(); 2];
        for (counts, active) in [(0.0, false), (0.49, false), (0.5, true), (f64::NAN, false)] {
            targets[1].counts = counts;
            for powered in [false, true] {
                let out = Outgoing {
                    turn: 1,
                    now: Instant::ZERO,
                    powered,
                    targets: &targets,
                    fires: &[],
                };
                let is_active = |drive| is_active(drive, &out, &mut 0.0);
                assert_eq!(is_active(OutputSource::Actuator(1)), active);
                assert_eq!(is_active(OutputSource::Power { kept: false }), powered);
                assert!(
                    !is_active(OutputSource::Actuator(2)),
                    "there is no such actuator"
                );
            }
        }
    }

    #[test]
    fn no_call_if_nothing_changed_and_again_after_a_failure() {
        let mut taken = TakenLevels::default();
        let mut calls = Vec::new();
        for wanted in [0, 0, 1, 1, 3, 3] {
            let set = taken.set(wanted, || {
                calls.push(wanted);
                Ok(())
            });
            assert_eq!(set, Ok(()));
        }
        assert_eq!(calls, [0, 1, 3]);
        // What failed may have been taken or not: the same levels are set again until it succeeds, also those before.
        assert_eq!(taken.set(2, || Err(BusFault::Gone)), Err(BusFault::Gone));
        assert_eq!(taken.set(3, || Err(BusFault::Gone)), Err(BusFault::Gone));
        for _ in 0..2 {
            let set = taken.set(3, || {
                calls.push(3);
                Ok(())
            });
            assert_eq!(set, Ok(()));
        }
        assert_eq!(calls, [0, 1, 3, 3]);
    }

    #[test]
    fn a_dithered_light_is_on_in_the_square_of_its_brightness_of_the_turns() {
        const TURNS: usize = 1_000;
        let full = 200;
        let drive = OutputSource::Dithered { actuator: 0, full };
        for counts in 0..=full {
            let mut owed = 0.0;
            let targets = [Target {
                counts: f64::from(counts),
                ..Target::default()
            }];
            let out = Outgoing {
                turn: 1,
                now: Instant::ZERO,
                powered: true,
                targets: &targets,
                fires: &[],
            };
            let share = (f64::from(counts) / f64::from(full)).powi(2);
            let mut lit = 0;
            for turn in 1..=TURNS {
                lit += u32::from(is_active(drive, &out, &mut owed));
                // At every moment, not only in the end: it does not flicker slowly.
                let off = f64::from(lit) - share * turn as f64;
                assert!(
                    (-1.0..=1e-6).contains(&off),
                    "{counts}: {off} turns in {turn}"
                );
            }
        }
        let mut owed = 0.0;
        assert!(!is_lit(f64::NAN, &mut owed) && !is_lit(-1.0, &mut owed));
        assert!(
            is_lit(1e9, &mut owed) && owed == 0.0,
            "as bright as it can be"
        );
    }
}
