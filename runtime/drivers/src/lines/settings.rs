//! The lines of a robot and the role of each, as plain data; and the same sorted by chip thread.
//! Filled from the description when the boards are mounted.
//! An invalid setting is refused here, before any line is opened.

use std::time::Duration;

use cycle::Span;

use super::errors::LinesError;

/// A line: its name in the system, or `chip:offset`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineName {
    /// Its name.
    pub line: String,
    /// Whether the line is active low.
    pub active_low: bool,
    /// The bias of the line (default: as the system has it).
    pub bias: Option<Bias>,
}

/// The bias of a line, which sets its level while nothing drives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bias {
    /// High.
    PullUp,
    /// Low.
    PullDown,
    /// No bias: the line floats.
    None,
}

/// A line that the robot drives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLine {
    /// Its name.
    pub line: String,
    /// Whether the line is active low.
    pub active_low: bool,
    /// The actuator whose target it follows: it is active from half a count on.
    pub actuator: usize,
    /// Whether the actuator is a trigger: then the line is raised for 10 µs when the trigger fires.
    pub fires: bool,
    /// For a light that is switched on in as many turns as make it look as bright as its target: the counts of full
    /// brightness.
    pub dither: Option<u16>,
}

/// The quantity that an input reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// 1 while it is active, else 0.
    Level,
    /// How often it became active.
    Presses,
    /// Seconds from the echo's rise to its fall, after this trigger fired.
    Echo {
        /// The actuator of the trigger.
        trigger: usize,
    },
}

/// A line that the robot reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputLine {
    /// Its name.
    pub line: String,
    /// Whether the line is active low.
    pub active_low: bool,
    /// The bias of the line.
    pub bias: Option<Bias>,
    /// The debounce time; zero for an echo.
    pub debounce: Span,
    /// The sensor that shows the reading.
    pub sensor: usize,
    /// The quantity.
    pub reads: Reads,
}

/// All lines of one board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinesSettings {
    /// The chip on which names are looked up: a path, a name or a label (default: all chips).
    pub chip: Option<String>,
    /// The outputs.
    pub outputs: Vec<OutputLine>,
    /// The inputs.
    pub inputs: Vec<InputLine>,
    /// A relay that is active while the body is powered.
    pub enable: Option<LineName>,
    /// Whether a host that is gone has powered the body already: then the relay stays on.
    pub powered: bool,
    /// The robot's stop line.
    pub estop: Option<LineName>,
}

/// What an output line follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputSource {
    /// An actuator's target.
    Actuator(usize),
    /// A light's target, as a share of the turns. `full`: the counts of full brightness.
    Dithered { actuator: usize, full: u16 },
    /// The body's power. If `kept`, it is on from the start, because a host that is gone has powered the body already.
    Power { kept: bool },
}

/// The role of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineRole {
    Output(OutputSource),
    /// The trigger of this number.
    Trigger(usize),
    /// The input of this number. `reads` gives an echo's trigger by the trigger's number.
    Input {
        number: usize,
        reads: Reads,
        debounce: Duration,
    },
}

/// A line and its role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WantedLine {
    pub(super) name: LineName,
    pub(super) role: LineRole,
}

/// All lines of one board, by role.
#[derive(Debug, Default)]
pub(super) struct Wiring {
    pub(super) wanted: Vec<WantedLine>,
    /// The actuator of each trigger.
    pub(super) triggers: Vec<usize>,
    /// The sensor of each input. Inputs without one come last.
    pub(super) sensors: Vec<usize>,
    /// How many inputs there are.
    pub(super) inputs: usize,
}

impl Wiring {
    fn add(&mut self, line: &str, active_low: bool, bias: Option<Bias>, role: LineRole) {
        let name = LineName {
            line: line.to_owned(),
            active_low,
            bias,
        };
        self.wanted.push(WantedLine { name, role });
    }

    /// Adds an input without a sensor, and returns its number.
    pub(super) fn aside(&mut self, name: &LineName) -> usize {
        let role = LineRole::Input {
            number: self.inputs,
            reads: Reads::Level,
            debounce: Duration::ZERO,
        };
        self.add(&name.line, name.active_low, name.bias, role);
        self.inputs += 1;
        self.inputs - 1
    }

