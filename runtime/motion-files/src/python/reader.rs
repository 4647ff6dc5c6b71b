//! The lines of a script, one after the other, and the blocks that they make.
//!
//! Nothing is executed. A line is read if what it does to the lists is known from its text; a block is read as what may
//! happen, and other code is passed over with a remark. The script is read twice: what functions may change is known
//! only after the first time.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::doubt::Doubt;
use super::literals::Literal;
use super::scope::{Facts, Scope};
use super::tokens::{CodeLine, CodeLines, CodeToken};
use crate::fault::{FileMistake, quoted};
use crate::text::cursor::Cursor;

/// The greatest number of values in an export.
const VALUES_MAX: usize = 8_000_000;

/// How much of a line is looked at, to tell of it.
const LINE_MAX: usize = 1_000;

/// The most remarks that are gathered. Those that say the same are one in the end.
const REMARKS_MAX: usize = 100_000;

/// The names of the lists, where nothing else is said.
pub(super) const LISTS: [&str; 3] = ["names", "times", "keys"];

/// The lists of one motion: names, times, keys; and the function that it is in.
pub(super) struct ExportedLists {
    pub(super) function: String,
    /// What is called with them.
    pub(super) byte: usize,
    pub(super) lists: Result<[Literal; 3], Doubt>,
}

/// A script as it is read.
pub(super) struct Reader<'t, 'r> {
    pub(super) text: &'t str,
    pub(super) cursor: &'r Cursor<'t>,
    pub(super) scope: Scope<'t>,
    pub(super) lines: CodeLines<'t>,
    pub(super) next: Option<CodeLine>,
    /// Whether what follows in the same block is never reached.
    pub(super) is_over: bool,
    pub(super) depth: usize,
    pub(super) block_count: usize,
    pub(super) motions: Vec<ExportedLists>,
    /// The functions and classes of the script.
    pub(super) functions: HashSet<&'t str>,
    /// Names of modules, and of what is in them, that are known by other names.
    pub(super) aliases: HashMap<&'t str, (&'t str, Option<&'t str>)>,
    /// How many calls that play were read, and whether the statement made another call that does something.
    pub(super) plays: usize,
    pub(super) has_acted: bool,
    /// The first call that moves joints without times.
    pub(super) timeless: Option<(usize, &'t str)>,
    /// What ends the reading.
    pub(super) fatal: Option<Doubt>,
    pub(super) remarks: Vec<FileMistake>,
    pub(super) budget: usize,
}

/// Reads the motions of a script.
pub(super) fn read(
    cursor: &Cursor<'_>,
    remarks: &mut Vec<FileMistake>,
) -> Result<Vec<ExportedLists>, FileMistake> {
    let mut first = Reader::new(cursor, Facts::default());
    first.script();
    let mut second = Reader::new(cursor, first.scope.found);
    second.functions = first.functions;
    second.script();
    second.end()?;
    remarks.append(&mut second.remarks);
    Ok(second.motions)
}

impl<'t, 'r> Reader<'t, 'r> {
    fn new(cursor: &'r Cursor<'t>, facts: Facts<'t>) -> Self {
        let text = cursor.rest();
        Reader {
            text,
            cursor,
            scope: Scope::new(facts),
            lines: CodeLines::of(text),
            next: None,
            is_over: false,
            depth: 0,
            block_count: 0,
            motions: Vec::new(),
            functions: HashSet::new(),
            aliases: HashMap::new(),
            plays: 0,
            has_acted: false,
            timeless: None,
            fatal: None,
            remarks: Vec::new(),
            budget: VALUES_MAX,
        }
    }

    /// Takes so many values of what may still be read.
    pub(super) fn spend(&mut self, values: usize) -> Result<(), Doubt> {
        let Some(budget) = self.budget.checked_sub(values) else {
            return Err(Doubt::new(0, "too many values; fix: divide the export"));
        };
        self.budget = budget;
        Ok(())
    }

