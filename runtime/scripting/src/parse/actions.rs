//! Parses what happens in a script: everything behind `at <ms>`.
//! Called by `parse` with the rest of a line.
//! As for `parse`; a lane or an alias is known from the line on that makes it.

use cycle::BoardId;

use super::ScriptParser;
use super::lanes::lane_settings;
use crate::script::{SafetyRequest, ScriptStep};
use crate::words::{LineWords, ScriptError, one_of};

type StepParser = fn(&mut ScriptParser, &mut LineWords<'_>) -> Result<ScriptStep, ScriptError>;

/// What happens beside lanes and requests to the whole body.
const STEPS: [(&str, StepParser); 4] = [
    ("open", ScriptParser::open),
    ("alias", ScriptParser::alias),
    ("sense", ScriptParser::sense),
    ("board", ScriptParser::board),
];

const ANSWERS: [(&str, bool); 2] = [("answers", true), ("silent", false)];

impl ScriptParser {
    /// What happens: a step by its own word, a request to the whole body, or what the lane of this name does.
    pub(crate) fn action(&mut self, words: &mut LineWords<'_>) -> Result<ScriptStep, ScriptError> {
        let verb = words.word("what happens")?;
        if let Some((_, parse)) = STEPS.iter().find(|step| step.0 == verb) {
            return parse(self, words);
        }
        if let Some(request) = SafetyRequest::of_name(verb) {
            return Ok(ScriptStep::Safety(request));
        }
        if let Some(lane) = self.lane_named(verb) {
            return Ok(ScriptStep::Lane(lane, self.lane_step(words)?));
        }
        let known = one_of(STEPS.iter().map(|step| step.0).chain(SafetyRequest::NAMES));
        Err(words.error(format!("\"{verb}\" is neither a lane nor {known}")))
    }

    fn lane_named(&mut self, name: &str) -> Option<usize> {
        self.lanes.iter().position(|lane| lane == name)
    }

    fn open(&mut self, words: &mut LineWords<'_>) -> Result<ScriptStep, ScriptError> {
        let name = words.word("a lane's name")?;
        let lane = self.lane_named(name).unwrap_or_else(|| {
            self.lanes.push(name.to_owned());
            self.lanes.len() - 1
        });
        Ok(ScriptStep::Open(lane, lane_settings(words)?))
    }

    fn alias(&mut self, words: &mut LineWords<'_>) -> Result<ScriptStep, ScriptError> {
        let name = words.word("an alias' name")?.to_owned();
        let mut members = Vec::new();
        while words.peek().is_some() {
            members.push(self.actuator_named(words)?);
        }
        self.aliases.push(name);
        Ok(ScriptStep::Alias(self.aliases.len() - 1, members))
    }

    fn sense(&mut self, words: &mut LineWords<'_>) -> Result<ScriptStep, ScriptError> {
        Ok(ScriptStep::Sensor(
            self.sensor_named(words)?,
            words.value("a value")?,
        ))
    }

    fn board(&mut self, words: &mut LineWords<'_>) -> Result<ScriptStep, ScriptError> {
        let board = BoardId(words.value("a board's number")?);
        Ok(ScriptStep::Board(board, words.choice(&ANSWERS)?))
    }
}
