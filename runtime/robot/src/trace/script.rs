//! From the text of a script to what it says: a body, settings, columns, turns, actions.
//! The law: parsing reads, it runs nothing; names are looked up here, so that playing cannot miss one.

use cycle::{
    Actuator, ActuatorId, BoardId, Calibration, Command, Contest, Ending, Gains, GroupId, Heat,
    Instant, Keep, Kind, LaneSettings, Merge, Patience, Range, Row, Sensor, SensorId, Settings,
    Silence, Span, priority,
};

use super::words::{ScriptError, Words, instant, range};

/// What a script says.
pub(super) struct Script {
    pub(super) actuators: Vec<Actuator<'static>>,
    pub(super) sensors: Vec<Sensor<'static>>,
    pub(super) couplings: Vec<(ActuatorId, ActuatorId, Vec<Row>)>,
    pub(super) groups: Vec<Contest>,
    pub(super) boards: u8,
    pub(super) settings: Settings,
    pub(super) from_boot: bool,
    pub(super) columns: Vec<Column>,
    pub(super) turns: Vec<Instant>,
    pub(super) actions: Vec<Action>,
    /// Names of lanes, in the order of their numbers; the first is `shared`.
    pub(super) lanes: Vec<String>,
    pub(super) aliases: Vec<String>,
}

/// One column of the table.
#[derive(Clone)]
pub(super) enum Column {
    Of(ActuatorId, Part, String),
    State,
    Power,
}

/// What of an actuator is shown.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Part {
    Commanded,
    Limited,
    Sent,
    Coverage,
    Clips,
    Limp,
    Gains,
    Counts,
}

/// Something that happens before the first turn at or after its instant.
pub(super) struct Action {
    pub(super) at: Instant,
    pub(super) text: String,
    pub(super) what: What,
}

/// The actuators of a request.
#[derive(Clone)]
pub(super) enum Whom {
    Actuators(Vec<ActuatorId>),
    Alias(usize),
}

/// What happens.
pub(super) enum What {
    Open(usize, LaneSettings),
    Same(usize, Merge, Whom, Vec<Command>),
    Mixed(usize, Merge, Whom, Vec<Vec<Command>>),
    Separate(usize, Merge, Whom, Vec<Instant>, Vec<f64>),
    Vector(usize, Whom, Instant, Vec<f64>),
    Sheet(usize, Merge, Vec<(ActuatorId, Vec<Command>)>),
    Stop(usize, Whom),
    Cancel(usize, u32),
    Drive(usize, ActuatorId, f64, f64, Instant),
    Gains(usize, ActuatorId, Gains, f64, Instant),
    Weight(usize, Option<ActuatorId>, f64),
    Priority(usize, f64),
    End(usize, Option<Ending>),
    Feed(usize),
    Pending(usize, ActuatorId),
    Progress(usize, u32),
    Overridden(usize, ActuatorId),
    ReleaseGroup(usize, GroupId),
    Alias(usize, Vec<ActuatorId>),
    Sense(SensorId, f64),
    Board(BoardId, bool),
    Safety(&'static str),
}

pub(super) fn parse(text: &str) -> Result<Script, ScriptError> {
    let mut reader = Reader::default();
    for (place, line) in text.lines().enumerate() {
        reader.line(Words::new(place + 1, line), line)?;
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    actuators: Vec<Actuator<'static>>,
    sensors: Vec<Sensor<'static>>,
    couplings: Vec<(ActuatorId, ActuatorId, Vec<Row>)>,
    groups: Vec<(String, Contest)>,
    boards: u8,
    settings: Option<Settings>,
    from_boot: bool,
    columns: Vec<Column>,
    turns: Vec<Instant>,
    actions: Vec<Action>,
    lanes: Vec<String>,
    aliases: Vec<String>,
}

/// Names live as long as the program: a script is played once.
fn leak(name: &str) -> &'static str {
    Box::leak(name.to_owned().into_boxed_str())
}

impl Reader {
    fn finish(mut self) -> Result<Script, ScriptError> {
        if self.turns.is_empty() {
            let what = "no turns: write `every 10 until 100` or `turns 0 10 20`".to_owned();
            return Err(ScriptError { line: 0, what });
        }
        if self.columns.is_empty() {
            let all = (0u16..).zip(&self.actuators);
            let sent =
                all.map(|(id, it)| Column::Of(ActuatorId(id), Part::Sent, it.name.to_owned()));
            self.columns = sent.collect();
        }
        self.actions.sort_by_key(|action| action.at);
        let settings = self.settings();
        Ok(Script {
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
            settings.manners.good_link = Span::ZERO;
            settings.manners.fade_in = Span::ZERO;
            settings.manners.ease_in = Span::ZERO;
            settings.patience = Patience {
                late_to_hold: 0,
                late_to_safe: 0,
                missing_to_hold: 0,
                missing_to_lost: 0,
                ..settings.patience
            };
            settings
        })
    }