    /// The lines of these settings without the stop line.
    pub(super) fn of(settings: &LinesSettings) -> Result<Wiring, LinesError> {
        let mut wiring = Wiring::default();
        for output in &settings.outputs {
            let role = if output.fires {
                wiring.triggers.push(output.actuator);
                LineRole::Trigger(wiring.triggers.len() - 1)
            } else {
                let actuator = output.actuator;
                LineRole::Output(match output.dither {
                    Some(full) => OutputSource::Dithered { actuator, full },
                    None => OutputSource::Actuator(actuator),
                })
            };
            wiring.add(&output.line, output.active_low, None, role);
        }
        if let Some(enable) = &settings.enable {
            wiring.add(
                &enable.line,
                enable.active_low,
                enable.bias,
                LineRole::Output(OutputSource::Power {
                    kept: settings.powered,
                }),
            );
        }
        for input in &settings.inputs {
            let role = LineRole::Input {
                number: wiring.inputs,
                reads: wiring.reads(input)?,
                debounce: Duration::from_nanos(input.debounce.nanos()),
            };
            wiring.add(&input.line, input.active_low, input.bias, role);
            wiring.sensors.push(input.sensor);
            wiring.inputs += 1;
        }
        Ok(wiring)
    }

    /// What an input reads, with the trigger of an echo by the trigger's number.
    fn reads(&self, input: &InputLine) -> Result<Reads, LinesError> {
        let Reads::Echo { trigger: actuator } = input.reads else {
            return Ok(input.reads);
        };
        let line = || input.line.clone();
        if input.debounce > Span::ZERO {
            return Err(LinesError::DebouncedEcho { line: line() });
        }
        let trigger = self
            .triggers
            .iter()
            .position(|trigger| *trigger == actuator);
        let trigger = trigger.ok_or_else(|| LinesError::NoTrigger {
            line: line(),
            actuator,
        })?;
        Ok(Reads::Echo { trigger })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(debounce: Span, trigger: usize) -> LinesSettings {
        let output = |actuator, fires| OutputLine {
            line: format!("OUT{actuator}"),
            active_low: false,
            actuator,
            fires,
            dither: None,
        };
        LinesSettings {
            outputs: vec![output(4, true), output(5, false), output(6, true)],
            inputs: vec![InputLine {
                line: "ECHO".to_owned(),
                active_low: false,
                bias: None,
                debounce,
                sensor: 3,
                reads: Reads::Echo { trigger },
            }],
            enable: Some(LineName::default()),
            ..LinesSettings::default()
        }
    }

    #[test]
    fn lines_are_sorted_by_what_they_are_for() {
        let mut wiring = Wiring::of(&settings(Span::ZERO, 6)).expect("wiring");
        assert_eq!(wiring.aside(&LineName::default()), 1);
        assert_eq!((wiring.inputs, &wiring.sensors[..]), (2, &[3][..]));
        assert_eq!(wiring.triggers, [4, 6]);
        let input = |number, reads| LineRole::Input {
            number,
            reads,
            debounce: Duration::ZERO,
        };
        let roles: Vec<LineRole> = wiring.wanted.iter().map(|line| line.role).collect();
        let expected = [
            LineRole::Trigger(0),
            LineRole::Output(OutputSource::Actuator(5)),
            LineRole::Trigger(1),
            LineRole::Output(OutputSource::Power { kept: false }),
            // Its trigger is the second.
            input(0, Reads::Echo { trigger: 1 }),
            input(1, Reads::Level),
        ];
        assert_eq!(roles, expected);
    }

    #[test]
    fn an_echo_has_a_trigger_that_fires_and_no_debounce() {
        let said = |debounce, trigger| {
            let wiring = Wiring::of(&settings(debounce, trigger));
            wiring.expect_err("an error").to_string()
        };
        assert!(said(Span::ZERO, 5).contains("`ECHO` waits for actuator 5"));
        assert!(said(Span::from_millis(5), 4).contains("debounced"));
    }
}
