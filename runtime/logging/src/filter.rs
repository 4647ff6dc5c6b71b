//! The filter of the log: what `--log` and DCM_LOG say, read as `EnvFilter` of tracing-subscriber reads it.
//! Used when a process starts. What would be ignored or misread is refused, and the place is marked.

use std::fmt;
use std::ops::Range;

use printable::nearest;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::Directive;

/// The parts of dcm-run that log, as a filter names them; `tests/tidy.rs` compares them with the crates.
pub const PARTS: [&str; 6] = [
    "daemon",
    "dcm_run",
    "guests",
    "logging",
    "recording",
    "robot",
];

/// The levels, from the most urgent on.
const LEVELS: [&str; 6] = ["error", "warn", "info", "debug", "trace", "off"];

/// The letters of a filter that are shown with a mistake.
const SHOWN: usize = 120;

/// A filter that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    text: String,
}

/// Why a filter cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// The whole filter.
    text: String,
    /// Where the mistake is in it, bytes.
    place: Range<usize>,
    /// What it is.
    why: String,
}

impl std::str::FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Filter, FilterError> {
        let error = |place: Range<usize>, why: String| FilterError {
            text: text.to_owned(),
            place,
            why,
        };
        let mut read = Vec::new();
        for place in directives(text) {
            let directive = &text[place.clone()];
            check(directive).map_err(|(part, why)| {
                error(place.start + part.start..place.start + part.end, why)
            })?;
            // What is left to be wrong: spans, fields and regular expressions.
            let parsed = directive.parse::<Directive>();
            parsed
                .map_err(|value| error(place.clone(), format!("this cannot be read: {value}")))?;
            read.push(directive);
        }
        // An empty variable of the environment is none.
        if !read.is_empty() || text.trim().is_empty() {
            // Without the blanks between them, which `EnvFilter` would not read.
            Ok(Filter {
                text: read.join(","),
            })
        } else {
            Err(error(0..text.len(), "there is nothing in it".to_owned()))
        }
    }
}

impl Filter {
    /// What it may not mean: names that are nearly those of a part. A guest could have such a name.
    pub fn doubts(&self) -> Vec<String> {
        let targets = directives(&self.text).filter_map(|directive| target(&self.text[directive]));
        let doubt = |text: &str| {
            let room = text.split("::").next().unwrap_or_default();
            let near = nearest(room, PARTS.into_iter()).filter(|_| !PARTS.contains(&room))?;
            Some(format!(
                "`{room}` in the filter of the log is no part of dcm-run; if no guest is meant, try `{near}`"
            ))
        };
        targets.filter_map(doubt).collect()
    }

    /// Its text, for another process.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn into_env_filter(self) -> EnvFilter {
        // It was read once already; each part of it is right.
        EnvFilter::builder().parse_lossy(self.text)
    }
}

/// The places of the directives: separated by commas, but not by those inside brackets.
fn directives(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut depth = 0_i32;
    let mut starts = vec![0];
    let mut ends = Vec::new();
    for (at, letter) in text.char_indices() {
        match letter {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            ',' if depth <= 0 => {
                ends.push(at);
                starts.push(at + 1);
            }
            _ => {}
        }
    }
    ends.push(text.len());
    let trimmed = starts.into_iter().zip(ends).map(|(start, end)| {
        let piece = &text[start..end];
        let start = start + (piece.len() - piece.trim_start().len());
        start..start + piece.trim().len()
    });
    trimmed
        .filter(|trimmed| !trimmed.is_empty())
        .collect::<Vec<_>>()
        .into_iter()
}

/// The name before the level, if there is one.
fn target(directive: &str) -> Option<&str> {
    let (target, _) = directive.split_once('=')?;
    (!target.contains('[')).then_some(target)
}