    fn line(&mut self, mut words: Words<'_>, text: &str) -> Result<(), ScriptError> {
        if self.lanes.is_empty() {
            self.lanes.push("shared".to_owned());
        }
        let Some(verb) = words.next() else {
            return Ok(());
        };
        match verb {
            "actuator" => self.actuator(&mut words)?,
            "sensor" => {
                let name = leak(words.word("a sensor's name")?);
                self.add_sensor(name);
            }
            "couple" => self.couple(&mut words)?,
            "group" => {
                let name = words.word("a group's name")?.to_owned();
                let contest = match words.word("refuse or rank")? {
                    "refuse" => Contest::Refuse,
                    "rank" => Contest::Rank,
                    other => {
                        return Err(
                            words.error(format!("expected refuse or rank, found \"{other}\""))
                        );
                    }
                };
                self.groups.push((name, contest));
            }
            "set" => self.set(&mut words)?,
            "show" => self.show(&mut words)?,
            "every" => {
                let step = words.span()?;
                let from = if words.skip("from") {
                    words.instant()?
                } else {
                    super::words::ORIGIN
                };
                if !words.skip("until") {
                    return Err(words.error("expected `until` and an instant"));
                }
                let until = words.instant()?;
                if step == Span::ZERO || (until - from).nanos() / step.nanos() > 1_000_000 {
                    return Err(words.error("a step of 0, or more than a million turns"));
                }
                let mut now = from;
                while now <= until {
                    self.turns.push(now);
                    now = now + step;
                }
            }
            "turns" => {
                for ms in words.numbers("an instant in ms")? {
                    self.turns
                        .push(instant(ms).ok_or_else(|| words.error("no such instant"))?);
                }
            }
            "at" => {
                let at = words.instant()?;
                let text = text.split('#').next().unwrap_or("").trim();
                let text = text
                    .splitn(3, char::is_whitespace)
                    .nth(2)
                    .unwrap_or("")
                    .trim()
                    .to_owned();
                let what = self.action(&mut words)?;
                self.actions.push(Action { at, text, what });
            }
            other => {
                return Err(words.error(format!(
                    "\"{other}\" begins no line: expected actuator, sensor, couple, group, set, show, every, turns or at"
                )));
            }
        }
        words.end()
    }

    fn add_sensor(&mut self, name: &'static str) -> SensorId {
        let id = SensorId(self.sensors.len() as u16);
        self.sensors.push(Sensor {
            name,
            path: "",
            board: BoardId(0),
            calibration: Calibration::NONE,
        });
        id
    }

    fn actuator(&mut self, words: &mut Words<'_>) -> Result<(), ScriptError> {
        let name = leak(words.word("an actuator's name")?);
        let kind = words.word("its kind")?;
        let (min, max) = words.range()?;
        let kind = match kind {
            "joint" => Kind::Joint,
            "hand" => Kind::Hand,
            "wheel" => Kind::Wheel,
            "light" => Kind::Light,
            "trigger" => Kind::Trigger,
            "stiffness" => Kind::Stiffness {
                joint: ActuatorId(0),
            },
            other => {
                return Err(words.error(format!(
                    "\"{other}\" is no kind: expected joint, hand, wheel, stiffness, light or trigger"
                )));
            }
        };
        let mut it = Actuator::new(name, kind, min, max);
        while let Some(word) = words.next() {
            match word {
                "velocity" => it.velocity = words.value("a velocity per second")?,
                "acceleration" => it.acceleration = words.value("an acceleration")?,
                "rest" => it.rest = words.value("a value")?,
                "safe" => it.safe = Some(words.value("a value")?),
                "step" => it.calibration = Calibration::steps(words.value("a step")?),
                "offset" => it.calibration.offset = words.value("an offset")?,
                "of" => {
                    it.kind = Kind::Stiffness {
                        joint: self.actuator_named(words)?,
                    }
                }
                "board" => {
                    it.board = BoardId(words.value("a board's number")?);
                    self.boards = self.boards.max(it.board.0 + 1);
                }
                "measured" => it.sensor = Some(self.add_sensor(name)),
                "group" => {
                    let name = words.word("a group's name")?;
                    let place = self.groups.iter().position(|(it, _)| it == name);
                    let place = place.ok_or_else(|| words.error(format!("no group \"{name}\"")))?;
                    it.group = Some(GroupId(place as u8));
                }
                "gains" => it.gains = Some(gains(words)?),
                "heat" => {
                    let sensor = self.sensor_named(words)?;
                    let (warm, hot) = words.range()?;
                    it.heat = Some(Heat { sensor, warm, hot });
                }
                other => return Err(words.error(format!("an actuator has no \"{other}\""))),
            }
        }
        self.actuators.push(it);
        Ok(())
    }

