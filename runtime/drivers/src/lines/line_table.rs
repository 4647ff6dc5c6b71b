//! The table of all gpio chips and lines of the system, and the search for a line by its name.
//! It is read when lines are opened, and again when a chip has come back; never in the turn.
//! A name matches exactly one line, or it is an error.

use std::path::{Path, PathBuf};

use gpiocdev::Chip;
use gpiocdev::chip::chips;
use printable::similar;

use super::errors::{LinesError, fault};
use crate::bus::BusFault;

/// The most similar names in an error.
const PROPOSED: usize = 3;

/// One line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KnownLine {
    pub(super) name: String,
    /// The process that uses it, as it calls itself; `None` if the line is free.
    pub(super) consumer: Option<String>,
}

/// One chip.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KnownChip {
    pub(super) path: PathBuf,
    pub(super) name: String,
    pub(super) label: String,
    pub(super) lines: Vec<KnownLine>,
}

/// All chips.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LineTable {
    pub(super) chips: Vec<KnownChip>,
    /// A chip that this user may not use.
    pub(super) forbidden: Option<PathBuf>,
}

/// The position of a line: the chip's index in the table, and the line's offset on the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LinePlace {
    pub(super) chip: usize,
    pub(super) offset: u32,
}

impl LineTable {
    /// Reads the table from the system.
    pub(super) fn take() -> Result<LineTable, LinesError> {
        let (mut table, mut is_old) = (LineTable::default(), false);
        for path in chips().unwrap_or_default() {
            match read(&path) {
                Ok(chip) => table.chips.push(chip),
                Err(BusFault::Forbidden) => table.forbidden = Some(path),
                // The kernel does not know this request.
                Err(BusFault::Settings) => is_old = true,
                // It was unplugged meanwhile.
                Err(_) => {}
            }
        }
        if !table.chips.is_empty() {
            return Ok(table);
        }
        Err(match table.forbidden {
            Some(chip) => LinesError::Forbidden { chip },
            None if !is_old && Path::new("/sys/bus/gpio").exists() => LinesError::NoChips,
            None => LinesError::NoGpio,
        })
    }

    /// The line of this name, or of `chip:offset`.
    pub(super) fn find(&self, chip: Option<&str>, line: &str) -> Result<LinePlace, LinesError> {
        let only = chip.map(|chip| self.chip(chip)).transpose()?;
        let among = |chip: &usize| only.is_none_or(|value| value == *chip);
        let mut found = (0..self.chips.len()).filter(among).flat_map(|chip| {
            let lines = self.chips[chip].lines.iter().zip(0..);
            let named = lines.filter(|(item, _)| !line.is_empty() && item.name == line);
            named.map(move |(_, offset)| LinePlace { chip, offset })
        });
        match (found.next(), found.next()) {
            (Some(first), Some(second)) => Err(LinesError::Ambiguous {
                name: line.to_owned(),
                first: self.spelled(first),
                second: self.spelled(second),
            }),
            (Some(place), None) => Ok(place),
            _ => self.at_offset(line),
        }
    }

    /// A line by its chip and offset.
    fn at_offset(&self, line: &str) -> Result<LinePlace, LinesError> {
        let parts = line.rsplit_once(':');
        let parts = parts.and_then(|(chip, offset)| Some((chip, offset.parse().ok()?)));
        let Some((chip, offset)) = parts else {
            return Err(self.unknown(line));
        };
        let chip = self.chip(chip)?;
        let lines = self.chips[chip].lines.len();
        if offset as usize >= lines {
            let line = line.to_owned();
            return Err(LinesError::NoOffset { line, lines });
        }
        Ok(LinePlace { chip, offset })
    }

    /// The chip of this path, name or label.
    fn chip(&self, chip: &str) -> Result<usize, LinesError> {
        // A symbolic link to the device counts as its path.
        let path = std::fs::canonicalize(chip).unwrap_or_else(|_| chip.into());
        let is_it = |item: &KnownChip| item.path == path || item.name == chip || item.label == chip;
        let mut found = (0..self.chips.len()).filter(|i| is_it(&self.chips[*i]));
        match (found.next(), found.next()) {
            (Some(first), Some(second)) => Err(LinesError::Ambiguous {
                name: chip.to_owned(),
                first: self.chips[first].name.clone(),
                second: self.chips[second].name.clone(),
            }),
            (Some(chip), None) => Ok(chip),
            _ => match &self.forbidden {
                Some(forbidden) => Err(LinesError::Forbidden {
                    chip: forbidden.clone(),
                }),
                None => Err(LinesError::NoChip {
                    chip: chip.to_owned(),
                    known: self.chips.iter().map(spelled).collect(),
                }),
            },
        }
    }

