//! The lines of a robot and what each is for, as plain data; and the same sorted by the thread that serves them.
//! Whoever mounts the boards fills it from the description.
//! The law: a setting that makes no sense is refused here, before any line is touched.

use std::time::Duration;

use cycle::Span;

use super::errors::LinesError;

/// A line: its name as the system has it, or `chip:offset`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineName {
    /// Its name.
    pub line: String,
    /// Whether it is active while its voltage is low.
    pub active_low: bool,
    /// Where it goes while nobody drives it; as the system has it, if that is not said.
    pub bias: Option<Bias>,
}

/// Where a line goes while nobody drives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bias {
    /// To high.
    PullUp,
    /// To low.
    PullDown,
    /// Nowhere.
    None,
}

/// A line that the robot drives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLine {
    /// Its name.
    pub line: String,
    /// Whether it is active while its voltage is low.
    pub active_low: bool,
    /// Whose target it follows: it is active from half a count on.
    pub actuator: usize,
    /// It does not follow a target: it is raised for 10 us whenever this trigger fires.
    pub fires: bool,
}

/// What is read of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// 1 while it is active, else 0.
    Level,
    /// How often it became active.
    Presses,
    /// Seconds from the echo's rise to its fall, after this actuator fired: one of the outputs that fire.
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
    /// Whether it is active while its voltage is low.
    pub active_low: bool,
    /// Where it goes while nobody drives it.
    pub bias: Option<Bias>,
    /// For how long it must stand still to be believed; zero for an echo.
    pub debounce: Span,
    /// Where the reading goes.
    pub sensor: usize,
    /// What is read.
    pub reads: Reads,
}

/// All lines of one board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinesSettings {
    /// The chip on which names are looked for: a path, a name or a label; all chips without it.
    pub chip: Option<String>,
    /// What is driven.
    pub outputs: Vec<OutputLine>,
    /// What is read.
    pub inputs: Vec<InputLine>,
    /// A relay that is active while the body is powered.
    pub enable: Option<LineName>,
    /// The body is powered already, by a host that is gone: the relay is not let go of.
    pub powered: bool,
    /// A line that says that the robot must stop now.
    pub estop: Option<LineName>,
}

/// What an output line follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputSource {
    /// An actuator's target.
    Actuator(usize),
    /// The body's power; kept on from the first, if the body is powered already by a host that is gone.
    Power { kept: bool },
}

/// What a line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineRole {
    Output(OutputSource),
    /// The trigger of this number.
    Trigger(usize),
    /// The input of this number. An echo's trigger is named by the trigger's number.
    Input {
        number: usize,
        reads: Reads,
        debounce: Duration,
    },
}

/// A line and what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WantedLine {
    pub(super) name: LineName,
    pub(super) role: LineRole,
}

/// All lines of one board by what they are for.
#[derive(Debug, Default)]
pub(super) struct Wiring {
    pub(super) wanted: Vec<WantedLine>,
    /// The actuator of each trigger.
    pub(super) triggers: Vec<usize>,
    /// The sensor of each input. Inputs without one come after.
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

    /// One more input that no sensor shows; its number.
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

    /// The lines of these settings but for the stop line.
    pub(super) fn of(settings: &LinesSettings) -> Result<Wiring, LinesError> {
        let mut wiring = Wiring::default();
        for it in &settings.outputs {
            let role = if it.fires {
                wiring.triggers.push(it.actuator);
                LineRole::Trigger(wiring.triggers.len() - 1)
            } else {
                LineRole::Output(OutputSource::Actuator(it.actuator))
            };
            wiring.add(&it.line, it.active_low, None, role);
        }
        if let Some(it) = &settings.enable {
            wiring.add(
                &it.line,
                it.active_low,
                it.bias,
                LineRole::Output(OutputSource::Power {
                    kept: settings.powered,
                }),
            );
        }
        for it in &settings.inputs {
            let role = LineRole::Input {
                number: wiring.inputs,
                reads: wiring.reads(it)?,
                debounce: Duration::from_nanos(it.debounce.nanos()),
            };
            wiring.add(&it.line, it.active_low, it.bias, role);
            wiring.sensors.push(it.sensor);
            wiring.inputs += 1;
        }
        Ok(wiring)
    }

    /// What an input reads, its trigger by the trigger's number.
    fn reads(&self, input: &InputLine) -> Result<Reads, LinesError> {
        let Reads::Echo { trigger: actuator } = input.reads else {
            return Ok(input.reads);
        };
        let line = || input.line.clone();
        if input.debounce > Span::ZERO {
            return Err(LinesError::DebouncedEcho { line: line() });
        }
        let trigger = self.triggers.iter().position(|it| *it == actuator);
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
        let roles: Vec<LineRole> = wiring.wanted.iter().map(|it| it.role).collect();
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
