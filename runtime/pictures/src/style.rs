//! The colours and dashes of lines. The colours differ for people with any colour vision.
//! Called by `svg`. No two lines of a picture look the same.

use crate::chart::Series;

/// Seven colours that people with any colour vision can distinguish on white.
pub(crate) const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9",
];

/// Dashes, the whole line first.
const DASHES: [&str; 4] = ["", "7 4", "2 3", "9 3 2 3"];

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineStyle {
    pub(crate) colour: &'static str,
    pub(crate) dash: &'static str,
}

/// A style for each line. While there are colours, each has its own; then a colour stands for a
/// name and a dash for what is told of it, if that fits; else a second row of colours is dashed.
pub(crate) fn styles(lines: &[Series]) -> Vec<LineStyle> {
    let split = |series: &Series| match series.title.rsplit_once('.') {
        Some((name, field)) => (name.to_owned(), field.to_owned()),
        None => (series.title.clone(), String::new()),
    };
    let parts: Vec<_> = lines.iter().map(split).collect();
    let (mut names, mut fields) = (Vec::new(), Vec::new());
    let places: Vec<_> = parts
        .iter()
        .map(|(name, field)| (place(&mut names, name), place(&mut fields, field)))
        .collect();
    let by_name =
        lines.len() > COLOURS.len() && names.len() <= COLOURS.len() && fields.len() <= DASHES.len();
    places
        .into_iter()
        .enumerate()
        .map(|(number, place)| {
            let rows = (number % COLOURS.len(), number / COLOURS.len());
            let (colour, dash) = if by_name { place } else { rows };
            LineStyle {
                colour: COLOURS[colour % COLOURS.len()],
                dash: DASHES[dash % DASHES.len()],
            }
        })
        .collect()
}

/// The place of `text` among those seen so far.
fn place<'t>(seen: &mut Vec<&'t str>, text: &'t str) -> usize {
    seen.iter()
        .position(|item| *item == text)
        .unwrap_or_else(|| {
            seen.push(text);
            seen.len() - 1
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::SERIES_MAX;

    fn of(titles: &[String]) -> Vec<LineStyle> {
        let line = |text: &String| Series {
            title: text.clone(),
            unit: String::new(),
            values: Vec::new(),
        };
        styles(&titles.iter().map(line).collect::<Vec<_>>())
    }

    #[test]
    fn no_two_lines_look_the_same() {
        let plain = |n: usize| format!("J{n}.sent");
        let paired = |value: usize| {
            format!(
                "J{}.{}",
                value / 4,
                ["commanded", "limited", "sent", "sensor"][value % 4]
            )
        };
        for count in 1..=SERIES_MAX {
            for name in [&plain as &dyn Fn(usize) -> String, &paired] {
                let styles = of(&(0..count).map(name).collect::<Vec<_>>());
                for (place, style) in styles.iter().enumerate() {
                    assert!(!styles[..place].contains(style), "{count} lines: {place}");
                }
            }
        }
        let styles = of(&(0..9).map(paired).collect::<Vec<_>>());
        assert_eq!(
            styles[0].colour, styles[3].colour,
            "one colour for one joint"
        );
    }
}