    fn couple(&mut self, words: &mut Words<'_>) -> Result<(), ScriptError> {
        let (driver, driven) = (self.actuator_named(words)?, self.actuator_named(words)?);
        let mut rows = Vec::new();
        while let Some(word) = words.next() {
            let row = word.split_once(':').and_then(|(at, allowed)| {
                let (min, max) = range(allowed)?;
                Some(Row {
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

    fn set(&mut self, words: &mut Words<'_>) -> Result<(), ScriptError> {
        let mut settings = self.settings();
        let (manners, patience) = (&mut settings.manners, &mut settings.patience);
        while let Some(word) = words.next() {
            match word {
                "period" => {
                    settings.period = words.span()?;
                    patience.late_after = Patience::at(settings.period).late_after;
                }
                "readings" => manners.readings = words.value("a number of turns")?,
                "good-link" => manners.good_link = words.span()?,
                "fade-in" => manners.fade_in = words.span()?,
                "fade-out" => manners.fade_out = words.span()?,
                "ease-in" => manners.ease_in = words.span()?,
                "retreat" => manners.retreat = words.span()?,
                "late-to-hold" => patience.late_to_hold = words.value("a number of turns")?,
                "late-to-safe" => patience.late_to_safe = words.value("a number of turns")?,
                "missing-to-hold" => patience.missing_to_hold = words.value("a number of turns")?,
                "missing-to-lost" => patience.missing_to_lost = words.value("a number of turns")?,
                "from-boot" => self.from_boot = true,
                other => return Err(words.error(format!("there is no setting \"{other}\""))),
            }
        }
        self.settings = Some(settings);
        Ok(())
    }

    fn show(&mut self, words: &mut Words<'_>) -> Result<(), ScriptError> {
        while let Some(word) = words.next() {
            let column = match word {
                "state" => Column::State,
                "power" => Column::Power,
                _ => {
                    let (name, part) = word.split_once('.').unwrap_or((word, "sent"));
                    let part = match part {
                        "commanded" => Part::Commanded,
                        "limited" => Part::Limited,
                        "sent" => Part::Sent,
                        "coverage" => Part::Coverage,
                        "clips" => Part::Clips,
                        "limp" => Part::Limp,
                        "gains" => Part::Gains,
                        "counts" => Part::Counts,
                        other => {
                            return Err(words.error(format!("an actuator shows no \"{other}\"")));
                        }
                    };
                    Column::Of(self.named(words, name)?, part, word.to_owned())
                }
            };
            self.columns.push(column);
        }
        Ok(())
    }

    fn named(&self, words: &Words<'_>, name: &str) -> Result<ActuatorId, ScriptError> {
        let place = self.actuators.iter().position(|it| it.name == name);
        let place = place.ok_or_else(|| words.error(format!("there is no actuator \"{name}\"")))?;
        Ok(ActuatorId(place as u16))
    }

    fn actuator_named(&self, words: &mut Words<'_>) -> Result<ActuatorId, ScriptError> {
        let name = words.word("an actuator's name")?;
        // `#7` would be a comment; `?7` is a number that may name nothing, for trying bad handles.
        match name.strip_prefix('?') {
            Some(number) => number.parse().map(ActuatorId).map_err(|_| {
                words.error(format!("expected a number behind ?, found \"{number}\""))
            }),
            None => self.named(words, name),
        }
    }

    fn sensor_named(&self, words: &mut Words<'_>) -> Result<SensorId, ScriptError> {
        let name = words.word("a sensor's name")?;
        let place = self.sensors.iter().position(|it| it.name == name);
        let place = place.ok_or_else(|| words.error(format!("there is no sensor \"{name}\"")))?;
        Ok(SensorId(place as u16))
    }

    fn lane_named(&mut self, name: &str) -> Option<usize> {
        self.lanes.iter().position(|it| it == name)
    }

    fn whom(&self, words: &mut Words<'_>) -> Result<Whom, ScriptError> {
        let word = words.word("an actuator, several joined by +, or an alias")?;
        if let Some(alias) = self.aliases.iter().rposition(|it| it == word) {
            return Ok(Whom::Alias(alias));
        }
        let named = word.split('+').map(|name| {
            let mut one = Words::new(words.line, name);
            self.actuator_named(&mut one)
        });
        named.collect::<Result<_, _>>().map(Whom::Actuators)
    }

    fn action(&mut self, words: &mut Words<'_>) -> Result<What, ScriptError> {
        let verb = words.word("what happens")?;
        match verb {
            "open" => {
                let name = words.word("a lane's name")?;
                let lane = self.lane_named(name).unwrap_or_else(|| {
                    self.lanes.push(name.to_owned());
                    self.lanes.len() - 1
                });
                Ok(What::Open(lane, lane_settings(words)?))
            }
            "alias" => {
                let name = words.word("an alias' name")?.to_owned();
                let mut members = Vec::new();
                while words.peek().is_some() {
                    members.push(self.actuator_named(words)?);
                }
                self.aliases.push(name);
                Ok(What::Alias(self.aliases.len() - 1, members))
            }
            "sense" => Ok(What::Sense(self.sensor_named(words)?, words.value("a value")?)),
            "board" => {
                let board = BoardId(words.value("a board's number")?);
                let answers = match words.word("answers or silent")? {
                    "answers" => true,
                    "silent" => false,
                    other => return Err(words.error(format!("expected answers or silent, found \"{other}\""))),
                };
                Ok(What::Board(board, answers))
            }
            "arm" | "disarm" | "hold" | "resume" | "retreat" | "clear" | "estop" | "release" => {
                Ok(What::Safety(leak(verb)))
            }
            name => match self.lane_named(name) {
                Some(lane) => self.lane_action(lane, words),
                None => Err(words.error(format!(
                    "\"{name}\" is neither a lane nor open, alias, sense, board, arm, disarm, hold, resume, retreat, clear, estop or release"
                ))),
            },
        }
    }

    fn lane_action(&mut self, lane: usize, words: &mut Words<'_>) -> Result<What, ScriptError> {
        let verb = words.word("what the lane does")?;
        Ok(match verb {
            "merge" | "clear-all" | "clear-after" | "clear-before" => What::Same(
                lane,
                merge(words, verb)?,
                self.whom(words)?,
                commands(words)?,
            ),
            "mixed" => {
                let kind = words.word("a merge kind")?;
                let (merge, whom) = (merge(words, kind)?, self.whom(words)?);
                let mut lists = vec![commands(words)?];
                while words.skip("|") {
                    lists.push(commands(words)?);
                }
                What::Mixed(lane, merge, whom, lists)
            }
            "separate" => {
                let kind = words.word("a merge kind")?;
                let (merge, whom) = (merge(words, kind)?, self.whom(words)?);
                expect(words, "times")?;
                let times = words.numbers("an instant in ms")?;
                let times = times.into_iter().map(instant).collect::<Option<_>>();
                let times = times.ok_or_else(|| words.error("no such instant"))?;
                expect(words, "values")?;
                let mut values = words.numbers("a value")?;
                while words.skip("|") {
                    values.extend(words.numbers("a value")?);
                }
                What::Separate(lane, merge, whom, times, values)
            }
            "vector" => {
                let whom = self.whom(words)?;
                expect(words, "at")?;
                let at = words.instant()?;
                expect(words, "values")?;
                What::Vector(lane, whom, at, words.numbers("a value")?)
            }
            "sheet" => {
                let kind = words.word("a merge kind")?;
                let merge = merge(words, kind)?;
                let mut parts = vec![(self.actuator_named(words)?, commands(words)?)];
                while words.skip("|") {
                    parts.push((self.actuator_named(words)?, commands(words)?));
                }
                What::Sheet(lane, merge, parts)
            }
            "stop" => What::Stop(lane, self.whom(words)?),
            "cancel" => What::Cancel(lane, words.value("a ticket's number")?),
            "drive" => {
                let actuator = self.actuator_named(words)?;
                let (value, weight) = (words.value("a value")?, words.value("a weight")?);
                What::Drive(lane, actuator, value, weight, until(words)?)
            }
            "gains" => {
                let (actuator, gains) = (self.actuator_named(words)?, gains(words)?);
                What::Gains(
                    lane,
                    actuator,
                    gains,
                    words.value("a weight")?,
                    until(words)?,
                )
            }
            "weight" => {
                let weight = words.value("a weight")?;
                let on = if words.skip("on") {
                    Some(self.actuator_named(words)?)
                } else {
                    None
                };
                What::Weight(lane, on, weight)
            }
            "priority" => What::Priority(lane, words.value("a priority")?),
            "end" => {
                let ending = if words.peek().is_some() {
                    Some(ending(words)?)
                } else {
                    None
                };
                What::End(lane, ending)
            }
            "feed" => What::Feed(lane),
            "pending" => What::Pending(lane, self.actuator_named(words)?),
            "progress" => What::Progress(lane, words.value("a ticket's number")?),
            "overridden" => What::Overridden(lane, self.actuator_named(words)?),
            "release-group" => {
                let name = words.word("a group's name")?;
                let place = self.groups.iter().position(|(it, _)| it == name);
                let place = place.ok_or_else(|| words.error(format!("no group \"{name}\"")))?;
                What::ReleaseGroup(lane, GroupId(place as u8))
            }
            other => return Err(words.error(format!("a lane cannot \"{other}\""))),
        })
    }
}

fn expect(words: &mut Words<'_>, word: &str) -> Result<(), ScriptError> {
    if words.skip(word) {
        Ok(())
    } else {
        Err(words.error(format!("expected `{word}`")))
    }
}

/// `until <ms>`: a direct output is repeated in every turn up to there; without it, one turn.
fn until(words: &mut Words<'_>) -> Result<Instant, ScriptError> {
    if words.skip("until") {
        words.instant()
    } else {
        Ok(Instant::ZERO)
    }
}

fn gains(words: &mut Words<'_>) -> Result<Gains, ScriptError> {
    let mut gain = || words.value("a gain");
    Ok(Gains {
        p: gain()?,
        i: gain()?,
        d: gain()?,
    })
}

fn merge(words: &Words<'_>, word: &str) -> Result<Merge, ScriptError> {
    match word {
        "merge" => Ok(Merge::Merge),
        "clear-all" => Ok(Merge::ClearAll),
        "clear-after" => Ok(Merge::ClearAfter),
        "clear-before" => Ok(Merge::ClearBefore),
        other => Err(words.error(format!(
            "expected merge, clear-all, clear-after or clear-before, found \"{other}\""
        ))),
    }
}

fn ending(words: &mut Words<'_>) -> Result<Ending, ScriptError> {
    Ok(match words.word("release, hold or safe")? {
        "release" => Ending::Release,
        "hold" => Ending::Hold,
        "safe" => Ending::SafePose(words.span()?),
        other => {
            return Err(words.error(format!("expected release, hold or safe, found \"{other}\"")));
        }
    })
}

fn lane_settings(words: &mut Words<'_>) -> Result<LaneSettings, ScriptError> {
    let mut settings = LaneSettings::STANDARD;
    while let Some(word) = words.next() {
        match word {
            "priority" => {
                let named = words.word("a priority")?;
                settings.priority = match named {
                    "ignored" => priority::IGNORED,
                    "background" => priority::BACKGROUND,
                    "low" => priority::LOW,
                    "standard" => priority::STANDARD,
                    "high" => priority::HIGH,
                    "emergency" => priority::EMERGENCY,
                    number => number
                        .parse()
                        .map_err(|_| words.error(format!("\"{number}\" is no priority")))?,
                };
            }
            "weight" => settings.weight = words.value("a weight")?,
            "room" => settings.room = words.value("a number of commands")?,
            "keep" => {
                settings.keep = match words.word("hold or release")? {
                    "hold" => Keep::Hold,
                    "release" => Keep::Release,
                    other => {
                        return Err(
                            words.error(format!("expected hold or release, found \"{other}\""))
                        );
                    }
                };
            }
            "fade-in" => settings.fade_in = words.span()?,
            "fade-out" => settings.fade_out = words.span()?,
            "ending" => settings.ending = ending(words)?,
            "silence" => {
                let after = words.span()?;
                let body_after = if words.skip("body") {
                    Some(words.span()?)
                } else {
                    None
                };
                settings.silence = Some(Silence { after, body_after });
            }
            other => return Err(words.error(format!("a lane has no \"{other}\""))),
        }
    }
    Ok(settings)
}

/// Commands as `10:0.5 20:1`.
fn commands(words: &mut Words<'_>) -> Result<Vec<Command>, ScriptError> {
    let mut list = Vec::new();
    while let Some(word) = words.peek().filter(|word| *word != "|") {
        words.next();
        let command = word.split_once(':').and_then(|(at, value)| {
            Some(Command {
                at: instant(at.parse().ok()?)?,
                value: value.parse().ok()?,
            })
        });
        let wrong = || {
            words.error(format!(
                "expected a command such as 10:0.5 (ms:value), found \"{word}\""
            ))
        };
        list.push(command.ok_or_else(wrong)?);
    }
    Ok(list)
}
