//! What a verb prints on standard output: JSON for programs, or text for people.

use std::fmt::Display;
use std::io::Write;

use anyhow::Result;
use protocol::exact_integer::with_numbers;
use serde::Serialize;
use serde_json::json;

/// How a verb ended, unless it failed.
pub(crate) enum VerbOutcome {
    Done,
    /// A check or a test did not pass; the verb has printed why.
    Fails,
    /// It could not be done to the end; the verb has printed why.
    Stops,
}

/// The form in which a verb prints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VerbOutput {
    /// Whether that is JSON: an object on each line.
    pub(crate) json: bool,
}

impl VerbOutput {
    /// Prints a result: its value, or its text.
    pub(crate) fn print(self, value: impl Serialize, text: impl Display) -> Result<VerbOutcome> {
        let mut out = anstream::stdout().lock();
        if self.json {
            writeln!(out, "{}", with_numbers(json!(value)))?;
        } else {
            writeln!(out, "{text}")?;
        }
        Ok(VerbOutcome::Done)
    }

    /// Prints a line for people; nothing if programs are to read the output.
    pub(crate) fn note(self, text: impl Display) -> Result<()> {
        if !self.json {
            writeln!(anstream::stdout().lock(), "{text}")?;
        }
        Ok(())
    }

    /// Prints the value of each row, or its text below `head`; for people, `none` if there are no rows.
    pub(crate) fn list<T: Serialize>(
        self,
        rows: &[T],
        head: &str,
        none: &str,
        text: impl Fn(&T) -> String,
    ) -> Result<VerbOutcome> {
        let mut out = anstream::stdout().lock();
        if self.json {
            for row in rows {
                writeln!(out, "{}", with_numbers(json!(row)))?;
            }
            return Ok(VerbOutcome::Done);
        }
        let above = if rows.is_empty() { none } else { head };
        if !above.is_empty() {
            writeln!(out, "{above}")?;
        }
        for row in rows {
            writeln!(out, "{}", text(row).trim_end())?;
        }
        Ok(VerbOutcome::Done)
    }
}
