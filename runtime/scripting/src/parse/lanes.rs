//! Parses what a lane does: its requests, its direct outputs, its own changes, its questions; and what it is like.
//! Called by `actions` with the words behind a lane's name.
//! A verb is looked up in one of four lists, each for one kind of call on the stage.

use cycle::{Command, Ending, Instant, Keep, LaneSettings, Merge, SilenceTimeout, priority};

use super::{ScriptParser, gains};
use crate::script::{DirectOutput, LaneStep, RequestTarget, Submission};
use crate::words::{LineWords, ScriptError, instant};

const PRIORITIES: [(&str, f64); 6] = [
    ("ignored", priority::IGNORED),
    ("background", priority::BACKGROUND),
    ("low", priority::LOW),
    ("standard", priority::STANDARD),
    ("high", priority::HIGH),
    ("emergency", priority::EMERGENCY),
];

const KEEPS: [(&str, Keep); 2] = [("hold", Keep::Hold), ("release", Keep::Release)];

const MERGES: [(&str, Merge); Merge::ALL.len()] = {
    let mut merges = [("", Merge::Merge); Merge::ALL.len()];
    let mut place = 0;
    while place < merges.len() {
        merges[place] = (Merge::NAMES[place], Merge::ALL[place]);
        place += 1;
    }
    merges
};

/// A step, or nothing if the verb is of another list.
type ParsedStep = Result<Option<LaneStep>, ScriptError>;

impl ScriptParser {
    pub(crate) fn lane_step(&mut self, words: &mut LineWords<'_>) -> Result<LaneStep, ScriptError> {
        let verb = words.word("what the lane does")?;
        for parse in [Self::request, Self::direct, Self::change, Self::question] {
            if let Some(step) = parse(self, verb, words)? {
                return Ok(step);
            }
        }
        Err(words.error(format!("a lane cannot \"{verb}\"")))
    }

    /// What becomes commands in the lane's timelines.
    fn request(&mut self, verb: &str, words: &mut LineWords<'_>) -> ParsedStep {
        if let Some(merge) = Merge::of_name(verb) {
            let target = self.target(words)?;
            return Ok(Some(LaneStep::Submit(
                target,
                Submission::Same(merge, commands(words)?),
            )));
        }
        let (target, submission) = match verb {
            "mixed" => {
                let (merge, target) = (words.choice(&MERGES)?, self.target(words)?);
                (target, Submission::Mixed(merge, lists(words)?))
            }
            "separate" => {
                let (merge, target) = (words.choice(&MERGES)?, self.target(words)?);
                expect(words, "times")?;
                let times = words.instants()?;
                expect(words, "values")?;
                let mut values = words.numbers("a value")?;
                while words.skip("|") {
                    values.extend(words.numbers("a value")?);
                }
                (target, Submission::Separate(merge, times, values))
            }
            "vector" => {
                let target = self.target(words)?;
                expect(words, "at")?;
                let at = words.instant()?;
                expect(words, "values")?;
                (target, Submission::Vector(at, words.numbers("a value")?))
            }
            "stop" => (self.target(words)?, Submission::Stop),
            "sheet" => {
                let merge = words.choice(&MERGES)?;
                let mut parts = vec![(self.actuator_named(words)?, commands(words)?)];
                while words.skip("|") {
                    parts.push((self.actuator_named(words)?, commands(words)?));
                }
                return Ok(Some(LaneStep::Trajectory(merge, parts)));
            }
            _ => return Ok(None),
        };
        Ok(Some(LaneStep::Submit(target, submission)))
    }

    /// What is written in the turn itself.
    fn direct(&mut self, verb: &str, words: &mut LineWords<'_>) -> ParsedStep {
        let is_gains = match verb {
            "drive" => false,
            "gains" => true,
            _ => return Ok(None),
        };
        let actuator = self.actuator_named(words)?;
        let output = if is_gains {
            DirectOutput::Gains(gains(words)?)
        } else {
            DirectOutput::Value(words.value("a value")?)
        };
        let weight = words.value("a weight")?;
        Ok(Some(LaneStep::Drive(
            actuator,
            output,
            weight,
            until(words)?,
        )))
    }

    /// What changes the lane itself.
    fn change(&mut self, verb: &str, words: &mut LineWords<'_>) -> ParsedStep {
        Ok(Some(match verb {
            "cancel" => LaneStep::Cancel(words.value("a ticket's number")?),
            "weight" => {
                let weight = words.value("a weight")?;
                let on = words.skip("on").then(|| self.actuator_named(words));
                LaneStep::Weight(on.transpose()?, weight)
            }
            "priority" => LaneStep::Priority(words.value("a priority")?),
            "end" => {
                let ending = words.peek().is_some().then(|| ending(words));
                LaneStep::End(ending.transpose()?)
            }
            "feed" => LaneStep::Feed,
            "release-group" => LaneStep::ReleaseGroup(self.group_named(words)?),
            _ => return Ok(None),
        }))
    }

    /// What only asks.
    fn question(&mut self, verb: &str, words: &mut LineWords<'_>) -> ParsedStep {
        Ok(Some(match verb {
            "pending" => LaneStep::Pending(self.actuator_named(words)?),
            "progress" => LaneStep::Progress(words.value("a ticket's number")?),
            "overridden" => LaneStep::Overridden,
            _ => return Ok(None),
        }))
    }

    fn target(&self, words: &mut LineWords<'_>) -> Result<RequestTarget, ScriptError> {
        let word = words.word("an actuator, several joined by +, or an alias")?;
        if let Some(alias) = self.aliases.iter().rposition(|alias| alias == word) {
            return Ok(RequestTarget::Alias(alias));
        }
        let named = word.split('+').map(|name| {
            let mut one = LineWords::new(words.line, name);
            self.actuator_named(&mut one)
        });
        named
            .collect::<Result<_, _>>()
            .map(RequestTarget::Actuators)
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

fn ending(words: &mut LineWords<'_>) -> Result<Ending, ScriptError> {
    let simple = words.choice(&[
        ("release", Some(Ending::Release)),
        ("hold", Some(Ending::Hold)),
        ("safe", None),
    ])?;
    match simple {
        Some(ending) => Ok(ending),
        None => Ok(Ending::SafePose(words.span()?)),
    }
}

/// What a lane is like, as `open` says it.
pub(crate) fn lane_settings(words: &mut LineWords<'_>) -> Result<LaneSettings, ScriptError> {
    let mut settings = LaneSettings::STANDARD;
    while let Some(word) = words.next() {
        match word {
            "priority" => {
                let word = words.word("a priority")?;
                let named = PRIORITIES
                    .iter()
                    .find(|priority| priority.0 == word)
                    .map(|priority| priority.1);
                let wrong = || words.error(format!("\"{word}\" is not a priority"));
                settings.priority = named.or(word.parse().ok()).ok_or_else(wrong)?;
            }
            "weight" => settings.weight = words.value("a weight")?,
            "room" => settings.room = words.value("a number of commands")?,
            "keep" => settings.keep = words.choice(&KEEPS)?,
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

/// Lists of commands with a `|` between them.
fn lists(words: &mut LineWords<'_>) -> Result<Vec<Vec<Command>>, ScriptError> {
    let mut lists = vec![commands(words)?];
    while words.skip("|") {
        lists.push(commands(words)?);
    }
    Ok(lists)
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
