//! Rows of a table, aligned by column, with lines of text between them.

use crate::decimals;

/// A table in the making.
#[derive(Default)]
pub(crate) struct TraceTable {
    lines: Vec<TableLine>,
}

enum TableLine {
    Row(Vec<String>, String),
    Text(String),
}

impl TraceTable {
    /// A row of cells, and what is noted behind them.
    pub(crate) fn row(&mut self, cells: Vec<String>, notes: String) {
        self.lines.push(TableLine::Row(cells, notes));
    }

    /// A line between rows.
    pub(crate) fn text(&mut self, text: String) {
        self.lines.push(TableLine::Text(text));
    }

    /// The whole table: cells right-aligned, notes to the left.
    pub(crate) fn print(&self) -> String {
        let mut widths: Vec<usize> = Vec::new();
        for line in &self.lines {
            let TableLine::Row(cells, _) = line else {
                continue;
            };
            widths.resize(widths.len().max(cells.len()), 0);
            for (width, cell) in widths.iter_mut().zip(cells) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let mut out = String::new();
        for line in &self.lines {
            match line {
                TableLine::Text(text) => out.push_str(text),
                TableLine::Row(cells, notes) => {
                    for (cell, width) in cells.iter().zip(&widths) {
                        out.push_str(&format!("{cell:>width$}  "));
                    }
                    out.push_str(notes);
                }
            }
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
        }
        out
    }
}

/// A number with up to six decimals and no idle zeros.
pub(crate) fn number(value: f64) -> String {
    decimals(value, 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown = [20.0, 20.0 / 3.0, -0.0, -0.0000001, 0.5, 1e9].map(number);
        assert_eq!(shown, ["20", "6.666667", "0", "0", "0.5", "1000000000"]);
    }
}
