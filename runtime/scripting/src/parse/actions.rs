//! Reads what happens in a script: everything behind `at <ms>`.
//! Called by `read` with the rest of a line.
//! The law: as for `read`; a lane or an alias is known from the line on that makes it.

use cycle::{
    BoardId, Command, Ending, GroupId, Instant, Keep, LaneSettings, Merge, SilenceTimeout, priority,
};

use super::{ScriptParser, gains, leak};
use crate::script::{ScriptStep, Whom};
use crate::words::{LineWords, ScriptError, instant};

impl ScriptParser {
    fn lane_named(&mut self, name: &str) -> Option<usize> {
        self.lanes.iter().position(|it| it == name)
    }

    fn whom(&self, words: &mut LineWords<'_>) -> Result<Whom, ScriptError> {
        let word = words.word("an actuator, several joined by +, or an alias")?;
        if let Some(alias) = self.aliases.iter().rposition(|it| it == word) {
            return Ok(Whom::Alias(alias));
        }
        let named = word.split('+').map(|name| {
            let mut one = LineWords::new(words.line, name);
            self.actuator_named(&mut one)
        });
        named.collect::<Result<_, _>>().map(Whom::Actuators)
    }

    pub(crate) fn action(&mut self, words: &mut LineWords<'_>) -> Result<ScriptStep, ScriptError> {
        let verb = words.word("what happens")?;
        match verb {
            "open" => {
                let name = words.word("a lane's name")?;
                let lane = self.lane_named(name).unwrap_or_else(|| {
                    self.lanes.push(name.to_owned());
                    self.lanes.len() - 1
                });
                Ok(ScriptStep::Open(lane, lane_settings(words)?))
            }
            "alias" => {
                let name = words.word("an alias' name")?.to_owned();
                let mut members = Vec::new();
                while words.peek().is_some() {
                    members.push(self.actuator_named(words)?);
                }
                self.aliases.push(name);
                Ok(ScriptStep::Alias(self.aliases.len() - 1, members))
            }
            "sense" => Ok(ScriptStep::Sense(self.sensor_named(words)?, words.value("a value")?)),
            "board" => {
                let board = BoardId(words.value("a board's number")?);
                let answers = match words.word("answers or silent")? {
                    "answers" => true,
                    "silent" => false,
                    other => return Err(words.error(format!("expected answers or silent, found \"{other}\""))),
                };
                Ok(ScriptStep::Board(board, answers))
            }
            "arm" | "disarm" | "hold" | "resume" | "retreat" | "clear" | "estop" | "release" => {
                Ok(ScriptStep::Safety(leak(verb)))
            }
            name => match self.lane_named(name) {
                Some(lane) => self.lane_action(lane, words),
                None => Err(words.error(format!(
                    "\"{name}\" is neither a lane nor open, alias, sense, board, arm, disarm, hold, \
                     resume, retreat, clear, estop or release"
                ))),
            },
        }
    }

    fn lane_action(
        &mut self,
        lane: usize,
        words: &mut LineWords<'_>,
    ) -> Result<ScriptStep, ScriptError> {
        let verb = words.word("what the lane does")?;
        Ok(match verb {
            "merge" | "clear-all" | "clear-after" | "clear-before" => ScriptStep::Same(
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
                ScriptStep::Mixed(lane, merge, whom, lists)
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
                ScriptStep::Separate(lane, merge, whom, times, values)
            }
            "vector" => {
                let whom = self.whom(words)?;
                expect(words, "at")?;
                let at = words.instant()?;
                expect(words, "values")?;
                ScriptStep::Vector(lane, whom, at, words.numbers("a value")?)
            }
            "sheet" => {
                let kind = words.word("a merge kind")?;
                let merge = merge(words, kind)?;
                let mut parts = vec![(self.actuator_named(words)?, commands(words)?)];
                while words.skip("|") {
                    parts.push((self.actuator_named(words)?, commands(words)?));
                }
                ScriptStep::Sheet(lane, merge, parts)
            }
            "stop" => ScriptStep::Stop(lane, self.whom(words)?),
            "cancel" => ScriptStep::Cancel(lane, words.value("a ticket's number")?),
            "drive" => {
                let actuator = self.actuator_named(words)?;
                let (value, weight) = (words.value("a value")?, words.value("a weight")?);
                ScriptStep::Drive(lane, actuator, value, weight, until(words)?)
            }
            "gains" => {
                let (actuator, gains) = (self.actuator_named(words)?, gains(words)?);
                ScriptStep::Gains(
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
                ScriptStep::Weight(lane, on, weight)
            }
            "priority" => ScriptStep::Priority(lane, words.value("a priority")?),
            "end" => {
                let ending = if words.peek().is_some() {
                    Some(ending(words)?)
                } else {
                    None
                };
                ScriptStep::End(lane, ending)
            }
            "feed" => ScriptStep::Feed(lane),
            "pending" => ScriptStep::Pending(lane, self.actuator_named(words)?),
            "progress" => ScriptStep::Progress(lane, words.value("a ticket's number")?),
            "overridden" => ScriptStep::Overridden(lane),
            "release-group" => {
                let name = words.word("a group's name")?;
                let place = self.groups.iter().position(|(it, _)| it == name);
                let place = place.ok_or_else(|| words.error(format!("no group \"{name}\"")))?;
                ScriptStep::ReleaseGroup(lane, GroupId(place as u8))
            }
            other => return Err(words.error(format!("a lane cannot \"{other}\""))),
        })
    }
}

fn expect(words: &mut LineWords<'_>, word: &str) -> Result<(), ScriptError> {
    if words.skip(word) {
        Ok(())
    } else {
        Err(words.error(format!("expected `{word}`")))
    }
}

/// `until <ms>`: a direct output is repeated in every turn up to there; without it, one turn.
fn until(words: &mut LineWords<'_>) -> Result<Instant, ScriptError> {
    if words.skip("until") {
        words.instant()
    } else {
        Ok(Instant::ZERO)
    }
}

fn merge(words: &LineWords<'_>, word: &str) -> Result<Merge, ScriptError> {
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

fn ending(words: &mut LineWords<'_>) -> Result<Ending, ScriptError> {
    Ok(match words.word("release, hold or safe")? {
        "release" => Ending::Release,
        "hold" => Ending::Hold,
        "safe" => Ending::SafePose(words.span()?),
        other => {
            return Err(words.error(format!("expected release, hold or safe, found \"{other}\"")));
        }
    })
}

fn lane_settings(words: &mut LineWords<'_>) -> Result<LaneSettings, ScriptError> {
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
                settings.silence = Some(SilenceTimeout { after, body_after });
            }
            other => return Err(words.error(format!("a lane has no \"{other}\""))),
        }
    }
    Ok(settings)
}

/// Commands as `10:0.5 20:1`.
fn commands(words: &mut LineWords<'_>) -> Result<Vec<Command>, ScriptError> {
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
