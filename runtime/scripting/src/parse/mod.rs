//! Parses the text of a script, line by line.
//! Called by `play` of this crate; actions are parsed in `actions`, what a lane does in `lanes`.
//! Parsing runs nothing, and the first line that does not fit is named.

mod actions;
mod lanes;

use cycle::{
    Actuator, ActuatorId, BoardId, Calibration, CouplingRow, CurrentLimit, FaultThresholds, Gains,
    GroupId, GroupRule, Heat, Instant, JointThresholds, Kind, Range, Sensor, SensorId, Settings,
    Span,
};

use crate::script::{Action, Column, ParsedScript, TrackField};
use crate::words::{LineWords, ORIGIN, ScriptError, one_of, range};

pub(crate) fn parse(text: &str) -> Result<ParsedScript, ScriptError> {
    let mut parser = ScriptParser::default();
    for (place, line) in text.lines().enumerate() {
        parser.line(LineWords::new(place + 1, line))?;
    }
    parser.finish()
}

#[derive(Default)]
pub(crate) struct ScriptParser {
    pub(crate) actuators: Vec<Actuator<'static>>,
    pub(crate) sensors: Vec<Sensor<'static>>,
    pub(crate) couplings: Vec<(ActuatorId, ActuatorId, Vec<CouplingRow>)>,
    pub(crate) groups: Vec<(String, GroupRule)>,
    pub(crate) boards: u8,
    pub(crate) settings: Option<Settings>,
    pub(crate) from_boot: bool,
    pub(crate) ack_delay: u64,
    pub(crate) columns: Vec<Column>,
    pub(crate) turns: Vec<Instant>,
    pub(crate) actions: Vec<Action>,
    pub(crate) lanes: Vec<String>,
    pub(crate) aliases: Vec<String>,
}

/// Names live as long as the program: a script is played once.
pub(crate) fn leak(name: &str) -> &'static str {
    Box::leak(name.to_owned().into_boxed_str())
}