    fn unknown(&self, line: &str) -> LinesError {
        if let Some(chip) = self.forbidden.clone() {
            // The name may be on that chip.
            return LinesError::Forbidden { chip };
        }
        let lines = self.chips.iter().flat_map(|chip| &chip.lines);
        let mut names: Vec<_> = lines.map(|line| line.name.as_str()).collect();
        names.retain(|name| !name.is_empty());
        names.sort_unstable();
        names.dedup();
        let near = similar(line, names.into_iter()).into_iter().take(PROPOSED);
        LinesError::NotFound {
            line: line.to_owned(),
            near: near.map(str::to_owned).collect(),
        }
    }

    /// An unambiguous name of the line.
    fn spelled(&self, place: LinePlace) -> String {
        let chip = &self.chips[place.chip];
        format!("{}:{} ({})", chip.name, place.offset, chip.label)
    }
}

fn spelled(chip: &KnownChip) -> String {
    format!("{} ({})", chip.name, chip.label)
}

fn read(path: &Path) -> Result<KnownChip, BusFault> {
    let failed = |error| fault(&error);
    let chip = Chip::from_path(path).map_err(failed)?;
    let info = chip.info().map_err(failed)?;
    let mut lines = Vec::new();
    for info in chip.line_info_iter().map_err(failed)? {
        let line = info.map_err(failed)?;
        let consumer = match line.consumer.is_empty() {
            true => "the kernel".to_owned(),
            false => format!("`{}`", line.consumer),
        };
        lines.push(KnownLine {
            name: line.name,
            consumer: line.used.then_some(consumer),
        });
    }
    Ok(KnownChip {
        path: path.to_owned(),
        name: info.name,
        label: info.label,
        lines,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chip(number: u32, label: &str, names: &[&str]) -> KnownChip {
        let line = |text: &&str| KnownLine {
            name: (*text).to_owned(),
            consumer: None,
        };
        KnownChip {
            path: format!("/dev/gpiochip{number}").into(),
            name: format!("gpiochip{number}"),
            label: label.to_owned(),
            lines: names.iter().map(line).collect(),
        }
    }

    fn table() -> LineTable {
        LineTable {
            chips: vec![
                chip(0, "head", &["EARS", "", "FAULT_N"]),
                chip(1, "chest", &["BUTTON", "FAULT_N", "odd:1", ""]),
                chip(2, "chest", &[]),
            ],
            forbidden: None,
        }
    }

    #[test]
    fn a_name_means_one_line() {
        let at = |chip, offset| Ok(LinePlace { chip, offset });
        let table = table();
        assert_eq!(table.find(None, "BUTTON"), at(1, 0));
        assert_eq!(table.find(Some("head"), "FAULT_N"), at(0, 2));
        assert_eq!(table.find(Some("/dev/gpiochip1"), "FAULT_N"), at(1, 1));
        assert_eq!(table.find(None, "gpiochip1:3"), at(1, 3));
        assert_eq!(table.find(None, "head:1"), at(0, 1));
        assert_eq!(table.find(None, "odd:1"), at(1, 2), "a name comes first");
    }

    #[test]
    fn what_means_no_line_or_two_is_said_with_the_fix() {
        let table = table();
        let said = |chip, line| {
            let found = table.find(chip, line);
            found.expect_err("an error").to_string()
        };
        let both = said(None, "FAULT_N");
        assert!(both.contains("gpiochip0:2 (head)") && both.contains("gpiochip1:1 (chest)"));
        assert!(said(None, "BUTON").contains("did you mean `BUTTON`?"));
        assert!(said(None, "").contains("gpioinfo"));
        assert!(said(Some("head"), "BUTTON").contains("gpioinfo"));
        assert!(said(None, "gpiochip1:4").contains("4 lines"));
        assert!(said(None, "tail:4").contains("gpiochip0 (head)"));
        assert!(said(None, "chest:1").contains("both gpiochip1 and gpiochip2"));
        let forbidden = LineTable {
            forbidden: Some("/dev/gpiochip3".into()),
            ..table.clone()
        };
        let error = forbidden.find(None, "BUTON").expect_err("an error");
        assert!(error.to_string().contains("/dev/gpiochip3"));
    }
}
