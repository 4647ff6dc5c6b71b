//! A file as it is read, and what all who read it share: places, remarks, limits. Used by all files of `python`.
//! The law: what a file may ask for has limits: values, brackets in each other, blocks.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::functions::{CallEffects, FileFunctions};
use super::literals::{blanks, skip};
use super::scope::Scope;
use super::values::{ExportedLists, FollowedCall};
use crate::fault::{FileMistake, quoted};
use crate::text::cursor::Cursor;

/// How deep brackets may be in each other.
const DEPTH_MAX: usize = 40;

/// The greatest number of values in an export.
const VALUES_MAX: usize = 8_000_000;

/// How many bytes of functions calls may be followed in, beside 50 for each of the file; and with them at most, if the
/// file is not longer itself.
const FOLLOWED: usize = 1_000_000;
const FOLLOWED_MAX: usize = 20_000_000;

/// How much of a line is looked at, to tell of it.
const LINE_MAX: usize = 1_000;

/// The most remarks that are gathered. Those that say the same are one in the end.
const REMARKS_MAX: usize = 100_000;

/// The names of the lists, where nothing else is said.
pub(super) const LISTS: [&str; 3] = ["names", "times", "keys"];

/// A file as it is read.
pub(super) struct PythonReader<'t, 'r> {
    pub(super) cursor: Cursor<'t>,
    pub(super) scope: Scope<'t>,
    /// The function that is being read, and the calls that are followed in it.
    pub(super) function: &'t str,
    pub(super) calls: Vec<FollowedCall<'t>>,
    /// The functions whose calls were followed, and those of which a call was not; how many bytes may still be.
    pub(super) followed_names: HashSet<&'t str>,
    pub(super) unfollowed: HashSet<&'t str>,
    pub(super) follow_budget: usize,
    /// Whether what follows in the same block is never reached.
    pub(super) is_over: bool,
    /// The functions and classes of the file.
    pub(super) functions: HashSet<&'t str>,
    /// Their texts, and what calls of them may do.
    pub(super) texts: FileFunctions<'t>,
    pub(super) effects: HashMap<String, Rc<CallEffects<'t>>>,
    pub(super) motions: Vec<ExportedLists>,
    /// How many calls that play, and other calls that do something, were read.
    pub(super) plays: usize,
    pub(super) has_called: bool,
    /// The first call that moves joints without times.
    pub(super) timeless: Option<(usize, &'t str)>,
    /// Why the first line that calls what plays was passed over.
    pub(super) unread: Option<FileMistake>,
    pub(super) remarks: &'r mut Vec<FileMistake>,
    pub(super) budget: usize,
    pub(super) blocks: usize,
    pub(super) depth: usize,
}

impl<'t, 'r> PythonReader<'t, 'r> {
    /// At the beginning of a file with these functions.
    pub(super) fn new(
        cursor: Cursor<'t>,
        texts: FileFunctions<'t>,
        remarks: &'r mut Vec<FileMistake>,
    ) -> Self {
        let size = cursor.rest().len();
        let follow_budget = (50 * size + FOLLOWED).min(FOLLOWED_MAX.max(4 * size));
        PythonReader {
            texts,
            effects: HashMap::new(),
            cursor,
            scope: Scope::default(),
            function: "",
            calls: Vec::new(),
            followed_names: HashSet::new(),
            unfollowed: HashSet::new(),
            follow_budget,
            is_over: false,
            functions: HashSet::new(),
            motions: Vec::new(),
            plays: 0,
            has_called: false,
            timeless: None,
            unread: None,
            remarks,
            budget: VALUES_MAX,
            blocks: 0,
            depth: 0,
        }
    }

    /// Takes so many values of what may still be read.
    pub(super) fn spend(&mut self, values: usize) -> Result<(), FileMistake> {
        self.budget = self
            .budget
            .checked_sub(values)
            .ok_or_else(|| self.cursor.wrong("too many values; fix: divide the export"))?;
        Ok(())
    }

    pub(super) fn remark(&mut self, byte: usize, sentence: String) {
        if self.remarks.len() < REMARKS_MAX {
            self.remarks.push(self.cursor.wrong_at(byte, sentence));
        }
    }

    /// The line that begins at a byte, without its remark.
    pub(super) fn line(&self, from: usize) -> &'t str {
        let mut cursor = self.cursor.clone();
        cursor.go_back(from);
        let text = first_line(cursor.rest());
        text.split('#').next().unwrap_or("").trim_end()
    }

    pub(super) fn passed_remark(&mut self, from: usize) {
        let text = self.line(from);
        let proxies = ["ALProxy", "service(", "Session("];
        if !proxies.iter().any(|it| text.contains(it)) {
            let sentence = format!("{} is passed over: nothing is executed", quoted(text));
            self.remark(from, sentence);
        }
    }

    pub(super) fn text_between(&self, from: usize, to: usize) -> &'t str {
        let mut cursor = self.cursor.clone();
        cursor.go_back(from);
        cursor
            .rest()
            .get(..to.saturating_sub(from))
            .unwrap_or("")
            .trim()
    }

    /// The name, perhaps with points, that is all between two bytes.
    pub(super) fn name_between(&self, from: usize, to: usize) -> Option<&'t str> {
        let text = self.text_between(from, to);
        let is_name = |it: char| it.is_alphanumeric() || it == '_' || it == '.';
        let is_number = text.starts_with(|it: char| it.is_numeric());
        (!text.is_empty() && !is_number && text.chars().all(is_name)).then_some(text)
    }

    /// Reads what is in brackets, or behind a sign: so deep that the stack has room for it.
    pub(super) fn deeper<R>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<R, FileMistake>,
    ) -> Result<R, FileMistake> {
        if self.depth >= DEPTH_MAX {
            return Err(self.cursor.wrong("brackets too deep in each other"));
        }
        self.depth += 1;
        let done = read(self);
        self.depth -= 1;
        done
    }

    /// Blanks; inside brackets also ends of lines.
    pub(super) fn space(&mut self, inside: bool) {
        if inside {
            skip(&mut self.cursor);
        } else {
            blanks(&mut self.cursor);
        }
    }

    /// The text from a byte to here, on one line.
    pub(super) fn text_from(&self, byte: usize) -> &'t str {
        let mut cursor = self.cursor.clone();
        let end = cursor.byte();
        cursor.go_back(byte);
        let text = cursor.rest().get(..end - byte).unwrap_or("");
        first_line(text).trim_end()
    }
}

/// The first line of a text, as far as a message may have use for it.
fn first_line(text: &str) -> &str {
    let mut end = text.len().min(LINE_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end)
        .and_then(|it| it.lines().next())
        .unwrap_or("")
}