type LineParser = fn(&mut ScriptParser, &mut LineWords<'_>) -> Result<(), ScriptError>;

/// What a line may begin with.
const LINES: [(&str, LineParser); 9] = [
    ("actuator", ScriptParser::actuator),
    ("sensor", ScriptParser::sensor),
    ("couple", ScriptParser::couple),
    ("group", ScriptParser::group),
    ("set", ScriptParser::set),
    ("show", ScriptParser::show),
    ("every", ScriptParser::every),
    ("turns", ScriptParser::turns),
    ("at", ScriptParser::at),
];

const KINDS: [(&str, Kind); 6] = [
    ("joint", Kind::Joint),
    ("hand", Kind::Hand),
    ("wheel", Kind::Wheel),
    // Which joint it stiffens is said by `of`.
    (
        "stiffness",
        Kind::Stiffness {
            joint: ActuatorId(0),
        },
    ),
    ("light", Kind::Light),
    ("trigger", Kind::Trigger),
];

const GROUP_RULES: [(&str, GroupRule); 2] =
    [("refuse", GroupRule::Refuse), ("rank", GroupRule::Rank)];

impl ScriptParser {
    fn finish(mut self) -> Result<ParsedScript, ScriptError> {
        if self.turns.is_empty() {
            let what = "no turns: write `every 10 until 100` or `turns 0 10 20`".to_owned();
            return Err(ScriptError { line: 0, what });
        }
        if self.columns.is_empty() {
            let all = (0u16..).zip(&self.actuators);
            let sent = all.map(|(id, item)| {
                Column::Of(ActuatorId(id), TrackField::Sent, item.name.to_owned())
            });
            self.columns = sent.collect();
        }
        self.actions.sort_by_key(|action| action.at);
        let settings = self.settings();
        Ok(ParsedScript {
            actuators: self.actuators,
            sensors: self.sensors,
            couplings: self.couplings,
            groups: self
                .groups
                .into_iter()
                .map(|(_, contest)| contest)
                .collect(),
            boards: self.boards.max(1),
            settings,
            from_boot: self.from_boot,
            ack_delay: self.ack_delay,
            columns: self.columns,
            turns: self.turns,
            actions: self.actions,
            lanes: self.lanes,
            aliases: self.aliases,
        })
    }

    /// The settings so far: by default a body that is quick to start and hard to upset.
    fn settings(&self) -> Settings {
        self.settings.unwrap_or_else(|| {
            let mut settings = Settings::at(Span::from_millis(10));
            settings.ramps.good_link = Span::ZERO;
            settings.ramps.fade_in = Span::ZERO;
            settings.ramps.return_speed = f64::INFINITY;
            settings.ramps.ease_in = Span::ZERO;
            settings.thresholds = FaultThresholds {
                late_to_hold: 0,
                late_to_safe: 0,
                missing_to_hold: 0,
                missing_to_lost: 0,
                joint: JointThresholds {
                    astray_to_hold: 0,
                    ..settings.thresholds.joint
                },
                ..settings.thresholds
            };
            settings
        })
    }

    fn line(&mut self, mut words: LineWords<'_>) -> Result<(), ScriptError> {
        if self.lanes.is_empty() {
            self.lanes.push("shared".to_owned());
        }
        let Some(verb) = words.next() else {
            return Ok(());
        };
        let Some((_, parse)) = LINES.iter().find(|line| line.0 == verb) else {
            let verbs = one_of(LINES.iter().map(|line| line.0));
            return Err(words.error(format!(
                "a line cannot begin with \"{verb}\": expected {verbs}"
            )));
        };
        parse(self, &mut words)?;
        words.end()
    }

    fn sensor(&mut self, words: &mut LineWords<'_>) -> Result<(), ScriptError> {
        let name = leak(words.word("a sensor's name")?);
        self.add_sensor(name);
        Ok(())
    }

    fn group(&mut self, words: &mut LineWords<'_>) -> Result<(), ScriptError> {
        let name = words.word("a group's name")?.to_owned();
        let contest = words.choice(&GROUP_RULES)?;
        self.groups.push((name, contest));
        Ok(())
    }

    fn every(&mut self, words: &mut LineWords<'_>) -> Result<(), ScriptError> {
        let step = words.span()?;
        let from = if words.skip("from") {
            words.instant()?
        } else {
            ORIGIN
        };
        if !words.skip("until") {
            return Err(words.error("expected `until` and an instant"));
        }
        let until = words.instant()?;
        if step == Span::ZERO || (until - from).nanos() / step.nanos() > 1_000_000 {
            return Err(
                words.error("a step must be above 0, and a script has at most a million turns")
            );
        }
        let mut now = from;
        while now <= until {
            self.turns.push(now);
            now = now + step;
        }
        Ok(())
    }

    fn turns(&mut self, words: &mut LineWords<'_>) -> Result<(), ScriptError> {
        let instants = words.instants()?;
        self.turns.extend(instants);
        Ok(())
    }

    fn at(&mut self, words: &mut LineWords<'_>) -> Result<(), ScriptError> {
        let at = words.instant()?;
        let text = words.rest_of_line();
        let step = self.action(words)?;
        self.actions.push(Action { at, text, step });
        Ok(())
    }

    fn add_sensor(&mut self, name: &'static str) -> SensorId {
        let id = SensorId(self.sensors.len() as u16);
        self.sensors.push(Sensor {
            name,
            path: "",
            board: BoardId(0),
            derived: None,
            calibration: Calibration::NONE,
        });
        id
    }

    fn actuator(&mut self, words: &mut LineWords<'_>) -> Result<(), ScriptError> {
        let name = leak(words.word("an actuator's name")?);
        let kind = words.choice(&KINDS)?;
        let (min, max) = words.range()?;
        let mut value = Actuator::new(name, kind, min, max);
        while let Some(word) = words.next() {
            match word {
                "velocity" => value.velocity = words.value("a velocity per second")?,
                "acceleration" => value.acceleration = words.value("an acceleration")?,
                "rest" => value.rest = words.value("a value")?,
                "safe" => value.safe = Some(words.value("a value")?),
                "step" => value.calibration = Calibration::steps(words.value("a step")?),
                "offset" => value.calibration.offset = words.value("an offset")?,
                "of" => {
                    value.kind = Kind::Stiffness {
                        joint: self.actuator_named(words)?,
                    }
                }
                "board" => {
                    value.board = BoardId(words.value("a board's number")?);
                    self.boards = self.boards.max(value.board.0 + 1);
                }
                "measured" => value.sensor = Some(self.add_sensor(name)),
                "group" => {
                    value.group = Some(self.group_named(words)?);
                }
                "gains" => value.gains = Some(gains(words)?),
                "heat" => {
                    let sensor = self.sensor_named(words)?;
                    let (warm, hot) = words.range()?;
                    value.heat = Some(Heat { sensor, warm, hot });
                }
                "current" => {
                    let sensor = self.sensor_named(words)?;
                    let (high, limit) = words.range()?;
                    value.current = Some(CurrentLimit {
                        sensor,
                        high,
                        limit,
                    });
                }
                other => return Err(words.error(format!("an actuator has no \"{other}\""))),
            }
        }
        self.actuators.push(value);
        Ok(())
    }

    fn couple(&mut self, words: &mut LineWords<'_>) -> Result<(), ScriptError> {
        let (driver, driven) = (self.actuator_named(words)?, self.actuator_named(words)?);
        let mut rows = Vec::new();
        while let Some(word) = words.next() {
            let row = word.split_once(':').and_then(|(at, allowed)| {
                let (min, max) = range(allowed)?;
                Some(CouplingRow {
                    driver: at.parse().ok()?,
                    range: Range { min, max },
                })
            });
            let row =
                row.ok_or_else(|| words.error(format!("expected 0:-1..1, found \"{word}\"")))?;
            rows.push(row);
        }
        self.couplings.push((driver, driven, rows));
        Ok(())
    }

    fn set(&mut self, words: &mut LineWords<'_>) -> Result<(), ScriptError> {
        let mut settings = self.settings();
        let (ramps, thresholds) = (&mut settings.ramps, &mut settings.thresholds);
        while let Some(word) = words.next() {
            match word {
                "period" => {
                    settings.period = words.span()?;
                    thresholds.late_after = FaultThresholds::at(settings.period).late_after;
                }
                "readings" => ramps.readings = words.value("a number of turns")?,
                "good-link" => ramps.good_link = words.span()?,
                "fade-in" => ramps.fade_in = words.span()?,
                "fade-out" => ramps.fade_out = words.span()?,
                "return-speed" => ramps.return_speed = words.value("a share")?,
                "ease-in" => ramps.ease_in = words.span()?,
                "retreat" => ramps.retreat = words.span()?,
                "late-to-hold" => thresholds.late_to_hold = words.value("a number of turns")?,
                "late-to-safe" => thresholds.late_to_safe = words.value("a number of turns")?,
                "missing-to-hold" => {
                    thresholds.missing_to_hold = words.value("a number of turns")?;
                }
                "missing-to-lost" => {
                    thresholds.missing_to_lost = words.value("a number of turns")?;
                }
                "from-boot" => self.from_boot = true,
                "ack-delay" => self.ack_delay = words.value("a number of turns")?,
                other => return Err(words.error(format!("there is no setting \"{other}\""))),
            }
        }
        self.settings = Some(settings);
        Ok(())
    }

    fn show(&mut self, words: &mut LineWords<'_>) -> Result<(), ScriptError> {
        while let Some(word) = words.next() {
            let column = match word {
                "state" => Column::State,
                "power" => Column::Power,
                _ => {
                    let (name, field) = word.split_once('.').unwrap_or((word, "sent"));
                    let field = TrackField::of_name(field).ok_or_else(|| {
                        let fields = one_of(TrackField::NAMES);
                        words.error(format!(
                            "an actuator has no \"{field}\" to show: expected {fields}"
                        ))
                    })?;
                    Column::Of(self.named(words, name)?, field, word.to_owned())
                }
            };
            self.columns.push(column);
        }
        Ok(())
    }

    pub(crate) fn group_named(&self, words: &mut LineWords<'_>) -> Result<GroupId, ScriptError> {
        let name = words.word("a group's name")?;
        let place = self.groups.iter().position(|(group, _)| group == name);
        let place = place.ok_or_else(|| words.error(format!("there is no group \"{name}\"")))?;
        Ok(GroupId(place as u8))
    }

    fn named(&self, words: &LineWords<'_>, name: &str) -> Result<ActuatorId, ScriptError> {
        let place = self
            .actuators
            .iter()
            .position(|actuator| actuator.name == name);
        let place = place.ok_or_else(|| words.error(format!("there is no actuator \"{name}\"")))?;
        Ok(ActuatorId(place as u16))
    }

    pub(crate) fn actuator_named(
        &self,
        words: &mut LineWords<'_>,
    ) -> Result<ActuatorId, ScriptError> {
        let name = words.word("an actuator's name")?;
        // `#7` would be a comment; `?7` is a number that may name nothing, for trying bad handles.
        match name.strip_prefix('?') {
            Some(number) => number.parse().map(ActuatorId).map_err(|_| {
                words.error(format!("expected a number behind ?, found \"{number}\""))
            }),
            None => self.named(words, name),
        }
    }

    pub(crate) fn sensor_named(&self, words: &mut LineWords<'_>) -> Result<SensorId, ScriptError> {
        let name = words.word("a sensor's name")?;
        let place = self.sensors.iter().position(|sensor| sensor.name == name);
        let place = place.ok_or_else(|| words.error(format!("there is no sensor \"{name}\"")))?;
        Ok(SensorId(place as u16))
    }
}

/// Three gains: p, i, d.
pub(crate) fn gains(words: &mut LineWords<'_>) -> Result<Gains, ScriptError> {
    let mut gain = || words.value("a gain");
    Ok(Gains {
        p: gain()?,
        i: gain()?,
        d: gain()?,
    })
}