    /// What a name means that was imported under another one.
    pub(super) fn imported(&self, path: &'t str) -> Cow<'t, str> {
        let (first, rest) = path
            .split_once('.')
            .map_or((path, ""), |(first, rest)| (first, rest));
        match (self.aliases.get(first), rest) {
            (Some((module, Some(name))), "") => format!("{module}.{name}").into(),
            (Some((module, None)), rest) if !rest.is_empty() => format!("{module}.{rest}").into(),
            _ => path.into(),
        }
    }

    pub(super) fn remark(&mut self, byte: usize, sentence: String) {
        if self.remarks.len() < REMARKS_MAX {
            self.remarks.push(self.cursor.wrong_at(byte, sentence));
        }
    }

    fn script(&mut self) {
        self.next = self.lines.next();
        while let Some(line) = self.next_line() {
            self.line(line);
            self.is_over = false;
        }
    }

    pub(super) fn next_line(&mut self) -> Option<CodeLine> {
        if self.fatal.is_some() {
            return None;
        }
        let line = self.next.take();
        self.next = self.lines.next();
        if let Some((byte, sentence)) = self.lines.unfinished {
            self.fatal = Some(Doubt::new(byte, sentence));
        }
        line
    }

    /// The end of the script: lists that nothing plays are a motion, too.
    fn end(&mut self) -> Result<(), FileMistake> {
        if let Some(doubt) = self.fatal.take() {
            return Err(self.cursor.wrong_at(doubt.byte, doubt.sentence));
        }
        if !self.motions.is_empty() {
            return Ok(());
        }
        let byte = self.text.len();
        let is_there = LISTS.iter().all(|list| self.scope.has(list));
        if let Some((byte, name)) = self.timeless.filter(|_| !is_there) {
            let what = match name {
                "angleInterpolationWithSpeed" => "a share of the fastest speed instead of times",
                _ => "no times",
            };
            let sentence = format!(
                "{} has {what}, which a motion needs; fix: write it as a call of `angleInterpolation`, with the times \
                 at which the joints are there",
                quoted(name)
            );
            return Err(self.cursor.wrong_at(byte, sentence));
        }
        self.play_lists(byte);
        if is_there {
            let sentence = "nothing plays `names`, `times` and `keys`: they are taken as they stand at the end of the \
                            file; check that its end is not missing";
            self.remark(byte, sentence.to_owned());
        }
        Ok(())
    }

    /// Lists that a function leaves unplayed, or returns, are a motion.
    pub(super) fn leave_lists(&mut self, byte: usize) {
        self.play_lists(byte);
        let function = quoted(self.scope.function());
        let sentence = format!(
            "nothing plays `names`, `times` and `keys` here: they are taken as {function} leaves them"
        );
        self.remark(byte, sentence);
    }

    /// The lists that are called names, times and keys are a motion.
    pub(super) fn play_lists(&mut self, byte: usize) {
        let value = |name: &'static str| match self.scope.has(name) {
            true => self.scope.value(name, byte),
            false => {
                let sentence = format!(
                    "there is no list {}; fix: check that it is an export of Choregraphe",
                    quoted(name)
                );
                Err(Doubt::new(0, sentence))
            }
        };
        let [names, times, keys] = LISTS.map(value);
        let lists = names.and_then(|names| Ok([names, times?, keys?]));
        self.motion(byte, lists);
    }

    /// The place of a sign outside of brackets, or the end.
    pub(super) fn end_of(&self, tokens: &[CodeToken], sign: &str) -> usize {
        let mut depth = 0_usize;
        for (place, token) in tokens.iter().enumerate() {
            match self.word(token) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                word if word == sign && depth == 0 => return place,
                _ => {}
            }
        }
        tokens.len()
    }

    /// What stands between commas.
    pub(super) fn parts<'a>(&self, tokens: &'a [CodeToken]) -> Vec<&'a [CodeToken]> {
        let mut parts = Vec::new();
        let mut rest = tokens;
        while !rest.is_empty() {
            let end = self.end_of(rest, ",");
            parts.push(&rest[..end]);
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        parts
    }

    /// The line that begins at a byte, without its comment.
    pub(super) fn first_line(&self, byte: usize) -> &'t str {
        let rest = self.text.get(byte..).unwrap_or("");
        let end = rest
            .char_indices()
            .map(|(at, _)| at)
            .take_while(|at| *at < LINE_MAX)
            .last()
            .unwrap_or(0);
        let end = rest
            .find(['\n', '\r', ';'])
            .unwrap_or(rest.len())
            .min(end + 1);
        let text = rest
            .get(..end)
            .or_else(|| rest.get(..end - 1))
            .unwrap_or("");
        text.split('#').next().unwrap_or("").trim_end()
    }

    pub(super) fn passed(&mut self, byte: usize) {
        let text = self.first_line(byte);
        let proxies = ["ALProxy", "service(", "Session("];
        if !proxies.iter().any(|proxy| text.contains(proxy)) {
            self.remark(
                byte,
                format!("{} is passed over: nothing is executed", quoted(text)),
            );
        }
    }
}
