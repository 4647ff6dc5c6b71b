//! The histogram of turn durations: a column for each bucket.
//! Called by the screen. A single turn in a million is visible, so that heights are logarithmic.

use ratatui::layout::Rect;
use ratatui::style::{Style, Stylize};
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph};

use crate::session::turns::Turns;

/// The upper end of a column, in eighths of a line.
const ENDS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The widest column, and the narrowest that fits a label.
const WIDEST: usize = 9;
const WORDS: usize = 6;

/// The columns of all buckets.
pub(super) fn picture(turns: &Turns, area: Rect) -> Paragraph<'static> {
    let buckets = turns.buckets();
    let room = usize::from(area.width.saturating_sub(2));
    let width = (room / buckets.len().max(1)).clamp(1, WIDEST);
    let has_words = width >= WORDS;
    // The borders, and the lines of labels.
    let frame = if has_words { 4 } else { 2 };
    let rows = usize::from(area.height).saturating_sub(frame);
    let most = buckets.iter().map(|bucket| bucket.1).max().unwrap_or(0);
    let heights: Vec<_> = buckets
        .iter()
        .map(|bucket| height(bucket.1, most, rows * 8))
        .collect();
    let mut lines: Vec<_> = (0..rows)
        .rev()
        .map(|row| {
            let column = |height: &usize| {
                let end = ENDS[height.saturating_sub(row * 8).min(8)];
                let column: String =
                    std::iter::repeat_n(end, width.saturating_sub(1).max(1)).collect();
                format!("{column:<width$}")
            };
            Line::raw(heights.iter().map(column).collect::<String>()).cyan()
        })
        .collect();
    if has_words {
        let words = |word: String| format!("{word:<width$}");
        let counts = buckets.iter().map(|bucket| words(few(bucket.1)));
        lines.push(Line::raw(counts.collect::<String>()));
        let names = buckets.iter().map(|bucket| words(bucket.0.clone()));
        lines.push(Line::raw(names.collect::<String>()).dim());
    }
    let title = " turns by duration, up to ";
    let block = Block::bordered().title(title);
    Paragraph::new(lines).block(block.border_style(Style::new().dim()))
}

/// The height of a column in eighths of a line; at least one for any count.
fn height(count: u64, most: u64, room: usize) -> usize {
    if count == 0 || room == 0 {
        return 0;
    }
    let share = (count as f64).ln_1p() / (most.max(1) as f64).ln_1p();
    ((share * room as f64).round() as usize).clamp(1, room)
}

/// A count in at most five characters.
fn few(count: u64) -> String {
    let as_read = count as f64;
    match count {
        0..100_000 => count.to_string(),
        100_000..1_000_000 => format!("{:.0}k", as_read / 1e3),
        1_000_000..10_000_000 => format!("{:.1}M", as_read / 1e6),
        10_000_000..1_000_000_000 => format!("{:.0}M", as_read / 1e6),
        _ => format!("{:.0}G", as_read / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::{few, height};

    #[test]
    fn a_single_turn_among_millions_is_seen() {
        assert_eq!(height(0, 1_000_000, 16), 0);
        assert!((1..4).contains(&height(1, 1_000_000, 16)));
        assert_eq!(height(1_000_000, 1_000_000, 16), 16);
        assert_eq!(height(5, 5, 0), 0);
    }

    #[test]
    fn counts_are_short() {
        assert_eq!(few(99_999), "99999");
        assert_eq!(few(123_456), "123k");
        assert_eq!(few(1_234_567), "1.2M");
        assert_eq!(few(12_345_678), "12M");
    }
}