/// What `EnvFilter` would take for something else: a level with a slip is a target to it.
fn check(directive: &str) -> Result<(), (Range<usize>, String)> {
    if directive.contains('[') {
        return Ok(());
    }
    if let Some(at) = directive.find(char::is_whitespace) {
        let why = "parts of a filter are separated by commas, and have no blanks inside";
        return Err((at..at + 1, why.to_owned()));
    }
    let Some((target, level)) = directive.split_once('=') else {
        let room = directive.split("::").next().unwrap_or_default();
        if is_level(directive) || PARTS.contains(&room) {
            return Ok(());
        }
        let near =
            nearest(directive, LEVELS.into_iter()).or_else(|| nearest(room, PARTS.into_iter()));
        let near = near.map_or_else(
            || {
                format!(
                    "levels: {}; parts: {}; for a guest write `{directive}=debug`",
                    LEVELS.join(", "),
                    PARTS.join(", ")
                )
            },
            |value| format!("did you mean `{value}`?"),
        );
        return Err((
            0..directive.len(),
            format!("`{directive}` is neither a level nor a part of dcm-run; {near}"),
        ));
    };
    let at = target.len() + 1;
    if target.is_empty() {
        return Err((
            0..directive.len(),
            "before `=` stands a part or a guest, such as `robot=debug`".to_owned(),
        ));
    }
    if !is_level(level) {
        let near = nearest(level, LEVELS.into_iter()).map_or_else(
            || format!("levels: {}", LEVELS.join(", ")),
            |value| format!("did you mean `{value}`?"),
        );
        let place = at..(at + level.len()).max(at);
        return Err((place, format!("`{level}` is no level; {near}")));
    }
    Ok(())
}

/// Whether it is a level, as `EnvFilter` reads it: by name, in any case, or by number.
fn is_level(word: &str) -> bool {
    LEVELS.iter().any(|level| level.eq_ignore_ascii_case(word))
        || matches!(word, "0" | "1" | "2" | "3" | "4" | "5")
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = |part: Range<usize>| self.text[part].chars().count();
        let (before, marked) = (letters(0..self.place.start), letters(self.place.clone()));
        // Of a long filter, what is around the mistake.
        let left_out = before.saturating_sub(SHOWN / 2);
        let shown: String = self.text.chars().skip(left_out).take(SHOWN).collect();
        let shown = printable::printable(&shown);
        let before = before - left_out;
        let marked = marked.clamp(1, SHOWN - before);
        let why: String = self.why.chars().take(4 * SHOWN).collect();
        writeln!(f, "{why}")?;
        writeln!(f, "  {shown}")?;
        write!(f, "  {}{}", " ".repeat(before), "^".repeat(marked))
    }
}

impl std::error::Error for FilterError {}

#[cfg(test)]
mod tests {
    use super::Filter;

    fn error(text: &str) -> String {
        match text.parse::<Filter>() {
            Ok(read) => panic!("{read:?}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_env_filter_reads_is_read() {
        let texts = [
            "info",
            "WARN",
            "3",
            "off",
            "robot=debug",
            "info,daemon::routes=trace",
            "dance=debug,warn",
            "[request]=debug",
            "daemon[request{id=abc}]=trace",
            "robot",
            " info , robot=off ",
            "hyper=warn",
        ];
        for text in texts {
            assert!(text.parse::<Filter>().is_ok(), "{text}");
        }
        let filter: Filter = " info, daemon=debug ,\tdance=off"
            .parse()
            .expect("a filter");
        assert_eq!(filter.text(), "info,daemon=debug,dance=off");
    }

    #[test]
    fn what_is_wrong_is_marked() {
        assert_eq!(
            error("robot=inf"),
            "`inf` is no level; did you mean `info`?\n  robot=inf\n        ^^^"
        );
        let text = error("warn,inof");
        assert!(
            text.ends_with("did you mean `info`?\n  warn,inof\n       ^^^^"),
            "{text}"
        );
        assert!(error("robt").contains("did you mean `robot`?"));
        assert!(error("dance").contains("for a guest write `dance=debug`"));
        assert_eq!("".parse::<Filter>().expect("an empty one").text(), "");
        assert!(error(",,").contains("there is nothing in it"));
        assert!(error("robot=").ends_with("  robot=\n        ^"));
        assert!(error("=info").contains("before `=`"));
        assert!(error("info daemon=debug").ends_with("  info daemon=debug\n      ^"));
        // However long it is.
        for text in [
            format!("{}=wat", "a".repeat(65_535)),
            "info,".repeat(20_000) + "x=wat",
        ] {
            let text = error(&text);
            assert!(
                text.len() < 1_000 && text.contains("`wat` is no level"),
                "{text}"
            );
            assert!(text.ends_with("^^^"), "{text}");
        }
        assert!(
            error("info,[unclosed=debug")
                .contains("  info,[unclosed=debug\n       ^^^^^^^^^^^^^^^")
        );
    }

    #[test]
    fn a_slip_of_a_part_is_doubted() {
        let filter: Filter = "info,robt=debug,dance=debug".parse().expect("a filter");
        assert_eq!(filter.doubts().len(), 1);
        assert!(filter.doubts()[0].contains("try `robot`"));
    }
}
